//! Commands of readers, handed to the referee or answered here.

use std::sync::Arc;

use boardwright_game::{PieceKind, Player, Site};
use boardwright_protocol::{ChoiceView, Command, Event, PieceView, SeatSetup, StateSetup};
use boardwright_referee::{Actor, MatchCommand, NodeId, Refusal};
use boardwright_rules::{BoardSetup, GameState, PlayRefusal};

use super::{Done, Failure, Table};
use crate::{edit_preview, error::not_stored, keys, language::Playable, seating, state_view};

/// Answers to a question that are shown.
const MAX_CHOICES: usize = 100;

impl Table {
    pub(super) async fn obey(&mut self, reader: u64, command: Command) {
        let Some(who) = self.readers.get(&reader) else { return };
        let is_owner = who.rights.is_owner;
        let may_play = is_owner || !who.rights.seats.is_empty();
        match command {
            Command::Ping => self.tell(reader, &Event::Pong),
            Command::Look { node } => self.look(reader, node).await,
            Command::Probe { site, node } => self.probe(reader, Site(site), node).await,
            Command::WhyNot { node, from, to } => {
                self.why_not(reader, node, from.map(Site), to.map(Site)).await;
            }
            Command::Play { node, mv, id } => {
                self.ask(reader, MatchCommand::Play { node, text: mv }, &id).await;
            }
            Command::Chat { text } => {
                let name = "Host".to_owned();
                self.ask(reader, MatchCommand::Say { name, text }, "").await;
            }
            Command::Name { seat, name } => {
                self.ask(reader, MatchCommand::Rename { seat: seat as usize, name }, "").await;
            }
            Command::Resign { seat } => {
                self.ask(reader, MatchCommand::Resign { seat: seat as usize }, "").await;
            }
            Command::GoOnFrom { node } => self.ask(reader, MatchCommand::GoTo { node }, "").await,
            Command::Comment { node, text } => {
                self.ask(reader, MatchCommand::Comment { node, text }, "").await;
            }
            Command::Seat { seat, setup } => self.give_seat(reader, seat as usize, setup).await,
            Command::Edit { node, setup } => {
                let setup = board_setup(&setup);
                self.ask(reader, MatchCommand::Edit { node, setup }, "").await;
            }
            Command::TakeBack => self.take_back(reader, is_owner).await,
            Command::Hint if may_play => self.hint(reader).await,
            _ if !is_owner => {
                let (message, _) = Refusal::OwnerOnly.text();
                self.refuse(reader, &message);
            }
            Command::Hint => {}
            Command::MoveNow => self.move_now(),
            Command::StopThinking => self.stop_for_now(),
            Command::Pause { paused } => self.pause(paused).await,
            Command::Analyse { on, node, lines } => self.analyse(reader, on, node, lines).await,
            Command::TryEdit { node, setup, id } => self.try_edit(reader, node, setup, id).await,
        }
    }

    /// Asks the referee for a reader; a refusal is told to the reader.
    async fn ask(&mut self, reader: u64, command: MatchCommand, request: &str) {
        let Some(who) = self.readers.get(&reader) else { return };
        let (is_owner, seats) = (who.rights.is_owner, who.rights.seats.clone());
        let actor = Actor::Person { is_owner, seats: &seats };
        match self.carry_out(&command, actor, request).await {
            Ok(Done::Changed) => self.drive().await,
            Ok(Done::Again) => self.tell_match(reader),
            Err(Failure::Refused(Refusal::Empty)) => {}
            Err(Failure::Refused(refusal)) => {
                self.refuse_with(reader, &refusal, Some(request.to_owned()));
                if refusal == Refusal::Stale {
                    self.tell_match(reader);
                }
            }
            Err(Failure::NotStored(cause)) => {
                let (message, why) = not_stored("this", &cause);
                let id = Some(request.to_owned());
                self.tell(reader, &Event::Refused { message, why, id });
            }
        }
    }

    /// Tells a reader why something was refused, or what has to be chosen first.
    fn refuse_with(&mut self, reader: u64, refusal: &Refusal, id: Option<String>) {
        if let Refusal::Play(PlayRefusal::Asked(question)) = refusal {
            let choice =
                |it: &(String, String)| ChoiceView { label: it.0.clone(), mv: it.1.clone() };
            let choices = question.choices.iter().take(MAX_CHOICES).map(choice).collect();
            let (node, text) = (self.game.current(), question.text.clone());
            return self.tell(reader, &Event::Asked { node, text, choices });
        }
        let (message, why) = refusal.text();
        let id = id.filter(|it| !it.is_empty());
        self.tell(reader, &Event::Refused { message, why, id });
    }

    async fn take_back(&mut self, reader: u64, is_owner: bool) {
        // With nobody to choose, the engine would make the same move at once.
        if is_owner && !self.game.has_person() {
            self.paused = true;
        }
        self.ask(reader, MatchCommand::TakeBack, "").await;
    }

    async fn give_seat(&mut self, reader: u64, seat: usize, setup: SeatSetup) {
        let (sitter, name) = seating::sitter(setup);
        let command = MatchCommand::GiveSeat { seat, sitter, name, key: keys::key() };
        if self.readers.get(&reader).is_some_and(|it| it.rights.is_owner) {
            self.stop_moves();
        }
        self.ask(reader, command, "").await;
    }

    /// The state of a node. May play moves again.
    pub(super) async fn state_at(&mut self, node: NodeId) -> Option<GameState> {
        let work = self.tools.work.clone();
        let game = &self.game;
        let state = work.run_here(|| game.state_at(node)).await?;
        self.game.keep_state(node, &state);
        Some(state)
    }

    async fn look(&mut self, reader: u64, node: NodeId) {
        let Some(state) = self.state_at(node).await else {
            return self.refuse_with(reader, &Refusal::NoNode, None);
        };
        let work = self.tools.work.clone();
        let game = &self.game;
        let view = work.run_here(|| {
            let legal = game.legal_in(node, &state)?;
            state_view::of_node(game, node, &state, &legal)
        });
        match view.await {
            Ok(state) => self.tell(reader, &Event::State { state: Box::new(state) }),
            Err(refusal) => self.refuse_with(reader, &refusal.into(), None),
        }
    }

    /// Says what playing on from an edited board would be like; beside the match, since it
    /// changes nothing.
    async fn try_edit(&mut self, reader: u64, node: NodeId, setup: StateSetup, id: u32) {
        let Some(mut state) = self.state_at(node).await else {
            return self.refuse_with(reader, &Refusal::NoNode, None);
        };
        let edited = state.edit_to(&board_setup(&setup)).and_then(|it| state.edit(&it));
        if let Err(refusal) = edited {
            return self.refuse_with(reader, &refusal.into(), None);
        }
        self.tell_later(reader, move || edit_preview::tried(&state, id));
    }

    /// Says what a piece can do; beside the match, since piece values take a while.
    async fn probe(&mut self, reader: u64, site: Site, node: NodeId) {
        let Some(state) = self.state_at(node).await else {
            return self.refuse_with(reader, &Refusal::NoNode, None);
        };
        let playable = Arc::clone(&self.playable);
        self.tell_later(reader, move || probed(&playable, &state, site));
    }

    /// Says why a move is not legal; beside the match, since it changes nothing.
    async fn why_not(&mut self, reader: u64, node: NodeId, from: Option<Site>, to: Option<Site>) {
        let Some(state) = self.state_at(node).await else {
            return self.refuse_with(reader, &Refusal::NoNode, None);
        };
        self.tell_later(reader, move || {
            let legal = state.legal_moves();
            let found = legal.and_then(|it| state.why_not(&it, from, to)).ok().flatten();
            Event::WhyNot {
                node,
                from: from.map(|it| it.0),
                to: to.map(|it| it.0),
                is_evident: found.as_ref().is_some_and(|it| it.is_evident),
                text: found.map(|it| it.text),
            }
        });
    }
}

/// A board as the editor of the page has it.
pub(crate) fn board_setup(setup: &StateSetup) -> BoardSetup {
    let pieces = setup.pieces.iter();
    let hands = setup.hands.iter();
    BoardSetup {
        pieces: pieces.map(|it| (Site(it.site), Player(it.player), PieceKind(it.kind))).collect(),
        hands: hands.map(|it| (Player(it.player), PieceKind(it.kind), it.count)).collect(),
        turn: setup.mover as usize,
    }
}

fn probed(playable: &Playable, state: &GameState, site: Site) -> Event {
    let info = state.piece_info(site);
    let numbers = |sites: Vec<Site>| sites.into_iter().map(|it| it.0).collect();
    let value = |kind: PieceKind| playable.values().get(kind.idx()).copied().flatten();
    Event::Probed {
        site: site.0,
        title: info.title,
        piece: info.piece.map(|it| PieceView { player: it.0.0, kind: it.1.0 }),
        moves: numbers(info.moves),
        attackers: numbers(info.attackers),
        value: info.piece.and_then(|it| value(it.1)),
    }
}
