//! `boardwright train`, and what it leaves behind.

#![expect(clippy::unwrap_used, reason = "a test may stop where it stands")]

use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

/// Runs the program with a folder of its own; gives what it said and whether all was well.
fn run(data: &Path, args: &[&str]) -> (String, bool) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_boardwright"));
    let output = command.env("BOARDWRIGHT_DATA", data).args(args).output().unwrap();
    let said = String::from_utf8(output.stdout).unwrap() + &String::from_utf8_lossy(&output.stderr);
    (said, output.status.success())
}

fn game(name: &str) -> String {
    let here = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    here.join("../../games").join(name).display().to_string()
}

/// The only file in the folder for what was learned, if there is one.
fn kept(data: &Path) -> Option<PathBuf> {
    let entries = fs::read_dir(data.join("tuned")).ok()?;
    let paths: Vec<PathBuf> = entries.map(|it| it.unwrap().path()).collect();
    assert!(paths.len() < 2, "{paths:?}");
    paths.first().cloned()
}

#[test]
fn what_is_no_better_is_not_kept() {
    let data = tempfile::tempdir().unwrap();
    let file = game("tic-tac-toe/tic-tac-toe.zrf");
    // Both sides always draw: nothing can be better.
    let mut args = vec!["train", &file, "--time", "100ms", "--nodes", "60"];
    args.extend(["--games", "8", "--match-nodes", "3000"]);
    let (said, is_well) = run(data.path(), &args);
    assert!(is_well, "{said}");
    assert!(said.contains("learned from") && said.contains("nothing is changed"), "{said}");
    assert_eq!(kept(data.path()), None);
}

#[test]
fn what_is_kept_is_used_for_these_rules_only() {
    let data = tempfile::tempdir().unwrap();
    let file = game("breakthrough/breakthrough.zrf");
    let (said, is_well) = run(data.path(), &["train", &file, "--forget"]);
    assert!(is_well && said.contains("Nothing was learned about"), "{said}");
    let think = |name: &str| {
        let (said, is_well) = run(data.path(), &["think", &game(name), "--nodes", "300"]);
        assert!(is_well, "{said}");
        said
    };
    let before = ["breakthrough/breakthrough.zrf", "dodgem/dodgem.zrf"].map(think);
    // A file for these rules: where the hash comes from is the business of the program.
    let name = hash_of(&file);
    let folder = data.path().join("tuned");
    fs::create_dir_all(&folder).unwrap();
    let path = folder.join(format!("{name}.txt"));
    fs::write(
        &path,
        format!(
            "boardwright-tuned 1\nrules {name}\nmethod playouts\n\
                              kinds\nearly\nlate\n"
        ),
    )
    .unwrap();
    let after = ["breakthrough/breakthrough.zrf", "dodgem/dodgem.zrf"].map(think);
    assert!(!lines(&before[0]).is_empty(), "{}", before[0]);
    assert_ne!(lines(&before[0]), lines(&after[0]), "the method did not change");
    assert_eq!(lines(&before[1]), lines(&after[1]));
    // What nobody can read counts as nothing.
    fs::write(&path, "boardwright-tuned 1\nrules 00\nmethod playouts\n").unwrap();
    assert_eq!(lines(&think("breakthrough/breakthrough.zrf")), lines(&before[0]));
    let (said, is_well) = run(data.path(), &["train", &file, "--forget"]);
    assert!(is_well && said.contains("is forgotten") && kept(data.path()).is_none(), "{said}");
}

/// The lines of play that were found, without how long it took.
fn lines(said: &str) -> Vec<String> {
    let is_line = |it: &&str| it.contains(" - ") && !it.contains("per second");
    said.lines().filter(is_line).map(str::to_owned).collect()
}

/// The hash of the rules of a file.
fn hash_of(file: &str) -> String {
    let mut loaded = boardwright_zrf::load(
        file,
        &fs::read(file).unwrap(),
        &mut boardwright_zrf::NoFiles,
        &boardwright_zrf::CompileLimits::default(),
    );
    let default = loaded.variants().iter().position(|it| it.is_default).unwrap_or(0);
    format!("{:016x}", loaded.compile(default).unwrap().fingerprint())
}

#[test]
fn two_ways_are_tried_before_it_is_ready_and_not_while_time_runs() {
    let data = tempfile::tempdir().unwrap();
    let file = game("dodgem/dodgem.zrf");
    let (said, is_well) = run(data.path(), &["think", &file, "--time", "20ms"]);
    assert!(is_well && kept(data.path()).is_none(), "{said}");
    let engine = |words: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_boardwright"));
        command.env("BOARDWRIGHT_DATA", data.path()).args(["engine", &file]);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(words.as_bytes()).unwrap();
        String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap()
    };
    let said = engine("position startpos\ngo movetime 20\nquit\n");
    assert!(said.contains("bestmove") && kept(data.path()).is_none(), "{said}");
    let said = engine("isready\nposition startpos\ngo movetime 20\nquit\n");
    assert!(said.contains("readyok") && said.contains("bestmove"), "{said}");
    let path = kept(data.path()).unwrap();
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.contains("\ntried "), "{text}");
    // What is known is not tried again; what is forgotten is.
    let known = text.replace("tried search", "tried auto").replace("tried playouts", "tried auto");
    fs::write(&path, &text).unwrap();
    engine("isready\nquit\n");
    assert_eq!(fs::read_to_string(&path).unwrap(), text);
    fs::write(&path, known).unwrap();
    engine("isready\nquit\n");
    assert!(!fs::read_to_string(&path).unwrap().contains("tried auto"));
}

/// The user is told why the answer takes some seconds.
#[test]
fn who_waits_for_a_trial_is_told_so_once() {
    let data = tempfile::tempdir().unwrap();
    let file = game("tic-tac-toe/tic-tac-toe.zrf");
    let trying = "Comparing search methods for this game";
    // It is certain before the time is over.
    let think = ["think", &file, "--time", "5s"];
    let (said, is_well) = run(data.path(), &think);
    assert!(is_well && said.matches(trying).count() == 1, "{said}");
    let (said, is_well) = run(data.path(), &think);
    assert!(is_well && !said.contains(trying), "{said}");
    let play = ["play", &file, "--opponent", "10", "--time", "20ms", "--lines", "--seat", "O"];
    let fresh = tempfile::tempdir().unwrap();
    let (said, is_well) = run(fresh.path(), &play);
    assert!(is_well && said.matches(trying).count() == 1, "{said}");
    let (said, is_well) = run(fresh.path(), &play);
    assert!(is_well && !said.contains(trying), "{said}");
}

#[test]
fn games_for_one_teach_nothing() {
    let data = tempfile::tempdir().unwrap();
    let (said, is_well) = run(data.path(), &["train", &game("peg-solitaire/peg-solitaire.zrf")]);
    assert!(!is_well && said.contains("not a game for two"), "{said}");
}
