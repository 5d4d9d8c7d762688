//! Legal moves: priorities, partial moves, passing, and the safety of royal pieces.
//!
//! The order of the filters is the original's: the type that the turn asks for,
//! then priorities, then the check filter, then "maximal captures", then the pass.

mod chains;
mod obstacle;
pub(crate) mod values;

pub use obstacle::{Attempt, Obstacle};

use std::sync::Arc;

use boardwright_game::{Block, BlockKind, DropStart, Site};
use rustc_hash::FxHashMap;

use crate::{
    attack,
    draft::Offer,
    fuel::Fuel,
    goals,
    halt::Halt,
    mv::{Move, MoveList},
    notation,
    outcome::Outcome,
    placement::{cell_kind, is_owned, next_site},
    rules::Rules,
    semantics::PassOffer,
    state::{GoingOn, State},
    vm::{self, Ctx, Sink, Walker},
};

/// Buffers that a state keeps between generations; a copy begins without.
#[derive(Default)]
pub(crate) struct Scratch(Option<Box<Buffers>>);

impl Clone for Scratch {
    fn clone(&self) -> Scratch {
        Scratch::default()
    }
}

impl std::fmt::Debug for Scratch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Scratch")
    }
}

/// What one generation works with.
#[derive(Default)]
pub(crate) struct Buffers {
    walker: Walker,
    prober: Walker,
    raw: Vec<Move>,
    /// Keys of the texts in the list, with the number of the move.
    texts: FxHashMap<u64, usize>,
    royals: Vec<Site>,
    keep: Vec<bool>,
    fuel: Fuel,
    /// Steps of chains left.
    chain_steps: usize,
}

/// Runs `work` with the state's buffers and a fresh budget.
fn with_buffers<T>(
    state: &mut State,
    work: impl FnOnce(&mut State, &mut Buffers) -> Result<T, Halt>,
) -> Result<T, Halt> {
    let mut buffers = state.scratch.0.take().unwrap_or_default();
    buffers.fuel.refill(&state.stop);
    buffers.chain_steps = Halt::CHAIN_STEPS;
    let result = work(state, &mut buffers);
    state.scratch.0 = Some(buffers);
    result
}

/// Fills `list` with the legal moves of a state.
pub(crate) fn generate(state: &mut State, list: &mut MoveList) -> Result<(), Halt> {
    list.clear();
    // Decision `selection-screen`.
    if state.decided.is_some() || !state.rules.is_playable {
        return Ok(());
    }
    let result = with_buffers(state, |state, buffers| legal(state, buffers, list));
    if result.is_err() {
        list.clear();
    }
    result
}

/// Whether the piece of a partial move has a way to go on.
pub(crate) fn can_go_on(state: &mut State, going_on: GoingOn) -> Result<bool, Halt> {
    with_buffers(state, |state, buffers| {
        let mut first = First(false);
        run_blocks(state, buffers, Some(going_on), &mut first)?;
        Ok(first.0)
    })
}

/// The outcome for a mover who is known to have no legal move.
pub(crate) fn outcome_when_stuck(state: &mut State) -> Result<Option<Outcome>, Halt> {
    let attacked = with_buffers(state, chains::attacked_royals)?;
    Ok(goals::when_stuck(state, &attacked))
}

/// Whether the next player could take a royal piece of the mover's.
pub(crate) fn is_in_check(state: &mut State) -> Result<bool, Halt> {
    Ok(!with_buffers(state, chains::attacked_royals)?.is_empty())
}

fn legal(state: &mut State, buffers: &mut Buffers, list: &mut MoveList) -> Result<(), Halt> {
    real_moves(state, buffers, list)?;
    if may_pass(state, buffers, list)? && chains::is_safe_after(state, buffers, &Move::pass(), 0)? {
        list.push(Move::pass());
    }
    Ok(())
}

/// The legal moves but for the pass.
fn real_moves(state: &mut State, buffers: &mut Buffers, list: &mut MoveList) -> Result<(), Halt> {
    let rules = Arc::clone(&state.rules);
    let going_on = state.going_on;

    // 1. What the blocks generate, the type of the turn respected.
    let mut raw = std::mem::take(&mut buffers.raw);
    raw.clear();
    let generated =
        run_blocks(state, buffers, going_on, &mut Collect { moves: &mut raw, n_effects: 0 });

    // 2. The most urgent class; a continuation knows no priorities
    //    (decision `priorities-in-continuations`).
    if going_on.is_none() && !rules.ruleset.priorities.is_empty() {
        let best = raw.iter().map(|it| rules.rank(it.move_type)).min().unwrap_or(0);
        raw.retain(|it| rules.rank(it.move_type) == best);
    }

    // 3. Each text once.
    list_texts_once(state, &mut raw, &mut buffers.texts, list);
    buffers.raw = raw;
    generated?;

    // 4. Safety, then the longest chains.
    let all_partial = list.iter().all(|it| it.partial.is_some());
    chains::keep_safe(state, buffers, list)?;
    chains::keep_maximal(state, buffers, list, all_partial)
}

/// Whether the rules offer a pass, the safety of royal pieces aside.
fn may_pass(state: &mut State, buffers: &mut Buffers, list: &MoveList) -> Result<bool, Halt> {
    match state.rules.pass_offer(state.going_on.is_some()) {
        PassOffer::Never => Ok(false),
        PassOffer::Always => Ok(true),
        PassOffer::IfStuck => Ok(list.is_empty() && can_anybody_move(state, buffers)?),
    }
}

/// Whether somebody could do more than pass within a whole round of passes.
///
/// If not the game would never end: decision `pass-deadlock`.
fn can_anybody_move(state: &mut State, buffers: &mut Buffers) -> Result<bool, Halt> {
    let n_turns = state.rules.n_turns_of_passes(state.turn);
    let (turn, last_from, last_to) = (state.turn, state.last_from, state.last_to);
    let mut list = MoveList::new();
    let mut result = Ok(false);
    for _ in 0..n_turns {
        state.turn = state.rules.ruleset.turn_order.next(state.turn);
        state.pass();
        result = real_moves(state, buffers, &mut list).map(|()| !list.is_empty());
        if result != Ok(false) {
            break;
        }
    }
    (state.turn, state.last_from, state.last_to) = (turn, last_from, last_to);
    result
}

fn list_texts_once(
    state: &State,
    raw: &mut Vec<Move>,
    texts: &mut FxHashMap<u64, usize>,
    list: &mut MoveList,
) {
    texts.clear();
    for mv in raw.drain(..) {
        let key = notation::text_key(state, &mv);
        match texts.get(&key) {
            Some(&idx) if list.get(idx).is_some_and(|it| notation::same_text(state, it, &mv)) => {
                list.again(idx);
            }
            _ => {
                texts.insert(key, list.len());
                list.push(mv);
            }
        }
    }
}

/// Runs every block that may make a move now, or the continuation of one piece.
fn run_blocks<S: Sink>(
    state: &mut State,
    buffers: &mut Buffers,
    going_on: Option<GoingOn>,
    sink: &mut S,
) -> Result<(), Halt> {
    let Some(&turn) = state.turn() else {
        return Ok(());
    };
    let State { rules, placement, hands, last_from, last_to, .. } = state;
    let rules: &Rules = rules;
    let Buffers { walker, prober, fuel, .. } = buffers;
    let mut ctx = Ctx {
        rules,
        placement,
        hands,
        last_from: *last_from,
        last_to: *last_to,
        owner: turn.owner,
        prober: Some(prober),
        fuel,
    };
    walker.begin_pass(rules);
    // Decision `turn-type-before-priorities`.
    let wanted = going_on.map_or(turn.move_type, |it| it.move_type);
    let fits = |block: &Block, kind: BlockKind| {
        block.kind == kind && (wanted.is_none() || block.move_type == wanted)
    };
    let mut run_piece = |ctx: &mut Ctx<'_>, site: Site| -> Result<bool, Halt> {
        let kind = cell_kind(ctx.placement.cell(site));
        for block in &rules.ruleset.pieces[kind.idx()].blocks {
            if fits(block, BlockKind::Move) && !vm::run(ctx, walker, kind, block, site, sink)? {
                return Ok(false);
            }
        }
        Ok(true)
    };

    // 1. A continuation: one piece, moves only.
    if let Some(GoingOn { site, .. }) = going_on {
        if is_owned(ctx.placement.cell(site), turn.owner) {
            run_piece(&mut ctx, site)?;
        }
        return Ok(());
    }

    // 2. All pieces of the owner, in the order of the sites.
    for word in 0..ctx.placement.n_words() {
        let mut rest = ctx.placement.owned_word(turn.owner, word);
        while let Some(site) = next_site(&mut rest, word) {
            if !run_piece(&mut ctx, site)? {
                return Ok(());
            }
        }
    }

    // 3. Drops of all kinds the owner holds, on all sites they may be tried on.
    for &(kind, drops_others) in &rules.droppers {
        if ctx.hand(turn.owner, kind) == 0 && !drops_others {
            continue;
        }
        for block in &rules.ruleset.pieces[kind.idx()].blocks {
            if fits(block, BlockKind::Drop)
                && !drop_everywhere(&mut ctx, walker, kind, block, sink)?
            {
                return Ok(());
            }
        }
    }
    Ok(())
}

fn drop_everywhere<S: Sink>(
    ctx: &mut Ctx<'_>,
    walker: &mut Walker,
    kind: boardwright_game::PieceKind,
    block: &Block,
    sink: &mut S,
) -> Result<bool, Halt> {
    let rules = ctx.rules;
    let board = &rules.ruleset.board;
    match block.start {
        DropStart::Site(site) => vm::run(ctx, walker, kind, block, site, sink),
        DropStart::Anywhere => {
            for site in board.all_sites() {
                if !vm::run(ctx, walker, kind, block, site, sink)? {
                    return Ok(false);
                }
            }
            Ok(true)
        }
        DropStart::Zone(zone) => {
            for site in board.zone_sites(zone, ctx.owner).into_iter().flat_map(|it| it.iter()) {
                if !vm::run(ctx, walker, kind, block, site, sink)? {
                    return Ok(false);
                }
            }
            Ok(true)
        }
    }
}

/// Whether the next turn could remove a piece of the owner's that `is_royal`.
///
/// Not so if there is none, or if the owner moves again: decisions
/// `check-next-player`, `check-double-move` and `check-without-royal`.
fn can_next_remove(
    state: &mut State,
    buffers: &mut Buffers,
    is_royal: impl Fn(boardwright_game::PieceKind) -> bool,
) -> Result<bool, Halt> {
    let Some(&turn) = state.turn() else {
        return Ok(false);
    };
    let State { rules, placement, hands, last_from, last_to, .. } = state;
    let rules: &Rules = rules;
    let owner = turn.owner;
    let next_idx = rules.ruleset.turn_order.next(state.turn);
    let Some(&next) = rules.turn(next_idx) else {
        return Ok(false);
    };
    if next.owner == owner || next.mover == owner {
        return Ok(false);
    }
    let Buffers { prober, royals, fuel, .. } = buffers;
    royals.clear();
    royals.extend(placement.owned(owner).filter(|&it| is_royal(cell_kind(placement.cell(it)))));
    if royals.is_empty() {
        return Ok(false);
    }
    let mut ctx = Ctx {
        rules,
        placement,
        hands,
        last_from: *last_from,
        last_to: *last_to,
        owner: next.owner,
        prober: None,
        fuel,
    };
    attack::can_remove(&mut ctx, prober, royals, next.move_type)
}

/// Gathers moves, within limits.
struct Collect<'a> {
    moves: &'a mut Vec<Move>,
    n_effects: usize,
}

impl Sink for Collect<'_> {
    fn add(&mut self, ctx: &mut Ctx<'_>, offer: &Offer<'_>) -> Result<bool, Halt> {
        let promote = &offer.form.promote;
        if promote.is_empty() {
            self.take(offer.build(ctx, None))?;
        } else {
            for &kind in promote {
                self.take(offer.build(ctx, Some(kind)))?;
            }
        }
        Ok(true)
    }
}

impl Collect<'_> {
    fn take(&mut self, mv: Option<Move>) -> Result<(), Halt> {
        if let Some(mv) = mv {
            self.n_effects += mv.effects.len();
            self.moves.push(mv);
            if self.moves.len() > Halt::MOVES || self.n_effects > Halt::LIST_EFFECTS {
                return Err(Halt::TooManyMoves);
            }
        }
        Ok(())
    }
}

/// Stops at the first move.
struct First(bool);

impl Sink for First {
    fn add(&mut self, ctx: &mut Ctx<'_>, offer: &Offer<'_>) -> Result<bool, Halt> {
        let promote = &offer.form.promote;
        self.0 = if promote.is_empty() {
            offer.build(ctx, None).is_some()
        } else {
            promote.iter().any(|&kind| offer.build(ctx, Some(kind)).is_some())
        };
        Ok(!self.0)
    }
}
