//! Conformance cases: rule files that say in comments what must happen.
//!
//! ```text
//! ; T37: attribute is carried by the moving piece
//! ; play: P b1 - b2 @ b2 0 0
//! ; legal: (none)
//! (game …)
//! ```
//!
//! The first line is the title. The others are done in order. `legal:` lines that follow one another are the whole
//! list; `result:` is `White wins`, `White loses`, `draw` or `none`; `number:` the
//! number of the next move; `weight:` how often a move is generated; `shown:` the
//! text that players see of the only move; `edit:` changes the board as a save
//! does; `halts:` is the message when moves cannot be found.
//!
//! Where the rules have a fast form it must agree with the plain machine throughout.

use std::path::Path;

use boardwright_fast::{Fast, Shadow};
use boardwright_play::{Edit, Ending, State};

use crate::{load, variant};

/// Runs a case and says what is wrong with it.
pub fn run(path: &Path) -> Result<(), String> {
    let name = path.display().to_string();
    let bytes = std::fs::read(path).map_err(|it| it.to_string())?;
    let text = String::from_utf8_lossy(&bytes);
    let mut file = load(&name, &bytes);
    let mut state = State::start(variant(&name, &mut file, None));
    let directives: Vec<(&str, &str)> = text
        .lines()
        .skip(1)
        .filter_map(|it| it.strip_prefix("; ")?.split_once(": "))
        .filter(|(key, _)| key.chars().all(|it| it.is_ascii_lowercase()))
        .collect();
    if directives.is_empty() {
        return Err(format!("{name}: the case expects nothing"));
    }
    let fast = Fast::new(state.rules()).ok();
    let mut shadow = fast.as_ref().map(|it| it.shadow(&state));
    let mut rest = &directives[..];
    while let Some(&(key, value)) = rest.first() {
        let n =
            if key == "legal" { rest.iter().take_while(|it| it.0 == "legal").count() } else { 1 };
        let values: Vec<&str> = rest.iter().take(n).map(|it| it.1).collect();
        let before = state.clone();
        obey(&mut state, key, value, &values).map_err(|it| format!("{name}: {it}"))?;
        if key == "edit" {
            shadow = fast.as_ref().map(|it| it.shadow(&state));
        }
        if let Some(shadow) = &mut shadow {
            let played = (key == "play").then_some(value);
            follow(shadow, &before, &state, played)
                .map_err(|it| format!("{name}: in the fast form, at `{key}: {value}`: {it}"))?;
        }
        rest = rest.get(n..).unwrap_or(&[]);
    }
    Ok(())
}

/// Plays a move in the fast form too and compares everything.
fn follow(
    shadow: &mut Shadow<'_>,
    before: &State,
    state: &State,
    played: Option<&str>,
) -> Result<(), String> {
    if let Some(text) = played {
        same("whether it is legal", shadow.play(before, text), true)?;
    }
    same("whether the states agree", shadow.agrees_with(state), true)?;
    let quick = shadow.texts(state).map(|mut it| {
        it.sort();
        it
    });
    match state.legal_moves() {
        Ok(_) => same("the legal moves", quick, Ok(texts(state)?))?,
        Err(halt) => return same("the halt", quick, Err(halt)),
    }
    same("the outcome", Ok(shadow.outcome()), state.outcome())
}

fn obey(state: &mut State, key: &str, value: &str, values: &[&str]) -> Result<(), String> {
    let halted = |halt: boardwright_play::Halt| halt.to_string();
    match key {
        "play" => {
            let legal = texts(state)?;
            let mv = state.find_move(value).map_err(halted)?;
            let mv = mv.ok_or_else(|| format!("`{value}` is not legal, but {legal:?}"))?;
            same("the text of the move", state.move_text(&mv).as_str(), value)?;
            state.play(&mv).map(|_| ()).map_err(|it| it.to_string())
        }
        "legal" => {
            let mut wanted: Vec<String> =
                values.iter().filter(|it| **it != "(none)").map(|it| (*it).to_owned()).collect();
            wanted.sort();
            same("the legal moves", texts(state)?, wanted)
        }
        "result" => {
            let outcome = state.outcome().map_err(halted)?;
            let name = |it| state.ruleset().player_name(it);
            let found = match outcome.map(|it| it.ending) {
                None => "none".to_owned(),
                Some(Ending::Draw) => "draw".to_owned(),
                Some(Ending::Win(it)) => format!("{} wins", name(it)),
                Some(Ending::Loss(it)) => format!("{} loses", name(it)),
            };
            same("the result", found.as_str(), value)
        }
        "number" => same("the number", state.move_number().to_string().as_str(), value),
        "weight" => {
            let (weight, text) = value.split_once(' ').ok_or("`weight:` needs a number")?;
            let list = state.legal_moves().map_err(halted)?;
            let idx = list.iter().position(|it| state.move_text(it) == text);
            let found = idx.map_or(0, |it| list.weight(it)).to_string();
            same("the weight", found.as_str(), weight)
        }
        "shown" => {
            let list = state.legal_moves().map_err(halted)?;
            let found = list.get(0).map(|it| state.shown_text(it)).unwrap_or_default();
            same("the shown text", found.as_str(), value)
        }
        "halts" => match state.legal_moves() {
            Ok(_) => Err("the moves were found".to_owned()),
            Err(halt) => {
                let found = halt.message(|kind| state.ruleset().piece_name(kind).to_owned());
                same("the message", found.as_str(), value)
            }
        },
        "edit" => {
            state.edit(edit(state, value).ok_or_else(|| format!("no such edit: {value}"))?);
            Ok(())
        }
        _ => Err(format!("nobody knows what `{key}:` means")),
    }
}

fn texts(state: &State) -> Result<Vec<String>, String> {
    let list = state.legal_moves().map_err(|it| it.to_string())?;
    let mut texts: Vec<_> = list.iter().map(|it| state.move_text(it)).collect();
    texts.sort();
    Ok(texts)
}

fn edit(state: &State, text: &str) -> Option<Edit> {
    let ruleset = state.ruleset();
    let words: Vec<_> = text.strip_prefix('(')?.strip_suffix(')')?.split(' ').collect();
    match words[..] {
        ["x", site] => Some(Edit::Remove { site: ruleset.board.site_named(site)? }),
        [player, kind, site] => Some(Edit::Place {
            player: ruleset.player_named(player)?,
            kind: ruleset.piece_named(kind)?,
            site: ruleset.board.site_named(site)?,
        }),
        _ => None,
    }
}

fn same<A: PartialEq<B> + std::fmt::Debug, B: std::fmt::Debug>(
    what: &str,
    found: A,
    wanted: B,
) -> Result<(), String> {
    if found == wanted { Ok(()) } else { Err(format!("{what}: {found:?}, not {wanted:?}")) }
}
