//! One game of a match between engines: a random opening, then moves in turn.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use boardwright_engine::{Engine, SearchLimits, StopFlag};
use boardwright_game::Player;
use boardwright_play::{Move, MoveList, Outcome, Rules, SplitMix64, State, zsg::SaveFile};

use super::player::{Answer, Contender};
use crate::codec::{self, Dialect};

/// The number of random openings that are tried; those that decide the game are rejected.
const ATTEMPTS: u64 = 64;
/// In this many first attempts, an opening with a large advantage is rejected too.
const CHOOSY: u64 = 32;
/// A large advantage, in hundredths of the cheapest piece.
const FAR: i32 = 250;
/// The search that judges an opening.
const JUDGED_BY: SearchLimits =
    SearchLimits { nodes: Some(2000), time: None, clock: None, depth: None };

/// What all games of a match have in common.
pub(crate) struct Setting {
    pub rules: Arc<Rules>,
    /// The players who choose moves, in the order of their turns.
    pub movers: Vec<Player>,
    pub opening_plies: u32,
    pub max_plies: u32,
    pub seed: u64,
}

/// The number of a game, from 0, and which contender plays for which player.
pub(crate) struct Seating {
    pub number: usize,
    /// By mover: the contender, 0 or 1.
    pub seats: Vec<usize>,
}

impl Seating {
    /// Two games make a pair: the same opening with seats exchanged. With three or more
    /// players one contender has one seat, which changes from pair to pair, and the other all
    /// the others.
    pub(crate) fn new(number: usize, n_movers: usize) -> Seating {
        let (pair, is_back) = (number / 2, number % 2);
        let alone = if n_movers == 2 { 0 } else { pair % n_movers.max(1) };
        let seats = (0..n_movers).map(|it| usize::from((it == alone) != (is_back == 0))).collect();
        Seating { number, seats }
    }

    pub(crate) fn pair(&self) -> usize {
        self.number / 2
    }
}

/// Counts of what a contender did in one or several games.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Conduct {
    pub moves: u64,
    pub illegal: u64,
    /// Moves that took longer than the limit.
    pub late: u64,
    pub longest: Duration,
    pub thought: Duration,
    /// Games lost by a crash or by a missing answer.
    pub failures: u64,
}

impl Conduct {
    pub(crate) fn add(&mut self, other: &Conduct) {
        self.moves += other.moves;
        self.illegal += other.illegal;
        self.late += other.late;
        self.failures += other.failures;
        self.thought += other.thought;
        self.longest = self.longest.max(other.longest);
    }

    fn note(&mut self, took: Duration, limit: Option<Duration>) {
        self.moves += 1;
        self.thought += took;
        self.longest = self.longest.max(took);
        // A move is late if it took more than 105 % of the limit and 50 ms.
        let is_late = |it: Duration| took > it.mul_f64(1.05) + Duration::from_millis(50);
        self.late += u64::from(limit.is_some_and(is_late));
    }
}

/// A game that was played.
pub(crate) struct Played {
    pub seating: Seating,
    /// The score of the first contender, from 0 to 1.
    pub score: f64,
    /// How it ended, in words.
    pub how: String,
    pub plies: u32,
    pub is_cut_off: bool,
    pub save: SaveFile,
    pub conduct: [Conduct; 2],
}

/// A game under way.
struct Board<'a> {
    setting: &'a Setting,
    state: State,
    save: SaveFile,
    /// The moves so far, for programs, by dialect.
    words: [Vec<String>; 2],
    needs_words: bool,
    plies: u32,
    /// The number of plies that players chose; the others are chance.
    chosen: u32,
}

impl Board<'_> {
    fn play(&mut self, list: &MoveList, mv: &Move) -> Result<(), String> {
        if self.needs_words {
            for (words, dialect) in self.words.iter_mut().zip([Dialect::Ugi, Dialect::Uci]) {
                words.push(codec::encode(&self.state, list, mv, dialect));
            }
        }
        self.save.push_move(&self.state, mv);
        self.plies += 1;
        self.chosen += u32::from(!self.state.is_chance());
        match self.state.play_unchecked(mv) {
            Ok(_) => Ok(()),
            Err(_) => Err(ENDLESS.to_owned()),
        }
    }
}

/// Plays a game.
pub(crate) fn play(
    setting: &Setting,
    seating: Seating,
    who: &mut [Contender; 2],
    judge: &mut Engine,
) -> Played {
    let start = State::start_of(Arc::clone(&setting.rules));
    let seats = vec!['C'; start.ruleset().players.len()].into_iter().collect::<String>();
    let mut board = Board {
        setting,
        save: SaveFile::new(&start, &seats),
        state: start,
        words: [Vec::new(), Vec::new()],
        needs_words: who.iter().any(|it| it.dialect().is_some()),
        plies: 0,
        chosen: 0,
    };
    let mut conduct = [Conduct::default(); 2];
    let end = run(&mut board, &seating, who, &mut conduct, judge);
    let is_cut_off = matches!(end, End::CutOff(_));
    let (score, how) = match end {
        End::Over(outcome) => {
            let score = score(&outcome, &setting.movers, &seating.seats);
            (score, outcome.text(board.state.ruleset()))
        }
        End::Forfeit(loser, why) => (if loser == 0 { 0.0 } else { 1.0 }, why),
        End::CutOff(why) => (0.5, why),
    };
    Played { seating, score, how, plies: board.plies, is_cut_off, save: board.save, conduct }
}

/// Why a game is cut off whose rules exceed their limits.
pub(crate) const ENDLESS: &str = "the rules exceed their limits";

enum End {
    Over(Outcome),
    /// Lost by a contender for a reason outside of the rules, such as an illegal move.
    Forfeit(usize, String),
    CutOff(String),
}

fn run(
    board: &mut Board<'_>,
    seating: &Seating,
    who: &mut [Contender; 2],
    conduct: &mut [Conduct; 2],
    judge: &mut Engine,
) -> End {
    // The same dice for both games of a pair.
    let pair_seed = SplitMix64::new(board.setting.seed).next_u64() ^ ((seating.pair() as u64) << 8);
    let mut chance = SplitMix64::new(pair_seed ^ 0x00C4_A9CE);
    for (idx, it) in who.iter_mut().enumerate() {
        let seed = pair_seed ^ (seating.number % 2 * 2 + idx) as u64;
        if let Err(error) = it.new_game(seed) {
            conduct[idx].failures += 1;
            return End::Forfeit(idx, format!("{error:#}"));
        }
    }
    for mv in opening(board.setting, pair_seed, judge) {
        let list = board.state.legal_moves().unwrap_or_default();
        if let Err(why) = board.play(&list, &mv) {
            return End::CutOff(why);
        }
    }
    let (opened, max_plies) = (board.chosen, board.setting.max_plies);
    loop {
        let Ok(list) = board.state.legal_moves() else {
            return End::CutOff(ENDLESS.to_owned());
        };
        match board.state.outcome_given(&list) {
            Ok(None) => {}
            Ok(Some(outcome)) => return End::Over(outcome),
            Err(_) => return End::CutOff(ENDLESS.to_owned()),
        }
        // Chance moves are not counted, but must not go on for ever either.
        let is_endless = board.plies >= max_plies.saturating_mul(20);
        if board.chosen - opened >= max_plies || is_endless {
            return End::CutOff(format!("cut off after {} moves", board.plies));
        }
        let chosen = if board.state.is_chance() {
            list.drawn(chance.below(list.total_weight() as usize) as u64).cloned()
        } else {
            let mover = board.state.mover();
            let seat = board.setting.movers.iter().position(|it| Some(*it) == mover);
            let idx = seat.and_then(|it| seating.seats.get(it)).copied().unwrap_or(0);
            match ask(board, &list, &mut who[idx], &mut conduct[idx]) {
                Ok(idx) => list.get(idx).cloned(),
                Err(why) => return End::Forfeit(idx, why),
            }
        };
        let Some(mv) = chosen else {
            return End::CutOff("there is no legal move and no outcome".to_owned());
        };
        if let Err(why) = board.play(&list, &mv) {
            return End::CutOff(why);
        }
    }
}

fn ask(
    board: &Board<'_>,
    list: &MoveList,
    who: &mut Contender,
    conduct: &mut Conduct,
) -> Result<usize, String> {
    let words = match who.dialect() {
        Some(Dialect::Uci) => &board.words[1],
        _ => &board.words[0],
    };
    let began = Instant::now();
    let answer = who.choose(&board.state, list, words);
    conduct.note(began.elapsed(), who.limits().time);
    match answer {
        Ok(Answer::Move(idx)) => Ok(idx),
        Ok(Answer::Illegal(word)) => {
            conduct.illegal += 1;
            Err(format!("`{word}` is not legal"))
        }
        Err(error) => {
            conduct.failures += 1;
            Err(format!("{error:#}"))
        }
    }
}

/// Random moves that do not decide the game, by the judgement of a short search.
fn opening(setting: &Setting, seed: u64, judge: &mut Engine) -> Vec<Move> {
    if setting.opening_plies == 0 {
        return Vec::new();
    }
    for attempt in 0..ATTEMPTS {
        let mut rng = SplitMix64::new(seed.wrapping_add(attempt << 32));
        // If every opening of this length decides the game, shorter ones are tried.
        let shorter = (attempt / 16) as u32;
        let plies = setting.opening_plies.saturating_sub(shorter * setting.opening_plies / 4);
        let mut state = State::start_of(Arc::clone(&setting.rules));
        let mut moves = Vec::new();
        while moves.len() < plies as usize {
            let Ok(list) = state.legal_moves() else { break };
            let ticket = rng.below(list.total_weight() as usize) as u64;
            let Some(mv) = list.drawn(ticket) else { break };
            if state.play_unchecked(mv).is_err() {
                break;
            }
            moves.push(mv.clone());
        }
        if moves.len() != plies as usize || !is_open(&mut state) {
            continue;
        }
        judge.new_game();
        let score = judge.think(&state, &JUDGED_BY, &StopFlag::default(), &mut |_| {}).score;
        if score.hundredths().is_some_and(|it| it.abs() < FAR || attempt >= CHOOSY) {
            return moves;
        }
    }
    Vec::new()
}

/// Whether the game is not over, and no single move ends it.
fn is_open(state: &mut State) -> bool {
    let Ok(list) = state.legal_moves() else { return false };
    if !matches!(state.outcome_given(&list), Ok(None)) {
        return false;
    }
    list.iter().all(|mv| {
        let Ok(undo) = state.play_unchecked(mv) else { return false };
        let is_over = !matches!(state.outcome(), Ok(None));
        state.undo(undo);
        !is_over
    })
}

/// The first contender's share of the mean scores per seat.
fn score(outcome: &Outcome, movers: &[Player], seats: &[usize]) -> f64 {
    let mut sums = [(0.0, 0.0); 2];
    for (&mover, &seat) in movers.iter().zip(seats) {
        let points = if outcome.is_won_by(mover) {
            1.0
        } else if outcome.is_lost_by(mover) {
            0.0
        } else {
            0.5
        };
        let sum = &mut sums[seat.min(1)];
        *sum = (sum.0 + points, sum.1 + 1.0);
    }
    let [one, two] = sums.map(|(points, n): (f64, f64)| points / n.max(1.0));
    if one + two == 0.0 { 0.5 } else { one / (one + two) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seats_are_exchanged_and_go_round() {
        let seats = |number, n| Seating::new(number, n).seats;
        assert_eq!([seats(0, 2), seats(1, 2), seats(2, 2)], [[0, 1], [1, 0], [0, 1]]);
        assert_eq!([seats(0, 3), seats(1, 3)], [[0, 1, 1], [1, 0, 0]]);
        assert_eq!([seats(2, 3), seats(4, 3), seats(6, 3)], [[1, 0, 1], [1, 1, 0], [0, 1, 1]]);
    }

    #[test]
    fn lateness_allows_for_a_little() {
        let mut conduct = Conduct::default();
        let limit = Some(Duration::from_millis(1000));
        conduct.note(Duration::from_millis(1099), limit);
        assert_eq!(conduct.late, 0);
        conduct.note(Duration::from_millis(1101), limit);
        conduct.note(Duration::from_secs(99), None);
        assert_eq!((conduct.late, conduct.moves), (1, 3));
    }
}
