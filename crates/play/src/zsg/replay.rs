//! Plays a saved game from its start.

use std::sync::Arc;

use super::{Entry, SaveFile};
use crate::{
    apply::{Edit, Undo},
    fast::{Fast, Shadow},
    halt::Halt,
    mv::{Move, MoveList},
    outcome::Outcome,
    rules::Rules,
    state::State,
};

/// Why a replay stopped before the end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StopReason {
    /// The file does not say anything that makes sense there.
    Damage(String),
    /// An edit names a player, a piece or a position that the rules do not have.
    UnknownName(String),
    /// The move is not legal; the legal ones most like it.
    Illegal {
        /// What the file says.
        text: String,
        /// Some legal moves, most alike first.
        nearest: Vec<String>,
    },
    /// The game was over.
    GameOver(Outcome),
    /// The legal moves could not be found.
    Halt(Halt),
    /// The fast form of the rules does not agree with the plain machine: our fault.
    Differs(String),
}

/// Where and why a replay stopped before the end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stop {
    /// The line of the file, from 1.
    pub line: u32,
    /// Why.
    pub reason: StopReason,
}

/// A saved game, played as far as it can be.
#[derive(Debug)]
pub struct Replay {
    /// The state it led to.
    pub state: State,
    /// What was played or edited, with how to take it back; `None` for edits.
    pub steps: Vec<(Option<Move>, Undo)>,
    /// The same game as we write it.
    pub written: SaveFile,
    /// Where it stopped before the end, if it did.
    pub stop: Option<Stop>,
}

/// Plays at most `limit` entries of a save by the rules it names.
pub fn replay(save: &SaveFile, rules: Arc<Rules>, limit: Option<usize>) -> Replay {
    replay_both(save, rules, None, limit)
}

/// The same in both forms of the rules: at each move the lists must be equal, and so
/// must the states that it leads to.
pub fn replay_both(
    save: &SaveFile,
    rules: Arc<Rules>,
    fast: Option<&Fast>,
    limit: Option<usize>,
) -> Replay {
    let state = State::start_of(rules);
    let mut shadow = fast.map(|it| it.shadow(&state));
    let written = save.without_entries();
    let mut replay = Replay { state, steps: Vec::new(), written, stop: None };
    for (line, entry) in save.entries.iter().take(limit.unwrap_or(usize::MAX)) {
        let done = match entry {
            Entry::Move { text, .. } => replay.step_move(*line, text, shadow.as_mut()),
            Entry::Place { .. } | Entry::Remove { .. } => {
                let done = replay.step_edit(*line, entry);
                // What came before an edit is forgotten.
                shadow = fast.map(|it| it.shadow(&replay.state));
                done
            }
        };
        if let Err(reason) = done {
            replay.stop = Some(Stop { line: *line, reason });
            return replay;
        }
    }
    if let (Some(damage), None) = (&save.damage, limit) {
        let reason = StopReason::Damage(damage.reason.clone());
        replay.stop = Some(Stop { line: damage.line, reason });
    }
    replay
}

impl Replay {
    fn step_move(
        &mut self,
        line: u32,
        text: &str,
        mut shadow: Option<&mut Shadow<'_>>,
    ) -> Result<(), StopReason> {
        let list = self.state.legal_moves().map_err(StopReason::Halt)?;
        if let Some(shadow) = &mut shadow {
            same_moves(&self.state, &list, shadow)?;
        }
        let Some(mv) = self.state.find_in(&list, text).cloned() else {
            if let Some(outcome) = self.state.outcome().map_err(StopReason::Halt)? {
                return Err(StopReason::GameOver(outcome));
            }
            let nearest = self.state.nearest_in(&list, text, 3);
            return Err(StopReason::Illegal { text: text.to_owned(), nearest });
        };
        let number = self.state.move_number();
        let text = self.state.move_text(&mv);
        let is_shadowed = shadow.as_mut().is_none_or(|it| it.play(&self.state, &text));
        let undo = self.state.play_unchecked(&mv).map_err(StopReason::Halt)?;
        if !is_shadowed || shadow.is_some_and(|it| !it.agrees_with(&self.state)) {
            return Err(StopReason::Differs(format!("`{text}` leads to another state")));
        }
        self.written.entries.push((line, Entry::Move { number, text }));
        self.steps.push((Some(mv), undo));
        Ok(())
    }

    fn step_edit(&mut self, line: u32, entry: &Entry) -> Result<(), StopReason> {
        let ruleset = Arc::clone(self.state.ruleset());
        let unknown = |what: &str, name: &str| {
            StopReason::UnknownName(format!("no {what} is called `{name}`"))
        };
        let site =
            |name: &str| ruleset.board.site_named(name).ok_or_else(|| unknown("position", name));
        let edit = match entry {
            Entry::Remove { site: at } => Edit::Remove { site: site(at)? },
            Entry::Place { player, piece, site: at } => Edit::Place {
                player: ruleset.player_named(player).ok_or_else(|| unknown("player", player))?,
                kind: ruleset.piece_named(piece).ok_or_else(|| unknown("piece", piece))?,
                site: site(at)?,
            },
            Entry::Move { .. } => return Ok(()),
        };
        let undo = self.state.edit(edit);
        self.written.entries.push((line, entry.clone()));
        self.steps.push((None, undo));
        Ok(())
    }
}

/// Whether both forms list the same moves.
fn same_moves(state: &State, list: &MoveList, shadow: &mut Shadow<'_>) -> Result<(), StopReason> {
    let mut plain: Vec<String> = list.iter().map(|it| state.move_text(it)).collect();
    let mut quick = shadow.texts(state).map_err(StopReason::Halt)?;
    plain.sort_unstable();
    quick.sort_unstable();
    let differs = |text: &String| StopReason::Differs(format!("only one of them knows `{text}`"));
    let unlike = plain.iter().zip(&quick).find(|(a, b)| a != b).map(|(a, b)| a.min(b));
    let more = || plain.iter().skip(quick.len()).chain(quick.iter().skip(plain.len())).next();
    unlike.or_else(more).map_or(Ok(()), |it| Err(differs(it)))
}
