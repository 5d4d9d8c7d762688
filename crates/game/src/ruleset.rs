//! One playable variant, whole.

use std::sync::Arc;

use boardwright_text::Span;

use crate::{
    Block, BlockKind, Board, EndCondition, MoveType, Options, PieceKind, PieceKindInfo, Player,
    PlayerInfo, SaveFormat, Site, Traces, Turn, TurnOrder,
};

/// A piece on the board at the start.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct SetupEntry {
    /// The owner of the piece.
    pub player: Player,
    /// The kind of the piece.
    pub kind: PieceKind,
    /// The site it stands on.
    pub site: Site,
    /// Where it stands in the text.
    pub span: Span,
}

/// Pieces off the board at the start: `off 5`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct HandEntry {
    /// The owner of the piece.
    pub player: Player,
    /// The kind of the piece.
    pub kind: PieceKind,
    /// The number of such pieces in the hand.
    pub count: u32,
    /// Where it stands in the text.
    pub span: Span,
}

/// What is where before the first move.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Setup {
    /// On the board, in text order; a later entry replaces an earlier one on its site.
    pub pieces: Vec<SetupEntry>,
    /// Off the board.
    pub hands: Vec<HandEntry>,
}

/// The sounds a variant names; `Some("")` asks for silence.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Sounds {
    /// `capture-sound`
    pub capture: Option<Arc<str>>,
    /// `change-sound`
    pub change: Option<Arc<str>>,
    /// `click-sound`
    pub click: Option<Arc<str>>,
    /// `draw-sound`
    pub draw: Option<Arc<str>>,
    /// `drop-sound`
    pub drop: Option<Arc<str>>,
    /// `loss-sound`
    pub loss: Option<Arc<str>>,
    /// `move-sound`
    pub mv: Option<Arc<str>>,
    /// `opening-sound`
    pub opening: Option<Arc<str>>,
    /// `release-sound`
    pub release: Option<Arc<str>>,
    /// `win-sound`
    pub win: Option<Arc<str>>,
}

/// What a variant shows, and never decides.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Presentation {
    /// What the game is about.
    pub description: Option<Arc<str>>,
    /// Where it comes from.
    pub history: Option<Arc<str>>,
    /// How to play it well.
    pub strategy: Option<Arc<str>>,
    /// A saved game that solves the puzzle.
    pub solution: Option<Arc<str>>,
    /// A MIDI file.
    pub music: Option<Arc<str>>,
    /// A plug-in engine to play with.
    pub engine: Option<Arc<str>>,
    /// Sounds.
    pub sounds: Sounds,
    /// Names and what to show for them: variants, players, pieces, sites.
    pub translations: Arc<Vec<(Arc<str>, Arc<str>)>>,
}

/// A compiled variant: immutable, shared, and able to say where each part came from.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Ruleset {
    /// The title, as the menu and save files have it.
    pub title: String,
    /// How save files write games of the variant.
    pub save: SaveFormat,
    /// The players, neutral and random ones included.
    pub players: Vec<PlayerInfo>,
    /// The board.
    pub board: Arc<Board>,
    /// The piece kinds, in the order of the rules.
    pub pieces: Vec<PieceKindInfo>,
    /// Names of attributes; the file's, so perhaps more than this variant uses.
    pub attributes: Vec<String>,
    /// Names of move types; the file's, so perhaps more than this variant uses.
    pub move_types: Vec<String>,
    /// How many flags the programs use.
    pub n_flags: usize,
    /// How many flags on sites the programs use.
    pub n_site_flags: usize,
    /// Who moves when.
    pub turn_order: TurnOrder,
    /// What is where at the start.
    pub setup: Setup,
    /// Types of moves that come first, most urgent first.
    pub priorities: Vec<MoveType>,
    /// How the game ends, in text order.
    pub end_conditions: Vec<EndCondition>,
    /// The options.
    pub options: Options,
    /// What is shown.
    pub presentation: Presentation,
    /// The macro calls that instructions came through.
    pub traces: Arc<Traces>,
    /// Where the variant stands.
    pub span: Span,
}

impl Ruleset {
    /// The name of a player; empty for one of another ruleset.
    pub fn player_name(&self, player: Player) -> &str {
        self.players.get(player.idx()).map_or("", |it| &it.name)
    }

    /// The name of a piece kind; empty for one of another ruleset.
    pub fn piece_name(&self, kind: PieceKind) -> &str {
        self.pieces.get(kind.idx()).map_or("", |it| &it.name)
    }

    /// The player with this name.
    pub fn player_named(&self, name: &str) -> Option<Player> {
        self.players.iter().position(|it| it.name == name).map(|it| Player(it as u8))
    }

    /// The piece kind with this name.
    pub fn piece_named(&self, name: &str) -> Option<PieceKind> {
        self.pieces.iter().position(|it| it.name == name).map(|it| PieceKind(it as u16))
    }

    /// All players.
    pub fn all_players(&self) -> impl Iterator<Item = Player> + use<> {
        (0..self.players.len() as u8).map(Player)
    }

    /// Whether the variant is a menu of pictures rather than a game.
    pub fn is_selection_screen(&self) -> bool {
        let has_open = || self.pieces.iter().any(|it| it.open.is_some());
        self.options.selection_screen.unwrap_or_else(has_open)
    }

    /// Whether a kind is a throw of dice: nobody but chance brings it onto the board, and
    /// nobody moves it.
    pub fn is_thrown(&self, kind: PieceKind) -> bool {
        let Some(info) = self.pieces.get(kind.idx()) else { return false };
        let turns = &self.turn_order.turns;
        let is_chance = |it: Player| self.players.get(it.idx()).is_some_and(|it| it.is_random);
        let is_drawn = |block: &Block| {
            let fits = |it: &&Turn| it.move_type.is_none() || it.move_type == block.move_type;
            let mut users = turns.iter().filter(fits).peekable();
            block.kind == BlockKind::Drop
                && users.peek().is_some()
                && users.all(|it| is_chance(it.mover))
        };
        !info.is_dummy && !info.blocks.is_empty() && info.blocks.iter().all(is_drawn)
    }

    /// What to show for a name.
    pub fn translated<'a>(&'a self, name: &'a str) -> &'a str {
        let found = self.presentation.translations.iter().find(|(from, _)| **from == *name);
        found.map_or(name, |(_, to)| to)
    }
}
