//! The rules that a match was begun with. A preset is kept by what it holds, so that
//! one that is changed or deleted later does not touch the matches played with it.

use std::sync::Arc;

use boardwright_preset::{Bundle, Problem};
use boardwright_store::{MatchRow, Store};

use super::{Playable, foreign_preset, preset::Wanted};
use crate::{error::ApiError, library::Library, work::Work};

/// What the ids of kept presets begin with.
const KEPT: &str = "kept-";

/// The rules of a match.
pub(crate) async fn of_match(
    store: &Store,
    library: &Library,
    work: &Work,
    row: &MatchRow,
) -> Result<Arc<Playable>, ApiError> {
    let (id, n, shelf) = (row.game.clone(), row.variant as usize, library.clone());
    let now = work.run(move || shelf.playable(&id, n)).await?;
    let Some(hash) = &row.preset else { return now };
    match now {
        Ok(it) if it.rules.content_hash() == Some(hash) => Ok(it),
        _ => {
            kept(store, library, work, Kept { hash, n, title: &row.title, moves: row.problem })
                .await
        }
    }
}

/// A game by its id, kept presets included.
pub(crate) async fn by_id(
    store: &Store,
    library: &Library,
    work: &Work,
    id: &str,
    n: usize,
) -> Result<Arc<Playable>, ApiError> {
    if let Some(hash) = id.strip_prefix(KEPT) {
        let moves = (n > 0).then_some(1);
        return kept(store, library, work, Kept { hash, n, title: "", moves }).await;
    }
    let (id, library) = (id.to_owned(), library.clone());
    work.run(move || library.playable(&id, n)).await?
}

struct Kept<'k> {
    hash: &'k str,
    n: usize,
    title: &'k str,
    moves: Option<i64>,
}

async fn kept(
    store: &Store,
    library: &Library,
    work: &Work,
    wanted: Kept<'_>,
) -> Result<Arc<Playable>, ApiError> {
    let id = format!("{KEPT}{}", wanted.hash);
    if let Some(found) = library.kept(&id, wanted.n) {
        return Ok(found);
    }
    let text = store.preset(wanted.hash).await?;
    let text = text.ok_or_else(|| ApiError::not_found("this preset is not here any more"))?;
    let (n, title) = (wanted.n, wanted.title.to_owned());
    let moves = wanted.moves.map(|it| it.clamp(1, 10) as u32);
    let made = work.run(move || {
        let (bundle, _) = Bundle::read(&text);
        let titles = if title.is_empty() { Vec::new() } else { vec![title] };
        // The preset that is kept poses the problem already.
        let problem = moves.map(|moves| Problem { moves, ..Problem::default() });
        let wanted = Wanted { game: &id, n, bundle, problem, titles, notes: &[] };
        foreign_preset(wanted)
    });
    let made = Arc::new(made.await??);
    library.keep(Arc::clone(&made));
    Ok(made)
}

/// The text to keep with a match, so that it can be played on when the game has changed.
pub(crate) fn text(playable: &Playable) -> Option<String> {
    playable.rules.as_preset().map(|it| it.preset.bundle.write())
}
