//! Goals on sets.

use boardwright_game::{
    ConfigStep, Goal, GoalKind, Occupant, PieceKind, Player, SiteOrZone, Verdict, Whose,
};
use boardwright_play::{
    Ending, Outcome, Reason, Rules,
    semantics::{all_known, credited},
};

use crate::{
    Refusal,
    bits::Bits,
    checks::{Check, Pieces, Row, Test},
    connect::Joins,
    game::{Game, Situation},
    lanes::{EMPTY, FIRST_KIND},
    layout::Layout,
};

/// A goal, by player where the board looks different to each.
#[derive(Debug)]
enum Fast<const W: usize> {
    Stuck,
    Mated(Vec<PieceKind>),
    Repetition,
    /// `[player]`: bits of `Situation::taken`.
    Captured(Vec<u64>),
    Remaining(u32, Option<PieceKind>),
    Total(u32, Option<PieceKind>),
    /// `[player]`: sites that all must pass, and zones of which one site must.
    Absolute(Vec<Occupant>, Vec<(Bits<W>, Vec<Bits<W>>)>),
    /// `[player]`: walks, each with its starts and what must stand how far ahead; and
    /// whether a walk that succeeds goes through the piece that has just come.
    Relative(Vec<Vec<Line<W>>>, bool),
    /// `[player]`: the number of the chain.
    Connected(Vec<Option<usize>>),
    And(Vec<Fast<W>>),
    Or(Vec<Fast<W>>),
    Not(Box<Fast<W>>),
    Never,
}

/// A walk: the starts from which it stays on the board, and what must stand how far ahead.
#[derive(Debug)]
struct Line<const W: usize> {
    starts: Bits<W>,
    tests: Vec<(u16, Occupant)>,
    /// The line as a row of one kind of pieces, if it is one.
    row: Option<(Option<PieceKind>, Row<W>)>,
}

#[derive(Debug)]
struct Condition<const W: usize> {
    idx: usize,
    verdict: Verdict,
    players: Option<Vec<Player>>,
    goal: Fast<W>,
    /// Whether it can hold before the mover's moves are known.
    is_phase_one: bool,
}

/// The end conditions of a game.
#[derive(Debug)]
pub(crate) struct Goals<const W: usize> {
    conditions: Vec<Condition<W>>,
    pub joins: Joins<W>,
    /// By turn: which condition is tried for whom, in order.
    pub checks: Vec<Vec<Check<W>>>,
    pub watches_repetition: bool,
    /// Whether a state cannot come back once there are more or fewer pieces on the board,
    /// and it matters.
    pub is_one_way: bool,
    /// Whether that is so only once nothing can be dropped any more: what was taken may
    /// be put there again, and a state is the same whatever is left in the hands.
    pub needs_empty_hands: bool,
    /// Whether pieces only ever come or only ever go, so that no state comes back.
    pub never_repeats: bool,
}

impl<const W: usize> Goals<W> {
    /// `first_set`: the sets from here on are free to be used.
    pub fn new(rules: &Rules, layout: &Layout<W>, first_set: usize) -> Result<Goals<W>, Refusal> {
        let mut conditions = Vec::new();
        let mut joins = Joins::new(rules, layout, first_set);
        for (idx, condition) in rules.ruleset.end_conditions.iter().enumerate() {
            let players = condition.players.as_deref();
            let mut compiler = Compiler { rules, layout, players, joins: &mut joins };
            // What is tried for the same players after each turn did not hold before.
            let goal = compiler.compile(&condition.goal, players.is_some())?;
            conditions.push(Condition {
                idx,
                verdict: condition.verdict,
                players: condition.players.clone(),
                is_phase_one: !matches!(goal, Fast::Stuck | Fast::Mated(_)),
                goal,
            });
        }
        let first_owner = FIRST_KIND + rules.n_kinds() + rules.ruleset.attributes.len();
        let checks = rules.ruleset.turn_order.turns.iter().map(|turn| {
            let order = order(&conditions, turn).into_iter();
            let check = |(idx, player): (usize, Player)| Check {
                condition: idx,
                player,
                test: test(rules, first_owner, &conditions[idx].goal, player),
            };
            order.map(check).collect()
        });
        let checks = checks.collect();
        let watches_repetition = rules.names_repetition() || !rules.is_solitaire();
        let has_moves = rules
            .ruleset
            .pieces
            .iter()
            .any(|it| it.blocks.iter().any(|it| it.kind == boardwright_game::BlockKind::Move));
        let recycles = rules.ruleset.options.recycle_captures;
        let takes = rules.ruleset.pieces.iter().any(|it| {
            it.program.ops.iter().any(|it| matches!(it, boardwright_game::Op::Capture(_)))
        });
        let passes = rules.ruleset.options.pass_turn != boardwright_game::PassTurn::Never;
        let never_repeats = !has_moves && !recycles && !takes && !passes;
        let has_drops = rules
            .ruleset
            .pieces
            .iter()
            .any(|it| it.blocks.iter().any(|it| it.kind == boardwright_game::BlockKind::Drop));
        // What is dropped comes from a hand that nothing fills again, if captures do not.
        let brings = rules.ruleset.pieces.iter().any(|it| {
            recycles && has_drops
                || it.program.ops.iter().any(|it| matches!(it, boardwright_game::Op::Create(_)))
                || it.program.adds.iter().any(|it| it.is_copy)
        });
        Ok(Goals {
            conditions,
            joins,
            checks,
            watches_repetition,
            is_one_way: !brings && watches_repetition && !never_repeats,
            needs_empty_hands: has_drops && (has_moves || takes),
            never_repeats,
        })
    }
}

/// Who moved, whose pieces moved, then as listed: decision `goal-order`.
fn order<const W: usize>(
    conditions: &[Condition<W>],
    turn: &boardwright_game::Turn,
) -> Vec<(usize, Player)> {
    let mut order = Vec::new();
    for (idx, condition) in conditions.iter().enumerate().filter(|(_, it)| it.is_phase_one) {
        let default = [turn.mover];
        let listed = condition.players.as_deref().unwrap_or(&default);
        let first = listed.iter().filter(|&&it| it == turn.mover);
        let second = listed.iter().filter(|&&it| it == turn.owner && it != turn.mover);
        let rest = listed.iter().filter(|&&it| it != turn.owner && it != turn.mover);
        order.extend(first.chain(second).chain(rest).map(|&it| (idx, it)));
    }
    order
}

/// A goal as a question on one or two sets, where it is one.
fn test<const W: usize>(
    rules: &Rules,
    first_owner: usize,
    goal: &Fast<W>,
    player: Player,
) -> Test<W> {
    let pieces = |kind| Pieces::new::<W>(first_owner, player, kind);
    let rows = |goals: &[Fast<W>]| {
        let mut found: Option<(Option<PieceKind>, Vec<Row<W>>)> = None;
        for goal in goals {
            let Fast::Relative(by_player, true) = goal else { return None };
            for line in &by_player[player.idx()] {
                let (kind, row) = line.row.clone()?;
                let (all, rows) = found.get_or_insert((kind, Vec::new()));
                if *all != kind {
                    return None;
                }
                rows.push(row);
            }
        }
        found
    };
    let as_rows = |found: Option<(Option<PieceKind>, Vec<Row<W>>)>| match found {
        Some((kind, rows)) => Test::Rows(pieces(kind), rows),
        None => Test::Goal,
    };
    match goal {
        Fast::Captured(masks) => Test::Taken(masks[player.idx()]),
        Fast::Remaining(n, kind) if !rules.ruleset.options.include_off_pieces => {
            Test::Count(pieces(*kind), *n)
        }
        Fast::Remaining(n, kind) => {
            let first = player.idx() * rules.n_kinds();
            let hands = match kind {
                Some(kind) => first + kind.idx()..first + kind.idx() + 1,
                None => first..first + rules.n_kinds(),
            };
            Test::CountAll(pieces(*kind), hands, *n)
        }
        Fast::Absolute(occupants, by_player) => match (&**occupants, &by_player[player.idx()]) {
            ([it], (sites, zones)) if it.whose == Whose::Mine && !it.negated => {
                match zones.as_slice() {
                    [] => Test::Fill(pieces(it.kind), *sites),
                    [zone] if sites.is_empty() => Test::Reach(pieces(it.kind), *zone),
                    _ => Test::Goal,
                }
            }
            _ => Test::Goal,
        },
        Fast::Or(goals) => as_rows(rows(goals)),
        Fast::Relative(..) => as_rows(rows(std::slice::from_ref(goal))),
        _ => Test::Goal,
    }
}

/// Turns the goal of one condition into its fast form.
struct Compiler<'a, const W: usize> {
    rules: &'a Rules,
    layout: &'a Layout<W>,
    players: Option<&'a [Player]>,
    joins: &'a mut Joins<W>,
}

impl<const W: usize> Compiler<'_, W> {
    fn all(&mut self, goals: &[Goal], is_new: bool) -> Result<Vec<Fast<W>>, Refusal> {
        goals.iter().map(|it| self.compile(it, is_new)).collect()
    }

    /// `is_new`: whether the game would be over if the goal had held before this turn.
    fn compile(&mut self, goal: &Goal, is_new: bool) -> Result<Fast<W>, Refusal> {
        let (rules, layout) = (self.rules, self.layout);
        let ruleset = &rules.ruleset;
        let n_kinds = rules.n_kinds();
        Ok(match &goal.kind {
            GoalKind::Stalemated => Fast::Stuck,
            GoalKind::Checkmated(kinds) => Fast::Mated(kinds.clone()),
            GoalKind::Repetition => Fast::Repetition,
            GoalKind::Captured(kinds) => Fast::Captured(
                (0..rules.n_players())
                    .map(|owner| {
                        kinds.iter().fold(0, |acc, it| acc | 1u64 << (owner * n_kinds + it.idx()))
                    })
                    .collect(),
            ),
            GoalKind::PiecesRemaining(n, kind) => Fast::Remaining(*n, *kind),
            GoalKind::TotalPieceCount(n, kind) => Fast::Total(*n, *kind),
            GoalKind::AbsoluteConfig(_, args) if args.is_empty() => Fast::Never,
            GoalKind::AbsoluteConfig(occupants, args) => {
                let by_player = ruleset.all_players().map(|player| {
                    let mut sites = Bits::NONE;
                    let mut zones = Vec::new();
                    for arg in args {
                        match *arg {
                            SiteOrZone::Site(site) => sites.insert(layout.lane(site)),
                            SiteOrZone::Zone(zone) => {
                                let mut set = Bits::NONE;
                                let found = ruleset.board.zone_sites(zone, player);
                                for site in found.into_iter().flat_map(|it| it.iter()) {
                                    set.insert(layout.lane(site));
                                }
                                zones.push(set);
                            }
                        }
                    }
                    (sites, zones)
                });
                Fast::Absolute(occupants.clone(), by_player.collect())
            }
            GoalKind::RelativeConfig(steps) if steps.is_empty() => Fast::Never,
            GoalKind::RelativeConfig(steps) => {
                let by_player =
                    ruleset.all_players().map(|player| lines(rules, layout, steps, player));
                let asks_own = |it: &ConfigStep| match it {
                    ConfigStep::Occupant(it) => it.whose == Whose::Mine && !it.negated,
                    _ => true,
                };
                let through_new = is_new && steps.iter().all(asks_own);
                Fast::Relative(by_player.collect::<Result<_, _>>()?, through_new)
            }
            GoalKind::Connected(kinds, ends) => {
                let players = self.players;
                let watch = |player: Player| {
                    if players.is_some_and(|it| !it.contains(&player)) {
                        return Ok(None);
                    }
                    self.joins.watch(rules, layout, kinds, ends, player).map(Some)
                };
                Fast::Connected(ruleset.all_players().map(watch).collect::<Result<_, _>>()?)
            }
            GoalKind::And(goals) => Fast::And(self.all(goals, false)?),
            GoalKind::Or(goals) => Fast::Or(self.all(goals, is_new)?),
            GoalKind::Not(goal) => Fast::Not(Box::new(self.compile(goal, false)?)),
        })
    }
}

/// A walk in the making: its starts, how far it came, and what it asked for.
type Walk<const W: usize> = (Bits<W>, i32, Vec<(u16, Occupant)>);

/// The walks of a `relative-config`, one for each combination of strides.
fn lines<const W: usize>(
    rules: &Rules,
    layout: &Layout<W>,
    steps: &[ConfigStep],
    player: Player,
) -> Result<Vec<Line<W>>, Refusal> {
    let mut walks: Vec<Walk<W>> = vec![(layout.all, 0, Vec::new())];
    for step in steps {
        let (direction, back) = match *step {
            ConfigStep::Occupant(occupant) => {
                for (_, at, tests) in &mut walks {
                    tests.push((at.rem_euclid(64 * W as i32) as u16, occupant));
                }
                continue;
            }
            ConfigStep::Step(direction) => (direction, false),
            ConfigStep::Back(direction) => (direction, true),
        };
        let mut longer = Vec::new();
        for (starts, at, tests) in &walks {
            for stride in layout.strides(rules, player, direction, back) {
                let starts = *starts & layout.starts_of(stride.lanes, *at);
                if !starts.is_empty() {
                    longer.push((starts, at + stride.delta, tests.clone()));
                }
            }
        }
        if longer.len() > 200 {
            return Err(Refusal::Goals);
        }
        walks = longer;
    }
    let row = row(rules, layout, steps, player);
    let mut row = row.filter(|_| walks.len() == 1);
    let line = |(starts, _, tests)| Line { starts, tests, row: row.take() };
    Ok(walks.into_iter().map(line).collect())
}

/// Whether a `relative-config` is a row: one occupant again and again, one step between.
fn row<const W: usize>(
    rules: &Rules,
    layout: &Layout<W>,
    steps: &[ConfigStep],
    player: Player,
) -> Option<(Option<PieceKind>, Row<W>)> {
    let (&first, rest) = steps.split_first()?;
    let ConfigStep::Occupant(occupant) = first else { return None };
    let &[ConfigStep::Step(direction), ..] = rest else { return None };
    let is_row = rest.chunks(2).all(|it| it == [ConfigStep::Step(direction), first]);
    let [stride] = layout.strides(rules, player, direction, false) else { return None };
    let len = rest.len() as u32 / 2 + 1;
    is_row.then(|| (occupant.kind, Row::new(stride.delta, len, stride.lanes)))
}

/// A history that is not worth being looked through by twos.
const SHORT: usize = 16;

/// What is known beside the situation.
#[derive(Clone, Copy)]
pub(crate) enum Moment<'a> {
    TurnOver { mover: Player, owner: Player, history: &'a [u64] },
    Stuck(&'a [PieceKind]),
}

impl<const W: usize> Game<W> {
    /// The outcome when the turn with number `just_moved` is complete.
    pub fn after_turn(
        &self,
        it: &Situation<W>,
        just_moved: usize,
        history: &[u64],
    ) -> Option<Outcome> {
        let turn = &self.turns[just_moved];
        let moment = Moment::TurnOver { mover: turn.mover, owner: turn.owner, history };
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
    pub fn when_stuck(&self, it: &Situation<W>, attacked: &[PieceKind]) -> Outcome {
        let turn = &self.turns[it.turn as usize];
        for condition in &self.goals.conditions {
            if !self.rules.stuck_conditions().contains(&condition.idx) {
                continue;
            }
            let concerns =
                |it: Player| condition.players.as_ref().is_none_or(|all| all.contains(&it));
            let Some(player) = [turn.owner, turn.mover].into_iter().find(|&it| concerns(it)) else {
                continue;
            };
            if self.holds(it, &condition.goal, player, Moment::Stuck(attacked)) == Some(true) {
                return self.verdict(it, condition, player, it.turn as usize);
            }
        }
        let solo = self.rules.is_solitaire();
        let ending = if solo { Ending::Loss(turn.mover) } else { Ending::Draw };
        Outcome { ending, reason: Reason::Stalemate }
    }

    fn verdict(
        &self,
        it: &Situation<W>,
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

    fn most_pieces(&self, it: &Situation<W>, listed: Option<&[Player]>) -> Ending {
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
            while at >= self.cycle {
                at -= self.cycle;
                n += usize::from(earlier[at] == *last);
            }
            return n;
        }
        let is_same = |it: &[u64]| usize::from(it[0] == *last);
        // The same turn comes round after a whole cycle only, of two turns as a rule.
        match self.cycle {
            2 => earlier.rchunks_exact(2).map(is_same).sum(),
            cycle => earlier.rchunks_exact(cycle).map(is_same).sum(),
        }
    }

    fn holds(
        &self,
        it: &Situation<W>,
        goal: &Fast<W>,
        player: Player,
        moment: Moment<'_>,
    ) -> Option<bool> {
        Some(match goal {
            Fast::Stuck => match moment {
                Moment::TurnOver { .. } => return None,
                Moment::Stuck(attacked) => attacked.is_empty(),
            },
            Fast::Mated(kinds) => match moment {
                Moment::TurnOver { .. } => return None,
                Moment::Stuck(attacked) => attacked.iter().any(|it| kinds.contains(it)),
            },
            Fast::Repetition => match moment {
                Moment::TurnOver { mover, owner, history } => {
                    (mover == player || owner == player)
                        && self.is_threefold(history, it.since as usize)
                }
                Moment::Stuck(_) => false,
            },
            Fast::Captured(masks) => it.taken & masks[player.idx()] != 0,
            Fast::Remaining(n, kind) => self.count(it, player, *kind) == *n,
            Fast::Total(n, kind) => {
                let players = self.rules.ruleset.all_players();
                players.map(|player| self.on_board(it, player, *kind)).sum::<u32>() == *n
            }
            Fast::Absolute(occupants, by_player) => {
                let (sites, zones) = &by_player[player.idx()];
                let mut pass = Bits::NONE;
                for occupant in occupants {
                    pass |= self.occupied(it, occupant, player);
                }
                (*sites & !pass).is_empty() && zones.iter().all(|zone| !(*zone & pass).is_empty())
            }
            Fast::Connected(chains) => {
                chains[player.idx()].is_some_and(|chain| self.is_joined(it, chain))
            }
            Fast::Relative(by_player, through_new) => {
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
            Fast::And(goals) => {
                return all_known(goals, |goal| self.holds(it, goal, player, moment));
            }
            Fast::Or(goals) => {
                let none =
                    all_known(goals, |goal| self.holds(it, goal, player, moment).map(|it| !it));
                return none.map(|it| !it);
            }
            Fast::Not(goal) => !self.holds(it, goal, player, moment)?,
            Fast::Never => false,
        })
    }

    /// Whether a line stands anywhere.
    fn has_line(&self, it: &Situation<W>, line: &Line<W>, player: Player) -> bool {
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
    fn line_through(&self, it: &Situation<W>, line: &Line<W>, player: Player, lane: u16) -> bool {
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
    fn occupied(&self, it: &Situation<W>, occupant: &Occupant, player: Player) -> Bits<W> {
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

    fn on_board(&self, it: &Situation<W>, player: Player, kind: Option<PieceKind>) -> u32 {
        let mut set = it.sets[self.owner_set(player)];
        if let Some(kind) = kind {
            set &= it.sets[FIRST_KIND + kind.idx()];
        }
        set.count()
    }

    fn count(&self, it: &Situation<W>, player: Player, kind: Option<PieceKind>) -> u32 {
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
