//! Runs commands and measures what they take.

use std::{
    collections::HashSet,
    env, fs,
    io::{BufRead, BufReader, Write},
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::Mutex,
    thread,
    time::Duration,
};

use wait4::Wait4;

use crate::input::{Input, Kind};

/// Processor time that a command of a release build may take.
const TIME: Duration = Duration::from_secs(2);
/// The same for `think`, which is given a second.
const THINKING: Duration = Duration::from_secs(3);
/// Kilobytes that a command may take, at most.
const MEMORY: u64 = 256 << 10;
/// How much longer a development build may take.
const SLACK: u32 = 4;

/// Inputs on the disk, to be tried.
pub(crate) struct Battery {
    kind: Kind,
    folder: tempfile::TempDir,
    inputs: Vec<Stored>,
}

struct Stored {
    name: String,
    folder: PathBuf,
    files: Vec<String>,
}

/// What a command took.
struct Measured {
    command: &'static str,
    input: String,
    time: Duration,
    /// Kilobytes.
    memory: u64,
    /// What is wrong with how it ended, if anything.
    wrong: Option<String>,
}

impl Battery {
    /// Writes the inputs into a folder, so that their texts take no memory here: what a child
    /// process takes is measured from what its parent had.
    pub fn of(kind: Kind, inputs: impl IntoIterator<Item = Input>) -> Battery {
        let folder = tempfile::tempdir().expect("a folder can be made");
        let only = env::var("HOSTILE_ONLY").unwrap_or_default();
        let mut names = HashSet::new();
        let mut stored = Vec::new();
        for input in inputs {
            assert!(names.insert(input.name.clone()), "two inputs are named {}", input.name);
            assert_eq!(input.kind, kind);
            if !input.name.contains(&only) {
                continue;
            }
            let place = folder.path().join(stored.len().to_string());
            fs::create_dir(&place).expect("a folder can be made");
            for (name, bytes) in &input.files {
                fs::write(place.join(name), bytes).expect("a file can be written");
            }
            let files = input.files.into_iter().map(|it| it.0).collect();
            stored.push(Stored { name: input.name, folder: place, files });
        }
        Battery { kind, folder, inputs: stored }
    }

    /// Tries all inputs, of which there must be a number; gives how many there are.
    pub fn run(&self, at_least: usize) -> usize {
        if env::var_os("HOSTILE_ONLY").is_none() {
            assert!(self.inputs.len() >= at_least, "only {} inputs", self.inputs.len());
        }
        let queue = Mutex::new(self.inputs.iter());
        let measured = Mutex::new(Vec::new());
        let next = || queue.lock().expect("no thread panics").next();
        thread::scope(|scope| {
            for _ in 0..thread::available_parallelism().map_or(2, usize::from).min(8) {
                scope.spawn(|| {
                    while let Some(input) = next() {
                        let found = self.try_out(input);
                        found.iter().filter(|_| reports()).for_each(tell);
                        measured.lock().expect("no thread panics").extend(found);
                    }
                });
            }
        });
        let measured = measured.into_inner().expect("no thread panics");
        report(&measured);
        let wrong: Vec<String> = measured.iter().filter_map(Measured::complaint).collect();
        assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), measured.len(), wrong.join("\n"));
        self.inputs.len()
    }

    fn try_out(&self, input: &Stored) -> Vec<Measured> {
        let first = input.folder.join(input.files.first().expect("an input has a file"));
        let folder = input.folder.as_path();
        let out = self.folder.path().join(format!("{}.svg", input.folder.display()));
        let svg: &[&Path] = &[Path::new("--method"), Path::new("svg"), Path::new("--out"), &out];
        let host = host_request(folder, input.files.first().map_or("", |it| it));
        let commands: Vec<(&'static str, Vec<&Path>, &str)> = match self.kind {
            Kind::Rules => vec![
                ("check", vec![&first], ""),
                ("moves", vec![&first], ""),
                ("perft", args(&first, &["--depth", "2", "--within", "1s"]), ""),
                ("think", args(&first, &["--time", "1s"]), ""),
                ("play", vec![&first], PLAY),
                ("render", [&[first.as_path()], svg].concat(), ""),
                ("rules-host", vec![], &host),
            ],
            Kind::Preset => vec![
                ("preset", args(folder, &["check"]), ""),
                ("preset", args(folder, &["moves"]), ""),
                ("preset", args(folder, &["perft", "--depth", "1"]), ""),
                ("play", vec![folder], PLAY),
                ("render", [&[folder], svg].concat(), ""),
                ("rules-host", vec![], &host),
            ],
            Kind::Record => vec![
                ("preset", vec![Path::new("replay"), folder, &first], ""),
                ("render", [&[first.as_path()], svg].concat(), ""),
            ],
            Kind::Save => vec![
                ("replay", vec![&first], ""),
                ("render", [&[first.as_path()], svg].concat(), ""),
            ],
            Kind::Pictures => vec![
                ("render", [&[first.as_path()], svg].concat(), ""),
                ("rules-host", vec![], &host),
            ],
        };
        commands
            .into_iter()
            .map(|(command, args, typed)| measure(&input.name, command, &args, typed))
            .collect()
    }
}

/// Some moves, seen from all sides.
const PLAY: &str = "moves\n1\nboard\n2\nmoves\n1\nundo\nundo\npieces\nrules\nhint\nquit\n";

/// Lets the process that runs rules open them, and waits for the answer.
fn host_request(folder: &Path, file: &str) -> String {
    let rules = serde_json::json!({ "folder": { "path": folder, "file": file, "n": 0 } });
    format!("{}\n", serde_json::json!({ "open": { "rules": rules } }))
}

fn args<'a>(first: &'a Path, rest: &[&'static str]) -> Vec<&'a Path> {
    // A subcommand comes before the file, an option behind it.
    let (before, behind): (Vec<_>, Vec<_>) = match rest {
        [word, behind @ ..] if !word.starts_with('-') => (vec![*word], behind.to_vec()),
        _ => (vec![], rest.to_vec()),
    };
    let before = before.into_iter().map(Path::new);
    before.chain([first]).chain(behind.into_iter().map(Path::new)).collect()
}

/// The program to try, and whether it is of a release build.
fn program() -> (PathBuf, bool) {
    match env::var_os("HOSTILE_PROGRAM") {
        Some(path) => (PathBuf::from(path), true),
        None => (PathBuf::from(env!("CARGO_BIN_EXE_boardwright")), false),
    }
}

fn measure(input: &str, command: &'static str, args: &[&Path], typed: &str) -> Measured {
    let (program, _) = program();
    // The limits end what would take the machine down; what is allowed is less.
    let limits = "ulimit -c 0; ulimit -t 12; ulimit -d 700000; exec \"$@\"";
    let is_host = command == "rules-host";
    let mut child = Command::new("sh")
        .args(["-c", limits, "sh"])
        .arg(program)
        .arg(command)
        .args(args)
        .stdin(Stdio::piped())
        .stdout(if is_host { Stdio::piped() } else { Stdio::null() })
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("it is piped");
    // A program that has ended takes no input.
    let _ = stdin.write_all(typed.as_bytes());
    let mut answer = String::new();
    if let Some(stdout) = child.stdout.take() {
        // It ends when its input does, so that stays open until it has answered.
        let _ = BufReader::new(stdout).read_line(&mut answer);
    }
    drop(stdin);
    let stderr = child.stderr.take().map(std::io::read_to_string);
    let done = child.wait4().expect("a child ends");
    let errors = stderr.and_then(Result::ok).unwrap_or_default();
    let is_panic = errors.contains("panicked at") || errors.contains("overflowed its stack");
    let wrong = match done.status.code() {
        Some(0 | 1) if !is_panic && is_host == answer.ends_with('\n') => None,
        _ => {
            let errors: String = errors.chars().take(300).collect();
            Some(format!("ended with {}: {errors}", done.status))
        }
    };
    let time = done.rusage.utime + done.rusage.stime;
    let input = input.to_owned();
    Measured { command, input, time, memory: done.rusage.maxrss / 1024, wrong }
}

impl Measured {
    fn complaint(&self) -> Option<String> {
        let (_, is_release) = program();
        let thinks = ["think", "play"].contains(&self.command);
        let time = if thinks { THINKING } else { TIME } * if is_release { 1 } else { SLACK };
        let is_good = self.wrong.is_none() && self.time <= time && self.memory <= MEMORY;
        (!is_good).then(|| self.to_string())
    }
}

impl std::fmt::Display for Measured {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Measured { command, input, time, memory, wrong } = self;
        let (seconds, megabytes) = (time.as_secs_f64(), memory >> 10);
        let wrong = wrong.as_deref().unwrap_or("");
        write!(f, "{seconds:6.2} s {megabytes:5} MB  {command}: {input} {wrong}")
    }
}

#[expect(clippy::print_stderr, reason = "asked for by whoever runs the test")]
fn report(measured: &[Measured]) {
    let total: Duration = measured.iter().map(|it| it.time).sum();
    let slowest = measured.iter().map(|it| it.time).max().unwrap_or_default();
    let largest = measured.iter().map(|it| it.memory >> 10).max().unwrap_or_default();
    eprintln!(
        "{} commands: {:.1} s of processor time, {:.2} s the slowest, {largest} MB the largest",
        measured.len(),
        total.as_secs_f64(),
        slowest.as_secs_f64(),
    );
}

#[expect(clippy::print_stderr, reason = "asked for by whoever runs the test")]
fn tell(measured: &Measured) {
    eprintln!("{measured}");
}

/// Whether what every command took is to be printed.
fn reports() -> bool {
    env::var_os("HOSTILE_REPORT").is_some()
}
