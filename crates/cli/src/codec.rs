//! Moves written as one word each, for engine protocols; see `docs/ugi.md`.
//!
//! Every move has a full word: its text with `_` for spaces. Most moves also have a short
//! word of origin and destination: `e2e4`, `e7e8=Queen`, `Pawn@e4`. The short word is
//! written only if no other legal move has the same one, so a word always means one move.

use boardwright_game::{PieceKind, Player, Ruleset};
use boardwright_play::{Effect, Move, MoveList, State};

/// The protocol that words are written for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Dialect {
    /// The universal game interface: pieces by their names, `e7e8=Queen`.
    Ugi,
    /// The interface of chess programs: pieces by their letters, `e7e8q`.
    Uci,
}

/// Why a word does not name exactly one move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum WordError {
    /// No legal move has this word.
    Unknown,
    /// Several legal moves have this word: their indices in the list.
    Several(Vec<usize>),
}

/// The players who choose moves (not dice), in the order of the turn order.
pub(crate) fn movers(ruleset: &Ruleset) -> Vec<Player> {
    let mut movers: Vec<Player> = Vec::new();
    for turn in &ruleset.turn_order.turns {
        let is_random = ruleset.players.get(turn.mover.idx()).is_some_and(|it| it.is_random);
        if !is_random && !movers.contains(&turn.mover) {
            movers.push(turn.mover);
        }
    }
    movers
}

/// The word for a move of a list of legal moves.
pub(crate) fn encode(state: &State, list: &MoveList, mv: &Move, dialect: Dialect) -> String {
    let Some(short) = short(state, mv, dialect) else { return full(state, mv) };
    let is_like = |it: &&Move| self::short(state, it, dialect).is_some_and(|it| it == short);
    if list.iter().filter(is_like).count() > 1 { full(state, mv) } else { short }
}

/// The index of the legal move that a word names.
pub(crate) fn decode(state: &State, list: &MoveList, word: &str) -> Result<usize, WordError> {
    let text = unescaped(word);
    let numbers = |is_it: &dyn Fn(&Move) -> bool| -> Vec<usize> {
        (0..list.len()).filter(|&idx| list.get(idx).is_some_and(is_it)).collect()
    };
    if let [idx] = numbers(&|it| state.move_text(it) == text)[..] {
        return Ok(idx);
    }
    let is_null = word == "0000";
    if let ([idx], true) = (&numbers(&|it| it.is_pass())[..], is_null) {
        return Ok(*idx);
    }
    let mut several = Vec::new();
    for dialect in [Dialect::Ugi, Dialect::Uci] {
        let shorts: Vec<_> = list.iter().map(|it| short(state, it, dialect)).collect();
        let find = |is_it: &dyn Fn(&str) -> bool| -> Vec<usize> {
            let fits = |it: &Option<String>| it.as_deref().is_some_and(is_it);
            (0..shorts.len()).filter(|&idx| fits(&shorts[idx])).collect()
        };
        let exact = find(&|it| it == word);
        let found =
            if exact.is_empty() { find(&|it| it.eq_ignore_ascii_case(word)) } else { exact };
        match found[..] {
            [] => {}
            [idx] => return Ok(idx),
            _ => several = found,
        }
    }
    if !several.is_empty() {
        return Err(WordError::Several(several));
    }
    if let Some(mv) = state.find_in(list, &text)
        && let Some(idx) = list.iter().position(|it| it == mv)
    {
        return Ok(idx);
    }
    let meant = state.meant_in(list, &text);
    match meant[..] {
        [] => Err(WordError::Unknown),
        [idx] => Ok(idx),
        _ => Err(WordError::Several(meant)),
    }
}

/// The text of a move as one word.
fn full(state: &State, mv: &Move) -> String {
    escaped(&state.move_text(mv))
}

/// The short word: origin, destination and promotion. `None` if the move cannot be written so.
fn short(state: &State, mv: &Move, dialect: Dialect) -> Option<String> {
    let ruleset = state.ruleset();
    let site = |it| escaped(ruleset.board.site_name(it));
    match *mv.effects.first()? {
        Effect::Walk { from, to } if from != to => {
            let mut word = site(from) + &site(to);
            let turns_into = mv.effects.iter().find_map(|it| match *it {
                Effect::TurnInto { kind, site } if site == to => Some(kind),
                _ => None,
            });
            if let Some(kind) = mv.promotion().or(turns_into) {
                word.push_str(&match dialect {
                    Dialect::Ugi => format!("={}", escaped(ruleset.piece_name(kind))),
                    Dialect::Uci => letter(ruleset, kind).to_lowercase(),
                });
            }
            Some(word)
        }
        Effect::Drop { kind, to } => Some(match dialect {
            Dialect::Ugi => format!("{}@{}", escaped(ruleset.piece_name(kind)), site(to)),
            Dialect::Uci => format!("{}@{}", letter(ruleset, kind), site(to)),
        }),
        _ => None,
    }
}

/// The letter of a piece: its notation if that is a single letter, otherwise the first letter
/// of its name; `+` for a notation that begins with it, as promoted pieces of shogi have.
pub(crate) fn letter(ruleset: &Ruleset, kind: PieceKind) -> String {
    let notation = ruleset.pieces.get(kind.idx()).and_then(|it| it.notation.as_deref());
    let mut chars = notation.unwrap_or("").chars();
    match (chars.next(), chars.next()) {
        (Some('+'), _) => "+".to_owned(),
        (Some(it), None) if it.is_alphabetic() => it.to_uppercase().collect(),
        _ => ruleset.piece_name(kind).chars().take(1).flat_map(char::to_uppercase).collect(),
    }
}

/// Encodes a text as one word without white space.
pub(crate) fn escaped(text: &str) -> String {
    let mut word = String::with_capacity(text.len());
    for ch in text.chars() {
        match ch {
            ' ' => word.push('_'),
            '_' | '%' => word.push_str(&format!("%{:02X}", u32::from(ch))),
            _ if ch.is_whitespace() || ch.is_control() => {
                let mut bytes = [0; 4];
                for byte in ch.encode_utf8(&mut bytes).bytes() {
                    word.push_str(&format!("%{byte:02X}"));
                }
            }
            _ => word.push(ch),
        }
    }
    word
}

/// Decodes what [`escaped`] wrote.
pub(crate) fn unescaped(word: &str) -> String {
    let mut bytes = Vec::with_capacity(word.len());
    let mut rest = word.as_bytes();
    while let Some((&byte, behind)) = rest.split_first() {
        let code = behind.get(..2).and_then(|it| str::from_utf8(it).ok());
        let code = code.and_then(|it| u8::from_str_radix(it, 16).ok());
        match (byte, code) {
            (b'_', _) => bytes.push(b' '),
            (b'%', Some(code)) => {
                bytes.push(code);
                rest = &behind[2..];
                continue;
            }
            _ => bytes.push(byte),
        }
        rest = behind;
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_texts_say_the_same() {
        for text in ["Pawn e2 - e4", "Pass", "under_score 100% x", "tab\tnbsp\u{a0}", "ход ё"] {
            let word = escaped(text);
            assert!(!word.contains(char::is_whitespace), "{word}");
            assert_eq!(unescaped(&word), text);
        }
        assert_eq!(escaped("Pawn e2 - e4"), "Pawn_e2_-_e4");
        assert_eq!(unescaped("50%"), "50%");
        assert_eq!(unescaped("%zz%4"), "%zz%4");
    }

    /// In every game of the library, some way into random games.
    #[test]
    fn every_word_is_read_as_the_move_it_was_written_for() {
        let games = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games");
        let mut n_words = 0;
        for folder in std::fs::read_dir(games).expect("the library").flatten() {
            let name = folder.file_name();
            let path = folder.path().join(&name).with_extension("zrf");
            let Ok(game) = crate::game::open(&path, None) else { continue };
            let mut state = State::start(game.ruleset);
            let mut rng = boardwright_play::SplitMix64::new(9);
            for _ in 0..16 {
                let list = state.legal_moves().expect("the rules are sound");
                let step = list.len() / 6 + 1;
                for (idx, mv) in list.iter().enumerate().step_by(step) {
                    for dialect in [Dialect::Ugi, Dialect::Uci] {
                        let word = encode(&state, &list, mv, dialect);
                        let text = state.move_text(mv);
                        assert!(!word.contains(char::is_whitespace), "{name:?}: {word}");
                        let read = decode(&state, &list, &word);
                        assert_eq!(read, Ok(idx), "{name:?}: {text} is {word}");
                        assert_eq!(decode(&state, &list, &escaped(&text)), Ok(idx), "{text}");
                        n_words += 1;
                    }
                }
                let Some(mv) = list.get(rng.below(list.len())).cloned() else { break };
                state.play(&mv).expect("it is legal");
            }
        }
        assert!(n_words > 1000, "{n_words}");
    }
}
