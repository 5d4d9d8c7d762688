//! Matches from saved games and records.

use std::sync::Arc;

use boardwright_play::{
    Edit,
    zsg::{self, Entry, SaveFile},
};
use boardwright_rules::{EditStep, GameRules, PlayRefusal};

use crate::{
    event::{Change, MatchEvent},
    game_match::{Match, MatchSetup},
    refusal::Refusal,
};

/// A match that goes as a save file says, as far as it can be played, with its log and where
/// it stopped. The rules must come from a rule file.
pub fn from_save(
    file: &SaveFile,
    rules: Arc<GameRules>,
    new: MatchSetup,
) -> Result<(Match, Vec<MatchEvent>, Option<zsg::ReplayStop>), Refusal> {
    let Some(compiled) = rules.as_compiled().cloned() else {
        let message = "a saved game needs the rule file it was played with".to_owned();
        return Err(PlayRefusal::Unsupported { message, why: None }.into());
    };
    let replay = zsg::replay(file, compiled, None);
    let now = new.now;
    let (mut game, mut events) = Match::begin(rules, new)?;
    let mut pending = EditStep::default();
    for (_, entry) in &replay.written.entries {
        match entry {
            Entry::Move { text, .. } => {
                flush(&mut game, &mut pending, now, &mut events)?;
                let (parent, is_chance) = (game.current(), game.state().is_chance());
                let change = Change::Moved { parent, text: text.clone(), is_chance };
                if add(&mut game, change, now, &mut events).is_err() {
                    break;
                }
            }
            Entry::Place { .. } | Entry::Remove { .. } => {
                pending.edits.extend(edit_of(&game, entry));
            }
        }
    }
    flush(&mut game, &mut pending, now, &mut events)?;
    Ok((game, events, replay.stop))
}

/// A match that goes as the turns of a record say: each as it was written, and what was said
/// about it. Stops with the number of the turn that cannot be played, counted from 0.
pub fn from_record(
    rules: Arc<GameRules>,
    new: MatchSetup,
    turns: &[(String, String)],
) -> Result<(Match, Vec<MatchEvent>), (Option<usize>, Refusal)> {
    let now = new.now;
    let (mut game, mut events) = Match::begin(rules, new).map_err(|it| (None, it.into()))?;
    for (idx, (text, comment)) in turns.iter().enumerate() {
        let fail = |it: Refusal| (Some(idx), it);
        let (parent, text) = (game.current(), text.clone());
        let moved = Change::Moved { parent, text, is_chance: false };
        add(&mut game, moved, now, &mut events).map_err(fail)?;
        if !comment.is_empty() {
            let commented = Change::Commented { node: game.current(), text: comment.clone() };
            add(&mut game, commented, now, &mut events).map_err(fail)?;
        }
    }
    Ok((game, events))
}

/// Adds a change to a match that nobody has seen yet.
fn add(
    game: &mut Match,
    change: Change,
    at: u64,
    events: &mut Vec<MatchEvent>,
) -> Result<(), Refusal> {
    game.tree.room()?;
    let event = MatchEvent { seq: game.n_events(), at, request: String::new(), change };
    game.fold(&event)?;
    events.push(event);
    Ok(())
}

fn flush(
    game: &mut Match,
    pending: &mut EditStep,
    at: u64,
    events: &mut Vec<MatchEvent>,
) -> Result<(), Refusal> {
    if pending.is_nothing() {
        return Ok(());
    }
    let text = std::mem::take(pending).to_text(game.rules().ruleset());
    add(game, Change::Edited { parent: game.current(), text }, at, events)
}

fn edit_of(game: &Match, entry: &Entry) -> Option<Edit> {
    let ruleset = game.rules().ruleset();
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
