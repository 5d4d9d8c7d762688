//! How long rules take: to be read, to become fast, to play, to count.
//!
//! `cargo bench -p boardwright-test-kit` measures all; a word behind `--` picks some.
//! Times of a shared machine are noisy; `bench/instructions` counts instead.

#![expect(missing_docs, reason = "the macros of criterion make functions without words")]

use std::{fs, hint::black_box, path::PathBuf, sync::Arc, time::Duration};

use boardwright_fast::Fast;
use boardwright_play::{Rules, State};
use boardwright_test_kit::{load, root, variant};
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};

/// The games, and how deep their lines are counted.
const GAMES: &[(&str, u32)] =
    &[("chess", 3), ("english-draughts", 6), ("reversi", 5), ("hex", 2), ("shogi", 3)];

fn path(game: &str) -> PathBuf {
    root().join(format!("games/{game}/{game}.zrf"))
}

fn rules(game: &str) -> Arc<Rules> {
    let bytes = fs::read(path(game)).expect("the library is there");
    Arc::new(Rules::new(variant(game, &mut load(game, &bytes), None)))
}

fn reading(bench: &mut Criterion) {
    let mut group = bench.benchmark_group("read");
    for &(game, _) in GAMES {
        let bytes = fs::read(path(game)).expect("the library is there");
        group.throughput(Throughput::Bytes(bytes.len() as u64));
        group.bench_function(game, |it| {
            it.iter(|| Rules::new(variant(game, &mut load(game, black_box(&bytes)), None)));
        });
    }
}

fn specializing(bench: &mut Criterion) {
    let mut group = bench.benchmark_group("specialize");
    for &(game, _) in GAMES {
        let rules = rules(game);
        group.bench_function(game, |it| it.iter(|| Fast::new(black_box(&rules)).is_ok()));
    }
}

fn playing(bench: &mut Criterion) {
    let mut group = bench.benchmark_group("playout");
    for &(game, _) in GAMES {
        let rules = rules(game);
        let Ok(fast) = Fast::new(&rules) else { continue };
        let mut playouts = fast.playouts(1, 200);
        group.bench_function(game, |it| it.iter(|| playouts.play()));
    }
}

fn counting(bench: &mut Criterion) {
    let mut group = bench.benchmark_group("perft");
    for &(game, depth) in GAMES {
        let rules = rules(game);
        let state = State::start_of(Arc::clone(&rules));
        let Ok(fast) = Fast::new(&rules) else { continue };
        let Ok(n) = fast.perft(&state, depth, true) else { continue };
        group.throughput(Throughput::Elements(n));
        for (how, bulk) in [("counted", true), ("made", false)] {
            group.bench_function(BenchmarkId::new(how, game), |it| {
                it.iter(|| fast.perft(black_box(&state), depth, bulk));
            });
        }
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .sample_size(20)
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(2));
    targets = reading, specializing, playing, counting
}
criterion_main!(benches);
