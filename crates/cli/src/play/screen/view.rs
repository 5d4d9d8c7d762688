//! The screen as it looks: board on the left, the game on the right, a line below.
//!
//! Nothing is told by colour alone: capitals and small letters tell the players
//! apart, brackets the cursor, round ones what is picked up, dots where it can go.

use boardwright_game::{Player, Site};
use boardwright_text::render::printable;
use ratatui::{
    Frame,
    buffer::Buffer,
    layout::{Constraint, Layout, Rect},
    style::{Color, Modifier, Style},
    text::{Line, Span},
    widgets::{Block, Clear, Paragraph, Wrap},
};

use super::{Open, Screen, chart::Chart, pick};
use crate::{
    board::{self, Labels},
    play::seats::Seat,
};

const LIGHT: Color = Color::Rgb(164, 124, 86);
const DARK: Color = Color::Rgb(132, 96, 64);
const CURSOR: Color = Color::Rgb(226, 178, 72);
const PICKED: Color = Color::Rgb(62, 122, 88);
const LAST: Color = Color::Rgb(178, 134, 50);
const QUIET: Color = Color::Rgb(150, 140, 126);

/// The letters of players, by number; more begin again.
const PLAYERS: [Color; 6] = [
    Color::Rgb(255, 255, 255),
    Color::Rgb(14, 12, 10),
    Color::Rgb(255, 200, 190),
    Color::Rgb(20, 24, 110),
    Color::Rgb(214, 255, 190),
    Color::Rgb(96, 0, 60),
];

const KEYS: [(&str, &str); 17] = [
    ("arrows, h j k l", "move the cursor along the board's lines"),
    ("Enter, Space, click", "pick up, put down, drop"),
    ("Tab, Shift+Tab", "next, previous site where something can be done"),
    ("Esc", "put the piece back, close what is open"),
    ("m", "all legal moves"),
    (".", "pass, where the rules allow"),
    ("t  :  /", "type a move or a command (`help` lists commands)"),
    ("u, Backspace", "take back"),
    ("r", "play again what was taken back"),
    ("i", "a hint"),
    ("g", "the engine moves now"),
    ("p", "the engine waits, goes on"),
    ("f", "turn the board"),
    ("s  o", "save, open a saved game"),
    ("n", "a new game"),
    ("?", "this list"),
    ("q, Ctrl+C", "leave"),
];

/// Where sites were drawn, for the mouse.
#[derive(Default)]
pub(super) struct Drawn {
    boxes: Vec<(Rect, Site)>,
}

impl Drawn {
    pub(super) fn site_at(&self, x: u16, y: u16) -> Option<Site> {
        self.boxes.iter().find(|it| it.0.contains((x, y).into())).map(|it| it.1)
    }
}

pub(super) fn draw(screen: &mut Screen<'_>, frame: &mut Frame<'_>) {
    let area = frame.area();
    let [main, foot] = Layout::vertical([Constraint::Min(3), Constraint::Length(3)]).areas(area);
    let side_width = if area.width >= 70 { 34 } else { 0 };
    let [left, side] =
        Layout::horizontal([Constraint::Min(10), Constraint::Length(side_width)]).areas(main);
    let title = printable(&screen.table.game.ruleset.title);
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

fn label_of(labels: &Labels, screen: &Screen<'_>, site: Site) -> Option<(String, Player)> {
    let piece = screen.table.state.placement().get(site)?;
    Some((labels.of(piece.owner, piece.kind), piece.owner))
}

fn draw_board(screen: &mut Screen<'_>, area: Rect, buffer: &mut Buffer) {
    let labels = Labels::new(&screen.table.game.ruleset);
    let goals = board::goals(&screen.table.game.ruleset);
    let sites = screen.chart.sites();
    let widest = sites.iter().filter_map(|&it| label_of(&labels, screen, it));
    let widest = widest.map(|it| it.0.chars().count()).max().unwrap_or(1).clamp(1, 6) as u16;
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
        draw_site(screen, &labels, &goals, site, place, buffer);
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
    screen: &Screen<'_>,
    labels: &Labels,
    goals: &[bool],
    site: Site,
    place: Rect,
    buffer: &mut Buffer,
) {
    let state = &screen.table.state;
    let is_cursor = screen.cursor == site;
    let is_picked = screen.pick.as_ref().is_some_and(|it| it.site() == site);
    let is_target = screen.is_persons_turn()
        && match &screen.pick {
            Some(pick) => !pick.moves_to(&screen.list, site).is_empty(),
            None => false,
        };
    let is_last = [state.last_from(), state.last_to()].contains(&Some(site));
    let tone = screen.chart.tones.get(site.idx()).copied().unwrap_or(false);
    let ground = match (is_cursor, is_picked, is_last, tone) {
        (true, ..) => CURSOR,
        (_, true, ..) => PICKED,
        (_, _, true, _) => LAST,
        (.., true) => DARK,
        _ => LIGHT,
    };
    let found = label_of(labels, screen, site);
    let ink = match &found {
        Some((_, owner)) => PLAYERS[owner.idx() % PLAYERS.len()],
        None => Color::Rgb(244, 234, 214),
    };
    let style = Style::new().bg(ground).fg(ink);
    buffer.set_style(place, style);
    let bare = match (is_target, goals.get(site.idx()) == Some(&true)) {
        (true, _) => "•",
        (_, true) => "+",
        _ if screen.has_color => " ",
        _ => ".",
    };
    let label = found.map_or_else(|| bare.to_owned(), |it| it.0);
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

fn draw_side(screen: &Screen<'_>, area: Rect, frame: &mut Frame<'_>) {
    let n_players = screen.table.game.ruleset.players.len().min(8) as u16;
    let parts = [Constraint::Length(n_players + 2), Constraint::Length(6), Constraint::Min(3)];
    let [players, engine, moves] = Layout::vertical(parts).areas(area);
    draw_players(screen, players, frame);
    draw_engine(screen, engine, frame);
    draw_moves(screen, moves, frame);
}

fn draw_players(screen: &Screen<'_>, area: Rect, frame: &mut Frame<'_>) {
    let ruleset = &screen.table.game.ruleset;
    let mover = screen.table.state.mover();
    let line = |player: Player| {
        let name = board::player_shown(ruleset, player);
        let is_mover = mover == Some(player) && screen.outcome.is_none();
        let who = match screen.table.seats.get(player.idx()) {
            Some(Seat::Engine(level)) => format!("engine, level {level}"),
            Some(Seat::Random) => "chance".to_owned(),
            _ => "you".to_owned(),
        };
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

fn draw_engine(screen: &Screen<'_>, area: Rect, frame: &mut Frame<'_>) {
    let block = Block::bordered().title(" Engine ");
    let lines = match &screen.thinking {
        None => vec![Line::styled("at rest; i gives a hint", Style::new().fg(QUIET))],
        Some(it) => {
            let limit = screen.table.mind.time().as_secs_f64().max(0.001);
            let part = (it.began.elapsed().as_secs_f64() / limit).min(1.0);
            let width = area.width.saturating_sub(2) as usize;
            let full = (part * width as f64) as usize;
            vec![
                Line::from(format!("depth {}, {} states", it.depth, it.nodes)),
                Line::from(it.score.clone()),
                Line::from("█".repeat(full) + &"░".repeat(width - full)),
                Line::styled(it.line.clone(), Style::new().fg(QUIET)),
            ]
        }
    };
    frame.render_widget(Paragraph::new(lines).block(block), area);
}

fn draw_moves(screen: &Screen<'_>, area: Rect, frame: &mut Frame<'_>) {
    let block = Block::bordered().title(" Moves ");
    let room = block.inner(area).height as usize;
    let mut lines: Vec<Line<'_>> = Vec::new();
    let ruleset = &screen.table.game.ruleset;
    for player in ruleset.all_players() {
        let held = board::hand(&screen.table.state, player);
        lines.extend(held.lines().map(|it| Line::from(it.trim().to_owned())));
    }
    let room = room.saturating_sub(lines.len());
    let shown = &screen.table.shown;
    let from = shown.len().saturating_sub(room);
    let numbered = shown.iter().enumerate().skip(from);
    lines.extend(numbered.map(|(idx, it)| Line::from(format!("{:>3}  {it}", idx + 1))));
    frame.render_widget(Paragraph::new(lines).block(block), area);
}

fn draw_foot(screen: &Screen<'_>, area: Rect, frame: &mut Frame<'_>) {
    let ruleset = &screen.table.game.ruleset;
    let at = board::site_shown(ruleset, screen.cursor);
    let piece = screen.table.state.placement().get(screen.cursor).map(|it| {
        let owner = board::player_shown(ruleset, it.owner);
        let kind = printable(ruleset.translated(ruleset.piece_name(it.kind)));
        format!(", {owner} {kind}")
    });
    let n = screen.list.iter().filter(|it| it.key_sites().0 == Some(screen.cursor)).count();
    let moves = match n {
        0 => String::new(),
        n => format!(", {}", crate::out::count(n, "move", "moves")),
    };
    let drops = pick::arrives(&screen.list, screen.cursor);
    let drops = if drops && n == 0 { ", Enter drops a piece here" } else { "" };
    let turn = match screen.outcome {
        None => board::turn(&screen.table.state).trim().to_owned(),
        Some(_) => "The game is over".to_owned(),
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

fn draw_open(screen: &Screen<'_>, area: Rect, frame: &mut Frame<'_>) {
    let text = |idx: usize| screen.texts.get(idx).cloned().unwrap_or_default();
    match &screen.open {
        None if screen.message.lines().count() > 1 => {
            let lines = screen.message.lines().map(|it| Line::from(it.to_owned())).collect();
            sheet(" Answer ", lines, None, area, frame);
        }
        None => {}
        Some(Open::Help) => {
            let line = |(key, what): &(&str, &str)| Line::from(format!("{key:>20}  {what}"));
            sheet(" Keys ", KEYS.iter().map(line).collect(), None, area, frame);
        }
        Some(Open::Leave) => {
            let lines = vec![
                Line::from("This game is not saved. Leave?"),
                Line::from("y leaves, any other key stays"),
            ];
            sheet(" Leave ", lines, None, area, frame);
        }
        Some(Open::Line(line)) => {
            let lines = vec![Line::from(format!("> {line}▏"))];
            sheet(" A move or a command; Esc closes ", lines, None, area, frame);
        }
        Some(Open::Choice { moves, at }) => {
            let lines = moves.iter().map(|&it| Line::from(text(it))).collect();
            sheet(" Which move? ", lines, Some(*at), area, frame);
        }
        Some(Open::Moves { at }) => {
            let lines = (0..screen.list.len()).map(|it| Line::from(text(it))).collect();
            let title = format!(" {} ", crate::out::count(screen.list.len(), "move", "moves"));
            sheet(&title, lines, Some(*at), area, frame);
        }
    }
}

/// A sheet over the board, in the middle, with a chosen line kept in sight.
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
