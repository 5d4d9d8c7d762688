//! Cards of the library: what its page shows of a game, and filters by.

use boardwright_game::{BlockKind, GoalKind, Ruleset};
use boardwright_preset::Bundle;
use boardwright_protocol::{GameCard, Length, SeverityView, VariantCard};
use boardwright_render::{
    Layout, Style,
    looks::{self, Family},
};
use boardwright_zrf::RuleFile;

use super::{
    Playable,
    presentation::Presentation,
    preset::{self, Wanted},
};
use crate::library::Entry;

/// Names of pieces that the search of the library page finds.
const MAX_NAMES: usize = 40;

/// The card of a rule file; compiles all its variants.
pub(crate) fn card(id: &str, mine: bool, file: &mut RuleFile, shown: Presentation) -> GameCard {
    let mut variants = Vec::new();
    let mut family = None;
    let default = file.default_variant();
    for n in 0..file.variants().len() {
        if file.variants().get(n).is_none_or(|it| it.is_separator) {
            continue;
        }
        let Some(ruleset) = file.compile(n).filter(|it| it.check().is_ok()) else { continue };
        let card = variant(id, n, file.shown_title(n), &ruleset);
        if family.is_none() || default == Some(n) {
            family = Some(family_of(&ruleset, &card));
        }
        variants.push(card);
    }
    let errors = file.diagnostics();
    let n_errors = errors.iter().filter(|it| it.is_error()).count();
    let title = default.map(|it| file.shown_title(it)).filter(|it| !it.is_empty());
    GameCard {
        id: id.to_owned(),
        title: title.unwrap_or_else(|| id.to_owned()),
        mine,
        broken: variants.is_empty(),
        n_errors: n_errors as u32,
        is_preset: false,
        family: shown.family.unwrap_or_else(|| family.unwrap_or("other").to_owned()),
        also: shown.also,
        variants,
        set_aside: None,
    }
}

/// The card of a game whose rules took too much time or memory.
pub(crate) fn set_aside(entry: &Entry, reason: String) -> GameCard {
    GameCard {
        id: entry.id.clone(),
        title: entry.id.clone(),
        mine: entry.mine,
        broken: true,
        n_errors: 1,
        is_preset: preset::is_preset(&entry.file),
        family: "other".to_owned(),
        also: Vec::new(),
        variants: Vec::new(),
        set_aside: Some(reason),
    }
}

/// The card of a preset; its problems are puzzles.
pub(crate) fn preset_card(entry: &Entry) -> GameCard {
    let id = entry.id.as_str();
    let source = preset::read(&entry.folder, &entry.file);
    let titles = source.titles();
    let (mut variants, mut family, mut n_errors) = (Vec::new(), "other", 0);
    for (n, title) in titles.iter().enumerate() {
        let problem = n.checked_sub(1).and_then(|it| source.problems.get(it).cloned());
        let (bundle, titles) = (source.bundle.clone(), titles.clone());
        let wanted = Wanted { game: id, n, bundle, problem, titles, notes: &source.notes };
        match preset::made(wanted) {
            Ok(playable) => {
                if n == 0 {
                    family = preset_family(&playable);
                    n_errors = errors(&playable.diagnostics);
                }
                variants.extend(preset_variant(&playable, title.clone()));
            }
            Err(broken) if n == 0 => {
                n_errors = errors(&broken.diagnostics).max(1);
                break;
            }
            Err(_) => {}
        }
    }
    GameCard {
        id: id.to_owned(),
        title: titles.into_iter().next().unwrap_or_else(|| id.to_owned()),
        mine: entry.mine,
        broken: variants.is_empty(),
        n_errors,
        is_preset: true,
        family: family.to_owned(),
        also: Presentation::of(&entry.folder, &entry.file).0.also,
        variants,
        set_aside: None,
    }
}

fn errors(all: &[boardwright_protocol::DiagnosticView]) -> u32 {
    all.iter().filter(|it| it.severity == SeverityView::Error).count() as u32
}

fn preset_variant(playable: &Playable, title: String) -> Option<VariantCard> {
    let Playable { game, n, layout, .. } = playable;
    let rules = playable.rules.as_preset()?;
    let (preset, is_puzzle) = (rules.preset, rules.problem.is_some());
    let mut piece_names: Vec<String> =
        preset.bundle.settings.pieces().iter().map(|it| it.1.to_owned()).collect();
    piece_names.sort_unstable();
    piece_names.dedup();
    piece_names.truncate(MAX_NAMES);
    let hidden = preset.board().spaces().iter().filter(|it| it.is_hidden).count();
    let n_sites = preset.board().spaces().len() - hidden;
    Some(VariantCard {
        n: *n as u32,
        title,
        n_players: playable.seats().len() as u32,
        board: layout.words.clone(),
        shape: layout.style.name().to_owned(),
        is_puzzle,
        has_dice: uses(&preset.bundle, &["rand"]),
        has_drops: hidden > 1,
        is_menu: false,
        length: match n_sites {
            _ if is_puzzle => Length::Short,
            0..=30 => Length::Short,
            31..=90 => Length::Medium,
            _ => Length::Long,
        },
        piece_names,
        thumb: format!(
            "/api/games/{game}/{n}/thumb.svg?v={}",
            preset.hash().get(..8).unwrap_or("")
        ),
    })
}

/// Whether the code contains one of these words.
fn uses(bundle: &Bundle, words: &[&str]) -> bool {
    let code =
        boardwright_preset::FIELDS.iter().filter(|it| it.kind == boardwright_preset::Kind::Code);
    let texts = code.map(|it| bundle.settings.get(it.key));
    let mut all = texts.chain(bundle.includes.iter().map(|it| it.1.as_str()));
    all.any(|it| it.split_whitespace().any(|it| words.contains(&it)))
}

/// The family of a preset, for filters: one with a king is a kind of chess.
fn preset_family(playable: &Playable) -> &'static str {
    let is_royal = |it: &str| ["king", "general", "mahārāja"].contains(&it.to_lowercase().as_str());
    let mut kinds = playable.ruleset().pieces.iter();
    if kinds.any(|it| is_royal(&it.name)) { "chess" } else { "other" }
}

fn variant(id: &str, n: usize, title: String, ruleset: &Ruleset) -> VariantCard {
    let layout = Layout::of(ruleset);
    let n_players = boardwright_rules::seats(ruleset).len();
    let names = ruleset.pieces.iter().filter(|it| !it.is_dummy);
    let mut piece_names: Vec<String> =
        names.map(|it| ruleset.translated(&it.name).to_owned()).take(MAX_NAMES).collect();
    piece_names.dedup();
    let is_menu = ruleset.is_selection_screen();
    VariantCard {
        n: n as u32,
        title,
        n_players: n_players as u32,
        board: layout.words.clone(),
        shape: layout.style.name().to_owned(),
        is_puzzle: n_players == 1 && !is_menu,
        has_dice: has_dice(ruleset),
        has_drops: has_drops(ruleset),
        is_menu,
        length: length(ruleset, &layout),
        piece_names,
        thumb: format!("/api/games/{id}/{n}/thumb.svg"),
    }
}

/// Whether chance takes part.
pub(crate) fn has_dice(ruleset: &Ruleset) -> bool {
    let turns = &ruleset.turn_order.turns;
    turns.iter().any(|it| ruleset.players.get(it.mover.idx()).is_some_and(|it| it.is_random))
}

fn has_drops(ruleset: &Ruleset) -> bool {
    let drops = |it: &boardwright_game::PieceKindInfo| {
        !it.is_dummy && it.blocks.iter().any(|it| it.kind == BlockKind::Drop)
    };
    ruleset.pieces.iter().any(drops)
}

/// The length of a game, guessed from the size of the board and the number of pieces;
/// only used by filters.
fn length(ruleset: &Ruleset, layout: &Layout) -> Length {
    let n_sites = layout.cells.iter().filter(|it| !it.hidden).count();
    let n_pieces = ruleset.setup.pieces.len();
    match (n_sites, n_pieces) {
        (0..=30, _) => Length::Short,
        (_, 0..=6) if n_sites <= 70 => Length::Short,
        (0..=90, 0..=40) => Length::Medium,
        _ => Length::Long,
    }
}

fn has_goal(ruleset: &Ruleset, test: &dyn Fn(&GoalKind) -> bool) -> bool {
    fn any(goal: &GoalKind, test: &dyn Fn(&GoalKind) -> bool) -> bool {
        test(goal)
            || match goal {
                GoalKind::And(all) | GoalKind::Or(all) => all.iter().any(|it| any(&it.kind, test)),
                GoalKind::Not(it) => any(&it.kind, test),
                _ => false,
            }
    }
    ruleset.end_conditions.iter().any(|it| any(&it.goal.kind, test))
}

/// The family of a game, for filters.
fn family_of(ruleset: &Ruleset, card: &VariantCard) -> &'static str {
    let n_pieces =
        |player: usize| ruleset.setup.pieces.iter().filter(|it| it.player.idx() == player).count();
    let is_uneven = card.n_players == 2
        && n_pieces(0).max(n_pieces(1)) >= 2 * n_pieces(0).min(n_pieces(1)).max(1)
        && ruleset.setup.pieces.len() > 2;
    let drawn = looks::family(ruleset);
    if card.is_puzzle {
        return "puzzle";
    }
    if card.is_menu {
        return "other";
    }
    if card.has_dice {
        return "race";
    }
    if has_goal(ruleset, &|it| matches!(it, GoalKind::Connected(..))) {
        return "connection";
    }
    // Pieces that look like chess are not enough: there must be one to hunt for.
    let has_king = has_goal(ruleset, &|it| matches!(it, GoalKind::Captured(_)))
        && matches!(drawn, Some(Family::Chess | Family::Shogi | Family::Xiangqi));
    if has_king || has_goal(ruleset, &|it| matches!(it, GoalKind::Checkmated(_))) {
        return "chess";
    }
    if drawn == Some(Family::Draughts) && ruleset.setup.pieces.len() >= 12 {
        return "draughts";
    }
    if has_goal(ruleset, &|it| matches!(it, GoalKind::RelativeConfig(steps) if steps.len() >= 5)) {
        return "alignment";
    }
    let ends = &ruleset.end_conditions;
    let is_counted = ends.iter().any(|it| it.verdict == boardwright_game::Verdict::Count);
    let is_shut_in = !ends.is_empty()
        && ends.iter().all(|it| matches!(it.goal.kind, GoalKind::Stalemated))
        && card.n_players == 2;
    if is_counted || is_shut_in {
        return "territory";
    }
    if is_uneven {
        return "hunt";
    }
    let travels = |it: &GoalKind| matches!(it, GoalKind::AbsoluteConfig(..));
    if has_goal(ruleset, &travels) && Style::Tiles != Layout::of(ruleset).style {
        return "race";
    }
    "other"
}
