//! Instructions in `moves` and `drops` that stand in no block.

use boardwright_game::{BlockKind, TraceId};
use boardwright_text::{Expansion, Span};

use super::{Coder, INSTRUCTIONS};
use crate::{errors, expand::Item, words::Kw};

/// How an item of `moves` looks.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Look {
    /// It can be no block: a word, or an instruction that has arguments.
    Loose,
    /// It could be a block or an instruction, such as `(capture n)`.
    Either,
    Block,
}

/// The macro calls between `moves` and an item.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
struct Way {
    trace: TraceId,
    outermost: Option<Span>,
    n_calls: usize,
}

impl Coder<'_> {
    /// The items that may be blocks. A block that lacks its parentheses is one
    /// mistake, however many items it has, and gets one message.
    pub(super) fn without_loose(
        &mut self,
        kind: BlockKind,
        part: &Item,
        items: Vec<Item>,
    ) -> Vec<Item> {
        let looks: Vec<_> = items.iter().map(|it| self.look(it)).collect();
        if !looks.contains(&Look::Loose) {
            return items;
        }
        let outside = self.ctx.items(part).trace();
        let around = self.ctx.traces.chain(outside);
        let mut way = Way { trace: outside, ..Way::default() };
        let ways: Vec<_> = items
            .iter()
            .map(|item| {
                if item.trace != way.trace {
                    way = self.way(item.trace, &around);
                }
                way
            })
            .collect();
        let all: Vec<_> = items.into_iter().zip(looks).zip(ways).collect();
        // What another call in `moves` gives is another block.
        let runs = all.chunk_by(|((_, a), a_way), ((_, b), b_way)| {
            *a != Look::Block && *b != Look::Block && a_way.outermost == b_way.outermost
        });
        let mut kept = Vec::new();
        for run in runs {
            let mut loose = run.iter().filter(|((_, look), _)| *look == Look::Loose);
            match loose.next() {
                None => kept.extend(run.iter().map(|((item, _), _)| *item)),
                Some(((first, _), way)) => {
                    // The macro around them all is the one to blame.
                    let inside = loose.min_by_key(|(_, it)| it.n_calls);
                    let inside = inside.filter(|(_, it)| it.n_calls < way.n_calls);
                    let (item, way) = inside.map_or((first, way), |((item, _), way)| (item, way));
                    self.report_loose(kind, item, way);
                }
            }
        }
        kept
    }

    fn report_loose(&mut self, kind: BlockKind, item: &Item, way: &Way) {
        let of = if kind == BlockKind::Move { "moves" } else { "drops" };
        let body_of = self.ctx.traces.chain(item.trace).into_iter().next();
        let called = item.word().filter(|it| self.ctx.is_macro(*it));
        let error = match (body_of, called) {
            (Some(it), _) if way.n_calls > 0 => {
                errors::body_is_no_block(it.definition, of, &it.name)
            }
            (_, Some(name)) => errors::macro_without_parentheses(item.span, &self.text(name)),
            _ => errors::not_a_block(item.span, of),
        };
        self.ctx.report(item, error);
    }

    fn look(&mut self, item: &Item) -> Look {
        if !item.is_list() {
            return Look::Loose;
        }
        let Some(head) = self.ctx.head(item) else {
            return Look::Block;
        };
        if self.vocab.direction(head).is_some() || self.vocab.site(head).is_some() {
            return Look::Block;
        }
        match Kw::of(head) {
            Some(
                Kw::ChangeType
                | Kw::Go
                | Kw::If
                | Kw::Opposite
                | Kw::SetAttribute
                | Kw::SetFlag
                | Kw::SetPositionFlag
                | Kw::Verify
                | Kw::While,
            ) => Look::Loose,
            Some(kw) if INSTRUCTIONS.contains(&kw.text()) => Look::Either,
            _ => Look::Block,
        }
    }

    /// `around` holds the calls around `moves` itself. A call that is an argument
    /// of those does not stand in them.
    fn way(&self, trace: TraceId, around: &[Expansion]) -> Way {
        let chain = self.ctx.traces.chain(trace);
        let shared = chain.iter().rev().zip(around.iter().rev()).take_while(|(a, b)| a == b);
        let n_calls = chain.len() - shared.count();
        let outermost = n_calls.checked_sub(1).and_then(|it| chain.get(it)).map(|it| it.call);
        Way { trace, outermost, n_calls }
    }
}
