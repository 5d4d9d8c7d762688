//! Inputs made to hang, crash or exhaust the machine, each tried as a person would try it.
//!
//! Every command runs in a process of its own, whose processor time and memory are measured.
//! A release build stays within 2 s (3 s for `think`) and 256 MB:
//!
//! ```text
//! cargo build --release && HOSTILE_PROGRAM=target/release/boardwright \
//!     cargo test -p boardwright-cli --test hostile -- --nocapture
//! ```
//!
//! The program of a development build has checks that take time, and gets four times as much.
//! `HOSTILE_ONLY=text` tries only the inputs whose names contain the text, and
//! `HOSTILE_REPORT=1` prints what every command took.

mod code;
mod data;
mod input;
mod meter;
mod moves;
mod texts;

use input::{Input, Kind};
use meter::Battery;

#[test]
fn rule_files_stay_within_time_and_memory() {
    let groups: [fn() -> Vec<Input>; 7] = [
        texts::bombs,
        texts::copies,
        texts::boards,
        texts::shapes,
        moves::generation,
        moves::chains,
        moves::goals,
    ];
    let battery = Battery::of(Kind::Rules, groups.iter().flat_map(|it| it()));
    battery.run(126);
}

#[test]
fn records_saves_and_pictures_stay_within_time_and_memory() {
    let n_inputs = [
        Battery::of(Kind::Record, data::records()).run(12),
        Battery::of(Kind::Save, data::saves()).run(10),
        Battery::of(Kind::Pictures, data::pictures()).run(12),
    ];
    assert!(n_inputs.iter().sum::<usize>() >= 30 || std::env::var_os("HOSTILE_ONLY").is_some());
}

#[test]
fn code_stays_within_time_and_memory() {
    let battery = Battery::of(Kind::Preset, code::all());
    battery.run(100);
}
