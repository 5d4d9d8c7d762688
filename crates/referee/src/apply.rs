//! From a command to the events that obeying it adds, or a refusal.

use std::sync::Arc;

use boardwright_game::Player;
use boardwright_rules::{BoardSetup, GameOutcome, Judging, LegalMoves, PlayRefusal, VisibleEffect};

use crate::{
    command::{Actor, MatchCommand},
    event::{Change, MatchEvent},
    fold::Next,
    game_match::{Here, Match, Standing},
    node::NodeId,
    refusal::Refusal,
    seat::{Seat, Sitter, clean},
};

/// Bytes of a move that is written.
const MAX_MOVE: usize = 100_000;
/// Bytes of a request id.
const MAX_REQUEST: usize = 64;
/// Characters of a comment.
const MAX_COMMENT: usize = 4000;
/// Characters of a chat line, and lines of one match.
const MAX_CHAT: usize = 500;
const MAX_CHATS: usize = 1000;

/// What obeying a command adds to a match; [`Match::commit`] makes it part of it.
#[derive(Clone, Debug)]
#[must_use = "nothing has changed until it is stored and committed"]
pub struct Applied {
    /// The events to be stored; none if the same request was obeyed before.
    pub events: Vec<MatchEvent>,
    /// What the move changed on the board, for animation; only for moves that are new.
    pub effects: Vec<VisibleEffect>,
    /// How the match will stand.
    pub standing: Standing,
    /// By event: where play goes on, if it changes that.
    next: Vec<Option<Next>>,
}

impl Applied {
    /// The node that a move added, once it is committed.
    pub fn new_node(&self) -> Option<NodeId> {
        let next = self.next.iter().flatten().find(|it| it.node.is_some());
        next.map(|it| it.current)
    }
}

/// What a command changes, before it has a number and a time.
#[derive(Default)]
struct Plan {
    changes: Vec<(Change, Option<Next>)>,
    effects: Vec<VisibleEffect>,
}

impl Plan {
    fn one(change: Change, next: Option<Next>) -> Plan {
        Plan { changes: vec![(change, next)], effects: Vec::new() }
    }
}

impl Match {
    /// What obeying a command adds, or why it is not obeyed. Changes nothing.
    ///
    /// `request` is the sender's own id for the command: it is obeyed once at a node. `now` is
    /// the time in milliseconds since 1970, `chance` any number, from which moves are drawn.
    pub fn apply(
        &self,
        command: &MatchCommand,
        actor: Actor<'_>,
        request: &str,
        now: u64,
        chance: u64,
    ) -> Result<Applied, Refusal> {
        if request.len() > MAX_REQUEST {
            return Err(Refusal::TooLong);
        }
        self.may(command, actor)?;
        let plan = match command {
            MatchCommand::Play { node, text } => self.play(*node, text, actor, request)?,
            MatchCommand::Draw => self.draw(request, chance)?,
            MatchCommand::Edit { node, setup } => self.edit(*node, setup, request)?,
            MatchCommand::TakeBack => self.go_to(self.before_choice()?)?,
            MatchCommand::GoTo { node } => self.go_to(*node)?,
            MatchCommand::Resign { seat } => self.resign(*seat)?,
            MatchCommand::Comment { node, text } => {
                self.known(*node)?;
                let text = text.chars().take(MAX_COMMENT).collect();
                Plan::one(Change::Commented { node: *node, text }, None)
            }
            MatchCommand::Score { node, score } => {
                self.known(*node)?;
                Plan::one(Change::Scored { node: *node, score: *score }, None)
            }
            MatchCommand::GiveSeat { seat, sitter, name, key } => {
                self.give_seat(*seat, sitter, name, key)?
            }
            MatchCommand::Rename { seat, name } => {
                let mut seats = self.seats.clone();
                seats.get_mut(*seat).ok_or(Refusal::NoSeat)?.rename(name);
                Plan::one(Change::Seated { seats }, None)
            }
            MatchCommand::Say { name, text } => self.say(actor, name, text)?,
        };
        self.applied(plan, request, now)
    }

    /// Makes what [`Match::apply`] gave part of the match, once it is stored.
    pub fn commit(&mut self, applied: Applied) {
        for (event, next) in applied.events.iter().zip(applied.next) {
            self.install(event, next);
        }
    }

    /// Whether somebody may give a command at all.
    fn may(&self, command: &MatchCommand, actor: Actor<'_>) -> Result<(), Refusal> {
        let Actor::Person { is_owner, seats } = actor else { return Ok(()) };
        match command {
            // Whose turn it is, is asked once it is known that the request is new.
            MatchCommand::Play { .. } => Ok(()),
            MatchCommand::Say { .. } if is_owner || !seats.is_empty() => Ok(()),
            // The owner cannot lose a match for a guest, nor speak in their name.
            MatchCommand::Resign { seat } | MatchCommand::Rename { seat, .. }
                if seats.contains(seat) =>
            {
                Ok(())
            }
            MatchCommand::Resign { .. } | MatchCommand::Rename { .. } if is_owner => {
                Err(Refusal::NotYourSeat)
            }
            _ if !is_owner => Err(Refusal::OwnerOnly),
            _ => Ok(()),
        }
    }

    fn play(
        &self,
        at: NodeId,
        text: &str,
        actor: Actor<'_>,
        request: &str,
    ) -> Result<Plan, Refusal> {
        if text.len() > MAX_MOVE {
            return Err(Refusal::TooLong);
        }
        self.known(at)?;
        // A command that comes again is answered whoever is to move now.
        if self.tree.made_by(at, request).is_some() {
            return Ok(Plan::default());
        }
        if at != self.current() {
            return Err(Refusal::Stale);
        }
        let legal = self.legal()?;
        if legal.outcome.is_some() {
            return Err(PlayRefusal::Over.into());
        }
        if let Actor::Person { seats, .. } = actor {
            let seat = self.seat_to_move()?;
            if !seat.is_some_and(|it| seats.contains(&it)) {
                return Err(Refusal::NotYourTurn);
            }
        }
        self.put(&legal, text, request, false)
    }

    /// A move drawn by chance, or the reply that a problem owes.
    fn draw(&self, request: &str, chance: u64) -> Result<Plan, Refusal> {
        let state = self.state();
        let legal = self.legal()?;
        if legal.outcome.is_some() {
            return Err(PlayRefusal::Over.into());
        }
        let text = match state.awaits_reply() {
            true => state.reply(),
            false => state.drawn_text(&legal, chance),
        };
        let text = text.ok_or(PlayRefusal::Over)?;
        self.put(&legal, &text, request, state.is_chance())
    }

    /// Plays a move where play goes on. A move that is in the record already is followed.
    fn put(
        &self,
        legal: &LegalMoves,
        text: &str,
        request: &str,
        is_chance: bool,
    ) -> Result<Plan, Refusal> {
        let current = self.current();
        let mut step = self.state().play_text(legal, text, Judging::Judge)?;
        if let Some(node) = self.tree.known_move(&step.long) {
            let next = Next { node: None, current: node, here: Here::new(step.state) };
            return Ok(Plan::one(Change::WentTo { node }, Some(next)));
        }
        self.tree.room()?;
        let effects = std::mem::take(&mut step.effects);
        let comment = clean(&step.comment, MAX_COMMENT);
        let moved = Change::Moved { parent: current, text: step.long.clone(), is_chance };
        let next = self.next_of_step(current, step, is_chance, request);
        let node = next.current;
        let mut changes = vec![(moved, Some(next))];
        if !comment.is_empty() {
            changes.push((Change::Commented { node, text: comment }, None));
        }
        Ok(Plan { changes, effects })
    }

    fn edit(&self, at: NodeId, setup: &BoardSetup, request: &str) -> Result<Plan, Refusal> {
        self.known(at)?;
        self.tree.room()?;
        let state = self.state_at(at).ok_or(Refusal::NoNode)?;
        let step = state.edit_to(setup)?;
        let next = self.next_of_edit(at, step, request)?;
        next.legal(self).map_err(|_| Refusal::Unplayable)?;
        let text = next.node.as_ref().map_or_else(String::new, |it| it.long.clone());
        Ok(Plan::one(Change::Edited { parent: at, text }, Some(next)))
    }

    /// Where a person last had a choice.
    fn before_choice(&self) -> Result<NodeId, Refusal> {
        let chooses = |player: Player| {
            let seat = self.rules.seat_of(player).and_then(|it| self.seats.get(it));
            seat.is_some_and(Seat::is_person)
        };
        self.tree.before(chooses)
    }

    fn go_to(&self, node: NodeId) -> Result<Plan, Refusal> {
        self.known(node)?;
        let state = self.state_at(node).ok_or(Refusal::NoNode)?;
        let next = Next { node: None, current: node, here: Here::new(state) };
        Ok(Plan::one(Change::WentTo { node }, Some(next)))
    }

    fn resign(&self, seat: usize) -> Result<Plan, Refusal> {
        let &player = self.rules.seats().get(seat).ok_or(Refusal::NoSeat)?;
        if self.legal()?.outcome.is_some() {
            return Err(PlayRefusal::Over.into());
        }
        let node = self.current();
        let outcome = GameOutcome::resignation(&self.rules, player);
        let here = Here::new(self.state().clone());
        // Nothing can be played there from now on.
        let _ = here.legal.set(Ok(Arc::new(LegalMoves::none(Some(outcome)))));
        let next = Next { node: None, current: node, here };
        Ok(Plan::one(Change::Resigned { node, player }, Some(next)))
    }

    fn give_seat(
        &self,
        seat: usize,
        sitter: &Sitter,
        name: &str,
        key: &str,
    ) -> Result<Plan, Refusal> {
        if !sitter.fits(&self.rules) {
            return Err(Refusal::NoEngine);
        }
        let mut seats = self.seats.clone();
        let it = seats.get_mut(seat).ok_or(Refusal::NoSeat)?;
        let key = match sitter {
            // A guest who was invited already keeps the link.
            Sitter::Guest if !it.key.is_empty() => it.key.clone(),
            Sitter::Guest => key.to_owned(),
            _ => String::new(),
        };
        *it = Seat::new(sitter.clone(), name, key);
        Ok(Plan::one(Change::Seated { seats }, None))
    }

    fn say(&self, actor: Actor<'_>, name: &str, text: &str) -> Result<Plan, Refusal> {
        let text = clean(text, MAX_CHAT);
        if text.is_empty() {
            return Err(Refusal::Empty);
        }
        if self.chat.len() >= MAX_CHATS {
            return Err(Refusal::Full);
        }
        let seat = match actor {
            Actor::Person { seats, .. } => seats.first().copied(),
            Actor::Engine | Actor::Chance => None,
        };
        let name = match seat {
            Some(seat) => self.seat_name(seat),
            None => name.to_owned(),
        };
        Ok(Plan::one(Change::Said { name, text }, None))
    }

    /// Numbers the changes and says how the match will stand.
    fn applied(&self, plan: Plan, request: &str, now: u64) -> Result<Applied, Refusal> {
        let last = plan.changes.iter().rev().find_map(|it| it.1.as_ref());
        let standing = match last {
            None => self.standing()?,
            Some(next) => {
                let legal = next.legal(self)?;
                let node = next.node.as_ref().or_else(|| self.tree.node(next.current));
                let (ply, round) = node.map_or((0, 0), |it| (it.ply, it.round));
                self.standing_of((next.current, ply, round), &next.here.state, &legal)
            }
        };
        let (changes, next): (Vec<Change>, Vec<Option<Next>>) = plan.changes.into_iter().unzip();
        let event = |(seq, change): (u64, Change)| MatchEvent {
            seq,
            at: now,
            request: request.to_owned(),
            change,
        };
        let events = (self.n_events..).zip(changes).map(event).collect();
        Ok(Applied { events, effects: plan.effects, standing, next })
    }
}
