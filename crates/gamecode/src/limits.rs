//! What a script may spend; running out is an error, never a hang.

/// What a compilation and a run may spend.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CodeLimits {
    /// The most text, includes and all, in bytes.
    pub source_bytes: usize,
    /// How deep parentheses, blocks and includes may nest.
    pub nesting: usize,
    /// Words evaluated and statements run, from the start of the game.
    pub steps: u64,
    /// How deep functions and subroutines may call one another.
    ///
    /// DIFFERENCE: the original gave up at about a hundred; see
    /// `a_function_may_recurse_as_deep_as_it_says`.
    pub depth: u32,
    /// Elements of arrays made, living or not.
    pub elements: u64,
    /// The most elements that one array may hold, those of its members included.
    pub array: u32,
    /// Bytes of all different texts.
    pub text: usize,
    /// The longest single text, in bytes.
    pub text_len: usize,
    /// Bytes of all messages.
    pub output: usize,
}

impl Default for CodeLimits {
    fn default() -> CodeLimits {
        CodeLimits {
            source_bytes: 4 << 20,
            nesting: 100,
            steps: 50_000_000,
            depth: 500,
            elements: 50_000_000,
            array: 200_000,
            text: 8 << 20,
            text_len: 1 << 16,
            output: 1 << 20,
        }
    }
}
