//! Tests the goals of a game on a state of its fast form.

use super::*;

impl<const W: usize> FastGame<W> {
    /// The outcome when the turn with number `just_moved` is complete.
    pub fn after_turn(
        &self,
        it: &FastState<W>,
        just_moved: usize,
        history: &[u64],
    ) -> Option<Outcome> {
        let turn = &self.order.turns[just_moved];
        let moment = GoalMoment::TurnOver { mover: turn.mover, owner: turn.owner, history };
        let found = self.first_check(it, just_moved, |check| {
            let goal = &self.goals.conditions[check.condition].goal;
            self.holds(it, goal, check.player, moment) == Some(true)
        });
        if let Some(check) = found {
            let condition = &self.goals.conditions[check.condition];
            return Some(self.verdict(it, condition, check.player, just_moved));
        }
        let draws = !self.rules.names_repetition() && !self.rules.is_solitaire();
        (draws && self.is_threefold(history, it.since as usize))
            .then_some(Outcome { ending: Ending::Draw, reason: Reason::Repetition })
    }

    /// The outcome when the mover has no legal move.
    pub fn when_stuck(&self, it: &FastState<W>, attacked: &[PieceKind]) -> Outcome {
        let turn = &self.order.turns[it.turn as usize];
        for condition in &self.goals.conditions {
            if !self.rules.stuck_conditions().contains(&condition.idx) {
                continue;
            }
            let concerns =
                |it: Player| condition.players.as_ref().is_none_or(|all| all.contains(&it));
            let Some(player) = [turn.owner, turn.mover].into_iter().find(|&it| concerns(it)) else {
                continue;
            };
            if self.holds(it, &condition.goal, player, GoalMoment::Stuck(attacked)) == Some(true) {
                return self.verdict(it, condition, player, it.turn as usize);
            }
        }
        let solo = self.rules.is_solitaire();
        let ending = if solo { Ending::Loss(turn.mover) } else { Ending::Draw };
        Outcome { ending, reason: Reason::Stalemate }
    }

    fn verdict(
        &self,
        it: &FastState<W>,
        condition: &Condition<W>,
        player: Player,
        turn: usize,
    ) -> Outcome {
        let credited = || credited(&self.rules, player, turn);
        let ending = match condition.verdict {
            Verdict::Win => Ending::Win(credited()),
            Verdict::Loss => Ending::Loss(credited()),
            Verdict::Draw => Ending::Draw,
            Verdict::Count => self.most_pieces(it, condition.players.as_deref()),
        };
        let span = self.rules.ruleset.end_conditions[condition.idx].span;
        Outcome { ending, reason: Reason::Condition { idx: condition.idx, span } }
    }

    fn most_pieces(&self, it: &FastState<W>, listed: Option<&[Player]>) -> Ending {
        let ruleset = &self.rules.ruleset;
        let has_turns = |it: &Player| {
            let random = ruleset.players[it.idx()].is_random;
            !random && ruleset.turn_order.turns.iter().any(|turn| turn.mover == *it)
        };
        let players: Vec<Player> = match listed {
            Some(listed) => listed.to_vec(),
            None => ruleset.all_players().filter(has_turns).collect(),
        };
        let count = |player: Player| it.sets[self.owner_set(player)].count();
        let most = players.iter().map(|&it| count(it)).max().unwrap_or(0);
        let mut leaders = players.iter().filter(|&&it| count(it) == most);
        match (leaders.next(), leaders.next()) {
            (Some(&winner), None) => Ending::Win(winner),
            _ => Ending::Draw,
        }
    }

    /// Whether the last of the keys is there for the third time.
    fn is_threefold(&self, history: &[u64], since: usize) -> bool {
        if self.goals.never_repeats || !self.goals.watches_repetition {
            return false;
        }
        self.n_earlier(history, since) >= 2
    }

    /// How often the last of the keys was there before, since some moment.
    pub fn n_earlier(&self, history: &[u64], since: usize) -> usize {
        let Some((last, earlier)) = history.split_last() else { return 0 };
        let Some(earlier) = earlier.get(since..) else { return 0 };
        if earlier.len() < SHORT {
            let mut n = 0;
            let mut at = earlier.len();
            while at >= self.order.cycle {
                at -= self.order.cycle;
                n += usize::from(earlier[at] == *last);
            }
            return n;
        }
        let is_same = |it: &[u64]| usize::from(it[0] == *last);
        // The same turn comes round after a whole cycle only, of two turns as a rule.
        match self.order.cycle {
            2 => earlier.rchunks_exact(2).map(is_same).sum(),
            cycle => earlier.rchunks_exact(cycle).map(is_same).sum(),
        }
    }

    fn holds(
        &self,
        it: &FastState<W>,
        goal: &FastGoal<W>,
        player: Player,
        moment: GoalMoment<'_>,
    ) -> Option<bool> {
        Some(match goal {
            FastGoal::Stuck => match moment {
                GoalMoment::TurnOver { .. } => return None,
                GoalMoment::Stuck(attacked) => attacked.is_empty(),
            },
            FastGoal::Mated(kinds) => match moment {
                GoalMoment::TurnOver { .. } => return None,
                GoalMoment::Stuck(attacked) => attacked.iter().any(|it| kinds.contains(it)),
            },
            FastGoal::Repetition => match moment {
                GoalMoment::TurnOver { mover, owner, history } => {
                    (mover == player || owner == player)
                        && self.is_threefold(history, it.since as usize)
                }
                GoalMoment::Stuck(_) => false,
            },
            FastGoal::Captured(masks) => it.taken & masks[player.idx()] != 0,
            FastGoal::Remaining(n, kind) => self.count(it, player, *kind) == *n,
            FastGoal::Total(n, kind) => {
                let players = self.rules.ruleset.all_players();
                players.map(|player| self.on_board(it, player, *kind)).sum::<u32>() == *n
            }
            FastGoal::Absolute(occupants, by_player) => {
                let (sites, zones) = &by_player[player.idx()];
                let mut pass = Bits::NONE;
                for occupant in occupants {
                    pass |= self.occupied(it, occupant, player);
                }
                (*sites & !pass).is_empty() && zones.iter().all(|zone| !(*zone & pass).is_empty())
            }
            FastGoal::Connected(chains) => {
                chains[player.idx()].is_some_and(|chain| self.is_joined(it, chain))
            }
            FastGoal::Relative(by_player, through_new) => {
                let lines = &by_player[player.idx()];
                match it.gain {
                    // Lines that were not there before go through the piece that is new.
                    Some((owner, lane)) if *through_new => {
                        owner == player
                            && lines.iter().any(|line| self.line_through(it, line, player, lane))
                    }
                    _ => lines.iter().any(|line| self.has_line(it, line, player)),
                }
            }
            FastGoal::And(goals) => {
                return all_known(goals, |goal| self.holds(it, goal, player, moment));
            }
            FastGoal::Or(goals) => {
                let none =
                    all_known(goals, |goal| self.holds(it, goal, player, moment).map(|it| !it));
                return none.map(|it| !it);
            }
            FastGoal::Not(goal) => !self.holds(it, goal, player, moment)?,
            FastGoal::Never => false,
        })
    }

    /// Whether a line stands anywhere.
    fn has_line(&self, it: &FastState<W>, line: &Line<W>, player: Player) -> bool {
        let mut left = line.starts;
        for (by, occupant) in &line.tests {
            left &= self.occupied(it, occupant, player).ahead(*by);
            if left.is_empty() {
                return false;
            }
        }
        true
    }

    /// Whether a line of the player's own pieces stands that holds this lane.
    #[inline]
    fn line_through(&self, it: &FastState<W>, line: &Line<W>, player: Player, lane: u16) -> bool {
        if let Some((kind, row)) = &line.row {
            let mut mine = it.sets[self.owner_set(player)];
            if let Some(kind) = kind {
                mine &= it.sets[FIRST_KIND + kind.idx()];
            }
            return mine.contains(lane as usize) && row.is_through(&mine, lane as usize);
        }
        let Line { starts, tests, .. } = line;
        let n_lanes = 64 * W as u16;
        let around = |it: u16| if it >= n_lanes { it - n_lanes } else { it };
        let mine = &it.sets[self.owner_set(player)];
        tests.iter().any(|&(by, _)| {
            let start = around(lane + n_lanes - by);
            starts.contains(start as usize)
                && tests.iter().all(|&(by, occupant)| {
                    let at = around(start + by) as usize;
                    mine.contains(at)
                        && occupant
                            .kind
                            .is_none_or(|kind| it.sets[FIRST_KIND + kind.idx()].contains(at))
                })
        })
    }

    #[inline]
    fn occupied(&self, it: &FastState<W>, occupant: &Occupant, player: Player) -> Bits<W> {
        let mine = it.sets[self.owner_set(player)];
        let mut set = match occupant.whose {
            Whose::Mine => mine,
            Whose::Opponent => self.layout.all & !it.sets[EMPTY] & !mine,
            Whose::Anyone => self.layout.all & !it.sets[EMPTY],
        };
        if let Some(kind) = occupant.kind {
            set &= it.sets[FIRST_KIND + kind.idx()];
        }
        if occupant.negated { self.layout.all & !set } else { set }
    }

    fn on_board(&self, it: &FastState<W>, player: Player, kind: Option<PieceKind>) -> u32 {
        let mut set = it.sets[self.owner_set(player)];
        if let Some(kind) = kind {
            set &= it.sets[FIRST_KIND + kind.idx()];
        }
        set.count()
    }

    fn count(&self, it: &FastState<W>, player: Player, kind: Option<PieceKind>) -> u32 {
        let mut n = self.on_board(it, player, kind);
        if self.rules.ruleset.options.include_off_pieces {
            let n_kinds = self.rules.n_kinds();
            n += match kind {
                Some(kind) => u32::from(it.hands[self.hand_slot(player, kind)]),
                None => {
                    let first = player.idx() * n_kinds;
                    it.hands[first..first + n_kinds].iter().map(|&it| u32::from(it)).sum()
                }
            };
        }
        n
    }
}
