//! A child process that speaks in lines: started, heard with deadlines, killed and reaped.
//!
//! Nothing that it does can block the caller: lines to it are written by a thread, lines from
//! it are bounded in length and in number, and it is killed with everything it started when
//! the last [`KilledOnDrop`] goes.

use std::{
    io::{self, BufRead, BufReader, Read, Write},
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
    sync::{Arc, Mutex, OnceLock, PoisonError, mpsc},
    thread,
    time::{Duration, Instant},
};

/// Bytes of the longest line.
const MAX_LINE: u64 = 1 << 16;
/// Bytes that a process may write within [`WINDOW`].
const MAX_BURST: usize = 8 << 20;
/// Lines that a process may write within [`WINDOW`].
const MAX_LINES: usize = 20_000;
/// See [`MAX_BURST`] and [`MAX_LINES`].
const WINDOW: Duration = Duration::from_secs(1);
/// Lines that wait to be heard; then the process waits as well.
const MAX_WAITING: usize = 4096;
/// How long the end of a process is awaited after its output has ended.
const LAST_WORDS: Duration = Duration::from_millis(100);

/// A child process; killed with its process group when nobody has it any more.
#[derive(Debug)]
pub struct KilledOnDrop(Mutex<Child>);

impl KilledOnDrop {
    /// Takes charge of a process.
    pub fn new(child: Child) -> KilledOnDrop {
        KilledOnDrop(Mutex::new(child))
    }

    /// Kills the process and waits for its end.
    pub fn kill(&self) {
        let mut child = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kill_group(&child);
        // One that has ended already cannot be killed, and need not be.
        let _ = child.kill();
        let _ = child.wait();
    }

    /// The id of the process.
    pub fn id(&self) -> u32 {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).id()
    }

    /// How the process ended, waiting a moment for it.
    fn ending(&self) -> String {
        let until = Instant::now() + LAST_WORDS;
        loop {
            let ended = self.0.lock().unwrap_or_else(PoisonError::into_inner).try_wait();
            match ended {
                Ok(Some(status)) => return status_words(status),
                Ok(None) if Instant::now() < until => thread::sleep(Duration::from_millis(1)),
                _ => return "its output ended".to_owned(),
            }
        }
    }
}

impl Drop for KilledOnDrop {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Kills what the process has started, too: it is the leader of a group of its own.
#[cfg(unix)]
fn kill_group(child: &Child) {
    use rustix::process::{Pid, Signal};
    let pid = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
    if let Some(pid) = pid {
        // Only a process that is its own leader has a group of this number.
        let _ = rustix::process::kill_process_group(pid, Signal::KILL);
    }
}

#[cfg(not(unix))]
fn kill_group(_child: &Child) {}

#[cfg(unix)]
fn status_words(status: std::process::ExitStatus) -> String {
    use std::os::unix::process::ExitStatusExt;
    match (status.signal(), status.code()) {
        (Some(4 | 6 | 7 | 8 | 11), _) => "a crash".to_owned(),
        (Some(24), _) => "it used too much processor time".to_owned(),
        (Some(25), _) => "it wrote a file".to_owned(),
        (Some(31), _) => "it did what it may not do".to_owned(),
        (Some(signal), _) => format!("signal {signal}"),
        (None, code) => format!("exit code {}", code.unwrap_or(0)),
    }
}

#[cfg(not(unix))]
fn status_words(status: std::process::ExitStatus) -> String {
    match status.code() {
        Some(code @ 0..=255) => format!("exit code {code}"),
        _ => "a crash".to_owned(),
    }
}

/// What is heard from a process.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Heard {
    /// A line without its end.
    Line(Vec<u8>),
    /// It wrote too much, or a line that is too long.
    TooMuch,
    /// It ended; how.
    Ended(String),
    /// Nothing until the deadline.
    Nothing,
}

/// A process that speaks in lines.
#[derive(Debug)]
pub(crate) struct LineProcess {
    child: Arc<KilledOnDrop>,
    to: mpsc::Sender<Vec<u8>>,
    from: mpsc::Receiver<Option<Vec<u8>>>,
}

impl LineProcess {
    /// Starts a process in a group of its own.
    pub fn start(mut command: Command) -> io::Result<LineProcess> {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = spawn(command)?;
        let pipes = (child.stdin.take(), child.stdout.take());
        let child = Arc::new(KilledOnDrop::new(child));
        let (Some(stdin), Some(stdout)) = pipes else {
            return Err(io::Error::other("the process has no pipes"));
        };
        let (to, lines) = mpsc::channel();
        thread::Builder::new().name("to engine".into()).spawn(move || write(stdin, &lines))?;
        let (tell, from) = mpsc::sync_channel(MAX_WAITING);
        thread::Builder::new().name("from engine".into()).spawn(move || listen(stdout, &tell))?;
        Ok(LineProcess { child, to, from })
    }

    /// The id of the process.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Sends a line; whether that worked is heard from the answer.
    pub fn say(&self, line: &[u8]) {
        let mut line = line.to_vec();
        line.push(b'\n');
        let _ = self.to.send(line);
    }

    /// The next line.
    pub fn hear(&self, until: Instant) -> Heard {
        let left = until.saturating_duration_since(Instant::now());
        match self.from.recv_timeout(left) {
            Ok(Some(line)) => Heard::Line(line),
            Ok(None) => Heard::TooMuch,
            Err(mpsc::RecvTimeoutError::Timeout) => Heard::Nothing,
            Err(mpsc::RecvTimeoutError::Disconnected) => Heard::Ended(self.child.ending()),
        }
    }
}

/// Starts a process from a thread that never ends.
///
/// Linux kills a child that asks for it when the thread that started it ends, not the program.
fn spawn(command: Command) -> io::Result<Child> {
    type Order = (Command, mpsc::Sender<io::Result<Child>>);
    static STARTER: OnceLock<Mutex<mpsc::Sender<Order>>> = OnceLock::new();
    let starter = STARTER.get_or_init(|| {
        let (orders, inbox) = mpsc::channel::<Order>();
        let work = move || {
            for (mut command, answer) in inbox {
                let _ = answer.send(command.spawn());
            }
        };
        // Without a thread, sending an order fails, which is told below.
        let _ = thread::Builder::new().name("starts engines".into()).spawn(work);
        Mutex::new(orders)
    });
    let (answer, child) = mpsc::channel();
    let sent = starter.lock().unwrap_or_else(PoisonError::into_inner).send((command, answer));
    sent.map_err(|_| io::Error::other("there is no thread to start processes"))?;
    child.recv().map_err(|_| io::Error::other("the process was not started"))?
}

fn write(mut stdin: ChildStdin, lines: &mpsc::Receiver<Vec<u8>>) {
    for line in lines {
        if stdin.write_all(&line).and_then(|()| stdin.flush()).is_err() {
            return;
        }
    }
}

/// Hands on lines until there are no more, or too much is written.
fn listen(stdout: ChildStdout, tell: &mpsc::SyncSender<Option<Vec<u8>>>) {
    let mut stdout = BufReader::new(stdout);
    let (mut began, mut n_bytes, mut n_lines) = (Instant::now(), 0, 0);
    loop {
        let mut line = Vec::new();
        let read = stdout.by_ref().take(MAX_LINE).read_until(b'\n', &mut line);
        if !matches!(read, Ok(n) if n > 0) {
            return;
        }
        if began.elapsed() > WINDOW {
            (began, n_bytes, n_lines) = (Instant::now(), 0, 0);
        }
        n_bytes += line.len();
        n_lines += 1;
        let is_cut = line.last() != Some(&b'\n') && line.len() as u64 == MAX_LINE;
        let is_too_much = is_cut || n_bytes > MAX_BURST || n_lines > MAX_LINES;
        while line.last().is_some_and(|it| b"\r\n".contains(it)) {
            line.pop();
        }
        if tell.send((!is_too_much).then_some(line)).is_err() || is_too_much {
            return;
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    /// A process that runs a shell script.
    fn shell(script: &str) -> LineProcess {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        LineProcess::start(command).expect("there is a shell")
    }

    /// What is heard in the end, lines left out.
    fn last_heard(process: &LineProcess) -> Heard {
        loop {
            match process.hear(Instant::now() + Duration::from_secs(60)) {
                Heard::Line(_) => {}
                other => return other,
            }
        }
    }

    #[test]
    fn a_flood_is_too_much_and_so_is_a_line_without_end() {
        assert_eq!(last_heard(&shell("yes")), Heard::TooMuch);
        assert_eq!(last_heard(&shell("yes | tr -d '\\n'")), Heard::TooMuch);
    }

    #[test]
    fn an_end_is_told_and_lines_before_it_are_heard() {
        let process = shell("read line; echo \"$line\"; exit 3");
        process.say(b"hello");
        let until = Instant::now() + Duration::from_secs(60);
        assert_eq!(process.hear(until), Heard::Line(b"hello".to_vec()));
        assert_eq!(last_heard(&process), Heard::Ended("exit code 3".to_owned()));
        assert_eq!(last_heard(&shell("kill -SEGV $$")), Heard::Ended("a crash".to_owned()));
    }

    #[test]
    fn what_a_process_started_ends_with_it() {
        let process = shell("sleep 1000 & echo $!; wait");
        let until = Instant::now() + Duration::from_secs(60);
        let Heard::Line(id) = process.hear(until) else { panic!("no line") };
        let id = String::from_utf8(id).ok().and_then(|it| it.parse().ok());
        let id = rustix::process::Pid::from_raw(id.expect("a number")).expect("a process");
        assert!(rustix::process::test_kill_process(id).is_ok());
        drop(process);
        // Its new parent may take a moment to bury it.
        let stat = format!("/proc/{}/stat", id.as_raw_nonzero());
        let is_dead = || !std::fs::read_to_string(&stat).is_ok_and(|it| !it.contains(") Z"));
        while !is_dead() {
            thread::yield_now();
        }
    }
}
