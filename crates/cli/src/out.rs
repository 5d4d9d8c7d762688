//! Writing to the terminal.

use std::io::{self, IsTerminal, Write};

/// When to use colours.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub(crate) enum Color {
    /// On a terminal, unless NO_COLOR is set
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

impl Color {
    /// Whether standard output takes colours.
    pub(crate) fn is_on(self) -> bool {
        let wanted = || std::env::var_os("NO_COLOR").is_none_or(|it| it.is_empty());
        match self {
            Color::Auto => io::stdout().is_terminal() && wanted(),
            Color::Always => true,
            Color::Never => false,
        }
    }
}

/// Prints a line on standard error; a failure to write is ignored.
pub(crate) fn complain(line: &str) {
    let _ = writeln!(io::stderr(), "boardwright: {line}");
}

/// Whether the error is that the reader of our output has closed it, as `head` does.
pub(crate) fn is_closed_pipe(error: &anyhow::Error) -> bool {
    let found = error.downcast_ref::<io::Error>();
    found.is_some_and(|it| it.kind() == io::ErrorKind::BrokenPipe)
}

/// A number with its noun: `1 file`, `2 files`.
pub(crate) fn count(n: usize, one: &str, many: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { many })
}
