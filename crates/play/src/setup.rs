//! A state as text that people can read and write, and that reads back the same.
//!
//! ```text
//! on White (King e1) (Pawn a2 b2) (Rook (moved? true) h1); on Black (King e8);
//! hand White (Pawn 2); turn 0 White; move 12; partial e4 jump; last-from e2; last-to e4
//! ```
//!
//! Sections end with `;` and may stand on one line or many. Sites without a piece,
//! empty hands and attributes at their default are not mentioned. What came before
//! is not part of it: a state read back has no history and no outcome yet.

mod words;

use std::{fmt::Write, sync::Arc};

use boardwright_game::{Attribute, PieceKind, Player, Ruleset, Site};
use rustc_hash::FxHashMap;

use self::words::{Word, quoted, words};
use crate::{
    placement::{Piece, cell_of},
    repetition::History,
    rules::Rules,
    state::{GoingOn, State},
    vm::attribute_bit,
};

/// Why a text is not a state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StateTextError {
    /// What is wrong, in one sentence.
    pub message: String,
    /// Where, as a byte offset into the text.
    pub offset: usize,
}

impl std::fmt::Display for StateTextError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} (at byte {})", self.message, self.offset)
    }
}

impl std::error::Error for StateTextError {}

impl State {
    /// The state as one line of text.
    pub fn to_text(&self) -> String {
        self.sections().join("; ")
    }

    /// The state as text, a section a line.
    pub fn to_text_lines(&self) -> String {
        self.sections().iter().map(|it| format!("{it};\n")).collect()
    }

    /// Reads a state of a ruleset from text.
    pub fn from_text(rules: Arc<Rules>, text: &str) -> Result<State, StateTextError> {
        let mut reader = Reader::new(rules, text)?;
        while !reader.is_at_end() {
            reader.section()?;
        }
        let mut state = reader.state;
        state.history = History::starting_with(state.repetition_key());
        Ok(state)
    }

    fn sections(&self) -> Vec<String> {
        let ruleset = self.ruleset();
        let site = |it: Site| quoted(ruleset.board.site_name(it));
        let mut sections = Vec::new();
        for player in ruleset.all_players() {
            sections.extend(self.placement_section(player));
        }
        for player in ruleset.all_players() {
            sections.extend(self.hand_section(player));
        }
        let mover = self.mover().map_or("", |it| ruleset.player_name(it));
        sections.push(format!("turn {} {}", self.turn, quoted(mover)));
        sections.push(format!("move {}", self.move_number));
        if let Some(going_on) = self.going_on {
            let move_type = going_on.move_type.and_then(|it| ruleset.move_types.get(it.idx()));
            let move_type = move_type.map_or(String::new(), |it| format!(" {}", quoted(it)));
            sections.push(format!("partial {}{move_type}", site(going_on.site)));
        }
        sections.extend(self.last_from.map(|it| format!("last-from {}", site(it))));
        sections.extend(self.last_to.map(|it| format!("last-to {}", site(it))));
        for &(player, kind) in &self.taken {
            let (player, kind) = (ruleset.player_name(player), ruleset.piece_name(kind));
            sections.push(format!("taken {} {}", quoted(player), quoted(kind)));
        }
        sections
    }

    fn placement_section(&self, player: Player) -> Option<String> {
        let ruleset = self.ruleset();
        let mut groups: Vec<(PieceKind, u64, String)> = Vec::new();
        let mut found: FxHashMap<(PieceKind, u64), usize> = FxHashMap::default();
        for site in self.placement.owned(player) {
            let Some(Piece { kind, attributes, .. }) = self.placement.get(site) else {
                continue;
            };
            let idx = *found.entry((kind, attributes)).or_insert_with(|| {
                groups.push((kind, attributes, String::new()));
                groups.len() - 1
            });
            if let Some((_, _, sites)) = groups.get_mut(idx) {
                sites.push(' ');
                sites.push_str(&quoted(ruleset.board.site_name(site)));
            }
        }
        if groups.is_empty() {
            return None;
        }
        groups.sort_by_key(|&(kind, attributes, _)| (kind, attributes));
        let mut text = format!("on {}", quoted(ruleset.player_name(player)));
        for (kind, attributes, sites) in groups {
            let name = quoted(ruleset.piece_name(kind));
            let changed = changed_attributes(ruleset, kind, attributes);
            // Writing to a string cannot fail.
            let _ = write!(text, " ({name}{changed}{sites})");
        }
        Some(text)
    }

    fn hand_section(&self, player: Player) -> Option<String> {
        let ruleset = self.ruleset();
        let mut text = String::new();
        for kind in (0..ruleset.pieces.len() as u16).map(PieceKind) {
            let count = self.hand(player, kind);
            if count > 0 {
                let _ = write!(text, " ({} {count})", quoted(ruleset.piece_name(kind)));
            }
        }
        (!text.is_empty()).then(|| format!("hand {}{text}", quoted(ruleset.player_name(player))))
    }
}

fn changed_attributes(ruleset: &Ruleset, kind: PieceKind, attributes: u64) -> String {
    let mut text = String::new();
    let Some(info) = ruleset.pieces.get(kind.idx()) else {
        return text;
    };
    // A piece may carry attributes that its kind does not declare.
    for (idx, name) in ruleset.attributes.iter().enumerate() {
        let bit = attribute_bit(Attribute(idx as u16));
        if (attributes ^ info.default_attributes) & bit != 0 {
            let _ = write!(text, " ({} {})", quoted(name), attributes & bit != 0);
        }
    }
    text
}

struct Reader<'a> {
    state: State,
    words: Vec<(Word<'a>, usize)>,
    at: usize,
    /// Where the text ends.
    end: usize,
    sites: FxHashMap<String, Site>,
}

impl<'a> Reader<'a> {
    fn new(rules: Arc<Rules>, text: &'a str) -> Result<Reader<'a>, StateTextError> {
        let sites = rules.ruleset.board.all_sites();
        let board = &rules.ruleset.board;
        let sites = sites.map(|it| (board.site_name(it).to_owned(), it)).collect();
        let words = words(text)
            .map_err(|offset| StateTextError { message: "a quote is not closed".into(), offset })?;
        Ok(Reader { state: State::empty(rules), words, at: 0, end: text.len(), sites })
    }

    fn is_at_end(&self) -> bool {
        self.at >= self.words.len()
    }

    fn offset(&self) -> usize {
        self.words.get(self.at).map_or(self.end, |(_, offset)| *offset)
    }

    fn error<T>(&self, message: impl Into<String>) -> Result<T, StateTextError> {
        Err(StateTextError { message: message.into(), offset: self.offset() })
    }

    fn accept(&mut self, wanted: &Word<'_>) -> bool {
        let found = self.words.get(self.at).is_some_and(|(it, _)| it == wanted);
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, wanted: Word<'_>, sign: &str) -> Result<(), StateTextError> {
        if self.accept(&wanted) { Ok(()) } else { self.error(format!("`{sign}` is missing")) }
    }

    fn name(&mut self) -> Result<String, StateTextError> {
        match self.words.get(self.at) {
            Some((Word::Name(it), _)) => {
                let name = it.to_string();
                self.at += 1;
                Ok(name)
            }
            _ => self.error("a name is missing"),
        }
    }

    /// Reads a name and what it stands for; the error points at the name.
    fn known<T>(
        &mut self,
        what: &str,
        find: impl Fn(&Reader<'a>, &str) -> Option<T>,
    ) -> Result<T, StateTextError> {
        let offset = self.offset();
        let name = self.name()?;
        let message = || format!("no {what} is called `{name}`");
        find(self, &name).ok_or_else(|| StateTextError { message: message(), offset })
    }

    fn player(&mut self) -> Result<Player, StateTextError> {
        self.known("player", |it, name| it.state.ruleset().player_named(name))
    }

    fn kind(&mut self) -> Result<PieceKind, StateTextError> {
        self.known("piece", |it, name| it.state.ruleset().piece_named(name))
    }

    fn site(&mut self) -> Result<Site, StateTextError> {
        self.known("site", |it, name| it.sites.get(name).copied())
    }

    fn number(&mut self) -> Result<u32, StateTextError> {
        self.known("number", |_, name| name.parse().ok())
    }

    fn section(&mut self) -> Result<(), StateTextError> {
        let offset = self.offset();
        match self.name()?.as_str() {
            "on" => self.placement()?,
            "hand" => self.hand()?,
            "turn" => self.turn()?,
            "move" => self.state.move_number = self.number()?,
            "partial" => self.partial()?,
            "last-from" => self.state.last_from = Some(self.site()?),
            "last-to" => self.state.last_to = Some(self.site()?),
            "taken" => {
                let taken = (self.player()?, self.kind()?);
                self.state.taken.push(taken);
            }
            other => {
                let message = format!("`{other}` begins no section of a state");
                return Err(StateTextError { message, offset });
            }
        }
        if self.is_at_end() { Ok(()) } else { self.expect(Word::Stop, ";") }
    }

    /// `on White (King e1) (Rook (moved? true) h1)`
    fn placement(&mut self) -> Result<(), StateTextError> {
        let player = self.player()?;
        while self.accept(&Word::Open) {
            let kind = self.kind()?;
            let mut attributes = self.state.default_attributes(kind);
            while self.accept(&Word::Open) {
                let bit = self.known("attribute", |it, name| {
                    let mut names = it.state.ruleset().attributes.iter();
                    let idx = names.position(|it| it == name)?;
                    Some(attribute_bit(Attribute(idx as u16)))
                })?;
                let value = self.known("truth value", |_, name| name.parse::<bool>().ok())?;
                attributes = if value { attributes | bit } else { attributes & !bit };
                self.expect(Word::Close, ")")?;
            }
            while !self.accept(&Word::Close) {
                let site = self.site()?;
                self.state.placement.set(site, cell_of(player, kind), attributes);
            }
        }
        Ok(())
    }

    /// `hand White (Pawn 2)`
    fn hand(&mut self) -> Result<(), StateTextError> {
        let player = self.player()?;
        while self.accept(&Word::Open) {
            let kind = self.kind()?;
            let count = self.number()?;
            self.state.set_hand(player, kind, count);
            self.expect(Word::Close, ")")?;
        }
        Ok(())
    }

    /// `turn 0 White`; the name is for readers, but must be the right one.
    fn turn(&mut self) -> Result<(), StateTextError> {
        let offset = self.offset();
        let idx = self.number()? as usize;
        let Some(mover) = self.state.rules.turn(idx).map(|it| it.mover) else {
            if idx == 0 {
                return self.name().map(|_| ());
            }
            let message = format!("the turn order has no entry {idx}");
            return Err(StateTextError { message, offset });
        };
        if matches!(self.words.get(self.at), Some((Word::Name(_), _))) {
            let offset = self.offset();
            let named = self.player()?;
            if named != mover {
                let name = self.state.ruleset().player_name(mover);
                let message = format!("entry {idx} of the turn order is `{name}`'s");
                return Err(StateTextError { message, offset });
            }
        }
        self.state.turn = idx;
        Ok(())
    }

    /// `partial e4 jump`
    fn partial(&mut self) -> Result<(), StateTextError> {
        let site = self.site()?;
        let mut move_type = None;
        if matches!(self.words.get(self.at), Some((Word::Name(_), _))) {
            move_type = Some(self.known("move type", |it, name| {
                let types = &it.state.ruleset().move_types;
                let idx = types.iter().position(|it| it == name)?;
                Some(boardwright_game::MoveType(idx as u16))
            })?);
        }
        self.state.going_on = Some(GoingOn { site, move_type });
        Ok(())
    }
}
