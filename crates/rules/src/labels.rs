//! Which label of a preset is which kind of piece of which player.
//!
//! A preset knows labels only: capitals belong to the first side, small letters to the
//! second, and the field `pieces` names them. Here `K` and `k` become one kind of two
//! players, as rule files, drawings and the engine have it.

use boardwright_game::{PieceKind, PieceKindInfo, Player, PlayerInfo, Ruleset, SetupEntry, Site};
use boardwright_gamecode::{ForsytheCell, Machine};
use boardwright_preset::{Game, Preset};
use rustc_hash::FxHashMap;

/// Kinds of pieces that one preset may have; further labels are not mapped.
const MAX_KINDS: usize = 1000;

/// The names of labels where a preset does not give any.
const USUAL: &[(&str, &str)] = &[
    ("K", "King"),
    ("Q", "Queen"),
    ("R", "Rook"),
    ("B", "Bishop"),
    ("N", "Knight"),
    ("P", "Pawn"),
];

/// What stands for labels that neither the settings nor the setup name.
const OTHER_UPPER: &str = "Piece";
const OTHER_LOWER: &str = "piece";

/// The labels of a preset as players and kinds of pieces.
#[derive(Clone, Debug)]
pub struct LabelMap {
    ruleset: Ruleset,
    by_label: FxHashMap<String, (Player, PieceKind)>,
    by_piece: FxHashMap<(Player, PieceKind), String>,
}

impl LabelMap {
    /// Every label that the preset names or sets up, and the same for the other side.
    pub fn of(preset: &Preset) -> LabelMap {
        LabelMap::with(preset, std::iter::empty::<&str>())
    }

    /// The same with labels that came up in play.
    pub fn with<'a>(preset: &Preset, more: impl IntoIterator<Item = &'a str>) -> LabelMap {
        let settings = &preset.bundle.settings;
        let named: FxHashMap<&str, &str> = settings.pieces().into_iter().collect();
        let mut ruleset = Ruleset { title: settings.get("game").to_owned(), ..Ruleset::default() };
        ruleset.players = preset.sides().iter().map(|it| player(it, false)).collect();
        let mut map =
            LabelMap { ruleset, by_label: FxHashMap::default(), by_piece: FxHashMap::default() };
        for (label, _) in settings.pieces() {
            map.add(label, &named);
        }
        let on_board = preset.cells().iter().filter_map(|it| match it {
            ForsytheCell::Piece(label) => Some(label.as_str()),
            _ => None,
        });
        for (idx, cell) in preset.cells().iter().enumerate() {
            if let ForsytheCell::Piece(label) = cell {
                map.add(label, &named);
                if let Some((player, kind)) = map.piece(label) {
                    let site = Site(idx.min(usize::from(u16::MAX)) as u16);
                    let span = Default::default();
                    map.ruleset.setup.pieces.push(SetupEntry { player, kind, site, span });
                }
            }
        }
        let mut others: Vec<String> =
            named.keys().copied().chain(on_board).map(other_side).collect();
        others.sort_unstable();
        for label in &others {
            map.add(label, &named);
        }
        if named.is_empty() {
            for (label, _) in USUAL {
                map.add(label, &named);
                map.add(&other_side(label), &named);
            }
        }
        for label in more {
            map.add(label, &named);
        }
        map
    }

    /// Everything that may come up in play: the labels of the settings and of the setup,
    /// every letter where the settings name no pieces, and one piece a side for the rest.
    /// Gives also the number of kinds that the settings and the setup name.
    pub fn for_play(preset: &Preset, start: &Game) -> (LabelMap, usize) {
        let standing: Vec<&str> = preset.board().all().filter_map(|it| start.piece(it)).collect();
        let n_named = LabelMap::with(preset, standing.iter().copied()).kinds().count();
        let mut labels: Vec<String> = standing.iter().map(|it| (*it).to_owned()).collect();
        if preset.bundle.settings.pieces().is_empty() {
            labels.extend(('A'..='Z').chain('a'..='z').map(String::from));
        }
        labels.extend([OTHER_UPPER, OTHER_LOWER].map(str::to_owned));
        (LabelMap::with(preset, labels.iter().map(String::as_str)), n_named)
    }

    fn add(&mut self, label: &str, named: &FxHashMap<&str, &str>) {
        if self.by_label.contains_key(label) || self.ruleset.pieces.len() >= MAX_KINDS {
            return;
        }
        let has = |test: fn(char) -> bool| label.chars().any(test);
        let owner = match Machine::is_lower(label) {
            true => Player(1),
            false if has(char::is_uppercase) => Player(0),
            false => {
                if self.ruleset.players.len() < 3 {
                    self.ruleset.players.push(player("Neutral", true));
                }
                Player(2)
            }
        };
        let other = other_side(label);
        let upper = label.to_uppercase();
        let usual = || USUAL.iter().find(|it| it.0 == upper).map(|it| it.1);
        let name = named.get(label).or_else(|| named.get(other.as_str())).copied();
        let name = name.or_else(usual).unwrap_or(&upper).to_owned();
        let kind = self.kind(&name, owner, &upper);
        self.by_label.insert(label.to_owned(), (owner, kind));
        self.by_piece.insert((owner, kind), label.to_owned());
    }

    /// The kind with this name, unless the player has it under another label.
    fn kind(&mut self, name: &str, player: Player, label: &str) -> PieceKind {
        let found = self.ruleset.piece_named(name);
        let is_taken = |it: PieceKind| self.by_piece.contains_key(&(player, it));
        if let Some(kind) = found.filter(|&it| !is_taken(it)) {
            return kind;
        }
        let own = format!("{name} {label}");
        let name = if found.is_some() { own } else { name.to_owned() };
        if let Some(kind) = self.ruleset.piece_named(&name).filter(|&it| !is_taken(it)) {
            return kind;
        }
        let notation = Some(label.into());
        self.ruleset.pieces.push(PieceKindInfo {
            name,
            notation,
            help: None,
            description: None,
            images: Vec::new(),
            attributes: Vec::new(),
            attribute_mask: 0,
            default_attributes: 0,
            is_dummy: false,
            open: None,
            blocks: Vec::new(),
            program: Default::default(),
            span: Default::default(),
        });
        PieceKind((self.ruleset.pieces.len() - 1) as u16)
    }

    /// The owner and kind that a label stands for.
    pub fn piece(&self, label: &str) -> Option<(Player, PieceKind)> {
        self.by_label.get(label).copied()
    }

    /// The same, where a label that was not expected counts as some piece of its side.
    pub fn piece_or_other(&self, label: &str) -> Option<(Player, PieceKind)> {
        let other = if Machine::is_lower(label) { OTHER_LOWER } else { OTHER_UPPER };
        self.piece(label).or_else(|| self.piece(other))
    }

    /// The label of a piece.
    pub fn label(&self, player: Player, kind: PieceKind) -> Option<&str> {
        self.by_piece.get(&(player, kind)).map(String::as_str)
    }

    /// The kinds in order: the name of each, and its label for the first player.
    pub fn kinds(&self) -> impl Iterator<Item = (&str, &str)> {
        let kinds = self.ruleset.pieces.iter();
        kinds.map(|it| (it.name.as_str(), it.notation.as_deref().unwrap_or("")))
    }

    /// The names of the players; a third one owns what belongs to neither side.
    pub fn players(&self) -> impl Iterator<Item = &str> {
        self.ruleset.players.iter().map(|it| it.name.as_str())
    }

    /// Players and kinds as a ruleset that has nothing else but the setup.
    pub fn ruleset(&self) -> &Ruleset {
        &self.ruleset
    }
}

fn player(name: &str, is_neutral: bool) -> PlayerInfo {
    PlayerInfo { name: name.to_owned(), is_random: false, is_neutral, span: Default::default() }
}

/// The label of the same kind for the other side: capitals and small letters exchanged.
pub fn other_side(label: &str) -> String {
    let turned = label.chars().flat_map(|it| -> Vec<char> {
        match it.is_lowercase() {
            true => it.to_uppercase().collect(),
            false => it.to_lowercase().collect(),
        }
    });
    turned.collect()
}
