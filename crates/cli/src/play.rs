//! `boardwright play`: a game in the terminal, line by line.

use std::{
    collections::HashMap,
    fs,
    io::{self, Write},
    path::{Path, PathBuf},
    process::ExitCode,
    sync::Arc,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use anyhow::{Context, Result, bail};
use boardwright_game::PlayerInfo;
use boardwright_play::{
    Move, MoveList, SplitMix64, State, Undo,
    zsg::{self, SaveFile},
};
use boardwright_text::render::printable;

use crate::{
    board, codec,
    game::{self, Game},
    input,
    opponent::{Opponent, Seat, letters},
    time,
};

/// Play a game in the terminal, against another person, the engine or a random mover.
///
/// Type a move, or its number. `help` lists the other commands.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// A rule file
    file: PathBuf,
    /// The title of a variant; the one the file opens with if not given
    #[arg(long)]
    variant: Option<String>,
    /// Players whose moves are made at random; may be given several times
    #[arg(long, value_name = "PLAYER")]
    random: Vec<String>,
    /// Let the engine play against you, from level 1, a beginner, to 10
    #[arg(long, value_name = "LEVEL", value_parser = clap::value_parser!(u8).range(1..=10))]
    opponent: Option<u8>,
    /// The player you are, against the engine; if not given, who moves first
    #[arg(long = "as", value_name = "PLAYER", requires = "opponent")]
    me: Option<String>,
    /// How long the engine may think about a move or a hint
    #[arg(long, value_parser = time::parse, default_value = "1s")]
    time: Duration,
    /// How much the engine varies its play, from 0 to 10
    #[arg(long, default_value_t = 0, value_parser = clap::value_parser!(u8).range(..=10))]
    variety: u8,
    /// What dice and random moves grow from, to repeat a game; if not given, the clock
    #[arg(long)]
    seed: Option<u64>,
}

impl Args {
    /// As if only a file and perhaps a variant had been named.
    pub(crate) fn for_file(file: PathBuf, variant: Option<String>) -> Args {
        Args {
            file,
            variant,
            random: Vec::new(),
            opponent: None,
            me: None,
            time: Duration::from_secs(1),
            variety: 0,
            seed: None,
        }
    }
}

const HELP: &str = "\
  MOVE or NUMBER   make a move: as the list shows it, from where to where (`e2e4`,
                   `e7e8=Queen`, or `e4` if only one move goes there), or its number
  moves            list the legal moves
  board            show the board again
  undo             take the last move back
  pieces           how the pieces move
  piece NAME       how this piece moves
  save FILE.zsg    save the game
  load FILE.zsg    go on with a saved game
  engine PLAYER    let the engine play for a player, or a person again
  level N          how strong the engine plays, from 1 to 10
  time 2s          how long it may think
  random PLAYER    let a player move at random, or by hand again
  hint             what the engine would play here
  values           what the pieces are worth
  new              begin again
  quit             leave
";

pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let game = game::open(&args.file, args.variant.as_deref())?;
    let mut table = Table::new(&game, args)?;
    let stdout = io::stdout();
    let mut out = stdout.lock();
    writeln!(out, "{}\n", printable(&game.ruleset.title))?;
    writeln!(out, "Type a move, `moves` to see them all, `help`, or `quit`.\n")?;
    let mut typed = io::stdin().lock();
    let mut shows = true;
    loop {
        if table.advance(&mut out)? || shows {
            table.show(&mut out)?;
        }
        write!(out, "> ")?;
        out.flush()?;
        let Some(line) = input::next_line(&mut typed)? else {
            writeln!(out)?;
            return Ok(ExitCode::SUCCESS);
        };
        match table.obey(&line, &mut out) {
            Ok(Reaction::Quit) => return Ok(ExitCode::SUCCESS),
            Ok(Reaction::Show) => shows = true,
            Ok(Reaction::Said) => shows = false,
            // A typing error must not end the game.
            Err(error) if !crate::out::is_closed_pipe(&error) => {
                writeln!(out, "{error:#}")?;
                shows = false;
            }
            Err(error) => return Err(error),
        }
    }
}

/// The number of the player with this name, in any case.
fn player_called(game: &Game, name: &str) -> Result<usize> {
    let ruleset = &game.ruleset;
    let is_it = |it: &PlayerInfo| {
        it.name.eq_ignore_ascii_case(name)
            || ruleset.translated(&it.name).eq_ignore_ascii_case(name)
    };
    let found = ruleset.players.iter().position(is_it);
    found.with_context(|| {
        let names: Vec<_> = ruleset.players.iter().map(|it| printable(&it.name)).collect();
        format!("no player is called `{}`; there are {}", printable(name), names.join(", "))
    })
}

/// Gives the engine all seats but one, and those that were given away already.
fn seat_engine(game: &Game, me: Option<&str>, seats: &mut [Seat]) -> Result<()> {
    let movers = codec::movers(&game.ruleset);
    if movers.len() < 2 {
        bail!("this is a game for one; `hint` asks the engine, `boardwright solve` lets it try");
    }
    let me = match me {
        Some(name) => player_called(game, name)?,
        None => {
            let free = movers.iter().find(|it| seats.get(it.idx()) == Some(&Seat::Person));
            free.map_or(0, |it| it.idx())
        }
    };
    for idx in movers.iter().map(|it| it.idx()).filter(|&it| it != me) {
        if let Some(seat) = seats.get_mut(idx).filter(|it| **it == Seat::Person) {
            *seat = Seat::Engine;
        }
    }
    Ok(())
}

/// A number that is another one each time, and short enough to be typed again.
fn seed_from_clock() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    SplitMix64::new(since.as_nanos() as u64).next_u64() % 1_000_000
}

/// What a command leads to.
enum Reaction {
    Quit,
    Show,
    Said,
}

/// A game on the table: its state, its past, and who makes whose moves.
struct Table<'a> {
    game: &'a Game,
    state: State,
    past: Vec<(Option<Move>, Undo)>,
    save: SaveFile,
    seats: Vec<Seat>,
    opponent: Opponent,
    seed: u64,
    has_said_seed: bool,
    rng: SplitMix64,
}

impl<'a> Table<'a> {
    fn new(game: &'a Game, args: &Args) -> Result<Table<'a>> {
        let players = &game.ruleset.players;
        let seat = |it: &PlayerInfo| if it.is_random { Seat::Random } else { Seat::Person };
        let mut seats: Vec<Seat> = players.iter().map(seat).collect();
        for name in &args.random {
            seats[player_called(game, name)?] = Seat::Random;
        }
        if args.opponent.is_some() {
            seat_engine(game, args.me.as_deref(), &mut seats)?;
        }
        let state = State::start(Arc::clone(&game.ruleset));
        let save = SaveFile::new(&state, &letters(&seats));
        let seed = args.seed.unwrap_or_else(seed_from_clock);
        let rng = SplitMix64::new(seed);
        let past = Vec::new();
        let opponent = Opponent::new(args.opponent.unwrap_or(10), args.variety, args.time, seed);
        let has_said_seed = false;
        Ok(Table { game, state, past, save, seats, opponent, seed, has_said_seed, rng })
    }

    fn legal(&self) -> Result<MoveList> {
        let halted = |halt| game::halted(self.game, halt);
        self.state.legal_moves().map_err(halted)
    }

    fn show(&self, out: &mut dyn Write) -> Result<()> {
        let halted = |halt| game::halted(self.game, halt);
        let outcome = self.state.outcome().map_err(halted)?;
        write!(out, "{}", board::picture(&self.state, outcome.is_some()))?;
        if let Some(outcome) = outcome {
            writeln!(out, "The game is over: {}", game::outcome_text(self.game, &outcome))?;
        }
        Ok(())
    }

    /// Who makes the moves of a player.
    fn seat(&self, player: usize) -> Seat {
        self.seats.get(player).copied().unwrap_or(Seat::Person)
    }

    /// Moves for all who are no persons, until one is to move.
    fn advance(&mut self, out: &mut dyn Write) -> Result<bool> {
        let mut moved = false;
        while let Some(mover) = self.state.mover()
            && self.seat(mover.idx()) != Seat::Person
        {
            let mv = match self.seat(mover.idx()) {
                Seat::Engine => self.opponent.choose(&self.state),
                _ => self.drawn(out)?,
            };
            let Some(mv) = mv else {
                break;
            };
            let name = printable(self.game.ruleset.player_name(mover));
            writeln!(out, "{name}: {}", printable(&self.state.shown_text(&mv)))?;
            out.flush()?;
            self.play(&mv)?;
            moved = true;
            // Without any person it could go on for ever.
            let mut players = self.game.ruleset.players.iter().zip(&self.seats);
            if players.all(|(it, &seat)| seat != Seat::Person || it.is_neutral) {
                break;
            }
        }
        Ok(moved)
    }

    /// A move that chance makes; `None` if there is none.
    fn drawn(&mut self, out: &mut dyn Write) -> Result<Option<Move>> {
        let list = self.legal()?;
        if !self.has_said_seed {
            self.has_said_seed = true;
            writeln!(out, "Chance grows from the seed {0}: --seed {0} repeats it.", self.seed)?;
        }
        let ticket = self.rng.below(list.total_weight() as usize);
        Ok(list.drawn(ticket as u64).cloned())
    }

    fn play(&mut self, mv: &Move) -> Result<()> {
        let before = self.save.entries.len();
        self.save.push_move(&self.state, mv);
        match self.state.play_unchecked(mv) {
            Ok(undo) => {
                self.past.push((Some(mv.clone()), undo));
                Ok(())
            }
            Err(halt) => {
                self.save.entries.truncate(before);
                Err(game::halted(self.game, halt))
            }
        }
    }

    fn obey(&mut self, line: &str, out: &mut dyn Write) -> Result<Reaction> {
        let (command, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let command = command.to_lowercase();
        let rest = rest.trim();
        match (command.as_str(), rest.is_empty()) {
            ("", _) => return Ok(Reaction::Said),
            ("quit" | "exit" | "q", true) => return Ok(Reaction::Quit),
            ("help" | "?", true) => write!(out, "{HELP}")?,
            ("board" | "show", true) => return Ok(Reaction::Show),
            ("moves", true) => self.list(out)?,
            ("undo", true) => return self.undo(out),
            ("new", true) => self.restart(),
            ("pieces", true) => self.explain(None, out)?,
            ("piece", false) => self.explain(Some(rest), out)?,
            ("random", false) => self.reseat(rest, Seat::Random, out)?,
            ("engine", false) => self.reseat(rest, Seat::Engine, out)?,
            ("engine", true) => bail!("name a player: `engine {}`", self.player_names(" or ")),
            ("level", _) => {
                let level = rest.parse::<u8>().ok().filter(|it| (1..=10).contains(it));
                self.opponent.level = level.context("say how strong: `level 1` to `level 10`")?;
                writeln!(out, "The engine plays at level {}.", self.opponent.level)?;
            }
            ("time", _) => {
                let time = time::parse(rest).map_err(|it| anyhow::anyhow!("`time`: {it}"))?;
                self.opponent.time = time;
                writeln!(out, "The engine takes {} a move.", time::shown(time))?;
            }
            ("hint", true) => match self.opponent.hint(&self.state) {
                Some(hint) => writeln!(out, "{hint}")?,
                None => writeln!(out, "There is no legal move.")?,
            },
            ("values", true) => write!(out, "{}", self.opponent.values(&self.state)?)?,
            ("random", true) => bail!("name a player: `random {}`", self.player_names(" or ")),
            ("save", false) => self.save_to(Path::new(rest), out)?,
            ("load", false) => {
                self.load_from(Path::new(rest), out)?;
                return Ok(Reaction::Show);
            }
            ("save" | "load", true) => bail!("name a file: `{command} game.zsg`"),
            _ => return self.choose(line, out),
        }
        Ok(if command == "new" { Reaction::Show } else { Reaction::Said })
    }

    fn choose(&mut self, line: &str, out: &mut dyn Write) -> Result<Reaction> {
        let list = self.legal()?;
        let by_number = line.parse::<usize>().ok().and_then(|it| list.get(it.checked_sub(1)?));
        if let Some(mv) = by_number.or_else(|| self.state.find_in(&list, line)) {
            self.play(&mv.clone())?;
            return Ok(Reaction::Show);
        }
        if list.is_empty() {
            bail!("there is no legal move; `undo` takes the last one back");
        }
        let meant = self.state.meant_in(&list, line);
        if let [idx] = meant[..]
            && let Some(mv) = list.get(idx)
        {
            self.play(&mv.clone())?;
            return Ok(Reaction::Show);
        }
        let texts = self.texts(&list);
        let text = |idx: &usize| texts.get(*idx).map_or("", |it| it.as_str());
        let line = printable(line);
        if meant.is_empty() {
            let nearest = self.state.nearest_numbers(&list, &line, 3);
            let nearest: Vec<_> = nearest.iter().map(text).collect();
            bail!(
                "`{line}` is neither a command nor a legal move; most like it: {}",
                nearest.join(" | ")
            );
        }
        writeln!(out, "`{line}` may mean several moves; type the number of one:")?;
        for idx in &meant {
            writeln!(out, "{:>4}  {}", idx + 1, text(idx))?;
        }
        Ok(Reaction::Said)
    }

    /// What to show for each move of a list: the short text, where no other has it.
    fn texts(&self, list: &MoveList) -> Vec<String> {
        let mut seen: HashMap<String, usize> = HashMap::new();
        for mv in list {
            *seen.entry(self.state.shown_text(mv)).or_default() += 1;
        }
        let text = |mv| {
            let short = self.state.shown_text(mv);
            let is_alone = seen.get(&short).is_none_or(|&it| it == 1);
            printable(&if is_alone { short } else { self.state.move_text(mv) })
        };
        list.iter().map(text).collect()
    }

    fn list(&self, out: &mut dyn Write) -> Result<()> {
        let list = self.legal()?;
        if list.is_empty() {
            writeln!(out, "There is no legal move.")?;
        }
        for (idx, text) in self.texts(&list).iter().enumerate() {
            writeln!(out, "{:>4}  {text}", idx + 1)?;
        }
        Ok(())
    }

    /// Takes back what was done since a person last had the choice.
    fn undo(&mut self, out: &mut dyn Write) -> Result<Reaction> {
        if self.past.is_empty() {
            writeln!(out, "There is nothing to take back.")?;
            return Ok(Reaction::Said);
        }
        while let Some((_, undo)) = self.past.pop() {
            self.state.undo(undo);
            self.save.entries.pop();
            let mover = self.state.mover().map_or(0, |it| it.idx());
            if self.seat(mover) == Seat::Person {
                break;
            }
        }
        Ok(Reaction::Show)
    }

    fn restart(&mut self) {
        self.state = State::start_of(Arc::clone(self.state.rules()));
        self.past.clear();
        self.save.entries.clear();
        self.opponent.forget();
    }

    /// Lets chance or the engine move for a player, or a person again.
    fn reseat(&mut self, name: &str, seat: Seat, out: &mut dyn Write) -> Result<()> {
        let idx = player_called(self.game, name)?;
        let player = self.game.ruleset.players.get(idx);
        let shown = printable(player.map_or("", |it| self.game.ruleset.translated(&it.name)));
        if player.is_some_and(|it| it.is_random || it.is_neutral) {
            bail!("the rules say how {shown} moves");
        }
        let seat = if self.seats[idx] == seat { Seat::Person } else { seat };
        self.seats[idx] = seat;
        self.save.seats = letters(&self.seats);
        match seat {
            Seat::Person => writeln!(out, "{shown} moves by hand now.")?,
            Seat::Random => writeln!(out, "{shown} moves at random now.")?,
            Seat::Engine => {
                writeln!(out, "The engine plays {shown} at level {}.", self.opponent.level)?;
            }
        }
        Ok(())
    }

    fn player_names(&self, between: &str) -> String {
        let free = |it: &&PlayerInfo| !it.is_random && !it.is_neutral;
        let players = self.game.ruleset.players.iter().filter(free);
        players.map(|it| printable(&it.name)).collect::<Vec<_>>().join(between)
    }

    fn explain(&self, name: Option<&str>, out: &mut dyn Write) -> Result<()> {
        let ruleset = &self.game.ruleset;
        let wanted = |it: &&boardwright_game::PieceKindInfo| {
            !it.is_dummy && name.is_none_or(|name| it.name.eq_ignore_ascii_case(name))
        };
        let mut any = false;
        for piece in ruleset.pieces.iter().filter(wanted) {
            any = true;
            let help = piece.help.as_deref().or(piece.description.as_deref());
            let help = help.unwrap_or("no help given").replace('\\', " ");
            let shown = printable(ruleset.translated(&piece.name));
            let help = printable(&help);
            // Many helps begin with the name themselves.
            match help.get(..shown.len()).is_some_and(|it| it.eq_ignore_ascii_case(&shown)) {
                true => writeln!(out, "{help}")?,
                false => writeln!(out, "{shown}: {help}")?,
            }
            if name.is_some()
                && let (Some(_), Some(more)) = (&piece.help, &piece.description)
            {
                writeln!(out, "{}", printable(more))?;
            }
        }
        if !any {
            bail!("no piece is called `{}`", printable(name.unwrap_or("")));
        }
        Ok(())
    }

    fn save_to(&self, path: &Path, out: &mut dyn Write) -> Result<()> {
        let shown = path.display();
        fs::write(path, self.save.to_bytes()).with_context(|| format!("cannot write {shown}"))?;
        writeln!(out, "Saved to {shown}.")?;
        Ok(())
    }

    fn load_from(&mut self, path: &Path, out: &mut dyn Write) -> Result<()> {
        let bytes = game::read_save(path)?;
        let save = SaveFile::read_as(&bytes, self.game.ruleset.encoding);
        let shown = path.display();
        let title = game::variant_of(&save).with_context(|| shown.to_string())?;
        if title != self.game.ruleset.title {
            bail!(
                "{shown} is a game of `{}`, not of `{}`",
                printable(title),
                printable(&self.game.ruleset.title)
            );
        }
        let replay = zsg::replay(&save, Arc::clone(self.state.rules()), None);
        if let Some(stop) = &replay.stop {
            let why = game::stop_text(self.game, &stop.reason);
            writeln!(out, "Loaded up to line {}: {why}", stop.line)?;
        }
        self.state = replay.state;
        self.past = replay.steps;
        self.save = replay.written;
        Ok(())
    }
}
