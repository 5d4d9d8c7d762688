//! Our presets, from their folders.

#![allow(dead_code, reason = "each test file uses its share")]
#![allow(clippy::disallowed_methods, reason = "our presets are files")]

use std::{
    fs,
    path::{Path, PathBuf},
    sync::Arc,
};

use boardwright_gamecode::{CodeLimits, CodeStop};
use boardwright_preset::{Bundle, Folder, Game, Preset};

pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../presets")
}

/// The folder of a preset on disk.
pub struct OnDisk(pub PathBuf);

impl Folder for OnDisk {
    fn file(&mut self, name: &str) -> Option<String> {
        fs::read_to_string(self.0.join(name)).ok()
    }

    fn include(&mut self, name: &str) -> Option<String> {
        fs::read_to_string(root().join("include").join(format!("{name}.gc"))).ok()
    }
}

/// The names of all presets, sorted.
pub fn all() -> Vec<String> {
    let entries = fs::read_dir(root()).expect("the folder is there");
    let mut names: Vec<_> = entries
        .map(|it| it.expect("reads").file_name().into_string().expect("is text"))
        .filter(|it| root().join(it).join("preset.txt").exists())
        .collect();
    names.sort();
    names
}

pub fn bundle(name: &str) -> Bundle {
    let (bundle, notes) = Bundle::open(&mut OnDisk(root().join(name)));
    assert!(notes.is_empty(), "{name}: {notes:?}");
    bundle
}

pub fn preset(name: &str) -> Arc<Preset> {
    let preset = Preset::new(bundle(name), &CodeLimits::default()).expect("has a board");
    let program = preset.program();
    if let Some(diagnostic) = preset.diagnostics().first() {
        let place = program.sources().line_col(diagnostic.span);
        panic!("{name}: {place:?} {} {:?}", diagnostic.message, diagnostic.hints);
    }
    Arc::new(preset)
}

pub fn start(name: &str) -> Game {
    let preset = preset(name);
    match Game::start(preset.clone(), 1) {
        Ok(game) => game,
        Err(stop) => panic!("{name}: {}", show(&preset, &stop)),
    }
}

/// A stop with its place.
pub fn show(preset: &Preset, stop: &CodeStop) -> String {
    match stop {
        CodeStop::Ask(question) => {
            let words: Vec<_> = question.choices.iter().map(|it| it.0.as_str()).collect();
            format!("ask {}", words.join(" "))
        }
        CodeStop::Refused(text, _) => format!("refused: {text}"),
        CodeStop::Fault(it) if it.span == Default::default() => {
            format!("{}: {}", it.code, it.message)
        }
        CodeStop::Fault(it) => {
            let place = preset.program().sources().line_col(it.span);
            format!("{}: {} at {place:?}", it.code, it.message)
        }
    }
}

/// Plays turns, each of which must be accepted.
#[track_caller]
pub fn play(game: &mut Game, turns: &str) {
    for turn in turns.split(',').map(str::trim).filter(|it| !it.is_empty()) {
        if let Err(stop) = game.play(turn) {
            panic!("{turn}: {}", show(&game.preset().clone(), &stop));
        }
    }
}

/// What is said when a turn is not accepted.
#[track_caller]
pub fn refusal(game: &Game, turn: &str) -> String {
    let mut next = game.clone();
    match next.play(turn) {
        Ok(()) => panic!("{turn} is accepted"),
        Err(stop) => show(&game.preset().clone(), &stop),
    }
}
