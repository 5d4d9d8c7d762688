//! Turns as players write them: moves, drops, promotions, dice, commands.
//!
//! `P e7-e8; Q-e8` is one turn of two *primitives*. All are carried out in their
//! order before the code looks at what happened.

use crate::{
    errors,
    eval::shorten,
    filter::Kinds,
    machine::{CodeStop, Halt, Machine, Question, Res},
    names::Sym,
    space_map::Space,
    value::Value,
    words,
};

/// The turn that is being made, or was made last.
#[derive(Clone, Debug, Default)]
pub(crate) struct Turn {
    /// As written, with what the code added.
    pub(crate) text: Option<String>,
    /// Pieces put on spaces in this turn, promotions above all.
    puts: Vec<(Space, Sym)>,
    /// Where the last piece that moved in this turn stands.
    moved_to: Option<Space>,
}

/// One part of a turn.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Primitive {
    /// `P e2-e4` or `e2-e4`.
    Move {
        label: Option<Sym>,
        from: Space,
        to: Space,
    },
    /// `Q-e8`.
    Put {
        label: Sym,
        to: Space,
    },
    /// `P*e4`.
    Drop {
        label: Sym,
        to: Space,
    },
    /// `e4-` or `@-e4`.
    Remove(Space),
    /// `[KQR]-e4`.
    Dice {
        labels: Vec<Sym>,
        to: Space,
    },
    Pass,
    /// A command of the language.
    Command(Sym),
}

impl Machine {
    /// Tells the program all turns of the game, as `mline`.
    pub fn set_turns(&mut self, texts: &[String]) {
        let names = std::sync::Arc::make_mut(&mut self.names);
        let values = texts.iter().map(|it| Value::Text(names.intern(it))).collect();
        let array = crate::value::Array::list(values);
        self.scopes.set(Sym::MLINE, Value::Array(std::sync::Arc::new(array)));
    }

    /// Begins the turn with this number, counted from nought, as `moveindex` does.
    pub fn begin_turn(&mut self, index: usize, text: &str) {
        self.scopes.set(Sym::MLN, Value::Int(index as i64));
        let text = without_comment(text).trim();
        self.turn = Turn { text: Some(text.to_owned()), ..Turn::default() };
    }

    /// `moveindex`: the turn with this number in `mline` begins.
    pub(crate) fn move_index(&mut self, index: i64) -> Res<()> {
        let text = match self.scopes.get(Sym::MLINE) {
            Some(Value::Array(turns)) => turns.get(crate::value::Key::Int(index)).cloned(),
            _ => None,
        };
        let text = text.map(|it| self.printed(&it)).transpose()?;
        self.begin_turn(usize::try_from(index).unwrap_or(0), text.as_deref().unwrap_or(""));
        Ok(())
    }

    /// Carries out the primitives of a turn.
    pub fn play(&mut self, text: &str) -> Result<(), CodeStop> {
        self.guarded(|it| it.primitives(text))
    }

    /// The turn as written, with what the code added to it.
    pub fn turn_text(&self) -> Option<&str> {
        self.turn.text.as_deref()
    }

    fn primitives(&mut self, text: &str) -> Res<()> {
        let parts: Vec<_> = split(without_comment(text));
        let most = self.filter.most as usize;
        if most > 0 && parts.len() > most {
            let message =
                format!("a turn has at most {most} parts here, and this has {}", parts.len());
            return Err(self.fault(errors::illegal(message)));
        }
        for (place, part) in (1..).zip(parts) {
            self.pay(10)?;
            let primitive = self.primitive(part, true)?;
            let kind = self.kind(&primitive);
            if !self.filter.accepts(kind, place) {
                let message =
                    format!("`{}`: {} is not allowed here", shorten(part), kind.describe());
                return Err(self.fault(errors::illegal(message)));
            }
            self.carry_out(&primitive)?;
        }
        Ok(())
    }

    /// `MOVE:` in code: one primitive, from and to anywhere.
    pub(crate) fn move_in_code(&mut self, text: &str) -> Res<()> {
        let primitive = self.primitive(text, false)?;
        self.carry_out(&primitive)
    }

    fn kind(&self, primitive: &Primitive) -> Kinds {
        match primitive {
            Primitive::Move { to, .. } if self.is_empty(*to) => Kinds::MOVES,
            Primitive::Move { .. } => Kinds::CAPTURES,
            Primitive::Put { to, .. } if self.is_empty(*to) => Kinds::FREE_DROPS,
            // Only the piece that has just moved is promoted.
            Primitive::Put { to, .. } if self.turn.moved_to.is_some_and(|it| it != *to) => {
                Kinds::FREE_DROPS
            }
            Primitive::Put { .. } => Kinds::PROMOTIONS,
            Primitive::Drop { .. } => Kinds::DROPS,
            Primitive::Remove(_) => Kinds::REMOVALS,
            Primitive::Dice { .. } => Kinds::DICE,
            Primitive::Pass => Kinds::PASS,
            Primitive::Command(_) => Kinds::COMMANDS,
        }
    }

    /// Reads one primitive.
    fn primitive(&mut self, text: &str, by_player: bool) -> Res<Primitive> {
        let text = without_number(text.trim());
        if text == "pass" {
            return Ok(Primitive::Pass);
        }
        // The last sign that a coordinate follows is the one that counts.
        for (idx, sign) in text.char_indices().rev().filter(|it| "-*".contains(it.1)) {
            let left = text.get(..idx).unwrap_or("").trim();
            let right = text.get(idx + 1..).unwrap_or("").trim();
            if let Some(found) = self.signed(left, sign, right, by_player)? {
                return Ok(found);
            }
        }
        let word = text.split_whitespace().next().unwrap_or("");
        let is_command = words::commands().any(|it| it == word);
        let is_sub = self.names.get(word).is_some_and(|it| self.program.subs.contains_key(&it));
        if by_player && (is_command || is_sub) {
            return Ok(Primitive::Command(self.intern(text)?));
        }
        Err(self.fault(self.no_move(text)))
    }

    /// What a part of a turn is that is neither move nor command.
    fn no_move(&self, text: &str) -> boardwright_text::Diagnostic {
        let is_known = |it: &&str| {
            let sym = self.names.get(it);
            let is_label =
                sym.is_some_and(|it| self.pieces.contains(&it) || self.labels.contains(&it));
            is_label || self.coordinate(it).is_some()
        };
        let mut parts = text.split(|it: char| it.is_whitespace() || "-*".contains(it));
        let word = parts.find(|it| !it.is_empty() && !is_known(it));
        let word = word.unwrap_or_else(|| text.split_whitespace().next().unwrap_or(text));
        errors::not_a_move(&shorten(text), &shorten(word), words::commands())
    }

    /// Reads what stands around `-` or `*`; nothing if it is no move.
    fn signed(
        &mut self,
        left: &str,
        sign: char,
        right: &str,
        by_player: bool,
    ) -> Res<Option<Primitive>> {
        if right.is_empty() {
            let space = self.coordinate(left).filter(|_| sign == '-');
            return match space {
                Some(space) => Ok(Some(Primitive::Remove(self.visible(space, by_player)?))),
                None => Ok(None),
            };
        }
        let Some(to) = self.coordinate(right) else { return Ok(None) };
        let to = self.visible(to, by_player)?;
        if sign == '*' {
            return match self.known_label(left)? {
                Some(label) => Ok(Some(Primitive::Drop { label, to })),
                None => Ok(None),
            };
        }
        if let Some(from) = self.coordinate(left) {
            let from = self.visible(from, by_player)?;
            return Ok(Some(Primitive::Move { label: None, from, to }));
        }
        if left == "@" {
            return Ok(Some(Primitive::Remove(to)));
        }
        if let Some(list) = left.strip_prefix('[').and_then(|it| it.strip_suffix(']')) {
            let labels = self.dice(list)?;
            return Ok((!labels.is_empty()).then_some(Primitive::Dice { labels, to }));
        }
        if let Some((label, from)) = left.split_once(char::is_whitespace) {
            let Some(from) = self.coordinate(from.trim()) else { return Ok(None) };
            let Some(label) = self.known_label(label)? else { return Ok(None) };
            let from = self.visible(from, by_player)?;
            return Ok(Some(Primitive::Move { label: Some(label), from, to }));
        }
        if let Some(label) = self.known_label(left)? {
            return Ok(Some(Primitive::Put { label, to }));
        }
        // `Nb1-c3`: the label and the space without a blank between them.
        for (idx, _) in left.char_indices().skip(1) {
            let (label, from) = left.split_at(idx);
            if let Some(from) = self.coordinate(from)
                && let Some(label) = self.known_label(label)?
            {
                let from = self.visible(from, by_player)?;
                return Ok(Some(Primitive::Move { label: Some(label), from, to }));
            }
        }
        Ok(None)
    }

    /// What a word stands for, aliases considered.
    fn unaliased(&self, word: &str) -> String {
        let found = self
            .names
            .get(word)
            .and_then(|sym| self.aliases.iter().rev().find(|it| it.0 == sym).map(|it| it.1));
        found.map_or_else(|| word.to_owned(), |it| self.names.text(it).to_owned())
    }

    fn coordinate(&self, word: &str) -> Option<Space> {
        self.board.space(word).or_else(|| self.board.space(&self.unaliased(word)))
    }

    fn visible(&self, space: Space, by_player: bool) -> Res<Space> {
        let is_hidden = self.board.info(space).is_some_and(|it| it.is_hidden);
        if is_hidden && by_player {
            let message = format!("`{}` is off the board; use `*` to drop", self.board.name(space));
            return Err(self.fault(errors::illegal(message)));
        }
        Ok(space)
    }

    /// The label that a word is, if it may be one.
    fn known_label(&mut self, word: &str) -> Res<Option<Sym>> {
        let text = self.unaliased(word);
        if !crate::forsythe::is_label(&text) {
            return Ok(None);
        }
        let sym = self.intern(&text)?;
        let is_known =
            self.labels.is_empty() || self.labels.contains(&sym) || self.pieces.contains(&sym);
        Ok(is_known.then_some(sym))
    }

    /// The faces of a die: letters, `{labels}`, or labels between blanks.
    fn dice(&mut self, list: &str) -> Res<Vec<Sym>> {
        let mut labels = Vec::new();
        if list.contains(char::is_whitespace) {
            for word in list.split_whitespace() {
                labels.extend(self.known_label(word)?);
            }
            return Ok(labels);
        }
        let mut rest = list;
        while let Some(ch) = rest.chars().next() {
            let long = rest.strip_prefix('{').and_then(|it| it.split_once('}'));
            let (label, after) = long.unwrap_or_else(|| rest.split_at(ch.len_utf8()));
            labels.extend(self.known_label(label)?);
            rest = after;
        }
        Ok(labels)
    }

    fn carry_out(&mut self, primitive: &Primitive) -> Res<()> {
        match primitive {
            Primitive::Move { label, from, to } => {
                let piece = self.on(*from);
                let from_name = self.board.name(*from);
                if piece == Sym::EMPTY {
                    let message = format!("there is no piece on {from_name}");
                    return Err(self.fault(errors::illegal(message)));
                }
                if let Some(label) = label.filter(|&it| it != piece && self.checks_labels) {
                    let (found, said) = (self.names.text(piece), self.names.text(label));
                    let message = format!("the piece on {from_name} is `{found}`, not `{said}`");
                    return Err(self.fault(errors::illegal(message)));
                }
                self.make_move(*from, *to, piece);
            }
            Primitive::Put { label, to } => {
                self.put(*to, *label);
                self.turn.puts.push((*to, *label));
            }
            Primitive::Drop { label, to } => {
                let board = self.board.clone();
                let hands = board.all().filter(|&it| board.info(it).is_some_and(|it| it.is_hidden));
                let Some(hand) = hands.into_iter().find(|&it| self.on(it) == *label) else {
                    let message = format!("no `{}` is there to drop", self.names.text(*label));
                    return Err(self.fault(errors::illegal(message)));
                };
                self.make_move(hand, *to, *label);
            }
            Primitive::Remove(space) => self.put(*space, Sym::EMPTY),
            Primitive::Dice { labels, to } => {
                let pick = self.rng.below(labels.len());
                if let Some(&label) = labels.get(pick) {
                    self.put(*to, label);
                    self.turn.puts.push((*to, label));
                }
            }
            Primitive::Pass => {}
            Primitive::Command(text) => self.run_text(*text)?,
        }
        Ok(())
    }

    fn make_move(&mut self, from: Space, to: Space, piece: Sym) {
        let old = if from == to { Sym::EMPTY } else { self.on(to) };
        self.put(from, Sym::EMPTY);
        self.put(to, piece);
        self.last.origin = self.name_of(from);
        self.last.dest = self.name_of(to);
        self.last.moved = Value::Text(piece);
        self.last.old = Value::Text(old);
        self.last.captured = Value::Text(old);
        self.turn.moved_to = Some(to);
    }

    /// The label as players see it.
    fn shown(&self, label: Sym) -> String {
        let alias = self.aliases.iter().rev().find(|it| it.1 == label);
        self.names.text(alias.map_or(label, |it| it.0)).to_owned()
    }

    /// `askpromote`: unless the player has promoted already, asks to what.
    pub(crate) fn ask_promote(&mut self, args: &[Value]) -> Res<()> {
        let mut labels = Vec::new();
        for value in args {
            match value {
                Value::Array(array) => {
                    for value in array.values() {
                        labels.push(self.label(value)?);
                    }
                }
                other => labels.push(self.label(other)?),
            }
        }
        let dest = self.last.dest.clone();
        let dest = self.needed_space(&dest)?;
        let chosen = self.turn.puts.iter().rev().find(|it| it.0 == dest).map(|it| it.1);
        let text = self.turn.text.clone().unwrap_or_default();
        match (chosen, labels.as_slice()) {
            (Some(label), _) if labels.contains(&label) => Ok(()),
            (Some(label), _) => {
                let message = format!("it cannot become `{}`", self.shown(label));
                Err(Box::new(Halt::Stop(CodeStop::Refused(message, self.at))))
            }
            (None, []) => Ok(()),
            (None, [label]) => {
                let label = *label;
                self.put(dest, label);
                self.turn.puts.push((dest, label));
                let part = format!("{}-{}", self.shown(label), self.board.name(dest));
                self.turn.text = Some(format!("{text}; {part}"));
                Ok(())
            }
            (None, many) => {
                let dest = self.board.name(dest);
                let choices = many.iter().map(|&it| {
                    let label = self.shown(it);
                    let whole = format!("{text}; {label}-{dest}");
                    (label, whole)
                });
                let question = Question { text: String::new(), choices: choices.collect() };
                Err(Box::new(Halt::Stop(CodeStop::Ask(question))))
            }
        }
    }

    /// `ask "text" move1 move2 ..`: unless the turn is one of these, asks which.
    pub(crate) fn ask(&mut self, args: &[Value]) -> Res<()> {
        let mut words = Vec::new();
        for value in args {
            words.push(self.printed(value)?);
        }
        let Some((text, moves)) = words.split_first() else { return Ok(()) };
        let made = normal(self.turn.text.as_deref().unwrap_or(""));
        if moves.is_empty() || moves.iter().any(|it| normal(it) == made) {
            return Ok(());
        }
        let choices = moves.iter().map(|it| (it.clone(), it.clone())).collect();
        let question = Question { text: text.clone(), choices };
        Err(Box::new(Halt::Stop(CodeStop::Ask(question))))
    }

    /// `appendmove text`: carries out more primitives as part of the turn.
    pub(crate) fn append_move(&mut self, args: &[Value]) -> Res<()> {
        let mut words = Vec::new();
        for value in args {
            words.push(self.printed(value)?);
        }
        let added = words.join(" ");
        for part in split(&added) {
            let primitive = self.primitive(part, false)?;
            self.carry_out(&primitive)?;
        }
        let text = self.turn.text.take().unwrap_or_default();
        if text.len() + added.len() > self.program.limits.text_len {
            return Err(self.fault(errors::out_of_memory(self.at, "the turn becomes too long")));
        }
        self.turn.text = Some(format!("{text}; {added}"));
        Ok(())
    }
}

/// The parts of a turn; quoted text is not cut.
fn split(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut start = 0;
    let mut is_quoted = false;
    for (idx, ch) in text.char_indices() {
        match ch {
            '"' => is_quoted = !is_quoted,
            ';' if !is_quoted => {
                parts.extend(text.get(start..idx));
                start = idx + 1;
            }
            _ => {}
        }
    }
    parts.extend(text.get(start..));
    parts.into_iter().map(str::trim).filter(|it| !it.is_empty()).collect()
}

/// The turn without what follows `//`.
fn without_comment(text: &str) -> &str {
    let mut starts = text.match_indices("//");
    let found = starts.find(|(at, _)| !text.get(..*at).is_some_and(|it| it.ends_with(':')));
    found.and_then(|(at, _)| text.get(..at)).unwrap_or(text)
}

/// The text without a number such as `12.` before it.
fn without_number(text: &str) -> &str {
    let rest = text.trim_start_matches(|it: char| it.is_ascii_digit());
    let after = rest.trim_start_matches('.');
    let is_number = rest.len() < text.len() && after.len() < rest.len();
    if is_number && after.starts_with(' ') { after.trim_start() } else { text }
}

/// A turn with its blanks made regular, to compare.
fn normal(text: &str) -> String {
    split(text)
        .iter()
        .map(|it| it.split_whitespace().collect::<Vec<_>>().join(" "))
        .collect::<Vec<_>>()
        .join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_fall_into_parts() {
        assert_eq!(split("P e7-e8; Q-e8;"), ["P e7-e8", "Q-e8"]);
        assert_eq!(split("say \"a; b\"; e2-e4"), ["say \"a; b\"", "e2-e4"]);
        assert_eq!(without_comment("e2-e4 // well"), "e2-e4 ");
        assert_eq!(without_comment("say http://pond"), "say http://pond");
        assert_eq!(without_number("12. P e2-e4"), "P e2-e4");
        assert_eq!(without_number("1.5-e4"), "1.5-e4");
        assert_eq!(normal(" P  e2-e4 ;Q-e4"), "P e2-e4; Q-e4");
    }
}
