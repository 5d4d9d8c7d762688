//! A number for the rules of a variant, however they are written down.

use std::fmt::{Debug, Write};

use boardwright_text::Fnv1a;

use crate::{Board, Goal, GoalKind, Ruleset};

/// The hash of what was added so far.
#[derive(Default)]
struct Hasher(Fnv1a);

impl Hasher {
    fn add(&mut self, value: &dyn Debug) {
        // Writing to a hash cannot fail.
        let _ = write!(self.0, "{value:?};");
    }

    fn goal(&mut self, goal: &Goal) {
        match &goal.kind {
            GoalKind::And(all) => {
                self.add(&"and");
                all.iter().for_each(|it| self.goal(it));
                self.add(&"end");
            }
            GoalKind::Or(any) => {
                self.add(&"or");
                any.iter().for_each(|it| self.goal(it));
                self.add(&"end");
            }
            GoalKind::Not(it) => {
                self.add(&"not");
                self.goal(it);
            }
            other => self.add(other),
        }
    }
}

impl Ruleset {
    /// A hash of everything that decides how the game goes, and of nothing else: not of
    /// comments, pictures, the file's name, or where in the text a rule stands.
    pub fn fingerprint(&self) -> u64 {
        let mut it = Hasher::default();
        let Board { sites, links, symmetry, zones, .. } = &*self.board;
        sites.iter().for_each(|site| it.add(&site.name));
        it.add(&(links, symmetry));
        zones.iter().for_each(|zone| it.add(&(&zone.name, &zone.sites)));
        self.players.iter().for_each(|player| it.add(&(player.is_random, player.is_neutral)));
        for piece in &self.pieces {
            it.add(&(&piece.name, piece.attribute_mask, piece.default_attributes));
            for block in &piece.blocks {
                it.add(&(block.kind, block.move_type, block.start, block.entry));
            }
            it.add(&(&piece.program.ops, &piece.program.adds, &piece.program.creates));
        }
        for turn in &self.turn_order.turns {
            it.add(&(turn.mover, turn.owner, turn.move_type));
        }
        it.add(&self.turn_order.repeat);
        for entry in &self.setup.pieces {
            it.add(&(entry.player, entry.kind, entry.site));
        }
        for entry in &self.setup.hands {
            it.add(&(entry.player, entry.kind, entry.count));
        }
        it.add(&self.priorities);
        for condition in &self.end_conditions {
            it.add(&(condition.verdict, &condition.players));
            it.goal(&condition.goal);
        }
        it.add(&self.options);
        it.0.finish()
    }
}
