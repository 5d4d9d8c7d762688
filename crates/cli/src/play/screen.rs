//! `boardwright play` on the whole terminal: a board with a cursor, the moves, the engine.
//!
//! The referee decides everything; here keys become moves and commands. What a key does
//! depends on what is open: a choice, a list, a line being typed, or the board (`keys`).

mod chart;
mod keys;
mod pick;
mod thinker;
mod view;

use std::{io, process::ExitCode, sync::Arc, time::Duration};

use anyhow::{Context, Result};
use boardwright_game::Site;
use boardwright_referee::NodeId;
use boardwright_rules::{LegalMoves, MoveDetails};
use ratatui::{
    DefaultTerminal,
    crossterm::{
        event::{self, DisableMouseCapture, EnableMouseCapture, Event, KeyEventKind},
        execute,
    },
};

use self::{
    chart::{Arrow, Chart},
    thinker::{Purpose, Search, SearchStatus},
    view::Drawn,
};
use super::{
    opponent,
    terminal_game::{TerminalGame, Turn, outcome_text},
};

/// The time between two updates of the engine's progress.
const TICK: Duration = Duration::from_millis(80);

/// What is open over the board.
enum Overlay {
    /// Several moves fit what was touched: the indices to choose from.
    Choice { moves: Vec<usize>, at: usize },
    /// The list of all legal moves.
    Moves { at: usize },
    /// The list of keys.
    Help,
    /// A line being typed: a move or a command.
    Line(String),
    /// The question whether to leave a game that is not saved.
    Leave,
}

/// A game on the screen.
pub(super) struct Screen {
    game: TerminalGame,
    chart: Chart,
    cursor: Site,
    /// The site of the piece that is picked up.
    picked: Option<Site>,
    legal: Arc<LegalMoves>,
    moves: Vec<MoveDetails>,
    texts: Vec<String>,
    overlay: Option<Overlay>,
    message: String,
    search: Option<Search>,
    /// The nodes that were taken back, the last one first to be played again.
    undone: Vec<NodeId>,
    is_paused: bool,
    /// The number of moves that the file on disk has.
    n_saved: usize,
    /// Whether the terminal shows colours; otherwise dots mark empty sites.
    has_color: bool,
    drawn: Drawn,
}

/// Whether the board can be shown: the rules say where its sites are drawn.
pub(super) fn can_show(game: &TerminalGame) -> bool {
    !Chart::new(game.ruleset()).sites().is_empty()
}

/// Plays on the terminal until the player leaves.
pub(super) fn run(game: TerminalGame) -> Result<ExitCode> {
    let mut screen = Screen::new(game)?;
    let mut terminal = ratatui::try_init().context("cannot use this terminal; try --lines")?;
    let _ = execute!(io::stdout(), EnableMouseCapture);
    let result = screen.run(&mut terminal);
    let _ = execute!(io::stdout(), DisableMouseCapture);
    ratatui::restore();
    result.map(|()| ExitCode::SUCCESS)
}

impl Screen {
    pub(super) fn new(game: TerminalGame) -> Result<Screen> {
        let chart = Chart::new(game.ruleset());
        let cursor = chart.sites().first().copied().unwrap_or(Site(0));
        let mut screen = Screen {
            game,
            chart,
            cursor,
            picked: None,
            legal: Arc::new(LegalMoves::none(None)),
            moves: Vec::new(),
            texts: Vec::new(),
            overlay: None,
            message: "Arrows move the cursor, Enter picks up and puts down; ? shows all keys."
                .to_owned(),
            search: None,
            undone: Vec::new(),
            is_paused: false,
            n_saved: 0,
            has_color: crate::out::Color::Auto.is_on(),
            drawn: Drawn::default(),
        };
        screen.update()?;
        let stops = screen.stops();
        screen.cursor = screen.chart.central(&stops).unwrap_or(cursor);
        Ok(screen)
    }

    fn run(&mut self, terminal: &mut DefaultTerminal) -> Result<()> {
        loop {
            self.let_others_move()?;
            terminal.draw(|frame| view::draw(self, frame))?;
            if !event::poll(TICK)? {
                continue;
            }
            let goes_on = match event::read()? {
                Event::Key(key) if key.kind != KeyEventKind::Release => self.key(key),
                Event::Mouse(mouse) => self.mouse(mouse),
                _ => Ok(true),
            };
            match goes_on {
                Ok(true) => {}
                Ok(false) => {
                    self.abort_search();
                    return Ok(());
                }
                // A mistake must not end the game.
                Err(error) => self.message = format!("{error:#}"),
            }
        }
    }

    /// Updates the moves after a change.
    fn update(&mut self) -> Result<()> {
        self.picked = None;
        self.overlay = None;
        self.legal = self.game.legal()?;
        if self.legal.outcome.is_some() {
            self.legal = Arc::new(LegalMoves::none(self.legal.outcome.clone()));
        }
        self.moves = self.game.state().move_details(&self.legal);
        self.texts = self.game.texts(&self.legal);
        // A piece that must continue its move is picked up already.
        if self.game.state().is_going_on()
            && self.is_persons_turn()
            && let Some(first) = self.moves.iter().find_map(|it| it.from)
            && self.moves.iter().all(|it| it.is_pass || it.from == Some(first))
        {
            self.picked = Some(first);
        }
        Ok(())
    }

    fn is_over(&self) -> bool {
        self.legal.outcome.is_some()
    }

    fn is_persons_turn(&self) -> bool {
        !self.is_over() && self.game.turn() == Turn::Person
    }

    /// Makes the moves that no person makes, and takes what the engine has found.
    fn let_others_move(&mut self) -> Result<()> {
        if let Some(search) = &mut self.search {
            match search.poll() {
                SearchStatus::Running => {}
                SearchStatus::Lost => self.search = None,
                SearchStatus::Done(done) => {
                    let (report, engine) = *done;
                    let purpose = search.purpose;
                    self.search = None;
                    self.game.opponent.give_back(engine);
                    let state = self.game.state();
                    match (purpose, &report.best) {
                        (Purpose::Move, Some(mv)) => {
                            let text = state.text_of(mv);
                            self.play(&text)?;
                        }
                        (Purpose::Hint, Some(mv)) => {
                            let (from, to) = state.key_sites_of(mv);
                            let hint = opponent::hint_text(state, &report);
                            self.message = hint.unwrap_or_default();
                            self.cursor = to.unwrap_or(self.cursor);
                            self.picked = from;
                        }
                        (_, None) => {}
                    }
                }
            }
            return Ok(());
        }
        if self.is_over() || self.is_paused {
            return Ok(());
        }
        match self.game.turn() {
            Turn::Person => Ok(()),
            Turn::Chance => self.after_move(|game| game.draw(&mut io::sink())),
            Turn::Engine(level) => self.start_search(level, Purpose::Move),
        }
    }

    fn start_search(&mut self, level: u8, purpose: Purpose) -> Result<()> {
        let state = self.game.state().clone();
        let seed = self.game.search_seed();
        let engine = self.game.opponent.take(level, seed)?;
        let limits = self.game.opponent.limits();
        self.search = Some(Search::start(engine, state, limits, purpose));
        Ok(())
    }

    /// Stops the engine and drops its answer.
    fn abort_search(&mut self) {
        if let Some(engine) = self.search.take().and_then(Search::end) {
            self.game.opponent.give_back(engine);
        }
    }

    fn play(&mut self, text: &str) -> Result<()> {
        self.after_move(|game| Ok(game.play(text)?))
    }

    fn play_nth(&mut self, idx: usize) -> Result<()> {
        match self.game.state().move_text(&self.legal, idx) {
            Some(text) => self.play(&text),
            None => Ok(()),
        }
    }

    /// Makes a move and tells of it. Moves that were taken back are forgotten unless it is the
    /// next of them.
    fn after_move(&mut self, make: impl FnOnce(&mut TerminalGame) -> Result<()>) -> Result<()> {
        let name = self.game.mover_name();
        let is_person = self.game.turn() == Turn::Person;
        make(&mut self.game)?;
        let node = self.game.record().current();
        if self.undone.last() == Some(&node) {
            self.undone.pop();
        } else {
            self.undone.clear();
        }
        let text = self.game.moves_so_far().pop().unwrap_or_default();
        self.message = format!("{name}: {text}");
        if is_person || self.legal.len() > 1 {
            let ends = self.game.record().tree().node(node).map_or(&[][..], |it| &it.ends);
            self.cursor = ends.last().copied().unwrap_or(self.cursor);
        }
        self.update()?;
        if let Some(outcome) = &self.legal.outcome {
            let how = outcome_text(outcome);
            self.message = format!("The game is over: {how}. u takes back, n begins again.");
        }
        Ok(())
    }

    fn travel(&mut self, arrow: Arrow) {
        let to = self.chart.travel(self.game.ruleset(), self.cursor, arrow);
        self.cursor = to.unwrap_or(self.cursor);
    }

    /// Goes to the next site where something can be done.
    fn next_stop(&mut self, forward: bool) {
        let stops = self.stops();
        if stops.is_empty() {
            return;
        }
        let here = stops.iter().position(|&it| it == self.cursor);
        let n = stops.len();
        let next = match (here, forward) {
            (Some(at), true) => (at + 1) % n,
            (Some(at), false) => (at + n - 1) % n,
            (None, true) => 0,
            (None, false) => n - 1,
        };
        self.cursor = stops[next];
    }

    fn stops(&self) -> Vec<Site> {
        let useful = |&site: &Site| match self.picked {
            Some(from) => !pick::between(&self.moves, from, site).is_empty(),
            None => pick::begins(&self.moves, site) || pick::drops(&self.moves, site),
        };
        self.chart.sites().into_iter().filter(useful).collect()
    }

    /// Enter, or a click: picks a piece up, puts it down, or drops one.
    fn touch(&mut self, site: Site) -> Result<()> {
        if !self.is_persons_turn() {
            if !self.is_over() {
                self.message = format!("{} is to move.", self.game.mover_name());
            }
            return Ok(());
        }
        let moves = match self.picked {
            Some(from) => pick::between(&self.moves, from, site),
            None => pick::at(&self.moves, site),
        };
        if let Some(from) = self.picked
            && moves.is_empty()
        {
            self.picked = None;
            if from == site || !pick::begins(&self.moves, site) {
                return Ok(());
            }
        }
        match moves[..] {
            [only] => self.play_nth(only)?,
            [] if pick::begins(&self.moves, site) => self.picked = Some(site),
            [] => self.message = self.nothing_here(site),
            _ => self.overlay = Some(Overlay::Choice { moves, at: 0 }),
        }
        Ok(())
    }

    fn nothing_here(&self, site: Site) -> String {
        let name = crate::board::site_shown(self.game.ruleset(), site);
        match self.game.state().pieces().iter().any(|it| it.site == site) {
            true => format!("{name}: no move of {} begins or ends here", self.game.mover_name()),
            false => format!("{name}: no move ends here"),
        }
    }

    fn pass(&mut self) -> Result<()> {
        match self.moves.iter().position(|it| it.is_pass) {
            Some(idx) if self.is_persons_turn() => self.play_nth(idx),
            _ => {
                self.message = "The rules do not let you pass now.".to_owned();
                Ok(())
            }
        }
    }

    fn take_back(&mut self) -> Result<()> {
        self.abort_search();
        let left = self.game.record().current();
        if !self.game.take_back()? {
            self.message = "There is nothing to take back.".to_owned();
            return Ok(());
        }
        let now = self.game.record().current();
        let line = self.game.record().tree().line(left);
        self.undone.extend(line.into_iter().rev().take_while(|&it| it != now));
        self.message = "Taken back; r plays it again.".to_owned();
        self.update()
    }

    /// Plays again what was taken back, up to where a person has a choice.
    fn redo(&mut self) -> Result<()> {
        self.abort_search();
        while let Some(&node) = self.undone.last() {
            self.after_move(|game| game.go_to(node))?;
            if self.game.turn() == Turn::Person {
                break;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
