//! A ruleset in its fast form, and the states it runs.

mod generate;

use std::sync::Arc;

use boardwright_game::{MaximalCaptures, MoveType, PieceKind, Player, Site};
use boardwright_play::{Halt, Outcome, Rules, SplitMix64, State, semantics::NOWHERE};

use crate::{
    Unsupported,
    aims::Aims,
    arena::{Arena, is_made},
    bits::Bits,
    goals::Goals,
    graph::Template,
    lanes::{
        EMPTY, ENEMY, FIRST_KIND, FRIEND, LAST_FROM, LAST_TO, Lanes, MAX_SETS, NEAR_ENEMY, NEUTRAL,
        NONE, REGISTERS, Run, UNIFORM,
    },
    layout::{Codes, LaneMap},
    safety::{Probe, Safety},
    script::{Out, Script},
    shape::Shape,
    uniform::Uniforms,
    walks::{WalkBuffers, Walks},
};

/// Walked blocks beside royal pieces; with more the plain machine is faster (Ultima has 15,
/// and ran at half its speed).
const MAX_WALKED_ATTACKERS: usize = 3;

/// Hands kept in a state; more are refused.
pub(crate) const MAX_HANDS: usize = 64;

/// The whole state, as sets and codes.
#[derive(Clone, Debug)]
pub(crate) struct FastState<const W: usize> {
    pub sets: [Bits<W>; MAX_SETS],
    pub cells: [[u16; 64]; W],
    pub hands: [u16; MAX_HANDS],
    pub hash: u64,
    pub turn: u16,
    pub last_from: u16,
    pub last_to: u16,
    pub going_on: Option<(u16, Option<MoveType>)>,
    /// Where in the history repetition begins: nothing earlier can come back.
    pub since: u32,
    /// Whether no turn was completed yet, so that goals may hold from the start.
    pub is_fresh: bool,
    /// The one piece that the turn brought to a lane, if that is all it brought.
    pub gain: Option<(Player, u16)>,
    /// `owner * n_kinds + kind` of what the turn removed, as bits.
    pub taken: u64,
    pub decided: Option<Outcome>,
}

/// Where a block of a plan is tried.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Start<const W: usize> {
    /// On every piece of the kind.
    Pieces(PieceKind),
    /// On these lanes, if the hand holds the kind.
    Drop(PieceKind, Bits<W>),
}

/// How a block is run.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Tier {
    /// For all starts at once.
    Lanes(usize),
    /// Step by step, one start after the other.
    Walk(usize),
}

/// Blocks of a turn that are equally urgent.
#[derive(Clone, Debug, Default)]
pub(crate) struct Class<const W: usize> {
    pub code: BlockCode<W>,
    /// Blocks that are walked, by number.
    pub walks: Vec<(Start<W>, usize)>,
}

/// Blocks that need not be walked: all at once, or piece by piece.
#[derive(Clone, Debug, Default)]
pub(crate) struct BlockCode<const W: usize> {
    pub scripts: Vec<Script<W>>,
    /// By number.
    pub aims: Vec<u32>,
}

impl<const W: usize> BlockCode<W> {
    pub fn is_empty(&self) -> bool {
        self.scripts.is_empty() && self.aims.is_empty()
    }
}

/// The blocks of a turn, by urgency.
pub(crate) type Plan<const W: usize> = Vec<Class<W>>;

/// A turn of the turn order, with what every move asks about it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TurnInfo {
    pub mover: Player,
    pub owner: Player,
    pub move_type: Option<MoveType>,
    pub is_random: bool,
    pub next: u16,
}

/// Pieces as codes and sets, and the keys that hash them.
#[derive(Debug)]
pub(crate) struct PieceTables {
    pub codes: Codes,
    /// By code: the sets it is in, as bits.
    pub sets_of: Vec<u64>,
    pub first_attribute: usize,
    pub first_owner: usize,
    /// By owner and kind: the code of a new piece.
    pub new_codes: Vec<u16>,
    pub uses_near_enemy: bool,
    /// How many sets of a state are in use.
    n_sets: usize,
    has_neutrals: bool,
    /// Random numbers for the hash.
    lane_keys: Vec<u64>,
    code_keys: Vec<u64>,
}

/// The move blocks in the forms they run in, and the templates of the moves they make.
#[derive(Debug)]
pub(crate) struct BlockTables<const W: usize> {
    pub templates: Vec<Template>,
    /// By template: the first that gives the same moves.
    pub canonical: Vec<u32>,
    /// By template: what the hot paths need of it.
    pub shapes: Vec<Shape>,
    pub has_doubtful: bool,
    pub lanes: Vec<Lanes<W>>,
    pub aims: Vec<Aims<W>>,
    pub walks: Walks<W>,
    pub uniforms: Uniforms,
    /// Whether a block may read a flag that an earlier one set. Then all are walked, in
    /// the order of the plain machine.
    pub carries_flags: bool,
    /// The blocks that are walked, and why.
    pub walked: Vec<(PieceKind, usize, Unsupported)>,
    /// How much work it was to run blocks on symbols.
    pub effort: usize,
    /// By owner and kind: the move blocks with their types, tiers and numbers.
    pub going_on: Vec<Vec<(Option<MoveType>, Tier, usize)>>,
    /// The same, as code for moves of one type or of any.
    pub code: Vec<Vec<(Option<MoveType>, BlockCode<W>)>>,
}

/// Who moves when, and what is run then.
#[derive(Debug)]
pub(crate) struct TurnTables<const W: usize> {
    pub turns: Vec<TurnInfo>,
    /// By turn.
    pub plans: Vec<Plan<W>>,
    /// How many turns it takes until the same one comes round.
    pub cycle: usize,
}

/// A ruleset in its fast form.
#[derive(Debug)]
pub(crate) struct FastGame<const W: usize> {
    pub rules: Arc<Rules>,
    pub layout: LaneMap<W>,
    pub pieces: PieceTables,
    pub blocks: BlockTables<W>,
    pub order: TurnTables<W>,
    pub goals: Goals<W>,
    pub safety: Safety<W>,
    pub uses_hands: bool,
    /// Whether moves that blocks generate may not be legal.
    has_filters: bool,
}

/// GenBuffers that generation reuses.
#[derive(Debug)]
pub(crate) struct GenBuffers<const W: usize> {
    pub registers: Box<[Bits<W>; REGISTERS]>,
    /// By template: the lanes offered so far; empty between generations.
    pub offered: Vec<Bits<W>>,
    /// Whether a slot of them is filled.
    pub has_offered: bool,
    pub runs: Vec<Run<W>>,
    /// Starts at which a walk takes over, with the walk.
    pub escaped: Vec<(u32, Bits<W>)>,
    /// What scripts offered but has to be looked at first.
    pub asks: Vec<Run<W>>,
    /// The moves among the runs that walks made.
    pub arena: Arena,
    pub walker: WalkBuffers<W>,
    /// Finds the effects of lazy moves.
    pub finder: WalkBuffers<W>,
    pub probe: Box<Probe<W>>,
    /// Steps of chains left.
    pub chain_steps: usize,
    /// Why the moves could not be found; there are none then.
    pub halt: Option<Halt>,
    /// Whether the runs are what the blocks generate after the move that was just played.
    pub is_ready: bool,
    /// Whether a chance player's equal moves count once, as in a list for people.
    pub counts_once: bool,
}

impl<const W: usize> FastGame<W> {
    pub fn new(rules: &Arc<Rules>, lane_of: Vec<u16>) -> Result<FastGame<W>, Unsupported> {
        let ruleset = &rules.ruleset;
        if !rules.is_playable() {
            return Err(Unsupported::NoGame);
        }
        let (n_players, n_kinds) = (rules.n_players(), rules.n_kinds());
        let n_attributes = ruleset.attributes.len();
        let first_attribute = FIRST_KIND + n_kinds;
        let first_owner = first_attribute + n_attributes;
        if first_owner + n_players > MAX_SETS || n_players * n_kinds > MAX_HANDS {
            return Err(Unsupported::ManyKinds);
        }
        let codes = Codes::new(n_players, n_kinds, n_attributes).ok_or(Unsupported::ManyKinds)?;
        let layout = LaneMap::new(rules, lane_of);
        let mut random = SplitMix64::new(0x5EED);
        let lane_keys = (0..64 * W).map(|_| random.next_u64() | 1).collect();
        let mut code_keys: Vec<u64> = (0..codes.n_codes).map(|_| random.next_u64()).collect();
        code_keys[0] = 0;
        let sets_of = (0..codes.n_codes as u16)
            .map(|code| {
                if code == 0 {
                    return 1 << EMPTY;
                }
                let (owner, kind, attributes) = codes.parts(code);
                1 << (FIRST_KIND + kind as usize)
                    | 1 << (first_owner + owner as usize)
                    | u64::from(attributes) << first_attribute
            })
            .collect();
        let goals = Goals::new(rules, &layout, first_owner + n_players)?;
        let turns = ruleset.turn_order.turns.iter().enumerate().map(|(idx, turn)| TurnInfo {
            mover: turn.mover,
            owner: turn.owner,
            move_type: turn.move_type,
            is_random: ruleset.players[turn.mover.idx()].is_random,
            next: ruleset.turn_order.next(idx) as u16,
        });
        let pieces = PieceTables {
            codes,
            sets_of,
            first_attribute,
            first_owner,
            new_codes: Vec::new(),
            uses_near_enemy: false,
            n_sets: first_owner + n_players + goals.joins.n_chains(),
            has_neutrals: ruleset.players.iter().any(|it| it.is_neutral),
            lane_keys,
            code_keys,
        };
        let order = TurnTables {
            turns: turns.collect(),
            plans: Vec::new(),
            cycle: (ruleset.turn_order.turns.len() - ruleset.turn_order.repeat).max(1),
        };
        let blocks = BlockTables {
            templates: Vec::new(),
            canonical: Vec::new(),
            shapes: Vec::new(),
            has_doubtful: false,
            lanes: Vec::new(),
            aims: Vec::new(),
            walks: Walks::new(rules, &layout),
            uniforms: Uniforms::new(ruleset, &layout, first_attribute),
            carries_flags: false,
            walked: Vec::new(),
            effort: 0,
            going_on: vec![Vec::new(); n_players * n_kinds],
            code: vec![Vec::new(); n_players * n_kinds],
        };
        let mut game = FastGame {
            rules: Arc::clone(rules),
            layout,
            pieces,
            blocks,
            order,
            goals,
            safety: Safety::default(),
            uses_hands: !rules.droppers().is_empty()
                || ruleset.options.recycle_captures
                || ruleset.options.recycle_promotions,
            has_filters: ruleset.options.maximal_captures != MaximalCaptures::No
                || rules.royal_kinds().iter().any(|it| !it.is_empty()),
        };
        game.compile();
        if game.blocks.walked.len() > MAX_WALKED_ATTACKERS && game.safety.asks_walkers() {
            return Err(Unsupported::WalkedAttacks);
        }
        Ok(game)
    }

    pub fn n_ops(&self) -> usize {
        self.blocks.lanes.iter().map(Lanes::n_ops).sum()
    }

    pub fn buffers(&self) -> GenBuffers<W> {
        GenBuffers {
            registers: Box::new([Bits::NONE; REGISTERS]),
            offered: vec![Bits::NONE; self.blocks.templates.len()],
            has_offered: false,
            runs: Vec::with_capacity(256),
            escaped: Vec::new(),
            asks: Vec::with_capacity(64),
            arena: Arena::default(),
            walker: WalkBuffers::new(&self.rules),
            finder: WalkBuffers::new(&self.rules),
            probe: Box::new(Probe::new(&self.rules)),
            chain_steps: Halt::CHAIN_STEPS,
            halt: None,
            is_ready: false,
            counts_once: false,
        }
    }

    /// Whose pieces move.
    #[inline]
    pub fn owner_of(&self, it: &FastState<W>) -> Player {
        self.order.turns[it.turn as usize].owner
    }

    #[inline]
    pub fn owner_set(&self, owner: Player) -> usize {
        self.pieces.first_owner + owner.idx()
    }

    #[inline]
    pub fn hand_slot(&self, owner: Player, kind: PieceKind) -> usize {
        owner.idx() * self.rules.n_kinds() + kind.idx()
    }

    #[inline]
    pub fn hash_of(&self, lane: usize, code: u16) -> u64 {
        self.pieces.code_keys[code as usize].wrapping_mul(self.pieces.lane_keys[lane])
    }

    /// The same state as a plain state's.
    pub fn fast_state_of(&self, state: &State) -> FastState<W> {
        let mut it = FastState {
            sets: [Bits::NONE; MAX_SETS],
            cells: [[0; 64]; W],
            hands: [0; MAX_HANDS],
            hash: 0,
            turn: state.turn_idx() as u16,
            last_from: NOWHERE,
            last_to: NOWHERE,
            going_on: state.going_on().map(|it| (self.layout.lane(it.site) as u16, it.move_type)),
            since: 0,
            is_fresh: true,
            gain: None,
            taken: 0,
            decided: state.decided(),
        };
        it.sets[EMPTY] = self.layout.all;
        for (site, piece) in state.placement().pieces() {
            let attributes =
                piece.attributes as u32 & ((1 << self.rules.ruleset.attributes.len()) - 1);
            let code =
                self.pieces.codes.code(piece.owner.0.into(), piece.kind.0.into(), attributes);
            self.put(&mut it, self.layout.lane(site), code);
        }
        for owner in self.rules.ruleset.all_players() {
            for kind in (0..self.rules.n_kinds() as u16).map(PieceKind) {
                let count = state.hand(owner, kind).min(u32::from(u16::MAX));
                it.hands[self.hand_slot(owner, kind)] = count as u16;
            }
        }
        for &(owner, kind) in state.taken() {
            it.taken |= 1 << self.hand_slot(owner, kind);
        }
        let lane = |site: Option<Site>| site.map_or(NOWHERE, |it| self.layout.lane(it) as u16);
        self.set_last(&mut it, lane(state.last_from()), lane(state.last_to()));
        self.find_joined(&mut it);
        it
    }

    #[inline]
    pub fn set_last(&self, it: &mut FastState<W>, from: u16, to: u16) {
        it.last_from = from;
        it.last_to = to;
        if self.rules.uses_last() {
            let one = |lane: u16| {
                if lane == NOWHERE { Bits::NONE } else { Bits::only(lane as usize) }
            };
            it.sets[LAST_FROM] = one(from);
            it.sets[LAST_TO] = one(to);
        }
    }

    /// Makes a state of this game equal to another, without what never changes.
    #[inline]
    pub fn copy(&self, to: &mut FastState<W>, from: &FastState<W>) {
        // By eight, which needs no call.
        let n = self.pieces.n_sets.div_ceil(8);
        let (to_sets, from_sets) = (to.sets.as_chunks_mut::<8>().0, from.sets.as_chunks::<8>().0);
        for (to, from) in to_sets.iter_mut().zip(from_sets).take(n) {
            *to = *from;
        }
        to.cells = from.cells;
        if self.uses_hands {
            to.hands = from.hands;
        }
        let &FastState { hash, turn, last_from, last_to, going_on, .. } = from;
        let &FastState { since, is_fresh, gain, taken, decided, .. } = from;
        (to.hash, to.turn, to.last_from, to.last_to) = (hash, turn, last_from, last_to);
        (to.going_on, to.since, to.is_fresh) = (going_on, since, is_fresh);
        (to.gain, to.taken, to.decided) = (gain, taken, decided);
    }

    /// Fills the sets that depend on whose pieces move.
    #[inline]
    pub fn look_as(&self, it: &mut FastState<W>, owner: Player) {
        let friends = it.sets[self.owner_set(owner)];
        it.sets[FRIEND] = friends;
        let others = self.layout.all & !it.sets[EMPTY] & !friends;
        it.sets[ENEMY] = others;
        if self.pieces.uses_near_enemy {
            it.sets[NEAR_ENEMY] = self.near(others);
        }
        if self.pieces.has_neutrals {
            it.sets[NEUTRAL] = Bits::NONE;
            for (idx, player) in self.rules.ruleset.players.iter().enumerate() {
                if player.is_neutral {
                    let theirs = it.sets[self.pieces.first_owner + idx];
                    it.sets[NEUTRAL] |= theirs;
                }
            }
        }
        if !self.blocks.uniforms.is_empty() {
            it.sets[UNIFORM] = self.blocks.uniforms.answers(&it.sets);
        }
    }

    /// The lanes with a link to one of a set.
    fn near(&self, set: Bits<W>) -> Bits<W> {
        let mut out = Bits::NONE;
        for stride in self.layout.all_strides() {
            let by = stride.delta.rem_euclid(64 * W as i32) as u16;
            out |= set.ahead(by) & stride.lanes;
        }
        out
    }
}
