//! Variables in their four scopes.
//!
//! Global and local variables are *dynamic*: seen by everything called from
//! where they are made. They share one table that always shows the innermost
//! one; a `local` puts the outer value aside and its scope's end brings it back.
//! `my` and `static` variables are *lexical*: seen only in their subroutine.

use rustc_hash::FxHashMap;

use crate::{names::Sym, value::Value};

/// All variables.
#[derive(Clone, Debug)]
pub(crate) struct Scopes {
    /// By name: the innermost dynamic variable.
    dynamic: Vec<Option<Value>>,
    /// Outer dynamic variables, put aside.
    aside: Vec<(Sym, Option<Value>)>,
    my: Vec<(Sym, Value)>,
    /// By subroutine and name.
    statics: FxHashMap<(Sym, Sym), Value>,
    /// Where the `my` variables of the current subroutine start.
    base: usize,
    /// The current subroutine.
    sub: Sym,
}

/// Where scopes stood, to go back to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mark {
    aside: usize,
    my: usize,
    base: usize,
    sub: Sym,
}

impl Scopes {
    /// No variables, in the main program.
    pub(crate) fn new() -> Scopes {
        Scopes {
            dynamic: Vec::new(),
            aside: Vec::new(),
            my: Vec::new(),
            statics: FxHashMap::default(),
            base: 0,
            sub: Sym::MAIN,
        }
    }

    /// Where scopes stand now.
    pub(crate) fn mark(&self) -> Mark {
        Mark { aside: self.aside.len(), my: self.my.len(), base: self.base, sub: self.sub }
    }

    /// Enters a subroutine.
    pub(crate) fn call(&mut self, sub: Sym) {
        self.base = self.my.len();
        self.sub = sub;
    }

    /// Ends every scope begun since the mark.
    pub(crate) fn back_to(&mut self, mark: Mark) {
        while self.aside.len() > mark.aside {
            if let Some((name, old)) = self.aside.pop() {
                self.put_dynamic(name, old);
            }
        }
        self.my.truncate(mark.my);
        self.base = mark.base;
        self.sub = mark.sub;
    }

    fn put_dynamic(&mut self, name: Sym, value: Option<Value>) {
        if self.dynamic.len() <= name.index() {
            self.dynamic.resize(name.index() + 1, None);
        }
        if let Some(slot) = self.dynamic.get_mut(name.index()) {
            *slot = value;
        }
    }

    /// The variable that this name means here.
    pub(crate) fn get(&self, name: Sym) -> Option<&Value> {
        let mine = self.my.get(self.base..).unwrap_or(&[]);
        if let Some((_, value)) = mine.iter().rev().find(|it| it.0 == name) {
            return Some(value);
        }
        if !self.statics.is_empty()
            && let Some(value) = self.statics.get(&(self.sub, name))
        {
            return Some(value);
        }
        self.dynamic.get(name.index()).and_then(Option::as_ref)
    }

    /// Sets the variable that this name means here, or makes a global one.
    pub(crate) fn set(&mut self, name: Sym, value: Value) {
        let mine = self.my.get_mut(self.base..).unwrap_or(&mut []);
        if let Some((_, slot)) = mine.iter_mut().rev().find(|it| it.0 == name) {
            *slot = value;
        } else if let Some(slot) = self.statics.get_mut(&(self.sub, name)) {
            *slot = value;
        } else {
            self.put_dynamic(name, Some(value));
        }
    }

    /// The most variables that a scope may declare; each look-up may pass all.
    const MOST: usize = 256;

    /// Whether the scope that began at `from` has as many variables as it may.
    pub(crate) fn is_full(&self, from: Mark) -> bool {
        self.my.len() - self.base.min(self.my.len()) >= Scopes::MOST
            || self.aside.len() - from.aside.min(self.aside.len()) >= Scopes::MOST
    }

    /// Makes a local variable, in the scope that began at `from`.
    pub(crate) fn local(&mut self, name: Sym, value: Value, from: Mark) {
        let again = self.aside.iter().skip(from.aside).any(|it| it.0 == name);
        if !again {
            let old = self.dynamic.get(name.index()).cloned().flatten();
            self.aside.push((name, old));
        }
        self.put_dynamic(name, Some(value));
    }

    /// Makes a `my` variable, in the scope that began at `from`.
    pub(crate) fn my(&mut self, name: Sym, value: Value, from: Mark) {
        let own = self.my.get_mut(from.my.max(self.base)..).unwrap_or(&mut []);
        match own.iter_mut().find(|it| it.0 == name) {
            Some((_, slot)) => *slot = value,
            None => self.my.push((name, value)),
        }
    }

    /// Makes a static variable, unless the subroutine has it already.
    pub(crate) fn make_static(&mut self, name: Sym) {
        self.statics.entry((self.sub, name)).or_insert(Value::Null);
    }

    /// Deletes the variable that this name means here.
    pub(crate) fn unset(&mut self, name: Sym) {
        let mine = self.my.get(self.base..).unwrap_or(&[]);
        if let Some(idx) = mine.iter().rposition(|it| it.0 == name) {
            self.my.remove(self.base + idx);
        } else if self.statics.remove(&(self.sub, name)).is_none() {
            self.put_dynamic(name, None);
        }
    }

    /// The dynamic variables, in the order of their names' numbers.
    pub(crate) fn globals(&self) -> impl Iterator<Item = (Sym, &Value)> {
        let all = self.dynamic.iter().enumerate();
        all.filter_map(|(idx, value)| Some((Sym::from_index(idx), value.as_ref()?)))
    }

    /// All variables seen here, for listings.
    pub(crate) fn all(&self) -> Vec<(Sym, &Value)> {
        let dynamic = self.dynamic.iter().enumerate().filter_map(|(idx, value)| {
            let value = value.as_ref()?;
            Some((Sym::from_index(idx), value))
        });
        let statics = self.statics.iter().filter(|it| it.0.0 == self.sub);
        let mine = self.my.get(self.base..).unwrap_or(&[]);
        let lexical = statics.map(|it| (it.0.1, it.1)).chain(mine.iter().map(|it| (it.0, &it.1)));
        dynamic.chain(lexical).collect()
    }
}
