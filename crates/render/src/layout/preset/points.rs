//! Boards whose sites have coordinates in pixels: points on the lines of their links,
//! or tiles where the code makes no links.

use super::{Plan, settle};
use crate::{Cell, Layout, Paint, Stroke, Style, layout::path};

/// The pixels of a cell in the coordinates of presets.
const PIXELS: f64 = 50.0;
/// The largest coordinate, in pixels.
const FAR: f64 = 20_000.0;

pub(super) fn layout(plan: &Plan<'_>) -> Layout {
    let mut middles: Vec<Option<(f64, f64)>> = vec![None; plan.board.spaces().len()];
    for line in plan.settings.get("coordinates").lines() {
        let mut words = line.split_whitespace();
        let Some(name) = words.next() else { continue };
        let name = if name.len() > 1 { name.trim_start_matches('!') } else { name };
        let Some(site) = plan.board.space(name) else { continue };
        let mut number = || words.next()?.parse::<f64>().ok().filter(|it| it.abs() <= FAR);
        if let (Some(x), Some(y)) = (number(), number()) {
            middles[site.index()] = Some((x * 100.0 / PIXELS, y * 100.0 / PIXELS));
        }
    }
    // What has no place of its own stands in a row below all others.
    let lowest = middles.iter().flatten().map(|it| it.1).fold(-150.0, f64::max);
    let mut n_lost = 0.0;
    let middles: Vec<(f64, f64)> = middles
        .into_iter()
        .map(|it| {
            it.unwrap_or_else(|| {
                n_lost += 1.0;
                ((n_lost - 1.0) * 120.0, lowest + 150.0)
            })
        })
        .collect();
    let lines = lines(plan, &middles);
    let mut layout = plan.empty(if lines.is_empty() { Style::Tiles } else { Style::Points });
    layout.unit = nearest(&middles).clamp(30.0, 100.0);
    for (site, &(x, y)) in middles.iter().enumerate() {
        layout.cells[site] = match layout.style {
            Style::Points => Cell { x, y, ..Cell::default() },
            _ => {
                let side = layout.unit * 0.96;
                let d = path::tile(x, y, side, side, 8.0);
                Cell { x, y, d: Some(d), tone: 1, ..Cell::default() }
            }
        };
    }
    if !lines.is_empty() {
        layout.under.push(Stroke { d: lines, fill: None, stroke: Some(Paint::Line), width: 5.0 });
    }
    layout.plain = true;
    settle(&mut layout, 0.0);
    layout.pad = 8.0;
    layout.words = match layout.style {
        Style::Points => "points and lines".to_owned(),
        _ => format!("{} places", middles.len()),
    };
    layout
}

/// The lines of all links, each once.
fn lines(plan: &Plan<'_>, middles: &[(f64, f64)]) -> String {
    let mut links: Vec<(usize, usize)> =
        plan.links.iter().map(|&(a, b)| (a.min(b), a.max(b))).filter(|it| it.0 != it.1).collect();
    links.sort_unstable();
    links.dedup();
    let line =
        |&(a, b): &(usize, usize)| Some(path::polyline(&[*middles.get(a)?, *middles.get(b)?]));
    links.iter().filter_map(line).collect()
}

/// The distance of the nearest two sites: the larger of its two components.
fn nearest(middles: &[(f64, f64)]) -> f64 {
    let mut sorted = middles.to_vec();
    sorted.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut best = 100.0_f64;
    for (idx, a) in sorted.iter().enumerate() {
        for b in sorted.iter().skip(idx + 1).take_while(|b| b.0 - a.0 < 100.0) {
            best = best.min((b.0 - a.0).max((b.1 - a.1).abs()));
        }
    }
    best
}
