//! What a program may spend; running out is an error, never a hang.

use boardwright_text::StopSignal;

/// What a compilation and a run may spend.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CodeLimits {
    /// The most text, includes and all, in bytes.
    pub source_bytes: usize,
    /// How deep parentheses, blocks and includes may nest.
    pub nesting: usize,
    /// Words evaluated and statements run in one turn, with the code before and after
    /// it; the code before the first turn counts as a turn.
    pub steps: u64,
    /// The same for a whole game: every turn, everything that is run again, and the
    /// code that looks for the end of the game after each turn.
    pub game_steps: u64,
    /// How deep functions and subroutines may call one another.
    ///
    /// DIFFERENCE: the original gave up at about a hundred; see
    /// `a_function_may_recurse_as_deep_as_it_says`.
    pub depth: u32,
    /// Elements of arrays made, whether they are still in use or not.
    pub elements: u64,
    /// Elements of arrays in use at one time, in all copies of a machine.
    pub live_elements: usize,
    /// The most elements that one array may hold, those of its members included.
    pub array: u32,
    /// Bytes of all different texts.
    pub text: usize,
    /// The longest single text, in bytes.
    pub text_len: usize,
    /// Bytes of all messages.
    pub output: usize,
    /// Ends a compilation or a run early, for callers with a deadline.
    pub stop: StopSignal,
}

impl Default for CodeLimits {
    fn default() -> CodeLimits {
        CodeLimits {
            source_bytes: 4 << 20,
            nesting: 100,
            steps: 20_000_000,
            game_steps: 500_000_000,
            depth: 500,
            elements: 200_000_000,
            live_elements: 1_000_000,
            array: 200_000,
            text: 4 << 20,
            text_len: 1 << 16,
            output: 1 << 20,
            stop: StopSignal::default(),
        }
    }
}
