//! Problems: another state to begin with, a message, and a win to be found.

use std::sync::Arc;

use boardwright_gamecode::{CodeLimits, CodeStop};

use crate::{
    bundle::Bundle,
    game::{Game, PresetOutcome},
    preset::Preset,
    settings::{Field, Note},
};

/// A problem posed on a preset.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Problem {
    /// What it is called.
    pub title: String,
    /// What the solver is told: "Mate in two".
    pub message: String,
    /// What stands where, as Forsythe code.
    pub code: String,
    /// The side to move; the first if empty.
    pub side: String,
    /// In how many moves of the solver the win is to be.
    pub moves: u32,
    /// GAME Code run at the start, such as where the kings stand.
    pub setup: String,
}

/// What became of a solver's turn.
#[derive(Clone, Debug)]
pub enum Judgement {
    /// The game is won.
    Solved(Box<Game>),
    /// The turn keeps the win; this is the reply, and the game after it.
    GoOn {
        /// The reply as played.
        reply: String,
        /// The game after the reply.
        game: Box<Game>,
    },
    /// The turn is legal, and does not win in time.
    Wrong,
    /// The turn is not legal, or not complete.
    Refused(CodeStop),
    /// Too many lines of play to tell.
    Unknown,
}

impl Problem {
    /// Reads `key: value` lines: title, message, code, side, moves, setup.
    pub fn read(text: &str) -> (Problem, Vec<Note>) {
        let mut problem = Problem { moves: 1, ..Problem::default() };
        let mut notes = Vec::new();
        let mut lines = text.lines().enumerate().peekable();
        while let Some((idx, line)) = lines.next() {
            if line.trim().is_empty() || line.starts_with('#') {
                continue;
            }
            let (key, value) = line.split_once(':').unwrap_or((line, ""));
            let mut value = value.trim().to_owned();
            while let Some((_, more)) = lines.next_if(|it| it.1.starts_with("  ")) {
                value.push('\n');
                value.push_str(more.trim());
            }
            match key.trim() {
                "title" => problem.title = value,
                "message" => problem.message = value,
                "code" => problem.code = value,
                "side" => problem.side = value,
                "setup" => problem.setup = value,
                "moves" if value.parse::<u32>().is_ok_and(|it| (1..=10).contains(&it)) => {
                    problem.moves = value.parse().unwrap_or(1);
                }
                "moves" => notes.push(Note {
                    line: idx + 1,
                    message: "`moves` takes a number from 1 to 10".to_owned(),
                }),
                key => notes.push(Note {
                    line: idx + 1,
                    message: format!("a problem has no `{}`", crate::settings::shorten(key)),
                }),
            }
        }
        (problem, notes)
    }

    /// Writes what [`Problem::read`] reads.
    pub fn write(&self) -> String {
        let mut out = String::new();
        let moves = self.moves.to_string();
        let fields = [
            ("title", &self.title),
            ("message", &self.message),
            ("code", &self.code),
            ("side", &self.side),
            ("moves", &moves),
            ("setup", &self.setup),
        ];
        for (key, value) in fields.into_iter().filter(|it| !it.1.is_empty()) {
            let mut lines = value.lines();
            out.push_str(&format!("{key}: {}\n", lines.next().unwrap_or("")));
            lines.for_each(|it| out.push_str(&format!("  {it}\n")));
        }
        out
    }

    /// The preset that poses the problem.
    pub fn preset(&self, base: &Bundle, limits: &CodeLimits) -> Result<Preset, String> {
        let mut bundle = base.clone();
        let settings = &mut bundle.settings;
        let mut set = |key: &str, value: &str| match Field::named(key) {
            Some(field) => settings.set(field, value),
            None => Err(format!("there is no setting `{key}`")),
        };
        set("code", &self.code)?;
        set("side", &self.side)?;
        let message: String = self.message.chars().filter(|it| !"\";\n".contains(*it)).collect();
        let code = base.settings.get("pre-game");
        set("pre-game", &format!("{code}\n{}\nsay \"{message}\";", self.setup))?;
        Preset::new(bundle, limits)
    }

    /// Begins the problem.
    pub fn start(&self, base: &Bundle, limits: &CodeLimits) -> Result<Game, String> {
        let preset = Arc::new(self.preset(base, limits)?);
        Game::start(preset, 0).map_err(|it| {
            it.diagnostic().map_or_else(|| "the setup asks a question".to_owned(), |it| it.message)
        })
    }

    /// Plays the solver's turn and tells what became of it. `game` is as
    /// [`Problem::start`] or the last [`Judgement::GoOn`] gave it.
    pub fn judge(&self, game: &Game, written: &str) -> Judgement {
        let solver = game.mover();
        let left = self.moves.saturating_sub(game.turns().len() as u32 / 2);
        let mut next = game.clone();
        if let Err(stop) = next.play(written) {
            return Judgement::Refused(stop);
        }
        if next.outcome() == PresetOutcome::Win(solver) {
            return Judgement::Solved(Box::new(next));
        }
        if next.outcome() != PresetOutcome::Undecided || left <= 1 {
            return Judgement::Wrong;
        }
        let mut budget = BUDGET;
        let Some(replies) = next.complete() else { return Judgement::Unknown };
        let mut best: Option<(u32, String, Game)> = None;
        for (reply, after) in replies {
            // The reply that holds out longest is the one to give.
            let needed = (1..left).find(|&it| wins(&after, solver, it, &mut budget) == Some(true));
            let Some(needed) = needed else {
                return if budget == 0 { Judgement::Unknown } else { Judgement::Wrong };
            };
            if best.as_ref().is_none_or(|it| it.0 < needed) {
                best = Some((needed, reply, after));
            }
        }
        match best {
            Some((_, reply, game)) => Judgement::GoOn { reply, game: Box::new(game) },
            None => Judgement::Wrong,
        }
    }

    /// A first move that solves the problem, if one is found within bounds.
    pub fn solve(&self, game: &Game) -> Option<String> {
        let solver = game.mover();
        let mut budget = BUDGET;
        let moves = game.complete()?;
        let found = moves
            .into_iter()
            .find(|(_, next)| holds(next, solver, self.moves, &mut budget) == Some(true));
        found.map(|it| it.0)
    }
}

/// How many games may be looked at.
const BUDGET: u32 = 20_000;

/// Whether the solver, to move, can force a win in `moves`; nothing if out of budget.
fn wins(game: &Game, solver: usize, moves: u32, budget: &mut u32) -> Option<bool> {
    if game.outcome() != PresetOutcome::Undecided || moves == 0 {
        return Some(game.outcome() == PresetOutcome::Win(solver));
    }
    for (_, next) in game.complete()? {
        if holds(&next, solver, moves, budget)? {
            return Some(true);
        }
    }
    Some(false)
}

/// Whether the solver, having moved, has a win in `moves` counting that move.
fn holds(game: &Game, solver: usize, moves: u32, budget: &mut u32) -> Option<bool> {
    *budget = budget.checked_sub(1)?;
    if game.outcome() != PresetOutcome::Undecided || moves <= 1 {
        return Some(game.outcome() == PresetOutcome::Win(solver));
    }
    let replies = game.complete()?;
    for (_, after) in &replies {
        if !wins(after, solver, moves - 1, budget)? {
            return Some(false);
        }
    }
    Some(!replies.is_empty())
}
