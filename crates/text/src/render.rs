//! Messages as a person sees them in a terminal.
//!
//! Rule files are strangers' files: control characters and direction marks in
//! them are shown as placeholders and never reach the terminal.

use std::ops::Range;

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet, renderer::DecorStyle};

use crate::{Diagnostic, Severity, Source, Sources, Span};

/// Places further apart than this many lines are shown in pictures of their own.
const NEAR: u32 = 12;

/// Lines longer than this many bytes are shown around the place only.
const LONG_LINE: usize = 300;

/// So many macro calls are shown; the rest is counted.
const CALLS_SHOWN: usize = 3;

/// Draws one message. `color` asks for terminal colours.
pub fn render(diagnostic: &Diagnostic, sources: &Sources, color: bool) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let message = printable(&diagnostic.message);
    let title = level.primary_title(message).id(diagnostic.code.0);
    let (notes, n_hidden) = notes(diagnostic, sources);
    let pictures = pictures(&notes, sources);
    let mut group: Group<'_> = Group::with_title(title);
    for picture in &pictures {
        let annotations = picture.marks.iter().map(|mark| {
            let kind =
                if mark.is_primary { AnnotationKind::Primary } else { AnnotationKind::Context };
            kind.span(mark.range.clone()).label(&*mark.text)
        });
        group = group.element(
            Snippet::source(&*picture.text)
                .line_start(picture.first_line as usize)
                .path(&*picture.path)
                .annotations(annotations),
        );
    }
    if n_hidden > 0 {
        group =
            group.element(Level::NOTE.message(format!("and {n_hidden} more macro calls around")));
    }
    for hint in &diagnostic.hints {
        group = group.element(Level::HELP.message(printable(hint)));
    }
    let renderer = if color { Renderer::styled() } else { Renderer::plain() };
    renderer.decor_style(DecorStyle::Ascii).render(&[group])
}

/// A place to mark and what to write under it.
struct Note {
    span: Span,
    text: String,
    is_primary: bool,
}

/// The places a message is about, the main one first, and how many calls are left out.
fn notes(diagnostic: &Diagnostic, sources: &Sources) -> (Vec<Note>, usize) {
    let main = Note { span: diagnostic.span, text: printable(&diagnostic.label), is_primary: true };
    let mut notes = vec![main];
    for label in &diagnostic.labels {
        notes.push(Note { span: label.span, text: printable(&label.text), is_primary: false });
    }
    for call in diagnostic.trace.iter().take(CALLS_SHOWN) {
        let name = printable(&call.name);
        let is_argument =
            call.call.start <= diagnostic.span.start && diagnostic.span.end <= call.call.end;
        let (span, text) = if is_argument {
            (call.definition, format!("the macro `{name}` is defined here"))
        } else {
            (call.call, format!("in this use of the macro `{name}`"))
        };
        notes.push(Note { span, text, is_primary: false });
    }
    notes.retain(|it| sources.locate(it.span).is_some());
    (notes, diagnostic.trace.len().saturating_sub(CALLS_SHOWN))
}

struct Mark {
    range: Range<usize>,
    text: String,
    is_primary: bool,
}

/// A few lines of one file with marks in them.
struct Picture {
    path: String,
    text: String,
    first_line: u32,
    marks: Vec<Mark>,
}

fn pictures(notes: &[Note], sources: &Sources) -> Vec<Picture> {
    // Cluster first: notes near one another in one file share a picture.
    let mut clusters: Vec<Cluster<'_>> = Vec::new();
    for note in notes {
        let Some((source, range)) = sources.locate(note.span) else {
            continue;
        };
        let range = first_line_of(&source.text, range);
        let line = source.lines().line_of(range.start as u32);
        let near = clusters.iter_mut().find(|it| {
            it.source.start == source.start && line + NEAR >= it.low && line <= it.high + NEAR
        });
        match near {
            Some(it) => {
                (it.low, it.high) = (line.min(it.low), line.max(it.high));
                it.notes.push((note, range));
            }
            None => {
                clusters.push(Cluster { source, low: line, high: line, notes: vec![(note, range)] })
            }
        }
    }
    clusters.iter().map(picture).collect()
}

/// Notes that share a picture, and the lines it must show, from zero.
struct Cluster<'a> {
    source: &'a Source,
    low: u32,
    high: u32,
    notes: Vec<(&'a Note, Range<usize>)>,
}

fn picture(cluster: &Cluster<'_>) -> Picture {
    let Cluster { source, low, high, ref notes } = *cluster;
    let lines = source.lines();
    let start = lines.start_of(low) as usize;
    let end = if high + 1 < lines.n_lines() {
        lines.start_of(high + 1) as usize
    } else {
        source.text.len()
    };
    let mut window = start..end;
    let first = notes.iter().map(|(_, it)| it.start).min().unwrap_or(start);
    let last = notes.iter().map(|(_, it)| it.end).max().unwrap_or(end);
    let n_lines = (high - low + 1) as usize;
    if window.len() > LONG_LINE * n_lines {
        window.start =
            boundary(&source.text, window.start.max(first.saturating_sub(LONG_LINE / 3)));
        window.end = boundary(&source.text, window.end.min(last.saturating_add(LONG_LINE)));
        // Marks very far apart in one endless line: the first one has to do.
        if window.len() > LONG_LINE * 20 {
            window.end = boundary(&source.text, window.start + LONG_LINE * 2);
        }
    }
    let text = clean(source.text.get(window.clone()).unwrap_or(""));
    let clip = |it: &Range<usize>| {
        let from = it.start.clamp(window.start, window.end) - window.start;
        let to = it.end.clamp(window.start, window.end) - window.start;
        from..to.max(from)
    };
    let marks = notes.iter().map(|(note, range)| Mark {
        range: clip(range),
        text: note.text.clone(),
        is_primary: note.is_primary,
    });
    Picture { path: printable(&source.name), marks: marks.collect(), first_line: low + 1, text }
}

/// A range cut at the end of its first line.
fn first_line_of(text: &str, range: Range<usize>) -> Range<usize> {
    let covered = text.get(range.clone()).unwrap_or("");
    let len = covered.find(['\n', '\r']).unwrap_or(covered.len());
    range.start..range.start + len
}

/// The start of the character that holds byte `at`.
fn boundary(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// Source text for showing: no control characters, every line end `\n`, and
/// each byte where it was.
fn clean(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(ch) = chars.next() {
        match ch {
            '\n' | '\t' => out.push(ch),
            '\r' => out.push(if chars.peek() == Some(&'\n') { ' ' } else { '\n' }),
            _ if !is_harmful(ch) => out.push(ch),
            // A placeholder as many bytes long as what it stands for.
            _ => out.push_str(match ch.len_utf8() {
                1 => "?",
                2 => "¿",
                _ => "\u{FFFD}",
            }),
        }
    }
    out
}

/// A name or message for showing, on one line.
pub fn printable(text: &str) -> String {
    text.chars().map(|it| if is_harmful(it) { '?' } else { it }).collect()
}

fn is_harmful(ch: char) -> bool {
    ch.is_control()
        || matches!(ch, '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{2069}' | '\u{FEFF}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Code;

    fn draw(text: &str, diagnostic: Diagnostic) -> String {
        let mut sources = Sources::new();
        sources.add("pond.zrf", text.as_bytes());
        render(&diagnostic, &sources, false)
    }

    #[test]
    fn a_message_shows_its_line() {
        let text = "(game)\r\n(wolf e4)\r\n";
        let shown = draw(
            text,
            Diagnostic::error(Code("Z0001"), Span::new(9, 13), "no wolf here")
                .under("this one")
                .hint("try a sheep".to_owned()),
        );
        let expect = "\
error[Z0001]: no wolf here
 --> pond.zrf:2:2
  |
2 | (wolf e4) 
  |  ^^^^ this one
  |
  = help: try a sheep";
        assert_eq!(shown, expect);
    }

    #[test]
    fn escape_codes_in_a_file_do_not_reach_the_terminal() {
        let text = "(\u{1b}[31m\u{202e}wolf)\r(x)";
        let shown = draw(text, Diagnostic::warning(Code("Z0001"), Span::new(1, 5), "a\u{7}b"));
        assert!(!shown.contains(['\u{1b}', '\u{7}', '\u{202e}']), "{shown}");
    }

    #[test]
    fn an_endless_line_is_shown_around_the_place() {
        let text = format!("{}wolf{}", "ä".repeat(50_000), "x ".repeat(50_000));
        let shown =
            draw(&text, Diagnostic::warning(Code("Z0001"), Span::new(100_000, 100_004), "m"));
        assert!(shown.contains("wolf") && shown.len() < 3000, "{}", shown.len());
    }
}
