//! Text: labels, letters, parts.

use crate::{
    errors,
    eval::Stack,
    machine::{Machine, Res},
    names::Case,
    value::Value,
    words::Op,
};

impl Machine {
    pub(super) fn text_operator(&mut self, op: Op, stack: &mut Stack<'_>) -> Res<Value> {
        let first = self.pop(stack)?;
        Ok(match op {
            Op::IsUpper | Op::IsLower => {
                let case = first.sym().map(|it| self.names.case(it));
                let wanted = if op == Op::IsUpper { Case::Upper } else { Case::Lower };
                Value::Bool(case == Some(wanted))
            }
            Op::IsArray => Value::Bool(matches!(first, Value::Array(_))),
            Op::IsNum => Value::Bool(first.exact_number(&self.names).is_some()),
            Op::Join => {
                let second = self.pop(stack)?;
                let mut text = self.printed(&first)?;
                text.push_str(&self.printed(&second)?);
                self.text(&text)?
            }
            Op::Chr => {
                let code = u32::try_from(first.int(&self.names)).ok().and_then(char::from_u32);
                let text = code.filter(|it| !it.is_control()).map(String::from);
                self.text(&text.unwrap_or_default())?
            }
            Op::Split => {
                let second = self.pop(stack)?;
                let (separator, text) = (self.printed(&first)?, self.printed(&second)?);
                let parts: Vec<String> = if separator.is_empty() {
                    text.chars().map(String::from).collect()
                } else {
                    text.split(separator.as_str()).map(str::to_owned).collect()
                };
                self.pay(parts.len() as u64)?;
                let values = parts.iter().map(|it| self.text(it)).collect::<Res<Vec<_>>>()?;
                self.list(values)?
            }
            Op::Substr => {
                let start = self.pop(stack)?.int(&self.names);
                let len = match self.pop(stack)? {
                    Value::Null => i64::MAX,
                    other => other.int(&self.names),
                };
                let chars: Vec<char> = self.printed(&first)?.chars().collect();
                let n_chars = chars.len() as i64;
                // A negative start counts from the end, a negative length leaves that many off.
                let start = if start < 0 { n_chars.saturating_add(start).max(0) } else { start };
                let end =
                    if len < 0 { n_chars.saturating_add(len) } else { start.saturating_add(len) };
                let range = start.clamp(0, n_chars) as usize..end.clamp(0, n_chars) as usize;
                let part: String = chars.get(range).unwrap_or(&[]).iter().collect();
                self.text(&part)?
            }
            Op::FlipCase => {
                let label = self.sym_of(&first)?;
                Value::Text(self.flipped(label)?)
            }
            _ => {
                let text = self.printed(&first)?;
                match op {
                    Op::Ord => Value::Int(text.chars().next().map_or(0, |it| i64::from(it as u32))),
                    Op::StrLen => Value::Int(text.chars().count() as i64),
                    Op::Trim => self.text(text.trim())?,
                    Op::Lower => self.text(&text.to_lowercase())?,
                    _ => self.text(&text.to_uppercase())?,
                }
            }
        })
    }

    /// What printing a value gives, paid for.
    pub(crate) fn printed(&mut self, value: &Value) -> Res<String> {
        if let Value::Array(array) = value {
            self.pay(u64::from(array.weight()))?;
        }
        let text = value.text(&self.names);
        self.pay(text.len() as u64 / 16)?;
        if text.len() > Value::LONGEST {
            return Err(self.fault(errors::out_of_memory(self.at, "a text becomes too long")));
        }
        Ok(text)
    }
}
