//! One fault at each request to the disk in turn, for every kind of fault.

use boardwright_faulty_disk::{DiskFault, DiskOperation, FaultRule, FaultyDisk};

use crate::{random::block_on, simulation::Simulation};

/// How often a client tries before something is wrong: a fault of several requests may end
/// several attempts.
const ATTEMPTS: usize = 20;

/// One thing that a client wants.
enum Wish {
    Begin(&'static str),
    Play(&'static str, &'static str),
    Set(&'static str),
    AddGame(&'static str),
    Restart,
}

const SCRIPT: &[Wish] = &[
    Wish::Begin("a"),
    Wish::Play("a", "a1"),
    Wish::Begin("b"),
    Wish::Set("blue"),
    Wish::Play("b", "b1"),
    Wish::Play("a", "a2"),
    Wish::AddGame("my-pond"),
    Wish::Restart,
    Wish::Play("b", "b2"),
    Wish::Set("green"),
    Wish::Play("a", "a3"),
];

/// Runs the script; each wish is repeated until it is granted. Returns the number of requests
/// to the disk.
async fn run(rule: Option<FaultRule>, seed: u64) -> (u64, u64) {
    let disk = FaultyDisk::new(seed).with_checkpoints(4);
    if let Some(rule) = rule {
        disk.add_rule(rule);
    }
    let mut simulation = Simulation::new(disk);
    for wish in SCRIPT {
        let mut is_granted = false;
        for _ in 0..ATTEMPTS {
            is_granted = match wish {
                Wish::Begin(id) => simulation.begin(id).await,
                Wish::Play(id, request) => simulation.play(id, request).await,
                Wish::Set(value) => simulation.set("colour", value).await,
                Wish::AddGame(id) => simulation.add_game(id).await,
                Wish::Restart => {
                    simulation.restart().await;
                    true
                }
            };
            if is_granted {
                break;
            }
        }
        assert!(is_granted, "{rule:?}");
    }
    let n_operations = simulation.disk.n_operations();
    simulation.conclude().await;
    (n_operations, simulation.disk.injected().values().sum())
}

/// Runs the script with a fault at `n` requests from each `step`th on; returns how often there
/// was one.
fn fault_at_every_request(fault: DiskFault, n: u64, step: usize) -> u64 {
    let (n_operations, none) = block_on(run(None, 0));
    assert!(n_operations > 300 && none == 0, "{n_operations} requests, {none} faults");
    let mut n_injected = 0;
    for first in (1..=n_operations).step_by(step) {
        let rule = FaultRule { n, ..FaultRule::once(fault, first) };
        // The seed decides what is left of a write that was cut short.
        let (_, injected) = block_on(run(Some(rule), first * 31 + n));
        n_injected += injected;
    }
    n_injected
}

macro_rules! directed {
    ($($name:ident: $fault:ident, at_least $floor:literal;)*) => {$(
        #[test]
        fn $name() {
            let n_once = fault_at_every_request(DiskFault::$fault, 1, 1);
            assert!(n_once >= $floor, "only {n_once} faults");
            if !DiskFault::$fault.is_end() {
                // Longer than what the database tries again by itself.
                let n_long = fault_at_every_request(DiskFault::$fault, 15, 3);
                assert!(n_long > n_once, "{n_long} faults, {n_once} of single requests");
            }
        }
    )*};
}

directed! {
    each_request_fails_in_turn: Failure, at_least 300;
    each_write_is_cut_short_in_turn: ShortWrite, at_least 50;
    each_write_finds_no_space_in_turn: Full, at_least 50;
    each_request_finds_a_read_only_disk_in_turn: ReadOnly, at_least 50;
    each_lock_is_held_by_another_process_in_turn: Busy, at_least 50;
    the_process_is_killed_at_each_request_in_turn: Killed, at_least 300;
    the_power_is_cut_at_each_request_in_turn: PowerCut, at_least 300;
}

/// A sync fails, and the process is killed before anything else is stored. What the next one
/// reads must be on the disk, also if the system has forgotten that it is not.
#[test]
fn what_is_read_after_a_failed_sync_survives_a_loss_of_power() {
    let mut n_failed = 0;
    for seed in 0..400 {
        block_on(async {
            let mut simulation = Simulation::new(FaultyDisk::new(seed));
            assert!(simulation.begin("a").await && simulation.play("a", "a1").await);
            let first = simulation.disk.n_operations() + 1;
            let rule = FaultRule::from(DiskFault::Failure, first);
            simulation.disk.add_rule(FaultRule { only: Some(DiskOperation::Sync), ..rule });
            n_failed += u64::from(!simulation.play("a", "a2").await);
            simulation.disk.heal();
            simulation.kill().await;
            assert!(simulation.play("a", "a2").await, "stored now, or found to be");
            assert!(simulation.play("a", "a3").await);
            simulation.cut_power().await;
            simulation.conclude().await;
        });
    }
    assert_eq!(n_failed, 400, "each sync fails");
}

/// The same without a kill: the connection that failed is the only one, and so the database is
/// read from the beginning when the next one is made.
#[test]
fn a_move_that_failed_does_not_return_while_the_server_runs() {
    for seed in 0..100 {
        block_on(async {
            let mut simulation = Simulation::new(FaultyDisk::new(seed));
            assert!(simulation.begin("a").await && simulation.play("a", "a1").await);
            let first = simulation.disk.n_operations() + 1;
            let rule = FaultRule::from(DiskFault::Failure, first);
            simulation.disk.add_rule(FaultRule { only: Some(DiskOperation::Sync), ..rule });
            assert!(!simulation.play("a", "a2").await);
            assert!(simulation.check().await);
            simulation.disk.heal();
            assert!(simulation.check().await, "it is not there, as before");
            assert!(simulation.play("a", "a3").await);
            simulation.cut_power().await;
            simulation.conclude().await;
        });
    }
}
