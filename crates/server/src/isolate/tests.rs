//! Processes that do not do what they should.

use std::{fs, os::unix::fs::PermissionsExt, path::Path};

use super::*;
use crate::work::Work;

/// A program that is this shell script.
fn script(folder: &Path, text: &str) -> PathBuf {
    let path = folder.join("program");
    fs::write(&path, format!("#!/bin/sh\n{text}\n")).expect("a file can be written");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("it is ours");
    path
}

fn rules() -> RulesSource {
    RulesSource::Bundle { text: String::new(), moves: None }
}

fn n_processes(isolation: &Isolation) -> usize {
    let pool = isolation.0.get().expect("it is on");
    pool.lock().children.iter().filter(|it| it.strong_count() > 0).count()
}

#[test]
fn rules_whose_process_dies_are_refused_by_name() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let isolation = Isolation::default();
    assert_eq!(isolation.vet(&rules(), "Pond"), Ok(()), "nothing is tried while it is off");
    isolation.switch_on(script(folder.path(), "exit 1"));
    let refused = isolation.vet(&rules(), "Pond").expect_err("the process dies");
    assert!(refused.0.contains("the rules of Pond took too much time or memory"), "{refused:?}");
    assert_eq!(n_processes(&isolation), 0);
}

#[test]
fn an_answer_lets_the_server_go_on_and_the_process_is_kept() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let isolation = Isolation::default();
    let answer = "while read line; do echo '{\"done\":{\"bytes\":7}}'; done";
    isolation.switch_on(script(folder.path(), answer));
    assert_eq!(isolation.vet(&rules(), "Pond"), Ok(()));
    assert_eq!(isolation.vet(&rules(), "Pond"), Ok(()));
    assert_eq!(n_processes(&isolation), 1);
    isolation.close();
    assert_eq!(n_processes(&isolation), 0);
    assert!(isolation.vet(&rules(), "Pond").is_err(), "a server that ends begins nothing");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_job_whose_asker_is_gone_ends_with_its_process() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let work = Work::new();
    work.isolation().switch_on(script(folder.path(), "exec sleep 1000"));
    let request = {
        let work = work.clone();
        tokio::spawn(async move { work.run(|| current().vet(&rules(), "Pond")).await })
    };
    while n_processes(work.isolation()) == 0 {
        tokio::task::yield_now().await;
    }
    request.abort();
    while n_processes(work.isolation()) > 0 {
        tokio::task::yield_now().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_stops_ends_its_processes() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let work = Work::new();
    work.isolation().switch_on(script(folder.path(), "exec sleep 1000"));
    let request = {
        let work = work.clone();
        tokio::spawn(async move { work.run(|| current().vet(&rules(), "Pond")).await })
    };
    while n_processes(work.isolation()) == 0 {
        tokio::task::yield_now().await;
    }
    work.close();
    let answer = request.await.expect("nothing panics");
    assert!(answer.is_err() || answer.is_ok_and(|it| it.is_err()));
    assert!(work.run(|| ()).await.is_err(), "nothing begins any more");
}
