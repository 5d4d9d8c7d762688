//! The static evaluation: what a state is worth, from the rules alone.
//!
//! Most of it is a sum over the pieces by kind and site (piece-square tables), kept up to date
//! in an [`Accumulator`]. Rows that a goal asks for are counted beside it. Terms that need the
//! whole board (hands, shelter of royal pieces, passed pawns) are added for each state.

use boardwright_fast::{Fast, GameTree, TreeMove};
use boardwright_game::{Direction, PieceKind, Player, Ruleset, SetupEntry, Site};

pub(crate) use crate::accumulator::{Accumulator, NO_SITE, RowCounts};
use crate::{
    accumulator::Row,
    distance::{UNREACHABLE, distances, remoteness},
    history::MoveHistory,
    params::{
        KING_ATTACK_LIMIT, MEAN_CHESS_PIECE, MOBILITY_COUNTING, MOBILITY_LAST_MOVER,
        MOBILITY_PLAIN, PROMOTION_SHARE, PROMOTION_SHARE_PAWNS, ROYAL_WORTH, SHELTER_LIMIT,
        SHELTER_VALUE, SITE_MOBILITY_FULL_VALUE, SITE_MOBILITY_LIMIT, SITE_MOBILITY_SLOPE,
        UNIT_RANGE,
    },
    profile::{Objective, ObjectiveKind, Profile},
    structure::{PawnStructure, StructureScore},
    tuning::Tuning,
    values::Values,
};

/// The evaluation of one ruleset: values by piece, site and row. Values are in points,
/// hundredths of the cheapest kind.
#[derive(Clone, Debug)]
pub(crate) struct Eval {
    pub(crate) n_kinds: usize,
    n_sites: usize,
    /// `[(player * n_kinds + kind) * n_sites + site]`: middlegame and endgame value of a piece
    /// on a site, to its owner.
    pub(crate) site_values: Vec<[i32; 2]>,
    /// `[player * n_kinds + kind]`: what a piece counts for the phase of the game.
    pub(crate) material: Vec<i32>,
    /// `[player * n_kinds + kind]`: the value of a piece in hand.
    hand_values: Vec<i32>,
    /// The material of the setup.
    full_material: i32,
    pub(crate) rows: Vec<Row>,
    /// The sites of all rows, one row after the other.
    pub(crate) row_sites: Vec<Site>,
    /// By site: the indices of the rows through it.
    pub(crate) rows_at: Vec<Vec<u32>>,
    /// By player: kinds whose loss ends the game.
    royal: Vec<Vec<PieceKind>>,
    /// By site: its neighbours.
    near: Vec<Vec<Site>>,
    /// By two sites: whether they are the same or neighbours. Empty on very large boards.
    is_near: Vec<bool>,
    pub(crate) structure: Option<PawnStructure>,
    /// By two sites: the steps between them, at most 9. Empty without a pawn structure.
    steps: Vec<u8>,
    /// Value of one more move, in points.
    pub mobility: i32,
    has_hands: bool,
    pub(crate) has_royal: bool,
    /// By kind: what capturing one is worth in ordering moves, in points.
    pub worth: Vec<i32>,
    /// Size of score differences relative to chess, in percent.
    unit: i32,
}

/// Sites of the largest board with tables by two sites.
const LARGEST_TABLE: usize = 2048;

impl Eval {
    pub fn new(ruleset: &Ruleset, fast: Option<&Fast>, profile: &Profile, values: &Values) -> Eval {
        let (n_kinds, n_sites) = (values.n_kinds, values.n_sites);
        let n_players = ruleset.players.len();
        let near = neighbours(ruleset);
        let is_tabulated = n_sites <= LARGEST_TABLE;
        let mut is_near = vec![false; if is_tabulated { n_sites * n_sites } else { 0 }];
        for (site, near) in near.iter().enumerate().filter(|_| is_tabulated) {
            is_near[site * n_sites + site] = true;
            near.iter().for_each(|it| is_near[site * n_sites + it.idx()] = true);
        }
        let mut eval = Eval {
            is_near,
            structure: PawnStructure::new(fast, profile, values),
            steps: Vec::new(),
            n_kinds,
            n_sites,
            site_values: vec![[0; 2]; n_players * n_kinds * n_sites],
            material: vec![0; n_players * n_kinds],
            hand_values: vec![0; n_players * n_kinds],
            full_material: 0,
            rows: Vec::new(),
            row_sites: Vec::new(),
            rows_at: vec![Vec::new(); n_sites],
            royal: profile.royal.clone(),
            near,
            mobility: 0,
            has_hands: profile.has_drops && profile.has_moves,
            has_royal: profile.royal.iter().any(|it| !it.is_empty()),
            worth: values.kinds.clone(),
            unit: 100,
        };
        if eval.structure.is_some() && is_tabulated {
            let steps = |site: usize| distances(&eval.near, std::iter::once(site));
            let all = (0..n_sites).flat_map(steps).map(|it| it.min(9) as u8);
            eval.steps = all.collect();
        }
        for &player in &profile.movers {
            for kind in (0..n_kinds as u16).map(PieceKind) {
                eval.fill_site_values(profile, values, player, kind);
            }
        }
        eval.measure_material(ruleset, profile);
        for objective in &profile.objectives {
            eval.add_objective(ruleset, values, objective);
        }
        eval.mobility = if profile.is_last_mover_game() {
            MOBILITY_LAST_MOVER * profile.stalemate_sign
        } else if profile.counts_pieces {
            MOBILITY_COUNTING
        } else if profile.stalemate_sign < 0 {
            -MOBILITY_PLAIN
        } else {
            MOBILITY_PLAIN
        };
        for kinds in &profile.royal {
            for kind in kinds {
                eval.worth[kind.idx()] = ROYAL_WORTH;
            }
        }
        eval
    }

    /// The material of the setup, and the unit that margins are scaled by.
    fn measure_material(&mut self, ruleset: &Ruleset, profile: &Profile) {
        let pieces = &ruleset.setup.pieces;
        let material =
            |it: &SetupEntry| self.material[it.player.idx() * self.n_kinds + it.kind.idx()];
        let full: i32 = pieces.iter().map(material).sum();
        let n_pieces = pieces.iter().filter(|&it| material(it) > 0).count() as i32;
        self.full_material = full.max(1);
        if profile.allows_null_move && n_pieces > 0 {
            let mean = self.full_material / n_pieces;
            self.unit = (mean * 100 / MEAN_CHESS_PIECE).clamp(UNIT_RANGE[0], UNIT_RANGE[1]);
        }
    }

    /// Adds what training found; values for other rules are ignored.
    pub fn tune(&mut self, tuning: &Tuning) {
        let same_size = tuning.sites.len() == self.site_values.len();
        if !same_size || tuning.kinds.len() != self.n_kinds {
            return;
        }
        for (idx, (value, change)) in self.site_values.iter_mut().zip(&tuning.sites).enumerate() {
            let kind = idx / self.n_sites.max(1) % self.n_kinds.max(1);
            let of_kind = i32::from(tuning.kinds[kind]);
            value[0] += i32::from(change[0]) + of_kind;
            value[1] += i32::from(change[1]) + of_kind;
        }
        for (slot, value) in self.hand_values.iter_mut().enumerate().filter(|it| *it.1 != 0) {
            *value += i32::from(tuning.kinds[slot % self.n_kinds]);
        }
        for (worth, change) in self.worth.iter_mut().zip(&tuning.kinds) {
            *worth = (*worth + i32::from(*change)).max(0);
        }
    }

    /// The phase of the game: 1 with all pieces, 0 with none. Always 1 without royal pieces,
    /// where middlegame and endgame do not differ.
    pub fn phase(&self, accumulator: &Accumulator) -> f32 {
        if !self.has_royal {
            return 1.0;
        }
        accumulator.material.clamp(0, self.full_material) as f32 / self.full_material as f32
    }

    pub(crate) fn site_idx(&self, player: Player, kind: PieceKind, site: usize) -> usize {
        (player.idx() * self.n_kinds + kind.idx()) * self.n_sites + site
    }

    /// Fills the tables of a player's kind: material, mobility by site, promotion, and the
    /// place of royal pieces.
    fn fill_site_values(
        &mut self,
        profile: &Profile,
        values: &Values,
        player: Player,
        kind: PieceKind,
    ) {
        let sign = profile.material_sign[player.idx()];
        let is_royal = profile.royal[player.idx()].contains(&kind);
        let value = if profile.is_last_mover_game() {
            // Only who moves last counts.
            0
        } else if profile.counts_pieces {
            values.lead
        } else {
            values.kinds[kind.idx()]
        };
        // A move more of a strong piece is worth less than one of a weak piece.
        let slope = if value > SITE_MOBILITY_FULL_VALUE {
            SITE_MOBILITY_SLOPE * SITE_MOBILITY_FULL_VALUE / value
        } else {
            SITE_MOBILITY_SLOPE
        };
        let promotion = values.promotion(player, kind);
        let remote = remoteness(&self.near);
        for site in 0..self.n_sites {
            let idx = self.site_idx(player, kind, site);
            let [mut middlegame, mut endgame] = [0; 2];
            if is_royal {
                middlegame += remote[site] / 4;
                endgame -= remote[site] / 4;
            } else {
                let mobility = values.mobility_at(player, kind, site).unwrap_or(0) * slope / 200;
                let ignores_mobility = profile.counts_pieces || profile.is_last_mover_game();
                let mobility = if ignores_mobility {
                    0
                } else {
                    mobility.clamp(-SITE_MOBILITY_LIMIT, SITE_MOBILITY_LIMIT)
                };
                let learned = values.learned(player, kind, site);
                middlegame += sign * value + mobility + learned;
                endgame += sign * value + mobility + learned;
            }
            if let Some((ways, gain)) = &promotion
                && ways[site] != UNREACHABLE
            {
                // Passed pawns get the rest by the pawn structure.
                let is_pawn = self.structure.as_ref().is_some_and(|it| it.kind == kind);
                let share = if is_pawn { PROMOTION_SHARE_PAWNS } else { PROMOTION_SHARE };
                let bonus = (gain * share / 100) >> ways[site].min(12);
                middlegame += bonus / 2;
                endgame += bonus;
            }
            self.site_values[idx] = [middlegame, endgame];
        }
        let slot = player.idx() * self.n_kinds + kind.idx();
        self.material[slot] = if is_royal { 0 } else { value };
        self.hand_values[slot] =
            if profile.has_moves && !is_royal { value + value / 16 } else { 0 };
    }

    /// Adds what brings a player nearer to an objective: to site values, or as rows.
    fn add_objective(&mut self, ruleset: &Ruleset, values: &Values, objective: &Objective) {
        let player = objective.player;
        let sign = if objective.wins { 1 } else { -1 };
        let kinds: Vec<PieceKind> = match &objective.kind {
            ObjectiveKind::Occupy(_, Some(kind)) | ObjectiveKind::Reach(_, Some(kind)) => {
                vec![*kind]
            }
            ObjectiveKind::Occupy(_, None) | ObjectiveKind::Reach(_, None) => {
                (0..self.n_kinds as u16).map(PieceKind).collect()
            }
            _ => Vec::new(),
        };
        match &objective.kind {
            ObjectiveKind::Reach(sites, _) => {
                for kind in kinds {
                    let ways = values.distances_to(&ruleset.board, player, kind, sites);
                    let reached = ways.iter().enumerate().filter(|it| *it.1 != UNREACHABLE);
                    for (site, &way) in reached {
                        let near = (320 >> way.min(9)) + 10 * (8 - i32::from(way.min(8)));
                        self.add_site_value(player, kind, site, sign * near);
                    }
                }
            }
            ObjectiveKind::Occupy(sites, _) => {
                for kind in kinds {
                    let ways = values.distances_to(&ruleset.board, player, kind, sites);
                    let reached = ways.iter().filter(|&&it| it != UNREACHABLE);
                    let far = reached.max().copied().unwrap_or(0);
                    for (site, &way) in ways.iter().enumerate() {
                        let way = way.min(far + 1);
                        let near = 40 * i32::from(far + 1 - way);
                        self.add_site_value(player, kind, site, sign * near);
                    }
                }
            }
            ObjectiveKind::Rows(rows, kind) => {
                for row in rows.iter().filter(|it| it.len() < 12) {
                    let number = self.rows.len() as u32;
                    let len = row.len() as u8;
                    let first = self.row_sites.len() as u32;
                    self.row_sites.extend(row);
                    self.rows.push(Row { player, kind: *kind, len, sign, first });
                    for site in row {
                        self.rows_at[site.idx()].push(number);
                    }
                }
            }
            ObjectiveKind::Stalemate
            | ObjectiveKind::RoyalLoss(_)
            | ObjectiveKind::Remaining(..) => {}
        }
    }

    fn add_site_value(&mut self, player: Player, kind: PieceKind, site: usize, bonus: i32) {
        let idx = self.site_idx(player, kind, site);
        self.site_values[idx][0] += bonus;
        self.site_values[idx][1] += bonus;
    }

    /// Middlegame and endgame value of a piece on a site, to its owner, in points.
    pub fn site_value(&self, player: Player, kind: PieceKind, site: Site) -> [i32; 2] {
        self.site_values.get(self.site_idx(player, kind, site.idx())).copied().unwrap_or([0; 2])
    }

    /// Empty history tables of the right size.
    pub fn new_history(&self) -> MoveHistory {
        MoveHistory::new(self.n_kinds, self.n_sites)
    }

    /// The score of the pawn structure.
    pub fn structure_score(&self, accumulator: &Accumulator) -> StructureScore {
        let structure = self.structure.as_ref();
        structure.map_or(StructureScore::default(), |it| it.score(accumulator.pawns))
    }

    /// The kind whose pieces are like pawns, if there is one.
    pub fn pawn_kind(&self) -> Option<PieceKind> {
        self.structure.as_ref().map(|it| it.kind)
    }

    /// The score for the first side, mobility aside.
    pub fn score(&self, tree: &GameTree<'_>, accumulator: &Accumulator, signs: &[i32]) -> i32 {
        self.score_with(tree, accumulator, signs, &self.structure_score(accumulator))
    }

    /// The same, given the score of the pawn structure.
    pub fn score_with(
        &self,
        tree: &GameTree<'_>,
        accumulator: &Accumulator,
        signs: &[i32],
        pawns: &StructureScore,
    ) -> i32 {
        let mut middlegame = accumulator.middlegame;
        let mut endgame = accumulator.endgame;
        if let Some(structure) = &self.structure {
            let sign = signs.get(structure.players[0].idx()).copied().unwrap_or(0);
            middlegame += sign * pawns.middlegame;
            endgame += sign * pawns.endgame;
            if pawns.passed != [0; 2] {
                let is_blocked = |it: Site| tree.piece(it).is_some();
                let king_lead = |number: usize, site: Site| {
                    let distance = |player: Player| match accumulator.royal.get(player.idx()) {
                        Some(&it) if it != NO_SITE => self.distance(it, site),
                        _ => 0,
                    };
                    distance(structure.players[1 - number]) - distance(structure.players[number])
                };
                endgame += sign * structure.passed_pawns(pawns, is_blocked, king_lead);
            }
        }
        if self.has_hands {
            let hands = self.hands(tree, signs);
            middlegame += hands;
            endgame += hands;
        }
        if !self.has_royal {
            return middlegame + accumulator.rows;
        }
        middlegame += self.shelter(tree, accumulator, signs);
        // Tapered evaluation: from middlegame to endgame as material leaves the board.
        let material = accumulator.material.clamp(0, self.full_material);
        let tapered = (i64::from(middlegame) * i64::from(material)
            + i64::from(endgame) * i64::from(self.full_material - material))
            / i64::from(self.full_material);
        tapered as i32 + accumulator.rows
    }

    /// The value of the pieces in hand, for the first side.
    #[inline]
    fn hands(&self, tree: &GameTree<'_>, signs: &[i32]) -> i32 {
        let mut total = 0;
        for (player, &sign) in signs.iter().enumerate().filter(|it| *it.1 != 0) {
            for kind in 0..self.n_kinds {
                let value = self.hand_values[player * self.n_kinds + kind];
                if value != 0 {
                    let held = tree.hand(Player(player as u8), PieceKind(kind as u16)) as i32;
                    total += sign * value * held.min(100);
                }
            }
        }
        total
    }

    /// The steps between two sites, at most 9.
    fn distance(&self, from: u16, to: Site) -> i32 {
        self.steps.get(from as usize * self.n_sites + to.idx()).map_or(0, |&it| it.into())
    }

    /// King shelter: own pieces beside royal pieces, for the first side.
    fn shelter(&self, tree: &GameTree<'_>, accumulator: &Accumulator, signs: &[i32]) -> i32 {
        let mut total = 0;
        for (owner, &site) in accumulator.royal.iter().enumerate().filter(|it| *it.1 != NO_SITE) {
            let is_own = |it: &&Site| tree.piece(**it).is_some_and(|it| it.0.idx() == owner);
            let n_own = self.near[site as usize].iter().filter(is_own).count() as i32;
            total += signs[owner] * n_own.min(SHELTER_LIMIT) * SHELTER_VALUE;
        }
        total
    }

    /// How many moves of a side (1 or -1) go to or beside a royal piece of the other.
    pub fn king_attacks(
        &self,
        accumulator: &Accumulator,
        signs: &[i32],
        side: i32,
        moves: &[TreeMove],
    ) -> i32 {
        if !self.has_royal {
            return 0;
        }
        let mut total = 0;
        for (owner, &site) in accumulator.royal.iter().enumerate() {
            if site == NO_SITE || signs.get(owner).copied() != Some(-side) {
                continue;
            }
            let zone = self.zone_of(site);
            let zone = |site: Site| zone.get(site.idx()).copied().unwrap_or(false);
            let is_near = |it: &&TreeMove| it.to.is_some_and(zone);
            total += moves.iter().filter(is_near).count() as i32;
        }
        total
    }

    /// By site: whether it is the given one or a neighbour. Empty on very large boards.
    fn zone_of(&self, site: u16) -> &[bool] {
        let start = site as usize * self.n_sites;
        self.is_near.get(start..start + self.n_sites).unwrap_or(&[])
    }

    /// By site: whether a move there counts as an attack of a side (1 or -1) on the other's
    /// royal piece. Empty unless there is exactly one such piece.
    pub fn king_zone(&self, accumulator: &Accumulator, signs: &[i32], side: i32) -> &[bool] {
        let is_theirs = |owner: usize| signs.get(owner).copied() == Some(-side);
        let mut theirs =
            accumulator.royal.iter().enumerate().filter(|it| *it.1 != NO_SITE && is_theirs(it.0));
        match (theirs.next(), theirs.next()) {
            (Some((_, &site)), None) => self.zone_of(site),
            _ => &[],
        }
    }

    /// King danger: the value of attacks on royal pieces, mine less theirs. Grows with the
    /// square of their number, and with the material on the board.
    pub fn king_danger(&self, accumulator: &Accumulator, mine: i32, theirs: i32) -> i32 {
        let value = |n: i32| n.min(KING_ATTACK_LIMIT) * n.min(KING_ATTACK_LIMIT);
        let material = accumulator.material.clamp(0, self.full_material);
        let total = (value(mine) - value(theirs)) * 3 / 4;
        (i64::from(total) * i64::from(material) / i64::from(self.full_material)) as i32
    }

    /// A margin that suits chess, scaled to the piece values of this game.
    #[inline]
    pub fn scaled(&self, margin: i32) -> i32 {
        margin * self.unit / 100
    }

    /// Whether goals ask for rows.
    pub fn has_rows(&self) -> bool {
        !self.rows.is_empty()
    }

    /// Whether the loss of a piece ends the game for its owner.
    pub fn is_royal(&self, owner: Player, kind: PieceKind) -> bool {
        self.royal.get(owner.idx()).is_some_and(|it| it.contains(&kind))
    }
}

/// By site: the sites that one link leads to, each once.
fn neighbours(ruleset: &Ruleset) -> Vec<Vec<Site>> {
    let board = &ruleset.board;
    let of = |site: Site| {
        let links = (0..board.n_directions() as u16).map(Direction);
        let mut near: Vec<Site> =
            links.filter_map(|it| board.step(site, it)).filter(|&it| it != site).collect();
        near.sort_unstable();
        near.dedup();
        near
    };
    board.all_sites().map(of).collect()
}
