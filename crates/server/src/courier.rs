//! A Game Courier preset, or a problem posed on one, ready to be shown and played.

use std::sync::{Arc, OnceLock};

use boardwright_game::Player;
use boardwright_gamecode::{CodeLimits, forsythe};
use boardwright_preset::{
    Bundle, Enforcement, Game, Note, Preset, Problem, SETTINGS_FILE, search::Values,
};
use boardwright_protocol::{DiagnosticView, Severity};
use boardwright_referee::{PresetMatch, Refusal};
use boardwright_render::{
    Layout,
    looks::{Cast, PieceSet},
    svg::Placed,
};
use boardwright_text::{Encoding, render};

use crate::{folder::Folder, variant};

/// The problems of a preset that are shown.
const MAX_PROBLEMS: usize = 100;
/// The largest text of a problem.
const MAX_PROBLEM: usize = 64 << 10;

/// A preset that can be played.
pub(crate) struct Courier {
    /// The game's id.
    pub game: String,
    /// 0 for the game itself, then its problems.
    pub n: usize,
    pub title: String,
    pub preset: Arc<Preset>,
    pub problem: Option<Problem>,
    /// The titles of the game and of its problems.
    pub titles: Vec<String>,
    /// The game at its start, with some seed.
    pub start: Game,
    pub layout: Layout,
    pub cast: Cast,
    /// The first is the one that the preset asks for.
    pub sets: Vec<PieceSet>,
    /// The players that somebody plays.
    pub seats: Vec<Player>,
    pub diagnostics: Vec<DiagnosticView>,
    values: OnceLock<Values>,
}

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
const WOODEN: &[&str] = &["B58863 F0D9B5", "339933 CCCC11 22CC22 9999FF"];

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

impl Courier {
    /// Makes a preset ready. Code runs here, so not on a request thread.
    pub fn new(wanted: Wanted<'_>) -> Result<Courier, Broken> {
        let Wanted { game, n, bundle, problem, titles, notes } = wanted;
        let limits = CodeLimits::default();
        let made = match &problem {
            // A problem that is kept with a match has been posed already.
            Some(problem) if !problem.code.is_empty() => problem.preset(&bundle, &limits),
            _ => Preset::new(bundle, &limits),
        };
        let mut diagnostics: Vec<DiagnosticView> = notes.iter().map(note).collect();
        let preset = match made {
            Ok(preset) => Arc::new(preset),
            Err(message) => {
                diagnostics.push(board_error(&message));
                return Err(Broken { message, diagnostics });
            }
        };
        diagnostics.extend(variant::views(preset.diagnostics(), preset.program().sources()));
        let start = match PresetMatch::new(Arc::clone(&preset), 1, None) {
            Ok(started) => started.game().clone(),
            Err(refusal) => {
                let message = match &refusal {
                    Refusal::Turn(message, _) => message.clone(),
                    _ => "the code asks a question before the game begins".to_owned(),
                };
                let stop = Game::start(Arc::clone(&preset), 1).err();
                let stop = stop.and_then(|it| it.diagnostic());
                let sources = preset.program().sources();
                diagnostics.extend(variant::views(stop.as_slice(), sources));
                return Err(Broken { message, diagnostics });
            }
        };
        let (cast, mut sets) = pieces(&preset, &start);
        let layout = Layout::of_preset(&preset, Some(&start));
        let asked = preset.bundle.settings.get("set");
        if let Some(at) = sets.iter().position(|it| it.id == asked) {
            sets[..=at].rotate_right(1);
        }
        let seats = match &problem {
            Some(_) => vec![Player(start.mover() as u8)],
            None => vec![Player(0), Player(1)],
        };
        let title = titles.get(n).or(titles.first()).cloned();
        Ok(Courier {
            game: game.to_owned(),
            n,
            title: title.unwrap_or_else(|| clean(preset.bundle.settings.get("game"))),
            problem,
            titles,
            layout,
            cast,
            sets,
            seats,
            diagnostics,
            start,
            preset,
            values: OnceLock::new(),
        })
    }

    /// The name of a player as people see it.
    pub fn player_name(&self, player: Player) -> String {
        let name = self.cast.players().nth(player.idx()).unwrap_or("");
        render::printable(name)
    }

    /// Whether the code tells legal moves, so that an engine can play.
    pub fn has_engine(&self) -> bool {
        self.problem.is_none() && self.start.told_moves().is_some()
    }

    /// Whether the board has colours of its author's. Those of the library are drawn in the
    /// colours that the user chose for all boards.
    pub fn is_coloured(&self) -> bool {
        let colors = self.preset.bundle.settings.get("colors");
        !self.game.starts_with("preset-") && !WOODEN.contains(&colors.trim())
    }

    /// How much of the rules the code takes care of.
    pub fn enforcement(&self) -> Enforcement {
        match &self.problem {
            // What poses a problem clears flags, and the rules are those of the game.
            Some(_) if self.start.told_moves().is_some() => Enforcement::Enforced,
            _ => self.start.enforcement(),
        }
    }

    /// What the pieces are worth; takes up to some seconds the first time.
    pub fn values(&self, stop: &mut dyn FnMut() -> bool) -> Values {
        if let Some(values) = self.values.get() {
            return values.clone();
        }
        let values = Values::measure(&self.start, stop);
        // What was measured in a hurry is not kept.
        if !stop() {
            let _ = self.values.set(values.clone());
        }
        values
    }

    /// Whose and what a label is; one that nobody expected is some piece.
    pub fn piece(&self, label: &str) -> Option<(Player, boardwright_game::PieceKind)> {
        let other = if boardwright_gamecode::Machine::is_lower(label) { "piece" } else { "Piece" };
        self.cast.piece(label).or_else(|| self.cast.piece(other))
    }

    /// The pieces that Forsythe code tells of.
    pub fn placed(&self, code: &str) -> Vec<Placed> {
        let board = self.preset.board();
        let (n_files, n_ranks) = board.size();
        let n_columns = if n_files == 0 { board.spaces().len() } else { n_files };
        let cells = forsythe::read(code, n_columns.max(1)).unwrap_or_default();
        let placed = board.all().filter_map(|site| {
            let idx = match board.info(site)?.cell {
                Some((file, rank)) => {
                    n_ranks.checked_sub(1 + usize::from(rank))? * n_files + usize::from(file)
                }
                None => site.index(),
            };
            let boardwright_gamecode::ForsytheCell::Piece(label) = cells.get(idx)? else {
                return None;
            };
            let (player, kind) = self.piece(label)?;
            let site = boardwright_game::Site(site.index() as u16);
            Some(Placed { site, player, kind })
        });
        placed.collect()
    }

    /// The state of a game as Forsythe code.
    pub fn code(game: &Game) -> String {
        let board = game.preset().board();
        let (n_files, _) = board.size();
        let n_columns = if n_files == 0 { board.spaces().len() } else { n_files };
        forsythe::write(&game.cells(), n_columns.max(1))
    }
}

/// What is to be said about a preset, and whether it cannot be played.
pub(crate) fn check(game: &str, source: Source) -> (Vec<DiagnosticView>, bool) {
    let (titles, bundle, notes) = (source.titles(), source.bundle, &source.notes);
    match Courier::new(Wanted { game, n: 0, bundle, problem: None, titles, notes }) {
        Ok(courier) => (courier.diagnostics, false),
        Err(broken) => (broken.diagnostics, true),
    }
}

/// The pieces, and the sets they are drawn with: those that the settings name or that stand
/// there at the start, letters where players may write any, and some piece for what nobody
/// expected.
fn pieces(preset: &Preset, start: &Game) -> (Cast, Vec<PieceSet>) {
    let standing: Vec<&str> = preset.board().all().filter_map(|it| start.piece(it)).collect();
    let usual = Cast::with(preset, standing.iter().copied());
    let mut labels: Vec<String> = standing.iter().map(|it| (*it).to_owned()).collect();
    if preset.bundle.settings.pieces().is_empty() {
        labels.extend(('A'..='Z').chain('a'..='z').map(String::from));
    }
    labels.extend(["Piece", "piece"].map(str::to_owned));
    let cast = Cast::with(preset, labels.iter().map(String::as_str));
    // Which drawings fit is up to the pieces that the game has; the others are letters.
    let n_usual = usual.kinds().count();
    let mut sets = usual.sets();
    let lettered = cast.sets().into_iter().find(|it| it.id == "letters");
    for look in lettered.into_iter().flat_map(|it| it.looks) {
        if look.kind.idx() >= n_usual {
            sets.iter_mut().for_each(|it| it.looks.push(look.clone()));
        }
    }
    (cast, sets)
}

fn note(it: &Note) -> DiagnosticView {
    plain(&it.message, SETTINGS_FILE, it.line, Severity::Warning)
}

fn board_error(message: &str) -> DiagnosticView {
    plain(message, SETTINGS_FILE, 0, Severity::Error)
}

/// A message about settings, which are not code.
fn plain(message: &str, file: &str, line: usize, severity: Severity) -> DiagnosticView {
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
