//! What a player may ask about a site: what stands there, where it can go, who attacks it.

use boardwright_game::{PieceKind, Player, Site};
use boardwright_text::render::printable;

use crate::{
    game_state::{GameState, Inner},
    scripted,
};

/// What is known of a site.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PieceInfo {
    /// `White Knight on b1`, or the name of an empty site.
    pub title: String,
    /// The piece that stands there.
    pub piece: Option<(Player, PieceKind)>,
    /// Where it could go, whoever's turn it is.
    pub moves: Vec<Site>,
    /// The sites of pieces that could take it.
    pub attackers: Vec<Site>,
}

impl GameState {
    /// What is known of a site; what the rules cannot tell is left out.
    pub fn piece_info(&self, site: Site) -> PieceInfo {
        let ruleset = self.rules().ruleset();
        let piece = match &self.inner {
            Inner::Compiled(state) => state.placement().get(site).map(|it| (it.owner, it.kind)),
            Inner::Scripted(state) => self.script().and_then(|script| {
                let label = state.game.piece(scripted::space(script, site)?)?;
                script.labels.piece_or_other(label)
            }),
        };
        let name = match ruleset.board.sites.get(site.idx()) {
            Some(it) => ruleset.translated(&it.name),
            None => "",
        };
        let title = match piece {
            Some((player, kind)) => {
                let kind = ruleset.translated(ruleset.piece_name(kind));
                format!("{} {kind} on {name}", self.rules().player_name(player))
            }
            None => name.to_owned(),
        };
        let (moves, attackers) = match &self.inner {
            Inner::Compiled(state) => (
                state.lone_moves(site).unwrap_or_default(),
                state.attackers(site).unwrap_or_default(),
            ),
            Inner::Scripted(state) => {
                let legal = state.game.machine().legal().iter();
                let from_here = legal.filter(|it| scripted::site(it.0) == site);
                (from_here.map(|it| scripted::site(it.1)).collect(), Vec::new())
            }
        };
        PieceInfo { title: printable(&title), piece, moves, attackers }
    }
}
