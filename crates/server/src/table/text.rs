//! A match for pages without scripts: as text, and with one command a request.

use boardwright_referee::{Actor, MatchCommand, NodeId, Refusal, Sitter};
use boardwright_render::{
    scene::Scene,
    text_board::{TextForm, text_board},
};
use boardwright_rules::PlayRefusal;

use super::{Failure, Table};
use crate::error::{ApiError, not_stored};

/// Moves that a page lists.
const MAX_MOVES: usize = 400;
/// Answers to a question that are shown.
const MAX_CHOICES: usize = 100;
/// Characters of a move or message.
const MAX_TEXT: usize = 400;

/// How a match stands, in words.
pub(crate) struct TextView {
    pub title: String,
    /// The board in characters.
    pub board: String,
    /// Who is to move; nobody if the game is over.
    pub mover: Option<String>,
    /// The seat for which whoever asks is to move.
    pub seat: Option<usize>,
    /// A seat that whoever asks may resign for.
    pub own_seat: Option<usize>,
    /// Whether an engine or chance moves next.
    pub is_waiting: bool,
    pub node: NodeId,
    /// The legal moves: short and long; none where everything may be played.
    pub moves: Vec<(String, String)>,
    pub n_moves: usize,
    pub messages: Vec<String>,
    pub outcome: Option<String>,
    /// The moves so far.
    pub record: Vec<String>,
}

/// Why something was not done.
pub(crate) struct TextRefusal {
    pub message: String,
    /// What has to be chosen: what to show, and what to play.
    pub choices: Vec<(String, String)>,
}

impl Table {
    /// The match as somebody with this key sees it.
    pub(super) async fn text_view(&mut self, key: &str) -> Result<TextView, ApiError> {
        let rights = self.rights(key);
        if !rights.seats.is_empty() {
            self.is_awaited = true;
            self.drive().await;
        }
        let work = self.tools.work.clone();
        let game = &self.game;
        let view = &self.view;
        let board = work.run_here(|| text_board(&Scene::of(game.state(), None), TextForm::Play));
        let board = board.await;
        let seat = view.seat.map(|it| it as usize);
        let sitter = seat.and_then(|it| game.seats().get(it)).map(|it| &it.sitter);
        let is_moved_for = matches!(sitter, Some(Sitter::Engine(_) | Sitter::Random));
        let is_over = view.outcome.is_some();
        let resigned = game.seats().len();
        let line = game.tree().line(game.current());
        let record = line.iter().filter_map(|it| game.tree().node(*it));
        let short = |text: &str| text.chars().take(MAX_TEXT).collect::<String>();
        Ok(TextView {
            title: self.playable.title.clone(),
            board,
            mover: view.mover.map(|it| self.playable.player_name(boardwright_game::Player(it))),
            seat: seat.filter(|it| rights.seats.contains(it) && !is_over),
            own_seat: rights.seats.iter().copied().find(|it| *it < resigned),
            is_waiting: !is_over && (view.is_chance || is_moved_for),
            node: game.current(),
            moves: view
                .moves
                .iter()
                .take(MAX_MOVES)
                .map(|it| (short(&it.short), it.long.clone()))
                .collect(),
            n_moves: view.moves.len(),
            messages: view.messages.iter().map(|it| short(it)).collect(),
            outcome: view.outcome.as_ref().map(|it| it.text.clone()),
            record: record.filter(|it| it.parent.is_some()).map(|it| short(&it.brief)).collect(),
        })
    }

    /// Does what somebody with this key asks for.
    pub(super) async fn act(
        &mut self,
        key: &str,
        command: &MatchCommand,
    ) -> Result<(), TextRefusal> {
        let rights = self.rights(key);
        let actor = Actor::Person { is_owner: rights.is_owner, seats: &rights.seats };
        let refusal = |message: String| TextRefusal { message, choices: Vec::new() };
        match self.carry_out(command, actor, "").await {
            Ok(_) => {
                self.is_awaited = true;
                self.drive().await;
                Ok(())
            }
            Err(Failure::Refused(Refusal::Play(PlayRefusal::Asked(question)))) => {
                Err(TextRefusal {
                    message: question.text.clone(),
                    choices: question.choices.iter().take(MAX_CHOICES).cloned().collect(),
                })
            }
            Err(Failure::Refused(it)) => {
                let (message, why) = it.text();
                Err(refusal(why.map_or(message.clone(), |why| format!("{message} {why}"))))
            }
            Err(Failure::NotStored(cause)) => Err(refusal(not_stored("this", &cause).0)),
        }
    }
}
