//! The game and state that several commands start from: `moves`, `show`, `think`, `solve`.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use anyhow::{Context, Result, bail};
use boardwright_play::{
    State,
    zsg::{self, SaveFile},
};
use boardwright_plugin::{LineStep, PlayedLine};
use boardwright_rules::GameState;
use boardwright_text::render::printable;

use crate::{
    files,
    game::{self, CompiledGame},
    source,
};

/// A state of a game: its start, or the state after given moves or a saved game.
#[derive(clap::Args)]
pub(crate) struct Start {
    /// A rule file; `think` takes the folder of a preset too
    file: PathBuf,
    /// The title of a variant; if not given, the one the save names or the file opens with
    #[arg(long)]
    variant: Option<String>,
    /// Moves to play first, separated by semicolons
    #[arg(long, value_name = "MOVES")]
    play: Option<String>,
    /// A saved game to replay first
    #[arg(long, value_name = "GAME.zsg")]
    save: Option<PathBuf>,
    /// Number of lines of the saved game to play
    #[arg(long, requires = "save", value_name = "N")]
    ply: Option<usize>,
}

impl Start {
    /// Opens the game and plays the moves that come first.
    pub(crate) fn open(&self) -> Result<(CompiledGame, State)> {
        let (game, mut state) = match &self.save {
            Some(save) => {
                let shown = save.display();
                self.after_save(&game::read_save(save)?).with_context(|| shown.to_string())?
            }
            None => {
                let game = game::open(&self.file, self.variant.as_deref())?;
                let state = State::start_of(Arc::clone(&game.rules));
                (game, state)
            }
        };
        play_all(&game, &mut state, self.play.as_deref().unwrap_or(""), |_, _| {})?;
        Ok((game, state))
    }

    /// The same for a game in either language.
    pub(crate) fn open_any(&self) -> Result<GameState> {
        if !source::is_preset(&self.file) {
            let (game, state) = self.open()?;
            return Ok(game.shared.state_of(state));
        }
        if self.save.is_some() {
            bail!("--save is for rule files; `boardwright preset` replays records");
        }
        let rules = source::open(&self.file, self.variant.as_deref())?;
        let mut state = rules.start(1)?;
        let texts = self.play.as_deref().unwrap_or("").split(';');
        for text in texts.map(str::trim).filter(|it| !it.is_empty()) {
            state = state.play_trusted(text).with_context(|| printable(text))?.state;
        }
        Ok(state)
    }

    /// The rule file.
    pub(crate) fn file(&self) -> &Path {
        &self.file
    }

    /// The moves from the start of the game, for an engine of others, which has to follow them.
    pub(crate) fn line(&self) -> Result<PlayedLine> {
        if self.save.is_some() || source::is_preset(&self.file) {
            bail!("an engine of others needs a rule file, and the moves so far with --play");
        }
        let game = game::open(&self.file, self.variant.as_deref())?;
        let mut state = State::start_of(Arc::clone(&game.rules));
        let mut line = PlayedLine::beginning_at(game.shared.state_of(state.clone()));
        let moves = self.play.as_deref().unwrap_or("");
        play_all(&game, &mut state, moves, |_, text| {
            line.steps.push(LineStep::Move(text.to_owned()));
        })?;
        Ok(line)
    }

    /// The state after a saved game, by the rules of the variant it names.
    fn after_save(&self, bytes: &[u8]) -> Result<(CompiledGame, State)> {
        let file = files::load(&self.file)?;
        let save = SaveFile::read_as(bytes, game::encoding_of(&file));
        let title = match (&self.variant, save.variant.as_str()) {
            (Some(wanted), "") => wanted,
            (Some(wanted), named) if wanted != named => bail!(
                "it is a game of `{}`, but --variant says `{}`",
                printable(named),
                printable(wanted)
            ),
            _ => game::variant_of(&save)?,
        };
        let game = game::open_in(file, &self.file, Some(title))?;
        let replay = zsg::replay(&save, Arc::clone(&game.rules), self.ply);
        if let Some(stop) = replay.stop {
            bail!("line {}: {}", stop.line, game::stop_text(&game, &stop.reason));
        }
        Ok((game, replay.state))
    }
}

/// Plays moves that are separated by semicolons; `before` is called with each one's full text.
pub(crate) fn play_all(
    game: &CompiledGame,
    state: &mut State,
    moves: &str,
    mut before: impl FnMut(&State, &str),
) -> Result<()> {
    let halted = |halt| game::halted(game, halt);
    for text in moves.split(';').map(str::trim).filter(|it| !it.is_empty()) {
        let list = state.legal_moves().map_err(halted)?;
        let meant = match state.find_in(&list, text) {
            Some(mv) => vec![mv],
            None => {
                let numbers = state.meant_in(&list, text).into_iter();
                numbers.filter_map(|it| list.get(it)).collect()
            }
        };
        if meant.len() > 1 {
            let texts: Vec<_> = meant.iter().map(|it| printable(&state.move_text(it))).collect();
            bail!("`{}` may mean {}", printable(text), texts.join(" | "));
        }
        let Some(mv) = meant.first().copied().cloned() else {
            if let Some(outcome) = state.outcome_given(&list).map_err(halted)? {
                bail!(
                    "`{}` cannot be played, the game is over: {}",
                    printable(text),
                    game::outcome_text(game, &outcome)
                );
            }
            let nearest: Vec<_> = state.nearest_in(&list, text, 3);
            let nearest: Vec<_> = nearest.iter().map(|it| printable(it)).collect();
            bail!(
                "`{}` is not legal; similar legal moves: {}",
                printable(text),
                nearest.join(" | ")
            );
        };
        before(state, &state.move_text(&mv));
        state.play_unchecked(&mv).map_err(halted)?;
    }
    Ok(())
}
