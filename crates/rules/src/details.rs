//! The legal moves of a state with everything that can be shown of each.

use boardwright_game::{PieceKind, Site};
use boardwright_play::{Move, MoveList, State, VisibleEffect};
use boardwright_preset::{Choice, Game};
use rustc_hash::FxHashMap;

use crate::{
    clicks, effects,
    game_rules::Script,
    game_state::{GameState, Inner},
    legal::{LegalMoves, List},
    scripted::{self, site},
    step::short_turn,
};

/// One legal move, with everything that can be shown of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MoveDetails {
    /// The text for a list beside the board.
    pub brief: String,
    /// The text as records and saves have it.
    pub long: String,
    /// Where the key movement begins.
    pub from: Option<Site>,
    /// Where it ends.
    pub to: Option<Site>,
    /// The kind that is dropped from a hand.
    pub dropped: Option<PieceKind>,
    /// The kind that the moving piece becomes.
    pub promotes_to: Option<PieceKind>,
    /// The sites whose piece is removed.
    pub captures: Vec<Site>,
    /// Whether it is a pass.
    pub is_pass: bool,
    /// Whether the mover may go on after it.
    pub is_partial: bool,
    /// Further pairs of clicks that mean it.
    pub clicks: Vec<(Site, Site)>,
    /// What it changes on the board, in order.
    pub effects: Vec<VisibleEffect>,
}

impl GameState {
    /// The legal moves of this state with their details, in the order of the list.
    pub fn move_details(&self, legal: &LegalMoves) -> Vec<MoveDetails> {
        match (&self.inner, &legal.list) {
            (Inner::Compiled(state), List::Compiled(list)) => of_list(state, list),
            (Inner::Scripted(state), List::Scripted(list)) => {
                self.script().map_or_else(Vec::new, |it| of_choices(it, &state.game, list))
            }
            _ => Vec::new(),
        }
    }
}

fn of_list(state: &State, list: &MoveList) -> Vec<MoveDetails> {
    let all = list.iter().zip(clicks::of_list(list)).zip(state.brief_texts(list));
    let details = |mv: &Move, clicks: Vec<(Site, Site)>, brief: String| {
        let (from, to) = mv.key_sites();
        MoveDetails {
            brief,
            long: state.move_text(mv),
            from,
            to,
            dropped: state.dropped_kind(mv),
            promotes_to: mv.becomes(),
            captures: state.captured_sites(mv),
            is_pass: mv.is_pass(),
            is_partial: mv.partial.is_some(),
            clicks,
            effects: state.visible_effects(mv),
        }
    };
    all.map(|((mv, clicks), brief)| details(mv, clicks, brief)).collect()
}

fn of_choices(script: &Script, game: &Game, choices: &[Choice]) -> Vec<MoveDetails> {
    // A piece in hand that stands on several spaces is dropped from any of them.
    let mut alike: FxHashMap<&str, Vec<Site>> = FxHashMap::default();
    let board = script.preset.board();
    for space in board.all().filter(|&it| board.info(it).is_some_and(|it| it.is_hidden)) {
        if let Some(label) = game.piece(space) {
            alike.entry(label).or_default().push(site(space));
        }
    }
    choices.iter().map(|it| of_choice(script, game, it, &alike)).collect()
}

fn of_choice(
    script: &Script,
    game: &Game,
    choice: &Choice,
    alike: &FxHashMap<&str, Vec<Site>>,
) -> MoveDetails {
    let (from, to) = (site(choice.from), site(choice.to));
    let after: FxHashMap<Site, Option<&str>> =
        choice.changes.iter().map(|it| (site(it.0), it.1.as_deref())).collect();
    let changes = effects::of_changes(script, game, Some((from, to)), &after);
    let label = game.piece(choice.from);
    let becomes = after.get(&to).copied().flatten().filter(|it| Some(*it) != label);
    let mut clicks = Vec::new();
    for effect in &changes {
        // Castling: the king may be put on the rook.
        if let VisibleEffect::Walk { from: other, to: there } = *effect
            && other != from
            && other != to
            && there != from
            && !choice.is_drop
            && !is_hidden(script, other)
        {
            clicks.push((from, other));
        }
    }
    if choice.is_drop {
        let others = label.and_then(|it| alike.get(it)).into_iter().flatten();
        clicks.extend(others.filter(|&&it| it != from).map(|&other| (other, to)));
    }
    let mut captures: Vec<Site> = changes
        .iter()
        .filter_map(|it| match *it {
            VisibleEffect::Capture { site } => Some(site),
            _ => None,
        })
        .collect();
    if from != to && game.piece(choice.to).is_some() {
        captures.push(to);
    }
    captures.sort_unstable();
    captures.dedup();
    MoveDetails {
        brief: short_turn(&choice.text),
        long: choice.text.clone(),
        from: Some(from),
        to: Some(to),
        dropped: None,
        promotes_to: becomes.and_then(|it| script.labels.piece_or_other(it)).map(|it| it.1),
        captures,
        is_pass: false,
        is_partial: false,
        clicks,
        effects: changes,
    }
}

fn is_hidden(script: &Script, site: Site) -> bool {
    let board = script.preset.board();
    let space = scripted::space(script, site);
    space.and_then(|it| board.info(it)).is_none_or(|it| it.is_hidden)
}
