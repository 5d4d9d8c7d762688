//! What "maximal captures 2" counts a piece for.
//!
//! The original's values rest on how many moves a piece has. Ours do as well: the
//! moves of a lone piece, summed over all sites. Decision `capture-values`.

use boardwright_game::{BlockKind, PieceKind, Player};
use boardwright_text::StopSignal;

use crate::{
    draft::Offer,
    fuel::Fuel,
    halt::Halt,
    placement::{Placement, cell_of},
    rules::Rules,
    vm::{self, Ctx, Sink, Walker},
};

/// By kind: its worth, at least one. Worked out at the first call.
pub(crate) fn of(rules: &Rules) -> &[u64] {
    rules.values.get_or_init(|| worked_out(rules))
}

fn worked_out(rules: &Rules) -> Vec<u64> {
    let is_active = |it: &Player| !rules.ruleset.players[it.idx()].is_neutral;
    let Some(owner) = rules.ruleset.all_players().find(is_active) else {
        return Vec::new();
    };
    let kinds = (0..rules.n_kinds() as u16).map(PieceKind);
    let n_sites = rules.ruleset.board.n_sites();
    let mut placement = Placement::new(n_sites, rules.n_players(), rules.n_kinds());
    // One budget for all kinds: there may be thousands.
    let mut fuel = Fuel::full(&StopSignal::default());
    // A piece whose code never ends is as good as any.
    let mut worth = |kind| n_moves(rules, owner, kind, &mut placement, &mut fuel).unwrap_or(0);
    kinds.map(|kind| 1 + worth(kind)).collect()
}

/// The moves of a lone piece of a kind, summed over all sites of an empty board.
fn n_moves(
    rules: &Rules,
    owner: Player,
    kind: PieceKind,
    placement: &mut Placement,
    fuel: &mut Fuel,
) -> Result<u64, Halt> {
    let board = &rules.ruleset.board;
    let info = &rules.ruleset.pieces[kind.idx()];
    let (mut walker, mut prober) = (Walker::default(), Walker::default());
    let mut count = Count(0);
    fuel.check()?;
    for site in board.all_sites() {
        placement.set(site, cell_of(owner, kind), info.default_attributes);
        let mut ctx = Ctx {
            rules,
            placement: &mut *placement,
            hands: &[],
            last_from: None,
            last_to: None,
            owner,
            prober: Some(&mut prober),
            fuel: &mut *fuel,
        };
        walker.begin_pass(rules);
        let mut blocks = info.blocks.iter().filter(|it| it.kind == BlockKind::Move);
        let ran = blocks.try_for_each(|block| {
            vm::run(&mut ctx, &mut walker, kind, block, site, &mut count).map(|_| ())
        });
        placement.set(site, 0, 0);
        ran?;
    }
    Ok(count.0)
}

struct Count(u64);

impl Sink for Count {
    fn add(&mut self, ctx: &mut Ctx<'_>, offer: &Offer<'_>) -> Result<bool, Halt> {
        self.0 += u64::from(offer.build(ctx, None).is_some());
        Ok(true)
    }
}
