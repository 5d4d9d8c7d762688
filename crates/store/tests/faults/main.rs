//! The store on a disk that fails: whatever goes wrong and when, nothing that was confirmed is
//! lost, nothing is stored twice or by halves, and work goes on when the fault is over.
//!
//! `FAULT_SEEDS=10000 cargo test -p boardwright-store --test faults` runs the simulation with
//! that number of seeds instead of 200, and `FAULT_SEED=17` the one with this seed.

#![expect(clippy::print_stdout, reason = "whoever runs many seeds wants to see what they did")]

mod directed;
mod expected;
mod full;
mod migration;
mod random;
mod simulation;
