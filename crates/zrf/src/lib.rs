//! ZRF, the rule language of Zillions of Games: text to [`Ruleset`]s.
//!
//! [`load`] reads a rule file into a [`RuleFile`]; [`RuleFile::compile`] makes
//! one of its variants playable. Nothing here fails: what is wrong with the
//! text is in [`RuleFile::diagnostics`], and a variant without errors is a
//! ruleset. Files other than the first come through [`Files`], so this crate
//! touches no disk.
//!
//! The way of a file: `lex` and `read` make lists of it, `expand` walks them
//! with macros expanded, `file` finds games and variants, `compile` puts a
//! variant together from `board`, `code` and `goal`.

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic))]

mod board;
mod budget;
mod code;
mod compile;
mod errors;
mod expand;
mod file;
mod goal;
mod lex;
mod limits;
mod lookup;
mod options;
mod print;
mod read;
mod sink;
mod strings;
mod symbol;
mod texts;
mod tree;
mod vocab;
mod words;

use std::sync::Arc;

use boardwright_game::Ruleset;
use boardwright_text::{Diagnostic, Encoding, FileId, Sources, Span};

pub use errors::CODES;
pub use limits::CompileLimits;
pub use options::option_names;
pub use words::keywords;

use budget::Budget;
use compile::Cache;
use expand::Expander;
use file::Contents;
use sink::Sink;
use symbol::Interner;
use vocab::{FileNames, FlagKind};
use words::Kw;

/// Gives the files that a rule file includes.
pub trait Files {
    /// The file that `path`, written in the file called `from`, means.
    ///
    /// Implementations let no path leave the folder of the rule file.
    fn include(&mut self, from: &str, path: &str) -> Result<Included, IncludeError>;
}

/// An included file.
#[derive(Clone, Debug)]
pub struct Included {
    /// The name to show in messages, and to pass as `from` for what it includes.
    pub name: String,
    /// What it holds.
    pub bytes: Vec<u8>,
}

/// Why a file could not be included.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum IncludeError {
    /// There is none of that name.
    Missing,
    /// The path leads out of the rule file's folder.
    Outside,
    /// It is there, but reading it failed.
    Unreadable(String),
}

/// No files at all: every `include` is [`IncludeError::Missing`].
pub struct NoFiles;

impl Files for NoFiles {
    fn include(&mut self, _from: &str, _path: &str) -> Result<Included, IncludeError> {
        Err(IncludeError::Missing)
    }
}

/// What a rule file says of one of its variants, before it is compiled.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VariantEntry {
    /// The title.
    pub title: String,
    /// Whether it is a `game` rather than a `variant` of one.
    pub is_game: bool,
    /// Whether the file opens with it.
    pub is_default: bool,
    /// Whether it is a line in the menu and nothing else.
    pub is_separator: bool,
    /// Where it stands.
    pub span: Span,
}

/// A rule file, read; its variants are compiled on demand.
pub struct RuleFile {
    sources: Sources,
    ctx: Expander,
    contents: Contents,
    variants: Vec<VariantEntry>,
    names: FileNames,
    cache: Cache,
    limits: CompileLimits,
    translations: Arc<Vec<(Arc<str>, Arc<str>)>>,
    /// Whether something about the file as a whole is wrong.
    failed: bool,
}

/// Reads a rule file. `name` is what messages call it.
pub fn load(name: &str, bytes: &[u8], files: &mut dyn Files, limits: &CompileLimits) -> RuleFile {
    let mut sources = Sources::new();
    let mut symbols = Interner::default();
    Kw::intern_all(&mut symbols);
    let mut sink = Sink::new(limits.diagnostics);
    let too_large = bytes.len() > limits.file_bytes;
    let main = sources.add(name, if too_large { b"" } else { bytes }).unwrap_or(FileId(0));
    let whole = sources.get(main).map(|it| it.span()).unwrap_or_default();
    let mut budget = Budget::new(limits);
    let tree = if too_large {
        sink.push(errors::file_too_large(whole, name, limits));
        tree::Tree::default()
    } else {
        read::read(
            &mut sources,
            main,
            files,
            read::Tables { symbols: &mut symbols, sink: &mut sink, budget: &mut budget, limits },
        )
    };
    let unreadable = sink.has_errors();
    let mut ctx = Expander::new(tree, symbols, sink, budget, limits);
    let contents = if unreadable {
        Contents::default()
    } else {
        file::contents(&mut ctx, name, whole, limits)
    };
    let mut file = RuleFile {
        variants: entries(&contents),
        translations: Arc::new(contents.translations.clone()),
        names: FileNames::default(),
        cache: Cache::default(),
        limits: limits.clone(),
        failed: ctx.sink.has_errors(),
        sources,
        ctx,
        contents,
    };
    file.collect_players();
    file
}

/// Lists the variants in file order, the default marked.
fn entries(contents: &Contents) -> Vec<VariantEntry> {
    let definitions = &contents.definitions;
    let default = definitions
        .iter()
        .position(|it| it.default.is_some() && !it.is_separator)
        .or_else(|| definitions.iter().position(|it| it.is_game));
    let entry = |(idx, it): (usize, &file::Definition)| VariantEntry {
        title: it.title.clone(),
        is_game: it.is_game,
        is_default: Some(idx) == default,
        is_separator: it.is_separator,
        span: it.item.span,
    };
    definitions.iter().enumerate().map(entry).collect()
}

impl RuleFile {
    /// Notes every player of any variant: shared boards and pieces mention them.
    fn collect_players(&mut self) {
        for definition in &self.contents.definitions {
            for (_, section) in definition.sections.iter().filter(|(kw, _)| *kw == Kw::Players) {
                let mut tail = self.ctx.tail(section);
                while let Some(item) = tail.next(&mut self.ctx) {
                    self.names.players.extend(item.word());
                }
            }
        }
    }

    /// The files it is made of.
    pub fn sources(&self) -> &Sources {
        &self.sources
    }

    /// Its variants in file order, separators included.
    pub fn variants(&self) -> &[VariantEntry] {
        &self.variants
    }

    /// The number of the variant that the file opens with.
    pub fn default_variant(&self) -> Option<usize> {
        self.variants.iter().position(|it| it.is_default)
    }

    /// What a menu shows for the variant with this number: its title, translated
    /// if the file says how, on one line.
    pub fn shown_title(&self, idx: usize) -> String {
        let title = self.variants.get(idx).map_or("", |it| it.title.as_str());
        let found = self.translations.iter().find(|(from, _)| **from == *title);
        let shown = found.map_or(title, |(_, to)| &**to);
        let lines: Vec<_> = shown.lines().map(str::trim).filter(|it| !it.is_empty()).collect();
        lines.join(" ")
    }

    /// The number of the variant with this title: exactly, or else in any case, or
    /// else as it is shown.
    pub fn variant_named(&self, title: &str) -> Option<usize> {
        let real = || self.variants.iter().enumerate().filter(|(_, it)| !it.is_separator);
        let wanted = title.trim();
        real()
            .find(|(_, it)| it.title == title)
            .or_else(|| real().find(|(_, it)| it.title.eq_ignore_ascii_case(wanted)))
            .or_else(|| real().find(|(idx, _)| self.shown_title(*idx).eq_ignore_ascii_case(wanted)))
            .map(|(idx, _)| idx)
    }

    /// Compiles the variant with this number; `None` if it has an error or is a separator.
    pub fn compile(&mut self, idx: usize) -> Option<Arc<Ruleset>> {
        let mut ruleset = self.compile_untraced(idx)?;
        ruleset.traces = Arc::new(self.ctx.traces.clone());
        Some(Arc::new(ruleset))
    }

    /// The same without the macro calls, which take time to copy.
    fn compile_untraced(&mut self, idx: usize) -> Option<Ruleset> {
        let entry = self.variants.get(idx)?;
        if entry.is_separator
            || self.contents.definitions.get(entry_game(&self.contents, idx)).is_none()
        {
            return None;
        }
        let ruleset = compile::variant(
            &mut self.ctx,
            &self.contents,
            idx,
            &mut self.names,
            &mut self.cache,
            &self.limits,
        )?;
        if self.failed {
            return None;
        }
        Some(self.complete(ruleset, idx))
    }

    /// Fills in what belongs to the file rather than the variant.
    fn complete(&self, mut ruleset: Ruleset, idx: usize) -> Ruleset {
        let text = |it: &symbol::Symbol| self.ctx.text(*it).to_owned();
        ruleset.attributes = self.names.attributes.list.iter().map(text).collect();
        ruleset.move_types = self.names.move_types.list.iter().map(text).collect();
        ruleset.save.attribute_numbers.resize(ruleset.attributes.len(), None);
        ruleset.save.move_type_numbers.resize(ruleset.move_types.len(), None);
        ruleset.n_flags = self.names.flags.list.len();
        ruleset.n_site_flags = self.names.site_flags.list.len();
        ruleset.save.is_default = self.variants.get(idx).is_some_and(|it| it.is_default);
        let main = self.sources.get(FileId(0));
        ruleset.save.file_name =
            main.map_or(String::new(), |it| file::base_name(&it.name).to_owned());
        ruleset.save.encoding = main.map_or(Encoding::Utf8, |it| it.encoding);
        ruleset.presentation.translations = Arc::clone(&self.translations);
        ruleset
    }

    /// Compiles every variant, for its messages.
    pub fn check(&mut self) {
        for idx in 0..self.variants.len() {
            self.compile_untraced(idx);
        }
        let mut unset: Vec<_> = self
            .names
            .flags_read
            .iter()
            .filter(|(key, _)| !self.names.flags_set.contains(key))
            .map(|((kind, symbol), item)| (*kind, *symbol, *item))
            .collect();
        unset.sort_by_key(|(_, _, item)| item.span);
        for (kind, symbol, item) in unset {
            let name = self.ctx.text(symbol).to_owned();
            let what = match kind {
                FlagKind::Plain => "flag",
                FlagKind::Site => "position flag",
            };
            self.ctx.report(&item, errors::flag_never_set(item.span, what, &name));
        }
    }

    /// What was found so far, in the order of the text.
    pub fn diagnostics(&self) -> Vec<Diagnostic> {
        self.ctx.sink.sorted()
    }

    /// How many more messages there were than are kept.
    pub fn n_left_out(&self) -> usize {
        self.ctx.sink.n_left_out()
    }

    /// Whether an error was found so far.
    pub fn has_errors(&self) -> bool {
        self.ctx.sink.has_errors()
    }

    /// The whole file with its macros expanded, formatted.
    pub fn expanded(&mut self, out: &mut dyn std::fmt::Write) -> std::fmt::Result {
        print::expanded(&mut self.ctx, out)
    }
}

fn entry_game(contents: &Contents, idx: usize) -> usize {
    contents.definitions.get(idx).map_or(usize::MAX, |it| it.game)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_is_shown_translated_and_on_one_line() {
        let text = r#"(translate ("Pond" "Teich")) (game (title "Pond"))
            (variant (title "Pond\\for two")) (variant (title "Lake"))"#;
        let file = load("pond.zrf", text.as_bytes(), &mut NoFiles, &CompileLimits::default());
        let shown: Vec<_> = (0..3).map(|it| file.shown_title(it)).collect();
        assert_eq!(shown, ["Teich", "Pond for two", "Lake"]);
        for (title, idx) in [("Pond", 0), ("teich", 0), ("pond FOR two", 1)] {
            assert_eq!(file.variant_named(title), Some(idx), "{title}");
        }
        assert_eq!(file.shown_title(9), "");
    }
}
