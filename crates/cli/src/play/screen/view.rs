//! Drawing the screen: the board on the left, the game on the right, messages below.
//!
//! Nothing is shown by colour alone: capitals and lower case tell the players apart, square
//! brackets mark the cursor, round ones the picked piece, dots where it can go.

use boardwright_game::{Player, Site};
use boardwright_render::text_board::ShortNames;
use boardwright_text::render::printable;
use ratatui::{
    Frame,
    buffer::Buffer,
    layout::{Constraint, Layout, Rect},
    style::{Color, Modifier, Style},
    text::{Line, Span},
    widgets::{Block, Clear, Paragraph, Wrap},
};

use super::{Overlay, Screen, chart::Chart, pick};
use crate::{board, source};

const LIGHT: Color = Color::Rgb(164, 124, 86);
const DARK: Color = Color::Rgb(132, 96, 64);
const CURSOR: Color = Color::Rgb(226, 178, 72);
const PICKED: Color = Color::Rgb(62, 122, 88);
const LAST: Color = Color::Rgb(178, 134, 50);
const QUIET: Color = Color::Rgb(150, 140, 126);

/// The colours of the letters of players; from the seventh player on they repeat.
const PLAYERS: [Color; 6] = [
    Color::Rgb(255, 255, 255),
    Color::Rgb(14, 12, 10),
    Color::Rgb(255, 200, 190),
    Color::Rgb(20, 24, 110),
    Color::Rgb(214, 255, 190),
    Color::Rgb(96, 0, 60),
];

const KEYS: [(&str, &str); 17] = [
    ("arrows, h j k l", "move the cursor along the links of the board"),
    ("Enter, Space, click", "pick up, put down, drop"),
    ("Tab, Shift+Tab", "next, previous site where something can be done"),
    ("Esc", "put the piece back, close a list"),
    ("m", "all legal moves"),
    (".", "pass, where the rules allow"),
    ("t  :  /", "type a move or a command (`help` lists commands)"),
    ("u, Backspace", "take back"),
    ("r", "play again what was taken back"),
    ("i", "a hint"),
    ("g", "the engine moves now"),
    ("p", "pause the engine, continue"),
    ("f", "rotate the board"),
    ("s  o", "save, open a saved game"),
    ("n", "a new game"),
    ("?", "this list"),
    ("q, Ctrl+C", "leave"),
];

/// The rectangles of the sites on the screen, for the mouse.
#[derive(Default)]
pub(super) struct Drawn {
    boxes: Vec<(Rect, Site)>,
}

impl Drawn {
    pub(super) fn site_at(&self, x: u16, y: u16) -> Option<Site> {
        self.boxes.iter().find(|it| it.0.contains((x, y).into())).map(|it| it.1)
    }
}

pub(super) fn draw(screen: &mut Screen, frame: &mut Frame<'_>) {
    let area = frame.area();
    let [main, foot] = Layout::vertical([Constraint::Min(3), Constraint::Length(3)]).areas(area);
    let side_width = if area.width >= 70 { 34 } else { 0 };
    let [left, side] =
        Layout::horizontal([Constraint::Min(10), Constraint::Length(side_width)]).areas(main);
    let title = printable(&screen.game.ruleset().title);
    let block = Block::bordered().title(format!(" {title} "));
    let inner = block.inner(left);
    frame.render_widget(block, left);
    draw_board(screen, inner, frame.buffer_mut());
    if side_width > 0 {
        draw_side(screen, side, frame);
    }
    draw_foot(screen, foot, frame);
    draw_open(screen, area, frame);
}

/// What the sites of the board show, by site.
struct SiteContents {
    /// The letters of the piece and its owner.
    pieces: Vec<Option<(String, Player)>>,
    /// The highlighted goals, ascending.
    goals: Vec<Site>,
    /// The sites of the last move.
    last: Vec<Site>,
}

impl SiteContents {
    fn of(screen: &Screen) -> SiteContents {
        let ruleset = screen.game.ruleset();
        let labels = ShortNames::new(ruleset);
        let mut pieces = vec![None; ruleset.board.n_sites()];
        for it in screen.game.state().pieces() {
            if let Some(piece) = pieces.get_mut(it.site.idx()) {
                *piece = Some((labels.of(it.player, it.kind), it.player));
            }
        }
        let record = screen.game.record();
        let last = record.tree().last_sites(record.current());
        SiteContents { pieces, goals: screen.game.rules().highlighted_goals(), last }
    }
}

fn draw_board(screen: &mut Screen, area: Rect, buffer: &mut Buffer) {
    let contents = SiteContents::of(screen);
    let sites = screen.chart.sites();
    let widest = contents.pieces.iter().flatten().map(|it| it.0.chars().count());
    let widest = widest.max().unwrap_or(1).clamp(1, 6) as u16;
    let size = screen.chart.size((area.width, area.height), widest);
    let (shift_x, shift_y) = window(&screen.chart, screen.cursor, size, area);
    let mut boxes = Vec::new();
    for &site in &sites {
        let Some((x, y)) = screen.chart.at(site, size) else { continue };
        let (Some(x), Some(y)) = (x.checked_sub(shift_x.0), y.checked_sub(shift_y.0)) else {
            continue;
        };
        let place = Rect::new(area.x + x + shift_x.1, area.y + y + shift_y.1, size.0, size.1);
        let place = place.intersection(area);
        if place.is_empty() {
            continue;
        }
        draw_site(screen, &contents, site, place, buffer);
        boxes.push((place, site));
    }
    screen.drawn = Drawn { boxes };
}

/// What to leave out before, and how much room to leave: in the middle if the board
/// fits, else so that the cursor is seen.
fn window(chart: &Chart, cursor: Site, size: (u16, u16), area: Rect) -> ((u16, u16), (u16, u16)) {
    let (width, height) = chart.extent(size);
    let at = chart.at(cursor, size).unwrap_or((0, 0));
    let one = |extent: u16, room: u16, at: u16, size: u16| {
        if extent <= room {
            return (0, (room - extent) / 2);
        }
        let middle = (at + size / 2).saturating_sub(room / 2);
        // Whole sites only, so that edges look whole.
        ((middle.min(extent - room) / size) * size, 0)
    };
    (one(width, area.width, at.0, size.0), one(height, area.height, at.1, size.1))
}

fn draw_site(
    screen: &Screen,
    contents: &SiteContents,
    site: Site,
    place: Rect,
    buffer: &mut Buffer,
) {
    let is_cursor = screen.cursor == site;
    let is_picked = screen.picked == Some(site);
    let is_target = screen.is_persons_turn()
        && screen.picked.is_some_and(|it| !pick::between(&screen.moves, it, site).is_empty());
    let is_last = contents.last.contains(&site);
    let tone = screen.chart.tones.get(site.idx()).copied().unwrap_or(false);
    let ground = match (is_cursor, is_picked, is_last, tone) {
        (true, ..) => CURSOR,
        (_, true, ..) => PICKED,
        (_, _, true, _) => LAST,
        (.., true) => DARK,
        _ => LIGHT,
    };
    let found = contents.pieces.get(site.idx()).and_then(Option::as_ref);
    let ink = match found {
        Some((_, owner)) => PLAYERS[owner.idx() % PLAYERS.len()],
        None => Color::Rgb(244, 234, 214),
    };
    let style = Style::new().bg(ground).fg(ink);
    buffer.set_style(place, style);
    let bare = match (is_target, contents.goals.binary_search(&site).is_ok()) {
        (true, _) => "•",
        (_, true) => "+",
        _ if screen.has_color => " ",
        _ => ".",
    };
    let label = found.map_or_else(|| bare.to_owned(), |it| it.0.clone());
    let text = match (is_cursor, is_picked, is_target && label != "•") {
        (true, ..) => format!("[{label}]"),
        (_, true, _) => format!("({label})"),
        (.., true) => format!("×{label} "),
        _ => format!(" {label} "),
    };
    let width = text.chars().count() as u16;
    let x = place.x + place.width.saturating_sub(width) / 2;
    let y = place.y + place.height.saturating_sub(1) / 2;
    let style = style.add_modifier(Modifier::BOLD);
    buffer.set_stringn(x, y, text, place.width as usize, style);
}

fn draw_side(screen: &Screen, area: Rect, frame: &mut Frame<'_>) {
    let n_players = screen.game.ruleset().players.len().min(8) as u16;
    let parts = [Constraint::Length(n_players + 2), Constraint::Length(6), Constraint::Min(3)];
    let [players, engine, moves] = Layout::vertical(parts).areas(area);
    draw_players(screen, players, frame);
    draw_engine(screen, engine, frame);
    draw_moves(screen, moves, frame);
}

fn draw_players(screen: &Screen, area: Rect, frame: &mut Frame<'_>) {
    let ruleset = screen.game.ruleset();
    let mover = screen.game.state().mover();
    let line = |player: Player| {
        let name = board::player_shown(ruleset, player);
        let is_mover = mover == Some(player) && !screen.is_over();
        let who = screen.game.sitter_text(player);
        let mark = if is_mover { "▶ " } else { "  " };
        let style = if is_mover { Style::new().bold() } else { Style::new() };
        Line::from(vec![
            Span::styled(format!("{mark}{name}"), style),
            Span::styled(format!("  {who}"), Style::new().fg(QUIET)),
        ])
    };
    let shown = ruleset.all_players().filter(|it| !ruleset.players[it.idx()].is_neutral);
    let lines: Vec<_> = shown.map(line).collect();
    frame.render_widget(Paragraph::new(lines).block(Block::bordered().title(" Players ")), area);
}

fn draw_engine(screen: &Screen, area: Rect, frame: &mut Frame<'_>) {
    let block = Block::bordered().title(" Engine ");
    let lines = match &screen.search {
        None => vec![Line::styled("idle; i gives a hint", Style::new().fg(QUIET))],
        Some(it) => {
            let limit = screen.game.opponent.time().as_secs_f64().max(0.001);
            let part = (it.began.elapsed().as_secs_f64() / limit).min(1.0);
            let width = area.width.saturating_sub(2) as usize;
            let full = (part * width as f64) as usize;
            vec![
                Line::from(format!("depth {}, {} nodes", it.depth, it.nodes)),
                Line::from(it.score.clone()),
                Line::from("█".repeat(full) + &"░".repeat(width - full)),
                Line::styled(it.line.clone(), Style::new().fg(QUIET)),
            ]
        }
    };
    frame.render_widget(Paragraph::new(lines).block(block), area);
}

fn draw_moves(screen: &Screen, area: Rect, frame: &mut Frame<'_>) {
    let block = Block::bordered().title(" Moves ");
    let room = block.inner(area).height as usize;
    let mut lines: Vec<Line<'_>> = Vec::new();
    let ruleset = screen.game.ruleset();
    let hands = screen.game.state().hands();
    for player in ruleset.all_players() {
        let held = hands.iter().filter(|it| it.0 == player).map(|&(_, kind, count)| {
            format!("{} {count}", printable(ruleset.translated(ruleset.piece_name(kind))))
        });
        let held: Vec<String> = held.collect();
        if !held.is_empty() {
            let name = board::player_shown(ruleset, player);
            lines.push(Line::from(format!("{name} in hand: {}", held.join(", "))));
        }
    }
    let room = room.saturating_sub(lines.len());
    let shown = screen.game.moves_so_far();
    let from = shown.len().saturating_sub(room);
    let numbered = shown.iter().enumerate().skip(from);
    lines.extend(numbered.map(|(idx, it)| Line::from(format!("{:>3}  {it}", idx + 1))));
    frame.render_widget(Paragraph::new(lines).block(block), area);
}

fn draw_foot(screen: &Screen, area: Rect, frame: &mut Frame<'_>) {
    let ruleset = screen.game.ruleset();
    let at = board::site_shown(ruleset, screen.cursor);
    let pieces = screen.game.state().pieces();
    let piece = pieces.iter().find(|it| it.site == screen.cursor).map(|it| {
        let owner = board::player_shown(ruleset, it.player);
        let kind = printable(ruleset.translated(ruleset.piece_name(it.kind)));
        format!(", {owner} {kind}")
    });
    let n = screen.moves.iter().filter(|it| it.from == Some(screen.cursor)).count();
    let moves = match n {
        0 => String::new(),
        n => format!(", {}", crate::out::count(n, "move", "moves")),
    };
    let drops = pick::drops(&screen.moves, screen.cursor);
    let drops = if drops && n == 0 { ", Enter drops a piece here" } else { "" };
    let turn = match screen.is_over() {
        false => source::turn(screen.game.state()),
        true => "The game is over".to_owned(),
    };
    let first = format!("{turn} · {at}{}{moves}{drops}", piece.unwrap_or_default());
    let text = vec![
        Line::styled(first, Style::new().bold()),
        Line::from(screen.message.lines().next().unwrap_or("").to_owned()),
        Line::styled(
            "? keys  m moves  u take back  i hint  t type  s save  q leave",
            Style::new().fg(QUIET),
        ),
    ];
    frame.render_widget(Paragraph::new(text), area);
}

fn draw_open(screen: &Screen, area: Rect, frame: &mut Frame<'_>) {
    let text = |idx: usize| screen.texts.get(idx).cloned().unwrap_or_default();
    match &screen.overlay {
        None if screen.message.lines().count() > 1 => {
            let lines = screen.message.lines().map(|it| Line::from(it.to_owned())).collect();
            sheet(" Answer ", lines, None, area, frame);
        }
        None => {}
        Some(Overlay::Help) => {
            let line = |(key, what): &(&str, &str)| Line::from(format!("{key:>20}  {what}"));
            sheet(" Keys ", KEYS.iter().map(line).collect(), None, area, frame);
        }
        Some(Overlay::Leave) => {
            let lines = vec![
                Line::from("This game is not saved. Leave?"),
                Line::from("y leaves, any other key stays"),
            ];
            sheet(" Leave ", lines, None, area, frame);
        }
        Some(Overlay::Line(line)) => {
            let lines = vec![Line::from(format!("> {line}▏"))];
            sheet(" A move or a command; Esc closes ", lines, None, area, frame);
        }
        Some(Overlay::Choice { moves, at }) => {
            let lines = moves.iter().map(|&it| Line::from(text(it))).collect();
            sheet(" Which move? ", lines, Some(*at), area, frame);
        }
        Some(Overlay::Moves { at }) => {
            let lines = (0..screen.legal.len()).map(|it| Line::from(text(it))).collect();
            let title = format!(" {} ", crate::out::count(screen.legal.len(), "move", "moves"));
            sheet(&title, lines, Some(*at), area, frame);
        }
    }
}

/// A box over the middle of the board; the selected line stays visible.
fn sheet(title: &str, lines: Vec<Line<'_>>, at: Option<usize>, area: Rect, frame: &mut Frame<'_>) {
    let widest = lines.iter().map(Line::width).max().unwrap_or(0).max(title.chars().count());
    let width = (widest as u16 + 4).clamp(30.min(area.width), area.width);
    let height = (lines.len().max(1) as u16).saturating_add(2).min(area.height);
    let x = area.x + (area.width - width) / 2;
    let place = Rect::new(x, area.y + (area.height - height) / 2, width, height);
    let room = height.saturating_sub(2) as usize;
    let from = at.unwrap_or(0).saturating_sub(room / 2).min(lines.len().saturating_sub(room));
    let numbered = lines.into_iter().enumerate().skip(from).take(room);
    let lines: Vec<_> = numbered
        .map(|(idx, line)| match at == Some(idx) {
            true => line.style(Style::new().add_modifier(Modifier::REVERSED)),
            false => line,
        })
        .collect();
    let block = Block::bordered().title(title.to_owned());
    frame.render_widget(Clear, place);
    frame.render_widget(Paragraph::new(lines).wrap(Wrap { trim: false }).block(block), place);
}
