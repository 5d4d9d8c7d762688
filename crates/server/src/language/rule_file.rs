//! Rule files, compiled and ready to be shown and played.

use std::sync::{Arc, OnceLock};

use axum::http::StatusCode;
use boardwright_play::Rules;
use boardwright_protocol::{DiagnosticView, SeverityView};
use boardwright_render::looks::PieceSet;
use boardwright_rules::GameRules;
use boardwright_text::{Diagnostic, Sources, render};
use boardwright_zrf::{CompileLimits, RuleFile};

use super::{Origin, Playable, presentation::Presentation};
use crate::{error::ApiError, folder::Folder, library::Entry, work};

/// Messages that are shown; more would help nobody.
const MAX_MESSAGES: usize = 100;

/// A variant of a rule file of the library, compiled.
pub(crate) fn open(entry: &Entry, n: usize) -> Result<Playable, ApiError> {
    let id = entry.id.as_str();
    let missing = || ApiError::not_found(format!("there is no game `{id}` here"));
    let mut file = load(&entry.folder, &entry.file).ok_or_else(missing)?;
    if file.variants().get(n).is_none_or(|it| it.is_separator) && !file.variants().is_empty() {
        return Err(ApiError::not_found(format!("`{id}` has no variant {n}")));
    }
    let Some(ruleset) = file.compile(n).filter(|it| it.check().is_ok()) else {
        file.check();
        let status = StatusCode::UNPROCESSABLE_ENTITY;
        return Err(ApiError::new(status, "the rules have errors")
            .hint("Correct the rule file and open it again.")
            .diagnostics(diagnostics(&file)));
    };
    let (shown, problem) = Presentation::of(&entry.folder, &entry.file);
    let layout = shown.layout(&ruleset);
    let rules = Arc::new(Rules::new(ruleset).stopped_by(work::stop_signal()));
    let rules = GameRules::compiled(rules, file.sources().clone());
    Ok(Playable {
        game: id.to_owned(),
        n,
        title: file.shown_title(n),
        layout,
        sets: PieceSet::all_of(&rules),
        rules: Arc::new(rules),
        diagnostics: diagnostics(&file).into_iter().chain(problem).collect(),
        foreign: None,
        origin: Origin::RuleFile {
            folder: entry.folder.clone(),
            file: entry.file.clone(),
            shown: Box::new(shown),
        },
        values: OnceLock::new(),
    })
}

/// A rule file of a folder, read.
pub(crate) fn load(folder: &Folder, name: &str) -> Option<RuleFile> {
    let bytes = folder.read(name)?;
    let limits = CompileLimits { stop: work::stop_signal(), ..CompileLimits::default() };
    Some(boardwright_zrf::load(name, &bytes, &mut folder.clone(), &limits))
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
        severity: if it.is_error() { SeverityView::Error } else { SeverityView::Warning },
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
