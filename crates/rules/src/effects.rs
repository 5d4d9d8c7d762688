//! What a move changes on the board, as it can be shown: for animation, previews and clicks.

use boardwright_game::{PieceKind, Player, Site};
use boardwright_play::{Effect, Move, State};
use boardwright_preset::Game;
use rustc_hash::FxHashMap;

use crate::{
    game_rules::Script,
    scripted::{self, site},
};

/// One change on the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum VisibleEffect {
    /// A piece goes from one site to another.
    Walk {
        /// Where it stood.
        from: Site,
        /// Where it stands now.
        to: Site,
    },
    /// A piece of the same kind appears elsewhere.
    Copy {
        /// Where the original stands.
        from: Site,
        /// Where the copy stands.
        to: Site,
    },
    /// A piece appears.
    Drop {
        /// Its kind.
        kind: PieceKind,
        /// Its owner.
        player: Player,
        /// Where it stands.
        to: Site,
    },
    /// A piece changes kind or owner.
    Become {
        /// Where it stands.
        site: Site,
        /// Its kind from now on.
        kind: PieceKind,
        /// Its owner from now on.
        player: Player,
    },
    /// A piece is removed.
    Capture {
        /// Where it stood.
        site: Site,
    },
}

impl VisibleEffect {
    /// The sites that it is about, the one it begins at first.
    pub fn sites(&self) -> Vec<Site> {
        match *self {
            VisibleEffect::Walk { from, to } | VisibleEffect::Copy { from, to } => vec![from, to],
            VisibleEffect::Drop { to, .. } => vec![to],
            VisibleEffect::Become { site, .. } | VisibleEffect::Capture { site } => vec![site],
        }
    }
}

/// What a move of compiled rules changes.
pub(crate) fn of_move(state: &State, mv: &Move) -> Vec<VisibleEffect> {
    let owner = state.turn().map_or(Player(0), |it| it.owner);
    let placement = state.placement();
    let arrival = mv.movements().last().and_then(Effect::arrives);
    // What stands on a site after the movements.
    let after = |site: Site| {
        let moved = mv.movements().iter().rev().find_map(|it| match *it {
            Effect::Walk { from, to } if to == site => {
                placement.get(from).map(|it| (it.owner, it.kind))
            }
            Effect::Copy { from, to } if to == site => {
                placement.get(from).map(|it| (owner, it.kind))
            }
            Effect::Drop { kind, to } if to == site => Some((owner, kind)),
            _ => None,
        });
        moved.or_else(|| placement.get(site).map(|it| (it.owner, it.kind)))
    };
    let becomes = |site: Site, kind: Option<PieceKind>, player: Option<Player>| {
        let (was_owner, was_kind) = after(site)?;
        let (kind, player) = (kind.unwrap_or(was_kind), player.unwrap_or(was_owner));
        Some(VisibleEffect::Become { site, kind, player })
    };
    let shown = |effect: &Effect| match *effect {
        Effect::Walk { from, to } => Some(VisibleEffect::Walk { from, to }),
        Effect::Copy { from, to } => Some(VisibleEffect::Copy { from, to }),
        Effect::Drop { kind, to } => Some(VisibleEffect::Drop { kind, to, player: owner }),
        Effect::Create { player, kind, site } => {
            Some(VisibleEffect::Drop { kind, to: site, player })
        }
        Effect::TurnInto { kind, site } => becomes(site, Some(kind), None),
        Effect::GiveTo { player, site } => becomes(site, None, Some(player)),
        Effect::Flip { site } => {
            let flipped = after(site).map(|it| state.rules().flipped(it.0));
            becomes(site, None, flipped)
        }
        Effect::Capture { site } => Some(VisibleEffect::Capture { site }),
        Effect::Promote { kind } => arrival.and_then(|it| becomes(it, Some(kind), None)),
        Effect::Set { .. } => None,
    };
    mv.effects.iter().filter_map(shown).collect()
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
                None => VisibleEffect::Drop { kind, to: site, player },
            });
        }
    }
    let gone = left.into_iter().filter(|&it| is(it).is_none());
    effects.extend(gone.map(|site| VisibleEffect::Capture { site }));
    effects
}
