//! A preset being played: what the seam needs beside `preset::Game`.

use boardwright_game::{Player, Site};
use boardwright_gamecode as gamecode;
use boardwright_preset::{Game, Judgement, PresetOutcome, Problem};

use crate::{game_rules::Script, game_state::PlacedPiece, refusal::PlayRefusal};

/// A game of a preset, and what a problem needs to find its reply.
#[derive(Clone, Debug)]
pub(crate) struct ScriptedState {
    pub game: Game,
    /// The reply to the turn that led here, if judging it has found one.
    pub reply: Option<String>,
    /// The game before that turn; kept in problems only.
    pub before: Option<Box<Game>>,
}

impl ScriptedState {
    pub fn is_undecided(&self) -> bool {
        self.game.outcome() == PresetOutcome::Undecided
    }

    /// The reply to the turn that led here.
    pub fn reply(&self, problem: &Problem) -> Option<String> {
        if let Some(reply) = &self.reply {
            return Some(reply.clone());
        }
        let turn = self.game.turns().last()?;
        match problem.judge(self.before.as_deref()?, &turn.text) {
            Judgement::GoOn { reply, .. } => Some(reply),
            _ => None,
        }
    }
}

/// A space of a preset as a site of its outline.
pub(crate) fn site(space: gamecode::Space) -> Site {
    Site(space.index() as u16)
}

/// The space that a site of the outline stands for.
pub(crate) fn space(script: &Script, site: Site) -> Option<gamecode::Space> {
    script.preset.board().all().nth(site.idx())
}

pub(crate) fn pieces(script: &Script, game: &Game) -> Vec<PlacedPiece> {
    let spaces = script.preset.board().all();
    let placed = spaces.filter_map(|it| {
        let (player, kind) = script.labels.piece_or_other(game.piece(it)?)?;
        Some(PlacedPiece { site: site(it), player, kind })
    });
    placed.collect()
}

/// A bare `e2-e4` with the label of the piece, as players of the original write it.
pub(crate) fn labelled(game: &Game, written: &str) -> String {
    let text = written.trim();
    let machine = game.machine();
    let board = machine.board();
    let ends = text.split_once('-').map(|(from, to)| (from.trim(), to.trim()));
    let from = ends.and_then(|(from, to)| board.space(to).and(board.space(from)));
    match from.and_then(|it| machine.piece(it)) {
        Some(label) => format!("{label} {text}"),
        None => text.to_owned(),
    }
}

/// A turn played through the code; nobody judges whether it solves a problem.
pub(crate) fn played(script: &Script, game: &Game, text: &str) -> Result<Game, PlayRefusal> {
    let mut next = game.clone();
    next.play(text).map_err(|it| PlayRefusal::of_stop(&script.preset, it))?;
    Ok(next)
}

/// A turn of the solver: the game after it, and the reply that is to come.
pub(crate) fn judged(
    script: &Script,
    problem: &Problem,
    game: &Game,
    text: &str,
) -> Result<(Game, Option<String>), PlayRefusal> {
    let wrong = |message: String| PlayRefusal::Refused { message, why: None };
    match problem.judge(game, text) {
        Judgement::Solved(game) => Ok((*game, None)),
        Judgement::GoOn { reply, .. } => Ok((played(script, game, text)?, Some(reply))),
        Judgement::Wrong => {
            let asked = problem.message.trim().trim_end_matches('.');
            Err(wrong(format!("That is legal, but not the solution. {asked}.")))
        }
        Judgement::Refused(stop) => Err(PlayRefusal::of_stop(&script.preset, stop)),
        Judgement::Unknown => Err(wrong("There are too many replies to judge this turn.".into())),
    }
}

/// The player whose turn it is.
pub(crate) fn mover(game: &Game) -> Player {
    Player(game.mover() as u8)
}
