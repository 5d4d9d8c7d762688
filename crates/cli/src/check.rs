//! `boardwright check`: lists the problems of rule files.

use std::{
    io::{self, Write},
    path::PathBuf,
    process::ExitCode,
};

use anyhow::Result;
use boardwright_text::{Diagnostic, Sources, render::render};
use serde::Serialize;

use crate::{files, out};

/// The code for a file that cannot be read; all other codes are the compiler's.
const UNREADABLE: &str = "Z0000";

/// Say what is wrong with rule files, and how to fix it.
///
/// Every game and variant of every file is compiled. Errors keep a game from
/// being played; warnings do not.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Rule files
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Print one JSON object per line instead of excerpts
    #[arg(long)]
    json: bool,
    /// Leave out warnings
    #[arg(long, short)]
    quiet: bool,
    /// Use colours
    #[arg(long, value_enum, default_value = "auto")]
    color: out::Color,
}

/// The number of files by result.
#[derive(Default)]
struct FileCounts {
    n_ok: usize,
    n_warned: usize,
    n_failed: usize,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let mut tally = FileCounts::default();
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
                    // A blank line separates the messages of one file from the next.
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
            // The same form for any number, because scripts read this line.
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

impl FileCounts {
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

/// One line about a file: the number of messages shown, and of warnings not shown.
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

/// The JSON message about a file that could not be read.
fn unread(name: &str, message: &str) -> Result<String> {
    let message = JsonMessage {
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

/// A message as JSON; lines and columns count from 1.
#[derive(Serialize)]
struct JsonMessage<'a> {
    file: &'a str,
    code: &'a str,
    severity: &'static str,
    message: &'a str,
    at: Option<JsonPlace>,
    label: &'a str,
    labels: Vec<JsonLabel<'a>>,
    hints: &'a [String],
    macros: Vec<JsonMacroCall<'a>>,
}

#[derive(Serialize)]
struct JsonPlace {
    file: String,
    line: u32,
    column: u32,
    end_line: u32,
    end_column: u32,
}

#[derive(Serialize)]
struct JsonLabel<'a> {
    at: Option<JsonPlace>,
    text: &'a str,
}

#[derive(Serialize)]
struct JsonMacroCall<'a> {
    name: &'a str,
    used: Option<JsonPlace>,
    defined: Option<JsonPlace>,
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
        Some(JsonPlace {
            file: file.to_owned(),
            line: start.line,
            column: start.column,
            end_line: end.line,
            end_column: end.column,
        })
    };
    for it in diagnostics {
        let message = JsonMessage {
            file: name,
            code: it.code.0,
            severity: if it.is_error() { "error" } else { "warning" },
            message: &it.message,
            at: place(it.span),
            label: &it.label,
            labels: it
                .labels
                .iter()
                .map(|it| JsonLabel { at: place(it.span), text: &it.text })
                .collect(),
            hints: &it.hints,
            macros: it
                .trace
                .iter()
                .map(|it| JsonMacroCall {
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
