//! One game of a match: an opening, then moves in turn until it is over.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use anyhow::Result;
use boardwright_game::Player as Side;
use boardwright_play::{Ending, MoveList, Outcome, Rules, SplitMix64, State, zsg::SaveFile};

use super::{
    player::{Fault, Player, Table},
    spec,
};
use crate::codec::{self, Dialect};

/// How games of a match are played.
#[derive(Clone, Debug)]
pub(crate) struct Terms {
    pub opening_plies: usize,
    pub max_plies: usize,
    pub seed: u64,
}

/// How a game went.
pub(crate) struct Sitting {
    /// The number of the game, from 0.
    pub number: usize,
    /// By seat, in order of moving: which of the two players sat there.
    pub seats: Vec<usize>,
    /// What the first of the two players got: 1 for a win.
    pub score: f64,
    /// What the side that moves first got.
    pub first_score: f64,
    pub end: End,
    pub n_plies: usize,
    pub save: SaveFile,
    /// By player: moves, late ones, and the slowest.
    pub clocks: [Watch; 2],
}

/// How a game ended.
pub(crate) enum End {
    Rules(Outcome),
    /// It took too many moves and counts as a draw.
    TooLong,
    /// A player could not go on.
    Fault(usize, Fault),
    /// The rules came to no end.
    Halt,
}

/// How a player used its time.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Watch {
    pub n_moves: u32,
    pub n_late: u32,
    pub slowest: Duration,
    pub total: Duration,
}

/// Who sits where in a game: seats in order of moving, 0 and 1 for the players.
///
/// Two games follow one another with all seats swapped; then the seats move on by one.
pub(crate) fn seats(number: usize, n_seats: usize) -> Vec<usize> {
    let turn = if n_seats > 2 { number / 2 % n_seats } else { 0 };
    (0..n_seats).map(|seat| ((seat + turn) % n_seats + number) % 2).collect()
}

/// Plays a game. `players` are the two of the match.
pub(crate) fn play(
    rules: &Arc<Rules>,
    players: &mut [Player; 2],
    terms: &Terms,
    number: usize,
) -> Result<Sitting> {
    let movers = codec::movers(&rules.ruleset);
    let seats = seats(number, movers.len());
    let pair_seed = SplitMix64::new(terms.seed ^ (number as u64 / 2) << 20).next_u64();
    for (idx, player) in players.iter_mut().enumerate() {
        player.new_game((pair_seed ^ (idx as u64 + 1)) >> 33)?;
    }
    let letters: String = rules.ruleset.players.iter().map(|_| 'C').collect();
    let (mut game, mut rng) = opening(rules, terms, pair_seed, &letters);
    let mut clocks = [Watch::default(); 2];
    let mut list = MoveList::new();
    let seat_of = |side: Option<Side>| movers.iter().position(|it| Some(*it) == side);
    let end = loop {
        let state = &mut game.table.state;
        if state.generate(&mut list).is_err() {
            break End::Halt;
        }
        match state.outcome_given(&list) {
            Ok(Some(outcome)) => break End::Rules(outcome),
            Ok(None) if list.is_empty() => break End::Halt,
            Ok(None) => {}
            Err(_) => break End::Halt,
        }
        if game.n_chosen >= terms.max_plies {
            break End::TooLong;
        }
        // Nobody but chance may have a choice for very long.
        if game.table.ugi.len() >= terms.max_plies.saturating_mul(20) {
            break End::TooLong;
        }
        let idx = match seat_of(state.mover()).filter(|_| !state.is_chance()) {
            None => drawn(&list, &mut rng),
            Some(seat) => {
                let who = seats.get(seat).copied().unwrap_or(0);
                let began = Instant::now();
                let chosen = players[who].choose(&game.table, &list);
                clocks[who].note(began.elapsed(), spec::latest(&players[who].limits));
                match chosen {
                    Ok(idx) => idx,
                    Err(fault) => break End::Fault(who, fault),
                }
            }
        };
        if !game.play(&list, idx) {
            break End::Halt;
        }
    };
    let sides: Vec<(Side, usize)> = movers.iter().copied().zip(seats.iter().copied()).collect();
    let first = sides.first().map_or(0, |it| it.1);
    let score = score(&end, &sides);
    Ok(Sitting {
        number,
        first_score: if first == 0 { score } else { 1.0 - score },
        score,
        seats,
        end,
        n_plies: game.n_chosen,
        save: game.save,
        clocks,
    })
}

impl Watch {
    fn note(&mut self, time: Duration, latest: Option<Duration>) {
        self.n_moves += 1;
        self.n_late += u32::from(latest.is_some_and(|it| time > it));
        self.slowest = self.slowest.max(time);
        self.total += time;
    }

    pub(crate) fn add(&mut self, other: &Watch) {
        self.n_moves += other.n_moves;
        self.n_late += other.n_late;
        self.slowest = self.slowest.max(other.slowest);
        self.total += other.total;
    }
}

/// The share of the winners' seats that player 0 had.
fn score(end: &End, sides: &[(Side, usize)]) -> f64 {
    let outcome = match end {
        End::Fault(who, _) => return *who as f64,
        End::TooLong | End::Halt => return 0.5,
        End::Rules(it) => it,
    };
    if outcome.ending == Ending::Draw {
        return 0.5;
    }
    let winners: Vec<usize> =
        sides.iter().filter(|it| outcome.is_won_by(it.0)).map(|it| it.1).collect();
    match winners.len() {
        0 => 0.5,
        n => winners.iter().filter(|&&it| it == 0).count() as f64 / n as f64,
    }
}

/// A game with all that is written down about it.
struct Game {
    table: Table,
    /// Plies but those of dice.
    n_chosen: usize,
    save: SaveFile,
}

impl Game {
    fn play(&mut self, list: &MoveList, idx: usize) -> bool {
        let Some(mv) = list.get(idx) else { return false };
        let state = &mut self.table.state;
        let ugi = codec::encode(state, list, mv, Dialect::Ugi);
        let uci = codec::encode(state, list, mv, Dialect::Uci);
        let n_entries = self.save.entries.len();
        self.save.push_move(state, mv);
        let is_chance = state.is_chance();
        if state.play_unchecked(mv).is_err() {
            self.save.entries.truncate(n_entries);
            return false;
        }
        self.n_chosen += usize::from(!is_chance);
        self.table.ugi.push(ugi);
        self.table.uci.push(uci);
        true
    }
}

fn drawn(list: &MoveList, rng: &mut SplitMix64) -> usize {
    let mut ticket = rng.below(list.total_weight() as usize) as u64;
    for idx in 0..list.len() {
        let weight = u64::from(list.weight(idx));
        if ticket < weight {
            return idx;
        }
        ticket -= weight;
    }
    0
}

/// Random plies from the start, after which the game goes on; and the chance that follows.
///
/// Both games of a pair get the same opening and the same dice.
fn opening(rules: &Arc<Rules>, terms: &Terms, seed: u64, letters: &str) -> (Game, SplitMix64) {
    const TRIES: u64 = 20;
    let mut n_plies = terms.opening_plies;
    loop {
        for attempt in 0..TRIES {
            let mut rng = SplitMix64::new(seed.wrapping_add(attempt));
            let state = State::start_of(Arc::clone(rules));
            let save = SaveFile::new(&state, letters);
            let table = Table { state, ugi: Vec::new(), uci: Vec::new() };
            let mut game = Game { table, n_chosen: 0, save };
            if walk(&mut game, n_plies, &mut rng) || n_plies == 0 {
                return (game, rng);
            }
        }
        // A game so short that chance always ends it.
        n_plies -= 1;
    }
}

/// Plays at random, chains of partial moves to their end; false if that ended the game.
fn walk(game: &mut Game, n_plies: usize, rng: &mut SplitMix64) -> bool {
    let mut list = MoveList::new();
    let mut done = 0;
    // Dice do not count, and chains may be long.
    for _ in 0..n_plies * 20 {
        let state = &mut game.table.state;
        if done >= n_plies && state.going_on().is_none() {
            break;
        }
        if state.generate(&mut list).is_err() || list.is_empty() {
            return false;
        }
        done += usize::from(!state.is_chance());
        let idx = if state.is_chance() { drawn(&list, rng) } else { rng.below(list.len()) };
        if !game.play(&list, idx) {
            return false;
        }
    }
    let state = &mut game.table.state;
    state.generate(&mut list).is_ok() && !list.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seats_are_swapped_and_go_round() {
        assert_eq!((seats(0, 2), seats(1, 2), seats(2, 2)), (vec![0, 1], vec![1, 0], vec![0, 1]));
        let all: Vec<_> = (0..6).map(|it| seats(it, 3)).collect();
        for seat in 0..3 {
            assert_eq!(all.iter().filter(|it| it[seat] == 0).count(), 3, "{all:?}");
        }
        let unlike: std::collections::BTreeSet<_> = all.iter().collect();
        assert_eq!(unlike.len(), 6, "each way to sit comes once");
    }
}
