//! A line of play as a file: a `.zsg` save, or the record of a preset.

use boardwright_fast::GameMove;
use boardwright_game::{Player, Ruleset};
use boardwright_play::{State, zsg::SaveFile};
use boardwright_preset::{Record, TurnText};

use crate::{
    edit::EditStep,
    game_rules::{GameRules, Language, Script},
    game_state::{GameState, Inner},
};

/// One step of a line that is saved.
#[derive(Clone, Copy, Debug)]
pub enum SavedStep<'s> {
    /// A move, and what was said about it.
    Move(&'s GameMove, &'s str),
    /// A change of the board.
    Edit(&'s EditStep),
}

/// A saved line of play.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SavedFile {
    /// The ending of its file name: `zsg` or `txt`.
    pub extension: &'static str,
    /// What it holds.
    pub bytes: Vec<u8>,
}

/// Why a line cannot be saved.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NotWritable {
    /// A save file cannot say who is to move, or what is off the board, after an edit.
    Arranged,
    /// The line cannot be played again.
    Broken,
}

impl std::fmt::Display for NotWritable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            NotWritable::Arranged => {
                "a save file cannot say who is to move after the board was edited"
            }
            NotWritable::Broken => "the moves of this match cannot be played again",
        })
    }
}

impl std::error::Error for NotWritable {}

/// Somebody at a seat, for the file: whether a person moves, and the name.
pub(crate) type Names<'n> = &'n dyn Fn(Player) -> (bool, String);

/// Writes a line of play that begins at `start`. `who` tells of each player whether a person
/// moves for it, and under which name.
pub fn save<'s>(
    start: &GameState,
    steps: impl IntoIterator<Item = SavedStep<'s>>,
    who: Names<'_>,
) -> Result<SavedFile, NotWritable> {
    match (&start.rules().language, &start.inner) {
        (Language::Compiled { .. }, Inner::Compiled(state)) => {
            let file = save_zsg(start.rules(), state, steps, who)?;
            Ok(SavedFile { extension: "zsg", bytes: file.to_bytes() })
        }
        (Language::Scripted(script), Inner::Scripted(_)) => {
            let record = save_record(script, start, steps, who)?;
            Ok(SavedFile { extension: "txt", bytes: record.write().into_bytes() })
        }
        _ => Err(NotWritable::Broken),
    }
}

fn save_zsg<'s>(
    rules: &GameRules,
    start: &State,
    steps: impl IntoIterator<Item = SavedStep<'s>>,
    who: Names<'_>,
) -> Result<SaveFile, NotWritable> {
    let mut state = start.clone();
    let mut file = SaveFile::new(&state, &letters(rules.ruleset(), who));
    for step in steps {
        match step {
            SavedStep::Move(GameMove::Compiled(mv), _) => {
                file.push_move(&state, mv);
                state.play_unchecked(mv).map_err(|_| NotWritable::Broken)?;
            }
            SavedStep::Move(..) => return Err(NotWritable::Broken),
            SavedStep::Edit(step) => {
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

/// A letter for each player, as saves have them: `H` where a person moves, else `C`.
fn letters(ruleset: &Ruleset, who: Names<'_>) -> String {
    ruleset.all_players().map(|it| if who(it).0 { 'H' } else { 'C' }).collect()
}

fn save_record<'s>(
    script: &Script,
    start: &GameState,
    steps: impl IntoIterator<Item = SavedStep<'s>>,
    who: Names<'_>,
) -> Result<Record, NotWritable> {
    let mut state = start.clone();
    let mut turns = Vec::new();
    for step in steps {
        let SavedStep::Move(played, comment) = step else { return Err(NotWritable::Broken) };
        let GameMove::Scripted(text) = played else { return Err(NotWritable::Broken) };
        state.replay(played).map_err(|_| NotWritable::Broken)?;
        let comment = comment.split_whitespace().collect::<Vec<_>>().join(" ");
        turns.push(TurnText { text: text.clone(), comment });
    }
    let (Some(first), Some(last)) = (start.as_preset(), state.as_preset()) else {
        return Err(NotWritable::Broken);
    };
    let mut record = Record::of(first);
    record.constants = last.constants();
    turns.into_iter().for_each(|it| record.push(it));
    record.bundle = Some(script.preset.bundle.clone());
    for &player in start.rules().seats() {
        if let Some(it) = record.players.get_mut(player.idx()) {
            *it = who(player).1;
        }
    }
    Ok(record)
}
