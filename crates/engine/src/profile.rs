//! The profile of a game: the properties of its rules that a search depends on.

use boardwright_game::{
    BlockKind, Direction, Goal, GoalKind, MaximalCaptures, Op, PassTurn, PieceKind, Player,
    Ruleset, Setup, Site, SiteOrZone, Verdict, Whose,
};

use crate::{engine::Method, score::movers};

/// A condition that wins or loses the game for a player.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Objective {
    /// The player whose condition it is.
    pub player: Player,
    /// Whether it wins for that player; otherwise it loses.
    pub wins: bool,
    pub kind: ObjectiveKind,
}

/// The goals that the evaluation can use. A kind of `None` stands for any kind.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum ObjectiveKind {
    /// The player has no move.
    Stalemate,
    /// The player loses a piece of one of these kinds.
    RoyalLoss(Vec<PieceKind>),
    /// The player has this number of pieces left.
    Remaining(u32, Option<PieceKind>),
    /// The player's own pieces stand on all of these sites.
    Occupy(Vec<Site>, Option<PieceKind>),
    /// One of the player's own pieces stands on one of these sites.
    Reach(Vec<Site>, Option<PieceKind>),
    /// The player's own pieces stand on all sites of one of these rows.
    Rows(Vec<Vec<Site>>, Option<PieceKind>),
}

/// The properties of a game.
#[derive(Clone, Debug)]
pub(crate) struct Profile {
    /// The players who choose moves, chance aside.
    pub movers: Vec<Player>,
    /// Whether some moves are chosen by chance.
    pub has_chance: bool,
    /// Whether pieces on the board move; otherwise they are only dropped.
    pub has_moves: bool,
    /// Whether pieces are dropped.
    pub has_drops: bool,
    /// Whether the board fills up: pieces are dropped, created or copied.
    pub fills: bool,
    /// Whether pieces are ever captured.
    pub has_captures: bool,
    /// By player: the kinds whose loss ends the game.
    pub royal: Vec<Vec<PieceKind>>,
    /// Whether the rules forbid leaving a royal piece in check.
    pub has_check: bool,
    /// Whether some moves take priority over others, as forced captures do.
    pub has_priorities: bool,
    /// Whether a turn without a move is nearly always worse than the best move, so that
    /// null-move pruning and other estimates of its kind hold.
    pub allows_null_move: bool,
    /// Whether the rules run code of their own: moves are slow, and there is no null move.
    pub runs_code: bool,
    /// Whether some player begins with more than one piece on the board.
    pub has_several_pieces: bool,
    /// Whether a connected chain of pieces decides.
    pub connects: bool,
    /// Whether the player with the most pieces wins in the end.
    pub counts_pieces: bool,
    /// Whether a player without a move loses (1), wins (-1) or neither (0).
    pub stalemate_sign: i32,
    /// Whether only marker pieces that the rules set decide, so that no goal can be evaluated.
    pub has_opaque_goal: bool,
    /// Whether a repeated state is a draw.
    pub repeats_draw: bool,
    /// By player: 1 if pieces are an advantage, -1 if the player wants to lose them.
    pub material_sign: Vec<i32>,
    /// What wins and loses for each player.
    pub objectives: Vec<Objective>,
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
            allows_null_move: false,
            runs_code: false,
            has_several_pieces: false,
            connects: false,
            counts_pieces: false,
            stalemate_sign: 0,
            has_opaque_goal: false,
            repeats_draw: true,
            material_sign: vec![1; ruleset.players.len()],
            objectives: Vec::new(),
            movers,
        };
        let begins_with =
            |it: &Player| ruleset.setup.pieces.iter().filter(|piece| piece.player == *it).count();
        profile.has_several_pieces = profile.movers.iter().any(|it| begins_with(it) > 1);
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
                Verdict::Count => profile.counts_pieces = true,
                Verdict::Draw => {}
                Verdict::Win | Verdict::Loss => {
                    let wins = condition.verdict == Verdict::Win;
                    for &player in &players {
                        profile.add_goal(ruleset, player, wins, &condition.goal);
                    }
                }
            }
        }
        profile.has_opaque_goal &=
            profile.objectives.is_empty() && !profile.counts_pieces && !profile.connects;
        let is_decisive = |it: &Objective| {
            matches!(it.kind, ObjectiveKind::RoyalLoss(_) | ObjectiveKind::Reach(..))
        };
        profile.allows_null_move = profile.has_moves
            && profile.stalemate_sign == 0
            && !profile.has_priorities
            && !profile.has_chance
            && !profile.counts_pieces
            && profile.movers.len() == 2
            && ruleset.options.pass_turn == PassTurn::Never
            && profile.objectives.iter().any(is_decisive)
            && profile.material_sign.iter().all(|&it| it > 0);
        profile
    }

    /// The profile of rules that run code of their own: a game of moves and captures for two,
    /// since nothing more is known.
    pub fn of_code(outline: &Ruleset) -> Profile {
        let mut profile = Profile::new(outline);
        profile.has_moves = true;
        profile.has_captures = true;
        profile.has_drops = outline.board.sites.iter().any(|it| it.is_dummy);
        profile.runs_code = true;
        profile
    }

    /// Adds the objectives of a goal that wins or loses for a player.
    fn add_goal(&mut self, ruleset: &Ruleset, player: Player, wins: bool, goal: &Goal) {
        let kind = match &goal.kind {
            GoalKind::Stalemated => {
                self.stalemate_sign = if wins { -1 } else { 1 };
                ObjectiveKind::Stalemate
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
                ObjectiveKind::RoyalLoss(kinds.clone())
            }
            GoalKind::PiecesRemaining(_, Some(kind)) if is_mark(ruleset, *kind) => {
                self.has_opaque_goal = true;
                return;
            }
            GoalKind::PiecesRemaining(n, kind) => {
                if wins
                    && *n == 0
                    && kind.is_none()
                    && let Some(it) = self.material_sign.get_mut(player.idx())
                {
                    *it = -1;
                }
                ObjectiveKind::Remaining(*n, *kind)
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
                        ObjectiveKind::Reach(sites, occupant.kind)
                    }
                    (2..=6, true) => ObjectiveKind::Rows(vec![sites], occupant.kind),
                    _ => ObjectiveKind::Occupy(sites, occupant.kind),
                }
            }
            GoalKind::RelativeConfig(steps) => match rows(ruleset, player, steps) {
                Some((rows, kind)) => ObjectiveKind::Rows(rows, kind),
                None => return,
            },
            GoalKind::And(goals) | GoalKind::Or(goals) => {
                for goal in goals {
                    self.add_goal(ruleset, player, wins, goal);
                }
                return;
            }
            GoalKind::Connected(..) => {
                self.connects = true;
                return;
            }
            GoalKind::TotalPieceCount(..) | GoalKind::Not(_) => return,
        };
        let objective = Objective { player, wins, kind };
        if !self.objectives.contains(&objective) {
            self.objectives.push(objective);
        }
    }

    /// The search method that suits the rules.
    pub fn method(&self) -> Method {
        // Pieces are only dropped and no rows count: who is ahead shows late.
        let has_rows = self.objectives.iter().any(|it| matches!(it.kind, ObjectiveKind::Rows(..)));
        let is_filling = !self.has_moves && !has_rows;
        if self.is_puzzle() && !self.has_chance {
            return Method::Puzzle;
        }
        // Who runs out of moves first shows late, unless each side has one piece.
        let shows_late = self.has_captures || (self.fills && self.has_several_pieces);
        if self.connects || self.has_opaque_goal || (self.is_last_mover_game() && shows_late) {
            // The evaluation sees neither chains nor marks before the end.
            return Method::Playouts;
        }
        if (is_filling && !self.counts_pieces) || self.has_chance {
            Method::Playouts
        } else {
            Method::Search
        }
    }

    /// Whether the other method may be better than [`method`](Profile::method) says: a game for
    /// two without chance, chains and royal pieces, which would settle it. Code is too slow for
    /// playouts.
    pub fn has_doubtful_method(&self) -> bool {
        let has_royal = self.royal.iter().any(|it| !it.is_empty());
        let is_duel = self.movers.len() == 2 && !self.has_chance;
        is_duel && !self.connects && !has_royal && !self.runs_code
    }

    /// Whether nothing but having a move decides.
    pub fn is_last_mover_game(&self) -> bool {
        self.stalemate_sign != 0
            && !self.counts_pieces
            && self.objectives.iter().all(|it| it.kind == ObjectiveKind::Stalemate)
    }

    /// Whether it is a game for one player.
    pub fn is_puzzle(&self) -> bool {
        self.movers.len() == 1
    }
}

/// Whether a kind is a marker: not in the setup, and without moves.
fn is_mark(ruleset: &Ruleset, kind: PieceKind) -> bool {
    let Setup { pieces, hands } = &ruleset.setup;
    let is_held = pieces.iter().any(|it| it.kind == kind) || hands.iter().any(|it| it.kind == kind);
    !is_held && ruleset.pieces.get(kind.idx()).is_none_or(|it| it.blocks.is_empty())
}

/// The rows of sites where a relative configuration of own pieces fits on the board.
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
