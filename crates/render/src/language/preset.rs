//! The boards of presets as scenes, and the drawings of their pieces.

use std::{collections::BTreeMap, fmt};

use boardwright_game::{PieceKind, Player, Site};
use boardwright_gamecode::{
    ForsytheCell,
    forsythe::{self, ForsytheError},
};
use boardwright_preset::{Field, Game, Preset, Settings};
use boardwright_rules::{LabelMap, PlacedPiece, PresetRules};
use rustc_hash::FxHashMap;

use super::{PieceWords, chosen};
use crate::{
    layout::preset as preset_layout,
    looks::{self, PieceSet},
    scene::{Finish, Scene},
    svg::{DrawOptions, Marks},
};

/// Why Forsythe code gives no state of a preset.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StateCodeError {
    /// The code cannot be read.
    Code(ForsytheError),
    /// The code is of a board of another shape.
    OtherShape,
}

impl fmt::Display for StateCodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StateCodeError::Code(error) => error.fmt(f),
            StateCodeError::OtherShape => {
                f.write_str("the code describes a board of another shape")
            }
        }
    }
}

impl std::error::Error for StateCodeError {}

/// The board of a preset with the labels of the pieces on it.
#[derive(Debug)]
pub(super) struct LabelledBoard<'a> {
    preset: &'a Preset,
    /// The game, if the code has run.
    game: Option<&'a Game>,
    /// The number of a site and the label of the piece on it.
    labels: Vec<(usize, String)>,
}

impl<'a> LabelledBoard<'a> {
    /// The board of a game in progress.
    pub(super) fn of_game(game: &'a Game) -> LabelledBoard<'a> {
        let preset = game.preset();
        let sites = preset.board().all();
        let labels = sites.filter_map(|it| Some((it.index(), game.piece(it)?.to_owned())));
        LabelledBoard { preset, game: Some(game), labels: labels.collect() }
    }

    /// The setup of a preset whose code has not run.
    pub(super) fn of_preset(preset: &'a Preset) -> LabelledBoard<'a> {
        LabelledBoard { preset, game: None, labels: labels(preset.cells()) }
    }

    /// The board with the pieces of Forsythe code on it.
    pub(super) fn of_forsythe(
        preset: &'a Preset,
        game: Option<&'a Game>,
        code: &str,
    ) -> Result<LabelledBoard<'a>, StateCodeError> {
        let (n_files, _) = preset.board().size();
        let n_columns = if n_files == 0 { preset.cells().len() } else { n_files };
        let cells = forsythe::read(code, n_columns).map_err(StateCodeError::Code)?;
        let is_hole = |it: &ForsytheCell| *it == ForsytheCell::Hole;
        let is_alike = cells.iter().map(is_hole).eq(preset.cells().iter().map(is_hole));
        if !is_alike {
            return Err(StateCodeError::OtherShape);
        }
        Ok(LabelledBoard { preset, game, labels: labels(&cells) })
    }

    /// The scene, as the settings of the preset choose; `set` names another piece set.
    pub(super) fn scene(&self, set: Option<&str>) -> Scene {
        let settings = &self.preset.bundle.settings;
        let map = LabelMap::with(self.preset, self.labels.iter().map(|it| it.1.as_str()));
        let pieces = self.labels.iter().filter_map(|(site, label)| {
            let (player, kind) = map.piece(label)?;
            Some(PlacedPiece { site: Site(u16::try_from(*site).ok()?), player, kind })
        });
        Scene {
            title: settings.get("game").to_owned(),
            layout: preset_layout::of(self.preset, self.game),
            set: chosen(sets(&map), Some(set.unwrap_or(settings.get("set")))),
            images: BTreeMap::new(),
            pieces: pieces.collect(),
            hands: Vec::new(),
            marks: Marks::default(),
            finish: Finish::of_settings(settings),
            words: words(&map),
            players: map.players().map(str::to_owned).collect(),
        }
    }
}

/// The labels of cells, by the number of their site.
fn labels(cells: &[ForsytheCell]) -> Vec<(usize, String)> {
    let sites = cells.iter().filter(|it| **it != ForsytheCell::Hole);
    let labels = sites.enumerate().filter_map(|(site, it)| match it {
        ForsytheCell::Piece(label) => Some((site, label.clone())),
        _ => None,
    });
    labels.collect()
}

/// The label of each piece and the name of its kind.
fn words(map: &LabelMap) -> PieceWords {
    let mut words = PieceWords::new();
    for player in (0_u8..).map(Player).take(map.players().count()) {
        for (kind, (name, _)) in (0_u16..).map(PieceKind).zip(map.kinds()) {
            if let Some(label) = map.label(player, kind) {
                words.insert((player, kind), (label.to_owned(), name.to_owned()));
            }
        }
    }
    words
}

/// The sets that the pieces of a preset can be drawn with, the usual one first.
fn sets(map: &LabelMap) -> Vec<PieceSet> {
    let mut sets = looks::sets(map.ruleset());
    for set in &mut sets {
        turn_variants(map, set);
    }
    sets
}

/// A `Pawn going west` beside a `Pawn` has the same drawing, turned upside down.
fn turn_variants(map: &LabelMap, set: &mut PieceSet) {
    let ruleset = map.ruleset();
    let alike = |kind: PieceKind| {
        let (first, _) = ruleset.piece_name(kind).split_once(' ')?;
        ruleset.piece_named(first)
    };
    let arts: FxHashMap<_, _> =
        set.looks.iter().map(|it| ((it.player, it.kind), (it.art, it.turn))).collect();
    for look in set.looks.iter_mut().filter(|it| it.art.is_none()) {
        let found = alike(look.kind).and_then(|it| arts.get(&(look.player, it)));
        if let Some(&(Some(art), turn)) = found {
            (look.art, look.turn) = (Some(art), !turn);
        }
    }
}

/// The sets for a match: every piece that may come up has a look, and the set that the
/// settings choose is first. The pieces of the settings and the setup decide which drawings
/// fit; all others are letters.
pub(super) fn sets_in_play(rules: &PresetRules<'_>) -> Vec<PieceSet> {
    let (preset, start) = (rules.preset, rules.start);
    let standing = preset.board().all().filter_map(|it| start.piece(it));
    let mut sets_of_named = sets(&LabelMap::with(preset, standing));
    let lettered = sets(rules.labels).into_iter().find(|it| it.id == "letters");
    for look in lettered.into_iter().flat_map(|it| it.looks) {
        if look.kind.idx() >= rules.n_named_kinds {
            sets_of_named.iter_mut().for_each(|it| it.looks.push(look.clone()));
        }
    }
    let wanted = preset.bundle.settings.get("set");
    if let Some(at) = sets_of_named.iter().position(|it| it.id == wanted) {
        sets_of_named[..=at].rotate_right(1);
    }
    sets_of_named
}

impl Finish {
    /// The appearance that a preset's settings choose; numbers out of range are clamped.
    pub fn of_settings(settings: &Settings) -> Finish {
        let colour = |key: &str| preset_layout::colour(settings.get(key));
        let number =
            |key: &str, least: usize, most: usize| settings.number(key).clamp(least, most) as u32;
        let background = settings.get("background").trim();
        let hexes = settings.get("hex-colors");
        let is_own = Field::named("hex-colors").is_some_and(|it| it.default != hexes);
        let hexes = if is_own { preset_layout::colours(hexes) } else { Vec::new() };
        Finish {
            own_colours: true,
            border_colour: colour("border-color"),
            text_colour: colour("text-color"),
            highlight: colour("highlight-color"),
            border: number("border-size", 0, 500),
            point: number("point", 4, 30),
            scale: number("scale", 1, 1000),
            quality: number("quality", 1, 100),
            max_colours: number("max-colors", 2, 256),
            hex_colours: hexes,
            patterns: settings.get("patterns").chars().filter(|it| !it.is_control()).collect(),
            background: is_plain_name(background).then(|| background.to_owned()),
            options: DrawOptions::default(),
        }
    }
}

/// Whether a text is the name of a file beside the page, and no path.
fn is_plain_name(name: &str) -> bool {
    let is_good = |it: char| it.is_ascii_alphanumeric() || matches!(it, '-' | '_' | '.');
    !name.is_empty() && name.len() < 100 && !name.starts_with('.') && name.chars().all(is_good)
}
