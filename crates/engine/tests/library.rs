//! The engine plays every game of the library without a stumble.

#![expect(clippy::disallowed_methods, reason = "a test reads how long it should run")]

use std::sync::Arc;

use boardwright_engine::{Engine, EngineSettings, SearchLimits, StopFlag};
use boardwright_play::{SplitMix64, State};
use boardwright_test_kit::{all_variants, playable_files, random_walk, rule_file, setting};

#[test]
fn it_finds_legal_moves_in_every_game() {
    let only = std::env::var("ENGINE_ONLY").unwrap_or_default();
    let n_nodes = setting("ENGINE_NODES", 80);
    for path in playable_files() {
        let name = path.display().to_string();
        if !name.contains(&only) {
            continue;
        }
        for ruleset in all_variants(&name, &mut rule_file(&path)) {
            let title = ruleset.title.clone();
            let mut state = State::start(ruleset);
            let settings = EngineSettings { memory: 1 << 20, ..EngineSettings::default() };
            let mut engine = Engine::new(Arc::new(Arc::clone(state.rules()).into()), settings);
            let mut rng = SplitMix64::new(5);
            for ply in 0..4 {
                if state.is_chance() {
                    random_walk(&mut state, 1, &mut rng);
                    continue;
                }
                let limits = SearchLimits::nodes(n_nodes);
                let report =
                    engine.think(&state.clone().into(), &limits, &StopFlag::default(), &mut |_| {});
                assert_eq!(engine.n_refused(), 0, "{name} {title}: ply {ply}");
                assert!(report.nodes <= n_nodes + 300, "{name} {title}: {} nodes", report.nodes);
                let Some(best) = report.best else { break };
                if ply % 2 == 0 {
                    state
                        .play(best.as_compiled().expect("compiled rules"))
                        .expect("the engine's move is legal");
                } else {
                    random_walk(&mut state, 3, &mut rng);
                }
            }
        }
    }
}

/// Whole games between a strong and a weak player. `ENGINE_GAMES=50` makes it ten thousand.
#[test]
fn it_plays_whole_games_without_a_stumble() {
    let only = std::env::var("ENGINE_ONLY").unwrap_or_default();
    let (n_games, n_plies) = (setting("ENGINE_GAMES", 1), setting("ENGINE_PLIES", 60));
    let mut n_played = 0;
    for path in playable_files() {
        let name = path.display().to_string();
        if !name.contains(&only) {
            continue;
        }
        for ruleset in all_variants(&name, &mut rule_file(&path)) {
            let title = ruleset.title.clone();
            let start = State::start(ruleset);
            let settings = EngineSettings { memory: 1 << 18, ..EngineSettings::default() };
            let mut engine =
                Engine::new(Arc::new(Arc::clone(start.rules()).into()), settings.clone());
            for seed in 0..n_games {
                let mut rng = SplitMix64::new(seed);
                let mut state = start.clone();
                engine.new_game();
                for ply in 0..n_plies {
                    if state.is_chance() || ply < seed % 7 {
                        random_walk(&mut state, 1, &mut rng);
                        continue;
                    }
                    let level = if ply % 2 == 0 { 10 } else { 1 + (seed % 9) as u8 };
                    let variety = (seed % 11) as u8;
                    engine.set_settings(EngineSettings {
                        level,
                        variety,
                        seed,
                        ..settings.clone()
                    });
                    let limits = SearchLimits::nodes(10 + 5 * (seed % 4));
                    let report = engine.think(
                        &state.clone().into(),
                        &limits,
                        &StopFlag::default(),
                        &mut |_| {},
                    );
                    let Some(best) = report.best else { break };
                    state
                        .play(best.as_compiled().expect("compiled rules"))
                        .expect("the engine's move is legal");
                }
                n_played += 1;
            }
            assert_eq!(engine.n_refused(), 0, "{name} {title}");
        }
    }
    assert!(!only.is_empty() || n_played >= 150 * n_games, "{n_played} games");
}
