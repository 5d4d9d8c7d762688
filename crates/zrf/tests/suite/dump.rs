//! Answers to the questions that suite sections ask: parts of a ruleset as text.
//!
//! A question is `what`, `what name` or either with ` in Title` for a variant
//! other than the one the file opens with.

use boardwright_game::{
    BlockKind, Board, ConfigStep, Direction, DropStart, Goal, GoalKind, Occupant, Ruleset, Site,
    SiteOrZone, Verdict, Whose,
};
use boardwright_zrf::RuleFile;

/// The answer to one question.
pub fn answer(question: &str, file: &mut RuleFile) -> String {
    match question {
        "variants" => return variants(file),
        "expanded" => {
            let mut out = String::new();
            file.expanded(&mut out).expect("writing to a string cannot fail");
            return out;
        }
        _ => {}
    }
    let (question, title) = match question.split_once(" in ") {
        Some((question, title)) => (question, Some(title)),
        None => (question, None),
    };
    let idx = title.map_or_else(|| file.default_variant(), |it| file.variant_named(it));
    let Some(rules) = idx.and_then(|it| file.compile(it)) else {
        return "does not compile".to_owned();
    };
    assert_eq!(rules.check(), Ok(()), "the ruleset is sound");
    let (what, name) = question.split_once(' ').unwrap_or((question, ""));
    about(&rules, what, name).unwrap_or_else(|| panic!("nobody can answer `{question}`"))
}

fn about(rules: &Ruleset, what: &str, name: &str) -> Option<String> {
    let board = &rules.board;
    Some(match what {
        "players" => players(rules),
        "turns" => turns(rules),
        "setup" => setup(rules),
        "goals" => lines(rules.end_conditions.iter().map(|it| end_condition(rules, it))),
        "priorities" => words(rules.priorities.iter().map(|it| name_of(&rules.move_types, it.0))),
        "numbers" => numbers(rules),
        "options" => options(rules),
        "presentation" => presentation(rules),
        "sites" => sites(board),
        "links" => links(board, name),
        "zones" => zones(rules),
        "symmetry" => symmetry(rules),
        "opposites" => opposites(board),
        "images" => board.images.join(", "),
        "pieces" => words(rules.pieces.iter().map(|it| it.name.clone())),
        "piece" => piece(rules, name)?,
        "blocks" => blocks(rules, name)?,
        "listing" => rules.listing(rules.piece_named(name)?),
        _ => return None,
    })
}

fn words(it: impl Iterator<Item = String>) -> String {
    it.collect::<Vec<_>>().join(" ")
}

fn lines(it: impl Iterator<Item = String>) -> String {
    it.map(|it| it + "\n").collect()
}

fn name_of(names: &[String], idx: u16) -> String {
    names.get(idx as usize).cloned().unwrap_or_default()
}

/// All variants, a star after the one the file opens with.
fn variants(file: &RuleFile) -> String {
    let entries = file.variants().iter();
    let shown = entries.map(|it| it.title.clone() + if it.is_default { "*" } else { "" });
    shown.collect::<Vec<_>>().join(", ")
}

fn players(rules: &Ruleset) -> String {
    words(rules.players.iter().map(|it| {
        let neutral = if it.is_neutral { "+neutral" } else { "" };
        let random = if it.is_random { "+random" } else { "" };
        format!("{}{neutral}{random}", it.name)
    }))
}

/// Mover, owner if it is another, type; `|` before the turn that follows the last.
fn turns(rules: &Ruleset) -> String {
    let order = &rules.turn_order;
    words(order.turns.iter().enumerate().map(|(idx, it)| {
        let mut out = String::from(if idx == order.repeat { "| " } else { "" });
        out.push_str(rules.player_name(it.mover));
        if it.owner != it.mover {
            out.push_str(&format!("/{}", rules.player_name(it.owner)));
        }
        let of = it.move_type.map(|it| format!(":{}", name_of(&rules.move_types, it.0)));
        out + &of.unwrap_or_default()
    }))
}

fn setup(rules: &Ruleset) -> String {
    let pieces = rules.setup.pieces.iter().map(|it| {
        let (player, kind) = (rules.player_name(it.player), rules.piece_name(it.kind));
        format!("{player} {kind} {}", rules.board.site_name(it.site))
    });
    let hands = rules.setup.hands.iter().map(|it| {
        let (player, kind) = (rules.player_name(it.player), rules.piece_name(it.kind));
        format!("{player} {kind} off {}", it.count)
    });
    pieces.chain(hands).collect::<Vec<_>>().join(", ")
}

fn end_condition(rules: &Ruleset, it: &boardwright_game::EndCondition) -> String {
    let verdict = match it.verdict {
        Verdict::Win => "win",
        Verdict::Loss => "loss",
        Verdict::Draw => "draw",
        Verdict::Count => "count",
    };
    let players = match &it.players {
        None => "whoever moved".to_owned(),
        Some(players) => words(players.iter().map(|&it| rules.player_name(it).to_owned())),
    };
    format!("{verdict} ({players}) {}", goal(rules, &it.goal))
}

fn goal(rules: &Ruleset, it: &Goal) -> String {
    let kinds = |it: &[boardwright_game::PieceKind]| {
        words(it.iter().map(|&it| rules.piece_name(it).to_owned()))
    };
    let count = |n: u32, kind: Option<boardwright_game::PieceKind>| {
        format!("{n}{}", kind.map(|it| format!(" {}", rules.piece_name(it))).unwrap_or_default())
    };
    let parts = |it: &[Goal]| words(it.iter().map(|it| goal(rules, it)));
    let place = |it: &SiteOrZone| match *it {
        SiteOrZone::Site(it) => rules.board.site_name(it).to_owned(),
        SiteOrZone::Zone(it) => format!("zone:{}", rules.board.zones[it.idx()].name),
    };
    match &it.kind {
        GoalKind::Stalemated => "stalemated".to_owned(),
        GoalKind::Repetition => "repetition".to_owned(),
        GoalKind::Captured(it) => format!("(captured {})", kinds(it)),
        GoalKind::Checkmated(it) => format!("(checkmated {})", kinds(it)),
        GoalKind::PiecesRemaining(n, kind) => format!("(pieces-remaining {})", count(*n, *kind)),
        GoalKind::TotalPieceCount(n, kind) => format!("(total-piece-count {})", count(*n, *kind)),
        GoalKind::AbsoluteConfig(occupants, places) => {
            let places = words(places.iter().map(place));
            let occupants = words(occupants.iter().map(|it| occupant(rules, it)));
            format!("(absolute-config {occupants} ({places}))")
        }
        GoalKind::RelativeConfig(steps) => {
            let direction = |it: Direction| rules.board.directions[it.idx()].name.clone();
            let steps = words(steps.iter().map(|it| match it {
                ConfigStep::Step(it) => direction(*it),
                ConfigStep::Back(it) => format!("(opposite {})", direction(*it)),
                ConfigStep::Occupant(it) => occupant(rules, it),
            }));
            format!("(relative-config {steps})")
        }
        GoalKind::Connected(it, ends) => {
            let ends = words(ends.iter().map(place));
            format!("(connected [{}] ({ends}))", kinds(it))
        }
        GoalKind::And(it) => format!("(and {})", parts(it)),
        GoalKind::Or(it) => format!("(or {})", parts(it)),
        GoalKind::Not(it) => format!("(not {})", goal(rules, it)),
    }
}

fn occupant(rules: &Ruleset, it: &Occupant) -> String {
    let kind = it.kind.map_or("any", |it| rules.piece_name(it));
    let whose = match it.whose {
        Whose::Mine => "my",
        Whose::Opponent => "opponent's",
        Whose::Anyone => "any",
    };
    format!("[{}{whose} {kind}]", if it.negated { "no " } else { "" })
}

/// The numbers of attributes and move types in saved games.
fn numbers(rules: &Ruleset) -> String {
    let show = |what: &str, names: &[String], numbers: &[Option<u32>]| {
        let pairs = names.iter().zip(numbers).filter_map(|(name, it)| it.map(|it| (it, name)));
        let mut pairs: Vec<_> = pairs.collect();
        pairs.sort();
        let pairs: String = pairs.iter().map(|(n, name)| format!(" {n}={name}")).collect();
        format!("{what}{}\n", if pairs.is_empty() { " none" } else { &pairs })
    };
    show("attributes", &rules.attributes, &rules.save.attribute_numbers)
        + &show("types", &rules.move_types, &rules.save.move_type_numbers)
}

/// The options that differ from what they are by default.
fn options(rules: &Ruleset) -> String {
    let list = |it: &boardwright_game::Options| {
        let text = format!("{it:#?}");
        text.lines().map(|it| it.trim().trim_end_matches(',').to_owned()).collect::<Vec<_>>()
    };
    // `Some(` and its value are on lines of their own.
    let join = |it: Vec<String>| it.join("\n").replace("Some(\n", "").replace("\n)", "");
    let (found, default) = (join(list(&rules.options)), join(list(&Default::default())));
    let default: Vec<_> = default.lines().collect();
    lines(found.lines().filter(|it| !default.contains(it)).map(str::to_owned))
}

fn presentation(rules: &Ruleset) -> String {
    let it = &rules.presentation;
    let sounds = &it.sounds;
    let parts = [
        ("description", &it.description),
        ("history", &it.history),
        ("strategy", &it.strategy),
        ("solution", &it.solution),
        ("music", &it.music),
        ("engine", &it.engine),
        ("capture-sound", &sounds.capture),
        ("change-sound", &sounds.change),
        ("click-sound", &sounds.click),
        ("draw-sound", &sounds.draw),
        ("drop-sound", &sounds.drop),
        ("loss-sound", &sounds.loss),
        ("move-sound", &sounds.mv),
        ("opening-sound", &sounds.opening),
        ("release-sound", &sounds.release),
        ("win-sound", &sounds.win),
    ];
    let given = parts.iter().filter_map(|(name, it)| Some(format!("{name} {:?}", it.as_ref()?)));
    let translated = it.translations.iter().map(|(from, to)| format!("{from:?} is {to:?}"));
    lines(given.chain(translated))
}

/// Name, rectangle, and whether it is a dummy.
fn sites(board: &Board) -> String {
    lines(board.sites.iter().map(|it| {
        let rect =
            it.rect.map(|it| format!(" {},{} to {},{}", it.left, it.top, it.right, it.bottom));
        let dummy = if it.is_dummy { " dummy" } else { "" };
        format!("{}{}{dummy}", it.name, rect.unwrap_or_default())
    }))
}

/// The links of one direction.
fn links(board: &Board, name: &str) -> String {
    let Some(direction) = board.directions.iter().position(|it| it.name == name) else {
        return format!("no direction {name}");
    };
    words(board.all_sites().filter_map(|from| {
        let to = board.step(from, Direction(direction as u16))?;
        Some(format!("{}>{}", board.site_name(from), board.site_name(to)))
    }))
}

fn zones(rules: &Ruleset) -> String {
    let board = &rules.board;
    lines(board.zones.iter().flat_map(|zone| {
        zone.sites.iter().zip(&rules.players).filter(|(set, _)| !set.is_empty()).map(
            move |(set, player)| {
                let sites = words(set.iter().map(|it: Site| board.site_name(it).to_owned()));
                format!("{} of {}: {sites}", zone.name, player.name)
            },
        )
    }))
}

fn symmetry(rules: &Ruleset) -> String {
    let board = &rules.board;
    lines(board.symmetry.iter().zip(&rules.players).filter_map(|(seen, player)| {
        let changed = seen.iter().zip(&board.directions).filter_map(|(to, from)| {
            let to = &board.directions[to.idx()];
            (to.name != from.name).then(|| format!("{}>{}", from.name, to.name))
        });
        let changed = words(changed);
        (!changed.is_empty()).then(|| format!("{}: {changed}", player.name))
    }))
}

fn opposites(board: &Board) -> String {
    words(board.directions.iter().zip(&board.opposite).map(|(it, opposite)| {
        let opposite = opposite.map_or("?", |it| &board.directions[it.idx()].name);
        format!("{}>{opposite}", it.name)
    }))
}

fn piece(rules: &Ruleset, name: &str) -> Option<String> {
    let it = &rules.pieces[rules.piece_named(name)?.idx()];
    let texts = [
        ("notation", &it.notation),
        ("help", &it.help),
        ("description", &it.description),
        ("open", &it.open),
    ];
    let texts = texts.iter().filter_map(|(name, it)| Some(format!("{name} {:?}", it.as_ref()?)));
    let images = it
        .images
        .iter()
        .map(|it| format!("image {} {}", rules.player_name(it.player), it.files.join(", ")));
    let attributes = it.attributes.iter().map(|at| {
        let value = it.default_attributes & at.bit() != 0;
        format!("attribute {} {value}", name_of(&rules.attributes, at.0))
    });
    let dummy = it.is_dummy.then(|| "dummy".to_owned());
    Some(lines(texts.chain(images).chain(attributes).chain(dummy)))
}

/// Each block's kind, type, where it is tried and where its code begins.
fn blocks(rules: &Ruleset, name: &str) -> Option<String> {
    let it = &rules.pieces[rules.piece_named(name)?.idx()];
    Some(lines(it.blocks.iter().map(|it| {
        let kind = if it.kind == BlockKind::Move { "move" } else { "drop" };
        let of = it.move_type.map(|it| format!(":{}", name_of(&rules.move_types, it.0)));
        let start = match it.start {
            DropStart::Anywhere => String::new(),
            DropStart::Site(it) => format!(" on {}", rules.board.site_name(it)),
            DropStart::Zone(it) => format!(" in {}", rules.board.zones[it.idx()].name),
        };
        format!("{kind}{}{start} at {}", of.unwrap_or_default(), it.entry)
    })))
}
