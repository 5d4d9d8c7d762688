//! Hex with the goal `connected` and Hex without it are one game.

use std::sync::Arc;

use boardwright_fast::Fast;
use boardwright_game::Player;
use boardwright_play::{Move, Rules, SplitMix64, State};
use boardwright_test_kit::{random_move, root, rule_file, setting, variant};

/// A drop by what everybody sees of it; the plain stones also say what they know.
fn key(state: &State, mv: &Move) -> (String, bool) {
    let text = state.move_text(mv);
    let dropped: Vec<_> = text.split(' ').take(3).collect();
    (dropped.join(" "), text.contains(" x "))
}

#[test]
fn both_hexes_end_at_the_same_move() {
    let games = setting("HEX_GAMES", 12);
    for title in ["Hex", "Hex 7x7", "Hex with Swap"] {
        let open = |name: &str| {
            let path = root().join("games/hex").join(name);
            variant(name, &mut rule_file(&path), Some(title))
        };
        let ours = Arc::new(Rules::new(open("hex.zrf")));
        let plain = Arc::new(Rules::new(open("hex-plain.zrf")));
        let fast = Fast::new(&ours).ok();
        let mut wins = [0, 0];
        for seed in 0..games {
            let mut random = SplitMix64::new(seed);
            let mut one = State::start_of(Arc::clone(&ours));
            let mut other = State::start_of(Arc::clone(&plain));
            let mut shadow = fast.as_ref().map(|it| it.shadow(&one));
            loop {
                let list = one.legal_moves().expect("Hex never halts");
                let beside = other.legal_moves().expect("Hex never halts");
                let mut keys: Vec<_> = list.iter().map(|it| key(&one, it)).collect();
                let mut others: Vec<_> = beside.iter().map(|it| key(&other, it)).collect();
                keys.sort();
                others.sort();
                assert_eq!(keys, others, "{title}, seed {seed}");
                let ending = one.outcome().expect("Hex never halts").map(|it| it.ending);
                let beside_ending = other.outcome().expect("Hex never halts").map(|it| it.ending);
                assert_eq!(ending, beside_ending, "{title}, seed {seed}");
                let swap = list.iter().find(|it| seed % 2 == 1 && key(&one, it).1);
                let Some(mv) = swap.or_else(|| random_move(&list, &mut random)) else {
                    assert!(ending.is_some(), "{title}, seed {seed}: no move and no end");
                    break;
                };
                let wanted = key(&one, mv);
                let same = beside.iter().find(|it| key(&other, it) == wanted);
                other.play(same.expect("the lists are equal")).expect("a legal move");
                if let Some(shadow) = &mut shadow {
                    assert!(shadow.play(&one, &one.move_text(mv)), "{title}, seed {seed}");
                }
                one.play(mv).expect("a legal move");
                if let Some(shadow) = &mut shadow {
                    assert!(shadow.agrees_with(&one), "{title}, seed {seed}");
                }
            }
            wins[usize::from(one.mover() == Some(Player(0)))] += 1;
        }
        assert!(games < 12 || wins.iter().all(|&it| it > 0), "{title}: both sides win sometimes");
    }
}
