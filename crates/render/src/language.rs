//! Boards, pieces and scenes of games in either language.
//!
//! This is the only module that tells rule files from presets. What it gives out ([`Scene`],
//! [`Layout`], [`PieceSet`]) is the same for both, and everything else draws that.

mod preset;

use std::collections::BTreeMap;

use boardwright_game::{PieceKind, Player, Ruleset};
use boardwright_play::State;
use boardwright_preset::{Game, Preset};
use boardwright_rules::{GameRules, GameState, PlacedPiece};

pub use self::preset::StateCodeError;
use crate::{
    Layout, layout,
    looks::{self, PieceSet},
    scene::{Finish, Scene},
    svg::{Held, Marks},
    text_board::ShortNames,
};

/// What a scene is made of: a state of a game, or the board of a preset.
#[derive(Debug)]
pub struct SceneSource<'a>(Source<'a>);

#[derive(Debug)]
enum Source<'a> {
    RuleFile { ruleset: &'a Ruleset, pieces: Vec<PlacedPiece>, hands: Vec<Held> },
    Preset(preset::LabelledBoard<'a>),
}

impl<'a> From<&'a GameState> for SceneSource<'a> {
    fn from(state: &'a GameState) -> SceneSource<'a> {
        if let Some(game) = state.as_preset() {
            return game.into();
        }
        let hands = state.hands().into_iter();
        let hands = hands.map(|(player, kind, count)| Held { player, kind, count }).collect();
        let (ruleset, pieces) = (state.rules().ruleset(), state.pieces());
        SceneSource(Source::RuleFile { ruleset, pieces, hands })
    }
}

impl<'a> From<&'a State> for SceneSource<'a> {
    fn from(state: &'a State) -> SceneSource<'a> {
        let ruleset: &Ruleset = state.ruleset();
        let pieces = state.placement().pieces();
        let pieces = pieces
            .map(|(site, it)| PlacedPiece { site, player: it.owner, kind: it.kind })
            .collect();
        let kinds = || (0..ruleset.pieces.len() as u16).map(PieceKind);
        let all = ruleset.all_players().flat_map(|player| kinds().map(move |kind| (player, kind)));
        let counted =
            all.map(|(player, kind)| Held { player, kind, count: state.hand(player, kind) });
        let hands = counted.filter(|it| it.count > 0).collect();
        SceneSource(Source::RuleFile { ruleset, pieces, hands })
    }
}

impl<'a> From<&'a Game> for SceneSource<'a> {
    fn from(game: &'a Game) -> SceneSource<'a> {
        SceneSource(Source::Preset(preset::LabelledBoard::of_game(game)))
    }
}

/// The board of a preset before its code has run.
impl<'a> From<&'a Preset> for SceneSource<'a> {
    fn from(preset: &'a Preset) -> SceneSource<'a> {
        SceneSource(Source::Preset(preset::LabelledBoard::of_preset(preset)))
    }
}

impl<'a> SceneSource<'a> {
    /// The board of a preset with other pieces on it, as Forsythe code gives them. A game
    /// tells the links that the code of the preset made.
    pub fn forsythe(
        preset: &'a Preset,
        game: Option<&'a Game>,
        code: &str,
    ) -> Result<SceneSource<'a>, StateCodeError> {
        let board = preset::LabelledBoard::of_forsythe(preset, game, code)?;
        Ok(SceneSource(Source::Preset(board)))
    }
}

impl Scene {
    /// A board with its pieces; `set` names another piece set than the usual one.
    pub fn of<'a>(source: impl Into<SceneSource<'a>>, set: Option<&str>) -> Scene {
        match source.into().0 {
            Source::RuleFile { ruleset, pieces, hands } => of_rules(ruleset, pieces, hands, set),
            Source::Preset(board) => board.scene(set),
        }
    }
}

fn of_rules(
    ruleset: &Ruleset,
    pieces: Vec<PlacedPiece>,
    hands: Vec<Held>,
    set: Option<&str>,
) -> Scene {
    let set = chosen(looks::sets(ruleset), set);
    let mut words = BTreeMap::new();
    let short = ShortNames::new(ruleset);
    for look in &set.looks {
        let letters = short.of(look.player, look.kind);
        let name = ruleset.translated(ruleset.piece_name(look.kind));
        words.insert((look.player, look.kind), (letters, name.to_owned()));
    }
    let players = ruleset.players.iter().map(|it| ruleset.translated(&it.name).to_owned());
    Scene {
        title: ruleset.title.clone(),
        layout: Layout::of(ruleset),
        set,
        images: BTreeMap::new(),
        pieces,
        hands,
        marks: Marks::default(),
        finish: Finish::default(),
        words,
        players: players.collect(),
    }
}

/// The set with this id, or the first.
fn chosen(mut sets: Vec<PieceSet>, id: Option<&str>) -> PieceSet {
    let idx = id.and_then(|id| sets.iter().position(|it| it.id == id)).unwrap_or(0);
    sets.swap_remove(idx)
}

/// The letters of each piece and the name of its kind.
pub(crate) type PieceWords = BTreeMap<(Player, PieceKind), (String, String)>;

impl Layout {
    /// The layout of the board of a game.
    pub fn of_game(rules: &GameRules) -> Layout {
        match rules.as_preset() {
            Some(it) => layout::preset::of(it.preset, Some(it.start)),
            None => Layout::of(rules.ruleset()),
        }
    }
}

impl PieceSet {
    /// The sets that the pieces of a game can be drawn with, the usual one first.
    pub fn all_of(rules: &GameRules) -> Vec<PieceSet> {
        match rules.as_preset() {
            Some(it) => preset::sets_in_play(&it),
            None => looks::sets(rules.ruleset()),
        }
    }
}
