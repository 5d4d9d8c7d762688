//! The meaning of the rules, for a second implementation of them.
//!
//! `boardwright-fast` runs the same rulesets in another form. Whatever both must agree on
//! and that is not in the ruleset itself is decided here or in [`Rules`], once.

use boardwright_game::{PassTurn, PieceKind, Player, Ruleset, Site, SiteOrZone, SiteSet};

use crate::{Rules, State, goals, hash, movegen, placement::cell_of, reach};

pub use crate::{
    instruction::{SiteChange, SiteTest, site_change, site_test},
    random::mix,
    rules::NOWHERE,
};

/// Facts about the rules that are worked out once, in [`Rules::new`].
impl Rules {
    /// Whether there is anything to play; `false` for a menu of pictures.
    pub fn is_playable(&self) -> bool {
        self.is_playable
    }

    /// `[site * n_directions + direction]`: the site one step against a direction of the
    /// board, [`NOWHERE`] where there is none.
    pub fn links_back(&self) -> &[u16] {
        &self.back
    }

    /// By site: the sites with a link to it or from it. Empty if no goal asks for chains.
    pub fn neighbours(&self) -> &[Vec<Site>] {
        &self.neighbours
    }

    /// The sites that some `absolute-config` names: where `goal-position?` is true.
    pub fn goal_sites(&self) -> &SiteSet {
        &self.goal_sites
    }

    /// By player: the kinds that the check filter protects.
    pub fn royal_kinds(&self) -> &[Vec<PieceKind>] {
        &self.royal
    }

    /// Numbers of the end conditions that ask whether the mover can move.
    pub fn stuck_conditions(&self) -> &[usize] {
        &self.phase_two
    }

    /// Whether some end condition names repetition; if none does, the third occurrence of a
    /// state is a draw.
    pub fn names_repetition(&self) -> bool {
        self.names_repetition
    }

    /// Whether one player alone has turns, chance players not counted.
    pub fn is_solitaire(&self) -> bool {
        self.is_solitaire
    }

    /// Whether any program reads the sites of the last move.
    #[inline]
    pub fn uses_last(&self) -> bool {
        self.uses_last
    }

    /// The kinds with drop blocks, and whether such a block may drop another kind.
    pub fn droppers(&self) -> &[(PieceKind, bool)] {
        &self.droppers
    }

    /// By kind: numbers that are equal exactly if the names are.
    pub fn kind_tokens(&self) -> &[u32] {
        &self.kind_tokens
    }

    /// By player: numbers that are equal exactly if the names are.
    pub fn player_tokens(&self) -> &[u32] {
        &self.player_tokens
    }

    /// Whether a piece on `from` could ever put or remove something on one of `targets`.
    /// May say yes where the answer is no, never the reverse.
    pub fn may_touch(&self, owner: Player, kind: PieceKind, from: Site, targets: &[Site]) -> bool {
        self.reach.may_touch(self, owner, kind, from, targets)
    }

    /// By kind: the value that "maximal captures 2" gives it, at least one.
    pub fn capture_values(&self) -> &[u64] {
        movegen::values::of(self)
    }
}

/// When the rules offer a pass, the safety of royal pieces aside.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PassOffer {
    /// Not now.
    Never,
    /// Whatever else can be done.
    Always,
    /// To a mover without another move, if somebody can move within
    /// [`Rules::n_turns_of_passes`] turns.
    IfStuck,
}

/// The rule of passing.
impl Rules {
    /// Whether a pass is offered; `is_going_on`: in the middle of a chain of partial moves.
    pub fn pass_offer(&self, is_going_on: bool) -> PassOffer {
        let options = &self.ruleset.options;
        if is_going_on {
            return if options.pass_partial { PassOffer::Always } else { PassOffer::Never };
        }
        match options.pass_turn {
            PassTurn::Never => PassOffer::Never,
            PassTurn::Always => PassOffer::Always,
            PassTurn::Forced => PassOffer::IfStuck,
        }
    }

    /// The number of turns after which everybody has passed once: if nobody can move in any
    /// of them, the game would never end (decision `pass-deadlock`).
    pub fn n_turns_of_passes(&self, turn_idx: usize) -> usize {
        let order = &self.ruleset.turn_order;
        order.repeat.saturating_sub(turn_idx) + order.turns.len() - order.repeat
    }
}

/// Restores the order of effects after a change was added behind the others.
///
/// The original keeps movements, changes and captures in one array. A new entry takes the
/// place of the first entry behind its group, which goes to the end of the array; that shows
/// in the order in which moves are written.
#[inline]
pub fn order_after_change<C>(captures: &mut [C]) {
    if captures.len() > 1 {
        captures.rotate_left(1);
    }
}

/// Restores the order of effects after a movement was added behind the others: only while
/// captures are waiting does it displace changes and captures.
#[inline]
pub fn order_after_cascade<E, C>(changes: &mut [E], captures: &mut [C]) {
    if !captures.is_empty() {
        if changes.len() > 1 {
            changes.rotate_left(1);
        }
        captures.rotate_left(1);
    }
}

/// What a state has beside what is shown to people.
impl State {
    /// The keys of all states since the start or the last edit, one for each turn, oldest
    /// first.
    pub fn repetition_keys(&self) -> &[u64] {
        self.history.keys()
    }

    /// The key by which repetition knows this state: its pieces and the number of its turn.
    pub fn repetition_key(&self) -> u64 {
        self.placement.hash() ^ hash::turn(self.turn)
    }

    /// The pieces that the turn has removed so far; only kinds that a goal asks about.
    pub fn taken(&self) -> &[(Player, PieceKind)] {
        &self.taken
    }
}

/// The part that a piece contributes to [`State::repetition_key`] by XOR.
pub fn piece_key(site: Site, owner: Player, kind: PieceKind, attributes: u64) -> u64 {
    hash::piece(site, cell_of(owner, kind), attributes)
}

/// The part that an entry of the turn order contributes to [`State::repetition_key`] by XOR.
pub fn turn_key(turn_idx: usize) -> u64 {
    hash::turn(turn_idx)
}

/// Whether a block may read a flag that it did not set itself, so that blocks must run in
/// the order of the pieces: decision `flag-lifetime`.
pub fn reads_unset_flag(ruleset: &Ruleset, kind: PieceKind, block: usize) -> bool {
    reach::reads_unset(ruleset, kind, block)
}

/// The sites of a place as a player has them.
pub fn sites_of(rules: &Rules, place: SiteOrZone, player: Player) -> SiteSet {
    goals::sites_of(rules, place, player)
}

/// The player that answers for `player`: itself if it ever chooses a move, else the one who
/// moved its pieces last. Decision `credit`.
pub fn credited(rules: &Rules, player: Player, turn_idx: usize) -> Player {
    goals::credited(rules, player, turn_idx)
}

/// Conjunction in three values: false as soon as one is false, unknown (`None`) if one is
/// unknown.
pub fn all_known<G>(goals: &[G], test: impl Fn(&G) -> Option<bool>) -> Option<bool> {
    goals::all(goals, test)
}
