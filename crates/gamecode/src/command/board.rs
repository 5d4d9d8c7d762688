//! Commands that change what stands on the board.

use std::sync::Arc;

use crate::{
    errors, forsythe,
    machine::{Machine, Res},
    names::Sym,
    space_map::Space,
    value::Value,
    words::Command,
};

impl Machine {
    pub(super) fn board_command(&mut self, command: Command, args: &[Value]) -> Res<()> {
        use Command::*;
        match command {
            Add => self.add(args)?,
            Drop => {
                let (label, spaces) = self.label_and_spaces(command, args)?;
                let empty: Vec<_> = spaces.into_iter().filter(|&it| self.is_empty(it)).collect();
                let pick = self.rng.below(empty.len());
                let Some(&space) = empty.get(pick) else {
                    let message = errors::no_room(self.names.text(label), self.at);
                    return Err(self.fault(message));
                };
                self.put(space, label);
            }
            Alias => {
                for pair in args.chunks(2) {
                    let [outer, inner] = pair else {
                        let message = errors::missing("alias", self.at, "pairs of names");
                        return Err(self.fault(message));
                    };
                    let pair = (self.sym_of(outer)?, self.sym_of(inner)?);
                    self.pay(self.aliases.len() as u64)?;
                    Arc::make_mut(&mut self.aliases).push(pair);
                }
            }
            Capture => {
                for space in self.spaces(args)? {
                    let label = self.on(space);
                    self.last.old = Value::Text(label);
                    if label != Sym::EMPTY {
                        self.last.captured = Value::Text(label);
                    }
                    self.put(space, Sym::EMPTY);
                }
            }
            Clear => self.clear(args)?,
            Empty => {
                let is_all = args.iter().any(|it| it.text(&self.names) == "all");
                let spaces = if is_all { self.board.all().collect() } else { self.spaces(args)? };
                for space in spaces {
                    self.put(space, Sym::EMPTY);
                }
            }
            Flip => {
                for space in self.spaces(args)? {
                    if !self.is_empty(space) {
                        let label = self.flipped(self.on(space))?;
                        self.put(space, label);
                    }
                }
            }
            Copy | Move | Swap => self.pairs(command, args)?,
            Replace => self.replace(args)?,
            Shift if self.is_array_name(args) => {
                let name = match args.first() {
                    Some(it) => self.sym_of(it)?,
                    None => return Ok(()),
                };
                // Every element moves by one.
                if let Some(Value::Array(array)) = self.scopes.get(name) {
                    self.pay(array.len() as u64)?;
                }
                self.change_array(name, |array| {
                    let rest = array.values().iter().skip(1).cloned().collect();
                    *array = crate::value::Array::list(rest);
                })?;
            }
            Shift | Mirror | Shuffle => self.rearrange(command, args)?,
            Store => {
                let snapshot = self.snapshot();
                self.pay((8 + self.pieces.len() / 16 + self.flags.len() / 2) as u64)?;
                if self.stored.last().is_some_and(|it| it.depth == snapshot.depth) {
                    self.stored.pop();
                }
                self.stored.push(snapshot);
            }
            Restore => {
                self.pay((8 + self.pieces.len() / 16 + self.flags.len() / 2) as u64)?;
                self.restore()?;
            }
            _ => {}
        }
        Ok(())
    }

    /// The space that a value names, or an error that says it names none.
    pub(crate) fn needed_space(&mut self, value: &Value) -> Res<Space> {
        match self.space_of(value) {
            Some(space) => Ok(space),
            None => {
                let text = crate::eval::shorten(&self.printed(value)?);
                Err(self.fault(errors::no_space(&text, self.at)))
            }
        }
    }

    /// All spaces that values name; arrays count as their elements.
    pub(crate) fn spaces(&mut self, values: &[Value]) -> Res<Vec<Space>> {
        let mut spaces = Vec::with_capacity(values.len());
        for value in values {
            match value {
                Value::Array(array) => {
                    self.pay(array.len() as u64)?;
                    for value in array.values() {
                        spaces.push(self.needed_space(value)?);
                    }
                }
                other => spaces.push(self.needed_space(other)?),
            }
        }
        Ok(spaces)
    }

    /// A value as the label of a piece; `@` is an empty space.
    pub(crate) fn label(&mut self, value: &Value) -> Res<Sym> {
        let label = self.sym_of(value)?;
        let text = self.names.text(label);
        if label != Sym::EMPTY && !forsythe::is_label(text) {
            let message = format!("`{}` cannot be a piece", crate::eval::shorten(text));
            return Err(self.fault(errors::wrong_kind(self.at, message)));
        }
        Ok(label)
    }

    fn label_and_spaces(&mut self, command: Command, args: &[Value]) -> Res<(Sym, Vec<Space>)> {
        let Some((label, rest)) = args.split_first() else {
            let message = errors::missing(command.name(), self.at, "a piece and a space");
            return Err(self.fault(message));
        };
        Ok((self.label(label)?, self.spaces(rest)?))
    }

    /// `add P C`, `add P all C1 ..`, `add P C Q D`.
    fn add(&mut self, args: &[Value]) -> Res<()> {
        if args.get(1).is_some_and(|it| it.text(&self.names) == "all") {
            let label = match args.first() {
                Some(it) => self.label(it)?,
                None => return Ok(()),
            };
            for space in self.spaces(args.get(2..).unwrap_or(&[]))? {
                self.put(space, label);
            }
            return Ok(());
        }
        if args.is_empty() || args.len() % 2 == 1 {
            let message = errors::missing("add", self.at, "a piece and a space");
            return Err(self.fault(message));
        }
        for pair in args.chunks(2) {
            if let [label, space] = pair {
                let label = self.label(label)?;
                let space = self.needed_space(space)?;
                self.put(space, label);
            }
        }
        Ok(())
    }

    fn pairs(&mut self, command: Command, args: &[Value]) -> Res<()> {
        let spaces = self.spaces(args)?;
        if spaces.is_empty() || spaces.len() % 2 == 1 {
            return Err(self.fault(errors::missing(command.name(), self.at, "two spaces")));
        }
        for pair in spaces.chunks(2) {
            let [from, to] = *pair else { continue };
            let (first, second) = (self.on(from), self.on(to));
            self.put(to, first);
            match command {
                Command::Move if from != to => self.put(from, Sym::EMPTY),
                Command::Swap => self.put(from, second),
                _ => {}
            }
        }
        Ok(())
    }

    fn replace(&mut self, args: &[Value]) -> Res<()> {
        let [old, new, rest @ ..] = args else {
            let message = errors::missing("replace", self.at, "two pieces");
            return Err(self.fault(message));
        };
        let (old, new) = (self.label(old)?, self.label(new)?);
        let spaces = match rest {
            [] => self.board.all().collect(),
            rest => self.spaces(rest)?,
        };
        for space in spaces {
            if self.on(space) == old {
                self.put(space, new);
            }
        }
        Ok(())
    }

    fn rearrange(&mut self, command: Command, args: &[Value]) -> Res<()> {
        let spaces = self.spaces(args)?;
        let mut labels: Vec<_> = spaces.iter().map(|&it| self.on(it)).collect();
        match command {
            Command::Mirror => labels.reverse(),
            Command::Shuffle => self.rng.shuffle(&mut labels),
            // What stood on the first goes to the second, and the last comes first.
            _ if labels.is_empty() => {}
            _ => labels.rotate_right(1),
        }
        for (space, label) in spaces.into_iter().zip(labels) {
            self.put(space, label);
        }
        Ok(())
    }

    /// Moves pieces to the first empty spaces off the board; where there are none
    /// they are gone.
    fn clear(&mut self, args: &[Value]) -> Res<()> {
        let is_all = args.iter().any(|it| it.text(&self.names) == "board");
        let board = self.board.clone();
        let is_hidden = |it: Space| board.info(it).is_some_and(|it| it.is_hidden);
        let spaces = match is_all {
            true => board.all().filter(|&it| !is_hidden(it)).collect(),
            false => self.spaces(args)?,
        };
        self.pay(spaces.len() as u64)?;
        let mut free: Vec<_> =
            board.all().filter(|&it| is_hidden(it) && self.is_empty(it)).collect();
        free.reverse();
        for space in spaces {
            let label = self.on(space);
            self.put(space, Sym::EMPTY);
            if label != Sym::EMPTY
                && let Some(hand) = free.pop()
            {
                self.put(hand, label);
            }
        }
        Ok(())
    }

    /// Whether `shift` is given one array variable instead of spaces.
    fn is_array_name(&self, args: &[Value]) -> bool {
        let [one] = args else { return false };
        let name = one.sym().filter(|_| self.space_of(one).is_none());
        matches!(name.and_then(|it| self.scopes.get(it)), Some(Value::Array(_)))
    }
}
