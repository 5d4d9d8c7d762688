//! Whatever people ask of a match, it is done or refused, and the log gives the same match.
#![no_main]

use std::sync::Arc;

use boardwright_game::{PieceKind, Player, Site};
use boardwright_play::Rules;
use boardwright_referee::{Actor, Match, MatchCommand, MatchSetup};
use boardwright_rules::{BoardSetup, GameRules};
use boardwright_zrf::{CompileLimits, NoFiles};

const RULES: &[u8] = include_bytes!("../../games/tic-tac-toe/tic-tac-toe.zrf");

/// Reads commands from bytes.
struct Reader<'b>(&'b [u8]);

impl Reader<'_> {
    fn byte(&mut self) -> Option<u8> {
        let (first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(*first)
    }

    fn node(&mut self) -> Option<u32> {
        Some(u32::from(self.byte()?) % 12)
    }

    fn text(&mut self) -> Option<String> {
        let n = usize::from(self.byte()?).min(self.0.len());
        let (text, rest) = self.0.split_at(n);
        self.0 = rest;
        Some(String::from_utf8_lossy(text).into_owned())
    }

    fn command(&mut self, game: &Match) -> Option<MatchCommand> {
        Some(match self.byte()? % 9 {
            0 => MatchCommand::Play { node: self.node()?, text: self.text()? },
            1 => {
                let legal = game.legal().ok()?;
                let idx = usize::from(self.byte()?);
                let text = game.state().move_text(&legal, idx).unwrap_or_default();
                MatchCommand::Play { node: game.current(), text }
            }
            2 => MatchCommand::Draw,
            3 => MatchCommand::TakeBack,
            4 => MatchCommand::GoTo { node: self.node()? },
            5 => MatchCommand::Resign { seat: usize::from(self.byte()?) },
            6 => MatchCommand::Comment { node: self.node()?, text: self.text()? },
            7 => MatchCommand::Score { node: self.node()?, score: self.byte().map(i32::from) },
            _ => {
                let piece = (
                    Site(u16::from(self.byte()?)),
                    Player(self.byte()?),
                    PieceKind(u16::from(self.byte()?)),
                );
                let turn = usize::from(self.byte()?);
                let setup = BoardSetup { pieces: vec![piece], hands: Vec::new(), turn };
                MatchCommand::Edit { node: self.node()?, setup }
            }
        })
    }
}

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let limits = CompileLimits::default();
    let mut file = boardwright_zrf::load("tic-tac-toe.zrf", RULES, &mut NoFiles, &limits);
    let ruleset = file.compile(0).expect("our own game compiles");
    let rules = Rules::new(ruleset);
    let rules = Arc::new(GameRules::compiled(Arc::new(rules), file.sources().clone()));
    let setup = MatchSetup { seed: 1, ..MatchSetup::default() };
    let (mut game, mut log) = Match::begin(Arc::clone(&rules), setup).expect("it begins");
    let mut reader = Reader(bytes);
    while let Some(command) = reader.command(&game) {
        let seats = [usize::from(reader.byte().unwrap_or(0)) % 3];
        let actor = match reader.byte().unwrap_or(0) % 4 {
            0 => Actor::Engine,
            1 => Actor::Chance,
            other => Actor::Person { is_owner: other == 2, seats: &seats },
        };
        let request = reader.text().unwrap_or_default();
        if let Ok(applied) = game.apply(&command, actor, &request, 7, 11) {
            log.extend(applied.events.iter().cloned());
            game.commit(applied);
        }
    }
    let again = Match::restore(rules, 1, &log).expect("what was done can be done again");
    assert_eq!(again.state().text(), game.state().text());
    assert_eq!((again.current(), again.n_events()), (game.current(), game.n_events()));
});
