//! Boards as pages: a table, or pieces laid over a picture.

use std::{collections::BTreeMap, fmt::Write};

use boardwright_game::{PieceKind, Player};

use crate::{
    Coord, Layout, Side, Style,
    layout::Num,
    scene::{Image, Scene, Stage, base64},
    svg::escaped,
};

/// The most rows and columns of a table.
const MANY: usize = 300;

/// A page with the board as a table. A cell of the board is one of the table; hexagons
/// take two, shifted by one from row to row.
pub fn table(scene: &Scene) -> String {
    let chart = Chart::of(&scene.layout);
    let stage = scene.stage();
    let side = (100.0 * scene.pixels()).round().clamp(4.0, 500.0);
    let mut on_site = BTreeMap::new();
    for it in &scene.pieces {
        on_site.insert(it.site.idx(), (it.player, it.kind));
    }
    let sprites: BTreeMap<_, _> =
        stage.sprites.iter().map(|it| ((it.player, it.kind), (&it.symbol, it.turn))).collect();
    let mut rows = String::new();
    for row in 0..chart.n_rows {
        rows.push_str("<tr>");
        let mut column = 0;
        while column < chart.n_columns {
            match chart.at.get(&(row, column)) {
                Some(What::Site(site)) => {
                    let cell = &scene.layout.cells[*site];
                    let fill = colour(scene, cell);
                    let mut inside = String::new();
                    let mut label = escaped(&cell.name);
                    if let Some(piece) = on_site.get(site)
                        && let Some((symbol, turn)) = sprites.get(piece)
                    {
                        let name = escaped(&scene.name(piece.0, piece.1));
                        let turned = if *turn { r#" class="turned""# } else { "" };
                        inside = format!(
                            r##"<svg role="img" aria-label="{name}"{turned}><use href="#{symbol}"/></svg>"##
                        );
                        label.push_str(&format!(": {name}"));
                    }
                    if chart.is_named {
                        inside.push_str(&format!("<small>{}</small>", escaped(&cell.name)));
                    }
                    let spans = chart.spans();
                    let _ = write!(
                        rows,
                        r#"<td{spans} title="{label}" style="background:{fill}">{inside}</td>"#
                    );
                    column += chart.span.0;
                }
                Some(What::Label(text)) => {
                    let _ = write!(rows, "<th>{}</th>", escaped(text));
                    column += 1;
                }
                Some(What::Covered) => column += 1,
                None => {
                    rows.push_str("<th></th>");
                    column += 1;
                }
            }
        }
        rows.push_str("</tr>\n");
    }
    let is_lined =
        scene.layout.style == Style::Grid || scene.layout.cells.iter().any(|it| it.d.is_none());
    let theme = scene.finish.options.theme.colours(false);
    let line =
        if is_lined { format!("border:1px solid {}", theme.line) } else { "border:0".to_owned() };
    let border = scene.finish.border_colour.map_or(theme.frame.to_string(), hex);
    let text = scene.finish.text_colour.map_or(theme.coord.to_string(), hex);
    let (wide, high) = (side / chart.span.0 as f64, side / chart.span.1 as f64);
    let rim = scene.finish.border.min(500);
    let style = format!(
        "table{{border-collapse:collapse;background:{border};border:{rim}px solid {border}}}td{{width:{side}px;height:{high}px;padding:0;text-align:center;vertical-align:middle;{line}}}th{{min-width:{wide}px;height:{high}px;padding:0 4px;color:{text};font:600 {}px sans-serif}}svg{{display:block;margin:auto;width:{side}px;height:{side}px}}svg.turned{{transform:rotate(180deg)}}td small{{display:block;font:9px sans-serif}}",
        Num(side * 0.25),
    );
    page(scene, &stage, &style, &format!("<table>\n{rows}</table>\n{}", hands(scene)))
}

/// A page with the pieces laid over a picture of the board: the author's, or ours.
pub fn overlay(scene: &Scene) -> String {
    let stage = scene.stage();
    let pixels = scene.pixels();
    let (width, height) = stage.size();
    let (width, height) = (Num(width * pixels), Num(height * pixels));
    let [left, top, ..] = stage.frame;
    let mut inside = String::new();
    for it in &stage.sprites {
        let x = Num((it.x - it.side / 2.0 - left) * pixels);
        let y = Num((it.y - it.side / 2.0 - top) * pixels);
        let side = Num(it.side * pixels);
        let turned = if it.turn { ";transform:rotate(180deg)" } else { "" };
        let name = escaped(&scene.name(it.player, it.kind));
        let _ = write!(
            inside,
            r##"<svg role="img" aria-label="{name}" style="left:{x}px;top:{y}px;width:{side}px;height:{side}px{turned}"><title>{name}</title><use href="#{}"/></svg>"##,
            it.symbol
        );
        inside.push('\n');
    }
    let picture = match &scene.finish.background {
        Some(file) => escaped(file),
        None => format!("data:image/svg+xml;base64,{}", base64(stage.backdrop().as_bytes())),
    };
    let style = format!(
        ".board{{position:relative;width:{width}px;height:{height}px;background:url(\"{picture}\") 0 0/100% 100%}}.board svg{{position:absolute}}"
    );
    page(scene, &stage, &style, &format!("<div class=\"board\">\n{inside}</div>\n"))
}

/// A page with the rules in brief and every piece with its picture, for reference during
/// play. `only_used` leaves out what is not on the board.
pub fn minirules(scene: &Scene, rules: &str, only_used: bool) -> String {
    let body = minirules_body(scene, rules, only_used);
    let style = "body{font:16px/1.5 sans-serif;max-width:44em;margin:1em auto;padding:0 1em}table{border-collapse:collapse}td,th{padding:2px 12px;text-align:left;border-top:1px solid #8886}td svg,td img{width:40px;height:40px;vertical-align:middle}";
    let title = escaped(&scene.title);
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<title>{title}</title>\n<style>{style}</style>\n<h1>{title}</h1>\n{body}</html>\n"
    )
}

/// The same without the page around it.
pub fn minirules_body(scene: &Scene, rules: &str, only_used: bool) -> String {
    let mut out = String::new();
    for paragraph in rules.split("\n\n").map(str::trim).filter(|it| !it.is_empty()) {
        let _ = writeln!(out, "<p>{}</p>", coded(paragraph));
    }
    let is_used = |piece: (Player, PieceKind)| {
        scene.pieces.iter().any(|it| (it.player, it.kind) == piece)
            || scene.hands.iter().any(|it| (it.player, it.kind) == piece)
    };
    let mut rows: BTreeMap<PieceKind, Vec<(Player, &str, &str)>> = BTreeMap::new();
    for (piece, letters, name) in scene.words() {
        if !only_used || is_used(piece) {
            rows.entry(piece.1).or_default().push((piece.0, letters, name));
        }
    }
    if rows.is_empty() {
        return out;
    }
    out.push_str("<table>\n<tr><th>Pieces</th><th>Labels</th><th>Name</th></tr>\n");
    for (kind, sides) in rows {
        let mut pictures = String::new();
        let mut labels = Vec::new();
        for (player, letters, name) in &sides {
            let name = format!("{} {name}", scene.player(*player));
            pictures.push_str(&picture(scene, (*player, kind), &name));
            labels.push(format!("<code>{}</code>", escaped(letters)));
        }
        let name = sides.first().map_or("", |it| it.2);
        let _ = writeln!(
            out,
            "<tr><td>{pictures}</td><td>{}</td><td>{}</td></tr>",
            labels.join(" "),
            escaped(name)
        );
    }
    out.push_str("</table>\n");
    out
}

/// A piece as a picture within the text.
fn picture(scene: &Scene, piece: (Player, PieceKind), name: &str) -> String {
    let name = escaped(name);
    let data = |kind: &str, bytes: &[u8]| {
        let data = base64(bytes);
        format!(r#"<img alt="{name}" src="data:image/{kind};base64,{data}">"#)
    };
    match scene.piece_image(piece) {
        // As an image, since ids within drawings are not unique in a page.
        Some(Image::Drawing(inner)) => {
            let svg = format!(
                r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100">{inner}</svg>"#
            );
            data("svg+xml", svg.as_bytes())
        }
        Some(Image::Svg(bytes)) => data("svg+xml", &bytes),
        Some(Image::Png(bytes)) => data("png", &bytes),
        None => String::new(),
    }
}

/// A paragraph in which what stands in backquotes is code.
fn coded(text: &str) -> String {
    let mut out = String::new();
    for (idx, part) in text.split('`').enumerate() {
        match idx % 2 {
            0 => out.push_str(&escaped_lines(part)),
            _ => {
                let _ = write!(out, "<code>{}</code>", escaped_lines(part));
            }
        }
    }
    out
}

fn escaped_lines(text: &str) -> String {
    let lines: Vec<String> = text.split('\n').map(escaped).collect();
    lines.join("\n")
}

/// A page around a board.
fn page(scene: &Scene, stage: &Stage, style: &str, body: &str) -> String {
    let (title, defs) = (escaped(&scene.title), stage.defs());
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<title>{title}</title>\n<style>{style}</style>\n<svg xmlns=\"http://www.w3.org/2000/svg\" style=\"position:absolute;width:0;height:0\" aria-hidden=\"true\">{defs}</svg>\n{body}</html>\n"
    )
}

/// The pieces in hand, as text.
fn hands(scene: &Scene) -> String {
    let mut out = String::new();
    for it in &scene.hands {
        let name = escaped(&scene.name(it.player, it.kind));
        let _ = writeln!(out, "<p>In hand: {} × {name}</p>", it.count);
    }
    out
}

fn colour(scene: &Scene, cell: &crate::Cell) -> String {
    let hexes = &scene.finish.hex_colours;
    let named = hexes.get(usize::from(cell.shade) % hexes.len().max(1));
    let named = named.copied().filter(|_| scene.layout.style == Style::Hex);
    match named.or(cell.fill).filter(|_| scene.finish.own_colours) {
        Some(rgb) => hex(rgb),
        None => {
            let theme = scene.finish.options.theme.colours(false);
            let colour = if cell.tone == 0 { theme.plain } else { theme.tone(cell.tone) };
            colour.to_string()
        }
    }
}

fn hex([r, g, b]: [u8; 3]) -> String {
    format!("#{r:02x}{g:02x}{b:02x}")
}

/// The content of a cell of the table.
enum What {
    Site(usize),
    Label(String),
    /// Covered by a cell that spans several.
    Covered,
}

impl What {
    fn is_label(&self) -> bool {
        matches!(self, What::Label(_))
    }
}

/// The arrangement of cells in a table.
struct Chart {
    at: BTreeMap<(usize, usize), What>,
    n_rows: usize,
    n_columns: usize,
    /// The number of columns and rows that a cell takes.
    span: (usize, usize),
    /// Whether cells show their names, since nothing around the table does.
    is_named: bool,
}

impl Chart {
    fn of(layout: &Layout) -> Chart {
        let shown = || layout.cells.iter().enumerate().filter(|it| !it.1.hidden);
        let is_placed = shown().all(|it| it.1.at.is_some());
        let point = |cell: &crate::Cell| match cell.at.filter(|_| is_placed) {
            Some((x, y)) => (f64::from(x) * 100.0, f64::from(y) * 100.0),
            None => (cell.x, cell.y),
        };
        let mut points: Vec<((f64, f64), What)> =
            shown().map(|(site, cell)| (point(cell), What::Site(site))).collect();
        let is_hex = layout.style == Style::Hex;
        if !is_placed && !is_hex {
            for coord in layout.coords.iter().filter(|it| !it.big) {
                points.push((label_at(layout, coord), What::Label(coord.text.clone())));
            }
        }
        let columns = Lines::of(points.iter().map(|it| (it.0.0, it.1.is_label())));
        let rows = Lines::of(points.iter().map(|it| (it.0.1, it.1.is_label())));
        let mut chart = Chart {
            at: BTreeMap::new(),
            n_rows: rows.0.len(),
            n_columns: columns.0.len(),
            span: (1, 1),
            is_named: is_placed || is_hex || layout.coords.is_empty(),
        };
        let mut taken: Vec<(usize, usize)> = Vec::new();
        for ((x, y), what) in points {
            let at = (rows.at(y), columns.at(x));
            if at.0 >= MANY || at.1 >= MANY {
                continue;
            }
            if matches!(what, What::Site(_)) {
                taken.push(at);
                chart.at.insert(at, what);
            } else {
                chart.at.entry(at).or_insert(what);
            }
        }
        if is_hex {
            let is_wide = columns.step() < rows.step();
            chart.span = if is_wide { (2, 1) } else { (1, 2) };
            chart.cover(&taken);
        }
        (chart.n_rows, chart.n_columns) = (
            chart.n_rows.min(MANY) + chart.span.1 - 1,
            chart.n_columns.min(MANY) + chart.span.0 - 1,
        );
        chart
    }

    /// Hexagons take two places along the lines in which they never touch.
    fn cover(&mut self, taken: &[(usize, usize)]) {
        let (along, down) = (self.span.0 - 1, self.span.1 - 1);
        for &(row, column) in taken {
            self.at.entry((row + down, column + along)).or_insert(What::Covered);
        }
    }

    fn spans(&self) -> String {
        match self.span {
            (1, 1) => String::new(),
            (columns, 1) => format!(r#" colspan="{columns}""#),
            (_, rows) => format!(r#" rowspan="{rows}""#),
        }
    }
}

/// Where a label lies, as if it were a cell.
fn label_at(layout: &Layout, coord: &Coord) -> (f64, f64) {
    match coord.side {
        Side::Bottom => (coord.x, layout.height + 50.0),
        Side::Top => (coord.x, -50.0),
        Side::Left => (-50.0, coord.y),
        Side::Right => (layout.width + 50.0, coord.y),
        Side::Free => (coord.x, coord.y),
    }
}

/// Numbers that lie together, as one each.
struct Lines(Vec<f64>);

impl Lines {
    /// Lines of cells; a label has one of its own only where no cells are near.
    fn of(values: impl Iterator<Item = (f64, bool)>) -> Lines {
        let (labels, cells): (Vec<_>, Vec<_>) = values.partition(|it| it.1);
        let mut lines: Vec<f64> = cells.into_iter().map(|it| it.0).collect();
        lines.sort_by(f64::total_cmp);
        lines.dedup_by(|a, b| *a - *b < 12.0);
        let mut lines = Lines(lines);
        for (label, _) in labels {
            if lines.0.get(lines.at(label)).is_none_or(|it| (it - label).abs() > 40.0) {
                let at = lines.0.partition_point(|it| *it <= label);
                lines.0.insert(at, label);
            }
        }
        lines
    }

    /// The line that is nearest.
    fn at(&self, value: f64) -> usize {
        let after = self.0.partition_point(|it| *it <= value);
        let way = |it: usize| self.0.get(it).map_or(f64::INFINITY, |it| (it - value).abs());
        let before = after.saturating_sub(1);
        if way(before) <= way(after) { before } else { after }
    }

    /// The least way from line to line.
    fn step(&self) -> f64 {
        self.0.windows(2).map(|it| it[1] - it[0]).fold(f64::INFINITY, f64::min)
    }
}
