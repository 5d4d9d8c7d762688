//! Turns to choose from, for who plays by pointing: what the code tells, each tried.

use std::collections::HashSet;

use boardwright_gamecode::{CodeStop, Space};

use crate::game::{Game, TurnText};

/// A turn that may be played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Choice {
    /// The whole turn, questions answered.
    pub text: String,
    /// Where the piece comes from; off the board for a drop.
    pub from: Space,
    /// Where it goes.
    pub to: Space,
    /// Whether it is dropped.
    pub is_drop: bool,
    /// What stands where afterwards, as far as that changes; nothing if it was not tried.
    pub changes: Vec<(Space, Option<String>)>,
}

/// A move that the code told to be legal; whether it accepts it shows when it is played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ToldMove {
    /// The move as players write it, without answers to questions.
    pub text: String,
    /// Where the piece comes from; off the board for a drop.
    pub from: Space,
    /// Where it goes.
    pub to: Space,
    /// Whether it is dropped.
    pub is_drop: bool,
}

/// Steps that trying all moves of one state may take together; what is left then is
/// offered as the code told it.
const MOST_STEPS: u64 = 40_000_000;
/// Answers to questions within one turn.
const MOST_ANSWERS: usize = 4;

impl Game {
    /// The moves that the code told to be legal, each once; empty if it tells none.
    pub fn told(&self) -> Vec<ToldMove> {
        let machine = self.machine();
        let board = machine.board();
        let mut seen = HashSet::new();
        let mut told = Vec::new();
        for &(from, to) in machine.legal() {
            let label = machine.piece(from).unwrap_or("");
            let is_drop = board.info(from).is_some_and(|it| it.is_hidden);
            let text = match is_drop {
                true => format!("{label}*{}", board.name(to)),
                false => format!("{label} {}-{}", board.name(from), board.name(to)),
            };
            if seen.insert(text.clone()) {
                told.push(ToldMove { text, from, to, is_drop });
            }
        }
        told
    }

    /// The moves that the code told to be legal, as players write them; nothing if
    /// it tells none.
    ///
    /// They are legal as far as the code says; [`Game::complete`] tries them.
    pub fn told_moves(&self) -> Option<Vec<String>> {
        let told = self.told();
        (!told.is_empty()).then(|| told.into_iter().map(|it| it.text).collect())
    }

    /// The turns that the code told to be legal and accepts, with what each does;
    /// nothing if it tells none. What comes after a turn is not looked at, so this is
    /// quicker than [`Game::complete`].
    pub fn choices(&self) -> Option<Vec<Choice>> {
        let told = self.told();
        if told.is_empty() {
            return None;
        }
        let mut found = Vec::new();
        let mut budget = MOST_STEPS;
        for it in &told {
            match budget {
                0 => found.push(Choice {
                    text: it.text.clone(),
                    from: it.from,
                    to: it.to,
                    is_drop: it.is_drop,
                    changes: Vec::new(),
                }),
                _ => self.choose(it, &it.text, 0, &mut budget, &mut found),
            }
        }
        Some(found)
    }

    fn choose(
        &self,
        told: &ToldMove,
        text: &str,
        depth: usize,
        budget: &mut u64,
        found: &mut Vec<Choice>,
    ) {
        if *budget == 0 {
            return;
        }
        let mut next = self.clone();
        let result = next.make_only(TurnText { text: text.to_owned(), comment: String::new() });
        *budget = budget.saturating_sub(next.spent(self).max(200));
        match result {
            Ok(()) => {
                let text = next.turns().last().map_or(String::new(), |it| it.text.clone());
                let changes = next.changes_since(self);
                let ToldMove { from, to, is_drop, .. } = *told;
                found.push(Choice { text, from, to, is_drop, changes });
            }
            Err(CodeStop::Ask(question)) if depth < MOST_ANSWERS => {
                for (_, whole) in question.choices {
                    self.choose(told, &whole, depth + 1, budget, found);
                }
            }
            Err(_) => {}
        }
    }
}
