//! Whether a game is over, and why.
//!
//! Two phases. When a turn is complete every condition is tried that does not
//! depend on what the next player can do. When the next player is found to have
//! no legal move, the conditions about being stuck are tried. A ninth stone that
//! fills the board and completes a row wins, for the first phase comes first.

use boardwright_game::{
    ConfigStep, EndCondition, Goal, GoalKind, Occupant, PieceKind, Player, Site, SiteOrZone,
    SiteSet, Turn, Verdict, Whose,
};

use crate::{
    outcome::{Ending, Outcome, Reason},
    placement::{EMPTY, cell_kind, is_owned},
    rules::{Rules, opt_site},
    state::State,
};

/// What is known beside the state itself when goals are tried.
#[derive(Clone, Copy)]
enum Moment<'a> {
    /// A turn is complete.
    TurnOver(&'a Turn),
    /// The mover cannot move; these of its royal kinds are attacked.
    Stuck(&'a [PieceKind]),
}

/// The outcome when the turn with number `just_moved` is complete.
pub(crate) fn after_turn(state: &State, just_moved: usize) -> Option<Outcome> {
    let rules = state.rules();
    let turn = rules.turn(just_moved)?;
    let moment = Moment::TurnOver(turn);
    for (idx, condition) in rules.ruleset.end_conditions.iter().enumerate() {
        let default = [turn.mover];
        let listed = condition.players.as_deref().unwrap_or(&default);
        // Decision `goal-order`: who moved, whose pieces moved, then as listed.
        let first = listed.iter().filter(|&&it| it == turn.mover);
        let second = listed.iter().filter(|&&it| it == turn.owner && it != turn.mover);
        let rest = listed.iter().filter(|&&it| it != turn.owner && it != turn.mover);
        for &player in first.chain(second).chain(rest) {
            if holds(state, &condition.goal, player, moment) == Some(true) {
                return Some(verdict(state, idx, condition, player, just_moved));
            }
        }
    }
    // Decision `repetition-named`.
    let draws = !rules.names_repetition && !rules.is_solitaire && state.history().is_threefold();
    draws.then_some(Outcome { ending: Ending::Draw, reason: Reason::Repetition })
}

/// The outcome when the mover has no legal move; `attacked`: its royal kinds in check.
pub(crate) fn when_stuck(state: &State, attacked: &[PieceKind]) -> Option<Outcome> {
    let rules = state.rules();
    let turn = rules.turn(state.turn_idx())?;
    let moment = Moment::Stuck(attacked);
    for &idx in &rules.phase_two {
        let Some(condition) = rules.ruleset.end_conditions.get(idx) else {
            continue;
        };
        let concerns = |it: Player| condition.players.as_ref().is_none_or(|all| all.contains(&it));
        let Some(player) = [turn.owner, turn.mover].into_iter().find(|&it| concerns(it)) else {
            continue;
        };
        if holds(state, &condition.goal, player, moment) == Some(true) {
            return Some(verdict(state, idx, condition, player, state.turn_idx()));
        }
    }
    // Decision `stalemate-default`.
    let ending = if rules.is_solitaire { Ending::Loss(turn.mover) } else { Ending::Draw };
    Some(Outcome { ending, reason: Reason::Stalemate })
}

fn verdict(
    state: &State,
    idx: usize,
    condition: &EndCondition,
    player: Player,
    turn: usize,
) -> Outcome {
    let ending = match condition.verdict {
        Verdict::Win => Ending::Win(credited(state.rules(), player, turn)),
        Verdict::Loss => Ending::Loss(credited(state.rules(), player, turn)),
        Verdict::Draw => Ending::Draw,
        Verdict::Count => most_pieces(state, condition.players.as_deref()),
    };
    Outcome { ending, reason: Reason::Condition { idx, span: condition.span } }
}

/// Who answers for `player`: itself if it ever chooses a move, else who moved its
/// pieces last. Decision `credit`.
pub(crate) fn credited(rules: &Rules, player: Player, turn: usize) -> Player {
    let turns = &rules.ruleset.turn_order.turns;
    if turns.iter().any(|it| it.mover == player) {
        return player;
    }
    let n = turns.len();
    let earlier = (0..n).map(|back| &turns[(turn + n - back) % n]);
    earlier.into_iter().find(|it| it.owner == player).map_or(player, |it| it.mover)
}

/// Compares the pieces on the board: decision `count-players`.
fn most_pieces(state: &State, listed: Option<&[Player]>) -> Ending {
    let ruleset = &state.rules().ruleset;
    let players: Vec<Player> = match listed {
        Some(listed) => listed.to_vec(),
        None => {
            let has_turns = |it: &Player| {
                let random = ruleset.players.get(it.idx()).is_some_and(|it| it.is_random);
                !random && ruleset.turn_order.turns.iter().any(|turn| turn.mover == *it)
            };
            ruleset.all_players().filter(has_turns).collect()
        }
    };
    let count = |it: Player| state.placement().count_all(it);
    let most = players.iter().map(|&it| count(it)).max().unwrap_or(0);
    let mut leaders = players.iter().filter(|&&it| count(it) == most);
    match (leaders.next(), leaders.next()) {
        (Some(&winner), None) => Ending::Win(winner),
        _ => Ending::Draw,
    }
}

/// Whether a goal holds for a player; `None` if that is not known at this moment
/// (decision `goals-nested`).
fn holds(state: &State, goal: &Goal, player: Player, moment: Moment<'_>) -> Option<bool> {
    let placement = state.placement();
    Some(match &goal.kind {
        GoalKind::Stalemated => match moment {
            Moment::TurnOver(_) => return None,
            Moment::Stuck(attacked) => attacked.is_empty(),
        },
        GoalKind::Checkmated(kinds) => match moment {
            Moment::TurnOver(_) => return None,
            Moment::Stuck(attacked) => attacked.iter().any(|it| kinds.contains(it)),
        },
        GoalKind::Repetition => match moment {
            Moment::TurnOver(turn) => {
                (turn.mover == player || turn.owner == player) && state.history().is_threefold()
            }
            Moment::Stuck(_) => false,
        },
        GoalKind::Captured(kinds) => {
            state.taken().iter().any(|&(owner, kind)| owner == player && kinds.contains(&kind))
        }
        GoalKind::PiecesRemaining(n, kind) => {
            let on_board = match kind {
                Some(kind) => placement.count(player, *kind),
                None => placement.count_all(player),
            };
            u64::from(on_board) + off_pieces(state, player, *kind) == u64::from(*n)
        }
        // Pieces off the board never count here, whatever the options say.
        GoalKind::TotalPieceCount(n, kind) => {
            let on_board = |it: Player| match kind {
                Some(kind) => placement.count(it, *kind),
                None => placement.count_all(it),
            };
            state.rules().ruleset.all_players().map(on_board).sum::<u32>() == *n
        }
        GoalKind::AbsoluteConfig(occupants, args) => {
            // A config that asks for nothing never holds.
            !args.is_empty() && args.iter().all(|it| arg_holds(state, occupants, it, player))
        }
        GoalKind::RelativeConfig(steps) => {
            let mut starts = (0..placement.n_sites() as u16).map(Site);
            !steps.is_empty() && starts.any(|it| config_holds(state, steps, it, player))
        }
        GoalKind::Connected(kinds, ends) => is_connected(state, kinds, ends, player),
        GoalKind::And(goals) => return all(goals, |it| holds(state, it, player, moment)),
        GoalKind::Or(goals) => {
            return all(goals, |it| holds(state, it, player, moment).map(|it| !it)).map(|it| !it);
        }
        GoalKind::Not(goal) => !holds(state, goal, player, moment)?,
    })
}

/// Whether a goal holds for a player in the state in which the game ended.
pub(crate) fn held(state: &State, goal: &Goal, player: Player) -> bool {
    let Some(turn) = state.turn() else { return false };
    let just_moved = Turn { mover: player, owner: player, ..*turn };
    if let Some(held) = holds(state, goal, player, Moment::TurnOver(&just_moved)) {
        return held;
    }
    // What is left is about who cannot move, which is who is to move.
    let attacked = state.royals_in_check().unwrap_or_default();
    let kind = |it: &Site| state.placement().get(*it).map(|it| it.kind);
    let attacked: Vec<PieceKind> = attacked.iter().filter_map(kind).collect();
    holds(state, goal, player, Moment::Stuck(&attacked)) == Some(true)
        && (turn.owner == player || turn.mover == player)
}

/// The sites that a goal which holds for a player speaks of.
pub(crate) fn sites_of_goal(state: &State, goal: &Goal, player: Player) -> Vec<Site> {
    let placement = state.placement();
    match &goal.kind {
        GoalKind::Captured(_) => state.last_to().into_iter().collect(),
        GoalKind::Checkmated(kinds) => {
            let own = placement.owned(player);
            own.filter(|&it| kinds.contains(&cell_kind(placement.cell(it)))).collect()
        }
        GoalKind::AbsoluteConfig(occupants, places) => {
            let passes_here = |it: &Site| occupants.iter().any(|by| passes(state, by, *it, player));
            let rules = state.rules();
            let sites = places.iter().map(|&it| sites_of(rules, it, player));
            let found: Vec<Site> =
                sites.flat_map(|it| it.iter().filter(passes_here).collect::<Vec<_>>()).collect();
            // Too many say nothing.
            if found.len() <= 24 { found } else { Vec::new() }
        }
        GoalKind::RelativeConfig(steps) => {
            let starts = (0..placement.n_sites() as u16).map(Site);
            let start = starts.into_iter().find(|&it| config_holds(state, steps, it, player));
            start.map_or_else(Vec::new, |it| config_sites(state, steps, it, player))
        }
        GoalKind::Connected(kinds, ends) => chain(state, kinds, ends, player),
        _ => Vec::new(),
    }
}

/// The sites with a piece that a walk asks for.
fn config_sites(state: &State, steps: &[ConfigStep], start: Site, player: Player) -> Vec<Site> {
    let rules = state.rules();
    let board = &rules.ruleset.board;
    let mut site = start;
    let mut found = Vec::new();
    for step in steps {
        let next = match *step {
            ConfigStep::Occupant(occupant) => {
                if !occupant.negated {
                    found.push(site);
                }
                continue;
            }
            ConfigStep::Step(direction) => board.step(site, board.seen_by(player, direction)),
            ConfigStep::Back(direction) => board.step_back(site, board.seen_by(player, direction)),
        };
        match next {
            Some(next) => site = next,
            None => break,
        }
    }
    found
}

/// A shortest chain of the player's pieces from one place to another.
fn chain(state: &State, kinds: &[PieceKind], ends: &[SiteOrZone; 2], player: Player) -> Vec<Site> {
    let (rules, placement) = (state.rules(), state.placement());
    let [from, to] = ends.map(|it| sites_of(rules, it, player));
    let is_link = |site: Site| {
        let cell = placement.cell(site);
        cell != EMPTY
            && is_owned(cell, player)
            && (kinds.is_empty() || kinds.contains(&cell_kind(cell)))
    };
    let mut before: Vec<Option<Site>> = vec![None; placement.n_sites()];
    let mut open: Vec<Site> = from.iter().filter(|&it| is_link(it)).collect();
    open.iter().for_each(|it| before[it.idx()] = Some(*it));
    let mut at = 0;
    while let Some(&site) = open.get(at) {
        at += 1;
        if to.contains(site) {
            let mut way = vec![site];
            let mut here = site;
            while let Some(back) = before[here.idx()].filter(|&it| it != here) {
                way.push(back);
                here = back;
            }
            return way;
        }
        for &next in rules.neighbours.get(site.idx()).into_iter().flatten() {
            if is_link(next) && before[next.idx()].is_none() {
                before[next.idx()] = Some(site);
                open.push(next);
            }
        }
    }
    Vec::new()
}

/// Whether all are true: false as soon as one is false, unknown if one is unknown.
pub(crate) fn all<G>(goals: &[G], test: impl Fn(&G) -> Option<bool>) -> Option<bool> {
    let mut result = Some(true);
    for goal in goals {
        match test(goal) {
            Some(false) => return Some(false),
            Some(true) => {}
            None => result = None,
        }
    }
    result
}

fn off_pieces(state: &State, player: Player, kind: Option<PieceKind>) -> u64 {
    let ruleset = &state.rules().ruleset;
    if !ruleset.options.include_off_pieces {
        return 0;
    }
    match kind {
        Some(kind) => state.hand(player, kind).into(),
        None => {
            let kinds = (0..ruleset.pieces.len() as u16).map(PieceKind);
            kinds.map(|it| u64::from(state.hand(player, it))).sum()
        }
    }
}

fn arg_holds(state: &State, occupants: &[Occupant], arg: &SiteOrZone, player: Player) -> bool {
    let site_holds = |site: Site| occupants.iter().any(|it| passes(state, it, site, player));
    match *arg {
        SiteOrZone::Site(site) => site_holds(site),
        SiteOrZone::Zone(zone) => {
            let sites = state.rules().ruleset.board.zone_sites(zone, player);
            sites.is_some_and(|it| it.iter().any(site_holds))
        }
    }
}

fn config_holds(state: &State, steps: &[ConfigStep], start: Site, player: Player) -> bool {
    let rules = state.rules();
    let board = &rules.ruleset.board;
    let mut site = start;
    for step in steps {
        let next = match *step {
            ConfigStep::Occupant(occupant) => {
                if !passes(state, &occupant, site, player) {
                    return false;
                }
                continue;
            }
            ConfigStep::Step(direction) => board.step(site, board.seen_by(player, direction)),
            ConfigStep::Back(direction) => {
                let seen = board.seen_by(player, direction).idx();
                let idx = site.idx() * board.n_directions() + seen;
                rules.back.get(idx).copied().and_then(opt_site)
            }
        };
        match next {
            Some(next) => site = next,
            None => return false,
        }
    }
    true
}

/// Floods the player's pieces from one end, looking for the other.
fn is_connected(
    state: &State,
    kinds: &[PieceKind],
    ends: &[SiteOrZone; 2],
    player: Player,
) -> bool {
    let (rules, placement) = (state.rules(), state.placement());
    let [from, to] = ends.map(|it| sites_of(rules, it, player));
    let is_link = |site: Site| {
        let cell = placement.cell(site);
        cell != EMPTY
            && is_owned(cell, player)
            && (kinds.is_empty() || kinds.contains(&cell_kind(cell)))
    };
    let mut reached = SiteSet::new(placement.n_sites());
    let mut open: Vec<Site> = from.iter().filter(|&it| is_link(it)).collect();
    open.iter().for_each(|&it| reached.insert(it));
    while let Some(site) = open.pop() {
        if to.contains(site) {
            return true;
        }
        for &next in rules.neighbours.get(site.idx()).into_iter().flatten() {
            if is_link(next) && !reached.contains(next) {
                reached.insert(next);
                open.push(next);
            }
        }
    }
    false
}

/// The sites of a place as a player has them.
pub(crate) fn sites_of(rules: &Rules, place: SiteOrZone, player: Player) -> SiteSet {
    match place {
        SiteOrZone::Site(site) => [site].into_iter().collect(),
        SiteOrZone::Zone(zone) => {
            rules.ruleset.board.zone_sites(zone, player).cloned().unwrap_or_default()
        }
    }
}

fn passes(state: &State, occupant: &Occupant, site: Site, player: Player) -> bool {
    let cell = state.placement().cell(site);
    let is_it = cell != EMPTY
        && match occupant.whose {
            Whose::Mine => is_owned(cell, player),
            Whose::Opponent => !is_owned(cell, player),
            Whose::Anyone => true,
        }
        && occupant.kind.is_none_or(|it| it == cell_kind(cell));
    is_it != occupant.negated
}
