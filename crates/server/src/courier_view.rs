//! A preset and its games as the page sees them.

use std::collections::{BTreeMap, HashMap};

use boardwright_game::Player;
use boardwright_gamecode::Space;
use boardwright_preset::{Choice, Enforcement, Game, Outcome};
use boardwright_protocol as wire;
use boardwright_protocol::{
    Clicks, EffectView, MoveView, OutcomeView, Placed, PresetView, StateView,
};
use boardwright_referee::{NodeId, PresetMatch};
use boardwright_text::render::printable;

use crate::{courier::Courier, game_view};

/// Messages of code that are shown, and how long each may be.
const MAX_MESSAGES: usize = 20;
const MAX_MESSAGE: usize = 500;

/// A preset: names, board, pieces, texts.
pub(crate) fn game_view(courier: &Courier, card: Option<&wire::GameCard>) -> wire::GameView {
    let settings = &courier.preset.bundle.settings;
    let text = |key: &str| {
        let text = settings.get(key);
        // What is code there is plain text here.
        (!text.trim().is_empty()).then(|| shown_lines(&text.replace('`', "")))
    };
    let variants = courier.titles.iter().enumerate();
    let variants = variants.map(|(n, it)| (n as u32, it));
    wire::GameView {
        game: courier.game.clone(),
        n: courier.n as u32,
        title: courier.title.clone(),
        game_title: courier.titles.first().unwrap_or(&courier.title).clone(),
        variants: variants
            .filter(|(n, _)| card.is_none_or(|it| it.variants.iter().any(|it| it.n == *n)))
            .map(|(n, it)| wire::VariantView { n, title: it.clone(), is_menu: false })
            .collect(),
        description: text("rules"),
        history: None,
        strategy: None,
        has_solution: false,
        is_puzzle: courier.problem.is_some(),
        has_dice: false,
        is_menu: false,
        progressive: false,
        players: players(courier),
        turns: vec![0, 1],
        turns_repeat: 0,
        kinds: kinds(courier),
        layout: layout(courier),
        sets: courier.sets.iter().map(game_view::piece_set).collect(),
        images: Vec::new(),
        links: links(courier),
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
        diagnostics: courier.diagnostics.clone(),
        setup: pieces(courier, &courier.start),
        preset: Some(preset_view(courier)),
    }
}

fn preset_view(courier: &Courier) -> PresetView {
    let settings = &courier.preset.bundle.settings;
    let url = settings.get("rules-url").trim();
    let is_web = url.starts_with("https://") || url.starts_with("http://");
    PresetView {
        enforcement: match courier.enforcement() {
            Enforcement::Enforced => wire::Enforcement::Enforced,
            Enforcement::Automated => wire::Enforcement::Partly,
            Enforcement::SetupOnly | Enforcement::Uncoded => wire::Enforcement::Not,
        },
        enforced: courier.enforcement().text().to_owned(),
        has_engine: courier.has_engine(),
        problem: courier.problem.as_ref().map(|it| shown_lines(&it.message)),
        author: printable(settings.get("author")),
        rules_url: is_web.then(|| printable(url)),
        set: courier.sets.first().map_or_else(String::new, |it| it.id.to_owned()),
        hash: courier.preset.hash().to_owned(),
        is_old: courier.game.starts_with("kept-"),
    }
}

fn shown_lines(text: &str) -> String {
    text.lines().map(printable).collect::<Vec<_>>().join("\n")
}

fn players(courier: &Courier) -> Vec<wire::PlayerView> {
    let tones = courier.cast.tones();
    let view = |(idx, _): (usize, &str)| {
        let player = Player(idx as u8);
        wire::PlayerView {
            name: courier.player_name(player),
            color: tones.get(idx).map_or("white", |it| it.name()).to_owned(),
            is_seat: courier.seats.contains(&player),
            is_random: false,
        }
    };
    courier.cast.players().enumerate().map(view).collect()
}

fn kinds(courier: &Courier) -> Vec<wire::KindView> {
    let view = |(name, notation): (&str, &str)| wire::KindView {
        name: printable(name),
        notation: printable(notation),
        help: None,
        description: None,
        value: None,
        opens: None,
        is_dummy: false,
        is_thrown: false,
    };
    courier.cast.kinds().map(view).collect()
}

/// The board, in its author's colours where it has some.
fn layout(courier: &Courier) -> wire::Layout {
    let mut layout = game_view::layout(&courier.layout);
    if courier.is_coloured() {
        for (cell, from) in layout.cells.iter_mut().zip(&courier.layout.cells) {
            cell.fill = from.fill.map(|[r, g, b]| format!("#{r:02x}{g:02x}{b:02x}"));
        }
    }
    layout
}

/// By site: its neighbours on the grid, or the nearest places where there is none; the
/// keyboard follows them.
fn links(courier: &Courier) -> Vec<Vec<u16>> {
    let board = courier.preset.board();
    let cells: HashMap<(i32, i32), u16> = board
        .all()
        .filter_map(|it| {
            let (file, rank) = board.info(it)?.cell?;
            Some(((i32::from(file), i32::from(rank)), it.index() as u16))
        })
        .collect();
    let layout = &courier.layout.cells;
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

/// How a match of a preset stands at a node. Runs code: the turns are tried.
pub(crate) fn state_view(
    courier: &Courier,
    sitting: &mut PresetMatch,
    node: NodeId,
) -> Option<StateView> {
    let game = sitting.game_at(node)?;
    let before = sitting.tree().node(node).and_then(|it| it.parent);
    let before = before.and_then(|it| sitting.game_at(it));
    let effects = before.map(|it| effects(courier, &it, &game)).unwrap_or_default();
    let outcome = match sitting.tree().resigned(node) {
        Some(player) => Some(resignation(courier, player)),
        None => outcome_view(courier, &game),
    };
    let is_over = outcome.is_some();
    let mover = Player(game.mover() as u8);
    let seat = courier.seats.iter().position(|&it| it == mover).filter(|_| !is_over);
    let choices = if is_over || seat.is_none() { None } else { game.choices() };
    let choices = choices.unwrap_or_default();
    Some(StateView {
        node,
        ply: sitting.tree().node(node).map_or(0, |it| it.ply),
        pieces: pieces(courier, &game),
        hands: Vec::new(),
        mover: (!is_over).then_some(mover.0),
        seat: seat.map(|it| it as u32),
        is_chance: false,
        turn: u32::from(mover.0),
        moves: moves(courier, &game, &choices),
        last_sites: last_sites(&effects),
        path: Vec::new(),
        in_check: Vec::new(),
        outcome,
        text: Courier::code(&game),
        free: seat.is_some() && choices.is_empty(),
        messages: messages(&game),
    })
}

/// What the code says to the players.
pub(crate) fn messages(game: &Game) -> Vec<String> {
    let said = game.messages().iter().chain(game.output()).map(|it| printable(it));
    let short = said.map(|it| it.chars().take(MAX_MESSAGE).collect::<String>());
    short.filter(|it| !it.trim().is_empty()).take(MAX_MESSAGES).collect()
}

pub(crate) fn pieces(courier: &Courier, game: &Game) -> Vec<Placed> {
    let placed = game.preset().board().all().filter_map(|site| {
        let (player, kind) = courier.piece(game.piece(site)?)?;
        Some(Placed { site: site.index() as u16, player: player.0, kind: kind.0 })
    });
    placed.collect()
}

/// The turns that may be played.
pub(crate) fn moves(courier: &Courier, game: &Game, choices: &[Choice]) -> Vec<MoveView> {
    // A piece in hand that stands on several spaces is dropped from any of them.
    let mut alike: HashMap<&str, Vec<u16>> = HashMap::new();
    let board = game.preset().board();
    for site in board.all().filter(|&it| board.info(it).is_some_and(|it| it.is_hidden)) {
        if let Some(label) = game.piece(site) {
            alike.entry(label).or_default().push(site.index() as u16);
        }
    }
    let view = |(i, it): (usize, &Choice)| {
        let (from, to) = (it.from.index() as u16, it.to.index() as u16);
        let after: HashMap<u16, Option<&str>> =
            it.changes.iter().map(|it| (it.0.index() as u16, it.1.as_deref())).collect();
        let now = |site: u16| after.get(&site).copied();
        let effects = changes(courier, game, Some((from, to)), &after);
        let label = game.piece(it.from);
        let becomes = now(to).flatten().filter(|it| Some(*it) != label);
        let promote = becomes.and_then(|it| courier.piece(it)).map(|it| it.1.0);
        let mut clicks: Vec<Clicks> = Vec::new();
        for effect in &effects {
            // Castling: the king may be put on the rook.
            if let EffectView::Walk { from: other, to: there } = *effect
                && other != from
                && other != to
                && there != from
                && !it.is_drop
                && board.all().any(|it| it.index() as u16 == other)
                && !is_hidden(game, other)
            {
                clicks.push(Clicks { from, to: other });
            }
        }
        if it.is_drop {
            let others = label.and_then(|it| alike.get(it)).into_iter().flatten();
            clicks.extend(others.filter(|&&it| it != from).map(|&from| Clicks { from, to }));
        }
        let captures = effects.iter().filter_map(|it| match *it {
            EffectView::Capture { site } => Some(site),
            _ => None,
        });
        let mut captures: Vec<u16> = captures.collect();
        if from != to && game.piece(it.to).is_some() {
            captures.push(to);
        }
        captures.sort_unstable();
        captures.dedup();
        MoveView {
            i: i as u32,
            short: boardwright_referee::short(&it.text),
            long: it.text.clone(),
            from: Some(from),
            to: Some(to),
            drop: None,
            promote,
            captures,
            pass: false,
            partial: false,
            clicks,
            effects,
        }
    };
    choices.iter().enumerate().map(view).collect()
}

fn is_hidden(game: &Game, site: u16) -> bool {
    let sites = game.preset().board().spaces();
    sites.get(usize::from(site)).is_some_and(|it| it.is_hidden)
}

/// What a turn did, from the boards before and after it.
pub(crate) fn effects(courier: &Courier, before: &Game, after: &Game) -> Vec<EffectView> {
    let board = before.preset().board();
    let changed = board.all().filter(|&it| before.piece(it) != after.piece(it));
    let changed: HashMap<u16, Option<&str>> =
        changed.map(|it| (it.index() as u16, after.piece(it))).collect();
    let text = after.turns().last().map_or("", |it| it.text.as_str());
    let first = text.split(';').next().unwrap_or("");
    let ends = first.rsplit_once('-').and_then(|(from, to)| {
        let from = board.space(from.split_whitespace().last()?)?;
        Some((from.index() as u16, board.space(to.trim())?.index() as u16))
    });
    changes(courier, before, ends, &changed)
}

/// What changes, as movements where a label goes from one site to another.
fn changes(
    courier: &Courier,
    before: &Game,
    main: Option<(u16, u16)>,
    after: &HashMap<u16, Option<&str>>,
) -> Vec<EffectView> {
    let mut sites: Vec<u16> = after.keys().copied().collect();
    sites.sort_unstable();
    let board = before.preset().board();
    let all: Vec<Space> = board.all().collect();
    let was = |site: u16| all.get(usize::from(site)).and_then(|&it| before.piece(it));
    let is = |site: u16| match after.get(&site) {
        Some(label) => *label,
        None => was(site),
    };
    let mut left: Vec<u16> = sites.iter().copied().filter(|&it| was(it).is_some()).collect();
    let mut effects = Vec::new();
    let mut come = |site: u16, label: &str, effects: &mut Vec<EffectView>| {
        if let Some((from, to)) = main.filter(|it| it.1 == site && left.contains(&it.0)) {
            left.retain(|&it| it != from);
            effects.push(EffectView::Walk { from, to });
            if was(from) != Some(label)
                && let Some((player, kind)) = courier.piece(label)
            {
                effects.push(EffectView::Become { site: to, kind: kind.0, player: player.0 });
            }
            return;
        }
        let source = left.iter().position(|&it| was(it) == Some(label));
        match source {
            Some(at) => effects.push(EffectView::Walk { from: left.remove(at), to: site }),
            None => {
                if let Some((player, kind)) = courier.piece(label) {
                    let (kind, player) = (kind.0, player.0);
                    effects.push(match was(site) {
                        Some(_) => EffectView::Become { site, kind, player },
                        None => EffectView::Drop { kind, to: site, player },
                    });
                }
            }
        }
    };
    // What the player moved comes first.
    let is_main = |it: &&u16| main.is_some_and(|main| main.1 == **it);
    for &site in sites.iter().filter(is_main).chain(sites.iter().filter(|it| !is_main(it))) {
        if let Some(label) = is(site) {
            come(site, label, &mut effects);
        }
    }
    let arrived = |site: u16| is(site).is_some();
    effects.extend(
        left.into_iter().filter(|&it| !arrived(it)).map(|site| EffectView::Capture { site }),
    );
    effects
}

/// Where the last turn was made.
fn last_sites(effects: &[EffectView]) -> Vec<u16> {
    let first = effects.first().map(|it| match *it {
        EffectView::Walk { from, to } | EffectView::Copy { from, to } => vec![from, to],
        EffectView::Drop { to, .. } => vec![to],
        EffectView::Become { site, .. } | EffectView::Capture { site } => vec![site],
    });
    first.unwrap_or_default()
}

/// How a game ended, if it did.
fn outcome_view(courier: &Courier, game: &Game) -> Option<OutcomeView> {
    let name = |it: usize| courier.player_name(Player(it as u8));
    let (winners, text) = match game.outcome() {
        Outcome::Undecided => return None,
        Outcome::Draw => (Vec::new(), "Draw".to_owned()),
        Outcome::Win(it) => (vec![it as u8], format!("{} wins", name(it))),
    };
    let is_solved = courier.problem.is_some()
        && winners.first().is_some_and(|it| courier.seats.contains(&Player(*it)));
    let losers = winners.iter().map(|it| 1 - *it).collect();
    let why = messages(game).join(" ");
    Some(OutcomeView {
        winners,
        losers,
        text: if is_solved { "Solved".to_owned() } else { text },
        why: if why.is_empty() { "The preset's code ended the game.".to_owned() } else { why },
        rule: None,
        rule_line: None,
        sites: Vec::new(),
    })
}

/// How a game ended that somebody gave up.
fn resignation(courier: &Courier, player: Player) -> OutcomeView {
    let name = courier.player_name(player);
    let other = Player(1 - player.0.min(1));
    OutcomeView {
        winners: vec![other.0],
        losers: vec![player.0],
        text: format!("{} wins", courier.player_name(other)),
        why: format!("{name} gave up"),
        rule: None,
        rule_line: None,
        sites: Vec::new(),
    }
}
