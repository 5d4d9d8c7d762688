//! What goes over the socket of a match: commands up, events down.

use serde::{Deserialize, Serialize};

use crate::{
    EffectView, KindId, MatchView, NodeView, OutcomeView, PlayerId, SeatSetup, SiteId, StateSetup,
    StateView,
};

/// A command that the page sends.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "camelCase")]
pub enum Command {
    /// Makes a move. Sent again with the same id at the same node, it has no further effect.
    Play {
        /// The node of the record that it applies to.
        node: u32,
        /// The move as `MoveView.long` has it, or as typed.
        #[serde(rename = "move")]
        mv: String,
        /// Request id, chosen by the client; the new node carries it.
        id: String,
    },
    /// Takes back moves until a person who is connected here is to move again.
    TakeBack,
    /// Continues play from a node; existing branches are kept.
    GoOnFrom {
        /// The number of the node.
        node: u32,
    },
    /// Asks for the state of a node.
    Look {
        /// The number of the node.
        node: u32,
    },
    /// The engine moves at once.
    MoveNow,
    /// Asks the engine for a move.
    Hint,
    /// Stops the engine's current search.
    StopThinking,
    /// Pauses or resumes the engines of this match.
    Pause {
        /// Whether engines are paused.
        paused: bool,
    },
    /// Starts or stops an analysis of a node.
    Analyse {
        /// Whether to start (true) or stop (false).
        on: bool,
        /// The number of the node.
        node: u32,
        /// The number of lines to report.
        lines: u32,
    },
    /// Sets the comment on a node.
    Comment {
        /// The number of the node.
        node: u32,
        /// The text; replaces an earlier comment.
        text: String,
    },
    /// Changes who plays a seat.
    Seat {
        /// The number of the seat.
        seat: u32,
        /// Who plays it from now on.
        setup: SeatSetup,
    },
    /// Resigns.
    Resign {
        /// The seat that sends it.
        seat: u32,
    },
    /// Changes the board; play continues from the changed state.
    Edit {
        /// The node of the record that it applies to.
        node: u32,
        /// The new placement and hands.
        setup: StateSetup,
    },
    /// Asks what `edit` would lead to, without changing the match.
    TryEdit {
        /// The node of the record that it applies to.
        node: u32,
        /// The new placement and hands.
        setup: StateSetup,
        /// Request id, chosen by the client; the answer carries it.
        id: u32,
    },
    /// Asks about a piece or a site.
    Probe {
        /// The site.
        site: SiteId,
        /// The node whose state is meant.
        node: u32,
    },
    /// Asks why a move is not legal.
    WhyNot {
        /// The node whose state is meant.
        node: u32,
        /// Where the piece stands; `null` if it comes from a hand.
        from: Option<SiteId>,
        /// Where it was to go; `null` asks why the piece cannot move at all.
        to: Option<SiteId>,
    },
    /// Sets the name of the person at a seat.
    Name {
        /// The number of the seat.
        seat: u32,
        /// The name.
        name: String,
    },
    /// Sends a chat message to everybody in the match.
    Chat {
        /// The text.
        text: String,
    },
    /// Checks the connection; answered by `pong`.
    Ping,
}

/// A message that the server sends.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "camelCase")]
pub enum Event {
    /// The whole match: on connecting, and after changes that are more than one move.
    Match {
        /// The match.
        #[serde(rename = "match")]
        game: Box<MatchView>,
    },
    /// A player, an engine or chance made a move.
    Moved {
        /// The new node.
        node: NodeView,
        /// The state it led to.
        state: Box<StateView>,
        /// The changes on the board, in order.
        effects: Vec<EffectView>,
        /// Number of events so far; increases by at least one with each change.
        version: u32,
    },
    /// The answer to `look`.
    State {
        /// The state.
        state: Box<StateView>,
    },
    /// The progress of the engine's search; sent at most four times a second.
    Thinking {
        /// The progress; `null` when no engine is thinking.
        thinking: Option<ThinkingView>,
    },
    /// The result of the analysis so far.
    Analysis {
        /// The number of the node.
        node: u32,
        /// The best lines.
        lines: Vec<LineView>,
        /// The depth reached, in plies.
        depth: u32,
        /// The number of nodes searched.
        #[cfg_attr(test, ts(type = "number"))]
        nodes: u64,
        /// The number of nodes searched per second.
        #[cfg_attr(test, ts(type = "number"))]
        #[serde(rename = "perSecond")]
        per_second: u64,
    },
    /// The answer to `hint`.
    Hint {
        /// The number of the node.
        node: u32,
        /// The suggested move, written as in save files.
        #[serde(rename = "move")]
        mv: String,
        /// The site where it begins; `null` for drops and passes.
        from: Option<SiteId>,
        /// The site where it ends; `null` for passes.
        to: Option<SiteId>,
        /// The engine's score of it, in words.
        why: String,
    },
    /// The answer to `tryEdit`.
    Tried {
        /// The id of the `tryEdit` command.
        id: u32,
        /// The number of legal moves in the edited state.
        #[serde(rename = "nMoves")]
        n_moves: u32,
        /// How the game would have ended in the edited state; `null` if it goes on.
        outcome: Option<OutcomeView>,
        /// Warnings about the edited board, one sentence each.
        oddities: Vec<String>,
        /// The state as text, to copy.
        text: String,
    },
    /// The answer to `probe`.
    Probed {
        /// The site.
        site: SiteId,
        /// The piece or the site in words.
        title: String,
        /// The piece.
        piece: Option<PieceView>,
        /// The sites it could reach on an otherwise empty board.
        moves: Vec<SiteId>,
        /// The sites of pieces that could capture it.
        attackers: Vec<SiteId>,
        /// The value of the piece; the cheapest kind is worth 1000.
        value: Option<i32>,
    },
    /// The answer to `whyNot`.
    WhyNot {
        /// The node whose state is meant.
        node: u32,
        /// Where the piece stands.
        from: Option<SiteId>,
        /// Where it was to go.
        to: Option<SiteId>,
        /// The reason, in one sentence; `null` if the rules tell none.
        text: Option<String>,
        /// Whether the piece never moves that way, so that a stray click needs no answer.
        #[serde(rename = "isEvident")]
        is_evident: bool,
    },
    /// The comment on a node changed.
    Comment {
        /// The number of the node.
        node: u32,
        /// The text.
        text: String,
    },
    /// The engine's score of a node.
    Score {
        /// The number of the node.
        node: u32,
        /// Score for the first player, in hundredths of the cheapest piece.
        score: i32,
    },
    /// A chat message.
    Chat {
        /// The name of the sender.
        name: String,
        /// The text.
        text: String,
    },
    /// A command was refused.
    Refused {
        /// The refusal in one sentence.
        message: String,
        /// The rule or reason behind it.
        why: Option<String>,
        /// The request id of the refused `play` command.
        id: Option<String>,
    },
    /// A turn is incomplete: the player has to choose one of the completions and play it.
    Asked {
        /// The number of the node.
        node: u32,
        /// The question; empty for a promotion.
        text: String,
        /// The choices.
        choices: Vec<ChoiceView>,
    },
    /// The answer to `ping`.
    Pong,
}

/// One way to complete a turn.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ChoiceView {
    /// The label shown for this choice.
    pub label: String,
    /// The complete turn, to be sent as the move.
    #[serde(rename = "move")]
    pub mv: String,
}

/// A piece.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct PieceView {
    /// The owner of the piece.
    pub player: PlayerId,
    /// The kind of the piece.
    pub kind: KindId,
}

/// A chat message with its sender.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ChatLine {
    /// The name of the sender.
    pub name: String,
    /// The text.
    pub text: String,
}

/// The purpose of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum Purpose {
    /// To make a move in the match.
    Move,
    /// To suggest a move to a player.
    Hint,
    /// To analyse a state.
    Analysis,
}

/// The progress of a search.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ThinkingView {
    /// The seat that the engine plays; `null` for hints and analysis.
    pub seat: Option<u32>,
    /// The purpose of the search.
    pub purpose: Purpose,
    /// The depth reached, in plies.
    pub depth: u32,
    /// The number of nodes searched.
    #[cfg_attr(test, ts(type = "number"))]
    pub nodes: u64,
    /// The number of nodes searched per second.
    #[cfg_attr(test, ts(type = "number"))]
    pub per_second: u64,
    /// The score in words.
    pub score: String,
    /// Score for the first player, in hundredths of the cheapest piece.
    pub hundredths: Option<i32>,
    /// The fraction of its time that is used, from 0 to 1.
    pub fraction: f64,
    /// The principal variation, in brief notation.
    pub line: String,
}

/// A line of an analysis.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct LineView {
    /// Score for the first player, in hundredths of the cheapest piece; a proven win is
    /// 100000 minus the number of moves to it.
    pub score: i32,
    /// The score in words.
    pub words: String,
    /// The moves, in brief notation.
    pub moves: Vec<String>,
    /// The sites of the first move, for an arrow.
    pub first: LineEnds,
}

/// The sites where the first move of a line begins and ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct LineEnds {
    /// The site where it begins; `null` for drops.
    pub from: Option<SiteId>,
    /// The site where it ends.
    pub to: Option<SiteId>,
}
