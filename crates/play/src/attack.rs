//! Whether a piece could be removed: `attacked?`, `defended?`, and check.
//!
//! A probe runs the move blocks of some player and stops at the first move that
//! removes a piece from one of the target sites. Priorities, types of turns and
//! the attacker's own safety do not count; drops do not, nor continuations.

use boardwright_game::{BlockKind, MoveType, PieceKind, Player, Site};

use crate::{
    draft::Offer,
    halt::Halt,
    placement::{EMPTY, cell_kind, cell_of, is_owned, next_site},
    vm::{self, Ctx, Sink, Walker},
};

/// `attacked?`: whether another player could remove a friendly piece from `site`.
///
/// Where none stands, one of the `kind` whose code runs is put there meanwhile.
pub(crate) fn is_attacked(
    ctx: &mut Ctx<'_>,
    kind: PieceKind,
    site: Site,
    move_type: Option<MoveType>,
) -> Result<bool, Halt> {
    let owner = ctx.owner;
    let stand_in = (!is_owned(ctx.placement.cell(site), owner)).then_some(owner);
    let attackers = active_players(ctx).filter(|&it| it != owner);
    probe(ctx, kind, site, move_type, stand_in, attackers)
}

/// `defended?`: whether a friend could remove an enemy piece from `site`.
///
/// Where none stands, one of the `kind` whose code runs is put there meanwhile:
/// decision `defended-stand-in`.
pub(crate) fn is_defended(
    ctx: &mut Ctx<'_>,
    kind: PieceKind,
    site: Site,
    move_type: Option<MoveType>,
) -> Result<bool, Halt> {
    let owner = ctx.owner;
    let cell = ctx.placement.cell(site);
    let needs_one = cell == EMPTY || is_owned(cell, owner);
    let enemy = active_players(ctx).find(|&it| it != owner).unwrap_or(owner);
    probe(ctx, kind, site, move_type, needs_one.then_some(enemy), [owner])
}

/// The players that have turns.
fn active_players<'a>(ctx: &Ctx<'a>) -> impl Iterator<Item = Player> + use<'a> {
    let players = &ctx.rules.ruleset.players;
    ctx.rules.ruleset.all_players().filter(|it| !players[it.idx()].is_neutral)
}

fn probe(
    ctx: &mut Ctx<'_>,
    kind: PieceKind,
    site: Site,
    move_type: Option<MoveType>,
    stand_in: Option<Player>,
    attackers: impl IntoIterator<Item = Player>,
) -> Result<bool, Halt> {
    let Some(prober) = ctx.prober.take() else {
        return Ok(false);
    };
    let owner = ctx.owner;
    let (cell, attributes) = (ctx.placement.cell(site), ctx.placement.attributes(site));
    if let Some(player) = stand_in {
        // Decision `stand-in-attributes`.
        let defaults = ctx.rules.ruleset.pieces[kind.idx()].default_attributes;
        ctx.placement.set(site, cell_of(player, kind), defaults);
    }
    let mut result = Ok(false);
    for attacker in attackers {
        ctx.owner = attacker;
        result = can_remove(ctx, prober, &[site], move_type);
        if result != Ok(false) {
            break;
        }
    }
    ctx.owner = owner;
    if stand_in.is_some() {
        ctx.placement.set(site, cell, attributes);
    }
    ctx.prober = Some(prober);
    result
}

/// Whether a move of the owner's pieces removes what stands on one of `targets`.
pub(crate) fn can_remove(
    ctx: &mut Ctx<'_>,
    walker: &mut Walker,
    targets: &[Site],
    move_type: Option<MoveType>,
) -> Result<bool, Halt> {
    let rules = ctx.rules;
    let owner = ctx.owner;
    let mut sink = Removes::new(targets);
    walker.begin_pass(rules);
    // Pieces that are passed over cost time too.
    ctx.burn(u64::from(ctx.placement.count_all(owner)) / 4);
    for word in 0..ctx.placement.n_words() {
        let mut rest = ctx.placement.owned_word(owner, word);
        while let Some(site) = next_site(&mut rest, word) {
            let kind = cell_kind(ctx.placement.cell(site));
            let may_touch = rules.reach.may_touch(rules, owner, kind, site, targets);
            if !may_touch && !cfg!(debug_assertions) {
                continue;
            }
            for block in &rules.ruleset.pieces[kind.idx()].blocks {
                let fits = move_type.is_none() || block.move_type == move_type;
                if fits && block.kind == BlockKind::Move {
                    vm::run(ctx, walker, kind, block, site, &mut sink)?;
                    if sink.found {
                        debug_assert!(may_touch, "{kind:?} on {site:?} was to be skipped");
                        return Ok(true);
                    }
                }
            }
        }
    }
    Ok(false)
}

/// Watches for a move that removes what stands on a target.
///
/// A movement that ends there counts, and a capture; a change of owner or a
/// create does not: decision `what-removes`.
pub(crate) struct Removes<'a> {
    targets: &'a [Site],
    pub found: bool,
}

impl<'a> Removes<'a> {
    pub fn new(targets: &'a [Site]) -> Removes<'a> {
        Removes { targets, found: false }
    }
}

impl Sink for Removes<'_> {
    #[inline]
    fn add(&mut self, ctx: &mut Ctx<'_>, offer: &Offer<'_>) -> Result<bool, Halt> {
        let targets = self.targets;
        let hit = offer.walks().any(|(from, to)| from != to && targets.contains(&to))
            || offer.draft.captures.iter().any(|it| targets.contains(it));
        if hit && offer.can_move(ctx, None) {
            let promote = &offer.form.promote;
            self.found = if promote.is_empty() {
                offer.can_promote(ctx, None)
            } else {
                promote.iter().any(|&it| offer.can_promote(ctx, Some(it)))
            };
        }
        Ok(!self.found)
    }
}
