//! The state of a game: pieces, hands, turn, and what happened before.

use std::sync::Arc;

use boardwright_game::{MoveType, PieceKind, Player, Ruleset, Site, Turn};
use boardwright_text::StopSignal;
use smallvec::SmallVec;

use crate::{
    apply::{Edit, Undo},
    halt::Halt,
    hash,
    movegen::{self, Scratch},
    mv::MoveList,
    outcome::Outcome,
    placement::{Placement, cell_of},
    repetition::History,
    rules::Rules,
};

/// That the mover is in the middle of a chain of partial moves.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct GoingOn {
    /// Where the piece stands that must go on.
    pub site: Site,
    /// The type of move it must go on with, if the rules say so.
    pub move_type: Option<MoveType>,
}

/// One state of a game: pieces, hands, turn and history.
///
/// Equality includes the history and the outcome.
#[derive(Clone, Debug)]
pub struct State {
    pub(crate) rules: Arc<Rules>,
    pub(crate) placement: Placement,
    /// `[player * n_kinds + kind]`
    pub(crate) hands: Vec<u32>,
    pub(crate) hands_hash: u64,
    pub(crate) turn: usize,
    pub(crate) move_number: u32,
    pub(crate) going_on: Option<GoingOn>,
    pub(crate) last_from: Option<Site>,
    pub(crate) last_to: Option<Site>,
    /// What the turn removed so far; only kinds that a goal asks about.
    pub(crate) taken: SmallVec<[(Player, PieceKind); 2]>,
    pub(crate) history: History,
    /// The outcome, if what was done decided it; being stuck is found later.
    pub(crate) decided: Option<Outcome>,
    /// Buffers; not part of the state.
    pub(crate) scratch: Scratch,
    /// Ends a generation early; not part of the state.
    pub(crate) stop: StopSignal,
}

impl State {
    /// The start of a game.
    pub fn start(ruleset: Arc<Ruleset>) -> State {
        State::start_of(Arc::new(Rules::new(ruleset)))
    }

    /// The start of a game whose tables exist already.
    pub fn start_of(rules: Arc<Rules>) -> State {
        let mut state = State::empty(rules);
        let rules = Arc::clone(&state.rules);
        let setup = &rules.ruleset.setup;
        for entry in &setup.pieces {
            let defaults = state.default_attributes(entry.kind);
            state.placement.set(entry.site, cell_of(entry.player, entry.kind), defaults);
        }
        for entry in &setup.hands {
            let held = state.hand(entry.player, entry.kind);
            state.set_hand(entry.player, entry.kind, held.saturating_add(entry.count));
        }
        state.history = History::starting_with(state.repetition_key());
        state
    }

    /// A board without pieces, with the first player to move.
    pub(crate) fn empty(rules: Arc<Rules>) -> State {
        let (n_players, n_kinds) = (rules.n_players(), rules.n_kinds());
        let mut state = State {
            placement: Placement::new(rules.ruleset.board.n_sites(), n_players, n_kinds),
            hands: vec![0; n_players * n_kinds],
            hands_hash: 0,
            turn: 0,
            move_number: 1,
            going_on: None,
            last_from: None,
            last_to: None,
            taken: SmallVec::new(),
            history: History::default(),
            decided: None,
            scratch: Scratch::default(),
            stop: rules.stop.clone(),
            rules,
        };
        state.history = History::starting_with(state.repetition_key());
        state
    }

    /// Lets a signal end what takes long: generations then give [`Halt::Stopped`]. States that
    /// are cloned from this one have the same signal.
    pub fn set_stop(&mut self, stop: StopSignal) {
        self.stop = stop;
    }

    /// The ruleset that is played.
    pub fn ruleset(&self) -> &Arc<Ruleset> {
        &self.rules.ruleset
    }

    /// The ruleset with its tables, to start another game of it.
    pub fn rules(&self) -> &Arc<Rules> {
        &self.rules
    }

    /// Which piece stands where.
    pub fn placement(&self) -> &Placement {
        &self.placement
    }

    /// How many pieces of a kind a player has off the board.
    pub fn hand(&self, player: Player, kind: PieceKind) -> u32 {
        self.hands.get(player.idx() * self.rules.n_kinds() + kind.idx()).copied().unwrap_or(0)
    }

    /// The number of the entry of the turn order whose turn it is.
    pub fn turn_idx(&self) -> usize {
        self.turn
    }

    /// Whose turn it is; `None` only in a ruleset without turns.
    pub fn turn(&self) -> Option<&Turn> {
        self.rules.turn(self.turn)
    }

    /// Who is to choose a move.
    pub fn mover(&self) -> Option<Player> {
        self.turn().map(|it| it.mover)
    }

    /// Whether chance is to choose.
    pub fn is_chance(&self) -> bool {
        let players = &self.rules.ruleset.players;
        self.mover().and_then(|it| players.get(it.idx())).is_some_and(|it| it.is_random)
    }

    /// The number that the next move carries in a save file.
    pub fn move_number(&self) -> u32 {
        self.move_number
    }

    /// The chain of partial moves the mover is in, if it is in one.
    pub fn going_on(&self) -> Option<GoingOn> {
        self.going_on
    }

    /// Where the last move began; nothing after a drop or a pass.
    pub fn last_from(&self) -> Option<Site> {
        self.last_from
    }

    /// Where the last move ended; nothing after a pass.
    pub fn last_to(&self) -> Option<Site> {
        self.last_to
    }

    /// A hash of everything that decides how the game can go on, history aside.
    pub fn hash(&self) -> u64 {
        let last = if self.rules.uses_last { hash::last(self.last_from, self.last_to) } else { 0 };
        self.placement.hash()
            ^ self.hands_hash
            ^ hash::turn(self.turn)
            ^ self.going_on.map_or(0, |it| hash::going_on(it.site, it.move_type))
            ^ last
    }

    /// The same hash, worked out from nothing: what tests compare it with.
    pub fn recomputed_hash(&self) -> u64 {
        let hands = self.hands.iter().enumerate();
        let hands = hands.fold(0, |acc, (slot, &count)| acc ^ hash::hand(slot, count));
        self.hash()
            ^ (self.placement.hash() ^ self.placement.recomputed_hash())
            ^ (self.hands_hash ^ hands)
    }

    /// The legal moves, in the order in which the rules generate them.
    ///
    /// Empty when the game is over. See [`State::generate`] for a hot path.
    pub fn legal_moves(&self) -> Result<MoveList, Halt> {
        let mut list = MoveList::new();
        self.clone().generate(&mut list)?;
        Ok(list)
    }

    /// Fills `list` with the legal moves, reusing its and the state's buffers.
    pub fn generate(&mut self, list: &mut MoveList) -> Result<(), Halt> {
        movegen::generate(self, list)
    }

    /// How the game ended; `None` while it goes on.
    pub fn outcome(&self) -> Result<Option<Outcome>, Halt> {
        if self.decided.is_some() {
            return Ok(self.decided);
        }
        let mut list = MoveList::new();
        let mut copy = self.clone();
        copy.generate(&mut list)?;
        copy.outcome_given(&list)
    }

    /// How the game ended, for callers that have just generated the moves.
    pub fn outcome_given(&mut self, moves: &MoveList) -> Result<Option<Outcome>, Halt> {
        if self.decided.is_some() || !moves.is_empty() || !self.rules.is_playable {
            return Ok(self.decided);
        }
        movegen::outcome_when_stuck(self)
    }

    /// The outcome that the last move brought about by itself, whoever can move now.
    pub fn decided(&self) -> Option<Outcome> {
        self.decided
    }

    /// Changes the board outside of play, as an editor does, and says how to take it back.
    pub fn edit(&mut self, edit: Edit) -> Undo {
        crate::apply::edit(self, edit)
    }

    /// Whether the next player could take a royal piece of the mover's as things stand.
    pub fn is_in_check(&mut self) -> Result<bool, Halt> {
        movegen::is_in_check(self)
    }

    pub(crate) fn history(&self) -> &History {
        &self.history
    }

    pub(crate) fn default_attributes(&self, kind: PieceKind) -> u64 {
        self.rules.ruleset.pieces.get(kind.idx()).map_or(0, |it| it.default_attributes)
    }

    pub(crate) fn set_hand(&mut self, player: Player, kind: PieceKind, count: u32) {
        let slot = player.idx() * self.rules.n_kinds() + kind.idx();
        self.set_hand_slot(slot, count);
    }

    pub(crate) fn set_hand_slot(&mut self, slot: usize, count: u32) {
        if let Some(it) = self.hands.get_mut(slot) {
            self.hands_hash ^= hash::hand(slot, *it) ^ hash::hand(slot, count);
            *it = count;
        }
    }
}

impl PartialEq for State {
    fn eq(&self, other: &State) -> bool {
        let same_rules = Arc::ptr_eq(&self.rules, &other.rules)
            || Arc::ptr_eq(self.ruleset(), other.ruleset())
            || self.ruleset() == other.ruleset();
        same_rules && self.is_same_but_for_history(other) && self.history == other.history
    }
}

impl Eq for State {}

impl State {
    /// Whether two states of one ruleset differ in nothing but what led to them.
    pub fn is_same_but_for_history(&self, other: &State) -> bool {
        self.placement == other.placement
            && self.hands == other.hands
            && self.hands_hash == other.hands_hash
            && self.turn == other.turn
            && self.move_number == other.move_number
            && self.going_on == other.going_on
            && self.last_from == other.last_from
            && self.last_to == other.last_to
            && self.taken == other.taken
            && self.decided == other.decided
    }
}
