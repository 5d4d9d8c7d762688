//! What all requests share, and the routes.

use std::{net::IpAddr, path::PathBuf, sync::Arc, time::Duration};

use axum::{Router, extract::DefaultBodyLimit, middleware};
use boardwright_store::{MatchRow, Store};
use tokio::{
    sync::{Semaphore, watch},
    time::timeout,
};
use tower_http::compression::CompressionLayer;

use crate::{
    assets,
    error::ApiError,
    games, guard, health,
    language::{Playable, kept},
    library::Library,
    matches, socket, studio,
    tables::Tables,
    thinker::Thinker,
    trace, upload, user,
    work::{self, Work},
};

/// Bytes of the body of a request other than an upload.
const BODY: usize = 4 << 20;
/// Sockets that may be open at once.
const MAX_SOCKETS: u32 = 512;
/// How long each step of closing may take.
const CLOSING: Duration = Duration::from_millis(250);

/// Everything that requests work with.
#[derive(Clone)]
pub(crate) struct App {
    pub store: Store,
    pub library: Library,
    pub tables: Tables,
    /// The address that the server listens at.
    pub host: IpAddr,
    /// Becomes true when the server ends.
    pub ending: Arc<watch::Sender<bool>>,
    /// Permits for open sockets.
    pub sockets: Arc<Semaphore>,
    pub thinker: Thinker,
    work: Work,
}

impl App {
    pub async fn new(
        store: Store,
        games: PathBuf,
        tuned: PathBuf,
        host: IpAddr,
    ) -> Result<App, boardwright_store::StoreError> {
        let library = Library::new(games, &store.games().await?);
        let work = Work::new();
        let thinker = Thinker::new(tuned).isolated(work.isolation().clone());
        library.isolate(work.isolation().clone());
        let tables = Tables::new(store.clone(), library.clone(), work.clone(), thinker.clone());
        Ok(App {
            store,
            library,
            tables,
            host,
            ending: Arc::new(watch::Sender::new(false)),
            sockets: Arc::new(Semaphore::new(MAX_SOCKETS as usize)),
            thinker,
            work,
        })
    }

    /// Waits for sockets to say goodbye, for matches to store what they have, and closes the
    /// data.
    pub async fn close(&self) {
        let sockets = self.sockets.acquire_many(MAX_SOCKETS);
        if timeout(CLOSING, sockets).await.is_err() {
            tracing::warn!("sockets that do not close are given up");
        }
        if timeout(CLOSING, self.tables.close()).await.is_err() {
            tracing::warn!("matches whose rules are still running are given up");
        }
        if timeout(CLOSING, self.store.close()).await.is_err() {
            tracing::warn!("the database did not close in time");
        }
    }

    /// Runs foreign rules in processes of this program first.
    pub fn isolate_rules(&self, program: PathBuf) {
        self.work.isolation().switch_on(program);
    }

    /// Stops engines and rules.
    pub fn stop_work(&self) {
        self.thinker.close();
        self.work.close();
    }

    /// A game by its id, ready to be shown and played.
    pub async fn playable(&self, id: &str, n: usize) -> Result<Arc<Playable>, ApiError> {
        kept::by_id(&self.store, &self.library, &self.work, id, n).await
    }

    /// The rules that a match was begun with.
    pub async fn playable_of(&self, row: &MatchRow) -> Result<Arc<Playable>, ApiError> {
        kept::of_match(&self.store, &self.library, &self.work, row).await
    }

    /// Runs something that takes a while beside the requests.
    pub async fn work<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, ApiError> {
        self.work.run(work).await
    }
}

/// All routes.
pub(crate) fn router(app: App) -> Router {
    let api = Router::new()
        .merge(games::router())
        .merge(upload::router())
        .merge(studio::router())
        .merge(matches::router())
        .merge(socket::router())
        .merge(user::router())
        .fallback(nothing)
        .layer(DefaultBodyLimit::max(BODY));
    Router::new()
        .nest("/api", api)
        .merge(health::router())
        .fallback(assets::serve)
        .layer(
            CompressionLayer::new()
                .br(true)
                .gzip(true)
                .quality(tower_http::CompressionLevel::Fastest),
        )
        .layer(middleware::from_fn_with_state(app.clone(), guard::guard))
        .layer(middleware::from_fn(work::share))
        .layer(middleware::from_fn(trace::trace))
        .with_state(app)
}

async fn nothing() -> ApiError {
    ApiError::not_found("there is no such address")
}
