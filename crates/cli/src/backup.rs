//! `boardwright backup` and `boardwright verify`: copies of a data folder, and whether one is
//! whole.

use std::{
    io::{self, Write},
    path::PathBuf,
    process::ExitCode,
};

use anyhow::{Context, Result};
use boardwright_server::BackupError;

use crate::{out, serve};

/// Copy matches, games and settings to a new folder, also while a server runs.
///
/// The copy is a data folder of its own: `boardwright serve --data TARGET` continues there.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The folder to create; nothing is replaced
    target: PathBuf,
    /// The data folder to copy; if not given, the usual one
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
}

/// Check whether a data folder or a backup is whole, without changing it.
#[derive(clap::Args)]
pub(crate) struct VerifyArgs {
    /// The data folder to check; if not given, the usual one
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
}

/// The folder that is meant if none or this one is named.
fn folder(named: Option<&PathBuf>) -> Result<PathBuf> {
    let folder = named.cloned().or_else(serve::data_folder);
    folder.context("there is no home folder; name one with --data")
}

pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let data = folder(args.data.as_ref())?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build()?;
    match runtime.block_on(boardwright_server::backup(&data, &args.target)) {
        Ok(size) => {
            let files = out::count(size.files as usize, "file", "files");
            let target = args.target.display();
            let mut stdout = io::stdout().lock();
            writeln!(stdout, "Copied {files} with {} bytes to {target}.", size.bytes)?;
            writeln!(stdout, "To continue there: boardwright serve --data {target}")?;
            Ok(ExitCode::SUCCESS)
        }
        Err(error) => Ok(refuse(error)),
    }
}

pub(crate) fn verify(args: &VerifyArgs) -> Result<ExitCode> {
    let data = folder(args.data.as_ref())?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build()?;
    match runtime.block_on(boardwright_server::verify(&data)) {
        Ok(()) => {
            writeln!(io::stdout().lock(), "The data in {} is whole.", data.display())?;
            Ok(ExitCode::SUCCESS)
        }
        Err(error) => Ok(refuse(error)),
    }
}

fn refuse(error: BackupError) -> ExitCode {
    let hint = error.hint();
    out::complain(&format!("{:#}", anyhow::Error::from(error)));
    if let Some(hint) = hint {
        out::complain(hint);
    }
    ExitCode::from(1)
}
