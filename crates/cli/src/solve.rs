//! `boardwright solve`: proves who wins, or how a puzzle is done.

use std::{
    io::{self, IsTerminal, Write},
    process::ExitCode,
    sync::Arc,
    time::Duration,
};

use anyhow::Result;
use boardwright_engine::{Engine, Limits, Method, Proof, Report, Settings, Stop};
use boardwright_game::Player;
use boardwright_play::{Move, Outcome, State};
use boardwright_text::render::printable;

use crate::{
    codec,
    game::{self, Game},
    lines, out,
    start::Start,
    time,
};

/// Prove what a small game is worth with best play, or solve a puzzle.
///
/// Says who wins, in how many moves, and shows a line of best play; or says that it is
/// not solved, if the limits did not suffice.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    start: Start,
    /// States to look at, at most
    #[arg(long, value_name = "N", default_value_t = 100_000_000)]
    nodes: u64,
    /// Memory in megabytes
    #[arg(long, value_name = "MB", default_value_t = 256, value_parser = clap::value_parser!(u32).range(1..=65_536))]
    memory: u32,
    /// How long to try; no limit if not given
    #[arg(long, value_parser = time::parse)]
    time: Option<Duration>,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let (game, state) = args.start.open()?;
    let mut out = io::stdout().lock();
    writeln!(out, "{}", printable(&game.ruleset.title))?;
    if let Some(outcome) = state.outcome().map_err(|halt| game::halted(&game, halt))? {
        writeln!(out, "The game is over: {}", game::outcome_text(&game, &outcome))?;
        return Ok(ExitCode::SUCCESS);
    }
    let settings = Settings { memory: (args.memory as usize) << 20, ..Settings::default() };
    let mut engine = Engine::new(Arc::clone(state.rules()), settings);
    let limits = Limits { nodes: Some(args.nodes), time: args.time, depth: None, clock: None };
    let is_live = io::stderr().is_terminal();
    let report = engine.solve(&state, &limits, &Stop::default(), &mut |info| {
        if is_live {
            let (nodes, time) = (time::big(info.nodes), time::shown(info.time));
            let _ = write!(io::stderr(), "\rdepth {}, {nodes} states, {time}\x1b[K", info.depth);
        }
    });
    if is_live {
        let _ = write!(io::stderr(), "\r\x1b[K");
    }
    let is_puzzle = engine.method() == Method::Puzzle;
    write!(out, "{}", verdict(&game, &state, &report, is_puzzle))?;
    writeln!(out, "{} states in {}", time::big(report.nodes), time::shown(report.time))?;
    Ok(ExitCode::SUCCESS)
}

/// What was found, with the line that shows it.
fn verdict(game: &Game, state: &State, report: &Report, is_puzzle: bool) -> String {
    let line = report.lines.first().map_or(&[][..], |it| &it.moves);
    let end = outcome_after(state, line);
    let me = state.mover().unwrap_or(Player(0));
    let name = |it: Player| printable(game.ruleset.translated(game.ruleset.player_name(it)));
    let moves = |n: u32| out::count(n as usize, "move", "moves");
    let mut text = String::new();
    let say = |text: &mut String, what: String| {
        text.push_str(&what);
        text.push('\n');
    };
    match report.proven {
        Some(Proof::Win(_)) if is_puzzle => {
            // A way to the goal counts only if the rules agree.
            match end.filter(|it| it.is_won_by(me)) {
                Some(_) => say(&mut text, format!("Solved in {}.", moves(line.len() as u32))),
                None => say(&mut text, "Not solved: the way that was found does not hold.".into()),
            }
        }
        Some(Proof::Loss(_)) if is_puzzle => {
            say(&mut text, "It cannot be solved: all ways were tried.".to_owned());
        }
        Some(Proof::Win(n)) => {
            say(&mut text, format!("{} wins, in {} at most.", name(me), moves(n)))
        }
        Some(Proof::Loss(n)) => {
            let others = codec::movers(&game.ruleset).into_iter().filter(|&it| it != me);
            let others: Vec<_> = others.map(name).collect();
            let whom =
                if others.len() == 1 { format!(" against {}", others[0]) } else { String::new() };
            say(&mut text, format!("{} loses{whom}, in {} at least.", name(me), moves(n)));
        }
        Some(Proof::Draw) => say(&mut text, "A draw, if nobody errs.".to_owned()),
        None => {
            say(&mut text, "Not solved: the limits did not suffice to prove anything.".to_owned());
            if report.depth > 0 && !is_puzzle {
                say(&mut text, format!("Nobody can force a win within {}.", moves(report.depth)));
            }
        }
    }
    if report.proven.is_some() && !line.is_empty() {
        let shown = lines::text(state, line);
        say(&mut text, format!("{}: {shown}", out::count(line.len(), "move", "moves")));
        match end {
            Some(it) => say(&mut text, format!("It ends: {}", game::outcome_text(game, &it))),
            None => say(&mut text, "(the line is not shown to its end)".to_owned()),
        }
    }
    text
}

/// How the game ends after a line, by the rules themselves.
fn outcome_after(state: &State, line: &[Move]) -> Option<Outcome> {
    let mut at = state.clone();
    for mv in line {
        at.play(mv).ok()?;
    }
    at.outcome().ok().flatten()
}
