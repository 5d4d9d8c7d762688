//! `boardwright match`: plays many games between two engines to compare their strength.

pub(crate) mod one_game;
pub(crate) mod player;
mod program;
pub(crate) mod progress;
mod spec;
pub(crate) mod tally;

use std::{
    fs,
    io::{self, Write},
    path::{Path, PathBuf},
    process::ExitCode,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, AtomicUsize, Ordering},
        mpsc::{Sender, channel},
    },
    thread,
    time::Duration,
};

use anyhow::{Context, Result, bail};
use boardwright_engine::{Engine, EngineSettings, SearchLimits};
use boardwright_game::Player;
use boardwright_rules::GameRules;
use boardwright_text::render::printable;

use self::{
    one_game::{Conduct, ENDLESS, GamePlan, Played, Seating},
    player::Contender,
    progress::Progress,
    spec::ContenderSpec,
    tally::{Sprt, Tally},
};
use crate::{codec, source, time};

/// Play a match between two engines, and say which is stronger.
///
/// An engine is `full`, `plain` (without the results of `train`), `level:1` to `level:10`,
/// `nodes:2000`, `time:1s`, `depth:4` (or several of these with commas: `level:4,nodes:500`),
/// `greedy` (plays the move with the best static evaluation), `random`, or another program:
/// `uci:COMMAND` or `ugi:COMMAND`, followed by commands for it after semicolons:
/// "uci:stockfish;setoption name UCI_Elo value 1900". `plugin:NAME` is an engine that you added
/// with `boardwright plugin`, or the path of one.
///
/// Games are played in pairs: both begin with the same random opening moves, with seats
/// exchanged; openings that decide the game are not used. With three or more players, one
/// engine has one seat, which changes from pair to pair, and the other engine has all others.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// A rule file
    file: PathBuf,
    /// The title of a variant; the one the file opens with if not given
    #[arg(long, value_name = "TITLE")]
    variant: Option<String>,
    /// The two engines
    #[arg(long, num_args = 2, value_names = ["A", "B"], required = true, value_parser = spec::parse)]
    engines: Vec<ContenderSpec>,
    /// Number of games
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    games: u32,
    /// Time per move, for engines without a limit of their own [default: 0.1s]
    #[arg(long, value_name = "TIME", value_parser = time::parse)]
    time: Option<Duration>,
    /// Nodes per move instead of a time: repeatable on any machine
    #[arg(long, value_name = "N", conflicts_with = "time", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Number of random moves at the beginning of each game
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u32).range(0..=200))]
    opening_plies: u32,
    /// Number of moves of all players after which a game is a draw, not counting the opening
    #[arg(long, value_name = "N", default_value_t = 400, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    max_plies: u32,
    /// Seed of openings, dice and weak play
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Number of games played at the same time
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    concurrency: u16,
    /// Folder for every game (`0001.zsg`) and `games.tsv` with the results
    #[arg(long, value_name = "DIR")]
    save_dir: Option<PathBuf>,
    /// StopFlag when a sequential test decides whether A is stronger by LOW or by HIGH Elo
    #[arg(long, value_name = "LOW,HIGH", allow_hyphen_values = true, value_parser = Sprt::parse)]
    sprt: Option<Sprt>,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let game = source::open(&args.file, args.variant.as_deref())?;
    let movers = codec::movers(game.ruleset());
    let title = printable(&game.ruleset().title);
    if movers.len() < 2 {
        bail!("{title} is a game for one: a match needs two players; use `boardwright solve`");
    }
    source::check_engine(&game)?;
    if let Some(dir) = &args.save_dir {
        fs::create_dir_all(dir).with_context(|| format!("cannot make {}", dir.display()))?;
    }
    let plan = GamePlan {
        rules: Arc::clone(&game),
        movers,
        opening_plies: args.opening_plies,
        max_plies: args.max_plies,
        seed: args.seed,
    };
    let results = play_all(args, &plan)?;
    let mut out = io::stdout().lock();
    write!(out, "{}", results.text(args, &title, &plan, &game))?;
    Ok(ExitCode::SUCCESS)
}

/// The limits for engines without limits of their own.
fn limits(args: &Args) -> SearchLimits {
    match (args.nodes, args.time) {
        (Some(nodes), _) => SearchLimits::nodes(nodes),
        (_, time) => SearchLimits::time(time.unwrap_or(Duration::from_millis(100))),
    }
}

/// The results of a match.
#[derive(Default)]
struct Results {
    tally: Tally,
    /// The tally by the seat of the first contender.
    by_seat: Vec<Tally>,
    conduct: [Conduct; 2],
    /// Moves that the engines found but the rules refuse, by contender.
    n_refused: [u64; 2],
    /// Games that were cut off as draws.
    n_cut_off: u32,
    /// The games among those in which the rules exceeded their limits.
    n_endless: u32,
    plies: u64,
    /// The first problems, for the report.
    troubles: Vec<String>,
}

/// What threads report to the one that collects the results.
enum WorkerEvent {
    Played(Box<Played>),
    /// At the end of a thread: the number of moves that the rules refused, by contender.
    Refused([u64; 2]),
    Failed(anyhow::Error),
}

fn play_all(args: &Args, plan: &GamePlan) -> Result<Results> {
    let next = AtomicUsize::new(0);
    let is_over = AtomicBool::new(false);
    let (tell, news) = channel();
    let n_games = args.games as usize;
    let n_threads = usize::from(args.concurrency).min(n_games);
    let mut results = Results::default();
    // Engines start one after the other, to disturb the games under way as little as possible.
    let begin = Mutex::new(());
    thread::scope(|scope| {
        for _ in 0..n_threads {
            let (next, is_over, begin, tell) = (&next, &is_over, &begin, tell.clone());
            scope.spawn(move || work(args, plan, next, is_over, begin, &tell));
        }
        drop(tell);
        let mut progress = Progress::new(n_games);
        let mut failed = None;
        let mut log = GameLog::new(args.save_dir.as_deref());
        for it in news {
            let played = match it {
                WorkerEvent::Played(it) => it,
                WorkerEvent::Refused(n) => {
                    results.n_refused[0] += n[0];
                    results.n_refused[1] += n[1];
                    continue;
                }
                WorkerEvent::Failed(error) => {
                    is_over.store(true, Ordering::Relaxed);
                    failed = failed.or(Some(error));
                    continue;
                }
            };
            if let Err(error) = log.note(&played) {
                is_over.store(true, Ordering::Relaxed);
                failed = failed.or(Some(error));
            }
            results.add(&played);
            progress.show(&results.tally);
            if let Some(sprt) = args.sprt
                && results.tally.likelihood(sprt).abs() >= Sprt::BOUND
            {
                is_over.store(true, Ordering::Relaxed);
            }
        }
        progress.end();
        failed.map_or(Ok(results), Err)
    })
}

/// Plays games until none is left.
fn work(
    args: &Args,
    plan: &GamePlan,
    next: &AtomicUsize,
    is_over: &AtomicBool,
    begin: &Mutex<()>,
    tell: &Sender<WorkerEvent>,
) {
    let limits = limits(args);
    let ready = {
        let _guard = begin.lock().unwrap_or_else(PoisonError::into_inner);
        let make = |spec: &ContenderSpec| {
            let made = Contender::new(spec, (&plan.rules, &args.file), &limits);
            made.with_context(|| format!("{} cannot play", printable(&spec.name)))
        };
        make(&args.engines[0]).and_then(|one| Ok([one, make(&args.engines[1])?]))
    };
    let mut who = match ready {
        Ok(who) => who,
        Err(error) => {
            let _ = tell.send(WorkerEvent::Failed(error));
            return;
        }
    };
    let settings = EngineSettings { memory: 1 << 20, ..EngineSettings::default() };
    let mut judge = Engine::new(Arc::clone(&plan.rules), settings);
    while !is_over.load(Ordering::Relaxed) {
        let number = next.fetch_add(1, Ordering::Relaxed);
        if number >= args.games as usize {
            break;
        }
        let seating = Seating::new(number, plan.movers.len());
        let event = match one_game::play(plan, seating, &mut who, &mut judge) {
            Ok(played) => WorkerEvent::Played(Box::new(played)),
            Err(error) => WorkerEvent::Failed(error.into()),
        };
        if tell.send(event).is_err() {
            return;
        }
    }
    let [one, two] = &who;
    let _ = tell.send(WorkerEvent::Refused([one.n_refused(), two.n_refused()]));
}

impl Results {
    fn add(&mut self, played: &Played) {
        let Seating { number, seats } = &played.seating;
        self.tally.add(number / 2, played.score);
        let first = seats.iter().position(|it| *it == 0).unwrap_or(0);
        if self.by_seat.len() <= first {
            self.by_seat.resize(first + 1, Tally::default());
        }
        self.by_seat[first].add(number / 2, played.score);
        self.plies += u64::from(played.plies);
        self.n_cut_off += u32::from(played.is_cut_off);
        self.n_endless += u32::from(played.is_cut_off && played.how.contains(ENDLESS));
        for (sum, it) in self.conduct.iter_mut().zip(&played.conduct) {
            sum.add(it);
        }
        let is_trouble = played.conduct.iter().any(|it| it.illegal + it.failures > 0);
        if is_trouble && self.troubles.len() < 5 {
            self.troubles.push(format!("game {}: {}", number + 1, printable(&played.how)));
        }
    }

    fn text(&self, args: &Args, title: &str, plan: &GamePlan, game: &GameRules) -> String {
        let names = [0, 1].map(|it| printable(&args.engines[it].name));
        let tally = &self.tally;
        let n_games = tally.n_games();
        let mut lines = vec![format!("{title}: {} against {}", names[0], names[1])];
        let error = tally.error().map_or(String::new(), |it| format!(" ± {:.1}", it * 100.0));
        lines.push(format!(
            "{n_games} {}: +{} ={} -{}, score {:.1} %{error}, {}",
            if n_games == 1 { "game" } else { "games" },
            tally.wins,
            tally.draws,
            tally.losses,
            tally.score() * 100.0,
            tally.elo_text()
        ));
        if plan.movers.len() == 2 {
            for (mover, it) in plan.movers.iter().zip(&self.by_seat) {
                let name = player_name(game, *mover);
                let score = it.score() * 100.0;
                lines.push(format!(
                    "  as {name}: +{} ={} -{}, {score:.1} %",
                    it.wins, it.draws, it.losses
                ));
            }
        }
        let mean = self.plies as f64 / n_games.max(1) as f64;
        lines.push(format!("  {mean:.1} moves a game, {} cut off as draws", self.n_cut_off));
        if self.n_endless > 0 {
            lines.push(format!("  {} of them because {ENDLESS}", self.n_endless));
        }
        for (idx, name) in names.iter().enumerate() {
            let Conduct { moves, illegal, late, longest, thought, failures } = self.conduct[idx];
            let mean = time::shown(thought / moves.clamp(1, u64::from(u32::MAX)) as u32);
            let mut line =
                format!("  {name}: {} illegal, {late} late", illegal + self.n_refused[idx]);
            if failures > 0 {
                line.push_str(&format!(", {failures} crashed or silent"));
            }
            line.push_str(&format!("; {mean} a move, at most {}", time::shown(longest)));
            lines.push(line);
        }
        lines.extend(self.troubles.iter().map(|it| format!("  {it}")));
        if let Some(sprt) = args.sprt {
            let llr = tally.likelihood(sprt);
            let bound = Sprt::BOUND;
            let verdict = match llr {
                _ if llr.abs() < bound => "not decided".to_owned(),
                0.0.. => format!("stronger by {} rather than {}", sprt.elo1, sprt.elo0),
                _ => format!("stronger by {} rather than {}", sprt.elo0, sprt.elo1),
            };
            lines.push(format!(
                "  SPRT {},{}: LLR {llr:.2} of ±{bound:.2}, {verdict}",
                sprt.elo0, sprt.elo1
            ));
        }
        lines.join("\n") + "\n"
    }
}

fn player_name(game: &GameRules, player: Player) -> String {
    game.player_name(player)
}

/// Writes the games and their results to disk.
struct GameLog<'a> {
    dir: Option<&'a Path>,
    table: String,
}

impl<'a> GameLog<'a> {
    fn new(dir: Option<&'a Path>) -> GameLog<'a> {
        GameLog { dir, table: "game\tseats\tscore of A\tmoves\tend\n".to_owned() }
    }

    fn note(&mut self, played: &Played) -> Result<()> {
        let Some(dir) = self.dir else { return Ok(()) };
        let number = played.seating.number + 1;
        let write = |name: &str, bytes: &[u8]| {
            let path = dir.join(name);
            fs::write(&path, bytes).with_context(|| format!("cannot write {}", path.display()))
        };
        write(&format!("{number:04}.zsg"), &source::saved(&played.game)?)?;
        let seats: String = played.seating.seats.iter().map(|it| ["A", "B"][*it % 2]).collect();
        let how = printable(&played.how).replace(['\t', '\n'], " ");
        let (score, plies) = (played.score, played.plies);
        // Scores among three players are thirds: three decimals are enough.
        let score = (score * 1000.0).round() / 1000.0;
        self.table.push_str(&format!("{number}\t{seats}\t{score}\t{plies}\t{how}\n"));
        write("games.tsv", self.table.as_bytes())
    }
}
