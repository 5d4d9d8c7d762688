//! The pieces of a preset: which label is which kind of which side.
//!
//! A preset knows labels only; capitals are the first side's, small letters the
//! second's, and the field `pieces` tells what they are called. Here `K` and `k`
//! become one kind of two players, as drawings have it.

use boardwright_game::{PieceKind, PieceKindInfo, Player, PlayerInfo, Ruleset, SetupEntry, Site};
use boardwright_gamecode::{ForsytheCell, Machine};
use boardwright_preset::Preset;
use rustc_hash::FxHashMap;

use super::{Family, PieceSet, family, sets};

/// More kinds than this are not told apart.
const MANY: usize = 1000;

/// What letters mean where a preset does not say.
const USUAL: &[(&str, &str)] = &[
    ("K", "King"),
    ("Q", "Queen"),
    ("R", "Rook"),
    ("B", "Bishop"),
    ("N", "Knight"),
    ("P", "Pawn"),
];

/// The pieces of a preset, as players and kinds.
#[derive(Clone, Debug)]
pub struct Cast {
    ruleset: Ruleset,
    by_label: FxHashMap<String, (Player, PieceKind)>,
    by_piece: FxHashMap<(Player, PieceKind), String>,
}

impl Cast {
    /// Every label that the preset names or sets up, and the same for the other side.
    pub fn of(preset: &Preset) -> Cast {
        Cast::with(preset, std::iter::empty::<&str>())
    }

    /// The same with labels that came up in play.
    pub fn with<'a>(preset: &Preset, more: impl IntoIterator<Item = &'a str>) -> Cast {
        let settings = &preset.bundle.settings;
        let named: FxHashMap<&str, &str> = settings.pieces().into_iter().collect();
        let mut ruleset = Ruleset { title: settings.get("game").to_owned(), ..Ruleset::default() };
        ruleset.players = preset.sides().iter().map(|it| player(it, false)).collect();
        let mut cast =
            Cast { ruleset, by_label: FxHashMap::default(), by_piece: FxHashMap::default() };
        for (label, _) in settings.pieces() {
            cast.add(label, &named);
        }
        let on_board = preset.cells().iter().filter_map(|it| match it {
            ForsytheCell::Piece(label) => Some(label.as_str()),
            _ => None,
        });
        for (idx, cell) in preset.cells().iter().enumerate() {
            if let ForsytheCell::Piece(label) = cell {
                cast.add(label, &named);
                if let Some((player, kind)) = cast.piece(label) {
                    let site = Site(idx.min(usize::from(u16::MAX)) as u16);
                    let span = Default::default();
                    cast.ruleset.setup.pieces.push(SetupEntry { player, kind, site, span });
                }
            }
        }
        let mut others: Vec<String> =
            named.keys().copied().chain(on_board).map(other_side).collect();
        others.sort_unstable();
        for label in &others {
            cast.add(label, &named);
        }
        if named.is_empty() {
            for (label, _) in USUAL {
                cast.add(label, &named);
                cast.add(&other_side(label), &named);
            }
        }
        for label in more {
            cast.add(label, &named);
        }
        cast
    }

    fn add(&mut self, label: &str, named: &FxHashMap<&str, &str>) {
        if self.by_label.contains_key(label) || self.ruleset.pieces.len() >= MANY {
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

    /// Whose and what a label is.
    pub fn piece(&self, label: &str) -> Option<(Player, PieceKind)> {
        self.by_label.get(label).copied()
    }

    /// The label of a piece.
    pub fn label(&self, player: Player, kind: PieceKind) -> Option<&str> {
        self.by_piece.get(&(player, kind)).map(String::as_str)
    }

    /// The kinds by number: the name of each, and what it is in letters.
    pub fn kinds(&self) -> impl Iterator<Item = (&str, &str)> {
        let kinds = self.ruleset.pieces.iter();
        kinds.map(|it| (it.name.as_str(), it.notation.as_deref().unwrap_or("")))
    }

    /// The names of the players; a third one has what belongs to neither side.
    pub fn players(&self) -> impl Iterator<Item = &str> {
        self.ruleset.players.iter().map(|it| it.name.as_str())
    }

    /// What the pieces are of.
    pub fn family(&self) -> Option<Family> {
        family(&self.ruleset)
    }

    /// The sets that the pieces can be drawn with; the first is the one to begin with.
    pub fn sets(&self) -> Vec<PieceSet> {
        let mut sets = sets(&self.ruleset);
        for set in &mut sets {
            self.turn_likes(set);
        }
        sets
    }

    /// A `Pawn going west` beside a `Pawn` is the same drawing, turned.
    fn turn_likes(&self, set: &mut PieceSet) {
        let alike = |kind: PieceKind| {
            let (first, _) = self.ruleset.piece_name(kind).split_once(' ')?;
            self.ruleset.piece_named(first)
        };
        let arts: FxHashMap<_, _> =
            set.looks.iter().map(|it| ((it.player, it.kind), (it.art, it.turn))).collect();
        for look in set.looks.iter_mut().filter(|it| it.art.is_none()) {
            let likes = alike(look.kind).and_then(|it| arts.get(&(look.player, it)));
            if let Some(&(Some(art), turn)) = likes {
                (look.art, look.turn) = (Some(art), !turn);
            }
        }
    }

    /// The set that a preset's field `set` asks for, or the first.
    pub fn set(&self, id: &str) -> PieceSet {
        let mut sets = self.sets();
        let idx = sets.iter().position(|it| it.id == id).unwrap_or(0);
        sets.swap_remove(idx)
    }

    /// The colours of the players.
    pub fn tones(&self) -> Vec<super::Tone> {
        super::tones(&self.ruleset)
    }
}

fn player(name: &str, is_neutral: bool) -> PlayerInfo {
    PlayerInfo { name: name.to_owned(), is_random: false, is_neutral, span: Default::default() }
}

/// A label with capitals for small letters, and the other way round.
pub(crate) fn other_side(label: &str) -> String {
    let turned = label.chars().flat_map(|it| -> Vec<char> {
        match it.is_lowercase() {
            true => it.to_uppercase().collect(),
            false => it.to_lowercase().collect(),
        }
    });
    turned.collect()
}
