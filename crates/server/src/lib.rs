//! Play in the browser: one process that serves the page, the library and matches.
//!
//! `library` knows the games, `variant` one of them ready to be played; `table` is a
//! match that is going on, `thinker` the engines behind it; `socket` and the files
//! named after a part of the interface (`games`, `matches`, `user`, `upload`) are the
//! doors; `guard` stands before all of them.
//!
//! Invariants: a move is on the disk before anybody hears of it; rules run on no
//! request thread; whatever comes in is bounded in size, time and number.

mod app;
mod assets;
mod edit_preview;
mod error;
mod fair;
mod folder;
mod games;
mod guard;
mod health;
mod keys;
mod language;
mod library;
mod log;
mod matches;
mod seating;
mod socket;
mod state_view;
mod studio;
mod table;
mod tables;
mod thinker;
mod thinking;
mod trace;
mod tuning_folder;
mod upload;
mod user;
mod work;

pub use tuning_folder::TuningFolder;

use std::{
    future::Future,
    net::{IpAddr, SocketAddr},
    path::PathBuf,
    sync::Arc,
    time::Duration,
};

use anyhow::{Context, Result};
use boardwright_store::Store;
use tokio::net::TcpListener;

use crate::app::App;

/// The port that is tried first.
pub const USUAL_PORT: u16 = 8080;

/// The log target of the lines that say when the server starts and stops.
pub const LIFECYCLE: &str = "boardwright::lifecycle";

/// How to serve.
#[derive(Clone, Debug)]
pub struct Config {
    /// The address to listen at.
    pub host: IpAddr,
    /// The port; if not given, the usual one or, if that is taken, any that is free.
    pub port: Option<u16>,
    /// Where matches and own games are kept.
    pub data: PathBuf,
    /// Where `boardwright train` keeps what it found out.
    pub tuned: PathBuf,
}

/// How long requests may go on after the server was asked to stop.
const REQUESTS_END: Duration = Duration::from_secs(1);

/// A server that listens, but does not answer yet.
pub struct Server {
    listener: TcpListener,
    app: App,
}

impl Server {
    /// Opens the data folder and a port.
    pub async fn open(config: &Config) -> Result<Server> {
        let shown = config.data.display();
        let games = config.data.join("games");
        std::fs::create_dir_all(&games).with_context(|| format!("cannot make {shown}"))?;
        let path = config.data.join("boardwright.db");
        let store = Store::open(&path).await;
        let store = store.with_context(|| format!("cannot open the data in {shown}"))?;
        let listener = listen(config).await?;
        let app = App::new(store, games, config.tuned.clone(), config.host).await?;
        Ok(Server { listener, app })
    }

    /// The address to type into a browser.
    pub fn url(&self) -> Result<String> {
        let at = self.listener.local_addr()?;
        let host =
            if at.ip().is_unspecified() { "127.0.0.1".to_owned() } else { host_text(at.ip()) };
        Ok(format!("http://{host}:{}/", at.port()))
    }

    /// Answers until `end` is done. Then closes connections, stops engines, finishes writes
    /// and closes the data, within two seconds whatever is running: what takes longer is
    /// given up, and was not confirmed to anybody.
    pub async fn run(self, end: impl Future<Output = ()> + Send + 'static) -> Result<()> {
        let app = self.app;
        app.library.prepare();
        let ending = Arc::clone(&app.ending);
        let router = app::router(app.clone());
        let thinker = app.thinker.clone();
        let end = async move {
            end.await;
            tracing::info!(target: LIFECYCLE, "stopping");
            ending.send_replace(true);
            thinker.close();
        };
        tracing::info!(target: LIFECYCLE, version = env!("CARGO_PKG_VERSION"), "started");
        let service = router.into_make_service_with_connect_info::<SocketAddr>();
        let serving = axum::serve(self.listener, service).with_graceful_shutdown(end);
        let mut ending = app.ending.subscribe();
        let overdue = async {
            // The sender lives as long as the app.
            let _ = ending.wait_for(|it| *it).await;
            tokio::time::sleep(REQUESTS_END).await;
        };
        tokio::select! {
            served = serving => served?,
            () = overdue => tracing::warn!("requests that are still running are given up"),
        }
        app.close().await;
        tracing::info!(target: LIFECYCLE, "stopped");
        Ok(())
    }
}

fn host_text(ip: IpAddr) -> String {
    match ip {
        IpAddr::V4(it) => it.to_string(),
        IpAddr::V6(it) => format!("[{it}]"),
    }
}

async fn listen(config: &Config) -> Result<TcpListener> {
    let host = config.host;
    if let Some(port) = config.port {
        let bound = TcpListener::bind((host, port)).await;
        return bound.with_context(|| format!("cannot listen at port {port} of {host}"));
    }
    match TcpListener::bind((host, USUAL_PORT)).await {
        Ok(it) => Ok(it),
        Err(_) => TcpListener::bind((host, 0))
            .await
            .with_context(|| format!("cannot listen at any port of {host}")),
    }
}
