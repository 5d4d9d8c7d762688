//! The tree of a preset's game, for a search: states are kept on a stack, moves are what the
//! code told to be legal.
//!
//! Running code is slow, so a told move is tried only when it is played. One that the code then
//! refuses counts as a loss of who tried it, so that it is never chosen; if the code refuses
//! all, the game counts as drawn there. A move that asks a question is listed once for each
//! answer as soon as one like it was seen to ask.

use std::{
    hash::{Hash, Hasher},
    sync::Arc,
};

use boardwright_fast::{ScriptedTree, TreeMove};
use boardwright_game::{PieceKind, Player, Site};
use boardwright_gamecode::{CodeStop, Space};
use boardwright_play::{Ending, semantics::mix};
use boardwright_preset::{Choice, Game, PresetOutcome, ToldMove};
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};

use crate::{game_rules::GameRules, scripted::site};

/// Answers to questions within one turn.
const MOST_ANSWERS: usize = 4;
/// States after listed moves that are kept, all plies together.
const MOST_KEPT: usize = 512;

/// An owner and a kind.
type Piece = (Player, PieceKind);

/// A state of the game.
struct Node {
    /// Nothing after a move that the code refuses.
    game: Option<Game>,
    mover: Player,
    ending: Option<Ending>,
    hash: u64,
    /// By site: what stands there.
    board: Vec<Option<Piece>>,
    /// What the move that led here changed.
    changes: Vec<(Site, Option<Piece>, Option<Piece>)>,
}

impl Node {
    /// A state as a node; `before` is the one that a move led from.
    fn new(rules: &GameRules, game: Game, before: Option<&Node>) -> Node {
        let board: Vec<Option<Piece>> = rules.script().map_or_else(Vec::new, |script| {
            let piece = |it: Space| script.labels.piece_or_other(game.standing(it)?);
            script.preset.board().all().map(piece).collect()
        });
        let changes = before.map_or_else(Vec::new, |before| {
            let pairs = before.board.iter().zip(&board).enumerate();
            let differs = pairs.filter(|(_, (old, new))| old != new);
            differs.map(|(idx, (old, new))| (Site(idx as u16), *old, *new)).collect()
        });
        Node {
            mover: Player(game.mover() as u8),
            ending: match game.outcome() {
                PresetOutcome::Undecided => None,
                PresetOutcome::Win(it) => Some(Ending::Win(Player(it as u8))),
                PresetOutcome::Draw => Some(Ending::Draw),
            },
            hash: game.state_hash(),
            game: Some(game),
            board,
            changes,
        }
    }
}

/// A move of the list of a state.
struct ListedMove {
    /// As it is given to the code.
    text: String,
    choice: TreeMove,
    /// The state after it, once it was tried.
    after: Option<Arc<Node>>,
}

/// A state on the way from the root, and its moves once they are listed.
struct Frame {
    node: Arc<Node>,
    list: Option<Vec<ListedMove>>,
}

/// What a move did when it was last played, wherever that was.
#[derive(Clone, Copy)]
struct Seen {
    becomes: Option<PieceKind>,
    victim: Option<Piece>,
    n_taken: u8,
}

/// A preset's game as a search walks it.
pub(crate) struct PresetTree {
    rules: Arc<GameRules>,
    /// The state that the tree began with.
    root: Frame,
    /// From there to the state at hand.
    path: Vec<Frame>,
    /// By the key of a move, and whether its target was empty.
    seen: FxHashMap<(u32, bool), Seen>,
    /// The keys of moves that asked a question.
    asking: FxHashSet<u32>,
    n_kept: usize,
    n_steps: u64,
}

impl PresetTree {
    /// Begins at a state; `choices` are its moves, where they are known.
    pub fn new(rules: &Arc<GameRules>, game: &Game, choices: Option<&[Choice]>) -> PresetTree {
        let node = Arc::new(Node::new(rules, game.clone(), None));
        let mut tree = PresetTree {
            rules: Arc::clone(rules),
            root: Frame { node: Arc::clone(&node), list: None },
            path: Vec::new(),
            seen: FxHashMap::default(),
            asking: FxHashSet::default(),
            n_kept: 0,
            n_steps: 0,
        };
        tree.root.list = choices.map(|all| {
            let told = |it: &Choice| ToldMove {
                text: it.text.clone(),
                from: it.from,
                to: it.to,
                is_drop: it.is_drop,
            };
            all.iter().map(|it| tree.listed(&node, told(it))).collect()
        });
        tree.number_moves();
        tree
    }

    fn top(&self) -> &Frame {
        self.path.last().unwrap_or(&self.root)
    }

    fn top_mut(&mut self) -> &mut Frame {
        self.path.last_mut().unwrap_or(&mut self.root)
    }

    /// A move with what is known of it before it is tried.
    fn listed(&self, node: &Node, told: ToldMove) -> ListedMove {
        let on = |it: Site| node.board.get(it.idx()).copied().flatten();
        let (from, to) = (site(told.from), site(told.to));
        let target = on(to).filter(|_| from != to);
        let key = key_of(&told.text);
        let mut choice = TreeMove::new(key);
        choice.from = Some(from);
        choice.to = Some(to);
        choice.kind = on(from).map(|it| it.1);
        choice.is_drop = told.is_drop;
        choice.victim = target.filter(|it| it.0 != node.mover);
        choice.n_taken = u8::from(choice.victim.is_some());
        if let Some(seen) = self.seen.get(&(key, target.is_none())) {
            choice.becomes = seen.becomes;
            if target.is_none() {
                (choice.victim, choice.n_taken) = (seen.victim, seen.n_taken);
            }
        }
        ListedMove { text: told.text, choice, after: None }
    }

    /// Numbers the moves of the state at hand.
    fn number_moves(&mut self) {
        let list = self.top_mut().list.as_mut();
        for (idx, it) in list.into_iter().flatten().enumerate() {
            it.choice = it.choice.numbered(idx);
        }
    }

    /// Lists the moves of the state at hand, unless that was done.
    fn list(&mut self) {
        if self.top().list.is_some() {
            return;
        }
        let node = Arc::clone(&self.top().node);
        let mut list = Vec::new();
        let told = node.game.as_ref().map_or_else(Vec::new, Game::told);
        for told in told {
            match self.asking.contains(&key_of(&told.text)) {
                true => self.list_answers(&node, told, 0, &mut list),
                false => list.push(self.listed(&node, told)),
            }
        }
        self.top_mut().list = Some(list);
        self.number_moves();
    }

    /// Lists a move that asks a question, once for each answer.
    fn list_answers(
        &mut self,
        node: &Node,
        told: ToldMove,
        depth: usize,
        list: &mut Vec<ListedMove>,
    ) {
        let Some(game) = &node.game else { return };
        match game.after(&told.text) {
            Ok(next) => {
                let mut listed = self.listed(node, told);
                let after = self.note(node, &listed.choice, next);
                listed.choice.becomes =
                    self.seen.get(&(listed.choice.key, true)).and_then(|it| it.becomes);
                if self.n_kept < MOST_KEPT {
                    self.n_kept += 1;
                    listed.after = Some(after);
                }
                list.push(listed);
            }
            Err(CodeStop::Ask(question)) if depth < MOST_ANSWERS => {
                for (_, text) in question.choices {
                    self.list_answers(node, ToldMove { text, ..told.clone() }, depth + 1, list);
                }
            }
            Err(_) => {}
        }
    }

    /// The node of a game that a move led to; remembers what the move did.
    fn note(&mut self, before: &Node, choice: &TreeMove, game: Game) -> Arc<Node> {
        if let Some(from) = &before.game {
            self.n_steps = self.n_steps.saturating_add(game.spent(from));
        }
        let node = Node::new(&self.rules, game, Some(before));
        let mover = before.mover;
        let at = |board: &[Option<Piece>], it: Option<Site>| {
            it.and_then(|it| board.get(it.idx()).copied().flatten())
        };
        let is_taken = |change: &&(Site, Option<Piece>, Option<Piece>)| {
            let is_theirs = |it: Option<Piece>| it.is_some_and(|it| it.0 != mover);
            is_theirs(change.1) && !is_theirs(change.2)
        };
        let mut taken = node.changes.iter().filter(is_taken);
        let victim = taken.next().and_then(|it| it.1);
        let arrived = at(&node.board, choice.to).filter(|it| it.0 == mover).map(|it| it.1);
        let seen = Seen {
            becomes: arrived.filter(|it| choice.kind.is_some_and(|kind| kind != *it)),
            victim,
            n_taken: u8::from(victim.is_some()) + taken.count().min(200) as u8,
        };
        let was_empty = at(&before.board, choice.to).is_none();
        self.seen.insert((choice.key, was_empty), seen);
        Arc::new(node)
    }

    /// The state after a move of the list.
    fn try_move(&mut self, node: &Node, text: &str, choice: &TreeMove) -> Option<Arc<Node>> {
        let game = node.game.as_ref()?;
        let mut texts = vec![(text.to_owned(), 0)];
        while let Some((text, depth)) = texts.pop() {
            match game.after(&text) {
                Ok(next) => return Some(self.note(node, choice, next)),
                Err(CodeStop::Ask(question)) if depth < MOST_ANSWERS => {
                    self.asking.insert(choice.key);
                    // The first answer that is accepted; the next list has them all.
                    let answers = question.choices.into_iter().rev();
                    texts.extend(answers.map(|it| (it.1, depth + 1)));
                }
                Err(_) => {}
            }
        }
        None
    }

    /// The state after a move that the code refuses.
    fn refused(&mut self, node: &Node) -> Node {
        let all = || self.top().list.iter().flatten();
        let texts: Vec<(String, TreeMove)> = all().map(|it| (it.text.clone(), it.choice)).collect();
        let is_played = all().any(|it| it.after.as_ref().is_some_and(|after| after.game.is_some()));
        let can_move =
            is_played || texts.iter().any(|it| self.try_move(node, &it.0, &it.1).is_some());
        Node {
            game: None,
            mover: Player(1 - node.mover.0.min(1)),
            ending: Some(if can_move { Ending::Loss(node.mover) } else { Ending::Draw }),
            hash: !node.hash,
            board: node.board.clone(),
            changes: Vec::new(),
        }
    }

    /// The number of a move in the list of the state at hand.
    fn find(&mut self, choice: &TreeMove) -> Option<usize> {
        self.list();
        let list = self.top().list.as_ref()?;
        let is_it = |idx: &usize| list.get(*idx).is_some_and(|it| it.choice.key == choice.key);
        let slot = Some(choice.slot()).filter(is_it);
        slot.or_else(|| list.iter().position(|it| it.choice.key == choice.key))
    }

    /// The state after a listed move, kept for the next time.
    fn child(&mut self, choice: &TreeMove) -> Arc<Node> {
        let idx = self.find(choice);
        let frame = self.top();
        let node = Arc::clone(&frame.node);
        let listed = idx.and_then(|it| frame.list.as_ref()?.get(it));
        let Some((text, choice, after)) =
            listed.map(|it| (it.text.clone(), it.choice, it.after.clone()))
        else {
            return Arc::new(self.refused(&node));
        };
        if let Some(after) = after {
            return after;
        }
        let after = match self.try_move(&node, &text, &choice) {
            Some(after) => after,
            None => Arc::new(self.refused(&node)),
        };
        if self.n_kept < MOST_KEPT {
            let list = self.top_mut().list.as_mut();
            if let Some(it) = idx.and_then(|idx| list?.get_mut(idx)) {
                it.after = Some(Arc::clone(&after));
                self.n_kept += 1;
            }
        }
        after
    }
}

impl ScriptedTree for PresetTree {
    fn moves(&mut self, out: &mut Vec<TreeMove>) -> Option<Ending> {
        let ending = self.decided();
        if ending.is_some() {
            return ending;
        }
        self.list();
        out.extend(self.top().list.iter().flatten().map(|it| it.choice));
        // Code that tells no move and does not end the game leaves nothing to search.
        out.is_empty().then_some(Ending::Draw)
    }

    fn decided(&self) -> Option<Ending> {
        self.top().node.ending
    }

    fn play(&mut self, choice: &TreeMove) {
        let node = self.child(choice);
        self.path.push(Frame { node, list: None });
    }

    fn skip(&mut self) {
        let node = Arc::clone(&self.top().node);
        self.path.push(Frame { node, list: None });
    }

    fn undo(&mut self) {
        let list = self.path.pop().and_then(|it| it.list);
        self.n_kept -= list.iter().flatten().filter(|it| it.after.is_some()).count();
    }

    fn ply(&self) -> usize {
        self.path.len()
    }

    fn hash(&self) -> u64 {
        self.top().node.hash
    }

    fn n_repeats(&self) -> u32 {
        let Some((last, earlier)) = self.path.split_last() else { return 0 };
        let states = earlier.iter().chain([&self.root]);
        states.filter(|it| it.node.hash == last.node.hash).count() as u32
    }

    fn mover(&self) -> Player {
        self.top().node.mover
    }

    fn board(&self) -> &[Option<Piece>] {
        &self.top().node.board
    }

    fn changes(&self) -> &[(Site, Option<Piece>, Option<Piece>)] {
        if self.path.is_empty() { &[] } else { &self.top().node.changes }
    }

    fn turn_of(&mut self, choice: &TreeMove) -> String {
        let after = self.child(choice);
        let played = after.game.as_ref().and_then(|it| it.turns().last());
        played.map_or_else(String::new, |it| it.text.clone())
    }

    fn n_steps(&self) -> u64 {
        self.n_steps
    }
}

/// A number for a text, which names a move among those of its state; never that of the pass.
fn key_of(text: &str) -> u32 {
    let mut hasher = FxHasher::default();
    text.hash(&mut hasher);
    (mix(hasher.finish()) as u32).max(1)
}
