//! Sets up a state outside of play: what an editor or a referee needs beside [`Edit`](crate::Edit).

use boardwright_game::{PieceKind, Player, Site};

use crate::{apply::Edit, halt::Halt, repetition::History, state::State};

impl State {
    /// Gives the players these pieces off the board, and the turn to an entry of the turn
    /// order. What is not named is none; names of another ruleset count for nothing.
    ///
    /// Says whether anything changed. If so, the history restarts, as after an edit.
    pub fn arrange(&mut self, hands: &[(Player, PieceKind, u32)], turn: usize) -> bool {
        let n_kinds = self.rules.n_kinds();
        let mut wanted = vec![0_u32; self.hands.len()];
        for &(player, kind, count) in hands {
            let slot = player.idx() * n_kinds + kind.idx();
            if kind.idx() < n_kinds
                && let Some(it) = wanted.get_mut(slot)
            {
                *it = it.saturating_add(count);
            }
        }
        let turn = if self.rules.turn(turn).is_some() { turn } else { self.turn };
        if wanted == self.hands && turn == self.turn {
            return false;
        }
        for (slot, count) in wanted.into_iter().enumerate() {
            self.set_hand_slot(slot, count);
        }
        if turn != self.turn {
            self.turn = turn;
            self.going_on = None;
            self.last_from = None;
            self.last_to = None;
        }
        self.taken.clear();
        self.decided = None;
        self.history = History::starting_with(self.repetition_key());
        true
    }

    /// The edits that turn the board into one with these pieces and no others.
    ///
    /// Pieces that stay are left alone, so that they keep their attributes.
    pub fn edits_to(&self, pieces: &[(Site, Player, PieceKind)]) -> Vec<Edit> {
        let placement = self.placement();
        let mut wanted = vec![None; placement.n_sites()];
        for &(site, player, kind) in pieces {
            let is_known =
                player.idx() < self.rules.n_players() && kind.idx() < self.rules.n_kinds();
            if let Some(it) = wanted.get_mut(site.idx()).filter(|_| is_known) {
                *it = Some((player, kind));
            }
        }
        let mut edits = Vec::new();
        for (idx, wanted) in wanted.into_iter().enumerate() {
            let site = Site(idx as u16);
            let there = placement.get(site).map(|it| (it.owner, it.kind));
            match wanted {
                _ if wanted == there => {}
                Some((player, kind)) => edits.push(Edit::Place { player, kind, site }),
                None => edits.push(Edit::Remove { site }),
            }
        }
        edits
    }

    /// Where the piece on a site could go if it stood alone on the board and its owner
    /// had the turn; ascending.
    pub fn lone_moves(&self, site: Site) -> Result<Vec<Site>, Halt> {
        let Some(piece) = self.placement.get(site) else { return Ok(Vec::new()) };
        let mut alone = self.clone();
        let others: Vec<Site> = self.placement.pieces().map(|it| it.0).collect();
        for other in others.into_iter().filter(|&it| it != site) {
            alone.edit(Edit::Remove { site: other });
        }
        let mut found = Vec::new();
        let n_turns = self.ruleset().turn_order.turns.len();
        for turn in 0..n_turns {
            if self.rules.turn(turn).is_none_or(|it| it.owner != piece.owner) {
                continue;
            }
            alone.arrange(&[], turn);
            for mv in &alone.legal_moves()? {
                let (from, to) = mv.key_sites();
                found.extend(to.filter(|it| from == Some(site) && *it != site));
            }
        }
        found.sort_unstable();
        found.dedup();
        Ok(found)
    }
}
