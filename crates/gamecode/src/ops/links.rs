//! Questions about the board as links: directions that lead from space to space.

use std::sync::Arc;

use crate::{
    eval::Stack,
    machine::{Machine, Res},
    names::Sym,
    space_map::Space,
    value::{Array, Value},
    words::Op,
};

/// How to walk: one direction, or several in turn, up to a number of steps.
struct Walk {
    directions: Vec<Sym>,
    most: usize,
}

impl Machine {
    pub(super) fn link_operator(&mut self, op: Op, stack: &mut Stack<'_>) -> Res<Value> {
        let from = self.pop(stack)?;
        let to = match op {
            Op::LogLeap | Op::LogRide => Some(self.pop(stack)?),
            _ => None,
        };
        // Not "array or rest": an array here is one path among the directions.
        let directions = self.rest(stack)?;
        let Some(from) = self.space_of(&from) else {
            return if to.is_some() { Ok(Value::Bool(false)) } else { self.list(Vec::new()) };
        };
        let to = match to {
            Some(to) => match self.space_of(&to) {
                Some(to) => Some(to),
                None => return Ok(Value::Bool(false)),
            },
            None => None,
        };
        let mut found = Vec::new();
        for direction in directions {
            let walk = self.walk(&direction, op)?;
            let is_leap = matches!(op, Op::LogLeap | Op::LogLeaps);
            match to {
                Some(to) => {
                    let reaches = if is_leap {
                        self.leap(from, &walk, true)? == Some(to)
                    } else {
                        self.ride(from, to, &walk)?
                    };
                    if reaches && from != to {
                        return Ok(Value::Bool(true));
                    }
                }
                None if is_leap => found.extend(self.leap(from, &walk, false)?),
                None => self.rays(from, &walk, &mut found)?,
            }
        }
        if to.is_some() {
            return Ok(Value::Bool(false));
        }
        found.dedup();
        let values = found.into_iter().map(|it| self.name_of(it)).collect();
        self.list(values)
    }

    fn walk(&mut self, value: &Value, op: Op) -> Res<Walk> {
        let Value::Array(array) = value else {
            return Ok(Walk { directions: vec![self.sym_of(value)?], most: usize::MAX });
        };
        let array: Arc<Array> = array.clone();
        self.pay(array.len() as u64)?;
        let mut walk = Walk { directions: Vec::new(), most: usize::MAX };
        for value in array.values() {
            match value {
                // A number at the end of a ride is the most steps it takes.
                Value::Int(it) if matches!(op, Op::LogRide | Op::LogRays) => {
                    walk.most = usize::try_from(*it).unwrap_or(0);
                }
                other => walk.directions.push(self.sym_of(other)?),
            }
        }
        Ok(walk)
    }

    fn follow(&self, space: Space, direction: Sym) -> Option<Space> {
        self.links.get(&(direction, space)).copied()
    }

    /// The end of a path; every space before it must be empty if `is_strict`.
    fn leap(&mut self, from: Space, walk: &Walk, is_strict: bool) -> Res<Option<Space>> {
        self.pay(walk.directions.len() as u64)?;
        let mut space = from;
        for (idx, &direction) in walk.directions.iter().enumerate() {
            if idx > 0 && is_strict && !self.is_empty(space) {
                return Ok(None);
            }
            match self.follow(space, direction) {
                Some(next) => space = next,
                None => return Ok(None),
            }
        }
        Ok(Some(space).filter(|_| !walk.directions.is_empty()))
    }

    /// Whether a walk over empty spaces leads to `to`, before it comes back.
    fn ride(&mut self, from: Space, to: Space, walk: &Walk) -> Res<bool> {
        let mut space = from;
        // A walk longer than this goes in circles that do not meet `from`.
        let most = walk.most.min(self.pieces.len() * walk.directions.len());
        for (_, &direction) in (0..most).zip(walk.directions.iter().cycle()) {
            self.pay(1)?;
            match self.follow(space, direction) {
                Some(next) if next == to => return Ok(true),
                Some(next) if next != from && self.is_empty(next) => space = next,
                _ => return Ok(false),
            }
        }
        Ok(false)
    }

    /// All spaces on a walk, whatever stands there.
    fn rays(&mut self, from: Space, walk: &Walk, found: &mut Vec<Space>) -> Res<()> {
        let mut space = from;
        let most = walk.most.min(self.pieces.len() * walk.directions.len());
        for (_, &direction) in (0..most).zip(walk.directions.iter().cycle()) {
            self.pay(1)?;
            match self.follow(space, direction) {
                Some(next) if next != from => space = next,
                _ => break,
            }
            found.push(space);
        }
        Ok(())
    }
}
