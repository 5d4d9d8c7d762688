//! The `go` command: the limits of a search.

use std::time::Duration;

use boardwright_engine::{SearchClock, SearchLimits};

/// A `go` command.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Go {
    pub limits: SearchLimits,
    /// Whether the answer must wait for `stop`.
    pub is_infinite: bool,
    /// Words that were not understood.
    pub unknown: Vec<String>,
}

impl Go {
    /// Reads the words after `go`; `mover` is the number of the player to move, from 1.
    pub(crate) fn read(words: &[&str], mover: usize) -> Go {
        let mut go = Go::default();
        let (mut left, mut increment, mut moves_to_go) = (None, Duration::ZERO, None);
        let mut words = words.iter().copied().peekable();
        while let Some(word) = words.next() {
            match word {
                "infinite" | "ponder" => {
                    go.is_infinite = true;
                    continue;
                }
                "searchmoves" => {
                    // Moves follow, up to the next known word.
                    go.unknown.push(word.to_owned());
                    while words.next_if(|it| !is_ours(it)).is_some() {}
                    continue;
                }
                _ => {}
            }
            // Clocks that have run out may be negative.
            let value = words.peek().and_then(|it| it.parse::<i64>().ok()).map(|it| it.max(0));
            let Some(value) = value.map(|it| it as u64) else {
                go.unknown.push(word.to_owned());
                continue;
            };
            words.next();
            let small = u32::try_from(value).unwrap_or(u32::MAX);
            let time = Duration::from_millis(value.min(u64::from(u32::MAX)));
            match word {
                "movetime" => go.limits.time = Some(time.max(Duration::from_millis(1))),
                "depth" => go.limits.depth = Some(small.max(1)),
                "mate" => go.limits.depth = Some(small.saturating_mul(2).max(1)),
                "nodes" => go.limits.nodes = Some(value.max(1)),
                "movestogo" => moves_to_go = Some(small.max(1)),
                _ => match clock_of(word) {
                    Some((player, Part::Left)) if player == mover => left = Some(time),
                    Some((player, Part::Increment)) if player == mover => increment = time,
                    Some(_) => {}
                    None => go.unknown.push(word.to_owned()),
                },
            }
        }
        if let Some(left) = left {
            go.limits.clock = Some(SearchClock { left, increment, moves_to_go });
        }
        // Without a limit, only `stop` ends the search.
        if go.limits == SearchLimits::default() && !go.is_infinite {
            if go.unknown.is_empty() {
                go.is_infinite = true;
            } else {
                // A limit was meant but not understood: the search must still end.
                go.limits.time = Some(INSTEAD);
            }
        }
        go
    }
}

/// The time of a search whose limit was not understood.
const INSTEAD: Duration = Duration::from_secs(1);

fn is_ours(word: &str) -> bool {
    let words = ["infinite", "ponder", "searchmoves", "movetime", "depth", "mate", "nodes"];
    words.contains(&word) || word == "movestogo" || clock_of(word).is_some()
}

enum Part {
    Left,
    Increment,
}

/// The player and the part of the clock that a word names: `wtime`, `binc`, `p3time`.
fn clock_of(word: &str) -> Option<(usize, Part)> {
    let (who, part) = match word.strip_suffix("time") {
        Some(who) => (who, Part::Left),
        None => (word.strip_suffix("inc")?, Part::Increment),
    };
    let player = match who {
        "w" => 1,
        "b" => 2,
        _ => who.strip_prefix('p')?.parse().ok()?,
    };
    Some((player, part))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn go(text: &str, mover: usize) -> Go {
        Go::read(&text.split_whitespace().collect::<Vec<_>>(), mover)
    }

    #[test]
    fn limits_are_read_for_the_side_to_move() {
        let clock =
            |it: Go| it.limits.clock.map(|it| (it.left.as_millis(), it.increment.as_millis()));
        let words = "wtime 1000 btime 2000 winc 10 binc 20 movestogo 5";
        assert_eq!(clock(go(words, 1)), Some((1000, 10)));
        assert_eq!(clock(go(words, 2)), Some((2000, 20)));
        assert_eq!(clock(go("p3time 7000 p1time 1", 3)), Some((7000, 0)));
        assert_eq!(clock(go("wtime -50", 1)), Some((0, 0)));
        assert_eq!(go("nodes 500", 1).limits, SearchLimits::nodes(500));
        assert!(!go("depth 3", 1).is_infinite);
    }

    #[test]
    fn nonsense_is_named_and_never_a_limit() {
        assert_eq!(go("depth", 1).unknown, ["depth"]);
        assert_eq!(go("movetime soon depth 2", 1).unknown, ["movetime", "soon"]);
        assert_eq!(go("movetime 99999999999999999999", 1).unknown.len(), 2);
        assert!(go("", 1).is_infinite && go("wtime 5", 2).is_infinite);
        assert!(go("infinite soon", 1).is_infinite);
        // A limit that is not understood does not give an infinite search.
        for wrong in ["foo", "movetime soon", "nodes 1e5", "depth 99999999999999999999"] {
            assert_eq!(go(wrong, 1).limits.time, Some(INSTEAD), "{wrong}");
            assert!(!go(wrong, 1).is_infinite, "{wrong}");
        }
        let some = go("searchmoves e2e4 d2d4 nodes 500", 1);
        assert_eq!(
            (some.limits, some.unknown),
            (SearchLimits::nodes(500), vec!["searchmoves".into()])
        );
    }
}
