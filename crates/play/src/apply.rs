//! Plays moves and takes them back.
//!
//! Order of effects: all movements at once (pick everything up, remove what
//! stands where they end, put down), the promotion, then the changes, then the
//! captures. What `undo` needs is noted as it happens, so that it gives back the
//! very same state, hash included.

use boardwright_game::{PieceKind, Player, Site};
use smallvec::SmallVec;

use crate::{
    goals,
    halt::Halt,
    movegen,
    mv::{Effect, Move},
    outcome::Outcome,
    placement::{EMPTY, Piece, cell_kind, cell_of, cell_owner},
    repetition::History,
    state::{GoingOn, State},
    vm::attribute_bit,
};

/// What `undo` needs to take one move or edit back.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Undo {
    /// What stood where before, latest change last.
    sites: SmallVec<[(Site, u32, u64); 4]>,
    /// What the hands held before, latest change last.
    hands: SmallVec<[(u32, u32); 2]>,
    turn: usize,
    move_number: u32,
    going_on: Option<GoingOn>,
    last_from: Option<Site>,
    last_to: Option<Site>,
    taken: SmallVec<[(Player, PieceKind); 2]>,
    n_history: usize,
    /// The whole history, where an edit began a new one.
    old_history: Option<History>,
    decided: Option<Outcome>,
}

impl Undo {
    /// The sites that were changed, each with the piece that stood there before, earliest
    /// change first. A site may be given more than once; the first counts.
    pub fn replaced(&self) -> impl Iterator<Item = (Site, Option<Piece>)> + '_ {
        self.sites.iter().map(|&(site, cell, attributes)| (site, Piece::of(cell, attributes)))
    }
}

/// Why a move was not played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PlayError {
    /// It is not among the legal moves.
    Illegal(Move),
    /// The legal moves could not be found.
    Halt(Halt),
}

impl std::fmt::Display for PlayError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            PlayError::Illegal(_) => f.write_str("the move is not legal here"),
            PlayError::Halt(halt) => halt.fmt(f),
        }
    }
}

impl std::error::Error for PlayError {}

impl From<Halt> for PlayError {
    fn from(halt: Halt) -> PlayError {
        PlayError::Halt(halt)
    }
}

/// A change of the board outside of play.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Edit {
    /// Puts a new piece on a site, over what stands there: `(White Rook e4)`.
    Place {
        /// The owner of the piece.
        player: Player,
        /// The kind of the piece.
        kind: PieceKind,
        /// The site of the piece.
        site: Site,
    },
    /// Empties a site: `(x e4)`.
    Remove {
        /// The site of the piece.
        site: Site,
    },
}

impl State {
    /// Plays a move if it is legal.
    pub fn play(&mut self, mv: &Move) -> Result<Undo, PlayError> {
        let legal = self.legal_moves()?;
        if !legal.moves().contains(mv) {
            return Err(PlayError::Illegal(mv.clone()));
        }
        Ok(self.play_unchecked(mv)?)
    }

    /// Plays a move that is known to be legal.
    ///
    /// An illegal one leaves a state that makes no sense, one of another ruleset may
    /// panic. The error says that it cannot be found out whether the mover goes on; the
    /// move is then taken back.
    pub fn play_unchecked(&mut self, mv: &Move) -> Result<Undo, Halt> {
        let mut undo = self.snapshot();
        // Decision `taken-in-chains`.
        if self.going_on.is_none() {
            self.taken.clear();
        }
        if mv.is_pass() {
            self.pass();
        } else {
            self.do_effects(mv, &mut undo);
            match self.continuation(mv) {
                Ok(None) => {}
                Ok(going_on) => {
                    self.going_on = going_on;
                    return Ok(undo);
                }
                Err(halt) => {
                    self.undo(undo);
                    return Err(halt);
                }
            }
        }
        self.end_turn();
        Ok(undo)
    }

    /// Takes back what gave this `undo`, which must have been the last thing done.
    pub fn undo(&mut self, undo: Undo) {
        self.revert(&undo);
        self.turn = undo.turn;
        self.move_number = undo.move_number;
        self.going_on = undo.going_on;
        self.taken = undo.taken;
        self.decided = undo.decided;
        match undo.old_history {
            Some(history) => self.history = history,
            None => self.history.truncate(undo.n_history),
        }
    }

    fn snapshot(&self) -> Undo {
        Undo {
            sites: SmallVec::new(),
            hands: SmallVec::new(),
            turn: self.turn,
            move_number: self.move_number,
            going_on: self.going_on,
            last_from: self.last_from,
            last_to: self.last_to,
            taken: self.taken.clone(),
            n_history: self.history.len(),
            old_history: None,
            decided: self.decided,
        }
    }

    /// Takes back pieces, hands and last sites, not the turn.
    fn revert(&mut self, undo: &Undo) {
        for &(site, cell, attributes) in undo.sites.iter().rev() {
            self.placement.set(site, cell, attributes);
        }
        for &(slot, count) in undo.hands.iter().rev() {
            self.set_hand_slot(slot as usize, count);
        }
        self.last_from = undo.last_from;
        self.last_to = undo.last_to;
    }

    /// A pass changes nothing but the turn; decision `pass-forgets-last`.
    pub(crate) fn pass(&mut self) {
        self.last_from = None;
        self.last_to = None;
    }

    /// Ends the turn: next player, move number, repetition, goals.
    fn end_turn(&mut self) {
        let order = &self.rules.ruleset.turn_order;
        let just_moved = self.turn;
        self.going_on = None;
        self.turn = order.next(just_moved);
        if self.turn == order.repeat {
            self.move_number = self.move_number.saturating_add(1);
        }
        self.history.push(self.repetition_key());
        self.decided = goals::after_turn(self, just_moved);
    }

    /// Where and how the mover must go on after `mv`, whose effects are done.
    fn continuation(&mut self, mv: &Move) -> Result<Option<GoingOn>, Halt> {
        let Some(going_on) = self.opening_of(mv) else {
            return Ok(None);
        };
        Ok(movegen::can_go_on(self, going_on)?.then_some(going_on))
    }

    /// What would go on after a partial move, if it can: decision `partial-piece-gone`.
    pub(crate) fn opening_of(&self, mv: &Move) -> Option<GoingOn> {
        let partial = mv.partial?;
        let site = mv.key_sites().1?;
        let owner = self.turn()?.owner;
        let is_mine = self.placement.get(site).is_some_and(|it| it.owner == owner);
        is_mine.then_some(GoingOn { site, move_type: partial.next })
    }

    /// Does the effects of a move for a look ahead, which [`State::take_back`] ends.
    pub(crate) fn try_out(&mut self, mv: &Move) -> Undo {
        let mut undo = self.snapshot();
        if mv.is_pass() {
            self.pass();
        } else {
            self.do_effects(mv, &mut undo);
        }
        undo
    }

    pub(crate) fn take_back(&mut self, undo: Undo) {
        self.revert(&undo);
        self.taken = undo.taken;
    }

    fn put(&mut self, site: Site, cell: u32, attributes: u64, undo: &mut Undo) {
        undo.sites.push((site, self.placement.cell(site), self.placement.attributes(site)));
        self.placement.set(site, cell, attributes);
    }

    fn add_to_hand(&mut self, owner: Player, kind: PieceKind, change: i32, undo: &mut Undo) {
        let slot = owner.idx() * self.rules.n_kinds() + kind.idx();
        if let Some(&held) = self.hands.get(slot) {
            undo.hands.push((slot as u32, held));
            self.set_hand_slot(slot, held.saturating_add_signed(change));
        }
    }

    /// What happens to a piece that is removed, by whatever means.
    fn note_removal(&mut self, cell: u32, undo: &mut Undo) {
        if cell == EMPTY {
            return;
        }
        let (owner, kind) = (cell_owner(cell), cell_kind(cell));
        if self.rules.ruleset.options.recycle_captures {
            self.add_to_hand(owner, kind, 1, undo);
        }
        if self.rules.is_watched(owner, kind) && !self.taken.contains(&(owner, kind)) {
            self.taken.push((owner, kind));
        }
    }

    /// Does all effects, in the order of the move's text but for the promotion:
    /// decisions `effects-order` and `promotion-first`.
    fn do_effects(&mut self, mv: &Move, undo: &mut Undo) {
        self.do_movements(mv, undo);
        if let Some(kind) = mv.promotion()
            && let Some(site) = mv.movements().last().and_then(Effect::arrives)
        {
            self.turn_into(site, kind, undo);
        }
        for effect in &mv.effects {
            self.do_change(effect, undo);
        }
        // Decision `key-movement`: an effect in place has no sites, a drop no origin.
        (self.last_from, self.last_to) = match mv.key_sites() {
            (Some(from), Some(to)) if from == to => (None, None),
            sites => sites,
        };
    }

    fn do_movements(&mut self, mv: &Move, undo: &mut Undo) {
        let Some(owner) = self.turn().map(|it| it.owner) else {
            return;
        };
        let movements = mv.movements();
        // 1. Pick everything up.
        let mut lifted: SmallVec<[(Site, u32, u64); 2]> = SmallVec::new();
        for movement in movements {
            let (to, cell, attributes) = match *movement {
                Effect::Walk { from, to } => {
                    let held = (to, self.placement.cell(from), self.placement.attributes(from));
                    if held.1 != EMPTY {
                        self.put(from, EMPTY, 0, undo);
                    }
                    held
                }
                Effect::Copy { from, to } => {
                    // Decision `copy-owner`: the copy is the owner's, like a drop.
                    let (cell, attributes) =
                        (self.placement.cell(from), self.placement.attributes(from));
                    let is_piece = cell != EMPTY && from != to;
                    let copy = if is_piece { cell_of(owner, cell_kind(cell)) } else { EMPTY };
                    (to, copy, attributes)
                }
                Effect::Drop { kind, to } => {
                    self.add_to_hand(owner, kind, -1, undo);
                    (to, cell_of(owner, kind), self.default_attributes(kind))
                }
                _ => continue,
            };
            lifted.push((to, cell, attributes));
        }
        // 2. Remove what stands where they end, and put down.
        for (to, cell, attributes) in lifted {
            if cell != EMPTY {
                self.note_removal(self.placement.cell(to), undo);
                self.put(to, cell, attributes, undo);
            }
        }
    }

    fn do_change(&mut self, effect: &Effect, undo: &mut Undo) {
        match *effect {
            Effect::Create { player, kind, site } => {
                self.note_removal(self.placement.cell(site), undo);
                let defaults = self.default_attributes(kind);
                self.put(site, cell_of(player, kind), defaults, undo);
            }
            Effect::TurnInto { kind, site } => self.turn_into(site, kind, undo),
            Effect::GiveTo { player, site } => self.give_to(site, |_, _| player, undo),
            Effect::Flip { site } => {
                self.give_to(site, |state, owner| state.rules.flipped(owner), undo);
            }
            // A kind that does not declare the attribute takes the value all the same:
            // recorded games depend on it. Decision `attributes-stick`.
            Effect::Set { attribute, site, value } => {
                let (cell, old) = (self.placement.cell(site), self.placement.attributes(site));
                let bit = attribute_bit(attribute);
                let new = if value { old | bit } else { old & !bit };
                if cell != EMPTY && new != old {
                    self.put(site, cell, new, undo);
                }
            }
            Effect::Capture { site } => {
                let cell = self.placement.cell(site);
                if cell != EMPTY {
                    self.note_removal(cell, undo);
                    self.put(site, EMPTY, 0, undo);
                }
            }
            Effect::Walk { .. }
            | Effect::Copy { .. }
            | Effect::Drop { .. }
            | Effect::Promote { .. } => {}
        }
    }

    fn give_to(
        &mut self,
        site: Site,
        new_owner: impl Fn(&State, Player) -> Player,
        undo: &mut Undo,
    ) {
        let cell = self.placement.cell(site);
        if cell != EMPTY {
            let owner = new_owner(self, cell_owner(cell));
            let attributes = self.placement.attributes(site);
            self.put(site, cell_of(owner, cell_kind(cell)), attributes, undo);
        }
    }

    /// Attributes that both kinds declare, or neither, keep their value; others take the default of the new kind.
    fn turn_into(&mut self, site: Site, kind: PieceKind, undo: &mut Undo) {
        let cell = self.placement.cell(site);
        if cell == EMPTY {
            return;
        }
        let (owner, old) = (cell_owner(cell), cell_kind(cell));
        let pieces = &self.rules.ruleset.pieces;
        let (Some(was), Some(becomes)) = (pieces.get(old.idx()), pieces.get(kind.idx())) else {
            return;
        };
        let shared = !(was.attribute_mask ^ becomes.attribute_mask);
        let attributes =
            self.placement.attributes(site) & shared | becomes.default_attributes & !shared;
        if self.rules.ruleset.options.recycle_promotions && old != kind {
            self.add_to_hand(owner, kind, -1, undo);
            self.add_to_hand(owner, old, 1, undo);
        }
        self.put(site, cell_of(owner, kind), attributes, undo);
    }
}

/// Edits restart the history and lift an outcome: decision `edits`.
pub(crate) fn edit(state: &mut State, edit: Edit) -> Undo {
    let mut undo = state.snapshot();
    let rules = &state.rules;
    match edit {
        Edit::Place { site, .. } | Edit::Remove { site }
            if site.idx() >= state.placement.n_sites() =>
        {
            return undo;
        }
        Edit::Place { player, kind, .. }
            if player.idx() >= rules.n_players() || kind.idx() >= rules.n_kinds() =>
        {
            return undo;
        }
        Edit::Place { player, kind, site } => {
            let defaults = state.default_attributes(kind);
            state.put(site, cell_of(player, kind), defaults, &mut undo);
        }
        Edit::Remove { site } => state.put(site, EMPTY, 0, &mut undo),
    }
    state.decided = None;
    let history = History::starting_with(state.repetition_key());
    undo.old_history = Some(std::mem::replace(&mut state.history, history));
    undo
}
