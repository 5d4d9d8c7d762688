//! The geometry of play: sites, links, zones; never the pieces.

use std::sync::Arc;

use boardwright_text::Span;

use crate::{Player, Site, SiteSet};

/// The label of a link: indexes [`Board::directions`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Direction(pub u16);

impl Direction {
    /// The place in a list that is kept by direction.
    pub fn idx(self) -> usize {
        self.0 as usize
    }
}

/// A named set of sites: indexes [`Board::zones`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Zone(pub u16);

impl Zone {
    /// The place in a list that is kept by zone.
    pub fn idx(self) -> usize {
        self.0 as usize
    }
}

/// A rectangle in the pixels of the author's board image.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Rect {
    /// Left edge.
    pub left: i32,
    /// Upper edge.
    pub top: i32,
    /// Right edge.
    pub right: i32,
    /// Lower edge.
    pub bottom: i32,
}

/// What the rules say of a site.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SiteInfo {
    /// The name: `e4`.
    pub name: String,
    /// Where it is drawn; a site made by `dummy` alone has no place.
    pub rect: Option<Rect>,
    /// Whether players neither see it nor what happens on it.
    pub is_dummy: bool,
    /// The grid it came from and its coordinates there, outermost dimension first.
    pub cell: Option<(u16, Vec<u16>)>,
    /// Where it is defined.
    pub span: Span,
}

/// What the rules say of a direction.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DirectionInfo {
    /// The name: `n`.
    pub name: String,
    /// Where it is first defined.
    pub span: Span,
}

/// A `grid` as the author wrote it: how boards know that they are rectangular.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Grid {
    /// The labels along each dimension, outermost first.
    pub labels: Vec<Vec<String>>,
    /// The pixel offset of one step along each dimension.
    pub steps: Vec<(i32, i32)>,
    /// Where it stands.
    pub span: Span,
}

/// A zone: one set of sites for each player.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ZoneInfo {
    /// The name.
    pub name: String,
    /// The sites, by player; empty for players the rules do not mention.
    pub sites: Vec<SiteSet>,
    /// Where it is first defined.
    pub span: Span,
}

/// Sites, links, zones and symmetries.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Board {
    /// The sites, in the order in which the rules define them.
    pub sites: Vec<SiteInfo>,
    /// The directions.
    pub directions: Vec<DirectionInfo>,
    /// The zones.
    pub zones: Vec<ZoneInfo>,
    /// The grids the sites came from.
    pub grids: Vec<Grid>,
    /// File names of board pictures, one a piece set.
    pub images: Vec<Arc<str>>,
    /// `links[site * n_directions + direction]`: the target, or `u16::MAX`.
    pub links: Vec<u16>,
    /// By direction: the one that undoes it, if the board has one.
    pub opposite: Vec<Option<Direction>>,
    /// By player, then direction: what the player's code means by it.
    pub symmetry: Vec<Vec<Direction>>,
    /// Where it stands.
    pub span: Span,
}

impl Board {
    /// How many sites there are.
    pub fn n_sites(&self) -> usize {
        self.sites.len()
    }

    /// How many directions there are.
    pub fn n_directions(&self) -> usize {
        self.directions.len()
    }

    /// All sites.
    pub fn all_sites(&self) -> impl Iterator<Item = Site> + use<> {
        (0..self.sites.len() as u16).map(Site)
    }

    /// The site that a link in `direction` reaches; no symmetry is applied.
    #[inline]
    pub fn step(&self, site: Site, direction: Direction) -> Option<Site> {
        let target = self.links.get(site.idx() * self.directions.len() + direction.idx());
        target.filter(|&&it| it != u16::MAX).map(|&it| Site(it))
    }

    /// The site one step against `direction`: along its opposite, or, where the
    /// board has none, to the only site whose link in `direction` leads here.
    pub fn step_back(&self, site: Site, direction: Direction) -> Option<Site> {
        if let Some(opposite) = self.opposite.get(direction.idx()).copied().flatten() {
            return self.step(site, opposite);
        }
        let mut sources = self.all_sites().filter(|&from| self.step(from, direction) == Some(site));
        let found = sources.next()?;
        sources.next().is_none().then_some(found)
    }

    /// What `direction` means in code that runs for `player`.
    #[inline]
    pub fn seen_by(&self, player: Player, direction: Direction) -> Direction {
        let seen = self.symmetry.get(player.idx()).and_then(|it| it.get(direction.idx()));
        seen.copied().unwrap_or(direction)
    }

    /// Whether `site` is in the zone as `player` has it.
    #[inline]
    pub fn in_zone(&self, zone: Zone, player: Player, site: Site) -> bool {
        self.zone_sites(zone, player).is_some_and(|it| it.contains(site))
    }

    /// The sites of a zone as `player` has it.
    pub fn zone_sites(&self, zone: Zone, player: Player) -> Option<&SiteSet> {
        self.zones.get(zone.idx())?.sites.get(player.idx())
    }

    /// The name of a site; empty for a site of another board.
    pub fn site_name(&self, site: Site) -> &str {
        self.sites.get(site.idx()).map_or("", |it| &it.name)
    }

    /// The site with this name.
    pub fn site_named(&self, name: &str) -> Option<Site> {
        self.sites.iter().position(|it| it.name == name).map(|it| Site(it as u16))
    }
}
