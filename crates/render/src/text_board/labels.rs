//! Short names of pieces for text boards.

use boardwright_game::{PieceKind, Player, Ruleset};
use boardwright_text::render::printable;
use rustc_hash::FxHashSet;

/// The short names of the pieces of a game: capital letters for the first player, small
/// letters for the second, and with more players a number at the end.
pub struct ShortNames {
    kinds: Vec<String>,
    numbered: bool,
}

impl ShortNames {
    /// Chooses a name for every kind of piece, so that no two kinds share one.
    pub fn new(ruleset: &Ruleset) -> ShortNames {
        let names: Vec<&str> = ruleset.pieces.iter().map(|it| it.name.as_str()).collect();
        let n_active = ruleset.players.iter().filter(|it| !it.is_neutral && !it.is_random).count();
        let mut kinds = vec![String::new(); names.len()];
        let mut taken: FxHashSet<String> = FxHashSet::default();
        // A kind whose whole name is one letter keeps it.
        let (letters, longer): (Vec<_>, Vec<_>) =
            names.iter().enumerate().partition(|(_, it)| it.chars().count() == 1);
        for (idx, name) in letters.into_iter().chain(longer) {
            let is_free = |it: &String| !taken.contains(&it.to_ascii_lowercase());
            let free = choices(name, &names, n_active == 1).into_iter().find(is_free);
            let chosen = free.unwrap_or_else(|| format!("#{idx}"));
            taken.insert(chosen.to_ascii_lowercase());
            kinds[idx] = chosen;
        }
        ShortNames { kinds, numbered: n_active > 2 || ruleset.players.len() > 3 }
    }

    /// The short name of a piece of a player.
    pub fn of(&self, player: Player, kind: PieceKind) -> String {
        let label = self.kinds.get(kind.idx()).map_or("?", |it| it.as_str());
        let has_case = label.to_uppercase() != label.to_lowercase();
        match player.idx() {
            it if self.numbered => {
                let dot = if label.ends_with(|it: char| it.is_numeric()) { "." } else { "" };
                format!("{}{dot}{}", label.to_uppercase(), it + 1)
            }
            0 => label.to_uppercase(),
            1 if has_case => label.to_lowercase(),
            // Digits and many scripts have no small letters.
            1 => format!("-{label}"),
            _ => format!("*{}", label.to_lowercase()),
        }
    }
}

/// The short names that suit a kind of piece, best first.
///
/// Two players are told apart by capital and small letters, so a name begins with a
/// letter where there is one, unless only one player owns pieces.
fn choices(name: &str, names: &[&str], is_alone: bool) -> Vec<String> {
    let (stem, number) = numbered(name);
    let is_series = !number.is_empty()
        && names.iter().filter(|it| **it != name).any(|it| {
            let other = numbered(it);
            other.0 == stem && !other.1.is_empty()
        });
    let first_of = |text: &str| text.chars().find(|it| it.is_alphanumeric()).unwrap_or('?');
    let mut choices = Vec::new();
    if is_series {
        if is_alone || stem.is_empty() {
            choices.push(number.to_owned());
        }
        if !stem.is_empty() {
            choices.push(format!("{}{number}", first_of(stem)));
        }
    }
    let word = letters(own_part(name, names));
    let chars: Vec<char> = word.chars().collect();
    let first = chars.iter().copied().find(|it| it.is_alphabetic());
    let first = first.or(chars.first().copied()).unwrap_or('?');
    let singles = chars.iter().filter(|it| is_alone || it.is_alphabetic());
    choices.extend(singles.map(|it| it.to_string()));
    choices.extend(chars.iter().skip(1).map(|it| format!("{first}{it}")));
    choices.extend((2..100).map(|it| format!("{first}{it}")));
    choices
}

/// A name without the number at its end, and the number: `Disk-3`, `T15`.
fn numbered(name: &str) -> (&str, &str) {
    let stem = name.trim_end_matches(|it: char| it.is_ascii_digit());
    (stem.trim_end_matches(['-', '_']), &name[stem.len()..])
}

/// A name without the part before its first dash, if three names or more share that
/// part: `Section-Chess`.
fn own_part<'a>(name: &'a str, names: &[&str]) -> &'a str {
    let Some((head, own)) = name.split_once('-').filter(|it| !it.1.is_empty()) else {
        return name;
    };
    let has_it = |it: &&&str| it.split_once('-').is_some_and(|it| it.0 == head);
    if names.iter().filter(has_it).count() >= 3 { own } else { name }
}

/// The letters and digits of a name, or the name itself if it has none.
fn letters(name: &str) -> String {
    let word: String = name.chars().filter(|it| it.is_alphanumeric()).collect();
    if word.is_empty() { printable(name) } else { word }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn first(name: &str, names: &[&str], is_alone: bool) -> String {
        choices(name, names, is_alone).swap_remove(0)
    }

    #[test]
    fn numbers_are_labels_only_where_one_player_owns_them() {
        let tiles = ["T1", "T10", "T11"];
        assert_eq!(tiles.map(|it| first(it, &tiles, true)), ["1", "10", "11"]);
        assert_eq!(tiles.map(|it| first(it, &tiles, false)), ["T1", "T10", "T11"]);
        let disks = ["Disk-1", "Disk-2"];
        assert_eq!(disks.map(|it| first(it, &disks, true)), ["1", "2"]);
    }

    #[test]
    fn a_part_that_many_names_share_is_left_out() {
        let names = ["Section-Chess", "Section-Lines", "Section-Hunts", "King"];
        assert_eq!(names.map(|it| first(it, &names, true)), ["C", "L", "H", "K"]);
    }

    #[test]
    fn two_players_never_look_alike() {
        for kind in ["P", "2", "車", "N3"] {
            for numbered in [false, true] {
                let labels = ShortNames { kinds: vec![kind.to_owned()], numbered };
                let of = |it| labels.of(Player(it), PieceKind(0));
                assert_ne!(of(0), of(1), "{kind}");
                assert_ne!(of(1), of(2), "{kind}");
            }
        }
    }
}
