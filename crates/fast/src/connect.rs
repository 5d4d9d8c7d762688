//! Joins of pieces that join two places, kept from move to move.
//!
//! For each player and goal one set holds the pieces that are joined to the first
//! place. The goal holds as soon as one of them stands in the second. A piece that
//! is dropped and changes nothing else can only make the set grow, and each piece
//! enters it once, so that a whole game costs no more than one flood. After any
//! other move the set is computed again.

use boardwright_game::{PieceKind, Player, SiteOrZone};
use boardwright_play::{Rules, semantics::sites_of};

use crate::{
    Unsupported,
    arena::{Arena, is_made},
    bits::Bits,
    game::{FastGame, FastState},
    lanes::{FIRST_KIND, MAX_SETS},
    layout::LaneMap,
    shape::Way,
};

/// One goal of one player.
#[derive(Debug)]
struct Chain<const W: usize> {
    player: Player,
    /// The pieces that may be links; none: all.
    kinds: Vec<PieceKind>,
    from: Bits<W>,
    to: Bits<W>,
}

/// The chains that the goals of a game ask for.
#[derive(Debug)]
pub(crate) struct Joins<const W: usize> {
    chains: Vec<Chain<W>>,
    /// By lane.
    neighbours: Vec<Bits<W>>,
    /// Of the first chain, among the sets of a state.
    first_set: usize,
}

impl<const W: usize> Joins<W> {
    pub fn new(rules: &Rules, layout: &LaneMap<W>, first_set: usize) -> Joins<W> {
        let mut neighbours = Vec::new();
        if !rules.neighbours().is_empty() {
            neighbours.resize(64 * W, Bits::NONE);
            for (site, list) in rules.neighbours().iter().enumerate() {
                let lane = usize::from(layout.lane_of[site]);
                list.iter().for_each(|&it| neighbours[lane].insert(layout.lane(it)));
            }
        }
        Joins { chains: Vec::new(), neighbours, first_set }
    }

    pub fn n_chains(&self) -> usize {
        self.chains.len()
    }

    /// Watches a goal for a player; gives its number.
    pub fn watch(
        &mut self,
        rules: &Rules,
        layout: &LaneMap<W>,
        kinds: &[PieceKind],
        ends: &[SiteOrZone; 2],
        player: Player,
    ) -> Result<usize, Unsupported> {
        if self.first_set + self.chains.len() >= MAX_SETS {
            return Err(Unsupported::Goals);
        }
        let [from, to] = ends.map(|end| {
            let mut lanes = Bits::NONE;
            sites_of(rules, end, player).iter().for_each(|it| lanes.insert(layout.lane(it)));
            lanes
        });
        self.chains.push(Chain { player, kinds: kinds.to_vec(), from, to });
        Ok(self.chains.len() - 1)
    }
}

impl<const W: usize> FastGame<W> {
    /// Whether a chain is complete.
    #[inline]
    pub fn is_joined(&self, it: &FastState<W>, chain: usize) -> bool {
        let joins = &self.goals.joins;
        let reached = it.sets[joins.first_set + chain];
        !(reached & joins.chains[chain].to).is_empty()
    }

    /// Computes all chains from the pieces.
    pub fn find_joined(&self, it: &mut FastState<W>) {
        let joins = &self.goals.joins;
        for (idx, chain) in joins.chains.iter().enumerate() {
            let links = self.links(it, chain);
            let seeds = chain.from & links;
            it.sets[joins.first_set + idx] = joins.flood(seeds, Bits::NONE, links);
        }
    }

    /// Keeps the chains after a move; `drop` is where a piece came and nothing else changed.
    #[inline]
    pub fn keep_joined(&self, it: &mut FastState<W>, drop: Option<usize>) {
        let joins = &self.goals.joins;
        let Some(lane) = drop else {
            return self.find_joined(it);
        };
        for (idx, chain) in joins.chains.iter().enumerate() {
            let reached = it.sets[joins.first_set + idx];
            let touches =
                chain.from.contains(lane) || !(joins.neighbours[lane] & reached).is_empty();
            if touches && it.sets[self.owner_set(chain.player)].contains(lane) {
                let links = self.links(it, chain);
                let seeds = Bits::only(lane) & links;
                it.sets[joins.first_set + idx] = joins.flood(seeds, reached, links);
            }
        }
    }

    /// Where a move puts a piece on an empty lane, if it does nothing else.
    #[inline]
    pub fn lone_drop(
        &self,
        it: &FastState<W>,
        arena: &Arena,
        id: u32,
        lane: usize,
    ) -> Option<usize> {
        let to = if is_made(id) {
            let view = arena.view(id);
            let is_lone = view.is_drop && view.movements.len() == 1 && view.changes.is_empty();
            is_lone.then(|| view.movements[0].1.at(0))?
        } else {
            let shape = &self.blocks.shapes[id as usize];
            let is_lone = shape.way == Way::Drop && !shape.has_changes;
            is_lone.then_some((lane as i32 + i32::from(shape.to)) as usize)?
        };
        (it.cell(to) == 0).then_some(to)
    }

    pub fn has_joins(&self) -> bool {
        !self.goals.joins.chains.is_empty()
    }

    #[inline]
    fn links(&self, it: &FastState<W>, chain: &Chain<W>) -> Bits<W> {
        let mine = it.sets[self.owner_set(chain.player)];
        if chain.kinds.is_empty() {
            return mine;
        }
        let kinds = chain.kinds.iter();
        let kinds = kinds.fold(Bits::NONE, |all, kind| all | it.sets[FIRST_KIND + kind.idx()]);
        mine & kinds
    }
}

impl<const W: usize> Joins<W> {
    /// What is reached already, and all links that can be reached from the seeds.
    #[inline]
    fn flood(&self, seeds: Bits<W>, reached: Bits<W>, links: Bits<W>) -> Bits<W> {
        let mut reached = reached | seeds;
        let mut open = seeds;
        while let Some(lane) = open.pop() {
            let found = self.neighbours[lane] & links & !reached;
            reached |= found;
            open |= found;
        }
        reached
    }
}
