//! What a turn of a preset changes on the board, worked out from the board before and after it.
//! Moves of compiled rules tell it themselves.

use boardwright_game::Site;
use boardwright_play::VisibleEffect;
use boardwright_preset::Game;
use rustc_hash::FxHashMap;

use crate::{
    game_rules::Script,
    scripted::{self, site},
};

/// The sites that an effect is about, the one it begins at first.
pub(crate) fn sites(effect: &VisibleEffect) -> Vec<Site> {
    match *effect {
        VisibleEffect::Walk { from, to } | VisibleEffect::Copy { from, to } => vec![from, to],
        VisibleEffect::Appear { site, .. }
        | VisibleEffect::Become { site, .. }
        | VisibleEffect::Capture { site } => vec![site],
    }
}

/// What a turn of a preset changed, from the boards before and after it.
pub(crate) fn of_turn(script: &Script, before: &Game, after: &Game) -> Vec<VisibleEffect> {
    let board = before.preset().board();
    let changed = board.all().filter(|&it| before.piece(it) != after.piece(it));
    let changed: FxHashMap<Site, Option<&str>> =
        changed.map(|it| (site(it), after.piece(it))).collect();
    let text = after.turns().last().map_or("", |it| it.text.as_str());
    let first = text.split(';').next().unwrap_or("");
    let ends = first.rsplit_once('-').and_then(|(from, to)| {
        let from = board.space(from.split_whitespace().last()?)?;
        Some((site(from), site(board.space(to.trim())?)))
    });
    of_changes(script, before, ends, &changed)
}

/// Changes of labels as movements where a label goes from one site to another. `main` is the
/// movement that the turn itself names; it comes first.
pub(crate) fn of_changes(
    script: &Script,
    before: &Game,
    main: Option<(Site, Site)>,
    after: &FxHashMap<Site, Option<&str>>,
) -> Vec<VisibleEffect> {
    let mut sites: Vec<Site> = after.keys().copied().collect();
    sites.sort_unstable();
    let was = |site: Site| scripted::space(script, site).and_then(|it| before.piece(it));
    let is = |site: Site| match after.get(&site) {
        Some(label) => *label,
        None => was(site),
    };
    let mut left: Vec<Site> = sites.iter().copied().filter(|&it| was(it).is_some()).collect();
    let mut effects = Vec::new();
    let (main_sites, others): (Vec<Site>, Vec<Site>) =
        sites.iter().partition(|&&it| main.is_some_and(|main| main.1 == it));
    for site in main_sites.into_iter().chain(others) {
        let Some(label) = is(site) else { continue };
        let piece = script.labels.piece_or_other(label);
        if let Some((from, to)) = main.filter(|it| it.1 == site && left.contains(&it.0)) {
            left.retain(|&it| it != from);
            effects.push(VisibleEffect::Walk { from, to });
            if let Some((player, kind)) = piece.filter(|_| was(from) != Some(label)) {
                effects.push(VisibleEffect::Become { site: to, kind, player });
            }
        } else if let Some(at) = left.iter().position(|&it| was(it) == Some(label)) {
            effects.push(VisibleEffect::Walk { from: left.remove(at), to: site });
        } else if let Some((player, kind)) = piece {
            effects.push(match was(site) {
                Some(_) => VisibleEffect::Become { site, kind, player },
                None => VisibleEffect::Appear { player, kind, site },
            });
        }
    }
    let gone = left.into_iter().filter(|&it| is(it).is_none());
    effects.extend(gone.map(|site| VisibleEffect::Capture { site }));
    effects
}
