//! What "maximal captures 2" counts a piece for.
//!
//! The original's values rest on how many moves a piece has. Ours do as well: the
//! moves of a lone piece, summed over all sites. Decision `capture-values`.

use boardwright_game::{BlockKind, PieceKind, Player};

use crate::{
    draft::Offer,
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
    // A piece whose code never ends is as good as any.
    kinds.map(|kind| 1 + n_moves(rules, owner, kind).unwrap_or(0)).collect()
}

fn n_moves(rules: &Rules, owner: Player, kind: PieceKind) -> Result<u64, Halt> {
    let board = &rules.ruleset.board;
    let info = &rules.ruleset.pieces[kind.idx()];
    let mut placement = Placement::new(board.n_sites(), rules.n_players(), rules.n_kinds());
    let (mut walker, mut prober) = (Walker::default(), Walker::default());
    let mut fuel = Halt::TOTAL_FUEL;
    let mut count = Count(0);
    for site in board.all_sites() {
        placement.set(site, cell_of(owner, kind), info.default_attributes);
        let mut ctx = Ctx {
            rules,
            placement: &mut placement,
            hands: &[],
            last_from: None,
            last_to: None,
            owner,
            prober: Some(&mut prober),
            fuel: &mut fuel,
        };
        walker.begin_pass(rules);
        for block in info.blocks.iter().filter(|it| it.kind == BlockKind::Move) {
            vm::run(&mut ctx, &mut walker, kind, block, site, &mut count)?;
        }
        placement.set(site, 0, 0);
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
