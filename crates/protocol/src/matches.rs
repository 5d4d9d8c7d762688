//! Matches: how one is set up, how it stands, what may be played.

use serde::{Deserialize, Serialize};

use crate::{ChatLine, KindId, PlayerId, SiteId, ThinkingView};

/// `POST /api/matches`
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct NewMatch {
    /// The game's id.
    pub game: String,
    /// The variant's number.
    pub n: u32,
    /// Who sits where, by seat; seats that are not named are for persons.
    #[serde(default)]
    pub seats: Vec<SeatSetup>,
    /// What to start from, if not from the usual setup.
    #[serde(default)]
    #[cfg_attr(test, ts(optional = nullable))]
    pub setup: Option<StateSetup>,
}

/// Who moves for a player.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "camelCase")]
pub enum SeatSetup {
    /// Somebody here.
    Person {
        /// What they call themselves; may be empty.
        #[serde(default)]
        name: String,
    },
    /// Somebody who comes by a link.
    Guest,
    /// The engine.
    Engine {
        /// From 1, a beginner, to 10.
        level: u8,
        /// Time for a move.
        seconds: f64,
        /// Moves to look ahead at most.
        #[serde(default)]
        depth: Option<u32>,
        /// From 0, always the best move, to 10.
        #[serde(default)]
        variety: u8,
    },
    /// Moves at random.
    Random,
}

/// A piece on a site.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct PlacedView {
    /// The site of the piece.
    pub site: SiteId,
    /// The owner of the piece.
    pub player: PlayerId,
    /// The kind of the piece.
    pub kind: KindId,
}

/// Pieces off the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct HandCount {
    /// The owner of the piece.
    pub player: PlayerId,
    /// The kind of the piece.
    pub kind: KindId,
    /// The number of such pieces.
    pub count: u32,
}

/// A state as an editor makes it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct StateSetup {
    /// All pieces on the board.
    pub pieces: Vec<PlacedView>,
    /// All pieces off it.
    #[serde(default)]
    pub hands: Vec<HandCount>,
    /// Whose turn it is, as an entry of the turn order.
    pub mover: u32,
}

/// `POST /api/matches/solution`
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Solution {
    /// The game's id.
    pub game: String,
    /// The variant's number.
    pub n: u32,
}

/// A match that was just made.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Created {
    /// Its id.
    pub id: String,
    /// The owner's key: may do everything.
    pub key: String,
    /// Links for guests.
    pub invitations: Vec<Invitation>,
}

/// A link that gives a guest a seat.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Invitation {
    /// Which seat.
    pub seat: u32,
    /// The path of the page with the key.
    pub link: String,
}

/// A match in a list.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct MatchCard {
    /// Its id.
    pub id: String,
    /// The owner's key: the list is for whoever sits at the machine.
    pub key: String,
    /// The game's id.
    pub game: String,
    /// The variant's number.
    pub n: u32,
    /// The variant's title.
    pub title: String,
    /// How many moves were made.
    pub ply: u32,
    /// The number of the last move in the list, where a move of each player has one number.
    pub round: u32,
    /// Names of those who play.
    pub seats: Vec<String>,
    /// Whose turn it is.
    pub mover: Option<String>,
    /// Whether it is the turn of somebody here.
    pub your_turn: bool,
    /// How it ended.
    pub outcome: Option<String>,
    /// When something last happened, in milliseconds since 1970.
    #[cfg_attr(test, ts(type = "number"))]
    pub updated: i64,
    /// Address of an SVG of the board as it stands.
    pub thumb: String,
}

/// A match, whole.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct MatchView {
    /// Its id.
    pub id: String,
    /// The game's id.
    pub game: String,
    /// The variant's number.
    pub n: u32,
    /// The variant's title.
    pub title: String,
    /// The seats: players that somebody plays, in the order of the players.
    pub seats: Vec<SeatView>,
    /// The record as a tree; node 0 is the start.
    pub nodes: Vec<NodeView>,
    /// The node where play goes on.
    pub current: u32,
    /// Seats that this connection may move for.
    pub you: Vec<u32>,
    /// Whether this connection may do everything.
    pub owner: bool,
    /// Links for guests; only for the owner.
    pub invitations: Vec<Invitation>,
    /// The state of `current`.
    pub state: StateView,
    /// What was said.
    pub chat: Vec<ChatLine>,
    /// What the engine is at.
    pub thinking: Option<ThinkingView>,
    /// Whether engines wait.
    pub paused: bool,
    /// Whether it shows a solution, and nobody has played in it.
    pub is_solution: bool,
    /// Grows with every event.
    pub version: u32,
}

/// A seat.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct SeatView {
    /// Which player of the rules.
    pub player: PlayerId,
    /// Who sits there, for people.
    pub name: String,
    /// Who moves.
    pub setup: SeatSetup,
    /// Whether somebody is connected who may move for it; always for engines.
    pub is_here: bool,
    /// Whether they gave up.
    pub resigned: bool,
}

/// What a node of the record is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum NodeKind {
    /// The start.
    Start,
    /// A player's move.
    Move,
    /// A change of the board.
    Edit,
    /// A move of chance.
    Chance,
}

/// A node of the record.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct NodeView {
    /// Its number.
    pub id: u32,
    /// The node before it.
    pub parent: Option<u32>,
    /// How many moves lie before it, itself included.
    pub ply: u32,
    /// Who moved.
    pub player: Option<PlayerId>,
    /// Whose pieces moved: for a throw of dice, who they were thrown for.
    pub owner: Option<PlayerId>,
    /// The move for a list, in few signs: `Ng1–f3`.
    pub short: String,
    /// The move as save files have it.
    pub long: String,
    /// Whether the same player goes on.
    pub partial: bool,
    /// What it is.
    pub kind: NodeKind,
    /// What was said about it.
    pub comment: String,
    /// Hundredths for the first player, the engine's, if known.
    pub score: Option<i32>,
    /// The row of the move list that shows it, counted from 1; 0 before the first move.
    pub round: u32,
    /// The id of the `Play` command that made it, chosen by its sender; empty if there was none.
    pub request: String,
}

/// A state, ready to be shown and played in.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct StateView {
    /// The node it belongs to.
    pub node: u32,
    /// How many moves lie before it.
    pub ply: u32,
    /// The pieces on the board.
    pub pieces: Vec<PlacedView>,
    /// Those off it.
    pub hands: Vec<HandCount>,
    /// Who is to move; nobody when the game is over.
    pub mover: Option<PlayerId>,
    /// The seat of who is to move.
    pub seat: Option<u32>,
    /// Whether chance is to move.
    pub is_chance: bool,
    /// The entry of the turn order, as `StateSetup.mover` has it.
    #[cfg_attr(test, ts(as = "Option<u32>", optional))]
    pub turn: u32,
    /// The legal moves.
    pub moves: Vec<MoveView>,
    /// From and to of the last move, of all parts of it.
    pub last_sites: Vec<SiteId>,
    /// The way of the unfinished move.
    pub path: Vec<SiteId>,
    /// Royal pieces of the mover that are attacked.
    pub in_check: Vec<SiteId>,
    /// How the game ended.
    pub outcome: Option<OutcomeView>,
    /// The text form of the state.
    pub text: String,
    /// Whether the rules tell no moves: anything may be tried, and is refused or not.
    #[serde(default)]
    #[cfg_attr(test, ts(as = "Option<bool>", optional))]
    pub free: bool,
    /// What the rules say to the players.
    #[serde(default)]
    #[cfg_attr(test, ts(as = "Option<Vec<String>>", optional))]
    pub messages: Vec<String>,
}

/// Two sites, clicked one after the other.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Clicks {
    /// First.
    pub from: SiteId,
    /// Then.
    pub to: SiteId,
}

/// A legal move.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct MoveView {
    /// Its number in the list.
    pub i: u32,
    /// For a list.
    pub short: String,
    /// As save files have it; what a command names.
    pub long: String,
    /// Where the key movement begins; nothing for drops.
    pub from: Option<SiteId>,
    /// Where it ends.
    pub to: Option<SiteId>,
    /// What is dropped.
    pub drop: Option<KindId>,
    /// What the piece becomes.
    pub promote: Option<KindId>,
    /// What is taken.
    pub captures: Vec<SiteId>,
    /// Whether it is the pass.
    pub pass: bool,
    /// Whether the mover may have to go on.
    pub partial: bool,
    /// Further pairs by which the move may be meant.
    pub clicks: Vec<Clicks>,
    /// What it does, in order.
    pub effects: Vec<EffectView>,
}

/// One change that a move makes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "camelCase")]
#[expect(missing_docs, reason = "the names say it")]
pub enum EffectView {
    Walk { from: SiteId, to: SiteId },
    Copy { from: SiteId, to: SiteId },
    Drop { kind: KindId, to: SiteId, player: PlayerId },
    Become { site: SiteId, kind: KindId, player: PlayerId },
    Capture { site: SiteId },
}

/// How a game ended.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct OutcomeView {
    /// Who won.
    pub winners: Vec<PlayerId>,
    /// Who lost.
    pub losers: Vec<PlayerId>,
    /// `White wins`
    pub text: String,
    /// Why, in words.
    pub why: String,
    /// The line of the rules.
    pub rule: Option<String>,
    /// Where it stands, from 1.
    pub rule_line: Option<u32>,
    /// The sites that the reason speaks of.
    pub sites: Vec<SiteId>,
}
