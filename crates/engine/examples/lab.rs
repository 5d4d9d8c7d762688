//! A bench for those who work on the engine: values, thinking, matches.
//!
//! A LIMIT is a number of nodes, or milliseconds if it ends in `ms`.
//!
//! `lab values FILE`, `lab think FILE NODES`, `lab level FILE A B GAMES LIMIT` (a match between
//! levels), `lab limits FILE LIMIT LIMIT GAMES`, `lab methods FILE GAMES MILLISECONDS` (search
//! against random games), `lab trial FILE`, `lab solve FILE SECONDS`,
//! `lab compare FILE LAB LAB GAMES LIMIT [FIRST]` (a match between two builds of this tool),
//! `lab find FILE COUNT LONGEST BUDGET` and `lab prove LIST BUDGET` (states with forced wins),
//! `lab uci FILE PROGRAM ELO GAMES MILLISECONDS` (a match with a chess program).

#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a tool for developers"
)]

use std::{
    io::{BufRead, BufReader, Write},
    path::Path,
    process::{Command, Stdio},
    sync::Arc,
    time::Duration,
};

use boardwright_engine::{
    Engine, EngineSettings, Method, MethodTrial, Proof, SearchLimits, StopFlag,
};
use boardwright_play::{Ending, Move, Rules, SplitMix64, State};
use boardwright_rules::GameState;
use boardwright_test_kit::{prove::Prover, random_walk, rule_file, variant};

fn rules(spec: &str) -> Arc<Rules> {
    let (path, title) = match spec.split_once(':') {
        Some((path, title)) => (path, Some(title)),
        None => (spec, None),
    };
    let mut file = rule_file(Path::new(path));
    Arc::new(Rules::new(variant(path, &mut file, title)))
}

fn text_of(mv: &Move, state: &State) -> String {
    let name = |it| state.ruleset().board.site_name(it).to_owned();
    let (from, to) = mv.key_sites();
    let mut text = from.map(name).unwrap_or_default() + &to.map(name).unwrap_or_default();
    if let Some(kind) = mv.promotion() {
        let letter = match state.ruleset().piece_name(kind) {
            "Knight" => 'n',
            it => it.chars().next().unwrap().to_ascii_lowercase(),
        };
        text.push(letter);
    }
    text
}

/// Plays a game between two engines; 1 if the first wins, -1 if the second does.
fn game(
    rules: &Arc<Rules>,
    engines: &mut [Engine; 2],
    limits: &[SearchLimits; 2],
    seed: u64,
    swap: bool,
) -> i32 {
    let mut state = State::start_of(Arc::clone(rules));
    // On small boards a few random moves decide the game already.
    let plies = if rules.ruleset.board.n_sites() < 20 { 2 } else { 4 };
    random_walk(&mut state, plies, &mut SplitMix64::new(seed));
    engines.iter_mut().for_each(Engine::new_game);
    let turns = &rules.ruleset.turn_order.turns;
    let first = turns
        .iter()
        .map(|it| it.mover)
        .find(|it| !rules.ruleset.players[it.idx()].is_random)
        .unwrap();
    let mut rng = SplitMix64::new(seed);
    let longest = if rules.ruleset.players.iter().any(|it| it.is_random) { 3000 } else { 200 };
    for _ in 0..longest {
        if let Some(outcome) = state.outcome().unwrap() {
            let sign = if swap { -1 } else { 1 };
            return match outcome.ending {
                Ending::Draw => 0,
                _ if outcome.is_won_by(first) => sign,
                _ => -sign,
            };
        }
        if state.is_chance() {
            random_walk(&mut state, 1, &mut rng);
            continue;
        }
        let who = usize::from((state.mover() == Some(first)) == swap);
        let report = engines[who].think(
            &state.clone().into(),
            &limits[who],
            &StopFlag::default(),
            &mut |_| {},
        );
        state.play(report.best.unwrap().as_compiled().unwrap()).unwrap();
    }
    0
}

fn match_of(rules: &Arc<Rules>, mut engines: [Engine; 2], limits: [SearchLimits; 2], n: u64) {
    let (mut won, mut drawn, mut lost) = (0, 0, 0);
    for number in 0..n {
        // With one seed both would overlook the same, and the better one would know.
        for (idx, engine) in engines.iter_mut().enumerate() {
            let seed = number * 2 + idx as u64;
            engine.set_settings(EngineSettings { seed, ..engine.settings().clone() });
        }
        match game(rules, &mut engines, &limits, number / 2, number % 2 == 1) {
            1 => won += 1,
            0 => drawn += 1,
            _ => lost += 1,
        }
    }
    let share = (f64::from(won) + f64::from(drawn) / 2.0) / f64::from(won + drawn + lost);
    println!("+{won} ={drawn} -{lost}  {:.1} %", share * 100.0);
}

/// Looks for states with a forced win that takes some finding, one a game, and proves them
/// by trying everything with the plain rules.
fn find(spec: &str, rules: &Arc<Rules>, n: u64, longest: u32, budget: u64) {
    let weak = EngineSettings { level: 4, variety: 8, ..EngineSettings::default() };
    let mut players = Engine::new(Arc::new(Arc::clone(rules).into()), weak);
    let mut judge = Engine::new(Arc::new(Arc::clone(rules).into()), EngineSettings::default());
    let mut n_found = 0;
    for seed in 0..n * 20 {
        let mut state = State::start_of(Arc::clone(rules));
        random_walk(&mut state, 6, &mut SplitMix64::new(seed));
        players.set_settings(EngineSettings { seed, ..players.settings().clone() });
        for _ in 0..160 {
            let report = judge.think(
                &state.clone().into(),
                &SearchLimits::nodes(4_000),
                &StopFlag::default(),
                &mut |_| {},
            );
            let Some(Proof::Win(moves)) = report.proven else {
                if report.best.is_none() {
                    break;
                }
                let limits = SearchLimits::nodes(2000);
                let report = players.think(
                    &state.clone().into(),
                    &limits,
                    &StopFlag::default(),
                    &mut |_| {},
                );
                state.play(report.best.unwrap().as_compiled().unwrap()).unwrap();
                continue;
            };
            if (3..=longest).contains(&moves) {
                let short = Prover { budget, answers: 0 }.wins(&state, moves - 2);
                let mut prover = Prover { budget, answers: if moves > 3 { 8 } else { 0 } };
                let found = prover.wins(&state, moves).unwrap_or_default();
                if short.is_some_and(|it| it.is_empty()) && !found.is_empty() {
                    let texts: Vec<String> = found.iter().map(|it| state.move_text(it)).collect();
                    println!("{spec} | {moves} | {} | {}", texts.join("; "), state.to_text());
                    n_found += 1;
                }
            }
            break;
        }
        if n_found >= n {
            return;
        }
    }
}

/// Proves forced wins that were only claimed: lines `GAME | MOVES | STATE`.
fn prove(file: &str, budget: u64) {
    let text = std::fs::read_to_string(file).unwrap();
    for line in text.lines().filter(|it| !it.starts_with('#')) {
        let parts: Vec<&str> = line.split(" | ").collect();
        let (spec, moves, setup) = (parts[0], parts[1].parse::<u32>().unwrap(), parts[2]);
        let state = State::from_text(rules(spec), setup).unwrap();
        let mut by_two = Prover { budget, answers: 2 }.wins(&state, moves);
        if by_two.as_ref().is_none_or(Vec::is_empty) {
            by_two = Prover { budget, answers: 5 }.wins(&state, moves);
        }
        let found = by_two.unwrap_or_default();
        if !found.is_empty() {
            let texts: Vec<String> = found.iter().map(|it| state.move_text(it)).collect();
            println!("{spec} | {moves} | {} | {setup}", texts.join("; "));
        }
    }
}

fn limits(text: &str) -> SearchLimits {
    match text.strip_suffix("ms") {
        Some(it) => SearchLimits::time(Duration::from_millis(it.parse().unwrap())),
        None => SearchLimits::nodes(text.parse().unwrap()),
    }
}

/// Answers `LIMIT NUMBER NUMBER ...` (moves by their numbers) with the number of its move.
fn serve(rules: &Arc<Rules>) {
    let mut engine = Engine::new(Arc::new(Arc::clone(rules).into()), EngineSettings::default());
    println!("ready");
    for line in std::io::stdin().lines() {
        let line = line.unwrap();
        let mut words = line.split(' ');
        let limits = limits(words.next().unwrap());
        let mut state = State::start_of(Arc::clone(rules));
        let numbers: Vec<usize> = words.map(|it| it.parse().unwrap()).collect();
        if numbers.len() < 8 {
            engine.new_game();
        }
        for number in numbers {
            let mv = state.legal_moves().unwrap().get(number).unwrap().clone();
            state.play_unchecked(&mv).unwrap();
        }
        let report =
            engine.think(&state.clone().into(), &limits, &StopFlag::default(), &mut |_| {});
        let list = state.legal_moves().unwrap();
        println!(
            "{}",
            list.iter()
                .position(|it| Some(it) == report.best.as_ref().and_then(|it| it.as_compiled()))
                .unwrap()
        );
    }
}

/// A match between two builds of this tool.
fn compare(spec: &str, programs: [&str; 2], n: u64, limit: &str, first_game: u64) {
    let rules = rules(spec);
    let mut sides: Vec<_> = programs
        .iter()
        .map(|it| {
            let mut child = Command::new(it)
                .args(["serve", spec])
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .spawn()
                .unwrap();
            let mut output = BufReader::new(child.stdout.take().unwrap()).lines();
            output.next();
            (child.stdin.take().unwrap(), output, child)
        })
        .collect();
    let turns = &rules.ruleset.turn_order.turns;
    let first = turns
        .iter()
        .map(|it| it.mover)
        .find(|it| !rules.ruleset.players[it.idx()].is_random)
        .unwrap();
    let (mut won, mut drawn, mut lost) = (0, 0, 0);
    for number in first_game..first_game + n {
        let swap = number % 2 == 1;
        let mut rng = SplitMix64::new(number / 2 + 1000);
        let mut state = State::start_of(Arc::clone(&rules));
        let mut numbers: Vec<usize> = Vec::new();
        let mut result = 0;
        for ply in 0..260 {
            let list = state.legal_moves().unwrap();
            if let Some(outcome) = state.outcome().unwrap() {
                let sign = if swap { -1 } else { 1 };
                result = match outcome.ending {
                    Ending::Draw => 0,
                    _ if outcome.is_won_by(first) => sign,
                    _ => -sign,
                };
                break;
            }
            let idx = if ply < 4 || state.is_chance() {
                rng.below(list.len())
            } else {
                let who = usize::from((state.mover() == Some(first)) == swap);
                let (input, output, _) = &mut sides[who];
                let text: Vec<String> = numbers.iter().map(|it| it.to_string()).collect();
                writeln!(input, "{limit} {}", text.join(" ")).unwrap();
                output.next().unwrap().unwrap().parse().unwrap()
            };
            numbers.push(idx);
            state.play_unchecked(list.get(idx).unwrap()).unwrap();
        }
        match result {
            1 => won += 1,
            0 => drawn += 1,
            _ => lost += 1,
        }
    }
    let share = (f64::from(won) + f64::from(drawn) / 2.0) / f64::from(won + drawn + lost);
    println!("{spec}: +{won} ={drawn} -{lost}  {:.1} %", share * 100.0);
    for (_, _, mut child) in sides {
        child.kill().unwrap();
        child.wait().unwrap();
    }
}

fn uci(rules: &Arc<Rules>, program: &str, elo: &str, n: u32, [millis, theirs]: [u64; 2]) {
    let mut child =
        Command::new(program).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap()).lines();
    write!(input, "uci\nsetoption name UCI_LimitStrength value true\nsetoption name UCI_Elo value {elo}\nsetoption name Threads value 1\nisready\n").unwrap();
    while output.next().unwrap().unwrap() != "readyok" {}
    let mut engine = Engine::new(Arc::new(Arc::clone(rules).into()), EngineSettings::default());
    let limits = SearchLimits::time(Duration::from_millis(millis));
    let (mut won, mut drawn, mut lost) = (0, 0, 0);
    let (mut depths, mut n_moves, mut nps) = (0u64, 0u64, 0u64);
    for number in 0..n {
        let mut state = State::start_of(Arc::clone(rules));
        engine.new_game();
        let mut rng = SplitMix64::new(u64::from(number / 2) + 77);
        let mut moves: Vec<String> = Vec::new();
        for _ in 0..4 {
            let list = state.legal_moves().unwrap();
            let mv = list.get(rng.below(list.len())).unwrap().clone();
            moves.push(text_of(&mv, &state));
            state.play(&mv).unwrap();
        }
        let mine = number % 2;
        let mut quiet = 0;
        let result = loop {
            if let Some(outcome) = state.outcome().unwrap() {
                let me = rules.ruleset.turn_order.turns[mine as usize].mover;
                break if outcome.ending == Ending::Draw {
                    0
                } else if outcome.is_won_by(me) {
                    1
                } else {
                    -1
                };
            }
            if quiet > 100 || moves.len() > 400 {
                break 0;
            }
            let mv = if moves.len() as u32 % 2 == mine {
                let report =
                    engine.think(&state.clone().into(), &limits, &StopFlag::default(), &mut |_| {});
                depths += u64::from(report.depth);
                nps += report.nodes_per_second();
                n_moves += 1;
                report.best.unwrap().as_compiled().unwrap().clone()
            } else {
                write!(
                    input,
                    "position startpos moves {}\ngo movetime {theirs}\n",
                    moves.join(" ")
                )
                .unwrap();
                let best = loop {
                    let line = output.next().unwrap().unwrap();
                    if let Some(rest) = line.strip_prefix("bestmove ") {
                        break rest.split(' ').next().unwrap().to_owned();
                    }
                };
                let list = state.legal_moves().unwrap();
                let found = list.iter().find(|it| text_of(it, &state) == best);
                found.unwrap_or_else(|| panic!("{best}?")).clone()
            };
            let before = state.placement().pieces().count();
            moves.push(text_of(&mv, &state));
            state.play(&mv).unwrap();
            quiet = if state.placement().pieces().count() < before { 0 } else { quiet + 1 };
        };
        match result {
            1 => won += 1,
            0 => drawn += 1,
            _ => lost += 1,
        }
        println!(
            "game {number}: {result}  (+{won} ={drawn} -{lost}) depth {:.1} knps {}",
            depths as f64 / n_moves as f64,
            nps / n_moves / 1000
        );
    }
    child.kill().unwrap();
    child.wait().unwrap();
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    if args[0] == "prove" {
        prove(&args[1], args[2].parse().unwrap());
        return;
    }
    let rules = rules(&args[1]);
    let number = |idx: usize| args[idx].parse::<u64>().unwrap();
    match args[0].as_str() {
        "serve" => serve(&rules),
        "compare" => {
            let first_game = if args.len() > 6 { number(6) } else { 0 };
            compare(&args[1], [&args[2], &args[3]], number(4), &args[5], first_game);
        }
        "values" => {
            let engine =
                Engine::new(Arc::new(Arc::clone(&rules).into()), EngineSettings::default());
            println!("{}", engine.describe());
        }
        "think" => {
            let state = GameState::from(State::start_of(Arc::clone(&rules)));
            let mut engine = Engine::new(Arc::new(rules.into()), EngineSettings::default());
            let report = engine.think(
                &state,
                &SearchLimits::nodes(number(2)),
                &StopFlag::default(),
                &mut |it| {
                    if let Some(line) = &it.line {
                        let mut at = state.clone();
                        let mut text = String::new();
                        for mv in &line.moves {
                            text += &format!("{}; ", at.text_of(mv));
                            at.replay(mv).unwrap();
                        }
                        println!("{} {:?} {} {}", it.depth, line.score, it.nodes, text);
                    }
                },
            );
            println!("{:?} {} nps", report.time, report.nodes_per_second());
        }
        "level" => {
            let engine = |level: u64| {
                let settings = EngineSettings { level: level as u8, ..EngineSettings::default() };
                Engine::new(Arc::new(Arc::clone(&rules).into()), settings)
            };
            let limits = limits(&args[5]);
            match_of(
                &rules,
                [engine(number(2)), engine(number(3))],
                [limits.clone(), limits],
                number(4),
            );
        }
        "limits" => {
            let engine =
                || Engine::new(Arc::new(Arc::clone(&rules).into()), EngineSettings::default());
            let limits = [limits(&args[2]), limits(&args[3])];
            match_of(&rules, [engine(), engine()], limits, number(4));
        }
        "solve" => {
            let state = State::start_of(Arc::clone(&rules));
            let mut engine = Engine::new(
                Arc::new(rules.into()),
                EngineSettings { memory: 512 << 20, ..EngineSettings::default() },
            );
            let limits = SearchLimits::time(Duration::from_secs(number(2)));
            let report =
                engine.solve(&state.clone().into(), &limits, &StopFlag::default(), &mut |it| {
                    println!("{} {:?} {}", it.depth, it.line.as_ref().map(|it| it.score), it.nodes);
                });
            println!(
                "{:?} in {:?}, {} nodes, {} moves",
                report.proven,
                report.time,
                report.nodes,
                report.lines.first().map_or(0, |it| it.moves.len())
            );
        }
        "find" => find(&args[1], &rules, number(2), number(3) as u32, number(4)),
        "methods" => {
            let engine = |method| {
                let settings = EngineSettings { method, ..EngineSettings::default() };
                Engine::new(Arc::new(Arc::clone(&rules).into()), settings)
            };
            let limits = SearchLimits::time(Duration::from_millis(number(3)));
            let engines = [engine(Method::Search), engine(Method::Playouts)];
            println!("auto: {:?}", engine(Method::Auto).method());
            match_of(&rules, engines, [limits.clone(), limits], number(2));
        }
        "trial" => {
            let began = std::time::Instant::now();
            let verdict = MethodTrial::new(&Arc::new(rules.into()))
                .and_then(|it| it.run(&StopFlag::default()));
            println!("{verdict:?} in {:?}", began.elapsed());
        }
        "uci" => {
            let theirs = if args.len() > 6 { number(6) } else { number(5) };
            uci(&rules, &args[2], &args[3], number(4) as u32, [number(5), theirs]);
        }
        _ => println!("see the head of the file"),
    }
}
