//! The fast form and the plain machine agree on everything but the time.

use std::{fmt::Write, sync::Arc};

use boardwright_fast::{Fast, Unsupported};
use boardwright_golden::FAST_OPERATIONS;
use boardwright_play::{Rules, SplitMix64, State, perft};
use boardwright_test_kit::{
    files_below, playable_files, random_move, root, setting, sound_variants,
};

#[test]
fn both_forms_list_the_same_moves() {
    let games = setting("FAST_GAMES", 3);
    let mut refused: Vec<String> = Vec::new();
    let mut failed: Vec<String> = Vec::new();
    let mut n_fast = 0;
    let mut table = String::from(TABLE_HEAD);
    let only = std::env::var("FAST_ONLY").unwrap_or_default();
    let mut files = playable_files();
    files.extend(files_below("tests/suite", "zrf"));
    for path in files.into_iter().filter(|it| it.display().to_string().contains(&only)) {
        let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let is_game = path.starts_with(root().join("games"));
        for ruleset in sound_variants(&path) {
            let title = format!("{stem} / {}", ruleset.title);
            let rules = Arc::new(Rules::new(ruleset));
            let fast = match Fast::new(&rules) {
                Ok(fast) => fast,
                Err(Unsupported::NoGame) => continue,
                Err(why) => {
                    refused.push(format!("{title}: {why}"));
                    continue;
                }
            };
            n_fast += 1;
            if is_game {
                let _ = writeln!(table, "{title}: {} {}", fast.n_ops(), fast.walked().len());
            }
            if let Err(why) = compare(&rules, &fast, games).and_then(|()| count(&rules, &fast)) {
                failed.push(format!("{title}: {why}"));
            }
        }
    }
    assert!(failed.is_empty(), "{} differ:\n{}", failed.len(), failed.join("\n"));
    if !only.is_empty() {
        return;
    }
    // How much is fast may grow, and must not shrink unseen.
    assert!(n_fast >= 370, "{n_fast} fast; refused:\n{}", refused.join("\n"));
    let path = root().join("tests/fast-operations.txt");
    if FAST_OPERATIONS.is_blessed() {
        std::fs::write(&path, table).expect("the table can be written");
        return;
    }
    let wanted = std::fs::read_to_string(&path).unwrap_or_default();
    let changed: Vec<_> =
        table.lines().filter(|it| !wanted.lines().any(|old| old == *it)).collect();
    assert!(
        wanted == table,
        "operations have changed:\n{}\nto accept it: {}",
        changed.join("\n"),
        FAST_OPERATIONS.command()
    );
}

/// Plays moves in both forms; they agree after each.
fn both_play(path: &str, title: &str, moves: &str) -> State {
    let variants = sound_variants(&root().join(path));
    let ruleset = variants.into_iter().find(|it| it.title == title).expect("the variant is there");
    let rules = Arc::new(Rules::new(ruleset));
    let fast = Fast::new(&rules).expect("it has a fast form");
    let mut state = State::start_of(rules);
    let mut shadow = fast.shadow(&state);
    for text in moves.split("; ") {
        let list = state.legal_moves().expect("no halt");
        let found = list.iter().find(|it| state.move_text(it) == text).cloned();
        let mv = found.unwrap_or_else(|| panic!("{text} is not legal"));
        assert!(shadow.play(&state, text), "{text}");
        state.play_unchecked(&mv).expect("no halt");
        assert!(shadow.agrees_with(&state), "{text}");
    }
    state
}

#[test]
fn four_in_a_row_by_a_disc_of_the_other_side_is_seen() {
    let moves = "Red Disc b1; Yellow Disc a1; Red Disc b2; Yellow Disc b3; \
        Disc b2 x b1 Disc b3 x b2; Yellow Disc a2; Red Disc f1; Yellow Disc b3; \
        Disc b2 x b1 Disc b3 x b2; Yellow Disc b3; x f1; Yellow Disc e1; Red Disc c1; \
        Yellow Disc c2; Red Disc e2; Yellow Disc d1; Disc c2 x c1";
    let state = both_play("games/connect-four/connect-four.zrf", "Pop Out", moves);
    assert!(state.outcome().expect("no halt").is_some());
}

#[test]
fn drops_on_pieces_that_stand_already_repeat_the_state() {
    let moves = "White P a3; Black Q b2; White P a1; Black Q c3; White Q b1; Black Q c1; \
        White Q a2; Black P c1; White Q c2; Black P a1; White P a1; Black P a1; White P a3; \
        Black P c1";
    let state = both_play("tests/conformance/results/connected.zrf", "T", moves);
    assert!(state.outcome().expect("no halt").is_some());
}

const TABLE_HEAD: &str = "\
# Operations of each game's fast form, and how many of its blocks are walked.
# Written by BLESS_FAST_OPERATIONS=1 cargo test -p boardwright-test-kit --test fast; growth should have a reason.
";

/// Counts lines of play in both forms, as deep as is quick.
fn count(rules: &Arc<Rules>, fast: &Fast) -> Result<(), String> {
    let mut state = State::start_of(Arc::clone(rules));
    for depth in 1..=4 {
        let bulk = fast.perft(&state, depth, true);
        if bulk.is_ok_and(|it| it > 3000) {
            break;
        }
        let plain = perft(&mut state, depth);
        let made = fast.perft(&state, depth, false);
        if plain != bulk || made != bulk {
            return Err(format!("perft {depth}: {plain:?} plain, {made:?} made, {bulk:?} in bulk"));
        }
    }
    Ok(())
}

fn compare(rules: &Arc<Rules>, fast: &Fast, games: u64) -> Result<(), String> {
    for seed in 0..games {
        let mut random = SplitMix64::new(seed);
        let mut state = State::start_of(Arc::clone(rules));
        let mut shadow = fast.shadow(&state);
        let mut line: Vec<String> = Vec::new();
        for _ in 0..150 {
            let quick = shadow.moves();
            let list = match state.legal_moves() {
                Ok(list) => list,
                Err(halt) if quick == Err(halt) => break,
                Err(halt) => {
                    return Err(format!("after {:?}: {halt:?}, not {quick:?}", line.join("; ")));
                }
            };
            let quick = quick.map_err(|halt| format!("after {:?}: {halt}", line.join("; ")))?;
            let mut plain: Vec<String> = list.iter().map(|it| state.move_text(it)).collect();
            let mut quick: Vec<String> = quick.iter().map(|it| state.move_text(it)).collect();
            plain.sort();
            quick.sort();
            if state.is_chance() {
                quick.dedup();
            }
            if plain != quick {
                let missing: Vec<_> =
                    plain.iter().filter(|it| !quick.contains(it)).take(4).collect();
                let extra: Vec<_> = quick.iter().filter(|it| !plain.contains(it)).take(4).collect();
                return Err(format!(
                    "after {:?}: {} plain, {} fast; missing {missing:?}, extra {extra:?}",
                    line.join("; "),
                    plain.len(),
                    quick.len()
                ));
            }
            let Some(mv) = random_move(&list, &mut random).cloned() else {
                let (plain, quick) = (state.outcome(), shadow.outcome());
                if plain != Ok(quick) {
                    return Err(format!("after {:?}: {plain:?}, fast {quick:?}", line.join("; ")));
                }
                break;
            };
            let text = state.move_text(&mv);
            let found = shadow.play(&state, &text);
            if state.play_unchecked(&mv).is_err() {
                break;
            }
            if !found || !shadow.agrees_with(&state) {
                return Err(format!("after {:?}: `{text}` is played differently", line.join("; ")));
            }
            line.push(text);
        }
    }
    Ok(())
}
