//! What a case is compiled with: files beside it, and limits.

use boardwright_text::StopSignal;
use boardwright_zrf::{CompileLimits, Files, IncludeError, Included};

/// The files of a section, and a few that are what they must be to go wrong.
pub struct Memory<'a>(pub &'a [(String, String)]);

impl Files for Memory<'_> {
    fn include(&mut self, _from: &str, path: &str) -> Result<Included, IncludeError> {
        let found = self.0.iter().skip(1).find(|(name, _)| name == path);
        let bytes = match (path, found) {
            ("picture.bmp", _) => (0..200).collect(),
            ("locked.inc", _) => return Err(IncludeError::Unreadable("it is locked".to_owned())),
            (path, _) if path.starts_with("..") => return Err(IncludeError::Outside),
            (_, Some((_, text))) => text.as_bytes().to_vec(),
            (_, None) => return Err(IncludeError::Missing),
        };
        Ok(Included { name: path.to_owned(), bytes })
    }
}

/// Limits such as `nesting=5`.
pub fn limits(attributes: &[&str]) -> CompileLimits {
    let mut limits = CompileLimits::default();
    for (name, number) in attributes.iter().filter_map(|it| it.split_once('=')) {
        let number: usize = number.parse().expect("a limit is a number");
        let limit = match name {
            "file_bytes" => &mut limits.file_bytes,
            "total_bytes" => &mut limits.total_bytes,
            "include_depth" => &mut limits.include_depth,
            "includes" => &mut limits.includes,
            "nodes" => &mut limits.nodes,
            "nesting" => &mut limits.nesting,
            "macro_depth" => &mut limits.macro_depth,
            "pasted_bytes" => &mut limits.pasted_bytes,
            "players" => &mut limits.players,
            "sites" => &mut limits.sites,
            "directions" => &mut limits.directions,
            "links" => &mut limits.links,
            "dimensions" => &mut limits.dimensions,
            "zones" => &mut limits.zones,
            "pieces" => &mut limits.pieces,
            "piece_places" => &mut limits.piece_places,
            "attributes" => &mut limits.attributes,
            "move_types" => &mut limits.move_types,
            "flags" => &mut limits.flags,
            "variants" => &mut limits.variants,
            "ops" => &mut limits.ops,
            "diagnostics" => &mut limits.diagnostics,
            "memory" => &mut limits.memory,
            "shown_bytes" => &mut limits.shown_bytes,
            "name_chars" => &mut limits.name_chars,
            "word_bytes" => &mut limits.word_bytes,
            "translations" => &mut limits.translations,
            "steps" => {
                limits.steps = number as u64;
                continue;
            }
            "goal_tests" => {
                limits.goal_tests = number as u64;
                continue;
            }
            "stop" => {
                limits.stop = StopSignal::new(|| true);
                continue;
            }
            _ => panic!("no limit is called `{name}`"),
        };
        *limit = number;
    }
    limits
}
