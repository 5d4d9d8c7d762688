//! Searches that fail, that wait, and that give way.

use std::{sync::mpsc, time::Duration};

use super::*;
use crate::library::Library;

fn thinker(panics: bool) -> Thinker {
    let folder = tempfile::tempdir().expect("a folder");
    Thinker { panics, ..Thinker::new(folder.path().to_owned()) }
}

fn job(match_id: &str, seconds: u64) -> Job {
    job_at("tic-tac-toe", match_id, seconds)
}

fn job_at(game: &str, match_id: &str, seconds: u64) -> Job {
    let playable = Library::new(PathBuf::new(), &[]).playable(game, 0).expect("a game");
    let state = playable.rules.start(1).expect("it begins");
    Job {
        playable,
        state,
        limits: SearchLimits {
            time: Some(Duration::from_secs(seconds)),
            ..SearchLimits::default()
        },
        level: 10,
        variety: 0,
        lines: 1,
        seed: 1,
        stop: StopFlag::default(),
        at_least: Duration::ZERO,
        match_id: match_id.to_owned(),
    }
}

/// Starts a search, and gives how it ends.
fn start(thinker: &Thinker, job: Job) -> mpsc::Receiver<Thought> {
    let (sender, receiver) = mpsc::channel();
    thinker.start(job, move |thought| {
        if !matches!(thought, Thought::News(_)) {
            let _ = sender.send(thought);
        }
    });
    receiver
}

const SOON: Duration = Duration::from_secs(60);

#[tokio::test(flavor = "multi_thread")]
async fn a_panic_ends_one_search_and_is_told() {
    let thinker = thinker(true);
    for n in 0..2 * AT_ONCE {
        let end = start(&thinker, job(&n.to_string(), 1)).recv_timeout(SOON).expect("an end");
        assert!(matches!(end, Thought::Failed(_)));
    }
    let sound = Thinker { panics: false, ..thinker };
    let end = start(&sound, job("pond", 1)).recv_timeout(SOON).expect("an end");
    assert!(matches!(end, Thought::Done(found) if found.best.is_some()));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_search_that_is_stopped_while_it_waits_is_told_of() {
    let thinker = thinker(false);
    let stopped = job("pond", 1);
    stopped.stop.stop();
    let end = start(&thinker, stopped).recv_timeout(SOON).expect("an end");
    assert!(matches!(end, Thought::Done(found) if found.best.is_none()));
}

#[tokio::test(flavor = "multi_thread")]
async fn long_searches_give_way_and_go_on_later() {
    let thinker = thinker(false);
    let long = ["wolf", "sheep"].map(|it| job_at("chess", it, 900));
    let stops = long.each_ref().map(|it| it.stop.clone());
    let long = long.map(|it| start(&thinker, it));
    let short = start(&thinker, job("pond", 1)).recv_timeout(SOON).expect("an end");
    assert!(matches!(short, Thought::Done(found) if found.best.is_some()));
    // Nobody asked the long ones to end.
    assert!(long.iter().all(|it| it.try_recv().is_err()));
    stops.iter().for_each(StopFlag::stop);
    assert!(long.iter().all(|it| it.recv_timeout(SOON).is_ok()));
}

#[tokio::test(flavor = "multi_thread")]
async fn closing_stops_what_runs() {
    let thinker = thinker(false);
    let long = start(&thinker, job_at("chess", "wolf", 900));
    thinker.close();
    // It ends, or it never began.
    let end = long.recv_timeout(SOON);
    assert!(!matches!(end, Err(mpsc::RecvTimeoutError::Timeout)));
}
