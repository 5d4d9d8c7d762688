//! `boardwright expand`: a rule file after its macros.

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
/// This is the text that the rules are compiled from: includes read, macros
/// expanded, comments gone, lines broken where they grow long.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// A rule file
    file: PathBuf,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let mut file = files::load(&args.file)?;
    let mut stdout = Fmt { out: io::BufWriter::new(io::stdout().lock()), error: None };
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

/// Formats into a writer, keeping the error that formatting cannot carry.
struct Fmt<W> {
    out: W,
    error: Option<io::Error>,
}

impl<W: Write> fmt::Write for Fmt<W> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.out.write_all(text.as_bytes()).map_err(|error| {
            self.error = Some(error);
            fmt::Error
        })
    }
}
