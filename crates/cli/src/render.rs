//! `boardwright render`: a board as a picture, of either kind of game.

use std::{
    fs,
    io::{self, Write},
    path::{Path, PathBuf},
    process::ExitCode,
};

use anyhow::{Context, Result, bail};
use boardwright_picture::{Format, Rasterizer};
use boardwright_render::{
    html,
    pictures::{INDEX_FILE, Pictures},
    scene::Scene,
    svg::Theme,
    text_board::{TextForm, text_board},
};
use boardwright_text::render::printable;
use clap::ValueEnum;

use crate::{files::read_bounded, out, source::DrawnBoard};

/// Draw a board: of a rule file, a preset, a record or a saved game.
///
/// Text is printed unless --out names a file. The end of its name chooses the method
/// if --method does not.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// A rule file, the folder of a preset, a record, or a saved game
    pub file: PathBuf,
    /// How to draw it
    #[arg(long, value_enum)]
    method: Option<Method>,
    /// The file to write
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// The title of a variant, of a rule file with several
    #[arg(long, value_name = "TITLE")]
    pub variant: Option<String>,
    /// Draw it as the second player sees it
    #[arg(long)]
    flip: bool,
    /// Another state: Forsythe code for a preset, the text of `show --text` for a rule file
    #[arg(long, value_name = "TEXT", conflicts_with = "play")]
    pub state: Option<String>,
    /// Moves to play first: parted by semicolons, or commas for a preset
    #[arg(long, value_name = "MOVES")]
    pub play: Option<String>,
    /// What dice and shuffles of a preset grow from
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// The preset or the rules of a record or a save, if they are not found by themselves
    #[arg(long, value_name = "PATH")]
    pub rules: Option<PathBuf>,
    /// Per cent of the usual size, where a cell has 50 pixels
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=1000))]
    scale: Option<u32>,
    /// The piece set: `characters`, `latin`, `letters`, or a folder with a `set.txt`
    #[arg(long, value_name = "NAME")]
    pub set: Option<String>,
    /// The colours: walnut, baize, slate or ink; without it, a preset's own
    #[arg(long, value_name = "NAME")]
    theme: Option<String>,
}

/// Ways to draw a board.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
enum Method {
    /// A diagram in letters
    Ascii,
    /// A page with a table
    #[value(alias = "html")]
    Table,
    /// A page with pieces laid over a picture
    Css,
    /// A vector picture
    Svg,
    /// A picture of all colours
    Png,
    /// A picture of few colours
    Gif,
    /// A picture as cameras make them
    #[value(alias = "jpeg")]
    Jpg,
    /// A page with the rules in short and all pieces
    Minirules,
}

impl Method {
    /// Whether a file whose name asks for this one may hold another.
    fn may_be_named_as(self, other: Method) -> bool {
        let is_page = |it| matches!(it, Method::Table | Method::Css | Method::Minirules);
        self == other || (is_page(self) && is_page(other))
    }

    /// What the end of a file's name asks for.
    fn of_file(path: &Path) -> Option<Method> {
        let end = path.extension()?.to_str()?.to_ascii_lowercase();
        Some(match end.as_str() {
            "txt" => Method::Ascii,
            "html" | "htm" => Method::Table,
            "svg" => Method::Svg,
            "png" => Method::Png,
            "gif" => Method::Gif,
            "jpg" | "jpeg" => Method::Jpg,
            _ => return None,
        })
    }
}

pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let method = match (&args.method, &args.out) {
        (Some(method), _) => *method,
        (None, Some(out)) => Method::of_file(out).with_context(|| {
            format!("{} does not end as a picture does; --method chooses one", out.display())
        })?,
        (None, None) => Method::Ascii,
    };
    if let Some(out) = &args.out
        && let Some(other) = Method::of_file(out).filter(|it| !it.may_be_named_as(method))
    {
        let name = |it: Method| {
            it.to_possible_value().map_or(String::new(), |it| it.get_name().to_owned())
        };
        let (wanted, named) = (name(method), name(other));
        out::complain(&format!(
            "{} will hold {wanted}, though its name says {named}",
            out.display()
        ));
    }
    let source = DrawnBoard::open(args)?;
    let mut scene = source.scene;
    if let Some(name) = &args.theme {
        let names = Theme::ALL.map(Theme::name).join(", ");
        let theme = Theme::named(name);
        let theme = theme.with_context(|| format!("no theme is called that; there are {names}"))?;
        scene.finish.options.theme = theme;
        scene.finish.own_colours = false;
    }
    if let Some(scale) = args.scale {
        scene.finish.scale = scale;
    }
    if args.flip {
        scene.flip();
    }
    choose_pictures(args, source.folder.as_deref(), &source.set, &source.custom, &mut scene)?;
    let bytes = match method {
        Method::Ascii => text_board(&scene, TextForm::Diagram).into_bytes(),
        Method::Table => html::table(&scene).into_bytes(),
        Method::Css => html::overlay(&scene).into_bytes(),
        Method::Svg => scene.svg().into_bytes(),
        Method::Minirules => html::minirules(&scene, &source.rules, source.only_used).into_bytes(),
        Method::Png => raster(&scene, Format::Png, args)?,
        Method::Gif => raster(&scene, Format::Gif, args)?,
        Method::Jpg => raster(&scene, Format::Jpg, args)?,
    };
    match &args.out {
        Some(path) => {
            fs::write(path, bytes).with_context(|| format!("cannot write {}", path.display()))?;
        }
        None => io::stdout().lock().write_all(&bytes)?,
    }
    Ok(ExitCode::SUCCESS)
}

fn raster(scene: &Scene, format: Format, args: &Args) -> Result<Vec<u8>> {
    if args.out.is_none() {
        bail!("a picture of pixels needs a file; --out names it");
    }
    let drawn = Rasterizer::new().draw(scene);
    let picture = drawn.with_context(|| "a smaller --scale may help".to_owned())?;
    Ok(picture.encode(format, &scene.finish)?)
}

/// Lets a folder's pictures take the place of drawings, if the set is one.
fn choose_pictures(
    args: &Args,
    folder: Option<&Path>,
    set: &str,
    custom: &str,
    scene: &mut Scene,
) -> Result<()> {
    let chosen = args.set.as_deref();
    let (path, index) = match chosen {
        Some(name) if Path::new(name).join(INDEX_FILE).is_file() => (PathBuf::from(name), None),
        Some(name) if !["default", "turned", "characters", "latin", "letters"].contains(&name) => {
            bail!(
                "`{}` is neither a set of ours (characters, latin, letters) nor a folder with a `{INDEX_FILE}`",
                printable(name)
            );
        }
        Some(_) => return Ok(()),
        // The preset's own: a list in its settings, or a folder in its folder.
        None => match folder {
            Some(folder) if !custom.trim().is_empty() => {
                let lines: Vec<String> = custom.lines().map(|it| format!("  {it}")).collect();
                (folder.to_owned(), Some(format!("pieces:\n{}\n", lines.join("\n"))))
            }
            Some(folder) if is_plain(set) && folder.join(set).join(INDEX_FILE).is_file() => {
                (folder.join(set), None)
            }
            _ => return Ok(()),
        },
    };
    let index = match index {
        Some(it) => it,
        None => {
            let bytes = read_bounded(&path.join(INDEX_FILE), 1 << 20)?;
            String::from_utf8_lossy(&bytes).into_owned()
        }
    };
    let root = path.canonicalize().with_context(|| format!("cannot open {}", path.display()))?;
    let mut file = |name: &str| {
        // A link may lead out of the folder.
        let real = root.join(name).canonicalize().ok().filter(|it| it.starts_with(&root))?;
        read_bounded(&real, boardwright_render::pictures::MOST_BYTES).ok()
    };
    let (pictures, notes) = Pictures::read(&index, &mut file);
    for note in &notes {
        out::complain(&format!(
            "{}: {}",
            path.join(INDEX_FILE).display(),
            printable(&note.to_string())
        ));
    }
    if pictures.is_empty() {
        bail!("{} has no picture that can be used", path.display());
    }
    scene.take_pictures(&pictures, args.flip);
    Ok(())
}

fn is_plain(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|it| it.is_ascii_alphanumeric() || it == '-' || it == '_')
}
