//! The commands that a person types during a game: a move, or a word such as `undo`.

use std::{fs, io::Write, path::Path};

use anyhow::{Context, Result, bail};
use boardwright_game::{PieceKindInfo, PlayerInfo};
use boardwright_referee::Refusal;
use boardwright_rules::PlayRefusal;
use boardwright_text::render::printable;

use super::{opponent::FULL_STRENGTH, terminal_game::TerminalGame};
use crate::source;

const HELP: &str = "\
  MOVE or NUMBER   make a move: as the list shows it, origin and destination (`e2e4`,
                   `e7e8=Queen`, or `e4` if only one move ends there), or its number;
                   in presets a turn such as `e2-e4`, `P e7-e8; Q-e8` or `P*5e`;
                   after a question, the number of an answer
  moves            list the legal moves
  board            show the board again
  undo             take the last move back
  rules            read the rules
  pieces           how the pieces move
  piece NAME       how this piece moves
  save FILE        save the game (`.zsg`, or the record of a preset); `save!` overwrites
                   another file
  load FILE        continue a saved game
  hint             show what the engine would play
  opponent LEVEL   let the engine play the others, from 1 to 10; `opponent off` ends that
  values           the values of the pieces
  random PLAYER    let a player move at random, or by hand again
  new              begin again
  quit             leave
";

/// What follows from a command.
pub(super) enum Reaction {
    Quit,
    /// The board has changed and is to be shown.
    Show,
    /// Everything was said.
    Said,
}

/// The number of similar legal moves that are shown for a text that is not legal.
const N_SIMILAR: usize = 3;

impl TerminalGame {
    /// Executes a command, or plays a move.
    pub(super) fn execute(&mut self, line: &str, out: &mut dyn Write) -> Result<Reaction> {
        let (command, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let command = command.to_lowercase();
        let rest = rest.trim();
        match (command.as_str(), rest.is_empty()) {
            ("", _) => {}
            ("quit" | "exit" | "q", true) => return Ok(Reaction::Quit),
            ("help" | "?", true) => write!(out, "{HELP}")?,
            ("board" | "show", true) => return Ok(Reaction::Show),
            ("moves", true) => self.list_moves(out)?,
            ("undo", true) => {
                if self.take_back()? {
                    return Ok(Reaction::Show);
                }
                writeln!(out, "There is nothing to take back.")?;
            }
            ("new", true) => {
                self.restart()?;
                return Ok(Reaction::Show);
            }
            ("rules", true) => write!(out, "{}", source::description(self.rules()))?,
            ("pieces", true) => self.explain(None, out)?,
            ("piece", false) => self.explain(Some(rest), out)?,
            ("hint", true) => self.hint(out)?,
            ("values", true) => {
                writeln!(out, "In thousandths of the cheapest piece:")?;
                for line in self.opponent.values()? {
                    writeln!(out, "{line}")?;
                }
            }
            ("opponent", _) => self.change_opponent(rest, out)?,
            ("random", false) => {
                let (name, is_random) = self.toggle_random(rest)?;
                let how = if is_random { "at random" } else { "by hand" };
                writeln!(out, "{name} moves {how} now.")?;
            }
            ("random", true) => bail!("name a player: `random {}`", self.player_names(" or ")),
            ("save" | "save!", false) => {
                self.save_to(Path::new(rest), command.ends_with('!'), out)?;
            }
            ("load", false) => {
                if let Some(stop) = self.load(Path::new(rest))? {
                    writeln!(out, "Loaded up to {stop}")?;
                }
                return Ok(Reaction::Show);
            }
            ("save" | "save!" | "load", true) => bail!("name a file: `{command} game.zsg`"),
            _ => return self.choose(line, out),
        }
        Ok(Reaction::Said)
    }

    /// Plays the move that a line means: by number, by its text, or by a short form.
    fn choose(&mut self, line: &str, out: &mut dyn Write) -> Result<Reaction> {
        let legal = self.legal()?;
        let number = line.parse::<usize>().ok().and_then(|it| it.checked_sub(1));
        if let Some((_, turn)) = number.and_then(|it| self.answers.get(it)) {
            let turn = turn.clone();
            return self.play_turn(&turn, out);
        }
        if let Some(idx) = number.filter(|&it| it < legal.len()) {
            self.play_nth(&legal, idx)?;
            return Ok(Reaction::Show);
        }
        let meant = self.state().matching_moves(&legal, line);
        if let [idx] = meant[..] {
            self.play_nth(&legal, idx)?;
            return Ok(Reaction::Show);
        }
        if meant.is_empty() {
            return self.play_turn(line, out);
        }
        let texts = self.texts(&legal);
        writeln!(out, "`{}` may mean several moves; type the number of one:", printable(line))?;
        for idx in meant {
            writeln!(out, "{:>4}  {}", idx + 1, texts.get(idx).map_or("", |it| it))?;
        }
        Ok(Reaction::Said)
    }

    /// Plays a move as it was written; asks the question that completes it, if there is one.
    fn play_turn(&mut self, text: &str, out: &mut dyn Write) -> Result<Reaction> {
        match self.play(text) {
            Ok(()) => Ok(Reaction::Show),
            Err(Refusal::Play(PlayRefusal::Asked(question))) => {
                let text = match question.text.as_str() {
                    "" => "Promote to what?",
                    text => text,
                };
                writeln!(out, "{}", printable(text))?;
                for (number, (label, _)) in (1..).zip(&question.choices) {
                    writeln!(out, "  {number}  {}", printable(label))?;
                }
                self.answers = question.choices;
                Ok(Reaction::Said)
            }
            Err(Refusal::Play(PlayRefusal::Illegal { .. })) => {
                let legal = self.legal()?;
                let texts = self.texts(&legal);
                let similar = self.state().similar_moves(&legal, text, N_SIMILAR);
                let similar: Vec<&str> =
                    similar.iter().filter_map(|&it| texts.get(it)).map(String::as_str).collect();
                let (text, similar) = (printable(text), similar.join(" | "));
                bail!("`{text}` is neither a command nor a legal move; similar moves: {similar}");
            }
            Err(refusal) if refusal.is_over() => {
                bail!("there is no legal move; `undo` takes the last one back")
            }
            Err(other) => Err(other.into()),
        }
    }

    fn list_moves(&self, out: &mut dyn Write) -> Result<()> {
        let legal = self.legal()?;
        if legal.is_free {
            writeln!(out, "The code of this preset lists no moves.")?;
        } else if legal.is_empty() {
            writeln!(out, "There is no legal move.")?;
        }
        for (idx, text) in self.texts(&legal).iter().enumerate() {
            writeln!(out, "{:>4}  {text}", idx + 1)?;
        }
        Ok(())
    }

    fn hint(&mut self, out: &mut dyn Write) -> Result<()> {
        let state = self.state().clone();
        match self.opponent.hint(&state, out)? {
            Some(hint) => writeln!(out, "{hint}")?,
            None => writeln!(out, "There is no legal move.")?,
        }
        Ok(())
    }

    /// `opponent 5` lets the engine move for all but the player to move, `opponent off` for none.
    fn change_opponent(&mut self, how: &str, out: &mut dyn Write) -> Result<()> {
        let level = how.parse::<u8>().ok().filter(|it| (1..=FULL_STRENGTH).contains(it));
        if level.is_none() && !how.eq_ignore_ascii_case("off") {
            bail!("type a level from 1 to 10, `opponent 5`, or `opponent off`");
        }
        self.set_opponent(level)?;
        match level {
            Some(level) => writeln!(out, "The engine plays against you at level {level} now.")?,
            None => writeln!(out, "The engine does not play any more.")?,
        }
        Ok(())
    }

    fn player_names(&self, between: &str) -> String {
        let has_choice = |it: &&PlayerInfo| !it.is_random && !it.is_neutral;
        let players = self.ruleset().players.iter().filter(has_choice);
        players.map(|it| printable(&it.name)).collect::<Vec<_>>().join(between)
    }

    /// Writes how the pieces move, or one of them.
    fn explain(&self, name: Option<&str>, out: &mut dyn Write) -> Result<()> {
        let ruleset = self.ruleset();
        let wanted = |it: &&PieceKindInfo| {
            !it.is_dummy && name.is_none_or(|name| it.name.eq_ignore_ascii_case(name))
        };
        let mut is_known = false;
        for piece in ruleset.pieces.iter().filter(wanted) {
            is_known = true;
            let help = piece.help.as_deref().or(piece.description.as_deref());
            let help = help.unwrap_or("no help given").replace('\\', " ");
            let shown = printable(ruleset.translated(&piece.name));
            let help = printable(&help);
            // Many help texts begin with the name themselves.
            match help.get(..shown.len()).is_some_and(|it| it.eq_ignore_ascii_case(&shown)) {
                true => writeln!(out, "{help}")?,
                false => writeln!(out, "{shown}: {help}")?,
            }
            if name.is_some()
                && let (Some(_), Some(more)) = (&piece.help, &piece.description)
            {
                writeln!(out, "{}", printable(more))?;
            }
        }
        if !is_known {
            bail!("no piece is called `{}`", printable(name.unwrap_or("")));
        }
        Ok(())
    }

    /// Writes the game to a file: a new one, the one it came from, or any if `overwrites`.
    fn save_to(&mut self, path: &Path, overwrites: bool, out: &mut dyn Write) -> Result<()> {
        let shown = path.display();
        let is_own = self.own_file.as_deref() == Some(path);
        if !overwrites && !is_own && path.exists() {
            bail!("{shown} already exists; `save! {shown}` overwrites it");
        }
        let bytes = source::saved(self.record())?;
        fs::write(path, bytes).with_context(|| format!("cannot write {shown}"))?;
        writeln!(out, "Saved to {shown}.")?;
        self.own_file = Some(path.to_owned());
        Ok(())
    }
}
