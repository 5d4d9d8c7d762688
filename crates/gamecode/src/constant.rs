//! Constants: what a program keeps from run to run, as records have it.

use std::sync::Arc;

use crate::{
    machine::Machine,
    value::{Array, Key, Value},
};

/// A constant outside a machine, as records keep it.
#[derive(Clone, PartialEq, Debug)]
pub enum Constant {
    /// Nothing.
    Null,
    /// A truth value.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// A number.
    Float(f64),
    /// A text.
    Text(String),
    /// Keys and values.
    Array(Vec<(String, Constant)>),
}

impl Machine {
    /// All constants, sorted by name, in a form that [`Machine::set_constant`] reads.
    pub fn constants(&self) -> Vec<(String, Constant)> {
        let mut all: Vec<_> = self
            .consts
            .iter()
            .map(|(name, value)| (self.names.text(*name).to_owned(), self.export(value)))
            .collect();
        all.sort_by(|a, b| a.0.cmp(&b.0));
        all
    }

    /// Brings a constant in from an earlier run.
    pub fn set_constant(&mut self, name: &str, value: &Constant) {
        let value = self.import(value, 0);
        let sym = Arc::make_mut(&mut self.names).intern(name);
        self.consts.insert(sym, value);
    }

    fn export(&self, value: &Value) -> Constant {
        match value {
            Value::Null => Constant::Null,
            Value::Bool(it) => Constant::Bool(*it),
            Value::Int(it) => Constant::Int(*it),
            Value::Float(it) => Constant::Float(*it),
            Value::Text(_) | Value::Atom(_) => Constant::Text(value.text(&self.names)),
            Value::Array(it) => Constant::Array(
                it.pairs()
                    .map(|(key, value)| (key.value().text(&self.names), self.export(value)))
                    .collect(),
            ),
        }
    }

    fn import(&mut self, value: &Constant, depth: usize) -> Value {
        match value {
            Constant::Null => Value::Null,
            Constant::Bool(it) => Value::Bool(*it),
            Constant::Int(it) => Value::Int(*it),
            Constant::Float(it) => Value::Float(*it),
            Constant::Text(it) => Value::Text(Arc::make_mut(&mut self.names).intern(it)),
            Constant::Array(pairs) if depth < 60 => {
                let pairs = pairs.iter().map(|(key, value)| {
                    let value = self.import(value, depth + 1);
                    (self.key_of(key), value)
                });
                let pairs = pairs.collect();
                Value::Array(Arc::new(Array::map(pairs)))
            }
            Constant::Array(_) => Value::Null,
        }
    }

    fn key_of(&mut self, text: &str) -> Key {
        match text.parse::<i64>() {
            Ok(it) if it.to_string() == text => Key::Int(it),
            _ => Key::Text(Arc::make_mut(&mut self.names).intern(text)),
        }
    }
}
