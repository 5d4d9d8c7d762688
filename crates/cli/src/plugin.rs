//! `boardwright plugin`: engines of others; and the process that loads one.

use std::{ffi::OsString, path::PathBuf, process::ExitCode};

use anyhow::Result;

/// What the host process is to run.
#[derive(clap::Args)]
pub(crate) struct HostArgs {
    /// A shared library
    library: Option<PathBuf>,
    /// Go on as a program instead, with its arguments
    #[arg(last = true)]
    program: Vec<OsString>,
}

/// Runs an engine host.
pub(crate) fn host(args: &HostArgs) -> Result<ExitCode> {
    if let Some(library) = &args.library {
        boardwright_plugin::run_engine_host(library)?;
        return Ok(ExitCode::SUCCESS);
    }
    #[cfg(unix)]
    return Err(boardwright_plugin::run_program_host(&args.program).into());
    #[cfg(not(unix))]
    anyhow::bail!("programs are started directly on this system");
}
