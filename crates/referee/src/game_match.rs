//! A match as it stands.

use std::sync::{Arc, OnceLock};

use boardwright_game::Player;
use boardwright_rules::{
    EditStep, GameOutcome, GameRules, GameState, LegalMoves, NotWritable, PlayRefusal, SavedFile,
    SavedStep,
};

use crate::{
    command::seated,
    event::{Change, MatchEvent},
    move_tree::MoveTree,
    node::{Node, NodeId, NodeStep},
    refusal::Refusal,
    seat::{Seat, Sitter},
    states::StateCache,
};

/// A line of the chat.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ChatEntry {
    /// Who said it.
    pub name: String,
    /// What was said.
    pub text: String,
}

/// A match: the fold of its events.
#[derive(Clone, Debug)]
pub struct Match {
    pub(crate) rules: Arc<GameRules>,
    pub(crate) tree: MoveTree,
    pub(crate) states: StateCache,
    pub(crate) here: Here,
    pub(crate) seats: Vec<Seat>,
    pub(crate) chat: Vec<ChatEntry>,
    pub(crate) n_events: u64,
}

/// The state where play goes on, and its legal moves once somebody asked for them.
#[derive(Clone, Debug)]
pub(crate) struct Here {
    pub state: GameState,
    pub legal: OnceLock<Result<Arc<LegalMoves>, PlayRefusal>>,
}

impl Here {
    pub fn new(state: GameState) -> Here {
        Here { state, legal: OnceLock::new() }
    }
}

/// What a new match begins with.
#[derive(Clone, Debug, Default)]
pub struct MatchSetup {
    /// What chance in the code of a preset grows from.
    pub seed: u64,
    /// A change of the usual setup.
    pub setup: Option<EditStep>,
    /// Who sits where; seats that are missing, or that an engine cannot play, are for persons.
    pub seats: Vec<Seat>,
    /// When it begins: milliseconds since 1970.
    pub now: u64,
}

/// How a match stands, for lists of matches.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Standing {
    /// The node where play goes on.
    pub current: NodeId,
    /// The number of moves made on the way there.
    pub ply: u32,
    /// The row of a move list in columns.
    pub round: u32,
    /// Who is to move; nobody if the game is over.
    pub mover: Option<Player>,
    /// The number of their seat.
    pub seat: Option<usize>,
    /// How the game ended.
    pub outcome: Option<GameOutcome>,
    /// The state as text.
    pub text: String,
}

impl Match {
    /// Begins a match; gives it with the events that its log begins with.
    pub fn begin(
        rules: Arc<GameRules>,
        new: MatchSetup,
    ) -> Result<(Match, Vec<MatchEvent>), PlayRefusal> {
        let mut game = Match::empty(Arc::clone(&rules), new.seed)?;
        let setup = new.setup.filter(|it| !it.is_nothing());
        let setup = setup.map(|it| Change::Setup { text: it.to_text(rules.ruleset()) });
        let seats = seated(rules.seats().len(), new.seats, |it| it.sitter.fits(&rules));
        let changes = setup.into_iter().chain([Change::Seated { seats }]);
        let event = |(seq, change): (u64, Change)| MatchEvent {
            seq,
            at: new.now,
            request: String::new(),
            change,
        };
        let events: Vec<MatchEvent> = (0..).zip(changes).map(event).collect();
        for event in &events {
            game.fold(event)?;
        }
        Ok((game, events))
    }

    /// A match before its first event.
    pub(crate) fn empty(rules: Arc<GameRules>, seed: u64) -> Result<Match, PlayRefusal> {
        let state = rules.start(seed)?;
        Ok(Match {
            tree: MoveTree::new(Node::new(NodeStep::Start)),
            states: StateCache::new(state.clone()),
            here: Here::new(state),
            seats: rules.seats().iter().map(|_| Seat::person()).collect(),
            chat: Vec::new(),
            n_events: 0,
            rules,
        })
    }

    /// The rules.
    pub fn rules(&self) -> &Arc<GameRules> {
        &self.rules
    }

    /// The record.
    pub fn tree(&self) -> &MoveTree {
        &self.tree
    }

    /// The seats, in the order of the rules.
    pub fn seats(&self) -> &[Seat] {
        &self.seats
    }

    /// The name at a seat as people see it: the one somebody gave, else what sits there.
    pub fn seat_name(&self, seat: usize) -> String {
        let player = self.rules.seats().get(seat);
        let player = player.map_or_else(String::new, |&it| self.rules.player_name(it));
        match self.seats.get(seat) {
            Some(it) if !it.name.is_empty() => it.name.clone(),
            Some(it) => match &it.sitter {
                Sitter::Person => player,
                Sitter::Guest => "Guest".to_owned(),
                Sitter::Engine(it) => format!("Engine, level {}", it.level),
                Sitter::Random => "Random".to_owned(),
            },
            None => player,
        }
    }

    /// What was said.
    pub fn chat(&self) -> &[ChatEntry] {
        &self.chat
    }

    /// The number of events in the log, which is the number of the next one.
    pub fn n_events(&self) -> u64 {
        self.n_events
    }

    /// The node where play goes on.
    pub fn current(&self) -> NodeId {
        self.tree.current()
    }

    /// The state where play goes on.
    pub fn state(&self) -> &GameState {
        &self.here.state
    }

    /// The legal moves where play goes on and the outcome there, worked out once. Runs rules
    /// the first time.
    pub fn legal(&self) -> Result<Arc<LegalMoves>, PlayRefusal> {
        let legal = self
            .here
            .legal
            .get_or_init(|| self.legal_in(self.current(), &self.here.state).map(Arc::new));
        legal.clone()
    }

    /// The legal moves of a node, given its state: none where a player resigned.
    pub fn legal_in(&self, id: NodeId, state: &GameState) -> Result<LegalMoves, PlayRefusal> {
        match self.tree.resigned(id) {
            Some(player) => {
                let outcome = GameOutcome::resignation(&self.rules, player);
                Ok(LegalMoves::none(Some(outcome)))
            }
            None => state.legal_moves(),
        }
    }

    /// The state of a node, history and all. May play moves again.
    pub fn state_at(&self, id: NodeId) -> Option<GameState> {
        self.states.state_at(&self.tree, (self.current(), &self.here.state), id)
    }

    /// Keeps the state of a node that somebody looks at, so that the next look is quick.
    pub fn keep_state(&mut self, id: NodeId, state: &GameState) {
        if id != self.current() {
            self.states.keep(id, state);
        }
    }

    /// The seat whose turn it is; nobody's if the game is over or chance moves.
    pub fn seat_to_move(&self) -> Result<Option<usize>, PlayRefusal> {
        if self.legal()?.outcome.is_some() || self.here.state.is_chance() {
            return Ok(None);
        }
        Ok(self.here.state.mover().and_then(|it| self.rules.seat_of(it)))
    }

    /// How the match stands where play goes on.
    pub fn standing(&self) -> Result<Standing, PlayRefusal> {
        let node = self.tree.node(self.current());
        let (ply, round) = node.map_or((0, 0), |it| (it.ply, it.round));
        let legal = self.legal()?;
        Ok(self.standing_of((self.current(), ply, round), &self.here.state, &legal))
    }

    pub(crate) fn standing_of(
        &self,
        (current, ply, round): (NodeId, u32, u32),
        state: &GameState,
        legal: &LegalMoves,
    ) -> Standing {
        let mover = state.mover().filter(|_| legal.outcome.is_none());
        Standing {
            current,
            ply,
            round,
            mover,
            seat: mover.and_then(|it| self.rules.seat_of(it)),
            outcome: legal.outcome.clone(),
            text: state.text(),
        }
    }

    /// The line to the current node as a file: a `.zsg` save or the record of a preset.
    pub fn save(&self) -> Result<SavedFile, NotWritable> {
        let line = self.tree.line(self.current());
        let steps = line.into_iter().filter_map(|it| {
            let node = self.tree.node(it)?;
            match &node.step {
                NodeStep::Start => None,
                NodeStep::Move { played, .. } => Some(SavedStep::Move(played, &node.comment)),
                NodeStep::Edit(step) => Some(SavedStep::Edit(step)),
            }
        });
        let who = |player: Player| match self.rules.seat_of(player) {
            Some(seat) => (self.seats.get(seat).is_none_or(Seat::is_person), self.seat_name(seat)),
            None => {
                let info = self.rules.ruleset().players.get(player.idx());
                (!info.is_some_and(|it| it.is_random), String::new())
            }
        };
        boardwright_rules::save(&self.unedited_start()?, steps, &who)
    }

    /// The state before an edit of the setup, which is a step of its own in a save.
    fn unedited_start(&self) -> Result<GameState, NotWritable> {
        match self.tree.node(0).map(|it| &it.step) {
            Some(NodeStep::Edit(_)) => self.rules.start(0).map_err(|_| NotWritable::Broken),
            _ => Ok(self.states.start().clone()),
        }
    }

    /// Whether taking back would leave nobody to choose: all seats are engines.
    pub fn has_person(&self) -> bool {
        self.seats.iter().any(Seat::is_person)
    }

    /// The first refusal that concerns a node number.
    pub(crate) fn known(&self, id: NodeId) -> Result<&Node, Refusal> {
        self.tree.node(id).ok_or(Refusal::NoNode)
    }
}
