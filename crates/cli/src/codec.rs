//! Moves as one word each, as protocols of engines need them; see `docs/ugi.md`.
//!
//! Every move has a full word: its text with `_` for blanks. Most have a short one
//! too: where from and where to, `e2e4`, `e7e8=Queen`, `Pawn@e4`. The short word is
//! written where no other legal move has the same one, so that a word always means
//! one move.

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

/// Why a word means no move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Unclear {
    /// No legal move is called so.
    Unknown,
    /// Several are; their numbers.
    Several(Vec<usize>),
}

/// The players who choose moves, in the order in which they come to move.
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

/// The number of the legal move that a word means.
pub(crate) fn decode(state: &State, list: &MoveList, word: &str) -> Result<usize, Unclear> {
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
        return Err(Unclear::Several(several));
    }
    if let Some(mv) = state.find_in(list, &text)
        && let Some(idx) = list.iter().position(|it| it == mv)
    {
        return Ok(idx);
    }
    let meant = state.meant_in(list, &text);
    match meant[..] {
        [] => Err(Unclear::Unknown),
        [idx] => Ok(idx),
        _ => Err(Unclear::Several(meant)),
    }
}

/// The text of a move as one word.
fn full(state: &State, mv: &Move) -> String {
    escaped(&state.move_text(mv))
}

/// Where from, where to, and what a piece becomes; `None` where a move is more than that.
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

/// The letter for a piece: its notation if that is one, else the first of its name.
/// `+` stands for a piece whose notation begins with it, as promoted ones of shogi do.
pub(crate) fn letter(ruleset: &Ruleset, kind: PieceKind) -> String {
    let notation = ruleset.pieces.get(kind.idx()).and_then(|it| it.notation.as_deref());
    let mut chars = notation.unwrap_or("").chars();
    match (chars.next(), chars.next()) {
        (Some('+'), _) => "+".to_owned(),
        (Some(it), None) if it.is_alphabetic() => it.to_uppercase().collect(),
        _ => ruleset.piece_name(kind).chars().take(1).flat_map(char::to_uppercase).collect(),
    }
}

/// A text without blanks that says the same.
fn escaped(text: &str) -> String {
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

/// The text that a word says.
fn unescaped(word: &str) -> String {
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
}
