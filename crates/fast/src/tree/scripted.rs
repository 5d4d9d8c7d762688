//! The tree of a game whose rules run code of their own instead of being compiled.

use boardwright_game::{PieceKind, Player, Site};
use boardwright_play::{Ending, SplitMix64};

use super::{MoveCounts, TreeMove};

/// An owner and a kind.
type Piece = (Player, PieceKind);

/// What a search needs of a game whose rules run code of their own.
///
/// [`GameTree::scripted`](super::GameTree::scripted) makes a tree of it; the methods mean what
/// those of [`GameTree`](super::GameTree) with the same names do.
pub trait ScriptedTree: Send {
    /// Adds the legal moves to `out`; if there is none, says how the game ended.
    fn moves(&mut self, out: &mut Vec<TreeMove>) -> Option<Ending>;
    /// How the last move ended the game.
    fn decided(&self) -> Option<Ending>;
    /// Plays a listed move.
    fn play(&mut self, choice: &TreeMove);
    /// Goes one ply on without a change.
    fn skip(&mut self);
    /// Takes the last move back.
    fn undo(&mut self);
    /// How many moves were played since the tree began.
    fn ply(&self) -> usize;
    /// A hash of the state.
    fn hash(&self) -> u64;
    /// How often this state came before in the tree.
    fn n_repeats(&self) -> u32;
    /// Who is to move.
    fn mover(&self) -> Player;
    /// By site: what stands there.
    fn board(&self) -> &[Option<Piece>];
    /// The sites that the last move changed, with what stood and what stands there.
    fn changes(&self) -> &[(Site, Option<Piece>, Option<Piece>)];
    /// The whole turn of a listed move, as records have it.
    fn turn_of(&mut self, choice: &TreeMove) -> String;
    /// Steps of code that were run since the tree began.
    fn n_steps(&self) -> u64;
}

/// A [`ScriptedTree`] with the methods that all trees have.
pub(crate) struct BoxedTree<'a>(pub Box<dyn ScriptedTree + 'a>);

impl BoxedTree<'_> {
    pub fn moves(&mut self, out: &mut Vec<TreeMove>) -> Option<Ending> {
        self.0.moves(out)
    }

    pub fn loud_moves(
        &mut self,
        near: &[bool],
        out: &mut Vec<TreeMove>,
    ) -> Result<MoveCounts, Ending> {
        match self.0.moves(out) {
            Some(ending) => Err(ending),
            None => Ok(MoveCounts::of_all(near, out)),
        }
    }

    pub fn decided(&self) -> Option<Ending> {
        self.0.decided()
    }

    pub fn play(&mut self, choice: &TreeMove) {
        self.0.play(choice);
    }

    pub fn skip(&mut self) {
        self.0.skip();
    }

    pub fn undo(&mut self) {
        self.0.undo();
    }

    pub fn ply(&self) -> usize {
        self.0.ply()
    }

    pub fn hash(&mut self) -> u64 {
        self.0.hash()
    }

    pub fn n_repeats(&self) -> u32 {
        self.0.n_repeats()
    }

    pub fn turn_idx(&self) -> usize {
        self.mover().idx()
    }

    pub fn mover(&self) -> Player {
        self.0.mover()
    }

    pub fn owner(&self) -> Player {
        self.0.mover()
    }

    /// Code draws by chance within a turn, never as a move of its own.
    pub fn is_chance(&self) -> bool {
        false
    }

    /// A turn is played as a whole.
    pub fn is_going_on(&self) -> bool {
        false
    }

    /// Only the code knows.
    pub fn is_in_check(&mut self) -> bool {
        false
    }

    /// Only the code knows who could recapture, and trying a capture is the way to ask it: what
    /// is taken is taken to be unprotected.
    pub fn exchange(&self, choice: &TreeMove, worth: &[i32]) -> Option<i32> {
        let (_, kind) = choice.victim?;
        worth.get(kind.idx()).copied()
    }

    pub fn piece(&self, site: Site) -> Option<Piece> {
        self.0.board().get(site.idx()).copied().flatten()
    }

    pub fn each_piece(&self, mut take: impl FnMut(Site, Player, PieceKind)) {
        for (idx, piece) in self.0.board().iter().enumerate() {
            if let Some((owner, kind)) = *piece {
                take(Site(idx as u16), owner, kind);
            }
        }
    }

    pub fn each_change(&self, mut take: impl FnMut(Site, Option<Piece>, Option<Piece>)) {
        for &(site, before, after) in self.0.changes() {
            take(site, before, after);
        }
    }

    pub fn count(&self, owner: Player, kind: PieceKind) -> u32 {
        self.0.board().iter().filter(|it| **it == Some((owner, kind))).count() as u32
    }

    pub fn count_all(&self, owner: Player) -> u32 {
        self.0.board().iter().filter(|it| it.is_some_and(|it| it.0 == owner)).count() as u32
    }

    /// Pieces in hand stand on sites off the board.
    pub fn hand(&self, _owner: Player, _kind: PieceKind) -> u32 {
        0
    }

    pub fn play_on(
        &mut self,
        rng: &mut SplitMix64,
        max_plies: u32,
        mut seen: impl FnMut(Player, Option<Site>, Option<Site>) -> bool,
    ) -> Option<Ending> {
        let mut moves = Vec::new();
        for _ in 0..max_plies {
            moves.clear();
            let ending = self.0.decided().or_else(|| self.0.moves(&mut moves));
            if ending.is_some() {
                return ending;
            }
            let choice = *moves.get(rng.below(moves.len()))?;
            if !seen(self.mover(), choice.from, choice.to) {
                break;
            }
            self.0.play(&choice);
        }
        None
    }
}
