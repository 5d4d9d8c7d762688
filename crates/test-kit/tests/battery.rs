//! The contract of play, on every variant of every rule file we have.
//!
//! Random games: each ends or reaches a cap; undo gives back the very same state;
//! the hash is what it would be if worked out from nothing; texts of moves and of
//! states mean what they came from; a save written on the way replays.
//!
//! `BATTERY_GAMES` sets how many games a variant plays, `BATTERY_PLIES` how long.

use std::sync::Arc;

use boardwright_game::Ruleset;
use boardwright_play::{
    MoveList, Rules, SplitMix64, State,
    zsg::{self, SaveFile},
};
use boardwright_test_kit::{all_variants, playable_files, random_move, rule_file, setting};

#[test]
fn every_game_keeps_the_contract() {
    let n_games = setting("BATTERY_GAMES", 8);
    let n_plies = setting("BATTERY_PLIES", 80) as usize;
    let files = playable_files();
    assert!(files.len() > 100, "only {} rule files", files.len());
    for path in files {
        let name = path.display().to_string();
        let mut file = rule_file(&path);
        for ruleset in all_variants(&name, &mut file) {
            let title = format!("{name} > {}", ruleset.title);
            let rules = Arc::new(Rules::new(ruleset));
            for seed in 0..n_games {
                random_game(&title, &rules, seed, n_plies);
            }
        }
    }
}

fn random_game(title: &str, rules: &Arc<Rules>, seed: u64, n_plies: usize) {
    let mut rng = SplitMix64::new(seed);
    let mut state = State::start_of(Arc::clone(rules));
    let seats: String = rules.ruleset.players.iter().map(|_| 'C').collect();
    let mut save = SaveFile::new(&state, &seats);
    let mut list = MoveList::new();
    for ply in 0..n_plies {
        let at = || format!("{title}, seed {seed}, ply {ply}");
        let before = state.clone();
        if let Err(halt) = state.generate(&mut list) {
            let is_meant = ["endless-loop", "too-many-effects"].iter().any(|it| title.contains(it));
            assert!(is_meant, "{}: {halt}", at());
            return;
        }
        assert_eq!(state, before, "{}: generating changes nothing", at());
        assert_eq!(state.hash(), state.recomputed_hash(), "{}", at());
        state_text_means_the_state(&state, &list, &at);
        let Some(mv) = random_move(&list, &mut rng).cloned() else {
            let outcome = state.outcome().expect("moves were found a moment ago");
            let is_menu = rules.ruleset.is_selection_screen();
            assert!(outcome.is_some() || is_menu, "{}: no moves, no outcome", at());
            break;
        };
        let text = state.move_text(&mv);
        assert_eq!(state.find_in(&list, &text), Some(&mv), "{}: {text}", at());
        save.push_move(&state, &mv);
        let undo = state.play(&mv).unwrap_or_else(|it| panic!("{}: {text}: {it}", at()));
        let mut back = state.clone();
        back.undo(undo);
        assert_eq!(back, before, "{}: {text} and back", at());
        assert_eq!(back.hash(), before.hash(), "{}", at());
    }
    save_replays(title, &state, &save, rules);
}

fn state_text_means_the_state(state: &State, list: &MoveList, at: &dyn Fn() -> String) {
    let text = state.to_text();
    let read = State::from_text(Arc::clone(state.rules()), &text)
        .unwrap_or_else(|it| panic!("{}: {it}\n{text}", at()));
    assert_eq!(read.to_text(), text, "{}", at());
    let lines = State::from_text(Arc::clone(state.rules()), &state.to_text_lines());
    assert_eq!(lines.as_ref().map(State::to_text), Ok(text), "{}", at());
    assert_eq!(read.hash(), state.hash(), "{}", at());
    // An outcome is no part of the text, so the moves of a finished game come back.
    if state.decided().is_none() {
        assert!(read.is_same_but_for_history(state), "{}", at());
        assert_eq!(read.legal_moves().as_ref(), Ok(list), "{}", at());
    }
}

fn save_replays(title: &str, state: &State, save: &SaveFile, rules: &Arc<Rules>) {
    let bytes = save.to_bytes();
    let read = SaveFile::read_as(&bytes, rules.ruleset.save.encoding);
    assert_eq!(read.damage, None, "{title}");
    assert_eq!(read.to_bytes(), bytes, "{title}");
    let replay = zsg::replay(&read, Arc::clone(rules), None);
    assert_eq!(replay.stop, None, "{title}");
    assert_eq!(&replay.state, state, "{title}");
    assert_eq!(replay.written.to_bytes(), bytes, "{title}");
}

/// Two moves of one list never have one text, and the weights count all.
#[test]
fn texts_of_a_list_differ() {
    for path in playable_files() {
        let name = path.display().to_string();
        let mut file = rule_file(&path);
        let rulesets: Vec<Arc<Ruleset>> = all_variants(&name, &mut file);
        for ruleset in rulesets {
            let state = State::start(ruleset);
            let Ok(list) = state.legal_moves() else { continue };
            let mut texts: Vec<_> = list.iter().map(|it| state.move_text(it)).collect();
            texts.sort();
            texts.dedup();
            assert_eq!(texts.len(), list.len(), "{name}");
            assert!(list.total_weight() >= list.len() as u64, "{name}");
        }
    }
}
