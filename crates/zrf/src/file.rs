//! The top level of a rule file: games, variants, and what inherits what.

use std::{rc::Rc, sync::Arc};

use boardwright_game::BlockKind;
use boardwright_text::{Diagnostic, Span, nearest};
use rustc_hash::FxHashMap;

use crate::{
    errors,
    expand::{Expander, Item, ItemKind},
    limits::{CompileLimits, zillions},
    options,
    strings::display,
    symbol::Symbol,
    texts::TextForm,
    words::Kw,
};

/// A game or variant as written, before inheritance.
pub(crate) struct Definition {
    pub(crate) item: Item,
    pub(crate) is_game: bool,
    /// The game a variant belongs to; itself for a game.
    pub(crate) game: usize,
    pub(crate) title: String,
    /// Whether the title was written rather than made up.
    pub(crate) has_title: bool,
    pub(crate) is_separator: bool,
    pub(crate) default: Option<Span>,
    /// Every section but pieces, in text order.
    pub(crate) sections: Vec<(Kw, Item)>,
    pub(crate) pieces: Vec<Rc<PieceDefinition>>,
}

/// A piece as written.
pub(crate) struct PieceDefinition {
    pub(crate) name: Symbol,
    pub(crate) name_item: Item,
    pub(crate) item: Item,
    pub(crate) parts: Vec<(Kw, Item)>,
    /// Names in its `move-type` markers.
    pub(crate) move_types: Vec<Symbol>,
}

/// What a rule file holds.
#[derive(Default)]
pub(crate) struct Contents {
    /// In file order.
    pub(crate) definitions: Vec<Definition>,
    pub(crate) translations: Vec<(Arc<str>, Arc<str>)>,
}

/// The sections of a game, as the author may write them.
const SECTIONS: &[&str] = &[
    "allow-flipping",
    "animate-captures",
    "animate-drops",
    "board",
    "board-setup",
    "capture-sound",
    "change-sound",
    "click-sound",
    "count-condition",
    "default",
    "description",
    "draw-condition",
    "draw-sound",
    "drop-sound",
    "engine",
    "history",
    "include-off-pieces",
    "loss-condition",
    "loss-sound",
    "maximal-captures",
    "move-priorities",
    "move-sound",
    "music",
    "opening-sound",
    "option",
    "pass-partial",
    "pass-turn",
    "piece",
    "players",
    "recycle-captures",
    "recycle-promotions",
    "release-sound",
    "solution",
    "strategy",
    "title",
    "turn-order",
    "win-condition",
    "win-sound",
];

const PIECE_PARTS: &[&str] = &[
    "attribute",
    "description",
    "drops",
    "dummy",
    "help",
    "image",
    "moves",
    "name",
    "notation",
    "open",
];

/// Bytes that a section, or a part of a piece, takes.
const PART_BYTES: usize = 40;

/// Reads the top level.
pub(crate) fn contents(
    ctx: &mut Expander,
    file_name: &str,
    whole: Span,
    limits: &CompileLimits,
) -> Contents {
    let mut contents = Contents::default();
    let mut version: Option<Span> = None;
    let mut misspelt: Option<(Item, Diagnostic)> = None;
    let mut items = ctx.top_level();
    while let Some(item) = items.next(ctx) {
        if !item.is_list() {
            ctx.report(&item, errors::stray_text(item.span));
            continue;
        }
        match ctx.head_kw(&item) {
            Some(Kw::Define) => {}
            Some(Kw::Game | Kw::Variant) => {
                if contents.definitions.len() >= limits.variants {
                    ctx.exhaust(&item, errors::too_many_variants(item.span, limits.variants));
                    break;
                }
                let definition = definition(ctx, item, file_name);
                contents.definitions.push(definition);
            }
            Some(Kw::Version) => {
                if let Some(old) = version {
                    ctx.report(&item, errors::two_versions(item.span, old));
                }
                version = Some(item.span);
                check_version(ctx, &item);
            }
            Some(Kw::Translate) => translate(ctx, &item, &mut contents.translations),
            _ => match ctx.head(&item) {
                Some(head) => {
                    let name = ctx.text(head).to_owned();
                    let warning = if SECTIONS.contains(&&*name) {
                        errors::section_outside_game(item.span, &name)
                    } else {
                        errors::unknown_top_level(
                            item.span,
                            &name,
                            ctx.candidates(ctx.macro_names()),
                        )
                    };
                    let like_game = nearest(&name, ["game"]).is_some();
                    if like_game && misspelt.is_none() {
                        misspelt = Some((item, warning));
                    } else {
                        ctx.report(&item, warning);
                    }
                }
                None => ctx.report(&item, errors::headless_section(item.span)),
            },
        }
    }
    let has_game = contents.definitions.iter().any(|it| it.is_game);
    if let Some((item, warning)) = misspelt {
        // If it was meant as the game, then that is what is wrong with the file.
        let is_all = !has_game && !ctx.sink.has_errors();
        ctx.report(&item, if is_all { errors::misspelt_game(warning) } else { warning });
    }
    if !ctx.is_broken() {
        settle(ctx, &mut contents, whole);
    }
    contents
}

/// Gives each variant its game, and looks at titles and defaults.
fn settle(ctx: &mut Expander, contents: &mut Contents, whole: Span) {
    let definitions = &mut contents.definitions;
    let Some(first) = definitions.iter().position(|it| it.is_game) else {
        if !ctx.sink.has_errors() {
            ctx.sink.push(errors::no_game(whole.head()));
        }
        return;
    };
    let first_span = definitions.get(first).map_or(whole, |it| it.item.span.head());
    let mut game = first;
    for (idx, definition) in definitions.iter_mut().enumerate() {
        if definition.is_game {
            if idx != first {
                let item = definition.item;
                ctx.report(&item, errors::several_games(item.span.head(), first_span));
            }
            game = idx;
        }
        definition.game = game;
    }
    let mut titles: FxHashMap<&str, Span> = FxHashMap::default();
    let mut default: Option<Span> = None;
    let mut found = Vec::new();
    for definition in definitions.iter().filter(|it| !it.is_separator) {
        let span = definition.item.span.head();
        if !definition.has_title {
            // It has been told so already.
        } else if let Some(&old) = titles.get(definition.title.as_str()) {
            found.push((definition.item, errors::same_title(span, &definition.title, old)));
        } else {
            titles.insert(&definition.title, span);
        }
        if let Some(span) = definition.default {
            match default {
                Some(old) => found.push((definition.item, errors::two_defaults(span, old))),
                None => default = Some(span),
            }
        }
    }
    for (item, diagnostic) in found {
        ctx.report(&item, diagnostic);
    }
}

fn check_version(ctx: &mut Expander, item: &Item) {
    let mut tail = ctx.tail(item);
    let Some(Item { kind: ItemKind::Text(text) | ItemKind::Word(text), .. }) = tail.next(ctx)
    else {
        ctx.report(item, errors::bad_version(item.span));
        return;
    };
    let text = ctx.shown(text).trim().to_owned();
    let numbers: Option<Vec<u32>> = text.split('.').map(|it| it.parse().ok()).collect();
    match numbers {
        None => ctx.report(item, errors::bad_version(item.span)),
        Some(numbers) if numbers.as_slice() > zillions::VERSION.as_slice() => {
            ctx.report(item, errors::newer_version(item.span, &text));
        }
        Some(_) => {}
    }
}

fn translate(ctx: &mut Expander, item: &Item, out: &mut Vec<(Arc<str>, Arc<str>)>) {
    let mut tail = ctx.tail(item);
    while let Some(pair) = tail.next(ctx) {
        let words = ctx.items(&pair).collect(ctx, 3);
        match words.as_slice() {
            [from, to] if let (Some(a), Some(b)) = (from.symbol(), to.symbol()) => {
                let limit = ctx.limits().translations;
                if out.len() >= limit {
                    ctx.exhaust(&pair, errors::too_many(pair.span, "translations", limit));
                    return;
                }
                let from = ctx.shown_text(a, TextForm::Display, from);
                out.push((from, ctx.shown_text(b, TextForm::Display, to)));
            }
            _ => {
                ctx.report(&pair, errors::ignored(pair.span, "a pair `(\"name\" \"translation\")`"))
            }
        }
    }
}

fn definition(ctx: &mut Expander, item: Item, file_name: &str) -> Definition {
    let is_game = ctx.head_kw(&item) == Some(Kw::Game);
    let mut definition = Definition {
        item,
        is_game,
        // Until it is known; it stays so in a file without a game.
        game: usize::MAX,
        title: String::new(),
        has_title: false,
        is_separator: false,
        default: None,
        sections: Vec::new(),
        pieces: Vec::new(),
    };
    let mut firsts: FxHashMap<Kw, Item> = FxHashMap::default();
    let mut tail = ctx.tail(&item);
    while let Some(section) = tail.next(ctx) {
        let Some(head) = ctx.head(&section) else {
            ctx.report(&section, errors::headless_section(section.span));
            continue;
        };
        let kw = Kw::of(head).filter(|it| SECTIONS.contains(&it.text()));
        if !ctx.take(PART_BYTES, &section) {
            break;
        }
        match kw {
            Some(Kw::Piece) => definition.pieces.extend(piece(ctx, section)),
            Some(Kw::Default) => definition.default = Some(section.span),
            Some(Kw::Title) => {
                if let Some((text, at)) = string(ctx, &section) {
                    let limit = ctx.limits().word_bytes;
                    if ctx.text(text).len() > limit {
                        ctx.report(&at, errors::title_too_long(at.span, limit));
                    } else {
                        definition.title = display(ctx.text(text));
                    }
                    definition.has_title = true;
                }
            }
            Some(kw) => {
                let accumulates = is_end_condition(kw) || kw == Kw::Option;
                if !accumulates && let Some(old) = firsts.insert(kw, section) {
                    let warning = errors::repeated_section(section.span, kw.text(), old.span);
                    ctx.report(&section, warning);
                }
                definition.sections.push((kw, section));
            }
            None => {
                let warning = unknown_section(ctx, &section, head, "game", SECTIONS);
                ctx.report(&section, warning);
            }
        }
    }
    definition.is_separator = !is_game && definition.title.trim() == "-";
    if !definition.has_title && !ctx.is_broken() {
        let what = if is_game { "game" } else { "variant" };
        ctx.report(&item, errors::no_title(item.span.head(), what));
        definition.title = file_stem(file_name).to_owned();
    }
    definition
}

/// What is wrong with a part whose head is none of `known`.
pub(crate) fn unknown_section(
    ctx: &Expander,
    part: &Item,
    head: Symbol,
    of: &str,
    known: &[&str],
) -> Diagnostic {
    if head == Kw::Define.symbol() {
        return errors::nested_define(part.span);
    }
    let known = ctx.candidates(known.iter().copied().chain(ctx.macro_names()));
    errors::unknown_section(part.span, ctx.text(head), of, known)
}

/// Whether a section says how the game ends: these come as a set.
pub(crate) fn is_end_condition(kw: Kw) -> bool {
    matches!(kw, Kw::WinCondition | Kw::LossCondition | Kw::DrawCondition | Kw::CountCondition)
}

/// Whether a section sets an option, in the old manner or the new.
pub(crate) fn is_option(kw: Kw) -> bool {
    kw == Kw::Option || options::deprecated(kw).is_some()
}

fn piece(ctx: &mut Expander, item: Item) -> Option<Rc<PieceDefinition>> {
    let mut name: Option<(Symbol, Item)> = None;
    let mut parts: Vec<(Kw, Item)> = Vec::new();
    let mut move_types = Vec::new();
    let mut seen_types = rustc_hash::FxHashSet::default();
    let mut firsts: FxHashMap<Kw, Item> = FxHashMap::default();
    let mut has_long_name = false;
    let mut tail = ctx.tail(&item);
    while let Some(part) = tail.next(ctx) {
        let Some(head) = ctx.head(&part) else {
            ctx.report(&part, errors::headless_section(part.span));
            continue;
        };
        if !ctx.take(PART_BYTES, &part) {
            break;
        }
        let Some(kw) = Kw::of(head).filter(|it| PIECE_PARTS.contains(&it.text())) else {
            let warning = unknown_section(ctx, &part, head, "piece", PIECE_PARTS);
            ctx.report(&part, warning);
            continue;
        };
        if kw == Kw::Name {
            let mut tail = ctx.tail(&part);
            // Without one the piece will be said to have no name.
            if let Some(it @ Item { kind: ItemKind::Word(word) | ItemKind::Text(word), .. }) =
                tail.next(ctx)
            {
                has_long_name = !ctx.is_short(word, &it, "piece");
                name = Some((word, it));
            }
            continue;
        }
        let accumulates = matches!(kw, Kw::Attribute | Kw::Moves | Kw::Drops | Kw::Image);
        if !accumulates && let Some(old) = firsts.insert(kw, part) {
            ctx.report(&part, errors::repeated_section(part.span, kw.text(), old.span));
        }
        if block_kind(kw).is_some() {
            collect_move_types(ctx, &part, &mut seen_types, &mut move_types);
        }
        parts.push((kw, part));
    }
    let Some((name, name_item)) = name else {
        if !ctx.is_broken() {
            ctx.report(&item, errors::piece_without_name(item.span.head()));
        }
        return None;
    };
    if has_long_name {
        return None;
    }
    Some(Rc::new(PieceDefinition { name, name_item, item, parts, move_types }))
}

/// Whether a part of a piece holds move blocks, and which.
pub(crate) fn block_kind(kw: Kw) -> Option<BlockKind> {
    match kw {
        Kw::Moves => Some(BlockKind::Move),
        Kw::Drops => Some(BlockKind::Drop),
        _ => None,
    }
}

fn collect_move_types(
    ctx: &mut Expander,
    part: &Item,
    seen: &mut rustc_hash::FxHashSet<Symbol>,
    out: &mut Vec<Symbol>,
) {
    let mark = ctx.mark();
    let mut tail = ctx.tail(part);
    while let Some(block) = tail.next(ctx) {
        if ctx.head_kw(&block) != Some(Kw::MoveType) {
            continue;
        }
        if let Some(name) = ctx.tail(&block).next(ctx).and_then(|it| it.word())
            && seen.insert(name)
        {
            out.push(name);
        }
    }
    ctx.forget(mark);
}

/// The one string of a section such as `(title "…")`.
pub(crate) fn string(ctx: &mut Expander, section: &Item) -> Option<(Symbol, Item)> {
    let name = ctx.head(section).map(|it| ctx.text(it).to_owned()).unwrap_or_default();
    let mut tail = ctx.tail(section);
    match tail.next(ctx) {
        Some(it @ Item { kind: ItemKind::Text(text) | ItemKind::Word(text), .. }) => {
            if let Some(extra) = tail.next(ctx) {
                ctx.report(&extra, errors::extra_argument(extra.span, &name));
            }
            Some((text, it))
        }
        Some(other) => {
            ctx.report(&other, errors::expected(other.span, "a string"));
            None
        }
        None => {
            if !ctx.is_broken() {
                ctx.report(section, errors::missing_argument(section.span, &name, "a string"));
            }
            None
        }
    }
}

/// A file's name without folders and ending.
pub(crate) fn file_stem(name: &str) -> &str {
    let base = base_name(name);
    base.rsplit_once('.').map_or(base, |(stem, _)| stem)
}

/// A file's name without folders.
pub(crate) fn base_name(name: &str) -> &str {
    name.rsplit(['/', '\\']).next().unwrap_or(name)
}
