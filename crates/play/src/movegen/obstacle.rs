//! Why a move that somebody tries is not among the legal ones.

use std::sync::Arc;

use boardwright_game::{PieceKind, Player, Site};

use super::{Buffers, Collect, chains, list_texts_once, run_blocks, with_buffers};
use crate::{
    apply::Edit,
    halt::Halt,
    mv::{Move, MoveList},
    state::{GoingOn, State},
};

/// What keeps a piece from moving as somebody tries to move it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Obstacle {
    /// A royal piece is attacked, and still would be.
    InCheck(PieceKind),
    /// A royal piece would be attacked after it.
    Exposes(PieceKind),
    /// The rules give precedence to other moves, all of which capture.
    MustCapture,
    /// The rules give precedence to other moves.
    Precedence,
    /// Another move captures more, and the rules ask for the most.
    CapturesMore,
    /// Another piece is in the middle of its move.
    GoesOn(Site),
    /// A piece of the same side is there.
    OwnPiece(PieceKind),
    /// It could go there if nothing stood in between.
    Blocked,
    /// It goes there only to capture, and there is nothing to capture.
    OnlyCaptures,
    /// It goes there, but does not capture there.
    NeverCaptures,
    /// A piece is there, and none can be put on top of it.
    Occupied,
    /// It has no move at all.
    NoMoves,
    /// The piece does not move that way.
    NotThatWay,
}

/// Somebody's attempt: a piece on a site or of a hand, and where it is to go.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Attempt {
    /// Where the piece stands; `None` if it comes from a hand.
    pub from: Option<Site>,
    /// Where it is to go; `None` asks for any move of it.
    pub to: Option<Site>,
}

impl Attempt {
    fn is_made_by(self, mv: &Move) -> bool {
        let (from, to) = mv.key_sites();
        !mv.is_pass() && from == self.from && (self.to.is_none() || to == self.to)
    }
}

impl State {
    /// Why an attempt is not a legal move; `None` if it is one, or if it is not about a piece of
    /// the player to move.
    pub fn why_not(&self, attempt: Attempt) -> Result<Option<Obstacle>, Halt> {
        let Some(owner) = self.turn().map(|it| it.owner) else { return Ok(None) };
        let sites = [attempt.from, attempt.to];
        if sites.iter().flatten().any(|it| it.idx() >= self.placement().n_sites()) {
            return Ok(None);
        }
        let owner_of = |site: Site| self.placement().get(site).map(|it| it.owner);
        if attempt.from.is_some_and(|it| owner_of(it) != Some(owner)) {
            return Ok(None);
        }
        if self.legal_moves()?.iter().any(|it| attempt.is_made_by(it)) {
            return Ok(None);
        }
        let mut state = self.clone();
        if let Some(found) = with_buffers(&mut state, |it, buffers| filter(it, buffers, attempt))? {
            return Ok(Some(found));
        }
        self.on_the_board(attempt, owner).map(Some)
    }

    /// What on the board is in the way of a move that no block of the piece makes.
    fn on_the_board(&self, attempt: Attempt, owner: Player) -> Result<Obstacle, Halt> {
        let Some(to) = attempt.to else { return Ok(Obstacle::NoMoves) };
        let there = self.placement().get(to);
        if let Some(own) = there.filter(|it| it.owner == owner) {
            return Ok(Obstacle::OwnPiece(own.kind));
        }
        let Some(from) = attempt.from else {
            return Ok(if there.is_some() { Obstacle::Occupied } else { Obstacle::NotThatWay });
        };
        if there.is_none() && self.attackers(to)?.contains(&from) {
            return Ok(Obstacle::OnlyCaptures);
        }
        if !self.lone_moves(from)?.contains(&to) {
            return Ok(Obstacle::NotThatWay);
        }
        if there.is_none() {
            return Ok(Obstacle::Blocked);
        }
        let mut without = self.clone();
        without.edit(Edit::Remove { site: to });
        let goes = without.legal_moves()?.iter().any(|it| attempt.is_made_by(it));
        Ok(if goes { Obstacle::NeverCaptures } else { Obstacle::Blocked })
    }
}

/// The filter that leaves out every move by which the attempt could be made.
fn filter(
    state: &mut State,
    buffers: &mut Buffers,
    attempt: Attempt,
) -> Result<Option<Obstacle>, Halt> {
    let rules = Arc::clone(&state.rules);
    let going_on = state.going_on;
    let all = generated(state, buffers, going_on)?;
    let mut tried: Vec<Move> = all.iter().filter(|it| attempt.is_made_by(it)).cloned().collect();
    if tried.is_empty() {
        let Some(GoingOn { site, .. }) = going_on.filter(|it| attempt.from != Some(it.site)) else {
            return Ok(None);
        };
        let others = generated(state, buffers, None)?;
        let is_other = others.iter().any(|it| attempt.is_made_by(it));
        return Ok(is_other.then_some(Obstacle::GoesOn(site)));
    }
    if going_on.is_none() && !rules.ruleset.priorities.is_empty() {
        let rank = |it: &Move| rules.rank(it.move_type);
        let best = all.iter().map(rank).min().unwrap_or(0);
        if tried.iter().all(|it| rank(it) > best) {
            let mut first = all.iter().filter(|it| rank(it) == best);
            let captures = first.all(|it| !state.captured_sites(it).is_empty());
            let found = if captures { Obstacle::MustCapture } else { Obstacle::Precedence };
            return Ok(Some(found));
        }
        tried.retain(|it| rank(it) == best);
    }
    let mut list = MoveList::new();
    buffers.texts.clear();
    list_texts_once(state, &mut tried, &mut buffers.texts, &mut list);
    chains::keep_safe(state, buffers, &mut list)?;
    if !list.is_empty() {
        return Ok(Some(Obstacle::CapturesMore));
    }
    let attacked = chains::attacked_royals(state, buffers)?;
    let royal =
        state.turn().and_then(|it| rules.royal.get(it.owner.idx())).and_then(|it| it.first());
    let exposed = royal.copied().map(Obstacle::Exposes);
    Ok(attacked.first().copied().map(Obstacle::InCheck).or(exposed))
}

/// Everything that the blocks make, before any filter.
fn generated(
    state: &mut State,
    buffers: &mut Buffers,
    going_on: Option<GoingOn>,
) -> Result<Vec<Move>, Halt> {
    let mut moves = Vec::new();
    run_blocks(state, buffers, going_on, &mut Collect { moves: &mut moves, n_effects: 0 })?;
    Ok(moves)
}
