//! Facts about moves and goals, for those who show a game.
//!
//! A page, a picture or a list of moves must say what a move does and where a game is won.
//! Both are rules of play, so they are answered here and nowhere else.

use boardwright_game::{EndCondition, GoalKind, PieceKind, Player, Site, Verdict};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use crate::{
    goals::sites_of,
    mv::{Effect, Move},
    reason::movers,
    rules::{Rules, any_goal},
    state::State,
};

/// One visible change of the board, with the pieces named.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum VisibleEffect {
    /// A piece moves.
    Walk {
        /// The site it leaves.
        from: Site,
        /// The site it arrives on.
        to: Site,
    },
    /// A copy of a piece appears.
    Copy {
        /// The site of the piece that is copied.
        from: Site,
        /// The site of the copy.
        to: Site,
    },
    /// A piece appears from a hand or from nowhere.
    Appear {
        /// Its owner.
        player: Player,
        /// Its kind.
        kind: PieceKind,
        /// The site it appears on.
        site: Site,
    },
    /// A piece changes its kind or its owner.
    Become {
        /// Its owner afterwards.
        player: Player,
        /// Its kind afterwards.
        kind: PieceKind,
        /// The site it stands on.
        site: Site,
    },
    /// A piece is removed.
    Capture {
        /// The site it stood on.
        site: Site,
    },
}

impl State {
    /// What a move changes on the board, in the order in which it is done.
    ///
    /// Each effect names the piece as the effects before it left it: a piece that is
    /// promoted and then flipped becomes the new kind first and changes its owner then.
    pub fn visible_effects(&self, mv: &Move) -> Vec<VisibleEffect> {
        let owner = self.turn().map_or(Player(0), |it| it.owner);
        let mut board =
            Overlay { state: self, changed: SmallVec::new(), by_site: FxHashMap::default() };
        let mut seen = Vec::with_capacity(mv.effects.len());

        // 1. The movements, all from the board as it was.
        for movement in mv.movements() {
            seen.push(match *movement {
                Effect::Copy { from, to } => VisibleEffect::Copy { from, to },
                Effect::Drop { kind, to } => {
                    VisibleEffect::Appear { player: owner, kind, site: to }
                }
                Effect::Walk { from, to } => VisibleEffect::Walk { from, to },
                _ => continue,
            });
        }
        for movement in mv.movements() {
            if let Effect::Walk { from, .. } = *movement {
                board.put(from, None);
            }
        }
        for movement in mv.movements() {
            let before = |site: Site| self.placement().get(site).map(|it| (it.owner, it.kind));
            match *movement {
                Effect::Walk { from, to } => board.put(to, before(from)),
                // Decision `copy-owner`.
                Effect::Copy { from, to } if from != to => {
                    board.put(to, before(from).map(|(_, kind)| (owner, kind)));
                }
                Effect::Drop { kind, to } => board.put(to, Some((owner, kind))),
                _ => {}
            }
        }

        // 2. The promotion, then changes and captures: decisions `effects-order` and
        //    `promotion-first`.
        if let Some(kind) = mv.promotion()
            && let Some(site) = mv.movements().last().and_then(Effect::arrives)
        {
            seen.extend(board.becomes(site, |player, _| (player, kind)));
        }
        for effect in &mv.effects {
            match *effect {
                Effect::Create { player, kind, site } => {
                    board.put(site, Some((player, kind)));
                    seen.push(VisibleEffect::Appear { player, kind, site });
                }
                Effect::TurnInto { kind, site } => {
                    seen.extend(board.becomes(site, |player, _| (player, kind)));
                }
                Effect::GiveTo { player, site } => {
                    seen.extend(board.becomes(site, |_, kind| (player, kind)));
                }
                Effect::Flip { site } => {
                    let rules = &self.rules;
                    seen.extend(board.becomes(site, |player, kind| (rules.flipped(player), kind)));
                }
                Effect::Capture { site } => {
                    board.put(site, None);
                    seen.push(VisibleEffect::Capture { site });
                }
                Effect::Walk { .. }
                | Effect::Copy { .. }
                | Effect::Drop { .. }
                | Effect::Set { .. }
                | Effect::Promote { .. } => {}
            }
        }
        seen
    }

    /// The sites whose pieces a move removes, ascending: those it captures, and those on
    /// which another piece arrives.
    pub fn captured_sites(&self, mv: &Move) -> Vec<Site> {
        let movements = mv.movements();
        let left: FxHashSet<Site> = match movements {
            // Nearly every move; a piece that does not move on displaces nothing else.
            [_] => FxHashSet::default(),
            _ => movements.iter().filter_map(Effect::leaves).collect(),
        };
        let leaves = |site: Site| left.contains(&site);
        let displaced = movements.iter().filter_map(|it| match *it {
            Effect::Walk { from, to } if from == to => None,
            it => it.arrives().filter(|&to| !self.placement().is_empty(to) && !leaves(to)),
        });
        let mut sites: Vec<Site> = displaced.chain(mv.captures()).collect();
        sites.sort_unstable();
        sites.dedup();
        sites
    }

    /// The kind of piece that a move puts on the board without moving one: a drop, or the
    /// copy of a piece.
    pub fn dropped_kind(&self, mv: &Move) -> Option<PieceKind> {
        match *mv.effects.first()? {
            Effect::Drop { kind, .. } => Some(kind),
            Effect::Copy { from, .. } => self.placement().get(from).map(|it| it.kind),
            _ => None,
        }
    }
}

impl Move {
    /// The kind that the piece of the key movement becomes, by `(add Queen)` or by
    /// `change-type`.
    pub fn becomes(&self) -> Option<PieceKind> {
        let (_, to) = self.key_sites();
        let turns_into = self.effects.iter().find_map(|it| match *it {
            Effect::TurnInto { kind, site } if Some(site) == to => Some(kind),
            _ => None,
        });
        self.promotion().or(turns_into)
    }
}

/// A site that a move has changed, with the owner and kind of the piece on it since.
type Changed = (Site, Option<(Player, PieceKind)>);

/// The pieces of a state with the changes of a move so far.
struct Overlay<'a> {
    state: &'a State,
    /// The first few changes, latest last.
    changed: SmallVec<[Changed; 16]>,
    /// All changes, once they are too many to go through each time.
    by_site: FxHashMap<Site, Option<(Player, PieceKind)>>,
}

impl Overlay<'_> {
    fn get(&self, site: Site) -> Option<(Player, PieceKind)> {
        let known = match self.by_site.is_empty() {
            true => self.changed.iter().rev().find(|it| it.0 == site).map(|it| it.1),
            false => self.by_site.get(&site).copied(),
        };
        match known {
            Some(piece) => piece,
            None => self.state.placement().get(site).map(|it| (it.owner, it.kind)),
        }
    }

    fn put(&mut self, site: Site, piece: Option<(Player, PieceKind)>) {
        if self.changed.len() < self.changed.inline_size() {
            return self.changed.push((site, piece));
        }
        if self.by_site.is_empty() {
            self.by_site.extend(self.changed.iter().copied());
        }
        self.by_site.insert(site, piece);
    }

    /// Changes the piece on a site, if there is one.
    fn becomes(
        &mut self,
        site: Site,
        change: impl FnOnce(Player, PieceKind) -> (Player, PieceKind),
    ) -> Option<VisibleEffect> {
        let (player, kind) = self.get(site)?;
        let (player, kind) = change(player, kind);
        self.put(site, Some((player, kind)));
        Some(VisibleEffect::Become { player, kind, site })
    }
}

/// The sites that an end condition names, for each player it is tested for.
///
/// Only places count that the rules name: those of `absolute-config` and `connected`.
/// Players for whom there are none are left out.
pub fn goal_sites(rules: &Rules, condition: &EndCondition) -> Vec<(Player, Vec<Site>)> {
    let players = condition.players.clone().unwrap_or_else(|| movers(&rules.ruleset));
    let sites_for = |player: Player| {
        let mut sites: Vec<Site> = Vec::new();
        any_goal(&condition.goal, &mut |goal| {
            let places = match &goal.kind {
                GoalKind::AbsoluteConfig(_, places) => &places[..],
                GoalKind::Connected(_, places) => &places[..],
                _ => &[],
            };
            sites.extend(places.iter().flat_map(|&it| {
                let found = sites_of(rules, it, player);
                found.iter().collect::<Vec<_>>()
            }));
            false
        });
        sites.sort_unstable();
        sites.dedup();
        sites
    };
    let all = players.into_iter().map(|it| (it, sites_for(it)));
    all.filter(|(_, sites)| !sites.is_empty()).collect()
}

/// The sites that players of a game should see as goals, ascending: those of its win
/// conditions, if the rules ask for highlighted goals or the game is for one player.
///
/// None are highlighted where that would be most of the board, since marks on nearly every
/// site tell nothing.
pub fn highlighted_goals(rules: &Rules) -> Vec<Site> {
    let ruleset = &rules.ruleset;
    let n_active = ruleset.players.iter().filter(|it| !it.is_neutral && !it.is_random).count();
    if !ruleset.options.highlight_goals.unwrap_or(n_active == 1) {
        return Vec::new();
    }
    let wins = ruleset.end_conditions.iter().filter(|it| it.verdict == Verdict::Win);
    let sites = wins.flat_map(|it| goal_sites(rules, it)).flat_map(|(_, sites)| sites);
    let mut sites: Vec<Site> = sites.collect();
    sites.sort_unstable();
    sites.dedup();
    if sites.len() * 2 > ruleset.board.n_sites() {
        sites.clear();
    }
    sites
}
