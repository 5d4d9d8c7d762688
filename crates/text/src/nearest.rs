//! "Did you mean …?"

/// The candidate most like `word`, if any is like enough to be a slip of the pen.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let n_chars = word.chars().count();
    // A third of the word may be wrong; one letter of a short one.
    let allowed = (n_chars / 3).max(1);
    if n_chars == 0 || n_chars > 64 {
        return None;
    }
    let mut best: Option<(usize, &str)> = None;
    for candidate in candidates {
        if candidate.is_empty() || candidate.len().abs_diff(word.len()) > allowed * 4 {
            continue;
        }
        let distance = if candidate.eq_ignore_ascii_case(word) {
            0
        } else {
            strsim::osa_distance(word, candidate)
        };
        // One letter for another is no likeness in a short word: `d1` is not a slip
        // for `a1`, nor `n` for `e`.
        let same_length = candidate.chars().count() == n_chars;
        let is_slip = distance == 0 || n_chars > 2 || !same_length;
        if distance <= allowed
            && is_slip
            && distance < n_chars
            && best.is_none_or(|(it, _)| distance < it)
        {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, it)| it)
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn slips_are_found_and_strangers_are_not() {
        let words = ["promotion-zone", "palace", "n", "King"];
        assert_eq!(nearest("promotion-zome", words), Some("promotion-zone"));
        assert_eq!(nearest("king", words), Some("King"));
        assert_eq!(nearest("pallace", words), Some("palace"));
        assert_eq!(nearest("river", words), None);
        assert_eq!(nearest("e", words), None);
        assert_eq!(nearest("d1", ["a1", "b1"]), None);
        assert_eq!(nearest("nn", words), Some("n"));
        assert_eq!(nearest("nE", ["ne"]), Some("ne"));
    }
}
