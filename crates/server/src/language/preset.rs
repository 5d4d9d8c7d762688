//! Game Courier presets, and problems posed on them, ready to be shown and played.

use std::sync::{Arc, OnceLock};

use axum::http::StatusCode;
use boardwright_gamecode::CodeLimits;
use boardwright_preset::{Bundle, Enforcement, Note, Preset, Problem, SETTINGS_FILE};
use boardwright_protocol::{DiagnosticView, SeverityView};
use boardwright_render::{Layout, looks::PieceSet};
use boardwright_rules::{GameRules, PresetRules};
use boardwright_text::{Encoding, render};

use super::{Origin, Playable, rule_file};
use crate::{error::ApiError, folder::Folder, library::Entry, work};

/// The problems of a preset that are shown.
const MAX_PROBLEMS: usize = 100;
/// The largest text of a problem.
const MAX_PROBLEM: usize = 64 << 10;

/// Where a preset's own files and its includes come from.
pub(crate) struct Files<'f> {
    pub folder: &'f Folder,
    /// The settings file within the folder.
    pub file: &'f str,
}

impl Files<'_> {
    fn text(&self, name: &str) -> Option<String> {
        let name = self.folder.find(self.file, name)?.to_owned();
        Some(Encoding::decode(&self.folder.read(&name)?).0)
    }
}

impl boardwright_preset::Folder for Files<'_> {
    fn file(&mut self, name: &str) -> Option<String> {
        self.text(name)
    }

    fn include(&mut self, name: &str) -> Option<String> {
        let beside = self.text(&format!("{name}.gc"));
        beside.or_else(|| self.text(&format!("include/{name}.gc"))).or_else(|| shared(name))
    }
}

/// An include file of the library.
pub(crate) fn shared(name: &str) -> Option<String> {
    let bytes = Folder::of_presets("include").read(&format!("{name}.gc"))?;
    Some(Encoding::decode(&bytes).0)
}

/// Bytes of a listing that are sent.
const MAX_LISTING: usize = 400_000;

/// The listing of a preset's whole program, the failing line marked; `None` for rule files.
pub(crate) fn listing(rules: &GameRules) -> Option<String> {
    let preset = rules.as_preset()?.preset;
    let failing = preset.diagnostics().iter().find(|it| it.is_error()).map(|it| it.span);
    let text = preset.program().listing(failing);
    let lines = text.lines().map(render::printable);
    let mut out = String::new();
    for line in lines {
        if out.len() + line.len() > MAX_LISTING {
            out.push_str("…\n");
            break;
        }
        out.push_str(&line);
        out.push('\n');
    }
    Some(out)
}

/// Whether a file is the settings file of a preset.
pub(crate) fn is_preset(file: &str) -> bool {
    file.rsplit('/').next().is_some_and(|it| it.eq_ignore_ascii_case(SETTINGS_FILE))
}

/// A preset's text with all that goes with it.
pub(crate) struct Source {
    pub bundle: Bundle,
    /// What was not understood in its settings.
    pub notes: Vec<Note>,
    pub problems: Vec<Problem>,
}

/// Reads a preset from its folder.
pub(crate) fn read(folder: &Folder, file: &str) -> Source {
    let mut files = Files { folder, file };
    let whole = folder.read(file).map(|it| Encoding::decode(&it).0);
    // One text that brings its includes along is the whole preset.
    let is_whole = |it: &String| it.lines().any(|it| it.starts_with("include "));
    let (bundle, notes) = match whole.filter(is_whole) {
        Some(text) => Bundle::read(&text),
        None => Bundle::open(&mut files),
    };
    let root = file.rsplit_once('/').map_or(String::new(), |it| format!("{}/", it.0));
    let place = format!("{root}problems/");
    let names = folder.names().iter().filter(|it| it.starts_with(&place) && it.ends_with(".txt"));
    let mut names: Vec<&String> = names.take(MAX_PROBLEMS).collect();
    names.sort_unstable();
    let texts = names.into_iter().filter_map(|it| folder.read(it));
    let texts = texts.filter(|it| it.len() <= MAX_PROBLEM).map(|it| Encoding::decode(&it).0);
    let problems = texts.map(|it| Problem::read(&it).0).collect();
    Source { bundle, notes, problems }
}

/// Which preset is wanted, and what is known of it beside its text.
pub(crate) struct Wanted<'w> {
    pub game: &'w str,
    pub n: usize,
    pub bundle: Bundle,
    pub problem: Option<Problem>,
    pub titles: Vec<String>,
    pub notes: &'w [Note],
}

/// Colours that are wood: the page's own theme shows them better.
const WOODEN: &[&str] = &[
    "B58863 F0D9B5",
    "E8C98B F4E0B0",
    "E8C98B F4E0B0 DDB878",
    "D18B47 E8AB6F FFCE9E",
    "339933 CCCC11 22CC22 9999FF",
];

impl Source {
    /// The titles of the game and of its problems.
    pub fn titles(&self) -> Vec<String> {
        let game = clean(self.bundle.settings.get("game"));
        let problems = self.problems.iter().map(|it| clean(&it.title));
        let numbered = problems.enumerate().map(|(idx, it)| match it.is_empty() {
            true => format!("Problem {}", idx + 1),
            false => it,
        });
        std::iter::once(game).chain(numbered).collect()
    }
}

fn clean(title: &str) -> String {
    let shown = render::printable(title);
    let shown: String = shown.trim().chars().take(80).collect();
    if shown.is_empty() { "Preset".to_owned() } else { shown }
}

/// What is wrong with a preset that cannot be played.
pub(crate) struct Broken {
    pub message: String,
    pub diagnostics: Vec<DiagnosticView>,
}

/// A preset of the library, ready to be played.
pub(crate) fn open(entry: &Entry, n: usize) -> Result<Playable, ApiError> {
    let source = read(&entry.folder, &entry.file);
    let titles = source.titles();
    if n >= titles.len() {
        return Err(ApiError::not_found(format!("`{}` has no problem {n}", entry.id)));
    }
    let problem = n.checked_sub(1).and_then(|it| source.problems.get(it).cloned());
    let (game, bundle, notes) = (entry.id.as_str(), source.bundle, source.notes.as_slice());
    made(Wanted { game, n, bundle, problem, titles, notes }).map_err(broken)
}

/// Makes a preset ready. Code runs here, so not on a request thread.
pub(crate) fn made(wanted: Wanted<'_>) -> Result<Playable, Broken> {
    let Wanted { game, n, bundle, problem, titles, notes } = wanted;
    let limits = CodeLimits { stop: work::stop_signal(), ..CodeLimits::default() };
    let made = match &problem {
        // A problem that is kept with a match has been posed already.
        Some(problem) if !problem.code.is_empty() => problem.preset(&bundle, &limits),
        _ => Preset::new(bundle, &limits),
    };
    let mut diagnostics: Vec<DiagnosticView> = notes.iter().map(note).collect();
    let preset = match made {
        Ok(preset) => Arc::new(preset),
        Err(error) => {
            let message = error.to_string();
            diagnostics.push(board_error(&message));
            return Err(Broken { message, diagnostics });
        }
    };
    let sources = preset.program().sources();
    diagnostics.extend(rule_file::views(preset.diagnostics(), sources));
    let rules = match GameRules::preset(Arc::clone(&preset), problem) {
        Ok(rules) => rules,
        Err(error) => {
            let found = error.diagnostic.map(|it| *it);
            diagnostics.extend(rule_file::views(found.as_slice(), sources));
            return Err(Broken { message: error.message, diagnostics });
        }
    };
    let title = titles.get(n).or(titles.first()).cloned();
    Ok(Playable {
        game: game.to_owned(),
        n,
        title: title.unwrap_or_else(|| clean(preset.bundle.settings.get("game"))),
        layout: Layout::of_game(&rules),
        sets: PieceSet::all_of(&rules),
        rules: Arc::new(rules),
        diagnostics,
        foreign: None,
        origin: Origin::Preset { titles },
        values: OnceLock::new(),
    })
}

/// Whether the board has colours of its author's. Those of wood are drawn in the colours
/// that the user chose for all boards.
pub(crate) fn is_coloured(preset: &Preset) -> bool {
    !WOODEN.contains(&preset.bundle.settings.get("colors").trim())
}

/// How much of the rules the code takes care of.
pub(crate) fn enforcement(rules: &PresetRules<'_>) -> Enforcement {
    match rules.problem {
        // What poses a problem clears flags, and the rules are those of the game.
        Some(_) if rules.start.told_moves().is_some() => Enforcement::Enforced,
        _ => rules.start.enforcement(),
    }
}

/// Why a preset cannot be played.
pub(crate) fn broken(it: Broken) -> ApiError {
    ApiError::new(
        StatusCode::UNPROCESSABLE_ENTITY,
        format!("the preset has errors: {}", it.message),
    )
    .hint("Correct it with Edit preset, and try again.")
    .diagnostics(it.diagnostics)
}

/// What is to be said about a preset, and whether it cannot be played.
pub(crate) fn check(game: &str, source: Source) -> (Vec<DiagnosticView>, bool) {
    let (titles, bundle, notes) = (source.titles(), source.bundle, &source.notes);
    match made(Wanted { game, n: 0, bundle, problem: None, titles, notes }) {
        Ok(playable) => (playable.diagnostics, false),
        Err(broken) => (broken.diagnostics, true),
    }
}

fn note(it: &Note) -> DiagnosticView {
    plain(&it.message, SETTINGS_FILE, it.line, SeverityView::Warning)
}

fn board_error(message: &str) -> DiagnosticView {
    plain(message, SETTINGS_FILE, 0, SeverityView::Error)
}

/// A message about settings, which are not code.
fn plain(message: &str, file: &str, line: usize, severity: SeverityView) -> DiagnosticView {
    let message = render::printable(message);
    DiagnosticView {
        code: "P0001".to_owned(),
        severity,
        text: format!("{file}: {message}"),
        message,
        file: file.to_owned(),
        line: line as u32,
        column: 1,
        source: String::new(),
        caret: [0, 0],
        hints: Vec::new(),
    }
}
