//! What variables hold: nothing, truth, numbers, text, arrays.
//!
//! An array in parentheses is data and code at once: nothing in it has been
//! evaluated, and an operator such as `cond` may evaluate it later. So a word in
//! an array remembers whether it would be an operator, a placeholder or a
//! variable; to everything that only reads data it is its text.

use std::sync::Arc;

use crate::{
    budget::{Charge, Meter},
    names::{Names, Number, Sym},
    words::Op,
};

/// A value of the language.
#[derive(Clone, Debug)]
pub(crate) enum Value {
    Null,
    Bool(bool),
    Int(i64),
    Float(f64),
    Text(Sym),
    /// A word inside an array that means something when evaluated.
    Atom(Atom),
    Array(Arc<Array>),
}

/// A word that means something when evaluated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Atom {
    /// The word as written.
    pub(crate) text: Sym,
    pub(crate) kind: AtomKind,
}

/// What an [`Atom`] means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum AtomKind {
    Op(Op),
    /// `#0`: an argument.
    Slot(u16),
    /// `#name` of a variable that did not exist.
    Var(Sym),
    /// `=name`: a named parameter.
    Param(Sym),
}

/// A key of an array.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Key {
    Int(i64),
    Text(Sym),
}

impl Key {
    pub(crate) fn value(self) -> Value {
        match self {
            Key::Int(it) => Value::Int(it),
            Key::Text(it) => Value::Text(it),
        }
    }
}

/// An ordered map from integers or texts to values.
#[derive(Clone, Debug, Default)]
pub(crate) struct Array {
    /// `None` for a list, whose keys are 0, 1, 2 ...
    keys: Option<Vec<Key>>,
    values: Vec<Value>,
    /// How deep arrays nest in it, itself included.
    depth: u16,
    /// Elements, those of its members included.
    weight: u32,
    /// Whether evaluating it means more than taking its elements.
    has_code: bool,
    /// Its elements as the machine counts them.
    charge: Charge,
}

impl Array {
    pub(crate) fn list(values: Vec<Value>) -> Array {
        Array { keys: None, ..Array::default() }.filled(values)
    }

    pub(crate) fn map(pairs: Vec<(Key, Value)>) -> Array {
        let (keys, values) = pairs.into_iter().unzip();
        Array { keys: Some(keys), ..Array::default() }.filled(values)
    }

    fn filled(mut self, values: Vec<Value>) -> Array {
        self.depth = 1;
        self.weight = values.len() as u32;
        for value in &values {
            self.weigh(value);
        }
        self.values = values;
        self
    }

    /// Counts its elements by `meter`, unless that is done already.
    pub(crate) fn count_by(&mut self, meter: &Meter) {
        if !self.charge.is_set() {
            self.charge = meter.charge(self.values.len());
        }
    }

    /// Counts its elements as those of an array that it replaces.
    pub(crate) fn count_like(&mut self, old: &Array) {
        self.charge = old.charge.clone();
        self.charge.grow(self.values.len().saturating_sub(old.values.len()));
    }

    fn weigh(&mut self, value: &Value) {
        match value {
            Value::Array(it) => {
                self.depth = self.depth.max(it.depth.saturating_add(1));
                self.weight = self.weight.saturating_add(it.weight);
                self.has_code |= it.has_code;
            }
            Value::Atom(_) => self.has_code = true,
            _ => {}
        }
    }

    pub(crate) fn depth(&self) -> u16 {
        self.depth
    }

    pub(crate) fn weight(&self) -> u32 {
        self.weight
    }

    /// Whether the keys are 0, 1, 2 ...
    pub(crate) fn is_list(&self) -> bool {
        self.keys.is_none()
    }

    pub(crate) fn has_code(&self) -> bool {
        self.has_code
    }

    pub(crate) fn len(&self) -> usize {
        self.values.len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    pub(crate) fn values(&self) -> &[Value] {
        &self.values
    }

    /// The key of the element at `idx`.
    pub(crate) fn key(&self, idx: usize) -> Key {
        let keys = self.keys.as_ref();
        keys.and_then(|it| it.get(idx)).copied().unwrap_or(Key::Int(idx as i64))
    }

    pub(crate) fn pairs(&self) -> impl Iterator<Item = (Key, &Value)> {
        self.values.iter().enumerate().map(|(idx, it)| (self.key(idx), it))
    }

    fn find(&self, key: Key) -> Option<usize> {
        match (&self.keys, key) {
            (None, Key::Int(it)) => usize::try_from(it).ok().filter(|&it| it < self.len()),
            (None, Key::Text(_)) => None,
            (Some(keys), key) => keys.iter().position(|&it| it == key),
        }
    }

    pub(crate) fn get(&self, key: Key) -> Option<&Value> {
        self.find(key).and_then(|it| self.values.get(it))
    }

    /// Sets the element with this key, or appends it.
    pub(crate) fn set(&mut self, key: Key, value: Value) {
        self.weigh(&value);
        if let Some(slot) = self.find(key).and_then(|it| self.values.get_mut(it)) {
            *slot = value;
            return;
        }
        self.weight = self.weight.saturating_add(1);
        self.depth = self.depth.max(1);
        let is_next = key == Key::Int(self.len() as i64);
        if self.keys.is_some() || !is_next {
            let n_values = self.values.len();
            let keys = (0..n_values as i64).map(Key::Int);
            self.keys.get_or_insert_with(|| keys.collect()).push(key);
        }
        self.values.push(value);
        self.charge.grow(1);
    }

    /// Appends a value under the next free number.
    pub(crate) fn push(&mut self, value: Value) {
        let next = match &self.keys {
            None => self.len() as i64,
            Some(keys) => {
                let ints = keys.iter().filter_map(|it| match it {
                    Key::Int(it) => Some(*it),
                    Key::Text(_) => None,
                });
                ints.max().map_or(0, |it| it.saturating_add(1))
            }
        };
        self.set(Key::Int(next), value);
    }

    /// Takes the last value away.
    pub(crate) fn pop(&mut self) -> Option<Value> {
        if let Some(keys) = &mut self.keys {
            keys.pop();
        }
        self.values.pop()
    }
}

impl Value {
    /// Whether a condition takes it for true.
    pub(crate) fn truth(&self, names: &Names) -> bool {
        match self {
            Value::Null => false,
            Value::Bool(it) => *it,
            Value::Int(it) => *it != 0,
            Value::Float(it) => *it != 0.0,
            Value::Text(sym) => !matches!(names.text(*sym), "" | "0"),
            Value::Atom(_) => true,
            Value::Array(it) => !it.is_empty(),
        }
    }

    /// The number that arithmetic takes it for.
    pub(crate) fn number(&self, names: &Names) -> Number {
        self.exact_number(names).unwrap_or(match self {
            Value::Bool(true) => Number::Int(1),
            _ => Number::Int(0),
        })
    }

    /// The number it is or reads as, if any.
    pub(crate) fn exact_number(&self, names: &Names) -> Option<Number> {
        match self {
            Value::Int(it) => Some(Number::Int(*it)),
            Value::Float(it) => Some(Number::Float(*it)),
            Value::Text(sym) => names.number(*sym),
            _ => None,
        }
    }

    /// The whole number that counts and steps take it for.
    pub(crate) fn int(&self, names: &Names) -> i64 {
        match self.number(names) {
            Number::Int(it) => it,
            // A cast saturates, which is what we want of 1e300 files.
            Number::Float(it) => it as i64,
        }
    }

    /// Whether `==` holds between two values.
    pub(crate) fn equals(&self, other: &Value, names: &Names) -> bool {
        match (self, other) {
            (Value::Text(a), Value::Text(b)) if a == b => true,
            (Value::Int(a), Value::Int(b)) => a == b,
            (Value::Null, Value::Null) => true,
            (Value::Bool(a), b) | (b, Value::Bool(a)) => *a == b.truth(names),
            (Value::Array(a), Value::Array(b)) => {
                Arc::ptr_eq(a, b)
                    || (a.len() == b.len()
                        && a.pairs().zip(b.pairs()).all(|((key, it), (other_key, other))| {
                            key == other_key && it.equals(other, names)
                        }))
            }
            (Value::Array(it), Value::Null) | (Value::Null, Value::Array(it)) => it.is_empty(),
            (Value::Array(_), _) | (_, Value::Array(_)) => false,
            (Value::Null, Value::Int(0)) | (Value::Int(0), Value::Null) => true,
            (a, b) => match (a.exact_number(names), b.exact_number(names)) {
                (Some(a), Some(b)) => a.float() == b.float(),
                _ => a.same_text(b, names),
            },
        }
    }

    fn same_text(&self, other: &Value, names: &Names) -> bool {
        match (self.sym(), other.sym()) {
            (Some(a), Some(b)) => a == b,
            _ => self.text(names) == other.text(names),
        }
    }

    /// The number of its text, if it is text.
    pub(crate) fn sym(&self) -> Option<Sym> {
        match self {
            Value::Text(it) => Some(*it),
            Value::Atom(it) => Some(it.text),
            _ => None,
        }
    }

    /// What printing it gives; cut off where it becomes longer than any text may be.
    pub(crate) fn text(&self, names: &Names) -> String {
        let mut out = String::new();
        self.write(names, &mut out);
        out
    }

    /// Longer than this nothing is written; many references to one long text would
    /// otherwise fill the memory.
    pub(crate) const LONGEST: usize = 1 << 20;

    fn write(&self, names: &Names, out: &mut String) {
        if out.len() > Value::LONGEST {
            return;
        }
        match self {
            Value::Null => {}
            Value::Bool(it) => out.push_str(if *it { "true" } else { "false" }),
            Value::Int(it) => out.push_str(&it.to_string()),
            Value::Float(it) => out.push_str(&it.to_string()),
            Value::Text(_) | Value::Atom(_) => {
                out.push_str(self.sym().map_or("", |it| names.text(it)));
            }
            Value::Array(it) => {
                for (idx, value) in it.values().iter().enumerate() {
                    if idx > 0 {
                        out.push(' ');
                    }
                    value.write(names, out);
                }
            }
        }
    }

    /// The value as it would be written in a program.
    pub(crate) fn source(&self, names: &Names) -> String {
        let mut out = String::new();
        self.write_source(names, &mut out);
        out
    }

    fn write_source(&self, names: &Names, out: &mut String) {
        if out.len() > Value::LONGEST {
            return;
        }
        match self {
            Value::Null => out.push_str("null"),
            Value::Text(sym) => {
                let text = names.text(*sym);
                let is_plain = !text.is_empty()
                    && !text.contains(|it: char| it.is_whitespace() || "\"();#?=".contains(it))
                    && names.number(*sym).is_none();
                if is_plain {
                    out.push_str(text);
                } else {
                    out.extend(["\"", text, "\""]);
                }
            }
            Value::Array(array) => {
                out.push('(');
                for (idx, (key, value)) in array.pairs().enumerate() {
                    if idx > 0 {
                        out.push(' ');
                    }
                    if key != Key::Int(idx as i64) {
                        key.value().write(names, out);
                        out.push_str(": ");
                    }
                    value.write_source(names, out);
                }
                out.push(')');
            }
            other => other.write(names, out),
        }
    }

    /// Its elements, those of its members included; one for anything else.
    pub(crate) fn weight(&self) -> u64 {
        match self {
            Value::Array(it) => 1 + u64::from(it.weight()),
            _ => 1,
        }
    }

    /// The bytes of all texts in it, each as often as it occurs.
    pub(crate) fn text_bytes(&self, names: &Names) -> usize {
        match self {
            Value::Array(it) => it
                .values()
                .iter()
                .fold(0, |sum: usize, it| sum.saturating_add(it.text_bytes(names))),
            other => other.sym().map_or(8, |it| names.text(it).len()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equality_is_by_number_where_both_have_one() {
        let mut names = Names::new();
        let two = Value::Text(names.intern("2"));
        let wolf = Value::Text(names.intern("wolf"));
        assert!(two.equals(&Value::Int(2), &names));
        assert!(two.equals(&Value::Float(2.0), &names));
        assert!(!wolf.equals(&Value::Int(0), &names), "a word is not nought");
        assert!(wolf.equals(&Value::Bool(true), &names));
        assert!(Value::Null.equals(&Value::Text(Sym::BLANK), &names));
    }

    #[test]
    fn arrays_are_lists_until_a_key_says_otherwise() {
        let mut names = Names::new();
        let pond = Key::Text(names.intern("pond"));
        let mut array = Array::list(vec![Value::Int(7)]);
        array.push(Value::Int(8));
        assert_eq!(array.key(1), Key::Int(1));
        array.set(pond, Value::Int(9));
        array.push(Value::Int(10));
        assert_eq!(array.key(2), pond);
        assert_eq!(array.key(3), Key::Int(2));
        assert_eq!(Value::Array(Arc::new(array)).text(&names), "7 8 9 10");
    }

    #[test]
    fn zero_and_blank_are_false_and_an_empty_space_is_true() {
        let mut names = Names::new();
        let zero = Value::Text(names.intern("0"));
        for value in [Value::Null, Value::Int(0), zero, Value::Text(Sym::BLANK)] {
            assert!(!value.truth(&names), "{value:?}");
        }
        assert!(Value::Text(Sym::EMPTY).truth(&names));
    }
}
