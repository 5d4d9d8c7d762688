//! What all requests share, and the routes.

use std::{net::IpAddr, path::PathBuf, sync::Arc, time::Duration};

use axum::{Router, extract::DefaultBodyLimit, middleware};
use boardwright_store::{MatchRow, Store};
use cpu_time::ThreadTime;
use tokio::{
    sync::watch,
    time::{sleep, timeout},
};
use tower_http::compression::CompressionLayer;

use crate::{
    assets,
    error::ApiError,
    games,
    gate::Gate,
    guard, health,
    language::{Playable, kept},
    library::Library,
    limits::ServerLimits,
    matches, preset_pictures, socket, studio,
    tables::Tables,
    text_pages,
    thinker::Thinker,
    trace, upload, user,
    work::{self, Share, Work},
};

/// Bytes of the body of a request other than an upload.
const BODY: usize = 4 << 20;
/// Computing time that reading a game for its card may take at most.
const CARD: Duration = Duration::from_secs(10);
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
    /// Other names of the server.
    pub names: Arc<[String]>,
    /// The key of the person at the machine.
    pub key: Arc<str>,
    pub limits: Arc<ServerLimits>,
    /// Counts what guests use.
    pub gate: Gate,
    /// Becomes true when the server ends.
    pub ending: Arc<watch::Sender<bool>>,
    pub thinker: Thinker,
    work: Work,
}

/// What an [`App`] is made of.
pub(crate) struct AppParts {
    pub store: Store,
    /// The folder of the user's own games.
    pub games: PathBuf,
    /// The folder of the engine's tunings.
    pub tuned: PathBuf,
    pub host: IpAddr,
    pub names: Vec<String>,
    pub key: String,
    pub limits: ServerLimits,
}

impl App {
    pub async fn new(parts: AppParts) -> Result<App, boardwright_store::StoreError> {
        let AppParts { store, games, tuned, host, names, key, limits } = parts;
        let library = Library::new(games, &store.games().await?);
        let work = Work::new();
        let thinker = Thinker::new(tuned).isolated(work.isolation().clone());
        let limits = Arc::new(limits);
        let tables = Tables::new(store.clone(), library.clone(), work.clone(), thinker.clone());
        Ok(App {
            store,
            library,
            tables,
            host,
            names: names.into(),
            key: key.into(),
            gate: Gate::new(Arc::clone(&limits)),
            limits,
            ending: Arc::new(watch::Sender::new(false)),
            thinker,
            work,
        })
    }

    /// Waits for sockets to say goodbye, for matches to store what they have, and closes the
    /// data.
    pub async fn close(&self) {
        let sockets_closed = async {
            while !self.gate.is_empty() {
                sleep(CLOSING / 50).await;
            }
        };
        if timeout(CLOSING, sockets_closed).await.is_err() {
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

    /// Reads one of the user's own games and makes its card. One that cannot be read within the
    /// limits is set aside, so that it is not tried at each start.
    pub async fn make_card(&self, id: &str) {
        let aside = self.library.set_aside();
        if let Err(reason) = aside.begin(id) {
            return self.library.note_set_aside(id, reason);
        }
        let (library, wanted) = (self.library.clone(), id.to_owned());
        let work = self.work.on_behalf_of(Share::of_game(id));
        let made = work.run(move || {
            let began = ThreadTime::now();
            library.card(&wanted);
            began.elapsed()
        });
        let reason = match made.await {
            Ok(time) if time > CARD => {
                Some(format!("reading it takes {} seconds of computing time", time.as_secs()))
            }
            Ok(_) => None,
            Err(error) => Some(error.problem.error),
        };
        if let Some(reason) = reason {
            aside.put(id, &reason);
            self.library.note_set_aside(id, reason);
        }
        aside.end(id);
    }

    /// Runs something that takes a while beside the requests.
    pub async fn work<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, ApiError> {
        self.work.run(work).await
    }
}

/// Makes the cards of the user's own games, one after the other.
pub(crate) async fn make_own_cards(app: App) {
    for id in app.library.own() {
        app.make_card(&id).await;
    }
    app.library.own_are_ready();
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
        .layer(DefaultBodyLimit::max(BODY))
        .merge(preset_pictures::router());
    Router::new()
        .nest("/api", api)
        .merge(text_pages::router())
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

#[cfg(test)]
mod tests {
    use std::fs;

    use boardwright_store::GameRow;

    use crate::{testing, upload};

    fn row(id: &str, deleted: Option<i64>) -> GameRow {
        let file = format!("{id}/preset.txt");
        GameRow { id: id.to_owned(), title: "Wolf".to_owned(), file, created: 1, deleted }
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_poison_file_is_set_aside_and_not_read_at_the_next_start() {
        let data = tempfile::tempdir().expect("a folder");
        let folder = data.path().join("games/my-wolf");
        fs::create_dir_all(&folder).expect("works");
        fs::write(folder.join("preset.txt"), "game: Wolf\n").expect("works");
        let app = testing::app(&data).await;
        app.store.add_game(&row("my-wolf", None)).await.expect("written");
        drop(app);
        let app = testing::app(&data).await;
        let shown = || {
            let all = app.library.view().games;
            all.into_iter().find(|it| it.id == "my-wolf").and_then(|it| it.set_aside)
        };
        assert_eq!(shown().as_deref(), Some("it is still being read"));
        app.library.make_endless("my-wolf");
        super::make_own_cards(app.clone()).await;
        let reason = shown().expect("it is set aside");
        assert!(reason.contains("took longer than"), "{reason}");
        let again = testing::app(&data).await;
        // Without its files it could only be shown from what is remembered.
        fs::remove_dir_all(&folder).expect("works");
        again.make_card("my-wolf").await;
        let card = again.library.view().games.into_iter().find(|it| it.id == "my-wolf");
        assert_eq!(card.and_then(|it| it.set_aside), Some(reason.clone()));
        let refused = again.library.playable("my-wolf", 0).err().expect("it is not read");
        assert!(refused.problem.error.contains(&reason), "{}", refused.problem.error);
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_thousand_deleted_games_do_not_block_uploads() {
        let data = tempfile::tempdir().expect("a folder");
        let app = testing::app(&data).await;
        for n in 0..1000 {
            app.store.add_game(&row(&format!("my-{n}"), Some(5))).await.expect("written");
        }
        assert!(upload::check_number(&app).await.is_ok());
    }
}
