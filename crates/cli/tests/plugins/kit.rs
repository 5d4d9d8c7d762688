//! Engines built from source at test time, and games with them.

use std::{
    path::{Path, PathBuf},
    process::Command,
    sync::Arc,
    time::{Duration, Instant},
};

use boardwright_engine::{Engine, EngineSettings, SearchInfo, SearchLimits, StopFlag};
use boardwright_play::{Rules, SplitMix64};
use boardwright_plugin::{EngineSource, GuardedEngine, HostCommand, LineStep, PlayedLine};
use boardwright_rules::{GameOutcome, GameRules, Judging};

/// The root of the project.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The rules of a game of the library.
pub fn rules_of(name: &str) -> Arc<GameRules> {
    let path = root().join(format!("games/{name}/{name}.zrf"));
    let mut file = boardwright_test_kit::rule_file(&path);
    let ruleset = boardwright_test_kit::variant(name, &mut file, None);
    let rules = Arc::new(Rules::new(ruleset));
    Arc::new(GameRules::compiled(rules, file.sources().clone()))
}

/// Builds an engine in C; `None`, and a line that says so, where there is no compiler.
pub fn build_c(source: &Path, folder: &Path, name: &str, options: &[&str]) -> Option<PathBuf> {
    let library = folder.join(format!("{name}{}", std::env::consts::DLL_SUFFIX));
    let mut command = Command::new("cc");
    command.args(["-shared", "-fPIC", "-O1", "-Wall", "-Werror"]).args(options);
    command.arg("-I").arg(root().join("include")).arg(source).arg("-o").arg(&library);
    let Ok(output) = command.output() else {
        eprintln!("LEFT OUT: there is no C compiler (cc), so {} is not tested", source.display());
        return None;
    };
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Some(library)
}

/// Builds an engine in Rust with the compiler that builds this test.
pub fn build_rust(source: &Path, folder: &Path, name: &str) -> PathBuf {
    let library = folder.join(format!("{name}{}", std::env::consts::DLL_SUFFIX));
    let rustc = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".to_owned());
    let mut command = Command::new(rustc);
    command.args(["--edition", "2024", "--crate-type", "cdylib", "-O"]).arg(source);
    let output = command.arg("-o").arg(&library).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    library
}

/// The program that is tested, as a host.
pub fn host() -> HostCommand {
    HostCommand::own(PathBuf::from(env!("CARGO_BIN_EXE_boardwright")))
}

/// An engine with ours beside it.
pub fn guarded(library: &Path, rules: &Arc<GameRules>) -> GuardedEngine {
    let source = EngineSource::Library { host: host(), path: library.to_owned() };
    GuardedEngine::new("Tester", source, rules)
}

/// A game that was played.
pub struct PlayedGame {
    pub outcome: GameOutcome,
    pub notices: Vec<String>,
    pub texts: Vec<String>,
    /// How much longer than its time a move took, at most.
    pub overshoot: Duration,
    /// The last report of each search of the engine.
    pub reports: Vec<SearchInfo>,
}

/// Plays a whole game: the engine as the player of this number, random moves for the others.
pub fn play(
    engine: &mut GuardedEngine,
    rules: &Arc<GameRules>,
    seat: usize,
    time: Duration,
) -> PlayedGame {
    let mut own = Engine::new(Arc::clone(rules), EngineSettings::default());
    let mut line = PlayedLine::beginning_at(rules.start(1).unwrap());
    let mut state = line.start.clone();
    let mut rng = SplitMix64::new(7);
    let mut game = PlayedGame {
        outcome: GameOutcome::resignation(rules, rules.seats()[0]),
        notices: Vec::new(),
        texts: Vec::new(),
        overshoot: Duration::ZERO,
        reports: Vec::new(),
    };
    loop {
        let legal = state.legal_moves().unwrap();
        if let Some(outcome) = legal.outcome {
            game.outcome = outcome;
            return game;
        }
        let is_engine = state.mover() == rules.seats().get(seat).copied();
        let mv = if is_engine {
            let (began, mut last) = (Instant::now(), None);
            let limits = SearchLimits::time(time);
            let (at, how) = ((&state, &legal), (&limits, 0));
            let stop = StopFlag::default();
            let report =
                engine.think(&mut own, &line, at, how, &stop, &mut |it| last = Some(it.clone()));
            game.overshoot = game.overshoot.max(began.elapsed().saturating_sub(time));
            game.reports.extend(last);
            report.best.unwrap()
        } else {
            legal.drawn(&mut rng).unwrap()
        };
        game.notices.extend(engine.take_notice());
        let text = state.text_of(&mv);
        state = state.play_text(&legal, &text, Judging::Trust).unwrap().state;
        game.texts.push(text.clone());
        line.steps.push(LineStep::Move(text));
    }
}

/// The processes whose command line names a file.
#[cfg(target_os = "linux")]
pub fn processes_naming(path: &Path) -> Vec<String> {
    let wanted = path.display().to_string();
    let ids = std::fs::read_dir("/proc").unwrap().flatten();
    let lines = ids.filter_map(|it| std::fs::read(it.path().join("cmdline")).ok());
    lines
        .map(|it| String::from_utf8_lossy(&it).into_owned())
        .filter(|it| it.contains(&wanted))
        .collect()
}
