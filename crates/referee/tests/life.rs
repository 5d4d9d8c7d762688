//! The life of a match: played, taken back, branched, edited, resigned, saved, restored.

use std::sync::Arc;

use boardwright_game::Player;
use boardwright_play::{Rules, zsg};
use boardwright_referee::{
    Actor, Applied, EngineSetup, Match, MatchCommand, MatchEvent, MatchSetup, NodeId, Refusal,
    Seat, Sitter, from_save,
};
use boardwright_rules::{BoardSetup, EditStep, GameRules, GameState, NotWritable, PlayRefusal};

const OWNER: Actor<'static> = Actor::Person { is_owner: true, seats: &[0, 1] };

/// A match with its log, as a server keeps both.
struct Kept {
    game: Match,
    log: Vec<MatchEvent>,
}

impl Kept {
    fn new(game: &str) -> Kept {
        Kept::with(game, MatchSetup::default())
    }

    fn with(game: &str, setup: MatchSetup) -> Kept {
        let (game, log) = Match::begin(rules(game), setup).expect("it begins");
        Kept { game, log }
    }

    fn ask(&self, command: MatchCommand, actor: Actor<'_>, id: &str) -> Result<Applied, Refusal> {
        self.game.apply(&command, actor, id, 7, 11)
    }

    fn keep(&mut self, applied: Applied) {
        self.log.extend(applied.events.iter().cloned());
        self.game.commit(applied);
    }

    fn done(&mut self, command: MatchCommand) {
        let applied = self.ask(command.clone(), OWNER, "");
        let applied = applied.unwrap_or_else(|it| panic!("{command:?}: {it}"));
        self.keep(applied);
    }

    fn play(&mut self, moves: &[&str]) {
        for mv in moves {
            let node = self.game.current();
            self.done(MatchCommand::Play { node, text: (*mv).to_owned() });
        }
    }

    /// Folding the log gives the same match.
    fn is_restored(&self) {
        let rules = Arc::clone(self.game.rules());
        let again = Match::restore(rules, 0, &self.log).expect("the log fits");
        assert_eq!(again.tree(), self.game.tree());
        assert_eq!(again.seats(), self.game.seats());
        assert_eq!(again.chat(), self.game.chat());
        assert_eq!(again.n_events(), self.game.n_events());
        assert_eq!(again.state().text(), self.game.state().text());
        assert_eq!(again.standing(), self.game.standing());
    }
}

fn rules(game: &str) -> Arc<GameRules> {
    let path = boardwright_test_kit::root().join(format!("games/{game}/{game}.zrf"));
    let mut file = boardwright_test_kit::rule_file(&path);
    let ruleset = boardwright_test_kit::variant(game, &mut file, None);
    Arc::new(GameRules::compiled(Arc::new(Rules::new(ruleset)), file.sources().clone()))
}

fn play(node: NodeId, text: &str) -> MatchCommand {
    MatchCommand::Play { node, text: text.to_owned() }
}

fn board(state: &GameState) -> BoardSetup {
    BoardSetup {
        pieces: state.pieces().iter().map(|it| (it.site, it.player, it.kind)).collect(),
        hands: state.hands(),
        turn: state.turn_idx(),
    }
}

#[test]
fn a_command_sent_twice_is_obeyed_once() {
    let mut kept = Kept::new("chess");
    let first = kept.ask(play(0, "Pawn e2 - e4"), OWNER, "a").expect("it is legal");
    assert_eq!((first.events.len(), first.new_node()), (1, Some(1)));
    kept.keep(first);
    // Whoever is to move now: the answer to a repeated request is not "not your turn".
    let white = Actor::Person { is_owner: false, seats: &[0] };
    let again = kept.ask(play(0, "Pawn e2 - e4"), white, "a").expect("it was obeyed");
    assert!(again.events.is_empty());
    assert_eq!(kept.ask(play(0, "Pawn e2 - e3"), OWNER, "b").err(), Some(Refusal::Stale));
    assert_eq!(kept.ask(play(9, "Pawn e2 - e3"), OWNER, "b").err(), Some(Refusal::NoNode));
    let refused = kept.ask(play(1, "Pawn e2 - e4"), OWNER, "c");
    assert!(matches!(refused, Err(Refusal::Play(PlayRefusal::Illegal { .. }))), "{refused:?}");
    assert_eq!((kept.game.current(), kept.game.tree().nodes().len()), (1, 2));
    kept.is_restored();
}

#[test]
fn a_refused_or_uncommitted_command_changes_nothing() {
    let mut kept = Kept::new("chess");
    kept.play(&["Pawn e2 - e4"]);
    let before = (kept.game.tree().clone(), kept.game.n_events());
    let _ = kept.ask(play(1, "Pawn e7 - e5"), OWNER, "x").expect("it is legal");
    let _ = kept.ask(MatchCommand::Resign { seat: 0 }, OWNER, "").expect("it is allowed");
    assert!(kept.ask(play(1, "Pawn e2 - e4"), OWNER, "").is_err());
    assert_eq!(before, (kept.game.tree().clone(), kept.game.n_events()));
}

#[test]
fn everybody_may_do_what_is_theirs_and_nothing_else() {
    let kept = Kept::new("chess");
    let white = Actor::Person { is_owner: false, seats: &[0] };
    let black = Actor::Person { is_owner: false, seats: &[1] };
    let watcher = Actor::Person { is_owner: false, seats: &[] };
    let refusal = |command: MatchCommand, actor: Actor<'_>| kept.ask(command, actor, "").err();
    let say = || MatchCommand::Say { name: "Host".into(), text: "hello".into() };
    let comment = || MatchCommand::Comment { node: 0, text: "quiet".into() };
    assert_eq!(refusal(play(0, "Pawn e2 - e4"), white), None);
    assert_eq!(refusal(play(0, "Pawn e2 - e4"), black), Some(Refusal::NotYourTurn));
    assert_eq!(refusal(play(0, "Pawn e2 - e4"), watcher), Some(Refusal::NotYourTurn));
    assert_eq!(refusal(MatchCommand::Resign { seat: 1 }, black), None);
    assert_eq!(refusal(MatchCommand::Resign { seat: 0 }, black), Some(Refusal::OwnerOnly));
    assert_eq!(refusal(MatchCommand::Resign { seat: 7 }, OWNER), Some(Refusal::NotYourSeat));
    assert_eq!(refusal(say(), black), None);
    assert_eq!(refusal(say(), watcher), Some(Refusal::OwnerOnly));
    assert_eq!(refusal(comment(), black), Some(Refusal::OwnerOnly));
    assert_eq!(refusal(comment(), OWNER), None);
    assert_eq!(refusal(MatchCommand::TakeBack, black), Some(Refusal::OwnerOnly));
    assert_eq!(refusal(MatchCommand::TakeBack, OWNER), Some(Refusal::AtStart));
    let rename = |seat| MatchCommand::Rename { seat, name: "Ann".into() };
    assert_eq!(refusal(rename(1), black), None);
    assert_eq!(refusal(rename(0), black), Some(Refusal::OwnerOnly));
}

#[test]
fn the_owner_cannot_resign_for_a_guest() {
    let kept = Kept::new("chess");
    let host = Actor::Person { is_owner: true, seats: &[0] };
    let refusal = |seat| kept.ask(MatchCommand::Resign { seat }, host, "").err();
    assert_eq!((refusal(0), refusal(1)), (None, Some(Refusal::NotYourSeat)));
}

#[test]
fn branches_are_kept_and_states_found_again() {
    let mut kept = Kept::new("chess");
    kept.play(&["Pawn e2 - e4", "Pawn e7 - e5", "Knight g1 - f3"]);
    let there = kept.game.state().text();
    kept.done(MatchCommand::GoTo { node: 1 });
    kept.play(&["Pawn c7 - c5"]);
    assert_eq!(kept.game.tree().nodes().len(), 5);
    assert_eq!(kept.game.state_at(3).map(|it| it.text()), Some(there));
    // A move of the record is followed, not added again.
    kept.done(MatchCommand::GoTo { node: 1 });
    kept.play(&["Pawn e7 - e5"]);
    assert_eq!((kept.game.current(), kept.game.tree().nodes().len()), (2, 5));
    assert_eq!(kept.game.tree().before(|it| it == Player(0)), Ok(0));
    assert_eq!(kept.game.tree().before(|it| it == Player(1)), Ok(1));
    kept.is_restored();
}

#[test]
fn long_records_give_back_every_state() {
    let mut kept = Kept::new("chess");
    let moves = ["Knight g1 - f3", "Knight g8 - f6", "Knight f3 - g1", "Knight f6 - g8"];
    let pawns = ["Pawn a2 - a3", "Pawn a7 - a6", "Pawn b2 - b3", "Pawn b7 - b6"];
    let mut states = vec![kept.game.state().text()];
    for mv in moves.iter().chain(&pawns).chain(&moves).chain(["Pawn c2 - c3"].iter()) {
        kept.play(&[mv]);
        states.push(kept.game.state().text());
    }
    for (id, state) in states.iter().enumerate() {
        let found = kept.game.state_at(id as NodeId).map(|it| it.text());
        assert_eq!(found.as_ref(), Some(state), "{id}");
    }
    kept.is_restored();
}

#[test]
fn resigning_belongs_to_its_node() {
    let mut kept = Kept::new("chess");
    kept.play(&["Pawn e2 - e4"]);
    kept.done(MatchCommand::Resign { seat: 1 });
    let outcome = kept.game.legal().expect("a sound game").outcome.clone().expect("it is over");
    assert_eq!((outcome.winners, outcome.losers), (vec![Player(0)], vec![Player(1)]));
    assert_eq!(outcome.text, "White wins");
    let over = |it: Result<Applied, Refusal>| it.is_err_and(|it| it.is_over());
    assert!(over(kept.ask(MatchCommand::Resign { seat: 0 }, OWNER, "")));
    assert!(over(kept.ask(play(1, "Pawn e7 - e5"), OWNER, "")));
    kept.is_restored();
    kept.done(MatchCommand::GoTo { node: 0 });
    assert_eq!(kept.game.tree().resigned(0), None);
    assert_eq!(kept.game.legal().expect("a sound game").len(), 20);
    kept.done(MatchCommand::GoTo { node: 1 });
    assert!(kept.game.legal().expect("a sound game").outcome.is_some());
    kept.is_restored();
}

#[test]
fn edits_are_texts_and_back() {
    let mut kept = Kept::new("shogi");
    let start = kept.game.state().clone();
    let mut setup = board(&start);
    let (_, _, kind) = setup.pieces.remove(0);
    setup.hands = vec![(Player(1), kind, 2)];
    setup.turn = 1;
    let step = start.edit_to(&setup).expect("a rule file");
    let ruleset = kept.game.rules().ruleset();
    let text = step.to_text(ruleset);
    assert_eq!(EditStep::from_text(ruleset, &text), Ok(step));
    assert!(EditStep::from_text(ruleset, "(Nobody Wolf a1)").is_err());
    kept.done(MatchCommand::Edit { node: 0, setup });
    assert_eq!(kept.game.state().mover(), Some(Player(1)));
    assert_eq!(kept.game.state().hands(), [(Player(1), kind, 2)]);
    // Save files have no words for hands and turns.
    assert_eq!(kept.game.save().err(), Some(NotWritable::Arranged));
    assert!(start.edit_to(&board(&start)).expect("a rule file").is_nothing());
    kept.is_restored();
}

#[test]
fn a_changed_setup_is_the_first_event() {
    let start = rules("chess").start(0).expect("it begins");
    let mut setup = board(&start);
    setup.pieces.pop();
    let step = start.edit_to(&setup).expect("a rule file");
    let kept = Kept::with("chess", MatchSetup { setup: Some(step), ..MatchSetup::default() });
    assert_eq!(kept.game.state().pieces().len(), 31);
    assert_eq!(kept.game.tree().nodes().len(), 1);
    kept.is_restored();
}

#[test]
fn a_save_is_written_read_and_written_the_same() {
    let mut kept = Kept::new("chess");
    kept.play(&["Pawn e2 - e4"]);
    let mut setup = board(kept.game.state());
    setup.pieces.pop();
    kept.done(MatchCommand::Edit { node: 1, setup });
    kept.play(&["Pawn e7 - e5"]);
    let file = kept.game.save().expect("it is writable");
    let text = String::from_utf8_lossy(&file.bytes).into_owned();
    assert!(text.contains("Version 0.02 HH\r\n"), "{text}");
    let read = zsg::SaveFile::read(&file.bytes);
    let opened = from_save(&read, Arc::clone(kept.game.rules()), MatchSetup::default());
    let (again, log, stop) = opened.expect("it opens");
    assert_eq!(stop, None);
    assert_eq!(again.state().text(), kept.game.state().text());
    assert_eq!(again.save().expect("it is writable"), file);
    Kept { game: again, log }.is_restored();
}

#[test]
fn rounds_count_moves_and_not_plies() {
    let mut kept = Kept::new("chess");
    kept.play(&["Pawn e2 - e4", "Pawn e7 - e5", "Knight g1 - f3"]);
    let rounds: Vec<u32> = kept.game.tree().nodes().iter().map(|it| it.round).collect();
    assert_eq!(rounds, [0, 1, 1, 2]);
}

#[test]
fn a_throw_belongs_to_whom_it_was_thrown_for() {
    let mut kept = Kept::new("royal-ur");
    for expected in [1, 1, 1] {
        let applied = match kept.game.state().is_chance() {
            true => kept.ask(MatchCommand::Draw, Actor::Chance, ""),
            false => {
                let legal = kept.game.legal().expect("a sound game");
                let text = kept.game.state().move_text(&legal, 0).expect("there is one");
                kept.ask(play(kept.game.current(), &text), OWNER, "")
            }
        };
        kept.keep(applied.expect("it is legal"));
        let node = kept.game.tree().node(kept.game.current()).expect("it was made");
        assert_eq!(node.round, expected, "{node:?}");
    }
    let thrown = kept.game.tree().node(1).expect("it was made");
    assert_eq!(thrown.owner, Some(Player(0)));
    assert!(thrown.player != thrown.owner && thrown.is_chance());
    // The same chance draws the same throw.
    let draw = |it: &Kept| it.ask(MatchCommand::Draw, Actor::Chance, "").map(|it| it.events);
    if kept.game.state().is_chance() {
        assert_eq!(draw(&kept), draw(&kept));
    }
    kept.is_restored();
}

#[test]
fn seats_chat_comments_and_scores_are_part_of_the_log() {
    let engine = EngineSetup { level: 99, seconds: f64::NAN, depth: Some(0), variety: 77 };
    let seats = vec![Seat::new(Sitter::Engine(engine), "", String::new()), Seat::person()];
    let mut kept = Kept::with("chess", MatchSetup { seats, ..MatchSetup::default() });
    let Some(Sitter::Engine(it)) = kept.game.seats().first().map(|it| &it.sitter) else {
        panic!("the engine sits there")
    };
    assert_eq!((it.level, it.seconds, it.depth, it.variety), (10, 1.0, Some(1), 10));
    kept.done(MatchCommand::Rename { seat: 1, name: "Ann\u{7}".into() });
    assert_eq!(kept.game.seat_name(1), "Ann");
    assert_eq!(kept.game.seat_name(0), "Engine, level 10");
    kept.done(MatchCommand::Say { name: "Host".into(), text: "good luck".into() });
    kept.done(MatchCommand::Comment { node: 0, text: "the start".into() });
    let scored = MatchCommand::Score { node: 0, score: Some(35) };
    let scored = kept.ask(scored, Actor::Engine, "").expect("it is there");
    kept.keep(scored);
    let give = MatchCommand::GiveSeat {
        seat: 0,
        sitter: Sitter::Guest,
        name: String::new(),
        key: "first".into(),
    };
    kept.done(give.clone());
    // A guest who was invited already keeps the link.
    let MatchCommand::GiveSeat { seat, sitter, name, .. } = give else { unreachable!() };
    kept.done(MatchCommand::GiveSeat { seat, sitter, name, key: "second".into() });
    assert_eq!(kept.game.seats().first().map(|it| it.key.as_str()), Some("first"));
    assert_eq!(kept.game.tree().node(0).and_then(|it| it.score), Some(35));
    let numbers: Vec<u64> = kept.log.iter().map(|it| it.seq).collect();
    assert_eq!(numbers, (0..numbers.len() as u64).collect::<Vec<_>>());
    kept.is_restored();
}

#[test]
fn a_log_that_does_not_fit_says_which_event() {
    let mut kept = Kept::new("chess");
    kept.play(&["Pawn e2 - e4", "Pawn e7 - e5"]);
    kept.log.remove(1);
    let error = Match::restore(Arc::clone(kept.game.rules()), 0, &kept.log);
    assert_eq!(error.expect_err("a move is missing").seq, 2);
}
