//! What a state is worth, from the rules alone.
//!
//! The bulk is a sum over pieces by kind and place, kept up to date move by move
//! in an [`Account`]. Rows that a goal asks for are counted beside it. What needs
//! a look at the whole board (hands, shelter of royal pieces) comes last.

use boardwright_fast::{Fast, GameTree, TreeMove};
use boardwright_game::{PieceKind, Player, Ruleset, Site};

use crate::{
    order::Memory,
    profile::{Profile, What},
    structure::{Sites, Standing, Structure},
    tuned::Tuned,
    values::{FAR, Values},
};

/// The running sum for the first side, before and after most pieces are gone.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Account {
    middle: i32,
    end: i32,
    /// Material of both sides that makes royal pieces unsafe.
    force: i32,
    rows: i32,
    /// By side: rows that want one more piece.
    threats: [i16; 2],
    /// By player, for the first few: where a royal piece stands.
    royal: [u16; 4],
    /// By player: the pieces of the kind that has a structure.
    pub chain: [Sites; 2],
}

/// No site.
const NOWHERE: u16 = u16::MAX;

/// A row that a goal asks for.
#[derive(Clone, Copy, Debug)]
struct Row {
    player: Player,
    kind: Option<PieceKind>,
    len: u8,
    sign: i32,
    /// Where its sites begin.
    first: u32,
}

/// How pieces and places count, for one ruleset.
#[derive(Clone, Debug)]
pub(crate) struct Eval {
    n_kinds: usize,
    n_sites: usize,
    /// `[(player * n_kinds + kind) * n_sites + site]`: to its owner.
    squares: Vec<[i32; 2]>,
    /// `[player * n_kinds + kind]`
    force: Vec<i32>,
    hands: Vec<i32>,
    full_force: i32,
    rows: Vec<Row>,
    /// The sites of all rows, one row after the other.
    row_sites: Vec<Site>,
    /// By site: the rows through it.
    rows_at: Vec<Vec<u32>>,
    /// By player: kinds whose loss ends the game, and their neighbourhood matters.
    royal: Vec<Vec<PieceKind>>,
    near: Vec<Vec<Site>>,
    /// By two sites: whether they are the same or neighbours.
    close: Vec<bool>,
    structure: Option<Structure>,
    /// By two sites: how many steps are between them, where that is asked.
    steps: Vec<u8>,
    /// Worth of one more move, in hundredths.
    pub mobility: i32,
    has_hands: bool,
    has_royal: bool,
    /// By kind: what taking one is worth in ordering moves.
    pub worth: Vec<i32>,
    /// How large differences are here, in hundredths of those in a game of pieces worth
    /// 2.7 of the cheapest in the mean.
    unit: i32,
}

/// Counts of rows as they stand; one for each searcher.
#[derive(Clone, Debug, Default)]
pub(crate) struct RowCounts(Vec<(u8, u8)>);

impl Eval {
    pub fn new(ruleset: &Ruleset, fast: Option<&Fast>, profile: &Profile, values: &Values) -> Eval {
        let (n_kinds, n_sites) = (values.n_kinds, values.n_sites);
        let n_players = ruleset.players.len();
        let board = &ruleset.board;
        let near: Vec<Vec<Site>> = board
            .all_sites()
            .map(|site| {
                let mut near: Vec<Site> = (0..board.n_directions() as u16)
                    .filter_map(|it| board.step(site, boardwright_game::Direction(it)))
                    .filter(|&it| it != site)
                    .collect();
                near.sort_unstable();
                near.dedup();
                near
            })
            .collect();
        let mut close = vec![false; n_sites * n_sites];
        for (site, near) in near.iter().enumerate() {
            close[site * n_sites + site] = true;
            near.iter().for_each(|it| close[site * n_sites + it.idx()] = true);
        }
        let mut eval = Eval {
            close,
            structure: Structure::new(fast, profile, values),
            steps: Vec::new(),
            n_kinds,
            n_sites,
            squares: vec![[0; 2]; n_players * n_kinds * n_sites],
            force: vec![0; n_players * n_kinds],
            hands: vec![0; n_players * n_kinds],
            full_force: 0,
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
        if eval.structure.is_some() {
            let steps = |site: usize| spread(&eval.near, site);
            let all = (0..n_sites).flat_map(steps).map(|it| it.min(9) as u8);
            eval.steps = all.collect();
        }
        for &player in &profile.movers {
            for kind in (0..n_kinds as u16).map(PieceKind) {
                eval.fill(profile, values, player, kind);
            }
        }
        for entry in &ruleset.setup.pieces {
            eval.full_force += eval.force[entry.player.idx() * n_kinds + entry.kind.idx()];
        }
        eval.full_force = eval.full_force.max(1);
        let of_force = |it: &&boardwright_game::SetupEntry| {
            eval.force[it.player.idx() * n_kinds + it.kind.idx()] > 0
        };
        let n_pieces = ruleset.setup.pieces.iter().filter(of_force).count() as i32;
        if profile.may_skip && n_pieces > 0 {
            eval.unit = (eval.full_force / n_pieces * 100 / 270).clamp(70, 300);
        }
        eval.aim(ruleset, profile, values);
        eval.mobility = match () {
            () if profile.is_about_moving() => 20 * profile.stuck,
            () if profile.counts => 12,
            () if profile.stuck < 0 => -3,
            () => 3,
        };
        for kinds in &profile.royal {
            for kind in kinds {
                eval.worth[kind.idx()] = 5000;
            }
        }
        eval
    }

    /// Adds what training found; what is of other rules is left out.
    pub fn tune(&mut self, tuned: &Tuned) {
        if tuned.squares.len() != self.squares.len() || tuned.kinds.len() != self.n_kinds {
            return;
        }
        for (idx, (square, change)) in self.squares.iter_mut().zip(&tuned.squares).enumerate() {
            let kind = idx / self.n_sites.max(1) % self.n_kinds.max(1);
            let worth = i32::from(tuned.kinds[kind]);
            square[0] += i32::from(change[0]) + worth;
            square[1] += i32::from(change[1]) + worth;
        }
        for (slot, hand) in self.hands.iter_mut().enumerate().filter(|it| *it.1 != 0) {
            *hand += i32::from(tuned.kinds[slot % self.n_kinds]);
        }
        for (worth, change) in self.worth.iter_mut().zip(&tuned.kinds) {
            *worth = (*worth + i32::from(*change)).max(0);
        }
    }

    /// How early a state is: 1 with all pieces, 0 with none. Only where royal pieces are
    /// does it matter.
    pub fn earliness(&self, account: &Account) -> f32 {
        if !self.has_royal {
            return 1.0;
        }
        account.force.clamp(0, self.full_force) as f32 / self.full_force as f32
    }

    fn at(&self, player: Player, kind: PieceKind, site: usize) -> usize {
        (player.idx() * self.n_kinds + kind.idx()) * self.n_sites + site
    }

    /// Material, mobility by place, promotion, and the place of royal pieces.
    fn fill(&mut self, profile: &Profile, values: &Values, player: Player, kind: PieceKind) {
        let sign = profile.material[player.idx()];
        let is_royal = profile.royal[player.idx()].contains(&kind);
        let value = match () {
            // Only who moves last counts, or who has the most in the end.
            () if profile.is_about_moving() => 0,
            () if profile.counts => values.lead,
            () => values.kinds[kind.idx()],
        };
        // A move more of a strong piece is worth less than one of a weak piece.
        let slope = if value > 300 { 12 * 300 / value } else { 12 };
        let promotion = values.promotion(player, kind);
        let remote = remoteness(&self.near);
        for site in 0..self.n_sites {
            let idx = self.at(player, kind, site);
            let [mut middle, mut end] = [0; 2];
            if is_royal {
                middle += remote[site] / 4;
                end -= remote[site] / 4;
            } else {
                let place = values.mobility_at(player, kind, site).unwrap_or(0) * slope / 200;
                let is_plain = profile.counts || profile.is_about_moving();
                let place = if is_plain { 0 } else { place.clamp(-60, 60) };
                let learned = values.learned(player, kind, site);
                middle += sign * value + place + learned;
                end += sign * value + place + learned;
            }
            if let Some((ways, gain)) = &promotion
                && ways[site] != FAR
            {
                // The rest is for those who are past the others.
                let has_structure = self.structure.as_ref().is_some_and(|it| it.kind == kind);
                let share = if has_structure { 14 } else { 35 };
                let bonus = (gain * share / 100) >> ways[site].min(12);
                middle += bonus / 2;
                end += bonus;
            }
            self.squares[idx] = [middle, end];
        }
        let slot = player.idx() * self.n_kinds + kind.idx();
        self.force[slot] = if is_royal { 0 } else { value };
        self.hands[slot] = if profile.has_moves && !is_royal { value + value / 16 } else { 0 };
    }

    /// What brings a player nearer to a goal.
    fn aim(&mut self, ruleset: &Ruleset, profile: &Profile, values: &Values) {
        for aim in &profile.aims {
            let sign = if aim.wins { 1 } else { -1 };
            let kinds: Vec<PieceKind> = match &aim.what {
                What::Sites(_, kind) | What::Reach(_, kind) => match kind {
                    Some(kind) => vec![*kind],
                    None => (0..self.n_kinds as u16).map(PieceKind).collect(),
                },
                _ => Vec::new(),
            };
            match &aim.what {
                What::Reach(sites, _) => {
                    for kind in kinds {
                        let ways = values.ways_to(&ruleset.board, aim.player, kind, sites);
                        for (site, &way) in ways.iter().enumerate().filter(|it| *it.1 != FAR) {
                            let idx = self.at(aim.player, kind, site);
                            let bonus = sign * (320 >> way.min(9))
                                + sign * 10 * (8 - i32::from(way.min(8)));
                            self.squares[idx][0] += bonus;
                            self.squares[idx][1] += bonus;
                        }
                    }
                }
                What::Sites(sites, _) => {
                    for kind in kinds {
                        let ways = values.ways_to(&ruleset.board, aim.player, kind, sites);
                        let far = ways.iter().filter(|&&it| it != FAR).max().copied().unwrap_or(0);
                        for (site, &way) in ways.iter().enumerate() {
                            let way = way.min(far + 1);
                            let idx = self.at(aim.player, kind, site);
                            let bonus = sign * 40 * i32::from(far + 1 - way);
                            self.squares[idx][0] += bonus;
                            self.squares[idx][1] += bonus;
                        }
                    }
                }
                What::Rows(rows, kind) => {
                    for row in rows.iter().filter(|it| it.len() < 12) {
                        let number = self.rows.len() as u32;
                        let len = row.len() as u8;
                        let first = self.row_sites.len() as u32;
                        self.row_sites.extend(row);
                        self.rows.push(Row { player: aim.player, kind: *kind, len, sign, first });
                        for site in row {
                            self.rows_at[site.idx()].push(number);
                        }
                    }
                }
                What::Stuck | What::Royal(_) | What::Remaining(..) => {}
            }
        }
    }

    /// What a piece on a site is worth to its owner, early and late.
    pub fn square(&self, player: Player, kind: PieceKind, site: Site) -> [i32; 2] {
        self.squares.get(self.at(player, kind, site.idx())).copied().unwrap_or([0; 2])
    }

    /// A memory for moves, of the right size.
    pub fn memory(&self) -> Memory {
        Memory::new(self.n_kinds, self.n_sites)
    }

    /// Counts everything anew.
    pub fn open(&self, tree: &GameTree<'_>, signs: &[i32]) -> (Account, RowCounts) {
        let mut counts = RowCounts(vec![(0, 0); self.rows.len()]);
        let mut account = Account { royal: [NOWHERE; 4], ..Account::default() };
        tree.each_piece(|site, owner, kind| {
            self.put(&mut account, site, owner, kind, signs, 1);
            self.put_row(&mut account, &mut counts, site, owner, kind, signs, 1);
        });
        (account, counts)
    }

    /// The account after the last move of the tree.
    #[inline]
    pub fn after(
        &self,
        tree: &GameTree<'_>,
        before: Account,
        counts: &mut RowCounts,
        signs: &[i32],
    ) -> Account {
        let mut account = before;
        tree.each_change(|site, old, new| {
            if let Some((owner, kind)) = old {
                self.put(&mut account, site, owner, kind, signs, -1);
                self.put_row(&mut account, counts, site, owner, kind, signs, -1);
            }
            if let Some((owner, kind)) = new {
                self.put(&mut account, site, owner, kind, signs, 1);
                self.put_row(&mut account, counts, site, owner, kind, signs, 1);
            }
        });
        account
    }

    /// Takes the rows back that the last move of the tree changed; call before its undo.
    #[inline]
    pub fn take_back(&self, tree: &GameTree<'_>, counts: &mut RowCounts, signs: &[i32]) {
        if self.rows.is_empty() {
            return;
        }
        let mut unused = Account::default();
        tree.each_change(|site, old, new| {
            if let Some((owner, kind)) = new {
                self.put_row(&mut unused, counts, site, owner, kind, signs, -1);
            }
            if let Some((owner, kind)) = old {
                self.put_row(&mut unused, counts, site, owner, kind, signs, 1);
            }
        });
    }

    #[inline]
    fn put(
        &self,
        it: &mut Account,
        site: Site,
        owner: Player,
        kind: PieceKind,
        signs: &[i32],
        by: i32,
    ) {
        let sign = signs[owner.idx()] * by;
        let [middle, end] = self.squares[self.at(owner, kind, site.idx())];
        it.middle += sign * middle;
        it.end += sign * end;
        it.force += by * self.force[owner.idx() * self.n_kinds + kind.idx()];
        if let Some(structure) = &self.structure
            && structure.kind == kind
        {
            for (player, chain) in structure.players.iter().zip(&mut it.chain) {
                if *player == owner {
                    *chain ^= 1 << site.idx();
                }
            }
        }
        if self.has_royal
            && self.is_royal(owner, kind)
            && let Some(place) = it.royal.get_mut(owner.idx())
        {
            if by > 0 {
                *place = site.0;
            } else if *place == site.0 {
                *place = NOWHERE;
            }
        }
    }

    #[inline]
    #[expect(clippy::too_many_arguments, reason = "one step of a loop over pieces")]
    fn put_row(
        &self,
        it: &mut Account,
        counts: &mut RowCounts,
        site: Site,
        owner: Player,
        kind: PieceKind,
        signs: &[i32],
        by: i32,
    ) {
        for &number in &self.rows_at[site.idx()] {
            let row = &self.rows[number as usize];
            let (mine, theirs) = &mut counts.0[number as usize];
            let sign = signs[row.player.idx()] * row.sign;
            let side = usize::from(sign < 0);
            it.rows -= sign * row_worth(row.len, *mine, *theirs);
            it.threats[side] -= i16::from(*mine + 1 == row.len && *theirs == 0);
            let fits = owner == row.player && row.kind.is_none_or(|it| it == kind);
            let cell = if fits { mine } else { theirs };
            *cell = cell.wrapping_add(by as u8);
            let (mine, theirs) = counts.0[number as usize];
            it.rows += sign * row_worth(row.len, mine, theirs);
            it.threats[side] += i16::from(mine + 1 == row.len && theirs == 0);
        }
    }

    /// How the pieces that have a structure stand to each other.
    pub fn standing(&self, account: &Account) -> Standing {
        self.structure.as_ref().map_or(Standing::default(), |it| it.judge(account.chain))
    }

    /// The kind of the pieces that have a structure, if there is one.
    pub fn structure_kind(&self) -> Option<PieceKind> {
        self.structure.as_ref().map(|it| it.kind)
    }

    /// The score for the first side, mobility aside.
    pub fn score(&self, tree: &GameTree<'_>, account: &Account, signs: &[i32]) -> i32 {
        self.score_with(tree, account, signs, &self.standing(account))
    }

    /// The same where it is known how pieces stand to each other.
    pub fn score_with(
        &self,
        tree: &GameTree<'_>,
        account: &Account,
        signs: &[i32],
        standing: &Standing,
    ) -> i32 {
        let mut middle = account.middle;
        let mut end = account.end;
        if let Some(structure) = &self.structure {
            let sign = signs.get(structure.players[0].idx()).copied().unwrap_or(0);
            middle += sign * standing.middle;
            end += sign * standing.end;
            if standing.passed != [0; 2] {
                let is_full = |it: Site| tree.piece(it).is_some();
                let lag = |number: usize, site: Site| {
                    let far = |player: Player| match account.royal.get(player.idx()) {
                        Some(&it) if it != NOWHERE => self.far(it, site),
                        _ => 0,
                    };
                    far(structure.players[1 - number]) - far(structure.players[number])
                };
                end += sign * structure.prospects(standing, is_full, lag);
            }
        }
        if self.has_hands {
            for (player, &sign) in signs.iter().enumerate().filter(|it| *it.1 != 0) {
                for kind in 0..self.n_kinds {
                    let worth = self.hands[player * self.n_kinds + kind];
                    if worth != 0 {
                        let held = tree.hand(Player(player as u8), PieceKind(kind as u16)) as i32;
                        middle += sign * worth * held.min(100);
                        end += sign * worth * held.min(100);
                    }
                }
            }
        }
        if !self.has_royal {
            return middle + account.rows;
        }
        middle += self.shelter(tree, account, signs);
        let force = account.force.clamp(0, self.full_force);
        let mixed = (i64::from(middle) * i64::from(force)
            + i64::from(end) * i64::from(self.full_force - force))
            / i64::from(self.full_force);
        mixed as i32 + account.rows
    }

    /// How many steps are between two sites; 9 if they are more.
    fn far(&self, from: u16, to: Site) -> i32 {
        self.steps.get(from as usize * self.n_sites + to.idx()).map_or(0, |&it| it.into())
    }

    /// Own pieces beside royal pieces: shelter, for the first side.
    fn shelter(&self, tree: &GameTree<'_>, account: &Account, signs: &[i32]) -> i32 {
        let mut total = 0;
        for (owner, &site) in account.royal.iter().enumerate().filter(|it| *it.1 != NOWHERE) {
            let is_friend = |it: &&Site| tree.piece(**it).is_some_and(|it| it.0.idx() == owner);
            let friends = self.near[site as usize].iter().filter(is_friend).count() as i32;
            total += signs[owner] * friends.min(5) * 7;
        }
        total
    }

    /// How many moves of a side (1 or -1) go to or beside a royal piece of the other.
    pub fn pressure(&self, account: &Account, signs: &[i32], side: i32, moves: &[TreeMove]) -> i32 {
        if !self.has_royal {
            return 0;
        }
        let mut total = 0;
        for (owner, &site) in account.royal.iter().enumerate() {
            if site == NOWHERE || signs.get(owner).copied() != Some(-side) {
                continue;
            }
            let close = &self.close[site as usize * self.n_sites..][..self.n_sites];
            let is_close = |it: &&TreeMove| it.to.is_some_and(|to| close[to.idx()]);
            total += moves.iter().filter(is_close).count() as i32;
        }
        total
    }

    /// The sites where a side's (1 or -1) moves press on a royal piece of the other; none if
    /// there is not exactly one such piece.
    pub fn pressed(&self, account: &Account, signs: &[i32], side: i32) -> &[bool] {
        let is_theirs = |owner: usize| signs.get(owner).copied() == Some(-side);
        let mut theirs =
            account.royal.iter().enumerate().filter(|it| *it.1 != NOWHERE && is_theirs(it.0));
        match (theirs.next(), theirs.next()) {
            (Some((_, &site)), None) => &self.close[site as usize * self.n_sites..][..self.n_sites],
            _ => &[],
        }
    }

    /// What pressure on royal pieces is worth, mine against theirs: more than its sum.
    pub fn danger(&self, account: &Account, mine: i32, theirs: i32) -> i32 {
        let worth = |n: i32| n.min(12) * n.min(12);
        let force = account.force.clamp(0, self.full_force);
        let total = (worth(mine) - worth(theirs)) * 3 / 4;
        (i64::from(total) * i64::from(force) / i64::from(self.full_force)) as i32
    }

    /// The sites where a side (1 or -1) would complete a row, if any.
    pub fn wanted(
        &self,
        account: &Account,
        counts: &RowCounts,
        signs: &[i32],
        side: i32,
        tree: &GameTree<'_>,
    ) -> Vec<Site> {
        let mut sites = Vec::new();
        if account.threats[usize::from(side < 0)] <= 0 {
            return sites;
        }
        for (row, &(mine, theirs)) in self.rows.iter().zip(&counts.0) {
            let is_good = row.sign > 0 && signs[row.player.idx()] == side;
            if mine + 1 == row.len && theirs == 0 && is_good {
                let first = row.first as usize;
                let of_row = &self.row_sites[first..first + row.len as usize];
                sites.extend(of_row.iter().filter(|&&it| tree.piece(it).is_none()));
            }
        }
        sites
    }

    /// How much a stone on a site would do in rows, for either side.
    #[inline]
    pub fn pull(&self, counts: &RowCounts, site: Site) -> i32 {
        let mut total = 0;
        for &number in &self.rows_at[site.idx()] {
            let (mine, theirs) = counts.0[number as usize];
            if theirs == 0 {
                total += row_worth(self.rows[number as usize].len, mine + 1, 0);
            }
        }
        total
    }

    /// A margin for a game of usual values, as it is in this one.
    #[inline]
    pub fn scaled(&self, margin: i32) -> i32 {
        margin * self.unit / 100
    }

    /// Whether goals ask for rows.
    pub fn has_rows(&self) -> bool {
        !self.rows.is_empty()
    }

    /// Whether a piece is one whose loss ends the game.
    pub fn is_royal(&self, owner: Player, kind: PieceKind) -> bool {
        self.royal.get(owner.idx()).is_some_and(|it| it.contains(&kind))
    }
}

/// What a row is worth to who needs it: nothing once somebody else is in it.
#[inline]
fn row_worth(len: u8, mine: u8, theirs: u8) -> i32 {
    if theirs > 0 || mine == 0 {
        return 0;
    }
    match len - mine.min(len) {
        0 | 1 => 240,
        2 => 60,
        3 => 14,
        4 => 3,
        _ => 1,
    }
}

/// By site: a hundred times the mean distance to all others, less that of the middle.
fn remoteness(near: &[Vec<Site>]) -> Vec<i32> {
    let n = near.len();
    let mut means = vec![0i32; n];
    if n > 1024 {
        return means;
    }
    for (start, mean) in means.iter_mut().enumerate() {
        let found = spread(near, start);
        let there = || found.iter().filter(|&&it| it != FAR);
        let sum: i64 = there().map(|&it| i64::from(it)).sum();
        *mean = (sum * 100 / there().count() as i64) as i32;
    }
    let least = means.iter().copied().min().unwrap_or(0);
    means.iter_mut().for_each(|it| *it -= least);
    means
}

/// How many steps it takes from a site to each other.
fn spread(near: &[Vec<Site>], start: usize) -> Vec<u16> {
    let mut found = vec![FAR; near.len()];
    found[start] = 0;
    let mut queue = vec![start];
    let mut at = 0;
    while at < queue.len() {
        let site = queue[at];
        at += 1;
        for to in &near[site] {
            if found[to.idx()] == FAR {
                found[to.idx()] = found[site] + 1;
                queue.push(to.idx());
            }
        }
    }
    found
}
