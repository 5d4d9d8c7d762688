//! `boardwright check`: what is wrong with rule files.

use std::{
    io::{self, Write},
    path::PathBuf,
    process::ExitCode,
};

use anyhow::Result;
use boardwright_text::{Diagnostic, Sources, render::render};
use serde::Serialize;

use crate::{files, out};

/// The code of a file that cannot be read at all; the others are the compiler's.
const UNREADABLE: &str = "Z0000";

/// Say what is wrong with rule files, and how to mend it.
///
/// Every game and variant of every file is compiled. Errors keep a game from
/// being played; warnings do not.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Rule files
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Print one JSON object a line instead of pictures
    #[arg(long)]
    json: bool,
    /// Leave out warnings
    #[arg(long, short)]
    quiet: bool,
    /// Use colours
    #[arg(long, value_enum, default_value = "auto")]
    color: out::Color,
}

#[derive(Default)]
struct Tally {
    n_ok: usize,
    n_warned: usize,
    n_failed: usize,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let mut tally = Tally::default();
    let stdout = io::stdout();
    let mut stdout = io::BufWriter::new(stdout.lock());
    for path in &args.files {
        let shown = path.display().to_string();
        match files::load(path) {
            Ok(mut file) => {
                file.check();
                let diagnostics = file.diagnostics();
                tally.add(&diagnostics);
                let kept = diagnostics.iter().filter(|it| it.is_error() || !args.quiet);
                let kept: Vec<_> = kept.collect();
                if args.json {
                    write_json(&mut stdout, &shown, &kept, file.sources())?;
                } else {
                    for diagnostic in &kept {
                        let picture = render(diagnostic, file.sources(), args.color.is_on());
                        writeln!(stdout, "{picture}\n")?;
                    }
                    let n_hidden = diagnostics.len() - kept.len();
                    // A blank line sets off what pictures belong to.
                    let end = if kept.is_empty() { "" } else { "\n" };
                    writeln!(stdout, "{}{end}", verdict(&shown, &kept, n_hidden))?;
                    if file.n_left_out() > 0 {
                        writeln!(
                            stdout,
                            "{shown}: {} more messages left out\n",
                            file.n_left_out()
                        )?;
                    }
                }
            }
            Err(error) => {
                tally.n_failed += 1;
                stdout.flush()?;
                if args.json {
                    writeln!(stdout, "{}", unread(&shown, &format!("{error:#}"))?)?;
                } else {
                    out::complain(&format!("{error:#}"));
                }
            }
        }
    }
    if !args.json {
        writeln!(
            stdout,
            // One form for any number: scripts read this line.
            "{} files: {} ok, {} with warnings, {} with errors",
            args.files.len(),
            tally.n_ok,
            tally.n_warned,
            tally.n_failed
        )?;
    }
    stdout.flush()?;
    Ok(ExitCode::from(u8::from(tally.n_failed > 0)))
}

impl Tally {
    fn add(&mut self, diagnostics: &[Diagnostic]) {
        if diagnostics.iter().any(Diagnostic::is_error) {
            self.n_failed += 1;
        } else if diagnostics.is_empty() {
            self.n_ok += 1;
        } else {
            self.n_warned += 1;
        }
    }
}

/// One line about a file: what was shown, and how many warnings were not.
fn verdict(name: &str, shown: &[&Diagnostic], n_hidden: usize) -> String {
    let n_errors = shown.iter().filter(|it| it.is_error()).count();
    let n_warnings = shown.len() - n_errors;
    let mut parts = Vec::new();
    if n_errors > 0 {
        parts.push(out::count(n_errors, "error", "errors"));
    }
    if n_warnings > 0 {
        parts.push(out::count(n_warnings, "warning", "warnings"));
    }
    if n_hidden > 0 {
        parts.push(out::count(n_hidden, "warning not shown", "warnings not shown"));
    }
    let parts = if parts.is_empty() { "ok".to_owned() } else { parts.join(", ") };
    format!("{name}: {parts}")
}

/// The message about a file that could not be read, on the wire.
fn unread(name: &str, message: &str) -> Result<String> {
    let message = Message {
        file: name,
        code: UNREADABLE,
        severity: "error",
        message,
        at: None,
        label: "",
        labels: Vec::new(),
        hints: &[],
        macros: Vec::new(),
    };
    Ok(serde_json::to_string(&message)?)
}

/// A message on the wire: places are one-based lines and columns.
#[derive(Serialize)]
struct Message<'a> {
    file: &'a str,
    code: &'a str,
    severity: &'static str,
    message: &'a str,
    at: Option<Place>,
    label: &'a str,
    labels: Vec<Labelled<'a>>,
    hints: &'a [String],
    macros: Vec<MacroCall<'a>>,
}

#[derive(Serialize)]
struct Place {
    file: String,
    line: u32,
    column: u32,
    end_line: u32,
    end_column: u32,
}

#[derive(Serialize)]
struct Labelled<'a> {
    at: Option<Place>,
    text: &'a str,
}

#[derive(Serialize)]
struct MacroCall<'a> {
    name: &'a str,
    used: Option<Place>,
    defined: Option<Place>,
}

fn write_json(
    out: &mut dyn Write,
    name: &str,
    diagnostics: &[&Diagnostic],
    sources: &Sources,
) -> Result<()> {
    let place = |span: boardwright_text::Span| {
        let (file, start) = sources.line_col(span)?;
        let (_, end) = sources.line_col(span.after()).unwrap_or((file, start));
        Some(Place {
            file: file.to_owned(),
            line: start.line,
            column: start.column,
            end_line: end.line,
            end_column: end.column,
        })
    };
    for it in diagnostics {
        let message = Message {
            file: name,
            code: it.code.0,
            severity: if it.is_error() { "error" } else { "warning" },
            message: &it.message,
            at: place(it.span),
            label: &it.label,
            labels: it
                .labels
                .iter()
                .map(|it| Labelled { at: place(it.span), text: &it.text })
                .collect(),
            hints: &it.hints,
            macros: it
                .trace
                .iter()
                .map(|it| MacroCall {
                    name: &it.name,
                    used: place(it.call),
                    defined: place(it.definition),
                })
                .collect(),
        };
        writeln!(out, "{}", serde_json::to_string(&message)?)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use boardwright_text::{Code, Span};

    use super::*;

    #[test]
    fn a_file_with_hidden_warnings_is_not_called_ok() {
        let error = Diagnostic::error(Code("Z0001"), Span::default(), "e");
        let warning = Diagnostic::warning(Code("Z0001"), Span::default(), "w");
        assert_eq!(verdict("x.zrf", &[], 0), "x.zrf: ok");
        assert_eq!(verdict("x.zrf", &[], 2), "x.zrf: 2 warnings not shown");
        assert_eq!(verdict("x.zrf", &[&error], 1), "x.zrf: 1 error, 1 warning not shown");
        assert_eq!(verdict("x.zrf", &[&error, &warning], 0), "x.zrf: 1 error, 1 warning");
    }

    #[test]
    fn an_unreadable_file_has_a_code_and_no_place() {
        let line = unread("x.zrf", "cannot read x.zrf").expect("it is plain data");
        assert!(line.contains(r#""code":"Z0000""#) && line.contains(r#""at":null"#), "{line}");
    }
}
