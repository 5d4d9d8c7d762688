//! Engines and chance at a match.

use std::{sync::Arc, time::Duration};

use boardwright_engine::{Limits, Report, Stop};
use boardwright_play::{SplitMix64, State};
use boardwright_protocol::{Event, Purpose, SeatSetup, ThinkingView};
use boardwright_referee::NodeId;

use super::{CHANCE_PAUSE, Message, Table};
use crate::{
    thinker::{Job, Progress, Thought},
    thinking,
};

/// An engine's move comes no faster than people can follow.
const LEAST: Duration = Duration::from_millis(300);
/// How long a hint takes.
const HINT: f64 = 2.0;
/// An analysis that was forgotten ends by itself.
const ANALYSIS: Duration = Duration::from_secs(900);
const MAX_LINES: u32 = 6;

/// An engine at work for a match.
pub(super) struct Thinking {
    number: u64,
    purpose: Purpose,
    seat: Option<u32>,
    node: NodeId,
    state: State,
    seconds: Option<f64>,
    stop: Stop,
    /// Who asked.
    reader: Option<u64>,
    pub view: Option<ThinkingView>,
}

impl Table {
    /// Lets whoever is to move do so, if it is nobody's choice or the engine's.
    pub(super) async fn drive(&mut self) {
        if self.readers.is_empty() || self.view.outcome.is_some() || self.due.is_some() {
            return;
        }
        if self.view.moves.is_empty() {
            return;
        }
        if self.view.is_chance {
            return self.schedule();
        }
        let chair = self.view.seat.and_then(|it| self.chairs.get(it as usize));
        let Some(setup) = chair.map(|it| it.setup.clone()).filter(|_| !self.paused) else { return };
        match setup {
            SeatSetup::Random => self.schedule(),
            SeatSetup::Engine { level, seconds, depth, variety } => {
                let is_at_it = self.thinking.as_ref().is_some_and(|it| {
                    it.purpose == Purpose::Move && it.node == self.game.current()
                });
                if is_at_it {
                    return;
                }
                let time = Duration::from_secs_f64(seconds);
                let limits = Limits { time: Some(time), depth, ..Limits::default() };
                let order = Order { purpose: Purpose::Move, limits, level, variety, lines: 1 };
                let (node, state) = (self.game.current(), self.game.state().clone());
                self.think(order, node, state, None);
            }
            SeatSetup::Person { .. } | SeatSetup::Guest => {}
        }
    }

    /// A move of chance, soon.
    fn schedule(&mut self) {
        let number = self.number();
        self.due = Some(number);
        let me = self.me.clone();
        let pause = CHANCE_PAUSE.saturating_sub(self.last_move.elapsed());
        tokio::spawn(async move {
            tokio::time::sleep(pause).await;
            let _ = me.send(Message::Due(number)).await;
        });
    }

    fn number(&mut self) -> u64 {
        self.next_number += 1;
        self.next_number
    }

    /// Draws a move for chance or a random player.
    pub(super) async fn draw(&mut self) {
        let Ok(list) = self.game.legal() else { return };
        // Every draw has a ticket of its own, and the match can be played again from its seed.
        let n = self.game.nodes().len() as u64;
        let mut rng = SplitMix64::new(self.seed ^ n.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        let ticket = rng.below(list.total_weight() as usize) as u64;
        let Some(mv) = list.drawn(ticket) else { return };
        let text = self.game.state().move_text(mv);
        let is_chance = self.game.state().is_chance();
        let _ = self.play(self.game.current(), &text, "", is_chance).await;
    }

    fn think(&mut self, order: Order, node: NodeId, state: State, reader: Option<u64>) {
        self.stop_thinking();
        let number = self.number();
        let stop = Stop::default();
        let seat = (order.purpose == Purpose::Move).then_some(self.view.seat).flatten();
        let seconds = order.limits.time.map(|it| it.as_secs_f64());
        let view = thinking::thinking_view(
            &self.variant,
            &state,
            &Progress::default(),
            seat,
            order.purpose,
            seconds,
        );
        self.thinking = Some(Thinking {
            number,
            purpose: order.purpose,
            seat,
            node,
            state: state.clone(),
            seconds,
            stop: stop.clone(),
            reader,
            view: Some(view.clone()),
        });
        self.tell_all(&Event::Thinking { thinking: Some(view) });
        let job = Job {
            variant: Arc::clone(&self.variant),
            state,
            limits: order.limits,
            level: order.level,
            variety: order.variety,
            lines: order.lines,
            seed: self.seed.wrapping_add(self.game.nodes().len() as u64),
            stop,
            at_least: if order.purpose == Purpose::Move { LEAST } else { Duration::ZERO },
        };
        let me = self.me.clone();
        self.tools.thinker.start(job, move |thought| {
            // A match that was put away needs no thoughts.
            let _ = me.blocking_send(Message::Thought(number, thought));
        });
    }

    pub(super) async fn hear_thought(&mut self, number: u64, thought: Thought) {
        let Some(thinking) = self.thinking.as_mut().filter(|it| it.number == number) else {
            return;
        };
        match thought {
            Thought::News(progress) => {
                let view = thinking::thinking_view(
                    &self.variant,
                    &thinking.state,
                    &progress,
                    thinking.seat,
                    thinking.purpose,
                    thinking.seconds,
                );
                thinking.view = Some(view.clone());
                let is_analysis = thinking.purpose == Purpose::Analysis;
                self.tell_all(&Event::Thinking { thinking: Some(view) });
                if is_analysis {
                    self.tell_analysis(&progress);
                }
            }
            Thought::Done(report) => self.conclude(*report).await,
        }
    }

    fn tell_analysis(&mut self, progress: &Progress) {
        let Some(thinking) = &self.thinking else { return };
        let (node, reader) = (thinking.node, thinking.reader);
        let line = |it| thinking::line_view(&self.variant, &thinking.state, it);
        let lines: Vec<_> = progress.lines.iter().map(line).collect();
        let score = lines.first().map(|it| it.score);
        let (depth, nodes) = (progress.depth, progress.nodes);
        let event =
            Event::Analysis { node, lines, depth, nodes, per_second: progress.per_second() };
        if let Some(reader) = reader {
            self.tell(reader, &event);
        }
        if let Some(score) = score {
            self.game.set_score(node, Some(score));
            self.tell_all(&Event::Score { node, score });
        }
    }

    async fn conclude(&mut self, report: Report) {
        let Some(thinking) = self.thinking.take() else { return };
        let state = &thinking.state;
        if !report.lines.is_empty() {
            let score = thinking::hundredths(&self.variant, state, report.score);
            self.game.set_score(thinking.node, Some(score));
            let progress = Progress {
                depth: report.depth,
                nodes: report.nodes,
                time: report.time,
                lines: report.lines.clone(),
            };
            self.store_node(thinking.node).await;
            self.tell_all(&Event::Score { node: thinking.node, score });
            if let (Purpose::Analysis, Some(reader)) = (thinking.purpose, thinking.reader) {
                let line = |it| thinking::line_view(&self.variant, state, it);
                let lines = progress.lines.iter().map(line).collect();
                let (node, depth, nodes) = (thinking.node, progress.depth, progress.nodes);
                let per_second = progress.per_second();
                self.tell(reader, &Event::Analysis { node, lines, depth, nodes, per_second });
            }
        }
        self.tell_all(&Event::Thinking { thinking: None });
        let Some(best) = report.best else { return };
        let text = state.move_text(&best);
        match thinking.purpose {
            Purpose::Move if thinking.node == self.game.current() => {
                let _ = self.play(thinking.node, &text, "", false).await;
            }
            Purpose::Hint => {
                let (from, to) = best.key_sites();
                let (from, to) = (from.map(|it| it.0), to.map(|it| it.0));
                let why = thinking::words(state, report.score);
                let event = Event::Hint { node: thinking.node, mv: text, from, to, why };
                if let Some(reader) = thinking.reader {
                    self.tell(reader, &event);
                }
            }
            _ => {}
        }
    }

    /// Ends whatever an engine is at; what it found is not wanted.
    pub(super) fn stop_thinking(&mut self) {
        if let Some(thinking) = self.thinking.take() {
            thinking.stop.stop();
            self.tell_all(&Event::Thinking { thinking: None });
        }
    }

    /// The same for moves and hints, which are about where play goes on.
    pub(super) fn stop_moves(&mut self) {
        self.due = None;
        if self.thinking.as_ref().is_some_and(|it| it.purpose != Purpose::Analysis) {
            self.stop_thinking();
        }
    }

    /// The engine is to move with what it has.
    pub(super) fn move_now(&mut self) {
        if let Some(thinking) = &self.thinking
            && thinking.purpose == Purpose::Move
        {
            thinking.stop.stop();
        }
    }

    /// The engine stops; one that was to move waits until it is told to go on.
    pub(super) fn stop_for_now(&mut self) {
        let was_move = self.thinking.as_ref().is_some_and(|it| it.purpose == Purpose::Move);
        self.stop_thinking();
        if was_move {
            self.paused = true;
            self.tell_match_to_all();
        }
    }

    pub(super) async fn pause(&mut self, paused: bool) {
        self.paused = paused;
        if paused {
            self.stop_moves();
        }
        self.tell_match_to_all();
        self.drive().await;
    }

    pub(super) async fn hint(&mut self, reader: u64) {
        if self.view.outcome.is_some() || self.view.is_chance || self.view.moves.is_empty() {
            return self.refuse(reader, "there is no move to make");
        }
        let is_busy = self.thinking.as_ref().is_some_and(|it| it.purpose == Purpose::Move);
        if is_busy {
            return self.refuse(reader, "the engine is thinking about its own move");
        }
        let limits = Limits::time(Duration::from_secs_f64(HINT));
        let order = Order { purpose: Purpose::Hint, limits, level: 10, variety: 0, lines: 1 };
        let (node, state) = (self.game.current(), self.game.state().clone());
        self.think(order, node, state, Some(reader));
    }

    pub(super) async fn analyse(&mut self, reader: u64, on: bool, node: NodeId, lines: u32) {
        let is_analysis = self.thinking.as_ref().is_some_and(|it| it.purpose == Purpose::Analysis);
        if is_analysis {
            let node = self.thinking.as_ref().map(|it| it.node);
            self.stop_thinking();
            if let Some(node) = node {
                self.store_node(node).await;
            }
        }
        if !on {
            return self.drive().await;
        }
        if self.thinking.is_some() {
            return self.refuse(reader, "the engine is thinking about its move");
        }
        let work = self.tools.work.clone();
        let game = &self.game;
        let Some(state) = work.run_here(|| game.state_at(node)).await else {
            return self.refuse(reader, "there is no such move in the record");
        };
        let limits = Limits::time(ANALYSIS);
        let lines = lines.clamp(1, MAX_LINES) as usize;
        let order = Order { purpose: Purpose::Analysis, limits, level: 10, variety: 0, lines };
        self.think(order, node, state, Some(reader));
    }
}

/// What an engine is asked for.
struct Order {
    purpose: Purpose,
    limits: Limits,
    level: u8,
    variety: u8,
    lines: usize,
}
