//! Runs units: statement by statement, with blocks as scopes.

use std::sync::Arc;

use boardwright_text::Span;

use crate::{
    code::{Code, Item, Step, Unit},
    errors,
    machine::{CodeStop, Halt, Machine, Res},
    names::Sym,
    scope::Mark,
    value::{Array, Key, Value},
};

/// A block that is open while a unit runs.
struct Open {
    /// The scope around it.
    outer: Mark,
    /// The loop's array, and the next element.
    each: Option<(Arc<Array>, usize)>,
}

impl Machine {
    /// Runs a unit at the base level.
    pub(crate) fn unit(&mut self, unit: &Unit) -> Res<Value> {
        self.steps_of(unit, true)
    }

    /// Runs a subroutine.
    pub(crate) fn call_sub(&mut self, name: Sym, args: Vec<Value>) -> Res<Value> {
        let found = self.program.subs.get(&name).and_then(|&it| self.program.units.get(it));
        let Some(unit) = found.cloned() else {
            let known = self.program.subs.keys().map(|&it| self.names.text(it));
            let message = errors::no_function("subroutine", self.names.text(name), self.at, known);
            return Err(self.fault(message));
        };
        let (mark, block) = (self.scopes.mark(), self.block);
        self.scopes.call(name);
        self.block = self.scopes.mark();
        let from = self.block;
        let mut values = args.iter();
        for &param in &unit.params {
            let value = values.next().cloned().unwrap_or(Value::Null);
            self.scopes.local(param, value, from);
        }
        let all = self.list(args)?;
        self.scopes.my(Sym::SUBARGS, all, from);
        let result = self.nested(|it| it.steps_of(&unit, false));
        self.scopes.back_to(mark);
        self.block = block;
        let depth = self.depth;
        self.stored.retain(|it| it.depth <= depth);
        result
    }

    fn steps_of(&mut self, unit: &Unit, is_base: bool) -> Res<Value> {
        let mut open: Vec<Open> = Vec::new();
        let mut next = 0;
        while let Some(step) = unit.steps.get(next) {
            let span = unit.spans.get(next).copied().unwrap_or_default();
            self.at = span;
            self.pay(1)?;
            next += 1;
            match step {
                Step::Branch { code, when, to } => {
                    if self.truth(code)? == *when {
                        next = *to;
                    }
                }
                Step::Jump { to, leave } => {
                    for _ in 0..*leave {
                        self.leave(&mut open);
                    }
                    next = *to;
                }
                Step::Enter => self.enter(&mut open, None),
                Step::Leave => self.leave(&mut open),
                Step::For(code) => {
                    let array = match self.eval(code, &[])? {
                        Value::Array(array) => array,
                        Value::Null | Value::Bool(false) => Arc::default(),
                        one => Arc::new(Array::list(vec![one])),
                    };
                    self.enter(&mut open, Some((array, 0)));
                }
                Step::Each { key, value, exit } => {
                    if !self.each(&mut open, key.as_ref(), value)? {
                        self.leave(&mut open);
                        next = *exit;
                    }
                }
                Step::Switch { code, cases, default } => {
                    let value = self.eval(code, &[])?;
                    next = *default;
                    for (label, to) in cases {
                        let label = self.argument(label, &[])?;
                        self.pay(label.weight())?;
                        if label.equals(&value, &self.names) {
                            next = *to;
                            break;
                        }
                    }
                }
                Step::Return(code) => return self.eval(code, &[]),
                Step::Verify(code) => {
                    if !self.truth(code)? {
                        return if is_base {
                            Err(Box::new(Halt::End))
                        } else {
                            Ok(Value::Bool(false))
                        };
                    }
                }
                Step::End => return Err(Box::new(Halt::End)),
                other => self.simple(other, span)?,
            }
        }
        Ok(Value::Null)
    }

    fn truth(&mut self, code: &Code) -> Res<bool> {
        Ok(self.eval(code, &[])?.truth(&self.names))
    }

    fn enter(&mut self, open: &mut Vec<Open>, each: Option<(Arc<Array>, usize)>) {
        open.push(Open { outer: self.block, each });
        self.block = self.scopes.mark();
    }

    fn leave(&mut self, open: &mut Vec<Open>) {
        if let Some(block) = open.pop() {
            self.scopes.back_to(self.block);
            self.block = block.outer;
        }
    }

    /// Sets the variables of a loop to the next element; false at the end.
    fn each(&mut self, open: &mut [Open], key: Option<&Item>, value: &Item) -> Res<bool> {
        let Some((array, next)) = open.last_mut().and_then(|it| it.each.as_mut()) else {
            return Ok(false);
        };
        let Some(element) = array.values().get(*next).cloned() else { return Ok(false) };
        let element_key = array.key(*next).value();
        *next += 1;
        self.scopes.back_to(self.block);
        if let Some(key) = key {
            let name = self.name(key)?;
            self.scopes.set(name, element_key);
        }
        let name = self.name(value)?;
        self.scopes.set(name, element);
        Ok(true)
    }

    /// The name that a word gives.
    fn name(&mut self, item: &Item) -> Res<Sym> {
        let value = self.argument(item, &[])?;
        self.sym_of(&value)
    }

    /// Statements that do not direct the flow.
    fn simple(&mut self, step: &Step, span: Span) -> Res<()> {
        match step {
            Step::Run(command, args) => {
                let mut values = Vec::with_capacity(args.items.len());
                for item in &args.items {
                    values.push(self.argument(item, &[])?);
                }
                self.at = span;
                self.command(*command, values, args)?;
            }
            Step::Call(args) => {
                let mut values = Vec::with_capacity(args.items.len());
                for item in &args.items {
                    values.push(self.argument(item, &[])?);
                }
                self.gosub(values)?;
            }
            Step::Move(words) => {
                let mut text = String::new();
                for item in &words.items {
                    let value = self.argument(item, &[])?;
                    text.push_str(&self.printed(&value)?);
                    text.push(' ');
                }
                self.move_in_code(text.trim())?;
            }
            Step::Set(name, code) => {
                let name = self.name(name)?;
                let value = self.eval(code, &[])?;
                self.scopes.set(name, value);
            }
            Step::SetElem(name, key, code) => {
                let name = self.name(name)?;
                let key = self.argument(key, &[])?;
                let key = self.key(&key)?;
                let value = self.eval(code, &[])?;
                self.change_array(name, |array| array.set(key, value))?;
            }
            Step::Push(name, code) => {
                let name = self.name(name)?;
                let value = self.eval(code, &[])?;
                self.change_array(name, |array| array.push(value))?;
            }
            Step::Unshift(name, code) => {
                let name = self.name(name)?;
                let value = self.eval(code, &[])?;
                // Every element moves by one.
                if let Some(Value::Array(array)) = self.scopes.get(name) {
                    self.pay(array.len() as u64)?;
                }
                self.change_array(name, |array| unshift(array, value))?;
            }
            Step::SetConst { name, code, keeps } => {
                let name = self.name(name)?;
                if !(*keeps && self.consts.contains_key(&name)) {
                    let value = self.eval(code, &[])?;
                    self.pay(value.weight())?;
                    // It goes into the record, which is to stay readable.
                    if value.text_bytes(&self.names) > self.program.limits.text_len {
                        let message = "a constant is too large to be kept";
                        return Err(self.fault(errors::out_of_memory(self.at, message)));
                    }
                    self.consts.insert(name, value);
                }
            }
            Step::SetSystem(name, code) => {
                let name = self.name(name)?;
                let value = self.eval(code, &[])?;
                self.set_system(name, value)?;
            }
            Step::Def(name, code) => {
                let name = self.name(name)?;
                Arc::make_mut(&mut self.functions).insert(name, code.clone());
            }
            Step::Print(code) => {
                let value = self.eval(code, &[])?;
                let line = self.printed(&value)?;
                self.emit(line)?;
            }
            Step::Eval(code) => {
                let value = self.eval(code, &[])?;
                let text = self.printed(&value)?;
                let sym = self.intern(&text)?;
                self.run_text(sym)?;
            }
            Step::Say(code) => {
                let line = self.message(code)?;
                self.count_output(line.len())?;
                self.said.push(line);
            }
            Step::Die(code) => {
                let line = self.message(code)?;
                return Err(Box::new(Halt::Stop(CodeStop::Refused(line, span))));
            }
            Step::Fail(diagnostic) => return Err(self.fault((**diagnostic).clone())),
            _ => {}
        }
        Ok(())
    }

    /// Runs a text as statements, where it stands.
    pub(crate) fn run_text(&mut self, text: Sym) -> Res<()> {
        let unit = self.compiled(text, false)?;
        for step in &unit.steps {
            if let Step::Call(args) = step
                && let Some(Item::Value(Value::Text(word))) = args.items.first()
                && !self.program.subs.contains_key(word)
            {
                let mut known: Vec<&str> = crate::words::commands().collect();
                known.extend(self.program.subs.keys().map(|&it| self.names.text(it)));
                let message = errors::unknown_word(self.names.text(*word), self.at, known);
                return Err(self.fault(message));
            }
        }
        let at = self.at;
        self.nested(|it| {
            let outer = it.block;
            let result = it.steps_of(&unit, false);
            it.block = outer;
            result
        })?;
        self.at = at;
        Ok(())
    }

    /// Changes an array in a variable, which becomes one if it is none.
    pub(crate) fn change_array(&mut self, name: Sym, change: impl FnOnce(&mut Array)) -> Res<()> {
        let mut array = match self.scopes.get(name) {
            Some(Value::Array(array)) => array.clone(),
            _ => Arc::default(),
        };
        // The variable lets go of it, so that it is changed in place.
        self.scopes.set(name, Value::Null);
        self.pay(1 + if Arc::strong_count(&array) > 1 { array.len() as u64 } else { 0 })?;
        // Finding a key looks through a map, not through a list.
        self.pay(if array.is_list() { 0 } else { array.len() as u64 / 16 })?;
        let changed = Arc::make_mut(&mut array);
        changed.count_by(&self.budget.live);
        change(changed);
        let (weight, depth) = (array.weight(), array.depth());
        if weight > self.program.limits.array || depth > 60 {
            let message = "an array becomes too large";
            return Err(self.fault(errors::out_of_memory(self.at, message)));
        }
        self.budget.elements = self.budget.elements.saturating_sub(1);
        self.scopes.set(name, Value::Array(array));
        self.check_live()
    }

    /// The text of `say` and `die`.
    fn message(&mut self, code: &Code) -> Res<String> {
        let mut line = String::new();
        for item in &code.items {
            let value = self.argument(item, &[])?;
            line.push_str(&self.printed(&value)?);
        }
        Ok(line)
    }

    /// Writes a line.
    pub(crate) fn emit(&mut self, line: String) -> Res<()> {
        self.count_output(line.len())?;
        self.output.push(line);
        Ok(())
    }

    fn count_output(&mut self, n_bytes: usize) -> Res<()> {
        self.budget.output_bytes = self.budget.output_bytes.saturating_add(n_bytes + 16);
        if self.budget.output_bytes > self.program.limits.output {
            return Err(self.fault(errors::too_much_output(self.at)));
        }
        Ok(())
    }

    /// Calls the subroutine that the first value names, with the others.
    pub(crate) fn gosub(&mut self, mut values: Vec<Value>) -> Res<()> {
        if values.is_empty() {
            return Err(self.fault(errors::missing("gosub", self.at, "the name of a subroutine")));
        }
        let name = values.remove(0);
        let name = self.sym_of(&name)?;
        self.call_sub(name, values)?;
        Ok(())
    }
}

fn unshift(array: &mut Array, value: Value) {
    let mut pairs: Vec<(Key, Value)> = vec![(Key::Int(0), value)];
    let mut next = 1;
    for (key, value) in array.pairs() {
        let key = match key {
            Key::Int(_) => {
                next += 1;
                Key::Int(next - 1)
            }
            text => text,
        };
        pairs.push((key, value.clone()));
    }
    let is_list = pairs.iter().all(|it| matches!(it.0, Key::Int(_)));
    let mut changed = if is_list {
        Array::list(pairs.into_iter().map(|it| it.1).collect())
    } else {
        Array::map(pairs)
    };
    changed.count_like(array);
    *array = changed;
}
