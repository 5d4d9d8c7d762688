//! Engines and chance at a match.

use std::time::Duration;

use boardwright_engine::{Limits, Stop};
use boardwright_protocol::{Event, Purpose, SeatSetup, ThinkingView};
use boardwright_referee::NodeId;

use super::{CHANCE_PAUSE, Message, Table};
use crate::{
    thinker::{Findings, Job, Progress, Subject, Thought},
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
        if self.game.owes_reply(&self.view) {
            return self.schedule();
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
                let node = self.game.current();
                if let Some(subject) = self.game.subject(node) {
                    self.think(order, node, subject, None);
                }
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
        let work = self.tools.work.clone();
        let (game, view, seed) = (&mut self.game, &self.view, self.seed);
        // A reply to a solver may have to be looked for.
        let drawn = work.run_here(|| game.drawn(seed, view)).await;
        if let Some((text, is_chance)) = drawn {
            let _ = self.play(self.game.current(), &text, "", is_chance).await;
        }
    }

    fn think(&mut self, order: Order, node: NodeId, subject: Subject, reader: Option<u64>) {
        self.stop_thinking();
        let number = self.number();
        let stop = Stop::default();
        let seat = (order.purpose == Purpose::Move).then_some(self.view.seat).flatten();
        let seconds = order.limits.time.map(|it| it.as_secs_f64());
        let view = thinking::thinking_view(&Progress::default(), seat, order.purpose, seconds);
        self.thinking = Some(Thinking {
            number,
            purpose: order.purpose,
            seat,
            node,
            seconds,
            stop: stop.clone(),
            reader,
            view: Some(view.clone()),
        });
        self.tell_all(&Event::Thinking { thinking: Some(view) });
        let job = Job {
            subject,
            limits: order.limits,
            level: order.level,
            variety: order.variety,
            lines: order.lines,
            seed: self.seed.wrapping_add(self.game.tree().nodes().len() as u64),
            stop,
            at_least: if order.purpose == Purpose::Move { LEAST } else { Duration::ZERO },
            match_id: self.id.clone(),
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
                let (seat, purpose) = (thinking.seat, thinking.purpose);
                let view = thinking::thinking_view(&progress, seat, purpose, thinking.seconds);
                thinking.view = Some(view.clone());
                let is_analysis = thinking.purpose == Purpose::Analysis;
                self.tell_all(&Event::Thinking { thinking: Some(view) });
                if is_analysis {
                    self.tell_analysis(&progress);
                }
            }
            Thought::Done(findings) => self.conclude(*findings).await,
            Thought::Failed(message) => self.search_failed(message),
        }
    }

    /// The engine found nothing because of a fault of ours: a match in which it is to move
    /// waits until somebody lets it try again.
    fn search_failed(&mut self, message: String) {
        let Some(thinking) = self.thinking.take() else { return };
        self.tell_all(&Event::Thinking { thinking: None });
        if thinking.purpose == Purpose::Move {
            self.paused = true;
            self.tell_match_to_all();
        }
        let event = Event::Refused { message, why: None, id: None };
        match thinking.reader {
            Some(reader) => self.tell(reader, &event),
            None => self.tell_all(&event),
        }
    }

    fn tell_analysis(&mut self, progress: &Progress) {
        let Some(thinking) = &self.thinking else { return };
        let (node, reader) = (thinking.node, thinking.reader);
        let lines = progress.lines.clone();
        let score = lines.first().map(|it| it.score);
        let (depth, nodes) = (progress.depth, progress.nodes);
        let event =
            Event::Analysis { node, lines, depth, nodes, per_second: progress.per_second() };
        if let Some(reader) = reader {
            self.tell(reader, &event);
        }
        if let Some(score) = score {
            self.game.tree_mut().set_score(node, Some(score));
            self.tell_all(&Event::Score { node, score });
        }
    }

    async fn conclude(&mut self, findings: Findings) {
        let Some(thinking) = self.thinking.take() else { return };
        let Findings { progress, best, why } = findings;
        if let Some(score) = progress.lines.first().map(|it| it.score) {
            self.game.tree_mut().set_score(thinking.node, Some(score));
            self.store_node(thinking.node).await;
            self.tell_all(&Event::Score { node: thinking.node, score });
            if let (Purpose::Analysis, Some(reader)) = (thinking.purpose, thinking.reader) {
                let (node, depth, nodes) = (thinking.node, progress.depth, progress.nodes);
                let (per_second, lines) = (progress.per_second(), progress.lines);
                self.tell(reader, &Event::Analysis { node, lines, depth, nodes, per_second });
            }
        }
        self.tell_all(&Event::Thinking { thinking: None });
        let Some(best) = best else { return };
        match thinking.purpose {
            Purpose::Move if thinking.node == self.game.current() => {
                let _ = self.play(thinking.node, &best.text, "", false).await;
            }
            Purpose::Hint => {
                let (node, mv, from, to) = (thinking.node, best.text, best.from, best.to);
                let event = Event::Hint { node, mv, from, to, why };
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
        let node = self.game.current();
        if let Some(subject) = self.game.subject(node) {
            self.think(order, node, subject, Some(reader));
        }
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
        let game = &mut self.game;
        let Some(subject) = work.run_here(|| game.subject(node)).await else {
            return self.refuse(reader, "there is no such move in the record");
        };
        if !self.playable.has_engine() {
            return self.refuse(reader, "no engine can play this preset: it tells no moves");
        }
        let limits = Limits::time(ANALYSIS);
        let lines = lines.clamp(1, MAX_LINES) as usize;
        let order = Order { purpose: Purpose::Analysis, limits, level: 10, variety: 0, lines };
        self.think(order, node, subject, Some(reader));
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
