//! A match that is going on: its record, its readers, and who is to move.
//!
//! Each match is a task that takes messages one by one, so that nothing in it needs a
//! lock. A move is checked, stored, and only then told; whoever connects is told
//! everything, so a lost connection loses nothing.

mod commands;
mod game;
mod minds;
mod revive;

use std::{
    collections::HashMap,
    sync::Arc,
    time::{Duration, Instant},
};

use boardwright_protocol::{ChatLine, Command, Event, MatchView, SeatSetup, StateView};
use boardwright_referee::Refusal;
use boardwright_store::{MatchRow, Summary};
use tokio::{
    sync::{mpsc, oneshot},
    task::JoinHandle,
    time,
};

use self::minds::Thinking;
pub(crate) use self::{
    commands::edit_step,
    game::Game,
    revive::{new_rows, node_row},
};
use crate::{
    error::ApiError,
    kept, keys,
    playable::Playable,
    seating::{self, Chair},
    state_view,
    tables::Tools,
    thinker::Thought,
};

/// A match that nobody looks at is put away after so long.
const IDLE: Duration = Duration::from_secs(120);
/// Messages that may wait.
const WAITING: usize = 128;
/// Letters of what code says when it refuses a turn.
const MAX_REFUSAL: usize = 1000;
/// Chance and random players let people see what they do.
const CHANCE_PAUSE: Duration = Duration::from_millis(350);

/// What a match is told.
pub(crate) enum Message {
    /// Somebody connects; the reply is what to call the connection.
    Join { key: String, out: mpsc::Sender<Arc<str>>, reply: oneshot::Sender<u64> },
    /// A connection is gone.
    Leave(u64),
    /// A command of a connection.
    Command(u64, Command),
    /// What an engine says, by the number of its thinking.
    Thought(u64, Thought),
    /// It is time for a move of chance.
    Due(u64),
    /// Somebody wants to see it all.
    View { key: String, reply: oneshot::Sender<Result<MatchView, ApiError>> },
    /// Somebody wants to save it: file name and bytes.
    Save { reply: oneshot::Sender<Result<(String, Vec<u8>), ApiError>> },
    /// The match is to be put away.
    End,
}

/// Somebody who is connected.
struct Reader {
    out: mpsc::Sender<Arc<str>>,
    is_owner: bool,
    /// The seats they may move for.
    seats: Vec<usize>,
    name: String,
}

/// A match with everything around it.
struct Table {
    tools: Tools,
    id: String,
    owner_key: String,
    seed: u64,
    playable: Playable,
    game: Game,
    chairs: Vec<Chair>,
    chat: Vec<ChatLine>,
    readers: HashMap<u64, Reader>,
    next_reader: u64,
    /// The state where play goes on.
    view: Arc<StateView>,
    version: u32,
    paused: bool,
    /// Whether it shows a solution, and nobody has played in it.
    is_solution: bool,
    thinking: Option<Thinking>,
    /// Numbers thinkings and dues, so that late news are known as such.
    next_number: u64,
    due: Option<u64>,
    last_move: Instant,
    me: mpsc::Sender<Message>,
}

/// Starts the task of a match that was read from the disk.
pub(crate) async fn start(
    tools: Tools,
    stored: boardwright_store::Stored,
) -> Result<(mpsc::Sender<Message>, JoinHandle<()>), ApiError> {
    let (sender, receiver) = mpsc::channel(WAITING);
    let me = sender.clone();
    let work = tools.work.clone();
    let playable = kept::of_match(&tools.store, &tools.library, &work, &stored.row).await?;
    let table = work.run(move || revive::table(tools, stored, playable, me)).await??;
    Ok((sender, tokio::spawn(table.run(receiver))))
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
                        // What was sent until now is still heard; later senders knock anew.
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
            self.hear(message).await;
        }
        self.stop_thinking();
    }

    async fn hear(&mut self, message: Message) {
        match message {
            Message::Join { key, out, reply } => self.join(&key, out, reply).await,
            Message::Leave(id) => self.leave(id),
            Message::Command(id, command) => self.obey(id, command).await,
            Message::Thought(number, thought) => self.hear_thought(number, thought).await,
            Message::Due(number) if self.due == Some(number) => {
                self.due = None;
                self.draw().await;
            }
            Message::Due(_) | Message::End => {}
            Message::View { key, reply } => {
                let reader = self.reader(&key, None);
                let _ = reply.send(Ok(self.match_view(&reader)));
            }
            Message::Save { reply } => {
                let _ = reply.send(self.save());
            }
        }
    }

    /// What somebody with this key may do.
    fn reader(&self, key: &str, out: Option<mpsc::Sender<Arc<str>>>) -> Reader {
        let is_owner = keys::is_same(key, &self.owner_key);
        let fits = |it: &Chair| match it.setup {
            SeatSetup::Person { .. } => is_owner,
            SeatSetup::Guest => keys::is_same(key, &it.key),
            _ => false,
        };
        let seats = self.chairs.iter().enumerate().filter(|(_, it)| fits(it)).map(|it| it.0);
        let out = out.unwrap_or_else(|| mpsc::channel(1).0);
        Reader { out, is_owner, seats: seats.collect(), name: String::new() }
    }

    async fn join(&mut self, key: &str, out: mpsc::Sender<Arc<str>>, reply: oneshot::Sender<u64>) {
        let reader = self.reader(key, Some(out));
        let id = self.next_reader;
        self.next_reader += 1;
        let event = Event::Match { game: Box::new(self.match_view_with(&reader)) };
        crate::socket::tell(&reader.out, event);
        let others: Vec<u64> = self.readers.keys().copied().collect();
        let has_seat = !reader.seats.is_empty();
        self.readers.insert(id, reader);
        let _ = reply.send(id);
        if has_seat {
            // The others see that somebody came.
            others.into_iter().for_each(|it| self.tell_match(it));
        }
        self.drive().await;
    }

    fn leave(&mut self, id: u64) {
        let Some(reader) = self.readers.remove(&id) else { return };
        if !reader.seats.is_empty() {
            self.tell_match_to_all();
        }
        if self.readers.is_empty() {
            // Nobody waits for an answer; whoever comes back has the engine think again.
            self.stop_thinking();
            self.due = None;
        }
    }

    /// Tells one reader.
    fn tell(&mut self, id: u64, event: &Event) {
        let Ok(text) = serde_json::to_string(event) else { return };
        self.send(id, &text.into());
    }

    fn send(&mut self, id: u64, text: &Arc<str>) {
        let Some(reader) = self.readers.get(&id) else { return };
        if reader.out.try_send(Arc::clone(text)).is_err() {
            // It does not keep up: cut off, it comes back and is told everything.
            self.readers.remove(&id);
        }
    }

    /// Tells all readers.
    fn tell_all(&mut self, event: &Event) {
        let Ok(text) = serde_json::to_string(event) else { return };
        let text: Arc<str> = text.into();
        let all: Vec<u64> = self.readers.keys().copied().collect();
        all.into_iter().for_each(|it| self.send(it, &text));
    }

    fn tell_match(&mut self, id: u64) {
        let Some(reader) = self.readers.get(&id) else { return };
        let event = Event::Match { game: Box::new(self.match_view(reader)) };
        self.tell(id, &event);
    }

    /// Much has changed: tells everybody everything.
    fn tell_match_to_all(&mut self) {
        self.version += 1;
        let all: Vec<u64> = self.readers.keys().copied().collect();
        all.into_iter().for_each(|it| self.tell_match(it));
    }

    fn refuse(&mut self, reader: u64, message: &str) {
        let message = message.to_owned();
        self.tell(reader, &Event::Refused { message, why: None, id: None });
    }

    fn is_here(&self, seat: usize) -> bool {
        self.readers.values().any(|it| it.seats.contains(&seat))
    }

    /// The match as somebody sees it who is just coming in.
    fn match_view_with(&self, reader: &Reader) -> MatchView {
        let mut view = self.match_view(reader);
        for &seat in &reader.seats {
            if let Some(it) = view.seats.get_mut(seat) {
                it.is_here = true;
            }
        }
        view
    }

    fn match_view(&self, reader: &Reader) -> MatchView {
        let playable = &self.playable;
        let tree = self.game.tree();
        let resigned = tree.resigned(tree.current()).map(|it| it.0);
        let rounds = tree.rounds(playable.seats());
        let nodes = (0..).zip(tree.nodes()).zip(rounds);
        MatchView {
            id: self.id.clone(),
            game: playable.game().to_owned(),
            n: playable.n() as u32,
            title: playable.title().to_owned(),
            seats: seating::seat_views(playable, &self.chairs, |it| self.is_here(it), resigned),
            nodes: nodes.map(|((id, it), round)| state_view::node_view(id, it, round)).collect(),
            current: self.game.current(),
            you: reader.seats.iter().map(|&it| it as u32).collect(),
            owner: reader.is_owner,
            invitations: match reader.is_owner {
                true => seating::invitations(&self.id, &self.chairs),
                false => Vec::new(),
            },
            state: (*self.view).clone(),
            chat: self.chat.clone(),
            thinking: self.thinking.as_ref().and_then(|it| it.view.clone()),
            paused: self.paused,
            is_solution: self.is_solution,
            version: self.version,
        }
    }

    /// Works out how things stand where play goes on.
    async fn refresh(&mut self) -> Result<(), Refusal> {
        let work = self.tools.work.clone();
        let game = &mut self.game;
        let view = work.run_here(|| game.view(game.current())).await?;
        self.view = Arc::new(view);
        Ok(())
    }

    /// How the match stands, for lists.
    fn summary(&self) -> Summary {
        let seat = self.view.seat.map(|it| it as usize);
        let mover =
            self.view.mover.map(|it| self.playable.player_name(boardwright_game::Player(it)));
        let is_here = |it: usize| {
            let chair = self.chairs.get(it);
            chair.is_some_and(|it| matches!(it.setup, SeatSetup::Person { .. }))
        };
        Summary {
            current: i64::from(self.game.current()),
            ply: i64::from(self.view.ply),
            round: i64::from(self.game.tree().round(self.game.current(), self.playable.seats())),
            mover,
            your_turn: seat.is_some_and(is_here),
            outcome: self.view.outcome.as_ref().map(|it| it.text.clone()),
            state: self.view.text.clone(),
            updated: keys::now(),
        }
    }

    fn save(&self) -> Result<(String, Vec<u8>), ApiError> {
        self.game.save(&self.chairs)
    }
}

/// What a refusal says to people, and why.
pub(crate) fn refusal_text(playable: &Playable, refusal: &Refusal) -> (String, Option<String>) {
    match refusal {
        Refusal::NoNode => ("there is no such move in the record".into(), None),
        Refusal::Stale => ("the game has gone on meanwhile".into(), None),
        Refusal::Over => ("the game is over".into(), None),
        Refusal::AtStart => ("there is nothing to take back".into(), None),
        Refusal::Full => ("the record is as long as it may be".into(), None),
        Refusal::Halt(halt) => {
            let why = match playable {
                Playable::Rules(variant) => Some(variant.halt_text(halt)),
                Playable::Preset(_) => None,
            };
            ("the rules ask for too much".into(), why)
        }
        Refusal::Turn(message, why) => {
            let shown = |it: &str| {
                let short: String = it.chars().take(MAX_REFUSAL).collect();
                boardwright_text::render::printable(&short)
            };
            (shown(message), why.as_deref().map(shown))
        }
        Refusal::Ask(_) => ("the turn is not complete: a choice is to be made".into(), None),
        Refusal::Illegal(text, nearest) => {
            let why = match nearest.is_empty() {
                true => None,
                false => Some(format!("legal moves most like it: {}", nearest.join(" | "))),
            };
            (format!("{text} is not legal here"), why)
        }
    }
}

/// A row for a new match.
pub(crate) struct NewRow<'a> {
    pub game: &'a mut Game,
    pub chairs: &'a [Chair],
    /// What chance grows from.
    pub seed: u64,
    /// Whether it is only to be looked at, until somebody plays in it.
    pub is_solution: bool,
}

impl NewRow<'_> {
    /// The match as it is stored, with a key and an id of its own.
    pub fn row(self) -> Result<MatchRow, Refusal> {
        let NewRow { game, chairs, seed, is_solution } = self;
        let view = game.view(game.current())?;
        let playable = game.playable();
        let mover = view.mover.map(|it| playable.player_name(boardwright_game::Player(it)));
        let chair = view.seat.and_then(|it| chairs.get(it as usize));
        let now = keys::now();
        let (preset, problem) = match game {
            Game::Rules(..) => (None, None),
            Game::Preset(courier, game) => {
                let moves = game.problem().map(|it| i64::from(it.moves));
                (Some(courier.preset.hash().to_owned()), moves)
            }
        };
        Ok(MatchRow {
            id: keys::id(),
            game: playable.game().to_owned(),
            variant: playable.n() as i64,
            title: playable.title().to_owned(),
            owner_key: keys::key(),
            seats: serde_json::to_string(chairs).unwrap_or_default(),
            seed: seed as i64,
            current: i64::from(game.current()),
            ply: i64::from(view.ply),
            round: i64::from(game.tree().round(game.current(), playable.seats())),
            mover,
            your_turn: chair.is_some_and(|it| matches!(it.setup, SeatSetup::Person { .. })),
            outcome: view.outcome.map(|it| it.text),
            state: view.text,
            created: now,
            updated: now,
            deleted: None,
            is_solution,
            preset,
            problem,
        })
    }
}
