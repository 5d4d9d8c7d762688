//! Nothing makes play panic, hang or give back another state than it got.
//!
//! Three sources of trouble, all seeded: programs of random instructions, rule
//! files with words swapped, and saved games with bytes changed.

use std::{path::PathBuf, sync::Arc};

use boardwright_game::{
    AddForm, Attribute, Block, BlockKind, Board, CreateForm, Direction, DropStart, EndCondition,
    Goal, GoalKind, HandEntry, Mark, MoveType, Op, Origin, PieceKind, PieceKindInfo, Place, Player,
    PlayerInfo, Program, Ruleset, SaveFormat, Setup, SetupEntry, Site, SiteInfo, SiteOrZone, Turn,
    TurnOrder, Verdict,
};
use boardwright_play::{
    MoveList, Rules, SplitMix64, State,
    zsg::{self, SaveFile},
};
use boardwright_test_kit::{files_below, random_move, rule_file, setting, variant};
use boardwright_text::Span;
use boardwright_zrf::{CompileLimits, NoFiles};

/// Plays at random and back again, whatever the rules say.
fn there_and_back(mut state: State, rng: &mut SplitMix64, n_plies: usize) -> usize {
    let start = state.clone();
    let mut past = Vec::new();
    let mut list = MoveList::new();
    for _ in 0..n_plies {
        if state.generate(&mut list).is_err() {
            break;
        }
        let Some(mv) = random_move(&list, rng) else {
            let _ = state.outcome();
            break;
        };
        match state.play_unchecked(mv) {
            Ok(undo) => past.push(undo),
            Err(_) => break,
        }
        assert_eq!(state.hash(), state.recomputed_hash());
    }
    let n = past.len();
    while let Some(undo) = past.pop() {
        state.undo(undo);
    }
    assert_eq!(state, start);
    n
}

#[test]
fn random_programs_do_no_harm() {
    let mut n_plies = 0;
    for seed in 0..setting("ROBUST_PROGRAMS", 300) {
        let mut rng = SplitMix64::new(seed);
        let ruleset = random_ruleset(&mut rng);
        assert_eq!(ruleset.check(), Ok(()), "seed {seed}");
        n_plies += there_and_back(State::start(Arc::new(ruleset)), &mut rng, 12);
    }
    assert!(n_plies > 500, "the random games were hardly games: {n_plies} plies");
}

#[test]
fn rule_files_with_words_swapped_do_no_harm() {
    let files: Vec<PathBuf> = files_below("tests/conformance", "zrf");
    let texts: Vec<String> =
        files.iter().filter_map(|it| std::fs::read_to_string(it).ok()).collect();
    let words: Vec<&str> = texts.iter().flat_map(|it| code_words(it)).collect();
    let mut rng = SplitMix64::new(99);
    let mut n_playable = 0;
    for _ in 0..setting("ROBUST_FILES", 400) {
        let mut text = texts[rng.below(texts.len())].clone();
        for _ in 0..=rng.below(3) {
            let own: Vec<&str> = code_words(&text).collect();
            let old = own[rng.below(own.len())].to_owned();
            text = text.replacen(&old, words[rng.below(words.len())], 1 + rng.below(2));
        }
        let limits = CompileLimits::default();
        let mut file = boardwright_zrf::load("swap.zrf", text.as_bytes(), &mut NoFiles, &limits);
        let Some(idx) = file.default_variant() else { continue };
        let Some(ruleset) = file.compile(idx) else { continue };
        assert_eq!(ruleset.check(), Ok(()), "{text}");
        there_and_back(State::start(ruleset), &mut rng, 12);
        n_playable += 1;
    }
    assert!(n_playable > 50, "only {n_playable} of the files could be played");
}

/// The words of a case's own part, behind the board they all share.
fn code_words(text: &str) -> impl Iterator<Item = &str> {
    let code = text.split_once("(game").map_or("", |it| it.1);
    code.split(|it: char| it.is_whitespace() || it == '(' || it == ')').filter(|it| !it.is_empty())
}

#[test]
fn damaged_saves_load_up_to_the_damage() {
    let path = boardwright_test_kit::root().join("tests/conformance/rules/T29.zrf");
    let name = path.display().to_string();
    let rules = Arc::new(Rules::new(variant(&name, &mut rule_file(&path), None)));
    let mut state = State::start_of(Arc::clone(&rules));
    let mut save = SaveFile::new(&state, "HC");
    let mv = state.legal_moves().expect("moves").get(0).expect("a move").clone();
    save.push_move(&state, &mv);
    state.play(&mv).expect("it is legal");
    let whole = save.to_bytes();
    let mut rng = SplitMix64::new(5);
    for _ in 0..3000 {
        let mut bytes = whole.clone();
        for _ in 0..=rng.below(4) {
            let at = rng.below(bytes.len());
            match rng.below(4) {
                0 => bytes[at] = rng.next_u64() as u8,
                1 => drop(bytes.remove(at)),
                2 => bytes.insert(at, b"\r\n (x)0."[rng.below(8)]),
                _ => bytes.truncate(at),
            }
            if bytes.is_empty() {
                break;
            }
        }
        let read = SaveFile::read(&bytes);
        let replay = zsg::replay(&read, Arc::clone(&rules), None);
        // What was played is what we write, and reads back the same.
        let again = SaveFile::read(&replay.written.to_bytes());
        let kept = again.entries.iter().map(|it| &it.1);
        if again.damage.is_none() {
            assert!(kept.eq(replay.written.entries.iter().map(|it| &it.1)));
        }
        if let Some(stop) = replay.stop {
            assert!(stop.line >= 1);
        }
    }
}

fn some<T>(rng: &mut SplitMix64, make: impl FnOnce(&mut SplitMix64) -> T) -> Option<T> {
    (rng.below(2) == 0).then(|| make(rng))
}

const SITES: usize = 9;
const DIRECTIONS: usize = 3;
const PLAYERS: usize = 3;
const KINDS: usize = 3;
const TYPES: usize = 2;

fn site(rng: &mut SplitMix64) -> Site {
    Site(rng.below(SITES) as u16)
}

fn kind(rng: &mut SplitMix64) -> PieceKind {
    PieceKind(rng.below(KINDS) as u16)
}

fn player(rng: &mut SplitMix64) -> Player {
    Player(rng.below(PLAYERS) as u8)
}

fn move_type(rng: &mut SplitMix64) -> MoveType {
    MoveType(rng.below(TYPES) as u16)
}

fn direction(rng: &mut SplitMix64) -> Direction {
    Direction(rng.below(DIRECTIONS) as u16)
}

fn place(rng: &mut SplitMix64) -> Place {
    match rng.below(4) {
        0 => Place::Here,
        1 => Place::Site(site(rng)),
        2 => Place::Step(direction(rng)),
        _ => Place::Back(direction(rng)),
    }
}

fn op(rng: &mut SplitMix64, n_ops: usize) -> Op {
    let attribute = Attribute(rng.below(2) as u16);
    let target = rng.below(n_ops) as u32;
    let marks = [Mark::From, Mark::To, Mark::Mark, Mark::LastFrom, Mark::LastTo];
    match rng.below(40) {
        0 => Op::End,
        1..=4 => Op::Step(direction(rng)),
        5 => Op::StepBack(direction(rng)),
        6 => Op::Goto(site(rng)),
        7 => Op::Go(marks[rng.below(5)]),
        8 => Op::SetFrom,
        9 => Op::SetTo,
        10 => Op::SetMark(place(rng)),
        11 => Op::Constant(rng.below(2) == 0),
        12 => Op::Flag(0),
        13 => Op::SiteFlag(0, place(rng)),
        14 => Op::Empty(place(rng)),
        15 => Op::Enemy(place(rng)),
        16 => Op::Friend(place(rng)),
        17 => Op::Neutral(place(rng)),
        18 => Op::AdjacentToEnemy(place(rng)),
        19 => Op::LastTo(place(rng)),
        20 => Op::HasAttribute(attribute, place(rng)),
        21 => Op::Attacked(some(rng, move_type).into(), place(rng)),
        22 => Op::Defended(some(rng, move_type).into(), place(rng)),
        23 => Op::Not,
        24 => Op::Jump(target),
        25 => Op::JumpIf(target),
        26 => Op::JumpUnless(target),
        27 => Op::SetFlag(0),
        28 => Op::SetSiteFlag(0, place(rng)),
        29 => Op::SetAttribute(attribute, place(rng)),
        30 => Op::Capture(place(rng)),
        31 => Op::Flip(place(rng)),
        32 => Op::ChangeOwner(place(rng)),
        33 => Op::ChangeType(kind(rng), place(rng)),
        34 => Op::Create(0),
        35 => Op::Cascade,
        _ => Op::Add(rng.below(3) as u32),
    }
}

fn random_piece(rng: &mut SplitMix64, idx: usize) -> PieceKindInfo {
    let n_ops = 8 + rng.below(24);
    let mut ops: Vec<Op> = (0..n_ops).map(|_| op(rng, n_ops + 1)).collect();
    ops.push(Op::End);
    let form = |rng: &mut SplitMix64| AddForm {
        is_copy: rng.below(5) == 0,
        is_partial: rng.below(3) == 0,
        move_type: some(rng, move_type),
        promote: (0..rng.below(3)).map(|_| kind(rng)).collect(),
    };
    let program = Program {
        origins: vec![Origin::default(); ops.len()],
        adds: (0..3).map(|_| form(rng)).collect(),
        creates: vec![CreateForm {
            player: some(rng, player),
            kind: some(rng, kind),
            place: place(rng),
        }],
        ops,
    };
    let block = |rng: &mut SplitMix64| Block {
        kind: if rng.below(3) == 0 { BlockKind::Drop } else { BlockKind::Move },
        move_type: some(rng, move_type),
        start: some(rng, site).map_or(DropStart::Anywhere, DropStart::Site),
        entry: rng.below(n_ops) as u32,
        span: Span::default(),
    };
    PieceKindInfo {
        name: format!("Wolf{idx}"),
        notation: None,
        help: None,
        description: None,
        images: Vec::new(),
        attributes: vec![Attribute(0)],
        attribute_mask: 1,
        default_attributes: rng.below(2) as u64,
        is_dummy: false,
        open: None,
        blocks: (0..3).map(|_| block(rng)).collect(),
        program: Arc::new(program),
        span: Span::default(),
    }
}

fn random_ruleset(rng: &mut SplitMix64) -> Ruleset {
    let link = |rng: &mut SplitMix64| {
        if rng.below(4) == 0 { u16::MAX } else { rng.below(SITES) as u16 }
    };
    let board = Board {
        sites: (0..SITES)
            .map(|idx| SiteInfo {
                name: format!("s{idx}"),
                rect: None,
                is_dummy: false,
                cell: None,
                span: Span::default(),
            })
            .collect(),
        directions: (0..DIRECTIONS)
            .map(|idx| boardwright_game::DirectionInfo {
                name: format!("d{idx}"),
                span: Span::default(),
            })
            .collect(),
        links: (0..SITES * DIRECTIONS).map(|_| link(rng)).collect(),
        opposite: (0..DIRECTIONS).map(|_| some(rng, direction)).collect(),
        symmetry: (0..PLAYERS).map(|_| (0..DIRECTIONS).map(|_| direction(rng)).collect()).collect(),
        ..Board::default()
    };
    let players = (0..PLAYERS).map(|idx| PlayerInfo {
        name: format!("Shepherd{idx}"),
        is_random: false,
        is_neutral: idx == 2,
        span: Span::default(),
    });
    let turn = |rng: &mut SplitMix64| Turn {
        mover: Player(rng.below(2) as u8),
        owner: player(rng),
        move_type: if rng.below(4) == 0 { Some(move_type(rng)) } else { None },
        span: Span::default(),
    };
    let goal = |rng: &mut SplitMix64| match rng.below(6) {
        5 => {
            let ends = [SiteOrZone::Site(site(rng)), SiteOrZone::Site(site(rng))];
            GoalKind::Connected(some(rng, kind).into_iter().collect(), ends)
        }
        0 => GoalKind::Checkmated(vec![kind(rng)]),
        1 => GoalKind::Captured(vec![kind(rng)]),
        2 => GoalKind::PiecesRemaining(0, some(rng, kind)),
        3 => GoalKind::Stalemated,
        _ => GoalKind::Repetition,
    };
    let condition = |rng: &mut SplitMix64| EndCondition {
        verdict: [Verdict::Win, Verdict::Loss, Verdict::Draw, Verdict::Count][rng.below(4)],
        players: some(rng, |rng| vec![player(rng)]),
        goal: Goal { kind: goal(rng), span: Span::default() },
        span: Span::default(),
    };
    let entry = |rng: &mut SplitMix64| SetupEntry {
        player: player(rng),
        kind: kind(rng),
        site: site(rng),
        span: Span::default(),
    };
    let held = |rng: &mut SplitMix64| HandEntry {
        player: player(rng),
        kind: kind(rng),
        count: rng.below(4) as u32,
        span: Span::default(),
    };
    let n_turns = 1 + rng.below(3);
    let mut ruleset = Ruleset {
        players: players.collect(),
        board: Arc::new(board),
        pieces: (0..KINDS).map(|idx| random_piece(rng, idx)).collect(),
        attributes: vec!["hungry?".to_owned(), "asleep?".to_owned()],
        move_types: (0..TYPES).map(|idx| format!("type{idx}")).collect(),
        save: SaveFormat {
            attribute_numbers: vec![Some(0), None],
            move_type_numbers: vec![Some(1), Some(2)],
            ..SaveFormat::default()
        },
        n_flags: 1,
        n_site_flags: 1,
        turn_order: TurnOrder {
            turns: (0..n_turns).map(|_| turn(rng)).collect(),
            repeat: rng.below(n_turns),
        },
        setup: Setup {
            pieces: (0..6).map(|_| entry(rng)).collect(),
            hands: (0..2).map(|_| held(rng)).collect(),
        },
        priorities: (0..rng.below(2)).map(|_| move_type(rng)).collect(),
        end_conditions: (0..rng.below(3)).map(|_| condition(rng)).collect(),
        ..Ruleset::default()
    };
    let options = &mut ruleset.options;
    options.recycle_captures = rng.below(2) == 0;
    options.recycle_promotions = rng.below(3) == 0;
    options.discard_cascades = rng.below(2) == 0;
    options.pass_partial = rng.below(2) == 0;
    options.pass_turn = [
        boardwright_game::PassTurn::Never,
        boardwright_game::PassTurn::Always,
        boardwright_game::PassTurn::Forced,
    ][rng.below(3)];
    options.maximal_captures = [
        boardwright_game::MaximalCaptures::No,
        boardwright_game::MaximalCaptures::Longest,
        boardwright_game::MaximalCaptures::MostValuable,
    ][rng.below(3)];
    ruleset
}
