//! Forced wins that the engine must find.
//!
//! `tactics.txt` has states in which who is to move wins by force, with every first move that
//! does it in the fewest moves. That is certain: each was proven by trying everything with
//! the plain rules (`test_kit::prove`), and what can be proven again quickly is, below.

use std::{collections::HashMap, sync::Arc};

use boardwright_engine::{Engine, EngineSettings, SearchLimits, StopFlag};
use boardwright_play::{Rules, State};
use boardwright_test_kit::{prove::Prover, root, rule_file, setting, variant};

struct Tactic {
    game: &'static str,
    plies: u32,
    wins: Vec<&'static str>,
    state: State,
}

fn tactics() -> Vec<Tactic> {
    let mut known: HashMap<&str, Arc<Rules>> = HashMap::new();
    let lines = include_str!("tactics.txt").lines().filter(|it| !it.starts_with('#'));
    lines
        .map(|line| {
            let parts: Vec<&str> = line.split(" | ").collect();
            let [game, plies, wins, setup] = parts[..] else { panic!("not four parts: {line}") };
            let rules = known.entry(game).or_insert_with(|| {
                let (path, title) =
                    game.split_once(':').map_or((game, None), |(a, b)| (a, Some(b)));
                let mut file = rule_file(&root().join(path));
                Arc::new(Rules::new(variant(path, &mut file, title)))
            });
            let state = State::from_text(Arc::clone(rules), setup).expect("a state");
            let plies = plies.parse().expect("a number");
            Tactic { game, plies, wins: wins.split("; ").collect(), state }
        })
        .collect()
}

#[test]
fn forced_wins_are_found() {
    let tactics = tactics();
    let n_nodes = setting("TACTICS_NODES", 60_000);
    let mut engines: HashMap<&str, Engine> = HashMap::new();
    let mut missed = Vec::new();
    for it in &tactics {
        let engine = engines.entry(it.game).or_insert_with(|| {
            let settings = EngineSettings { memory: 32 << 20, ..EngineSettings::default() };
            Engine::new(Arc::new(Arc::clone(it.state.rules()).into()), settings)
        });
        engine.new_game();
        let limits = SearchLimits::nodes(n_nodes);
        let report =
            engine.think(&it.state.clone().into(), &limits, &StopFlag::default(), &mut |_| {});
        let text = report.best.expect("the game is not over");
        let text = it.state.move_text(text.as_compiled().expect("compiled rules"));
        if !it.wins.contains(&text.as_str()) {
            let Tactic { game, plies, wins, state } = it;
            missed.push(format!("{game} in {plies}: {text}, not {wins:?}: {}", state.to_text()));
        }
    }
    let n = tactics.len();
    assert!(n >= 60, "{n} states");
    assert!(missed.len() * 10 <= n, "{} of {n} missed:\n{}", missed.len(), missed.join("\n"));
}

#[test]
fn forced_wins_are_forced() {
    let tactics = tactics();
    let budget = setting("PROVE_MOVES", 30_000);
    let mut n_proven = 0;
    for it in &tactics {
        let me = it.state.mover().expect("the game is not over");
        let list = it.state.legal_moves().expect("the rules never halt");
        let written = |mv: &&boardwright_play::Move| it.wins.contains(&&*it.state.move_text(mv));
        let win = list.iter().find(written).expect("a winning move is legal");
        let mut at = it.state.clone();
        // Fewer answers first: as certain, and much sooner found.
        let found = [2, 8, 0].into_iter().find_map(|answers| {
            let mut prover = Prover { budget, answers };
            prover.try_out(&mut at, win, me, it.plies).filter(|&it| it || answers == 0)
        });
        assert_ne!(found, Some(false), "{}: {}", it.game, it.state.to_text());
        n_proven += u32::from(found == Some(true));
    }
    assert!(n_proven >= 40, "{n_proven} proven again");
}
