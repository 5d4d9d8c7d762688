//! `boardwright plugin`: engines of others; and the process that loads one.

mod conformance;

use std::{
    ffi::OsString,
    io::{self, BufRead, IsTerminal, Write},
    path::{Path, PathBuf},
    process::ExitCode,
    sync::Arc,
};

use anyhow::{Context, Result, bail};
use boardwright_plugin::{
    EngineFile, EngineSource, GuardedEngine, HostCommand, MadeFor, PluginFolder,
};
use boardwright_rules::GameRules;
use boardwright_text::render::printable;

use crate::serve;

/// Add, check, list and remove engines that others wrote.
///
/// An engine is a shared library with the interface of Zillions of Games (docs/plugins.md). It
/// runs in a process of its own with limits. `play`, `think` and `match` take its name.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: PluginCommand,
}

#[derive(clap::Subcommand)]
enum PluginCommand {
    /// List the engines in your folder
    List,
    /// Copy an engine into your folder, and allow it to run
    Add {
        /// The shared library
        file: PathBuf,
    },
    /// Play a game with an engine, and say what it does wrong
    Check {
        /// The name of an engine in your folder, or a shared library, which is allowed to run once
        engine: String,
        /// The rule file of a game that it plays
        game: PathBuf,
        /// The title of a variant; the one the file opens with if not given
        #[arg(long, value_name = "TITLE")]
        variant: Option<String>,
    },
    /// Remove an engine from your folder
    Remove {
        /// Its name
        name: String,
    },
}

pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let folder = folder()?;
    let mut out = io::stdout().lock();
    match &args.command {
        PluginCommand::List => {
            let engines = folder.list();
            for it in &engines {
                let state = if folder.is_allowed(it) { "allowed" } else { "not allowed yet" };
                writeln!(out, "{:<20} {state}, {}", printable(&it.name), system_words(it))?;
                writeln!(out, "{:<20} sha256 {}", "", it.hash)?;
            }
            if engines.is_empty() {
                writeln!(out, "There are no engines in {}.", folder.path().display())?;
            }
        }
        PluginCommand::Add { file } => {
            let file = open(file)?;
            runnable(&file)?;
            let added = folder.add(&file).context("the engine cannot be copied")?;
            writeln!(out, "Added {} and allowed it to run.", printable(&added.name))?;
            writeln!(out, "sha256 {}", added.hash)?;
        }
        PluginCommand::Check { engine, game, variant } => {
            let file = named(&folder, engine, None)?;
            let source = runnable(&file)?;
            let rules = crate::source::open(game, variant.as_deref())?;
            return conformance::check(&file, &source, &rules, &mut out);
        }
        PluginCommand::Remove { name } => {
            let found = folder.list().into_iter().find(|it| it.name.eq_ignore_ascii_case(name));
            let found =
                found.with_context(|| format!("there is no engine `{}`", printable(name)))?;
            folder.remove(&found).context("the engine cannot be removed")?;
            writeln!(out, "Removed {}.", printable(&found.name))?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn folder() -> Result<PluginFolder> {
    let data = serve::data_folder().context("there is no home folder for engines")?;
    Ok(PluginFolder::new(data.join("plugins")))
}

fn open(path: &Path) -> Result<EngineFile> {
    EngineFile::open(path).with_context(|| format!("cannot read {}", path.display()))
}

fn system_words(file: &EngineFile) -> &'static str {
    match file.made_for {
        MadeFor::ThisSystem => "for this system",
        MadeFor::Windows32 => "for Windows with 32 bits",
        MadeFor::Other => "for another system",
    }
}

/// How an engine is started here, or what is missing.
fn runnable(file: &EngineFile) -> Result<EngineSource> {
    let program = std::env::current_exe().context("the path of this program is not known")?;
    match file.made_for {
        MadeFor::ThisSystem => {
            Ok(EngineSource::Library { host: HostCommand::own(program), path: file.path.clone() })
        }
        MadeFor::Windows32 => bail!(
            "{} is an engine for Windows with 32 bits, which this version cannot load; if its \
             source is at hand, compile it for this system",
            file.path.display()
        ),
        MadeFor::Other => {
            bail!("{} is not a shared library for this system", file.path.display())
        }
    }
}

/// The engine with a name, in the user's folder or below a rule file, or the file of this path.
fn named(folder: &PluginFolder, name: &str, tree: Option<&Path>) -> Result<EngineFile> {
    if let Some(found) = folder.find(name, tree) {
        return Ok(found);
    }
    let path = Path::new(name);
    if path.is_file() {
        return open(path);
    }
    bail!("there is no engine `{}`; `boardwright plugin list` shows yours", printable(name))
}

/// An engine by name for a game, if the user allows it to run.
pub(crate) fn engine(
    name: &str,
    rule_file: &Path,
    rules: &Arc<GameRules>,
) -> Result<GuardedEngine> {
    let folder = folder()?;
    let file = named(&folder, name, rule_file.parent())?;
    let source = runnable(&file)?;
    if !folder.is_allowed(&file) {
        ask(&folder, &file)?;
    }
    Ok(GuardedEngine::new(&file.name, source, rules))
}

/// The engine that a rule file names, if it is there and may run; otherwise why not.
pub(crate) fn of_rules(
    rule_file: &Path,
    rules: &Arc<GameRules>,
) -> Option<Result<GuardedEngine, String>> {
    let name = rules.ruleset().presentation.engine.as_deref()?;
    let found = engine(name, rule_file, rules);
    Some(found.map_err(|why| {
        format!("The rules name the engine {}, which does not play: {why:#}.", printable(name))
    }))
}

/// Asks whether an engine may run; remembers the answer for this very file.
fn ask(folder: &PluginFolder, file: &EngineFile) -> Result<()> {
    let (name, path) = (printable(&file.name), file.path.display());
    if !io::stdin().is_terminal() {
        bail!(
            "the engine {name} was not allowed to run yet; `boardwright plugin add \"{path}\"` \
             allows it (sha256 {})",
            file.hash
        );
    }
    let mut out = io::stderr().lock();
    writeln!(out, "The engine {name} is a program that somebody else wrote.")?;
    writeln!(out, "  file    {path}\n  sha256  {}", file.hash)?;
    write!(out, "It runs in a process of its own with limits. Let it run? [y/N] ")?;
    out.flush()?;
    let mut answer = String::new();
    io::stdin().lock().read_line(&mut answer)?;
    if !answer.trim().eq_ignore_ascii_case("y") {
        bail!("the engine {name} may not run");
    }
    folder.allow(file).context("the answer cannot be remembered")
}

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
    bail!("programs are started directly on this system");
}
