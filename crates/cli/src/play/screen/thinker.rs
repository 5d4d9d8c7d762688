//! The engine beside the screen: it thinks in a thread, the screen goes on.

use std::{
    sync::mpsc::{Receiver, TryRecvError, channel},
    thread,
    time::Instant,
};

use boardwright_engine::{Engine, SearchLimits, SearchReport, StopFlag, TuningStore};
use boardwright_play::State;

use crate::analysis;

/// What the thinking is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Purpose {
    Move,
    Hint,
}

enum News {
    Progress { depth: u32, nodes: u64, line: String, score: String },
    Done(Box<(SearchReport, Box<Engine>)>),
}

/// An engine at work.
pub(super) struct Thinking {
    pub purpose: Purpose,
    pub began: Instant,
    pub depth: u32,
    pub nodes: u64,
    pub line: String,
    pub score: String,
    stop: StopFlag,
    news: Receiver<News>,
}

/// What came of it.
pub(super) enum Progress {
    Going,
    Done(Box<(SearchReport, Box<Engine>)>),
    /// The thread ended without an answer.
    Lost,
}

impl Thinking {
    pub(super) fn start(
        mut engine: Box<Engine>,
        state: State,
        limits: SearchLimits,
        purpose: Purpose,
    ) -> Thinking {
        let stop = StopFlag::default();
        let (send, news) = channel();
        let flag = stop.clone();
        thread::spawn(move || {
            let mut tell = |info: &boardwright_engine::SearchInfo| {
                if let Some(line) = info.line.as_ref().filter(|_| info.rank == 0) {
                    let _ = send.send(News::Progress {
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
            let report = engine.think(&state, &limits, &flag, &mut tell);
            // Who asked may have left.
            let _ = send.send(News::Done(Box::new((report, engine))));
        });
        Thinking {
            purpose,
            began: Instant::now(),
            depth: 0,
            nodes: 0,
            line: String::new(),
            score: String::new(),
            stop,
            news,
        }
    }

    /// Asks it to answer at once.
    pub(super) fn stop(&self) {
        self.stop.stop();
    }

    /// Waits for the engine after it was stopped, to have it back.
    pub(super) fn end(self) -> Option<Box<Engine>> {
        self.stop.stop();
        self.news.into_iter().find_map(|it| match it {
            News::Done(done) => Some(done.1),
            News::Progress { .. } => None,
        })
    }

    /// Takes in what it told since.
    pub(super) fn look(&mut self) -> Progress {
        loop {
            match self.news.try_recv() {
                Ok(News::Progress { depth, nodes, line, score }) => {
                    (self.depth, self.nodes) = (depth, nodes);
                    (self.line, self.score) = (line, score);
                }
                Ok(News::Done(done)) => return Progress::Done(done),
                Err(TryRecvError::Empty) => return Progress::Going,
                Err(TryRecvError::Disconnected) => return Progress::Lost,
            }
        }
    }
}
