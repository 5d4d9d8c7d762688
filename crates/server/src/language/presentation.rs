//! How a game is to be shown where its rules alone do not tell: `presentation.json` beside the
//! rule file. `docs/presentation.md` describes it.

use std::sync::Arc;

use boardwright_game::{BlockKind, PieceKind, Ruleset, Site, Verdict};
use boardwright_protocol::{DiagnosticView, PileView, SeverityView};
use boardwright_render::Layout;
use serde::Deserialize;

use crate::folder::Folder;

/// The name of the file.
const FILE: &str = "presentation.json";
/// Bytes of the largest file that is read.
const MAX_BYTES: usize = 64 << 10;
/// Other names that are kept, and the characters of each.
const MAX_NAMES: usize = 24;
const MAX_NAME: usize = 60;
/// Piles that are kept.
const MAX_PILES: usize = 200;

/// What the author says about showing a game.
#[derive(Clone, Default, Debug, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub(crate) struct Presentation {
    /// Other names by which players look for the game.
    pub also: Vec<String>,
    /// The shelf of the library that it belongs to.
    pub family: Option<String>,
    /// Whether pieces off the board are shown in trays beside it.
    pub trays: Option<bool>,
    /// Whether a click anywhere in a column means the one site of it that can be played.
    pub columns: bool,
    /// The names of the kinds whose pieces on the board are the score.
    score: Vec<String>,
    /// The names of sites that are not drawn.
    hide: Vec<String>,
    /// The names of sites on which a drop is the pass of the game. They are not drawn.
    pass: Vec<String>,
    /// Sites that are one place to the eye, with the number of pieces on them.
    piles: Vec<Pile>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Pile {
    /// The site that a click anywhere on the pile means.
    click: Option<String>,
    /// The names of its sites; `a1*` stands for all that begin with `a1`.
    sites: Vec<String>,
}

impl Presentation {
    /// What the folder of a rule file says; a message if it cannot be read.
    pub fn of(folder: &Folder, file: &str) -> (Presentation, Option<DiagnosticView>) {
        let found = folder.find(file, FILE).map(str::to_owned);
        let Some(bytes) = found.and_then(|it| folder.read(&it)) else {
            return (Presentation::default(), None);
        };
        let read = match bytes.len() {
            0..=MAX_BYTES => serde_json::from_slice(&bytes).map_err(|it| it.to_string()),
            n => Err(format!("the file has {n} bytes; at most {MAX_BYTES} are read")),
        };
        match read {
            Ok(it) => (Presentation::within_limits(it), None),
            Err(cause) => (Presentation::default(), Some(problem(&cause))),
        }
    }

    fn within_limits(mut self) -> Presentation {
        let short = |it: String| it.chars().take(MAX_NAME).collect();
        self.also = self.also.into_iter().take(MAX_NAMES).map(short).collect();
        self.family = self.family.filter(|it| FAMILIES.contains(&it.as_str()));
        self.piles.truncate(MAX_PILES);
        self
    }

    /// The layout of a board without the sites that are not drawn.
    pub fn layout(&self, ruleset: &Arc<Ruleset>) -> Layout {
        let hidden = sites(ruleset, self.hide.iter().chain(&self.pass));
        if hidden.is_empty() {
            return Layout::of(ruleset);
        }
        let mut shown = Ruleset::clone(ruleset);
        let board = Arc::make_mut(&mut shown.board);
        for site in hidden {
            if let Some(it) = board.sites.get_mut(site.idx()) {
                (it.is_dummy, it.rect) = (true, None);
            }
        }
        Layout::of(&shown)
    }

    /// The sites on which a drop is the pass.
    pub fn passes(&self, ruleset: &Ruleset) -> Vec<u16> {
        sites(ruleset, &self.pass).iter().map(|it| it.0).collect()
    }

    /// The piles, without those whose sites this variant lacks.
    pub fn piles(&self, ruleset: &Ruleset) -> Vec<PileView> {
        let view = |it: &Pile| PileView {
            click: sites(ruleset, &it.click).first().map(|it| it.0),
            sites: sites(ruleset, &it.sites).iter().map(|it| it.0).collect(),
        };
        self.piles.iter().map(view).filter(|it| !it.sites.is_empty()).collect()
    }

    /// The kinds whose pieces on the board are the score: those that the author names, or all
    /// if some end of the game counts pieces.
    pub fn score(&self, ruleset: &Ruleset) -> Option<Vec<u16>> {
        let is_counted = ruleset.end_conditions.iter().any(|it| it.verdict == Verdict::Count);
        let is_named = |name: &str| self.score.iter().any(|it| it == name);
        let mut kinds = Vec::new();
        for (idx, info) in ruleset.pieces.iter().enumerate() {
            let counts = !info.is_dummy && !ruleset.is_thrown(PieceKind(idx as u16));
            if counts && (self.score.is_empty() || is_named(&info.name)) {
                kinds.push(idx as u16);
            }
        }
        (is_counted || !self.score.is_empty()).then_some(kinds)
    }

    /// Whether pieces off the board are shown in trays.
    ///
    /// If the author does not say: not where whatever is dropped never moves, and each player
    /// drops one kind. Such stones are put where one clicks, and their number says nothing.
    pub fn has_trays(&self, ruleset: &Ruleset) -> bool {
        let droppers: Vec<PieceKind> = kinds_with(ruleset, BlockKind::Drop);
        let movers = kinds_with(ruleset, BlockKind::Move);
        let of_player = |player| {
            let held = ruleset.setup.hands.iter().filter(|it| it.player == player);
            let mut kinds: Vec<PieceKind> = held.map(|it| it.kind).collect();
            kinds.sort_unstable();
            kinds.dedup();
            kinds.retain(|it| !ruleset.is_thrown(*it));
            kinds.len()
        };
        let is_stones = droppers.iter().all(|it| !movers.contains(it))
            && ruleset.all_players().all(|it| of_player(it) <= 1);
        self.trays.unwrap_or(!droppers.is_empty() && !is_stones)
    }
}

/// The shelves that a file may name.
const FAMILIES: [&str; 9] = [
    "alignment",
    "chess",
    "connection",
    "draughts",
    "hunt",
    "other",
    "puzzle",
    "race",
    "territory",
];

fn kinds_with(ruleset: &Ruleset, block: BlockKind) -> Vec<PieceKind> {
    let has = |(idx, it): (usize, &boardwright_game::PieceKindInfo)| {
        let kind = PieceKind(idx as u16);
        let fits = !it.is_dummy && !ruleset.is_thrown(kind);
        (fits && it.blocks.iter().any(|it| it.kind == block)).then_some(kind)
    };
    ruleset.pieces.iter().enumerate().filter_map(has).collect()
}

/// The sites of a board that have one of these names, in the order of the board.
fn sites<'n>(ruleset: &Ruleset, names: impl IntoIterator<Item = &'n String>) -> Vec<Site> {
    let (mut whole, mut starts) = (Vec::new(), Vec::new());
    for name in names {
        match name.strip_suffix('*') {
            Some(start) => starts.push(start),
            None => whole.push(name.as_str()),
        }
    }
    whole.sort_unstable();
    let board = &ruleset.board;
    let fits = |it: &Site| {
        let name = board.site_name(*it);
        whole.binary_search(&name).is_ok() || starts.iter().any(|it| name.starts_with(it))
    };
    if whole.is_empty() && starts.is_empty() {
        return Vec::new();
    }
    board.all_sites().filter(fits).collect()
}

fn problem(cause: &str) -> DiagnosticView {
    let message = boardwright_text::render::printable(&format!("cannot be used: {cause}"));
    DiagnosticView {
        code: "presentation".to_owned(),
        severity: SeverityView::Warning,
        text: format!("{FILE}: {message}"),
        message,
        file: FILE.to_owned(),
        line: 1,
        column: 1,
        source: String::new(),
        caret: [0, 0],
        hints: vec!["The game is shown as its rules alone tell.".to_owned()],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::rule_file;

    /// A game of the library with what its folder says.
    fn of_library(game: &str, n: usize) -> (Presentation, Arc<Ruleset>) {
        let (folder, file) = (Folder::of_library(game), format!("{game}.zrf"));
        let (shown, problem) = Presentation::of(&folder, &file);
        assert_eq!(problem, None, "{game}");
        let mut rules = rule_file::load(&folder, &file).expect("it is in the library");
        (shown, rules.compile(n).expect("it compiles"))
    }

    fn of_text(text: &str) -> (Presentation, Option<DiagnosticView>) {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join(FILE), text).expect("a file");
        Presentation::of(&Folder::on_disk(folder.path().to_owned()), "a.zrf")
    }

    #[test]
    fn every_file_of_the_library_is_read_and_names_what_is_there() {
        let mut n_read = 0;
        for game in Folder::library() {
            let folder = Folder::of_library(&game);
            if !folder.names().contains(&FILE.to_owned()) {
                continue;
            }
            let (shown, ruleset) = of_library(&game, 0);
            n_read += 1;
            for names in [&shown.hide, &shown.pass] {
                assert_eq!(names.is_empty(), sites(&ruleset, names).is_empty(), "{game}");
            }
            assert_eq!(shown.piles(&ruleset).len(), shown.piles.len(), "{game}");
            let is_kind = |it: &String| ruleset.pieces.iter().any(|kind| kind.name == **it);
            assert!(shown.score.iter().all(is_kind), "{game}");
        }
        assert!(n_read > 20, "{n_read}");
    }

    #[test]
    fn stones_that_are_placed_anywhere_have_no_tray() {
        for game in ["gomoku", "reversi", "hex", "connect-four", "tic-tac-toe", "go"] {
            let (shown, ruleset) = of_library(game, 0);
            assert!(!shown.has_trays(&ruleset), "{game}");
        }
        for game in ["shogi", "nine-mens-morris", "ludo", "royal-ur"] {
            let (shown, ruleset) = of_library(game, 0);
            assert!(shown.has_trays(&ruleset), "{game}");
        }
        let (shown, ruleset) = of_library("chess", 0);
        assert!(!shown.has_trays(&ruleset));
    }

    #[test]
    fn what_lies_beside_the_board_of_go_is_not_drawn() {
        let (shown, ruleset) = of_library("go", 0);
        let layout = shown.layout(&ruleset);
        assert_eq!(layout.cells.iter().filter(|it| !it.hidden).count(), 81);
        assert_eq!(shown.passes(&ruleset).len(), 2);
        assert_eq!(shown.score(&ruleset).map(|it| it.len()), Some(3));
    }

    #[test]
    fn a_file_that_cannot_be_read_is_named_and_changes_nothing() {
        for text in ["", "[", r#"{"hidden": []}"#, r#"{"also": 3}"#] {
            let (shown, problem) = of_text(text);
            assert!(problem.is_some_and(|it| it.text.contains(FILE)), "{text}");
            assert!(shown.also.is_empty() && shown.trays.is_none());
        }
        let (_, problem) = of_text(&format!(r#"{{"also": ["{}"]}}"#, "a".repeat(MAX_BYTES)));
        assert!(problem.is_some_and(|it| it.message.contains("at most")));
    }

    #[test]
    fn names_are_bounded_and_shelves_known() {
        let names = vec!["\"a very long name that nobody would ever search for, and longer\""; 40];
        let text = format!(r#"{{"also": [{}], "family": "cars"}}"#, names.join(","));
        let (shown, problem) = of_text(&text);
        assert_eq!(problem, None);
        assert_eq!((shown.also.len(), shown.family), (MAX_NAMES, None));
        assert!(shown.also.iter().all(|it| it.chars().count() <= MAX_NAME));
    }
}
