//! Polish notation, evaluated from the last word to the first.
//!
//! Words are pushed; an operator takes its operands from the top, which are
//! those written first. An array is pushed as it stands: the code in it runs only
//! if an operator forces it, with the same arguments as the code around it. A
//! *breaking* operator may end the evaluation with the value it has.

use std::sync::Arc;

use smallvec::SmallVec;

use crate::{
    code::{Code, Item, Step},
    compile, errors,
    machine::{Machine, Res},
    names::Sym,
    value::{Array, Atom, AtomKind, Value},
    words::{Keyword, Op},
};

/// Texts that are kept compiled, and the longest of them in bytes.
const MOST_TEXTS: usize = 2000;
const LONGEST_TEXT: usize = 2000;

/// An operand that waits.
pub(crate) enum Slot<'a> {
    Value(Value),
    /// Words in parentheses, not evaluated.
    Code(&'a Code),
}

/// The operands of one evaluation, and what else belongs to it.
pub(crate) struct Stack<'a> {
    pub(crate) slots: SmallVec<[Slot<'a>; 8]>,
    /// The arguments of the function that is evaluated.
    pub(crate) args: &'a [Value],
    /// How many arguments named parameters have taken, from the end.
    taken: usize,
    /// What `check` looks for.
    pub(crate) target: Value,
    /// The truth of the last operand that an operator dropped.
    pub(crate) dropped: Option<bool>,
}

/// Whether evaluation goes on after an operator.
pub(crate) enum Next {
    /// It does, with this value pushed.
    Push(Value),
    /// It does, with nothing pushed.
    Go,
    /// It ends with this value.
    Break(Value),
}

impl Machine {
    /// The value of an expression.
    pub(crate) fn eval(&mut self, code: &Code, args: &[Value]) -> Res<Value> {
        // Most expressions are one word; they need no stack.
        if let [item] = code.items.as_slice()
            && !matches!(item, Item::Atom(Atom { kind: AtomKind::Op(_) | AtomKind::Param(_), .. }))
        {
            self.pay(1)?;
            return self.argument(item, args);
        }
        let mut stack =
            Stack { slots: SmallVec::new(), args, taken: 0, target: Value::Null, dropped: None };
        self.pay(code.items.len() as u64)?;
        for (idx, item) in code.items.iter().enumerate() {
            match item {
                Item::Atom(atom) => match atom.kind {
                    AtomKind::Op(op) => {
                        if let Some(&span) = code.spans.get(idx) {
                            self.at = span;
                        }
                        match self.operator(op, &mut stack)? {
                            Next::Push(value) => stack.slots.push(Slot::Value(value)),
                            Next::Go => {}
                            Next::Break(value) => return Ok(value),
                        }
                    }
                    AtomKind::Param(name) => self.parameter(name, &mut stack)?,
                    AtomKind::Slot(_) | AtomKind::Var(_) => {
                        let value = self.argument(item, args)?;
                        stack.slots.push(Slot::Value(value));
                    }
                },
                Item::List(list) => stack.slots.push(Slot::Code(list)),
                other => {
                    let value = self.argument(other, args)?;
                    stack.slots.push(Slot::Value(value));
                }
            }
        }
        self.conclude(stack)
    }

    /// What is left on the stack, as one value.
    fn conclude(&mut self, mut stack: Stack<'_>) -> Res<Value> {
        match stack.slots.len() {
            0 => Ok(stack.dropped.map_or(Value::Null, Value::Bool)),
            1 => self.pop(&mut stack),
            _ => {
                let mut values = self.rest(&mut stack)?;
                values.reverse();
                self.list(values)
            }
        }
    }

    /// The value of one word that is no operator.
    pub(crate) fn argument(&mut self, item: &Item, args: &[Value]) -> Res<Value> {
        Ok(match item {
            Item::Value(it) => it.clone(),
            Item::Flag(name) => Value::Bool(self.flags.contains(name)),
            Item::Keyword(it) => self.keyword(*it)?,
            Item::List(code) => self.materialize(code, args)?,
            Item::Atom(atom) => match atom.kind {
                AtomKind::Slot(idx) => {
                    args.get(usize::from(idx)).cloned().unwrap_or(Value::Text(atom.text))
                }
                AtomKind::Var(name) => self.lookup(name).cloned().unwrap_or(Value::Text(atom.text)),
                AtomKind::Op(_) | AtomKind::Param(_) => Value::Text(atom.text),
            },
        })
    }

    pub(crate) fn keyword(&mut self, keyword: Keyword) -> Res<Value> {
        Ok(match keyword {
            Keyword::Origin => self.last.origin.clone(),
            Keyword::Dest => self.last.dest.clone(),
            Keyword::Moved => self.last.moved.clone(),
            Keyword::Old => self.last.old.clone(),
            Keyword::Captured => self.last.captured.clone(),
            Keyword::ThisMove => match self.turn.text.clone() {
                Some(text) => self.text(&text)?,
                None => Value::Null,
            },
        })
    }

    /// Words in parentheses as an array: variables and arguments put in, operators kept.
    pub(crate) fn materialize(&mut self, code: &Code, args: &[Value]) -> Res<Value> {
        self.pay(code.items.len() as u64)?;
        let mut values = Vec::with_capacity(code.items.len());
        for item in code.items.iter().rev() {
            values.push(match item {
                Item::Atom(atom) => self.atom(*atom, code, args),
                other => self.argument(other, args)?,
            });
        }
        self.list(values)
    }

    fn atom(&self, atom: Atom, code: &Code, args: &[Value]) -> Value {
        match atom.kind {
            AtomKind::Slot(idx) => args.get(usize::from(idx)).cloned().unwrap_or(Value::Atom(atom)),
            // A parameter of the same name means this one, not an outer variable.
            AtomKind::Var(name) if !has_param(code, name) => {
                self.lookup(name).cloned().unwrap_or(Value::Atom(atom))
            }
            _ => Value::Atom(atom),
        }
    }

    /// An array as code again.
    pub(crate) fn code_of(array: &Array) -> Code {
        let items = array.values().iter().rev().map(|it| match it {
            Value::Atom(atom) => Item::Atom(*atom),
            other => Item::Value(other.clone()),
        });
        Code::new(items.collect(), Vec::new())
    }

    /// The value of an operand, evaluated if it is code.
    pub(crate) fn force(&mut self, slot: Slot<'_>, args: &[Value]) -> Res<Value> {
        match slot {
            Slot::Code(code) => self.nested(|it| it.eval(code, args)),
            Slot::Value(Value::Array(array)) if array.has_code() => {
                let code = Machine::code_of(&array);
                self.nested(|it| it.eval(&code, &[]))
            }
            Slot::Value(value) => Ok(value),
        }
    }

    /// Runs something one level deeper.
    pub(crate) fn nested<T>(&mut self, run: impl FnOnce(&mut Machine) -> Res<T>) -> Res<T> {
        if self.depth >= self.program.limits.depth {
            let limit = self.program.limits.depth;
            return Err(self.fault(errors::calls_too_deep(self.at, limit)));
        }
        self.depth += 1;
        let result = run(self);
        self.depth -= 1;
        result
    }

    /// Takes the first operand; a missing one is null.
    pub(crate) fn pop_slot<'a>(&mut self, stack: &mut Stack<'a>) -> Slot<'a> {
        stack.slots.pop().unwrap_or(Slot::Value(Value::Null))
    }

    /// Takes the first operand as data.
    pub(crate) fn pop(&mut self, stack: &mut Stack<'_>) -> Res<Value> {
        let args = stack.args;
        match self.pop_slot(stack) {
            Slot::Value(value) => Ok(value),
            Slot::Code(code) => self.materialize(code, args),
        }
    }

    /// Takes the truth of the first operand, evaluating it if it is code.
    pub(crate) fn pop_truth(&mut self, stack: &mut Stack<'_>) -> Res<bool> {
        let args = stack.args;
        let slot = self.pop_slot(stack);
        let value = self.force(slot, args)?;
        Ok(value.truth(&self.names))
    }

    /// Takes all operands, as written.
    pub(crate) fn rest(&mut self, stack: &mut Stack<'_>) -> Res<Vec<Value>> {
        let mut values = Vec::with_capacity(stack.slots.len());
        while !stack.slots.is_empty() {
            values.push(self.pop(stack)?);
        }
        Ok(values)
    }

    /// The elements of the first operand if it is an array, else all operands.
    pub(crate) fn array_or_rest(&mut self, stack: &mut Stack<'_>) -> Res<Vec<Value>> {
        let is_array =
            matches!(stack.slots.last(), Some(Slot::Code(_) | Slot::Value(Value::Array(_))));
        if !is_array {
            return self.rest(stack);
        }
        match self.pop(stack)? {
            Value::Array(array) => {
                self.pay(array.len() as u64)?;
                Ok(array.values().to_vec())
            }
            other => Ok(vec![other]),
        }
    }

    /// `=name`: takes what lies to the right, or an argument from the end.
    fn parameter(&mut self, name: Sym, stack: &mut Stack<'_>) -> Res<()> {
        let value = match stack.slots.len() {
            0 => {
                stack.taken += 1;
                let idx = stack.args.len().checked_sub(stack.taken);
                idx.and_then(|it| stack.args.get(it)).cloned().unwrap_or(Value::Null)
            }
            1 => self.pop(stack)?,
            _ => {
                let values = self.rest(stack)?;
                self.list(values)?
            }
        };
        let mark = self.block;
        if self.scopes.is_full(mark) {
            let message = "too many variables in one scope";
            return Err(self.fault(errors::out_of_memory(self.at, message)));
        }
        self.scopes.my(name, value, mark);
        Ok(())
    }

    /// Calls a function's code.
    pub(crate) fn call_fn(&mut self, code: &Code, args: &[Value]) -> Res<Value> {
        let mark = self.scopes.mark();
        let outer = std::mem::replace(&mut self.block, mark);
        let result = self.nested(|it| it.eval(code, args));
        self.block = outer;
        if code.sets_own {
            self.scopes.back_to(mark);
        }
        result
    }

    /// `fn`: a name or code in parentheses, then as many operands as it takes.
    fn function(&mut self, stack: &mut Stack<'_>) -> Res<Value> {
        let args = stack.args;
        match self.pop_slot(stack) {
            Slot::Code(code) if args.is_empty() => {
                let args = self.operands(code, None, stack)?;
                self.call_fn(code, &args)
            }
            // Inside a function, its own arguments have filled the placeholders.
            Slot::Code(code) => match self.materialize(code, args)? {
                Value::Array(array) => self.nameless(&array, stack),
                other => Ok(other),
            },
            Slot::Value(Value::Array(array)) => self.nameless(&array, stack),
            Slot::Value(name) => {
                let sym = self.sym_of(&name)?;
                let Some(code) = self.functions.get(&sym).cloned() else {
                    let text = self.names.text(sym);
                    let known = self.functions.keys().map(|&it| self.names.text(it));
                    return Err(self.fault(errors::no_function("function", text, self.at, known)));
                };
                let args = self.operands(&code, Some(sym), stack)?;
                self.call_fn(&code, &args)
            }
        }
    }

    fn nameless(&mut self, array: &Array, stack: &mut Stack<'_>) -> Res<Value> {
        let code = Machine::code_of(array);
        let args = self.operands(&code, None, stack)?;
        self.call_fn(&code, &args)
    }

    fn operands(
        &mut self,
        code: &Code,
        name: Option<Sym>,
        stack: &mut Stack<'_>,
    ) -> Res<Vec<Value>> {
        let wanted = usize::from(code.arity);
        // Before 2004 placeholders were counted from 1, and the guide still has such an
        // example. A function that uses `#1` and no `#0` and finds one operand less than it
        // takes is read so.
        let is_old = code.counts_from_one && stack.slots.len() + 1 == wanted;
        if stack.slots.len() < wanted && !is_old {
            let found = stack.slots.len();
            let name = name.map_or("(...)", |it| self.names.text(it));
            return Err(self.fault(errors::too_few(name, self.at, code.arity, found)));
        }
        let mut values = Vec::with_capacity(wanted);
        if is_old {
            values.push(Value::Null);
        }
        while values.len() < wanted {
            values.push(self.pop(stack)?);
        }
        Ok(values)
    }

    /// Applies code to one operand, as `filter` and `map` do.
    pub(crate) fn apply(&mut self, function: &Value, operand: Value) -> Res<Value> {
        match function {
            Value::Array(array) => {
                let code = Machine::code_of(array);
                self.call_fn(&code, &[operand])
            }
            name => {
                let sym = self.sym_of(name)?;
                let Some(code) = self.functions.get(&sym).cloned() else {
                    let text = self.names.text(sym);
                    let known = self.functions.keys().map(|&it| self.names.text(it));
                    return Err(self.fault(errors::no_function("function", text, self.at, known)));
                };
                self.call_fn(&code, &[operand])
            }
        }
    }

    /// Evaluates a text as an expression.
    fn eval_text(&mut self, sym: Sym, args: &[Value]) -> Res<Value> {
        let unit = self.compiled(sym, true)?;
        match unit.steps.first() {
            Some(Step::Return(code)) => self.nested(|it| it.eval(code, args)),
            _ => Ok(Value::Null),
        }
    }

    /// A text that the program runs, compiled once.
    pub(crate) fn compiled(
        &mut self,
        sym: Sym,
        is_expression: bool,
    ) -> Res<Arc<crate::code::Unit>> {
        if let Some(unit) = self.texts.get(&(sym, is_expression)) {
            return Ok(unit.clone());
        }
        let text = self.names.text(sym).to_owned();
        self.pay(text.len() as u64)?;
        let names = std::mem::replace(Arc::make_mut(&mut self.names), crate::names::Names::new());
        let (names, unit) = compile::at_run_time(&text, names, &self.program.limits, is_expression);
        self.names = Arc::new(names);
        match unit {
            Ok(unit) => {
                let unit = Arc::new(unit);
                if self.texts.len() < MOST_TEXTS && text.len() < LONGEST_TEXT {
                    Arc::make_mut(&mut self.texts).insert((sym, is_expression), unit.clone());
                }
                Ok(unit)
            }
            Err(mut diagnostic) => {
                diagnostic.span = self.at;
                diagnostic.message = format!("in `{}`: {}", shorten(&text), diagnostic.message);
                Err(self.fault(diagnostic))
            }
        }
    }

    /// Operators that evaluate, or may end the evaluation; the rest are in `ops`.
    fn operator(&mut self, op: Op, stack: &mut Stack<'_>) -> Res<Next> {
        Ok(match op {
            Op::And | Op::Or | Op::Nand | Op::Nor => return self.logic(op, stack),
            Op::Unless | Op::OnlyIf => {
                let has_value = stack.slots.len() >= 2;
                let truth = self.pop_truth(stack)?;
                let ends = truth == (op == Op::Unless);
                match (ends, has_value) {
                    (true, true) => Next::Break(self.pop(stack)?),
                    (true, false) => Next::Break(Value::Bool(truth)),
                    (false, has_value) => {
                        if has_value {
                            self.pop_slot(stack);
                        }
                        stack.dropped = Some(truth);
                        Next::Go
                    }
                }
            }
            Op::Check => {
                let value = self.pop(stack)?;
                self.pay(stack.target.weight())?;
                let found = match &stack.target {
                    Value::Array(all) => {
                        all.values().iter().any(|it| it.equals(&value, &self.names))
                    }
                    one => one.equals(&value, &self.names),
                };
                if found {
                    return Ok(Next::Break(Value::Bool(true)));
                }
                stack.dropped = Some(false);
                Next::Go
            }
            Op::Target => {
                stack.target = self.pop(stack)?;
                stack.dropped = stack.dropped.or(Some(false));
                Next::Go
            }
            Op::Cond => {
                let truth = self.pop_truth(stack)?;
                let yes = self.pop_slot(stack);
                let no = self.pop_slot(stack);
                let args = stack.args;
                Next::Push(self.force(if truth { yes } else { no }, args)?)
            }
            Op::Eval => {
                let args = stack.args;
                Next::Push(match self.pop_slot(stack) {
                    Slot::Value(Value::Text(text)) => self.eval_text(text, args)?,
                    slot => self.force(slot, args)?,
                })
            }
            Op::Fn => Next::Push(self.function(stack)?),
            Op::Sub => {
                let name = self.pop(stack)?;
                let name = self.sym_of(&name)?;
                let args = self.array_or_rest(stack)?;
                Next::Push(self.call_sub(name, args)?)
            }
            Op::Lambda => Next::Push(match self.pop_slot(stack) {
                Slot::Code(code) => self.materialize(code, &[])?,
                Slot::Value(value) => value,
            }),
            Op::Not => Next::Push(Value::Bool(!self.pop_truth(stack)?)),
            other => Next::Push(self.plain_operator(other, stack)?),
        })
    }

    fn logic(&mut self, op: Op, stack: &mut Stack<'_>) -> Res<Next> {
        // The truth that settles the matter, and the result then.
        let (settles, result) = match op {
            Op::And => (false, false),
            Op::Or => (true, true),
            Op::Nand => (false, true),
            _ => (true, false),
        };
        let is_pair = stack.slots.len() >= 2;
        let first = self.pop_truth(stack)?;
        if !is_pair {
            if first == settles {
                return Ok(Next::Break(Value::Bool(result)));
            }
            stack.dropped = Some(first);
            return Ok(Next::Go);
        }
        if first == settles {
            self.pop_slot(stack);
            return Ok(Next::Push(Value::Bool(result)));
        }
        let second = self.pop_truth(stack)?;
        Ok(Next::Push(Value::Bool(if second == settles { result } else { !result })))
    }
}

fn has_param(code: &Code, name: Sym) -> bool {
    code.is_named
        && code.items.iter().any(
            |it| matches!(it, Item::Atom(Atom { kind: AtomKind::Param(it), .. }) if *it == name),
        )
}

/// The beginning of a text, for messages.
pub(crate) fn shorten(text: &str) -> String {
    let mut short: String = text.chars().take(60).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}
