//! `boardwright play` on a whole terminal: a board, a cursor, the moves, the engine.
//!
//! The table decides everything; here keys become moves and commands. What a key
//! does depends on what is open: a question, a list, a line being typed, or the board.

mod chart;
mod pick;
mod thinker;
mod view;

use std::{io, process::ExitCode, sync::Arc, time::Duration};

use anyhow::{Context, Result};
use boardwright_engine::{EngineSettings, SearchLimits, TuningStore};
use boardwright_game::Site;
use boardwright_play::{Move, MoveList, Outcome};
use boardwright_text::render::printable;
use ratatui::{
    DefaultTerminal,
    crossterm::{
        event::{
            self, DisableMouseCapture, EnableMouseCapture, Event, KeyCode, KeyEvent, KeyEventKind,
            KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
        },
        execute,
    },
};

use self::{
    chart::{Arrow, Chart},
    pick::Pick,
    thinker::{Progress, Purpose, Thinking},
    view::Drawn,
};
use super::{Reaction, Table, opponent, seats::Seat};
use crate::game;

/// How often the engine's progress is looked at.
const TICK: Duration = Duration::from_millis(80);

/// What lies over the board.
enum Open {
    /// Several moves share a site: which one?
    Choice { moves: Vec<usize>, at: usize },
    /// Every legal move.
    Moves { at: usize },
    /// What the keys do.
    Help,
    /// A line being typed: a move or a command.
    Line(String),
    /// Whether to leave a game that is not saved.
    Leave,
}

/// A game on the screen.
pub(super) struct Screen<'a> {
    table: Table<'a>,
    chart: Chart,
    cursor: Site,
    pick: Option<Pick>,
    list: MoveList,
    texts: Vec<String>,
    outcome: Option<Outcome>,
    open: Option<Open>,
    message: String,
    thinking: Option<Thinking>,
    /// What was taken back, last one last.
    undone: Vec<Move>,
    is_paused: bool,
    /// How many moves the file on disk has.
    n_saved: usize,
    /// Whether the terminal shows colours, or dots must tell where sites are.
    has_color: bool,
    drawn: Drawn,
}

/// Plays on the terminal until the player leaves.
pub(super) fn run(table: Table<'_>) -> Result<ExitCode> {
    let mut screen = Screen::new(table)?;
    let mut terminal = ratatui::try_init().context("cannot use this terminal; try --lines")?;
    let _ = execute!(io::stdout(), EnableMouseCapture);
    let result = screen.go(&mut terminal);
    let _ = execute!(io::stdout(), DisableMouseCapture);
    ratatui::restore();
    result.map(|()| ExitCode::SUCCESS)
}

impl<'a> Screen<'a> {
    pub(super) fn new(table: Table<'a>) -> Result<Screen<'a>> {
        let chart = Chart::new(&table.game.ruleset);
        let cursor = chart.sites().first().copied().unwrap_or(Site(0));
        let mut screen = Screen {
            table,
            chart,
            cursor,
            pick: None,
            list: MoveList::new(),
            texts: Vec::new(),
            outcome: None,
            open: None,
            message: "Arrows move the cursor, Enter picks and puts; ? shows all keys.".to_owned(),
            thinking: None,
            undone: Vec::new(),
            is_paused: false,
            n_saved: 0,
            has_color: crate::out::Color::Auto.is_on(),
            drawn: Drawn::default(),
        };
        screen.renew()?;
        let stops = screen.stops();
        screen.cursor = screen.chart.central(&stops).unwrap_or(cursor);
        Ok(screen)
    }

    fn go(&mut self, terminal: &mut DefaultTerminal) -> Result<()> {
        loop {
            self.others()?;
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
                    self.recall();
                    return Ok(());
                }
                // A mistake must not end the game.
                Err(error) => self.message = format!("{error:#}"),
            }
        }
    }

    /// Updates the moves and the outcome after a change.
    fn renew(&mut self) -> Result<()> {
        let halted = |halt| game::halted(self.table.game, halt);
        self.pick = None;
        self.open = None;
        self.outcome = self.table.state.outcome().map_err(halted)?;
        self.list = match self.outcome {
            Some(_) => MoveList::new(),
            None => self.table.legal()?,
        };
        self.texts = self.table.texts(&self.list);
        // A piece that must go on is in hand already.
        if self.table.state.going_on().is_some()
            && self.is_persons_turn()
            && let Some(first) = self.list.iter().find_map(|it| it.key_sites().0)
            && self.list.iter().all(|it| it.is_pass() || it.key_sites().0 == Some(first))
        {
            self.pick = Some(Pick::Piece(first));
        }
        Ok(())
    }

    fn is_persons_turn(&self) -> bool {
        self.outcome.is_none() && self.table.seat() == Seat::Person
    }

    /// Lets those move whom no person moves.
    fn others(&mut self) -> Result<()> {
        if let Some(thinking) = &mut self.thinking {
            match thinking.look() {
                Progress::Going => {}
                Progress::Lost => self.thinking = None,
                Progress::Done(done) => {
                    let (report, engine) = *done;
                    let purpose = thinking.purpose;
                    self.thinking = None;
                    self.table.mind.give_back(engine);
                    match (purpose, report.best) {
                        (Purpose::Move, Some(mv)) => self.play(&mv)?,
                        (Purpose::Hint, Some(mv)) => {
                            let words =
                                crate::analysis::score_words(&self.table.state, report.score);
                            let text = printable(&self.table.state.shown_text(&mv));
                            self.message = format!("I would play {text} ({words}).");
                            self.cursor = mv.key_sites().1.unwrap_or(self.cursor);
                            self.pick = mv.key_sites().0.map(Pick::Piece);
                        }
                        _ => {}
                    }
                }
            }
            return Ok(());
        }
        if self.outcome.is_some() || self.is_paused {
            return Ok(());
        }
        match self.table.seat() {
            Seat::Person => {}
            Seat::Random => {
                if let Some(mv) = self.table.chosen(&mut io::sink())? {
                    self.play(&mv)?;
                }
            }
            Seat::Engine(level) => self.think(level, Purpose::Move),
        }
        Ok(())
    }

    fn think(&mut self, level: u8, purpose: Purpose) {
        let seed = self.table.seed.wrapping_add(self.table.past.len() as u64);
        let mut engine = self.table.mind.take();
        engine.set_settings(EngineSettings { level, seed, ..EngineSettings::default() });
        let limits = SearchLimits::time(self.table.mind.time());
        let state = self.table.state.clone();
        self.thinking = Some(Thinking::start(engine, state, limits, purpose));
    }

    /// Stops the engine and throws away what it was about to say.
    fn recall(&mut self) {
        if let Some(engine) = self.thinking.take().and_then(Thinking::end) {
            self.table.mind.give_back(engine);
        }
    }

    /// Plays a move; the moves that were taken back are forgotten unless it is one of them.
    fn play(&mut self, mv: &Move) -> Result<()> {
        let name = self.table.mover_name();
        let is_person = self.table.seat() == Seat::Person;
        self.table.play(mv)?;
        if self.undone.last() == Some(mv) {
            self.undone.pop();
        } else {
            self.undone.clear();
        }
        let text = self.table.shown.last().map_or("", |it| it.as_str());
        self.message = format!("{name}: {text}");
        if is_person || self.list.len() > 1 {
            self.cursor = mv.key_sites().1.unwrap_or(self.cursor);
        }
        self.renew()?;
        if let Some(outcome) = &self.outcome {
            let how = game::ended_text(self.table.game, &self.table.state, outcome);
            self.message = format!("The game is over: {how}. u takes back, n begins again.");
        }
        Ok(())
    }

    fn play_number(&mut self, idx: usize) -> Result<()> {
        match self.list.get(idx).cloned() {
            Some(mv) => self.play(&mv),
            None => Ok(()),
        }
    }

    fn key(&mut self, key: KeyEvent) -> Result<bool> {
        let is_break = key.modifiers.contains(KeyModifiers::CONTROL)
            && matches!(key.code, KeyCode::Char('c' | 'd'));
        if is_break {
            return Ok(false);
        }
        match self.open.take() {
            None => return self.board_key(key.code),
            Some(Open::Help) => {}
            Some(Open::Leave) => return Ok(!matches!(key.code, KeyCode::Char('y' | 'Y' | 'q'))),
            Some(Open::Line(line)) => return self.line_key(line, key.code),
            Some(Open::Choice { moves, at }) => match key.code {
                KeyCode::Esc | KeyCode::Backspace => {}
                KeyCode::Enter | KeyCode::Char(' ') => {
                    self.play_number(moves.get(at).copied().unwrap_or(usize::MAX))?;
                }
                code => {
                    let at = moved(at, moves.len(), code);
                    self.open = Some(Open::Choice { moves, at });
                }
            },
            Some(Open::Moves { at }) => match key.code {
                KeyCode::Esc | KeyCode::Backspace | KeyCode::Char('m' | 'q') => {}
                KeyCode::Enter | KeyCode::Char(' ') if self.is_persons_turn() => {
                    self.play_number(at)?;
                }
                code => self.open = Some(Open::Moves { at: moved(at, self.list.len(), code) }),
            },
        }
        Ok(true)
    }

    fn board_key(&mut self, code: KeyCode) -> Result<bool> {
        match code {
            KeyCode::Up | KeyCode::Char('k') => self.travel(Arrow::Up),
            KeyCode::Down | KeyCode::Char('j') => self.travel(Arrow::Down),
            KeyCode::Left | KeyCode::Char('h') => self.travel(Arrow::Left),
            KeyCode::Right | KeyCode::Char('l') => self.travel(Arrow::Right),
            KeyCode::Tab => self.next_stop(true),
            KeyCode::BackTab => self.next_stop(false),
            KeyCode::Enter | KeyCode::Char(' ') => self.touch(self.cursor)?,
            KeyCode::Esc => self.pick = None,
            KeyCode::Char('u') | KeyCode::Backspace => self.take_back()?,
            KeyCode::Char('r') => self.redo()?,
            KeyCode::Char('f') => self.chart.flip(),
            KeyCode::Char('m') => self.open = Some(Open::Moves { at: 0 }),
            KeyCode::Char('.') => self.pass()?,
            KeyCode::Char('g') => {
                if let Some(thinking) = &self.thinking {
                    thinking.stop();
                }
            }
            KeyCode::Char('p') => {
                self.is_paused = !self.is_paused;
                if self.is_paused {
                    self.recall();
                }
                self.message =
                    if self.is_paused { "The engine waits; p goes on." } else { "" }.to_owned();
            }
            KeyCode::Char('i') if self.thinking.is_none() && self.outcome.is_none() => {
                self.think(opponent::BEST, Purpose::Hint);
            }
            KeyCode::Char('n') => return self.obey("new"),
            KeyCode::Char('s') => self.open = Some(Open::Line("save ".to_owned())),
            KeyCode::Char('o') => self.open = Some(Open::Line("load ".to_owned())),
            KeyCode::Char(':' | '/' | 't') => self.open = Some(Open::Line(String::new())),
            KeyCode::Char('?') | KeyCode::F(1) => self.open = Some(Open::Help),
            KeyCode::Char('q') => {
                if self.table.past.len() == self.n_saved || self.table.past.is_empty() {
                    return Ok(false);
                }
                self.open = Some(Open::Leave);
            }
            _ => {}
        }
        Ok(true)
    }

    fn line_key(&mut self, mut line: String, code: KeyCode) -> Result<bool> {
        match code {
            KeyCode::Esc => return Ok(true),
            KeyCode::Enter => return self.obey(line.trim()),
            KeyCode::Backspace => {
                line.pop();
            }
            KeyCode::Char(it) if line.len() < 1000 => line.push(it),
            _ => {}
        }
        self.open = Some(Open::Line(line));
        Ok(true)
    }

    fn mouse(&mut self, mouse: MouseEvent) -> Result<bool> {
        let is_click = matches!(mouse.kind, MouseEventKind::Down(MouseButton::Left));
        if is_click
            && self.open.is_none()
            && let Some(site) = self.drawn.site_at(mouse.column, mouse.row)
        {
            self.cursor = site;
            self.touch(site)?;
        }
        Ok(true)
    }

    /// A command of the line mode, or a move.
    fn obey(&mut self, line: &str) -> Result<bool> {
        if line.is_empty() {
            return Ok(true);
        }
        self.recall();
        let mut said = Vec::new();
        let n_before = self.table.past.len();
        let result = self.table.obey(line, &mut said);
        let said = String::from_utf8_lossy(&said).trim().to_owned();
        let reaction = result?;
        if matches!(reaction, Reaction::Quit) {
            return Ok(false);
        }
        if line.starts_with("save") || line.starts_with("load") {
            self.n_saved = self.table.past.len();
        }
        if self.table.past.len() != n_before + 1 || line.starts_with("load") {
            self.undone.clear();
        }
        self.renew()?;
        self.message = match (said.is_empty(), self.table.past.len() > n_before) {
            (false, _) => said,
            (true, true) => self.table.shown.last().cloned().unwrap_or_default(),
            (true, false) => String::new(),
        };
        if line == "new" {
            self.message = "A new game.".to_owned();
        }
        Ok(true)
    }

    fn travel(&mut self, arrow: Arrow) {
        let to = self.chart.travel(&self.table.game.ruleset, self.cursor, arrow);
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
        let useful = |&site: &Site| match &self.pick {
            Some(pick) => !pick.moves_to(&self.list, site).is_empty(),
            None => pick::begins(&self.list, site) || pick::arrives(&self.list, site),
        };
        self.chart.sites().into_iter().filter(useful).collect()
    }

    /// Enter, or a click: picks a piece up, puts it down, or drops one.
    fn touch(&mut self, site: Site) -> Result<()> {
        if !self.is_persons_turn() {
            if self.outcome.is_none() {
                self.message = format!("{} is to move.", self.table.mover_name());
            }
            return Ok(());
        }
        let moves = match &self.pick {
            Some(pick) => pick.moves_to(&self.list, site),
            None => pick::moves_at(&self.list, site),
        };
        if let Some(pick) = &self.pick
            && moves.is_empty()
        {
            let is_same = *pick == Pick::Piece(site);
            self.pick = None;
            if is_same || !pick::begins(&self.list, site) {
                return Ok(());
            }
        }
        match moves[..] {
            [only] => self.play_number(only)?,
            [] if pick::begins(&self.list, site) => self.pick = Some(Pick::Piece(site)),
            [] => self.message = self.nothing_here(site),
            _ => self.open = Some(Open::Choice { moves, at: 0 }),
        }
        Ok(())
    }

    fn nothing_here(&self, site: Site) -> String {
        let name = crate::board::site_shown(&self.table.game.ruleset, site);
        match self.table.state.placement().get(site) {
            Some(_) => {
                format!("{name}: no move of {} begins or ends here", self.table.mover_name())
            }
            None => format!("{name}: no move ends here"),
        }
    }

    fn pass(&mut self) -> Result<()> {
        match self.list.iter().position(Move::is_pass) {
            Some(idx) if self.is_persons_turn() => self.play_number(idx),
            _ => {
                self.message = "The rules do not let you pass now.".to_owned();
                Ok(())
            }
        }
    }

    fn take_back(&mut self) -> Result<()> {
        self.recall();
        while let Some((mv, undo)) = self.table.take_last() {
            self.table.state.undo(undo);
            self.undone.extend(mv);
            if self.table.seat() == Seat::Person {
                break;
            }
        }
        self.message = "Taken back; r plays it again.".to_owned();
        self.renew()
    }

    fn redo(&mut self) -> Result<()> {
        self.recall();
        while let Some(mv) = self.undone.last().cloned() {
            self.play(&mv)?;
            if self.table.seat() == Seat::Person {
                break;
            }
        }
        Ok(())
    }
}

impl Table<'_> {
    fn mover_name(&self) -> String {
        let ruleset = &self.game.ruleset;
        let mover = self.state.mover();
        mover.map(|it| crate::board::player_shown(ruleset, it)).unwrap_or_default()
    }
}

impl opponent::Mind {
    fn take(&mut self) -> Box<boardwright_engine::Engine> {
        let rules = Arc::clone(self.rules());
        let make = || Box::new(crate::tuning::folder().engine(rules, EngineSettings::default()));
        self.engine_slot().take().unwrap_or_else(make)
    }

    fn give_back(&mut self, engine: Box<boardwright_engine::Engine>) {
        *self.engine_slot() = Some(engine);
    }
}

/// The next line of a list of `n`.
fn moved(at: usize, n: usize, code: KeyCode) -> usize {
    let last = n.saturating_sub(1);
    match code {
        KeyCode::Down | KeyCode::Char('j') | KeyCode::Tab => (at + 1).min(last),
        KeyCode::Up | KeyCode::Char('k') | KeyCode::BackTab => at.saturating_sub(1),
        KeyCode::PageDown => (at + 10).min(last),
        KeyCode::PageUp => at.saturating_sub(10),
        KeyCode::Home => 0,
        KeyCode::End => last,
        _ => at,
    }
}

#[cfg(test)]
mod tests;
