//! A preset made ready to play: its board laid out, its code compiled.

use std::sync::Arc;

use boardwright_gamecode::{
    AxisLabel, CodeLimits, CodeProgram, Compiler, ForsytheCell, Machine, Part, SpaceMap, forsythe,
};
use boardwright_text::Diagnostic;

use crate::{bundle::Bundle, settings::Settings};

/// A preset ready to play.
#[derive(Clone, Debug)]
pub struct Preset {
    /// What it was made of.
    pub bundle: Bundle,
    pub(crate) board: Arc<SpaceMap>,
    pub(crate) cells: Vec<ForsytheCell>,
    pub(crate) program: Arc<CodeProgram>,
    pub(crate) pre_game: Part,
    pub(crate) post_game: [Part; 2],
    /// Whether the code before the first move may look at the moves.
    pub(crate) looks_ahead: bool,
    /// Labels that players may write, besides those on the board.
    labels: Vec<String>,
    hash: String,
}

/// How much of the rules a preset's code takes care of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Enforcement {
    /// No code at all.
    Uncoded,
    /// Code before the game only.
    SetupOnly,
    /// Code around moves, and it does not say that it enforces the rules.
    Automated,
    /// The code says that it enforces the rules.
    Enforced,
}

impl Enforcement {
    /// What to tell players.
    pub fn text(self) -> &'static str {
        match self {
            Enforcement::Uncoded => "Nothing is enforced: move as you agree.",
            Enforcement::SetupOnly => "Only the setup is automatic; no rules are enforced.",
            Enforcement::Automated => "Some moves are automatic or checked.",
            Enforcement::Enforced => "The rules are enforced.",
        }
    }
}

impl Preset {
    /// Lays out the board and compiles the code. A board that cannot be made is an
    /// error; what is wrong with the code is in [`Preset::diagnostics`].
    pub fn new(bundle: Bundle, limits: &CodeLimits) -> Result<Preset, String> {
        let (board, cells) = lay_out(&bundle)?;
        let settings = bundle.settings.clone();
        let mut files = bundle.clone();
        let mut compiler = Compiler::new(limits.clone(), &mut files);
        let pre_game = compiler.part("Pre-Game", settings.get("pre-game"));
        for (name, key, title) in [
            ("preauto1", "pre-move-1", "Pre-Move 1"),
            ("preauto2", "pre-move-2", "Pre-Move 2"),
            ("postauto1", "post-move-1", "Post-Move 1"),
            ("postauto2", "post-move-2", "Post-Move 2"),
        ] {
            compiler.sub(name, title, settings.get(key));
        }
        let first = compiler.part("Post-Game 1", settings.get("post-game-1"));
        let second = compiler.part("Post-Game 2", settings.get("post-game-2"));
        let program = compiler.finish();
        // Every run of the original knows all turns, also those after the one that its code
        // looks at, so a program that reads them is run again for every turn.
        let fields = [
            "pre-game",
            "pre-move-1",
            "pre-move-2",
            "post-move-1",
            "post-move-2",
            "post-game-1",
            "post-game-2",
        ];
        let mut texts: Vec<&str> = fields.iter().map(|it| settings.get(it)).collect();
        texts.extend(bundle.includes.iter().map(|it| it.1.as_str()));
        let looks_ahead = texts.iter().any(|it| it.contains("mline")) || settings.is("no-moves");
        let hash = bundle.hash();
        let labels = labels(&settings, &cells, &program);
        Ok(Preset {
            board: Arc::new(board),
            cells,
            labels,
            program: Arc::new(program),
            pre_game,
            post_game: [first, second],
            looks_ahead,
            hash,
            bundle,
        })
    }

    /// What is to be said about the code.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        self.program.diagnostics()
    }

    /// The compiled code, with its sources.
    pub fn program(&self) -> &Arc<CodeProgram> {
        &self.program
    }

    /// The board.
    pub fn board(&self) -> &Arc<SpaceMap> {
        &self.board
    }

    /// The board at the start, as Forsythe cells.
    pub fn cells(&self) -> &[ForsytheCell] {
        &self.cells
    }

    /// The name of what the preset holds; records keep it.
    pub fn hash(&self) -> &str {
        &self.hash
    }

    /// The names of the two sides.
    pub fn sides(&self) -> [&str; 2] {
        self.bundle.settings.sides()
    }

    /// The player who moves first: 0 or 1.
    pub fn first_player(&self) -> usize {
        let settings = &self.bundle.settings;
        let side = settings.get("side").trim();
        let is_second = !side.is_empty() && side == settings.sides()[1];
        usize::from(is_second != settings.is("skip-first-move"))
    }

    /// A machine on which nothing has run yet.
    pub(crate) fn machine(&self, seed: u64) -> Machine {
        let mut machine = Machine::new(self.program.clone(), self.board.clone(), &self.cells, seed);
        let settings = &self.bundle.settings;
        if settings.is("ignore-labels") {
            machine.ignore_labels();
        }
        machine.know_labels(self.labels.iter().map(String::as_str));
        machine
    }

    /// How much of the rules the code takes care of; a game in progress knows more.
    pub fn enforcement(&self, machine_says: bool) -> Enforcement {
        let settings = &self.bundle.settings;
        let is_blank = |keys: &[&str]| keys.iter().all(|it| settings.get(it).trim().is_empty());
        let around = [
            "pre-move-1",
            "pre-move-2",
            "post-move-1",
            "post-move-2",
            "post-game-1",
            "post-game-2",
        ];
        match (machine_says, is_blank(&around), is_blank(&["pre-game"])) {
            (true, ..) => Enforcement::Enforced,
            (false, true, true) => Enforcement::Uncoded,
            (false, true, false) => Enforcement::SetupOnly,
            (false, false, _) => Enforcement::Automated,
        }
    }
}

/// The labels that players may write: those that the field `pieces` lists or, where it is
/// empty, those of the setup in both cases, single letters, which every set of pieces has,
/// also promoted with `+`, and every word of the code that could be one.
///
/// Without this limit any misspelled move, such as `Nb1c3-d5`, would put a new piece.
fn labels(settings: &Settings, cells: &[ForsytheCell], program: &CodeProgram) -> Vec<String> {
    let listed = settings.pieces();
    if !listed.is_empty() {
        return listed.iter().map(|it| it.0.to_owned()).collect();
    }
    let letters = ('A'..='Z').chain('a'..='z');
    let mut labels: Vec<String> =
        letters.flat_map(|it| [it.to_string(), format!("+{it}")]).collect();
    for cell in cells {
        if let ForsytheCell::Piece(label) = cell {
            labels.extend([label.to_lowercase(), label.to_uppercase()]);
        }
    }
    labels.extend(program.labels().map(str::to_owned));
    labels
}

/// The board that the settings describe, and what stands on it.
fn lay_out(bundle: &Bundle) -> Result<(SpaceMap, Vec<ForsytheCell>), String> {
    let settings = &bundle.settings;
    let code = settings.get("code");
    if settings.get("shape") == "custom" {
        let names: Vec<String> = settings
            .get("coordinates")
            .lines()
            .filter_map(|it| it.split_whitespace().next().map(str::to_owned))
            .collect();
        let board = SpaceMap::named(&names).map_err(|it| it.to_string())?;
        let cells = forsythe::read(code, names.len().max(1)).map_err(|it| it.to_string())?;
        if cells.len() > names.len() || cells.contains(&ForsytheCell::Hole) {
            let (n_cells, n_names) = (cells.len(), names.len());
            return Err(format!("the code has {n_cells} cells, the coordinates {n_names}"));
        }
        return Ok((board, cells));
    }
    let columns = settings.number("columns");
    if columns == 0 {
        return Err("a board has one column at least".to_owned());
    }
    let cells = forsythe::read(code, columns).map_err(|it| it.to_string())?;
    let files = AxisLabel::list(settings.get("files"));
    let ranks = AxisLabel::list(settings.get("ranks"));
    let board = SpaceMap::grid(columns, &cells, &files, &ranks).map_err(|it| it.to_string())?;
    Ok((board, cells))
}
