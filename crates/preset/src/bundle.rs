//! A preset with all that it needs: settings, code and included files.
//!
//! A bundle is what a record refers to: its hash names it for ever, so that a
//! preset that is changed later does not change the games played with it.

use boardwright_gamecode::CodeFiles;

use crate::{
    settings::{FIELDS, Field, Kind, Note, Settings},
    sha256,
};

/// Gives the files of a preset's folder, and those that it includes.
pub trait Folder {
    /// The text of a file in the folder, if it is there.
    fn file(&mut self, name: &str) -> Option<String>;
    /// The text of an include file, if there is one of that name.
    fn include(&mut self, name: &str) -> Option<String>;
}

/// A preset and everything it includes.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Bundle {
    /// The settings, code fields among them.
    pub settings: Settings,
    /// Included files by name, sorted.
    pub includes: Vec<(String, String)>,
}

/// The file of settings in a preset's folder.
pub const SETTINGS_FILE: &str = "preset.txt";

impl Bundle {
    /// Reads a preset's folder; what was not understood is said.
    pub fn open(folder: &mut dyn Folder) -> (Bundle, Vec<Note>) {
        let text = folder.file(SETTINGS_FILE);
        let mut notes = Vec::new();
        if text.is_none() {
            notes.push(Note { line: 0, message: format!("there is no `{SETTINGS_FILE}`") });
        }
        let (mut settings, more) = Settings::read(&text.unwrap_or_default());
        notes.extend(more);
        for field in FIELDS {
            if let Some(text) = file_name(field).and_then(|it| folder.file(&it))
                && let Err(message) = settings.set(field, text.trim_end())
            {
                notes.push(Note { line: 0, message });
            }
        }
        let mut bundle = Bundle { settings, includes: Vec::new() };
        bundle.gather(folder);
        (bundle, notes)
    }

    /// The files of a folder that holds this preset.
    pub fn files(&self) -> Vec<(String, String)> {
        let mut rest = self.settings.clone();
        let mut files = Vec::new();
        for field in FIELDS {
            let Some(name) = file_name(field) else { continue };
            let value = self.settings.get(field.key);
            if !value.is_empty() {
                files.push((name, format!("{value}\n")));
                // A field without a value is never refused.
                let _ = rest.set(field, field.default);
            }
        }
        files.insert(0, (SETTINGS_FILE.to_owned(), rest.write(false)));
        files
    }

    /// Finds the include files that the code names, and what these name; those that are
    /// there already are asked for again.
    pub fn gather(&mut self, folder: &mut dyn Folder) {
        self.includes.clear();
        let code = FIELDS.iter().filter(|it| it.kind == Kind::Code);
        let mut texts: Vec<String> = code.map(|it| self.settings.get(it.key).to_owned()).collect();
        while let Some(text) = texts.pop() {
            for name in includes(&text) {
                let is_new = !self.includes.iter().any(|it| it.0 == name);
                if is_new
                    && self.includes.len() < 100
                    && let Some(text) = folder.include(&name)
                {
                    texts.push(text.clone());
                    self.includes.push((name, text));
                }
            }
        }
        self.includes.sort();
    }

    /// The name of what the preset holds.
    pub fn hash(&self) -> String {
        sha256::hex(self.write().as_bytes())
    }

    /// The preset as one text.
    pub fn write(&self) -> String {
        let mut out = self.settings.write(true);
        for (name, text) in &self.includes {
            out.push_str(&format!("include {name}:\n"));
            for line in text.lines() {
                out.push_str(&format!("  {}\n", line.trim_end()));
            }
        }
        out
    }

    /// Reads what [`Bundle::write`] writes.
    pub fn read(text: &str) -> (Bundle, Vec<Note>) {
        let start = text.find("\ninclude ").map(|it| it + 1);
        let start = if text.starts_with("include ") { Some(0) } else { start };
        let (head, tail) = text.split_at(start.unwrap_or(text.len()));
        let (settings, notes) = Settings::read(head);
        let mut includes: Vec<(String, String)> = Vec::new();
        for line in tail.lines() {
            let header = line.strip_prefix("include ").and_then(|it| it.strip_suffix(':'));
            match (header, includes.last_mut()) {
                (Some(name), _) => includes.push((name.to_owned(), String::new())),
                (None, Some((_, text))) => {
                    text.push_str(line.strip_prefix("  ").unwrap_or(line));
                    text.push('\n');
                }
                (None, None) => {}
            }
        }
        (Bundle { settings, includes }, notes)
    }
}

impl CodeFiles for Bundle {
    fn include(&mut self, name: &str) -> Option<(String, Vec<u8>)> {
        let file = self.includes.iter().find(|it| it.0 == name)?;
        Some((format!("{name}.gc"), file.1.clone().into_bytes()))
    }
}

/// The file that a field has for itself.
fn file_name(field: &Field) -> Option<String> {
    match field.kind {
        Kind::Code => Some(format!("{}.gc", field.key)),
        Kind::Lines if field.key == "rules" => Some("rules.md".to_owned()),
        _ => None,
    }
}

/// The names that `include` statements give.
fn includes(text: &str) -> Vec<String> {
    let mut names = Vec::new();
    for line in text.lines() {
        let line = line.split("//").next().unwrap_or("");
        for statement in line.split(';') {
            let mut words = statement.split_whitespace();
            if words.next() == Some("include") {
                names.extend(words.map(|it| it.trim_matches('"').to_owned()));
            }
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Pond;

    impl Folder for Pond {
        fn file(&mut self, name: &str) -> Option<String> {
            let text = match name {
                "preset.txt" => "game: Pond\n",
                "pre-game.gc" => "include wolves; // sheep\nset a 1;\n",
                "rules.md" => "Wolves eat sheep.\n",
                _ => return None,
            };
            Some(text.to_owned())
        }

        fn include(&mut self, name: &str) -> Option<String> {
            match name {
                "wolves" => Some("include deep;\n\n  def W 1;\n".to_owned()),
                "deep" => Some("include wolves;\n".to_owned()),
                _ => None,
            }
        }
    }

    #[test]
    fn a_field_of_nothing_but_blanks_keeps_the_hash() {
        let (bundle, _) = Bundle::read("game: Pond \ncoordinates:  \nshape: custom\n");
        assert_eq!(bundle.settings.get("game"), "Pond");
        assert_eq!(Bundle::read(&bundle.write()).0.hash(), bundle.hash());
    }

    #[test]
    fn a_folder_becomes_a_bundle_and_back() {
        let (bundle, notes) = Bundle::open(&mut Pond);
        assert!(notes.is_empty());
        assert_eq!(bundle.settings.get("rules"), "Wolves eat sheep.");
        let names: Vec<_> = bundle.includes.iter().map(|it| it.0.as_str()).collect();
        assert_eq!(names, ["deep", "wolves"]);
        let (again, notes) = Bundle::read(&bundle.write());
        assert!(notes.is_empty());
        assert_eq!(again, bundle);
        assert_eq!(again.hash(), bundle.hash());
        let files: Vec<_> = bundle.files().into_iter().map(|it| it.0).collect();
        assert_eq!(files, ["preset.txt", "pre-game.gc", "rules.md"]);
    }
}
