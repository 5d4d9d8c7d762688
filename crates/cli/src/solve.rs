//! `boardwright solve`: proves who wins with best play, or solves a puzzle.

use std::{
    io::{self, IsTerminal, Write},
    process::ExitCode,
    sync::Arc,
    time::Duration,
};

use anyhow::{Result, bail};
use boardwright_engine::{
    Engine, EngineSettings, Proof, SearchInfo, SearchLimits, SearchReport, StopFlag,
};
use boardwright_rules::GameState;
use boardwright_text::render::printable;

use crate::{analysis, codec, game, start::Start, time};

/// Prove who wins with best play, or solve a puzzle.
///
/// For small games and puzzles. The exit code is 0 for a proof, and 1 if the limits did not
/// suffice for one.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    start: Start,
    /// Number of nodes to search
    #[arg(long, value_name = "N", default_value_t = 50_000_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Time to search at most
    #[arg(long, value_name = "TIME", value_parser = time::parse)]
    time: Option<Duration>,
    /// Megabytes of the transposition table
    #[arg(long, value_name = "MB", default_value_t = 256, value_parser = clap::value_parser!(u16).range(1..=16_384))]
    memory: u16,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let (game, state) = args.start.open()?;
    let title = printable(&game.ruleset.title);
    let n_movers = codec::movers(&game.ruleset).len();
    if game.ruleset.players.iter().any(|it| it.is_random) {
        bail!("{title} has dice: games of chance cannot be solved");
    }
    if n_movers > 2 {
        bail!("{title} has {n_movers} players: proofs are for one or two");
    }
    let mut out = io::stdout().lock();
    if let Some(outcome) = state.outcome().map_err(|halt| game::halted(&game, halt))? {
        writeln!(out, "The game is over: {}", game::outcome_text(&game, &outcome))?;
        return Ok(ExitCode::SUCCESS);
    }
    let state = game.shared.state_of(state);
    let memory = usize::from(args.memory) << 20;
    let settings = EngineSettings { memory, ..EngineSettings::default() };
    let limits =
        SearchLimits { nodes: Some(args.nodes), time: args.time, ..SearchLimits::default() };
    let mut engine = Engine::new(Arc::clone(&game.shared), settings);
    let is_live = io::stderr().is_terminal();
    let mut news = |info: &SearchInfo| {
        if is_live {
            let (nodes, took) = (time::big(info.nodes), time::shown(info.time));
            // If standard error is closed, progress is not shown.
            let _ = write!(io::stderr(), "\rdepth {}, {nodes} nodes, {took}\x1b[K", info.depth);
        }
    };
    let report = engine.solve(&state, &limits, &StopFlag::default(), &mut news);
    if is_live {
        let _ = write!(io::stderr(), "\r\x1b[K");
    }
    let (verdict, is_solved) = verdict(&state, &report, n_movers);
    writeln!(out, "{title}: {verdict}")?;
    if let Some(line) = report.lines.first().filter(|it| is_solved && !it.moves.is_empty()) {
        writeln!(out, "{}", analysis::moves_text(&state, &line.moves))?;
    }
    let (nodes, took) = (time::big(report.nodes), time::shown(report.time));
    writeln!(out, "{nodes} nodes in {took}")?;
    Ok(ExitCode::from(u8::from(!is_solved)))
}

/// The result in words, and whether it is a proof.
fn verdict(state: &GameState, report: &SearchReport, n_movers: usize) -> (String, bool) {
    let wins = report.score.wins_in().map(Proof::Win);
    let loses = report.score.loses_in().map(Proof::Loss);
    let name = |is_mover: bool| {
        let movers = codec::movers(state.rules().ruleset());
        let it = movers.into_iter().find(|it| (Some(*it) == state.mover()) == is_mover);
        let name = it.map_or("", |it| state.rules().ruleset().player_name(it));
        printable(state.rules().ruleset().translated(name))
    };
    match (report.proven.or(wins).or(loses), n_movers) {
        (Some(Proof::Win(n)), 1) => (format!("solved in {}", plies(n)), true),
        (Some(Proof::Win(n)), _) => (format!("{} wins in {}", name(true), plies(n)), true),
        (Some(Proof::Loss(_)), 1) => ("there is no solution".to_owned(), true),
        (Some(Proof::Loss(n)), _) => (format!("{} wins in {}", name(false), plies(n)), true),
        (Some(Proof::Draw), _) => ("a draw with best play".to_owned(), true),
        (None, 1) => ("not solved within the limits".to_owned(), false),
        (None, _) => {
            let depth = report.depth;
            (format!("not solved; nobody has a forced win within {}", plies(depth)), false)
        }
    }
}

/// A number of plies, which people call moves: each move of the line counts one.
fn plies(n: u32) -> String {
    crate::out::count(n as usize, "move", "moves")
}
