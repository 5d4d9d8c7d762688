//! A match that is going on, with everybody who is connected to it.
//!
//! Each match is a task that takes messages one by one, so that nothing in it needs a lock.
//! The referee decides what a command leads to; its events are stored, made part of the match,
//! and only then told. Whoever connects receives the whole match, so a lost connection loses
//! nothing.

mod commands;
mod engines;
mod readers;
mod rehearsal;
mod text;

use std::{collections::HashMap, sync::Arc, time::Duration};

use boardwright_protocol::{Command, Event, MatchView, StateView};
use boardwright_referee::{
    Actor, Applied, Change, Match, MatchCommand, MatchEvent, NodeId, Refusal, Seat, Sitter,
    Standing,
};
use boardwright_rules::{GameRules, PlayRefusal};
use boardwright_store::{EventRow, StoreError, StoredMatch, Summary};
use tokio::{
    sync::{mpsc, oneshot},
    task::JoinHandle,
    time::{self, Instant},
};

pub(crate) use self::{
    commands::board_setup,
    text::{TextRefusal, TextView},
};
use self::{engines::Thinking, readers::Reader};
use crate::{
    error::{ApiError, LogError},
    gate::Role,
    keys,
    language::{Playable, kept},
    log,
    outbox::Outbox,
    seating, state_view,
    tables::Tools,
    thinker::Thought,
};

/// Idle time before a match without readers is unloaded.
const IDLE: Duration = Duration::from_secs(120);
/// Messages that may wait.
const WAITING: usize = 128;
/// The shortest time between two moves where chance or a random player makes the second, so
/// that people see what happens.
const CHANCE_PAUSE: Duration = Duration::from_millis(350);
/// Spreads the numbers from which moves are drawn: the golden ratio in 64 bits.
const SPREAD: u64 = 0x9E37_79B9_7F4A_7C15;

/// A message to a match.
pub(crate) enum Message {
    /// Somebody connects; `person` stands for their address, the reply is the number of the
    /// connection.
    Join { key: String, person: Arc<str>, out: Outbox, reply: oneshot::Sender<u64> },
    /// What somebody with this key is at the match.
    Role { key: String, reply: oneshot::Sender<Role> },
    /// A connection is gone.
    Leave(u64),
    /// A command of a connection.
    Command(u64, Command),
    /// News of a search, by its number.
    Thought(u64, Thought),
    /// It is time for a move of chance.
    Due(u64),
    /// Somebody wants to see the whole match.
    View { key: String, reply: oneshot::Sender<Result<MatchView, ApiError>> },
    /// Somebody without scripts wants to see how it stands.
    Text { key: String, reply: oneshot::Sender<Result<TextView, ApiError>> },
    /// Somebody without scripts does something.
    Act { key: String, command: MatchCommand, reply: oneshot::Sender<Result<(), TextRefusal>> },
    /// Somebody wants to save it: file name and bytes.
    Save { reply: oneshot::Sender<Result<(String, Vec<u8>), ApiError>> },
    /// The match is to be unloaded.
    End,
}

/// A match with everything around it.
struct Table {
    tools: Tools,
    id: String,
    owner_key: String,
    /// Who began it: empty for the person at the machine.
    creator: Arc<str>,
    seed: u64,
    playable: Arc<Playable>,
    game: Match,
    readers: HashMap<u64, Reader>,
    next_reader: u64,
    /// The state where play goes on, as the page sees it: derived from `game`.
    view: Arc<StateView>,
    /// Counts the messages that change what a page shows.
    version: u32,
    /// Whether engines wait until they are told to go on.
    paused: bool,
    /// Whether somebody waits for a move who is not connected.
    is_awaited: bool,
    /// Whether it shows a solution, and nobody has played in it.
    is_solution: bool,
    thinking: Option<Thinking>,
    /// Numbers searches and scheduled moves, so that late news are recognised.
    next_number: u64,
    due: Option<u64>,
    last_move: Instant,
    /// Whether the log in the store is not what this match is the fold of: it must be read
    /// again.
    is_outdated: bool,
    me: mpsc::Sender<Message>,
}

/// Why a command was not carried out.
enum Failure {
    Refused(Refusal),
    /// The events could not be stored, so nothing happened.
    NotStored(StoreError),
}

impl From<Refusal> for Failure {
    fn from(it: Refusal) -> Failure {
        Failure::Refused(it)
    }
}

/// Starts the task of a match that was read from the store.
pub(crate) async fn start(
    tools: Tools,
    stored: StoredMatch,
) -> Result<(mpsc::Sender<Message>, JoinHandle<()>), ApiError> {
    let (sender, receiver) = mpsc::channel(WAITING);
    let me = sender.clone();
    let work = tools.work.clone();
    let playable = kept::of_match(&tools.store, &tools.library, &work, &stored.row).await?;
    let table = work.run(move || restored(tools, stored, playable, me)).await??;
    Ok((sender, tokio::spawn(table.run(receiver))))
}

/// The match that a stored log tells of, ready to go on.
fn restored(
    tools: Tools,
    stored: StoredMatch,
    playable: Arc<Playable>,
    me: mpsc::Sender<Message>,
) -> Result<Table, ApiError> {
    let StoredMatch { row, events } = stored;
    let seed = row.seed as u64;
    let game = folded(&playable.rules, seed, &events)?;
    let view = current_view(&game).map_err(|it| ApiError::bad(it.text().0))?;
    Ok(Table {
        tools,
        id: row.id,
        owner_key: row.owner_key,
        creator: row.creator.into(),
        seed,
        playable,
        game,
        readers: HashMap::new(),
        next_reader: 1,
        view: Arc::new(view),
        version: 0,
        paused: false,
        is_awaited: false,
        is_solution: row.is_solution,
        thinking: None,
        next_number: 1,
        due: None,
        last_move: Instant::now(),
        is_outdated: false,
        me,
    })
}

/// The fold of a stored log.
fn folded(rules: &Arc<GameRules>, seed: u64, rows: &[EventRow]) -> Result<Match, ApiError> {
    let damaged = |cause: String| {
        tracing::warn!(cause, "a match cannot be restored");
        ApiError::bad("this match cannot be played on")
            .hint("Its rules have changed since it was played, or its data is damaged.")
    };
    let missing = |it: &EventRow| damaged(format!("event {} lacks a field", it.seq));
    let event = |it: &EventRow| log::from_row(it).ok_or_else(|| missing(it));
    let events = rows.iter().map(event).collect::<Result<Vec<MatchEvent>, ApiError>>()?;
    Match::restore(Arc::clone(rules), seed, &events).map_err(|it| damaged(it.to_string()))
}

/// The state where play goes on, as the page sees it. Runs rules.
fn current_view(game: &Match) -> Result<StateView, PlayRefusal> {
    let legal = game.legal()?;
    state_view::of_node(game, game.current(), game.state(), &legal)
}

/// How a match stands, for lists.
pub(crate) fn summary(rules: &GameRules, seats: &[Seat], standing: &Standing) -> Summary {
    let is_person = |it: usize| seats.get(it).is_some_and(|it| it.sitter == Sitter::Person);
    Summary {
        current: i64::from(standing.current),
        ply: i64::from(standing.ply),
        round: i64::from(standing.round),
        mover: standing.mover.map(|it| rules.player_name(it)),
        your_turn: standing.seat.is_some_and(is_person),
        outcome: standing.outcome.as_ref().map(|it| it.text.clone()),
        state: standing.text.clone(),
        seats: seating::to_json(seats),
        updated: keys::now(),
    }
}

impl Table {
    async fn run(mut self, mut messages: mpsc::Receiver<Message>) {
        let mut is_open = true;
        while is_open || !messages.is_empty() {
            let message = match time::timeout(IDLE, messages.recv()).await {
                Ok(Some(it)) => it,
                Ok(None) => break,
                Err(_) => {
                    if self.readers.is_empty() && self.thinking.is_none() {
                        // What was sent until now is still handled; later senders open the
                        // match again.
                        messages.close();
                        is_open = false;
                    }
                    continue;
                }
            };
            if matches!(message, Message::End) {
                messages.close();
                break;
            }
            self.handle(message).await;
            if self.is_outdated {
                // The readers connect again, and the match is read again.
                messages.close();
                break;
            }
        }
        self.stop_thinking();
    }

    async fn handle(&mut self, message: Message) {
        match message {
            Message::Join { key, person, out, reply } => {
                self.join(&key, person, out, reply).await;
            }
            Message::Role { key, reply } => {
                let _ = reply.send(self.role(&key));
            }
            Message::Leave(id) => self.leave(id),
            Message::Command(id, command) => self.obey(id, command).await,
            Message::Thought(number, thought) => self.hear_thought(number, thought).await,
            Message::Due(number) if self.due == Some(number) => {
                self.due = None;
                self.draw().await;
            }
            Message::Due(_) | Message::End => {}
            Message::View { key, reply } => {
                let rights = self.rights(&key);
                let _ = reply.send(Ok(self.match_view(&rights, None)));
            }
            Message::Text { key, reply } => {
                let view = self.text_view(&key).await;
                let _ = reply.send(view);
            }
            Message::Act { key, command, reply } => {
                let done = self.act(&key, &command).await;
                let _ = reply.send(done);
            }
            Message::Save { reply } => {
                let _ = reply.send(self.save());
            }
        }
    }

    /// Carries a command out: asks the referee, stores the events, makes them part of the
    /// match, tells everybody. The only way in which a match changes.
    async fn carry_out(
        &mut self,
        command: &MatchCommand,
        actor: Actor<'_>,
        request: &str,
    ) -> Result<Done, Failure> {
        let now = keys::now().max(0) as u64;
        let n_nodes = self.game.tree().nodes().len() as u64;
        let chance = self.seed ^ n_nodes.wrapping_mul(SPREAD);
        let work = self.tools.work.clone();
        let (game, playable, seed) = (&self.game, &self.playable, self.seed);
        let applied = work.run_here(|| {
            rehearsal::before(game, playable, seed, command, chance)?;
            game.apply(command, actor, request, now, chance)
        });
        let applied = applied.await?;
        if applied.events.is_empty() {
            return Ok(Done::Again);
        }
        self.store(&applied).await.map_err(Failure::NotStored)?;
        self.commit(applied).await;
        Ok(Done::Changed)
    }

    async fn store(&mut self, applied: &Applied) -> Result<(), StoreError> {
        let seated = applied.events.iter().find_map(|it| match &it.change {
            Change::Seated { seats } => Some(seats.as_slice()),
            _ => None,
        });
        let seats = seated.unwrap_or(self.game.seats());
        let summary = summary(self.game.rules(), seats, &applied.standing);
        let rows: Vec<EventRow> = applied.events.iter().map(log::to_row).collect();
        let stored = self.tools.store.append(&self.id, &rows, &summary).await;
        if let Err(error) = &stored {
            let cause = error.with_causes();
            tracing::error!(match_id = %self.id, cause, "an event could not be stored");
            // The log may have other events than this match, or one more.
            self.is_outdated = matches!(error, StoreError::Conflict(_)) || !error.stored_nothing();
        }
        stored
    }

    /// Makes stored events part of the match and tells everybody.
    async fn commit(&mut self, mut applied: Applied) {
        let effects = std::mem::take(&mut applied.effects);
        let (events, new_node) = (applied.events.clone(), applied.new_node());
        let moves_on = events.iter().any(|it| changes_state(&it.change));
        if moves_on {
            self.stop_moves();
        }
        self.game.commit(applied);
        if moves_on {
            let work = self.tools.work.clone();
            let game = &self.game;
            match work.run_here(|| current_view(game)).await {
                Ok(view) => self.view = Arc::new(view),
                Err(cause) => tracing::error!(%cause, "a state cannot be shown"),
            }
            self.last_move = Instant::now();
        }
        if new_node.is_some() && std::mem::take(&mut self.is_solution) {
            let taken_over = self.tools.store.take_over(&self.id).await;
            taken_over.or_warn("a solution that was played on stays out of the list of matches");
        }
        self.announce(&events, new_node, &effects);
    }

    /// Tells everybody what has changed.
    fn announce(
        &mut self,
        events: &[MatchEvent],
        new_node: Option<NodeId>,
        effects: &[boardwright_rules::VisibleEffect],
    ) {
        for event in events {
            match &event.change {
                Change::Moved { .. } => {
                    self.version += 1;
                    let (state, version) = (Box::new((*self.view).clone()), self.version);
                    let found = new_node.and_then(|id| Some((id, self.game.tree().node(id)?)));
                    let node = found.map(|(id, it)| state_view::node_view(id, it));
                    if let Some(node) = node {
                        let effects = state_view::effects(effects);
                        self.tell_all(&Event::Moved { node, state, effects, version });
                    }
                }
                Change::Seated { .. } => {
                    self.seat_readers();
                    self.tell_match_to_all();
                }
                Change::Setup { .. }
                | Change::Edited { .. }
                | Change::WentTo { .. }
                | Change::Resigned { .. } => self.tell_match_to_all(),
                Change::Commented { node, text } => {
                    self.tell_all(&Event::Comment { node: *node, text: text.clone() });
                }
                Change::Scored { node, score: Some(score) } => {
                    self.tell_all(&Event::Score { node: *node, score: *score });
                }
                Change::Scored { score: None, .. } => {}
                Change::Said { name, text } => {
                    self.tell_all(&Event::Chat { name: name.clone(), text: text.clone() });
                }
            }
        }
    }

    fn save(&self) -> Result<(String, Vec<u8>), ApiError> {
        let saved = self.game.save().map_err(|it| {
            ApiError::bad(it.to_string())
                .hint("The match is kept here; the position can be copied as text.")
        })?;
        let plain = |it: char| match it {
            'a'..='z' | 'A'..='Z' | '0'..='9' | '-' => it,
            _ => '-',
        };
        let title: String = self.playable.title.chars().map(plain).collect();
        Ok((format!("{title}.{}", saved.extension), saved.bytes))
    }
}

/// What became of a command that was not refused.
#[derive(PartialEq, Eq)]
enum Done {
    Changed,
    /// The same request was carried out before.
    Again,
}

/// Whether a change leads to another state.
fn changes_state(change: &Change) -> bool {
    match change {
        Change::Setup { .. }
        | Change::Moved { .. }
        | Change::Edited { .. }
        | Change::WentTo { .. }
        | Change::Resigned { .. } => true,
        Change::Commented { .. }
        | Change::Scored { .. }
        | Change::Seated { .. }
        | Change::Said { .. } => false,
    }
}
