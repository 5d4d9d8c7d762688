//! The program `boardwright`: one module per subcommand.

mod analysis;
mod backup;
mod bench;
mod board;
mod check;
mod codec;
mod contest;
mod expand;
mod fen;
mod files;
mod game;
mod gamecode;
mod home;
mod input;
mod list;
mod moves;
mod out;
mod perft;
mod play;
mod plugin;
mod preset;
mod render;
mod replay;
mod serve;
mod show;
mod solve;
mod source;
mod start;
mod think;
mod time;
mod train;
mod tuning;
mod ugi;

use std::{
    io::{self, Write},
    process::ExitCode,
};

use clap::{Parser, Subcommand};

/// Board games from their rules.
///
/// Boardwright takes the rules of a board game as text and gives you the rest.
/// It reads the rule files of Zillions of Games (`.zrf`) and Game Courier presets.
#[derive(Parser)]
#[command(name = "boardwright", version, max_term_width = 100, after_help = EXAMPLES)]
struct Cli {
    /// Prints the licences of the program and of everything in it.
    #[arg(long)]
    licenses: bool,
    #[command(subcommand)]
    command: Option<Command>,
}

const EXAMPLES: &str = "\
Without a command, Boardwright serves its games to your browser, as `boardwright serve` does.

Examples:
  boardwright check games/chess/chess.zrf   is anything wrong with these rules?
  boardwright list games/chess/chess.zrf    which games are in the file?
  boardwright expand mygame.zrf             what do my macros turn into?
  boardwright play games/chess/chess.zrf    play it here
  boardwright render presets/shogi --out shogi.png
                                            draw its board
  boardwright moves mygame.zrf              which moves do my rules allow?
  boardwright replay saved/*.zsg            are these saved games legal?
  boardwright think games/chess/chess.zrf   what would you play?

Exit codes: 0 success, 1 a problem in an input file, 2 wrong usage.";

#[derive(Subcommand)]
enum Command {
    Check(check::Args),
    List(list::Args),
    Expand(expand::Args),
    Moves(moves::Args),
    Perft(perft::Args),
    Bench(bench::Args),
    Replay(replay::Args),
    Show(show::Args),
    Render(render::Args),
    Play(play::Args),
    Serve(serve::Args),
    Key(serve::KeyArgs),
    Backup(backup::Args),
    Verify(backup::VerifyArgs),
    Games(home::Args),
    Preset(preset::Args),
    #[command(name = "gamecode")]
    GameCode(gamecode::Args),
    Engine(ugi::Args),
    Plugin(plugin::Args),
    Match(contest::Args),
    Think(think::Args),
    Solve(solve::Args),
    Train(train::Args),
    /// Runs rules for a server, on its input and output (docs/rules-host.md)
    #[command(hide = true)]
    RulesHost,
    /// Loads an engine and speaks for it on its input and output (docs/plugin-protocol.md)
    #[command(hide = true)]
    EngineHost(plugin::HostArgs),
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    if cli.licenses {
        return conclude(licenses());
    }
    let Some(command) = cli.command else {
        return conclude(serve::run(&serve::Args::default()));
    };
    conclude(match command {
        Command::Check(args) => check::run(&args),
        Command::List(args) => list::run(&args),
        Command::Expand(args) => expand::run(&args),
        Command::Moves(args) => moves::run(&args),
        Command::Perft(args) => perft::run(&args),
        Command::Bench(args) => bench::run(&args),
        Command::Replay(args) => replay::run(&args),
        Command::Show(args) => show::run(&args),
        Command::Render(args) => render::run(&args),
        Command::Play(args) => play::run(&args),
        Command::Serve(args) => serve::run(&args),
        Command::Key(args) => serve::print_key(&args),
        Command::Backup(args) => backup::run(&args),
        Command::Verify(args) => backup::verify(&args),
        Command::Games(args) => home::run(&args),
        Command::Preset(args) => preset::run(&args),
        Command::GameCode(args) => gamecode::run(&args),
        Command::Engine(args) => ugi::run(&args),
        Command::Plugin(args) => plugin::run(&args),
        Command::Match(args) => contest::run(&args),
        Command::Think(args) => think::run(&args),
        Command::Solve(args) => solve::run(&args),
        Command::Train(args) => train::run(&args),
        Command::RulesHost => rules_host(),
        Command::EngineHost(args) => plugin::host(&args),
    })
}

fn licenses() -> anyhow::Result<ExitCode> {
    io::stdout().lock().write_all(include_str!("../licenses.txt").as_bytes())?;
    Ok(ExitCode::SUCCESS)
}

fn rules_host() -> anyhow::Result<ExitCode> {
    boardwright_server::run_rules_host()?;
    Ok(ExitCode::SUCCESS)
}

fn conclude(result: anyhow::Result<ExitCode>) -> ExitCode {
    match result {
        Ok(code) => code,
        Err(error) if out::is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            out::complain(&format!("{error:#}"));
            ExitCode::from(1)
        }
    }
}
