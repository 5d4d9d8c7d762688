//! Every rule of the original that we know of, and every choice we made, as a case.

use std::collections::BTreeSet;

use boardwright_play::DECISIONS;
use boardwright_test_kit::{case, files_below};

fn check(folder: &str, at_least: usize) {
    let cases = files_below(&format!("tests/conformance/{folder}"), "zrf");
    assert!(cases.len() >= at_least, "only {} cases in {folder}", cases.len());
    let faults: Vec<_> = cases.iter().filter_map(|it| case::run(it).err()).collect();
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

#[test]
fn moves_are_those_of_the_original() {
    check("rules", 69);
}

#[test]
fn games_end_as_in_the_original() {
    check("results", 29);
}

/// What we do otherwise on purpose: marked `DIFFERENCE:` in the code.
#[test]
fn differences_from_the_original_are_known() {
    check("differences", 2);
}

#[test]
fn our_choices_are_kept() {
    check("decisions", DECISIONS.len());
}

#[test]
fn every_choice_has_a_case_and_every_case_a_choice() {
    let files = files_below("tests/conformance/decisions", "zrf");
    let cases: BTreeSet<_> = files
        .iter()
        .filter_map(|it| it.file_stem())
        .map(|it| it.to_string_lossy().into_owned())
        .collect();
    let choices: BTreeSet<_> = DECISIONS.iter().map(|it| it.id.to_owned()).collect();
    assert_eq!(cases, choices);
}

#[test]
fn the_code_names_its_choices() {
    let sources = files_below("crates/play/src", "rs");
    let texts = sources.iter().filter(|it| !it.ends_with("decisions.rs"));
    let code: String = texts.filter_map(|it| std::fs::read_to_string(it).ok()).collect();
    for choice in DECISIONS {
        assert!(code.contains(&format!("`{}`", choice.id)), "{} is nowhere in the code", choice.id);
    }
    let mentions = code.split("ecision `").skip(1).filter_map(|it| it.split('`').next());
    for id in mentions {
        assert!(DECISIONS.iter().any(|it| it.id == id), "`{id}` is no decision");
    }
}
