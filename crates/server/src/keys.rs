//! Ids and keys that nobody can guess, and the current time.

use std::time::{SystemTime, UNIX_EPOCH};

const DIGITS: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";

/// A word of at least this many random bits, five to a letter.
fn word(bits: usize) -> String {
    let mut bytes = vec![0_u8; bits.div_ceil(5)];
    // Without random bytes of the system no key would be safe.
    getrandom::fill(&mut bytes).expect("the system gives random bytes");
    bytes.iter().map(|it| char::from(DIGITS[usize::from(it % 32)])).collect()
}

/// Random bits of a secret key.
const KEY_BITS: usize = 130;

/// A secret key of at least 128 bits.
pub(crate) fn key() -> String {
    word(KEY_BITS)
}

/// Characters of a secret key.
pub(crate) fn key_len() -> usize {
    KEY_BITS.div_ceil(5)
}

/// An id for a match or game; random, so that no two are the same.
pub(crate) fn id() -> String {
    word(60)
}

/// A word for one line of the log, short enough to be read out.
pub(crate) fn reference() -> String {
    word(40)
}

/// A seed for random numbers.
pub(crate) fn seed() -> u64 {
    let mut bytes = [0; 8];
    getrandom::fill(&mut bytes).expect("the system gives random bytes");
    u64::from_le_bytes(bytes)
}

/// Milliseconds since 1970.
pub(crate) fn now() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |it| it.as_millis() as i64)
}

/// Whether two keys are the same, in a time that does not depend on where they differ.
pub(crate) fn is_same(one: &str, other: &str) -> bool {
    let differs = one.bytes().zip(other.bytes()).fold(0, |acc, (a, b)| acc | (a ^ b));
    one.len() == other.len() && !one.is_empty() && differs == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_long_and_differ() {
        let (one, other) = (key(), key());
        assert_eq!(one.len(), 26);
        assert!(!is_same(&one, &other) && is_same(&one, &one.clone()));
        assert!(!is_same("", ""));
    }
}
