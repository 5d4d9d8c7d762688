//! A state as text: the board, the pieces in hand, and whose turn it is.

use boardwright_game::{Player, Ruleset, Site};
use boardwright_play::{State, highlighted_goals};
use boardwright_render::{
    scene::Scene,
    text_board::{TextForm, text_board},
};
use boardwright_text::render::printable;

/// The board with everything around it; who is to move unless the game is over.
pub(crate) fn picture(state: &State, is_over: bool) -> String {
    let mut scene = Scene::of(state, None);
    scene.marks.goals = highlighted_goals(state.rules());
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
