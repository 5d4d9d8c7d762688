//! A file with its macros expanded, formatted for reading.

use std::fmt::{Result, Write};

use crate::errors;
use crate::expand::{Expander, Item, ItemKind, Items};
use crate::words::Kw;

/// Lines that fit are not broken.
const WIDTH: usize = 100;

/// Lists nested deeper than this are printed without further indentation.
const DEEPEST: usize = 200;

/// Writes every top-level form but `define`.
pub(crate) fn expanded(ctx: &mut Expander, out: &mut dyn Write) -> Result {
    let out = &mut Counted { out, left: ctx.limits().printed_bytes };
    let mut items = ctx.top_level();
    let mut first = true;
    while let Some(item) = items.next(ctx) {
        if ctx.head_kw(&item) == Some(Kw::Define) {
            continue;
        }
        if !std::mem::take(&mut first) {
            out.write_str("\n")?;
        }
        print(ctx, &item, 0, out)?;
        out.write_str("\n")?;
    }
    Ok(())
}

/// Counts what is written: a few long strings, repeated, are a bomb of their own.
struct Counted<'a> {
    out: &'a mut dyn Write,
    left: usize,
}

impl Write for Counted<'_> {
    fn write_str(&mut self, text: &str) -> Result {
        self.left = self.left.saturating_sub(text.len());
        if self.left == 0 { Ok(()) } else { self.out.write_str(text) }
    }
}

fn print(ctx: &mut Expander, item: &Item, indent: usize, out: &mut Counted<'_>) -> Result {
    if out.left == 0 {
        let limit = ctx.limits().printed_bytes;
        ctx.exhaust(item, errors::expansion_too_long(item.span, limit));
        return Ok(());
    }
    let mark = ctx.mark();
    let mut line = String::new();
    let room = WIDTH.saturating_sub(indent.min(WIDTH / 2));
    let room = if item.is_list() { room } else { usize::MAX };
    if flat(ctx, item, room, 0, &mut line) {
        ctx.forget(mark);
        return out.write_str(&line);
    }
    let mut items: Items = ctx.items(item);
    out.write_str("(")?;
    let mut is_head = true;
    while let Some(part) = items.next(ctx) {
        if is_head && !part.is_list() {
            let mut head = String::new();
            flat(ctx, &part, usize::MAX, 0, &mut head);
            out.write_str(&head)?;
        } else {
            if !is_head {
                write!(out, "\n{:1$}", "", (indent + 2).min(DEEPEST))?;
            }
            if indent / 2 < DEEPEST {
                print(ctx, &part, indent + 2, out)?;
            } else {
                out.write_str("…")?;
            }
        }
        is_head = false;
    }
    ctx.forget(mark);
    out.write_str(")")
}

/// Writes an item on one line; `false` if it does not fit in `room`.
fn flat(ctx: &mut Expander, item: &Item, room: usize, depth: usize, out: &mut String) -> bool {
    if depth > DEEPEST {
        return false;
    }
    match item.kind {
        ItemKind::Word(it) => out.push_str(ctx.text(it)),
        ItemKind::Text(it) => {
            // A long string is not copied only to see that it does not fit.
            if room != usize::MAX && out.len() + ctx.text(it).len() > room {
                return false;
            }
            out.push('"');
            out.push_str(ctx.text(it));
            out.push('"');
        }
        ItemKind::Missing => {}
        ItemKind::List(..) => {
            out.push('(');
            let mut items = ctx.items(item);
            let mut is_first = true;
            while let Some(part) = items.next(ctx) {
                if !std::mem::take(&mut is_first) {
                    out.push(' ');
                }
                if out.len() > room || !flat(ctx, &part, room, depth + 1, out) {
                    return false;
                }
            }
            out.push(')');
        }
    }
    out.len() <= room
}
