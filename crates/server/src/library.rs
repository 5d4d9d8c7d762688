//! All games: the library inside the program and the user's own.
//!
//! Cards are made once, in the background, so that the first page does not wait for them. Own
//! games that cannot be read within the limits are set aside, and shown with the reason.
//! Variants are compiled on demand, and the most recently used ones are cached.

use std::{
    collections::BTreeMap,
    panic::{AssertUnwindSafe, catch_unwind},
    path::PathBuf,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError, RwLock,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use axum::http::StatusCode;
use boardwright_protocol::{GameCard, LibraryView};
use boardwright_store::GameRow;
use tokio::{sync::watch, time::timeout};

use crate::{
    error::{ApiError, LogError},
    folder::{Folder, joined},
    language::{self, Playable},
    set_aside::SetAside,
    work,
};

/// Compiled variants that are cached.
const KEPT: usize = 160;
/// How long the library waits for the cards of own games.
const OWN_CARDS: Duration = Duration::from_secs(2);

/// A game and its files.
#[derive(Clone)]
pub(crate) struct Entry {
    pub id: String,
    pub mine: bool,
    pub folder: Folder,
    /// The rule file within the folder.
    pub file: String,
    pub card: Option<Arc<GameCard>>,
    /// What the library shows until there is a card; for own games.
    title: String,
    /// Why it is not read, if it is not.
    set_aside: Option<String>,
}

impl Entry {
    fn of_library(id: String, folder: Folder, file: String) -> Entry {
        let (card, title, set_aside) = (None, String::new(), None);
        Entry { id, mine: false, folder, file, card, title, set_aside }
    }

    /// The card that the library shows. An own game without a card is shown with the reason.
    fn shown(&self) -> Option<GameCard> {
        if let (Some(card), None) = (&self.card, &self.set_aside) {
            return Some((**card).clone());
        }
        let reason = self.set_aside.clone();
        self.mine.then(|| GameCard {
            id: self.id.clone(),
            title: self.title.clone(),
            mine: true,
            broken: true,
            n_errors: 0,
            is_preset: language::is_preset(&self.file),
            family: "other".to_owned(),
            also: Vec::new(),
            variants: Vec::new(),
            set_aside: Some(reason.unwrap_or_else(|| "it is still being read".to_owned())),
        })
    }
}

/// All games.
#[derive(Clone)]
pub(crate) struct Library(Arc<Inner>);

struct Inner {
    games: RwLock<BTreeMap<String, Entry>>,
    kept: Mutex<Vec<Arc<Playable>>>,
    /// Whether the cards of the library inside the program are made.
    ready: watch::Sender<bool>,
    /// The same for the user's own games.
    own_ready: watch::Sender<bool>,
    /// The folder of the user's own games.
    data: PathBuf,
    set_aside: SetAside,
    /// The game whose card takes for ever.
    #[cfg(test)]
    endless: Mutex<Option<String>>,
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Library {
    pub fn new(data: PathBuf, own: &[GameRow]) -> Library {
        let mut games = BTreeMap::new();
        for id in Folder::library() {
            let folder = Folder::of_library(&id);
            let file = format!("{id}.zrf");
            if folder.names().contains(&file) {
                games.insert(id.clone(), Entry::of_library(id, folder, file));
            }
        }
        for name in Folder::presets() {
            let folder = Folder::of_presets(&name);
            let file = boardwright_preset::SETTINGS_FILE.to_owned();
            if folder.names().contains(&file) {
                let id = format!("preset-{name}");
                games.insert(id.clone(), Entry::of_library(id, folder, file));
            }
        }
        let inner = Inner {
            games: RwLock::new(games),
            kept: Mutex::default(),
            ready: watch::Sender::new(false),
            own_ready: watch::Sender::new(false),
            set_aside: SetAside::new(data.join(".set-aside")),
            #[cfg(test)]
            endless: Mutex::default(),
            data,
        };
        let library = Library(Arc::new(inner));
        for row in own.iter().filter(|it| it.deleted.is_none()) {
            library.add_own(&row.id, &row.title, &row.file);
        }
        library
    }

    /// Makes the card of a game take for ever.
    #[cfg(test)]
    pub fn make_endless(&self, id: &str) {
        *locked(&self.0.endless) = Some(id.to_owned());
    }

    /// The user's own games.
    pub fn own(&self) -> Vec<String> {
        self.read().values().filter(|it| it.mine).map(|it| it.id.clone()).collect()
    }

    /// The notes about games that are not read.
    pub fn set_aside(&self) -> &SetAside {
        &self.0.set_aside
    }

    /// Shows from now on why a game is not read.
    pub fn note_set_aside(&self, id: &str, reason: String) {
        if let Some(it) = self.write().get_mut(id) {
            it.set_aside = Some(reason);
        }
        self.forget(id);
    }

    /// The cards of all own games are made, or will not be.
    pub fn own_are_ready(&self) {
        self.0.own_ready.send_replace(true);
    }

    /// The folder of the user's own games.
    pub fn data(&self) -> &PathBuf {
        &self.0.data
    }

    /// Makes the cards of the library inside the program, on threads of its own.
    pub fn prepare(&self) {
        let ours = |it: &&Entry| !it.mine;
        let ids: Vec<String> = self.read().values().filter(ours).map(|it| it.id.clone()).collect();
        let ids = Arc::new(ids);
        let next = Arc::new(AtomicUsize::new(0));
        let left = Arc::new(AtomicUsize::new(ids.len()));
        let n_threads = std::thread::available_parallelism().map_or(2, |it| it.get()).clamp(1, 8);
        let mut n_started = 0;
        for _ in 0..n_threads {
            let (library, ids) = (self.clone(), Arc::clone(&ids));
            let (next, left) = (Arc::clone(&next), Arc::clone(&left));
            let work = move || {
                while let Some(id) = ids.get(next.fetch_add(1, Ordering::Relaxed)) {
                    // One game that makes us panic must not keep the whole library back.
                    if catch_unwind(AssertUnwindSafe(|| library.card(id))).is_err() {
                        tracing::error!(game = %id, "making the card of a game panicked");
                    }
                    if left.fetch_sub(1, Ordering::AcqRel) == 1 {
                        library.0.ready.send_replace(true);
                    }
                }
            };
            let thread = std::thread::Builder::new().name("cards".into()).spawn(work);
            n_started += usize::from(thread.or_warn("no thread for the library").is_some());
        }
        if n_started == 0 {
            // Better a library without cards than a page that waits for ever.
            self.0.ready.send_replace(true);
        }
    }

    fn read(&self) -> std::sync::RwLockReadGuard<'_, BTreeMap<String, Entry>> {
        self.0.games.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> std::sync::RwLockWriteGuard<'_, BTreeMap<String, Entry>> {
        self.0.games.write().unwrap_or_else(PoisonError::into_inner)
    }

    /// The game with this id.
    pub fn entry(&self, id: &str) -> Option<Entry> {
        self.read().get(id).cloned()
    }

    /// The card of a game, made if it is not there yet.
    pub fn card(&self, id: &str) -> Option<Arc<GameCard>> {
        let entry = self.entry(id)?;
        if let Some(card) = entry.card {
            return Some(card);
        }
        #[cfg(test)]
        while locked(&self.0.endless).as_deref() == Some(id) && !work::is_told_to_stop() {}
        let card = language::card(&entry)?;
        let card = Arc::new(card);
        // Part of what was stopped may be missing.
        if work::is_told_to_stop() {
            return None;
        }
        if let Some(it) = self.write().get_mut(id) {
            it.card = Some(Arc::clone(&card));
        }
        Some(card)
    }

    /// Waits until the cards of the library are made, and a little for those of own games.
    pub async fn ready(&self) {
        // The senders live as long as we do.
        let _ = self.0.ready.subscribe().wait_for(|it| *it).await;
        let mut own = self.0.own_ready.subscribe();
        let _ = timeout(OWN_CARDS, own.wait_for(|it| *it)).await;
    }

    /// All cards.
    pub fn view(&self) -> LibraryView {
        let games = self.read();
        let cards = games.values().filter_map(Entry::shown);
        let mut games: Vec<GameCard> = cards.collect();
        games.sort_by_key(|it| (!it.mine, it.title.to_lowercase()));
        let n_variants = games.iter().map(|it| it.variants.len() as u32).sum();
        LibraryView { games, n_variants }
    }

    /// Adds one of the user's own games; `file` is its path below the data folder.
    pub fn add_own(&self, id: &str, title: &str, file: &str) {
        let Some((root, file)) = file.split_once('/') else { return };
        let Some(root) = joined("", root).filter(|it| !it.is_empty()) else { return };
        let folder = Folder::on_disk(self.0.data.join(root));
        let (id, file) = (id.to_owned(), file.to_owned());
        let (title, set_aside) = (title.to_owned(), None);
        let entry =
            Entry { id: id.clone(), mine: true, folder, file, card: None, title, set_aside };
        self.write().insert(id, entry);
    }

    /// Removes a game.
    pub fn remove(&self, id: &str) {
        self.write().remove(id);
        self.forget(id);
    }

    /// Removes a game from the cache, so that it is compiled again from its files.
    pub fn forget(&self, id: &str) {
        locked(&self.0.kept).retain(|it| it.game != id);
    }

    /// A game from the cache.
    pub fn kept(&self, id: &str, n: usize) -> Option<Arc<Playable>> {
        let mut kept = locked(&self.0.kept);
        let at = kept.iter().position(|it| it.n == n && it.game == id)?;
        let found = kept.remove(at);
        kept.push(found.clone());
        Some(found)
    }

    /// Puts a game into the cache.
    pub fn keep(&self, it: Arc<Playable>) {
        let mut kept = locked(&self.0.kept);
        kept.push(it);
        if kept.len() > KEPT {
            kept.remove(0);
        }
    }

    /// A game, ready to be played. May compile it, so not for request threads.
    pub fn playable(&self, id: &str, n: usize) -> Result<Arc<Playable>, ApiError> {
        if let Some(found) = self.kept(id, n) {
            return Ok(found);
        }
        let missing = || ApiError::not_found(format!("there is no game `{id}`"));
        let entry = self.entry(id).ok_or_else(missing)?;
        if let Some(reason) = &entry.set_aside {
            let status = StatusCode::UNPROCESSABLE_ENTITY;
            return Err(ApiError::new(status, format!("this game is set aside: {reason}"))
                .hint("Correct its rules and open it again."));
        }
        let made = Arc::new(language::open(&entry, n)?);
        // Part of what was stopped may be missing.
        if !work::is_told_to_stop() {
            self.keep(Arc::clone(&made));
        }
        Ok(made)
    }

    /// All games.
    pub fn entries(&self) -> Vec<Entry> {
        self.read().values().cloned().collect()
    }

    /// The game and variant that an `open` of a rule file names: `..\chess\chess.zrf>Knightmate`.
    pub fn opened(&self, from: &Entry, open: &str) -> Option<String> {
        let (path, title) = open.split_once('>').map_or((open, None), |(a, b)| (a, Some(b.trim())));
        let path = path.trim();
        let entry = if path.is_empty() { from.clone() } else { self.entry_at(from, path)? };
        let card = self.card(&entry.id)?;
        let n = match title {
            Some(title) => {
                let same = |it: &str| it.eq_ignore_ascii_case(title);
                card.variants.iter().find(|it| same(&it.title))?.n
            }
            None => card.variants.first().map_or(0, |it| it.n),
        };
        Some(format!("{}/{n}", entry.id))
    }

    fn entry_at(&self, from: &Entry, path: &str) -> Option<Entry> {
        if from.mine {
            let name = from.folder.find(&from.file, path)?;
            let games = self.read();
            let root = from.id.rsplit_once('.').map_or(from.id.as_str(), |it| it.0);
            let is_near = |it: &&Entry| it.mine && it.id.starts_with(root) && it.file == name;
            return games.values().find(is_near).cloned();
        }
        let whole = joined(&from.id, path)?.to_lowercase();
        let (folder, file) = whole.split_once('/')?;
        self.entry(folder).filter(|it| it.file.to_lowercase() == file)
    }

    /// The games whose rule file has this name, for saved games.
    pub fn by_file_name(&self, name: &str) -> Vec<Entry> {
        let wanted = name.to_lowercase();
        let games = self.read();
        let is_it = |it: &&Entry| {
            let file = it.file.rsplit('/').next().unwrap_or("");
            file.to_lowercase() == wanted
        };
        // The user's own come first: whoever wrote rules wants to play by them.
        let (own, ours): (Vec<Entry>, Vec<Entry>) =
            games.values().filter(is_it).cloned().partition(|it| it.mine);
        own.into_iter().chain(ours).collect()
    }
}
