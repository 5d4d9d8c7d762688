//! A board, a program, and what it writes.

#![allow(dead_code, reason = "each test file uses its share")]

use std::sync::Arc;

use boardwright_gamecode::{
    AxisLabel, CodeFiles, CodeLimits, CodeStop, Compiler, Machine, SpaceMap, forsythe,
};

/// The opening of chess.
pub const CHESS: &str = "rnbqkbnrpppppppp32PPPPPPPPRNBQKBNR";

/// CodeFiles in memory.
pub struct Memory(pub Vec<(&'static str, &'static str)>);

impl CodeFiles for Memory {
    fn include(&mut self, name: &str) -> Option<(String, Vec<u8>)> {
        let file = self.0.iter().find(|it| it.0 == name)?;
        Some((name.to_owned(), file.1.as_bytes().to_vec()))
    }
}

/// A board to run on.
#[derive(Clone, Copy)]
pub struct Setting {
    pub code: &'static str,
    pub columns: usize,
    pub files: &'static str,
    pub ranks: &'static str,
    pub limits: Option<u64>,
}

/// The board of chess.
pub const STANDARD: Setting =
    Setting { code: CHESS, columns: 8, files: "", ranks: "", limits: None };

impl Setting {
    /// A machine with the program loaded and nothing run.
    pub fn machine(
        &self,
        text: &str,
        files: &mut dyn CodeFiles,
    ) -> (Machine, boardwright_gamecode::Part) {
        let limits = match self.limits {
            Some(steps) => CodeLimits { steps, ..CodeLimits::default() },
            None => CodeLimits::default(),
        };
        let mut compiler = Compiler::new(limits, files);
        let part = compiler.part("pond", text);
        let program = compiler.finish();
        assert!(program.is_clean(), "{text}: {:#?}", program.diagnostics());
        let cells = forsythe::read(self.code, self.columns).expect("the code reads");
        let (files, ranks) = (AxisLabel::list(self.files), AxisLabel::list(self.ranks));
        let board = SpaceMap::grid(self.columns, &cells, &files, &ranks).expect("is a board");
        (Machine::new(Arc::new(program), Arc::new(board), &cells, 42), part)
    }

    /// What a program writes; a stop is its last line.
    pub fn run(&self, text: &str) -> Vec<String> {
        let (mut machine, part) = self.machine(text, &mut Memory(Vec::new()));
        let result = machine.run(part);
        let mut lines = machine.take_output();
        lines.extend(result.err().map(|it| stop(&it)));
        lines
    }

    #[track_caller]
    pub fn check(&self, text: &str, expected: &[&str]) {
        assert_eq!(self.run(text), expected, "{text}");
    }
}

/// A stop in one line.
pub fn stop(stop: &CodeStop) -> String {
    match stop {
        CodeStop::Fault(it) => format!("{}: {}", it.code, it.message),
        CodeStop::Refused(text, _) => format!("refused: {text}"),
        CodeStop::Ask(question) => {
            let choices: Vec<_> = question.choices.iter().map(|it| it.0.as_str()).collect();
            format!("ask: {}({})", question.text, choices.join(" "))
        }
    }
}

/// Runs on the board of chess.
#[track_caller]
pub fn check(text: &str, expected: &[&str]) {
    STANDARD.check(text, expected);
}
