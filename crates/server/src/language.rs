//! A game ready to be shown and played. The only module of the server that tells rule files
//! from presets: what they have in common is [`Playable`], the rest is below.

mod card;
mod images;
pub(crate) mod kept;
mod presentation;
pub(crate) mod preset;
mod preset_images;
mod preset_view;
pub(crate) mod rule_file;
mod rule_file_view;
mod saved;

use std::sync::{Arc, OnceLock};

use boardwright_engine::{Engine, EngineSettings};
use boardwright_game::{Player, Ruleset, Site};
use boardwright_protocol as wire;
use boardwright_protocol::{DiagnosticView, GameCard};
use boardwright_render::{
    Layout,
    looks::PieceSet,
    scene::Finish,
    svg::{self, DrawOptions},
};
use boardwright_rules::{GameRules, PlacedPiece};

use self::presentation::Presentation;
pub(crate) use self::{
    rule_file_view::escaped,
    saved::{Found, MAX_SAVE, Needs, needs, open_saved, solution, solution_file},
};
use crate::{
    error::ApiError,
    folder::Folder,
    isolate::{self, Overrun, RulesSource},
    library::{Entry, Library},
};

/// A game ready to be shown and played.
pub(crate) struct Playable {
    /// The game's id.
    pub game: String,
    /// The number of the variant in its rule file, or of the problem of its preset.
    pub n: usize,
    pub title: String,
    pub rules: Arc<GameRules>,
    pub layout: Layout,
    /// The piece sets; the first is the one to begin with.
    pub sets: Vec<PieceSet>,
    pub diagnostics: Vec<DiagnosticView>,
    pub origin: Origin,
    /// Where foreign rules are, for a process of their own; nothing for rules that come with
    /// the program.
    pub foreign: Option<RulesSource>,
    /// Piece values by kind, once an engine has worked them out.
    values: OnceLock<Vec<Option<i32>>>,
}

/// Where a game comes from.
pub(crate) enum Origin {
    /// A rule file in a folder.
    RuleFile { folder: Folder, file: String, shown: Box<Presentation> },
    /// A preset: the titles of the game and of its problems.
    Preset { titles: Vec<String> },
}

impl Playable {
    /// The compiled ruleset, or the outline of a preset.
    pub fn ruleset(&self) -> &Ruleset {
        self.rules.ruleset()
    }

    /// The players that somebody plays, in the order of the rules.
    pub fn seats(&self) -> &[Player] {
        self.rules.seats()
    }

    /// The name of a player as people see it.
    pub fn player_name(&self, player: Player) -> String {
        self.rules.player_name(player)
    }

    /// What kinds of pieces are worth, if that was worked out already.
    pub fn known_values(&self) -> Option<&[Option<i32>]> {
        self.values.get().map(|it| it.as_slice())
    }

    /// What kinds of pieces are worth; takes up to a second the first time.
    pub fn values(&self) -> &[Option<i32>] {
        self.values.get_or_init(|| {
            // What a piece of a preset that lists no moves is worth, nobody can measure.
            if !self.rules.lists_moves() {
                return vec![None; self.ruleset().pieces.len()];
            }
            let settings = EngineSettings { memory: 1 << 20, ..EngineSettings::default() };
            values_of(&Engine::new(Arc::clone(&self.rules), settings))
        })
    }

    /// Takes over the piece values that an engine worked out.
    pub fn note_values(&self, engine: &Engine) {
        self.values.get_or_init(|| values_of(engine));
    }

    /// The pieces of a state, and the sites of its last move if its text tells.
    pub fn placed(&self, state: &str) -> Option<(Vec<PlacedPiece>, Vec<Site>)> {
        self.rules.pieces_of_text(state)
    }

    /// The board before the first move.
    pub fn start_svg(&self, set: &PieceSet, options: DrawOptions) -> String {
        svg::setup_svg(self.ruleset(), &self.layout, set, options, &self.finish())
    }

    /// The colours that the author chose, if there are any beside those of the theme.
    pub fn finish(&self) -> Finish {
        let preset = self.rules.as_preset().map(|it| it.preset);
        preset.map_or_else(Finish::default, |it| Finish {
            own_colours: preset::is_coloured(it),
            ..Finish::of_settings(&it.bundle.settings)
        })
    }
}

/// The piece values that an engine works with, by kind.
fn values_of(engine: &Engine) -> Vec<Option<i32>> {
    engine.piece_values().into_iter().map(|it| it.1).collect()
}

/// Whether a file is the settings file of a preset.
pub(crate) fn is_preset(file: &str) -> bool {
    preset::is_preset(file)
}

/// Whether a file holds the rules of a game.
pub(crate) fn is_game(file: &str) -> bool {
    file.to_lowercase().ends_with(".zrf") || is_preset(file)
}

/// A game of the library, ready to be played. Compiles and runs code, so not on a request
/// thread.
pub(crate) fn open(entry: &Entry, n: usize) -> Result<Playable, ApiError> {
    let foreign = foreign(entry, n);
    if let Some(rules) = &foreign {
        isolate::current().vet(rules, &entry.id)?;
    }
    let playable = match is_preset(&entry.file) {
        true => preset::open(entry, n),
        false => rule_file::open(entry, n),
    };
    Ok(Playable { foreign, ..playable? })
}

/// Where the rules of a game are that does not come with the program.
fn foreign(entry: &Entry, n: usize) -> Option<RulesSource> {
    let path = entry.folder.path()?.clone();
    Some(RulesSource::Folder { path, file: entry.file.clone(), n })
}

/// A preset that is kept or brought along, after a process has tried it if need be.
pub(crate) fn foreign_preset(wanted: preset::Wanted<'_>) -> Result<Playable, ApiError> {
    let moves = wanted.problem.as_ref().map(|it| it.moves);
    let rules = RulesSource::Bundle { text: wanted.bundle.write(), moves };
    let title = wanted.titles.first().map_or("this preset", |it| it.as_str());
    isolate::current().vet(&rules, title)?;
    let playable = preset::made(wanted).map_err(preset::broken)?;
    Ok(Playable { foreign: Some(rules), ..playable })
}

/// The card of a game; none if its files are gone.
pub(crate) fn card(entry: &Entry) -> Option<GameCard> {
    if let Some(rules) = foreign(entry, 0)
        && let Err(Overrun(cause)) = isolate::current().vet(&rules, &entry.id)
    {
        tracing::warn!(game = %entry.id, cause, "a game is set aside");
        return Some(card::set_aside(entry, cause));
    }
    match is_preset(&entry.file) {
        true => Some(card::preset_card(entry)),
        false => {
            let mut file = rule_file::load(&entry.folder, &entry.file)?;
            let (shown, _) = Presentation::of(&entry.folder, &entry.file);
            Some(card::card(&entry.id, entry.mine, &mut file, shown))
        }
    }
}

/// The text of the rules.
pub(crate) fn source(entry: &Entry) -> Option<String> {
    if is_preset(&entry.file) {
        return Some(preset::read(&entry.folder, &entry.file).bundle.write());
    }
    let bytes = entry.folder.read(&entry.file)?;
    Some(boardwright_text::Encoding::decode(&bytes).0)
}

/// Everything the page must know of a game.
pub(crate) fn game_view(
    library: &Library,
    playable: &Playable,
) -> Result<wire::GameView, ApiError> {
    match &playable.origin {
        Origin::RuleFile { folder, file, shown } => {
            let missing = || ApiError::not_found("this game is gone");
            let entry = library.entry(&playable.game).ok_or_else(missing)?;
            let files = rule_file_view::Files { folder, file };
            Ok(rule_file_view::game_view(library, &entry, playable, files, shown))
        }
        Origin::Preset { titles } => {
            let card = library.card(&playable.game);
            let entry = library.entry(&playable.game);
            Ok(preset_view::game_view(playable, titles, card.as_deref(), entry.as_ref()))
        }
    }
}

/// The same for a preset that is only tried, which is not in the library.
/// Its pictures are those of the game that it is made from.
pub(crate) fn draft_view(playable: &Playable, base: Option<&Entry>) -> Option<wire::GameView> {
    match &playable.origin {
        Origin::RuleFile { .. } => None,
        Origin::Preset { titles } => Some(preset_view::game_view(playable, titles, None, base)),
    }
}
