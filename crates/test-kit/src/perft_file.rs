//! Perft files: counts that other programs agree on.
//!
//! ```text
//! # English draughts; a chain is one move
//! game english-draughts/english-draughts.zrf
//! variant English Draughts
//! turns
//! 1 7
//! state on White (King e1); on Black (King e8); turn 0 White
//! 1 5
//! ```
//!
//! `game` is relative to `games/`, or else to the root of the project. A `variant` line resets the rest: no `turns`, the
//! start of the game. A `state` line changes what the counts behind it start from.

use std::path::Path;

use boardwright_fast::Fast;
use boardwright_play::{State, perft, perft_turns};

use crate::{root, rule_file, variant};

/// Checks the counts of a file that are not above `ceiling`; how many those were.
pub fn check(path: &Path, ceiling: u64) -> Result<usize, String> {
    let text = std::fs::read_to_string(path).map_err(|it| it.to_string())?;
    let mut game = String::new();
    let mut state: Option<State> = None;
    let mut turns = false;
    let mut n_checked = 0;
    for (idx, line) in text.lines().enumerate() {
        let at = || format!("{}:{}", path.display(), idx + 1);
        let line = line.split('#').next().unwrap_or("").trim();
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        let start = |title: Option<&str>, game: &str| {
            let in_games = root().join("games").join(game);
            let path = if in_games.exists() { in_games } else { root().join(game) };
            let mut file = rule_file(&path);
            State::start(variant(&path.display().to_string(), &mut file, title))
        };
        match word {
            "" => {}
            "game" => {
                game = rest.trim().to_owned();
                state = Some(start(None, &game));
                turns = false;
            }
            "variant" => {
                state = Some(start(Some(rest.trim()), &game));
                turns = false;
            }
            "turns" => turns = true,
            "state" => {
                let rules = state.as_ref().ok_or_else(|| format!("{}: no game", at()))?.rules();
                let read = State::from_text(rules.clone(), rest);
                state = Some(read.map_err(|it| format!("{}: {it}", at()))?);
            }
            depth => {
                let numbers = (depth.parse::<u32>(), rest.trim().parse::<u64>());
                let (Ok(depth), Ok(wanted)) = numbers else {
                    return Err(format!("{}: neither a count nor a word we know", at()));
                };
                if wanted > ceiling {
                    continue;
                }
                let state = state.as_mut().ok_or_else(|| format!("{}: no game", at()))?;
                let found = if turns { perft_turns(state, depth) } else { perft(state, depth) };
                let found = found.map_err(|it| format!("{}: {it}", at()))?;
                if found != wanted {
                    return Err(format!("{}: depth {depth} gives {found}, not {wanted}", at()));
                }
                let quick = match Fast::new(state.rules()) {
                    Ok(fast) if turns => Some(fast.shadow(state).perft_turns(depth)),
                    Ok(fast) => Some(fast.perft(state, depth, true)),
                    Err(_) => None,
                };
                let quick = quick.transpose().map_err(|it| format!("{}: {it}", at()))?;
                if let Some(quick) = quick.filter(|&it| it != wanted) {
                    return Err(format!("{}: the fast form counts {quick}, not {wanted}", at()));
                }
                n_checked += 1;
            }
        }
    }
    Ok(n_checked)
}
