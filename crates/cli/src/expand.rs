//! `boardwright expand`: prints a rule file with its macros expanded.

use std::{
    fmt,
    io::{self, Write},
    path::PathBuf,
    process::ExitCode,
};

use anyhow::Result;
use boardwright_text::render::render;

use crate::{files, out};

/// Print a rule file with its macros expanded.
///
/// This is the text that the rules are compiled from: includes inserted, macros
/// expanded, comments removed, long lines wrapped.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// A rule file
    file: PathBuf,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let mut file = files::load(&args.file)?;
    let mut stdout = FmtWriter { out: io::BufWriter::new(io::stdout().lock()), error: None };
    let _ = file.expanded(&mut stdout);
    if let Some(error) = stdout.error {
        return Err(error.into());
    }
    stdout.out.flush()?;
    let mut failed = false;
    for diagnostic in file.diagnostics().iter().filter(|it| it.is_error()) {
        failed = true;
        out::complain(&render(diagnostic, file.sources(), false));
    }
    Ok(ExitCode::from(u8::from(failed)))
}

/// Adapts a writer for formatting, and keeps the error that `fmt::Error` cannot carry.
struct FmtWriter<W> {
    out: W,
    error: Option<io::Error>,
}

impl<W: Write> fmt::Write for FmtWriter<W> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.out.write_all(text.as_bytes()).map_err(|error| {
            self.error = Some(error);
            fmt::Error
        })
    }
}
