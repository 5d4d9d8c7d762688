//! The tree of a game whose rules have no fast form.

use std::hash::{Hash, Hasher};

use boardwright_game::{PieceKind, Player, Site};
use boardwright_play::{Effect, Ending, Move, MoveList, SplitMix64, State, Undo, semantics::mix};
use rustc_hash::FxHasher;

use super::{MoveCounts, TreeMove};

/// A plain state with what is needed to go back.
pub(crate) struct PlainTree {
    state: State,
    /// How to take each move back; `None` for one that could not be played.
    undos: Vec<Option<Undo>>,
    /// By ply: the moves last listed there.
    lists: Vec<MoveList>,
    /// By ply: the hash of the state whose moves those are.
    listed: Vec<u64>,
    /// How many of the last moves could not be played: a dead end.
    n_halted: usize,
}

impl PlainTree {
    pub fn new(state: &State) -> PlainTree {
        PlainTree {
            state: state.clone(),
            undos: Vec::new(),
            lists: Vec::new(),
            listed: Vec::new(),
            n_halted: 0,
        }
    }

    pub fn moves(&mut self, out: &mut Vec<TreeMove>) -> Option<Ending> {
        if self.n_halted > 0 {
            return Some(Ending::Draw);
        }
        let ply = self.undos.len();
        if self.lists.len() <= ply {
            self.lists.resize_with(ply + 1, MoveList::new);
            self.listed.resize(ply + 1, 0);
        }
        self.listed[ply] = self.state.hash();
        let PlainTree { state, lists, .. } = self;
        let list = &mut lists[ply];
        if state.generate(list).is_err() {
            return Some(Ending::Draw);
        }
        if list.is_empty() {
            // A ruleset without turns has no outcome; nothing can be done in it either.
            let outcome = state.outcome_given(list).ok().flatten();
            return Some(outcome.map_or(Ending::Draw, |it| it.ending));
        }
        for (idx, mv) in list.iter().enumerate() {
            let weight = list.weight(idx).min(u32::from(u16::MAX)) as u16;
            out.push(TreeMove { slot: idx as u32, weight, ..choice(state, mv) });
        }
        None
    }

    pub fn loud_moves(
        &mut self,
        near: &[bool],
        out: &mut Vec<TreeMove>,
    ) -> Result<MoveCounts, Ending> {
        if let Some(ending) = self.moves(out) {
            return Err(ending);
        }
        Ok(MoveCounts::of_all(near, out))
    }

    pub fn decided(&self) -> Option<Ending> {
        if self.n_halted > 0 {
            return Some(Ending::Draw);
        }
        self.state.decided().map(|it| it.ending)
    }

    /// The move of a choice; lists the moves again if another state's are listed here.
    fn found(&mut self, choice: &TreeMove) -> Option<&Move> {
        let ply = self.undos.len();
        let mut slot = choice.slot as usize;
        if self.listed.get(ply) != Some(&self.state.hash()) {
            let mut list = Vec::new();
            self.moves(&mut list);
            slot = list.iter().position(|it| it.key == choice.key)?;
        }
        self.lists.get(ply)?.get(slot)
    }

    pub fn play(&mut self, choice: &TreeMove) {
        let mv = if self.n_halted == 0 { self.found(choice).cloned() } else { None };
        let undo = mv.and_then(|it| self.state.play_unchecked(&it).ok());
        self.n_halted += usize::from(undo.is_none());
        self.undos.push(undo);
    }

    pub fn skip(&mut self) {
        let undo = self.state.play_unchecked(&Move::pass()).ok();
        self.n_halted += usize::from(undo.is_none());
        self.undos.push(undo);
    }

    pub fn undo(&mut self) {
        match self.undos.pop() {
            Some(Some(undo)) => self.state.undo(undo),
            Some(None) => self.n_halted -= 1,
            None => {}
        }
    }

    pub fn ply(&self) -> usize {
        self.undos.len()
    }

    pub fn hash(&mut self) -> u64 {
        self.state.hash()
    }

    pub fn n_repeats(&self) -> u32 {
        if self.state.going_on().is_some() || self.state.rules().is_solitaire() {
            return 0;
        }
        let keys = self.state.repetition_keys();
        let Some((last, earlier)) = keys.split_last() else { return 0 };
        earlier.iter().rev().take(2000).filter(|&it| it == last).count() as u32
    }

    pub fn turn_idx(&self) -> usize {
        self.state.turn_idx()
    }

    pub fn mover(&self) -> Player {
        self.state.mover().unwrap_or(Player(0))
    }

    pub fn owner(&self) -> Player {
        self.state.turn().map_or(Player(0), |it| it.owner)
    }

    pub fn is_chance(&self) -> bool {
        self.state.is_chance()
    }

    pub fn is_going_on(&self) -> bool {
        self.state.going_on().is_some()
    }

    pub fn is_in_check(&mut self) -> bool {
        let owner = self.owner();
        let has_royal =
            self.state.rules().royal_kinds().get(owner.idx()).is_some_and(|it| !it.is_empty());
        has_royal && self.state.is_in_check().unwrap_or(false)
    }

    /// Who could take what is not known here without trying.
    pub fn exchange(&self, _choice: &TreeMove, _worth: &[i32]) -> Option<i32> {
        None
    }

    pub fn piece(&self, site: Site) -> Option<(Player, PieceKind)> {
        self.state.placement().get(site).map(|it| (it.owner, it.kind))
    }

    pub fn each_piece(&self, mut take: impl FnMut(Site, Player, PieceKind)) {
        for (site, piece) in self.state.placement().pieces() {
            take(site, piece.owner, piece.kind);
        }
    }

    pub fn each_change(
        &self,
        mut take: impl FnMut(Site, Option<(Player, PieceKind)>, Option<(Player, PieceKind)>),
    ) {
        let Some(Some(undo)) = self.undos.last() else { return };
        for (idx, (site, piece)) in undo.replaced().enumerate() {
            // Only the first note of a site tells what stood there before the move.
            if undo.replaced().take(idx).all(|it| it.0 != site) {
                let (before, after) = (piece.map(|it| (it.owner, it.kind)), self.piece(site));
                if before != after {
                    take(site, before, after);
                }
            }
        }
    }

    pub fn count(&self, owner: Player, kind: PieceKind) -> u32 {
        self.state.placement().count(owner, kind)
    }

    pub fn count_all(&self, owner: Player) -> u32 {
        self.state.placement().count_all(owner)
    }

    pub fn hand(&self, owner: Player, kind: PieceKind) -> u32 {
        self.state.hand(owner, kind)
    }

    pub fn move_of(&mut self, choice: &TreeMove) -> Move {
        self.found(choice).cloned().unwrap_or_default()
    }

    /// Plays random moves, each a step of its own.
    pub fn play_on(
        &mut self,
        rng: &mut SplitMix64,
        max_plies: u32,
        mut seen: impl FnMut(Player, Option<Site>, Option<Site>) -> bool,
    ) -> Option<Ending> {
        let mut list = MoveList::new();
        let mut ending = None;
        for _ in 0..max_plies {
            if self.n_halted > 0 || self.state.generate(&mut list).is_err() {
                ending = Some(Ending::Draw);
                break;
            }
            if list.is_empty() {
                let outcome = self.state.outcome_given(&list).ok().flatten();
                ending = Some(outcome.map_or(Ending::Draw, |it| it.ending));
                break;
            }
            let ticket = rng.below(list.total_weight() as usize) as u64;
            let Some(mv) = list.drawn(ticket) else { break };
            let (from, to) = mv.key_sites();
            if !seen(self.mover(), from, to) {
                break;
            }
            let undo = self.state.play_unchecked(mv).ok();
            self.n_halted += usize::from(undo.is_none());
            self.undos.push(undo);
        }
        ending
    }
}

/// What a move does, as hints.
fn choice(state: &State, mv: &Move) -> TreeMove {
    if mv.is_pass() {
        return TreeMove::PASS;
    }
    let mut hasher = FxHasher::default();
    mv.hash(&mut hasher);
    let key = (mix(hasher.finish()) as u32).max(1);
    let (from, to) = mv.key_sites();
    let on = |site: Site| state.placement().get(site);
    let kind = match mv.effects.first() {
        Some(Effect::Drop { kind, .. }) => Some(*kind),
        _ => from.and_then(on).map(|it| it.kind),
    };
    let mut it = TreeMove {
        key,
        from,
        to,
        kind,
        becomes: mv.promotion(),
        is_drop: matches!(mv.effects.first(), Some(Effect::Drop { .. } | Effect::Copy { .. })),
        is_partial: mv.partial.is_some(),
        ..TreeMove::PASS
    };
    let is_mover = |site: Site| {
        mv.effects.iter().any(|it| matches!(*it, Effect::Walk { from, .. } if from == site))
    };
    for effect in &mv.effects {
        let gone = match *effect {
            Effect::Walk { from, to } if from != to => on(to).filter(|_| !is_mover(to)),
            Effect::Copy { to, .. } | Effect::Drop { to, .. } => on(to),
            Effect::Create { site, .. } | Effect::Capture { site } => on(site),
            Effect::TurnInto { kind, site } => {
                if Some(site) == to {
                    it.becomes = Some(kind);
                }
                None
            }
            Effect::Flip { .. } | Effect::GiveTo { .. } => {
                it.n_turned = it.n_turned.saturating_add(1);
                None
            }
            _ => None,
        };
        if let Some(piece) = gone {
            it.n_taken = it.n_taken.saturating_add(1);
            it.victim.get_or_insert((piece.owner, piece.kind));
        }
    }
    it.becomes = it.becomes.filter(|&becomes| Some(becomes) != it.kind);
    it
}
