//! Every tunable number of the search, with its unit.
//!
//! A *point* is a hundredth of the least valuable piece (a centipawn in chess). Margins in
//! points marked *scaled* are multiplied by [`Eval::scaled`](crate::eval::Eval::scaled), so
//! that they mean the same where pieces are worth more or less than in chess. A *ply* is one
//! move of one side; depth is counted in turns, a chain of partial moves being one turn.

// ---- Search: pruning of whole nodes ------------------------------------------------------

/// Reverse futility pruning: deepest node it is tried at, in plies.
pub(crate) const REVERSE_FUTILITY_DEPTH: i32 = 7;
/// Reverse futility pruning: margin per ply of remaining depth, in scaled points.
pub(crate) const REVERSE_FUTILITY_MARGIN: i32 = 85;
/// Razoring: deepest node it is tried at, in plies.
pub(crate) const RAZORING_DEPTH: i32 = 3;
/// Razoring: margin at depth 0, in scaled points.
pub(crate) const RAZORING_BASE: i32 = 120;
/// Razoring: what each ply of remaining depth adds to the margin, in scaled points.
pub(crate) const RAZORING_PER_PLY: i32 = 180;
/// Null-move pruning: shallowest node it is tried at, in plies.
pub(crate) const NULL_MOVE_DEPTH: i32 = 3;
/// Null-move pruning: how much shallower the search after the null move is, in plies.
pub(crate) const NULL_MOVE_REDUCTION: i32 = 3;
/// Null-move pruning: plies of depth for each further ply of reduction.
pub(crate) const NULL_MOVE_DEPTH_DIVISOR: i32 = 5;
/// Null-move pruning: scaled points of static evaluation above beta for each further ply of
/// reduction.
pub(crate) const NULL_MOVE_EVAL_DIVISOR: i32 = 200;
/// Null-move pruning: most plies of reduction that the static evaluation adds.
pub(crate) const NULL_MOVE_EVAL_LIMIT: i32 = 3;
/// Null-move pruning: fewest pieces of the mover, where no kind is like a pawn.
pub(crate) const NULL_MOVE_PIECES: u32 = 4;
/// Null-move pruning: fewest pieces of the mover, where some kind is like a pawn.
pub(crate) const NULL_MOVE_PIECES_WITH_PAWNS: u32 = 3;
/// Null-move pruning: fewest pieces of the mover that are not like pawns.
pub(crate) const NULL_MOVE_NON_PAWNS: u32 = 2;

// ---- Search: extensions and reductions of whole nodes ------------------------------------

/// Internal iterative reduction: shallowest node without a table move that is searched one
/// ply less deep, in plies.
pub(crate) const IIR_DEPTH: i32 = 4;
/// Singular extension: shallowest node it is tried at, in plies.
pub(crate) const SINGULAR_DEPTH: i32 = 7;
/// Singular extension: how much shallower than the node the table entry may be, in plies.
pub(crate) const SINGULAR_ENTRY_DEPTH: i32 = 3;
/// Singular extension: margin below the table score per ply of depth, in scaled points.
pub(crate) const SINGULAR_MARGIN: i32 = 2;

// ---- Search: pruning and reduction of single moves ---------------------------------------

/// Late-move pruning: deepest node it is tried at, in plies.
pub(crate) const LATE_MOVE_PRUNING_DEPTH: i32 = 7;
/// Late-move pruning: quiet moves searched in any case; the square of the depth comes on top.
pub(crate) const LATE_MOVE_PRUNING_BASE: i32 = 4;
/// Futility pruning of quiet moves: deepest node it is tried at, in plies.
pub(crate) const FUTILITY_DEPTH: i32 = 6;
/// Futility pruning: margin at depth 0, in scaled points.
pub(crate) const FUTILITY_BASE: i32 = 80;
/// Futility pruning: what each ply of remaining depth adds to the margin, in scaled points.
pub(crate) const FUTILITY_PER_PLY: i32 = 90;
/// Pruning by static exchange evaluation: deepest node it is tried at, in plies.
pub(crate) const SEE_PRUNING_DEPTH: i32 = 6;
/// Pruning by static exchange evaluation: loss per ply of depth at which a quiet move is
/// pruned, in scaled points.
pub(crate) const SEE_QUIET_PER_PLY: i32 = 60;
/// Pruning by static exchange evaluation: loss per square of the depth at which a capture is
/// pruned, in scaled points.
pub(crate) const SEE_CAPTURE_PER_PLY_SQUARED: i32 = 25;
/// Late-move reduction: shallowest node it is done at, in plies.
pub(crate) const LMR_DEPTH: i32 = 3;
/// Late-move reduction: moves that are never reduced.
pub(crate) const LMR_FIRST_MOVE: usize = 2;
/// Late-move reduction: rows and columns of the table of reductions (depths, move numbers).
pub(crate) const LMR_TABLE_SIZE: usize = 64;
/// Late-move reduction: added to the product of the two logarithms, in 32nds.
pub(crate) const LMR_OFFSET: i32 = 24;
/// Late-move reduction: product of the two logarithms for one ply of reduction, in 32nds.
pub(crate) const LMR_DIVISOR: i32 = 80;
/// Late-move reduction: history score for one ply less (or, negative, more) of reduction.
pub(crate) const LMR_HISTORY_DIVISOR: i32 = 4000;
/// Late-move reduction: most plies that the history changes the reduction by.
pub(crate) const LMR_HISTORY_LIMIT: i32 = 2;
/// Games of rows without moving pieces: moves searched at depth 0, best first.
pub(crate) const ROW_MOVES_BASE: usize = 13;
/// Games of rows without moving pieces: further moves searched per ply of depth.
pub(crate) const ROW_MOVES_PER_PLY: usize = 6;

// ---- Root --------------------------------------------------------------------------------

/// Aspiration window: shallowest iteration that uses one, in plies.
pub(crate) const ASPIRATION_DEPTH: u32 = 5;
/// Aspiration window: half of its first width, in points.
pub(crate) const ASPIRATION_WIDTH: i32 = 30;
/// Aspiration window: factor by which it widens after a fail.
pub(crate) const ASPIRATION_FACTOR: i32 = 3;
/// Aspiration window: width beyond which it is opened fully, in points.
pub(crate) const ASPIRATION_LIMIT: i32 = 2000;
/// Aspiration window: scores beyond this are searched with an open window, in points.
pub(crate) const ASPIRATION_SCORE_LIMIT: i32 = 1_000_000;
/// Root: shallowest iteration with late-move reduction, in plies.
pub(crate) const ROOT_LMR_DEPTH: i32 = 4;
/// Root: moves after the first that are never reduced.
pub(crate) const ROOT_LMR_FIRST_MOVE: usize = 4;
/// Time management: iterations with the same best move after which less time is used.
pub(crate) const STABLE_ITERATIONS: u32 = 4;
/// Time management: share of the soft limit used when the best move is stable.
pub(crate) const STABLE_EFFORT: f64 = 0.75;
/// Time management: iteration from which a changed best move asks for more time, in plies.
pub(crate) const UNSTABLE_DEPTH: u32 = 5;
/// Time management: share of the soft limit used when the best move has just changed.
pub(crate) const UNSTABLE_EFFORT: f64 = 1.4;

// ---- Quiescence search -------------------------------------------------------------------

/// Lazy stand pat: more than the mobility terms are worth in nearly every state, in scaled
/// points.
pub(crate) const LAZY_STAND_PAT_MARGIN: i32 = 120;
/// Delta pruning: what a capture may gain beyond its victim, in scaled points.
pub(crate) const DELTA_MARGIN: i32 = 120;
/// Plies of quiescence in which all evasions of a check and all forced moves are searched.
pub(crate) const QUIESCENCE_FORCED_PLIES: i32 = 24;
/// Plies of quiescence in which threats to complete a row are answered.
pub(crate) const QUIESCENCE_ROW_PLIES: i32 = 10;
/// Plies of quiescence after which only recaptures and captures without risk are searched.
pub(crate) const QUIESCENCE_RECAPTURE_PLIES: i32 = 4;
/// Plies of quiescence after which nothing is searched.
pub(crate) const QUIESCENCE_PLIES: i32 = 32;
/// How much less a capture without risk may gain than it puts at stake, in points.
pub(crate) const EVEN_EXCHANGE: i32 = 20;

// ---- Move ordering and histories ---------------------------------------------------------

/// Captures that gain at least what they risk, less this, go before quiet moves, in points.
pub(crate) const GOOD_CAPTURE_MARGIN: i32 = 40;
/// What a piece that changes owner is worth in ordering moves, in points.
pub(crate) const FLIP_GAIN: i32 = 50;
/// What capturing a royal piece is worth in ordering moves, in points.
pub(crate) const ROYAL_WORTH: i32 = 5000;
/// Games of rows: weight of what a piece would do in rows, in ordering moves.
pub(crate) const ROW_ORDER_WEIGHT: i32 = 24;
/// Bound of a history score, either way.
pub(crate) const HISTORY_LIMIT: i32 = 8192;
/// History bonus per square of the depth.
pub(crate) const HISTORY_BONUS: i32 = 8;
/// Largest history bonus.
pub(crate) const HISTORY_BONUS_LIMIT: i32 = 900;
/// Entries of the history and counter-move tables.
pub(crate) const HISTORY_SIZE: usize = 1 << 15;
/// Entries of the continuation history.
pub(crate) const CONTINUATION_SIZE: usize = 1 << 19;
/// Plies for which killer moves are kept.
pub(crate) const KILLER_PLIES: usize = 256;
/// Correction history: entries per side and key.
pub(crate) const CORRECTION_SIZE: usize = 1 << 14;
/// Correction history: fractions of a point that are kept.
pub(crate) const CORRECTION_GRAIN: i32 = 64;
/// Correction history: weight of everything before an update.
pub(crate) const CORRECTION_WEIGHT: i32 = 256;
/// Correction history: largest weight of one update (depth plus one otherwise).
pub(crate) const CORRECTION_UPDATE_LIMIT: i32 = 16;
/// Correction history: largest difference that an update takes in, in points.
pub(crate) const CORRECTION_ERROR_LIMIT: i32 = 2000;
/// Correction history: largest correction by one key, in scaled points.
pub(crate) const CORRECTION_LIMIT: i32 = 60;

// ---- Static evaluation -------------------------------------------------------------------

/// Mobility where nothing but having a move decides: value of one move, in points.
pub(crate) const MOBILITY_LAST_MOVER: i32 = 20;
/// Mobility where the most pieces win: value of one move, in points.
pub(crate) const MOBILITY_COUNTING: i32 = 12;
/// Mobility in other games: value of one move, in points.
pub(crate) const MOBILITY_PLAIN: i32 = 3;
/// Site values: points per two hundredths of a move more than the mean.
pub(crate) const SITE_MOBILITY_SLOPE: i32 = 12;
/// Site values: kinds worth more than this count mobility less, in points.
pub(crate) const SITE_MOBILITY_FULL_VALUE: i32 = 300;
/// Site values: largest bonus or malus by mobility, in points.
pub(crate) const SITE_MOBILITY_LIMIT: i32 = 60;
/// Percent of what a piece gains by promotion that its site adds, one move before it; half of
/// that with each further move.
pub(crate) const PROMOTION_SHARE: i32 = 35;
/// The same for the pawn kind, whose passed pieces count by the pawn structure.
pub(crate) const PROMOTION_SHARE_PAWNS: i32 = 14;
/// King shelter: value of one own piece beside a royal piece, in points.
pub(crate) const SHELTER_VALUE: i32 = 7;
/// King shelter: pieces that count at most.
pub(crate) const SHELTER_LIMIT: i32 = 5;
/// King danger: attacks that count at most.
pub(crate) const KING_ATTACK_LIMIT: i32 = 12;
/// Mean value of the pieces of the chess setup, in points: margins are scaled relative to it.
pub(crate) const MEAN_CHESS_PIECE: i32 = 270;
/// Least and largest scale of margins, in percent.
pub(crate) const UNIT_RANGE: [i32; 2] = [70, 300];
/// Passed pawn: percent of what it gains by promotion, by the number of moves it needs.
pub(crate) const PASSED_PAWN: [i32; 7] = [22, 15, 9, 5, 3, 2, 1];
/// Pawn with an own pawn on its path: middlegame and endgame value, in points.
pub(crate) const DOUBLED_PAWN: [i32; 2] = [-8, -14];
/// Pawn that an own pawn protects: middlegame and endgame value, in points.
pub(crate) const SUPPORTED_PAWN: [i32; 2] = [7, 4];
/// Pawn that no own pawn can ever protect: middlegame and endgame value, in points.
pub(crate) const ISOLATED_PAWN: [i32; 2] = [-9, -11];

// ---- Monte Carlo tree search -------------------------------------------------------------

/// Weight of the exploration term of the upper confidence bound.
pub(crate) const EXPLORATION: f32 = 0.35;
/// RAVE: how fast the weight of AMAF falls with visits; higher is faster.
pub(crate) const RAVE_BIAS: f32 = 0.002;
/// How much below its parent's mean an unvisited child is rated.
pub(crate) const FIRST_PLAY_URGENCY: f32 = 0.05;
