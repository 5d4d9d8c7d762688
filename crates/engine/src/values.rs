//! What pieces and places are worth, found by looking at sampled states.
//!
//! A piece is put on every empty site of some dozen states of random play, half
//! of them thinned out, and its moves are counted. The mean is its value, the
//! difference from the mean the value of a place. The moves seen also show how
//! far it is from where to where, and to where a piece becomes a better one.

use std::sync::Arc;

use boardwright_fast::{Fast, GameTree};
use boardwright_game::{BlockKind, Board, PieceKind, Player, Ruleset, Site};
use boardwright_play::{Edit, Effect, Ending, Move, MoveList, Rules, SplitMix64, State};

use crate::{likeness::classes, profile::Profile};

/// How many times moves are generated, all in all.
const BUDGET: usize = 5000;
/// About so many moves are generated, all in all; fewer where each block is run by itself.
const MOVES: usize = 500_000;
const MOVES_SLOW: usize = 25_000;
/// Less would tell nothing.
const LEAST: usize = 300;
/// Further than any way on a board.
pub(crate) const FAR: u16 = u16::MAX;

/// What sampling found out about a kind of piece in a player's hands.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sampled {
    /// By site: twice the moves it has there, plus one for each that captures; summed.
    mobility: Vec<(u32, u32)>,
    /// By site: where it went.
    steps: Vec<Vec<u16>>,
    /// By site: where it went without taking anything.
    quiet: Vec<Vec<u16>>,
    /// By site: what it became in going there.
    becomes: Vec<Vec<(u16, PieceKind)>>,
}

/// What pieces and places are worth.
#[derive(Clone, Debug)]
pub(crate) struct Values {
    pub n_kinds: usize,
    pub n_sites: usize,
    /// By kind, in hundredths of the cheapest.
    pub kinds: Vec<i32>,
    sampled: Vec<Sampled>,
    /// `[(player * n_kinds + kind) * n_sites + site]`: what random games say of a place.
    learned: Vec<i16>,
    /// What having more pieces half way is worth, by random games: up to 50.
    pub lead: i32,
    /// How many units of mobility are one hundredth of value, times 100.
    pub unit: i32,
}

impl Values {
    pub fn new(rules: &Arc<Rules>, fast: Option<&Fast>, profile: &Profile, seed: u64) -> Values {
        let ruleset = &*rules.ruleset;
        let (n_kinds, n_sites) = (ruleset.pieces.len(), ruleset.board.n_sites());
        let blank = Sampled {
            mobility: vec![(0, 0); n_sites],
            steps: vec![Vec::new(); n_sites],
            quiet: vec![Vec::new(); n_sites],
            becomes: vec![Vec::new(); n_sites],
        };
        let mut values = Values {
            n_kinds,
            n_sites,
            kinds: vec![100; n_kinds],
            sampled: vec![blank; ruleset.players.len() * n_kinds],
            learned: Vec::new(),
            lead: 30,
            unit: 100,
        };
        if profile.has_moves && n_kinds > 0 && n_sites > 0 {
            values.sample(rules, fast.is_some(), profile, seed);
            values.weigh(ruleset, profile);
        }
        // Where pieces move, places mean what the other pieces make of them.
        let teaches = profile.counts || !profile.has_moves || profile.has_chance;
        if teaches && profile.movers.len() == 2 {
            values.learn(rules, fast, profile, seed);
        }
        values
    }

    fn slot(&self, player: Player, kind: PieceKind) -> usize {
        player.idx() * self.n_kinds + kind.idx()
    }

    fn sample(&mut self, rules: &Arc<Rules>, is_fast: bool, profile: &Profile, seed: u64) {
        let ruleset = &*rules.ruleset;
        let moves = |kind: &PieceKind| {
            ruleset.pieces[kind.idx()].blocks.iter().any(|it| it.kind == BlockKind::Move)
        };
        let kinds: Vec<PieceKind> = (0..self.n_kinds as u16).map(PieceKind).filter(moves).collect();
        if kinds.is_empty() {
            return;
        }
        let mut rng = SplitMix64::new(seed);
        let mut list = MoveList::new();
        let start = State::start_of(Arc::clone(rules)).generate(&mut list);
        let n_moves = if start.is_ok() { list.len().max(1) } else { 1 };
        let moves = if is_fast { MOVES } else { MOVES_SLOW };
        let budget = (moves / n_moves).clamp(LEAST, BUDGET);
        let n_states = (budget / (kinds.len() * self.n_sites)).clamp(4, 30);
        let wanted = budget / (n_states * kinds.len());
        for number in 0..n_states {
            let Some(mut state) = sampled_state(rules, profile, number, &mut rng) else { continue };
            let Some(owner) = state.turn().map(|it| it.owner) else { continue };
            let empty: Vec<Site> =
                ruleset.board.all_sites().filter(|&it| state.placement().is_empty(it)).collect();
            for &kind in &kinds {
                // A second royal piece would change what is legal.
                if profile.royal[owner.idx()].contains(&kind) {
                    self.note_natural(&mut state, owner, kind, &mut list);
                    continue;
                }
                let step = empty.len().div_ceil(wanted.max(1)).max(1);
                for &site in empty.iter().skip(rng.below(step)).step_by(step) {
                    let undo = state.edit(Edit::Place { player: owner, kind, site });
                    if state.generate(&mut list).is_ok() {
                        self.note(&state, owner, kind, site, &list);
                    }
                    state.undo(undo);
                }
            }
        }
    }

    /// Notes the moves of pieces where they stand.
    fn note_natural(
        &mut self,
        state: &mut State,
        owner: Player,
        kind: PieceKind,
        list: &mut MoveList,
    ) {
        let is_it = |it: &(Site, boardwright_play::Piece)| it.1.owner == owner && it.1.kind == kind;
        let sites: Vec<Site> = state.placement().pieces().filter(is_it).map(|it| it.0).collect();
        if !sites.is_empty() && state.generate(list).is_ok() {
            for site in sites {
                self.note(state, owner, kind, site, list);
            }
        }
    }

    fn note(&mut self, state: &State, owner: Player, kind: PieceKind, site: Site, list: &MoveList) {
        let slot = self.slot(owner, kind);
        let Some(sampled) = self.sampled.get_mut(slot) else { return };
        // What may be done in two ways, as with a choice of promotions, goes to one place.
        let mut gone_to: Vec<(Site, u32)> = Vec::new();
        for mv in list.iter().filter(|it| it.key_sites().0 == Some(site)) {
            let Some(to) = mv.key_sites().1.filter(|&it| it != site) else { continue };
            let takes = takes(state, mv);
            let worth = 2 + u32::from(takes);
            match gone_to.iter_mut().find(|it| it.0 == to) {
                Some(it) => it.1 = it.1.max(worth),
                None => gone_to.push((to, worth)),
            }
            let quiet = &mut sampled.quiet[site.idx()];
            if !takes && !quiet.contains(&to.0) {
                quiet.push(to.0);
            }
            let steps = &mut sampled.steps[site.idx()];
            if !steps.contains(&to.0) {
                steps.push(to.0);
            }
            if let Some(kind) = becomes(mv, to)
                && !sampled.becomes[site.idx()].contains(&(to.0, kind))
            {
                sampled.becomes[site.idx()].push((to.0, kind));
            }
        }
        let total: u32 = gone_to.iter().map(|it| it.1).sum();
        let cell = &mut sampled.mobility[site.idx()];
        *cell = (cell.0 + total, cell.1 + 1);
    }

    /// Turns mobility into values.
    fn weigh(&mut self, ruleset: &Ruleset, profile: &Profile) {
        let mut means = vec![0i64; self.n_kinds];
        for kind in (0..self.n_kinds as u16).map(PieceKind) {
            let (mut sum, mut n) = (0i64, 0i64);
            for &player in &profile.movers {
                let starts = starts(ruleset, player, kind);
                let reach = self.distances(player, kind, &starts);
                let sampled = &self.sampled[self.slot(player, kind)];
                for (site, &(total, count)) in sampled.mobility.iter().enumerate() {
                    let can_stand = starts.is_empty() || reach[site] != FAR;
                    if count > 0 && can_stand {
                        sum += i64::from(total) * 100 / i64::from(count);
                        n += 1;
                    }
                }
            }
            means[kind.idx()] = if n > 0 { sum / n } else { 0 };
        }
        // What a piece may become is a part of what it is worth.
        let hopes: Vec<i64> = (0..self.n_kinds as u16)
            .map(|kind| {
                let of = |player: &Player| &self.sampled[self.slot(*player, PieceKind(kind))];
                let all = profile.movers.iter().flat_map(|it| of(it).becomes.iter().flatten());
                all.map(|it| means[it.1.idx()] - means[kind as usize]).max().unwrap_or(0).max(0)
            })
            .collect();
        for (mean, hope) in means.iter_mut().zip(hopes) {
            *mean += hope / 20;
        }
        let is_royal =
            |kind: usize| profile.royal.iter().any(|it| it.contains(&PieceKind(kind as u16)));
        // The unit is the cheapest kind that the game begins with and that moves.
        let in_play = |kind: usize| {
            let it = PieceKind(kind as u16);
            ruleset.setup.pieces.iter().any(|entry| entry.kind == it)
                || ruleset.setup.hands.iter().any(|entry| entry.kind == it)
        };
        let cheapest = (0..self.n_kinds)
            .filter(|&it| means[it] > 20 && in_play(it) && !is_royal(it))
            .map(|it| means[it])
            .min();
        let Some(cheapest) = cheapest else { return };
        self.unit = cheapest.max(1) as i32;
        for (kind, &mean) in means.iter().enumerate() {
            let mut value = (mean * 100 / cheapest).clamp(0, 3000) as i32;
            if value > 100 {
                value = value * self.freedom(profile, PieceKind(kind as u16)) / 100;
                // One strong piece is worth more than weak ones with as many moves.
                value += value * log2_of(value) / 460;
            }
            self.kinds[kind] = value;
        }
        for (kind, &mean) in means.iter().enumerate() {
            if mean == 0 && !is_royal(kind) {
                // It never moves: worth something only if it can be had or lost.
                self.kinds[kind] = if in_play(kind) { 50 } else { 20 };
            }
        }
    }

    /// A hundred less what a piece loses by being confined to a part of the board, unless it
    /// may become something else.
    fn freedom(&self, profile: &Profile, kind: PieceKind) -> i32 {
        let mut least = 100;
        for &player in &profile.movers {
            let sampled = &self.sampled[self.slot(player, kind)];
            if sampled.becomes.iter().any(|it| !it.is_empty()) {
                return 100;
            }
            let sites: Vec<usize> =
                (0..self.n_sites).filter(|&it| !sampled.steps[it].is_empty()).collect();
            let Some(&first) = sites.get(sites.len() / 2) else { continue };
            let found = spread(&sampled.steps, std::iter::once(first));
            let n_found = found.iter().filter(|&&it| it != FAR).count();
            least = least.min(70 + (30 * n_found / self.n_sites.max(1)) as i32);
        }
        least
    }

    /// What random games say of a piece on a site, in hundredths.
    pub fn learned(&self, player: Player, kind: PieceKind, site: usize) -> i32 {
        let idx = self.slot(player, kind) * self.n_sites + site;
        self.learned.get(idx).copied().map_or(0, i32::from)
    }

    /// Plays random games and sees which places the winner held half way.
    fn learn(&mut self, rules: &Arc<Rules>, fast: Option<&Fast>, profile: &Profile, seed: u64) {
        let start = State::start_of(Arc::clone(rules));
        let mut tree = GameTree::new(fast, &start);
        let mut rng = SplitMix64::new(seed ^ 0x5EED);
        // By piece and place: results and how often it was seen.
        let mut seen = vec![(0i32, 0i32); self.sampled.len() * self.n_sites];
        let mut by_player = vec![(0i32, 0i32); rules.ruleset.players.len()];
        let (mut leads, mut n_leads) = (0i64, 0i64);
        let (mut n_games, mut n_decided) = (0, 0);
        let mut moves = Vec::new();
        // Walking a block step by step takes far longer than running it on sets.
        let is_quick = fast.is_some_and(|it| !it.has_walks());
        let budget = if is_quick { 1_600_000 } else { 200_000 } / self.n_sites.max(1);
        let (mut n_plies, mut length) = (0, self.n_sites);
        while n_plies < budget {
            let stop = length / 3 + rng.below(length / 2 + 1);
            let mut n_played = 0;
            while n_played < stop && tree.moves(&mut moves).is_none() {
                tree.play(&moves[rng.below(moves.len())]);
                n_played += 1;
            }
            let mut n_after = 0;
            let ending = tree.playout(&mut rng, 3 * self.n_sites as u32, |_, _, _| {
                n_after += 1;
                true
            });
            n_plies += n_played + n_after + 1;
            length = (length * 3 + n_played + n_after) / 4;
            let result = |player: Player| match ending {
                Some(Ending::Win(it)) => {
                    if it == player {
                        1
                    } else {
                        -1
                    }
                }
                Some(Ending::Loss(it)) => {
                    if it == player {
                        -1
                    } else {
                        1
                    }
                }
                _ => 0,
            };
            if let (true, [one, other]) = (ending.is_some(), profile.movers.as_slice()) {
                let ahead = i64::from(tree.count_all(*one)) - i64::from(tree.count_all(*other));
                leads += i64::from(result(*one)) * ahead.signum();
                n_leads += i64::from(ahead != 0);
            }
            n_games += 1;
            n_decided += i32::from(!matches!(ending, None | Some(Ending::Draw)));
            if ending.is_some() {
                tree.each_piece(|site, owner, kind| {
                    let at = (owner.idx() * self.n_kinds + kind.idx()) * self.n_sites + site.idx();
                    seen[at] = (seen[at].0 + result(owner), seen[at].1 + 1);
                    let all = &mut by_player[owner.idx()];
                    *all = (all.0 + result(owner), all.1 + 1);
                });
            }
            for _ in 0..n_played {
                tree.undo();
            }
        }
        if n_leads >= 20 {
            self.lead = (leads * 80 / (n_leads + 20)).clamp(0, 50) as i32;
        }
        // Where random games decide little they teach little.
        if n_decided * 2 < n_games {
            return;
        }
        self.share(&rules.ruleset.board, profile, &mut seen);
        let players = &profile.movers;
        self.learned = seen
            .iter()
            .enumerate()
            .map(|(idx, &(sum, n))| {
                let player = idx / (self.n_kinds * self.n_sites).max(1);
                let (all, n_all) = by_player[player];
                if n == 0 || n_all == 0 || !players.contains(&Player(player as u8)) {
                    return 0;
                }
                // The mean beyond the player's own, less sure the rarer it was.
                let over = sum * 1000 / n - all * 1000 / n_all;
                (over * n / (n + 60) / 4).clamp(-150, 150) as i16
            })
            .collect();
    }

    /// Puts together what was seen on sites that are alike and were held about as often.
    fn share(&self, board: &Board, profile: &Profile, seen: &mut [(i32, i32)]) {
        for &player in &profile.movers {
            let classes = classes(board, player);
            let n_classes = classes.iter().max().map_or(0, |it| *it as usize + 1);
            for kind in 0..self.n_kinds {
                let first = (player.idx() * self.n_kinds + kind) * self.n_sites;
                let Some(of_kind) = seen.get_mut(first..first + self.n_sites) else { continue };
                for class in 0..n_classes as u32 {
                    let members = || (0..self.n_sites).filter(|&it| classes[it] == class);
                    let counts = || members().map(|it| of_kind[it].1);
                    let (least, most) = (counts().min().unwrap_or(0), counts().max().unwrap_or(0));
                    if most > least * 2 + 8 {
                        // Held by some and not by others: alike on paper only.
                        continue;
                    }
                    let sum = members()
                        .fold((0, 0), |acc, it| (acc.0 + of_kind[it].0, acc.1 + of_kind[it].1));
                    members().for_each(|it| of_kind[it] = sum);
                }
            }
        }
    }

    /// What a place adds to the value of a piece, in units of mobility times 100 less the mean.
    pub fn mobility_at(&self, player: Player, kind: PieceKind, site: usize) -> Option<i32> {
        let sampled = self.sampled.get(self.slot(player, kind))?;
        let (mut sum, mut n) = (0i64, 0i64);
        for &(total, count) in sampled.mobility.iter().filter(|it| it.1 > 0) {
            sum += i64::from(total) * 100 / i64::from(count);
            n += 1;
        }
        let &(total, count) = sampled.mobility.get(site)?;
        if count == 0 || n == 0 {
            return None;
        }
        Some((i64::from(total) * 100 / i64::from(count) - sum / n) as i32)
    }

    /// By site: how many moves it takes at least to come there from one of `starts`.
    pub fn distances(&self, player: Player, kind: PieceKind, starts: &[Site]) -> Vec<u16> {
        let steps = &self.sampled[self.slot(player, kind)].steps;
        spread(steps, starts.iter().map(|it| it.idx()))
    }

    /// By site: how many moves a piece needs to get from there to one of `goals`.
    pub fn ways_to(
        &self,
        board: &Board,
        player: Player,
        kind: PieceKind,
        goals: &[Site],
    ) -> Vec<u16> {
        let steps = &self.sampled[self.slot(player, kind)].steps;
        let is_known = steps.iter().any(|it| !it.is_empty());
        let mut before: Vec<Vec<u16>> = vec![Vec::new(); self.n_sites];
        for (site, steps) in steps.iter().enumerate() {
            if is_known {
                steps.iter().for_each(|&to| before[to as usize].push(site as u16));
                continue;
            }
            for direction in (0..board.n_directions() as u16).map(boardwright_game::Direction) {
                if let Some(to) = board.step(Site(site as u16), direction) {
                    before[to.idx()].push(site as u16);
                }
            }
        }
        spread(&before, goals.iter().map(|it| it.idx()))
    }

    /// By site: where a piece was seen to go without taking anything.
    pub fn quiet_steps(&self, player: Player, kind: PieceKind) -> &[Vec<u16>] {
        self.sampled.get(self.slot(player, kind)).map_or(&[], |it| &it.quiet)
    }

    /// By site: how many moves until a piece can become something better, and the gain.
    pub fn promotion(&self, player: Player, kind: PieceKind) -> Option<(Vec<u16>, i32)> {
        let sampled = &self.sampled[self.slot(player, kind)];
        let worth = |it: PieceKind| self.kinds.get(it.idx()).copied().unwrap_or(0);
        let all = sampled.becomes.iter().flatten();
        let gain = all.map(|it| worth(it.1) - worth(kind)).max().filter(|&it| it > 0)?;
        let mut before: Vec<Vec<u16>> = vec![Vec::new(); self.n_sites];
        for (site, steps) in sampled.steps.iter().enumerate() {
            for &to in steps {
                before[to as usize].push(site as u16);
            }
        }
        let can = |site: &usize| !sampled.becomes[*site].is_empty();
        Some((spread(&before, (0..self.n_sites).filter(can)), gain))
    }
}

/// Distances from the nearest of `ends`, given for each site where the next step leads.
fn spread(next: &[Vec<u16>], ends: impl Iterator<Item = usize>) -> Vec<u16> {
    let mut found = vec![FAR; next.len()];
    let mut queue: Vec<usize> = Vec::new();
    for site in ends {
        if found.get(site) == Some(&FAR) {
            found[site] = 0;
            queue.push(site);
        }
    }
    let mut at = 0;
    while at < queue.len() {
        let site = queue[at];
        at += 1;
        for &to in &next[site] {
            if found[to as usize] == FAR {
                found[to as usize] = found[site] + 1;
                queue.push(to as usize);
            }
        }
    }
    found
}

/// Thirty-two times the binary logarithm of a number of hundredths, by straight lines.
fn log2_of(hundredths: i32) -> i32 {
    let n = hundredths.max(100) * 32 / 100;
    let whole = n.ilog2() as i32;
    32 * (whole - 5) + ((32 * (n - (1 << whole))) >> whole)
}

/// Where pieces of a kind begin.
fn starts(ruleset: &Ruleset, player: Player, kind: PieceKind) -> Vec<Site> {
    let mine = ruleset.setup.pieces.iter().filter(|it| it.player == player && it.kind == kind);
    mine.map(|it| it.site).collect()
}

fn takes(state: &State, mv: &Move) -> bool {
    let lands =
        mv.movements().iter().filter_map(Effect::arrives).any(|it| !state.placement().is_empty(it));
    lands || mv.captures().next().is_some()
}

fn becomes(mv: &Move, to: Site) -> Option<PieceKind> {
    mv.promotion().or_else(|| {
        mv.effects.iter().find_map(|it| match *it {
            Effect::TurnInto { kind, site } if site == to => Some(kind),
            _ => None,
        })
    })
}

/// A state of random play, with the mover not in check; every second one is thinned out.
fn sampled_state(
    rules: &Arc<Rules>,
    profile: &Profile,
    number: usize,
    rng: &mut SplitMix64,
) -> Option<State> {
    let mut list = MoveList::new();
    for _ in 0..20 {
        let mut state = State::start_of(Arc::clone(rules));
        let n_plies = 4 + rng.below(36);
        for _ in 0..n_plies {
            state.generate(&mut list).ok()?;
            let Some(mv) = list.drawn(rng.below(list.total_weight() as usize) as u64) else {
                break;
            };
            state.play_unchecked(mv).ok()?;
        }
        for _ in 0..8 {
            // The same player's turns must come up as well as the other's.
            let wanted = profile.movers.get(number / 2 % profile.movers.len().max(1));
            if state.mover() == wanted.copied() && state.going_on().is_none() {
                break;
            }
            state.generate(&mut list).ok()?;
            let Some(mv) = list.drawn(rng.below(list.total_weight() as usize) as u64) else {
                break;
            };
            state.play_unchecked(mv).ok()?;
        }
        if number % 2 == 1 {
            let is_royal =
                |it: &boardwright_play::Piece| profile.royal[it.owner.idx()].contains(&it.kind);
            let pieces: Vec<_> = state.placement().pieces().collect();
            for (site, piece) in pieces {
                if !is_royal(&piece) && rng.below(10) < 6 {
                    state.edit(Edit::Remove { site });
                }
            }
        }
        let fit = state.decided().is_none()
            && !state.is_chance()
            && !(profile.has_check && GameTree::new(None, &state).is_in_check());
        if fit {
            return Some(state);
        }
    }
    None
}
