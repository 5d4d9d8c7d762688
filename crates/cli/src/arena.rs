//! `boardwright match`: who is stronger.

mod external;
mod player;
mod report;
mod sitting;
mod spec;
mod stats;

use std::{
    collections::HashMap,
    fs,
    io::Write,
    path::{Path, PathBuf},
    process::ExitCode,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
        mpsc::{Sender, channel},
    },
    thread,
    time::Duration,
};

use anyhow::{Context, Result, bail};
use boardwright_engine::Limits;
use boardwright_play::Rules;

use self::{
    player::Player,
    report::{Progress, Summary},
    sitting::{Sitting, Terms},
    spec::Spec,
    stats::Verdict,
};
use crate::{
    codec,
    game::{self, Game},
    time,
};

/// Play a match between two engines and say which is stronger.
///
/// Every opening, some random plies, is played twice with sides swapped. An engine is
/// `full`, `level:3`, `nodes:2000`, `time:1s`, `depth:4`, `method:search`,
/// `method:playouts` (or several of these with commas between), `greedy` (looks one
/// move ahead), `random`, or another program: `uci:COMMAND` or `ugi:COMMAND`, with lines
/// to tell it first behind semicolons: `uci:fish;setoption name UCI_Elo value 1900`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// A rule file
    file: PathBuf,
    /// The title of a variant; the one the file opens with if not given
    #[arg(long, value_name = "TITLE")]
    variant: Option<String>,
    /// The two engines
    #[arg(long, num_args = 2, value_names = ["A", "B"], required = true)]
    engines: Vec<String>,
    /// How many games
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    games: u32,
    /// Time for each move, such as 0.1s; the default, 0.1s, if nothing else is given
    #[arg(long, value_parser = time::parse)]
    time: Option<Duration>,
    /// States to look at for each move
    #[arg(long)]
    nodes: Option<u64>,
    /// Moves to look ahead
    #[arg(long)]
    depth: Option<u32>,
    /// Random plies at the beginning of each game
    #[arg(long, value_name = "P", default_value_t = 4, value_parser = clap::value_parser!(u32).range(..=1000))]
    opening_plies: u32,
    /// Games that are not over by then count as drawn
    #[arg(long, value_name = "N", default_value_t = 400)]
    max_plies: u32,
    /// Where chance begins: openings, dice, weak levels
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How many games at once
    #[arg(long, value_name = "C", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=64))]
    concurrency: u32,
    /// A folder for the games, as .zsg files
    #[arg(long, value_name = "DIR")]
    save_dir: Option<PathBuf>,
    /// End as soon as it is clear whether A is better by E1 Elo, or by E0 at most
    #[arg(long, value_name = "E0,E1", value_parser = sprt_bounds)]
    sprt: Option<(f64, f64)>,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

fn sprt_bounds(text: &str) -> Result<(f64, f64), String> {
    let bounds = text.split_once(',').and_then(|(low, high)| {
        Some((low.trim().parse::<f64>().ok()?, high.trim().parse::<f64>().ok()?))
    });
    let is_sound = |it: &(f64, f64)| it.0 < it.1 && it.0.abs() < 1000.0 && it.1.abs() < 1000.0;
    bounds.filter(is_sound).ok_or_else(|| "two numbers, the smaller first: `0,10`".to_owned())
}

pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let game = game::open(&args.file, args.variant.as_deref())?;
    let n_seats = codec::movers(&game.ruleset).len();
    if n_seats < 2 {
        bail!("a match needs two players; `boardwright solve` is for games for one");
    }
    let specs = [Spec::parse(&args.engines[0])?, Spec::parse(&args.engines[1])?];
    let names = [0, 1].map(|it: usize| specs[it].name(&args.engines[it]));
    let mut limits = Limits { time: args.time, nodes: args.nodes, depth: args.depth, clock: None };
    if limits == Limits::default() {
        limits.time = Some(Duration::from_millis(100));
    }
    let terms = Terms {
        opening_plies: args.opening_plies as usize,
        max_plies: args.max_plies.max(1) as usize,
        seed: args.seed,
    };
    if let Some(folder) = &args.save_dir {
        let shown = folder.display();
        fs::create_dir_all(folder).with_context(|| format!("cannot make the folder {shown}"))?;
    }
    let rules = Arc::new(Rules::new(Arc::clone(&game.ruleset)));
    let n_games = args.games as usize;
    let contest = Contest { rules: &rules, specs: &specs, limits: &limits, terms: &terms, n_games };
    let mut summary = Summary::new(names, n_games);
    play_all(args, &game, &contest, &mut summary)?;
    let mut out = std::io::stdout().lock();
    match args.json {
        true => writeln!(out, "{}", summary.json(&game, args.sprt))?,
        false => write!(out, "{}", summary.text(&game, &limits, &terms, args.sprt))?,
    }
    if let (Some(folder), false) = (&args.save_dir, args.json) {
        writeln!(out, "The games are in {}.", folder.display())?;
    }
    Ok(ExitCode::SUCCESS)
}

/// What is played by whom.
struct Contest<'a> {
    rules: &'a Arc<Rules>,
    specs: &'a [Spec; 2],
    limits: &'a Limits,
    terms: &'a Terms,
    n_games: usize,
}

impl Contest<'_> {
    /// Plays games until there are no more or `is_over` says so.
    fn work(
        &self,
        next: &AtomicUsize,
        is_over: &AtomicBool,
        results: &Sender<Result<Sitting>>,
    ) -> Result<()> {
        let player = |idx: usize| Player::new(&self.specs[idx], self.rules, self.limits);
        let mut players = [player(0)?, player(1)?];
        while !is_over.load(Ordering::Relaxed) {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= self.n_games {
                break;
            }
            let sitting = sitting::play(self.rules, &mut players, self.terms, number)?;
            if results.send(Ok(sitting)).is_err() {
                break;
            }
        }
        Ok(())
    }
}

fn play_all(args: &Args, game: &Game, contest: &Contest<'_>, summary: &mut Summary) -> Result<()> {
    let (next, is_over) = (AtomicUsize::new(0), AtomicBool::new(false));
    let mut progress = Progress::new(contest.n_games);
    let mut waiting: HashMap<usize, f64> = HashMap::new();
    thread::scope(|scope| {
        let (results, heard) = channel();
        for _ in 0..(args.concurrency as usize).min(contest.n_games) {
            let results = results.clone();
            let (next, is_over) = (&next, &is_over);
            scope.spawn(move || {
                if let Err(error) = contest.work(next, is_over, &results) {
                    let _ = results.send(Err(error));
                }
            });
        }
        drop(results);
        for result in heard {
            let done = result.and_then(|sitting| {
                if let Some(folder) = &args.save_dir {
                    save(folder, &sitting, game, summary)?;
                }
                summary.add(&sitting, waiting.remove(&(sitting.number ^ 1)));
                waiting.insert(sitting.number, sitting.score);
                progress.show(summary);
                Ok(())
            });
            if let Err(error) = done {
                is_over.store(true, Ordering::Relaxed);
                progress.clear();
                return Err(error);
            }
            if let Some((elo0, elo1)) = args.sprt
                && summary.tally.verdict(elo0, elo1) != Verdict::Undecided
            {
                is_over.store(true, Ordering::Relaxed);
            }
        }
        progress.clear();
        Ok(())
    })
}

/// Writes a game, and a line about it.
fn save(folder: &Path, sitting: &Sitting, game: &Game, summary: &Summary) -> Result<()> {
    let name = format!("{:04}.zsg", sitting.number + 1);
    let path = folder.join(&name);
    let shown = path.display();
    fs::write(&path, sitting.save.to_bytes()).with_context(|| format!("cannot write {shown}"))?;
    let list = folder.join("games.tsv");
    let is_first = summary.tally.n_games() == 0;
    let mut options = fs::OpenOptions::new();
    options.create(true).write(true).append(!is_first).truncate(is_first);
    let mut file =
        options.open(&list).with_context(|| format!("cannot write {}", list.display()))?;
    if is_first {
        writeln!(file, "file\tseats\tscore of the first engine\tplies\tend")?;
    }
    let seats: Vec<&str> = sitting.seats.iter().map(|&it| summary.names[it].as_str()).collect();
    let end = report::end_text(game, &sitting.end, &summary.names);
    let (seats, score) = (seats.join(" | "), sitting.score);
    writeln!(file, "{name}\t{seats}\t{score}\t{}\t{end}", sitting.n_plies)?;
    Ok(())
}
