//! Runs the annotated rule files under `tests/suite` at the root of the repository.
//!
//! A file is cut into sections by lines `;;; name attributes`; each is compiled
//! by itself, every variant of it. What the compiler says stands in comments
//! under the line it says it about, and so do answers to `; expect …` questions
//! (see `dump`). The runner strips these comments, compiles, writes them again
//! and compares: every message must be expected, and every expectation met.
//!
//! With `BLESS_SUITE=1` in the environment the files are rewritten instead.
//! `tests/suite/README.md` explains the notation to those who write cases.

#![expect(clippy::disallowed_methods, reason = "cases and documents are files")]

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    sync::OnceLock,
};

use boardwright_text::{Diagnostic, Sources, Span};
use boardwright_zrf::{CODES, RuleFile, keywords, load, option_names};

#[path = "suite/dump.rs"]
mod dump;
#[path = "suite/setting.rs"]
mod setting;

use setting::{Memory, limits};

/// The name under which a section's own text is compiled.
const MAIN: &str = "pond.zrf";

// --- Sections ---------------------------------------------------------------

/// One case: a rule file and what it includes.
struct Section {
    /// The line that begins it.
    header: String,
    /// The rule file, then the files after lines `;;;; name`.
    texts: Vec<(String, String)>,
}

/// The comment at the top of a suite file, and its sections.
fn sections(text: &str) -> (String, Vec<Section>) {
    let mut preamble = String::new();
    let mut sections: Vec<Section> = Vec::new();
    for line in text.split_inclusive('\n') {
        if let Some(name) = line.strip_prefix(";;;; ") {
            let section = sections.last_mut().expect("a file belongs to a section");
            section.texts.push((name.trim().to_owned(), String::new()));
        } else if line.starts_with(";;; ") {
            let texts = vec![(MAIN.to_owned(), String::new())];
            sections.push(Section { header: line.trim().to_owned(), texts });
        } else {
            let open = sections.last_mut().and_then(|it| it.texts.last_mut());
            open.map_or(&mut preamble, |(_, text)| text).push_str(line);
        }
    }
    (preamble, sections)
}

/// A text without what the runner writes into it.
fn strip(text: &str) -> String {
    let mut out = String::new();
    let mut after_message = false;
    let mut after_question = false;
    for line in text.split_inclusive('\n') {
        let comment = line.strip_prefix(';').map(str::trim_start).unwrap_or("");
        let marks = comment.trim_start_matches(['<', '^']);
        let is_message = [" error[", " warning["].iter().any(|it| marks.starts_with(it))
            && marks.len() < comment.len()
            || comment.starts_with("elsewhere: ");
        let is_more = after_message
            && ["under: ", "label ", "help: ", "macro: "].iter().any(|it| comment.starts_with(it));
        let is_answer = after_question && line.starts_with(";     ");
        if let Some(question) = line.strip_prefix("; expect ") {
            let end = question.find(": ").unwrap_or(question.trim_end().len() - 1);
            out.push_str(&format!("; expect {}:\n", &question[..end]));
        } else if !is_message && !is_more && !is_answer {
            out.push_str(line);
        }
        after_message = is_message || is_more;
        after_question = line.starts_with("; expect ") || is_answer;
    }
    out
}

// --- What the compiler says, as comments ------------------------------------

/// Compiles a section and writes it with the comments that are true of it.
fn annotate(section: &Section, base: &str, codes: &mut BTreeSet<&'static str>) -> String {
    let attributes: Vec<_> = section.header.split_whitespace().skip(2).collect();
    let stripped: Vec<_> =
        section.texts.iter().map(|(name, text)| (name.clone(), strip(text))).collect();
    let mut main = stripped[0].1.clone();
    if attributes.contains(&"+base") {
        main.push_str(base);
    }
    let mut files = Memory(&stripped);
    let mut file = load(MAIN, main.as_bytes(), &mut files, &limits(&attributes));
    file.check();
    let diagnostics = file.diagnostics();
    codes.extend(diagnostics.iter().map(|it| it.code.0));
    let mut out = format!("{}\n", section.header);
    let mut said = vec![false; diagnostics.len()];
    for (idx, (name, text)) in stripped.iter().enumerate() {
        if idx > 0 {
            out.push_str(&format!(";;;; {name}\n"));
        }
        for (row, line) in text.split_inclusive('\n').enumerate() {
            match line.strip_prefix("; expect ").map(|it| it.trim_end().trim_end_matches(':')) {
                Some(question) => out.push_str(&answered(question, &mut file)),
                None => out.push_str(line),
            }
            for (diagnostic, said) in diagnostics.iter().zip(&mut said) {
                if let Some((column, len)) = place(diagnostic, file.sources(), name, row) {
                    out.push_str(&message(diagnostic, file.sources(), column, len));
                    *said = true;
                }
            }
        }
    }
    for (diagnostic, _) in diagnostics.iter().zip(said).filter(|(_, said)| !said) {
        let at = file.sources().snippet(diagnostic.span).lines().next().unwrap_or("").to_owned();
        let text = &diagnostic.message;
        out.push_str(&format!("; elsewhere: {} at `{at}`: {text}\n", diagnostic.code));
    }
    out
}

/// The column and length of a message, if it is about this line; from zero, in characters.
fn place(it: &Diagnostic, sources: &Sources, name: &str, row: usize) -> Option<(usize, usize)> {
    let (source, range) = sources.locate(it.span)?;
    let lines = source.lines();
    let line = lines.line_of(range.start as u32);
    if &*source.name != name || line as usize != row {
        return None;
    }
    let start = lines.start_of(line) as usize;
    let column = source.text[start..range.start].chars().count();
    let covered = source.text[range].lines().next().unwrap_or("");
    Some((column, covered.chars().count().max(1)))
}

fn message(it: &Diagnostic, sources: &Sources, column: usize, len: usize) -> String {
    let severity = if it.is_error() { "error" } else { "warning" };
    // Where the semicolon stands no mark can: `<` says that they are one too far right.
    let marks = match column {
        0 => format!("<{}", "^".repeat(len - 1)),
        _ => format!("{}{}", " ".repeat(column - 1), "^".repeat(len)),
    };
    let mut out = format!(";{marks} {severity}[{}]: {}\n", it.code, it.message);
    let mut more = |text: String| out.push_str(&format!(";   {text}\n"));
    if !it.label.is_empty() {
        more(format!("under: {}", it.label));
    }
    for label in &it.labels {
        more(format!("label {}: {}", start_of(sources, label.span), label.text));
    }
    for hint in &it.hints {
        more(format!("help: {hint}"));
    }
    if !it.trace.is_empty() {
        let names: Vec<_> = it.trace.iter().take(4).map(|it| it.name.as_str()).collect();
        let rest = if it.trace.len() > 4 { ", …" } else { "" };
        more(format!("macro: {}{rest}", names.join(", ")));
    }
    out
}

/// A place as line and text, which is cut where it gets long.
fn start_of(sources: &Sources, span: Span) -> String {
    let line = sources.line_col(span).map_or(0, |(_, at)| at.line);
    let text: String = sources.snippet(span).chars().take_while(|it| *it != '\n').collect();
    let short: String = text.chars().take(24).collect();
    format!("{line} `{short}{}`", if short.len() < text.len() { "…" } else { "" })
}

fn answered(question: &str, file: &mut RuleFile) -> String {
    let answer = dump::answer(question, file);
    let lines: Vec<_> = answer.lines().collect();
    match lines.as_slice() {
        [] => format!("; expect {question}: nothing\n"),
        [line] if line.len() + question.len() < 80 => format!("; expect {question}: {line}\n"),
        _ => {
            let lines: String = lines.iter().map(|it| format!(";     {it}\n")).collect();
            format!("; expect {question}:\n{lines}")
        }
    }
}

// --- The tests --------------------------------------------------------------

/// What running the whole suite showed.
#[derive(Default)]
struct Report {
    failures: Vec<String>,
    n_sections: usize,
    codes: BTreeSet<&'static str>,
    /// Every word and string of every section.
    words: BTreeSet<String>,
}

fn report() -> &'static Report {
    static REPORT: OnceLock<Report> = OnceLock::new();
    REPORT.get_or_init(|| {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/suite");
        let base = fs::read_to_string(root.join("base.inc")).expect("the base game is there");
        let mut files = Vec::new();
        collect(&root, &mut files);
        let mut report = Report::default();
        report.note_words(&base);
        for path in files {
            run(&path, &root, &base, &mut report);
        }
        report
    })
}

/// Every `.zrf` file under a folder, in the order of their names.
fn collect(folder: &Path, out: &mut Vec<PathBuf>) {
    let entries = fs::read_dir(folder).expect("the folder can be read");
    let mut paths: Vec<_> = entries.map(|it| it.expect("an entry can be read").path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            collect(&path, out);
        } else if path.extension().is_some_and(|it| it == "zrf") {
            out.push(path);
        }
    }
}

fn run(path: &Path, root: &Path, base: &str, report: &mut Report) {
    let text = fs::read_to_string(path).expect("a suite file is UTF-8");
    let shown = path.strip_prefix(root).unwrap_or(path).display().to_string();
    let (mut whole, sections) = sections(&text);
    let mut names = BTreeSet::new();
    for section in &sections {
        let name = section.header.split_whitespace().nth(1).unwrap_or("").to_owned();
        let found = annotate(section, base, &mut report.codes);
        let expected: String =
            section.texts.iter().skip(1).fold(
                format!("{}\n{}", section.header, section.texts[0].1),
                |all, (name, text)| format!("{all};;;; {name}\n{text}"),
            );
        if found != expected {
            let diff = difference(&expected, &found);
            report.failures.push(format!("{shown}, section {name}:\n{diff}"));
        }
        if !names.insert(name.clone()) {
            report.failures.push(format!("{shown}: two sections are called {name}"));
        }
        whole.push_str(&found);
        section.texts.iter().for_each(|(_, text)| report.note_words(text));
        report.n_sections += 1;
    }
    if boardwright_golden::SUITE.is_blessed() && whole != text {
        fs::write(path, whole).expect("a suite file can be written");
    }
}

impl Report {
    /// Notes the words of a text, comments left out, and its strings as wholes.
    fn note_words(&mut self, text: &str) {
        let lines = text.lines().filter(|it| !it.starts_with(';'));
        let text: String = lines.flat_map(|it| [it, "\n"]).collect();
        for (idx, part) in text.split('"').enumerate() {
            if idx % 2 == 1 {
                self.words.insert(part.to_owned());
            } else {
                let words = part.split(|it: char| it.is_whitespace() || "();".contains(it));
                self.words.extend(words.map(str::to_owned));
            }
        }
    }

    fn missing<'a>(&self, all: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
        all.filter(|it| !self.words.contains(*it)).collect()
    }
}

/// The lines of two texts that differ, with the lines around them.
fn difference(expected: &str, found: &str) -> String {
    let (old, new): (Vec<_>, Vec<_>) = (expected.lines().collect(), found.lines().collect());
    let same = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let rest = old.len().min(new.len()) - same;
    let tail = old.iter().rev().zip(new.iter().rev()).take(rest).take_while(|(a, b)| a == b);
    let tail = tail.count();
    let mut out = String::new();
    let mut push = |mark: &str, lines: &[&str]| {
        lines.iter().for_each(|it| out.push_str(&format!("{mark} {it}\n")));
    };
    push(" ", &old[same.saturating_sub(3)..same]);
    push("-", &old[same..old.len() - tail]);
    push("+", &new[same..new.len() - tail]);
    push(" ", &old[old.len() - tail..(old.len() - tail + 2).min(old.len())]);
    out
}

#[test]
fn suite() {
    let report = report();
    let n = report.failures.len();
    let shown = report.failures.join("\n");
    assert!(n == 0, "{n} of {} sections: expected -, found +\n\n{shown}", report.n_sections);
}

#[test]
fn every_code_is_produced() {
    let missing: Vec<_> =
        CODES.iter().filter(|(code, _)| !report().codes.contains(code.0)).collect();
    assert!(missing.is_empty(), "no section of the suite produces {missing:?}");
}

#[test]
fn every_keyword_is_used() {
    let missing = report().missing(keywords());
    assert!(missing.is_empty(), "no section of the suite uses {missing:?}");
}

#[test]
fn every_condition_is_negated() {
    let negated: Vec<_> =
        keywords().filter(|it| it.ends_with('?')).map(|it| format!("not-{it}")).collect();
    let missing = report().missing(negated.iter().map(String::as_str));
    assert!(missing.is_empty(), "no section of the suite uses {missing:?}");
}

#[test]
fn every_option_is_set() {
    let missing = report().missing(option_names());
    assert!(missing.is_empty(), "no section of the suite sets {missing:?}");
}
