//! Goals on sets.

mod judge;

use boardwright_game::{
    ConfigStep, Goal, GoalKind, Occupant, PieceKind, Player, SiteOrZone, Verdict, Whose,
};
use boardwright_play::{
    Ending, Outcome, Reason, Rules,
    semantics::{all_known, credited},
};

use crate::{
    Unsupported,
    bits::Bits,
    checks::{Check, Pieces, Row, Test},
    connect::Joins,
    game::{FastGame, FastState},
    lanes::{EMPTY, FIRST_KIND},
    layout::LaneMap,
};

/// A goal, by player where the board looks different to each.
#[derive(Debug)]
enum FastGoal<const W: usize> {
    Stuck,
    Mated(Vec<PieceKind>),
    Repetition,
    /// `[player]`: bits of `FastState::taken`.
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
    And(Vec<FastGoal<W>>),
    Or(Vec<FastGoal<W>>),
    Not(Box<FastGoal<W>>),
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
    goal: FastGoal<W>,
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
    pub fn new(
        rules: &Rules,
        layout: &LaneMap<W>,
        first_set: usize,
    ) -> Result<Goals<W>, Unsupported> {
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
                is_phase_one: !matches!(goal, FastGoal::Stuck | FastGoal::Mated(_)),
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
    goal: &FastGoal<W>,
    player: Player,
) -> Test<W> {
    let pieces = |kind| Pieces::new::<W>(first_owner, player, kind);
    let rows = |goals: &[FastGoal<W>]| {
        let mut found: Option<(Option<PieceKind>, Vec<Row<W>>)> = None;
        for goal in goals {
            let FastGoal::Relative(by_player, true) = goal else { return None };
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
        FastGoal::Captured(masks) => Test::Taken(masks[player.idx()]),
        FastGoal::Remaining(n, kind) if !rules.ruleset.options.include_off_pieces => {
            Test::Count(pieces(*kind), *n)
        }
        FastGoal::Remaining(n, kind) => {
            let first = player.idx() * rules.n_kinds();
            let hands = match kind {
                Some(kind) => first + kind.idx()..first + kind.idx() + 1,
                None => first..first + rules.n_kinds(),
            };
            Test::CountAll(pieces(*kind), hands, *n)
        }
        FastGoal::Absolute(occupants, by_player) => {
            match (&**occupants, &by_player[player.idx()]) {
                ([it], (sites, zones)) if it.whose == Whose::Mine && !it.negated => {
                    match zones.as_slice() {
                        [] => Test::Fill(pieces(it.kind), *sites),
                        [zone] if sites.is_empty() => Test::Reach(pieces(it.kind), *zone),
                        _ => Test::Goal,
                    }
                }
                _ => Test::Goal,
            }
        }
        FastGoal::Or(goals) => as_rows(rows(goals)),
        FastGoal::Relative(..) => as_rows(rows(std::slice::from_ref(goal))),
        _ => Test::Goal,
    }
}

/// Turns the goal of one condition into its fast form.
struct Compiler<'a, const W: usize> {
    rules: &'a Rules,
    layout: &'a LaneMap<W>,
    players: Option<&'a [Player]>,
    joins: &'a mut Joins<W>,
}

impl<const W: usize> Compiler<'_, W> {
    fn all(&mut self, goals: &[Goal], is_new: bool) -> Result<Vec<FastGoal<W>>, Unsupported> {
        goals.iter().map(|it| self.compile(it, is_new)).collect()
    }

    /// `is_new`: whether the game would be over if the goal had held before this turn.
    fn compile(&mut self, goal: &Goal, is_new: bool) -> Result<FastGoal<W>, Unsupported> {
        let (rules, layout) = (self.rules, self.layout);
        let ruleset = &rules.ruleset;
        let n_kinds = rules.n_kinds();
        Ok(match &goal.kind {
            GoalKind::Stalemated => FastGoal::Stuck,
            GoalKind::Checkmated(kinds) => FastGoal::Mated(kinds.clone()),
            GoalKind::Repetition => FastGoal::Repetition,
            GoalKind::Captured(kinds) => FastGoal::Captured(
                (0..rules.n_players())
                    .map(|owner| {
                        kinds.iter().fold(0, |acc, it| acc | 1u64 << (owner * n_kinds + it.idx()))
                    })
                    .collect(),
            ),
            GoalKind::PiecesRemaining(n, kind) => FastGoal::Remaining(*n, *kind),
            GoalKind::TotalPieceCount(n, kind) => FastGoal::Total(*n, *kind),
            GoalKind::AbsoluteConfig(_, args) if args.is_empty() => FastGoal::Never,
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
                FastGoal::Absolute(occupants.clone(), by_player.collect())
            }
            GoalKind::RelativeConfig(steps) if steps.is_empty() => FastGoal::Never,
            GoalKind::RelativeConfig(steps) => {
                let by_player =
                    ruleset.all_players().map(|player| lines(rules, layout, steps, player));
                let asks_own = |it: &ConfigStep| match it {
                    ConfigStep::Occupant(it) => it.whose == Whose::Mine && !it.negated,
                    _ => true,
                };
                let through_new = is_new && steps.iter().all(asks_own);
                FastGoal::Relative(by_player.collect::<Result<_, _>>()?, through_new)
            }
            GoalKind::Connected(kinds, ends) => {
                let players = self.players;
                let watch = |player: Player| {
                    if players.is_some_and(|it| !it.contains(&player)) {
                        return Ok(None);
                    }
                    self.joins.watch(rules, layout, kinds, ends, player).map(Some)
                };
                FastGoal::Connected(ruleset.all_players().map(watch).collect::<Result<_, _>>()?)
            }
            GoalKind::And(goals) => FastGoal::And(self.all(goals, false)?),
            GoalKind::Or(goals) => FastGoal::Or(self.all(goals, is_new)?),
            GoalKind::Not(goal) => FastGoal::Not(Box::new(self.compile(goal, false)?)),
        })
    }
}

/// A walk in the making: its starts, how far it came, and what it asked for.
type ConfigWalk<const W: usize> = (Bits<W>, i32, Vec<(u16, Occupant)>);

/// The walks of a `relative-config`, one for each combination of strides.
fn lines<const W: usize>(
    rules: &Rules,
    layout: &LaneMap<W>,
    steps: &[ConfigStep],
    player: Player,
) -> Result<Vec<Line<W>>, Unsupported> {
    let mut walks: Vec<ConfigWalk<W>> = vec![(layout.all, 0, Vec::new())];
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
            return Err(Unsupported::Goals);
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
    layout: &LaneMap<W>,
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

/// What is known beside the state.
#[derive(Clone, Copy)]
pub(crate) enum GoalMoment<'a> {
    TurnOver { mover: Player, owner: Player, history: &'a [u64] },
    Stuck(&'a [PieceKind]),
}
