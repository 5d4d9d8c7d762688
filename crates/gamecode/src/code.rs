//! The compact form that runs: words resolved once, blocks turned to jumps.

use std::sync::Arc;

use boardwright_text::{Diagnostic, Span};

use crate::{
    names::Sym,
    value::{Atom, AtomKind, Value},
    words::{Command, Keyword},
};

/// One word of an expression or argument list.
#[derive(Clone, Debug)]
pub(crate) enum Item {
    /// A value as it stands.
    Value(Value),
    /// An operator, placeholder, variable or parameter.
    Atom(Atom),
    /// `?name`.
    Flag(Sym),
    Keyword(Keyword),
    /// What stands in parentheses.
    List(Arc<Code>),
}

/// An expression, last word first, or an argument list, first word first.
#[derive(Clone, Debug, Default)]
pub(crate) struct Code {
    pub(crate) items: Vec<Item>,
    pub(crate) spans: Vec<Span>,
    /// How many arguments a call of it takes.
    pub(crate) arity: u16,
    /// Whether it takes them by name.
    pub(crate) is_named: bool,
    /// Whether `=name` sets a variable of the call.
    pub(crate) sets_own: bool,
    /// Whether the first placeholder is missing: `#1` is used and `#0` is not.
    pub(crate) counts_from_one: bool,
    /// Whether an operator is among the words.
    pub(crate) has_op: bool,
}

impl Code {
    /// Code of these words.
    pub(crate) fn new(items: Vec<Item>, spans: Vec<Span>) -> Code {
        let mut code = Code { items, spans, ..Code::default() };
        let mut n_named = 0;
        let mut has_first = false;
        let mut is_clear = true;
        for item in &code.items {
            let was_clear = std::mem::replace(&mut is_clear, false);
            match item {
                Item::Atom(atom) => match atom.kind {
                    AtomKind::Slot(it) => {
                        has_first |= it == 0;
                        code.arity = code.arity.max(it.saturating_add(1));
                    }
                    // A parameter with nothing to its right takes an argument.
                    AtomKind::Param(_) => {
                        n_named += u16::from(was_clear);
                        code.sets_own = true;
                        is_clear = true;
                    }
                    AtomKind::Op(_) => code.has_op = true,
                    AtomKind::Var(_) => {}
                },
                Item::List(it) => {
                    has_first |= it.arity > 0 && !it.is_named && !it.counts_from_one;
                    code.sets_own |= it.sets_own;
                    code.arity = code.arity.max(if it.is_named { 0 } else { it.arity })
                }
                _ => {}
            }
        }
        code.counts_from_one = code.arity > 1 && !has_first && n_named == 0;
        code.is_named = n_named > 0;
        code.arity = code.arity.max(n_named);
        code
    }
}

/// One step of a unit; targets are indexes of steps.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    /// A command and its arguments, in written order.
    Run(Command, Code),
    /// A subroutine by its own name; the name is the first argument.
    Call(Code),
    /// `MOVE:` and a move as players write it, in words.
    Move(Code),
    Set(Item, Code),
    SetElem(Item, Item, Code),
    /// `setconst`, or `cset` if it keeps what there is.
    SetConst {
        name: Item,
        code: Code,
        keeps: bool,
    },
    SetSystem(Item, Code),
    Def(Item, Arc<Code>),
    Push(Item, Code),
    Unshift(Item, Code),
    Print(Code),
    /// Runs the text that the code gives.
    Eval(Code),
    Say(Code),
    Die(Code),
    Verify(Code),
    Return(Code),
    /// Goes to the step if the truth of the code is `when`.
    Branch {
        code: Code,
        when: bool,
        to: usize,
    },
    /// Leaves blocks and goes to the step.
    Jump {
        to: usize,
        leave: u16,
    },
    Enter,
    Leave,
    Switch {
        code: Code,
        cases: Vec<(Item, usize)>,
        default: usize,
    },
    /// Begins a loop over an array.
    For(Code),
    /// Takes the next element, or leaves the loop.
    Each {
        key: Option<Item>,
        value: Item,
        exit: usize,
    },
    /// Ends the program.
    End,
    /// Cannot be run, and says why when reached.
    Fail(Box<Diagnostic>),
}

/// The main program, a field, or a subroutine.
#[derive(Clone, Debug)]
pub(crate) struct Unit {
    pub(crate) name: Sym,
    pub(crate) params: Vec<Sym>,
    pub(crate) steps: Vec<Step>,
    pub(crate) spans: Vec<Span>,
}

impl Unit {
    pub(crate) fn new(name: Sym) -> Unit {
        Unit { name, params: Vec::new(), steps: Vec::new(), spans: Vec::new() }
    }

    /// Adds a step and gives its index.
    pub(crate) fn push(&mut self, step: Step, span: Span) -> usize {
        self.steps.push(step);
        self.spans.push(span);
        self.steps.len() - 1
    }

    /// The index of the next step.
    pub(crate) fn here(&self) -> usize {
        self.steps.len()
    }

    /// Lets the step at `idx` go to `to`.
    pub(crate) fn aim(&mut self, idx: usize, to: usize) {
        match self.steps.get_mut(idx) {
            Some(Step::Branch { to: target, .. } | Step::Jump { to: target, .. }) => *target = to,
            Some(Step::Each { exit, .. }) => *exit = to,
            _ => {}
        }
    }
}
