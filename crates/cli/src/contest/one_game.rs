//! One game of a match between engines: a random opening, then moves in turn.
//!
//! The game is a match of the referee like any other; contenders are asked for the moves.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use boardwright_engine::{Engine, SearchLimits, StopFlag};
use boardwright_game::Player;
use boardwright_play::SplitMix64;
use boardwright_referee::{
    Actor, EngineSetup, Match, MatchCommand, MatchSetup, NodeStep, Refusal, Seat, Sitter,
};
use boardwright_rules::{GameOutcome, GameRules, GameState, LegalMoves, PlayRefusal};

use super::player::{Answer, Contender};
use crate::{codec::Dialect, source};

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
pub(crate) struct GamePlan {
    pub rules: Arc<GameRules>,
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
    /// The record.
    pub game: Match,
    pub conduct: [Conduct; 2],
}

/// A game being played.
struct GameInProgress<'a> {
    plan: &'a GamePlan,
    game: Match,
    /// The moves so far, for programs, by dialect.
    words: [Vec<String>; 2],
    needs_words: bool,
    plies: u32,
    /// The number of plies that players chose; the others are chance.
    n_chosen: u32,
}

impl GameInProgress<'_> {
    /// Gives the referee a move to make, and notes it for programs.
    fn make(&mut self, command: &MatchCommand, actor: Actor<'_>, chance: u64) -> Result<(), End> {
        let cut_off = |it: Refusal| End::CutOff(refusal_text(&it));
        let is_chance = self.game.state().is_chance();
        let before = match self.needs_words {
            true => Some((self.game.state().clone(), self.game.legal().map_err(endless)?)),
            false => None,
        };
        // Nobody reads the times of these events.
        let applied = self.game.apply(command, actor, "", 0, chance).map_err(cut_off)?;
        self.game.commit(applied);
        self.plies += 1;
        self.n_chosen += u32::from(!is_chance);
        let made = self.game.tree().node(self.game.current()).and_then(|it| match &it.step {
            NodeStep::Move { played, .. } => Some(played),
            _ => None,
        });
        if let (Some((state, legal)), Some(mv)) = (before, made) {
            for (words, dialect) in self.words.iter_mut().zip([Dialect::Ugi, Dialect::Uci]) {
                words.push(source::words::encode(&state, &legal, mv, dialect));
            }
        }
        Ok(())
    }

    /// Plays the legal move with this text.
    fn play(&mut self, text: String) -> Result<(), End> {
        let command = MatchCommand::Play { node: self.game.current(), text };
        self.make(&command, Actor::Engine, 0)
    }
}

fn endless(_: PlayRefusal) -> End {
    End::CutOff(ENDLESS.to_owned())
}

fn refusal_text(refusal: &Refusal) -> String {
    match refusal {
        Refusal::Play(PlayRefusal::Halted(_)) => ENDLESS.to_owned(),
        other => other.to_string(),
    }
}

/// Plays a game.
pub(crate) fn play(
    plan: &GamePlan,
    seating: Seating,
    who: &mut [Contender; 2],
    judge: &mut Engine,
) -> Result<Played, PlayRefusal> {
    let setup = EngineSetup { level: 10, seconds: 1.0, depth: None, variety: 0 };
    let seat = Seat::new(Sitter::Engine(setup), "", String::new());
    let seats = vec![seat; plan.rules.seats().len()];
    let setup = MatchSetup { seats, seed: plan.seed, ..MatchSetup::default() };
    let (game, _) = Match::begin(Arc::clone(&plan.rules), setup)?;
    let mut board = GameInProgress {
        plan,
        game,
        words: [Vec::new(), Vec::new()],
        needs_words: who.iter().any(|it| it.dialect().is_some()),
        plies: 0,
        n_chosen: 0,
    };
    let mut conduct = [Conduct::default(); 2];
    let end = match run(&mut board, &seating, who, &mut conduct, judge) {
        Ok(end) | Err(end) => end,
    };
    let is_cut_off = matches!(end, End::CutOff(_));
    let (score, how) = match end {
        End::Over(outcome) => (score(&outcome, &plan.movers, &seating.seats), outcome.text.clone()),
        End::Forfeit(loser, why) => (if loser == 0 { 0.0 } else { 1.0 }, why),
        End::CutOff(why) => (0.5, why),
    };
    let GameInProgress { game, plies, .. } = board;
    Ok(Played { seating, score, how, plies, is_cut_off, game, conduct })
}

/// Why a game is cut off whose rules exceed their limits.
pub(crate) const ENDLESS: &str = "the rules exceed their limits";

/// How a game ended.
enum End {
    Over(Box<GameOutcome>),
    /// Lost by a contender for a reason outside of the rules, such as an illegal move.
    Forfeit(usize, String),
    CutOff(String),
}

/// Plays to the end; an error is an end outside of the rules.
fn run(
    board: &mut GameInProgress<'_>,
    seating: &Seating,
    who: &mut [Contender; 2],
    conduct: &mut [Conduct; 2],
    judge: &mut Engine,
) -> Result<End, End> {
    // The same dice for both games of a pair.
    let pair_seed = SplitMix64::new(board.plan.seed).next_u64() ^ ((seating.pair() as u64) << 8);
    let mut chance = SplitMix64::new(pair_seed ^ 0x00C4_A9CE);
    for (idx, it) in who.iter_mut().enumerate() {
        let seed = pair_seed ^ (seating.number % 2 * 2 + idx) as u64;
        if let Err(error) = it.new_game(seed) {
            conduct[idx].failures += 1;
            return Err(End::Forfeit(idx, format!("{error:#}")));
        }
    }
    for text in opening(board.plan, pair_seed, judge) {
        board.play(text)?;
    }
    let (opened, max_plies) = (board.n_chosen, board.plan.max_plies);
    loop {
        let legal = board.game.legal().map_err(endless)?;
        if let Some(outcome) = &legal.outcome {
            return Ok(End::Over(Box::new(outcome.clone())));
        }
        // Chance moves are not counted, but must not go on for ever either.
        let is_endless = board.plies >= max_plies.saturating_mul(20);
        if board.n_chosen - opened >= max_plies || is_endless {
            return Err(End::CutOff(format!("cut off after {} moves", board.plies)));
        }
        if legal.is_empty() {
            return Err(End::CutOff("there is no legal move and no outcome".to_owned()));
        }
        if board.game.state().is_chance() {
            board.make(&MatchCommand::Draw, Actor::Chance, chance.next_u64())?;
            continue;
        }
        let mover = board.game.state().mover();
        let seat = board.plan.movers.iter().position(|it| Some(*it) == mover);
        let idx = seat.and_then(|it| seating.seats.get(it)).copied().unwrap_or(0);
        let text = ask(board, &legal, &mut who[idx], &mut conduct[idx])
            .map_err(|why| End::Forfeit(idx, why))?;
        board.play(text)?;
    }
}

/// The text of the move that a contender chooses, or why it loses the game.
fn ask(
    board: &GameInProgress<'_>,
    legal: &LegalMoves,
    who: &mut Contender,
    conduct: &mut Conduct,
) -> Result<String, String> {
    let words = match who.dialect() {
        Some(Dialect::Uci) => &board.words[1],
        _ => &board.words[0],
    };
    let state = board.game.state();
    let began = Instant::now();
    let answer = who.choose(state, legal, words, &board.game);
    conduct.note(began.elapsed(), who.limits().time);
    match answer {
        Ok(Answer::Move(idx)) => {
            state.move_text(legal, idx).ok_or_else(|| format!("there is no move {idx}"))
        }
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
fn opening(plan: &GamePlan, seed: u64, judge: &mut Engine) -> Vec<String> {
    if plan.opening_plies == 0 {
        return Vec::new();
    }
    for attempt in 0..ATTEMPTS {
        let mut rng = SplitMix64::new(seed.wrapping_add(attempt << 32));
        // If every opening of this length decides the game, shorter ones are tried.
        let shorter = (attempt / 16) as u32;
        let plies = plan.opening_plies.saturating_sub(shorter * plan.opening_plies / 4);
        let Ok(mut state) = plan.rules.start(plan.seed) else { break };
        let mut moves = Vec::new();
        while moves.len() < plies as usize {
            let Ok(legal) = state.legal_moves() else { break };
            if legal.is_empty() {
                break;
            }
            let Some(mv) = legal.drawn(&mut rng) else { break };
            let text = state.text_of(&mv);
            if state.replay(&mv).is_err() {
                break;
            }
            moves.push(text);
        }
        if moves.len() != plies as usize || !is_open(&state) {
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
fn is_open(state: &GameState) -> bool {
    let is_over = |it: &GameState| it.legal_moves().map_or(true, |it| it.outcome.is_some());
    let Ok(legal) = state.legal_moves() else { return false };
    let moves = || (0..legal.len()).filter_map(|it| legal.get(it));
    legal.outcome.is_none()
        && moves().all(|mv| {
            let mut next = state.clone();
            next.replay(&mv).is_ok() && !is_over(&next)
        })
}

/// The first contender's share of the mean scores per seat.
fn score(outcome: &GameOutcome, movers: &[Player], seats: &[usize]) -> f64 {
    let mut sums = [(0.0, 0.0); 2];
    for (&mover, &seat) in movers.iter().zip(seats) {
        let points = if outcome.winners.contains(&mover) {
            1.0
        } else if outcome.losers.contains(&mover) {
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
