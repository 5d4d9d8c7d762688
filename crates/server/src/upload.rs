//! Uploads of the user's own games: a rule file, a folder, or a zip of either.
//!
//! Everything is counted before it is stored: files, bytes, and what a zip unpacks to.
//! Paths consist of plain names below one new folder, or are refused.

mod unzip;

use std::{
    collections::HashSet,
    fs,
    path::{Path, PathBuf},
};

use axum::{
    Json, Router,
    extract::{DefaultBodyLimit, Multipart, State},
    http::StatusCode,
    routing::post,
};
use boardwright_protocol::{Skipped, Uploaded, UploadedGame};
use boardwright_store::GameRow;

use crate::{
    app::App,
    error::{ApiError, LogError},
    folder::Folder,
    keys,
    language::{self, preset, rule_file},
};

/// Bytes of an upload, with the multipart headers around its files.
const BODY: usize = MAX_BYTES + (2 << 20);
/// Bytes of all files after unpacking.
const MAX_BYTES: usize = 64 << 20;
/// Files of an upload, those in zips included.
const MAX_FILES: usize = 2000;
/// Games that a user may have.
const MAX_GAMES: usize = 1000;
/// Rule files in one upload that become games.
const MAX_RULES: usize = 40;
/// File name endings that belong to a game; other files are left out.
const WANTED: &[&str] = &[
    "zrf", "zsg", "inc", "txt", "gc", "php", "svg", "md", "bmp", "png", "gif", "jpg", "jpeg",
    "wav", "mid", "midi",
];

/// The files of an upload, and those that were left out.
#[derive(Default)]
pub(crate) struct Parcel {
    pub files: Vec<(String, Vec<u8>)>,
    pub skipped: Vec<Skipped>,
    n_bytes: usize,
}

impl Parcel {
    /// Bytes that may still be added.
    pub fn room(&self) -> usize {
        MAX_BYTES - self.n_bytes
    }

    /// Counts bytes that were unpacked for nothing.
    pub fn spend(&mut self, n_bytes: usize) {
        self.n_bytes += n_bytes.min(self.room());
    }

    /// Whether a file with this name would be added; else it is noted why it is left out. An
    /// upload with too many files is refused.
    pub fn wants(&mut self, path: &str) -> Result<bool, ApiError> {
        if self.files.len() + self.skipped.len() >= MAX_FILES {
            return Err(too_large(format!("an upload may have at most {MAX_FILES} files")));
        }
        match plain_path(path) {
            Ok(path) if is_wanted(&path) => return Ok(true),
            Ok(path) => self.skip(&path, "files of this type do not belong to a game"),
            Err(why) => self.skip(path, why),
        }
        Ok(false)
    }

    /// Adds a file, or notes why it is left out; an upload that is too large is refused.
    pub fn add(&mut self, path: &str, bytes: Vec<u8>) -> Result<(), ApiError> {
        if !self.wants(path)? {
            return Ok(());
        }
        if bytes.len() > self.room() {
            return Err(too_large(format!("an upload may have at most {} MB", MAX_BYTES >> 20)));
        }
        if let Ok(path) = plain_path(path) {
            self.n_bytes += bytes.len();
            self.files.push((path, bytes));
        }
        Ok(())
    }

    pub fn skip(&mut self, file: &str, why: &str) {
        let file: String = file.chars().filter(|it| !it.is_control()).take(200).collect();
        self.skipped.push(Skipped { file, why: why.to_owned() });
    }
}

pub(crate) fn too_large(error: String) -> ApiError {
    ApiError::new(StatusCode::PAYLOAD_TOO_LARGE, error)
}

fn is_wanted(path: &str) -> bool {
    let ending = path.rsplit_once('.').map(|it| it.1.to_ascii_lowercase());
    ending.is_some_and(|it| WANTED.contains(&it.as_str()))
}

/// A path of plain names, or the reason why it is left out.
fn plain_path(path: &str) -> Result<String, &'static str> {
    if path.starts_with(['/', '\\']) || path.contains([':', '\0']) {
        return Err("its path does not start within the upload");
    }
    let mut parts = Vec::new();
    for part in path.split(['/', '\\']).filter(|it| !it.is_empty() && *it != ".") {
        if part == ".." {
            return Err("its path leads out of the upload");
        }
        if part.chars().any(char::is_control) || part.len() > 120 || part.ends_with([' ', '.']) {
            return Err("its name cannot be stored on every system");
        }
        parts.push(part);
    }
    match parts.len() {
        0 => Err("it has no name"),
        1..=10 => Ok(parts.join("/")),
        _ => Err("it is in too many nested folders"),
    }
}

pub(crate) fn router() -> Router<App> {
    Router::new().route("/games", post(upload).layer(DefaultBodyLimit::max(BODY)))
}

/// `POST /api/games`: stores the files of an upload and adds the games among them.
async fn upload(
    State(app): State<App>,
    mut form: Multipart,
) -> Result<(StatusCode, Json<Uploaded>), ApiError> {
    let mut parcel = Parcel::default();
    let mut zips = Vec::new();
    let broken = |error: axum::extract::multipart::MultipartError| {
        tracing::debug!(cause = %error.body_text(), "an upload could not be read");
        ApiError::new(error.status(), "the upload could not be read")
    };
    while let Some(field) = form.next_field().await.map_err(broken)? {
        let Some(name) = field.file_name().map(str::to_owned) else { continue };
        let bytes = field.bytes().await.map_err(broken)?;
        if zips.len() + parcel.files.len() + parcel.skipped.len() >= MAX_FILES {
            return Err(too_large(format!("an upload may have at most {MAX_FILES} files")));
        }
        match name.to_lowercase().ends_with(".zip") {
            true => zips.push(bytes),
            false => parcel.add(&name, bytes.to_vec())?,
        }
    }
    check_number(&app).await?;
    let folder = format!("my-{}", keys::id());
    let (place, root) = (app.library.data().join(&folder), folder.clone());
    let kept = app.work(move || {
        for zip in &zips {
            unzip::unzip(zip, &mut parcel)?;
        }
        keep(&place, &root, parcel)
    });
    let kept = kept.await;
    let (uploaded, rows) = match kept.and_then(|it| it) {
        Ok(it) => it,
        Err(error) => {
            clean_up(app.library.data().join(&folder));
            return Err(error);
        }
    };
    for row in &rows {
        app.store.add_game(row).await?;
    }
    for row in &rows {
        app.library.add_own(&row.id, &row.title, &row.file);
        app.make_card(&row.id).await;
    }
    Ok((StatusCode::CREATED, Json(uploaded)))
}

/// Refuses another game where there are too many; those that are deleted do not count.
pub(crate) async fn check_number(app: &App) -> Result<(), ApiError> {
    let games = app.store.games().await?;
    match games.iter().filter(|it| it.deleted.is_none()).count() < MAX_GAMES {
        true => Ok(()),
        false => {
            Err(ApiError::bad(format!("you have {MAX_GAMES} games already, which is the limit"))
                .hint("Delete one that you no longer need."))
        }
    }
}

/// Removes what an upload that failed has written.
fn clean_up(place: PathBuf) {
    if place.exists() {
        fs::remove_dir_all(place).or_warn("the files of an upload that failed cannot be removed");
    }
}

/// Writes the files to a new folder, and finds the games among them.
fn keep(
    place: &Path,
    root: &str,
    mut parcel: Parcel,
) -> Result<(Uploaded, Vec<GameRow>), ApiError> {
    strip_common_folder(&mut parcel.files);
    let is_rules = language::is_game;
    if !parcel.files.iter().any(|it| is_rules(&it.0)) {
        return Err(ApiError::bad("the upload contains neither a rule file nor a preset").hint(
            "Rule files end in .zrf, presets are folders with a preset.txt. Add pictures, \
             sounds and includes to the same upload.",
        ));
    }
    write_all(place, &mut parcel)
        .map_err(|cause| ApiError::disk("the game could not be stored", cause))?;
    let folder = Folder::on_disk(place.to_owned());
    let rules: Vec<String> =
        folder.names().iter().filter(|it| is_rules(it)).take(MAX_RULES).cloned().collect();
    let mut uploaded = Uploaded { skipped: parcel.skipped, ..Uploaded::default() };
    let mut rows = Vec::new();
    let id_of = |n: usize| match n {
        0 => root.to_owned(),
        _ => format!("{root}.{}", n + 1),
    };
    for name in &rules {
        if preset::is_preset(name) {
            let id = id_of(rows.len());
            let source = preset::read(&folder, name);
            let title = source.titles().swap_remove(0);
            let (diagnostics, broken) = preset::check(&id, source);
            uploaded.games.push(UploadedGame { id: id.clone(), title: title.clone(), broken });
            uploaded.diagnostics.extend(diagnostics);
            let (file, created) = (format!("{root}/{name}"), keys::now());
            rows.push(GameRow { id, title, file, created, deleted: None });
            continue;
        }
        let Some(mut file) = rule_file::load(&folder, name) else { continue };
        file.check();
        let has_game = file.variants().iter().any(|it| !it.is_separator);
        // Files without a game of their own are included by others.
        if !has_game && rules.len() > 1 {
            continue;
        }
        let id = id_of(rows.len());
        let stem = name.rsplit('/').next().unwrap_or(name);
        let stem = stem.rsplit_once('.').map_or(stem, |it| it.0);
        let title = file.default_variant().map(|it| file.shown_title(it));
        let title = title.filter(|it| !it.is_empty()).unwrap_or_else(|| stem.to_owned());
        let broken = file.has_errors();
        uploaded.games.push(UploadedGame { id: id.clone(), title: title.clone(), broken });
        uploaded.diagnostics.extend(rule_file::diagnostics(&file));
        let (file, created) = (format!("{root}/{name}"), keys::now());
        rows.push(GameRow { id, title, file, created, deleted: None });
    }
    Ok((uploaded, rows))
}

/// Removes folders around all files: a zip of one folder is that folder.
fn strip_common_folder(files: &mut [(String, Vec<u8>)]) {
    loop {
        let first = files.first().and_then(|it| it.0.split_once('/')).map(|it| it.0.to_owned());
        let Some(first) = first else { return };
        let prefix = format!("{first}/");
        if !files.iter().all(|it| it.0.starts_with(&prefix)) {
            return;
        }
        for (path, _) in files.iter_mut() {
            path.drain(..prefix.len());
        }
    }
}

fn write_all(place: &Path, parcel: &mut Parcel) -> std::io::Result<()> {
    let mut seen = HashSet::new();
    fs::create_dir_all(place)?;
    for (path, bytes) in std::mem::take(&mut parcel.files) {
        // Some file systems do not tell such names apart.
        if !seen.insert(path.to_lowercase()) {
            parcel.skip(&path, "another file of the upload has the same name");
            continue;
        }
        let target = place.join(&path);
        if let Some(parent) = target.parent() {
            fs::create_dir_all(parent)?;
        }
        fs::write(target, bytes)?;
    }
    Ok(())
}

/// The number of files and bytes that an upload of this zip would give; `None` if it is refused.
/// For the fuzz target.
#[doc(hidden)]
pub fn unzipped(bytes: &[u8]) -> Option<(usize, usize)> {
    let mut parcel = Parcel::default();
    unzip::unzip(bytes, &mut parcel).ok()?;
    Some((parcel.files.len(), parcel.files.iter().map(|it| it.1.len()).sum()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_plain_or_refused() {
        assert_eq!(plain_path("Pond\\images/./wolf.bmp").as_deref(), Ok("Pond/images/wolf.bmp"));
        for path in
            ["../x.zrf", "a/../../x.zrf", "/etc/x.zrf", "\\x.zrf", "C:\\x.zrf", "", "a\0.zrf"]
        {
            assert!(plain_path(path).is_err(), "{path:?}");
        }
    }

    #[test]
    fn one_folder_around_everything_is_stripped() {
        let mut files = vec![("a/b/x.zrf".to_owned(), vec![]), ("a/b/c/y.bmp".to_owned(), vec![])];
        strip_common_folder(&mut files);
        let paths: Vec<_> = files.iter().map(|it| it.0.as_str()).collect();
        assert_eq!(paths, ["x.zrf", "c/y.bmp"]);
    }

    #[test]
    fn too_many_files_are_refused() {
        let mut parcel = Parcel::default();
        for n in 0..MAX_FILES {
            parcel.add(&format!("{n}.txt"), Vec::new()).expect("there is room");
        }
        assert!(parcel.add("one-more.txt", Vec::new()).is_err());
    }

    /// A zip with a small rule file and a picture of one colour.
    fn small_zip() -> Vec<u8> {
        let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
        let options = zip::write::SimpleFileOptions::default();
        for (name, bytes) in [("pond.zrf", vec![b'('; 400]), ("images/pond.bmp", vec![7; 9000])] {
            zip.start_file(name, options).expect("begins");
            std::io::Write::write_all(&mut zip, &bytes).expect("writes");
        }
        zip.finish().expect("ends").into_inner()
    }

    #[test]
    fn a_damaged_zip_is_refused_or_read_within_bounds() {
        let whole = small_zip();
        assert_eq!(unzipped(&whole), Some((2, 9400)));
        let mut rng = boardwright_play::SplitMix64::new(1);
        let (mut n_read, mut n_refused) = (0, 0);
        for _ in 0..5000 {
            let mut bytes = whole.clone();
            for _ in 0..1 + rng.below(6) {
                let at = rng.below(bytes.len());
                bytes[at] = rng.below(256) as u8;
            }
            if rng.below(4) == 0 {
                bytes.truncate(rng.below(bytes.len()));
            }
            match unzipped(&bytes) {
                Some((n_files, n_bytes)) => {
                    n_read += 1;
                    assert!(n_files <= 2 && n_bytes <= MAX_BYTES, "{n_files} {n_bytes}");
                }
                None => n_refused += 1,
            }
        }
        assert!(n_read > 500 && n_refused > 500, "{n_read} {n_refused}");
    }
}
