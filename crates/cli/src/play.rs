//! `boardwright play`: a game in the terminal, line by line.

mod opponent;
mod screen;
mod seats;

use std::{
    collections::HashMap,
    fs,
    io::{self, IsTerminal, Write},
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

use self::{
    opponent::Mind,
    seats::{Seat, letters, seat_engine},
};
use crate::{
    board, codec,
    game::{self, Game},
    input, time,
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
    /// Play against the engine, from 1 (a beginner) to 10 (as well as it can)
    #[arg(long, value_name = "LEVEL", value_parser = clap::value_parser!(u8).range(1..=10))]
    opponent: Option<u8>,
    /// Whom you play against the engine; the player who begins if not given
    #[arg(long, value_name = "PLAYER", requires = "opponent")]
    seat: Option<String>,
    /// How long the engine may think about a move
    #[arg(long, value_name = "TIME", default_value = "1s", value_parser = time::parse)]
    time: Duration,
    /// What dice and random moves grow from, to repeat a game; if not given, the clock
    #[arg(long)]
    seed: Option<u64>,
    /// Line by line, as for pipes, rather than on the whole screen
    #[arg(long)]
    lines: bool,
}

impl Args {
    /// As if only a file and perhaps a variant had been named.
    pub(crate) fn for_file(file: PathBuf, variant: Option<String>) -> Args {
        let time = Duration::from_secs(1);
        let (random, opponent, seat, seed) = (Vec::new(), None, None, None);
        Args { file, variant, random, opponent, seat, time, seed, lines: false }
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
  save FILE.zsg    save the game; `save!` writes over another file
  load FILE.zsg    go on with a saved game
  hint             what the engine would play
  opponent LEVEL   let the engine play the others, from 1 to 10; `opponent off` ends that
  values           what the pieces are worth
  random PLAYER    let a player move at random, or by hand again
  new              begin again
  quit             leave
";

pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let game = game::open(&args.file, args.variant.as_deref())?;
    let mut table = Table::new(&game, args)?;
    if !args.lines && io::stdin().is_terminal() && io::stdout().is_terminal() {
        return screen::run(table);
    }
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

/// A number that is another one each time, and short enough to be typed again.
fn seed_from_clock() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    SplitMix64::new(since.as_nanos() as u64).next_u64() % 1_000_000
}

/// An entry of a save in a list of moves.
fn entry_text(entry: &zsg::Entry) -> String {
    printable(&match entry {
        zsg::Entry::Move { text, .. } => text.clone(),
        zsg::Entry::Place { player, piece, site } => format!("({player} {piece} {site})"),
        zsg::Entry::Remove { site } => format!("(x {site})"),
    })
}

/// What a command leads to.
enum Reaction {
    Quit,
    Show,
    Said,
}

/// A game on the table: its state, its past, and who moves for whom.
struct Table<'a> {
    game: &'a Game,
    state: State,
    past: Vec<(Option<Move>, Undo)>,
    save: SaveFile,
    seats: Vec<Seat>,
    mind: Mind,
    seed: u64,
    has_said_seed: bool,
    rng: SplitMix64,
    /// What was played, as lists show it; one text for each entry of `past`.
    shown: Vec<String>,
    /// The save that this game was written to or read from.
    own_file: Option<PathBuf>,
}

impl<'a> Table<'a> {
    fn new(game: &'a Game, args: &Args) -> Result<Table<'a>> {
        let players = &game.ruleset.players;
        let state = State::start(Arc::clone(&game.ruleset));
        let mut seats: Vec<Seat> = players
            .iter()
            .map(|it| if it.is_random { Seat::Random } else { Seat::Person })
            .collect();
        if let Some(level) = args.opponent {
            let person = match &args.seat {
                Some(name) => Some(player_called(game, name)?),
                None => codec::movers(&game.ruleset).first().map(|it| it.idx()),
            };
            seat_engine(&game.ruleset, &mut seats, level, person);
        }
        for name in &args.random {
            seats[player_called(game, name)?] = Seat::Random;
        }
        let save = SaveFile::new(&state, &letters(&seats));
        let mind = Mind::new(Arc::clone(state.rules()), args.time);
        let seed = args.seed.unwrap_or_else(seed_from_clock);
        let rng = SplitMix64::new(seed);
        let past = Vec::new();
        Ok(Table {
            game,
            state,
            past,
            save,
            seats,
            mind,
            seed,
            has_said_seed: false,
            rng,
            shown: Vec::new(),
            own_file: None,
        })
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
            let how = game::ended_text(self.game, &self.state, &outcome);
            writeln!(out, "The game is over: {how}")?;
        }
        Ok(())
    }

    /// Who moves for the player to move.
    fn seat(&self) -> Seat {
        let seat = self.state.mover().and_then(|it| self.seats.get(it.idx()));
        seat.copied().unwrap_or(Seat::Person)
    }

    /// A move of a player whom no person moves.
    fn chosen(&mut self, out: &mut dyn Write) -> Result<Option<Move>> {
        if let Seat::Engine(level) = self.seat() {
            let seed = self.seed.wrapping_add(self.past.len() as u64);
            return Ok(self.mind.think(&self.state, level, seed, out)?.best);
        }
        let list = self.legal()?;
        if !self.has_said_seed {
            self.has_said_seed = true;
            writeln!(out, "Chance grows from the seed {0}: --seed {0} repeats it.", self.seed)?;
        }
        let ticket = self.rng.below(list.total_weight() as usize);
        Ok(list.drawn(ticket as u64).cloned())
    }

    /// Moves for all whom no person moves, until a person is to move.
    fn advance(&mut self, out: &mut dyn Write) -> Result<bool> {
        let mut moved = false;
        while let Some(mover) = self.state.mover()
            && self.seat() != Seat::Person
        {
            let Some(mv) = self.chosen(out)? else {
                break;
            };
            let name = printable(self.game.ruleset.player_name(mover));
            writeln!(out, "{name}: {}", printable(&self.state.shown_text(&mv)))?;
            self.play(&mv)?;
            moved = true;
            // Without a person it could go on for ever.
            let players = self.game.ruleset.players.iter().zip(&self.seats);
            if players.into_iter().all(|(it, &seat)| seat != Seat::Person || it.is_neutral) {
                break;
            }
        }
        Ok(moved)
    }

    fn play(&mut self, mv: &Move) -> Result<()> {
        let before = self.save.entries.len();
        let shown = printable(&self.state.shown_text(mv));
        self.save.push_move(&self.state, mv);
        match self.state.play_unchecked(mv) {
            Ok(undo) => {
                self.shown.push(shown);
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
            ("hint", true) => self.hint(out)?,
            ("values", true) => {
                writeln!(out, "A thousand is the worth of the cheapest:")?;
                for line in self.mind.values() {
                    writeln!(out, "{line}")?;
                }
            }
            ("opponent", _) => self.oppose(rest, out)?,
            ("random", false) => self.randomize(rest, out)?,
            ("random", true) => bail!("name a player: `random {}`", self.player_names(" or ")),
            ("save" | "save!", false) => {
                self.save_to(Path::new(rest), command.ends_with('!'), out)?;
            }
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
        while let Some((_, undo)) = self.take_last() {
            self.state.undo(undo);
            if self.seat() == Seat::Person {
                break;
            }
        }
        Ok(Reaction::Show)
    }

    /// Strikes the last entry out; its undo is still to be done.
    fn take_last(&mut self) -> Option<(Option<Move>, Undo)> {
        self.save.entries.pop();
        self.shown.pop();
        self.past.pop()
    }

    fn restart(&mut self) {
        self.state = State::start_of(Arc::clone(self.state.rules()));
        self.past.clear();
        self.shown.clear();
        self.save.entries.clear();
        self.mind.forget();
    }

    fn hint(&mut self, out: &mut dyn Write) -> Result<()> {
        match self.mind.hint(&self.state, out)? {
            Some(hint) => writeln!(out, "{hint}")?,
            None => writeln!(out, "There is no legal move.")?,
        }
        Ok(())
    }

    /// `opponent 5` lets the engine move for all but who is to move, `opponent off` for nobody.
    fn oppose(&mut self, how: &str, out: &mut dyn Write) -> Result<()> {
        let level = how.parse::<u8>().ok().filter(|it| (1..=opponent::BEST).contains(it));
        if level.is_none() && !how.eq_ignore_ascii_case("off") {
            bail!("type a level from 1 to 10, `opponent 5`, or `opponent off`");
        }
        for seat in self.seats.iter_mut().filter(|it| matches!(it, Seat::Engine(_))) {
            *seat = Seat::Person;
        }
        match level {
            Some(level) => {
                let person = self.state.mover().map(|it| it.idx());
                seat_engine(&self.game.ruleset, &mut self.seats, level, person);
                writeln!(out, "The engine plays against you at level {level} now.")?;
            }
            None => writeln!(out, "The engine plays no more.")?,
        }
        self.save.seats = letters(&self.seats);
        Ok(())
    }

    /// Makes a player move at random, or by hand again.
    fn randomize(&mut self, name: &str, out: &mut dyn Write) -> Result<()> {
        let idx = player_called(self.game, name)?;
        let player = self.game.ruleset.players.get(idx);
        let shown = printable(player.map_or("", |it| self.game.ruleset.translated(&it.name)));
        if player.is_some_and(|it| it.is_random || it.is_neutral) {
            bail!("the rules say how {shown} moves");
        }
        let is_random = self.seats[idx] == Seat::Random;
        self.seats[idx] = if is_random { Seat::Person } else { Seat::Random };
        let how = if is_random { "by hand" } else { "at random" };
        self.save.seats = letters(&self.seats);
        writeln!(out, "{shown} moves {how} now.")?;
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

    /// Writes the game to a file: a new one, the one it came from, or any if `over`.
    fn save_to(&mut self, path: &Path, over: bool, out: &mut dyn Write) -> Result<()> {
        let shown = path.display();
        let is_own = self.own_file.as_deref() == Some(path);
        if !over && !is_own && path.exists() {
            bail!("{shown} is there already; `save! {shown}` writes over it");
        }
        fs::write(path, self.save.to_bytes()).with_context(|| format!("cannot write {shown}"))?;
        writeln!(out, "Saved to {shown}.")?;
        self.own_file = Some(path.to_owned());
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
        self.own_file = Some(path.to_owned());
        self.shown = self.save.entries.iter().map(|it| entry_text(&it.1)).collect();
        Ok(())
    }
}
