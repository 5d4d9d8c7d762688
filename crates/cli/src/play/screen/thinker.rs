//! A search on a thread of its own, while the screen stays responsive.

use std::{
    sync::mpsc::{Receiver, TryRecvError, channel},
    thread,
    time::Instant,
};

use boardwright_engine::{Engine, SearchLimits, SearchReport, StopFlag, TuningStore};
use boardwright_rules::GameState;

use crate::analysis;

/// What a search is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Purpose {
    Move,
    Hint,
}

/// What the searching thread reports.
enum SearchEvent {
    Progress { depth: u32, nodes: u64, line: String, score: String },
    Done(Box<(SearchReport, Box<Engine>)>),
}

/// A running search and what it has found so far.
pub(super) struct Search {
    pub purpose: Purpose,
    pub began: Instant,
    pub depth: u32,
    pub nodes: u64,
    pub line: String,
    pub score: String,
    stop: StopFlag,
    events: Receiver<SearchEvent>,
}

/// How far a search is.
pub(super) enum SearchStatus {
    Running,
    Done(Box<(SearchReport, Box<Engine>)>),
    /// The thread ended without an answer.
    Lost,
}

impl Search {
    pub(super) fn start(
        mut engine: Box<Engine>,
        state: GameState,
        limits: SearchLimits,
        purpose: Purpose,
    ) -> Search {
        let stop = StopFlag::default();
        let (send, events) = channel();
        let flag = stop.clone();
        thread::spawn(move || {
            let mut report_line = |info: &boardwright_engine::SearchInfo| {
                if let Some(line) = info.line.as_ref().filter(|_| info.rank == 0) {
                    let _ = send.send(SearchEvent::Progress {
                        depth: info.depth,
                        nodes: info.nodes,
                        line: analysis::moves_text(&state, &line.moves),
                        score: analysis::score_words(&state, line.score),
                    });
                }
            };
            if engine.needs_trial(&limits) {
                crate::tuning::folder().ensure_trial(&mut engine, &flag);
            }
            let report = engine.think(&state, &limits, &flag, &mut report_line);
            // The screen may have been closed.
            let _ = send.send(SearchEvent::Done(Box::new((report, engine))));
        });
        Search {
            purpose,
            began: Instant::now(),
            depth: 0,
            nodes: 0,
            line: String::new(),
            score: String::new(),
            stop,
            events,
        }
    }

    /// Makes the search answer at once.
    pub(super) fn stop(&self) {
        self.stop.stop();
    }

    /// Stops the search and waits for the engine.
    pub(super) fn end(self) -> Option<Box<Engine>> {
        self.stop.stop();
        self.events.into_iter().find_map(|it| match it {
            SearchEvent::Done(done) => Some(done.1),
            SearchEvent::Progress { .. } => None,
        })
    }

    /// Takes in what the thread reported since the last call.
    pub(super) fn poll(&mut self) -> SearchStatus {
        loop {
            match self.events.try_recv() {
                Ok(SearchEvent::Progress { depth, nodes, line, score }) => {
                    (self.depth, self.nodes) = (depth, nodes);
                    (self.line, self.score) = (line, score);
                }
                Ok(SearchEvent::Done(done)) => return SearchStatus::Done(done),
                Err(TryRecvError::Empty) => return SearchStatus::Running,
                Err(TryRecvError::Disconnected) => return SearchStatus::Lost,
            }
        }
    }
}
