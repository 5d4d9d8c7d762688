//! A change of the board outside of play, as a step of a record. Only rule files have them.

use boardwright_game::{PieceKind, Player, Ruleset, Site};
use boardwright_play::{Edit, State};

/// Pieces off the board: owner, kind, number.
pub type Hands = Vec<(Player, PieceKind, u32)>;

/// A board as somebody set it up.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct BoardSetup {
    /// The pieces on the board.
    pub pieces: Vec<(Site, Player, PieceKind)>,
    /// The pieces off the board.
    pub hands: Hands,
    /// The entry of the turn order whose turn it is.
    pub turn: usize,
}

/// Edits of the board and, where more was changed, hands and turn.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct EditStep {
    /// What is placed and removed, in order.
    pub edits: Vec<Edit>,
    /// All pieces off the board and the entry of the turn order, if they were changed:
    /// save files have no words for these.
    pub rest: Option<(Hands, usize)>,
}

/// A text that is not an edit of the board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EditError(pub String);

impl std::fmt::Display for EditError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "`{}` is not a change of this board", self.0)
    }
}

impl std::error::Error for EditError {}

impl EditStep {
    /// The step from a state to one with these pieces, hands and turn, and no others.
    pub fn to(
        state: &State,
        pieces: &[(Site, Player, PieceKind)],
        hands: &[(Player, PieceKind, u32)],
        turn: usize,
    ) -> EditStep {
        let edits = state.edits_to(pieces);
        let changes = state.clone().arrange(hands, turn);
        EditStep { edits, rest: changes.then(|| (hands.to_vec(), turn)) }
    }

    /// Whether nothing is changed.
    pub fn is_nothing(&self) -> bool {
        self.edits.is_empty() && self.rest.is_none()
    }

    /// Changes a state.
    pub fn apply(&self, state: &mut State) {
        for &edit in &self.edits {
            state.edit(edit);
        }
        if let Some((hands, turn)) = &self.rest {
            state.arrange(hands, *turn);
        }
    }

    /// The step as text: `(White Rook e4)(x e5)(off White Pawn 2)(turn 1)`.
    pub fn to_text(&self, ruleset: &Ruleset) -> String {
        let mut text = String::new();
        let site = |it: Site| ruleset.board.site_name(it);
        for edit in &self.edits {
            text.push_str(&match *edit {
                Edit::Place { player, kind, site: at } => format!(
                    "({} {} {})",
                    ruleset.player_name(player),
                    ruleset.piece_name(kind),
                    site(at)
                ),
                Edit::Remove { site: at } => format!("(x {})", site(at)),
            });
        }
        if let Some((hands, turn)) = &self.rest {
            for &(player, kind, count) in hands {
                let (player, kind) = (ruleset.player_name(player), ruleset.piece_name(kind));
                text.push_str(&format!("(off {player} {kind} {count})"));
            }
            text.push_str(&format!("(turn {turn})"));
        }
        text
    }

    /// Reads what [`EditStep::to_text`] wrote.
    pub fn from_text(ruleset: &Ruleset, text: &str) -> Result<EditStep, EditError> {
        let mut step = EditStep::default();
        let mut hands = Vec::new();
        for part in text.split('(').skip(1) {
            let words: Vec<&str> = part.trim_end().trim_end_matches(')').split(' ').collect();
            let fail = || EditError(part.trim_end_matches(')').to_owned());
            let piece = |player: &str, kind: &str| {
                Some((ruleset.player_named(player)?, ruleset.piece_named(kind)?))
            };
            let site = |name: &str| ruleset.board.site_named(name).ok_or_else(fail);
            match words[..] {
                ["x", at] => step.edits.push(Edit::Remove { site: site(at)? }),
                ["turn", turn] => {
                    let turn = turn.parse().map_err(|_| fail())?;
                    step.rest = Some((std::mem::take(&mut hands), turn));
                }
                ["off", player, kind, count] => {
                    let (player, kind) = piece(player, kind).ok_or_else(fail)?;
                    hands.push((player, kind, count.parse().map_err(|_| fail())?));
                }
                [player, kind, at] => {
                    let (player, kind) = piece(player, kind).ok_or_else(fail)?;
                    step.edits.push(Edit::Place { player, kind, site: site(at)? });
                }
                _ => return Err(fail()),
            }
        }
        Ok(step)
    }
}
