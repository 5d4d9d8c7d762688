//! A game in progress, made for search.
//!
//! A [`GameTree`] walks the tree of a game: it lists moves as small values with
//! hints about what they do, plays one, and takes it back at once. It runs on
//! the fast form of the rules where there is one, on a plain [`State`] where there
//! is none, and on a [`ScriptedTree`] for rules that run code of their own; nobody
//! outside sees a difference.
//!
//! ```
//! # use std::sync::Arc;
//! # use boardwright_fast::{Fast, GameTree};
//! # use boardwright_play::{Rules, State};
//! # use boardwright_zrf::{CompileLimits, NoFiles, load};
//! # let rules = r#"(game (title "Pond") (players Wolf Sheep) (turn-order Wolf Sheep)
//! #     (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b/c" (10 0))) (directions (e 1))))
//! #     (piece (name Stone) (moves (e (verify empty?) add)))
//! #     (board-setup (Wolf (Stone a))))"#;
//! # let mut file = load("pond.zrf", rules.as_bytes(), &mut NoFiles, &CompileLimits::default());
//! let state = State::start(file.compile(0).expect("the rules are sound"));
//! let fast = Fast::new(state.rules()).ok();
//! let mut tree = GameTree::new(fast.as_ref(), &state);
//! let mut moves = Vec::new();
//! assert_eq!(tree.moves(&mut moves), None);
//! tree.play(&moves[0]);
//! assert!(tree.moves(&mut moves).is_some(), "the sheep are stuck");
//! tree.undo();
//! ```
//!
//! Invariant: `undo` gives back the very same state, hash included.

mod plain;
mod scripted;

use boardwright_game::{PieceKind, Player, Site};
use boardwright_play::{Ending, Move, SplitMix64, State};

use crate::{Fast, Sized, fast_tree::FastTree};
use plain::PlainTree;
use scripted::BoxedTree;
pub use scripted::ScriptedTree;

/// A move in full, as the rules take it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum GameMove {
    /// A move of compiled rules.
    Compiled(Move),
    /// A whole turn of rules that run code of their own, as records have it.
    Scripted(String),
}

impl GameMove {
    /// The move of compiled rules, for save files and notations of those alone.
    pub fn as_compiled(&self) -> Option<&Move> {
        match self {
            GameMove::Compiled(mv) => Some(mv),
            GameMove::Scripted(_) => None,
        }
    }
}

/// One legal move as a search sees it: which it is, and what it roughly does.
///
/// A choice belongs to the state that listed it; [`TreeMove::key`] names the same
/// move whenever that state comes up again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TreeMove {
    /// Names the move among those of its state; 0 is the pass.
    pub key: u32,
    /// The move's number in the list of a plain state or among those of the fast form.
    pub(crate) slot: u32,
    /// Where it is made, in the fast form.
    pub(crate) lane: u16,
    /// Where the key movement begins.
    pub from: Option<Site>,
    /// Where it ends.
    pub to: Option<Site>,
    /// What moves or is dropped.
    pub kind: Option<PieceKind>,
    /// What it becomes on the way, if that is something else.
    pub becomes: Option<PieceKind>,
    /// The first piece that is removed.
    pub victim: Option<(Player, PieceKind)>,
    /// How many pieces are removed.
    pub n_taken: u8,
    /// How many pieces change owner.
    pub n_turned: u8,
    /// Whether the piece comes from off the board.
    pub is_drop: bool,
    /// Whether the mover may go on after it.
    pub is_partial: bool,
    /// Whether there may be more effects than these hints tell.
    pub is_vague: bool,
    /// How often the rules offer it: the odds of a chance player's move.
    pub weight: u16,
}

impl TreeMove {
    /// The move that changes nothing but the turn.
    pub(crate) const PASS: TreeMove = TreeMove {
        key: 0,
        slot: 0,
        lane: 0,
        from: None,
        to: None,
        kind: None,
        becomes: None,
        victim: None,
        n_taken: 0,
        n_turned: 0,
        is_drop: false,
        is_partial: false,
        is_vague: false,
        weight: 1,
    };

    /// A move that does nothing yet, for a [`ScriptedTree`] to fill in; the key names it among
    /// the moves of its state.
    pub fn new(key: u32) -> TreeMove {
        TreeMove { key, ..TreeMove::PASS }
    }

    /// The same with its number in the list.
    #[must_use]
    pub fn numbered(self, slot: usize) -> TreeMove {
        TreeMove { slot: slot as u32, ..self }
    }

    /// Its number in the list that it came from.
    pub fn slot(&self) -> usize {
        self.slot as usize
    }

    /// Whether it is the pass.
    pub fn is_pass(&self) -> bool {
        self.key == 0
    }

    /// Whether it changes who has what: it removes, turns over or promotes.
    pub fn is_loud(&self) -> bool {
        self.n_taken > 0 || self.n_turned > 0 || self.becomes.is_some()
    }
}

/// How many moves there are, listed or not.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct MoveCounts {
    /// Moves of pieces on the board.
    pub n_moves: u32,
    /// Moves and drops that end on a site of interest.
    pub n_near: u32,
}

impl MoveCounts {
    /// Counts all moves of a list, and keeps those that are loud.
    pub(crate) fn of_all(near: &[bool], moves: &mut Vec<TreeMove>) -> MoveCounts {
        let is_near = |it: &TreeMove| it.to.and_then(|to| near.get(to.idx())).copied();
        let mut counts = MoveCounts::default();
        for choice in moves.iter().filter(|it| !it.is_pass()) {
            counts.n_moves += u32::from(!choice.is_drop);
            counts.n_near += u32::from(is_near(choice).unwrap_or(false));
        }
        moves.retain(TreeMove::is_loud);
        counts
    }
}

/// A game in progress, made for search.
pub struct GameTree<'a>(Width<'a>);

enum Width<'a> {
    One(Box<FastTree<'a, 1>>),
    Two(Box<FastTree<'a, 2>>),
    Four(Box<FastTree<'a, 4>>),
    Six(Box<FastTree<'a, 6>>),
    Plain(Box<PlainTree>),
    Scripted(BoxedTree<'a>),
}

macro_rules! each {
    ($tree:expr, $it:ident => $work:expr) => {
        match $tree {
            Width::One($it) => $work,
            Width::Two($it) => $work,
            Width::Four($it) => $work,
            Width::Six($it) => $work,
            Width::Plain($it) => $work,
            Width::Scripted($it) => $work,
        }
    };
}

impl<'a> GameTree<'a> {
    /// Begins at a state, with the history that led to it. `fast` must be of the same rules.
    pub fn new(fast: Option<&'a Fast>, state: &State) -> GameTree<'a> {
        GameTree(match fast.map(|it| &it.0) {
            Some(Sized::One(game)) => Width::One(Box::new(FastTree::new(game, state))),
            Some(Sized::Two(game)) => Width::Two(Box::new(FastTree::new(game, state))),
            Some(Sized::Four(game)) => Width::Four(Box::new(FastTree::new(game, state))),
            Some(Sized::Six(game)) => Width::Six(Box::new(FastTree::new(game, state))),
            None => Width::Plain(Box::new(PlainTree::new(state))),
        })
    }

    /// Begins at a state of rules that run code of their own.
    pub fn scripted(tree: Box<dyn ScriptedTree + 'a>) -> GameTree<'a> {
        GameTree(Width::Scripted(BoxedTree(tree)))
    }

    /// Fills `out` with the legal moves; if there is none, says how the game ended.
    ///
    /// What cannot be found out (see [`Halt`](boardwright_play::Halt)) ends a line in a draw.
    #[inline]
    pub fn moves(&mut self, out: &mut Vec<TreeMove>) -> Option<Ending> {
        out.clear();
        each!(&mut self.0, it => it.moves(out))
    }

    /// Fills `out` with the moves that are [loud](TreeMove::is_loud) only, but counts all; if
    /// there is none at all, says how the game ended. `near` tells the sites of interest.
    #[inline]
    pub fn loud_moves(
        &mut self,
        near: &[bool],
        out: &mut Vec<TreeMove>,
    ) -> Result<MoveCounts, Ending> {
        out.clear();
        each!(&mut self.0, it => it.loud_moves(near, out))
    }

    /// How the last move ended the game by itself, whoever can move now.
    #[inline]
    pub fn decided(&self) -> Option<Ending> {
        each!(&self.0, it => it.decided())
    }

    /// Plays a move that [`moves`](GameTree::moves) listed for this state.
    #[inline]
    pub fn play(&mut self, choice: &TreeMove) {
        each!(&mut self.0, it => it.play(choice));
    }

    /// Ends the turn without a move, legal or not: the null move of a search. Rules that run
    /// code of their own have none; there it does nothing but count a ply.
    pub fn skip(&mut self) {
        each!(&mut self.0, it => it.skip());
    }

    /// Takes the last move back; at the state the tree began with, does nothing.
    #[inline]
    pub fn undo(&mut self) {
        each!(&mut self.0, it => it.undo());
    }

    /// How many moves were played since the tree began.
    pub fn ply(&self) -> usize {
        each!(&self.0, it => it.ply())
    }

    /// A hash of everything that decides how the game can go on, history aside.
    #[inline]
    pub fn hash(&mut self) -> u64 {
        each!(&mut self.0, it => it.hash())
    }

    /// How often this state came before, counted only when a turn begins.
    #[inline]
    pub fn n_repeats(&self) -> u32 {
        each!(&self.0, it => it.n_repeats())
    }

    /// The number of the entry of the turn order whose turn it is.
    pub fn turn_idx(&self) -> usize {
        each!(&self.0, it => it.turn_idx())
    }

    /// Who chooses the next move.
    #[inline]
    pub fn mover(&self) -> Player {
        each!(&self.0, it => it.mover())
    }

    /// Whose pieces the mover moves.
    pub fn owner(&self) -> Player {
        each!(&self.0, it => it.owner())
    }

    /// Whether chance chooses the next move.
    #[inline]
    pub fn is_chance(&self) -> bool {
        each!(&self.0, it => it.is_chance())
    }

    /// Whether the mover is in the middle of a chain of partial moves.
    #[inline]
    pub fn is_going_on(&self) -> bool {
        each!(&self.0, it => it.is_going_on())
    }

    /// Whether a royal piece of the mover's could be taken if it did nothing.
    #[inline]
    pub fn is_in_check(&mut self) -> bool {
        each!(&mut self.0, it => it.is_in_check())
    }

    /// Static exchange evaluation: the gain of a move after all profitable recaptures on its
    /// target. `worth` is by kind; `None` where the rules do not tell who could recapture.
    #[inline]
    pub fn exchange(&self, choice: &TreeMove, worth: &[i32]) -> Option<i32> {
        each!(&self.0, it => it.exchange(choice, worth))
    }

    /// What stands on a site.
    pub fn piece(&self, site: Site) -> Option<(Player, PieceKind)> {
        each!(&self.0, it => it.piece(site))
    }

    /// Gives every piece on the board, in no particular but always the same order.
    #[inline]
    pub fn each_piece(&self, take: impl FnMut(Site, Player, PieceKind)) {
        each!(&self.0, it => it.each_piece(take));
    }

    /// Gives every site that the last move changed, with what stood and what stands there.
    #[inline]
    pub fn each_change(
        &self,
        take: impl FnMut(Site, Option<(Player, PieceKind)>, Option<(Player, PieceKind)>),
    ) {
        each!(&self.0, it => it.each_change(take));
    }

    /// How many pieces of a kind a player has on the board.
    #[inline]
    pub fn count(&self, owner: Player, kind: PieceKind) -> u32 {
        each!(&self.0, it => it.count(owner, kind))
    }

    /// How many pieces a player has on the board.
    #[inline]
    pub fn count_all(&self, owner: Player) -> u32 {
        each!(&self.0, it => it.count_all(owner))
    }

    /// How many pieces of a kind a player has off the board.
    #[inline]
    pub fn hand(&self, owner: Player, kind: PieceKind) -> u32 {
        each!(&self.0, it => it.hand(owner, kind))
    }

    /// The move as the rules write it.
    pub fn move_of(&mut self, choice: &TreeMove) -> GameMove {
        match &mut self.0 {
            Width::One(it) => GameMove::Compiled(it.move_of(choice)),
            Width::Two(it) => GameMove::Compiled(it.move_of(choice)),
            Width::Four(it) => GameMove::Compiled(it.move_of(choice)),
            Width::Six(it) => GameMove::Compiled(it.move_of(choice)),
            Width::Plain(it) => GameMove::Compiled(it.move_of(choice)),
            Width::Scripted(it) => GameMove::Scripted(it.0.turn_of(choice)),
        }
    }

    /// Steps of code that were run since the tree began; 0 for compiled rules, whose moves
    /// take about the same time each.
    pub fn n_steps(&self) -> u64 {
        match &self.0 {
            Width::Scripted(it) => it.0.n_steps(),
            _ => 0,
        }
    }

    /// Plays random moves from here to the end or `max_plies` on, and comes back.
    ///
    /// Gives how it ended, `None` if it did not; `seen` is told who moves from where to where,
    /// and says whether to go on.
    pub fn playout(
        &mut self,
        rng: &mut SplitMix64,
        max_plies: u32,
        seen: impl FnMut(Player, Option<Site>, Option<Site>) -> bool,
    ) -> Option<Ending> {
        let ply = self.ply();
        let ending = self.play_on(rng, max_plies, seen);
        self.come_back(ply);
        ending
    }

    /// Like [`playout`](GameTree::playout), but stays where it ended, for a look at the board;
    /// nothing but [`come_back`](GameTree::come_back) may follow that look.
    pub fn play_on(
        &mut self,
        rng: &mut SplitMix64,
        max_plies: u32,
        seen: impl FnMut(Player, Option<Site>, Option<Site>) -> bool,
    ) -> Option<Ending> {
        each!(&mut self.0, it => it.play_on(rng, max_plies, seen))
    }

    /// Takes back what was played since `ply` moves were.
    pub fn come_back(&mut self, ply: usize) {
        while self.ply() > ply {
            self.undo();
        }
    }
}

impl std::fmt::Debug for GameTree<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "GameTree {{ ply: {} }}", self.ply())
    }
}
