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
    /// Who plays each seat; seats that are not given are played by persons here.
    #[serde(default)]
    pub seats: Vec<SeatSetup>,
    /// The state to start from, if not the usual setup.
    #[serde(default)]
    #[cfg_attr(test, ts(optional = nullable))]
    pub setup: Option<StateSetup>,
}

/// Who moves for a player.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "camelCase")]
pub enum SeatSetup {
    /// A person at the owner's browser.
    Person {
        /// The person's name; may be empty.
        #[serde(default)]
        name: String,
    },
    /// A person who joins by an invitation link.
    Guest,
    /// The engine.
    Engine {
        /// Level from 1 (beginner) to 10 (full strength).
        level: u8,
        /// Thinking time per move, in seconds.
        seconds: f64,
        /// Maximum search depth, in plies.
        #[serde(default)]
        depth: Option<u32>,
        /// Variety from 0 (always the best move) to 10.
        #[serde(default)]
        variety: u8,
    },
    /// Plays random legal moves.
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

/// A state as set up in the board editor.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct StateSetup {
    /// All pieces on the board.
    pub pieces: Vec<PlacedView>,
    /// All pieces in hand.
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
    /// The owner's key, which gives all rights in this match.
    pub key: String,
    /// Links for guests.
    pub invitations: Vec<Invitation>,
}

/// A link that gives a guest a seat.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Invitation {
    /// The number of the seat.
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
    /// The owner's key; the list is only sent to the owner.
    pub key: String,
    /// The game's id.
    pub game: String,
    /// The variant's number.
    pub n: u32,
    /// The variant's title.
    pub title: String,
    /// The number of moves made.
    pub ply: u32,
    /// The number of the last move in the list, where a move of each player has one number.
    pub round: u32,
    /// The names of the players, by seat.
    pub seats: Vec<String>,
    /// Whose turn it is.
    pub mover: Option<String>,
    /// Whether it is the turn of a person at the owner's browser.
    pub your_turn: bool,
    /// The result in words; `null` while the game goes on.
    pub outcome: Option<String>,
    /// Time of the last change, in milliseconds since 1970.
    #[cfg_attr(test, ts(type = "number"))]
    pub updated: i64,
    /// Address of an SVG of the board in its current state.
    pub thumb: String,
}

/// A whole match, as one connection may see it.
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
    /// The seats, one for each player that a person or engine plays, in player order.
    pub seats: Vec<SeatView>,
    /// The record as a tree; node 0 is the start.
    pub nodes: Vec<NodeView>,
    /// The node where play continues.
    pub current: u32,
    /// Seats that this connection may move for.
    pub you: Vec<u32>,
    /// Whether this connection has the owner's rights.
    pub owner: bool,
    /// Links for guests; only for the owner.
    pub invitations: Vec<Invitation>,
    /// The state of `current`.
    pub state: StateView,
    /// The chat, oldest first.
    pub chat: Vec<ChatLine>,
    /// The progress of the engine's search; `null` when it is not thinking.
    pub thinking: Option<ThinkingView>,
    /// Whether engines are paused.
    pub paused: bool,
    /// Whether it shows a game's stored solution and has not been played in.
    pub is_solution: bool,
    /// Number of events so far; increases by at least one with each change.
    pub version: u32,
}

/// A seat.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct SeatView {
    /// The player of the rules that this seat plays.
    pub player: PlayerId,
    /// The name to show for the seat.
    pub name: String,
    /// Who plays the seat.
    pub setup: SeatSetup,
    /// Whether someone who may move for it is connected; always true for engines.
    pub is_here: bool,
    /// Whether this seat has resigned.
    pub resigned: bool,
}

/// The kind of a node of the record.
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
    /// The number of moves up to and including this one.
    pub ply: u32,
    /// The player who moved.
    pub player: Option<PlayerId>,
    /// The player whose pieces moved; for a throw of dice, the player it was thrown for.
    pub owner: Option<PlayerId>,
    /// The move in brief notation: `Ng1–f3`.
    pub short: String,
    /// The move, written as in save files.
    pub long: String,
    /// Whether the same player continues the move.
    pub partial: bool,
    /// The kind of the node.
    pub kind: NodeKind,
    /// The comment on it; empty if there is none.
    pub comment: String,
    /// The engine's score for the first player, in hundredths of the cheapest piece, if known.
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
    /// The number of moves that led to it.
    pub ply: u32,
    /// The pieces on the board.
    pub pieces: Vec<PlacedView>,
    /// The pieces in hand.
    pub hands: Vec<HandCount>,
    /// The player to move; `null` when the game is over.
    pub mover: Option<PlayerId>,
    /// The seat of the player to move.
    pub seat: Option<u32>,
    /// Whether chance is to move.
    pub is_chance: bool,
    /// The entry of the turn order, as `StateSetup.mover` has it.
    #[cfg_attr(test, ts(as = "Option<u32>", optional))]
    pub turn: u32,
    /// The legal moves.
    pub moves: Vec<MoveView>,
    /// The sites where the last move, with all its parts, began and ended.
    pub last_sites: Vec<SiteId>,
    /// The sites that the unfinished move has visited.
    pub path: Vec<SiteId>,
    /// Royal pieces of the mover that are attacked.
    pub in_check: Vec<SiteId>,
    /// How the game ended; `null` while it goes on.
    pub outcome: Option<OutcomeView>,
    /// The text form of the state.
    pub text: String,
    /// Whether the rules list no moves: any move may be tried and may be refused.
    #[serde(default)]
    #[cfg_attr(test, ts(as = "Option<bool>", optional))]
    pub free: bool,
    /// Messages of the rules to the players.
    #[serde(default)]
    #[cfg_attr(test, ts(as = "Option<Vec<String>>", optional))]
    pub messages: Vec<String>,
}

/// Two sites, clicked one after the other.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Clicks {
    /// The site clicked first.
    pub from: SiteId,
    /// The site clicked second.
    pub to: SiteId,
}

/// A legal move.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct MoveView {
    /// Its number in the list.
    pub i: u32,
    /// The move in brief notation.
    pub short: String,
    /// The move, written as in save files; `play` commands name it so.
    pub long: String,
    /// The site where the key movement begins; `null` for drops.
    pub from: Option<SiteId>,
    /// The site where it ends.
    pub to: Option<SiteId>,
    /// The kind that is dropped.
    pub drop: Option<KindId>,
    /// The kind that the piece becomes.
    pub promote: Option<KindId>,
    /// The sites of captured pieces.
    pub captures: Vec<SiteId>,
    /// Whether it is the pass.
    pub pass: bool,
    /// Whether the same player may continue the move.
    pub partial: bool,
    /// Other pairs of clicks that mean this move, such as king and rook for castling.
    pub clicks: Vec<Clicks>,
    /// The changes it makes on the board, in order.
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

/// The result of a game.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct OutcomeView {
    /// The winners.
    pub winners: Vec<PlayerId>,
    /// The losers.
    pub losers: Vec<PlayerId>,
    /// The result as a sentence: `White wins`.
    pub text: String,
    /// The reason in words.
    pub why: String,
    /// The end condition as the rules have it.
    pub rule: Option<String>,
    /// Its line number in the rule file, from 1.
    pub rule_line: Option<u32>,
    /// The sites that the reason is about.
    pub sites: Vec<SiteId>,
}
