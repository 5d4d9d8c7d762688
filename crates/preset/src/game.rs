//! A game in progress: turns played through the preset's code.
//!
//! The original builds one program of everything that was played and runs all of it
//! each time somebody opens the game. We keep the machine as it stood after the last
//! turn and run only what is new; where the difference could be seen, because the code
//! keeps constants or looks at moves to come, everything is run again here too.

use std::sync::Arc;

use boardwright_gamecode::{CodeStop, Constant, ForsytheCell, Machine, Space, Status};
use boardwright_text::StopSignal;

use crate::preset::{Enforcement, Preset};

/// One turn as played.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TurnText {
    /// The turn, with what the code added.
    pub text: String,
    /// What the player wrote behind `//`.
    pub comment: String,
}

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PresetOutcome {
    /// It goes on.
    Undecided,
    /// The player, 0 or 1, has won.
    Win(usize),
    /// Nobody wins.
    Draw,
}

/// Steps that trying all moves of one state may take together.
const MOST_STEPS: u64 = 400_000_000;
/// Games that trying all moves of one state may give.
const MOST_GAMES: usize = 4096;
/// Answers to questions within one turn.
const MOST_ANSWERS: usize = 4;

/// A game in progress.
#[derive(Clone, Debug)]
pub struct Game {
    preset: Arc<Preset>,
    seed: u64,
    turns: Vec<TurnText>,
    /// Constants as they were when the last run began.
    constants: Vec<(String, Constant)>,
    /// After the last turn, before the code that looks for the end of the game.
    played: Machine,
    /// After that code: what players see.
    shown: Arc<Machine>,
    /// What the code wrote in the last run.
    output: Vec<String>,
    /// Ends a run early, for callers with a deadline.
    stop: StopSignal,
}

impl Game {
    /// Begins a game.
    pub fn start(preset: Arc<Preset>, seed: u64) -> Result<Game, CodeStop> {
        Game::replay(preset, seed, Vec::new(), &[])
    }

    /// Plays turns from the start, with constants that earlier runs left.
    pub fn replay(
        preset: Arc<Preset>,
        seed: u64,
        constants: Vec<(String, Constant)>,
        turns: &[TurnText],
    ) -> Result<Game, CodeStop> {
        let stop = StopSignal::default();
        Game::replay_until(preset, seed, constants, turns, stop).map_err(|it| it.1)
    }

    /// The same with a signal that ends it early, and every later run of the game. If a
    /// turn is not accepted its number, from nought, is given with the reason.
    pub fn replay_until(
        preset: Arc<Preset>,
        seed: u64,
        constants: Vec<(String, Constant)>,
        turns: &[TurnText],
        stop: StopSignal,
    ) -> Result<Game, (usize, CodeStop)> {
        let machine = preset.machine(seed);
        let mut game = Game {
            shown: Arc::new(machine.clone()),
            played: machine,
            turns: Vec::new(),
            constants,
            output: Vec::new(),
            stop,
            seed,
            preset,
        };
        let initial: Vec<TurnText> = game.initial_turns();
        let all: Vec<TurnText> = initial.iter().chain(turns).cloned().collect();
        match game.run_all(&all).and_then(|()| game.settle(&all)) {
            Ok(()) => Ok(game),
            // What is wrong after the last turn is its doing.
            Err(stop) => {
                let n_made = game.turns.len().min(all.len().saturating_sub(1));
                Err((n_made.saturating_sub(initial.len()), stop))
            }
        }
    }

    /// Sets what ends a run early from now on.
    pub fn stop_by(&mut self, stop: StopSignal) {
        self.played.stop_by(stop.clone());
        self.stop = stop;
    }

    fn initial_turns(&self) -> Vec<TurnText> {
        let lines = self.preset.bundle.settings.get("initial-moves").lines();
        let turns = lines.map(str::trim).filter(|it| !it.is_empty());
        turns.map(|it| TurnText { text: it.to_owned(), comment: String::new() }).collect()
    }

    /// Runs everything from the start.
    fn run_all(&mut self, turns: &[TurnText]) -> Result<(), CodeStop> {
        let mut machine = self.preset.machine(self.seed);
        // What was run before counts: the steps of a game are not given again with each run.
        machine.charge(self.played.steps());
        machine.stop_by(self.stop.clone());
        for (name, value) in &self.constants {
            machine.set_constant(name, value);
        }
        let texts: Vec<String> = turns.iter().map(|it| it.text.clone()).collect();
        machine.set_turns(&texts);
        let result = machine.run(self.preset.pre_game);
        self.played = machine;
        self.turns.clear();
        result?;
        for turn in turns {
            self.make(turn.clone())?;
        }
        self.look()
    }

    /// Runs one turn on the machine.
    fn make(&mut self, turn: TurnText) -> Result<(), CodeStop> {
        let player = self.mover() + 1;
        let machine = &mut self.played;
        machine.allow_turn();
        machine.clear_messages();
        machine.begin_turn(self.turns.len(), &turn.text);
        if !self.preset.bundle.settings.is("no-moves") {
            machine.call(&format!("preauto{player}"))?;
            machine.play(&turn.text)?;
            machine.call(&format!("postauto{player}"))?;
        }
        let text = machine.turn_text().unwrap_or("").to_owned();
        self.turns.push(TurnText { text, ..turn });
        Ok(())
    }

    /// Runs the code that looks for the end of the game, on a copy.
    fn look(&mut self) -> Result<(), CodeStop> {
        let mut shown = self.played.clone();
        if let Some(last) = self.turns.len().checked_sub(1) {
            let player = self.player_of(last);
            if let Some(&part) = self.preset.post_game.get(player) {
                let result = shown.run(part);
                self.played.charge(shown.steps().saturating_sub(self.played.steps()));
                result?;
            }
        }
        self.output = shown.take_output();
        self.shown = Arc::new(shown);
        Ok(())
    }

    /// Plays a turn. A comment may follow behind `//`. If it is refused, the game
    /// stands as before.
    pub fn play(&mut self, written: &str) -> Result<(), CodeStop> {
        *self = self.after(written)?;
        Ok(())
    }

    /// The game after a turn; this one stays as it is.
    pub fn after(&self, written: &str) -> Result<Game, CodeStop> {
        if self.outcome() != PresetOutcome::Undecided {
            return Err(CodeStop::Refused("The game is over.".to_owned(), Default::default()));
        }
        let (next, result) = self.attempt(written);
        result.map(|()| next)
    }

    /// The game after a turn; if that is refused, as far as it came.
    fn attempt(&self, written: &str) -> (Game, Result<(), CodeStop>) {
        let (text, comment) = split_comment(written);
        let turn = TurnText { text: text.to_owned(), comment: comment.to_owned() };
        let mut next = self.clone();
        let result = if self.preset.looks_ahead {
            let mut turns = self.turns.clone();
            turns.push(turn);
            next.run_all(&turns)
        } else {
            next.make(turn).and_then(|()| next.look())
        };
        let turns = next.turns.clone();
        let result = result.and_then(|()| next.settle(&turns));
        (next, result)
    }

    /// Runs everything again if the code kept constants that the run did not begin
    /// with: the next run will begin with them, and must find the same.
    fn settle(&mut self, turns: &[TurnText]) -> Result<(), CodeStop> {
        let constants = self.shown.constants();
        if constants == self.constants {
            return Ok(());
        }
        self.constants = constants;
        self.run_all(turns)
    }

    /// The player to move: 0 or 1.
    pub fn mover(&self) -> usize {
        self.player_of(self.turns.len())
    }

    pub(crate) fn player_of(&self, turn: usize) -> usize {
        (self.preset.first_player() + turn) % 2
    }

    /// The preset.
    pub fn preset(&self) -> &Arc<Preset> {
        &self.preset
    }

    /// The seed of dice and shuffles.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// The turns so far.
    pub fn turns(&self) -> &[TurnText] {
        &self.turns
    }

    /// Constants, to be kept with the record.
    pub fn constants(&self) -> Vec<(String, Constant)> {
        self.shown.constants()
    }

    /// What the code said to the players.
    pub fn messages(&self) -> &[String] {
        self.shown.said()
    }

    /// What the code wrote with `echo` and `print`.
    pub fn output(&self) -> &[String] {
        &self.output
    }

    /// The board as it stands.
    pub fn cells(&self) -> Vec<ForsytheCell> {
        self.shown.cells()
    }

    /// The label on a site.
    pub fn piece(&self, site: Space) -> Option<&str> {
        self.shown.piece(site)
    }

    /// The machine as players see it.
    pub fn machine(&self) -> &Machine {
        &self.shown
    }

    /// How the game stands.
    pub fn outcome(&self) -> PresetOutcome {
        // `won` is about the player who moved last; before the first move that is
        // the one who begins.
        let last = match self.turns.len() {
            0 => self.mover(),
            n_turns => self.player_of(n_turns - 1),
        };
        match self.shown.status() {
            Status::Ongoing => PresetOutcome::Undecided,
            Status::Won => PresetOutcome::Win(last),
            Status::Lost => PresetOutcome::Win(1 - last),
            Status::Drawn => PresetOutcome::Draw,
        }
    }

    /// How much of the rules the code takes care of.
    pub fn enforcement(&self) -> Enforcement {
        self.preset.enforcement(self.shown.flag("rules"))
    }

    /// Plays a turn without looking whether it ends the game or what may follow: what
    /// players are shown is that of before.
    pub(crate) fn make_only(&mut self, turn: TurnText) -> Result<(), CodeStop> {
        if !self.preset.looks_ahead {
            return self.make(turn);
        }
        let mut turns = self.turns.clone();
        turns.push(turn);
        self.run_all(&turns)
    }

    /// A hash of what decides how the game goes on: who is to move, and the state of the
    /// machine.
    pub fn state_hash(&self) -> u64 {
        self.shown.state_hash().rotate_left(self.mover() as u32)
    }

    /// Steps that were run since an earlier state of this game.
    pub fn spent(&self, before: &Game) -> u64 {
        self.played.steps().saturating_sub(before.played.steps())
    }

    /// What stands otherwise than in another state of this game, before any code that
    /// only shows something.
    pub(crate) fn changes_since(&self, before: &Game) -> Vec<(Space, Option<String>)> {
        let board = self.played.board();
        let differs = |it: &Space| self.played.piece(*it) != before.played.piece(*it);
        let now = |it: Space| (it, self.played.piece(it).map(str::to_owned));
        board.all().filter(differs).map(now).collect()
    }

    /// The label that stands on a site, before any code that only shows something.
    pub fn standing(&self, site: Space) -> Option<&str> {
        self.played.piece(site)
    }

    /// Every whole legal turn among those told, and the game after each: questions
    /// are answered in every way, and what the rules refuse is left out.
    pub fn complete(&self) -> Option<Vec<(String, Game)>> {
        let mut found = Vec::new();
        let mut budget = MOST_STEPS;
        for text in self.told_moves()? {
            self.complete_one(&text, 0, &mut budget, &mut found);
            if budget == 0 || found.len() > MOST_GAMES {
                return None;
            }
        }
        Some(found)
    }

    fn complete_one(
        &self,
        text: &str,
        depth: usize,
        budget: &mut u64,
        found: &mut Vec<(String, Game)>,
    ) {
        if *budget == 0 || self.outcome() != PresetOutcome::Undecided {
            return;
        }
        let (next, result) = self.attempt(text);
        *budget = budget.saturating_sub(next.spent(self).max(1000));
        match result {
            Ok(()) => {
                let text = next.turns.last().map_or(String::new(), |it| it.text.clone());
                found.push((text, next));
            }
            Err(CodeStop::Ask(question)) if depth < MOST_ANSWERS => {
                for (_, whole) in question.choices {
                    self.complete_one(&whole, depth + 1, budget, found);
                }
            }
            Err(_) => {}
        }
    }

    /// In how many ways a turn can be completed.
    fn n_accepted(&self, text: &str, depth: usize) -> u64 {
        if self.preset.looks_ahead {
            let mut found = Vec::new();
            let mut budget = MOST_STEPS;
            self.complete_one(text, depth, &mut budget, &mut found);
            return found.len() as u64;
        }
        let mut next = self.clone();
        match next.make(TurnText { text: text.to_owned(), comment: String::new() }) {
            Ok(()) => 1,
            Err(CodeStop::Ask(question)) if depth < MOST_ANSWERS => {
                question.choices.iter().map(|it| self.n_accepted(&it.1, depth + 1)).sum()
            }
            Err(_) => 0,
        }
    }

    /// How many lines of play of a length there are; nothing if moves are not told.
    pub fn perft(&self, depth: usize) -> Option<u64> {
        if depth == 0 {
            return Some(1);
        }
        if self.outcome() != PresetOutcome::Undecided {
            return Some(0);
        }
        if depth == 1 {
            // Whether a turn is accepted shows before the end of the game is looked for.
            let moves = self.told_moves()?;
            return Some(moves.iter().map(|it| self.n_accepted(it, 0)).sum());
        }
        let next = self.complete()?;
        next.iter().map(|(_, game)| game.perft(depth - 1)).sum()
    }
}

/// A turn and the comment behind it.
pub(crate) fn split_comment(written: &str) -> (&str, &str) {
    let mut starts = written.match_indices("//");
    let found = starts.find(|(at, _)| !written.get(..*at).is_some_and(|it| it.ends_with(':')));
    match found {
        Some((at, _)) => {
            let (text, comment) = written.split_at(at);
            (text.trim(), comment.trim_start_matches('/').trim())
        }
        None => (written.trim(), ""),
    }
}
