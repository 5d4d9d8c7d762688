//! A board in letters.
//!
//! Cells stand in lines by where they are drawn, so every board comes out in its
//! shape: hexagons shifted by half a cell, rings as rings.

use crate::{Coord, Layout, Side, Style, scene::Scene};

/// Wider and longer diagrams are cut.
const WIDEST: usize = 400;
const LONGEST: usize = 2000;

/// Something to write.
struct Word {
    x: f64,
    y: f64,
    text: String,
    is_label: bool,
}

/// The diagram, with who holds what below it.
pub fn diagram(scene: &Scene) -> String {
    let words = words(scene);
    let lines = lines(&words);
    let scale = scale(&words, &lines);
    let left = words.iter().map(|it| it.x * scale).fold(f64::INFINITY, f64::min);
    let mut out = String::new();
    let mut last: Option<f64> = None;
    for (y, members) in &lines {
        if last.is_some_and(|it| y - it > 150.0) {
            out.push('\n');
        }
        last = Some(*y);
        let mut line: Vec<char> = Vec::new();
        for &idx in members {
            let word = &words[idx];
            let n_chars = word.text.chars().count();
            let middle = word.x * scale - left;
            let start = (middle - (n_chars as f64 - 1.0) / 2.0 + 2.0).round().max(0.0) as usize;
            let end = start + n_chars;
            if end > WIDEST {
                continue;
            }
            if line.len() < end {
                line.resize(end, ' ');
            }
            for (at, ch) in (start..).zip(word.text.chars()) {
                // A piece is never hidden by what stands beside it.
                if !word.is_label || line[at] == ' ' {
                    line[at] = ch;
                }
            }
        }
        out.push_str(line.iter().collect::<String>().trim_end());
        out.push('\n');
    }
    let indent = out.lines().filter(|it| !it.is_empty());
    let indent = indent.map(|it| it.chars().take_while(|&it| it == ' ').count()).min().unwrap_or(0);
    let mut text = String::new();
    for line in out.lines() {
        text.extend(line.chars().skip(indent));
        text.push('\n');
    }
    hands(scene, &mut text);
    text
}

/// Cells with what stands on them, and the labels around.
fn words(scene: &Scene) -> Vec<Word> {
    let layout: &Layout = &scene.layout;
    let mut on_site: Vec<Option<&str>> = vec![None; layout.cells.len()];
    for it in &scene.pieces {
        if let Some(place) = on_site.get_mut(it.site.idx()) {
            *place = Some(scene.letters(it.player, it.kind));
        }
    }
    let widest = on_site.iter().flatten().map(|it| it.chars().count()).max().unwrap_or(1);
    let widest = widest.clamp(1, 12);
    let mut words = Vec::new();
    for (cell, piece) in layout.cells.iter().zip(&on_site).filter(|it| !it.0.hidden) {
        let is_point = cell.d.is_none();
        let fill = match cell.tone {
            _ if is_point => ' ',
            _ if cell.fill.is_some() && !scene.finish.patterns.is_empty() => {
                let patterns = &scene.finish.patterns;
                patterns[usize::from(cell.shade) % patterns.len()]
            }
            2 => ':',
            3 => '-',
            _ => '.',
        };
        let label: String = match piece {
            Some(label) => label.chars().map(printable).take(widest).collect(),
            None if is_point => "+".to_owned(),
            None => String::new(),
        };
        let n_free = widest + 2 - label.chars().count();
        let before = n_free / 2;
        let mut text: String = std::iter::repeat_n(fill, before).collect();
        text.push_str(&label);
        text.extend(std::iter::repeat_n(fill, n_free - before));
        words.push(Word { x: cell.x, y: cell.y, text, is_label: false });
    }
    for coord in &layout.coords {
        let (x, y) = place(layout, coord);
        let text = coord.text.chars().map(printable).take(40).collect();
        words.push(Word { x, y, text, is_label: true });
    }
    words
}

/// Where a label stands, as a diagram has it.
fn place(layout: &Layout, coord: &Coord) -> (f64, f64) {
    let out = 75.0;
    match coord.side {
        Side::Bottom => (coord.x, layout.height + out),
        Side::Top => (coord.x, -out),
        Side::Left => (-out, coord.y),
        Side::Right => (layout.width + out, coord.y),
        // Below the labels of its board.
        Side::Free if coord.big => (coord.x, coord.y + 50.0),
        // Beyond the end of a line of cells; a label is as wide as a cell in letters.
        Side::Free if matches!(layout.style, Style::Checkered | Style::Grid | Style::Levels) => {
            let nearest = layout.cells.iter().filter(|it| !it.hidden).min_by(|a, b| {
                let way = |it: &crate::Cell| (it.x - coord.x).hypot(it.y - coord.y);
                way(a).total_cmp(&way(b))
            });
            let Some(cell) = nearest else { return (coord.x, coord.y) };
            let (dx, dy) = (coord.x - cell.x, coord.y - cell.y);
            (coord.x + dx * 0.4, coord.y + dy * 0.4)
        }
        Side::Free => (coord.x, coord.y),
    }
}

/// The lines of the diagram from the top: their heights, and what stands in each.
fn lines(words: &[Word]) -> Vec<(f64, Vec<usize>)> {
    let mut order: Vec<usize> = (0..words.len()).collect();
    order.sort_by(|&a, &b| {
        let key = |it: usize| (words[it].is_label, words[it].y);
        let (a, b) = (key(a), key(b));
        a.0.cmp(&b.0).then(a.1.total_cmp(&b.1))
    });
    let mut lines: Vec<(f64, Vec<usize>)> = Vec::new();
    for idx in order {
        let word = &words[idx];
        let slack = if word.is_label { 28.0 } else { 12.0 };
        let after = lines.partition_point(|it| it.0 < word.y);
        let near = [after.checked_sub(1), Some(after)].into_iter().flatten();
        let near =
            near.filter(|&it| lines.get(it).is_some_and(|it| (it.0 - word.y).abs() <= slack));
        let near = near
            .min_by(|&a, &b| (lines[a].0 - word.y).abs().total_cmp(&(lines[b].0 - word.y).abs()));
        match near {
            Some(it) => lines[it].1.push(idx),
            None if lines.len() < LONGEST => lines.insert(after, (word.y, vec![idx])),
            None => {}
        }
    }
    lines
}

/// How many letters wide a unit is, so that no cells of a line touch.
fn scale(words: &[Word], lines: &[(f64, Vec<usize>)]) -> f64 {
    let widest = words.iter().filter(|it| !it.is_label).map(|it| it.text.chars().count()).max();
    let mut gap = 100.0_f64;
    for (_, members) in lines {
        let cells = members.iter().filter(|&&it| !words[it].is_label);
        let mut xs: Vec<f64> = cells.map(|&it| words[it].x).collect();
        xs.sort_by(f64::total_cmp);
        for pair in xs.windows(2) {
            gap = gap.min(pair[1] - pair[0]);
        }
    }
    // In steps of a whole letter, so that columns stay straight.
    let scale = (widest.unwrap_or(3) as f64 + 0.01) / gap.max(20.0);
    let per_cell = scale * 100.0;
    if gap > 99.0 { per_cell.ceil() / 100.0 } else { scale * 1.1 }
}

/// What a terminal shows as one letter.
fn printable(it: char) -> char {
    if it.is_control() { '?' } else { it }
}

fn hands(scene: &Scene, text: &mut String) {
    let mut players: Vec<_> = scene.hands.iter().map(|it| it.player).collect();
    players.sort_unstable();
    players.dedup();
    for player in players {
        let held = scene.hands.iter().filter(|it| it.player == player);
        let held: Vec<String> = held
            .map(|it| match it.count {
                1 => scene.letters(it.player, it.kind).to_owned(),
                n => format!("{n} {}", scene.letters(it.player, it.kind)),
            })
            .collect();
        let name: String = scene.player(player).chars().map(printable).collect();
        text.push_str(&format!("{name} holds: {}\n", held.join(", ")));
    }
}
