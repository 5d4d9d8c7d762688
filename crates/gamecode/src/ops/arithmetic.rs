//! Numbers: arithmetic, comparison.

use std::cmp::Ordering;

use crate::{
    errors,
    machine::{Machine, Res},
    names::Number,
    value::Value,
    words::Op,
};

impl Machine {
    pub(super) fn binary(&mut self, op: Op, first: &Value, second: &Value) -> Res<Value> {
        self.pay(first.weight().min(second.weight()))?;
        if let (Some(a), Some(b)) = (first.sym(), second.sym())
            && !matches!(op, Op::Equal | Op::NotEqual)
        {
            let shorter = self.names.text(a).len().min(self.names.text(b).len());
            self.pay(shorter as u64 / 64)?;
        }
        let (first, second) = match op {
            Op::Less | Op::More | Op::LessEqual | Op::MoreEqual => {
                (self.counter(first, second), self.counter(second, first))
            }
            _ => (first, second),
        };
        let names = &self.names;
        let truth = match op {
            Op::Equal => Some(first.equals(second, names)),
            Op::NotEqual => Some(!first.equals(second, names)),
            Op::Less => Some(self.order(first, second) == Some(Ordering::Less)),
            Op::More => Some(self.order(first, second) == Some(Ordering::Greater)),
            Op::LessEqual => self.order(first, second).map(Ordering::is_le).or(Some(false)),
            Op::MoreEqual => self.order(first, second).map(Ordering::is_ge).or(Some(false)),
            _ => None,
        };
        if let Some(truth) = truth {
            return Ok(Value::Bool(truth));
        }
        let (a, b) = (first.number(names), second.number(names));
        let bits = (first.int(names), second.int(names));
        Ok(match op {
            Op::Add => whole(a, b, i64::checked_add, |a, b| a + b),
            Op::Minus => whole(a, b, i64::checked_sub, |a, b| a - b),
            Op::Times => whole(a, b, i64::checked_mul, |a, b| a * b),
            Op::Over | Op::Mod if b.float() == 0.0 => {
                return Err(self.fault(errors::by_zero(self.at)));
            }
            Op::Over => match (a, b) {
                (Number::Int(a), Number::Int(b)) if a.checked_rem(b) == Some(0) => {
                    Value::Int(a / b)
                }
                (a, b) => Value::Float(a.float() / b.float()),
            },
            Op::Mod => match bits {
                (_, 0) => return Err(self.fault(errors::by_zero(self.at))),
                (a, b) => Value::Int(a.checked_rem(b).unwrap_or(0)),
            },
            Op::Power => {
                let small = |a: i64, b: i64| u32::try_from(b).ok().and_then(|b| a.checked_pow(b));
                whole(a, b, small, f64::powf)
            }
            Op::ShiftRight => Value::Int(shift(bits.0, bits.1, i64::checked_shr)),
            Op::ShiftLeft => Value::Int(shift(bits.0, bits.1, i64::checked_shl)),
            Op::BitAnd => Value::Int(bits.0 & bits.1),
            Op::BitOr => Value::Int(bits.0 | bits.1),
            _ => Value::Int(bits.0 ^ bits.1),
        })
    }

    /// The value to compare: a bare word beside a number means the variable of that name,
    /// where it holds a number, as in the guide's `do while < i 10`.
    fn counter<'v>(&'v self, value: &'v Value, beside: &Value) -> &'v Value {
        let is_number = |it: &Value| it.exact_number(&self.names).is_some();
        let Value::Text(name) = value else { return value };
        if is_number(value) || !is_number(beside) {
            return value;
        }
        self.lookup(*name).filter(|it| is_number(it)).unwrap_or(value)
    }

    /// How two values stand to one another, by number if both have one.
    pub(super) fn order(&self, first: &Value, second: &Value) -> Option<Ordering> {
        let names = &self.names;
        let is_number = |it: &Value| {
            it.exact_number(names).is_some() || matches!(it, Value::Null | Value::Bool(_))
        };
        if is_number(first) && is_number(second) {
            return match (first.number(names), second.number(names)) {
                (Number::Int(a), Number::Int(b)) => Some(a.cmp(&b)),
                (a, b) => a.float().partial_cmp(&b.float()),
            };
        }
        match (first, second) {
            (Value::Array(a), Value::Array(b)) => Some(a.len().cmp(&b.len())),
            (Value::Array(_), _) | (_, Value::Array(_)) => None,
            (a, b) => Some(a.text(names).cmp(&b.text(names))),
        }
    }

    pub(super) fn unary(&mut self, op: Op, value: &Value) -> Res<Value> {
        let one = Number::Int(1);
        let number = value.number(&self.names);
        let float = |change: fn(f64) -> f64| match number {
            Number::Int(it) => Value::Int(it),
            Number::Float(it) => integral(change(it)),
        };
        Ok(match op {
            Op::Inc => whole(number, one, i64::checked_add, |a, b| a + b),
            Op::Dec => whole(number, one, i64::checked_sub, |a, b| a - b),
            Op::Negative => whole(Number::Int(0), number, i64::checked_sub, |a, b| a - b),
            Op::Abs => match number {
                Number::Int(it) => Value::Int(it.saturating_abs()),
                Number::Float(it) => Value::Float(it.abs()),
            },
            Op::Sign => Value::Int(match number.float().partial_cmp(&0.0) {
                Some(Ordering::Less) => -1,
                Some(Ordering::Greater) => 1,
                _ => 0,
            }),
            Op::Floor => float(f64::floor),
            Op::Ceil => float(f64::ceil),
            Op::Round => float(f64::round),
            _ => integral(number.float().sqrt()),
        })
    }

    /// `max`, `min` and `sum` of many values.
    pub(super) fn fold(&mut self, op: Op, values: &[Value]) -> Res<Value> {
        if op == Op::Sum {
            let mut sum = Number::Int(0);
            for value in values {
                let next = whole(sum, value.number(&self.names), i64::checked_add, |a, b| a + b);
                sum = next.number(&self.names);
            }
            return Ok(match sum {
                Number::Int(it) => Value::Int(it),
                Number::Float(it) => Value::Float(it),
            });
        }
        let wanted = if op == Op::Max { Ordering::Greater } else { Ordering::Less };
        let mut best: Option<&Value> = None;
        for value in values {
            if best.is_none_or(|best| self.order(value, best) == Some(wanted)) {
                best = Some(value);
            }
        }
        Ok(best.cloned().unwrap_or(Value::Null))
    }
}

/// On whole numbers where that goes, else on floating ones.
fn whole(
    a: Number,
    b: Number,
    ints: impl Fn(i64, i64) -> Option<i64>,
    floats: impl Fn(f64, f64) -> f64,
) -> Value {
    if let (Number::Int(a), Number::Int(b)) = (a, b)
        && let Some(result) = ints(a, b)
    {
        return Value::Int(result);
    }
    Value::Float(floats(a.float(), b.float()))
}

/// A float without a fraction as the whole number it is.
fn integral(float: f64) -> Value {
    if float.fract() == 0.0 && float.abs() < 1e15 {
        Value::Int(float as i64)
    } else {
        Value::Float(float)
    }
}

fn shift(value: i64, by: i64, checked: fn(i64, u32) -> Option<i64>) -> i64 {
    u32::try_from(by).ok().and_then(|by| checked(value, by)).unwrap_or(0)
}
