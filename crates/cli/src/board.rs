//! A state as text: the board, the pieces in hand, and whose turn it is.

use boardwright_game::{Goal, GoalKind, Player, Ruleset, Site, SiteOrZone, Verdict};
use boardwright_play::State;
use boardwright_render::{
    scene::Scene,
    text_board::{TextForm, text_board},
};
use boardwright_text::render::printable;

/// The board with everything around it; who is to move unless the game is over.
pub(crate) fn picture(state: &State, is_over: bool) -> String {
    let ruleset = state.ruleset();
    let mut scene = Scene::of(state, None);
    let is_goal = goals(ruleset);
    let sites = ruleset.board.all_sites();
    scene.marks.goals = sites.filter(|it| is_goal.get(it.idx()) == Some(&true)).collect();
    let mut text = text_board(&scene, TextForm::Play);
    text.push('\n');
    if !is_over {
        text.push_str(&turn(state));
    }
    text
}

/// Whose turn it is: `White to move, move 1`.
pub(crate) fn turn(state: &State) -> String {
    let ruleset = state.ruleset();
    let name = |it: Player| printable(ruleset.translated(ruleset.player_name(it)));
    let Some(turn) = state.turn() else {
        return "Nobody has a turn\n".to_owned();
    };
    let mut text = format!("{} to move", name(turn.mover));
    if turn.owner != turn.mover {
        text.push_str(&format!(" the pieces of {}", name(turn.owner)));
    }
    if let Some(move_type) = turn.move_type.and_then(|it| ruleset.move_types.get(it.idx()))
        && state.going_on().is_none()
    {
        text.push_str(&format!(" ({})", printable(move_type)));
    }
    text.push_str(&format!(", move {}", state.move_number()));
    if let Some(going_on) = state.going_on() {
        let site = printable(ruleset.board.site_name(going_on.site));
        text.push_str(&format!(", going on from {site}"));
    }
    text.push('\n');
    text
}

/// What to show for a player.
pub(crate) fn player_shown(ruleset: &Ruleset, player: Player) -> String {
    printable(ruleset.translated(ruleset.player_name(player)))
}

/// What to show for a site.
pub(crate) fn site_shown(ruleset: &Ruleset, site: Site) -> String {
    printable(ruleset.translated(ruleset.board.site_name(site)))
}

pub(crate) fn is_visible(ruleset: &Ruleset, site: Site) -> bool {
    let info = ruleset.board.sites.get(site.idx());
    info.is_some_and(|it| it.rect.is_some() && !it.is_dummy)
}

/// By site, whether reaching it wins, where players should see that: if the rules ask
/// for it, and in puzzles.
pub(crate) fn goals(ruleset: &Ruleset) -> Vec<bool> {
    let mut is_goal = vec![false; ruleset.board.n_sites()];
    let n_active = ruleset.players.iter().filter(|it| !it.is_neutral && !it.is_random).count();
    if ruleset.options.highlight_goals.unwrap_or(n_active == 1) {
        for condition in ruleset.end_conditions.iter().filter(|it| it.verdict == Verdict::Win) {
            let players = condition.players.clone();
            let players = players.unwrap_or_else(|| ruleset.all_players().collect());
            mark_goals(ruleset, &condition.goal, &players, &mut is_goal);
        }
    }
    // Where nearly every site is one, marks tell nothing.
    if is_goal.iter().filter(|&&it| it).count() * 2 > is_goal.len() {
        is_goal.fill(false);
    }
    is_goal
}

fn mark_goals(ruleset: &Ruleset, goal: &Goal, players: &[Player], is_goal: &mut [bool]) {
    match &goal.kind {
        GoalKind::And(goals) | GoalKind::Or(goals) => {
            goals.iter().for_each(|it| mark_goals(ruleset, it, players, is_goal));
        }
        GoalKind::AbsoluteConfig(occupants, places) if occupants.iter().any(|it| !it.negated) => {
            let mut mark = |site: Site| {
                if let Some(it) = is_goal.get_mut(site.idx()) {
                    *it = true;
                }
            };
            for place in places {
                match *place {
                    SiteOrZone::Site(site) => mark(site),
                    SiteOrZone::Zone(zone) => {
                        let board = &ruleset.board;
                        let sites = players.iter().filter_map(|&it| board.zone_sites(zone, it));
                        let sites: Vec<_> = sites.collect();
                        let is_in = |it: &Site| sites.iter().any(|zone| zone.contains(*it));
                        board.all_sites().filter(is_in).for_each(&mut mark);
                    }
                }
            }
        }
        _ => {}
    }
}
