//! `boardwright play`: a game in the terminal, line by line.

use std::{
    collections::HashMap,
    fs,
    io::{self, Write},
    path::{Path, PathBuf},
    process::ExitCode,
    sync::Arc,
};

use anyhow::{Context, Result, bail};
use boardwright_play::{
    Move, MoveList, SplitMix64, State, Undo,
    zsg::{self, SaveFile},
};
use boardwright_text::render::printable;

use crate::{
    board,
    game::{self, Game},
    input,
};

/// Play a game in the terminal, against another person or a random mover.
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
    /// What the random moves grow from
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

impl Args {
    /// As if only a file had been named.
    pub(crate) fn for_file(file: PathBuf) -> Args {
        Args { file, variant: None, random: Vec::new(), seed: 1 }
    }
}

const HELP: &str = "\
  MOVE or NUMBER   make a move: as the list shows it, its positions (`e2e4`, or `e4` if
                   only one move goes there; `e7e8=Queen`), or its number
  moves            list the legal moves
  board            show the board again
  undo             take the last move back
  pieces           how the pieces move
  piece NAME       how this piece moves
  save FILE.zsg    save the game
  load FILE.zsg    go on with a saved game
  new              begin again
  quit             leave
";

pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let game = game::open(&args.file, args.variant.as_deref())?;
    let mut table = Table::new(&game, args)?;
    let stdout = io::stdout();
    let mut out = stdout.lock();
    writeln!(out, "{}\n", printable(&game.ruleset.title))?;
    writeln!(out, "Type a move or its number, `help`, or `quit`.\n")?;
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

/// What a command leads to.
enum Reaction {
    Quit,
    Show,
    Said,
}

/// A game on the table: its state, its past, and who moves at random.
struct Table<'a> {
    game: &'a Game,
    state: State,
    past: Vec<(Option<Move>, Undo)>,
    save: SaveFile,
    is_random: Vec<bool>,
    rng: SplitMix64,
}

impl<'a> Table<'a> {
    fn new(game: &'a Game, args: &Args) -> Result<Table<'a>> {
        let players = &game.ruleset.players;
        let mut is_random: Vec<bool> = players.iter().map(|it| it.is_random).collect();
        for name in &args.random {
            let found = players.iter().position(|it| it.name.eq_ignore_ascii_case(name));
            let Some(idx) = found else {
                let names: Vec<_> = players.iter().map(|it| printable(&it.name)).collect();
                bail!("no player is called `{name}`; there are {}", names.join(", "));
            };
            is_random[idx] = true;
        }
        let state = State::start(Arc::clone(&game.ruleset));
        let letter = |&random: &bool| if random { 'C' } else { 'H' };
        let seats: String = is_random.iter().map(letter).collect();
        let save = SaveFile::new(&state, &seats);
        let rng = SplitMix64::new(args.seed);
        Ok(Table { game, state, past: Vec::new(), save, is_random, rng })
    }

    fn legal(&self) -> Result<MoveList> {
        let halted = |halt| game::halted(self.game, halt);
        self.state.legal_moves().map_err(halted)
    }

    fn show(&self, out: &mut dyn Write) -> Result<()> {
        write!(out, "{}", board::picture(&self.state))?;
        let halted = |halt| game::halted(self.game, halt);
        if let Some(outcome) = self.state.outcome().map_err(halted)? {
            writeln!(out, "The game is over: {}", game::outcome_text(self.game, &outcome))?;
        }
        Ok(())
    }

    /// Moves for all who move at random, until a person is to move.
    fn advance(&mut self, out: &mut dyn Write) -> Result<bool> {
        let mut moved = false;
        while let Some(mover) = self.state.mover()
            && self.is_random.get(mover.idx()).copied().unwrap_or(false)
        {
            let list = self.legal()?;
            let ticket = self.rng.below(list.total_weight() as usize);
            let Some(mv) = list.drawn(ticket as u64).cloned() else {
                break;
            };
            let name = printable(self.game.ruleset.player_name(mover));
            writeln!(out, "{name}: {}", printable(&self.state.shown_text(&mv)))?;
            self.play(&mv)?;
            moved = true;
            // Chance alone could go on for ever.
            if self.is_random.iter().all(|&it| it) {
                break;
            }
        }
        Ok(moved)
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
        let rest = rest.trim();
        match (command, rest.is_empty()) {
            ("", _) => return Ok(Reaction::Said),
            ("quit" | "exit" | "q", true) => return Ok(Reaction::Quit),
            ("help" | "?", true) => write!(out, "{HELP}")?,
            ("board" | "show", true) => return Ok(Reaction::Show),
            ("moves", true) => self.list(out)?,
            ("undo", true) => return self.undo(out),
            ("new", true) => self.restart(),
            ("pieces", true) => self.explain(None, out)?,
            ("piece", false) => self.explain(Some(rest), out)?,
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
            if !self.is_random.get(mover).copied().unwrap_or(false) {
                break;
            }
        }
        Ok(Reaction::Show)
    }

    fn restart(&mut self) {
        self.state = State::start_of(Arc::clone(self.state.rules()));
        self.past.clear();
        self.save.entries.clear();
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
            writeln!(out, "{shown}: {}", printable(&help))?;
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
