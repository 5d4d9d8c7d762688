//! Values of kinds and sites, measured by sampling.
//!
//! A piece is put on the empty sites of a few dozen states of random play, half of them with
//! most pieces removed, and its moves are counted. The mean is the value of its kind, the
//! difference from the mean the value of a site. The moves seen also give distances between
//! sites and to promotion.

mod played;
mod work_meter;

use std::sync::Arc;

use boardwright_fast::{Fast, GameTree};
use boardwright_game::{BlockKind, Board, Direction, PieceKind, Player, Ruleset, Site};
use boardwright_play::{Edit, Effect, Ending, Move, MoveList, Rules, SplitMix64, State};

use self::work_meter::WorkMeter;
use crate::{
    distance::{UNREACHABLE, distances, reversed},
    profile::Profile,
    symmetry::site_classes,
};

/// Largest number of states whose moves are generated.
const STATE_BUDGET: usize = 5000;
/// Smallest number: fewer would give no usable mean.
const LEAST_STATES: usize = 300;
/// Number of moves that are generated in all, about.
const MOVE_BUDGET: usize = 500_000;
/// The same without a fast form of the rules.
const MOVE_BUDGET_PLAIN: usize = 25_000;

/// What sampling found out about a player's pieces of one kind.
#[derive(Clone, Debug, Default)]
struct KindSample {
    /// By site: the sum of twice its moves plus one for each capture, and the number of
    /// samples.
    mobility: Vec<(u32, u32)>,
    /// By site: where it moved.
    steps: Vec<Vec<Site>>,
    /// By site: where it moved without a capture.
    quiet: Vec<Vec<Site>>,
    /// By site: where it promoted, and to what.
    promotions: Vec<Vec<(Site, PieceKind)>>,
}

/// Values of kinds and sites.
#[derive(Clone, Debug)]
pub(crate) struct Values {
    pub n_kinds: usize,
    pub n_sites: usize,
    /// By kind: its value in points, hundredths of the cheapest kind.
    pub kinds: Vec<i32>,
    sampled: Vec<KindSample>,
    /// `[(player * n_kinds + kind) * n_sites + site]`: site values learned from playouts, in
    /// points. Empty if nothing was learned.
    learned: Vec<i16>,
    /// Where the most pieces win: the value of one piece, learned from playouts, in points.
    pub lead: i32,
}

impl Values {
    /// Values of which nothing was measured yet.
    fn blank(ruleset: &Ruleset) -> Values {
        let (n_kinds, n_sites) = (ruleset.pieces.len(), ruleset.board.n_sites());
        let blank = KindSample {
            mobility: vec![(0, 0); n_sites],
            steps: vec![Vec::new(); n_sites],
            quiet: vec![Vec::new(); n_sites],
            promotions: vec![Vec::new(); n_sites],
        };
        Values {
            n_kinds,
            n_sites,
            kinds: vec![100; n_kinds],
            sampled: vec![blank; ruleset.players.len() * n_kinds],
            learned: Vec::new(),
            lead: 30,
        }
    }

    pub fn new(rules: &Arc<Rules>, fast: Option<&Fast>, profile: &Profile, seed: u64) -> Values {
        let ruleset = &*rules.ruleset;
        let mut values = Values::blank(ruleset);
        if profile.has_moves && values.n_kinds > 0 && values.n_sites > 0 {
            values.sample(rules, fast.is_some(), profile, seed);
            values.set_kind_values(ruleset, profile);
        }
        // Where pieces move about, the value of a site depends on the other pieces.
        let learns = profile.counts_pieces || !profile.has_moves || profile.has_chance;
        if learns && profile.movers.len() == 2 {
            values.learn_from_playouts(rules, fast, profile, seed);
        }
        values
    }

    fn slot(&self, player: Player, kind: PieceKind) -> usize {
        player.idx() * self.n_kinds + kind.idx()
    }

    /// Samples the mobility of every kind that moves.
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
        let meter = WorkMeter::default();
        let start = meter.start_of(rules).generate(&mut list);
        let n_moves = if start.is_ok() { list.len().max(1) } else { 1 };
        let moves = if is_fast { MOVE_BUDGET } else { MOVE_BUDGET_PLAIN };
        let budget = (moves / n_moves).clamp(LEAST_STATES, STATE_BUDGET);
        let n_states = (budget / (kinds.len() * self.n_sites)).clamp(4, 30);
        let wanted = budget / (n_states * kinds.len());
        for number in 0..n_states {
            if meter.is_spent() {
                return;
            }
            let sampled = sampled_state(rules, profile, number, &mut rng, &meter);
            let Some(mut state) = sampled else { continue };
            let Some(owner) = state.turn().map(|it| it.owner) else { continue };
            let empty: Vec<Site> =
                ruleset.board.all_sites().filter(|&it| state.placement().is_empty(it)).collect();
            for &kind in &kinds {
                // A second royal piece would change which moves are legal.
                if profile.royal[owner.idx()].contains(&kind) {
                    self.record_in_place(&mut state, owner, kind, &mut list);
                    continue;
                }
                let step = empty.len().div_ceil(wanted.max(1)).max(1);
                for &site in empty.iter().skip(rng.below(step)).step_by(step) {
                    if meter.is_spent() {
                        return;
                    }
                    let undo = state.edit(Edit::Place { player: owner, kind, site });
                    if state.generate(&mut list).is_ok() {
                        self.record(&state, owner, kind, site, &list);
                    }
                    state.undo(undo);
                }
            }
        }
    }

    /// Records the moves of the pieces of a kind where they stand.
    fn record_in_place(
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
                self.record(state, owner, kind, site, list);
            }
        }
    }

    /// Records the moves of the piece on a site.
    fn record(
        &mut self,
        state: &State,
        owner: Player,
        kind: PieceKind,
        site: Site,
        list: &MoveList,
    ) {
        let slot = self.slot(owner, kind);
        let Some(sampled) = self.sampled.get_mut(slot) else { return };
        // Several moves to one site, as with a choice of promotions, count once.
        let mut targets: Vec<(Site, u32)> = Vec::new();
        for mv in list.iter().filter(|it| it.key_sites().0 == Some(site)) {
            let Some(to) = mv.key_sites().1.filter(|&it| it != site) else { continue };
            let is_capture = is_capture(state, mv);
            let weight = 2 + u32::from(is_capture);
            match targets.iter_mut().find(|it| it.0 == to) {
                Some(it) => it.1 = it.1.max(weight),
                None => targets.push((to, weight)),
            }
            let quiet = &mut sampled.quiet[site.idx()];
            if !is_capture && !quiet.contains(&to) {
                quiet.push(to);
            }
            let steps = &mut sampled.steps[site.idx()];
            if !steps.contains(&to) {
                steps.push(to);
            }
            let promotions = &mut sampled.promotions[site.idx()];
            if let Some(kind) = promotion_kind(mv, to)
                && !promotions.contains(&(to, kind))
            {
                promotions.push((to, kind));
            }
        }
        let total: u32 = targets.iter().map(|it| it.1).sum();
        let cell = &mut sampled.mobility[site.idx()];
        *cell = (cell.0 + total, cell.1 + 1);
    }

    /// Turns mobility into values of kinds.
    fn set_kind_values(&mut self, ruleset: &Ruleset, profile: &Profile) {
        let mut means = vec![0i64; self.n_kinds];
        for kind in (0..self.n_kinds as u16).map(PieceKind) {
            let (mut sum, mut n) = (0i64, 0i64);
            for &player in &profile.movers {
                let starts = starts(ruleset, player, kind);
                let reach = self.distances_from(player, kind, &starts);
                let sampled = &self.sampled[self.slot(player, kind)];
                for (site, &(total, count)) in sampled.mobility.iter().enumerate() {
                    let can_stand = starts.is_empty() || reach[site] != UNREACHABLE;
                    if count > 0 && can_stand {
                        sum += i64::from(total) * 100 / i64::from(count);
                        n += 1;
                    }
                }
            }
            means[kind.idx()] = if n > 0 { sum / n } else { 0 };
        }
        // A twentieth of what promotion gains is part of the value.
        let promotion_gains: Vec<i64> = (0..self.n_kinds as u16)
            .map(|kind| {
                let of = |player: &Player| &self.sampled[self.slot(*player, PieceKind(kind))];
                let all = profile.movers.iter().flat_map(|it| of(it).promotions.iter().flatten());
                all.map(|it| means[it.1.idx()] - means[kind as usize]).max().unwrap_or(0).max(0)
            })
            .collect();
        for (mean, gain) in means.iter_mut().zip(promotion_gains) {
            *mean += gain / 20;
        }
        let is_royal =
            |kind: usize| profile.royal.iter().any(|it| it.contains(&PieceKind(kind as u16)));
        // Values are relative to the cheapest kind of the setup that moves.
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
        for (kind, &mean) in means.iter().enumerate() {
            let mut value = (mean * 100 / cheapest).clamp(0, 3000) as i32;
            if value > 100 {
                value = value * self.reach_percent(profile, PieceKind(kind as u16)) / 100;
                // One strong piece is worth more than weak ones with as many moves in all.
                value += value * log2_in_32nds(value) / 460;
            }
            self.kinds[kind] = value;
        }
        for (kind, &mean) in means.iter().enumerate() {
            if mean == 0 && !is_royal(kind) {
                // It never moves, but may still be dropped or captured.
                self.kinds[kind] = if in_play(kind) { 50 } else { 20 };
            }
        }
    }

    /// Percent of its value that a kind keeps if it reaches only a part of the board: from 70,
    /// to 100 for one that reaches all of it or promotes.
    fn reach_percent(&self, profile: &Profile, kind: PieceKind) -> i32 {
        let mut least = 100;
        for &player in &profile.movers {
            let sampled = &self.sampled[self.slot(player, kind)];
            if sampled.promotions.iter().any(|it| !it.is_empty()) {
                return 100;
            }
            let sites: Vec<usize> =
                (0..self.n_sites).filter(|&it| !sampled.steps[it].is_empty()).collect();
            let Some(&first) = sites.get(sites.len() / 2) else { continue };
            let found = distances(&sampled.steps, std::iter::once(first));
            let n_found = found.iter().filter(|&&it| it != UNREACHABLE).count();
            least = least.min(70 + (30 * n_found / self.n_sites.max(1)) as i32);
        }
        least
    }

    /// The site value learned from playouts, in points.
    pub fn learned(&self, player: Player, kind: PieceKind, site: usize) -> i32 {
        let idx = self.slot(player, kind) * self.n_sites + site;
        self.learned.get(idx).copied().map_or(0, i32::from)
    }

    /// Plays random games and learns which sites the winner held half way through.
    fn learn_from_playouts(
        &mut self,
        rules: &Arc<Rules>,
        fast: Option<&Fast>,
        profile: &Profile,
        seed: u64,
    ) {
        let meter = WorkMeter::default();
        let start = meter.start_of(rules);
        // Only plain generations are metered. Rules that are slow to begin with need that.
        let is_slow = start.clone().generate(&mut MoveList::new()).is_err() || meter.is_begun();
        let fast = fast.filter(|_| !is_slow);
        let mut tree = GameTree::new(fast, &start);
        let mut rng = SplitMix64::new(seed ^ 0x5EED);
        let mut seen = PlayoutStatistics::new(self, rules.ruleset.players.len());
        let mut moves = Vec::new();
        // Blocks that run step by step take far longer than those that run on sets of sites.
        let is_quick = fast.is_some_and(|it| !it.has_walks());
        let budget = if is_quick { 1_600_000 } else { 200_000 } / self.n_sites.max(1);
        let (mut n_plies, mut length) = (0, self.n_sites);
        while n_plies < budget && !meter.is_spent() {
            let stop = length / 3 + rng.below(length / 2 + 1);
            let mut n_played = 0;
            while n_played < stop && tree.moves(&mut moves).is_none() {
                tree.play(&moves[rng.below(moves.len())]);
                n_played += 1;
            }
            let mut n_after = 0;
            let ending = tree.playout(&mut rng, 3 * self.n_sites as u32, |_, _, _| {
                n_after += 1;
                !meter.is_spent()
            });
            n_plies += n_played + n_after + 1;
            length = (length * 3 + n_played + n_after) / 4;
            seen.record(&tree, ending, profile);
            for _ in 0..n_played {
                tree.undo();
            }
        }
        if seen.n_leads >= 20 {
            self.lead = (seen.leads * 80 / (seen.n_leads + 20)).clamp(0, 50) as i32;
        }
        // Where few random games are decided, site values would be noise.
        if seen.n_decided * 2 < seen.n_games {
            return;
        }
        self.pool_equivalent_sites(&rules.ruleset.board, profile, &mut seen.by_site);
        let players = &profile.movers;
        self.learned = seen
            .by_site
            .iter()
            .enumerate()
            .map(|(idx, &(sum, n))| {
                let player = idx / (self.n_kinds * self.n_sites).max(1);
                let (all, n_all) = seen.by_player[player];
                if n == 0 || n_all == 0 || !players.contains(&Player(player as u8)) {
                    return 0;
                }
                // The mean above the player's own mean, shrunk where it was seldom seen.
                let over = sum * 1000 / n - all * 1000 / n_all;
                (over * n / (n + 60) / 4).clamp(-150, 150) as i16
            })
            .collect();
    }

    /// Adds up what was seen on equivalent sites that were held about as often.
    fn pool_equivalent_sites(&self, board: &Board, profile: &Profile, seen: &mut [(i32, i32)]) {
        for &player in &profile.movers {
            let classes = site_classes(board, player);
            let n_classes = classes.iter().max().map_or(0, |it| *it as usize + 1);
            for kind in 0..self.n_kinds {
                let first = (player.idx() * self.n_kinds + kind) * self.n_sites;
                let Some(of_kind) = seen.get_mut(first..first + self.n_sites) else { continue };
                for class in 0..n_classes as u32 {
                    let members = || (0..self.n_sites).filter(|&it| classes[it] == class);
                    let counts = || members().map(|it| of_kind[it].1);
                    let (least, most) = (counts().min().unwrap_or(0), counts().max().unwrap_or(0));
                    if most > least * 2 + 8 {
                        // The rules treat them differently after all.
                        continue;
                    }
                    let sum = members()
                        .fold((0, 0), |acc, it| (acc.0 + of_kind[it].0, acc.1 + of_kind[it].1));
                    members().for_each(|it| of_kind[it] = sum);
                }
            }
        }
    }

    /// A hundred times the mobility of a kind on a site, less its mean over all sites.
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

    /// By site: the fewest moves to get there from one of `starts`.
    fn distances_from(&self, player: Player, kind: PieceKind, starts: &[Site]) -> Vec<u16> {
        let steps = &self.sampled[self.slot(player, kind)].steps;
        distances(steps, starts.iter().map(|it| it.idx()))
    }

    /// By site: the fewest moves from there to one of `goals`. A kind that was never seen to
    /// move is taken to go along links.
    pub fn distances_to(
        &self,
        board: &Board,
        player: Player,
        kind: PieceKind,
        goals: &[Site],
    ) -> Vec<u16> {
        let steps = &self.sampled[self.slot(player, kind)].steps;
        let goals = goals.iter().map(|it| it.idx());
        if steps.iter().any(|it| !it.is_empty()) {
            return distances(&reversed(steps), goals);
        }
        let directions = || (0..board.n_directions() as u16).map(Direction);
        let links = |site: Site| directions().filter_map(|it| board.step(site, it)).collect();
        let links: Vec<Vec<Site>> = board.all_sites().map(links).collect();
        distances(&reversed(&links), goals)
    }

    /// By site: where a piece was seen to move without a capture.
    pub fn quiet_steps(&self, player: Player, kind: PieceKind) -> &[Vec<Site>] {
        self.sampled.get(self.slot(player, kind)).map_or(&[], |it| &it.quiet)
    }

    /// By site: the fewest moves to promotion; and the gain in points. `None` if the kind never
    /// promotes to a better one.
    pub fn promotion(&self, player: Player, kind: PieceKind) -> Option<(Vec<u16>, i32)> {
        let sampled = &self.sampled[self.slot(player, kind)];
        let value = |it: PieceKind| self.kinds.get(it.idx()).copied().unwrap_or(0);
        let all = sampled.promotions.iter().flatten();
        let gain = all.map(|it| value(it.1) - value(kind)).max().filter(|&it| it > 0)?;
        let promotes = |site: &usize| !sampled.promotions[*site].is_empty();
        let starts = (0..self.n_sites).filter(promotes);
        Some((distances(&reversed(&sampled.steps), starts), gain))
    }
}

/// Results of random games by what stood on the board half way through.
struct PlayoutStatistics {
    n_kinds: usize,
    n_sites: usize,
    /// `[(player * n_kinds + kind) * n_sites + site]`: sum of the owner's results (1, 0, -1)
    /// and their number.
    by_site: Vec<(i32, i32)>,
    /// The same by player.
    by_player: Vec<(i32, i32)>,
    /// How often the player with more pieces won, less how often it lost.
    leads: i64,
    /// How often a player had more pieces than the other.
    n_leads: i64,
    n_games: i32,
    n_decided: i32,
}

impl PlayoutStatistics {
    fn new(values: &Values, n_players: usize) -> PlayoutStatistics {
        PlayoutStatistics {
            n_kinds: values.n_kinds,
            n_sites: values.n_sites,
            by_site: vec![(0, 0); values.sampled.len() * values.n_sites],
            by_player: vec![(0, 0); n_players],
            leads: 0,
            n_leads: 0,
            n_games: 0,
            n_decided: 0,
        }
    }

    /// Adds a game that ended as given from the state of the tree.
    fn record(&mut self, tree: &GameTree<'_>, ending: Option<Ending>, profile: &Profile) {
        self.n_games += 1;
        self.n_decided += i32::from(!matches!(ending, None | Some(Ending::Draw)));
        let Some(ending) = ending else { return };
        let result = |player: Player| match ending {
            Ending::Win(it) if it == player => 1,
            Ending::Win(_) => -1,
            Ending::Loss(it) if it == player => -1,
            Ending::Loss(_) => 1,
            Ending::Draw => 0,
        };
        if let [one, other] = profile.movers.as_slice() {
            let ahead = i64::from(tree.count_all(*one)) - i64::from(tree.count_all(*other));
            self.leads += i64::from(result(*one)) * ahead.signum();
            self.n_leads += i64::from(ahead != 0);
        }
        tree.each_piece(|site, owner, kind| {
            let idx = (owner.idx() * self.n_kinds + kind.idx()) * self.n_sites + site.idx();
            let cell = &mut self.by_site[idx];
            *cell = (cell.0 + result(owner), cell.1 + 1);
            let all = &mut self.by_player[owner.idx()];
            *all = (all.0 + result(owner), all.1 + 1);
        });
    }
}

/// The binary logarithm of a number of hundredths, in 32nds, piecewise linear.
fn log2_in_32nds(hundredths: i32) -> i32 {
    let n = hundredths.max(100) * 32 / 100;
    let whole = n.ilog2() as i32;
    32 * (whole - 5) + ((32 * (n - (1 << whole))) >> whole)
}

/// The sites of the setup where pieces of a kind stand.
fn starts(ruleset: &Ruleset, player: Player, kind: PieceKind) -> Vec<Site> {
    let mine = ruleset.setup.pieces.iter().filter(|it| it.player == player && it.kind == kind);
    mine.map(|it| it.site).collect()
}

fn is_capture(state: &State, mv: &Move) -> bool {
    let lands =
        mv.movements().iter().filter_map(Effect::arrives).any(|it| !state.placement().is_empty(it));
    lands || mv.captures().next().is_some()
}

/// The kind that a piece moving to a site promotes to.
fn promotion_kind(mv: &Move, to: Site) -> Option<PieceKind> {
    mv.promotion().or_else(|| {
        mv.effects.iter().find_map(|it| match *it {
            Effect::TurnInto { kind, site } if site == to => Some(kind),
            _ => None,
        })
    })
}

/// A state of random play, with the mover not in check; in every second one most pieces are
/// removed.
fn sampled_state(
    rules: &Arc<Rules>,
    profile: &Profile,
    number: usize,
    rng: &mut SplitMix64,
    meter: &WorkMeter,
) -> Option<State> {
    let mut list = MoveList::new();
    for _ in 0..20 {
        let mut state = meter.start_of(rules);
        let n_plies = 4 + rng.below(36);
        for _ in 0..n_plies {
            state.generate(&mut list).ok()?;
            let Some(mv) = list.drawn(rng.below(list.total_weight() as usize) as u64) else {
                break;
            };
            state.play_unchecked(mv).ok()?;
        }
        for _ in 0..8 {
            // Every player must have the move in some of the states.
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
