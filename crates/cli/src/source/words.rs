//! Moves as one word each, for engine protocols: short words for rule files, the text of the
//! turn for presets.

use boardwright_rules::{GameMove, GameState, LegalMoves};

use crate::codec::{self, Dialect, WordError};

/// The word for a legal move.
pub(crate) fn encode(
    state: &GameState,
    legal: &LegalMoves,
    mv: &GameMove,
    dialect: Dialect,
) -> String {
    match (state.as_compiled(), legal.as_compiled(), mv.as_compiled()) {
        (Some(state), Some(list), Some(mv)) => codec::encode(state, list, mv, dialect),
        _ => codec::escaped(&state.text_of(mv)),
    }
}

/// The number of the legal move that a word names.
pub(crate) fn decode(
    state: &GameState,
    legal: &LegalMoves,
    word: &str,
) -> Result<usize, WordError> {
    if let (Some(state), Some(list)) = (state.as_compiled(), legal.as_compiled()) {
        return codec::decode(state, list, word);
    }
    let wanted = codec::unescaped(word);
    let texts: Vec<String> =
        (0..legal.len()).map(|it| state.move_text(legal, it).unwrap_or_default()).collect();
    if let Some(idx) = texts.iter().position(|it| *it == wanted) {
        return Ok(idx);
    }
    // People leave out the label of the piece.
    let is_bare = |it: &String| it.split_once(' ').is_some_and(|(_, rest)| rest == wanted);
    let found: Vec<usize> = (0..texts.len()).filter(|&it| is_bare(&texts[it])).collect();
    match found[..] {
        [] => Err(WordError::Unknown),
        [idx] => Ok(idx),
        _ => Err(WordError::Several(found)),
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn a_word_of_a_preset_means_its_turn() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../presets/chess");
        let rules = crate::source::open(&path, None).expect("it is in the library");
        let state = rules.start(1).expect("it begins");
        let legal = state.legal_moves().expect("the code tells moves");
        for idx in 0..legal.len() {
            let mv = legal.get(idx).expect("it is listed");
            let word = encode(&state, &legal, &mv, Dialect::Ugi);
            assert!(!word.contains(char::is_whitespace), "{word}");
            assert_eq!(decode(&state, &legal, &word), Ok(idx), "{word}");
        }
        let bare = decode(&state, &legal, "e2-e4").expect("it is one move");
        assert_eq!(state.move_text(&legal, bare).as_deref(), Some("P e2-e4"));
        assert_eq!(decode(&state, &legal, "e2-e5"), Err(WordError::Unknown));
    }
}
