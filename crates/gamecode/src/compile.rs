//! Statements to units that run.
//!
//! A program is compiled part by part, as a preset's fields give it: each part
//! is a unit of its own, so that a block left open in one field does not swallow
//! the next. Subroutines are known everywhere, whether they stand before or
//! after; an included file runs where its `include` stands.

mod blocks;
mod expression;
mod setters;

use std::sync::Arc;

use boardwright_text::{Diagnostic, Sources, Span, nearest};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::{
    CodeLimits,
    code::{Code, Item, Step, Unit},
    command::SYSTEM_NAMES,
    errors, forsythe,
    lex::{self, Statement, TokenKind},
    names::{Names, Sym},
    words::{self, Command, Flow, Op},
};

use blocks::Body;

/// Words of code up to this length, in bytes, may be labels of pieces.
const LONGEST_LABEL: usize = 4;

/// Gives the files that a program includes.
pub trait CodeFiles {
    /// The file called `name`: the name to show, and its bytes.
    fn include(&mut self, name: &str) -> Option<(String, Vec<u8>)>;
}

/// No files at all.
#[derive(Clone, Copy, Debug)]
pub struct NoCodeFiles;

impl CodeFiles for NoCodeFiles {
    fn include(&mut self, _name: &str) -> Option<(String, Vec<u8>)> {
        None
    }
}

/// A compiled program, to be run by a [`Machine`](crate::Machine).
#[derive(Clone, Debug)]
pub struct CodeProgram {
    pub(crate) units: Vec<Arc<Unit>>,
    pub(crate) subs: FxHashMap<Sym, usize>,
    pub(crate) names: Names,
    pub(crate) limits: CodeLimits,
    sources: Sources,
    diagnostics: Vec<Diagnostic>,
}

impl CodeProgram {
    /// The texts it was made of.
    pub fn sources(&self) -> &Sources {
        &self.sources
    }

    /// What is to be said about them.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }

    /// Whether nothing is wrong with it.
    ///
    /// A program with errors still runs up to the first statement that cannot be
    /// run; a preset need not be finished to be played.
    pub fn is_clean(&self) -> bool {
        !self.diagnostics.iter().any(Diagnostic::is_error)
    }

    /// What it may spend.
    pub fn limits(&self) -> &CodeLimits {
        &self.limits
    }

    /// Words of the program that could be labels of pieces: no commands, operators or numbers.
    pub fn labels(&self) -> impl Iterator<Item = &str> {
        self.names.texts().filter(|it| {
            let is_word = words::commands().chain(words::operators()).any(|word| word == *it);
            let is_number = it.bytes().all(|it| it.is_ascii_digit() || it == b'.');
            // A label that holds the sign of a move could not be told from one.
            let is_plain = !it.contains(['-', '*', '#', '?', '=', '[', ']', '@', ':', ',']);
            is_plain
                && it.len() <= LONGEST_LABEL
                && !is_word
                && !is_number
                && forsythe::is_label(it)
        })
    }

    /// The names of its subroutines, sorted.
    pub fn subroutines(&self) -> Vec<&str> {
        let mut names: Vec<_> = self.subs.keys().map(|&it| self.names.text(it)).collect();
        names.sort_unstable();
        names
    }
}

/// A part of a program that can be run by itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Part(pub(crate) usize);

/// Puts a program together.
pub struct Compiler<'f> {
    pub(crate) names: Names,
    limits: CodeLimits,
    files: &'f mut dyn CodeFiles,
    sources: Sources,
    bytes: usize,
    diagnostics: Vec<Diagnostic>,
    units: Vec<Unit>,
    /// The unit of each subroutine, how deep in includes it stands, and its name's span.
    subs: FxHashMap<Sym, (usize, usize, Span)>,
    included: FxHashSet<String>,
    /// Statements that begin with no command: unit, step, the word.
    calls: Vec<(usize, usize, Sym, Span)>,
    /// Operands that look like operators.
    odd_words: Vec<(Sym, Span)>,
    functions: FxHashSet<Sym>,
    /// Names that code calls or reads outright, to be checked at the end.
    uses: Vec<(Use, Sym, Span)>,
    /// System variables that code sets.
    systems: FxHashSet<Sym>,
    /// Whether names are made while the program runs, so that a missing one proves nothing.
    makes_names: bool,
}

/// What a name is used as.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Use {
    Subroutine,
    Function,
    System,
}

impl<'f> Compiler<'f> {
    /// A compiler with nothing in it yet.
    pub fn new(limits: CodeLimits, files: &'f mut dyn CodeFiles) -> Compiler<'f> {
        Compiler {
            names: Names::new(),
            limits,
            files,
            sources: Sources::new(),
            bytes: 0,
            diagnostics: Vec::new(),
            units: Vec::new(),
            subs: FxHashMap::default(),
            included: FxHashSet::default(),
            calls: Vec::new(),
            odd_words: Vec::new(),
            functions: FxHashSet::default(),
            uses: Vec::new(),
            systems: FxHashSet::default(),
            makes_names: false,
        }
    }

    /// Adds a part that runs at the base level, called `title` in messages.
    pub fn part(&mut self, title: &str, text: &str) -> Part {
        self.field(Sym::MAIN, title, text)
    }

    /// Adds a part that is the body of the subroutine `name`.
    pub fn sub(&mut self, name: &str, title: &str, text: &str) -> Part {
        let name = self.names.intern(name);
        let part = self.field(name, title, text);
        self.subs.insert(name, (part.0, 0, Span::default()));
        part
    }

    fn field(&mut self, name: Sym, title: &str, text: &str) -> Part {
        let idx = self.units.len();
        self.units.push(Unit::new(name));
        let mut body = Body::new(Unit::new(name), idx);
        self.source(title, text.as_bytes(), &mut body, 0);
        self.close(&mut body);
        self.put(body);
        Part(idx)
    }

    fn put(&mut self, body: Body) {
        if let Some(slot) = self.units.get_mut(body.idx) {
            *slot = body.unit;
        }
    }

    /// Reads a text into the body, as a field or an include does.
    fn source(&mut self, title: &str, bytes: &[u8], body: &mut Body, depth: usize) {
        self.bytes = self.bytes.saturating_add(bytes.len());
        if self.bytes > self.limits.source_bytes {
            let message = errors::too_large(Span::default(), self.limits.source_bytes);
            self.diagnostics.push(message);
            return;
        }
        let Some(source) = self.sources.add(title, bytes).and_then(|it| self.sources.get(it))
        else {
            return;
        };
        let (text, base) = (source.text.clone(), source.start);
        self.statements(&text, base, body, depth);
    }

    fn statements(&mut self, text: &str, base: u32, body: &mut Body, depth: usize) {
        let nesting = self.limits.nesting.min(200);
        let all = lex::statements(text, base, nesting, &mut self.diagnostics);
        let scoped = blocks::scoped(&all);
        let mut inner: Option<Body> = None;
        for (statement, is_scoped) in all.iter().zip(scoped) {
            match statement.head().and_then(Flow::named) {
                Some(Flow::Sub) => self.open_sub(statement, body, &mut inner),
                Some(Flow::EndSub) => match inner.take() {
                    Some(sub) => self.close_sub(sub, depth),
                    None => {
                        let message = errors::stray_end("endsub", statement.span, "sub");
                        self.diagnostics.push(message);
                    }
                },
                _ => {
                    let body = inner.as_mut().unwrap_or(&mut *body);
                    self.statement(statement, is_scoped, body, depth);
                }
            }
        }
        if let Some(sub) = inner.take() {
            self.diagnostics.push(errors::open_block("sub", sub.span, "endsub"));
            self.close_sub(sub, depth);
        }
    }

    fn open_sub(&mut self, statement: &Statement<'_>, body: &Body, inner: &mut Option<Body>) {
        if inner.is_some() {
            let place = "outside other subroutines";
            self.diagnostics.push(errors::misplaced("sub", statement.span, place));
            return;
        }
        if !body.blocks.is_empty() {
            let message = errors::misplaced("sub", statement.span, "outside blocks");
            self.diagnostics.push(message);
        }
        let mut words = statement.tokens.iter().skip(1).map(|it| match it.kind {
            TokenKind::Bare(word) | TokenKind::Quoted(word) => word,
            TokenKind::Array(_) => "",
        });
        let name = words.next().unwrap_or("");
        if name.is_empty() {
            self.diagnostics.push(errors::missing("sub", statement.span, "a name"));
        }
        let idx = self.units.len();
        let mut unit = Unit::new(self.names.intern(name));
        unit.params = words.map(|it| self.names.intern(it.trim_end_matches(','))).collect();
        self.units.push(Unit::new(unit.name));
        let span = statement.tokens.get(1).map_or(statement.span, |it| it.span);
        *inner = Some(Body { span, ..Body::new(unit, idx) });
    }

    fn close_sub(&mut self, mut body: Body, depth: usize) {
        self.close(&mut body);
        let (name, idx, span) = (body.unit.name, body.idx, body.span);
        self.put(body);
        match self.subs.get(&name) {
            // A preset's own subroutine stands in for one of the same name that it includes.
            Some(&(_, other, _)) if other < depth => return,
            Some(&(_, other, old)) if other == depth => {
                let text = self.names.text(name).to_owned();
                self.diagnostics.push(errors::defined_twice(&text, span, old));
            }
            _ => {}
        }
        self.subs.insert(name, (idx, depth, span));
    }

    /// Reads a file where `include` stands; a second time it does nothing.
    fn include(&mut self, statement: &Statement<'_>, body: &mut Body, depth: usize) {
        let names: Vec<_> = statement.tokens.iter().skip(1).collect();
        if names.is_empty() {
            self.diagnostics.push(errors::missing("include", statement.span, "the name of a file"));
        }
        for token in names {
            let (TokenKind::Bare(name) | TokenKind::Quoted(name)) = token.kind else { continue };
            if !self.included.insert(name.to_owned()) {
                continue;
            }
            if depth >= self.limits.nesting.min(50) {
                self.diagnostics.push(errors::too_deep(token.span));
                continue;
            }
            match self.files.include(name) {
                Some((title, bytes)) => self.source(&title, &bytes, body, depth + 1),
                None => {
                    let message = errors::no_include(name, token.span, "there is no such file");
                    body.unit.push(Step::Fail(Box::new(message.clone())), token.span);
                    self.diagnostics.push(message);
                }
            }
        }
    }

    /// The program of all parts so far.
    pub fn finish(mut self) -> CodeProgram {
        self.resolve_calls();
        self.look_for_slips();
        self.check_uses();
        let subs = self.subs.iter().map(|(&name, &(idx, ..))| (name, idx)).collect();
        CodeProgram {
            units: self.units.into_iter().map(Arc::new).collect(),
            subs,
            names: self.names,
            limits: self.limits,
            sources: self.sources,
            diagnostics: self.diagnostics,
        }
    }

    /// Statements that begin with no command call a subroutine, or nothing.
    ///
    /// DIFFERENCE: the original notices an unknown word only when it is reached; see
    /// `an_unknown_word_is_reported_before_it_runs`.
    fn resolve_calls(&mut self) {
        for (unit, step, word, span) in std::mem::take(&mut self.calls) {
            if self.subs.contains_key(&word) {
                continue;
            }
            let message = self.unknown_word(word, span);
            let unit = self.units.get_mut(unit);
            let Some(slot) = unit.and_then(|it| it.steps.get_mut(step)) else { continue };
            if let Step::Call(code) = slot
                && is_move(code, &self.names)
            {
                *slot = Step::Move(std::mem::take(code));
                continue;
            }
            *slot = Step::Fail(Box::new(message.clone()));
            self.diagnostics.push(message);
        }
    }

    fn unknown_word(&self, word: Sym, span: Span) -> Diagnostic {
        let text = self.names.text(word);
        let mut known: Vec<&str> = words::commands().collect();
        known.extend(self.subs.keys().map(|&it| self.names.text(it)));
        errors::unknown_word(text, span, known)
    }

    /// Says which subroutines, functions and system variables there are not.
    ///
    /// Warnings: a name in a part that never runs does no harm.
    fn check_uses(&mut self) {
        if self.makes_names {
            return;
        }
        let mut said = FxHashSet::default();
        for (used_as, name, span) in std::mem::take(&mut self.uses) {
            let text = self.names.text(name);
            let (is_known, kind, known): (bool, &str, Vec<&str>) = match used_as {
                Use::Subroutine => {
                    let known = self.subs.keys().map(|&it| self.names.text(it));
                    (self.subs.contains_key(&name), "subroutine", known.collect())
                }
                Use::Function => {
                    let known = self.functions.iter().map(|&it| self.names.text(it));
                    (self.functions.contains(&name), "function", known.collect())
                }
                Use::System => {
                    let known = SYSTEM_NAMES.iter().copied().chain(words::keywords());
                    let known: Vec<&str> = known.collect();
                    (
                        known.contains(&text) || self.systems.contains(&name),
                        "system variable",
                        known,
                    )
                }
            };
            if !is_known && said.insert((kind, name)) {
                self.diagnostics.push(errors::undefined(kind, text, span, known));
            }
        }
    }

    /// Warns of text that is one slip away from an operator.
    fn look_for_slips(&mut self) {
        for (word, span) in std::mem::take(&mut self.odd_words) {
            let is_known = self.subs.contains_key(&word) || self.functions.contains(&word);
            let text = self.names.text(word);
            let long = Op::SPELLINGS.iter().copied().filter(|it| it.len() > 5);
            if let Some(operator) = nearest(text, long).filter(|_| !is_known) {
                self.diagnostics.push(errors::like_operator(text, span, operator));
            }
        }
    }
}

/// Compiles a text that a running program evaluates; gives back the names too.
pub(crate) fn at_run_time(
    text: &str,
    names: Names,
    limits: &CodeLimits,
    is_expression: bool,
) -> (Names, Result<Unit, Diagnostic>) {
    let mut files = NoCodeFiles;
    let mut compiler = Compiler { names, ..Compiler::new(limits.clone(), &mut files) };
    let mut body = Body::new(Unit::new(Sym::MAIN), usize::MAX);
    if is_expression {
        let nesting = compiler.limits.nesting.min(200);
        let all = lex::statements(text, 0, nesting, &mut compiler.diagnostics);
        let tokens = all.first().map_or(&[][..], |it| &it.tokens);
        let code = compiler.expression(tokens);
        body.unit.push(Step::Return(code), Span::default());
    } else {
        compiler.statements(text, 0, &mut body, 1);
        compiler.close(&mut body);
    }
    // What a text may not do: define subroutines, include files.
    let nested = !compiler.subs.is_empty() || !compiler.included.is_empty();
    let problem = compiler.diagnostics.iter().find(|it| it.is_error()).cloned();
    let problem = problem.or(nested.then(|| {
        errors::misplaced("sub", Span::default(), "in the program itself, not in a text it runs")
    }));
    let result = match problem {
        Some(it) => Err(Diagnostic { span: Span::default(), ..it }),
        None => Ok(body.unit),
    };
    (compiler.names, result)
}

/// Whether a statement without a command is a move as players write it: `e2-e4`, `P e2-e4`,
/// `Q-e8`, `P*e4`, `[KQR]-e4`. Whether there are such pieces and spaces shows when it runs.
fn is_move(code: &Code, names: &Names) -> bool {
    let mut words = Vec::new();
    for item in &code.items {
        match item {
            Item::Value(value) => words.push(value.text(names)),
            Item::Atom(atom) => words.push(names.text(atom.text).to_owned()),
            _ => return false,
        }
    }
    let joined = words.join(" ");
    let Some((left, right)) = joined.rsplit_once(['-', '*']) else { return false };
    let is_die = left.starts_with('[') && left.ends_with(']');
    let is_short = left.split_whitespace().count() <= 2 && right.split_whitespace().count() <= 1;
    !left.trim().is_empty() && !right.starts_with(' ') && (is_die || is_short)
}

/// A code without a word.
pub(crate) fn no_code() -> Code {
    Code::new(Vec::new(), Vec::new())
}

/// What begins a statement.
pub(crate) enum Head {
    Flow(Flow),
    Command(Command),
    Other,
}

impl Head {
    pub(crate) fn of(word: &str) -> Head {
        match (Flow::named(word), Command::named(word)) {
            (Some(it), _) => Head::Flow(it),
            (None, Some(it)) => Head::Command(it),
            (None, None) => Head::Other,
        }
    }
}
