//! One sitting of a Game Courier preset: the same record, made of turns as text.

use std::sync::Arc;

use boardwright_game::Player;
use boardwright_gamecode::CodeStop;
use boardwright_preset::{Game, Outcome, Preset, Problem, Record, TurnText, Verdict};

use crate::{
    record::{Node, NodeId, Played, Refusal, Step},
    tree::Tree,
};

/// Games at other nodes that are kept; what else is looked at is played anew.
const KEPT: usize = 12;

/// One sitting of a preset.
#[derive(Clone, Debug)]
pub struct PresetMatch {
    preset: Arc<Preset>,
    /// The problem that is to be solved, if it is one.
    problem: Option<Problem>,
    tree: Tree,
    start: Game,
    /// The game where play goes on.
    game: Game,
    /// Games at nodes looked at lately, the latest last.
    kept: Vec<(NodeId, Game)>,
    /// The reply to the solver's turn, with the node it is for.
    reply: Option<(NodeId, String)>,
}

impl PresetMatch {
    /// A match at its start. A problem's preset is the one that poses it.
    pub fn new(
        preset: Arc<Preset>,
        seed: u64,
        problem: Option<Problem>,
    ) -> Result<PresetMatch, Refusal> {
        let start = Game::start(Arc::clone(&preset), seed).map_err(|it| refusal(&preset, it))?;
        let (game, tree) = (start.clone(), Tree::new(None));
        Ok(PresetMatch { preset, problem, tree, start, game, kept: Vec::new(), reply: None })
    }

    /// The preset.
    pub fn preset(&self) -> &Arc<Preset> {
        &self.preset
    }

    /// The problem that is to be solved.
    pub fn problem(&self) -> Option<&Problem> {
        self.problem.as_ref()
    }

    /// The record.
    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    /// The record, to note something in it.
    pub fn tree_mut(&mut self) -> &mut Tree {
        &mut self.tree
    }

    /// The game where play goes on.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// The player who solves the problem, if it is one.
    pub fn solver(&self) -> Option<Player> {
        self.problem.as_ref().map(|_| Player(self.start.mover() as u8))
    }

    /// The game at a node.
    pub fn game_at(&mut self, id: NodeId) -> Option<Game> {
        if id == self.tree.current() {
            return Some(self.game.clone());
        }
        if let Some(at) = self.kept.iter().position(|it| it.0 == id) {
            let found = self.kept.remove(at);
            self.kept.push(found.clone());
            return Some(found.1);
        }
        // The line is played on from the last node on it that is known.
        let line = self.tree.line(id);
        let known = |id: NodeId| match id {
            0 => Some(&self.start),
            _ if id == self.tree.current() => Some(&self.game),
            _ => self.kept.iter().find(|it| it.0 == id).map(|it| &it.1),
        };
        let from = line.iter().rposition(|&it| known(it).is_some())?;
        let mut game = known(*line.get(from)?)?.clone();
        for &id in line.get(from + 1..)? {
            game.play(&self.tree.node(id)?.long).ok()?;
        }
        self.keep(id, game.clone());
        Some(game)
    }

    fn keep(&mut self, id: NodeId, game: Game) {
        self.kept.retain(|it| it.0 != id);
        self.kept.push((id, game));
        if self.kept.len() > KEPT {
            self.kept.remove(0);
        }
    }

    /// Plays a turn as written, perhaps with a comment, at the current node; once for
    /// each `request`. A turn that is in the record already is gone along.
    pub fn play(&mut self, at: NodeId, written: &str, request: &str) -> Result<Played, Refusal> {
        self.put(at, written, request, true)
    }

    /// Plays a turn that was judged already, as when a match is read back.
    pub fn play_again(&mut self, at: NodeId, long: &str, request: &str) -> Result<Played, Refusal> {
        self.put(at, long, request, false)
    }

    fn put(
        &mut self,
        at: NodeId,
        written: &str,
        request: &str,
        is_judged: bool,
    ) -> Result<Played, Refusal> {
        if let Some(played) = self.tree.admit(at, request)? {
            return Ok(played);
        }
        if self.game.outcome() != Outcome::Undecided {
            return Err(Refusal::Over);
        }
        self.tree.room()?;
        let written = self.labelled(written);
        let player = Player(self.game.mover() as u8);
        let (next, reply) = match &self.problem {
            Some(problem) if is_judged && self.solver() == Some(player) => {
                self.judged(problem, &written)?
            }
            _ => {
                let mut next = self.game.clone();
                next.play(&written).map_err(|it| refusal(&self.preset, it))?;
                (next, None)
            }
        };
        let TurnText { text, comment } = next.turns().last().cloned().unwrap_or_default();
        if let Some(node) = self.tree.known(&text) {
            self.go_on_from(node)?;
            self.tree.set_request(node, request);
            return Ok(Played { node, was_there: true });
        }
        let before = std::mem::replace(&mut self.game, next);
        self.keep(at, before);
        let node = self.tree.push(Node {
            parent: Some(at),
            ply: self.tree.ply() + 1,
            player: Some(player),
            owner: Some(player),
            short: short(&text),
            long: text,
            comment,
            request: request.to_owned(),
            ..Node::new(Step::Turn)
        });
        self.reply = reply.map(|it| (node, it));
        Ok(Played { node, was_there: false })
    }

    /// A bare `e2-e4` with the label of the piece, as players of the original wrote it.
    fn labelled(&self, written: &str) -> String {
        let text = written.trim();
        let machine = self.game.machine();
        let board = machine.board();
        let ends = text.split_once('-').map(|(from, to)| (from.trim(), to.trim()));
        let from = ends.and_then(|(from, to)| board.space(to).and(board.space(from)));
        match from.and_then(|it| machine.piece(it)) {
            Some(label) => format!("{label} {text}"),
            None => text.to_owned(),
        }
    }

    /// The solver's turn: the game after it, and the reply that is to come.
    fn judged(&self, problem: &Problem, written: &str) -> Result<(Game, Option<String>), Refusal> {
        let wrong = |message: &str| Refusal::Turn(message.to_owned(), None);
        let again = || {
            let mut next = self.game.clone();
            next.play(written).map_err(|it| refusal(&self.preset, it))?;
            Ok::<Game, Refusal>(next)
        };
        match problem.judge(&self.game, written) {
            Verdict::Solved(game) => Ok((*game, None)),
            Verdict::GoOn { reply, .. } => Ok((again()?, Some(reply))),
            Verdict::Wrong => {
                let asked = problem.message.trim().trim_end_matches('.');
                Err(wrong(&format!("That is legal, but not the solution. {asked}.")))
            }
            Verdict::Refused(stop) => Err(refusal(&self.preset, stop)),
            Verdict::Unknown => Err(wrong("There are too many replies to judge this turn.")),
        }
    }

    /// The reply to the solver's last turn, where it is to be made.
    pub fn reply(&mut self) -> Option<String> {
        let current = self.tree.current();
        let solver = self.solver()?;
        if self.game.outcome() != Outcome::Undecided || Player(self.game.mover() as u8) == solver {
            return None;
        }
        if let Some((_, reply)) = self.reply.as_ref().filter(|it| it.0 == current) {
            return Some(reply.clone());
        }
        let node = self.tree.node(current)?;
        let (parent, long) = (node.parent?, node.long.clone());
        let before = self.game_at(parent)?;
        match self.problem.as_ref()?.judge(&before, &long) {
            Verdict::GoOn { reply, .. } => Some(reply),
            _ => None,
        }
    }

    /// Forgets the last node, which nobody heard of yet.
    pub fn forget_last(&mut self) {
        let Some(parent) = self.tree.before_last() else { return };
        let Some(game) = self.game_at(parent) else { return };
        self.tree.nodes.pop();
        self.tree.current = parent;
        self.game = game;
        let n_nodes = self.tree.nodes.len();
        self.kept.retain(|it| (it.0 as usize) < n_nodes);
    }

    /// Makes a node the one where play goes on.
    pub fn go_on_from(&mut self, id: NodeId) -> Result<(), Refusal> {
        let game = self.game_at(id).ok_or(Refusal::NoNode)?;
        let before = std::mem::replace(&mut self.game, game);
        let left = self.tree.current();
        self.tree.current = id;
        self.keep(left, before);
        Ok(())
    }

    /// A player gives up.
    pub fn resign(&mut self, player: Player) -> Result<(), Refusal> {
        let current = self.tree.current();
        let is_over = self.game.outcome() != Outcome::Undecided;
        if is_over || self.tree.resigned(current).is_some() {
            return Err(Refusal::Over);
        }
        self.tree.set_resigned(current, Some(player));
        Ok(())
    }

    /// The line to the current node as a record that brings its preset along; comments
    /// go with their turns.
    pub fn record(&self) -> Record {
        let mut record = Record::of(&self.start);
        record.constants = self.game.constants();
        for node in self.tree.line(self.tree.current()).into_iter().skip(1) {
            if let Some(node) = self.tree.node(node) {
                let comment = node.comment.split_whitespace().collect::<Vec<_>>().join(" ");
                record.push(TurnText { text: node.long.clone(), comment });
            }
        }
        record.bundle = Some(self.preset.bundle.clone());
        record
    }
}

/// The turn for a list: signs that help only machines are left out.
pub fn short(text: &str) -> String {
    let parts: Vec<String> = text.split(';').map(|it| it.trim().replace('-', "–")).collect();
    parts.join(" ")
}

/// Why code stopped, for players: what it says, and where in the code that stands.
fn refusal(preset: &Preset, stop: CodeStop) -> Refusal {
    let diagnostic = match stop {
        CodeStop::Ask(question) => return Refusal::Ask(question),
        CodeStop::Refused(text, span) => {
            let place = preset.program().sources().line_col(span);
            let why = place.map(|(file, at)| format!("{file}, line {}", at.line));
            return Refusal::Turn(text, why);
        }
        CodeStop::Fault(it) => it,
    };
    let place = preset.program().sources().line_col(diagnostic.span);
    let place = place.map(|(file, at)| format!("{file}, line {}", at.line));
    let place = place.filter(|_| diagnostic.span != Default::default());
    let why: Vec<String> = place.into_iter().chain(diagnostic.hints).collect();
    Refusal::Turn(diagnostic.message, (!why.is_empty()).then(|| why.join("; ")))
}
