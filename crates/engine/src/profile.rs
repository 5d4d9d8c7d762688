//! What sort of game a ruleset is, as far as a search must know.

use boardwright_game::{
    BlockKind, Direction, Goal, GoalKind, MaximalCaptures, Op, PassTurn, PieceKind, Player,
    Ruleset, Setup, Site, SiteOrZone, Verdict, Whose,
};

use crate::{engine::Method, score::movers};

/// Something that a player strives for or must prevent.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Aim {
    /// For whom it is tested.
    pub player: Player,
    /// Whether it wins for that player; otherwise it loses.
    pub wins: bool,
    pub what: What,
}

/// The goals that an evaluation can do something with.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum What {
    /// Having no move.
    Stuck,
    /// Losing a piece of one of these kinds.
    Royal(Vec<PieceKind>),
    /// Having so many pieces left.
    Remaining(u32, Option<PieceKind>),
    /// Pieces of the player's own on every one of these sites (any kind if `None`).
    Sites(Vec<Site>, Option<PieceKind>),
    /// A piece of the player's own on one of these sites.
    Reach(Vec<Site>, Option<PieceKind>),
    /// Pieces of the player's own on every site of one of these rows.
    Rows(Vec<Vec<Site>>, Option<PieceKind>),
}

/// What sort of game it is.
#[derive(Clone, Debug)]
pub(crate) struct Profile {
    /// The players who choose moves, chance aside.
    pub movers: Vec<Player>,
    pub has_chance: bool,
    /// Whether there are moves of pieces on the board, not only drops.
    pub has_moves: bool,
    pub has_drops: bool,
    /// Whether the board fills: something is dropped, made or left behind.
    pub fills: bool,
    /// Whether anything is ever removed.
    pub has_captures: bool,
    /// By player: the kinds whose loss ends the game.
    pub royal: Vec<Vec<PieceKind>>,
    /// Whether some rule guards royal pieces against check.
    pub has_check: bool,
    /// Whether moves of some types go before others, as forced captures do.
    pub has_priorities: bool,
    /// Whether a turn without a move would be worse than the best move, as a rule.
    pub may_skip: bool,
    /// Whether somebody begins with more pieces on the board than one.
    pub has_many: bool,
    /// Whether a chain between two places decides.
    pub connects: bool,
    /// Whether the most pieces win in the end.
    pub counts: bool,
    /// Whether a player without a move loses (1) or wins (-1).
    pub stuck: i32,
    /// Whether nothing but marks that the rules set decides, so that no goal says what to
    /// strive for.
    pub is_blind: bool,
    /// Whether a repeated state is a draw.
    pub repeats_draw: bool,
    /// By player: 1 if pieces are good to have, -1 if they are good to lose.
    pub material: Vec<i32>,
    pub aims: Vec<Aim>,
}

impl Profile {
    pub fn new(ruleset: &Ruleset) -> Profile {
        let movers = movers(ruleset);
        let blocks = || ruleset.pieces.iter().flat_map(|it| &it.blocks);
        let ops = || ruleset.pieces.iter().flat_map(|it| &it.program.ops);
        let mut profile = Profile {
            has_chance: ruleset.players.iter().any(|it| it.is_random),
            has_moves: blocks().any(|it| it.kind == BlockKind::Move),
            has_drops: blocks().any(|it| it.kind == BlockKind::Drop),
            fills: false,
            has_captures: false,
            royal: vec![Vec::new(); ruleset.players.len()],
            has_check: false,
            has_priorities: !ruleset.priorities.is_empty()
                || ruleset.options.maximal_captures != MaximalCaptures::No,
            may_skip: false,
            has_many: false,
            connects: false,
            counts: false,
            stuck: 0,
            is_blind: false,
            repeats_draw: true,
            material: vec![1; ruleset.players.len()],
            aims: Vec::new(),
            movers,
        };
        let begins_with =
            |it: &Player| ruleset.setup.pieces.iter().filter(|piece| piece.player == *it).count();
        profile.has_many = profile.movers.iter().any(|it| begins_with(it) > 1);
        let makes = |it: &Op| matches!(it, Op::Create(_));
        let copies = ruleset.pieces.iter().flat_map(|it| &it.program.adds).any(|it| it.is_copy);
        profile.fills = profile.has_drops || ops().any(makes) || copies;
        profile.has_captures =
            ops().any(|it| matches!(it, Op::Capture(_) | Op::Enemy(_) | Op::Friend(_)));
        for condition in &ruleset.end_conditions {
            let players = match &condition.players {
                Some(players) => players.clone(),
                None => profile.movers.clone(),
            };
            match condition.verdict {
                Verdict::Count => profile.counts = true,
                Verdict::Draw => {}
                Verdict::Win | Verdict::Loss => {
                    let wins = condition.verdict == Verdict::Win;
                    for &player in &players {
                        profile.take(ruleset, player, wins, &condition.goal);
                    }
                }
            }
        }
        profile.is_blind &= profile.aims.is_empty() && !profile.counts && !profile.connects;
        let is_decisive = |aim: &Aim| matches!(aim.what, What::Royal(_) | What::Reach(..));
        profile.may_skip = profile.has_moves
            && profile.stuck == 0
            && !profile.has_priorities
            && !profile.has_chance
            && !profile.counts
            && profile.movers.len() == 2
            && ruleset.options.pass_turn == PassTurn::Never
            && profile.aims.iter().any(is_decisive)
            && profile.material.iter().all(|&it| it > 0);
        profile
    }

    fn take(&mut self, ruleset: &Ruleset, player: Player, wins: bool, goal: &Goal) {
        let what = match &goal.kind {
            GoalKind::Stalemated => {
                self.stuck = if wins { -1 } else { 1 };
                What::Stuck
            }
            GoalKind::Repetition => {
                self.repeats_draw = false;
                return;
            }
            GoalKind::Captured(kinds) | GoalKind::Checkmated(kinds) => {
                self.has_check |= matches!(goal.kind, GoalKind::Checkmated(_));
                if wins {
                    return;
                }
                if let Some(royal) = self.royal.get_mut(player.idx()) {
                    royal.extend(kinds);
                    royal.sort_unstable();
                    royal.dedup();
                }
                What::Royal(kinds.clone())
            }
            GoalKind::PiecesRemaining(_, Some(kind)) if is_mark(ruleset, *kind) => {
                self.is_blind = true;
                return;
            }
            GoalKind::PiecesRemaining(n, kind) => {
                if wins
                    && *n == 0
                    && kind.is_none()
                    && let Some(it) = self.material.get_mut(player.idx())
                {
                    *it = -1;
                }
                What::Remaining(*n, *kind)
            }
            GoalKind::AbsoluteConfig(occupants, args) => {
                let [occupant] = occupants.as_slice() else { return };
                if occupant.negated || occupant.whose != Whose::Mine {
                    return;
                }
                let mut sites = Vec::new();
                let mut zones = Vec::new();
                for arg in args {
                    match *arg {
                        SiteOrZone::Site(site) => sites.push(site),
                        SiteOrZone::Zone(zone) => {
                            let of = ruleset.board.zone_sites(zone, player);
                            zones.extend(of.into_iter().flat_map(|it| it.iter()));
                        }
                    }
                }
                match (sites.len(), zones.is_empty()) {
                    (0, true) => return,
                    (0 | 1, _) => {
                        sites.extend(zones);
                        What::Reach(sites, occupant.kind)
                    }
                    (2..=6, true) => What::Rows(vec![sites], occupant.kind),
                    _ => What::Sites(sites, occupant.kind),
                }
            }
            GoalKind::RelativeConfig(steps) => match rows(ruleset, player, steps) {
                Some((rows, kind)) => What::Rows(rows, kind),
                None => return,
            },
            GoalKind::And(goals) | GoalKind::Or(goals) => {
                for goal in goals {
                    self.take(ruleset, player, wins, goal);
                }
                return;
            }
            GoalKind::Connected(..) => {
                self.connects = true;
                return;
            }
            GoalKind::TotalPieceCount(..) | GoalKind::Not(_) => return,
        };
        let aim = Aim { player, wins, what };
        if !self.aims.contains(&aim) {
            self.aims.push(aim);
        }
    }

    /// The way to look for moves that suits the rules.
    pub fn method(&self) -> Method {
        // Stones that only ever come, without rows to complete: who is ahead shows late.
        let has_rows = self.aims.iter().any(|it| matches!(it.what, What::Rows(..)));
        let is_filling = !self.has_moves && !has_rows;
        if self.is_puzzle() && !self.has_chance {
            return Method::Puzzle;
        }
        // Who runs out of moves first shows late, unless it is about one piece and its moves.
        let shows_late = self.has_captures || (self.fills && self.has_many);
        if self.connects || self.is_blind || (self.is_about_moving() && shows_late) {
            // A chain shows when it is there.
            return Method::Playouts;
        }
        if (is_filling && !self.counts) || self.has_chance {
            Method::Playouts
        } else {
            Method::Search
        }
    }

    /// Whether the other way may be better than [`method`](Profile::method) says: two play,
    /// and neither chance nor a chain nor a royal piece tells how to look for moves.
    pub fn is_doubtful(&self) -> bool {
        let has_royal = self.royal.iter().any(|it| !it.is_empty());
        self.movers.len() == 2 && !self.has_chance && !self.connects && !has_royal
    }

    /// Whether nothing but having a move decides.
    pub fn is_about_moving(&self) -> bool {
        self.stuck != 0 && !self.counts && self.aims.iter().all(|it| it.what == What::Stuck)
    }

    /// Whether one player alone chooses.
    pub fn is_puzzle(&self) -> bool {
        self.movers.len() == 1
    }
}

/// Whether a kind is none that anybody begins with or moves: a mark.
fn is_mark(ruleset: &Ruleset, kind: PieceKind) -> bool {
    let Setup { pieces, hands } = &ruleset.setup;
    let is_held = pieces.iter().any(|it| it.kind == kind) || hands.iter().any(|it| it.kind == kind);
    !is_held && ruleset.pieces.get(kind.idx()).is_none_or(|it| it.blocks.is_empty())
}

/// The places where a walk of own pieces fits on the board.
fn rows(
    ruleset: &Ruleset,
    player: Player,
    steps: &[boardwright_game::ConfigStep],
) -> Option<(Vec<Vec<Site>>, Option<PieceKind>)> {
    use boardwright_game::ConfigStep;
    let board = &ruleset.board;
    let mut kind = None;
    for step in steps {
        if let ConfigStep::Occupant(it) = step {
            if it.negated || it.whose != Whose::Mine {
                return None;
            }
            kind = kind.or(it.kind);
        }
    }
    let seen = |it: Direction| board.seen_by(player, it);
    let walk = |start: Site| {
        let mut site = start;
        let mut row = Vec::new();
        for step in steps {
            match *step {
                ConfigStep::Step(direction) => site = board.step(site, seen(direction))?,
                ConfigStep::Back(direction) => site = board.step_back(site, seen(direction))?,
                ConfigStep::Occupant(_) => row.push(site),
            }
        }
        Some(row)
    };
    let rows: Vec<Vec<Site>> = board.all_sites().filter_map(walk).take(20_000).collect();
    (!rows.is_empty()).then_some((rows, kind))
}
