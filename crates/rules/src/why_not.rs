//! Why a move that a player tries is not legal, in a sentence.

use boardwright_game::{PieceKind, Site};
use boardwright_play::{Attempt, Obstacle, State};
use boardwright_text::render::printable;

use crate::{
    game_state::{GameState, Inner},
    legal::LegalMoves,
    refusal::PlayRefusal,
    step::Judging,
};

/// Why a move that a player tries is not legal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MoveObstacle {
    /// One sentence for the player.
    pub text: String,
    /// Whether the piece never moves that way, which its drawing or its help tells as well.
    pub is_evident: bool,
}

impl GameState {
    /// Why the piece on `from`, or one from a hand, may not go to `to`, or nowhere if that is
    /// `None`. Nothing is said of legal moves and of pieces that are not the mover's.
    ///
    /// `legal` are the legal moves of this state. May run rules or code as long as a move may.
    pub fn why_not(
        &self,
        legal: &LegalMoves,
        from: Option<Site>,
        to: Option<Site>,
    ) -> Result<Option<MoveObstacle>, PlayRefusal> {
        if legal.outcome.is_some() {
            return Err(PlayRefusal::Over);
        }
        match &self.inner {
            Inner::Compiled(state) => {
                let attempt = Attempt { from, to };
                let found = state.why_not(attempt).map_err(|it| self.rules().halted(&it))?;
                Ok(found.map(|it| told(state, attempt, it)))
            }
            Inner::Scripted(_) => self.why_not_scripted(legal, from, to),
        }
    }

    /// What the code of a preset says when the turn is tried.
    fn why_not_scripted(
        &self,
        legal: &LegalMoves,
        from: Option<Site>,
        to: Option<Site>,
    ) -> Result<Option<MoveObstacle>, PlayRefusal> {
        let board = &self.rules().ruleset().board;
        let name = |it: Site| board.sites.get(it.idx()).map(|it| it.name.as_str());
        let ends = (from.and_then(name), to.and_then(name));
        let (Some(from), Some(to)) = ends else { return Ok(None) };
        match self.play_text(legal, &format!("{from}-{to}"), Judging::Trust) {
            Err(PlayRefusal::Refused { message, .. }) => {
                Ok(Some(MoveObstacle { text: printable(&message), is_evident: false }))
            }
            Err(PlayRefusal::Halted(why)) => Err(PlayRefusal::Halted(why)),
            _ => Ok(None),
        }
    }
}

/// An obstacle in a sentence.
fn told(state: &State, attempt: Attempt, obstacle: Obstacle) -> MoveObstacle {
    let ruleset = state.ruleset();
    let kind_name = |it: PieceKind| ruleset.translated(ruleset.piece_name(it)).to_lowercase();
    let site_name = |it: Site| ruleset.translated(ruleset.board.site_name(it)).to_owned();
    let moved = attempt.from.and_then(|it| state.placement().get(it));
    let piece = moved.map_or_else(|| "piece".to_owned(), |it| kind_name(it.kind));
    let there = attempt.to.map(site_name).unwrap_or_default();
    let text = match obstacle {
        Obstacle::InCheck(royal) => {
            format!("Your {} is in check, and this move does not stop it.", kind_name(royal))
        }
        Obstacle::Exposes(royal) => {
            format!("Not legal: your {} would be in check.", kind_name(royal))
        }
        Obstacle::MustCapture => "You can capture, so you must.".to_owned(),
        Obstacle::Precedence => "The rules ask for a different kind of move first.".to_owned(),
        Obstacle::CapturesMore => "You must capture as many pieces as you can.".to_owned(),
        Obstacle::GoesOn(site) => {
            format!("Finish the move of the piece on {} first.", site_name(site))
        }
        Obstacle::OwnPiece(own) => format!("Your own {} is on {there}.", kind_name(own)),
        Obstacle::Blocked => format!("The way of your {piece} to {there} is blocked."),
        Obstacle::OnlyCaptures => format!("Your {piece} moves to {there} only to capture."),
        Obstacle::NeverCaptures => format!("Your {piece} cannot capture on {there}."),
        Obstacle::Occupied => format!("There is already a piece on {there}."),
        Obstacle::NoMoves => format!("Your {piece} has no legal move."),
        Obstacle::NotThatWay if attempt.from.is_none() => {
            format!("You cannot place a piece on {there} now.")
        }
        Obstacle::NotThatWay => format!("Your {piece} cannot move to {there}."),
    };
    let is_evident = matches!(obstacle, Obstacle::NotThatWay | Obstacle::OwnPiece(_));
    MoveObstacle { text: printable(&text), is_evident }
}
