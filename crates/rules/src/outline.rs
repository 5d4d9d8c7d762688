//! The outline of a preset: its board, players, kinds and setup as a `Ruleset` without
//! programs and goals.

use std::sync::Arc;

use boardwright_game::{
    Board, Direction, DirectionInfo, Player, Ruleset, SetupEntry, Site, SiteInfo, Turn, TurnOrder,
};
use boardwright_preset::{Game, Preset};
use rustc_hash::FxHashMap;

use crate::labels::LabelMap;

/// The eight neighbours on a grid: name, files to the right, ranks up, the opposite.
const DIRECTIONS: [(&str, i32, i32, u16); 8] = [
    ("n", 0, 1, 1),
    ("s", 0, -1, 0),
    ("e", 1, 0, 3),
    ("w", -1, 0, 2),
    ("ne", 1, 1, 5),
    ("sw", -1, -1, 4),
    ("nw", -1, 1, 7),
    ("se", 1, -1, 6),
];

/// No neighbour in a direction.
const NO_LINK: u16 = u16::MAX;

/// The outline of a preset whose pieces stand as in `start`.
pub(crate) fn of(preset: &Preset, labels: &LabelMap, start: &Game) -> Ruleset {
    let mut ruleset = labels.ruleset().clone();
    ruleset.board = Arc::new(board(preset, ruleset.players.len()));
    let first = preset.first_player();
    ruleset.turn_order = TurnOrder { turns: [first, 1 - first].map(turn).to_vec(), repeat: 0 };
    ruleset.setup.pieces = preset
        .board()
        .all()
        .filter_map(|space| {
            let (player, kind) = labels.piece_or_other(start.piece(space)?)?;
            let site = Site(space.index() as u16);
            Some(SetupEntry { player, kind, site, span: Default::default() })
        })
        .collect();
    ruleset
}

fn turn(player: usize) -> Turn {
    let player = Player(player as u8);
    Turn { mover: player, owner: player, move_type: None, span: Default::default() }
}

fn board(preset: &Preset, n_players: usize) -> Board {
    let spaces = preset.board();
    let cells: FxHashMap<(i32, i32), u16> = spaces
        .all()
        .filter_map(|it| {
            let (file, rank) = spaces.info(it)?.cell?;
            Some(((i32::from(file), i32::from(rank)), it.index() as u16))
        })
        .collect();
    let site = |it| SiteInfo {
        name: spaces.name(it).to_owned(),
        rect: None,
        is_dummy: spaces.info(it).is_some_and(|it| it.is_hidden),
        cell: None,
        span: Default::default(),
    };
    let link = |cell: Option<(u16, u16)>, dx: i32, dy: i32| {
        let (file, rank) = cell?;
        cells.get(&(i32::from(file) + dx, i32::from(rank) + dy)).copied()
    };
    let mut links = Vec::new();
    for it in spaces.all() {
        let cell = spaces.info(it).and_then(|it| it.cell);
        links.extend(DIRECTIONS.map(|(_, dx, dy, _)| link(cell, dx, dy).unwrap_or(NO_LINK)));
    }
    let same: Vec<Direction> = (0..DIRECTIONS.len() as u16).map(Direction).collect();
    Board {
        sites: spaces.all().map(site).collect(),
        directions: DIRECTIONS
            .iter()
            .map(|it| DirectionInfo { name: it.0.to_owned(), span: Default::default() })
            .collect(),
        links,
        opposite: DIRECTIONS.iter().map(|it| Some(Direction(it.3))).collect(),
        symmetry: vec![same; n_players],
        ..Board::default()
    }
}
