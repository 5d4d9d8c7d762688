//! Operators that take values and give one: one file a kind.

mod arithmetic;
mod arrays;
mod geometry;
mod links;
mod texts;

use crate::{
    eval::Stack,
    machine::{Machine, Res},
    value::Value,
    words::Op,
};

impl Machine {
    /// Applies an operator that only computes.
    pub(crate) fn plain_operator(&mut self, op: Op, stack: &mut Stack<'_>) -> Res<Value> {
        use Op::*;
        match op {
            Xor | Xnor => {
                let first = self.pop_truth(stack)?;
                let second = self.pop_truth(stack)?;
                Ok(Value::Bool((first != second) == (op == Xor)))
            }
            Add | Minus | Times | Over | Mod | Power | ShiftRight | ShiftLeft | BitAnd | BitOr
            | BitXor | Equal | NotEqual | Less | More | LessEqual | MoreEqual => {
                let first = self.pop(stack)?;
                let second = self.pop(stack)?;
                self.binary(op, &first, &second)
            }
            Inc | Dec | Abs | Sign | Floor | Ceil | Round | Sqrt | Negative => {
                let value = self.pop(stack)?;
                self.unary(op, &value)
            }
            Max | Min | Sum => {
                let values = self.array_or_rest(stack)?;
                self.fold(op, &values)
            }
            Rand => {
                let bound = self.pop(stack)?.int(&self.names);
                Ok(Value::Int(self.rng.below(usize::try_from(bound).unwrap_or(0)) as i64))
            }
            Var | Const | Flag | System | IsSet | Alias => self.named_value(op, stack),
            Join | Chr | Ord | StrLen | Trim | Lower | Upper | FlipCase | IsUpper | IsLower
            | Split | Substr | IsArray | IsNum => self.text_operator(op, stack),
            Array | List | Match | Range | Merge | Elem | In | Diff | Intersect | Remove | Push
            | Count | Keys | Values | Reverse | Sort | AnyTrue | AllTrue | Filter | Map => {
                self.array_operator(op, stack)
            }
            LogLeap | LogRide | LogLeaps | LogRays => self.link_operator(op, stack),
            _ => self.board_operator(op, stack),
        }
    }

    /// Operators that read something by its name.
    fn named_value(&mut self, op: Op, stack: &mut Stack<'_>) -> Res<Value> {
        let name = self.pop(stack)?;
        let name = self.sym_of(&name)?;
        Ok(match op {
            Op::Var => self.scopes.get(name).cloned().unwrap_or(Value::Null),
            Op::Const => self.consts.get(&name).cloned().unwrap_or(Value::Null),
            Op::Flag => Value::Bool(self.flags.contains(&name)),
            Op::IsSet => Value::Bool(self.lookup(name).is_some()),
            Op::Alias => {
                self.pay(self.aliases.len() as u64 / 4)?;
                let found = self.aliases.iter().rev().find(|it| it.1 == name);
                Value::Text(found.map_or(name, |it| it.0))
            }
            _ => self.system_value(name)?,
        })
    }
}
