//! A preset's settings: every field of the original's edit page, by key.
//!
//! The text form is one `key: value` a line; what belongs to a value over several
//! lines is indented below its key. A value keeps its inner blanks, since two
//! blanks in a list of labels mean something. Keys left out have their default.

use std::{collections::BTreeMap, fmt::Write as _};

use boardwright_text::nearest;

/// What kind of value a field takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// One line of text.
    Text,
    /// A whole number.
    Number,
    /// `yes` or `no`.
    Truth,
    /// One of these words.
    Choice(&'static [&'static str]),
    /// Several lines of text.
    Lines,
    /// GAME Code, in a file of its own.
    Code,
}

/// One field.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Field {
    /// The key it has in our text form.
    pub key: &'static str,
    /// What the edit page calls it.
    pub title: &'static str,
    /// What it takes.
    pub kind: Kind,
    /// What it is when left out.
    pub default: &'static str,
    /// Whether it changes only how the game looks, so that any user may change it.
    pub is_look: bool,
    /// Other keys that the original's settings files have for it.
    pub aliases: &'static [&'static str],
}

/// The six shapes of boards.
pub const SHAPES: &[&str] =
    &["square", "hex-horizontal", "hex-vertical", "circular", "grid", "custom"];

/// The ways to draw a board.
pub const METHODS: &[&str] = &["ascii", "table", "css", "png", "gif", "jpg", "svg"];

const fn field(
    key: &'static str,
    title: &'static str,
    kind: Kind,
    default: &'static str,
    aliases: &'static [&'static str],
) -> Field {
    Field { key, title, kind, default, is_look: false, aliases }
}

const fn look(
    key: &'static str,
    title: &'static str,
    kind: Kind,
    default: &'static str,
    aliases: &'static [&'static str],
) -> Field {
    Field { key, title, kind, default, is_look: true, aliases }
}

/// Every field, in the order in which it is written.
pub const FIELDS: &[Field] = &[
    field("game", "Game", Kind::Text, "Chess", &["submitgame"]),
    field("settings", "Settings", Kind::Text, "default", &[]),
    field("author", "Userid", Kind::Text, "", &["userid"]),
    field("rules-url", "Rules URL", Kind::Text, "", &["rulesurl", "rules_url"]),
    field("redirect", "Redirect", Kind::Text, "", &[]),
    field("shape", "Shape", Kind::Choice(SHAPES), "square", &[]),
    field("code", "FEN Code", Kind::Text, "rnbqkbnrpppppppp32PPPPPPPPRNBQKBNR", &["fen"]),
    field("columns", "Max Columns", Kind::Number, "8", &["cols"]),
    field("files", "Files", Kind::Text, "", &[]),
    field("ranks", "Rank Labels", Kind::Text, "", &[]),
    field("coordinates", "Positions", Kind::Lines, "", &["positions"]),
    field("sides", "Sides", Kind::Text, "White Black", &[]),
    field("side", "Side", Kind::Text, "", &[]),
    look("render", "Render as", Kind::Choice(METHODS), "table", &["method"]),
    look("group", "Set Group", Kind::Text, "", &["setgroup"]),
    look("set", "Set", Kind::Text, "default", &["pieceset"]),
    look("custom-set", "Custom Sets", Kind::Lines, "", &["customset", "custom_sets"]),
    look("pattern", "Checker Pattern", Kind::Text, "10.01.", &["board"]),
    look("colors", "Colors", Kind::Text, "339933 CCCC11 22CC22 9999FF", &["colours"]),
    look("hex-colors", "Hex Colors", Kind::Text, "red green blue", &["hexcolors", "hexcolours"]),
    look("patterns", "Patterns", Kind::Text, "-:+ ", &[]),
    look("background", "Background", Kind::Text, "", &["bg", "bgimage"]),
    look("background-2", "Second Background", Kind::Text, "", &["bg2", "bgimage2"]),
    look("same-size", "Same Size", Kind::Truth, "no", &["samesize"]),
    look("border-color", "Border Color", Kind::Text, "", &["bcolor", "bordercolor"]),
    look("border-size", "Border Size", Kind::Number, "0", &["bsize", "bordersize"]),
    look("text-color", "Text Color", Kind::Text, "", &["tcolor", "textcolor"]),
    look("highlight-color", "Highlight Color", Kind::Text, "", &["hcolor", "highlight"]),
    look("next-file", "Next File", Kind::Text, "50 0", &["nextfile"]),
    look("next-rank", "Next Rank", Kind::Text, "0 50", &["nextrank"]),
    look("font", "Font", Kind::Text, "", &[]),
    look("point", "Point Size", Kind::Number, "12", &["pointsize"]),
    look("scale", "Scale", Kind::Number, "100", &[]),
    look("quality", "JPG Quality", Kind::Number, "75", &[]),
    look("max-colors", "Max Colors", Kind::Number, "256", &["maxcolors"]),
    look("only-used", "Exclude Pieces not in Setup", Kind::Truth, "no", &["onlyused", "exclude"]),
    field("ignore-labels", "Bypass Error Check on Piece Label", Kind::Truth, "no", &["bypass"]),
    field("skip-first-move", "Skip First Move", Kind::Truth, "no", &["skipfirst", "skip"]),
    field("no-moves", "Do Not Include Moves in Code", Kind::Truth, "no", &["nomoves"]),
    field("initial-moves", "Initial Moves", Kind::Lines, "", &["initialmoves", "initial"]),
    field("pieces", "Pieces", Kind::Lines, "", &[]),
    field("pre-game", "Pre-Game", Kind::Code, "", &["pregame", "pre"]),
    field("pre-move-1", "Pre-Move 1", Kind::Code, "", &["premove1", "pre1", "preauto1"]),
    field("pre-move-2", "Pre-Move 2", Kind::Code, "", &["premove2", "pre2", "preauto2"]),
    field("post-move-1", "Post-Move 1", Kind::Code, "", &["postmove1", "post1", "postauto1"]),
    field("post-move-2", "Post-Move 2", Kind::Code, "", &["postmove2", "post2", "postauto2"]),
    field("post-game-1", "Post-Game 1", Kind::Code, "", &["postgame1"]),
    field("post-game-2", "Post-Game 2", Kind::Code, "", &["postgame2"]),
    field("rules", "Rules", Kind::Lines, "", &["minirules"]),
];

impl Field {
    /// The field with this key.
    pub fn named(key: &str) -> Option<&'static Field> {
        FIELDS.iter().find(|it| it.key == key)
    }

    /// What is wrong with a value for it, if anything is.
    pub fn problem(&self, value: &str) -> Option<String> {
        match self.kind {
            Kind::Number if value.trim().parse::<u32>().is_err() => {
                Some(format!("`{}` takes a number, not `{value}`", self.key))
            }
            Kind::Truth if !matches!(value, "yes" | "no") => {
                Some(format!("`{}` takes `yes` or `no`, not `{value}`", self.key))
            }
            Kind::Choice(words) if !words.contains(&value) => {
                let words = words.join(", ");
                Some(format!("`{}` takes one of {words}; not `{value}`", self.key))
            }
            _ => None,
        }
    }
}

/// All settings of a preset.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Settings {
    /// Only what differs from the default.
    values: BTreeMap<&'static str, String>,
}

impl Settings {
    /// The value of a field; nothing has no key.
    pub fn get(&self, key: &str) -> &str {
        match self.values.get(key) {
            Some(value) => value,
            None => Field::named(key).map_or("", |it| it.default),
        }
    }

    /// Sets a field; the problem, if it does not take the value.
    pub fn set(&mut self, field: &'static Field, value: &str) -> Result<(), String> {
        if let Some(problem) = field.problem(value) {
            return Err(problem);
        }
        let value = tidy(value);
        if value == field.default {
            self.values.remove(field.key);
        } else {
            self.values.insert(field.key, value);
        }
        Ok(())
    }

    /// A number; the default where it is none.
    pub fn number(&self, key: &str) -> usize {
        self.get(key).trim().parse().unwrap_or(0)
    }

    /// Whether a yes-or-no field says yes.
    pub fn is(&self, key: &str) -> bool {
        self.get(key) == "yes"
    }

    /// The names of the two sides.
    pub fn sides(&self) -> [&str; 2] {
        let mut names = self.get("sides").split_whitespace();
        [names.next().unwrap_or("White"), names.next().unwrap_or("Black")]
    }

    /// The labels of pieces with their names, as the field `pieces` lists them.
    pub fn pieces(&self) -> Vec<(&str, &str)> {
        let lines = self.get("pieces").lines().filter_map(|it| {
            let (label, name) = it.trim().split_once(char::is_whitespace)?;
            Some((label, name.trim()))
        });
        lines.collect()
    }

    /// The name as files and links have it: lower case, plain letters, no blanks.
    pub fn game_id(&self) -> String {
        let chars = self.get("game").chars().flat_map(char::to_lowercase).map(|it| match it {
            'à'..='å' => 'a',
            'ç' => 'c',
            'è'..='ë' => 'e',
            'ì'..='ï' => 'i',
            'ñ' => 'n',
            'ò'..='ö' => 'o',
            'ù'..='ü' => 'u',
            'ý' | 'ÿ' => 'y',
            it if it.is_whitespace() => '_',
            it => it,
        });
        chars.filter(char::is_ascii).collect()
    }

    /// Reads the text form; what was not understood is said, and the rest kept.
    pub fn read(text: &str) -> (Settings, Vec<Note>) {
        let mut settings = Settings::default();
        let mut notes = Vec::new();
        let mut lines = text.lines().enumerate().peekable();
        while let Some((idx, line)) = lines.next() {
            let mut note = |message| notes.push(Note { line: idx + 1, message });
            if line.trim().is_empty() || line.starts_with('#') {
                continue;
            }
            let Some((key, value)) = line.split_once(':') else {
                note(format!("`{}` is no `key: value`", shorten(line)));
                continue;
            };
            let value = value.strip_prefix(' ').unwrap_or(value).trim_end_matches('\r');
            let mut value = value.to_owned();
            while let Some((_, more)) = lines.next_if(|it| it.1.starts_with([' ', '\t'])) {
                let more = more.strip_prefix("  ").unwrap_or(more.trim_start());
                if !value.is_empty() {
                    value.push('\n');
                }
                value.push_str(more.trim_end());
            }
            match Field::named(key.trim()) {
                Some(field) => {
                    if let Err(message) = settings.set(field, &value) {
                        note(message);
                    }
                }
                None => {
                    let keys = FIELDS.iter().map(|it| it.key);
                    let hint = nearest(key.trim(), keys);
                    let hint = hint.map_or(String::new(), |it| format!("; did you mean `{it}`?"));
                    note(format!("there is no setting `{}`{hint}", shorten(key.trim())));
                }
            }
        }
        (settings, notes)
    }

    /// Writes the text form; code fields are left to files of their own unless asked for.
    pub fn write(&self, with_code: bool) -> String {
        let mut out = String::new();
        for field in FIELDS {
            let Some(value) = self.values.get(field.key) else { continue };
            if field.kind == Kind::Code && !with_code {
                continue;
            }
            let needs_lines =
                value.contains('\n') || matches!(field.kind, Kind::Lines | Kind::Code);
            if needs_lines {
                let _ = writeln!(out, "{}:", field.key);
                for line in value.lines() {
                    let _ = writeln!(out, "  {}", line.trim_end());
                }
            } else {
                let _ = writeln!(out, "{}: {value}", field.key);
            }
        }
        out
    }

    /// These settings with another's looks laid over them.
    pub fn customized(&self, other: &Settings) -> Settings {
        let mut all = self.clone();
        for field in FIELDS.iter().filter(|it| it.is_look) {
            if let Some(value) = other.values.get(field.key) {
                all.values.insert(field.key, value.clone());
            }
        }
        all
    }
}

/// A value without blanks at the ends of its lines and without blank lines around it,
/// so that writing and reading it gives the same again.
fn tidy(value: &str) -> String {
    if !value.contains('\n') {
        return value.trim_end().to_owned();
    }
    let lines: Vec<_> = value.lines().map(str::trim_end).collect();
    let start = lines.iter().position(|it| !it.is_empty()).unwrap_or(lines.len());
    let end = lines.iter().rposition(|it| !it.is_empty()).map_or(start, |it| it + 1);
    lines.get(start..end).unwrap_or(&[]).join("\n")
}

/// Something that was not understood, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Note {
    /// The line, from one.
    pub line: usize,
    /// What it is.
    pub message: String,
}

pub(crate) fn shorten(text: &str) -> String {
    text.chars().take(40).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_read_back() {
        let text =
            "game: Pond Chess\nfiles: a b  !h\ncoordinates:\n  a1 0 50\n  b1 50 50\ncolumns: 4\n";
        let (settings, notes) = Settings::read(text);
        assert!(notes.is_empty(), "{notes:?}");
        assert_eq!(settings.get("files"), "a b  !h");
        assert_eq!(settings.get("coordinates"), "a1 0 50\nb1 50 50");
        assert_eq!(settings.number("columns"), 4);
        assert_eq!(settings.get("scale"), "100");
        assert_eq!(Settings::read(&settings.write(true)), (settings, Vec::new()));
    }

    #[test]
    fn blank_lines_around_a_value_do_not_count() {
        let (settings, _) = Settings::read("rules:\n  \n  one \n  \n  two\n  \n  \n");
        assert_eq!(settings.get("rules"), "one\n\ntwo");
        let (again, _) = Settings::read(&settings.write(true));
        assert_eq!(again.write(true), settings.write(true));
    }

    #[test]
    fn what_is_not_understood_is_said() {
        let (_, notes) = Settings::read("colums: 8\nshape: round\ncolumns: many\nwolf");
        let messages: Vec<_> = notes.iter().map(|it| it.message.as_str()).collect();
        assert_eq!(
            messages,
            [
                "there is no setting `colums`; did you mean `columns`?",
                "`shape` takes one of square, hex-horizontal, hex-vertical, circular, grid, custom; \
                 not `round`",
                "`columns` takes a number, not `many`",
                "`wolf` is no `key: value`",
            ]
        );
    }

    #[test]
    fn names_become_ids() {
        let mut settings = Settings::default();
        let game = Field::named("game").expect("is a field");
        settings.set(game, "Yáng Qí").expect("takes it");
        assert_eq!(settings.game_id(), "yang_qi");
    }

    #[test]
    fn looks_are_all_that_customizing_changes() {
        let (base, _) = Settings::read("game: Pond\nscale: 80\n");
        let (own, _) = Settings::read("game: Mine\nscale: 50\nset: wolves\n");
        let both = base.customized(&own);
        assert_eq!(
            (both.get("game"), both.get("scale"), both.get("set")),
            ("Pond", "50", "wolves")
        );
    }

    #[test]
    fn keys_are_used_once() {
        let mut keys: Vec<_> = FIELDS
            .iter()
            .flat_map(|it| std::iter::once(it.key).chain(it.aliases.iter().copied()))
            .collect();
        let n_keys = keys.len();
        keys.sort_unstable();
        keys.dedup();
        assert_eq!(keys.len(), n_keys);
    }
}
