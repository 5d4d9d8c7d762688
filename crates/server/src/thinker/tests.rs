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
        line: None,
        match_id: match_id.to_owned(),
        person: match_id.into(),
        rank: if seconds > 60 { Rank::Analysis } else { Rank::Reply },
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

/// A search that waits at a desk and never runs.
fn task(person: &str, match_id: &str, seconds: u64) -> Task {
    let job = Job { person: person.into(), ..job(match_id, seconds) };
    Task { job, tell: Box::new(|_| {}), runtime: Handle::current() }
}

#[tokio::test]
async fn twenty_matches_of_one_person_delay_another_by_one_search_at_most() {
    let desk = Arc::<Desk>::default();
    for n in 0..20 {
        desk.push(task("wolf", &format!("pond {n}"), 3));
    }
    desk.push(task("sheep", "lake", 3));
    let order: Vec<_> = (0..4).filter_map(|_| desk.next()).map(|it| it.0.job.match_id).collect();
    assert_eq!(order[..2], ["pond 0", "lake"], "{order:?}");
}

#[tokio::test]
async fn a_reply_does_not_wait_for_two_analyses() {
    let desk = Arc::<Desk>::default();
    desk.push(task("wolf", "pond", 900));
    desk.push(task("fox", "marsh", 900));
    let running: Vec<_> = (0..AT_ONCE).filter_map(|_| desk.next()).collect();
    assert!(running.iter().all(|it| !it.1.stop.is_stopped()));
    desk.push(task("sheep", "lake", 3));
    let stopped: Vec<_> = running.iter().filter(|it| it.1.stop.is_stopped()).collect();
    assert_eq!(stopped.len(), 1, "at once, and only one");
    assert!(desk.leave(&stopped[0].1), "it goes on later");
    assert_eq!(desk.next().map(|it| it.0.job.match_id).as_deref(), Some("lake"));
}

#[tokio::test]
async fn whoever_has_every_engine_gives_one_to_who_has_none() {
    let desk = Arc::<Desk>::default();
    desk.push(task("wolf", "pond", 30));
    desk.push(task("wolf", "marsh", 30));
    let running: Vec<_> = (0..AT_ONCE).filter_map(|_| desk.next()).collect();
    desk.push(task("sheep", "lake", 3));
    while running.iter().all(|it| !it.1.stop.is_stopped()) {
        tokio::time::sleep(desk::SLICE / 4).await;
    }
    let n_stopped = running.iter().filter(|it| it.1.stop.is_stopped()).count();
    assert_eq!(n_stopped, 1);
    // Alone, one person may have all of them.
    let desk = Arc::<Desk>::default();
    desk.push(task("wolf", "pond", 30));
    desk.push(task("wolf", "marsh", 30));
    let running: Vec<_> = (0..AT_ONCE).filter_map(|_| desk.next()).collect();
    desk.push(task("wolf", "lake", 30));
    tokio::time::sleep(2 * desk::SLICE).await;
    desk.make_room();
    assert!(running.iter().all(|it| !it.1.stop.is_stopped()));
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
