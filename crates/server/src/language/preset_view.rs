//! A preset as the page sees it: names, board, pieces, texts.

use std::collections::{BTreeMap, HashMap};

use boardwright_game::Player;
use boardwright_gamecode::Space;
use boardwright_preset::{Enforcement, Settings};
use boardwright_protocol as wire;
use boardwright_protocol::PresetView;
use boardwright_render::{looks, scene::Finish};
use boardwright_rules::PresetRules;
use boardwright_text::render::printable;

use super::{Playable, preset, preset_images, rule_file_view};
use crate::library::Entry;

/// A preset: names, board, pieces, texts.
pub(crate) fn game_view(
    playable: &Playable,
    titles: &[String],
    card: Option<&wire::GameCard>,
    place: Option<&Entry>,
) -> wire::GameView {
    let rules = playable.rules.as_preset();
    let text = |key: &str| {
        let text = rules?.preset.bundle.settings.get(key);
        // What is code there is plain text here.
        (!text.trim().is_empty()).then(|| shown_lines(&text.replace('`', "")))
    };
    let variants = titles.iter().enumerate();
    let variants = variants.map(|(n, it)| (n as u32, it));
    wire::GameView {
        game: playable.game.clone(),
        n: playable.n as u32,
        title: playable.title.clone(),
        game_title: titles.first().unwrap_or(&playable.title).clone(),
        variants: variants
            .filter(|(n, _)| card.is_none_or(|it| it.variants.iter().any(|it| it.n == *n)))
            .map(|(n, it)| wire::VariantView { n, title: it.clone(), is_menu: false })
            .collect(),
        description: text("rules"),
        history: None,
        strategy: None,
        has_solution: false,
        is_puzzle: rules.is_some_and(|it| it.problem.is_some()),
        has_dice: false,
        is_menu: false,
        progressive: false,
        players: players(playable),
        turns: vec![0, 1],
        turns_repeat: 0,
        kinds: kinds(playable),
        layout: layout(playable, rules),
        sets: playable.sets.iter().map(rule_file_view::piece_set).collect(),
        images: rules
            .zip(place)
            .map_or_else(Vec::new, |(it, place)| preset_images::sets(playable, it, place)),
        links: rules.map_or_else(Vec::new, |it| links(playable, it)),
        zones: Vec::new(),
        options: wire::OptionsView {
            smart_moves: None,
            show_moves_list: None,
            animate_captures: None,
            animate_drops: None,
            highlight_goals: None,
            flipping: wire::Flip::Allowed,
            silent_random_moves: false,
        },
        sounds: BTreeMap::new(),
        music: None,
        goals: Vec::new(),
        diagnostics: playable.diagnostics.clone(),
        has_trays: true,
        score: None,
        has_columns: false,
        pass_sites: Vec::new(),
        piles: Vec::new(),
        setup: rule_file_view::setup(playable.ruleset()),
        preset: rules.map(|it| preset_view(playable, it)),
    }
}

fn preset_view(playable: &Playable, rules: PresetRules<'_>) -> PresetView {
    let settings = &rules.preset.bundle.settings;
    let enforcement = preset::enforcement(&rules);
    let url = settings.get("rules-url").trim();
    let is_web = url.starts_with("https://") || url.starts_with("http://");
    PresetView {
        enforcement: match enforcement {
            Enforcement::Enforced => wire::EnforcementView::Enforced,
            Enforcement::Automated => wire::EnforcementView::Partly,
            Enforcement::SetupOnly | Enforcement::Uncoded => wire::EnforcementView::Not,
        },
        enforced: enforcement.text().to_owned(),
        has_engine: playable.rules.lists_moves(),
        problem: rules.problem.map(|it| shown_lines(&it.message)),
        author: printable(settings.get("author")),
        rules_url: is_web.then(|| printable(url)),
        set: playable.sets.first().map_or_else(String::new, |it| it.id.to_owned()),
        hash: rules.preset.hash().to_owned(),
        is_old: playable.game.starts_with("kept-"),
    }
}

fn shown_lines(text: &str) -> String {
    text.lines().map(printable).collect::<Vec<_>>().join("\n")
}

fn players(playable: &Playable) -> Vec<wire::PlayerView> {
    let ruleset = playable.ruleset();
    let tones = looks::tones(ruleset);
    let view = |player: Player| wire::PlayerView {
        name: playable.player_name(player),
        color: tones.get(player.idx()).map_or("white", |it| it.name()).to_owned(),
        is_seat: playable.seats().contains(&player),
        is_random: false,
    };
    ruleset.all_players().map(view).collect()
}

fn kinds(playable: &Playable) -> Vec<wire::KindView> {
    let view = |it: &boardwright_game::PieceKindInfo| wire::KindView {
        name: printable(&it.name),
        notation: printable(it.notation.as_deref().unwrap_or("")),
        help: None,
        description: None,
        value: None,
        opens: None,
        is_dummy: false,
        is_thrown: false,
    };
    playable.ruleset().pieces.iter().map(view).collect()
}

/// The board, in its author's colours where it has some.
fn layout(playable: &Playable, rules: Option<PresetRules<'_>>) -> wire::LayoutView {
    let mut layout = rule_file_view::layout(&playable.layout);
    if rules.is_some_and(|it| preset::is_coloured(it.preset)) {
        for (cell, from) in layout.cells.iter_mut().zip(&playable.layout.cells) {
            cell.fill = from.fill.map(hex);
        }
    }
    layout.trim = rules.and_then(|it| trim(&it.preset.bundle.settings));
    layout
}

fn hex([r, g, b]: [u8; 3]) -> String {
    format!("#{r:02x}{g:02x}{b:02x}")
}

/// What the settings say about the frame and its labels, if anything.
fn trim(settings: &Settings) -> Option<wire::TrimView> {
    let finish = Finish::of_settings(settings);
    // A usual cell of 50 pixels is 100 wide.
    let border_size = (finish.border > 0).then_some(finish.border as f32 * 2.0);
    let font = settings.get("font").trim();
    let is_plain = |it: char| it.is_ascii_alphanumeric() || it == ' ' || it == '-';
    let is_font = !font.is_empty() && font.len() <= 40 && font.chars().all(is_plain);
    let trim = wire::TrimView {
        border: finish.border_colour.map(hex),
        border_size,
        text: finish.text_colour.map(hex),
        last: finish.highlight.map(hex),
        font: is_font.then(|| font.to_owned()),
    };
    (trim != wire::TrimView::default()).then_some(trim)
}

/// By site: its neighbours on the grid, or the nearest places where there is none; the
/// keyboard follows them.
fn links(playable: &Playable, rules: PresetRules<'_>) -> Vec<Vec<u16>> {
    let board = rules.preset.board();
    let cells: HashMap<(i32, i32), u16> = board
        .all()
        .filter_map(|it| {
            let (file, rank) = board.info(it)?.cell?;
            Some(((i32::from(file), i32::from(rank)), it.index() as u16))
        })
        .collect();
    let layout = &playable.layout.cells;
    let nearest = |site: Space| {
        let Some(here) = layout.get(site.index()) else { return Vec::new() };
        let away = |it: usize| {
            let there = layout.get(it);
            there.map_or(f64::MAX, |it| (it.x - here.x).hypot(it.y - here.y))
        };
        let mut others: Vec<usize> = (0..layout.len()).filter(|&it| it != site.index()).collect();
        others.sort_by(|a, b| away(*a).total_cmp(&away(*b)));
        others.into_iter().take(6).map(|it| it as u16).collect()
    };
    let near = |site: Space| match board.info(site).and_then(|it| it.cell) {
        Some((file, rank)) => {
            let around = (-1..=1).flat_map(|dx| (-1..=1).map(move |dy| (dx, dy)));
            let around = around.filter(|it| *it != (0, 0));
            let (file, rank) = (i32::from(file), i32::from(rank));
            around.filter_map(|(dx, dy)| cells.get(&(file + dx, rank + dy)).copied()).collect()
        }
        None => nearest(site),
    };
    board.all().map(near).collect()
}
