//! Messages as a person sees them in a terminal.
//!
//! Rule files are strangers' files: control characters and direction marks in
//! them are shown as placeholders and never reach the terminal.

use std::ops::Range;

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet, renderer::DecorStyle};

use crate::{Diagnostic, LineCol, Severity, Source, Sources, Span};

/// Places further apart than this many lines are shown in pictures of their own.
const NEAR: u32 = 12;

/// Lines longer than this many bytes are shown around the places only.
const LONG_LINE: usize = 300;

/// The width of the terminal that pictures are made for.
const WIDTH: usize = 140;

/// So much of a long line is shown on either side of a place, in bytes.
const AROUND: usize = 40;

/// Stands for what is left out of a long line.
const GAP: &str = " ... ";

/// Macro calls that are shown; the rest is counted.
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
    // Places in a line that was cut are near enough to one another for all to be shown.
    let cut = pictures.iter().filter(|it| it.at.is_some());
    let longest = cut.flat_map(|it| it.text.lines()).map(str::len).max().unwrap_or(0);
    let renderer = renderer.term_width((longest + 20).max(WIDTH));
    place(renderer.decor_style(DecorStyle::Ascii).render(&[group]), &pictures)
}

/// Puts the right columns in where lines were cut: what is left of a line is
/// drawn under a name that nothing else has, and counted from one.
fn place(mut shown: String, pictures: &[Picture]) -> String {
    for picture in pictures {
        let Some((name, LineCol { line, column })) = &picture.at else {
            continue;
        };
        let Some((before, after)) = shown.split_once(&*picture.path) else {
            continue;
        };
        let after = after.trim_start_matches(|it: char| it == ':' || it.is_ascii_digit());
        shown = format!("{before}{name}:{line}:{column}{after}");
    }
    shown
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
    /// If lines were cut, the file and place to name; `path` is then a placeholder.
    at: Option<(String, LineCol)>,
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
    let window = match low == high {
        true => narrowed(&source.text, start..end, notes.iter().map(|it| &it.1)),
        false => start..end,
    };
    let (line_start, start) = (start, window.start);
    let mut picture = Picture {
        path: printable(&source.name),
        text: String::new(),
        first_line: low + 1,
        marks: Vec::new(),
        at: None,
    };
    let mut ranges: Vec<Range<usize>> =
        notes.iter().map(|(_, it)| it.start - start..it.end - start).collect();
    let text = clean(source.text.get(window).unwrap_or(""));
    if text.split('\n').any(|it| it.len() > LONG_LINE) {
        let main = notes.iter().min_by_key(|(note, it)| (!note.is_primary, it.start));
        let at = lines.line_col(&source.text, main.map_or(line_start, |(_, it)| it.start) as u32);
        // No name has control characters by now.
        let placeholder = format!("\u{1}{start}\u{1}");
        picture.at = Some((std::mem::replace(&mut picture.path, placeholder), at));
        picture.text = cut(&text, &mut ranges);
    } else {
        picture.text = text;
    }
    let marks = notes.iter().zip(ranges).map(|((note, _), range)| Mark {
        range,
        text: note.text.clone(),
        is_primary: note.is_primary,
    });
    picture.marks = marks.collect();
    picture
}

/// The part of a line that is worth looking at: of a line of megabytes, only what is around
/// the ranges, with more than is shown on either side.
fn narrowed<'r>(
    text: &str,
    line: Range<usize>,
    ranges: impl Iterator<Item = &'r Range<usize>> + Clone,
) -> Range<usize> {
    if line.len() <= 16 * LONG_LINE {
        return line;
    }
    let first = ranges.clone().map(|it| it.start).min().unwrap_or(line.start);
    let last = ranges.map(|it| it.end.min(it.start + LONG_LINE)).max().unwrap_or(line.start);
    let from = boundary(text, first.saturating_sub(2 * LONG_LINE)).max(line.start);
    let to = boundary(text, last + 2 * LONG_LINE).min(line.end);
    from..to
}

/// Leaves of each long line what is around the ranges, and moves these along.
fn cut(text: &str, ranges: &mut [Range<usize>]) -> String {
    let mut out = String::new();
    let mut moved = ranges.to_vec();
    let mut start = 0;
    for line in text.split('\n') {
        let end = start + line.len();
        for kept in kept_parts(text, start..end, ranges) {
            if kept.start > start {
                out.push_str(GAP);
            }
            for (range, moved) in ranges.iter().zip(&mut moved) {
                if kept.contains(&range.start) || range.start == end && kept.end == end {
                    let at = out.len() + range.start - kept.start;
                    *moved = at..at + range.end.min(kept.end).saturating_sub(range.start);
                }
            }
            out.push_str(text.get(kept.clone()).unwrap_or(""));
            if kept.end < end && !ranges.iter().any(|it| it.start > kept.end && it.start <= end) {
                out.push_str(GAP);
            }
        }
        out.push('\n');
        start = end + 1;
    }
    out.pop();
    ranges.clone_from_slice(&moved);
    out
}

/// The parts of a line that are shown.
fn kept_parts(text: &str, line: Range<usize>, ranges: &[Range<usize>]) -> Vec<Range<usize>> {
    if line.len() <= LONG_LINE {
        return vec![line];
    }
    let mut here: Vec<_> =
        ranges.iter().filter(|it| line.start <= it.start && it.start <= line.end).collect();
    here.sort_by_key(|it| (it.start, it.end));
    let mut kept: Vec<Range<usize>> = Vec::new();
    for range in here {
        let from = boundary(text, range.start.saturating_sub(AROUND)).max(line.start);
        let to = range.end.min(range.start + LONG_LINE / 3) + AROUND;
        let to = boundary(text, to).min(line.end);
        match kept.last_mut() {
            Some(last) if from <= last.end + GAP.len() => last.end = last.end.max(to),
            _ => kept.push(from..to),
        }
    }
    if kept.is_empty() {
        kept.push(line.start..boundary(text, line.start + LONG_LINE / 3));
    }
    kept
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
    fn a_message_in_a_line_of_megabytes_shows_what_is_around_it() {
        let text = format!("{}wolf{}", "a ".repeat(1 << 20), " b".repeat(1 << 20));
        let mut sources = Sources::default();
        sources.add("pond.zrf", text.as_bytes());
        let start = sources.files()[0].start + (2 << 20);
        let diagnostic = Diagnostic::error(Code("Z0001"), Span::new(start, start + 4), "howls");
        let shown = render(&diagnostic, &sources, false);
        assert!(shown.contains("pond.zrf:1:2097153"), "{shown}");
        assert!(shown.contains("a a wolf b b"), "{shown}");
        assert!(shown.len() < 1000, "{}", shown.len());
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
        let text = format!("{}wolf{}", "ä".repeat(250_000), "x ".repeat(250_000));
        let shown =
            draw(&text, Diagnostic::warning(Code("Z0001"), Span::new(500_000, 500_004), "m"));
        assert!(shown.contains("wolf") && shown.len() < 500, "{}", shown.len());
        assert!(shown.contains("pond.zrf:1:250001\n"), "{shown}");
    }

    #[test]
    fn several_places_in_a_long_line_are_all_shown() {
        let text =
            format!("(x)\n{}wolf{}sheep{}", "a ".repeat(500), "b ".repeat(400), "c ".repeat(99));
        let diagnostic = Diagnostic::error(Code("Z0001"), Span::new(1808, 1813), "no sheep here")
            .under("this one")
            .label(Span::new(1004, 1008), "eaten by this")
            .label(Span::new(1, 2), "which is there");
        let shown = draw(&text, diagnostic);
        assert!(shown.contains(" --> pond.zrf:2:1805\n"), "{shown}");
        let drawn: Vec<&str> = shown.lines().skip(3).collect();
        let [first, under_first, second, under_second] = drawn.as_slice() else {
            panic!("{shown}");
        };
        assert_eq!((*first, *under_first), ("1 | (x)", "  |  - which is there"));
        assert!(second.starts_with("2 |  ... a a") && second.ends_with("c c  ... "), "{shown}");
        let is_under = |mark: &str, word: &str| under_second.find(mark) == second.find(word);
        assert!(is_under("---- eaten by this", "wolf"), "{shown}");
        assert!(is_under("^^^^^ this one", "sheep"), "{shown}");
        assert!(second.len() < 240, "{shown}");
    }

    #[test]
    fn a_place_behind_a_long_line_is_where_it_was() {
        let text = format!("({}\n", "ä ".repeat(300));
        let end = text.len() as u32;
        let diagnostic = Diagnostic::error(Code("Z0001"), Span::new(end, end), "it ends")
            .label(Span::new(0, 1), "open")
            .label(Span::new(end - 1, end), "here");
        let shown = draw(&text, diagnostic);
        assert!(shown.contains(" --> pond.zrf:2:1\n") && shown.contains("open"), "{shown}");
    }
}
