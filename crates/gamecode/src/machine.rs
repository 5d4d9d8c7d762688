//! A running program: the board as it stands, variables, messages.
//!
//! A machine is plain data and can be cloned: a game in progress is the machine
//! after its turns, and trying a move is a clone thrown away.

use std::{
    hash::{Hash, Hasher},
    sync::Arc,
};

use boardwright_text::{Diagnostic, Span, StopSignal};
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};

use crate::{
    budget::Budget,
    code::{Code, Unit},
    compile::{CodeProgram, Part},
    errors,
    filter::Filter,
    names::{Case, Names, Sym},
    random::Pcg32,
    scope::{Mark, Scopes},
    space_map::{ForsytheCell, Space, SpaceMap},
    turn::Turn,
    value::{Array, Value},
};

/// Why a run stopped before its end.
#[derive(Clone, PartialEq, Debug)]
pub enum CodeStop {
    /// Something in the program or the move is wrong.
    Fault(Box<Diagnostic>),
    /// The rules refuse the move, by `die` and its text.
    Refused(String, Span),
    /// The player has to choose.
    Ask(Question),
}

impl CodeStop {
    /// It as a message about the program; nothing if it is a question.
    pub fn diagnostic(&self) -> Option<Diagnostic> {
        match self {
            CodeStop::Fault(it) => Some((**it).clone()),
            CodeStop::Refused(text, span) => Some(errors::died(text.clone(), *span)),
            CodeStop::Ask(_) => None,
        }
    }
}

/// A choice that the player has to make to complete a move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Question {
    /// What to ask; empty for a promotion.
    pub text: String,
    /// What to show for each choice, and the whole move that it makes.
    pub choices: Vec<(String, String)>,
}

/// How the game stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    /// It goes on.
    Ongoing,
    /// The player who moved last has won.
    Won,
    /// The player who moved last has lost.
    Lost,
    /// Nobody wins.
    Drawn,
}

/// How running a step came out, on the inside.
pub(crate) type Res<T> = Result<T, Box<Halt>>;

/// Why the inside stopped.
pub(crate) enum Halt {
    Stop(CodeStop),
    /// The program is over: `end`, or `verify` at the base level.
    End,
}

/// What the last move was, as the keywords tell.
#[derive(Clone, Debug)]
pub(crate) struct Last {
    pub(crate) origin: Value,
    pub(crate) dest: Value,
    pub(crate) moved: Value,
    pub(crate) old: Value,
    pub(crate) captured: Value,
}

/// What `store` keeps.
#[derive(Clone, Debug)]
pub(crate) struct Snapshot {
    /// The depth of calls at which it was made; it ends with its subroutine.
    pub(crate) depth: u32,
    pieces: Vec<Sym>,
    flags: FxHashSet<Sym>,
    last: Last,
}

/// A running program.
#[derive(Clone, Debug)]
pub struct Machine {
    pub(crate) program: Arc<CodeProgram>,
    pub(crate) board: Arc<SpaceMap>,
    pub(crate) names: Arc<Names>,
    /// The label on each space.
    pub(crate) pieces: Vec<Sym>,
    /// The coordinate of each space.
    pub(crate) space_names: Arc<Vec<Sym>>,
    pub(crate) flags: FxHashSet<Sym>,
    pub(crate) last: Last,
    pub(crate) links: Arc<FxHashMap<(Sym, Space), Space>>,
    pub(crate) scopes: Scopes,
    /// Where the current block's scope began.
    pub(crate) block: Mark,
    pub(crate) functions: Arc<FxHashMap<Sym, Arc<Code>>>,
    pub(crate) consts: FxHashMap<Sym, Value>,
    pub(crate) aliases: Arc<Vec<(Sym, Sym)>>,
    pub(crate) filter: Filter,
    pub(crate) system: FxHashMap<Sym, Value>,
    pub(crate) turn: Turn,
    pub(crate) legal: Vec<(Space, Space)>,
    pub(crate) output: Vec<String>,
    pub(crate) said: Vec<String>,
    pub(crate) status: Status,
    pub(crate) is_over: bool,
    pub(crate) stored: Vec<Snapshot>,
    pub(crate) rng: Pcg32,
    pub(crate) budget: Budget,
    pub(crate) depth: u32,
    /// What is running, for messages.
    pub(crate) at: Span,
    /// Whether a label before a move must be that of the piece.
    pub(crate) checks_labels: bool,
    /// Labels that players may write besides those on the board; all if empty.
    pub(crate) labels: Arc<FxHashSet<Sym>>,
    /// Texts that were run, compiled.
    pub(crate) texts: Arc<FxHashMap<(Sym, bool), Arc<Unit>>>,
}

impl Machine {
    /// A machine that has run nothing yet. `cells` are those of the board, in the
    /// order of Forsythe code, holes included.
    pub fn new(
        program: Arc<CodeProgram>,
        board: Arc<SpaceMap>,
        cells: &[ForsytheCell],
        seed: u64,
    ) -> Machine {
        let mut names = program.names.clone();
        let mut space_names = Vec::new();
        for (idx, place) in board.spaces().iter().enumerate() {
            let sym = names.intern(&place.name);
            names.set_space(sym, Space(idx as u16));
            space_names.push(sym);
        }
        let cells = cells.iter().filter(|it| **it != ForsytheCell::Hole);
        let mut pieces: Vec<_> = cells
            .map(|it| match it {
                ForsytheCell::Piece(label) => names.intern(label),
                _ => Sym::EMPTY,
            })
            .collect();
        pieces.resize(board.spaces().len(), Sym::EMPTY);
        let scopes = Scopes::new();
        Machine {
            names: Arc::new(names),
            pieces,
            space_names: Arc::new(space_names),
            flags: FxHashSet::default(),
            last: Last {
                origin: Value::Null,
                dest: Value::Null,
                moved: Value::Null,
                old: Value::Null,
                captured: Value::Null,
            },
            links: Arc::default(),
            block: scopes.mark(),
            scopes,
            functions: Arc::default(),
            consts: FxHashMap::default(),
            aliases: Arc::default(),
            filter: Filter::default(),
            system: FxHashMap::default(),
            turn: Turn::default(),
            legal: Vec::new(),
            output: Vec::new(),
            said: Vec::new(),
            status: Status::Ongoing,
            is_over: false,
            stored: Vec::new(),
            rng: Pcg32::new(seed),
            budget: Budget::new(&program.limits),
            depth: 0,
            at: Span::default(),
            checks_labels: true,
            labels: Arc::default(),
            texts: Arc::default(),
            program,
            board,
        }
    }

    /// Lets players write any label before a move, whatever piece stands there.
    pub fn ignore_labels(&mut self) {
        self.checks_labels = false;
    }

    /// Says which labels players may write, besides those on the board.
    pub fn know_labels<'a>(&mut self, labels: impl IntoIterator<Item = &'a str>) {
        let names = Arc::make_mut(&mut self.names);
        let mut known: FxHashSet<_> = labels.into_iter().map(|it| names.intern(it)).collect();
        known.extend(self.pieces.iter().copied());
        self.labels = Arc::new(known);
    }

    /// Runs a part at the base level. After `end` nothing runs any more.
    pub fn run(&mut self, part: Part) -> Result<(), CodeStop> {
        let Some(unit) = self.program.units.get(part.0).cloned() else { return Ok(()) };
        self.guarded(|it| it.unit(&unit).map(|_| ()))
    }

    /// Runs the subroutine of that name, if there is one, with no arguments.
    pub fn call(&mut self, name: &str) -> Result<(), CodeStop> {
        let Some(sym) = self.names.get(name) else { return Ok(()) };
        if !self.program.subs.contains_key(&sym) {
            return Ok(());
        }
        self.guarded(|it| it.call_sub(sym, Vec::new()).map(|_| ()))
    }

    pub(crate) fn guarded(
        &mut self,
        run: impl FnOnce(&mut Machine) -> Res<()>,
    ) -> Result<(), CodeStop> {
        if self.is_over {
            return Ok(());
        }
        let mark = self.scopes.mark();
        self.block = mark;
        let result = run(self);
        self.depth = 0;
        self.scopes.back_to(mark);
        match result {
            Ok(()) => Ok(()),
            Err(halt) => match *halt {
                Halt::Stop(stop) => Err(stop),
                Halt::End => {
                    self.is_over = true;
                    Ok(())
                }
            },
        }
    }

    /// Whether the program has ended itself, so that nothing runs any more.
    pub fn has_ended(&self) -> bool {
        self.is_over
    }

    /// How the game stands.
    pub fn status(&self) -> Status {
        self.status
    }

    /// The board.
    pub fn board(&self) -> &Arc<SpaceMap> {
        &self.board
    }

    /// The label on a space; nothing if it is empty.
    pub fn piece(&self, space: Space) -> Option<&str> {
        let label = self.pieces.get(space.index()).copied()?;
        (label != Sym::EMPTY).then(|| self.names.text(label))
    }

    /// Whether the label is in lower case, which is the second side's.
    pub fn is_lower(label: &str) -> bool {
        Case::of(label) == Case::Lower
    }

    /// The links that code has made, by both ends, in no order.
    pub fn links(&self) -> impl Iterator<Item = (Space, Space)> + '_ {
        self.links.iter().map(|(&(_, from), &to)| (from, to))
    }

    /// The board as Forsythe cells, holes included.
    pub fn cells(&self) -> Vec<ForsytheCell> {
        let content = |space: Space| match self.piece(space) {
            Some(label) => ForsytheCell::Piece(label.to_owned()),
            None => ForsytheCell::Empty,
        };
        let (n_files, n_ranks) = self.board.size();
        if n_files == 0 {
            return self.board.all().map(content).collect();
        }
        let mut cells = Vec::new();
        for rank in (0..n_ranks as i32).rev() {
            for file in 0..n_files as i32 {
                let space = self.board.at(file, rank);
                cells.push(space.map_or(ForsytheCell::Hole, content));
            }
        }
        cells
    }

    /// What `echo` and `print` wrote since the last call.
    pub fn take_output(&mut self) -> Vec<String> {
        std::mem::take(&mut self.output)
    }

    /// What `say` said, in order.
    pub fn said(&self) -> &[String] {
        &self.said
    }

    /// Forgets what was said and written, and the legal moves told so far.
    pub fn clear_messages(&mut self) {
        self.output.clear();
        self.said.clear();
        self.legal.clear();
    }

    /// The moves that the program told to be legal, from space to space.
    pub fn legal(&self) -> &[(Space, Space)] {
        &self.legal
    }

    /// Whether the flag is set.
    pub fn flag(&self, name: &str) -> bool {
        self.names.get(name).is_some_and(|it| self.flags.contains(&it))
    }

    /// The value of a variable at the base level, as text.
    pub fn variable(&self, name: &str) -> Option<String> {
        let sym = self.names.get(name)?;
        Some(self.scopes.get(sym)?.text(&self.names))
    }

    /// A hash of what decides how a game goes on: pieces, flags, the moves told to be legal,
    /// and the variables that hold a number or a text.
    ///
    /// The last move and the counters of the machine itself are left out, so that the same
    /// board reached by other turns has the same hash unless the program keeps a difference.
    pub fn state_hash(&self) -> u64 {
        let mut hasher = FxHasher::default();
        // Numbers of texts depend on which turns were tried before; the texts do not.
        for &label in &self.pieces {
            self.names.text(label).hash(&mut hasher);
        }
        self.legal.hash(&mut hasher);
        // The order of a set must not matter.
        let of_flag = |&it: &Sym| {
            let mut hasher = FxHasher::default();
            self.names.text(it).hash(&mut hasher);
            hasher.finish()
        };
        self.flags.iter().map(of_flag).fold(0, u64::wrapping_add).hash(&mut hasher);
        for (name, value) in self.scopes.globals() {
            match value {
                Value::Int(it) => (self.names.text(name), it).hash(&mut hasher),
                Value::Text(it) => (self.names.text(name), self.names.text(*it)).hash(&mut hasher),
                _ => {}
            }
        }
        hasher.finish()
    }

    /// Steps that were run so far.
    pub fn steps(&self) -> u64 {
        self.budget.spent(&self.program.limits)
    }

    /// Allows the steps of one more turn, as far as the game has any left.
    pub fn allow_turn(&mut self) {
        self.budget.begin_turn(&self.program.limits);
    }

    /// Counts steps that were run elsewhere for the same game, by a copy of this machine
    /// or one that was thrown away.
    pub fn charge(&mut self, steps: u64) {
        self.budget.charge(steps);
    }

    /// Sets what ends a run early.
    pub fn stop_by(&mut self, stop: StopSignal) {
        self.budget.stop = stop;
    }

    pub(crate) fn snapshot(&self) -> Snapshot {
        Snapshot {
            depth: self.depth,
            pieces: self.pieces.clone(),
            flags: self.flags.clone(),
            last: self.last.clone(),
        }
    }

    pub(crate) fn restore(&mut self) -> Res<()> {
        let Some(snapshot) = self.stored.last() else {
            return Err(self.fault(errors::nothing_stored(self.at)));
        };
        self.pieces.clone_from(&snapshot.pieces);
        self.flags.clone_from(&snapshot.flags);
        self.last.clone_from(&snapshot.last);
        Ok(())
    }

    /// A fault as a halt; one without a place gets that of the running statement.
    pub(crate) fn fault(&self, diagnostic: Diagnostic) -> Box<Halt> {
        Box::new(Halt::Stop(CodeStop::Fault(Box::new(diagnostic))))
    }

    /// Pays for steps.
    pub(crate) fn pay(&mut self, steps: u64) -> Res<()> {
        match self.budget.spend(steps) {
            Ok(()) => Ok(()),
            Err(shortage) => {
                let limits = &self.program.limits;
                Err(self.fault(errors::out_of_steps(self.at, shortage, limits)))
            }
        }
    }

    /// A text as a value, counted.
    pub(crate) fn text(&mut self, text: &str) -> Res<Value> {
        Ok(Value::Text(self.intern(text)?))
    }

    pub(crate) fn intern(&mut self, text: &str) -> Res<Sym> {
        self.pay(text.len() as u64 / 16)?;
        if let Some(sym) = self.names.get(text) {
            return Ok(sym);
        }
        let limits = &self.program.limits;
        if text.len() > limits.text_len {
            let message = format!("a text of more than {} KB", limits.text_len / 1024);
            return Err(self.fault(errors::out_of_memory(self.at, &message)));
        }
        if self.names.bytes() > limits.text {
            return Err(
                self.fault(errors::out_of_memory(self.at, "the program makes too many texts"))
            );
        }
        // A copy of the machine shares the texts until one of them makes a new one.
        if Arc::strong_count(&self.names) > 1 {
            self.pay(self.names.bytes() as u64 / 64)?;
        }
        Ok(Arc::make_mut(&mut self.names).intern(text))
    }

    /// An array as a value, counted.
    pub(crate) fn array(&mut self, mut array: Array) -> Res<Value> {
        let limits = &self.program.limits;
        if array.weight() > limits.array {
            let message = format!("an array of more than {} elements", limits.array);
            return Err(self.fault(errors::out_of_memory(self.at, &message)));
        }
        if array.depth() > 60 {
            return Err(self.fault(errors::out_of_memory(self.at, "arrays in arrays, too deep")));
        }
        let n_elements = array.len() as u64;
        self.budget.elements = self.budget.elements.saturating_sub(n_elements);
        if self.budget.elements == 0 {
            let message = "the program makes too many arrays";
            return Err(self.fault(errors::out_of_memory(self.at, message)));
        }
        self.pay(n_elements / 4)?;
        array.count_by(&self.budget.live);
        self.check_live()?;
        Ok(Value::Array(Arc::new(array)))
    }

    /// Whether the arrays in use are small enough together.
    pub(crate) fn check_live(&self) -> Res<()> {
        if self.budget.live.live() <= self.program.limits.live_elements {
            return Ok(());
        }
        let message = "the program keeps too many elements of arrays";
        Err(self.fault(errors::out_of_memory(self.at, message)))
    }

    pub(crate) fn list(&mut self, values: Vec<Value>) -> Res<Value> {
        self.array(Array::list(values))
    }

    /// The number of a value's text.
    pub(crate) fn sym_of(&mut self, value: &Value) -> Res<Sym> {
        match value.sym() {
            Some(sym) => Ok(sym),
            None => {
                let text = self.printed(value)?;
                self.intern(&text)
            }
        }
    }

    /// The space that a value names.
    ///
    /// DIFFERENCE: the original takes false for the first space; see `false_is_no_space`.
    pub(crate) fn space_of(&self, value: &Value) -> Option<Space> {
        match value {
            Value::Int(it) => self.names.get(&it.to_string()).and_then(|it| self.names.space(it)),
            other => other.sym().and_then(|it| self.names.space(it)),
        }
    }

    /// The label on a space.
    pub(crate) fn on(&self, space: Space) -> Sym {
        self.pieces.get(space.index()).copied().unwrap_or(Sym::EMPTY)
    }

    pub(crate) fn is_empty(&self, space: Space) -> bool {
        self.on(space) == Sym::EMPTY
    }

    /// The coordinate of a space, as a value.
    pub(crate) fn name_of(&self, space: Space) -> Value {
        self.space_names.get(space.index()).map_or(Value::Null, |&it| Value::Text(it))
    }

    pub(crate) fn put(&mut self, space: Space, label: Sym) {
        if let Some(slot) = self.pieces.get_mut(space.index()) {
            *slot = label;
        }
    }

    /// The variable or constant that `#name` means.
    pub(crate) fn lookup(&self, name: Sym) -> Option<&Value> {
        if !self.consts.is_empty()
            && let Some(value) = self.consts.get(&name)
        {
            return Some(value);
        }
        self.scopes.get(name)
    }

    /// The label with its letters in the other case.
    pub(crate) fn flipped(&mut self, label: Sym) -> Res<Sym> {
        let text = self.names.text(label);
        let flipped: String = match self.names.case(label) {
            Case::Upper => text.to_lowercase(),
            Case::Lower => text.to_uppercase(),
            Case::Neither => text.chars().map(flip_char).collect(),
        };
        self.intern(&flipped)
    }
}

fn flip_char(ch: char) -> char {
    if ch.is_ascii_uppercase() { ch.to_ascii_lowercase() } else { ch.to_ascii_uppercase() }
}
