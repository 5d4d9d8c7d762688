//! Any rules that compile can be played and taken back, whatever they say.
#![no_main]

use boardwright_play::{MoveList, SplitMix64, State};
use boardwright_zrf::{CompileLimits, NoFiles};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let limits = CompileLimits {
        steps: 100_000,
        pasted_bytes: 1 << 18,
        sites: 200,
        links: 10_000,
        ops: 20_000,
        ..CompileLimits::default()
    };
    let mut file = boardwright_zrf::load("fuzz.zrf", bytes, &mut NoFiles, &limits);
    let Some(rules) = file.default_variant().and_then(|it| file.compile(it)) else { return };
    let mut rng = SplitMix64::new(bytes.len() as u64);
    let mut state = State::start(rules);
    let start = state.clone();
    let mut past = Vec::new();
    let mut list = MoveList::new();
    for _ in 0..6 {
        if state.generate(&mut list).is_err() {
            break;
        }
        let ticket = rng.below(list.total_weight() as usize) as u64;
        let Some(mv) = list.drawn(ticket) else { break };
        let text = state.move_text(mv);
        assert_eq!(state.find_in(&list, &text), Some(mv), "{text}");
        let Ok(undo) = state.play_unchecked(mv) else { break };
        past.push(undo);
        assert_eq!(state.hash(), state.recomputed_hash());
        let again = State::from_text(state.rules().clone(), &state.to_text());
        assert_eq!(again.map(|it| it.to_text()), Ok(state.to_text()));
    }
    while let Some(undo) = past.pop() {
        state.undo(undo);
    }
    assert_eq!(state, start);
});
