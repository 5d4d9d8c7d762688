//! Letters that tell kinds of pieces apart.

use boardwright_game::Ruleset;
use rustc_hash::{FxHashMap, FxHashSet};

/// The most characters on a token.
const LONGEST: usize = 3;

/// By kind: its notation if that is short, else the shortest start of its name that no
/// other kind has.
pub(super) fn of(ruleset: &Ruleset) -> Vec<String> {
    let names: Vec<Vec<char>> = ruleset
        .pieces
        .iter()
        .map(|it| it.name.chars().filter(|it| it.is_alphanumeric()).collect())
        .collect();
    let mut n_with: FxHashMap<&[char], usize> = FxHashMap::default();
    for name in &names {
        for n in 1..=LONGEST.min(name.len()) {
            *n_with.entry(&name[..n]).or_default() += 1;
        }
    }
    let mut taken: FxHashSet<String> = FxHashSet::default();
    let notation = |idx: usize| {
        let it: &str = ruleset.pieces[idx].notation.as_deref()?.trim();
        let is_short = (1..=LONGEST).contains(&it.chars().count());
        (is_short && it.chars().all(char::is_alphanumeric)).then(|| it.to_owned())
    };
    let mut letters = vec![String::new(); names.len()];
    for (idx, it) in letters.iter_mut().enumerate() {
        if let Some(notation) = notation(idx).filter(|it| !taken.contains(it)) {
            taken.insert(notation.clone());
            *it = notation;
        }
    }
    for (idx, name) in names.iter().enumerate() {
        if !letters[idx].is_empty() {
            continue;
        }
        let start = |n: usize| -> String {
            let mut start: String = name.iter().take(n).collect();
            if let Some(first) = start.chars().next() {
                let upper: String = first.to_uppercase().collect();
                start.replace_range(..first.len_utf8(), &upper);
            }
            start
        };
        let is_unique = |n: &usize| {
            let is_alone = name.get(..*n).is_some_and(|it| n_with.get(it) == Some(&1));
            is_alone && !taken.contains(&start(*n))
        };
        let by_start = (1..=LONGEST.min(name.len().max(1))).find(is_unique).map(start);
        // Many names that begin alike: the first letter and the end.
        let by_end = || {
            let n = name.len();
            let ends = (1..LONGEST).map(|back| {
                let end: String = name.iter().skip(n.saturating_sub(back).max(1)).collect();
                start(1) + &end
            });
            ends.into_iter().find(|it| !taken.contains(it))
        };
        let by_number =
            || (1..100).map(|n| start(1) + &n.to_string()).find(|it| !taken.contains(it));
        let found = by_start.or_else(by_end).or_else(by_number);
        let found = found.unwrap_or_else(|| start(LONGEST));
        taken.insert(found.clone());
        letters[idx] = if found.is_empty() { "?".to_owned() } else { found };
    }
    letters
}
