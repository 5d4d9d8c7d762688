//! `boardwright train`: tunes the evaluation of a game by self-play.

use std::{
    io::{self, IsTerminal, Write},
    path::PathBuf,
    process::ExitCode,
    sync::Arc,
    time::{Duration, Instant},
};

use anyhow::{Context, Result, bail};
use boardwright_engine::{
    Engine, EngineSettings, Method, SearchLimits, StopFlag, Trainer, Tuning, TuningStore,
};
use boardwright_text::render::printable;

use crate::{
    codec,
    contest::{
        one_game::{self, GamePlan, Seating},
        player::Contender,
        progress::Progress,
        tally::{Sprt, Tally},
    },
    game, time, tuning,
};

/// Let the engine learn a game by playing against itself.
///
/// It plays quick games and learns the values of pieces and sites from their results. Then it
/// plays a match against the untrained engine, and another between its two methods, search
/// and playouts. What proves better is stored and used from then on.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// A rule file
    file: PathBuf,
    /// The title of a variant; the one the file opens with if not given
    #[arg(long, value_name = "TITLE")]
    variant: Option<String>,
    /// Time for self-play
    #[arg(long, value_name = "TIME", default_value = "2m", value_parser = time::parse)]
    time: Duration,
    /// Nodes per move while learning
    #[arg(long, value_name = "N", default_value_t = 300, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Maximum number of games of each match
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(4..=100_000))]
    games: u32,
    /// Nodes per move in a match
    #[arg(long, value_name = "N", default_value_t = 2000, value_parser = clap::value_parser!(u64).range(1..))]
    match_nodes: u64,
    /// Seed of openings and varied moves
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Delete what was learned about these rules, and learn nothing
    #[arg(long)]
    forget: bool,
}

/// The time is divided into this many parts; after each part, self-play continues with the
/// values learned so far.
const PARTS: u32 = 3;
/// Time per move in the match between methods, whose nodes differ in cost.
const METHOD_TIME: Duration = Duration::from_millis(30);
/// The sequential test that ends a match early: 0 against 50 Elo.
const SPRT: Sprt = Sprt { elo0: 0.0, elo1: 50.0 };

pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let game = game::open(&args.file, args.variant.as_deref())?;
    let title = printable(&game.ruleset.title);
    let tunings = tuning::folder();
    let path =
        tunings.path(&game.shared).context("there is no data folder to store the result in")?;
    let mut out = io::stdout().lock();
    if args.forget {
        match std::fs::remove_file(&path) {
            Ok(()) => writeln!(out, "What was learned about {title} is forgotten.")?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                writeln!(out, "Nothing was learned about {title}.")?;
            }
            Err(error) => {
                return Err(error).with_context(|| format!("cannot delete {}", path.display()));
            }
        }
        return Ok(ExitCode::SUCCESS);
    }
    let rules = Arc::clone(&game.shared);
    let Some(mut trainer) = Trainer::new(&rules, args.seed) else {
        bail!("{title} is not a game for two: training needs matches between two players");
    };
    let learned = learn(args, &mut trainer);
    let (n_games, n_states) = trainer.counts();
    writeln!(out, "{title}: learned from {n_games} games, {n_states} states")?;
    out.flush()?;
    let known = tunings.load(&rules).unwrap_or_else(|| Tuning::of(&rules));
    let mut found = Tuning::of(&rules);
    let plain = Engine::new(Arc::clone(&rules), EngineSettings::default());
    let auto = plain.method();
    let plan = GamePlan {
        movers: codec::movers(&game.ruleset),
        opening_plies: 4,
        max_plies: 300,
        seed: args.seed,
        rules: Arc::clone(&rules),
    };
    // Only search uses the values of pieces; playouts do not.
    let search = EngineSettings { method: Method::Search, ..EngineSettings::default() };
    let nodes = SearchLimits::nodes(args.match_nodes);
    let new = Engine::with_tuning(Arc::clone(&rules), search.clone(), &learned);
    let old = Engine::new(Arc::clone(&rules), search.clone());
    let tally = compare(&plan, args.games, [(new, &nodes), (old, &nodes)])?;
    let is_better = tally.is_better();
    writeln!(out, "  trained against untrained: {}", told(&tally, is_better))?;
    out.flush()?;
    if is_better {
        found = learned;
    }
    let time = SearchLimits::time(METHOD_TIME);
    let ways = [Method::Search, Method::Playouts].map(|method| {
        let settings = EngineSettings { method, ..EngineSettings::default() };
        (Engine::with_tuning(Arc::clone(&rules), settings, &found), &time)
    });
    let tally = compare(&plan, args.games, ways)?;
    let (is_search, is_playouts) = (tally.is_better(), tally.is_worse());
    found.method = if is_search && auto != Method::Search {
        Some(Method::Search)
    } else if is_playouts && auto != Method::Playouts {
        Some(Method::Playouts)
    } else {
        None
    };
    writeln!(out, "  search against playouts: {}", told(&tally, is_search || is_playouts))?;
    match found.method {
        Some(Method::Search) => writeln!(out, "  From now on it uses search.")?,
        Some(_) => writeln!(out, "  From now on it uses playouts.")?,
        None => {}
    }
    if found.is_neutral() && found.method.is_none() {
        writeln!(out, "Nothing better was found; nothing is changed.")?;
        return Ok(ExitCode::SUCCESS);
    }
    found.trial_method = known.trial_method;
    tunings.save(&rules, &found).with_context(|| format!("cannot write {}", path.display()))?;
    writeln!(out, "Stored in {}, and used from now on.", path.display())?;
    Ok(ExitCode::SUCCESS)
}

fn told(tally: &Tally, is_clear: bool) -> String {
    let (wins, draws, losses) = (tally.wins, tally.draws, tally.losses);
    let clear = if is_clear { "clear" } else { "not clear" };
    format!("+{wins} ={draws} -{losses}, {}: {clear}", tally.elo_text())
}

/// Plays games until the time is up, and learns from them after each part of it.
fn learn(args: &Args, trainer: &mut Trainer) -> Tuning {
    let (began, stop) = (Instant::now(), StopFlag::default());
    let is_live = io::stderr().is_terminal();
    let mut part = 1;
    while began.elapsed() < args.time || trainer.counts().0 == 0 {
        trainer.play(args.nodes, &stop);
        let share = began.elapsed().as_secs_f64() / args.time.as_secs_f64().max(0.001);
        if share * f64::from(PARTS) >= f64::from(part) && part < PARTS {
            part += 1;
            let tuning = trainer.learn();
            trainer.adopt(&tuning);
        }
        if is_live {
            let (n_games, n_states) = trainer.counts();
            let bar = "#".repeat((share.min(1.0) * 20.0) as usize);
            let left = time::shown(args.time.saturating_sub(began.elapsed()));
            let text = format!("[{bar:<20}] {n_games} games, {n_states} states  {left} left");
            // If standard error is closed, progress is not shown.
            let _ = write!(io::stderr(), "\r{text}\x1b[K");
        }
    }
    if is_live {
        let _ = write!(io::stderr(), "\r\x1b[K");
    }
    trainer.learn()
}

/// Plays a match until the sequential test decides or all games are played.
fn compare(plan: &GamePlan, n_games: u32, engines: [(Engine, &SearchLimits); 2]) -> Result<Tally> {
    let mut who = engines.map(|(engine, limits)| Contender::of(engine, limits));
    let settings = EngineSettings { memory: 1 << 20, ..EngineSettings::default() };
    let mut judge = Engine::new(Arc::clone(&plan.rules), settings);
    let mut tally = Tally::default();
    let mut progress = Progress::new(n_games as usize);
    for number in 0..n_games as usize {
        let seating = Seating::new(number, plan.movers.len());
        let played = one_game::play(plan, seating, &mut who, &mut judge)?;
        tally.add(number / 2, played.score);
        progress.show(&tally);
        if tally.likelihood(SPRT).abs() >= Sprt::BOUND {
            break;
        }
    }
    progress.end();
    Ok(tally)
}
