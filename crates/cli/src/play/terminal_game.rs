//! A game in the terminal: a match, and the engine beside it.
//!
//! The referee's [`Match`] decides everything: seats, turns, chance, taking back, the record.
//! Here commands are given to it and its state is put into words.

use std::{
    collections::{BTreeMap, HashMap},
    io::Write,
    path::{Path, PathBuf},
    sync::Arc,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use anyhow::{Context, Result, bail};
use boardwright_game::{Player, PlayerInfo, Ruleset};
use boardwright_play::SplitMix64;
use boardwright_referee::{
    Actor, EngineSetup, Match, MatchCommand, MatchSetup, NodeId, Refusal, Seat, Sitter,
};
use boardwright_rules::{GameOutcome, GameRules, GameState, LegalMoves};
use boardwright_text::render::printable;

use super::opponent::Opponent;
use crate::{board, codec, source};

/// Who plays for whom when a game begins.
pub(super) struct Seating<'a> {
    /// Names of players whose moves are made at random.
    pub random: &'a [String],
    /// The level of the engine, if it plays.
    pub level: Option<u8>,
    /// The name of the player whom the person plays against the engine.
    pub person: Option<&'a str>,
}

/// Who makes the next move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Turn {
    Person,
    /// It is drawn: for dice, or for a player who moves at random.
    Chance,
    /// The engine at this level.
    Engine(u8),
}

/// A game in the terminal.
pub(super) struct TerminalGame {
    game: Match,
    pub opponent: Opponent,
    seed: u64,
    chance: SplitMix64,
    /// Whether the seed was printed; it is, before the first random move.
    has_told_seed: bool,
    /// Moves as lists show them, by node, for moves made here.
    shown: BTreeMap<NodeId, String>,
    /// The answers to the question that completes the last turn: label and whole turn.
    pub answers: Vec<(String, String)>,
    /// The file that this game was written to or read from.
    pub own_file: Option<PathBuf>,
}

impl TerminalGame {
    pub(super) fn new(
        rules: Arc<GameRules>,
        seating: &Seating<'_>,
        time: Duration,
        seed: Option<u64>,
    ) -> Result<TerminalGame> {
        let ruleset = rules.ruleset();
        let mut seats: Vec<Seat> = rules.seats().iter().map(|_| Seat::person()).collect();
        if let Some(level) = seating.level {
            source::check_engine(&rules)?;
            let person = match seating.person {
                Some(name) => Some(player_called(ruleset, name)?),
                None => codec::movers(ruleset).first().copied(),
            };
            for (&player, seat) in rules.seats().iter().zip(&mut seats) {
                if Some(player) != person {
                    *seat = sitting(engine(level, time));
                }
            }
        }
        for name in seating.random {
            // Dice have no seat: they move at random in any case.
            let seat = rules.seat_of(player_called(ruleset, name)?);
            if let Some(seat) = seat.and_then(|it| seats.get_mut(it)) {
                *seat = sitting(Sitter::Random);
            }
        }
        let seed = seed.unwrap_or_else(seed_from_clock);
        let setup = MatchSetup { seed, setup: None, seats, now: now() };
        let (game, _) = Match::begin(Arc::clone(&rules), setup)?;
        Ok(TerminalGame {
            game,
            opponent: Opponent::new(rules, time),
            seed,
            chance: SplitMix64::new(seed),
            has_told_seed: false,
            shown: BTreeMap::new(),
            answers: Vec::new(),
            own_file: None,
        })
    }

    pub(super) fn rules(&self) -> &GameRules {
        self.game.rules()
    }

    pub(super) fn ruleset(&self) -> &Ruleset {
        self.game.rules().ruleset()
    }

    pub(super) fn state(&self) -> &GameState {
        self.game.state()
    }

    pub(super) fn record(&self) -> &Match {
        &self.game
    }

    /// The legal moves and the outcome where play goes on.
    pub(super) fn legal(&self) -> Result<Arc<LegalMoves>> {
        Ok(self.game.legal()?)
    }

    /// The number of moves and edits so far.
    pub(super) fn n_steps(&self) -> usize {
        self.game.tree().line(self.game.current()).len() - 1
    }

    /// The seed of a search here, so that a game can be repeated.
    pub(super) fn search_seed(&self) -> u64 {
        self.seed.wrapping_add(self.n_steps() as u64)
    }

    /// The moves so far, as lists show them.
    pub(super) fn moves_so_far(&self) -> Vec<String> {
        let line = self.game.tree().line(self.game.current());
        let text = |id: &NodeId| match self.shown.get(id) {
            Some(it) => it.clone(),
            None => printable(self.game.tree().node(*id).map_or("", |it| &it.long)),
        };
        line.iter().skip(1).map(text).collect()
    }

    /// The name of the player to move.
    pub(super) fn mover_name(&self) -> String {
        let mover = self.state().mover();
        mover.map(|it| board::player_shown(self.ruleset(), it)).unwrap_or_default()
    }

    /// The board and how the game stands.
    pub(super) fn picture(&self) -> Result<String> {
        let legal = self.legal()?;
        let mut text = source::picture(self.state(), legal.outcome.is_some())?;
        if let Some(outcome) = &legal.outcome {
            text.push_str(&format!("The game is over: {}\n", outcome_text(outcome)));
        }
        Ok(text)
    }

    /// Who makes the next move.
    pub(super) fn turn(&self) -> Turn {
        let state = self.state();
        if state.is_chance() || state.awaits_reply() {
            return Turn::Chance;
        }
        let seat = state.mover().and_then(|it| self.rules().seat_of(it));
        match seat.and_then(|it| self.game.seats().get(it)).map(|it| &it.sitter) {
            Some(Sitter::Engine(it)) => Turn::Engine(it.level),
            Some(Sitter::Random) => Turn::Chance,
            Some(Sitter::Person | Sitter::Guest) | None => Turn::Person,
        }
    }

    /// Who moves for a player: a word for lists.
    pub(super) fn sitter_text(&self, player: Player) -> String {
        let seat = self.rules().seat_of(player).and_then(|it| self.game.seats().get(it));
        match seat.map(|it| &it.sitter) {
            Some(Sitter::Engine(it)) => format!("engine, level {}", it.level),
            Some(Sitter::Person | Sitter::Guest) => "you".to_owned(),
            Some(Sitter::Random) | None => "chance".to_owned(),
        }
    }

    fn perform(&mut self, command: &MatchCommand, actor: Actor<'_>) -> Result<(), Refusal> {
        let chance = match command {
            MatchCommand::Draw => self.chance.next_u64(),
            _ => 0,
        };
        let applied = self.game.apply(command, actor, "", now(), chance)?;
        self.game.commit(applied);
        Ok(())
    }

    /// A command of the person at the terminal, who owns the match and every seat.
    fn ask(&mut self, command: &MatchCommand) -> Result<(), Refusal> {
        let seats: Vec<usize> = (0..self.game.seats().len()).collect();
        self.perform(command, Actor::Person { is_owner: true, seats: &seats })
    }

    /// Makes a move, and notes how lists show it.
    fn make(&mut self, command: &MatchCommand, actor: Actor<'_>) -> Result<(), Refusal> {
        let (state, legal) = (self.state().clone(), self.game.legal()?);
        self.answers.clear();
        self.perform(command, actor)?;
        let node = self.game.current();
        let long = self.game.tree().node(node).map_or("", |it| &it.long);
        let idx = (0..legal.len()).find(|&it| state.move_text(&legal, it).as_deref() == Some(long));
        let shown = idx.and_then(|it| state.shown_text(&legal, it));
        let shown = printable(shown.as_deref().unwrap_or(long));
        self.shown.insert(node, shown);
        Ok(())
    }

    /// Plays a move of a person or of the engine, by its text.
    pub(super) fn play(&mut self, text: &str) -> Result<(), Refusal> {
        let command = MatchCommand::Play { node: self.game.current(), text: text.to_owned() };
        let seats: Vec<usize> = (0..self.game.seats().len()).collect();
        let actor = match self.turn() {
            Turn::Engine(_) => Actor::Engine,
            // The person at the terminal owns the match and every seat.
            Turn::Person | Turn::Chance => Actor::Person { is_owner: true, seats: &seats },
        };
        self.make(&command, actor)
    }

    /// Plays one of the legal moves.
    pub(super) fn play_nth(&mut self, legal: &LegalMoves, idx: usize) -> Result<()> {
        match self.state().move_text(legal, idx) {
            Some(text) => Ok(self.play(&text)?),
            None => Ok(()),
        }
    }

    /// Makes a random move: of dice, or of a player who moves at random.
    pub(super) fn draw(&mut self, out: &mut dyn Write) -> Result<()> {
        if !self.has_told_seed {
            self.has_told_seed = true;
            writeln!(out, "Random moves use the seed {0}; --seed {0} repeats them.", self.seed)?;
        }
        Ok(self.make(&MatchCommand::Draw, Actor::Chance)?)
    }

    /// Makes all moves that no person makes, until a person is to move; whether there were any.
    pub(super) fn advance(&mut self, out: &mut dyn Write) -> Result<bool> {
        let mut has_moved = false;
        while self.turn() != Turn::Person && self.legal()?.outcome.is_none() {
            let name = self.mover_name();
            match self.turn() {
                Turn::Engine(level) => {
                    let (state, seed) = (self.state().clone(), self.search_seed());
                    let at = (&state, &self.game);
                    let Some(text) = self.opponent.choose(at, level, seed, out)? else { break };
                    self.play(&text)?;
                }
                _ => self.draw(out)?,
            }
            let shown = self.shown.get(&self.game.current()).map_or("", |it| it.as_str());
            writeln!(out, "{name}: {shown}")?;
            has_moved = true;
            // Without a person this could go on for ever.
            if !self.game.has_person() {
                break;
            }
        }
        Ok(has_moved)
    }

    /// What to show for each legal move: the short text if no other move has it.
    pub(super) fn texts(&self, legal: &LegalMoves) -> Vec<String> {
        let state = self.state();
        let short = |idx: usize| state.shown_text(legal, idx).unwrap_or_default();
        let mut n_alike: HashMap<String, usize> = HashMap::new();
        for idx in 0..legal.len() {
            *n_alike.entry(short(idx)).or_default() += 1;
        }
        let text = |idx: usize| {
            let short = short(idx);
            let is_alone = n_alike.get(&short).is_none_or(|&it| it == 1);
            let full = if is_alone { None } else { state.move_text(legal, idx) };
            printable(&full.unwrap_or(short))
        };
        (0..legal.len()).map(text).collect()
    }

    /// Takes back to where a person last had a choice; false if there is nothing to take back.
    pub(super) fn take_back(&mut self) -> Result<bool> {
        match self.ask(&MatchCommand::TakeBack) {
            Ok(()) => Ok(true),
            Err(Refusal::AtStart) => Ok(false),
            Err(other) => Err(other.into()),
        }
    }

    /// Continues from a node of the record.
    pub(super) fn go_to(&mut self, node: NodeId) -> Result<()> {
        Ok(self.ask(&MatchCommand::GoTo { node })?)
    }

    /// Begins again with the same seats.
    pub(super) fn restart(&mut self) -> Result<()> {
        let (game, _) = Match::begin(Arc::clone(self.game.rules()), self.setup())?;
        self.replace(game);
        self.opponent.clear();
        Ok(())
    }

    /// Continues with a saved game; gives why it ends before the end of the file, if it does.
    pub(super) fn load(&mut self, path: &Path) -> Result<Option<String>> {
        let rules = Arc::clone(self.game.rules());
        let (game, stop) = source::load(path, &rules, self.setup())?;
        self.replace(game);
        self.own_file = Some(path.to_owned());
        Ok(stop)
    }

    fn setup(&self) -> MatchSetup {
        MatchSetup { seed: self.seed, setup: None, seats: self.game.seats().to_vec(), now: now() }
    }

    fn replace(&mut self, game: Match) {
        self.game = game;
        self.shown.clear();
        self.answers.clear();
    }

    /// Lets the engine play for all but the player to move; `None` ends that.
    pub(super) fn set_opponent(&mut self, level: Option<u8>) -> Result<()> {
        if level.is_some() {
            source::check_engine(self.rules())?;
        }
        let mover = self.state().mover();
        let players = self.rules().seats().to_vec();
        for (seat, player) in players.into_iter().enumerate() {
            let sitter = match level {
                Some(level) if Some(player) != mover => engine(level, self.opponent.time()),
                _ => Sitter::Person,
            };
            let is_engine = |it: &Seat| matches!(it.sitter, Sitter::Engine(_));
            let was_engine = self.game.seats().get(seat).is_some_and(is_engine);
            if was_engine || matches!(sitter, Sitter::Engine(_)) {
                self.give_seat(seat, sitter)?;
            }
        }
        Ok(())
    }

    /// Lets a player move at random, or by hand if it moved at random; gives the player's name
    /// and whether it moves at random now.
    pub(super) fn toggle_random(&mut self, name: &str) -> Result<(String, bool)> {
        let player = player_called(self.ruleset(), name)?;
        let shown = board::player_shown(self.ruleset(), player);
        let Some(seat) = self.rules().seat_of(player) else {
            bail!("the rules say how {shown} moves");
        };
        let is_random = matches!(self.game.seats()[seat].sitter, Sitter::Random);
        self.give_seat(seat, if is_random { Sitter::Person } else { Sitter::Random })?;
        Ok((shown, !is_random))
    }

    fn give_seat(&mut self, seat: usize, sitter: Sitter) -> Result<()> {
        let (name, key) = (String::new(), String::new());
        Ok(self.ask(&MatchCommand::GiveSeat { seat, sitter, name, key })?)
    }
}

/// How a game ended: the result, the reason, and the rule.
pub(super) fn outcome_text(outcome: &GameOutcome) -> String {
    let (text, why) = (printable(&outcome.text), printable(&outcome.why));
    match &outcome.rule {
        Some((rule, line)) => format!("{text}: {why}, by {rule} (line {line})"),
        None => format!("{text}: {why}"),
    }
}

fn engine(level: u8, time: Duration) -> Sitter {
    Sitter::Engine(EngineSetup { level, seconds: time.as_secs_f64(), depth: None, variety: 0 })
}

fn sitting(sitter: Sitter) -> Seat {
    Seat::new(sitter, "", String::new())
}

/// The player with this name, in any letter case.
fn player_called(ruleset: &Ruleset, name: &str) -> Result<Player> {
    let is_it = |it: &PlayerInfo| {
        it.name.eq_ignore_ascii_case(name)
            || ruleset.translated(&it.name).eq_ignore_ascii_case(name)
    };
    let found = ruleset.all_players().zip(&ruleset.players).find(|it| is_it(it.1));
    found.map(|it| it.0).with_context(|| {
        let names: Vec<_> = ruleset.players.iter().map(|it| printable(&it.name)).collect();
        format!("no player is called `{}`; there are {}", printable(name), names.join(", "))
    })
}

/// Milliseconds since 1970.
fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    since.as_millis() as u64
}

/// A different number each time, short enough to be typed again.
fn seed_from_clock() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    SplitMix64::new(since.as_nanos() as u64).next_u64() % 1_000_000
}
