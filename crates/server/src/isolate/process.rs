//! A process that runs rules, as the server sees it.

use std::{
    io::{self, BufRead, BufReader, Read, Write},
    path::Path,
    process::{ChildStdin, ChildStdout, Command, Stdio},
    sync::{Arc, mpsc},
    time::{Duration, Instant},
};

use boardwright_plugin::KilledOnDrop;

use super::messages::{HostReply, HostRequest, RulesSource};

/// Bytes of the longest answer.
const MAX_ANSWER: u64 = 8 << 20;
/// The time between two looks at whether the answer is still wanted.
const PATIENCE: Duration = Duration::from_millis(20);
/// How long a search may take to end after it was told to.
const ENDING: Duration = Duration::from_millis(500);

/// A process that could not answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Lost {
    /// It ended, by its limits on processor time and memory or by a fault.
    Died,
    /// It took too long.
    Late,
    /// Nobody wants the answer any more.
    Unwanted,
}

/// A process that runs rules.
pub(super) struct HostProcess {
    pub child: Arc<KilledOnDrop>,
    stdin: ChildStdin,
    answers: mpsc::Receiver<HostReply>,
    /// The rules that it has compiled.
    pub rules: Option<RulesSource>,
}

impl HostProcess {
    pub fn start(program: &Path) -> io::Result<HostProcess> {
        let mut child = Command::new(program)
            .arg("rules-host")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let (Some(stdin), Some(stdout)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(io::Error::other("the process has no pipes"));
        };
        let child = Arc::new(KilledOnDrop::new(child));
        let (sender, answers) = mpsc::channel();
        std::thread::Builder::new().name("rules".into()).spawn(move || listen(stdout, &sender))?;
        Ok(HostProcess { child, stdin, answers, rules: None })
    }

    /// Waits for the answer to a request. `on_news` hears of searches; a search ends when
    /// `is_stopped` says so, everything else when `is_unwanted` does.
    pub fn ask(
        &mut self,
        request: &HostRequest,
        within: Duration,
        on_news: &mut dyn FnMut(HostReply),
        is_stopped: &dyn Fn() -> bool,
        is_unwanted: &dyn Fn() -> bool,
    ) -> Result<HostReply, Lost> {
        self.send(request)?;
        let mut deadline = Instant::now() + within;
        let mut was_stopped = false;
        loop {
            match self.answers.recv_timeout(PATIENCE) {
                Ok(news @ HostReply::News { .. }) => on_news(news),
                Ok(answer) => return Ok(answer),
                Err(mpsc::RecvTimeoutError::Disconnected) => return Err(Lost::Died),
                Err(mpsc::RecvTimeoutError::Timeout) => {}
            }
            if Instant::now() >= deadline {
                return Err(if was_stopped { Lost::Unwanted } else { Lost::Late });
            }
            if is_unwanted() {
                return Err(Lost::Unwanted);
            }
            if is_stopped() && !was_stopped {
                was_stopped = true;
                self.send(&HostRequest::Stop)?;
                deadline = deadline.min(Instant::now() + ENDING);
            }
        }
    }

    fn send(&mut self, request: &HostRequest) -> Result<(), Lost> {
        let mut line = serde_json::to_vec(request).map_err(|_| Lost::Died)?;
        line.push(b'\n');
        self.stdin.write_all(&line).and_then(|()| self.stdin.flush()).map_err(|_| Lost::Died)
    }
}

/// Hands on answers until there are no more, or one makes no sense.
fn listen(stdout: ChildStdout, answers: &mpsc::Sender<HostReply>) {
    let mut stdout = BufReader::new(stdout);
    loop {
        let mut line = Vec::new();
        let read = stdout.by_ref().take(MAX_ANSWER).read_until(b'\n', &mut line);
        if !matches!(read, Ok(n) if n > 0) || line.last() != Some(&b'\n') {
            return;
        }
        let Ok(answer) = serde_json::from_slice(&line) else { return };
        if answers.send(answer).is_err() {
            return;
        }
    }
}
