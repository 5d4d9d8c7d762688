//! Play in the browser: one process that serves the page, the library and matches.
//!
//! `library` knows the games, `variant` is one of them compiled. `table` is a running match,
//! `tables` all of them; `thinker` runs their engines and `work` their rules, both with
//! fair shares. The modules with a `router()` (`games`, `matches`, `upload`, `studio`,
//! `user`, `socket`, `health`) each handle the requests of one resource, after `guard` has
//! checked them.
//!
//! Invariants: a move is on the disk before anybody is told of it; rules run on no request
//! thread; whatever comes in is bounded in size, time and number; no cause of a failure is
//! dropped without a line in the log.

mod address;
mod app;
mod assets;
mod backup;
mod bounded;
mod builtin;
mod connections;
mod edit_preview;
mod error;
mod fair;
mod folder;
mod folder_lock;
mod games;
mod gate;
mod guard;
mod health;
mod isolate;
mod keys;
mod language;
mod library;
mod limits;
mod log;
mod matches;
mod outbox;
mod owner;
mod preset_pictures;
mod seating;
mod serve_error;
mod set_aside;
mod socket;
mod state_view;
mod studio;
mod table;
mod tables;
#[cfg(test)]
mod testing;
mod text_pages;
mod thinker;
mod thinking;
mod trace;
mod tuning_folder;
mod upload;
mod user;
mod visitor;
mod work;

pub use address::{Network, NotANetwork};
pub use backup::{BackupError, BackupSize, backup, verify};
pub use builtin::{library_include, library_includes, unpack_games};
pub use isolate::run_rules_host;
pub use limits::ServerLimits;
pub use owner::owner_key;
pub use tuning_folder::TuningFolder;
#[doc(hidden)]
pub use upload::unzipped;

use std::{future::Future, net::IpAddr, path::PathBuf, sync::Arc, time::Duration};

use boardwright_store::Store;
use tokio::net::TcpListener;

pub use crate::serve_error::ServeError;
use crate::{
    app::{App, AppParts},
    connections::Connections,
    folder_lock::FolderLock,
};

/// The port that is tried first if none is given.
pub const USUAL_PORT: u16 = 8080;

/// The log target of the lines that say when the server starts and stops.
pub const LIFECYCLE: &str = "boardwright::lifecycle";

/// The name of the database in a data folder.
const DATABASE: &str = "boardwright.db";

/// How a server is set up.
#[derive(Clone, Debug)]
pub struct Config {
    /// The address to listen at.
    pub host: IpAddr,
    /// The port; if not given, the usual one or, if that is taken, any that is free.
    pub port: Option<u16>,
    /// The folder in which matches and the user's own games are stored.
    pub data: PathBuf,
    /// The folder in which `boardwright train` stores its results.
    pub tuned: PathBuf,
    /// Names by which the server is reached through a proxy.
    pub names: Vec<String>,
    /// Proxies whose word about the addresses of clients is believed.
    pub trusted_proxies: Vec<Network>,
    /// How much guests may use.
    pub limits: ServerLimits,
}

impl Config {
    /// A server that only this machine can reach, with all its data in one folder.
    pub fn in_folder(data: PathBuf) -> Config {
        Config {
            host: [127, 0, 0, 1].into(),
            port: None,
            tuned: data.join("tuned"),
            data,
            names: Vec::new(),
            trusted_proxies: Vec::new(),
            limits: ServerLimits::default(),
        }
    }
}

/// How long requests may go on after the server was asked to stop.
const REQUESTS_END: Duration = Duration::from_secs(1);

/// A server that listens, but does not answer yet.
pub struct Server {
    listener: TcpListener,
    app: App,
    trusted_proxies: Vec<Network>,
    lock: FolderLock,
}

impl Server {
    /// Locks and opens the data folder, and opens a port.
    pub async fn open(config: &Config) -> Result<Server, ServeError> {
        let Config { host, data, tuned, names, trusted_proxies, limits, .. } = config.clone();
        let data = &data;
        let games = data.join("games");
        std::fs::create_dir_all(&games)
            .map_err(|cause| ServeError::Folder { path: data.clone(), cause })?;
        let lock = FolderLock::take(data)?;
        let key =
            owner_key(data).map_err(|cause| ServeError::Folder { path: data.clone(), cause })?;
        let unusable = |cause| ServeError::data(data, cause);
        let store = Store::open(&data.join(DATABASE)).await.map_err(unusable)?;
        let listener = listen(config).await?;
        let limits = fitting(limits);
        let parts = AppParts { store, games, tuned, host, names, key, limits };
        let app = App::new(parts).await.map_err(unusable)?;
        Ok(Server { listener, app, trusted_proxies, lock })
    }

    /// Lets rules that do not come with the program run first in processes of `program`, which
    /// must call [`run_rules_host`] when its argument is `rules-host`; for servers that others
    /// reach.
    pub fn isolate_rules(&self, program: PathBuf) {
        self.app.isolate_rules(program);
    }

    /// The address to type into a browser.
    pub fn url(&self) -> Result<String, ServeError> {
        let at = self.listener.local_addr().map_err(ServeError::Network)?;
        let host =
            if at.ip().is_unspecified() { "127.0.0.1".to_owned() } else { host_text(at.ip()) };
        Ok(format!("http://{host}:{}/", at.port()))
    }

    /// The key of the person at the machine.
    pub fn key(&self) -> &str {
        &self.app.key
    }

    /// The address for the person at the machine, with their key. It stands after a `#`, which
    /// browsers send to nobody.
    pub fn owner_url(&self) -> Result<String, ServeError> {
        Ok(format!("{}#key={}", self.url()?, self.app.key))
    }

    /// Answers until `end` is done. Then closes connections, stops engines, finishes writes
    /// and closes the data, within two seconds whatever is running: what takes longer is
    /// given up, and was not confirmed to anybody.
    pub async fn run(
        self,
        end: impl Future<Output = ()> + Send + 'static,
    ) -> Result<(), ServeError> {
        let Server { app, listener, trusted_proxies, lock } = self;
        app.library.prepare();
        tokio::spawn(app::make_own_cards(app.clone()));
        let ending = Arc::clone(&app.ending);
        let router = app::router(app.clone());
        let stopping = app.clone();
        let end = async move {
            end.await;
            tracing::info!(target: LIFECYCLE, "stopping");
            ending.send_replace(true);
            // Killing processes may block for a moment.
            let _ = tokio::task::spawn_blocking(move || stopping.stop_work()).await;
        };
        tracing::info!(target: LIFECYCLE, version = env!("CARGO_PKG_VERSION"), "started");
        let mut connections = Connections::new(Arc::clone(&app.limits), &trusted_proxies);
        tokio::join!(end, connections.serve(listener, &router, &app.ending));
        if tokio::time::timeout(REQUESTS_END, connections.finish()).await.is_err() {
            tracing::warn!("requests that are still running are given up");
        }
        app.close().await;
        drop(lock);
        tracing::info!(target: LIFECYCLE, "stopped");
        Ok(())
    }
}

/// The limits as far as the number of files that may be open allows them.
fn fitting(limits: ServerLimits) -> ServerLimits {
    let Some(n_files) = limits::raise_open_files() else { return limits };
    let needed = limits.open_files();
    if n_files < needed {
        tracing::warn!(
            n_files,
            needed,
            "the system allows fewer open files than the limits need; fewer connections are allowed"
        );
    }
    limits.within(n_files)
}

fn host_text(ip: IpAddr) -> String {
    match ip {
        IpAddr::V4(it) => it.to_string(),
        IpAddr::V6(it) => format!("[{it}]"),
    }
}

async fn listen(config: &Config) -> Result<TcpListener, ServeError> {
    let host = config.host;
    let failed = |port| move |cause| ServeError::Listen { host, port, cause };
    if let Some(port) = config.port {
        return TcpListener::bind((host, port)).await.map_err(failed(Some(port)));
    }
    match TcpListener::bind((host, USUAL_PORT)).await {
        Ok(it) => Ok(it),
        Err(_) => TcpListener::bind((host, 0)).await.map_err(failed(None)),
    }
}
