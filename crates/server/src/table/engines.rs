//! Engines and chance at a match.

use std::{sync::Arc, time::Duration};

use boardwright_engine::{SearchLimits, StopFlag};
use boardwright_protocol::{Event, Purpose, ThinkingView};
use boardwright_referee::{Actor, EngineSetup, MatchCommand, NodeId, Refusal, Seat, Sitter};
use boardwright_rules::GameState;

use super::{CHANCE_PAUSE, Failure, Message, Table, rehearsal};
use crate::{
    error::not_stored,
    thinker::{Findings, Job, Progress, Rank, Thought},
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
    stop: StopFlag,
    /// The reader who asked.
    reader: Option<u64>,
    /// The evaluation so far, to be stored when an analysis ends.
    score: Option<i32>,
    view: Option<ThinkingView>,
}

impl Thinking {
    /// What a reader is told of it. Hints and analyses help one player against the other, so
    /// what they find is for whoever asked; the others see that the engine is busy.
    pub fn view_for(&self, reader: Option<u64>) -> Option<ThinkingView> {
        let view = self.view.clone()?;
        match self.purpose {
            Purpose::Move => Some(view),
            Purpose::Hint | Purpose::Analysis if reader.is_some() && reader == self.reader => {
                Some(view)
            }
            Purpose::Hint | Purpose::Analysis => Some(ThinkingView {
                score: String::new(),
                hundredths: None,
                line: String::new(),
                ..view
            }),
        }
    }
}

impl Table {
    /// Lets the next move be made where chance, a random player or an engine makes it.
    pub(super) async fn drive(&mut self) {
        // Pages without scripts ask again and again; each time counts once.
        let is_awaited = std::mem::take(&mut self.is_awaited);
        if (self.readers.is_empty() && !is_awaited) || self.due.is_some() {
            return;
        }
        let Ok(legal) = self.game.legal() else { return };
        if legal.outcome.is_some() {
            return;
        }
        let state = self.game.state();
        if state.awaits_reply() || (state.is_chance() && !legal.is_empty()) {
            return self.schedule();
        }
        if legal.is_empty() || self.paused {
            return;
        }
        let seat = self.game.seat_to_move().ok().flatten();
        let sitter = seat.and_then(|it| self.game.seats().get(it)).map(|it| it.sitter.clone());
        match sitter {
            Some(Sitter::Random) => self.schedule(),
            Some(Sitter::Engine(EngineSetup { level, seconds, depth, variety })) => {
                let node = self.game.current();
                let is_at_it = self
                    .thinking
                    .as_ref()
                    .is_some_and(|it| it.purpose == Purpose::Move && it.node == node);
                if is_at_it {
                    return;
                }
                let time = Duration::from_secs_f64(seconds);
                let limits = SearchLimits { time: Some(time), depth, ..SearchLimits::default() };
                let order = Order { purpose: Purpose::Move, limits, level, variety, lines: 1 };
                let state = self.game.state().clone();
                self.think(order, node, state, None);
            }
            Some(Sitter::Person | Sitter::Guest) | None => {}
        }
    }

    /// Draws a move soon.
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

    /// Draws a move for chance or a random player, or makes the reply that a problem owes.
    pub(super) async fn draw(&mut self) {
        match self.carry_out(&MatchCommand::Draw, Actor::Chance, "").await {
            Ok(_) => Box::pin(self.drive()).await,
            Err(failure) => self.not_moved(failure),
        }
    }

    /// Makes the move that an engine found.
    async fn play_found(&mut self, node: NodeId, text: String) {
        let command = MatchCommand::Play { node, text };
        match self.carry_out(&command, Actor::Engine, "").await {
            Ok(_) => Box::pin(self.drive()).await,
            Err(failure) => self.not_moved(failure),
        }
    }

    /// A move that nobody asked for could not be made: play waits until somebody acts.
    fn not_moved(&mut self, failure: Failure) {
        let (message, why) = match failure {
            Failure::Refused(refusal) => refusal.text(),
            Failure::NotStored(cause) => not_stored("the move", &cause),
        };
        self.paused = true;
        self.tell_match_to_all();
        self.tell_all(&Event::Refused { message, why, id: None });
    }

    /// Stores the evaluation of a node.
    async fn note_score(&mut self, node: NodeId, score: i32) {
        let command = MatchCommand::Score { node, score: Some(score) };
        // If it cannot be stored, that is in the log, and play goes on without it.
        let _ = self.carry_out(&command, Actor::Engine, "").await;
    }

    fn think(&mut self, order: Order, node: NodeId, state: GameState, reader: Option<u64>) {
        self.stop_thinking();
        let number = self.number();
        let stop = StopFlag::default();
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
            view: Some(view),
            score: None,
        });
        self.tell_thinking();
        let job = Job {
            playable: Arc::clone(&self.playable),
            state,
            limits: order.limits,
            level: order.level,
            variety: order.variety,
            lines: order.lines,
            seed: self.seed.wrapping_add(self.game.tree().nodes().len() as u64),
            stop,
            at_least: if order.purpose == Purpose::Move { LEAST } else { Duration::ZERO },
            match_id: self.id.clone(),
            line: rehearsal::line_to(&self.game, &self.playable, self.seed, node),
            person: self.person(reader),
            rank: match order.purpose {
                Purpose::Move => Rank::Reply,
                Purpose::Hint => Rank::Hint,
                Purpose::Analysis => Rank::Analysis,
            },
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
                thinking.view = Some(view);
                let is_analysis = thinking.purpose == Purpose::Analysis;
                self.tell_thinking();
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

    /// Tells everybody how far the engine is.
    fn tell_thinking(&mut self) {
        let Some(thinking) = &self.thinking else { return };
        let all = self.readers.keys().map(|it| (*it, thinking.view_for(Some(*it))));
        let all: Vec<(u64, Option<ThinkingView>)> = all.collect();
        for (reader, view) in all {
            self.tell(reader, &Event::Thinking { thinking: view });
        }
    }

    /// Whether an evaluation would help one person against another who plays here.
    fn helps_one_side(&self, purpose: Purpose) -> bool {
        let is_guest = |it: &Seat| it.sitter == Sitter::Guest;
        purpose != Purpose::Move
            && self.view.outcome.is_none()
            && self.game.seats().iter().any(is_guest)
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
            let is_secret = self.helps_one_side(Purpose::Analysis);
            if let Some(it) = self.thinking.as_mut() {
                it.score = Some(score).filter(|_| !is_secret);
            }
            match reader.filter(|_| is_secret) {
                Some(reader) => self.tell(reader, &Event::Score { node, score }),
                None => self.tell_all(&Event::Score { node, score }),
            }
        }
    }

    async fn conclude(&mut self, findings: Findings) {
        let Some(thinking) = self.thinking.take() else { return };
        let Findings { progress, best, why } = findings;
        if let Some(score) = progress.lines.first().map(|it| it.score) {
            if !self.helps_one_side(thinking.purpose) {
                self.note_score(thinking.node, score).await;
            }
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
                self.play_found(thinking.node, best.text).await;
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
        let has_moves = self
            .game
            .legal()
            .is_ok_and(|it| it.outcome.is_none() && !it.is_empty() && !self.view.is_chance);
        if !has_moves {
            return self.refuse(reader, "there is no move to suggest");
        }
        let is_busy = self.thinking.as_ref().is_some_and(|it| it.purpose == Purpose::Move);
        if is_busy {
            return self.refuse(reader, "the engine is thinking about its own move");
        }
        let limits = SearchLimits::time(Duration::from_secs_f64(HINT));
        let order = Order { purpose: Purpose::Hint, limits, level: 10, variety: 0, lines: 1 };
        let (node, state) = (self.game.current(), self.game.state().clone());
        self.think(order, node, state, Some(reader));
    }

    pub(super) async fn analyse(&mut self, reader: u64, on: bool, node: NodeId, lines: u32) {
        let is_analysis = self.thinking.as_ref().is_some_and(|it| it.purpose == Purpose::Analysis);
        if is_analysis {
            let found = self.thinking.as_ref().and_then(|it| Some((it.node, it.score?)));
            self.stop_thinking();
            if let Some((node, score)) = found {
                self.note_score(node, score).await;
            }
        }
        if !on {
            return self.drive().await;
        }
        if self.thinking.is_some() {
            return self.refuse(reader, "the engine is thinking about its move");
        }
        if !self.playable.rules.lists_moves() {
            let (message, _) = Refusal::NoEngine.text();
            return self.refuse(reader, &message);
        }
        let Some(state) = self.state_at(node).await else {
            let (message, _) = Refusal::NoNode.text();
            return self.refuse(reader, &message);
        };
        let limits = SearchLimits::time(ANALYSIS);
        let lines = lines.clamp(1, MAX_LINES) as usize;
        let order = Order { purpose: Purpose::Analysis, limits, level: 10, variety: 0, lines };
        self.think(order, node, state, Some(reader));
    }
}

/// What an engine is asked for.
struct Order {
    purpose: Purpose,
    limits: SearchLimits,
    level: u8,
    variety: u8,
    lines: usize,
}
