//! Every saved game and every playthrough goes the same way in both forms of the rules.

use std::{fs, path::Path, sync::Arc};

use boardwright_fast::{Fast, replay_both};
use boardwright_play::{
    Rules, State,
    zsg::{SaveFile, StopReason, replay},
};
use boardwright_test_kit::{files_below, root, rule_file, variant};

#[test]
fn saves_replay_in_both_forms() {
    let saves = files_below("games", "zsg");
    assert!(saves.len() >= 50, "only {} saves", saves.len());
    let mut n_fast = 0;
    for path in saves {
        let name = path.display().to_string();
        let bytes = fs::read(&path).expect("it can be read");
        let save = SaveFile::read(&bytes);
        let rules_path = path.with_file_name(save.rules_name());
        let ruleset = variant(&name, &mut rule_file(&rules_path), Some(&save.variant));
        let rules = Arc::new(Rules::new(ruleset));
        let plain = replay(&save, Arc::clone(&rules), None);
        assert_eq!(plain.stop, None, "{name}");
        assert_eq!(plain.written.to_bytes(), bytes, "{name}");
        let Ok(fast) = Fast::new(&rules) else { continue };
        n_fast += 1;
        let both = replay_both(&save, rules, Some(&fast), None);
        assert_eq!(both.stop, None, "{name}");
        assert_eq!(both.state, plain.state, "{name}");
        assert_eq!(both.written.to_bytes(), bytes, "{name}");
    }
    assert!(n_fast >= 40, "only {n_fast} saves were replayed in the fast form");
}

#[test]
fn playthroughs_go_the_same_way_in_both_forms() {
    let mut n_fast = 0;
    for path in files_below("games", "zrf") {
        let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let kept = root().join(format!("tests/playthroughs/{stem}.txt"));
        let text = fs::read_to_string(&kept).expect("every game has a playthrough");
        n_fast += usize::from(follow(&path, &text));
    }
    assert!(n_fast >= 60, "only {n_fast} playthroughs were followed in the fast form");
}

/// Plays the moves of a playthrough in both forms; `false` if there is no fast one.
fn follow(path: &Path, text: &str) -> bool {
    let name = path.display().to_string();
    let rules = Arc::new(Rules::new(variant(&name, &mut rule_file(path), None)));
    let Ok(fast) = Fast::new(&rules) else { return false };
    let mut state = State::start_of(rules);
    let mut shadow = fast.shadow(&state);
    let played = text.lines().filter_map(|it| it.strip_prefix("> ")?.split_once(". "));
    for (_, text) in played {
        let list = state.legal_moves().expect("a game of ours never halts");
        let mut plain: Vec<String> = list.iter().map(|it| state.move_text(it)).collect();
        let mut quick = shadow.texts(&state).expect("a game of ours never halts");
        plain.sort();
        quick.sort();
        assert_eq!(quick, plain, "{name}, before {text}");
        assert!(shadow.play(&state, text), "{name}: the fast form does not know {text}");
        let mv = state.find_in(&list, text).expect("the playthrough is legal");
        state.play_unchecked(mv).expect("the playthrough is legal");
        assert!(shadow.agrees_with(&state), "{name}, after {text}");
    }
    assert_eq!(Ok(shadow.outcome()), state.outcome(), "{name}");
    true
}

/// The fast form of other rules on the same board stands for one that is wrong.
#[test]
fn a_fast_form_that_is_wrong_is_found_out() {
    let path = root().join("games/knights-tour/knights-tour.zrf");
    let rules = |title: &str| {
        Arc::new(Rules::new(variant("knights-tour", &mut rule_file(&path), Some(title))))
    };
    let bytes = fs::read(path.with_file_name("closed-8.zsg")).expect("it can be read");
    let save = SaveFile::read(&bytes);
    let wrong = Fast::new(&rules("Knight's Tour")).expect("it has a fast form");
    let both = replay_both(&save, rules(&save.variant), Some(&wrong), None);
    let stop = both.stop.expect("the forms differ");
    assert!(matches!(stop.reason, StopReason::Differs(_)), "{stop:?}");
}
