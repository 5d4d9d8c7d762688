//! Matches from and to save files.

use std::sync::Arc;

use boardwright_play::{
    Edit, Rules, State,
    zsg::{self, Entry, SaveFile},
};

use crate::{
    edit::EditStep,
    record::{Match, NodeId, Step},
};

/// Why a line cannot be saved.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NotWritable {
    /// Save files cannot say who is to move, or what is off the board.
    Arranged,
    /// There is no such node.
    NoNode,
}

/// The line to a node as a save file; `letters` has one for each player.
pub fn save(game: &Match, node: NodeId, letters: &str) -> Result<SaveFile, NotWritable> {
    let mut state = State::start_of(Arc::clone(game.rules()));
    let mut file = SaveFile::new(&state, letters);
    let line = game.line(node);
    if line.is_empty() {
        return Err(NotWritable::NoNode);
    }
    for id in line {
        let node = game.node(id).ok_or(NotWritable::NoNode)?;
        match &node.step {
            Step::Start | Step::Turn => {}
            Step::Move { mv, .. } => {
                file.push_move(&state, mv);
                state.play_unchecked(mv).map_err(|_| NotWritable::NoNode)?;
            }
            Step::Edit(step) => {
                if step.rest.is_some() {
                    return Err(NotWritable::Arranged);
                }
                for &edit in &step.edits {
                    file.push_edit(&state, edit);
                    state.edit(edit);
                }
            }
        }
    }
    Ok(file)
}

/// A match that goes as a save file says, as far as it can be played, and where it stopped.
pub fn from_save(file: &SaveFile, rules: Arc<Rules>) -> (Match, Option<zsg::Stop>) {
    let replay = zsg::replay(file, Arc::clone(&rules), None);
    let mut game = Match::new(rules, None);
    let mut pending = EditStep::default();
    for (_, entry) in &replay.written.entries {
        match entry {
            Entry::Move { text, .. } => {
                flush(&mut game, &mut pending);
                let is_chance = game.state().is_chance();
                if game.play(game.current(), text, "", is_chance).is_err() {
                    break;
                }
            }
            Entry::Place { .. } | Entry::Remove { .. } => {
                pending.edits.extend(edit_of(&game, entry));
            }
        }
    }
    flush(&mut game, &mut pending);
    (game, replay.stop)
}

fn flush(game: &mut Match, pending: &mut EditStep) {
    if !pending.is_nothing() {
        // Only a record that is full refuses, and then moves are refused as well.
        let _ = game.edit(game.current(), std::mem::take(pending));
    }
}

fn edit_of(game: &Match, entry: &Entry) -> Option<Edit> {
    let ruleset = &game.rules().ruleset;
    match entry {
        Entry::Remove { site } => Some(Edit::Remove { site: ruleset.board.site_named(site)? }),
        Entry::Place { player, piece, site } => Some(Edit::Place {
            player: ruleset.player_named(player)?,
            kind: ruleset.piece_named(piece)?,
            site: ruleset.board.site_named(site)?,
        }),
        Entry::Move { .. } => None,
    }
}
