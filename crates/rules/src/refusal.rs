//! Why a move is not played.

use boardwright_gamecode::{CodeStop, Question};
use boardwright_preset::Preset;

/// Why a move is not played; the state is unchanged.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PlayRefusal {
    /// The game is over.
    Over,
    /// The text is not a legal move.
    Illegal {
        /// The text.
        text: String,
        /// Legal moves with a similar text.
        nearest: Vec<String>,
    },
    /// The rules need more work than one state may take: what went too far, and where in the
    /// rule file that stands.
    Halted(String),
    /// The code of a preset, or the judge of a problem, refuses the turn.
    Refused {
        /// What it says.
        message: String,
        /// Where in the code it says so.
        why: Option<String>,
    },
    /// The player has to choose to complete the turn.
    Asked(Question),
    /// The rules cannot do what is asked, such as editing the board of a preset.
    Unsupported {
        /// What cannot be done.
        message: String,
        /// What can be done instead.
        why: Option<String>,
    },
}

/// Characters of a message of code that are shown.
const MAX_MESSAGE: usize = 1000;

impl PlayRefusal {
    /// The message for players, and the reason behind it if there is one.
    pub fn text(&self) -> (String, Option<String>) {
        let shown = |it: &str| {
            let short: String = it.chars().take(MAX_MESSAGE).collect();
            boardwright_text::render::printable(&short)
        };
        match self {
            PlayRefusal::Over => ("the game is over".to_owned(), None),
            PlayRefusal::Illegal { text, nearest } => {
                let why = (!nearest.is_empty())
                    .then(|| format!("similar legal moves: {}", nearest.join(" | ")));
                (format!("{text} is not legal here"), why)
            }
            PlayRefusal::Halted(why) => {
                ("the rules of this game take too long to work out".to_owned(), Some(why.clone()))
            }
            PlayRefusal::Refused { message, why } | PlayRefusal::Unsupported { message, why } => {
                (shown(message), why.as_deref().map(shown))
            }
            PlayRefusal::Asked(_) => {
                ("the turn is not complete: a choice has to be made".to_owned(), None)
            }
        }
    }

    /// Why the code of a preset stopped.
    pub(crate) fn of_stop(preset: &Preset, stop: CodeStop) -> PlayRefusal {
        let sources = preset.program().sources();
        let line =
            |span| sources.line_col(span).map(|(file, at)| format!("{file}, line {}", at.line));
        match stop {
            CodeStop::Ask(question) => PlayRefusal::Asked(question),
            CodeStop::Refused(message, span) => PlayRefusal::Refused { message, why: line(span) },
            CodeStop::Fault(diagnostic) => {
                let place = line(diagnostic.span).filter(|_| diagnostic.span != Default::default());
                let why: Vec<String> = place.into_iter().chain(diagnostic.hints).collect();
                let why = (!why.is_empty()).then(|| why.join("; "));
                PlayRefusal::Refused { message: diagnostic.message, why }
            }
        }
    }
}

impl std::fmt::Display for PlayRefusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (message, why) = self.text();
        match why {
            Some(why) => write!(f, "{message} ({why})"),
            None => f.write_str(&message),
        }
    }
}

impl std::error::Error for PlayRefusal {}
