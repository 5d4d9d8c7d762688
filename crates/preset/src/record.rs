//! A game written down: the preset by its hash, the seed, constants, every turn.
//!
//! Taking back does not rub out: a record is a list of turns and of returns to an
//! earlier turn, so that the line that was left can still be seen.

use std::{fmt, sync::Arc};

use boardwright_gamecode::{CodeStop, Constant};
use boardwright_text::StopSignal;

use crate::{
    bundle::Bundle,
    game::{Game, TurnText, split_comment},
    preset::Preset,
};

/// The first line of a record.
const HEADER: &str = "boardwright record 1";

/// What happened next.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Event {
    Turn(TurnText),
    /// This number of turns is kept; what follows is another line.
    Back(usize),
}

/// A game written down.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Record {
    /// The game's name, for people.
    pub game: String,
    /// The hash of the preset's bundle.
    pub preset: String,
    /// The seed of dice and shuffles.
    pub seed: u64,
    /// Who plays.
    pub players: [String; 2],
    /// What the code keeps between runs.
    pub constants: Vec<(String, Constant)>,
    events: Vec<Event>,
    /// The preset itself, if the record brings it along.
    pub bundle: Option<Bundle>,
}

/// What is wrong with a record.
#[derive(Clone, PartialEq, Debug)]
pub enum RecordError {
    /// A line cannot be read.
    Line {
        /// The line, from one.
        line: usize,
        /// What is wrong with it.
        message: String,
    },
    /// The preset at hand is not the one that was played.
    OtherPreset,
    /// A turn is not legal; its number from nought is given.
    Turn(usize, CodeStop),
}

impl fmt::Display for RecordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RecordError::Line { line, message } => write!(f, "line {line}: {message}"),
            RecordError::OtherPreset => f.write_str("the record is of another preset"),
            RecordError::Turn(idx, CodeStop::Ask(_)) => {
                write!(f, "turn {} is not complete", idx + 1)
            }
            RecordError::Turn(idx, stop) => {
                let message = stop.diagnostic().map(|it| it.message).unwrap_or_default();
                write!(f, "turn {}: {message}", idx + 1)
            }
        }
    }
}

impl std::error::Error for RecordError {}

impl Record {
    /// The record of a game so far.
    pub fn of(game: &Game) -> Record {
        let settings = &game.preset().bundle.settings;
        let initial =
            settings.get("initial-moves").lines().filter(|it| !it.trim().is_empty()).count();
        Record {
            game: settings.get("game").to_owned(),
            preset: game.preset().hash().to_owned(),
            seed: game.seed(),
            players: Default::default(),
            constants: game.constants(),
            events: game.turns().iter().skip(initial).cloned().map(Event::Turn).collect(),
            bundle: None,
        }
    }

    /// The turns of the line that is being played.
    pub fn turns(&self) -> Vec<TurnText> {
        let mut turns = Vec::new();
        for event in &self.events {
            match event {
                Event::Turn(turn) => turns.push(turn.clone()),
                Event::Back(kept) => turns.truncate(*kept),
            }
        }
        turns
    }

    /// Every line that was played, the one being played last.
    pub fn lines(&self) -> Vec<Vec<TurnText>> {
        let mut lines = Vec::new();
        let mut line = Vec::new();
        for event in &self.events {
            match event {
                Event::Turn(turn) => line.push(turn.clone()),
                Event::Back(kept) => {
                    lines.push(line.clone());
                    line.truncate(*kept);
                }
            }
        }
        lines.push(line);
        lines
    }

    /// Adds a turn.
    pub fn push(&mut self, turn: TurnText) {
        self.events.push(Event::Turn(turn));
    }

    /// Goes back so that `kept` turns remain; the others stay readable.
    pub fn back_to(&mut self, kept: usize) {
        if kept < self.turns().len() {
            self.events.push(Event::Back(kept));
        }
    }

    /// Plays the record with its preset.
    pub fn replay(&self, preset: &Arc<Preset>) -> Result<Game, RecordError> {
        self.replay_until(preset, StopSignal::default())
    }

    /// The same with a signal that ends it early.
    pub fn replay_until(
        &self,
        preset: &Arc<Preset>,
        stop: StopSignal,
    ) -> Result<Game, RecordError> {
        if preset.hash() != self.preset {
            return Err(RecordError::OtherPreset);
        }
        let constants = self.constants.clone();
        Game::replay_until(preset.clone(), self.seed, constants, &self.turns(), stop)
            .map_err(|(idx, stop)| RecordError::Turn(idx, stop))
    }

    /// Writes the record.
    pub fn write(&self) -> String {
        let mut out = format!("{HEADER}\n");
        let mut line = |key: &str, value: &str| {
            let value: String =
                value.chars().map(|it| if it.is_control() { ' ' } else { it }).collect();
            out.push_str(&format!("{key}: {value}\n"));
        };
        line("game", &self.game);
        line("preset", &self.preset);
        line("seed", &self.seed.to_string());
        for (number, player) in (1..).zip(&self.players) {
            if !player.is_empty() {
                line(&format!("player {number}"), player);
            }
        }
        for (name, value) in &self.constants {
            line(&format!("constant {}", quote(name)), &show(value));
        }
        for event in &self.events {
            match event {
                Event::Turn(turn) if turn.comment.is_empty() => line("turn", &turn.text),
                Event::Turn(turn) => line("turn", &format!("{} // {}", turn.text, turn.comment)),
                Event::Back(kept) => line("back", &kept.to_string()),
            }
        }
        if let Some(bundle) = &self.bundle {
            out.push_str("with preset:\n");
            for line in bundle.write().lines() {
                out.push_str(&format!("  {line}\n"));
            }
        }
        out
    }

    /// Reads what [`Record::write`] writes.
    pub fn read(text: &str) -> Result<Record, RecordError> {
        let mut record = Record::default();
        let mut lines = text.lines().enumerate();
        let fail = |idx: usize, message: &str| {
            Err(RecordError::Line { line: idx + 1, message: message.to_owned() })
        };
        if lines.next().map(|it| it.1.trim_end()) != Some(HEADER) {
            return fail(0, &format!("a record begins with `{HEADER}`"));
        }
        let mut bundle: Option<String> = None;
        for (idx, line) in lines {
            if let Some(text) = &mut bundle {
                text.push_str(line.strip_prefix("  ").unwrap_or(line));
                text.push('\n');
                continue;
            }
            if line.trim().is_empty() {
                continue;
            }
            if line.trim_end() == "with preset:" {
                bundle = Some(String::new());
                continue;
            }
            if let Some(rest) = line.strip_prefix("constant ") {
                let mut reader = Reader(rest);
                let name = reader.quoted();
                reader.skip(":");
                match (name, reader.value(0)) {
                    (Some(name), Some(value)) => record.constants.push((name, value)),
                    _ => return fail(idx, "the constant cannot be read"),
                }
                continue;
            }
            let Some((key, value)) = line.split_once(": ") else {
                return fail(idx, "the line is no `key: value`");
            };
            match key {
                "game" => record.game = value.to_owned(),
                "preset" => record.preset = value.to_owned(),
                "player 1" => record.players[0] = value.to_owned(),
                "player 2" => record.players[1] = value.to_owned(),
                "seed" => match value.parse() {
                    Ok(seed) => record.seed = seed,
                    Err(_) => return fail(idx, "the seed is no number"),
                },
                "turn" => {
                    let (text, comment) = split_comment(value);
                    let turn = TurnText { text: text.to_owned(), comment: comment.to_owned() };
                    record.events.push(Event::Turn(turn));
                }
                "back" => match value.parse() {
                    Ok(kept) => record.events.push(Event::Back(kept)),
                    Err(_) => return fail(idx, "`back` takes a number of turns"),
                },
                _ => return fail(idx, "the key means nothing in a record"),
            }
        }
        record.bundle = bundle.map(|it| Bundle::read(&it).0);
        Ok(record)
    }
}

fn quote(text: &str) -> String {
    let mut out = String::from("\"");
    for ch in text.chars() {
        match ch {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            other => out.push(other),
        }
    }
    out.push('"');
    out
}

fn show(value: &Constant) -> String {
    match value {
        Constant::Null => "null".to_owned(),
        Constant::Bool(it) => it.to_string(),
        Constant::Int(it) => it.to_string(),
        // A float is written with its point, which tells it from a whole number.
        Constant::Float(it) => format!("{it:?}"),
        Constant::Text(it) => quote(it),
        Constant::Array(pairs) => {
            let parts: Vec<_> = pairs
                .iter()
                .map(|(key, value)| format!("{}:{}", quote(key), show(value)))
                .collect();
            format!("({})", parts.join(" "))
        }
    }
}

/// Reads constants.
struct Reader<'t>(&'t str);

impl Reader<'_> {
    fn skip(&mut self, text: &str) -> bool {
        let rest = self.0.trim_start();
        let found = rest.strip_prefix(text);
        self.0 = found.unwrap_or(rest);
        found.is_some()
    }

    fn quoted(&mut self) -> Option<String> {
        if !self.skip("\"") {
            return None;
        }
        let mut out = String::new();
        let mut chars = self.0.char_indices();
        while let Some((at, ch)) = chars.next() {
            match ch {
                '"' => {
                    self.0 = self.0.get(at + 1..).unwrap_or("");
                    return Some(out);
                }
                '\\' => match chars.next()?.1 {
                    'n' => out.push('\n'),
                    other => out.push(other),
                },
                other => out.push(other),
            }
        }
        None
    }

    fn value(&mut self, depth: usize) -> Option<Constant> {
        if self.skip("(") {
            let mut pairs = Vec::new();
            while !self.skip(")") {
                if depth > 60 {
                    return None;
                }
                let key = self.quoted()?;
                if !self.skip(":") {
                    return None;
                }
                pairs.push((key, self.value(depth + 1)?));
            }
            return Some(Constant::Array(pairs));
        }
        if self.0.trim_start().starts_with('"') {
            return self.quoted().map(Constant::Text);
        }
        let rest = self.0.trim_start();
        let end = rest.find(|it: char| it.is_whitespace() || it == ')').unwrap_or(rest.len());
        let (word, after) = rest.split_at(end);
        self.0 = after;
        match word {
            "null" => Some(Constant::Null),
            "true" => Some(Constant::Bool(true)),
            "false" => Some(Constant::Bool(false)),
            other => match other.parse() {
                Ok(it) => Some(Constant::Int(it)),
                Err(_) => other.parse().ok().map(Constant::Float),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn turn(text: &str) -> TurnText {
        TurnText { text: text.to_owned(), comment: String::new() }
    }

    #[test]
    fn a_record_reads_back() {
        let nested = Constant::Array(vec![
            ("0".to_owned(), Constant::Text("a \"b\" \\".to_owned())),
            ("k".to_owned(), Constant::Array(Vec::new())),
            ("x".to_owned(), Constant::Float(2.0)),
        ]);
        let mut record = Record {
            game: "Pond".to_owned(),
            preset: "abc".to_owned(),
            seed: 7,
            players: ["Wolf".to_owned(), "Sheep".to_owned()],
            constants: vec![("first".to_owned(), nested), ("n".to_owned(), Constant::Int(-5))],
            ..Record::default()
        };
        record.push(TurnText { text: "P e2-e4".to_owned(), comment: "well".to_owned() });
        record.push(turn("p e7-e5"));
        record.back_to(1);
        record.push(turn("p c7-c5"));
        let mut bundle = Bundle::default();
        bundle.includes.push(("wolves".to_owned(), "def W 1;\n\ndef S 2;\n".to_owned()));
        record.bundle = Some(bundle);
        assert_eq!(Record::read(&record.write()), Ok(record));
    }

    #[test]
    fn taking_back_keeps_the_other_line() {
        let mut record = Record::default();
        for text in ["a", "b", "c"] {
            record.push(turn(text));
        }
        record.back_to(1);
        record.push(turn("d"));
        assert_eq!(record.turns(), [turn("a"), turn("d")]);
        assert_eq!(record.lines().len(), 2);
    }

    #[test]
    fn nonsense_is_refused_with_its_line() {
        let cases = [
            ("", 1),
            ("boardwright record 1\nwolf\n", 2),
            ("boardwright record 1\nseed: many\n", 2),
            ("boardwright record 1\n\nconstant \"a\": (\n", 3),
            ("boardwright record 1\nconstant a: 5\n", 2),
            ("boardwright record 1\nback: x\n", 2),
        ];
        for (text, expected) in cases {
            let found = Record::read(text);
            assert!(
                matches!(found, Err(RecordError::Line { line, .. }) if line == expected),
                "{text}"
            );
        }
    }
}
