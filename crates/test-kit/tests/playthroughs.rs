//! Seeded games written out, one for each rule file, so that a change of behaviour
//! is a diff that people can read. `BLESS_PLAYTHROUGHS=1` writes them.

use std::{fmt::Write, path::Path};

use boardwright_golden::PLAYTHROUGHS;
use boardwright_play::{MoveList, SplitMix64, State};
use boardwright_test_kit::{files_below, random_move, root, rule_file, variant};

/// Plies written out, and moves listed at each.
const PLIES: usize = 16;
const LISTED: usize = 12;

#[test]
fn games_go_as_they_did() {
    let mut games = files_below("games", "zrf");
    games.push(root().join("tests/conformance/results/G01.zrf"));
    let mut faults = Vec::new();
    for path in games {
        let stem = path.file_stem().map(|it| it.to_string_lossy().into_owned());
        let kept = root().join(format!("tests/playthroughs/{}.txt", stem.unwrap_or_default()));
        faults.extend(PLAYTHROUGHS.compare(&kept, &playthrough(&path)).err());
    }
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

fn playthrough(path: &Path) -> String {
    let name = path.display().to_string();
    let mut state = State::start(variant(&name, &mut rule_file(path), None));
    let mut rng = SplitMix64::new(2026);
    let mut list = MoveList::new();
    let mut out = format!("{}\n", state.ruleset().title);
    for _ in 0..PLIES {
        // Writing to a string cannot fail.
        let _ = write!(out, "\n{}hash {:016x}\n", state.to_text_lines(), state.hash());
        if let Err(halt) = state.generate(&mut list) {
            let _ = writeln!(out, "halt: {halt}");
            return out;
        }
        let _ = writeln!(out, "{} moves, weight {}", list.len(), list.total_weight());
        for mv in list.iter().take(LISTED) {
            let _ = writeln!(out, "  {}", state.move_text(mv));
        }
        let Some(mv) = random_move(&list, &mut rng).cloned() else { break };
        let _ = writeln!(out, "> {}. {}", state.move_number(), state.move_text(&mv));
        if let Err(halt) = state.play_unchecked(&mv) {
            let _ = writeln!(out, "halt: {halt}");
            return out;
        }
    }
    match state.outcome() {
        Ok(Some(outcome)) => {
            let _ = writeln!(out, "\n{}: {:?}", outcome.text(state.ruleset()), outcome.ending);
        }
        Ok(None) => out.push_str("\nand so on\n"),
        Err(halt) => {
            let _ = writeln!(out, "halt: {halt}");
        }
    }
    out
}
