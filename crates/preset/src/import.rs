//! Reads the original's settings: an address, a form, or a settings file.
//!
//! All three are read as data: keys and texts. Nothing is executed; what is not a
//! key with a text is skipped, and what is not understood is said.

mod forms;
mod sets;

pub use sets::set_index;

use crate::{
    bundle::Bundle,
    settings::{FIELDS, Field, Kind, Settings},
};

/// What an import gave.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Imported {
    /// The preset, without its include files.
    pub bundle: Bundle,
    /// How many fields were understood.
    pub n_fields: usize,
    /// What was not understood, one line each.
    pub report: Vec<String>,
}

/// Reads any of the forms: which one it is shows.
pub fn read(text: &str) -> Imported {
    let text = text.trim_start_matches('\u{feff}');
    let pairs = if text.contains("<?") || text.trim_start().starts_with('$') {
        forms::php(text)
    } else if text.trim_start().starts_with('<') {
        forms::html(text)
    } else {
        forms::query(text)
    };
    gather(pairs)
}

fn gather(pairs: Vec<(String, String)>) -> Imported {
    let mut imported = Imported::default();
    if pairs.is_empty() {
        imported.report.push("no settings were found in the text".to_owned());
    }
    for (key, value) in pairs {
        let plain = key.to_lowercase();
        // What belongs to the page and not to the game.
        if matches!(plain.as_str(), "submit" | "password" | "pass" | "showcode" | "do") {
            continue;
        }
        let is_meant = |it: &&Field| it.key == plain || it.aliases.contains(&plain.as_str());
        let Some(field) = FIELDS.iter().find(is_meant) else {
            imported.report.push(format!("`{}` is not a setting that we know", shorten(&key)));
            continue;
        };
        let value = translate(field, &value);
        match imported.bundle.settings.set(field, &value) {
            Ok(()) => imported.n_fields += 1,
            Err(message) => imported.report.push(message),
        }
    }
    warn(&mut imported);
    imported
}

/// The original's words for a value, as ours.
fn translate(field: &Field, value: &str) -> String {
    let value = value.replace("\r\n", "\n");
    match field.kind {
        Kind::Code | Kind::Lines => value.trim_end().to_owned(),
        Kind::Truth => {
            let says_no =
                matches!(value.trim().to_lowercase().as_str(), "" | "0" | "no" | "false" | "off");
            (if says_no { "no" } else { "yes" }).to_owned()
        }
        Kind::Number => {
            let digits = value.trim().trim_end_matches(['%', 'p', 'x', 't']).trim();
            if digits.is_empty() { field.default.to_owned() } else { digits.to_owned() }
        }
        Kind::Choice(_) => choice(value.trim()),
        // Blanks between labels count, those around them do not.
        Kind::Text if matches!(field.key, "files" | "ranks" | "patterns") => {
            value.trim_matches(['\n', '\t']).to_owned()
        }
        Kind::Text => value.trim().to_owned(),
    }
}

fn choice(value: &str) -> String {
    let plain = value.to_lowercase().replace([' ', '_'], "-");
    match plain.as_str() {
        "hex" | "horizontal-hexagonal" | "hexagonal" | "horhex" => "hex-horizontal",
        "vertical-hexagonal" | "vhex" | "verhex" => "hex-vertical",
        "circle" | "round" => "circular",
        "custom-grid" => "grid",
        "custom-coordinates" | "coordinates" | "custom-board" => "custom",
        "jpeg" => "jpg",
        "html" => "table",
        other => other,
    }
    .to_owned()
}

/// Says where our reading of the code may surprise its author.
fn warn(imported: &mut Imported) {
    let settings: &Settings = &imported.bundle.settings;
    let mut labels: Vec<String> = Vec::new();
    let columns = settings.number("columns").max(1);
    if let Ok(cells) = boardwright_gamecode::forsythe::read(settings.get("code"), columns) {
        for cell in cells {
            if let boardwright_gamecode::ForsytheCell::Piece(label) = cell
                && !labels.contains(&label)
            {
                labels.push(label);
            }
        }
    }
    for label in labels {
        if boardwright_gamecode::operators().any(|it| it == label) {
            let message =
                format!("the piece `{label}` has the name of an operator; quote it in code");
            imported.report.push(message);
        }
    }
}

fn shorten(text: &str) -> String {
    text.chars().filter(|it| !it.is_control()).take(40).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_read() {
        let imported = read(
            "https://pond.example/play?game=Pond+Chess&settings=wolves&cols=4&code=r2k%2f4%2fR2K\
             &board=10.01.&scale=75%25&shape=Vertical+Hexagonal&wolf=1&submit=Edit",
        );
        let settings = &imported.bundle.settings;
        assert_eq!(settings.get("game"), "Pond Chess");
        assert_eq!(settings.get("code"), "r2k/4/R2K");
        assert_eq!(settings.number("scale"), 75);
        assert_eq!(settings.get("shape"), "hex-vertical");
        assert_eq!(imported.report, ["`wolf` is not a setting that we know"]);
    }

    #[test]
    fn a_settings_file_is_read_and_not_run() {
        let imported = read(
            "<?php\n$default['game'] = 'Pond';\n$default[\"cols\"] = 5;\n\
             $default['pregame'] = <<<'NOW'\nset a 1;\nsay $x;\nNOW;\n\
             system('rm');\n$default['files'] = \"a b  !h\";\n$default['oops'] = foo();\n?>",
        );
        let settings = &imported.bundle.settings;
        assert_eq!(settings.get("pre-game"), "set a 1;\nsay $x;");
        assert_eq!(settings.get("files"), "a b  !h");
        assert_eq!(settings.number("columns"), 5);
        assert_eq!(imported.n_fields, 4);
    }

    #[test]
    fn a_form_is_read() {
        let imported = read(
            "<form action=play method=post><input type=hidden name=game value=\"Pond &amp; Wolf\">\
             <INPUT TYPE=\"hidden\" NAME='cols' VALUE='6'><textarea name=\"pregame\">set a &lt; 1;\n</textarea>\
             <input type=submit name=submit value=Play></form>",
        );
        let settings = &imported.bundle.settings;
        assert_eq!(settings.get("game"), "Pond & Wolf");
        assert_eq!(settings.number("columns"), 6);
        assert_eq!(settings.get("pre-game"), "set a < 1;");
        assert!(imported.report.is_empty(), "{:?}", imported.report);
    }

    #[test]
    fn nonsense_gives_a_report() {
        for text in
            ["", "<", "<?", "$", "&&&=&", "%%%", "<input", "$default['a", "<<<", "$a = <<<'X'\n"]
        {
            assert!(!read(text).report.is_empty(), "{text}");
        }
    }
}
