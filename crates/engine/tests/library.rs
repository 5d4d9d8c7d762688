//! The engine plays every game of the library without a stumble.

use std::sync::Arc;

use boardwright_engine::{Engine, Limits, Settings, Stop};
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
            let settings = Settings { memory: 1 << 20, ..Settings::default() };
            let mut engine = Engine::new(Arc::clone(state.rules()), settings);
            let mut rng = SplitMix64::new(5);
            for ply in 0..4 {
                if state.is_chance() {
                    random_walk(&mut state, 1, &mut rng);
                    continue;
                }
                let limits = Limits::nodes(n_nodes);
                let report = engine.think(&state, &limits, &Stop::default(), &mut |_| {});
                assert_eq!(engine.n_refused(), 0, "{name} {title}: ply {ply}");
                assert!(report.nodes <= n_nodes + 300, "{name} {title}: {} nodes", report.nodes);
                let Some(best) = report.best else { break };
                if ply % 2 == 0 {
                    state.play(&best).expect("the engine's move is legal");
                } else {
                    random_walk(&mut state, 3, &mut rng);
                }
            }
        }
    }
}
