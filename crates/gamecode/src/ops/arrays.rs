//! Arrays: making, searching, changing, applying functions to them.

use std::{borrow::Cow, sync::Arc};

use crate::{
    errors,
    eval::Stack,
    machine::{Machine, Res},
    names::Number,
    value::{Array, Key, Value},
    words::Op,
};

impl Machine {
    pub(super) fn array_operator(&mut self, op: Op, stack: &mut Stack<'_>) -> Res<Value> {
        match op {
            Op::Array => {
                let values = self.rest(stack)?;
                self.list(values)
            }
            Op::List => {
                let values = self.array_or_rest(stack)?;
                let mut words = Vec::new();
                for value in &values {
                    words.push(self.printed(value)?);
                }
                self.text(&words.join(" "))
            }
            Op::Match => {
                let wanted = self.pop(stack)?;
                let among = self.array_or_rest(stack)?;
                let wanted = match &wanted {
                    Value::Array(it) => it.values(),
                    one => std::slice::from_ref(one),
                };
                let weight: u64 = among.iter().map(Value::weight).sum();
                self.pay(weight.saturating_mul(wanted.len() as u64))?;
                let names = &self.names;
                let found =
                    wanted.iter().any(|it| among.iter().any(|other| it.equals(other, names)));
                Ok(Value::Bool(found))
            }
            Op::Range => self.range(stack),
            Op::Elem => {
                let key = self.pop(stack)?;
                let array = self.pop(stack)?;
                let Value::Array(array) = array else { return Ok(Value::Null) };
                let key = self.key(&key)?;
                self.pay(1 + array.len() as u64 / 8)?;
                Ok(array.get(key).cloned().unwrap_or(Value::Null))
            }
            Op::In => {
                let wanted = self.pop(stack)?;
                let array = self.elements(stack)?;
                self.pay(u64::from(array.weight()))?;
                let found = array.values().iter().any(|it| it.equals(&wanted, &self.names));
                Ok(Value::Bool(found))
            }
            Op::Merge | Op::Diff | Op::Intersect => {
                let first = self.elements(stack)?;
                let second = self.elements(stack)?;
                self.combine(op, &first, &second)
            }
            Op::Remove => {
                let value = self.pop(stack)?;
                let array = self.elements(stack)?;
                self.pay(u64::from(array.weight()))?;
                self.select(&array, |it, machine| Ok(!it.equals(&value, &machine.names)))
            }
            Op::Push => {
                let mut array = Array::clone(&*self.elements(stack)?);
                let value = self.pop(stack)?;
                array.push(value);
                self.array(array)
            }
            Op::AnyTrue | Op::AllTrue | Op::Filter | Op::Map => {
                let function = self.pop(stack)?;
                let array = self.elements(stack)?;
                self.apply_to_all(op, &function, &array)
            }
            _ => {
                let array = self.elements(stack)?;
                self.whole_array(op, &array)
            }
        }
    }

    /// The next operand as an array; anything but an array is one element.
    fn elements(&mut self, stack: &mut Stack<'_>) -> Res<Arc<Array>> {
        Ok(match self.pop(stack)? {
            Value::Array(array) => array,
            Value::Null | Value::Bool(false) => Arc::default(),
            other => Arc::new(Array::list(vec![other])),
        })
    }

    fn range(&mut self, stack: &mut Stack<'_>) -> Res<Value> {
        let (first, last) = (self.pop(stack)?, self.pop(stack)?);
        let letter = |it: &Value| {
            let text = it.sym().map(|it| self.names.text(it))?;
            let mut chars = text.chars().filter(char::is_ascii_alphabetic);
            let first = chars.next()?;
            (text.len() == 1).then_some(i64::from(first as u32))
        };
        let letters = letter(&first).zip(letter(&last));
        let (from, to) = letters.unwrap_or_else(|| (first.int(&self.names), last.int(&self.names)));
        let n_values = from.abs_diff(to).saturating_add(1);
        if n_values > u64::from(self.program.limits.array) {
            let message = "a range of too many elements";
            return Err(self.fault(errors::out_of_memory(self.at, message)));
        }
        let mut values = Vec::new();
        for step in 0..n_values as i64 {
            let number = if from <= to { from + step } else { from - step };
            values.push(match letters {
                None => Value::Int(number),
                Some(_) => {
                    let letter = u32::try_from(number).ok().and_then(char::from_u32);
                    self.text(&letter.map(String::from).unwrap_or_default())?
                }
            });
        }
        self.list(values)
    }

    fn combine(&mut self, op: Op, first: &Array, second: &Array) -> Res<Value> {
        if op == Op::Merge {
            let has_text = |it: &Array| it.pairs().any(|(key, _)| matches!(key, Key::Text(_)));
            self.pay((first.len() + second.len()) as u64)?;
            if !has_text(first) && !has_text(second) {
                let values = first.values().iter().chain(second.values()).cloned().collect();
                return self.list(values);
            }
            let mut merged = Array::default();
            for (key, value) in first.pairs().chain(second.pairs()) {
                self.pay(merged.len() as u64 / 4)?;
                match key {
                    Key::Int(_) => merged.push(value.clone()),
                    Key::Text(_) => merged.set(key, value.clone()),
                }
            }
            return self.array(merged);
        }
        self.pay(u64::from(second.weight()).saturating_mul(first.len() as u64))?;
        let wanted = op == Op::Intersect;
        self.select(first, |it, machine| {
            let found = second.values().iter().any(|other| other.equals(it, &machine.names));
            Ok(found == wanted)
        })
    }

    /// The elements that a test keeps; lists are numbered from nought again.
    fn select(
        &mut self,
        array: &Array,
        mut keeps: impl FnMut(&Value, &mut Machine) -> Res<bool>,
    ) -> Res<Value> {
        self.pay(array.len() as u64)?;
        let mut kept = Vec::new();
        let mut is_list = true;
        for (key, value) in array.pairs() {
            if keeps(value, self)? {
                is_list &= matches!(key, Key::Int(_));
                kept.push((key, value.clone()));
            }
        }
        if is_list {
            return self.list(kept.into_iter().map(|it| it.1).collect());
        }
        self.array(Array::map(kept))
    }

    fn apply_to_all(&mut self, op: Op, function: &Value, array: &Array) -> Res<Value> {
        match op {
            Op::Filter => self.select(array, |value, machine| {
                Ok(machine.apply(function, value.clone())?.truth(&machine.names))
            }),
            Op::Map => {
                let mut pairs = Vec::new();
                for (key, value) in array.pairs() {
                    pairs.push((key, self.apply(function, value.clone())?));
                }
                self.array(Array::map(pairs))
            }
            _ => {
                let wanted = op == Op::AnyTrue;
                for value in array.values() {
                    let truth = self.apply(function, value.clone())?.truth(&self.names);
                    if truth == wanted {
                        return Ok(Value::Bool(wanted));
                    }
                }
                Ok(Value::Bool(!wanted))
            }
        }
    }

    fn whole_array(&mut self, op: Op, array: &Array) -> Res<Value> {
        self.pay(array.len() as u64)?;
        match op {
            Op::Count => Ok(Value::Int(array.len() as i64)),
            Op::Keys => {
                let keys = array.pairs().map(|it| it.0.value()).collect();
                self.list(keys)
            }
            Op::Values => self.list(array.values().to_vec()),
            Op::Reverse => self.list(array.values().iter().rev().cloned().collect()),
            _ => self.sorted(array),
        }
    }

    /// By number if all are numbers, else by text; arrays come first.
    fn sorted(&mut self, array: &Array) -> Res<Value> {
        let names = self.names.clone();
        let bytes: usize = array.values().iter().map(|it| it.text_bytes(&names)).sum();
        self.pay(array.len() as u64 * 4 + bytes as u64)?;
        let mut values = array.values().to_vec();
        if values.iter().all(|it| it.exact_number(&names).is_some()) {
            values.sort_by(|a, b| a.number(&names).float().total_cmp(&b.number(&names).float()));
        } else {
            let key = |it: &Value| match (it, it.sym()) {
                (Value::Array(_), _) => Cow::Borrowed(""),
                (_, Some(sym)) => Cow::Owned(names.text(sym).to_owned()),
                (other, None) => Cow::Owned(other.text(&names)),
            };
            values.sort_by_cached_key(key);
        }
        self.list(values)
    }

    /// A value as a key.
    pub(crate) fn key(&mut self, value: &Value) -> Res<Key> {
        Ok(match value {
            Value::Int(it) => Key::Int(*it),
            Value::Bool(it) => Key::Int(i64::from(*it)),
            other => {
                let sym = self.sym_of(other)?;
                match self.names.number(sym) {
                    Some(Number::Int(it)) if self.names.text(sym) == it.to_string() => Key::Int(it),
                    _ => Key::Text(sym),
                }
            }
        })
    }
}
