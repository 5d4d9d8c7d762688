//! `boardwright gamecode`: runs or lists a program in GAME Code without a preset.

use std::{
    io::{self, Write},
    path::{Path, PathBuf},
    process::ExitCode,
    sync::Arc,
};

use anyhow::{Context, Result};
use boardwright_gamecode::{
    CodeFiles, CodeLimits, CodeStop, Compiler, Machine, SpaceMap, forsythe,
};
use boardwright_text::render::{printable, render};
use clap::Subcommand;

use crate::{files::read_bounded, out, preset};

/// Run or list a program in GAME Code.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    /// Run a program on a board and print what it writes
    Run {
        /// A file of GAME Code
        file: PathBuf,
        /// The pieces on the board, as Forsythe code; chess if not given
        #[arg(long, default_value = "rnbqkbnrpppppppp32PPPPPPPPRNBQKBNR")]
        code: String,
        /// Number of columns of the board
        #[arg(long, default_value_t = 8)]
        columns: usize,
        /// Seed of dice and shuffles
        #[arg(long, default_value_t = 1)]
        seed: u64,
        /// Use colours
        #[arg(long, value_enum, default_value = "auto")]
        color: out::Color,
    },
    /// Print a program numbered and indented, with what it includes
    Listing {
        /// A file of GAME Code
        file: PathBuf,
    },
}

/// The files in the folder of a program.
struct Beside(PathBuf);

impl CodeFiles for Beside {
    fn include(&mut self, name: &str) -> Option<(String, Vec<u8>)> {
        let text = preset::include(&self.0, name)?;
        Some((format!("{name}.gc"), text.into_bytes()))
    }
}

pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let file = match &args.action {
        Action::Run { file, .. } | Action::Listing { file } => file,
    };
    let limits = CodeLimits::default();
    let bytes = read_bounded(file, limits.source_bytes)?;
    let folder = file.parent().filter(|it| !it.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut files = Beside(folder.to_owned());
    let mut compiler = Compiler::new(limits, &mut files);
    let part = compiler.part(&file.display().to_string(), &String::from_utf8_lossy(&bytes));
    let program = Arc::new(compiler.finish());
    let mut stdout = io::BufWriter::new(io::stdout().lock());
    let Action::Run { code, columns, seed, color, .. } = &args.action else {
        for line in program.listing(None).lines() {
            writeln!(stdout, "{}", printable(line))?;
        }
        stdout.flush()?;
        return Ok(ExitCode::SUCCESS);
    };
    for diagnostic in program.diagnostics() {
        let picture = render(diagnostic, program.sources(), color.is_on());
        writeln!(io::stderr(), "{picture}\n")?;
    }
    let cells = forsythe::read(code, *columns).context("the board")?;
    let board = SpaceMap::grid(*columns, &cells, &[], &[]).context("the board")?;
    let mut machine = Machine::new(program.clone(), Arc::new(board), &cells, *seed);
    let result = machine.run(part);
    for line in machine.take_output().iter().chain(machine.said()) {
        writeln!(stdout, "{}", printable(line))?;
    }
    stdout.flush()?;
    match result {
        // What is wrong may stand where this run did not come.
        Ok(()) if !program.is_clean() => Ok(ExitCode::from(1)),
        Ok(()) => Ok(ExitCode::SUCCESS),
        Err(CodeStop::Ask(_)) => {
            out::complain("the program asks a question, which cannot be answered here");
            Ok(ExitCode::from(1))
        }
        Err(stop) => {
            if let Some(diagnostic) = stop.diagnostic() {
                let picture = render(&diagnostic, program.sources(), color.is_on());
                writeln!(io::stderr(), "{picture}")?;
            }
            Ok(ExitCode::from(1))
        }
    }
}
