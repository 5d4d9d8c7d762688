//! What goes over the socket of a match: commands up, events down.

use serde::{Deserialize, Serialize};

use crate::{
    EffectView, KindId, MatchView, NodeView, OutcomeView, PlayerId, SeatSetup, SiteId, StateSetup,
    StateView,
};

/// What the page asks for.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "camelCase")]
pub enum Command {
    /// Makes a move. The same id at the same node makes it once, however often it is sent.
    Play {
        /// The node of the record that it applies to.
        node: u32,
        /// `MoveView.long`
        #[serde(rename = "move")]
        mv: String,
        /// The client's own.
        id: String,
    },
    /// Takes back what was done since somebody here last had the choice.
    TakeBack,
    /// Play goes on at a node; branches are kept.
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
    /// The engine stops, whatever it is at.
    StopThinking,
    /// Engines wait, or go on.
    Pause {
        /// Whether they wait.
        paused: bool,
    },
    /// The engine looks at a node, and says what it sees, until it is told to stop.
    Analyse {
        /// Whether to begin or to stop.
        on: bool,
        /// Which node.
        node: u32,
        /// How many lines.
        lines: u32,
    },
    /// Says something about a node.
    Comment {
        /// The number of the node.
        node: u32,
        /// What; replaces what was said before.
        text: String,
    },
    /// Gives a seat to somebody else.
    Seat {
        /// The number of the seat.
        seat: u32,
        /// To whom.
        setup: SeatSetup,
    },
    /// Gives up.
    Resign {
        /// The seat that sends it.
        seat: u32,
    },
    /// Changes the board; play goes on from there.
    Edit {
        /// The node of the record that it applies to.
        node: u32,
        /// The new placement and hands.
        setup: StateSetup,
    },
    /// Asks what would come of `edit`; nothing is changed.
    TryEdit {
        /// The node of the record that it applies to.
        node: u32,
        /// The new placement and hands.
        setup: StateSetup,
        /// The client's own; the answer has it again.
        id: u32,
    },
    /// Asks about a piece or a site.
    Probe {
        /// The site.
        site: SiteId,
        /// In the state of which node.
        node: u32,
    },
    /// Asks why a move is not legal.
    WhyNot {
        /// In the state of which node.
        node: u32,
        /// Where the piece stands; `null` if it comes from a hand.
        from: Option<SiteId>,
        /// Where it was to go; `null` asks why the piece cannot move at all.
        to: Option<SiteId>,
    },
    /// Gives oneself a name.
    Name {
        /// At which seat.
        seat: u32,
        /// The name.
        name: String,
    },
    /// Says something to all.
    Chat {
        /// The text.
        text: String,
    },
    /// Asks whether anybody is there.
    Ping,
}

/// What the server tells.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "camelCase")]
pub enum Event {
    /// Everything: on connecting, and whenever much changed.
    Match {
        /// All of it.
        #[serde(rename = "match")]
        game: Box<MatchView>,
    },
    /// A move was made, by whomever.
    Moved {
        /// The new node.
        node: NodeView,
        /// The state it led to.
        state: Box<StateView>,
        /// What it did.
        effects: Vec<EffectView>,
        /// Grows with every event.
        version: u32,
    },
    /// The answer to `look`.
    State {
        /// The state.
        state: Box<StateView>,
    },
    /// What the engine is at; at most four times a second.
    Thinking {
        /// `null`: at nothing.
        thinking: Option<ThinkingView>,
    },
    /// What the analysis sees.
    Analysis {
        /// At which node.
        node: u32,
        /// The best lines.
        lines: Vec<LineView>,
        /// How far it looked ahead.
        depth: u32,
        /// States it looked at.
        #[cfg_attr(test, ts(type = "number"))]
        nodes: u64,
        /// In a second.
        #[cfg_attr(test, ts(type = "number"))]
        #[serde(rename = "perSecond")]
        per_second: u64,
    },
    /// The answer to `hint`.
    Hint {
        /// At which node.
        node: u32,
        /// The move, as save files have it.
        #[serde(rename = "move")]
        mv: String,
        /// Where it begins.
        from: Option<SiteId>,
        /// Where it ends.
        to: Option<SiteId>,
        /// What the engine thinks of it.
        why: String,
    },
    /// The answer to `tryEdit`.
    Tried {
        /// Of which question.
        id: u32,
        /// How many moves whoever is to move would have.
        #[serde(rename = "nMoves")]
        n_moves: u32,
        /// How the game would be over at once.
        outcome: Option<OutcomeView>,
        /// What is odd about the board, a sentence each.
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
        /// Where it could go on an otherwise empty board.
        moves: Vec<SiteId>,
        /// What could take what stands there.
        attackers: Vec<SiteId>,
        /// What the piece is worth.
        value: Option<i32>,
    },
    /// The answer to `whyNot`.
    WhyNot {
        /// In the state of which node.
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
    /// What was said about a node.
    Comment {
        /// The number of the node.
        node: u32,
        /// The text.
        text: String,
    },
    /// What the engine thinks of a node.
    Score {
        /// The number of the node.
        node: u32,
        /// Hundredths for the first player.
        score: i32,
    },
    /// Somebody said something.
    Chat {
        /// The name of the sender.
        name: String,
        /// The text.
        text: String,
    },
    /// A command was not obeyed.
    Refused {
        /// In one sentence.
        message: String,
        /// The rule or the reason behind it.
        why: Option<String>,
        /// The id of the move it is about.
        id: Option<String>,
    },
    /// A turn is not complete: the player has to choose, and to play what is chosen.
    Asked {
        /// At which node.
        node: u32,
        /// What is asked; empty for a promotion.
        text: String,
        /// The choices.
        choices: Vec<ChoiceView>,
    },
    /// Somebody is there.
    Pong,
}

/// One way to complete a turn.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ChoiceView {
    /// What to show.
    pub label: String,
    /// The whole turn, to be played.
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

/// Something that was said.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ChatLine {
    /// The name of the sender.
    pub name: String,
    /// The text.
    pub text: String,
}

/// What the engine thinks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum Purpose {
    /// To move.
    Move,
    /// For a hint.
    Hint,
    /// To say what it sees.
    Analysis,
}

/// What the engine is at.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ThinkingView {
    /// For which seat.
    pub seat: Option<u32>,
    /// What for.
    pub purpose: Purpose,
    /// How far it looks ahead.
    pub depth: u32,
    /// States it looked at.
    #[cfg_attr(test, ts(type = "number"))]
    pub nodes: u64,
    /// In a second.
    #[cfg_attr(test, ts(type = "number"))]
    pub per_second: u64,
    /// The score in words.
    pub score: String,
    /// Hundredths for the first player.
    pub hundredths: Option<i32>,
    /// How much of its time is used, from 0 to 1.
    pub fraction: f64,
    /// What it expects, short.
    pub line: String,
}

/// A line of an analysis.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct LineView {
    /// Hundredths for the first player; a proven win is 100000 less the moves it takes.
    pub score: i32,
    /// In words.
    pub words: String,
    /// The moves, short.
    pub moves: Vec<String>,
    /// The first move, for an arrow.
    pub first: LineEnds,
}

/// Where the first move of a line begins and ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct LineEnds {
    /// Where from.
    pub from: Option<SiteId>,
    /// Where to.
    pub to: Option<SiteId>,
}
