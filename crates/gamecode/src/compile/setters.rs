//! Statements that set something, and the texts of messages.

use std::sync::Arc;

use boardwright_text::Span;

use super::{Compiler, blocks::Body};
use crate::{
    code::{Code, Item, Step},
    errors,
    lex::{Statement, Token, TokenKind},
    value::Value,
    words::{Flow, Keyword},
};

impl Compiler<'_> {
    pub(super) fn setter(
        &mut self,
        flow: Flow,
        word: &str,
        args: &[Token<'_>],
        span: Span,
        body: &mut Body,
    ) {
        let Some((first, rest)) = args.split_first() else {
            let message = errors::missing(word, span, "a name");
            body.unit.push(Step::Fail(Box::new(message.clone())), span);
            self.diagnostics.push(message);
            return;
        };
        let name = self.name(first);
        if let Item::Value(Value::Text(sym)) = name {
            let text = self.names.text(sym);
            let may = flow == Flow::Def || !text.starts_with(|it: char| it.is_ascii_digit());
            if !may {
                let message = errors::bad_name(text, first.span);
                body.unit.push(Step::Fail(Box::new(message.clone())), span);
                self.diagnostics.push(message);
                return;
            }
            match flow {
                Flow::Def => {
                    self.functions.insert(sym);
                }
                Flow::SetSystem => {
                    self.systems.insert(sym);
                }
                _ => {}
            }
        } else if matches!(flow, Flow::Def | Flow::SetSystem) {
            self.makes_names = true;
        }
        let step = match flow {
            Flow::SetElem => {
                let (key, rest) = match rest.split_first() {
                    Some((key, rest)) => (self.item(key, false), rest),
                    None => (Item::Value(Value::Null), rest),
                };
                Step::SetElem(name, key, self.expression(rest))
            }
            Flow::Set => match self.dotted(&name) {
                Some((name, key)) => Step::SetElem(name, key, self.expression(rest)),
                None => Step::Set(name, self.expression(rest)),
            },
            Flow::SetSystem => Step::SetSystem(name, self.expression(rest)),
            Flow::Def => Step::Def(name, Arc::new(self.expression(rest))),
            Flow::Push => Step::Push(name, self.expression(rest)),
            Flow::Unshift => Step::Unshift(name, self.expression(rest)),
            _ => {
                let code = self.expression(rest);
                Step::SetConst { name, code, keeps: flow == Flow::Cset }
            }
        };
        body.unit.push(step, span);
    }

    /// `name.key`, taken apart; the key may be `#x`.
    fn dotted(&mut self, name: &Item) -> Option<(Item, Item)> {
        let Item::Value(Value::Text(sym)) = name else { return None };
        let text = self.names.text(*sym).to_owned();
        let (name, key) = text.split_once('.').filter(|it| !it.0.is_empty() && !it.1.is_empty())?;
        let kind = TokenKind::Bare(key);
        let key = self.item(&Token { kind, span: Span::default() }, false);
        Some((Item::Value(Value::Text(self.names.intern(name))), key))
    }

    /// The text of `say` and `die`, with `#name` words and what the last move was put in;
    /// quoted words stay as they are.
    pub(super) fn message(&mut self, statement: &Statement<'_>) -> Code {
        let mut items = Vec::new();
        for (part, _) in &statement.raw {
            let mut rest = *part;
            while !rest.is_empty() {
                let start = rest.find(|it: char| !it.is_whitespace()).unwrap_or(rest.len());
                let (blank, after) = rest.split_at(start);
                if !blank.is_empty() && !items.is_empty() {
                    items.push(Item::Value(Value::Text(self.names.intern(" "))));
                }
                let quoted = after.strip_prefix('"').and_then(|it| it.split_once('"'));
                if let Some((text, after)) = quoted {
                    items.push(Item::Value(Value::Text(self.names.intern(text))));
                    rest = after;
                    continue;
                }
                let end = after.find(char::is_whitespace).unwrap_or(after.len());
                let (word, after) = after.split_at(end);
                let token = Token { kind: TokenKind::Bare(word), span: Span::default() };
                match self.item(&token, false) {
                    item @ (Item::Atom(_)
                    | Item::Keyword(
                        Keyword::Origin | Keyword::Dest | Keyword::Moved | Keyword::Old,
                    )) => items.push(item),
                    _ if word.is_empty() => {}
                    _ => items.push(Item::Value(Value::Text(self.names.intern(word)))),
                }
                rest = after;
            }
        }
        let blank = self.names.intern(" ");
        while matches!(items.last(), Some(Item::Value(Value::Text(it))) if *it == blank) {
            items.pop();
        }
        let spans = vec![statement.span; items.len()];
        Code::new(items, spans)
    }
}
