//! The engine's signature: best move, score, depth and nodes for fixed node counts.
//!
//! A change that must not alter play leaves `tests/engine/signature.txt` as it is. A change
//! that does alter play rewrites it (`BLESS_SIGNATURE=1`), and the commit says so.
//!
//! The file is the same on every machine: with one thread, a seed and a node limit the engine
//! reads no clock, and the floating-point operations it uses (`+ - * /`, square root) are exact
//! by IEEE 754.

#![expect(clippy::disallowed_methods, reason = "a test reads its golden file")]

use std::{fmt::Write, fs, sync::Arc, time::Duration};

use boardwright_engine::{Engine, EngineSettings, SearchLimits, SearchReport, StopFlag};
use boardwright_golden::SIGNATURE;
use boardwright_play::{Rules, SplitMix64, State};
use boardwright_rules::GameState;
use boardwright_test_kit::{preset_rules, random_walk, root, rule_file, variant};

/// One game of the signature: folder below `games`, variant (`None` for the default one) and
/// the node limit of each search. Playouts of long games are slow, so their limits are lower.
const GAMES: &[(&str, Option<&str>, u64)] = &[
    ("chess", None, 4000),
    ("shogi", None, 3000),
    ("xiangqi", None, 3000),
    ("makruk", None, 3000),
    ("minishogi", None, 4000),
    ("international-draughts", None, 4000),
    ("english-draughts", None, 4000),
    ("reversi", None, 3000),
    ("connect-four", None, 4000),
    ("gomoku", None, 2000),
    ("go", None, 60),
    ("amazons", None, 200),
    ("hex", None, 300),
    ("nine-mens-morris", None, 3000),
    ("breakthrough", None, 4000),
    ("halma", None, 500),
    ("ataxx", None, 2000),
    ("mancala", None, 2000),
    ("royal-ur", None, 300),
    ("four-handed-chess", None, 1500),
    ("peg-solitaire", None, 2000),
    ("sokoban", None, 2000),
    ("isolation", None, 2000),
    ("konane", None, 2000),
    ("tablut", None, 2000),
    ("dobutsu", None, 4000),
    ("teeko", None, 3000),
];

/// Presets of the signature, and the node limit of each search: code is slow.
const PRESETS: &[(&str, u64)] =
    &[("chess", 150), ("shogi", 60), ("xiangqi", 80), ("ultima", 60), ("alice-chess", 60)];

/// Plies of random play before the second search of a game.
const RANDOM_PLIES: usize = 12;

fn rules(name: &str, title: Option<&str>) -> Arc<Rules> {
    let path = root().join(format!("games/{name}/{name}.zrf"));
    Arc::new(Rules::new(variant(name, &mut rule_file(&path), title)))
}

fn settings(level: u8) -> EngineSettings {
    EngineSettings {
        level,
        memory: 2 << 20,
        seed: 1,
        now: || Duration::ZERO,
        ..EngineSettings::default()
    }
}

/// One line of the file.
fn row(out: &mut String, label: &str, state: &GameState, report: &SearchReport) {
    let best = report.best.as_ref().map_or("none".to_owned(), |it| state.text_of(it));
    let score = report.score.original();
    let SearchReport { depth, nodes, .. } = report;
    let _ = writeln!(out, "{label}: {best}, score {score}, depth {depth}, nodes {nodes}");
}

/// A state after some random plies that is still undecided and not chance's turn.
fn later(rules: &Arc<Rules>) -> State {
    let mut rng = SplitMix64::new(11);
    for n_plies in (1..=RANDOM_PLIES).rev() {
        let mut state = State::start_of(Arc::clone(rules));
        random_walk(&mut state, n_plies, &mut rng);
        let is_over = state.legal_moves().map_or(true, |it| it.is_empty());
        if !is_over && !state.is_chance() {
            return state;
        }
    }
    State::start_of(Arc::clone(rules))
}

/// The first state of a game in which a player chooses.
fn first(rules: &Arc<Rules>) -> State {
    let mut state = State::start_of(Arc::clone(rules));
    let mut rng = SplitMix64::new(3);
    for _ in 0..20 {
        if !state.is_chance() {
            break;
        }
        random_walk(&mut state, 1, &mut rng);
    }
    state
}

fn signature() -> String {
    let mut out = String::from(
        "# Best move, score in the original's units, depth and nodes of searches with fixed node\n\
         # counts, one thread, seed 1. A change that alters play rewrites this file with\n\
         # BLESS_SIGNATURE=1 cargo test -p boardwright-engine --test signature\n",
    );
    let stop = StopFlag::default();
    for &(name, title, nodes) in GAMES {
        let rules = rules(name, title);
        let mut engine = Engine::new(Arc::new(Arc::clone(&rules).into()), settings(10));
        let limits = SearchLimits::nodes(nodes);
        for (label, state) in [("start", first(&rules)), ("later", later(&rules))] {
            let state = GameState::from(state);
            let report = engine.think(&state, &limits, &stop, &mut |_| {});
            row(&mut out, &format!("{name}, {label}"), &state, &report);
        }
    }
    for &(name, nodes) in PRESETS {
        let rules = preset_rules(name);
        let mut engine = Engine::new(Arc::clone(&rules), settings(10));
        let mut state = rules.start(1).expect("it begins");
        let mut rng = SplitMix64::new(11);
        for label in ["start", "later"] {
            let report = engine.think(&state, &SearchLimits::nodes(nodes), &stop, &mut |_| {});
            row(&mut out, &format!("preset {name}, {label}"), &state, &report);
            for _ in 0..6 {
                let mv = state.legal_moves().ok().and_then(|it| it.drawn(&mut rng));
                state.replay(&mv.expect("the game goes on")).expect("it is legal");
            }
        }
    }
    // Weak levels: noise, overlooked moves, fewer nodes. Variety: a choice among good moves.
    for name in ["breakthrough", "hex", "gomoku"] {
        let rules = rules(name, None);
        let state = GameState::from(later(&rules));
        let mut engine = Engine::new(Arc::new(Arc::clone(&rules).into()), settings(10));
        for level in [1, 6] {
            engine.new_game();
            engine.set_settings(settings(level));
            let report = engine.think(&state, &SearchLimits::nodes(3000), &stop, &mut |_| {});
            row(&mut out, &format!("{name}, level {level}"), &state, &report);
        }
        engine.new_game();
        engine.set_settings(EngineSettings { variety: 10, ..settings(10) });
        let report = engine.think(&state, &SearchLimits::nodes(300), &stop, &mut |_| {});
        row(&mut out, &format!("{name}, variety 10"), &state, &report);
    }
    // Proofs: the search without pruning that guesses.
    for (name, title) in
        [("tic-tac-toe", None), ("connect-four", Some("Connect Four 5x4")), ("dobutsu", None)]
    {
        let rules = rules(name, title);
        let state = GameState::from(first(&rules));
        let mut engine = Engine::new(Arc::new(Arc::clone(&rules).into()), settings(10));
        let report = engine.solve(&state, &SearchLimits::nodes(20_000), &stop, &mut |_| {});
        row(&mut out, &format!("{name}, proof"), &state, &report);
    }
    out
}

#[test]
fn the_engine_plays_as_its_signature_says() {
    let path = root().join("tests/engine/signature.txt");
    let found = signature();
    if SIGNATURE.is_blessed() {
        fs::write(&path, &found).expect("the file can be written");
    }
    let wanted = fs::read_to_string(&path).unwrap_or_default();
    let differences: Vec<String> = found
        .lines()
        .filter(|line| !wanted.lines().any(|it| it == *line))
        .map(str::to_owned)
        .collect();
    assert!(
        found == wanted,
        "the engine searches differently than {} says. If that is meant, run\n  \
         {}\nand say in the commit that play changes. Found now:\n{}",
        path.display(),
        SIGNATURE.command(),
        differences.join("\n"),
    );
    assert!(found.lines().count() >= 60, "some games are missing");
}
