//! A state as text: board, hands, and whose turn it is.
//!
//! Sites are laid out by the rectangles the author drew them in, so hexagons,
//! levels of a cube and crosses come out as such. A board of one upright grid gets
//! its labels along the edges, what lies beside the grid is told below it; on other
//! boards every site shows its name.

mod labels;

use std::collections::BTreeMap;

use boardwright_game::{Goal, GoalKind, PieceKind, Player, Ruleset, Site, SiteOrZone, Verdict};
use boardwright_play::State;
use boardwright_text::render::printable;

pub(crate) use self::labels::Labels;

/// Pictures wider than this are lists instead.
const MAX_WIDTH: usize = 120;

/// If more sites lie beside the board, the empty ones are only counted.
const MANY: usize = 20;

/// Other lines are wrapped here.
const LINE: usize = 100;

/// A site on the picture: the middle of its rectangle.
struct Spot {
    site: Site,
    x: i64,
    y: i64,
}

/// The board with everything around it; who is to move unless the game is over.
pub(crate) fn picture(state: &State, is_over: bool) -> String {
    let ruleset = state.ruleset();
    let labels = Labels::new(ruleset);
    let (mut text, mut below) = match Layout::new(state, &labels).drawn() {
        Some(drawn) => (drawn, labels.legend(state)),
        None => (list(state), String::new()),
    };
    below.extend(ruleset.all_players().map(|it| hand(state, it)));
    if !below.is_empty() {
        text.push('\n');
        text.push_str(&below);
    }
    text.push('\n');
    if !is_over {
        text.push_str(&turn(state));
    }
    text
}

/// Whose turn it is: `White to move, move 1`.
pub(crate) fn turn(state: &State) -> String {
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

/// What to show for a player.
pub(crate) fn player_shown(ruleset: &Ruleset, player: Player) -> String {
    printable(ruleset.translated(ruleset.player_name(player)))
}

/// What to show for a site.
pub(crate) fn site_shown(ruleset: &Ruleset, site: Site) -> String {
    printable(ruleset.translated(ruleset.board.site_name(site)))
}

/// Words behind a title, parted by `mark` and a blank, on lines of a sensible length.
fn wrapped(title: &str, words: &[String], mark: &str) -> String {
    let mut text = title.to_owned();
    let mut width = title.chars().count();
    for (idx, word) in words.iter().enumerate() {
        let mark = if idx + 1 < words.len() { mark } else { "" };
        let more = word.chars().count() + mark.len() + 1;
        if width + more > LINE {
            text.push_str("\n   ");
            width = 3;
        }
        text.push_str(&format!(" {word}{mark}"));
        width += more;
    }
    text.push('\n');
    text
}

pub(crate) fn hand(state: &State, player: Player) -> String {
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
    wrapped(&format!("{} in hand:", player_shown(ruleset, player)), &held, ",")
}

/// How the board of a state is drawn.
struct Layout<'a> {
    state: &'a State,
    labels: &'a Labels,
    edges: Option<Edges<'a>>,
    /// By site: whether it is a goal that the player should see.
    is_goal: Vec<bool>,
}

impl<'a> Layout<'a> {
    fn new(state: &'a State, labels: &'a Labels) -> Layout<'a> {
        let ruleset = state.ruleset();
        Layout { state, labels, edges: Edges::of(ruleset), is_goal: goals(ruleset) }
    }

    /// The board by its rectangles; `None` if that makes no readable picture.
    fn drawn(&self) -> Option<String> {
        let ruleset = self.state.ruleset();
        let board = &ruleset.board;
        let visible = || board.all_sites().filter(|&it| is_visible(ruleset, it));
        let in_grid = |it: &Site| board.sites.get(it.idx()).is_some_and(|it| it.cell.is_some());
        let is_grid = visible().filter(in_grid).count() * 2 > visible().count();
        let is_inside = |it: &Site| match &self.edges {
            Some(edges) => edges.has(*it),
            None => !is_grid || in_grid(it),
        };
        let (inside, beside): (Vec<Site>, Vec<Site>) = visible().partition(is_inside);
        let rows = rows(ruleset, &inside);
        let mut text = self.grid(&rows)?;
        let is_empty_goal = |it: &Site| self.is_goal(*it) && self.state.placement().is_empty(*it);
        if inside.iter().any(is_empty_goal) {
            text.push_str("\n+ an empty goal\n");
        }
        if !beside.is_empty() {
            let shown = |it: &&Site| beside.len() <= MANY || self.label(**it).is_some();
            let mut words: Vec<_> =
                beside.iter().filter(shown).map(|&it| self.beside(it)).collect();
            let n_hidden = beside.len() - words.len();
            if n_hidden > 0 {
                words.push(crate::out::count(n_hidden, "empty position", "empty positions"));
            }
            text.push('\n');
            text.push_str(&wrapped("Beside the board:", &words, ","));
        }
        Some(text)
    }

    fn is_goal(&self, site: Site) -> bool {
        self.is_goal.get(site.idx()).copied().unwrap_or(false)
    }

    /// What stands on a site.
    fn label(&self, site: Site) -> Option<String> {
        let piece = self.state.placement().get(site)?;
        Some(self.labels.of(piece.owner, piece.kind))
    }

    /// A site of the picture: `K`, `.`, or where no edges tell names, `K:e4` and `e4`.
    fn cell(&self, site: Site) -> String {
        let name = || site_shown(self.state.ruleset(), site);
        match (self.label(site), &self.edges) {
            (Some(label), Some(_)) => label,
            (Some(label), None) => format!("{label}:{}", name()),
            (None, Some(_)) if self.is_goal(site) => "+".to_owned(),
            (None, Some(_)) => ".".to_owned(),
            (None, None) if self.is_goal(site) => format!("+:{}", name()),
            (None, None) => name(),
        }
    }

    /// A site beside the picture, with what stands there.
    fn beside(&self, site: Site) -> String {
        let name = site_shown(self.state.ruleset(), site);
        match self.label(site) {
            Some(label) => format!("{name} {label}"),
            None => name,
        }
    }

    fn grid(&self, rows: &[Vec<Spot>]) -> Option<String> {
        let spots = || rows.iter().flatten();
        let columns: BTreeMap<i64, String> = match &self.edges {
            Some(edges) => spots().map(|it| (it.x, edges.column_label(it.site))).collect(),
            None => BTreeMap::new(),
        };
        let cells = spots().map(|it| self.cell(it.site)).chain(columns.values().cloned());
        let width = cells.map(|it| it.chars().count()).max()? + 1;
        let min_x = spots().map(|it| it.x).min()?;
        let gaps = rows.iter().flat_map(|row| row.windows(2).map(|pair| pair[1].x - pair[0].x));
        let pitch = gaps.filter(|&it| it > 1).min().unwrap_or(1) as f64;
        let column = |x: i64| ((x - min_x) as f64 / pitch * width as f64).round() as usize;
        let row_label = |row: &[Spot]| match (&self.edges, row.first()) {
            (Some(edges), Some(spot)) => edges.row_label(spot.site),
            _ => String::new(),
        };
        let left = match self.edges {
            Some(_) => rows.iter().map(|it| row_label(it).chars().count()).max()? + 1,
            None => 0,
        };
        if left + spots().map(|it| column(it.x)).max()? + width > MAX_WIDTH {
            return None;
        }
        let row_gaps = rows.windows(2).map(|pair| pair[1][0].y - pair[0][0].y);
        let row_pitch = row_gaps.min().unwrap_or(1).max(1);
        let mut text = String::new();
        let mut last_y = None;
        for row in rows {
            let y = row.first()?.y;
            if last_y.is_some_and(|last: i64| y - last > row_pitch * 3 / 2) {
                text.push('\n');
            }
            last_y = Some(y);
            let mut line = format!("{:>width$}", row_label(row), width = left.saturating_sub(1));
            for spot in row {
                put(&mut line, left + column(spot.x), &self.cell(spot.site))?;
            }
            text.push_str(line.trim_end());
            text.push('\n');
        }
        let mut line = String::new();
        for (&x, label) in &columns {
            // Columns a little off would be told twice.
            let _ = put(&mut line, left + column(x), label);
        }
        if !line.is_empty() {
            text.push_str(line.trim_end());
            text.push('\n');
        }
        Some(text)
    }
}

/// Puts a word at a column of a line; `None` if something is there already.
fn put(line: &mut String, at: usize, word: &str) -> Option<()> {
    let free = at.checked_sub(line.chars().count())?;
    line.extend(std::iter::repeat_n(' ', free));
    line.push_str(word);
    Some(())
}

pub(crate) fn is_visible(ruleset: &Ruleset, site: Site) -> bool {
    let info = ruleset.board.sites.get(site.idx());
    info.is_some_and(|it| it.rect.is_some() && !it.is_dummy)
}

/// By site, whether reaching it wins, where players should see that: if the rules ask
/// for it, and in puzzles.
pub(crate) fn goals(ruleset: &Ruleset) -> Vec<bool> {
    let mut is_goal = vec![false; ruleset.board.n_sites()];
    let n_active = ruleset.players.iter().filter(|it| !it.is_neutral && !it.is_random).count();
    if ruleset.options.highlight_goals.unwrap_or(n_active == 1) {
        for condition in ruleset.end_conditions.iter().filter(|it| it.verdict == Verdict::Win) {
            let players = condition.players.clone();
            let players = players.unwrap_or_else(|| ruleset.all_players().collect());
            mark_goals(ruleset, &condition.goal, &players, &mut is_goal);
        }
    }
    // Where nearly every site is one, marks tell nothing.
    if is_goal.iter().filter(|&&it| it).count() * 2 > is_goal.len() {
        is_goal.fill(false);
    }
    is_goal
}

fn mark_goals(ruleset: &Ruleset, goal: &Goal, players: &[Player], is_goal: &mut [bool]) {
    match &goal.kind {
        GoalKind::And(goals) | GoalKind::Or(goals) => {
            goals.iter().for_each(|it| mark_goals(ruleset, it, players, is_goal));
        }
        GoalKind::AbsoluteConfig(occupants, places) if occupants.iter().any(|it| !it.negated) => {
            let mut mark = |site: Site| {
                if let Some(it) = is_goal.get_mut(site.idx()) {
                    *it = true;
                }
            };
            for place in places {
                match *place {
                    SiteOrZone::Site(site) => mark(site),
                    SiteOrZone::Zone(zone) => {
                        let board = &ruleset.board;
                        let sites = players.iter().filter_map(|&it| board.zone_sites(zone, it));
                        let sites: Vec<_> = sites.collect();
                        let is_in = |it: &Site| sites.iter().any(|zone| zone.contains(*it));
                        board.all_sites().filter(is_in).for_each(&mut mark);
                    }
                }
            }
        }
        _ => {}
    }
}

/// The sites that are drawn, by rows from the top, each from the left.
fn rows(ruleset: &Ruleset, sites: &[Site]) -> Vec<Vec<Spot>> {
    let mut spots: Vec<(i64, Spot)> = Vec::new();
    for &site in sites {
        let info = ruleset.board.sites.get(site.idx());
        if let Some(rect) = info.and_then(|it| it.rect) {
            let middle = |a: i32, b: i32| (i64::from(a) + i64::from(b)) / 2;
            let height = i64::from(rect.bottom) - i64::from(rect.top);
            let (x, y) = (middle(rect.left, rect.right), middle(rect.top, rect.bottom));
            spots.push((height, Spot { site, x, y }));
        }
    }
    let mut heights: Vec<i64> = spots.iter().map(|it| it.0).collect();
    heights.sort_unstable();
    // Rectangles drawn a little off still stand in one row.
    let slack = heights.get(heights.len() / 2).map_or(1, |it| it / 4).max(1);
    spots.sort_by_key(|(_, it)| (it.y, it.x));
    let mut rows: Vec<Vec<Spot>> = Vec::new();
    for (_, spot) in spots {
        match rows.last_mut().filter(|row| spot.y - row[0].y <= slack) {
            Some(row) => row.push(spot),
            None => rows.push(vec![spot]),
        }
    }
    rows.iter_mut().for_each(|row| row.sort_by_key(|it| it.x));
    rows
}

/// The labels along the edges of the upright grid that most of a board is.
struct Edges<'a> {
    ruleset: &'a Ruleset,
    grid: usize,
    /// The dimensions that run along a row, and those that run down.
    across: Vec<usize>,
    down: Vec<usize>,
}

impl Edges<'_> {
    fn of(ruleset: &Ruleset) -> Option<Edges<'_>> {
        let visible = || ruleset.board.all_sites().filter(|&it| is_visible(ruleset, it));
        let all = (0..ruleset.board.grids.len()).filter_map(|grid| {
            let mut edges = Edges { ruleset, grid, across: Vec::new(), down: Vec::new() };
            for (dimension, step) in ruleset.board.grids.get(grid)?.steps.iter().enumerate() {
                match step {
                    (0, 0) => return None,
                    (_, 0) => edges.across.push(dimension),
                    (0, _) => edges.down.push(dimension),
                    _ => return None,
                }
            }
            (!edges.across.is_empty() && !edges.down.is_empty()).then_some(edges)
        });
        let n_inside = |it: &Edges<'_>| visible().filter(|&site| it.has(site)).count();
        let found = all.max_by_key(n_inside)?;
        (n_inside(&found) * 2 > visible().count()).then_some(found)
    }

    fn cell(&self, site: Site) -> Option<&[u16]> {
        let (grid, at) = self.ruleset.board.sites.get(site.idx())?.cell.as_ref()?;
        (usize::from(*grid) == self.grid).then_some(&at[..])
    }

    fn has(&self, site: Site) -> bool {
        self.cell(site).is_some()
    }

    fn label(&self, site: Site, dimensions: &[usize]) -> String {
        let grid = self.ruleset.board.grids.get(self.grid);
        let one = |&dimension: &usize| {
            let at = usize::from(*self.cell(site)?.get(dimension)?);
            grid?.labels.get(dimension)?.get(at).map(|it| printable(it))
        };
        dimensions.iter().filter_map(one).collect()
    }

    fn row_label(&self, site: Site) -> String {
        self.label(site, &self.down)
    }

    fn column_label(&self, site: Site) -> String {
        self.label(site, &self.across)
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
            kinds.entry(piece.kind).or_default().push(site_shown(ruleset, site));
        }
        if !kinds.is_empty() {
            text.push_str(&format!("{}\n", player_shown(ruleset, player)));
            for (kind, sites) in kinds {
                let kind = printable(ruleset.translated(ruleset.piece_name(kind)));
                text.push_str(&wrapped(&format!("  {kind}:"), &sites, ""));
            }
        }
    }
    if text.is_empty() {
        let n_sites = ruleset.board.all_sites().filter(|&it| is_visible(ruleset, it)).count();
        let places = crate::out::count(n_sites, "position", "positions");
        text = format!("(the board is empty; {places})\n");
    }
    text
}
