//! Texts placed by the coordinates of a layout, as lines of characters.
//!
//! Lines and columns follow from where cells are drawn, so every board keeps its
//! shape: hexagons are shifted by half a cell, rings are round.

/// The most characters in a line; texts beyond it are left out.
const MAX_COLUMNS: usize = 400;
/// The most lines; texts beyond them are left out.
const MAX_LINES: usize = 2000;

/// The distance of lines, in units of the layout, above which an empty line stands
/// between them. Rows of cells are 100 apart.
const BREAK: f64 = 150.0;

/// A text and where its middle lies.
pub(super) struct Item {
    /// In units of the layout.
    pub(super) x: f64,
    /// In units of the layout.
    pub(super) y: f64,
    /// Characters to the right of `x`.
    pub(super) shift: f64,
    pub(super) text: String,
    /// Labels give way to cells.
    pub(super) is_label: bool,
}

impl Item {
    fn n_chars(&self) -> usize {
        self.text.chars().count()
    }

    /// The column of its first character, if a unit is `scale` characters wide.
    fn start(&self, scale: f64) -> f64 {
        self.x * scale + self.shift - (self.n_chars() as f64 - 1.0) / 2.0
    }
}

/// The texts as lines, each ended by a line break.
pub(super) fn drawn(items: &[Item]) -> String {
    let lines = lines(items);
    let scale = scale(items, &lines);
    let left = items.iter().map(|it| it.start(scale)).fold(f64::INFINITY, f64::min);
    let mut rows: Vec<Vec<char>> = Vec::new();
    let mut last: Option<f64> = None;
    for (y, members) in &lines {
        if last.is_some_and(|it| y - it > BREAK) {
            rows.push(Vec::new());
        }
        last = Some(*y);
        let mut row: Vec<char> = Vec::new();
        for it in members.iter().filter_map(|&it| items.get(it)) {
            // Ties go one way, so that texts of equal width stay aligned.
            let start = (it.start(scale) - left + 0.49).floor().max(0.0) as usize;
            let end = start + it.n_chars();
            if end > MAX_COLUMNS {
                continue;
            }
            if row.len() < end {
                row.resize(end, ' ');
            }
            for (place, ch) in row.iter_mut().skip(start).zip(it.text.chars()) {
                if !it.is_label || *place == ' ' {
                    *place = ch;
                }
            }
        }
        rows.push(row);
    }
    let mut text = String::new();
    for row in rows {
        text.push_str(row.iter().collect::<String>().trim_end());
        text.push('\n');
    }
    text
}

/// The lines from the top: the height of each, and the numbers of its items.
fn lines(items: &[Item]) -> Vec<(f64, Vec<usize>)> {
    // Cells first: they decide where lines are.
    let mut order: Vec<(usize, &Item)> = items.iter().enumerate().collect();
    order.sort_by(|(_, a), (_, b)| a.is_label.cmp(&b.is_label).then(a.y.total_cmp(&b.y)));
    let mut lines: Vec<(f64, Vec<usize>)> = Vec::new();
    for (idx, item) in order {
        let slack = if item.is_label { 28.0 } else { 12.0 };
        let after = lines.partition_point(|it| it.0 < item.y);
        let distance =
            |&it: &usize| lines.get(it).map_or(f64::INFINITY, |it| (it.0 - item.y).abs());
        let near = [after.saturating_sub(1), after].into_iter();
        let near = near.min_by(|a, b| distance(a).total_cmp(&distance(b)));
        match near.filter(|it| distance(it) <= slack) {
            Some(it) => lines[it].1.push(idx),
            None if lines.len() < MAX_LINES => lines.insert(after, (item.y, vec![idx])),
            None => {}
        }
    }
    lines
}

/// The number of characters a unit of the layout takes, so that no cells of a line touch.
fn scale(items: &[Item], lines: &[(f64, Vec<usize>)]) -> f64 {
    let cells = || items.iter().filter(|it| !it.is_label);
    let widest = cells().map(Item::n_chars).max().unwrap_or(1);
    let mut gap = 100.0_f64;
    for (_, members) in lines {
        let members = members.iter().filter_map(|&it| items.get(it)).filter(|it| !it.is_label);
        let mut xs: Vec<f64> = members.map(|it| it.x).collect();
        xs.sort_by(f64::total_cmp);
        for pair in xs.windows(2) {
            gap = gap.min(pair[1] - pair[0]);
        }
    }
    if gap > 99.0 {
        // A whole number of characters for each cell keeps columns straight.
        return (widest + 1) as f64 / 100.0;
    }
    (widest as f64 + 0.01) / gap.max(20.0) * 1.1
}
