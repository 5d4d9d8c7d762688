//! The board that `boardwright render` draws: of a rule file, a preset, a record or a saved game.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use anyhow::{Context, Result, bail};
use boardwright_play::{
    Rules, State,
    zsg::{self, SaveFile},
};
use boardwright_preset::{Game, Preset, Record, SETTINGS_FILE};
use boardwright_render::{SceneSource, scene::Scene};
use boardwright_text::render::printable;

use crate::{files, game, out, preset, render::Args, replay, start};

/// Larger records are not read.
const MOST_BYTES: usize = 4 << 20;

/// A board, and what a preset says about drawing it.
pub(crate) struct DrawnBoard {
    pub scene: Scene,
    /// The preset's folder.
    pub folder: Option<PathBuf>,
    /// The piece set that the preset names.
    pub set: String,
    /// The preset's own list of labels and picture files.
    pub custom: String,
    /// The rules in words.
    pub rules: String,
    /// Whether the page of rules shows only pieces that are on the board.
    pub only_used: bool,
}

impl DrawnBoard {
    pub(crate) fn open(args: &Args) -> Result<DrawnBoard> {
        let path = &args.file;
        let is_preset = path.is_dir() || path.file_name().is_some_and(|it| it == SETTINGS_FILE);
        if is_preset {
            let folder = if path.is_dir() { path } else { path.parent().unwrap_or(path) };
            return of_preset(&preset::folder::open(path)?, Some(folder), args);
        }
        let ends = |end: &str| path.extension().is_some_and(|it| it.eq_ignore_ascii_case(end));
        if ends("zrf") {
            return of_rules(args);
        }
        if ends("zsg") {
            return of_save(args);
        }
        let bytes = files::read_bounded(path, MOST_BYTES)?;
        if bytes.starts_with(b"boardwright record") && bytes.len() <= MOST_BYTES {
            return of_record(&String::from_utf8_lossy(&bytes), args);
        }
        bail!(
            "{} is no rule file (.zrf), no folder of a preset, no record and no saved game (.zsg)",
            path.display()
        );
    }

    fn plain(scene: Scene) -> DrawnBoard {
        DrawnBoard {
            scene,
            folder: None,
            set: String::new(),
            custom: String::new(),
            rules: String::new(),
            only_used: false,
        }
    }
}

fn of_rules(args: &Args) -> Result<DrawnBoard> {
    let game = game::open(&args.file, args.variant.as_deref())?;
    let mut state = match &args.state {
        Some(text) => {
            let rules = Arc::new(Rules::new(Arc::clone(&game.ruleset)));
            State::from_text(rules, text).with_context(|| "--state".to_owned())?
        }
        None => State::start(Arc::clone(&game.ruleset)),
    };
    start::play_all(&game, &mut state, args.play.as_deref().unwrap_or(""), |_, _| {})?;
    Ok(with_description(Scene::of(&state, args.set.as_deref()), &state))
}

fn with_description(scene: Scene, state: &State) -> DrawnBoard {
    let description = state.ruleset().presentation.description.as_deref();
    // Rule files break paragraphs with a backslash.
    let rules = description.unwrap_or_default().replace('\\', "\n\n");
    DrawnBoard { rules, ..DrawnBoard::plain(scene) }
}

fn of_save(args: &Args) -> Result<DrawnBoard> {
    if args.state.is_some() {
        bail!("a saved game leads to its own state; --state is for rules and presets");
    }
    let path = &args.file;
    let bytes = game::read_save(path)?;
    let save = SaveFile::read(&bytes);
    let rules = replay::find_rules(path, args.rules.as_deref(), save.rules_name())?;
    let file = files::load(&rules)?;
    let save = SaveFile::read_as(&bytes, game::encoding_of(&file));
    let game = game::open_in(file, &rules, Some(game::variant_of(&save)?))?;
    let replay = zsg::replay(&save, Arc::new(Rules::new(Arc::clone(&game.ruleset))), None);
    if let Some(stop) = replay.stop {
        bail!("{}: line {}: {}", path.display(), stop.line, game::stop_text(&game, &stop.reason));
    }
    let mut state = replay.state;
    start::play_all(&game, &mut state, args.play.as_deref().unwrap_or(""), |_, _| {})?;
    Ok(with_description(Scene::of(&state, args.set.as_deref()), &state))
}

fn of_record(text: &str, args: &Args) -> Result<DrawnBoard> {
    let shown = args.file.display();
    let say = |error: String| anyhow::anyhow!("{shown}: {}", printable(&error));
    if args.state.is_some() {
        bail!("a record leads to its own state; --state is for rules and presets");
    }
    let record = Record::read(text).map_err(|it| say(it.to_string()))?;
    let (preset, folder) = match (&args.rules, record.bundle.clone()) {
        (Some(folder), _) => (preset::folder::open(folder)?, Some(folder.as_path())),
        (None, Some(bundle)) => {
            (Arc::new(Preset::new(bundle, &Default::default()).map_err(say)?), None)
        }
        (None, None) => bail!("{shown} does not bring its preset along; --rules names its folder"),
    };
    let mut game = record.replay(&preset).map_err(|it| say(it.to_string()))?;
    play(&mut game, args)?;
    Ok(source(Scene::of(&game, args.set.as_deref()), &preset, folder))
}

fn of_preset(preset: &Arc<Preset>, folder: Option<&Path>, args: &Args) -> Result<DrawnBoard> {
    if args.variant.is_some() {
        bail!("a preset has no variants");
    }
    let set = args.set.as_deref();
    let game = match Game::start(preset.clone(), args.seed) {
        Ok(game) => Some(game),
        // A board can be drawn before its code is right.
        Err(stop) => {
            let why = preset::explain(preset, &stop);
            if args.play.is_some() {
                bail!("the game cannot begin: {why}");
            }
            out::complain(&format!("drawn without its code, which stops: {why}"));
            None
        }
    };
    let scene = match (game, &args.state) {
        (game, Some(code)) => match SceneSource::forsythe(preset, game.as_ref(), code) {
            Ok(source) => Scene::of(source, set),
            Err(error) => bail!("--state: {}", printable(&error.to_string())),
        },
        (Some(mut game), None) => {
            play(&mut game, args)?;
            Scene::of(&game, set)
        }
        (None, None) => Scene::of(&**preset, set),
    };
    Ok(source(scene, preset, folder))
}

fn play(game: &mut Game, args: &Args) -> Result<()> {
    let turns = args.play.as_deref().unwrap_or("");
    for turn in turns.split(',').map(str::trim).filter(|it| !it.is_empty()) {
        if let Err(stop) = game.play(turn) {
            bail!("{}: {}", printable(turn), preset::explain(game.preset(), &stop));
        }
    }
    Ok(())
}

fn source(scene: Scene, preset: &Preset, folder: Option<&Path>) -> DrawnBoard {
    let settings = &preset.bundle.settings;
    DrawnBoard {
        scene,
        folder: folder.map(Path::to_owned),
        set: settings.get("set").trim().to_owned(),
        custom: settings.get("custom-set").to_owned(),
        rules: settings.get("rules").to_owned(),
        only_used: settings.is("only-used"),
    }
}
