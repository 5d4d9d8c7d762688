//! How large a rule file may be, all in one place.
//!
//! Zillions had limits of its own. Ours are far above them, and exist only so that
//! no file, however hostile, can exhaust the machine's time or memory. Where a file
//! goes beyond what Zillions allowed, its author is warned.

use boardwright_text::StopSignal;

/// What a compilation may spend. The defaults suit every rule file known.
#[derive(Clone, Debug)]
pub struct CompileLimits {
    /// Bytes in one file.
    pub file_bytes: usize,
    /// Bytes in the file and everything it includes.
    pub total_bytes: usize,
    /// Files inside files.
    pub include_depth: usize,
    /// Files included in all.
    pub includes: usize,
    /// Words, strings and lists in the text as written.
    pub nodes: usize,
    /// Lists inside lists, as written and after expansion.
    pub nesting: usize,
    /// Macro calls inside macro calls.
    pub macro_depth: usize,
    /// Steps of work for all variants together: about one for each word that is read
    /// with macros expanded, and more for what takes longer.
    pub steps: u64,
    /// Bytes of memory that the compilation may hold: words, macro calls, boards,
    /// instructions, goals, texts.
    pub memory: usize,
    /// Bytes of all texts that one variant shows, each counted as often as it occurs:
    /// descriptions, help, names of pictures and sounds.
    pub shown_bytes: usize,
    /// Characters in the name of a player, piece, position, direction, zone or attribute.
    pub name_chars: usize,
    /// Bytes in a title, and in a single word.
    pub word_bytes: usize,
    /// Entries of `translate`.
    pub translations: usize,
    /// Bytes that pasting arguments into words and strings may produce, in all.
    pub pasted_bytes: usize,
    /// Bytes that `expand` may print.
    pub printed_bytes: usize,
    /// Players.
    pub players: usize,
    /// Sites of a board.
    pub sites: usize,
    /// Directions of a board.
    pub directions: usize,
    /// Sites times directions.
    pub links: usize,
    /// Dimensions of a grid.
    pub dimensions: usize,
    /// Zones of a board.
    pub zones: usize,
    /// Kinds of pieces in a variant.
    pub pieces: usize,
    /// Sites times kinds of pieces times players, of which engines have tables.
    pub piece_places: usize,
    /// Attributes in a file.
    pub attributes: usize,
    /// Types of moves in a file.
    pub move_types: usize,
    /// Flags in a file, and as many flags on sites.
    pub flags: usize,
    /// Games and variants in a file.
    pub variants: usize,
    /// Instructions kept, for all variants together.
    pub ops: usize,
    /// Tests of single sites and pieces that judging all goals of a variant may take
    /// after one turn.
    pub goal_tests: u64,
    /// Messages kept.
    pub diagnostics: usize,
    /// Ends the compilation early, for callers with a deadline.
    pub stop: StopSignal,
}

impl Default for CompileLimits {
    fn default() -> CompileLimits {
        CompileLimits {
            file_bytes: 8 << 20,
            total_bytes: 16 << 20,
            include_depth: 32,
            includes: 1000,
            nodes: 2_000_000,
            nesting: 400,
            macro_depth: 256,
            steps: 16_000_000,
            memory: 96 << 20,
            shown_bytes: 8 << 20,
            name_chars: 200,
            word_bytes: 1000,
            translations: 5000,
            pasted_bytes: 16 << 20,
            printed_bytes: 160 << 20,
            players: 64,
            sites: 16_384,
            directions: 1000,
            links: 1 << 21,
            dimensions: 5,
            zones: 4096,
            pieces: 8192,
            piece_places: 1 << 20,
            attributes: 64,
            move_types: 4096,
            flags: 4096,
            variants: 2000,
            ops: 3_000_000,
            goal_tests: 20_000_000,
            diagnostics: 500,
            stop: StopSignal::default(),
        }
    }
}

/// What the original allowed: beyond it, a warning.
pub(crate) mod zillions {
    /// Players in a game.
    pub(crate) const PLAYERS: usize = 32;
    /// Differently named attributes in a game.
    pub(crate) const ATTRIBUTES: usize = 32;
    /// Differently named zones in a game.
    pub(crate) const ZONES: usize = 32;
    /// Directions in a game.
    pub(crate) const DIRECTIONS: usize = 100;
    /// The newest version of the original.
    pub(crate) const VERSION: [u32; 3] = [2, 0, 1];
}
