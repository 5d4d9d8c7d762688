//! What keys and the mouse do on the screen.

use anyhow::Result;
use ratatui::crossterm::event::{
    KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};

use super::{Arrow, Overlay, Purpose, Screen};
use crate::play::{Reaction, opponent};

impl Screen {
    /// Handles a key; false if the player leaves.
    pub(super) fn key(&mut self, key: KeyEvent) -> Result<bool> {
        let is_break = key.modifiers.contains(KeyModifiers::CONTROL)
            && matches!(key.code, KeyCode::Char('c' | 'd'));
        if is_break {
            return Ok(false);
        }
        match self.overlay.take() {
            None => return self.board_key(key.code),
            Some(Overlay::Help) => {}
            Some(Overlay::Leave) => return Ok(!matches!(key.code, KeyCode::Char('y' | 'Y' | 'q'))),
            Some(Overlay::Line(line)) => return self.line_key(line, key.code),
            Some(Overlay::Choice { moves, at }) => match key.code {
                KeyCode::Esc | KeyCode::Backspace => {}
                KeyCode::Enter | KeyCode::Char(' ') => {
                    self.play_nth(moves.get(at).copied().unwrap_or(usize::MAX))?;
                }
                code => {
                    let at = moved(at, moves.len(), code);
                    self.overlay = Some(Overlay::Choice { moves, at });
                }
            },
            Some(Overlay::Moves { at }) => match key.code {
                KeyCode::Esc | KeyCode::Backspace | KeyCode::Char('m' | 'q') => {}
                KeyCode::Enter | KeyCode::Char(' ') if self.is_persons_turn() => {
                    self.play_nth(at)?;
                }
                code => {
                    self.overlay = Some(Overlay::Moves { at: moved(at, self.legal.len(), code) })
                }
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
            KeyCode::Esc => self.picked = None,
            KeyCode::Char('u') | KeyCode::Backspace => self.take_back()?,
            KeyCode::Char('r') => self.redo()?,
            KeyCode::Char('f') => self.chart.flip(),
            KeyCode::Char('m') => self.overlay = Some(Overlay::Moves { at: 0 }),
            KeyCode::Char('.') => self.pass()?,
            KeyCode::Char('g') => {
                if let Some(search) = &self.search {
                    search.stop();
                }
            }
            KeyCode::Char('p') => {
                self.is_paused = !self.is_paused;
                if self.is_paused {
                    self.abort_search();
                }
                self.message =
                    if self.is_paused { "The engine is paused; p continues." } else { "" }
                        .to_owned();
            }
            KeyCode::Char('i') if self.search.is_none() && !self.is_over() => {
                self.start_search(opponent::FULL_STRENGTH, Purpose::Hint)?;
            }
            KeyCode::Char('n') => return self.execute("new"),
            KeyCode::Char('s') => self.overlay = Some(Overlay::Line("save ".to_owned())),
            KeyCode::Char('o') => self.overlay = Some(Overlay::Line("load ".to_owned())),
            KeyCode::Char(':' | '/' | 't') => self.overlay = Some(Overlay::Line(String::new())),
            KeyCode::Char('?') | KeyCode::F(1) => self.overlay = Some(Overlay::Help),
            KeyCode::Char('q') => {
                if [0, self.n_saved].contains(&self.game.n_steps()) {
                    return Ok(false);
                }
                self.overlay = Some(Overlay::Leave);
            }
            _ => {}
        }
        Ok(true)
    }

    fn line_key(&mut self, mut line: String, code: KeyCode) -> Result<bool> {
        match code {
            KeyCode::Esc => return Ok(true),
            KeyCode::Enter => return self.execute(line.trim()),
            KeyCode::Backspace => {
                line.pop();
            }
            KeyCode::Char(it) if line.len() < 1000 => line.push(it),
            _ => {}
        }
        self.overlay = Some(Overlay::Line(line));
        Ok(true)
    }

    /// Handles the mouse; false if the player leaves.
    pub(super) fn mouse(&mut self, mouse: MouseEvent) -> Result<bool> {
        let is_click = matches!(mouse.kind, MouseEventKind::Down(MouseButton::Left));
        if is_click
            && self.overlay.is_none()
            && let Some(site) = self.drawn.site_at(mouse.column, mouse.row)
        {
            self.cursor = site;
            self.touch(site)?;
        }
        Ok(true)
    }

    /// A command of the line mode, or a move.
    fn execute(&mut self, line: &str) -> Result<bool> {
        if line.is_empty() {
            return Ok(true);
        }
        self.abort_search();
        let mut said = Vec::new();
        let n_before = self.game.n_steps();
        let result = self.game.execute(line, &mut said);
        let said = String::from_utf8_lossy(&said).trim().to_owned();
        let reaction = result?;
        if matches!(reaction, Reaction::Quit) {
            return Ok(false);
        }
        if line.starts_with("save") || line.starts_with("load") {
            self.n_saved = self.game.n_steps();
        }
        if self.game.n_steps() != n_before + 1 || line.starts_with("load") {
            self.undone.clear();
        }
        self.update()?;
        self.message = match (said.is_empty(), self.game.n_steps() > n_before) {
            (false, _) => said,
            (true, true) => self.game.moves_so_far().pop().unwrap_or_default(),
            (true, false) => String::new(),
        };
        if line == "new" {
            self.message = "A new game.".to_owned();
        }
        Ok(true)
    }
}

/// The selected line of a list of `n` after a key.
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
