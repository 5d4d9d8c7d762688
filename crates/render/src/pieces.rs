//! The drawings that come with the program.

mod list;

/// The SVG file of a drawing: `chess-white-king`.
pub fn piece_svg(name: &str) -> Option<&'static str> {
    let idx = list::ALL.binary_search_by(|(it, _)| (*it).cmp(name)).ok()?;
    list::ALL.get(idx).map(|&(_, svg)| svg)
}

/// What is inside the `svg` element of a drawing: a 100 by 100 picture.
pub(crate) fn inner(name: &str) -> Option<&'static str> {
    let svg = piece_svg(name)?;
    let start = svg.find('>')? + 1;
    let end = svg.rfind("</svg>")?;
    svg.get(start..end)
}

/// The drawing with this name as the table has it.
pub(crate) fn known(name: &str) -> Option<&'static str> {
    let idx = list::ALL.binary_search_by(|(it, _)| (*it).cmp(name)).ok()?;
    list::ALL.get(idx).map(|&(name, _)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_drawing_is_found_by_its_name() {
        assert!(list::ALL.is_sorted_by(|a, b| a.0 < b.0));
        for (name, _) in list::ALL {
            let inside = inner(name).unwrap_or_default();
            assert!(
                (inside.starts_with('<') || *name == "nothing") && !inside.contains("<svg"),
                "{name}"
            );
        }
        assert_eq!(inner("chess-white-dragonfly"), None);
    }
}
