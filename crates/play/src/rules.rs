//! What a ruleset implies, worked out once and shared by all its states.

use std::sync::{Arc, OnceLock};

use boardwright_game::{
    BlockKind, EndCondition, Goal, GoalKind, MoveType, Op, PieceKind, Player, Ruleset, Site,
    SiteOrZone, SiteSet, Turn, Verdict,
};
use boardwright_text::StopSignal;

use crate::reach::Reach;

/// No site, in tables of sites.
pub const NOWHERE: u16 = u16::MAX;

/// A ruleset and the tables that running it needs.
#[derive(Debug)]
pub struct Rules {
    /// The ruleset itself.
    pub ruleset: Arc<Ruleset>,
    /// Whether there is anything to play: not so for a menu of pictures.
    pub(crate) is_playable: bool,
    /// `[player * n_directions + direction]`: what the player means by a direction.
    pub(crate) seen: Vec<u16>,
    /// `[site * n_directions + direction]`: the site one step against it.
    pub(crate) back: Vec<u16>,
    /// By site: those with a link to it or from it; empty if no goal asks for chains.
    pub(crate) neighbours: Vec<Vec<Site>>,
    /// The sites that some `absolute-config` asks about.
    pub(crate) goal_sites: SiteSet,
    /// By player: the kinds that the check filter protects.
    pub(crate) royal: Vec<Vec<PieceKind>>,
    /// `[player * n_kinds + kind]`: whether some goal asks if such a piece was captured.
    watched: Vec<bool>,
    /// Numbers of the end conditions about a mover without moves.
    pub(crate) phase_two: Vec<usize>,
    /// Whether some end condition is about repetition, so that the default is off.
    pub(crate) names_repetition: bool,
    /// Whether one player alone has turns, chance aside.
    pub(crate) is_solitaire: bool,
    /// Whether any code asks for the sites of the last move.
    pub(crate) uses_last: bool,
    /// The kinds with drop blocks, and whether such a block may drop another kind.
    pub(crate) droppers: Vec<(PieceKind, bool)>,
    /// By kind, then by player: numbers that are equal exactly if the names are.
    pub(crate) kind_tokens: Vec<u32>,
    pub(crate) player_tokens: Vec<u32>,
    /// By move type: its place among the priorities; those not listed come last.
    ranks: Vec<usize>,
    /// Where each piece could ever put or remove something.
    pub(crate) reach: Reach,
    /// By kind: what "maximal captures 2" counts it for.
    pub(crate) values: OnceLock<Vec<u64>>,
    /// Ends early what takes long; see [`Rules::stopped_by`].
    pub(crate) stop: StopSignal,
}

impl Rules {
    /// Works out the tables of a ruleset.
    pub fn new(ruleset: Arc<Ruleset>) -> Rules {
        let rules = &*ruleset;
        let conditions = || rules.end_conditions.iter().enumerate();
        let waits = |it: &EndCondition| any_goal(&it.goal, &mut is_about_moves);
        let phase_two: Vec<_> =
            conditions().filter(|(_, it)| waits(it)).map(|(idx, _)| idx).collect();
        let (kind_tokens, player_tokens) = name_tokens(rules);
        Rules {
            is_playable: !rules.turn_order.turns.is_empty() && !rules.is_selection_screen(),
            seen: directions_as_seen(rules),
            back: steps_back(rules),
            neighbours: neighbours(rules),
            goal_sites: goal_sites(rules),
            royal: royal_kinds(rules),
            watched: watched_kinds(rules),
            phase_two,
            names_repetition: conditions().any(|(_, it)| {
                any_goal(&it.goal, &mut |it| matches!(it.kind, GoalKind::Repetition))
            }),
            is_solitaire: is_solitaire(rules),
            uses_last: rules.pieces.iter().any(|it| it.program.ops.iter().any(asks_for_last)),
            droppers: droppers(rules),
            kind_tokens,
            player_tokens,
            ranks: ranks(rules),
            reach: Reach::new(rules),
            values: OnceLock::new(),
            stop: StopSignal::default(),
            ruleset,
        }
    }

    /// The same with a signal that ends early what takes long, for states that begin with
    /// these rules.
    pub fn stopped_by(self, stop: StopSignal) -> Rules {
        Rules { stop, ..self }
    }

    /// How many players there are.
    pub fn n_players(&self) -> usize {
        self.ruleset.players.len()
    }

    /// How many piece kinds there are.
    pub fn n_kinds(&self) -> usize {
        self.ruleset.pieces.len()
    }

    /// The entry of the turn order with this number.
    pub(crate) fn turn(&self, idx: usize) -> Option<&Turn> {
        self.ruleset.turn_order.turns.get(idx)
    }

    /// The place of a move among the priorities; smaller is more urgent.
    pub fn rank(&self, move_type: Option<MoveType>) -> usize {
        let rank = move_type.and_then(|it| self.ranks.get(it.idx())).copied();
        rank.unwrap_or(self.ruleset.priorities.len())
    }

    /// Whether some goal asks if such a piece was captured.
    pub(crate) fn is_watched(&self, owner: Player, kind: PieceKind) -> bool {
        let idx = owner.idx() * self.n_kinds() + kind.idx();
        self.watched.get(idx).copied().unwrap_or(false)
    }

    /// Who owns a piece of `owner` after a `flip`.
    ///
    /// The next player of the list that has turns; decision `flip-players`.
    pub fn flipped(&self, owner: Player) -> Player {
        let players = &self.ruleset.players;
        if players.get(owner.idx()).is_none_or(|it| it.is_neutral) {
            return owner;
        }
        let after = (owner.idx() + 1..players.len()).chain(0..owner.idx());
        let is_active = |idx: &usize| players.get(*idx).is_some_and(|it| !it.is_neutral);
        after.into_iter().find(is_active).map_or(owner, |idx| Player(idx as u8))
    }
}

/// Whether `test` holds for the goal or for one inside it.
pub(crate) fn any_goal(goal: &Goal, test: &mut impl FnMut(&Goal) -> bool) -> bool {
    test(goal)
        || match &goal.kind {
            GoalKind::And(goals) | GoalKind::Or(goals) => goals.iter().any(|it| any_goal(it, test)),
            GoalKind::Not(goal) => any_goal(goal, test),
            _ => false,
        }
}

/// Whether the goal can only be judged when the mover's moves are known.
fn is_about_moves(goal: &Goal) -> bool {
    matches!(goal.kind, GoalKind::Stalemated | GoalKind::Checkmated(_))
}

fn directions_as_seen(rules: &Ruleset) -> Vec<u16> {
    let board = &rules.board;
    let directions = || (0..board.n_directions() as u16).map(boardwright_game::Direction);
    rules
        .all_players()
        .flat_map(|player| directions().map(move |it| board.seen_by(player, it).0))
        .collect()
}

fn steps_back(rules: &Ruleset) -> Vec<u16> {
    let board = &rules.board;
    let n = board.n_directions();
    let mut back = vec![NOWHERE; board.n_sites() * n];
    for direction in 0..n {
        match board.opposite.get(direction).copied().flatten() {
            Some(opposite) => {
                for site in 0..board.n_sites() {
                    back[site * n + direction] = board.links[site * n + opposite.idx()];
                }
            }
            None => only_sources(&board.links, n, direction, &mut back),
        }
    }
    back
}

/// Where no direction undoes this one, a step back leads to the only site that leads here.
fn only_sources(links: &[u16], n: usize, direction: usize, back: &mut [u16]) {
    let mut n_sources = vec![0_u8; back.len() / n.max(1)];
    for (source, row) in links.chunks_exact(n).enumerate() {
        let target = row[direction];
        if target != NOWHERE {
            let count = &mut n_sources[target as usize];
            *count = count.saturating_add(1);
            let known = if *count == 1 { source as u16 } else { NOWHERE };
            back[target as usize * n + direction] = known;
        }
    }
}

/// A link joins two sites whichever way it leads: a chain has no direction.
fn neighbours(rules: &Ruleset) -> Vec<Vec<Site>> {
    let is_chain = |it: &Goal| matches!(it.kind, GoalKind::Connected(..));
    if !rules.end_conditions.iter().any(|it| any_goal(&it.goal, &mut { is_chain })) {
        return Vec::new();
    }
    let board = &rules.board;
    let mut lists = vec![Vec::new(); board.n_sites()];
    for (from, row) in board.links.chunks_exact(board.n_directions().max(1)).enumerate() {
        for &to in row.iter().filter(|&&it| it != NOWHERE && usize::from(it) != from) {
            lists[from].push(Site(to));
            lists[usize::from(to)].push(Site(from as u16));
        }
    }
    for list in &mut lists {
        list.sort_unstable();
        list.dedup();
    }
    lists
}

fn goal_sites(rules: &Ruleset) -> SiteSet {
    let mut sites = SiteSet::new(rules.board.n_sites());
    for condition in &rules.end_conditions {
        let players: Vec<_> =
            condition.players.clone().unwrap_or_else(|| rules.all_players().collect());
        any_goal(&condition.goal, &mut |goal| {
            if let GoalKind::AbsoluteConfig(_, args) = &goal.kind {
                for arg in args {
                    match *arg {
                        SiteOrZone::Site(site) => sites.insert(site),
                        SiteOrZone::Zone(zone) => players
                            .iter()
                            .filter_map(|&it| rules.board.zone_sites(zone, it))
                            .for_each(|it| sites.extend(it)),
                    }
                }
            }
            false
        });
    }
    sites
}

/// By player: the kinds of its `checkmated` goals, less those that a `captured`
/// goal of the same verdict names: such a piece is really taken.
///
/// Decisions `captured-beside-checkmated` and `check-in-win-conditions`.
fn royal_kinds(rules: &Ruleset) -> Vec<Vec<PieceKind>> {
    let n_players = rules.players.len();
    let mut royal: Vec<Vec<(Verdict, PieceKind)>> = vec![Vec::new(); n_players];
    let mut taken = royal.clone();
    for condition in &rules.end_conditions {
        let players: Vec<_> =
            condition.players.clone().unwrap_or_else(|| rules.all_players().collect());
        any_goal(&condition.goal, &mut |goal| {
            let (list, kinds) = match &goal.kind {
                GoalKind::Checkmated(kinds) => (&mut royal, kinds),
                GoalKind::Captured(kinds) => (&mut taken, kinds),
                _ => return false,
            };
            for player in &players {
                if let Some(it) = list.get_mut(player.idx()) {
                    it.extend(kinds.iter().map(|&kind| (condition.verdict, kind)));
                }
            }
            false
        });
    }
    let kept = |(royal, taken): (Vec<_>, Vec<_>)| {
        let mut kinds: Vec<PieceKind> =
            royal.into_iter().filter(|it| !taken.contains(it)).map(|(_, kind)| kind).collect();
        kinds.sort_unstable();
        kinds.dedup();
        kinds
    };
    royal.into_iter().zip(taken).map(kept).collect()
}

fn watched_kinds(rules: &Ruleset) -> Vec<bool> {
    let n_kinds = rules.pieces.len();
    let mut watched = vec![false; rules.players.len() * n_kinds];
    for condition in &rules.end_conditions {
        any_goal(&condition.goal, &mut |goal| {
            if let GoalKind::Captured(kinds) = &goal.kind {
                for player in 0..rules.players.len() {
                    kinds.iter().for_each(|kind| watched[player * n_kinds + kind.idx()] = true);
                }
            }
            false
        });
    }
    watched
}

fn is_solitaire(rules: &Ruleset) -> bool {
    let is_random = |it: Player| rules.players.get(it.idx()).is_some_and(|it| it.is_random);
    let turns = &rules.turn_order.turns;
    let mut movers: Vec<_> = turns.iter().map(|it| it.mover).filter(|&it| !is_random(it)).collect();
    movers.sort_unstable();
    movers.dedup();
    movers.len() == 1
}

fn asks_for_last(op: &Op) -> bool {
    use boardwright_game::Mark;
    matches!(op, Op::LastFrom(_) | Op::LastTo(_) | Op::Go(Mark::LastFrom | Mark::LastTo))
}

fn droppers(rules: &Ruleset) -> Vec<(PieceKind, bool)> {
    let drops = |it: &boardwright_game::PieceKindInfo| {
        it.blocks.iter().any(|block| block.kind == BlockKind::Drop)
    };
    let drops_others = |it: &boardwright_game::PieceKindInfo| {
        it.program.adds.iter().any(|form| !form.promote.is_empty())
    };
    let kinds = rules.pieces.iter().enumerate().filter(|(_, it)| drops(it));
    kinds.map(|(idx, it)| (PieceKind(idx as u16), drops_others(it))).collect()
}

fn name_tokens(rules: &Ruleset) -> (Vec<u32>, Vec<u32>) {
    let mut tokens = rustc_hash::FxHashMap::default();
    let mut token = |name: &str| {
        let next = tokens.len() as u32;
        *tokens.entry(name.to_owned()).or_insert(next)
    };
    let kinds = rules.pieces.iter().map(|it| token(&it.name)).collect();
    let players = rules.players.iter().map(|it| token(&it.name)).collect();
    (kinds, players)
}

fn ranks(rules: &Ruleset) -> Vec<usize> {
    let last = rules.priorities.len();
    let rank = |idx: usize| rules.priorities.iter().take_while(|it| it.idx() != idx).count();
    (0..rules.move_types.len()).map(|idx| rank(idx).min(last)).collect()
}

/// A site of a table, if it is one.
#[inline]
pub(crate) fn opt_site(raw: u16) -> Option<Site> {
    (raw != NOWHERE).then_some(Site(raw))
}
