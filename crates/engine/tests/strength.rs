//! What the engine must find: proofs, puzzles, tactics, and that it keeps its limits.

use std::{collections::HashMap, sync::Arc, time::Duration};

use boardwright_engine::{Engine, EngineSettings, Proof, SearchLimits, SearchReport, StopFlag};
use boardwright_game::Player;
use boardwright_play::{Rules, SplitMix64, State};
use boardwright_rules::GameMove;
use boardwright_test_kit::{random_walk, root, rule_file, variant};

fn rules(path: &str, title: Option<&str>) -> Arc<Rules> {
    let mut file = rule_file(&root().join(path));
    Arc::new(Rules::new(variant(path, &mut file, title)))
}

fn engine(rules: &Arc<Rules>) -> Engine {
    Engine::new(
        Arc::new(Arc::clone(rules).into()),
        EngineSettings { memory: 32 << 20, ..EngineSettings::default() },
    )
}

fn think(engine: &mut Engine, state: &State, nodes: u64) -> SearchReport {
    engine.think(
        &state.clone().into(),
        &SearchLimits::nodes(nodes),
        &StopFlag::default(),
        &mut |_| {},
    )
}

fn solve(path: &str, title: Option<&str>) -> Option<Proof> {
    let rules = rules(path, title);
    let state = State::start_of(Arc::clone(&rules));
    let limits = SearchLimits::nodes(20_000_000);
    engine(&rules).solve(&state.clone().into(), &limits, &StopFlag::default(), &mut |_| {}).proven
}

/// Plays all games in which the other side does all it can; whether one is lost.
fn loses(
    engine: &mut Engine,
    state: &State,
    me: Player,
    known: &mut HashMap<u64, GameMove>,
) -> bool {
    if let Some(outcome) = state.outcome().expect("the rules never halt") {
        return outcome.is_lost_by(me);
    }
    let moves = if state.mover() == Some(me) {
        let found = known
            .entry(state.hash())
            .or_insert_with(|| think(engine, state, 400).best.expect("the game is not over"));
        vec![found.as_compiled().expect("compiled rules").clone()]
    } else {
        state.legal_moves().expect("the rules never halt").moves().to_vec()
    };
    moves.iter().any(|mv| {
        let mut next = state.clone();
        next.play(mv).expect("it is legal");
        loses(engine, &next, me, known)
    })
}

#[test]
fn it_never_loses_tic_tac_toe() {
    let rules = rules("games/tic-tac-toe/tic-tac-toe.zrf", None);
    let mut engine = engine(&rules);
    let state = State::start_of(Arc::clone(&rules));
    for me in [Player(0), Player(1)] {
        assert!(!loses(&mut engine, &state, me, &mut HashMap::new()), "{me:?}");
    }
}

#[test]
fn small_games_are_proven() {
    let four = "games/connect-four/connect-four.zrf";
    assert_eq!(solve("games/tic-tac-toe/tic-tac-toe.zrf", None), Some(Proof::Draw));
    assert_eq!(solve(four, Some("Connect Four 5x4")), Some(Proof::Draw));
    assert!(matches!(solve("games/dodgem/dodgem.zrf", None), Some(Proof::Win(_))));
}

#[test]
fn connect_four_with_six_columns_is_lost() {
    let four = "games/connect-four/connect-four.zrf";
    assert!(matches!(solve(four, Some("Connect Four 6x4")), Some(Proof::Loss(_))));
}

#[test]
fn puzzles_are_solved() {
    for (path, title, n_moves) in [
        ("games/eight-queens/eight-queens.zrf", None, Some(8)),
        ("games/towers-of-hanoi/towers-of-hanoi.zrf", None, Some(7)),
        ("games/river-crossing/river-crossing.zrf", None, Some(7)),
        ("games/knights-tour/knights-tour.zrf", None, None),
        ("games/peg-solitaire/peg-solitaire.zrf", None, Some(31)),
    ] {
        let rules = rules(path, title);
        let mut engine = engine(&rules);
        let mut state = State::start_of(Arc::clone(&rules));
        let report = think(&mut engine, &state, 3_000_000);
        let Some(Proof::Win(n)) = report.proven else { panic!("{path} is not solved") };
        assert!(n_moves.is_none_or(|it| it == n), "{path}: {n} moves");
        // The way is kept, so that every further move comes at once.
        while let Some(mv) = think(&mut engine, &state, 1).best {
            state.play(mv.as_compiled().expect("compiled rules")).expect("it is legal");
        }
        let outcome = state.outcome().expect("the rules never halt").expect("it is over");
        assert!(outcome.is_won_by(Player(0)), "{path}");
    }
}

#[test]
fn the_fifteen_puzzle_is_solved_from_anywhere() {
    let rules = rules("games/fifteen-puzzle/fifteen-puzzle.zrf", None);
    let mut engine = engine(&rules);
    for seed in 0..20 {
        let mut state = State::start_of(Arc::clone(&rules));
        random_walk(&mut state, 300, &mut SplitMix64::new(seed));
        if state.outcome().expect("the rules never halt").is_some() {
            continue;
        }
        let report = think(&mut engine, &state, 2_000_000);
        assert!(matches!(report.proven, Some(Proof::Win(_))), "seed {seed}");
    }
}

#[test]
fn the_same_search_gives_the_same_result() {
    for path in ["games/chess/chess.zrf", "games/hex/hex.zrf", "games/reversi/reversi.zrf"] {
        let rules = rules(path, None);
        let state = State::start_of(Arc::clone(&rules));
        let run = || {
            let mut report = think(&mut engine(&rules), &state, 3_000);
            report.time = Duration::ZERO;
            report
        };
        assert_eq!(run(), run(), "{path}");
    }
}

#[test]
fn four_who_begin_alike_are_even() {
    let rules = rules("games/four-handed-chess/four-handed-chess.zrf", None);
    let state = State::start_of(Arc::clone(&rules));
    let mut told = Vec::new();
    let limits = SearchLimits::nodes(1000);
    let report =
        engine(&rules).think(&state.clone().into(), &limits, &StopFlag::default(), &mut |info| {
            told.extend(info.line.as_ref().map(|it| it.score));
        });
    let is_near =
        |score: boardwright_engine::Score| score.hundredths().is_some_and(|it| it.abs() < 500);
    assert!(is_near(report.score), "{:?}", report.score);
    assert!(!told.is_empty() && told.into_iter().all(is_near));
    assert_eq!(report.proven, None);
    // By random games too, where each of four wins every fourth.
    let rules = self::rules("games/ludo/ludo.zrf", None);
    let mut state = State::start_of(Arc::clone(&rules));
    let mut rng = SplitMix64::new(3);
    while state.is_chance() || state.legal_moves().is_ok_and(|it| it.len() < 2) {
        random_walk(&mut state, 1, &mut rng);
    }
    let report = think(&mut engine(&rules), &state, 2000);
    assert!(is_near(report.score), "{:?}", report.score);
}
