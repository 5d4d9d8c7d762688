//! `boardwright serve`, and what the program does by itself: play in the browser.

mod log;

use std::{
    io::{self, IsTerminal, Write},
    net::IpAddr,
    path::PathBuf,
    process::{Command, ExitCode, Stdio},
};

use anyhow::{Context, Result, bail};
use boardwright_server::{Config, Network, Server, USUAL_PORT, owner_key};

use self::log::Format;
use crate::{out, tuning};

/// Play in the browser, alone, with others or against the engine.
///
/// Prints the address to open, and opens it where there is a desktop. Only this machine
/// can reach it unless --host says otherwise. Whoever opens the address with its key may change
/// games and settings; others only play.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The port; if not given, 8080 or, if that is taken, any that is free
    #[arg(long)]
    port: Option<u16>,
    /// The address to listen at; 0.0.0.0 lets other machines in
    #[arg(long, value_name = "ADDR", default_value = "127.0.0.1")]
    host: IpAddr,
    /// Where matches and your own games are kept
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// Run rules that do not come with the program first in processes with limits on time and
    /// memory; always done where other machines are let in
    #[arg(long)]
    isolate: bool,
    /// Do not open a browser
    #[arg(long)]
    no_open: bool,
    /// A name by which others reach this server through a proxy, such as games.example.org;
    /// may be given several times
    #[arg(long, value_name = "HOST")]
    name: Vec<String>,
    /// A proxy whose X-Forwarded-For or Forwarded header is believed: an address or a range
    /// such as 10.0.0.0/8; may be given several times
    #[arg(long, value_name = "ADDR[/PREFIX]")]
    trusted_proxy: Vec<Network>,
    /// What to log on standard error: a level (error, warn, info, debug, trace, off) or a
    /// filter such as warn,boardwright_server=debug; else BOARDWRIGHT_LOG, else warnings and
    /// one line each at start and stop
    #[arg(long, value_name = "LEVEL|FILTER")]
    log: Option<String>,
    /// The form of the log
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t)]
    log_format: Format,
}

impl Default for Args {
    fn default() -> Args {
        Args {
            port: None,
            host: [127, 0, 0, 1].into(),
            data: None,
            isolate: false,
            no_open: false,
            name: Vec::new(),
            trusted_proxy: Vec::new(),
            log: None,
            log_format: Format::Text,
        }
    }
}

pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let log = args.log.clone().or_else(|| std::env::var("BOARDWRIGHT_LOG").ok());
    log::start(log.as_deref(), args.log_format)?;
    let data = match &args.data {
        Some(it) => it.clone(),
        None => data_folder().context("there is no home folder; name one with --data")?,
    };
    // A folder that was named holds everything; else it is where `train` keeps it.
    let tuned = match &args.data {
        Some(it) => it.join("tuned"),
        None => tuning::home().unwrap_or_else(|| data.join("tuned")),
    };
    let config = Config {
        host: args.host,
        port: args.port,
        tuned,
        names: args.name.clone(),
        trusted_proxies: args.trusted_proxy.clone(),
        ..Config::in_folder(data)
    };
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let mut hint = None;
    let served = runtime.block_on(async {
        let server = Server::open(&config).await.inspect_err(|error| hint = error.hint())?;
        if args.isolate || !args.host.is_loopback() {
            let program = std::env::current_exe();
            server.isolate_rules(program.context("the path of this program is not known")?);
        }
        let url = server.owner_url()?;
        // Before the address is known to anybody, so that nobody asks too early.
        let end = end_asked();
        let mut out = io::stdout().lock();
        writeln!(out, "Boardwright is at {url}")?;
        out.flush()?;
        drop(out);
        if !args.no_open && io::stdout().is_terminal() && has_desktop() {
            open(&url);
        }
        server.run(end).await.map_err(anyhow::Error::from)
    });
    // Rules that are still running end with the process; nobody was promised their result.
    runtime.shutdown_background();
    match (served, hint) {
        (Err(error), Some(hint)) => {
            out::complain(&format!("{error:#}"));
            out::complain(hint);
            Ok(ExitCode::from(1))
        }
        (served, _) => served.map(|()| ExitCode::SUCCESS),
    }
}

/// Print the link with which you may change games and settings of your server.
#[derive(clap::Args)]
pub(crate) struct KeyArgs {
    /// The port of the server
    #[arg(long, default_value_t = USUAL_PORT)]
    port: u16,
    /// Where matches and your own games are kept
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
}

pub(crate) fn print_key(args: &KeyArgs) -> Result<ExitCode> {
    let data = match &args.data {
        Some(it) => it.clone(),
        None => data_folder().context("there is no home folder; name one with --data")?,
    };
    if !data.is_dir() {
        bail!("there is no data folder {} yet; start `boardwright serve` first", data.display());
    }
    let key = owner_key(&data)
        .with_context(|| format!("the key in {} cannot be read", data.display()))?;
    writeln!(io::stdout().lock(), "http://127.0.0.1:{}/#key={key}", args.port)?;
    Ok(ExitCode::SUCCESS)
}

/// The exit code after a second signal, as shells have it for one that was interrupted.
const INTERRUPTED: i32 = 130;

/// Listens from now on, and waits until somebody ends the program; whoever asks a second
/// time ends it at once.
#[cfg(unix)]
fn end_asked() -> impl Future<Output = ()> {
    use tokio::signal::unix::{Signal, SignalKind, signal};
    async fn either(terminate: &mut Signal, interrupt: &mut Signal) {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
    }
    let signals = [SignalKind::terminate(), SignalKind::interrupt()].map(signal);
    async move {
        match signals {
            [Ok(mut terminate), Ok(mut interrupt)] => {
                either(&mut terminate, &mut interrupt).await;
                tokio::spawn(async move {
                    either(&mut terminate, &mut interrupt).await;
                    std::process::exit(INTERRUPTED);
                });
            }
            // Without signals only a kill ends it.
            [terminate, interrupt] => {
                for cause in [terminate.err(), interrupt.err()].into_iter().flatten() {
                    tracing::warn!(%cause, "signals cannot be received");
                }
                std::future::pending().await
            }
        }
    }
}

/// Waits until somebody ends the program; whoever asks a second time ends it at once.
#[cfg(not(unix))]
async fn end_asked() {
    if let Err(cause) = tokio::signal::ctrl_c().await {
        tracing::warn!(%cause, "signals cannot be received");
        return std::future::pending().await;
    }
    tokio::spawn(async {
        if tokio::signal::ctrl_c().await.is_ok() {
            std::process::exit(INTERRUPTED);
        }
    });
}

/// Where programs keep a user's data, with a folder of ours; or the one that
/// `BOARDWRIGHT_DATA` names.
pub(crate) fn data_folder() -> Option<PathBuf> {
    let folder = |name: &str| std::env::var_os(name).filter(|it| !it.is_empty()).map(PathBuf::from);
    if let Some(given) = folder("BOARDWRIGHT_DATA") {
        return Some(given);
    }
    let home = || folder("HOME");
    let base = if cfg!(target_os = "windows") {
        folder("APPDATA")
    } else if cfg!(target_os = "macos") {
        home().map(|it| it.join("Library/Application Support"))
    } else {
        let given = folder("XDG_DATA_HOME").filter(|it| it.is_absolute());
        given.or_else(|| home().map(|it| it.join(".local/share")))
    };
    base.map(|it| it.join("boardwright"))
}

fn has_desktop() -> bool {
    let is_set = |name: &str| std::env::var_os(name).is_some_and(|it| !it.is_empty());
    cfg!(any(target_os = "macos", target_os = "windows"))
        || is_set("DISPLAY")
        || is_set("WAYLAND_DISPLAY")
}

/// Opens an address; who sees nothing can still type it.
fn open(url: &str) {
    let (program, first) = match std::env::consts::OS {
        "macos" => ("open", None),
        "windows" => ("explorer", None),
        _ => ("xdg-open", None::<&str>),
    };
    let mut command = Command::new(program);
    command.args(first).arg(url).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let _ = command.spawn();
}
