//! What a plug-in engine did wrong, in words for the player.

use std::fmt;

/// A call of the interface of plug-in engines.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PluginCall {
    /// `DLL_StartNewGame`.
    StartNewGame,
    /// `DLL_MakeAMove`.
    MakeAMove,
    /// `DLL_Search`.
    Search,
    /// `DLL_CleanUp`.
    CleanUp,
    /// `DLL_IsGameOver`.
    IsGameOver,
    /// `DLL_GenerateMoves`.
    GenerateMoves,
}

impl PluginCall {
    /// The name of the routine.
    pub fn name(self) -> &'static str {
        match self {
            PluginCall::StartNewGame => "DLL_StartNewGame",
            PluginCall::MakeAMove => "DLL_MakeAMove",
            PluginCall::Search => "DLL_Search",
            PluginCall::CleanUp => "DLL_CleanUp",
            PluginCall::IsGameOver => "DLL_IsGameOver",
            PluginCall::GenerateMoves => "DLL_GenerateMoves",
        }
    }
}

/// Why an engine cannot play, or does not play on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PluginFault {
    /// It could not be started; the reason as a sentence.
    NotStarted(String),
    /// It ended by itself; how.
    Ended(String),
    /// It did not answer in time.
    Silent,
    /// It did not stop searching when it was told to.
    NotStopping,
    /// It chose a move that is not legal.
    Illegal(String),
    /// It said something that could not be understood.
    Garbled(String),
    /// It wrote too much.
    TooMuchOutput,
    /// It returned an error code.
    Code(PluginCall, i32),
    /// The rules do not fit it; the reason as a sentence.
    Misfit(String),
}

impl fmt::Display for PluginFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PluginFault::NotStarted(why) => write!(f, "it could not be started: {why}"),
            PluginFault::Ended(how) => write!(f, "it ended by itself ({how})"),
            PluginFault::Silent => f.write_str("it did not answer in time"),
            PluginFault::NotStopping => f.write_str("it did not stop when its time was over"),
            PluginFault::Illegal(text) if text.is_empty() => f.write_str("it named no move"),
            PluginFault::Illegal(text) => write!(f, "its move `{}` is not legal", brief(text)),
            PluginFault::Garbled(text) => {
                write!(f, "its answer `{}` could not be understood", brief(text))
            }
            PluginFault::TooMuchOutput => f.write_str("it wrote too much"),
            PluginFault::Code(call, code) => {
                write!(f, "{} answered {code}: {}", call.name(), code_words(*code))
            }
            PluginFault::Misfit(why) => f.write_str(why),
        }
    }
}

impl std::error::Error for PluginFault {}

/// What a result code of the interface means.
pub fn code_words(code: i32) -> &'static str {
    match code {
        0 => "no error",
        1 => "no error, and the board is set up already",
        -1 => "a general error",
        -2 => "it has too little memory",
        -3 => "it does not know this variant",
        -4 => "it does not know this player",
        -5 => "it does not know this piece",
        -6 => "the wrong side is to move for it",
        -7 => "it cannot play from this board",
        -8 => "it found no moves",
        _ => "a code that is not known",
    }
}

/// The beginning of a text from an engine, fit to be shown.
pub(crate) fn brief(text: &str) -> String {
    const MOST: usize = 80;
    let shown = boardwright_text::render::printable(text);
    let mut short: String = shown.chars().take(MOST).collect();
    if short.len() < shown.len() {
        short.push('…');
    }
    short
}
