//! Saved games in the original's format, `.zsg`.
//!
//! A save names the rule file and the variant, then lists moves by their text and
//! edits of the board. [`SaveFile::read`] takes any bytes: what it cannot
//! understand ends the game there, with the line and the reason. [`replay`] plays
//! a save; [`SaveFile::to_bytes`] gives the bytes that the original would write.

mod replay;

use boardwright_text::Encoding;

pub use replay::{CrossCheck, Replay, ReplayStop, StopReason, replay, replay_checked};

use crate::{apply::Edit, mv::Move, state::State};

const SIGNATURE: &str = "Zillions Save Game File";
const VERSION: &str = "0.02";

/// More entries than any game has; what lies behind them is not read.
const MAX_ENTRIES: usize = 100_000;

/// How the lines of a file end.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum LineEnd {
    /// `\r\n`, as Windows has it.
    #[default]
    CrLf,
    /// `\n`
    Lf,
}

/// One line of a save, behind the header.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Entry {
    /// `12. Pawn e2 - e4`
    Move {
        /// The number before the dot.
        number: u32,
        /// The text behind it.
        text: String,
    },
    /// `(White Rook e4)`
    Place {
        /// The name of the owner.
        player: String,
        /// The name of the kind.
        piece: String,
        /// The name of the site.
        site: String,
    },
    /// `(x e4)`
    Remove {
        /// The name of the site.
        site: String,
    },
}

/// Where reading ended before the end, and why.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Damage {
    /// The line, from 1.
    pub line: u32,
    /// What is wrong with it.
    pub reason: String,
}

/// A saved game as it stands in its file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SaveFile {
    /// The version of the format.
    pub version: String,
    /// A letter for each player: `H` for a person, `C` for the computer.
    pub seats: String,
    /// The rule file: a name, or a whole path as Windows writes it.
    pub rules_file: String,
    /// The title of the variant.
    pub variant: String,
    /// The entries with their lines, from 1.
    pub entries: Vec<(u32, Entry)>,
    /// The code page of the file.
    pub encoding: Encoding,
    /// How lines end.
    pub line_end: LineEnd,
    /// Whether the last line ends like the others.
    pub ends_with_line_end: bool,
    /// Where the file stopped making sense, if it did.
    pub damage: Option<Damage>,
}

impl SaveFile {
    /// A save of `state`'s ruleset without any moves yet.
    ///
    /// `seats` has a letter for each player, neutral and random ones included.
    pub fn new(state: &State, seats: &str) -> SaveFile {
        SaveFile {
            version: VERSION.to_owned(),
            seats: seats.to_owned(),
            rules_file: state.ruleset().save.file_name.clone(),
            variant: state.ruleset().title.clone(),
            entries: Vec::new(),
            encoding: state.ruleset().save.encoding,
            line_end: LineEnd::CrLf,
            ends_with_line_end: true,
            damage: None,
        }
    }

    /// Notes that `mv` is played in `state`.
    pub fn push_move(&mut self, state: &State, mv: &Move) {
        let number = state.move_number();
        self.push(Entry::Move { number, text: state.move_text(mv) });
    }

    /// Notes that the board of `state` is edited.
    pub fn push_edit(&mut self, state: &State, edit: Edit) {
        let ruleset = state.ruleset();
        let site = |it| ruleset.board.site_name(it).to_owned();
        self.push(match edit {
            Edit::Place { player, kind, site: at } => Entry::Place {
                player: ruleset.player_name(player).to_owned(),
                piece: ruleset.piece_name(kind).to_owned(),
                site: site(at),
            },
            Edit::Remove { site: at } => Entry::Remove { site: site(at) },
        });
    }

    /// The same header above no entries.
    fn without_entries(&self) -> SaveFile {
        SaveFile {
            version: self.version.clone(),
            seats: self.seats.clone(),
            rules_file: self.rules_file.clone(),
            variant: self.variant.clone(),
            entries: Vec::new(),
            damage: None,
            ..*self
        }
    }

    fn push(&mut self, entry: Entry) {
        let line = self.entries.last().map_or(4, |(line, _)| line + 1);
        self.entries.push((line, entry));
    }

    /// The name of the rule file without folders.
    pub fn rules_name(&self) -> &str {
        self.rules_file.rsplit(['/', '\\']).next().unwrap_or(&self.rules_file)
    }

    /// Reads a save in a code page that is told by its look.
    pub fn read(bytes: &[u8]) -> SaveFile {
        let (text, encoding) = Encoding::decode(bytes);
        SaveFile::from_text(&text, encoding)
    }

    /// Reads a save in the code page of its rule file.
    ///
    /// A rule file in plain ASCII tells nothing about the names of folders in its
    /// saves, so there the look of the bytes decides again.
    pub fn read_as(bytes: &[u8], encoding: Encoding) -> SaveFile {
        match encoding {
            Encoding::Utf8 | Encoding::Utf16 => SaveFile::read(bytes),
            _ => SaveFile::from_text(&encoding.decode_as(bytes), encoding),
        }
    }

    fn from_text(text: &str, encoding: Encoding) -> SaveFile {
        let line_end = if text.contains("\r\n") { LineEnd::CrLf } else { LineEnd::Lf };
        let mut save = SaveFile {
            version: String::new(),
            seats: String::new(),
            rules_file: String::new(),
            variant: String::new(),
            entries: Vec::new(),
            encoding,
            line_end,
            ends_with_line_end: text.ends_with('\n'),
            damage: None,
        };
        for (idx, line) in text.lines().enumerate() {
            let number = idx as u32 + 1;
            // Hand-touched files have blanks at the end of lines.
            if let Err(reason) = save.read_line(number, line.trim_end()) {
                save.damage = Some(Damage { line: number, reason });
                break;
            }
        }
        if save.version.is_empty() && save.damage.is_none() {
            let reason = format!("the first line is not `{SIGNATURE}`");
            save.damage = Some(Damage { line: 1, reason });
        }
        save
    }

    fn read_line(&mut self, number: u32, line: &str) -> Result<(), String> {
        if number == 1 {
            return self.read_signature(line);
        }
        if line.is_empty() {
            return Ok(());
        }
        if self.entries.is_empty() {
            if let Some(name) = line.strip_prefix("RulesFile=") {
                self.rules_file = name.to_owned();
                return Ok(());
            }
            if let Some(title) = line.strip_prefix("VariantName=") {
                self.variant = title.to_owned();
                return Ok(());
            }
        }
        if self.entries.len() == MAX_ENTRIES {
            return Err(format!("a saved game has at most {MAX_ENTRIES} moves and edits"));
        }
        let entry = entry(line)
            .ok_or_else(|| format!("`{}` is neither a move nor an edit", shortened(line)))?;
        self.entries.push((number, entry));
        Ok(())
    }

    fn read_signature(&mut self, line: &str) -> Result<(), String> {
        let rest = line.strip_prefix(SIGNATURE);
        let rest = rest.ok_or_else(|| format!("the first line is not `{SIGNATURE}`"))?;
        let mut words = rest.split_whitespace();
        let (Some("Version"), Some(version)) = (words.next(), words.next()) else {
            return Err("the first line names no version".to_owned());
        };
        self.version = version.to_owned();
        self.seats = words.next().unwrap_or("").to_owned();
        Ok(())
    }

    /// The text of the file.
    pub fn to_text(&self) -> String {
        let line_end = match self.line_end {
            LineEnd::CrLf => "\r\n",
            LineEnd::Lf => "\n",
        };
        let signature = format!("{SIGNATURE} Version {} {}", self.version, self.seats);
        let mut text = signature.trim_end().to_owned();
        let mut say = |line: &str| {
            text.push_str(line_end);
            text.push_str(line);
        };
        say(&format!("RulesFile={}", self.rules_file));
        say(&format!("VariantName={}", self.variant));
        for (_, entry) in &self.entries {
            say(&match entry {
                Entry::Move { number, text } => format!("{number}. {text}"),
                Entry::Place { player, piece, site } => format!("({player} {piece} {site})"),
                Entry::Remove { site } => format!("(x {site})"),
            });
        }
        if self.ends_with_line_end {
            text.push_str(line_end);
        }
        text
    }

    /// The bytes of the file in its code page.
    pub fn to_bytes(&self) -> Vec<u8> {
        self.encoding.encode(&self.to_text())
    }
}

/// A line as a move or an edit.
fn entry(line: &str) -> Option<Entry> {
    if let Some(inner) = line.strip_prefix('(') {
        let words: Vec<_> = inner.strip_suffix(')')?.split_whitespace().collect();
        return match words[..] {
            ["x", site] => Some(Entry::Remove { site: site.to_owned() }),
            [player, piece, site] => Some(Entry::Place {
                player: player.to_owned(),
                piece: piece.to_owned(),
                site: site.to_owned(),
            }),
            _ => None,
        };
    }
    let (number, text) = line.split_once('.')?;
    let text = text.trim_start();
    let number = number.trim().parse().ok()?;
    (!text.is_empty()).then(|| Entry::Move { number, text: text.to_owned() })
}

/// The beginning of a line, for messages.
fn shortened(line: &str) -> String {
    let mut short: String = line.chars().take(60).collect();
    if short.len() < line.len() {
        short.push('…');
    }
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    const SAVE: &str = "Zillions Save Game File Version 0.02 HC\r\n\
        RulesFile=C:\\Games\\Wolf.zrf\r\nVariantName=Wolf and Sheep\r\n\
        (White Wolf a1)\r\n1. Wolf a1 - a2\r\n1. Pass\r\n(x a2)\r\n";

    #[test]
    fn a_save_reads_and_writes_the_same_bytes() {
        for text in [SAVE.to_owned(), SAVE.replace("\r\n", "\n"), SAVE.trim_end().to_owned()] {
            let save = SaveFile::read(text.as_bytes());
            assert_eq!(save.damage, None);
            assert_eq!((save.rules_name(), save.seats.as_str()), ("Wolf.zrf", "HC"));
            assert_eq!(save.entries.len(), 4);
            assert_eq!(save.to_bytes(), text.as_bytes());
        }
    }

    #[test]
    fn damage_is_told_by_line() {
        let save = SaveFile::read(SAVE.replace("1. Pass", "1 Pass").as_bytes());
        let damage = save.damage.expect("a dot is missing");
        assert_eq!(damage.line, 6);
        assert_eq!(damage.reason, "`1 Pass` is neither a move nor an edit");
        assert_eq!(save.entries.len(), 2);
        assert_eq!(SaveFile::read(b"PNG").damage.map(|it| it.line), Some(1));
        assert_eq!(SaveFile::read(b"").damage.map(|it| it.line), Some(1));
    }

    #[test]
    fn a_save_of_millions_of_lines_is_cut_and_says_so() {
        let mut text = SAVE.to_owned();
        text.push_str(&"(White Wolf a1)\r\n".repeat(MAX_ENTRIES));
        let save = SaveFile::read(text.as_bytes());
        assert_eq!(save.entries.len(), MAX_ENTRIES);
        let damage = save.damage.expect("it is too long");
        assert_eq!(damage.line as usize, MAX_ENTRIES + 4);
        assert_eq!(damage.reason, "a saved game has at most 100000 moves and edits");
    }

    #[test]
    fn blanks_at_the_end_of_lines_do_not_matter() {
        let save = SaveFile::read(SAVE.replace("a1 - a2", "a1 - a2  ").as_bytes());
        assert_eq!(save.to_text(), SAVE);
    }
}
