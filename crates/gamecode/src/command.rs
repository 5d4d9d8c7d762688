//! Commands that take their arguments as they are.

mod board;
mod links;

use std::sync::Arc;

use crate::{
    code::{Code, Item},
    errors,
    filter::Kinds,
    forsythe,
    machine::{Machine, Res, Status},
    names::Sym,
    space_map::AxisLabel,
    value::Value,
    words::{Command, Keyword},
};

/// System variables that can be read, besides the keywords.
pub(crate) const SYSTEM_NAMES: &[&str] =
    &["board", "code", "cols", "columns", "files", "maxmove", "mline", "mln", "ranks", "spaces"];

/// More legal moves than this are not told.
const MOST_LEGAL: usize = 20_000;

impl Machine {
    pub(crate) fn command(&mut self, command: Command, args: Vec<Value>, code: &Code) -> Res<()> {
        use Command::*;
        match command {
            Echo => {
                let mut words = Vec::with_capacity(args.len());
                for value in &args {
                    words.push(self.printed(value)?);
                }
                self.emit(words.join(" "))
            }
            Dump => self.dump(),
            Won | Lost | Drawn => {
                self.status = match command {
                    Won => Status::Won,
                    Lost => Status::Lost,
                    _ => Status::Drawn,
                };
                Ok(())
            }
            Local | My | Static | Unset => {
                for value in &args {
                    let name = self.sym_of(value)?;
                    let mark = self.block;
                    if self.scopes.is_full(mark) {
                        let message = "too many variables in one scope";
                        return Err(self.fault(errors::out_of_memory(self.at, message)));
                    }
                    match command {
                        Local => self.scopes.local(name, Value::Null, mark),
                        My => self.scopes.my(name, Value::Null, mark),
                        Static => self.scopes.make_static(name),
                        _ => self.scopes.unset(name),
                    }
                }
                Ok(())
            }
            Inc | Dec => self.count(command, &args),
            Pop => {
                let name = self.name_arg(command, &args)?;
                self.change_array(name, |it| {
                    it.pop();
                })
            }
            UnsetConst => {
                for value in &args {
                    let name = self.sym_of(value)?;
                    self.consts.remove(&name);
                }
                Ok(())
            }
            SetFlag | UnsetFlag | CopyFlag | MoveFlag | ClearFlags => self.flags(command, &args),
            Gosub => self.gosub(args),
            Ban | Allow => self.rules(command, &args),
            SetLegal => self.set_legal(&args, code),
            AskPromote => self.ask_promote(&args),
            Ask => self.ask(&args),
            AppendMove => self.append_move(&args),
            MoveIndex => {
                let index = args.first().map_or(0, |it| it.int(&self.names));
                self.move_index(index)
            }
            Map | Link | Unlink => self.link_command(command, &args),
            _ => self.board_command(command, &args),
        }
    }

    fn name_arg(&mut self, command: Command, args: &[Value]) -> Res<Sym> {
        match args.first() {
            Some(value) => self.sym_of(value),
            None => Err(self.fault(errors::missing(command.name(), self.at, "a name"))),
        }
    }

    fn count(&mut self, command: Command, args: &[Value]) -> Res<()> {
        let name = self.name_arg(command, args)?;
        let by = args.get(1).map_or(1, |it| it.int(&self.names));
        let by = if command == Command::Inc { by } else { by.saturating_neg() };
        let old = self.scopes.get(name).cloned().unwrap_or(Value::Null);
        let new = match old.number(&self.names) {
            crate::names::Number::Int(it) => Value::Int(it.saturating_add(by)),
            crate::names::Number::Float(it) => Value::Float(it + by as f64),
        };
        self.scopes.set(name, new);
        Ok(())
    }

    fn flags(&mut self, command: Command, args: &[Value]) -> Res<()> {
        let mut names = Vec::with_capacity(args.len());
        for value in args {
            match value {
                Value::Array(array) => {
                    self.pay(array.len() as u64)?;
                    for value in array.values() {
                        names.push(self.sym_of(value)?);
                    }
                }
                other => names.push(self.sym_of(other)?),
            }
        }
        match command {
            Command::SetFlag => self.flags.extend(names),
            Command::UnsetFlag => {
                for name in names {
                    self.flags.remove(&name);
                }
            }
            Command::ClearFlags => self.flags.clear(),
            _ => {
                for pair in names.chunks(2) {
                    let [from, to] = pair else {
                        let message = errors::missing(command.name(), self.at, "two flags");
                        return Err(self.fault(message));
                    };
                    if self.flags.contains(from) {
                        self.flags.insert(*to);
                    } else {
                        self.flags.remove(to);
                    }
                    if command == Command::MoveFlag {
                        self.flags.remove(from);
                    }
                }
            }
        }
        Ok(())
    }

    /// `ban` and `allow`: words for kinds, each perhaps with its place in the turn.
    fn rules(&mut self, command: Command, args: &[Value]) -> Res<()> {
        let mut args = args.iter().peekable();
        while let Some(value) = args.next() {
            let text = value.text(&self.names);
            let Some(kinds) = Kinds::named(&text) else {
                let words = Kinds::WORDS.iter().map(|it| it.0);
                let message = errors::unknown_name("kind of move", &text, self.at, words);
                return Err(self.fault(message));
            };
            let number = args.next_if(|it| it.exact_number(&self.names).is_some());
            let place = number.map(|it| u32::try_from(it.int(&self.names)).unwrap_or(0));
            match command {
                Command::Ban => self.filter.ban(kinds, place),
                _ => self.filter.allow(kinds, place),
            }
        }
        Ok(())
    }

    /// `setlegal A B1 B2 ..` or `setlegal A (B1 ..) C (D1 ..)`, where what stands in
    /// parentheses may be an expression that gives the spaces.
    fn set_legal(&mut self, args: &[Value], code: &Code) -> Res<()> {
        // Without arguments it forgets what was told.
        if args.is_empty() {
            self.legal.clear();
        }
        let mut from = None;
        for (idx, value) in args.iter().enumerate() {
            let list = match code.items.get(idx) {
                Some(Item::List(list)) if list.has_op => Some(self.eval(list, &[])?),
                _ => match value {
                    Value::Array(_) => Some(value.clone()),
                    _ => None,
                },
            };
            let after_list =
                matches!(idx.checked_sub(1).and_then(|it| args.get(it)), Some(Value::Array(_)));
            match (list, from) {
                (None, Some(from)) if !after_list => {
                    let to = self.needed_space(value)?;
                    self.add_legal(from, to)?;
                }
                (None, _) => from = Some(self.needed_space(value)?),
                (Some(list), Some(from)) => {
                    let values = match &list {
                        Value::Array(array) => array.values(),
                        one => std::slice::from_ref(one),
                    };
                    // What leads off the board is false, and no move.
                    for value in values {
                        if let Some(to) = self.space_of(value) {
                            self.add_legal(from, to)?;
                        }
                    }
                }
                (Some(_), None) => {
                    let message =
                        errors::missing("setlegal", self.at, "a space to move from first");
                    return Err(self.fault(message));
                }
            }
        }
        Ok(())
    }

    fn add_legal(&mut self, from: crate::Space, to: crate::Space) -> Res<()> {
        self.pay(1 + self.legal.len() as u64 / 16)?;
        if self.legal.len() >= MOST_LEGAL {
            let message = "too many legal moves are told";
            return Err(self.fault(errors::out_of_memory(self.at, message)));
        }
        if !self.legal.contains(&(from, to)) {
            self.legal.push((from, to));
        }
        Ok(())
    }

    /// Sets what the system keeps: a keyword's value, a limit, or a name of its own.
    pub(crate) fn set_system(&mut self, name: Sym, value: Value) -> Res<()> {
        let text = self.names.text(name);
        match Keyword::named(text) {
            Some(Keyword::Origin) => self.last.origin = value,
            Some(Keyword::Dest) => self.last.dest = value,
            Some(Keyword::Moved) => self.last.moved = value,
            Some(Keyword::Old) => self.last.old = value,
            Some(Keyword::Captured) => self.last.captured = value,
            Some(Keyword::ThisMove) => {
                let text = self.printed(&value)?;
                self.turn.text = Some(text);
            }
            None if text == "maxmove" => {
                self.filter.most = u32::try_from(value.int(&self.names)).unwrap_or(0);
            }
            None if name == Sym::MLN || name == Sym::MLINE => self.scopes.set(name, value),
            None => {
                self.system.insert(name, value);
            }
        }
        Ok(())
    }

    /// Reads what [`Machine::set_system`] sets.
    pub(crate) fn system_value(&mut self, name: Sym) -> Res<Value> {
        let text = self.names.text(name);
        if let Some(keyword) = Keyword::named(text) {
            return self.keyword(keyword);
        }
        Ok(match text {
            "maxmove" => Value::Int(i64::from(self.filter.most)),
            "mln" | "mline" => self.scopes.get(name).cloned().unwrap_or(Value::Null),
            _ => match self.system.get(&name).cloned() {
                Some(value) => value,
                None => self.board_value(name)?,
            },
        })
    }

    /// A system variable that describes the board; null for a name that nothing has set.
    fn board_value(&mut self, name: Sym) -> Res<Value> {
        let board = Arc::clone(&self.board);
        let labels = |it: &[AxisLabel]| it.iter().map(|it| it.text.clone()).collect::<Vec<_>>();
        match self.names.text(name) {
            "files" => self.texts_of(&labels(board.file_labels())),
            "ranks" => self.texts_of(&labels(board.rank_labels())),
            "columns" | "cols" => Ok(Value::Int(board.size().0 as i64)),
            "code" => {
                let n_columns = board.size().0.max(1);
                let cells = self.cells();
                self.pay(cells.len() as u64)?;
                self.text(&forsythe::write(&cells, n_columns))
            }
            "board" | "spaces" => self.pieces_where(|_, _| true),
            _ => Ok(Value::Null),
        }
    }

    fn texts_of(&mut self, texts: &[String]) -> Res<Value> {
        let mut values = Vec::with_capacity(texts.len());
        for text in texts {
            values.push(self.text(text)?);
        }
        self.list(values)
    }

    /// Writes all variables, constants and flags, sorted.
    fn dump(&mut self) -> Res<()> {
        let names = Arc::clone(&self.names);
        let show = |kind: &str, name: Sym, value: &Value| {
            format!("{kind} {} = {}", names.text(name), value.source(&names))
        };
        let all = self.scopes.all();
        let cost = all.iter().map(|it| it.1.weight()).sum::<u64>();
        self.pay(cost + self.flags.len() as u64)?;
        let mut lines: Vec<_> =
            self.scopes.all().iter().map(|it| show("variable", it.0, it.1)).collect();
        lines.extend(self.consts.iter().map(|(name, value)| show("constant", *name, value)));
        lines.extend(self.flags.iter().map(|&it| format!("flag {}", names.text(it))));
        lines.sort();
        for line in lines {
            self.emit(line)?;
        }
        Ok(())
    }
}
