//! A state as text: board, hands, and whose turn it is.
//!
//! Sites are laid out by the rectangles the author drew them in, so hexagons,
//! levels of a cube and crosses come out as such. A board of one plain grid gets
//! its labels along the edges; on others an empty site shows its name.

use std::collections::BTreeMap;

use boardwright_game::{PieceKind, Player, Ruleset, Site};
use boardwright_play::State;
use boardwright_text::render::printable;

/// Pictures wider than this are lists instead.
const MAX_WIDTH: usize = 200;

/// A site on the picture: the middle of its rectangle.
struct Spot {
    site: Site,
    x: i32,
    y: i32,
}

/// The board with everything around it; who is to move unless the game is over.
pub(crate) fn picture(state: &State, is_over: bool) -> String {
    let ruleset = state.ruleset();
    let labels = Labels::new(ruleset);
    let mut text = layout(state, &labels).unwrap_or_else(|| list(state));
    let legend = labels.legend(state);
    if !legend.is_empty() {
        text.push('\n');
        text.push_str(&legend);
    }
    for player in ruleset.all_players() {
        text.push_str(&hand(state, player));
    }
    text.push('\n');
    if !is_over {
        text.push_str(&turn(state));
    }
    text
}

/// Whose turn it is: `White to move, move 1`.
fn turn(state: &State) -> String {
    let ruleset = state.ruleset();
    let name = |it: Player| printable(ruleset.translated(ruleset.player_name(it)));
    let Some(turn) = state.turn() else {
        return "Nobody has a turn\n".to_owned();
    };
    let mut text = format!("{} to move", name(turn.mover));
    if turn.owner != turn.mover {
        text.push_str(&format!(" the pieces of {}", name(turn.owner)));
    }
    if let Some(move_type) = turn.move_type.and_then(|it| ruleset.move_types.get(it.idx()))
        && state.going_on().is_none()
    {
        text.push_str(&format!(" ({})", printable(move_type)));
    }
    text.push_str(&format!(", move {}", state.move_number()));
    if let Some(going_on) = state.going_on() {
        let site = printable(ruleset.board.site_name(going_on.site));
        text.push_str(&format!(", going on from {site}"));
    }
    text.push('\n');
    text
}

fn hand(state: &State, player: Player) -> String {
    let ruleset = state.ruleset();
    let kinds = (0..ruleset.pieces.len() as u16).map(PieceKind);
    let held: Vec<_> = kinds
        .filter(|&it| state.hand(player, it) > 0)
        .map(|it| {
            let name = printable(ruleset.translated(ruleset.piece_name(it)));
            format!("{name} {}", state.hand(player, it))
        })
        .collect();
    if held.is_empty() {
        return String::new();
    }
    let name = printable(ruleset.translated(ruleset.player_name(player)));
    format!("{name} in hand: {}\n", held.join(", "))
}

/// Short names of pieces: capitals for the first player, small letters for the
/// second; with more players, a number behind.
struct Labels {
    kinds: Vec<String>,
    numbered: bool,
}

impl Labels {
    fn new(ruleset: &Ruleset) -> Labels {
        let words: Vec<String> = ruleset.pieces.iter().map(|it| letters(&it.name)).collect();
        let is_taken = |label: &str, idx: usize, kinds: &[String]| {
            kinds.iter().take(idx).any(|it| it.eq_ignore_ascii_case(label))
        };
        let mut kinds: Vec<String> = Vec::new();
        for (idx, word) in words.iter().enumerate() {
            let chars: Vec<char> = word.chars().collect();
            let mut choices: Vec<String> = chars.iter().map(|it| it.to_string()).collect();
            let first = chars.first().copied().unwrap_or('?');
            choices.extend(chars.iter().skip(1).map(|it| format!("{first}{it}")));
            choices.extend((2..100).map(|it| format!("{first}{it}")));
            let free = choices.into_iter().find(|it| !is_taken(it, idx, &kinds));
            kinds.push(free.unwrap_or_else(|| format!("#{idx}")));
        }
        let active = ruleset.players.iter().filter(|it| !it.is_neutral && !it.is_random);
        let numbered = active.count() > 2 || ruleset.players.len() > 3;
        Labels { kinds, numbered }
    }

    fn of(&self, player: Player, kind: PieceKind) -> String {
        let label = self.kinds.get(kind.idx()).map_or("?", |it| it.as_str());
        match player.idx() {
            it if self.numbered => format!("{}{}", label.to_uppercase(), it + 1),
            0 => label.to_uppercase(),
            1 => label.to_lowercase(),
            _ => format!("*{}", label.to_lowercase()),
        }
    }

    /// What the letters on the board mean, where they are not plain.
    fn legend(&self, state: &State) -> String {
        let ruleset = state.ruleset();
        let mut found: BTreeMap<(Player, PieceKind), String> = BTreeMap::new();
        for (_, piece) in state.placement().pieces() {
            let key = (piece.owner, piece.kind);
            found.entry(key).or_insert_with(|| self.of(piece.owner, piece.kind));
        }
        let mut text = String::new();
        for player in ruleset.all_players() {
            let of_player = found.iter().filter(|((owner, _), _)| *owner == player);
            let entries: Vec<_> = of_player
                .map(|((_, kind), label)| {
                    let name = printable(ruleset.translated(ruleset.piece_name(*kind)));
                    format!("{label} {name}")
                })
                .collect();
            if !entries.is_empty() {
                let name = printable(ruleset.translated(ruleset.player_name(player)));
                text.push_str(&format!("{name}: {}\n", entries.join(", ")));
            }
        }
        text
    }
}

/// The letters and digits of a name, or the name.
fn letters(name: &str) -> String {
    let word: String = name.chars().filter(|it| it.is_alphanumeric()).collect();
    if word.is_empty() { printable(name) } else { word }
}

/// The board by its rectangles; `None` if that makes no readable picture.
fn layout(state: &State, labels: &Labels) -> Option<String> {
    let ruleset = state.ruleset();
    let rows = rows(ruleset);
    let edges = Edges::of(ruleset);
    let cell = |spot: &Spot| match state.placement().get(spot.site) {
        Some(piece) => labels.of(piece.owner, piece.kind),
        None if edges.is_some() => ".".to_owned(),
        None => printable(ruleset.translated(ruleset.board.site_name(spot.site))),
    };
    let width = rows.iter().flatten().map(|it| cell(it).chars().count()).max()? + 1;
    let min_x = rows.iter().flatten().map(|it| it.x).min()?;
    let gaps = rows.iter().flat_map(|row| row.windows(2).map(|pair| pair[1].x - pair[0].x));
    let pitch = f64::from(gaps.filter(|&it| it > 1).min().unwrap_or(1));
    let column = |x: i32| (f64::from(x - min_x) / pitch * width as f64).round() as usize;
    let left = edges.as_ref().map_or(0, |it| it.width + 1);
    let total = left + rows.iter().flatten().map(|it| column(it.x)).max()? + width;
    if total > MAX_WIDTH {
        return None;
    }
    let row_gaps = rows.windows(2).map(|pair| pair[1][0].y - pair[0][0].y);
    let row_pitch = row_gaps.min().unwrap_or(1).max(1);
    let mut text = String::new();
    let mut last_y = None;
    for row in &rows {
        let y = row.first()?.y;
        if last_y.is_some_and(|last: i32| y - last > row_pitch * 3 / 2) {
            text.push('\n');
        }
        last_y = Some(y);
        let label = edges.as_ref().map_or("", |it| it.row_label(row));
        let mut line = format!("{label:>width$}", width = left.saturating_sub(1));
        for spot in row {
            let at = left + column(spot.x);
            // Two sites in one spot cannot be drawn.
            if line.chars().count() > at {
                return None;
            }
            line.extend(std::iter::repeat_n(' ', at - line.chars().count()));
            line.push_str(&cell(spot));
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    if let (Some(edges), Some(longest)) = (&edges, rows.iter().max_by_key(|it| it.len())) {
        let mut line = String::new();
        for spot in longest {
            let at = left + column(spot.x);
            line.extend(std::iter::repeat_n(' ', at.saturating_sub(line.chars().count())));
            line.push_str(edges.column_label(spot.site));
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    Some(text)
}

/// The sites that are drawn, by rows from the top, each from the left.
fn rows(ruleset: &Ruleset) -> Vec<Vec<Spot>> {
    let board = &ruleset.board;
    let mut spots: Vec<(i32, Spot)> = Vec::new();
    for site in board.all_sites() {
        let Some(info) = board.sites.get(site.idx()) else {
            continue;
        };
        if let (Some(rect), false) = (info.rect, info.is_dummy) {
            let middle = |a: i32, b: i32| ((i64::from(a) + i64::from(b)) / 2) as i32;
            let height = rect.bottom.saturating_sub(rect.top);
            let (x, y) = (middle(rect.left, rect.right), middle(rect.top, rect.bottom));
            spots.push((height, Spot { site, x, y }));
        }
    }
    let mut heights: Vec<i32> = spots.iter().map(|it| it.0).collect();
    heights.sort_unstable();
    // Rectangles drawn a little off still stand in one row.
    let slack = heights.get(heights.len() / 2).map_or(1, |it| it / 4).max(1);
    spots.sort_by_key(|(_, it)| (it.y, it.x));
    let mut rows: Vec<Vec<Spot>> = Vec::new();
    for (_, spot) in spots {
        match rows.last_mut().filter(|row| spot.y.saturating_sub(row[0].y) <= slack) {
            Some(row) => row.push(spot),
            None => rows.push(vec![spot]),
        }
    }
    rows.iter_mut().for_each(|row| row.sort_by_key(|it| it.x));
    rows
}

/// The labels along the edges of a board that is one upright grid.
struct Edges<'a> {
    ruleset: &'a Ruleset,
    /// Which dimension runs along a row.
    across: usize,
    width: usize,
}

impl Edges<'_> {
    fn of(ruleset: &Ruleset) -> Option<Edges<'_>> {
        let board = &ruleset.board;
        let [grid] = &board.grids[..] else {
            return None;
        };
        let across = match grid.steps[..] {
            [(dx, 0), (0, dy)] if dx != 0 && dy != 0 => 0,
            [(0, dy), (dx, 0)] if dx != 0 && dy != 0 => 1,
            _ => return None,
        };
        let visible = || board.sites.iter().filter(|it| it.rect.is_some() && !it.is_dummy);
        if !visible().all(|it| it.cell.is_some()) {
            return None;
        }
        let width = grid.labels[1 - across].iter().map(|it| it.chars().count()).max()?;
        Some(Edges { ruleset, across, width })
    }

    fn label(&self, site: Site, dimension: usize) -> &str {
        let board = &self.ruleset.board;
        let cell = board.sites.get(site.idx()).and_then(|it| it.cell.as_ref());
        let at = cell.and_then(|(_, at)| at.get(dimension)).map_or(0, |&it| it as usize);
        let labels = board.grids.first().and_then(|it| it.labels.get(dimension));
        labels.and_then(|it| it.get(at)).map_or("", |it| it.as_str())
    }

    fn row_label(&self, row: &[Spot]) -> &str {
        row.first().map_or("", |it| self.label(it.site, 1 - self.across))
    }

    fn column_label(&self, site: Site) -> &str {
        self.label(site, self.across)
    }
}

/// The pieces by player, where there is no picture.
fn list(state: &State) -> String {
    let ruleset = state.ruleset();
    let mut text = String::new();
    for player in ruleset.all_players() {
        let own = state.placement().pieces().filter(|(_, it)| it.owner == player);
        let mut kinds: BTreeMap<PieceKind, Vec<String>> = BTreeMap::new();
        for (site, piece) in own {
            let name = printable(ruleset.translated(ruleset.board.site_name(site)));
            kinds.entry(piece.kind).or_default().push(name);
        }
        if !kinds.is_empty() {
            let name = printable(ruleset.translated(ruleset.player_name(player)));
            text.push_str(&format!("{name}\n"));
            for (kind, sites) in kinds {
                let kind = printable(ruleset.translated(ruleset.piece_name(kind)));
                text.push_str(&format!("  {kind}: {}\n", sites.join(" ")));
            }
        }
    }
    text
}
