//! Questions about the board as a grid: what stands where, and can it get there.
//!
//! A vector is a number of files and a number of ranks. The tests without `a` in their
//! name mean a vector and all that it becomes by turning and mirroring the board.
//! None of them looks at what stands on the first or the last space: the code asks
//! that itself, and often asks after the move was made.

use smallvec::SmallVec;

use crate::{
    eval::Stack,
    machine::{Machine, Res},
    names::{Case, Sym},
    space_map::Space,
    value::{Array, Key, Value},
    words::Op,
};

type Vector = (i32, i32);

/// What a rider meets on its way to the space before the last.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    /// Nothing.
    Clear,
    /// One piece, anywhere.
    OneHurdle,
    /// One piece, just before the end.
    HurdleAtEnd,
    /// Enemies only, each with an empty space behind it, and one at least.
    Enemies,
}

impl Machine {
    pub(super) fn board_operator(&mut self, op: Op, stack: &mut Stack<'_>) -> Res<Value> {
        use Op::*;
        match op {
            Capture => {
                let old = &self.last.old;
                let is_piece = old.sym().is_some_and(|it| it != Sym::EMPTY && it != Sym::BLANK);
                Ok(Value::Bool(is_piece))
            }
            OnlyUpper => self.pieces_where(|it, label| it.names.case(label) == Case::Upper),
            OnlyLower => self.pieces_where(|it, label| it.names.case(label) == Case::Lower),
            Spaces => self.pieces_where(|_, _| true),
            Distance => {
                let (from, to) = (self.pop(stack)?, self.pop(stack)?);
                let ends = self.space_of(&from).zip(self.space_of(&to));
                let vector = ends.and_then(|(from, to)| self.vector(from, to));
                Ok(vector.map_or(Value::Bool(false), |(df, dr)| {
                    Value::Int(i64::from(df.abs().max(dr.abs())))
                }))
            }
            Space | Empty | File | Rank | FileName | RankName => {
                let value = self.pop(stack)?;
                match self.space_of(&value) {
                    Some(space) => self.about(op, space),
                    None => Ok(Value::Bool(false)),
                }
            }
            Where | What | InSight | Leaps | Rays => {
                let value = self.pop(stack)?;
                let vector = self.pop_vector(stack)?;
                match self.space_of(&value) {
                    Some(space) => self.seen_from(op, space, vector),
                    None if matches!(op, Leaps | Rays) => self.list(Vec::new()),
                    None => Ok(Value::Bool(false)),
                }
            }
            _ => {
                let (from, to) = (self.pop(stack)?, self.pop(stack)?);
                self.test(op, &from, &to, stack).map(Value::Bool)
            }
        }
    }

    fn pop_vector(&mut self, stack: &mut Stack<'_>) -> Res<Vector> {
        let mut part = || -> Res<i32> {
            let value = self.pop(stack)?;
            // No board is wider than this, so a longer step leads nowhere either way.
            Ok(value.int(&self.names).clamp(-5000, 5000) as i32)
        };
        Ok((part()?, part()?))
    }

    /// A map from coordinate to label of some spaces.
    pub(crate) fn pieces_where(&mut self, wanted: impl Fn(&Machine, Sym) -> bool) -> Res<Value> {
        let mut pairs = Vec::new();
        for (&name, &label) in self.space_names.iter().zip(&self.pieces) {
            if wanted(self, label) {
                pairs.push((Key::Text(name), Value::Text(label)));
            }
        }
        self.pay(self.pieces.len() as u64 / 8)?;
        self.array(Array::map(pairs))
    }

    fn about(&mut self, op: Op, space: Space) -> Res<Value> {
        let cell = self.board.cell(space);
        let board = self.board.clone();
        Ok(match op {
            Op::Space => Value::Text(self.on(space)),
            Op::Empty => Value::Bool(self.is_empty(space)),
            _ => {
                let Some((file, rank)) = cell else { return Ok(Value::Bool(false)) };
                let label = |labels: &[crate::space_map::AxisLabel], idx: i32| {
                    labels.get(idx as usize).map_or(String::new(), |it| it.text.clone())
                };
                match op {
                    Op::File => Value::Int(i64::from(file)),
                    Op::Rank => Value::Int(i64::from(rank)),
                    Op::FileName => self.text(&label(board.file_labels(), file))?,
                    _ => self.text(&label(board.rank_labels(), rank))?,
                }
            }
        })
    }

    fn seen_from(&mut self, op: Op, space: Space, vector: Vector) -> Res<Value> {
        let next = self.board.step(space, vector.0, vector.1);
        Ok(match op {
            Op::Where => next.map_or(Value::Bool(false), |it| self.name_of(it)),
            Op::What => next.map_or(Value::Bool(false), |it| Value::Text(self.on(it))),
            Op::InSight => {
                let mut next = next.filter(|_| vector != (0, 0));
                while let Some(it) = next.filter(|&it| self.is_empty(it)) {
                    self.pay(1)?;
                    next = self.board.step(it, vector.0, vector.1);
                }
                next.map_or(Value::Bool(false), |it| Value::Text(self.on(it)))
            }
            _ => {
                let mut values = Vec::new();
                for vector in turned(vector) {
                    let mut next = self.board.step(space, vector.0, vector.1);
                    while let Some(it) = next {
                        values.push(self.name_of(it));
                        // Rays go on to the edge, over whatever stands there.
                        next = self.board.step(it, vector.0, vector.1).filter(|_| op == Op::Rays);
                    }
                }
                self.list(values)?
            }
        })
    }

    fn vector(&self, from: Space, to: Space) -> Option<Vector> {
        let (from, to) = (self.board.cell(from)?, self.board.cell(to)?);
        Some((to.0 - from.0, to.1 - from.1))
    }

    /// The tests of moves: from, to, and a vector or two.
    fn test(&mut self, op: Op, from: &Value, to: &Value, stack: &mut Stack<'_>) -> Res<bool> {
        if op == Op::CheckPath {
            return self.path(from, to, stack);
        }
        let first = self.pop_vector(stack)?;
        let is_double = matches!(op, Op::CheckTwoStep | Op::CheckATwoStep);
        let second = if is_double { self.pop_vector(stack)? } else { (0, 0) };
        let (Some(from), Some(to)) = (self.space_of(from), self.space_of(to)) else {
            return Ok(false);
        };
        let Some(way) = self.vector(from, to).filter(|_| from != to) else { return Ok(false) };
        self.pay(2)?;
        let all = turned(first);
        Ok(match op {
            Op::CheckLeap => all.contains(&way),
            Op::CheckALeap => way == first,
            Op::CheckRide => all.iter().any(|&it| self.rides(from, to, it, Way::Clear)),
            Op::CheckARide => self.rides(from, to, first, Way::Clear),
            Op::CheckHop => all.iter().any(|&it| self.rides(from, to, it, Way::OneHurdle)),
            Op::CheckAHop => self.rides(from, to, first, Way::OneHurdle),
            Op::CheckGrassHop => all.iter().any(|&it| self.rides(from, to, it, Way::HurdleAtEnd)),
            Op::CheckLongLeap => all.iter().any(|&it| self.rides(from, to, it, Way::Enemies)),
            Op::CheckATwoStep => self.two_steps(from, to, first, second),
            _ => {
                let both = images(first).into_iter().zip(images(second));
                both.into_iter().any(|(first, second)| self.two_steps(from, to, first, second))
            }
        })
    }

    fn two_steps(&self, from: Space, to: Space, first: Vector, second: Vector) -> bool {
        let middle = self.board.step(from, first.0, first.1).filter(|&it| self.is_empty(it));
        middle.and_then(|it| self.board.step(it, second.0, second.1)) == Some(to)
    }

    /// Whether steps of a vector lead from one space to the other, and what lies
    /// between is as wanted.
    fn rides(&self, from: Space, to: Space, vector: Vector, wanted: Way) -> bool {
        let Some(way) = self.vector(from, to) else { return false };
        // The end must lie on the line at all; this spares most walks.
        let is_ahead = way.0.signum() == vector.0.signum() && way.1.signum() == vector.1.signum();
        if vector == (0, 0) || !is_ahead || way.0 * vector.1 != way.1 * vector.0 {
            return false;
        }
        let mut space = from;
        let mut n_pieces = 0;
        let mut was_piece = false;
        loop {
            let Some(next) = self.board.step(space, vector.0, vector.1) else { return false };
            if next == to {
                return match wanted {
                    Way::Clear => n_pieces == 0,
                    Way::OneHurdle => n_pieces == 1,
                    Way::HurdleAtEnd => n_pieces == 1 && was_piece,
                    Way::Enemies => n_pieces > 0,
                };
            }
            let is_piece = !self.is_empty(next);
            if is_piece {
                n_pieces += 1;
                let stops = match wanted {
                    Way::Clear => true,
                    Way::OneHurdle | Way::HurdleAtEnd => n_pieces > 1,
                    Way::Enemies => was_piece || !self.is_enemy(from, next),
                };
                if stops {
                    return false;
                }
            }
            was_piece = is_piece;
            space = next;
        }
    }

    /// Whether the piece on `space` is against the one that stands, or stood, on `from`.
    fn is_enemy(&self, from: Space, space: Space) -> bool {
        let own = match self.on(from) {
            Sym::EMPTY => self.last.moved.sym().unwrap_or(Sym::EMPTY),
            label => label,
        };
        let (own, other) = (self.names.case(own), self.names.case(self.on(space)));
        own != other && own != Case::Neither && other != Case::Neither
    }

    /// `checkpath from to (df dr df dr ..)`: step by step, over empty spaces.
    fn path(&mut self, from: &Value, to: &Value, stack: &mut Stack<'_>) -> Res<bool> {
        let steps = self.array_or_rest(stack)?;
        let (Some(mut space), Some(to)) = (self.space_of(from), self.space_of(to)) else {
            return Ok(false);
        };
        let numbers: Vec<i32> =
            steps.iter().map(|it| it.int(&self.names).clamp(-5000, 5000) as i32).collect();
        let n_steps = numbers.len() / 2;
        self.pay(n_steps as u64)?;
        for (idx, pair) in numbers.chunks_exact(2).enumerate() {
            let [df, dr] = pair else { return Ok(false) };
            match self.board.step(space, *df, *dr) {
                Some(next) if idx + 1 == n_steps || self.is_empty(next) => space = next,
                _ => return Ok(false),
            }
        }
        Ok(n_steps > 0 && space == to)
    }
}

/// The eight images of a vector, equal ones repeated.
fn images((a, b): Vector) -> [Vector; 8] {
    [(a, b), (-a, b), (a, -b), (-a, -b), (b, a), (-b, a), (b, -a), (-b, -a)]
}

/// The different vectors that turning and mirroring make of one, itself first.
fn turned(vector: Vector) -> SmallVec<[Vector; 8]> {
    let mut all = SmallVec::new();
    if vector == (0, 0) {
        return all;
    }
    for image in images(vector) {
        if !all.contains(&image) {
            all.push(image);
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vectors_turn_to_four_or_eight() {
        assert_eq!(turned((1, 2)).len(), 8);
        assert_eq!(turned((1, 1)).len(), 4);
        assert_eq!(turned((0, 1)).len(), 4);
        assert_eq!(turned((0, 0)).len(), 0);
    }
}
