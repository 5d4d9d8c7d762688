//! The program as a listing: one statement a line, blocks indented, numbered.

use boardwright_text::Span;

use crate::{compile::CodeProgram, lex, words::Flow};

impl CodeProgram {
    /// The whole program, part by part; the statement at `failing` is marked.
    pub fn listing(&self, failing: Option<Span>) -> String {
        let mut out = String::new();
        let mut number = 0;
        for source in self.sources().files() {
            out.push_str(&format!("// {}\n", source.name));
            let mut depth: usize = 0;
            let all = lex::statements(&source.text, source.start, 200, &mut Vec::new());
            for statement in &all {
                number += 1;
                let head = statement.head().and_then(Flow::named);
                let closes = matches!(
                    head,
                    Some(Flow::EndIf | Flow::EndSub | Flow::EndSwitch | Flow::Next | Flow::Loop)
                );
                if closes {
                    depth = depth.saturating_sub(1);
                }
                let hangs =
                    matches!(head, Some(Flow::ElseIf | Flow::Else | Flow::Case | Flow::Default));
                let indent = depth.saturating_sub(usize::from(hangs)).min(40);
                let fails = failing.is_some_and(|it| {
                    statement.span.start <= it.start && it.start < statement.span.end.max(1)
                });
                let mark = if fails { '>' } else { ' ' };
                let words: Vec<_> =
                    self.sources().snippet(statement.span).split_whitespace().collect();
                let text = words.join(" ");
                let is_header = head.is_some_and(Flow::opens);
                let end = if is_header && !text.ends_with(':') { ":" } else { ";" };
                let end = if is_header && text.ends_with(':') { "" } else { end };
                let blank = "  ".repeat(indent);
                out.push_str(&format!("{mark}{number:5}  {blank}{text}{end}\n"));
                if matches!(head, Some(Flow::If | Flow::Switch | Flow::For | Flow::Do | Flow::Sub))
                {
                    depth += 1;
                }
            }
        }
        out
    }
}
