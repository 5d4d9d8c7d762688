//! One variant, compiled and ready to be shown and played.

use std::sync::{Arc, OnceLock};

use boardwright_engine::{Engine, Settings};
use boardwright_game::{Player, Ruleset};
use boardwright_play::{Halt, Outcome, Reason, Rules};
use boardwright_protocol::{DiagnosticView, Severity};
use boardwright_render::{
    Layout,
    looks::{self, PieceSet},
};
use boardwright_text::{Diagnostic, Sources, Span, render};
use boardwright_zrf::{CompileLimits, RuleFile};

use crate::folder::Folder;

/// Messages that are shown; more would help nobody.
const MAX_MESSAGES: usize = 100;

/// A variant that can be played.
pub(crate) struct Variant {
    /// The game's id.
    pub game: String,
    /// The variant's number in its file.
    pub n: usize,
    pub title: String,
    pub rules: Arc<Rules>,
    pub layout: Layout,
    pub sets: Vec<PieceSet>,
    /// The players that somebody plays, in the order of the rules.
    pub seats: Vec<Player>,
    pub folder: Folder,
    /// The rule file within the folder.
    pub file: String,
    pub diagnostics: Vec<DiagnosticView>,
    sources: Sources,
    values: OnceLock<Vec<Option<i32>>>,
}

impl Variant {
    pub fn new(
        game: &str,
        n: usize,
        file: &RuleFile,
        ruleset: Arc<Ruleset>,
        folder: Folder,
        name: &str,
    ) -> Variant {
        let layout = Layout::of(&ruleset);
        let sets = looks::sets(&ruleset);
        let seats = boardwright_referee::seats(&ruleset).iter().map(|it| it.player).collect();
        Variant {
            game: game.to_owned(),
            n,
            title: file.shown_title(n),
            layout,
            sets,
            seats,
            rules: Arc::new(Rules::new(ruleset)),
            folder,
            file: name.to_owned(),
            diagnostics: diagnostics(file),
            sources: file.sources().clone(),
            values: OnceLock::new(),
        }
    }

    pub fn ruleset(&self) -> &Ruleset {
        &self.rules.ruleset
    }

    /// The name of a player as people see it.
    pub fn player_name(&self, player: Player) -> String {
        let ruleset = self.ruleset();
        ruleset.translated(ruleset.player_name(player)).to_owned()
    }

    /// Who sits where: the number of a player's seat.
    pub fn seat_of(&self, player: Player) -> Option<usize> {
        self.seats.iter().position(|&it| it == player)
    }

    /// The part of the rules at a span, on one line, with its line number.
    pub fn rule(&self, span: Span) -> Option<(String, u32)> {
        let text: Vec<&str> = self.sources.snippet(span).split_whitespace().collect();
        let mut text = render::printable(&text.join(" "));
        if text.is_empty() {
            return None;
        }
        if text.chars().count() > 160 {
            text = text.chars().take(157).collect::<String>() + "…";
        }
        let (_, at) = self.sources.line_col(span)?;
        Some((text, at.line))
    }

    /// The rule that ended a game.
    pub fn rule_of(&self, outcome: &Outcome) -> Option<(String, u32)> {
        match outcome.reason {
            Reason::Condition { span, .. } => self.rule(span),
            Reason::Stalemate | Reason::Repetition => None,
        }
    }

    /// Why the moves could not be found, for people.
    pub fn halt_text(&self, halt: &Halt) -> String {
        let mut message = halt.message(|kind| self.ruleset().piece_name(kind).to_owned());
        if let Some((file, at)) = halt.span().and_then(|it| self.sources.line_col(it)) {
            message.push_str(&format!(" ({file}, line {})", at.line));
        }
        message
    }

    /// What a kind of piece is worth, if that was worked out already.
    pub fn known_values(&self) -> Option<&[Option<i32>]> {
        self.values.get().map(|it| it.as_slice())
    }

    /// What the kinds of pieces are worth; takes up to a second the first time.
    pub fn values(&self) -> &[Option<i32>] {
        self.values.get_or_init(|| {
            let settings = Settings { memory: 1 << 20, ..Settings::default() };
            values_of(&Engine::new(Arc::clone(&self.rules), settings))
        })
    }

    /// Takes over what an engine found out.
    pub fn note_values(&self, engine: &Engine) {
        self.values.get_or_init(|| values_of(engine));
    }
}

fn values_of(engine: &Engine) -> Vec<Option<i32>> {
    engine.piece_values().into_iter().map(|it| it.1).collect()
}

/// A rule file of a folder, read.
pub(crate) fn load(folder: &Folder, name: &str) -> Option<RuleFile> {
    let bytes = folder.read(name)?;
    Some(boardwright_zrf::load(name, &bytes, &mut folder.clone(), &CompileLimits::default()))
}

/// What is to be said about a rule file.
pub(crate) fn diagnostics(file: &RuleFile) -> Vec<DiagnosticView> {
    views(&file.diagnostics(), file.sources())
}

/// Messages for the page, errors first.
pub(crate) fn views(found: &[Diagnostic], sources: &Sources) -> Vec<DiagnosticView> {
    let (errors, warnings): (Vec<_>, Vec<_>) = found.iter().partition(|it| it.is_error());
    let all = errors.into_iter().chain(warnings).take(MAX_MESSAGES);
    all.map(|it| diagnostic(it, sources)).collect()
}

fn diagnostic(it: &Diagnostic, sources: &Sources) -> DiagnosticView {
    let mut view = DiagnosticView {
        code: it.code.to_string(),
        severity: if it.is_error() { Severity::Error } else { Severity::Warning },
        message: render::printable(&it.message),
        file: String::new(),
        line: 1,
        column: 1,
        source: String::new(),
        caret: [0, 0],
        hints: it.hints.iter().map(|it| render::printable(it)).collect(),
        text: render::render(it, sources, false),
    };
    if let Some((source, range)) = sources.locate(it.span) {
        let at = source.lines().line_col(&source.text, range.start as u32);
        let line = at.line - 1;
        let start = source.lines().start_of(line) as usize;
        let rest = source.text.get(start..).unwrap_or("");
        let whole = rest.split(['\r', '\n']).next().unwrap_or("");
        let covered = source.text.get(range).unwrap_or("");
        let covered = covered.split(['\r', '\n']).next().unwrap_or("").chars().count();
        view.file = render::printable(&source.name);
        (view.line, view.column) = (at.line, at.column);
        // Nobody reads lines of thousands of letters.
        let (skip, take) = if at.column > 160 { (at.column - 80, 240) } else { (1, 240) };
        let shown: String = whole.chars().skip(skip as usize - 1).take(take).collect();
        view.source = shown.chars().map(|it| if it.is_control() { ' ' } else { it }).collect();
        let first = at.column - skip;
        view.caret = [first, (first + covered.max(1) as u32).min(take as u32)];
    }
    view
}
