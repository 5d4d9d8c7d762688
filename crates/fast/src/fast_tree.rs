//! The tree of a game in its fast form: a stack of states.

mod hints;

use boardwright_game::{PieceKind, Player, Site};
use boardwright_play::{
    Ending, Move, Outcome, Reason, SplitMix64, State,
    semantics::{NOWHERE, mix, piece_key, turn_key},
};

use hints::{Hint, choice, differences, last_askers, sign};

use crate::{
    arena::{Arena, View, is_made},
    bits::Bits,
    game::{FastGame, FastState, GenBuffers, Start, Tier},
    graph::{Change, Loc},
    lanes::{FIRST_KIND, LAST_FROM, LAST_TO, Lanes, NONE},
    script::{Out, Script},
    shape::Way,
    tree::{MoveCounts, TreeMove},
};

/// A stack of states, the last of which is where the game is.
pub(crate) struct FastTree<'a, const W: usize> {
    game: &'a FastGame<W>,
    stack: Vec<FastState<W>>,
    at: usize,
    /// By ply: how much of the history led here.
    n_history: Vec<usize>,
    /// Keys of the states since the game began; see `earlier`.
    history: Vec<u64>,
    /// Keys, as a plain state has them, of the states before the tree began. Their
    /// places in `history` get the fast form's keys when such a state is met again.
    earlier: Vec<u64>,
    /// By ply: the key as a plain state has it; kept only where `earlier` is asked.
    plain_keys: Vec<u64>,
    buffers: GenBuffers<W>,
    /// By ply: moves last listed there that no template foresaw, and the hash of the
    /// state they are of.
    arenas: Vec<(Arena, u64)>,
    hints: Vec<Hint>,
    /// By turn: the blocks that ask for the last move; `None` if one cannot be asked so.
    last_askers: Vec<Option<Vec<Script<W>>>>,
    has_hands: bool,
    has_walks: bool,
}

impl<'a, const W: usize> FastTree<'a, W> {
    pub fn new(game: &'a FastGame<W>, state: &State) -> FastTree<'a, W> {
        let it = game.fast_state_of(state);
        let mut history = state.repetition_keys().to_vec();
        history.pop();
        let earlier = history.clone();
        for key in &mut history {
            if *key == state.repetition_key() {
                *key = game.key(&it);
            }
        }
        history.push(game.key(&it));
        let hint = |idx: usize| {
            let template = &game.blocks.templates[idx];
            Hint::new(game.blocks.shapes[idx].way, template.lazy.is_some(), &template.view())
        };
        FastTree {
            hints: (0..game.blocks.templates.len()).map(hint).collect(),
            last_askers: last_askers(game),
            has_hands: !game.rules.droppers().is_empty()
                || game.rules.ruleset.options.include_off_pieces,
            has_walks: game.has_walks(),
            buffers: game.buffers(),
            arenas: vec![(Arena::default(), 0)],
            n_history: vec![history.len()],
            plain_keys: vec![state.repetition_key()],
            history,
            earlier,
            stack: vec![it],
            at: 0,
            game,
        }
    }

    #[inline]
    fn it(&self) -> &FastState<W> {
        &self.stack[self.at]
    }

    pub fn moves(&mut self, out: &mut Vec<TreeMove>) -> Option<Ending> {
        let ending = self.list(out, |_, _, _, _| true);
        if ending.is_none() && self.is_chance() {
            self.join_equals(out);
        }
        ending
    }

    pub fn loud_moves(
        &mut self,
        near: &[bool],
        out: &mut Vec<TreeMove>,
    ) -> Result<MoveCounts, Ending> {
        let mut tally = MoveCounts::default();
        let ending = self.list(out, |game, it, hint, lane| {
            let to = hint.to.at(lane);
            let site = game.layout.site(to).idx();
            tally.n_near += u32::from(near.get(site).copied().unwrap_or(false));
            tally.n_moves += u32::from(!hint.is_drop);
            hint.is_loud() || hint.lands(it, to) != 0
        });
        if out.last().is_some_and(TreeMove::is_pass) {
            out.pop();
        }
        ending.map_or(Ok(tally), Err)
    }

    /// Lists the moves that are wanted; `wants` is asked about all but the pass.
    #[inline]
    fn list(
        &mut self,
        out: &mut Vec<TreeMove>,
        mut wants: impl FnMut(&FastGame<W>, &FastState<W>, &Hint, usize) -> bool,
    ) -> Option<Ending> {
        let it = &mut self.stack[self.at];
        if let Some(outcome) = it.decided {
            return Some(outcome.ending);
        }
        let passes = self.game.generate(it, &mut self.buffers);
        if self.buffers.halt.is_some() {
            return Some(Ending::Draw);
        }
        let (game, it) = (self.game, &self.stack[self.at]);
        let is_stuck = self.buffers.runs.iter().all(|it| it.lanes.is_empty()) && !passes;
        for run in &self.buffers.runs {
            if run.from == NONE && is_made(run.template) {
                let view = self.buffers.arena.view(run.template);
                let hint = Hint::new(Way::Other, false, &view);
                let text = mix(game.text_key(it, &view, 0));
                for lane in run.lanes.iter() {
                    if !wants(game, it, &hint, lane) {
                        continue;
                    }
                    let mut choice = choice(game, it, &hint, run.template, lane);
                    choice.key = text as u32 | 1;
                    out.push(choice);
                }
                continue;
            }
            for (id, lane) in game.each_of(*run) {
                let hint = &self.hints[id as usize];
                if wants(game, it, hint, lane) {
                    out.push(choice(game, it, hint, id, lane));
                }
            }
        }
        if self.has_walks {
            let signature = sign(it);
            let (arena, of) = &mut self.arenas[self.at];
            std::mem::swap(arena, &mut self.buffers.arena);
            *of = signature;
        }
        if passes {
            out.push(TreeMove::PASS);
        }
        if is_stuck {
            let it = &mut self.stack[self.at];
            let probe = &mut self.buffers.probe;
            let attacked = self.game.safety.attacked_royals(self.game, it, probe);
            return Some(self.game.when_stuck(it, &attacked).ending);
        }
        None
    }

    /// A chance player's equal moves become one with more weight.
    fn join_equals(&self, out: &mut Vec<TreeMove>) {
        let same = |it: &TreeMove| {
            if it.is_pass() {
                return (u32::MAX, 0);
            }
            if is_made(it.slot) {
                return (it.key | 1 << 31, 0);
            }
            (self.game.blocks.canonical[it.slot as usize], it.lane)
        };
        let mut kept: Vec<TreeMove> = Vec::new();
        for choice in out.iter() {
            match kept.iter_mut().find(|it| same(it) == same(choice)) {
                Some(it) => it.weight = it.weight.saturating_add(1),
                None => kept.push(*choice),
            }
        }
        *out = kept;
    }

    pub fn decided(&self) -> Option<Ending> {
        self.it().decided.map(|it| it.ending)
    }

    /// Makes room for the next ply and copies the state there.
    #[inline]
    fn step(&mut self) {
        self.at += 1;
        if self.stack.len() <= self.at {
            self.stack.push(self.stack[self.at - 1].clone());
            self.n_history.push(0);
            self.plain_keys.push(0);
            self.arenas.push((Arena::default(), 0));
        } else {
            let (before, after) = self.stack.split_at_mut(self.at);
            after[0].clone_from(&before[self.at - 1]);
        }
    }

    #[inline]
    pub fn play(&mut self, choice: &TreeMove) {
        if choice.is_pass() {
            self.skip();
            return;
        }
        let (id, lane) = self.place(choice);
        self.step();
        let it = &mut self.stack[self.at];
        let arena = &self.arenas[self.at - 1].0;
        let finder = &mut self.buffers.finder;
        let goes_on = self.game.make(it, arena, id, lane, &self.history, finder);
        self.game.finish(it, goes_on, &mut self.history, &mut self.buffers);
        if goes_on && self.buffers.halt.is_some() {
            it.decided = Some(Outcome { ending: Ending::Draw, reason: Reason::Stalemate });
        }
        self.arrived();
    }

    /// The number and lane of a choice; moves without a template are listed again if needed.
    #[inline]
    fn place(&mut self, choice: &TreeMove) -> (u32, usize) {
        if !is_made(choice.slot) || self.arenas[self.at].1 == sign(self.it()) {
            return (choice.slot, choice.lane as usize);
        }
        let mut list = Vec::new();
        self.moves(&mut list);
        let same = list.iter().find(|it| it.key == choice.key).or(list.first());
        same.map_or((0, 0), |it| (it.slot, it.lane as usize))
    }

    pub fn skip(&mut self) {
        self.step();
        self.game.pass(&mut self.stack[self.at], &mut self.history);
        self.arrived();
    }

    fn arrived(&mut self) {
        self.n_history[self.at] = self.history.len();
        // Nothing before the tree began can come back after an irreversible move.
        if self.earlier.is_empty() || self.stack[self.at].since as usize >= self.earlier.len() {
            return;
        }
        self.look_back();
    }

    /// Gives a state of before the tree its key, if this is it, and judges again.
    fn look_back(&mut self) {
        let before = self.stack[self.at - 1].turn as usize;
        let mut key = self.plain_keys[self.at - 1] ^ turn_key(before);
        let (game, it) = (self.game, &self.stack[self.at]);
        let plain = |site: Site, code: u16| {
            if code == 0 {
                return 0;
            }
            let (owner, kind, attributes) = game.pieces.codes.parts(code);
            let (owner, kind) = (Player(owner as u8), PieceKind(kind as u16));
            piece_key(site, owner, kind, attributes.into())
        };
        differences(&self.stack[self.at - 1], it, |lane, old, new| {
            let site = game.layout.site(lane);
            key ^= plain(site, old) ^ plain(site, new);
        });
        key ^= turn_key(it.turn as usize);
        self.plain_keys[self.at] = key;
        if it.going_on.is_some() {
            return;
        }
        let mut is_new = false;
        let fast_key = game.key(it);
        for (idx, &earlier) in self.earlier.iter().enumerate() {
            if earlier == key && self.history[idx] != fast_key {
                self.history[idx] = fast_key;
                is_new = true;
            }
        }
        if is_new {
            let decided = game.after_turn(it, before, &self.history);
            self.stack[self.at].decided = decided;
        }
    }

    #[inline]
    pub fn undo(&mut self) {
        if self.at > 0 {
            self.at -= 1;
            self.history.truncate(self.n_history[self.at]);
        }
    }

    pub fn ply(&self) -> usize {
        self.at
    }

    pub fn hash(&mut self) -> u64 {
        let asks_last = self.game.rules.uses_last() && self.last_matters();
        let it = self.it();
        let mut hash = it.hash.wrapping_add(u64::from(it.turn).wrapping_mul(0x9E37_79B9_7F4A_7C15));
        if self.has_hands {
            let n = self.game.pieces.new_codes.len();
            for (slot, &count) in it.hands[..n].iter().enumerate() {
                hash ^= (u64::from(count) << 8 | slot as u64).wrapping_mul(0xD6E8_FEB8_6659_FD93);
                hash = hash.rotate_left(5);
            }
        }
        if let Some((lane, move_type)) = it.going_on {
            let next = move_type.map_or(0, |it| u64::from(it.0) + 1);
            hash ^= mix(u64::from(lane) << 20 ^ next ^ 3 << 60);
            hash = hash.wrapping_add(it.taken);
        }
        if asks_last {
            hash ^= mix(5 << 60 ^ u64::from(it.last_from) << 20 ^ u64::from(it.last_to));
        }
        mix(hash)
    }

    /// Whether the next moves would be others if the last had been another.
    fn last_matters(&mut self) -> bool {
        let game = self.game;
        let it = &mut self.stack[self.at];
        if it.last_to == NOWHERE && it.last_from == NOWHERE {
            return false;
        }
        if it.going_on.is_some() {
            return true;
        }
        let Some(askers) = &self.last_askers[it.turn as usize] else { return true };
        let owner = game.owner_of(it);
        game.look_as(it, owner);
        let GenBuffers { registers, runs, asks, .. } = &mut self.buffers;
        let mut offers = |it: &FastState<W>| {
            runs.clear();
            asks.clear();
            for script in askers {
                script.run(it, game.layout.all, registers, &mut Out { runs, asks });
            }
            let mut sign = 0u64;
            for run in runs.iter().chain(asks.iter()) {
                for word in run.lanes.0 {
                    sign = mix(sign ^ u64::from(run.template) ^ u64::from(run.from) << 32)
                        .wrapping_add(word);
                }
            }
            sign
        };
        let with = offers(it);
        let kept = (it.sets[LAST_FROM], it.sets[LAST_TO]);
        (it.sets[LAST_FROM], it.sets[LAST_TO]) = (Bits::NONE, Bits::NONE);
        let without = offers(it);
        (it.sets[LAST_FROM], it.sets[LAST_TO]) = kept;
        runs.clear();
        asks.clear();
        with != without
    }

    #[inline]
    pub fn n_repeats(&self) -> u32 {
        let it = self.it();
        if it.going_on.is_some() || self.game.goals.never_repeats || self.game.rules.is_solitaire()
        {
            return 0;
        }
        self.game.n_earlier(&self.history, it.since as usize) as u32
    }

    pub fn turn_idx(&self) -> usize {
        self.it().turn as usize
    }

    pub fn mover(&self) -> Player {
        self.game.rules.ruleset.turn_order.turns[self.it().turn as usize].mover
    }

    pub fn owner(&self) -> Player {
        self.game.rules.ruleset.turn_order.turns[self.it().turn as usize].owner
    }

    pub fn is_chance(&self) -> bool {
        self.game.rules.ruleset.players[self.mover().idx()].is_random
    }

    pub fn is_going_on(&self) -> bool {
        self.it().going_on.is_some()
    }

    pub fn is_in_check(&mut self) -> bool {
        let probe = &mut self.buffers.probe;
        probe.begin();
        self.game.safety.is_in_check(self.game, &mut self.stack[self.at], probe)
    }

    #[inline]
    pub fn exchange(&self, choice: &TreeMove, worth: &[i32]) -> Option<i32> {
        self.game.exchange(self.it(), choice, worth)
    }

    #[inline]
    pub fn piece(&self, site: Site) -> Option<(Player, PieceKind)> {
        let lane = *self.game.layout.lane_of.get(site.idx())?;
        self.what(self.it().cell(lane as usize))
    }

    #[inline]
    fn what(&self, code: u16) -> Option<(Player, PieceKind)> {
        (code != 0).then(|| {
            let (owner, kind, _) = self.game.pieces.codes.parts(code);
            (Player(owner as u8), PieceKind(kind as u16))
        })
    }

    #[inline]
    pub fn each_piece(&self, mut take: impl FnMut(Site, Player, PieceKind)) {
        let it = self.it();
        for owner in self.game.rules.ruleset.all_players() {
            let mine = it.sets[self.game.owner_set(owner)];
            for lane in mine.iter() {
                let (_, kind, _) = self.game.pieces.codes.parts(it.cell(lane));
                take(self.game.layout.site(lane), owner, PieceKind(kind as u16));
            }
        }
    }

    #[inline]
    pub fn each_change(
        &self,
        mut take: impl FnMut(Site, Option<(Player, PieceKind)>, Option<(Player, PieceKind)>),
    ) {
        let Some(before) = self.at.checked_sub(1) else { return };
        differences(&self.stack[before], self.it(), |lane, old, new| {
            let (old, new) = (self.what(old), self.what(new));
            if old != new {
                take(self.game.layout.site(lane), old, new);
            }
        });
    }

    #[inline]
    pub fn count(&self, owner: Player, kind: PieceKind) -> u32 {
        let it = self.it();
        (it.sets[self.game.owner_set(owner)] & it.sets[FIRST_KIND + kind.idx()]).count()
    }

    #[inline]
    pub fn count_all(&self, owner: Player) -> u32 {
        self.it().sets[self.game.owner_set(owner)].count()
    }

    #[inline]
    pub fn hand(&self, owner: Player, kind: PieceKind) -> u32 {
        u32::from(self.it().hands[self.game.hand_slot(owner, kind)])
    }

    pub fn move_of(&mut self, choice: &TreeMove) -> Move {
        if choice.is_pass() {
            return Move::pass();
        }
        let (id, lane) = self.place(choice);
        let it = &mut self.stack[self.at];
        // Lazy effects are found by what is friend and enemy to the owner.
        let owner = self.game.owner_of(it);
        self.game.look_as(it, owner);
        self.game.to_move(it, &self.arenas[self.at].0, id, lane)
    }

    /// Plays random moves as one step, which one [`undo`](FastTree::undo) takes back.
    pub fn play_on(
        &mut self,
        rng: &mut SplitMix64,
        max_plies: u32,
        mut seen: impl FnMut(Player, Option<Site>, Option<Site>) -> bool,
    ) -> Option<Ending> {
        self.n_history[self.at] = self.history.len();
        self.step();
        let FastTree { game, stack, at, history, buffers, hints, .. } = self;
        let it = &mut stack[*at];
        let mut ending = None;
        buffers.begin();
        for _ in 0..max_plies {
            if let Some(outcome) = it.decided {
                ending = Some(outcome.ending);
                break;
            }
            let passes = game.generate_next(it, buffers);
            let n_moves: u32 = buffers.runs.iter().map(|it| it.lanes.count()).sum();
            let n = n_moves + u32::from(passes);
            let mover = game.order.turns[it.turn as usize].mover;
            if buffers.halt.is_some() {
                ending = Some(Ending::Draw);
                break;
            }
            if n == 0 {
                let attacked = game.safety.attacked_royals(game, it, &mut buffers.probe);
                ending = Some(game.when_stuck(it, &attacked).ending);
                break;
            }
            let mut pick = rng.below(n as usize) as u32;
            if pick == n_moves {
                if !seen(mover, None, None) {
                    break;
                }
                game.pass(it, history);
                continue;
            }
            let mut chosen = (0, 0);
            for run in &buffers.runs {
                let count = run.lanes.count();
                if pick < count {
                    chosen = game.one_of(run, run.lanes.nth(pick));
                    break;
                }
                pick -= count;
            }
            let (template, lane) = chosen;
            let (from, to, is_drop) = if is_made(template) {
                let view = buffers.arena.view(template);
                let (from, to) = view.movements[0];
                (from, to, view.is_drop || (view.is_copy && view.movements.len() == 1))
            } else {
                let hint = &hints[template as usize];
                (hint.from, hint.to, hint.is_drop)
            };
            let site = |at: Loc| Some(game.layout.site(at.at(lane)));
            if !seen(mover, site(from).filter(|_| !is_drop), site(to)) {
                break;
            }
            game.play(it, template, lane, history, buffers);
        }
        ending
    }
}
