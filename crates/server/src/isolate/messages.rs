//! What goes between the server and a process that runs rules: one JSON text a line.
//!
//! The server sends a [`HostRequest`] and reads [`HostReply`]s until one is not news. While an
//! engine thinks it may send [`HostRequest::Stop`], and the engine answers with what it has.

use std::path::PathBuf;

use boardwright_protocol::LineView;
use serde::{Deserialize, Serialize};

/// Where the rules are.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase")]
pub(crate) enum RulesSource {
    /// A rule file or a preset in a folder.
    Folder {
        /// The folder.
        path: PathBuf,
        /// The rule file, or the settings file of the preset, within the folder.
        file: String,
        /// The number of the variant, or of the problem.
        n: usize,
    },
    /// A whole preset as one text.
    Bundle {
        /// The text.
        text: String,
        /// The moves that a problem allows, if the preset poses one.
        moves: Option<u32>,
    },
}

/// One step of a game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) enum HostStep {
    /// A move as records have it.
    Move(String),
    /// A change of the board, as the log of a match has it.
    Edit(String),
}

/// A game by some rules, up to some state.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct HostLine {
    pub rules: RulesSource,
    /// What chance in the code of a preset grows from.
    pub seed: u64,
    pub steps: Vec<HostStep>,
}

/// What to search for, and within which limits.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct HostSearch {
    /// Milliseconds.
    pub time: Option<u64>,
    pub depth: Option<u32>,
    pub nodes: Option<u64>,
    pub level: u8,
    pub variety: u8,
    /// The number of best lines.
    pub lines: usize,
    pub seed: u64,
}

/// What the server asks for.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase")]
pub(crate) enum HostRequest {
    /// Compile the rules, begin a game, and show everything that a page shows of it.
    Open { rules: RulesSource },
    /// Play a line, and show the state after it.
    Play { line: HostLine },
    /// Let the engine think after a line.
    Think { line: HostLine, search: HostSearch },
    /// End the search that is running.
    Stop,
}

/// Where an engine stands.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct HostProgress {
    pub depth: u32,
    pub nodes: u64,
    /// Milliseconds.
    pub time: u64,
    pub lines: Vec<LineView>,
}

/// The result of a search.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct HostFindings {
    pub progress: HostProgress,
    /// The best move: its text, and the sites where it begins and ends.
    pub best: Option<(String, Option<u16>, Option<u16>)>,
    /// The score in words.
    pub why: String,
}

/// What the process answers.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase")]
pub(crate) enum HostReply {
    /// A search goes on.
    News { progress: HostProgress },
    /// A search is done.
    Found { findings: HostFindings },
    /// The work was done within the limits.
    Done {
        /// Bytes of what a page would be sent.
        bytes: usize,
    },
    /// The rules refuse, or have errors. They will in the server, too, which says so better.
    Failed { message: String },
}
