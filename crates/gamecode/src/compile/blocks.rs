//! Statements one by one; blocks become jumps.

use boardwright_text::Span;

use super::{Compiler, Head, Use, no_code};
use crate::{
    code::{Code, Item, Step, Unit},
    errors,
    lex::{Statement, Token, TokenKind},
    value::Value,
    words::{Command, Flow},
};

/// A unit while it is compiled.
pub(crate) struct Body {
    pub(crate) unit: Unit,
    /// The index that the unit will have.
    pub(crate) idx: usize,
    pub(crate) blocks: Vec<Block>,
    /// The name of the subroutine.
    pub(crate) span: Span,
}

impl Body {
    pub(crate) fn new(unit: Unit, idx: usize) -> Body {
        Body { unit, idx, blocks: Vec::new(), span: Span::default() }
    }
}

/// A block that is still open.
pub(crate) struct Block {
    kind: Kind,
    /// Whether it has a scope of its own while it runs.
    is_scoped: bool,
    /// Jumps to its end.
    exits: Vec<usize>,
    span: Span,
}

enum Kind {
    /// The branch to aim at the next `elseif`, `else` or `endif`.
    If {
        pending: Option<usize>,
        has_else: bool,
    },
    Switch {
        step: usize,
    },
    For {
        each: usize,
    },
    /// The first step, the first of the body, jumps to the bottom.
    Do {
        top: usize,
        body: usize,
        continues: Vec<usize>,
    },
}

impl Kind {
    /// How it opens and closes.
    fn words(&self) -> (&'static str, &'static str) {
        match self {
            Kind::If { .. } => ("if", "endif"),
            Kind::Switch { .. } => ("switch", "endswitch"),
            Kind::For { .. } => ("for", "next"),
            Kind::Do { .. } => ("do", "loop"),
        }
    }
}

/// For each statement that opens a block: whether variables are declared directly
/// in the block, which then needs a scope of its own.
pub(crate) fn scoped(all: &[Statement<'_>]) -> Vec<bool> {
    let mut scoped = vec![false; all.len()];
    let mut open = Vec::new();
    for (idx, statement) in all.iter().enumerate() {
        match Head::of(statement.head().unwrap_or("")) {
            Head::Flow(Flow::If | Flow::Switch | Flow::For | Flow::Do) => open.push(idx),
            Head::Flow(Flow::EndIf | Flow::EndSwitch | Flow::Next | Flow::Loop) => {
                open.pop();
            }
            Head::Flow(Flow::Sub | Flow::EndSub) => open.clear(),
            Head::Command(Command::Local | Command::My) => {
                if let Some(slot) = open.last().and_then(|&it| scoped.get_mut(it)) {
                    *slot = true;
                }
            }
            _ => {}
        }
    }
    scoped
}

impl Compiler<'_> {
    /// Says which blocks were left open, and closes them.
    pub(crate) fn close(&mut self, body: &mut Body) {
        while let Some(block) = body.blocks.pop() {
            let (opener, closer) = block.kind.words();
            self.diagnostics.push(errors::open_block(opener, block.span, closer));
            let end = body.unit.push(Step::End, block.span);
            let waits = match block.kind {
                Kind::If { pending, .. } => pending,
                Kind::For { each } => Some(each),
                _ => None,
            };
            for exit in block.exits.into_iter().chain(waits) {
                body.unit.aim(exit, end);
            }
        }
    }

    /// Compiles one statement; `sub` and `endsub` are the caller's.
    pub(crate) fn statement(
        &mut self,
        statement: &Statement<'_>,
        is_scoped: bool,
        body: &mut Body,
        depth: usize,
    ) {
        let Some(head) = statement.head() else {
            let message = errors::no_head(statement.span);
            body.unit.push(Step::Fail(Box::new(message.clone())), statement.span);
            self.diagnostics.push(message);
            return;
        };
        let args = statement.tokens.get(1..).unwrap_or(&[]);
        match Head::of(head) {
            Head::Flow(Flow::Include) => self.include(statement, body, depth),
            Head::Flow(flow) => self.flow(flow, head, args, statement, is_scoped, body),
            Head::Command(command) => {
                if let (Command::Gosub, Some(name)) = (command, args.first()) {
                    self.note_use(Use::Subroutine, name);
                }
                let code = self.arguments(args);
                body.unit.push(Step::Run(command, code), statement.span);
            }
            Head::Other => self.other(head, statement, body),
        }
    }

    /// A move, or a subroutine's name.
    fn other<'t>(&mut self, head: &'t str, statement: &Statement<'t>, body: &mut Body) {
        if let Some(first) = head.strip_prefix("MOVE:") {
            let mut tokens = statement.tokens.clone();
            match tokens.first_mut() {
                Some(token) if !first.is_empty() => token.kind = TokenKind::Bare(first),
                _ => {
                    tokens.remove(0);
                }
            }
            let code = self.arguments(&tokens);
            body.unit.push(Step::Move(code), statement.span);
            return;
        }
        let code = self.arguments(&statement.tokens);
        let step = body.unit.push(Step::Call(code), statement.span);
        let word = self.names.intern(head);
        let span = statement.tokens.first().map_or(statement.span, |it| it.span);
        self.calls.push((body.idx, step, word, span));
    }

    fn flow(
        &mut self,
        flow: Flow,
        word: &str,
        args: &[Token<'_>],
        statement: &Statement<'_>,
        is_scoped: bool,
        body: &mut Body,
    ) {
        let span = statement.span;
        if body.blocks.len() >= self.limits.nesting {
            self.diagnostics.push(errors::too_deep(span));
            return;
        }
        match flow {
            Flow::If | Flow::Switch | Flow::For | Flow::Do => {
                self.open(flow, word, args, span, is_scoped, body);
            }
            Flow::ElseIf | Flow::Else => self.otherwise(flow, word, args, span, body),
            Flow::Case | Flow::Default => self.case(flow, word, args, span, body),
            Flow::EndIf | Flow::EndSwitch | Flow::Next | Flow::Loop => {
                self.end_block(flow, word, args, span, body);
            }
            Flow::Break | Flow::Continue | Flow::Redo => self.leave(flow, word, span, body),
            Flow::Verify => {
                let code = self.expression(args);
                body.unit.push(Step::Verify(code), span);
            }
            Flow::Return => {
                let code = self.expression(args);
                body.unit.push(Step::Return(code), span);
            }
            Flow::Print => {
                let code = self.expression(args);
                body.unit.push(Step::Print(code), span);
            }
            Flow::Eval => {
                self.makes_names = true;
                let code = self.expression(args);
                body.unit.push(Step::Eval(code), span);
            }
            Flow::End | Flow::Exit => {
                body.unit.push(Step::End, span);
            }
            Flow::Say | Flow::Die => {
                let code = self.message(statement);
                let step = if flow == Flow::Say { Step::Say(code) } else { Step::Die(code) };
                body.unit.push(step, span);
            }
            Flow::Set
            | Flow::SetElem
            | Flow::SetConst
            | Flow::Cset
            | Flow::SetSystem
            | Flow::Def
            | Flow::Push
            | Flow::Unshift => self.setter(flow, word, args, span, body),
            // The caller has taken these.
            Flow::Sub | Flow::EndSub | Flow::Include => {}
        }
    }

    fn open(
        &mut self,
        flow: Flow,
        word: &str,
        args: &[Token<'_>],
        span: Span,
        is_scoped: bool,
        body: &mut Body,
    ) {
        let unit = &mut body.unit;
        if is_scoped && flow != Flow::For {
            unit.push(Step::Enter, span);
        }
        let mut exits = Vec::new();
        let mut is_scoped = is_scoped;
        let kind = match flow {
            Flow::If => {
                let code = self.expression(args);
                let branch = unit.push(Step::Branch { code, when: false, to: 0 }, span);
                Kind::If { pending: Some(branch), has_else: false }
            }
            Flow::Switch => {
                let code = self.expression(args);
                let none = usize::MAX;
                let step = unit.push(Step::Switch { code, cases: Vec::new(), default: none }, span);
                Kind::Switch { step }
            }
            Flow::For => {
                is_scoped = true;
                let (key, value) = self.loop_names(args, word, span);
                let code = self.expression(args.get(1..).unwrap_or(&[]));
                body.unit.push(Step::For(code), span);
                let each = body.unit.push(Step::Each { key, value, exit: 0 }, span);
                Kind::For { each }
            }
            _ => {
                let top = unit.here();
                if let Some((code, when)) = self.condition(args, word, span) {
                    exits.push(unit.push(Step::Branch { code, when: !when, to: 0 }, span));
                }
                Kind::Do { top, body: unit.here(), continues: Vec::new() }
            }
        };
        body.blocks.push(Block { kind, is_scoped, exits, span });
    }

    /// The one or two variables of a `for`.
    fn loop_names(&mut self, args: &[Token<'_>], word: &str, span: Span) -> (Option<Item>, Item) {
        let value = match args.first() {
            Some(Token { kind: TokenKind::Array(names), .. }) => match names.as_slice() {
                [key, value] => {
                    return (Some(self.name(key)), self.name(value));
                }
                [value] => Some(self.name(value)),
                _ => None,
            },
            Some(token) => Some(self.name(token)),
            None => None,
        };
        let value = value.unwrap_or_else(|| {
            self.diagnostics.push(errors::missing(
                word,
                span,
                "one variable, or two in parentheses",
            ));
            Item::Value(Value::Text(self.names.intern("_")))
        });
        (None, value)
    }

    /// `while E` or `until E`: the code, and the truth for which the loop goes on.
    fn condition(&mut self, args: &[Token<'_>], word: &str, span: Span) -> Option<(Code, bool)> {
        let (first, rest) = args.split_first()?;
        let when = match first.bare() {
            Some("while") => true,
            Some("until") => false,
            Some("never") => return Some((no_code(), true)),
            _ => {
                self.diagnostics.push(errors::missing(word, span, "`while`, `until` or `never`"));
                return None;
            }
        };
        Some((self.expression(rest), when))
    }

    fn otherwise(
        &mut self,
        flow: Flow,
        word: &str,
        args: &[Token<'_>],
        span: Span,
        body: &mut Body,
    ) {
        let Some(Block { kind: Kind::If { pending, has_else }, exits, .. }) =
            body.blocks.last_mut()
        else {
            self.diagnostics.push(errors::misplaced(word, span, "directly in an `if`"));
            return;
        };
        if *has_else {
            self.diagnostics.push(errors::misplaced(word, span, "before `else`"));
        }
        exits.push(body.unit.push(Step::Jump { to: 0, leave: 0 }, span));
        if let Some(branch) = pending.take() {
            let here = body.unit.here();
            body.unit.aim(branch, here);
        }
        if flow == Flow::Else {
            *has_else = true;
            return;
        }
        let code = self.expression(args);
        let branch = body.unit.push(Step::Branch { code, when: false, to: 0 }, span);
        if let Some(Block { kind: Kind::If { pending, .. }, .. }) = body.blocks.last_mut() {
            *pending = Some(branch);
        }
    }

    fn case(&mut self, flow: Flow, word: &str, args: &[Token<'_>], span: Span, body: &mut Body) {
        let Some(Block { kind: Kind::Switch { step }, .. }) = body.blocks.last() else {
            self.diagnostics.push(errors::misplaced(word, span, "directly in a `switch`"));
            return;
        };
        let labels: Vec<_> = args.iter().map(|it| self.item(it, false)).collect();
        let here = body.unit.here();
        if let Some(Step::Switch { cases, default, .. }) = body.unit.steps.get_mut(*step) {
            if flow == Flow::Default {
                *default = here;
            }
            cases.extend(labels.into_iter().map(|it| (it, here)));
        }
    }

    fn end_block(
        &mut self,
        flow: Flow,
        word: &str,
        args: &[Token<'_>],
        span: Span,
        body: &mut Body,
    ) {
        let opener = match flow {
            Flow::EndIf => "if",
            Flow::EndSwitch => "switch",
            Flow::Next => "for",
            _ => "do",
        };
        match body.blocks.last() {
            None => {
                self.diagnostics.push(errors::stray_end(word, span, opener));
                return;
            }
            Some(block) if block.kind.words().0 != opener => {
                let message = errors::crossed(word, span, block.kind.words().0, block.span);
                self.diagnostics.push(message);
                return;
            }
            Some(_) => {}
        }
        let condition = match flow {
            Flow::Loop => self.condition(args, word, span),
            _ => None,
        };
        let Some(block) = body.blocks.pop() else { return };
        let unit = &mut body.unit;
        let mut exits = block.exits;
        match block.kind {
            Kind::If { pending, .. } => exits.extend(pending),
            Kind::Switch { step } => {
                let here = unit.here();
                if let Some(Step::Switch { default, .. }) = unit.steps.get_mut(step)
                    && *default == usize::MAX
                {
                    *default = here;
                }
            }
            Kind::For { each } => {
                unit.push(Step::Jump { to: each, leave: 0 }, span);
                exits.push(each);
            }
            Kind::Do { top, continues, .. } => {
                let bottom = unit.here();
                for it in continues {
                    unit.aim(it, bottom);
                }
                let never = args.first().and_then(Token::bare) == Some("never");
                match condition {
                    Some((code, when)) if !never => {
                        unit.push(Step::Branch { code, when, to: top }, span);
                    }
                    Some(_) => {}
                    None => {
                        unit.push(Step::Jump { to: top, leave: 0 }, span);
                    }
                }
            }
        }
        let here = unit.here();
        for exit in exits {
            unit.aim(exit, here);
        }
        if block.is_scoped && flow != Flow::Next {
            unit.push(Step::Leave, span);
        }
    }

    fn leave(&mut self, flow: Flow, word: &str, span: Span, body: &mut Body) {
        let found = body.blocks.iter().rposition(|it| match it.kind {
            Kind::For { .. } | Kind::Do { .. } => true,
            Kind::Switch { .. } => flow == Flow::Break,
            Kind::If { .. } => false,
        });
        let Some(found) = found else {
            let place = if flow == Flow::Break { "in a loop or a `switch`" } else { "in a loop" };
            let message = errors::misplaced(word, span, place);
            body.unit.push(Step::Fail(Box::new(message.clone())), span);
            self.diagnostics.push(message);
            return;
        };
        let inner = body.blocks.iter().skip(found + 1).filter(|it| it.is_scoped).count() as u16;
        let Some(block) = body.blocks.get_mut(found) else { return };
        let is_for = matches!(block.kind, Kind::For { .. });
        let leave = inner + u16::from(is_for && flow == Flow::Break);
        let to = match (&block.kind, flow) {
            (Kind::For { each }, Flow::Continue) => *each,
            (Kind::For { each }, _) => *each + 1,
            (Kind::Do { body, .. }, _) => *body,
            _ => 0,
        };
        let jump = body.unit.push(Step::Jump { to, leave }, span);
        match (&mut block.kind, flow) {
            (_, Flow::Break) => block.exits.push(jump),
            (Kind::Do { continues, .. }, Flow::Continue) => continues.push(jump),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{CodeLimits, NoCodeFiles};

    fn complaints(text: &str) -> Vec<String> {
        let mut files = NoCodeFiles;
        let mut compiler = Compiler::new(CodeLimits::default(), &mut files);
        compiler.part("pond", text);
        let program = compiler.finish();
        program.diagnostics().iter().map(|it| format!("{}: {}", it.code, it.message)).collect()
    }

    #[test]
    fn blocks_must_match() {
        let cases = [
            ("if true: echo a;", "G0102: this `if` has no `endif`"),
            ("endif;", "G0103: this `endif` has no `if`"),
            (
                "for v (a): endif; next;",
                "G0103: this `endif` stands inside a `for` that is still open",
            ),
            ("break;", "G0104: `break` may stand only in a loop or a `switch`"),
            ("else: x;", "G0104: `else` may stand only directly in an `if`"),
            ("sub wolf: echo a;", "G0102: this `sub` has no `endsub`"),
            ("set;", "G0105: `set` needs a name"),
            ("set 1a 5;", "G0106: `1a` cannot name a variable"),
        ];
        for (text, expected) in cases {
            assert_eq!(complaints(text).first().map(String::as_str), Some(expected), "{text}");
        }
    }

    #[test]
    fn an_unknown_word_is_named() {
        assert_eq!(
            complaints("ehco a;"),
            ["G0101: `ehco` is not a command, and no subroutine has that name"]
        );
        assert!(complaints("wolf; sub wolf: endsub;").is_empty());
    }
}
