//! Plays a saved game from its start.

use std::sync::Arc;

use super::{Entry, SaveFile};
use crate::{
    apply::{Edit, Undo},
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
pub struct ReplayStop {
    /// The line of the file, from 1.
    pub line: u32,
    /// The reason it stopped.
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
    pub stop: Option<ReplayStop>,
}

/// Plays at most `limit` entries of a save by the rules it names.
pub fn replay(save: &SaveFile, rules: Arc<Rules>, limit: Option<usize>) -> Replay {
    replay_checked(save, rules, None, limit)
}

/// Compares a replay move by move with a second implementation of the rules.
pub trait CrossCheck {
    /// Begins at a state: the start of the game or what an edit led to.
    fn begin(&mut self, state: &State);

    /// Compares the legal moves; the text of a move that only one side knows is an error.
    fn compare_moves(&mut self, state: &State, list: &MoveList) -> Result<(), StopReason>;

    /// Plays the move that `state` writes as `text`; `false` if there is none.
    fn play(&mut self, state: &State, text: &str) -> bool;

    /// Whether both are in the same state.
    fn agrees_with(&mut self, state: &State) -> bool;
}

/// The same, with every list of moves and every state compared with a second
/// implementation of the rules.
pub fn replay_checked(
    save: &SaveFile,
    rules: Arc<Rules>,
    mut check: Option<&mut dyn CrossCheck>,
    limit: Option<usize>,
) -> Replay {
    let state = State::start_of(rules);
    if let Some(check) = &mut check {
        check.begin(&state);
    }
    let written = save.without_entries();
    let mut replay = Replay { state, steps: Vec::new(), written, stop: None };
    for (line, entry) in save.entries.iter().take(limit.unwrap_or(usize::MAX)) {
        let done = match entry {
            Entry::Move { text, .. } => replay.step_move(*line, text, &mut check),
            Entry::Place { .. } | Entry::Remove { .. } => {
                let done = replay.step_edit(*line, entry);
                // An edit begins a new history.
                if let Some(check) = &mut check {
                    check.begin(&replay.state);
                }
                done
            }
        };
        if let Err(reason) = done {
            replay.stop = Some(ReplayStop { line: *line, reason });
            return replay;
        }
    }
    if let (Some(damage), None) = (&save.damage, limit) {
        let reason = StopReason::Damage(damage.reason.clone());
        replay.stop = Some(ReplayStop { line: damage.line, reason });
    }
    replay
}

impl Replay {
    fn step_move(
        &mut self,
        line: u32,
        text: &str,
        check: &mut Option<&mut dyn CrossCheck>,
    ) -> Result<(), StopReason> {
        let list = self.state.legal_moves().map_err(StopReason::Halt)?;
        if let Some(check) = check {
            check.compare_moves(&self.state, &list)?;
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
        let is_known = check.as_mut().is_none_or(|it| it.play(&self.state, &text));
        let undo = self.state.play_unchecked(&mv).map_err(StopReason::Halt)?;
        if !is_known || check.as_mut().is_some_and(|it| !it.agrees_with(&self.state)) {
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
