//! The board: spaces on a grid of files and ranks, or spaces by name only.

use std::fmt;

use rustc_hash::FxHashMap;

/// A place on the board where at most one piece can stand; GAME Code says *space*.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Space(pub(crate) u16);

impl Space {
    /// Boards with more spaces than this are refused.
    pub const LIMIT: usize = 4096;

    /// The number, which indexes [`SpaceMap::spaces`].
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// What the board knows of a space.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SpaceInfo {
    /// Its coordinate: file label and rank label.
    pub name: String,
    /// File and rank, from nought; nothing on a board without a grid.
    pub cell: Option<(u16, u16)>,
    /// Whether players may not write its coordinate: it is off the board.
    pub is_hidden: bool,
}

/// What Forsythe code says of one cell.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ForsytheCell {
    /// No space at all.
    Hole,
    /// A space without a piece.
    Empty,
    /// A space with a piece of this label.
    Piece(String),
}

/// Why a board cannot be made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BoardError {
    /// It has more cells than we allow.
    TooLarge,
    /// It has no space at all.
    NoSpaces,
    /// Two spaces have this name.
    SameName(String),
    /// There is a space at this file or rank, and no label for it.
    NoLabel {
        /// File and rank, from nought.
        cell: (usize, usize),
    },
}

impl fmt::Display for BoardError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BoardError::TooLarge => write!(f, "a board has at most {} spaces", Space::LIMIT),
            BoardError::NoSpaces => f.write_str("the board has no space"),
            BoardError::SameName(it) => write!(f, "two spaces are called `{it}`"),
            BoardError::NoLabel { cell: (file, rank) } => {
                let (file, rank) = (file + 1, rank + 1);
                write!(f, "there is a space in file {file}, rank {rank}, and no label for it")
            }
        }
    }
}

impl std::error::Error for BoardError {}

/// A label of a file or rank.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AxisLabel {
    /// What it adds to coordinates; empty where no space is.
    pub text: String,
    /// Written with `!`: not shown, and not for players to write.
    pub is_hidden: bool,
}

impl AxisLabel {
    /// Labels separated by single spaces; two spaces hold an empty label.
    pub fn list(text: &str) -> Vec<AxisLabel> {
        let text = text.trim_matches(['\n', '\r']);
        if text.is_empty() {
            return Vec::new();
        }
        let labels = text.split(' ').map(|it| match it.strip_prefix('!') {
            Some(rest) if !rest.is_empty() => AxisLabel { text: rest.to_owned(), is_hidden: true },
            _ => AxisLabel { text: it.to_owned(), is_hidden: false },
        });
        labels.collect()
    }
}

/// Where pieces can stand, and how places lie to one another.
#[derive(Clone, Debug)]
pub struct SpaceMap {
    spaces: Vec<SpaceInfo>,
    n_files: usize,
    n_ranks: usize,
    /// By rank, then file, as wide as the labels go: repeated labels lead back
    /// to the spaces they name, which is how a board is made to wrap around.
    grid: Vec<Option<Space>>,
    n_labels: (usize, usize),
    by_name: FxHashMap<String, Space>,
    file_labels: Vec<AxisLabel>,
    rank_labels: Vec<AxisLabel>,
}

impl SpaceMap {
    /// A board of files and ranks. `cells` stand as Forsythe code has them, top
    /// rank first; labels that are missing are letters and numbers.
    pub fn grid(
        n_files: usize,
        cells: &[ForsytheCell],
        files: &[AxisLabel],
        ranks: &[AxisLabel],
    ) -> Result<SpaceMap, BoardError> {
        let n_ranks = cells.len().div_ceil(n_files.max(1));
        let too_many = cells.len() > 4 * Space::LIMIT || n_files > Space::LIMIT;
        if too_many || files.len() > Space::LIMIT || ranks.len() > Space::LIMIT {
            return Err(BoardError::TooLarge);
        }
        let mut board = SpaceMap {
            spaces: Vec::new(),
            n_files,
            n_ranks,
            grid: Vec::new(),
            n_labels: (0, 0),
            by_name: FxHashMap::default(),
            file_labels: labels(files, n_files, |it| {
                char::from_u32('a' as u32 + it as u32).filter(char::is_ascii_lowercase)
            }),
            rank_labels: labels(ranks, n_ranks, |it| Some(it + 1)),
        };
        for (idx, cell) in cells.iter().enumerate() {
            let (file, rank) = (idx % n_files.max(1), n_ranks - 1 - idx / n_files.max(1));
            if *cell != ForsytheCell::Hole {
                board.add_cell(file, rank)?;
            }
        }
        if board.spaces.is_empty() {
            return Err(BoardError::NoSpaces);
        }
        board.lay_grid()?;
        Ok(board)
    }

    fn add_cell(&mut self, file: usize, rank: usize) -> Result<(), BoardError> {
        let (Some(f), Some(r)) = (self.file_labels.get(file), self.rank_labels.get(rank)) else {
            return Err(BoardError::NoLabel { cell: (file, rank) });
        };
        if f.text.is_empty() || r.text.is_empty() {
            return Err(BoardError::NoLabel { cell: (file, rank) });
        }
        let name = format!("{}{}", f.text, r.text);
        let is_hidden = f.is_hidden || r.is_hidden;
        self.add(SpaceInfo { name, cell: Some((file as u16, rank as u16)), is_hidden })
    }

    fn add(&mut self, place: SpaceInfo) -> Result<(), BoardError> {
        if self.spaces.len() >= Space::LIMIT {
            return Err(BoardError::TooLarge);
        }
        let space = Space(self.spaces.len() as u16);
        if self.by_name.insert(place.name.clone(), space).is_some() {
            return Err(BoardError::SameName(place.name));
        }
        self.spaces.push(place);
        Ok(())
    }

    /// Fills the grid from the labels, those beyond the board included.
    fn lay_grid(&mut self) -> Result<(), BoardError> {
        let wide = self.file_labels.len().max(self.n_files);
        let high = self.rank_labels.len().max(self.n_ranks);
        if wide.saturating_mul(high) > 16 * Space::LIMIT {
            return Err(BoardError::TooLarge);
        }
        self.n_labels = (wide, high);
        let mut grid = Vec::with_capacity(wide * high);
        for rank in &self.rank_labels {
            for idx in 0..wide {
                let file = self.file_labels.get(idx).map_or("", |it| &it.text);
                grid.push(self.by_name.get(&format!("{file}{}", rank.text)).copied());
            }
        }
        self.grid = grid;
        Ok(())
    }

    /// A board whose spaces have names and nothing else.
    pub fn named(names: &[String]) -> Result<SpaceMap, BoardError> {
        let mut board = SpaceMap {
            spaces: Vec::new(),
            n_files: 0,
            n_ranks: 0,
            grid: Vec::new(),
            n_labels: (0, 0),
            by_name: FxHashMap::default(),
            file_labels: Vec::new(),
            rank_labels: Vec::new(),
        };
        for name in names {
            let is_hidden = name.len() > 1 && name.starts_with('!');
            let name = if is_hidden { name.trim_start_matches('!') } else { name };
            board.add(SpaceInfo { name: name.to_owned(), cell: None, is_hidden })?;
        }
        if board.spaces.is_empty() {
            return Err(BoardError::NoSpaces);
        }
        Ok(board)
    }

    /// All spaces.
    pub fn spaces(&self) -> &[SpaceInfo] {
        &self.spaces
    }

    /// Every space by its number.
    pub fn all(&self) -> impl Iterator<Item = Space> + use<> {
        (0..self.spaces.len() as u16).map(Space)
    }

    /// What is known of a space.
    pub fn info(&self, space: Space) -> Option<&SpaceInfo> {
        self.spaces.get(space.index())
    }

    /// Its coordinate.
    pub fn name(&self, space: Space) -> &str {
        self.info(space).map_or("", |it| &it.name)
    }

    /// The space with this coordinate.
    pub fn space(&self, name: &str) -> Option<Space> {
        self.by_name.get(name).copied()
    }

    /// How many files and ranks the board has; nought if it has no grid.
    pub fn size(&self) -> (usize, usize) {
        (self.n_files, self.n_ranks)
    }

    /// The labels of the files, which may be more than the files.
    pub fn file_labels(&self) -> &[AxisLabel] {
        &self.file_labels
    }

    /// The labels of the ranks.
    pub fn rank_labels(&self) -> &[AxisLabel] {
        &self.rank_labels
    }

    /// The space at a file and rank of the board itself.
    pub(crate) fn at(&self, file: i32, rank: i32) -> Option<Space> {
        let is_on = (0..self.n_files as i32).contains(&file);
        self.labelled(file, rank).filter(|_| is_on && rank < self.n_ranks as i32)
    }

    /// The space that a file label and a rank label name, repeated labels included.
    pub(crate) fn labelled(&self, file: i32, rank: i32) -> Option<Space> {
        let (wide, high) = self.n_labels;
        let file = usize::try_from(file).ok().filter(|&it| it < wide)?;
        let rank = usize::try_from(rank).ok().filter(|&it| it < high)?;
        self.grid.get(rank * wide + file).copied().flatten()
    }

    pub(crate) fn n_labels(&self) -> (usize, usize) {
        self.n_labels
    }

    /// The file and rank of a space.
    pub(crate) fn cell(&self, space: Space) -> Option<(i32, i32)> {
        let (file, rank) = self.spaces.get(space.index())?.cell?;
        Some((i32::from(file), i32::from(rank)))
    }

    /// The space some files and ranks away.
    pub(crate) fn step(&self, space: Space, df: i32, dr: i32) -> Option<Space> {
        let (file, rank) = self.cell(space)?;
        self.at(file + df, rank + dr)
    }
}

/// The labels as given, then those that `default` makes.
fn labels<T: fmt::Display>(
    given: &[AxisLabel],
    n_labels: usize,
    default: impl Fn(usize) -> Option<T>,
) -> Vec<AxisLabel> {
    let mut all = given.to_vec();
    if given.is_empty() {
        let made = (0..n_labels).map_while(default);
        all.extend(made.map(|it| AxisLabel { text: it.to_string(), is_hidden: false }));
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::forsythe;

    fn board(code: &str, cols: usize, files: &str, ranks: &str) -> Result<SpaceMap, BoardError> {
        let cells = forsythe::read(code, cols).expect("reads");
        SpaceMap::grid(cols, &cells, &AxisLabel::list(files), &AxisLabel::list(ranks))
    }

    #[test]
    fn coordinates_are_file_and_rank() {
        let board = board("8/8", 8, "", "").expect("is a board");
        let a1 = board.space("a1").expect("is there");
        assert_eq!(board.cell(a1), Some((0, 0)));
        assert_eq!(board.step(a1, 7, 1).map(|it| board.name(it)), Some("h2"));
        assert_eq!(board.step(a1, -1, 0), None);
    }

    #[test]
    fn labels_may_be_empty_hidden_or_repeated() {
        let with_hand = board("3-1", 5, "a b c  !w", "").expect("is a board");
        assert!(with_hand.info(with_hand.space("w1").expect("is there")).expect("is").is_hidden);
        assert!(matches!(board("5", 5, "a b c  !w", ""), Err(BoardError::NoLabel { .. })));
        let ring = board("4", 4, "a b c d a b", "").expect("is a board");
        assert_eq!(ring.labelled(4, 0), ring.space("a1"));
        assert_eq!(ring.at(4, 0), None);
        assert!(matches!(board("4", 4, "a b a c", ""), Err(BoardError::SameName(_))));
    }

    #[test]
    fn a_board_is_not_too_large() {
        assert_eq!(board("4097", 64, "", "").err(), Some(BoardError::NoLabel { cell: (26, 64) }));
        assert_eq!(board("-", 8, "", "").err(), Some(BoardError::NoSpaces));
    }
}
