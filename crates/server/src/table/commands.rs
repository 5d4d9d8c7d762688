//! What readers ask a match for.

use std::time::Instant;

use boardwright_game::{PieceKind, Player, Site};
use boardwright_play::State;
use boardwright_protocol::{
    ChatLine, ChoiceView, Command, Event, PieceView, SeatSetup, StateSetup,
};
use boardwright_referee::{EditStep, NodeId, Refusal};
use boardwright_store::ChatRow;

use super::{Table, node_row, refusal_text};
use crate::{seating, state_view, variant::Variant};

const MAX_CHAT: usize = 500;
const MAX_CHATS: usize = 1000;
const MAX_COMMENT: usize = 4000;
const MAX_REQUEST: usize = 64;
const MAX_MOVE: usize = 100_000;
const MAX_CHOICES: usize = 100;

impl Table {
    pub(super) async fn obey(&mut self, reader: u64, command: Command) {
        let Some(who) = self.readers.get(&reader) else { return };
        let (is_owner, seats) = (who.is_owner, who.seats.clone());
        let may_play = is_owner || !seats.is_empty();
        match command {
            Command::Ping => self.tell(reader, &Event::Pong),
            Command::Look { node } => self.look(reader, node).await,
            Command::Probe { site, node } => self.probe(reader, site, node).await,
            Command::Play { node, mv, id } => self.play_for(reader, node, &mv, &id).await,
            Command::Chat { text } if may_play => self.say(reader, &text).await,
            Command::Name { seat, name } if seats.contains(&(seat as usize)) => {
                self.name(reader, seat as usize, &name).await;
            }
            Command::Resign { seat } if seats.contains(&(seat as usize)) => {
                self.resign(reader, seat as usize).await;
            }
            Command::Hint if may_play => self.hint(reader).await,
            _ if !is_owner => self.refuse(reader, "only who began this match may do that"),
            Command::Chat { .. } | Command::Hint => {}
            Command::Name { .. } => self.refuse(reader, "nobody here sits on that seat"),
            Command::Resign { seat } => self.resign(reader, seat as usize).await,
            Command::TakeBack => self.take_back(reader).await,
            Command::GoOnFrom { node } => self.go_on_from(reader, node).await,
            Command::MoveNow => self.move_now(),
            Command::StopThinking => self.stop_for_now(),
            Command::Pause { paused } => self.pause(paused).await,
            Command::Analyse { on, node, lines } => self.analyse(reader, on, node, lines).await,
            Command::Comment { node, text } => self.comment(reader, node, &text).await,
            Command::Seat { seat, setup } => self.seat(reader, seat as usize, setup).await,
            Command::Edit { node, setup } => self.edit(reader, node, &setup).await,
            Command::TryEdit { node, setup, id } => self.try_edit(reader, node, setup, id).await,
        }
    }

    fn refuse_with(&mut self, reader: u64, refusal: &Refusal, id: Option<String>) {
        if let Refusal::Ask(question) = refusal {
            let choice =
                |it: &(String, String)| ChoiceView { label: it.0.clone(), mv: it.1.clone() };
            let choices = question.choices.iter().take(MAX_CHOICES).map(choice).collect();
            let (node, text) = (self.game.current(), question.text.clone());
            return self.tell(reader, &Event::Asked { node, text, choices });
        }
        let (message, why) = refusal_text(&self.playable, refusal);
        self.tell(reader, &Event::Refused { message, why, id });
    }

    async fn look(&mut self, reader: u64, node: NodeId) {
        let work = self.tools.work.clone();
        let game = &mut self.game;
        match work.run_here(|| game.view(node)).await {
            Ok(state) => self.tell(reader, &Event::State { state: Box::new(state) }),
            Err(refusal) => self.refuse_with(reader, &refusal, None),
        }
    }

    /// A move by a reader, who must sit where the move is to be made.
    async fn play_for(&mut self, reader: u64, node: NodeId, text: &str, request: &str) {
        let id = Some(request.to_owned());
        if request.len() > MAX_REQUEST || text.len() > MAX_MOVE {
            return self.refuse(reader, "this command is too long");
        }
        // One that was sent again is answered whoever is to move now.
        let nodes = self.game.tree().nodes().iter();
        let is_again = !request.is_empty()
            && nodes.into_iter().any(|it| it.parent == Some(node) && it.request == request);
        if is_again {
            return self.tell_match(reader);
        }
        let seat = self.view.seat.map(|it| it as usize);
        let seats = self.readers.get(&reader).map(|it| it.seats.clone()).unwrap_or_default();
        if node == self.game.current() && !seat.is_some_and(|it| seats.contains(&it)) {
            let message = if self.view.outcome.is_some() {
                "the game is over".to_owned()
            } else {
                "it is not your turn".to_owned()
            };
            return self.tell(reader, &Event::Refused { message, why: None, id });
        }
        if let Err(refusal) = self.play(node, text, request, false).await {
            self.refuse_with(reader, &refusal, id);
            if refusal == Refusal::Stale {
                self.tell_match(reader);
            }
        }
    }

    /// Makes a move, stores it, and tells everybody.
    pub(super) async fn play(
        &mut self,
        node: NodeId,
        text: &str,
        request: &str,
        is_chance: bool,
    ) -> Result<(), Refusal> {
        let work = self.tools.work.clone();
        let game = &mut self.game;
        let played = work.run_here(|| game.play(node, text, request, is_chance)).await?;
        self.stop_moves();
        if let Err(refusal) = self.refresh().await {
            self.game.forget_last();
            let _ = self.refresh().await;
            return Err(refusal);
        }
        let Some(new) = self.game.tree().node(played.node) else { return Err(Refusal::NoNode) };
        let row = node_row(played.node, new);
        let summary = self.summary();
        if played.was_there {
            let store = &self.tools.store;
            if store.update_node(&self.id, &row).await.is_ok() {
                // Where it fails the match is read back one move shorter, and nothing is lost.
                let _ = store.summarize(&self.id, &summary).await;
            }
            self.tell_match_to_all();
        } else {
            if self.tools.store.add_node(&self.id, &row, &summary).await.is_err() {
                self.game.forget_last();
                let _ = self.refresh().await;
                let message = "the move could not be stored, so it was not made".to_owned();
                let why = Some("Is the disk full?".to_owned());
                let id = Some(request.to_owned());
                self.tell_all(&Event::Refused { message, why, id });
                return Ok(());
            }
            self.take_over().await;
            self.version += 1;
            let game = &mut self.game;
            let effects = work.run_here(|| game.effects(played.node)).await;
            let tree = self.game.tree();
            let round = tree.round(played.node, self.playable.seats());
            let node = tree.node(played.node);
            let node = node.map(|it| state_view::node_view(played.node, it, round));
            let (state, version) = (Box::new((*self.view).clone()), self.version);
            if let Some(node) = node {
                self.tell_all(&Event::Moved { node, state, effects, version });
            }
        }
        self.last_move = Instant::now();
        Box::pin(self.drive()).await;
        Ok(())
    }

    async fn take_back(&mut self, reader: u64) {
        let chairs = &self.chairs;
        let playable = &self.playable;
        let chooses = |player: Player| {
            let chair = playable.seat_of(player).and_then(|it| chairs.get(it));
            chair.is_some_and(|it| it.is_person())
        };
        let has_person = self.chairs.iter().any(|it| it.is_person());
        match self.game.tree().before(chooses) {
            Ok(node) => {
                // With nobody to choose, the engine would make the same move at once.
                self.paused |= !has_person;
                self.go_on_from(reader, node).await;
            }
            Err(refusal) => self.refuse_with(reader, &refusal, None),
        }
    }

    async fn go_on_from(&mut self, reader: u64, node: NodeId) {
        self.stop_moves();
        let work = self.tools.work.clone();
        let game = &mut self.game;
        let done = work.run_here(|| game.go_on_from(node)).await;
        match done {
            Ok(()) => self.changed().await,
            Err(refusal) => self.refuse_with(reader, &refusal, None),
        }
    }

    /// Much has changed: works out how things stand, notes it, tells everybody, goes on.
    async fn changed(&mut self) {
        if let Err(refusal) = self.refresh().await {
            let (message, why) = refusal_text(&self.playable, &refusal);
            self.tell_all(&Event::Refused { message, why, id: None });
        }
        let summary = self.summary();
        // If this is lost, the match goes on from a later move; nothing else is.
        let _ = self.tools.store.summarize(&self.id, &summary).await;
        self.tell_match_to_all();
        self.drive().await;
    }

    async fn edit(&mut self, reader: u64, node: NodeId, setup: &StateSetup) {
        self.stop_moves();
        let work = self.tools.work.clone();
        let game = &mut self.game;
        match work.run_here(|| game.edit(node, setup)).await {
            Ok(id) => {
                if self.refresh().await.is_err() {
                    self.game.forget_last();
                    let _ = self.refresh().await;
                    return self.refuse(reader, "the rules cannot play this board");
                }
                let row = self.game.tree().node(id).map(|it| node_row(id, it));
                let summary = self.summary();
                if let Some(row) = row
                    && self.tools.store.add_node(&self.id, &row, &summary).await.is_err()
                {
                    self.game.forget_last();
                    let _ = self.refresh().await;
                    return self.refuse(reader, "the change could not be stored");
                }
                self.take_over().await;
                self.tell_match_to_all();
                self.drive().await;
            }
            Err(refusal) => self.refuse_with(reader, &refusal, None),
        }
    }

    /// Says what would come of an edit; beside the match, since it changes nothing.
    async fn try_edit(&mut self, reader: u64, node: NodeId, setup: StateSetup, id: u32) {
        let Some(out) = self.readers.get(&reader).map(|it| it.out.clone()) else { return };
        let work = self.tools.work.clone();
        let game = &mut self.game;
        let tried = match work.run_here(|| game.try_edit(node, setup, id)).await {
            Ok(it) => it,
            Err(refusal) => return self.refuse_with(reader, &refusal, None),
        };
        tokio::spawn(async move {
            if let Ok(event) = work.run(tried).await {
                crate::socket::tell(&out, event);
            }
        });
    }

    /// Somebody has done something of their own here: no solution any more.
    async fn take_over(&mut self) {
        if std::mem::take(&mut self.is_solution) {
            // Where it fails the match is only not listed.
            let _ = self.tools.store.take_over(&self.id).await;
        }
    }

    async fn comment(&mut self, reader: u64, node: NodeId, text: &str) {
        let text: String = text.chars().take(MAX_COMMENT).collect();
        if let Err(refusal) = self.game.tree_mut().comment(node, &text) {
            return self.refuse_with(reader, &refusal, None);
        }
        if self.store_node(node).await {
            self.tell_all(&Event::Comment { node, text });
        } else {
            self.refuse(reader, "the comment could not be stored");
        }
    }

    /// Stores what is known of a node.
    pub(super) async fn store_node(&mut self, node: NodeId) -> bool {
        let row = self.game.tree().node(node).map(|it| node_row(node, it));
        let Some(row) = row else { return false };
        self.tools.store.update_node(&self.id, &row).await.is_ok()
    }

    async fn seat(&mut self, reader: u64, seat: usize, setup: SeatSetup) {
        if !seating::can_sit(&self.playable, &setup) {
            return self.refuse(reader, "no engine can play this preset: it tells no moves");
        }
        let Some(chair) = self.chairs.get_mut(seat) else {
            return self.refuse(reader, "there is no such seat");
        };
        chair.give(setup);
        self.stop_moves();
        self.seats_changed().await;
        self.drive().await;
    }

    async fn name(&mut self, reader: u64, seat: usize, name: &str) {
        let name = seating::clean_name(name);
        let Some(chair) = self.chairs.get_mut(seat) else { return };
        match &mut chair.setup {
            SeatSetup::Person { name: it } => *it = name.clone(),
            _ => chair.name = name.clone(),
        }
        if let Some(it) = self.readers.get_mut(&reader) {
            it.name = name;
        }
        self.seats_changed().await;
    }

    async fn seats_changed(&mut self) {
        let text = serde_json::to_string(&self.chairs).unwrap_or_default();
        // Names and levels that are lost are chosen again.
        let _ = self.tools.store.set_seats(&self.id, &text).await;
        let summary = self.summary();
        let _ = self.tools.store.summarize(&self.id, &summary).await;
        // Persons at this machine may now move for other seats.
        let open: Vec<usize> = self
            .chairs
            .iter()
            .enumerate()
            .filter(|(_, it)| matches!(it.setup, SeatSetup::Person { .. }))
            .map(|it| it.0)
            .collect();
        for reader in self.readers.values_mut().filter(|it| it.is_owner) {
            reader.seats = open.clone();
        }
        let chairs = &self.chairs;
        for reader in self.readers.values_mut().filter(|it| !it.is_owner) {
            reader
                .seats
                .retain(|&it| chairs.get(it).is_some_and(|it| it.setup == SeatSetup::Guest));
        }
        self.tell_match_to_all();
    }

    async fn resign(&mut self, reader: u64, seat: usize) {
        let Some(&player) = self.playable.seats().get(seat) else {
            return self.refuse(reader, "there is no such seat");
        };
        self.stop_moves();
        if let Err(refusal) = self.game.resign(player) {
            return self.refuse_with(reader, &refusal, None);
        }
        let current = self.game.current();
        if !self.store_node(current).await {
            self.game.tree_mut().set_resigned(current, None);
            return self.refuse(reader, "giving up could not be stored");
        }
        self.changed().await;
    }

    async fn say(&mut self, reader: u64, text: &str) {
        let text = seating::clean(text, MAX_CHAT);
        if text.is_empty() || self.chat.len() >= MAX_CHATS {
            return;
        }
        let seat = self.readers.get(&reader).and_then(|it| it.seats.first().copied());
        let name = match seat {
            Some(seat) => seating::shown_name(&self.playable, &self.chairs, seat),
            None => "Host".to_owned(),
        };
        let row = ChatRow { name: name.clone(), text: text.clone() };
        let n = self.chat.len() as i64;
        if self.tools.store.add_chat(&self.id, n, &row).await.is_ok() {
            self.chat.push(ChatLine { name: name.clone(), text: text.clone() });
            self.tell_all(&Event::Chat { name, text });
        }
    }

    /// Says what a piece can do; beside the match, since the worth of pieces takes a while.
    async fn probe(&mut self, reader: u64, site: u16, node: NodeId) {
        let Some(out) = self.readers.get(&reader).map(|it| it.out.clone()) else { return };
        let work = self.tools.work.clone();
        let game = &mut self.game;
        let Some(probe) = work.run_here(|| game.probe(site, node)).await else {
            return self.refuse_with(reader, &Refusal::NoNode, None);
        };
        tokio::spawn(async move {
            if let Ok(event) = work.run(probe).await {
                crate::socket::tell(&out, event);
            }
        });
    }
}

/// The step from a state to what an editor made of it.
pub(crate) fn edit_step(state: &State, setup: &StateSetup) -> EditStep {
    let pieces: Vec<_> = setup
        .pieces
        .iter()
        .map(|it| (Site(it.site), Player(it.player), PieceKind(it.kind)))
        .collect();
    let hands: Vec<_> =
        setup.hands.iter().map(|it| (Player(it.player), PieceKind(it.kind), it.count)).collect();
    EditStep::to(state, &pieces, &hands, setup.mover as usize)
}

pub(super) fn probed(variant: &Variant, state: &State, site: Site) -> Event {
    let ruleset = variant.ruleset();
    let piece = state.placement().get(site);
    let place = ruleset.translated(ruleset.board.site_name(site)).to_owned();
    let title = match piece {
        Some(it) => {
            let name = ruleset.translated(ruleset.piece_name(it.kind));
            format!("{} {name} on {place}", variant.player_name(it.owner))
        }
        None => place,
    };
    let numbers = |sites: Vec<Site>| sites.into_iter().map(|it| it.0).collect();
    // What the rules cannot tell is left out.
    Event::Probed {
        site: site.0,
        title,
        piece: piece.map(|it| PieceView { player: it.owner.0, kind: it.kind.0 }),
        moves: numbers(state.lone_moves(site).unwrap_or_default()),
        attackers: numbers(state.attackers(site).unwrap_or_default()),
        value: piece.and_then(|it| variant.values().get(it.kind.idx()).copied().flatten()),
    }
}
