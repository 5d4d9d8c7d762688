//! The process that loads one plug-in engine: `boardwright engine-host`.
//!
//! It confines itself, loads the library that it is told, and calls its routines, all on one
//! thread. It ends when its input does, whatever the engine is doing. The engine's own output
//! goes nowhere; the protocol has a pipe of its own.

use std::{
    ffi::{OsString, c_long},
    fs::File,
    io::{self, BufRead, Write},
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError, mpsc},
    thread,
    time::Duration,
};

use crate::{
    confine::{self, Confinement},
    library::{EngineLibrary, MoveBuffer, SearchBoard},
    wire,
};

/// Bytes of stack for the engine.
const STACK: usize = 16 << 20;
/// Bytes of memory for the engine.
const MEMORY: u64 = 512 << 20;
/// Bytes of memory for another program, whose tables may be large.
const PROGRAM_MEMORY: u64 = 2 << 30;
/// The time between two reports of a search.
const PAUSE: Duration = Duration::from_millis(50);
/// Moves that an engine may list.
const MAX_MOVES: usize = 100_000;

/// Where messages go; shared by the threads of the host.
type Out = Arc<Mutex<File>>;

/// Loads the engine at a path and serves it until the input ends.
pub fn run_engine_host(path: &Path) -> io::Result<()> {
    let out: Out = Arc::new(Mutex::new(own_output()?));
    tell(&out, wire::HELLO.as_bytes());
    let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let folder = path.parent().map_or_else(PathBuf::new, Path::to_owned);
    let confinement = Confinement { memory: MEMORY, folder: &folder, may_execute: false };
    for it in confinement.enter() {
        let state = if it.is_on { "on" } else { "off" };
        tell(&out, format!("confined\t{}\t{state}", it.name).as_bytes());
    }
    let board: Arc<SearchBoard> = Arc::default();
    let (sender, requests) = mpsc::channel();
    let worker = {
        let (out, board) = (Arc::clone(&out), Arc::clone(&board));
        let work = move || serve(&path, &requests, &out, &board);
        thread::Builder::new().name("engine".into()).stack_size(STACK).spawn(work)?
    };
    for line in io::stdin().lock().split(b'\n') {
        let line = line?;
        let line = line.strip_suffix(b"\r").unwrap_or(&line);
        match line {
            b"stop\t1" => board.status.store(1, std::sync::atomic::Ordering::SeqCst),
            b"stop\t2" => board.status.store(2, std::sync::atomic::Ordering::SeqCst),
            b"quit" => break,
            _ if worker.is_finished() => break,
            _ => {
                let _ = sender.send(line.to_vec());
            }
        }
    }
    end()
}

/// Goes on as another program with the same limits; returns only if that fails.
#[cfg(unix)]
pub fn run_program_host(words: &[OsString]) -> io::Error {
    use std::os::unix::process::CommandExt;
    let Some((name, arguments)) = words.split_first() else {
        return io::Error::other("there is no command");
    };
    let path = Path::new(name);
    let folder = path.canonicalize().ok().and_then(|it| it.parent().map(Path::to_owned));
    let folder = folder.unwrap_or_default();
    let confinement = Confinement { memory: PROGRAM_MEMORY, folder: &folder, may_execute: true };
    confinement.enter();
    std::process::Command::new(name).args(arguments).exec()
}

/// Ends at once: an engine may have asked to be called at the end of its process, for ever.
fn end() -> ! {
    #[cfg(unix)]
    let _ = rustix::process::kill_process(rustix::process::getpid(), rustix::process::Signal::KILL);
    std::process::exit(0)
}

/// The standard output for the protocol alone; what the engine prints goes nowhere.
#[cfg(unix)]
fn own_output() -> io::Result<File> {
    let own = rustix::io::dup(io::stdout())?;
    let nowhere = File::options().write(true).open("/dev/null")?;
    rustix::stdio::dup2_stdout(&nowhere)?;
    Ok(File::from(own))
}

#[cfg(not(unix))]
fn own_output() -> io::Result<File> {
    use std::os::windows::io::{AsHandle, OwnedHandle};
    let own: OwnedHandle = io::stdout().as_handle().try_clone_to_owned()?;
    Ok(File::from(own))
}

fn tell(out: &Out, line: &[u8]) {
    let mut message = line.to_vec();
    message.push(b'\n');
    let mut out = out.lock().unwrap_or_else(PoisonError::into_inner);
    if out.write_all(&message).is_err() {
        // Nobody listens any more.
        end();
    }
}

/// Sends a message with fields that are bytes already.
fn tell_fields(out: &Out, word: &str, fields: &[&[u8]]) {
    let mut line = word.as_bytes().to_vec();
    for field in fields {
        line.push(b'\t');
        line.extend_from_slice(&wire::escaped(field));
    }
    tell(out, &line);
}

fn serve(path: &Path, requests: &mpsc::Receiver<Vec<u8>>, out: &Out, board: &Arc<SearchBoard>) {
    let library = match EngineLibrary::load(path) {
        Ok(it) => it,
        Err(why) => {
            tell_fields(out, "failed", &[why.as_bytes()]);
            return;
        }
    };
    let mut loaded = "loaded".to_owned();
    if library.has_game_over() {
        loaded.push_str("\tDLL_IsGameOver");
    }
    if library.has_moves() {
        loaded.push_str("\tDLL_GenerateMoves");
    }
    tell(out, loaded.as_bytes());
    for line in requests {
        confine::allow_time(0);
        let mut fields = line.split(|&it| it == b'\t');
        let word = fields.next().unwrap_or_default();
        let fields: Vec<Vec<u8>> = fields.map(wire::unescaped).collect();
        let first = fields.first().map_or(&[][..], Vec::as_slice);
        let result = |code: i32| tell(out, format!("result\t{code}").as_bytes());
        match word {
            b"new" => result(library.start_new_game(first)),
            b"move" => result(library.make_a_move(first)),
            b"cleanup" => result(library.clean_up()),
            b"search" => search(&library, &fields, out, board),
            b"over" => match library.is_game_over() {
                Some((code, score, comment)) => tell_fields(
                    out,
                    "result",
                    &[code.to_string().as_bytes(), score.to_string().as_bytes(), &comment],
                ),
                None => tell_fields(out, "failed", &[b"it has no routine DLL_IsGameOver"]),
            },
            b"moves" => generate(&library, out),
            _ => tell_fields(out, "failed", &[b"an unknown request"]),
        }
    }
}

fn search(library: &EngineLibrary, fields: &[Vec<u8>], out: &Out, board: &Arc<SearchBoard>) {
    let number = |idx: usize| -> c_long {
        let text = fields.get(idx).and_then(|it| str::from_utf8(it).ok());
        text.and_then(|it| it.parse().ok()).unwrap_or(0)
    };
    let (time, depth, variety) = (number(0), number(1), number(2));
    confine::allow_time(u64::try_from(time).unwrap_or(0) / 1000 + 1);
    board.reset();
    // Reports until the search has returned, which drops `done`.
    let (done, ended) = mpsc::channel::<()>();
    let reporter = {
        let (out, board) = (Arc::clone(out), Arc::clone(board));
        let report = move || {
            let mut last = Vec::new();
            while ended.recv_timeout(PAUSE) == Err(mpsc::RecvTimeoutError::Timeout) {
                let line = report(&board);
                if line != last {
                    tell(&out, &line);
                    last = line;
                }
            }
        };
        thread::Builder::new().name("reports".into()).spawn(report)
    };
    let code = library.search(time, depth, variety, board);
    drop(done);
    if let Ok(reporter) = reporter {
        let _ = reporter.join();
    }
    tell(out, &report(board));
    let [best, _] = board.moves();
    tell_fields(out, "result", &[code.to_string().as_bytes(), &best]);
}

fn report(board: &SearchBoard) -> Vec<u8> {
    let [nodes, score, depth] = board.numbers();
    let mut line = format!("info\t{nodes}\t{score}\t{depth}").into_bytes();
    for text in board.moves() {
        line.push(b'\t');
        line.extend_from_slice(&wire::escaped(&text));
    }
    line
}

fn generate(library: &EngineLibrary, out: &Out) {
    let mut buffer = MoveBuffer::new();
    for _ in 0..MAX_MOVES {
        let Some(code) = library.generate_move(&mut buffer) else {
            return tell_fields(out, "failed", &[b"it has no routine DLL_GenerateMoves"]);
        };
        let text = buffer.text();
        if code < 0 || text.is_empty() {
            return tell(out, format!("result\t{code}").as_bytes());
        }
        tell_fields(out, "legal", &[&text]);
    }
    tell_fields(out, "failed", &[b"it lists moves without end"]);
}
