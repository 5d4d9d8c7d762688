//! Matches from and to their rows on the disk.

use std::{collections::HashMap, sync::Arc, time::Instant};

use boardwright_game::Player;
use boardwright_protocol::ChatLine;
use boardwright_referee::{EditStep, Match, Node, NodeId, PresetMatch, Step, Tree};
use boardwright_store::{NodeRow, Stored};
use tokio::sync::mpsc;

use super::{Game, Message, Table, refusal_text};
use crate::{courier::Courier, error::ApiError, playable::Playable, seating::Chair, tables::Tools};

/// A node as it is stored.
pub(crate) fn node_row(id: NodeId, node: &Node) -> NodeRow {
    NodeRow {
        id: i64::from(id),
        parent: node.parent.map(i64::from),
        kind: match node.step {
            Step::Start => "start",
            Step::Move { is_chance: true, .. } => "chance",
            Step::Move { .. } | Step::Turn => "move",
            Step::Edit(_) => "edit",
        }
        .to_owned(),
        long: node.long.clone(),
        request: node.request.clone(),
        comment: node.comment.clone(),
        score: node.score.map(i64::from),
        resigned: node.resigned.map(|it| i64::from(it.0)),
    }
}

/// All nodes of a match as they are stored.
pub(crate) fn new_rows(game: &Game) -> Vec<NodeRow> {
    let nodes = game.tree().nodes().iter().enumerate();
    nodes.map(|(id, node)| node_row(id as NodeId, node)).collect()
}

/// The match that rows tell of, played anew by its rules.
fn replayed(stored: &Stored, rules: Arc<boardwright_play::Rules>) -> Result<Match, ApiError> {
    let damaged = || {
        ApiError::bad("this match does not fit the rules any more")
            .hint("The rules of the game have changed since it was played.")
    };
    let ruleset = Arc::clone(&rules.ruleset);
    let edit = |text: &str| EditStep::from_text(&ruleset, text).map_err(|_| damaged());
    let mut rows = stored.nodes.iter();
    let first = rows.next().ok_or_else(damaged)?;
    let setup = if first.kind == "edit" { Some(edit(&first.long)?) } else { None };
    let mut game = Match::new(rules, setup);
    for row in rows {
        let parent = row.parent.and_then(|it| NodeId::try_from(it).ok()).ok_or_else(damaged)?;
        if parent != game.current() {
            game.go_on_from(parent).map_err(|_| damaged())?;
        }
        let n_before = game.nodes().len();
        match row.kind.as_str() {
            "edit" => {
                game.edit(parent, edit(&row.long)?).map_err(|_| damaged())?;
            }
            kind => {
                let is_chance = kind == "chance";
                let played = game.play(parent, &row.long, &row.request, is_chance);
                played.map_err(|_| damaged())?;
            }
        }
        if game.nodes().len() != n_before + 1 {
            return Err(damaged());
        }
    }
    annotate(game.tree_mut(), stored);
    let current = NodeId::try_from(stored.row.current).unwrap_or(0);
    game.go_on_from(current).map_err(|_| damaged())?;
    Ok(game)
}

/// What is known of the nodes beside their moves.
fn annotate(tree: &mut Tree, stored: &Stored) {
    for (id, row) in stored.nodes.iter().enumerate() {
        let id = id as NodeId;
        // Nodes that are there can be commented.
        let _ = tree.comment(id, &row.comment);
        tree.set_score(id, row.score.map(|it| it as i32));
        tree.set_resigned(id, row.resigned.and_then(|it| u8::try_from(it).ok()).map(Player));
    }
}

/// The same for a preset.
fn replayed_turns(stored: &Stored, courier: &Courier) -> Result<PresetMatch, ApiError> {
    let damaged = || ApiError::bad("this match does not fit its preset");
    let (preset, seed) = (Arc::clone(&courier.preset), stored.row.seed as u64);
    let mut game =
        PresetMatch::new(preset, seed, courier.problem.clone()).map_err(|_| damaged())?;
    for row in stored.nodes.iter().skip(1) {
        let parent = row.parent.and_then(|it| NodeId::try_from(it).ok()).ok_or_else(damaged)?;
        if parent != game.tree().current() {
            game.go_on_from(parent).map_err(|_| damaged())?;
        }
        let n_before = game.tree().nodes().len();
        game.play_again(parent, &row.long, &row.request).map_err(|_| damaged())?;
        if game.tree().nodes().len() != n_before + 1 {
            return Err(damaged());
        }
    }
    annotate(game.tree_mut(), stored);
    let current = NodeId::try_from(stored.row.current).unwrap_or(0);
    game.go_on_from(current).map_err(|_| damaged())?;
    Ok(game)
}

/// A match, ready to go on.
pub(super) fn table(
    tools: Tools,
    stored: Stored,
    playable: Playable,
    me: mpsc::Sender<Message>,
) -> Result<Table, ApiError> {
    let mut game = match &playable {
        Playable::Rules(variant) => {
            let game = replayed(&stored, Arc::clone(&variant.rules))?;
            Game::Rules(Arc::clone(variant), Box::new(game))
        }
        Playable::Preset(courier) => {
            let game = Box::new(replayed_turns(&stored, courier)?);
            Game::Preset(Arc::clone(courier), game)
        }
    };
    let mut chairs: Vec<Chair> = serde_json::from_str(&stored.row.seats).unwrap_or_default();
    if chairs.len() != playable.seats().len() {
        chairs = crate::seating::chairs(&playable, chairs.into_iter().map(|it| it.setup).collect());
    }
    let view = game.view(game.current());
    let view = view.map_err(|it| ApiError::bad(refusal_text(&playable, &it).0))?;
    Ok(Table {
        tools,
        id: stored.row.id,
        owner_key: stored.row.owner_key,
        seed: stored.row.seed as u64,
        playable,
        game,
        chairs,
        chat: stored.chat.into_iter().map(|it| ChatLine { name: it.name, text: it.text }).collect(),
        readers: HashMap::new(),
        next_reader: 1,
        view: Arc::new(view),
        version: 0,
        paused: false,
        is_solution: stored.row.is_solution,
        thinking: None,
        next_number: 1,
        due: None,
        last_move: Instant::now(),
        me,
    })
}
