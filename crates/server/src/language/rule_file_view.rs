//! A variant of a rule file as the page sees it: names, board, pieces, texts.

use std::{collections::BTreeMap, sync::Arc};

use boardwright_game::{Flipping, PieceKind, Player, Ruleset};
use boardwright_play::{condition_words, goal_sites};
use boardwright_protocol as wire;
use boardwright_render::{Layout, Side, Style, looks, looks::PieceSet};

use super::{Playable, card, images, presentation::Presentation};
use crate::{
    folder::Folder,
    library::{Entry, Library},
};

/// Where the author's files are: the folder, and the rule file within it.
#[derive(Clone, Copy)]
pub(crate) struct Files<'f> {
    pub folder: &'f Folder,
    pub file: &'f str,
}

/// Everything the page must know of a variant.
pub(crate) fn game_view(
    library: &Library,
    entry: &Entry,
    variant: &Playable,
    files: Files<'_>,
    presentation: &Presentation,
) -> wire::GameView {
    let ruleset = variant.ruleset();
    let shown = &ruleset.presentation;
    let card = library.card(&entry.id);
    let variants = card.iter().flat_map(|it| &it.variants);
    let text =
        |it: &Option<Arc<str>>| it.as_deref().filter(|it| !it.trim().is_empty()).map(str::to_owned);
    wire::GameView {
        game: variant.game.clone(),
        n: variant.n as u32,
        title: variant.title.clone(),
        game_title: card.as_ref().map_or_else(|| variant.title.clone(), |it| it.title.clone()),
        variants: variants
            .map(|it| wire::VariantView { n: it.n, title: it.title.clone(), is_menu: it.is_menu })
            .collect(),
        description: text(&shown.description),
        history: text(&shown.history),
        strategy: text(&shown.strategy),
        has_solution: solution(ruleset, files).is_some(),
        is_puzzle: variant.seats().len() == 1 && !ruleset.is_selection_screen(),
        has_dice: card::has_dice(ruleset),
        is_menu: ruleset.is_selection_screen(),
        progressive: ruleset.options.progressive_levels,
        players: players(variant),
        turns: ruleset.turn_order.turns.iter().map(|it| it.mover.0).collect(),
        turns_repeat: ruleset.turn_order.repeat as u32,
        kinds: kinds(library, entry, variant),
        layout: layout(&variant.layout),
        setup: setup(ruleset),
        sets: variant.sets.iter().map(piece_set).collect(),
        images: images::sets(variant, files),
        links: links(ruleset),
        zones: zones(ruleset),
        options: options(ruleset),
        sounds: sounds(variant, files),
        music: shown.music.as_deref().and_then(|it| file_url(variant, files, it)),
        goals: goals(variant),
        diagnostics: variant.diagnostics.clone(),
        has_trays: presentation.has_trays(ruleset),
        score: presentation.score(ruleset),
        has_columns: presentation.columns,
        pass_sites: presentation.passes(ruleset),
        piles: presentation.piles(ruleset),
        preset: None,
    }
}

/// The saved game that solves a puzzle, as a file of the game's folder.
pub(crate) fn solution(ruleset: &Ruleset, files: Files<'_>) -> Option<String> {
    let name = ruleset.presentation.solution.as_deref()?.trim();
    if name.is_empty() {
        return None;
    }
    files.folder.find(files.file, name).map(str::to_owned)
}

fn players(variant: &Playable) -> Vec<wire::PlayerView> {
    let ruleset = variant.ruleset();
    let tones = looks::tones(ruleset);
    let view = |player: Player| wire::PlayerView {
        name: variant.player_name(player),
        color: tones.get(player.idx()).map_or("white", |it| it.name()).to_owned(),
        is_seat: variant.seats().contains(&player),
        is_random: ruleset.players.get(player.idx()).is_some_and(|it| it.is_random),
    };
    ruleset.all_players().map(view).collect()
}

fn kinds(library: &Library, entry: &Entry, variant: &Playable) -> Vec<wire::KindView> {
    let ruleset = variant.ruleset();
    let values = variant.known_values();
    let view = |(idx, it): (usize, &boardwright_game::PieceKindInfo)| {
        let name = ruleset.translated(&it.name).to_owned();
        wire::KindView {
            notation: it.notation.as_deref().unwrap_or(&name).to_owned(),
            name,
            help: it.help.as_ref().map(|it| it.replace('\\', " ").trim().to_owned()),
            description: it.description.as_deref().map(str::to_owned),
            value: values.and_then(|it| it.get(idx).copied().flatten()),
            opens: it.open.as_deref().and_then(|it| opens(library, entry, it)),
            is_dummy: it.is_dummy,
            is_thrown: ruleset.is_thrown(PieceKind(idx as u16)),
        }
    };
    ruleset.pieces.iter().enumerate().map(view).collect()
}

pub(crate) fn setup(ruleset: &Ruleset) -> Vec<wire::PlacedView> {
    let placed = ruleset.setup.pieces.iter();
    let view = |it: &boardwright_game::SetupEntry| wire::PlacedView {
        site: it.site.0,
        player: it.player.0,
        kind: it.kind.0,
    };
    placed.map(view).collect()
}

/// What a click on a piece opens: a variant here or a web page, nothing else.
fn opens(library: &Library, entry: &Entry, open: &str) -> Option<String> {
    let lower = open.trim().to_lowercase();
    if lower.starts_with("http://") || lower.starts_with("https://") {
        return Some(open.trim().to_owned());
    }
    library.opened(entry, open)
}

pub(crate) fn layout(it: &Layout) -> wire::LayoutView {
    let n = |it: f64| it as f32;
    let stroke = |it: &boardwright_render::Stroke| wire::StrokeView {
        d: it.d.clone(),
        fill: it.fill.map(|it| it.name().to_owned()),
        stroke: it.stroke.map(|it| it.name().to_owned()),
        width: n(it.width),
    };
    let cell = |it: &boardwright_render::Cell| wire::CellView {
        name: it.name.clone(),
        x: n(it.x),
        y: n(it.y),
        d: it.d.clone(),
        tone: it.tone,
        bare: it.bare,
        hidden: it.hidden,
        level: it.level as u16,
        fill: None,
    };
    let coord = |it: &boardwright_render::Coord| wire::CoordView {
        text: it.text.clone(),
        x: n(it.x),
        y: n(it.y),
        side: match it.side {
            Side::Bottom => wire::SideView::Bottom,
            Side::Left => wire::SideView::Left,
            Side::Top => wire::SideView::Top,
            Side::Right => wire::SideView::Right,
            Side::Free => wire::SideView::Free,
        },
        big: it.big,
    };
    let level = |it: &boardwright_render::Level| wire::LevelView {
        label: it.label.clone(),
        x: n(it.x),
        y: n(it.y),
        width: n(it.width),
        height: n(it.height),
        sites: it.sites.iter().map(|it| it.0).collect(),
    };
    wire::LayoutView {
        style: match it.style {
            Style::Checkered => wire::StyleView::Checkered,
            Style::Grid => wire::StyleView::Grid,
            Style::Points => wire::StyleView::Points,
            Style::Hex => wire::StyleView::Hex,
            Style::Levels => wire::StyleView::Levels,
            Style::Rings => wire::StyleView::Rings,
            Style::Tiles => wire::StyleView::Tiles,
        },
        width: n(it.width),
        height: n(it.height),
        unit: n(it.unit),
        pad: n(it.pad),
        frame: it.frame.clone(),
        open: it.open,
        plain: it.plain,
        cells: it.cells.iter().map(cell).collect(),
        under: it.under.iter().map(stroke).collect(),
        over: it.over.iter().map(stroke).collect(),
        coords: it.coords.iter().map(coord).collect(),
        levels: it.levels.iter().map(level).collect(),
        trim: None,
    }
}

pub(crate) fn piece_set(it: &PieceSet) -> wire::PieceSetView {
    let look = |it: &looks::Look| wire::LookView {
        player: it.player.0,
        kind: it.kind.0,
        art: it.art.map(str::to_owned),
        turn: it.turn,
        letters: it.letters.clone(),
        token: match it.token {
            looks::Token::Circle => wire::TokenView::Circle,
            looks::Token::Square => wire::TokenView::Square,
            looks::Token::Hexagon => wire::TokenView::Hexagon,
            looks::Token::Shield => wire::TokenView::Shield,
        },
        tone: it.tone.name().to_owned(),
        notches: it.notches.min(255) as u8,
    };
    wire::PieceSetView {
        id: it.id.to_owned(),
        title: it.title.to_owned(),
        looks: it.looks.iter().map(look).collect(),
    }
}

/// By site: the neighbours, each once. Links count both ways: rules often have only those
/// that their patterns need, and the keyboard must lead back.
fn links(ruleset: &Ruleset) -> Vec<Vec<u16>> {
    let board = &ruleset.board;
    let mut links = vec![Vec::new(); board.n_sites()];
    for site in board.all_sites() {
        for direction in (0..board.n_directions() as u16).map(boardwright_game::Direction) {
            if let Some(to) = board.step(site, direction).filter(|&to| to != site) {
                if let Some(it) = links.get_mut(site.idx()) {
                    it.push(to.0);
                }
                if let Some(it) = links.get_mut(to.idx()) {
                    it.push(site.0);
                }
            }
        }
    }
    for found in &mut links {
        found.sort_unstable();
        found.dedup();
    }
    links
}

fn zones(ruleset: &Ruleset) -> Vec<wire::ZoneView> {
    let mut views = Vec::new();
    for zone in &ruleset.board.zones {
        for (player, sites) in zone.sites.iter().enumerate().filter(|(_, it)| !it.is_empty()) {
            views.push(wire::ZoneView {
                name: zone.name.clone(),
                player: player as u8,
                sites: sites.iter().map(|it| it.0).collect(),
            });
        }
    }
    views
}

fn options(ruleset: &Ruleset) -> wire::OptionsView {
    let options = &ruleset.options;
    wire::OptionsView {
        smart_moves: options.smart_moves,
        show_moves_list: options.show_moves_list,
        animate_captures: options.animate_captures,
        animate_drops: options.animate_drops,
        highlight_goals: options.highlight_goals,
        flipping: match options.flipping {
            Flipping::Allowed => wire::Flip::Allowed,
            Flipping::Prevented => wire::Flip::Prevented,
            Flipping::SitesOnly => wire::Flip::SitesOnly,
            Flipping::SitesOnlyTight => wire::Flip::SitesOnlyTight,
        },
        silent_random_moves: options.silent_random_moves,
    }
}

fn sounds(variant: &Playable, files: Files<'_>) -> BTreeMap<String, Option<String>> {
    let it = &variant.ruleset().presentation.sounds;
    let named = [
        ("move", &it.mv),
        ("capture", &it.capture),
        ("drop", &it.drop),
        ("click", &it.click),
        ("change", &it.change),
        ("release", &it.release),
        ("win", &it.win),
        ("loss", &it.loss),
        ("draw", &it.draw),
        ("opening", &it.opening),
    ];
    let url = |file: &Option<Arc<str>>| match file.as_deref().map(str::trim) {
        Some("") => Some(String::new()),
        Some(file) => file_url(variant, files, file),
        None => None,
    };
    named.into_iter().map(|(name, file)| (name.to_owned(), url(file))).collect()
}

/// The address of a sound or piece of music that is there.
fn file_url(variant: &Playable, files: Files<'_>, file: &str) -> Option<String> {
    let name = files.folder.find(files.file, file)?;
    Some(format!("/api/games/{}/file/{}", variant.game, escaped(name)))
}

/// A path as part of an address.
pub(crate) fn escaped(path: &str) -> String {
    let mut out = String::with_capacity(path.len());
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'/' | b'~' => {
                out.push(char::from(byte));
            }
            _ => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}

fn goals(variant: &Playable) -> Vec<wire::GoalView> {
    let ruleset = variant.ruleset();
    let view = |it: &boardwright_game::EndCondition| {
        let (line, line_number) = variant.rules.rule_at(it.span)?;
        let text = condition_words(ruleset, it);
        let compiled = variant.rules.as_compiled()?;
        let sites = goal_sites(compiled, it).into_iter().map(|(player, sites)| wire::PlayerSites {
            player: player.0,
            sites: sites.iter().map(|it| it.0).collect(),
        });
        Some(wire::GoalView { text, line, line_number, sites: sites.collect() })
    };
    ruleset.end_conditions.iter().filter_map(view).collect()
}
