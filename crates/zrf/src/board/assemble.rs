//! The finished board: sites renumbered, links and opposites in tables.

use std::sync::Arc;

use boardwright_game::{Board, Direction, DirectionInfo, Site, ZoneInfo};
use rustc_hash::FxHashSet;

use super::{Builder, BuiltBoard};
use crate::{expand::Item, symbol::Symbol};

/// Renumbers the sites without the killed ones and fills the tables.
pub(super) fn assemble(builder: Builder<'_>, item: &Item) -> BuiltBoard {
    let killed: FxHashSet<Symbol> = builder.killed.iter().copied().collect();
    let mut renumbered: Vec<Option<Site>> = Vec::with_capacity(builder.sites.len());
    let mut sites = Vec::new();
    let mut infos = Vec::new();
    for (symbol, info) in builder.sites {
        let kept = !killed.contains(&symbol);
        renumbered.push(kept.then_some(Site(sites.len() as u16)));
        if kept {
            sites.push(symbol);
            infos.push(info);
        }
    }
    let new = |it: Site| renumbered.get(it.idx()).copied().flatten();
    let n_directions = builder.directions.len();
    let mut links = vec![u16::MAX; sites.len() * n_directions];
    for (from, direction, to) in &builder.links {
        if let (Some(from), Some(to)) = (new(*from), new(*to))
            && let Some(it) = links.get_mut(from.idx() * n_directions + direction.idx())
        {
            *it = to.0;
        }
    }
    let n_players = builder.players.values().map(|it| it.idx() + 1).max().unwrap_or(0);
    let plain: Vec<_> = (0..n_directions as u16).map(Direction).collect();
    let mut symmetry = vec![plain; n_players];
    for (player, from, to) in &builder.symmetry {
        if let Some(it) = symmetry.get_mut(player.idx()).and_then(|it| it.get_mut(from.idx())) {
            *it = *to;
        }
    }
    let zones = builder.zones.iter().map(|(symbol, span, sets)| ZoneInfo {
        name: builder.ctx.text(*symbol).to_owned(),
        sites: sets.iter().map(|set| set.iter().filter_map(new).collect()).collect(),
        span: *span,
    });
    let directions = builder
        .directions
        .iter()
        .map(|&(symbol, span)| DirectionInfo { name: builder.ctx.text(symbol).to_owned(), span });
    let mut board = Board {
        zones: zones.collect(),
        directions: directions.collect(),
        sites: infos,
        grids: builder.grids,
        images: builder.images,
        links,
        opposite: Vec::new(),
        symmetry,
        span: item.span,
    };
    board.opposite = opposites(&board, &builder.offsets);
    BuiltBoard {
        board: Arc::new(board),
        sites,
        directions: builder.directions.iter().map(|&(it, _)| it).collect(),
        zones: builder.zones.iter().map(|&(it, _, _)| it).collect(),
        killed: builder.killed,
        failed: false,
        lacks_names: builder.lacks_names,
    }
}

/// For each direction the one that undoes it: by the offsets of the grid, or
/// else the one that undoes most of its links.
fn opposites(board: &Board, offsets: &[Option<Vec<i32>>]) -> Vec<Option<Direction>> {
    let n_directions = board.n_directions();
    let all = || (0..n_directions as u16).map(Direction);
    let by_offset = |direction: Direction| {
        let wanted: Vec<i32> =
            offsets.get(direction.idx())?.as_ref()?.iter().map(|it| -it).collect();
        all().find(|it| offsets.get(it.idx()).and_then(|it| it.as_ref()) == Some(&wanted))
    };
    let mut undone = vec![0u32; n_directions];
    all()
        .map(|direction| {
            if let Some(found) = by_offset(direction) {
                return Some(found);
            }
            undone.fill(0);
            for from in board.all_sites() {
                let Some(to) = board.step(from, direction) else {
                    continue;
                };
                for back in all() {
                    if board.step(to, back) == Some(from)
                        && let Some(it) = undone.get_mut(back.idx())
                    {
                        *it += 1;
                    }
                }
            }
            let most = undone.iter().copied().max().filter(|&it| it > 0)?;
            undone.iter().position(|&it| it == most).map(|it| Direction(it as u16))
        })
        .collect()
}
