//! Why a command is not obeyed.

use boardwright_rules::PlayRefusal;

/// Why a command is not obeyed; nothing has changed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// There is no such node in the record.
    NoNode,
    /// There is no such seat.
    NoSeat,
    /// Play has gone on elsewhere since the sender looked.
    Stale,
    /// Somebody else is to move.
    NotYourTurn,
    /// Only the owner of the match may do this.
    OwnerOnly,
    /// The sender does not sit on the seat.
    NotYourSeat,
    /// Nothing can be taken back.
    AtStart,
    /// The record has as many nodes as it may have.
    Full,
    /// A text of the command is longer than it may be.
    TooLong,
    /// The text is empty.
    Empty,
    /// An engine cannot play these rules: they list no moves.
    NoEngine,
    /// The rules cannot play on after this edit.
    Unplayable,
    /// The rules refuse the move.
    Play(PlayRefusal),
}

impl From<PlayRefusal> for Refusal {
    fn from(it: PlayRefusal) -> Refusal {
        Refusal::Play(it)
    }
}

impl Refusal {
    /// The message for players, and the reason behind it if there is one.
    pub fn text(&self) -> (String, Option<String>) {
        let message = match self {
            Refusal::Play(it) => return it.text(),
            Refusal::NoNode => "there is no such move in the record",
            Refusal::NoSeat => "there is no such seat",
            Refusal::Stale => "the game has gone on in the meantime",
            Refusal::NotYourTurn => "it is not your turn",
            Refusal::OwnerOnly => "only the owner of this match can do that",
            Refusal::NotYourSeat => "you do not sit on that seat",
            Refusal::AtStart => "there is nothing to take back",
            Refusal::Full => "the record of this match is full",
            Refusal::TooLong => "this text is too long",
            Refusal::Empty => "this text is empty",
            Refusal::NoEngine => "no engine can play this preset: its code does not list moves",
            Refusal::Unplayable => "the rules cannot play on from this board",
        };
        (message.to_owned(), None)
    }

    /// Whether the game is over.
    pub fn is_over(&self) -> bool {
        *self == Refusal::Play(PlayRefusal::Over)
    }
}

impl std::fmt::Display for Refusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (message, why) = self.text();
        match why {
            Some(why) => write!(f, "{message} ({why})"),
            None => f.write_str(&message),
        }
    }
}

impl std::error::Error for Refusal {}
