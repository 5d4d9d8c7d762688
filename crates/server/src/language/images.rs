//! The sets of pictures that came with a game. Each file is sent as PNG.

use std::{collections::HashMap, sync::Arc};

use boardwright_protocol::{ImagePiece, ImageSet};
use boardwright_render::bitmap::{self, Subject};

use super::{Playable, escaped, rule_file_view::Files};

/// Sets of pieces that a game may have.
const MAX_SETS: usize = 8;
/// Files that are decoded for one variant.
const MAX_FILES: usize = 600;
/// Pixels of all files that are decoded for one variant.
const MAX_PIXELS: u64 = 96 << 20;

/// The actual name of a picture, its width and height.
type Found = Option<(String, u32, u32)>;

/// Decodes files, each once, up to the limits.
struct Looker<'a> {
    files: Files<'a>,
    seen: HashMap<(String, bool), Found>,
    n_pixels: u64,
}

impl Looker<'_> {
    fn find(&mut self, file: &str, subject: Subject) -> Found {
        let key = (file.to_owned(), matches!(subject, Subject::Board));
        if let Some(it) = self.seen.get(&key) {
            return it.clone();
        }
        if self.seen.len() >= MAX_FILES || self.n_pixels > MAX_PIXELS {
            return None;
        }
        let found = self.look(file, subject);
        self.n_pixels += found.as_ref().map_or(0, |it| u64::from(it.1) * u64::from(it.2));
        self.seen.insert(key, found.clone());
        found
    }

    fn look(&self, file: &str, subject: Subject) -> Found {
        let name = self.files.folder.find(self.files.file, file.trim())?.to_owned();
        let png = bitmap::png(&self.files.folder.read(&name)?, subject).ok()?;
        Some((name, png.width, png.height))
    }
}

/// The sets of pictures of which at least half are there. Decodes them, so it is slow.
pub(crate) fn sets(variant: &Playable, files: Files<'_>) -> Vec<ImageSet> {
    let ruleset = variant.ruleset();
    let pieces = ruleset.pieces.iter().flat_map(|it| &it.images);
    let longest = pieces.map(|it| it.files.len()).chain([ruleset.board.images.len()]).max();
    let n_sets = longest.unwrap_or(0).min(MAX_SETS);
    let mut looker = Looker { files, seen: HashMap::new(), n_pixels: 0 };
    (0..n_sets).filter_map(|set| image_set(variant, set, &mut looker)).collect()
}

/// The entry of a list for a set; shorter lists start again at their beginning.
fn nth(files: &[Arc<str>], set: usize) -> Option<&str> {
    files.get(set.checked_rem(files.len())?).map(|it| &**it)
}

fn image_set(variant: &Playable, set: usize, looker: &mut Looker<'_>) -> Option<ImageSet> {
    let ruleset = variant.ruleset();
    let url = |name: &str, query: &str| {
        format!("/api/games/{}/image/{}{query}", variant.game, escaped(name))
    };
    let mut pieces = Vec::new();
    let mut n_named = 0;
    for (kind, info) in ruleset.pieces.iter().enumerate() {
        for image in &info.images {
            let Some(file) = nth(&image.files, set) else { continue };
            n_named += 1;
            if let Some((name, width, height)) = looker.find(file, Subject::Piece) {
                let (player, kind, url) = (image.player.0, kind as u16, url(&name, ""));
                pieces.push(ImagePiece { player, kind, url, width, height });
            }
        }
    }
    let board = nth(&ruleset.board.images, set);
    let board = board.and_then(|it| looker.find(it, Subject::Board));
    // An incomplete set would look worse than ours.
    if pieces.len() * 2 < n_named || (pieces.is_empty() && board.is_none()) {
        return None;
    }
    let rect = |it: &boardwright_game::SiteInfo| {
        it.rect.filter(|_| !it.is_dummy).map(|it| [it.left, it.top, it.right, it.bottom])
    };
    let rects: Vec<Option<[i32; 4]>> = ruleset.board.sites.iter().map(rect).collect();
    let reach = |idx: usize| {
        let far = rects.iter().flatten().map(|it| it[idx]).max();
        far.unwrap_or(100).clamp(1, 1 << 14) as u32
    };
    let (width, height) = match &board {
        Some((_, width, height)) => (*width, *height),
        None => (reach(2), reach(3)),
    };
    let board = board.map(|(name, ..)| url(&name, "?board=1"));
    Some(ImageSet { width, height, board, pieces, rects, tile: None, flipped: None })
}
