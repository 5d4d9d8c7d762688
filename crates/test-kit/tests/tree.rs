//! The tree that searches walk agrees with the plain machine, in both its forms.

use boardwright_fast::{Fast, GameTree, TreeMove};
use boardwright_play::{Move, MoveList, SplitMix64, State};
use boardwright_test_kit::{all_variants, playable_files, random_move, rule_file, setting};

/// The move of a choice.
fn compiled(tree: &mut GameTree<'_>, choice: &TreeMove) -> Move {
    tree.move_of(choice).as_compiled().expect("compiled rules").clone()
}

/// What stands where, as a list that can be compared.
fn pieces(tree: &GameTree<'_>) -> Vec<(u16, u8, u16)> {
    let mut list = Vec::new();
    tree.each_piece(|site, owner, kind| list.push((site.0, owner.0, kind.0)));
    list.sort_unstable();
    list
}

fn texts<'a>(state: &State, moves: impl Iterator<Item = &'a Move>) -> Vec<String> {
    let mut texts: Vec<_> = moves.map(|it| state.move_text(it)).collect();
    texts.sort_unstable();
    texts
}

/// Every move of a state, played and taken back in the tree, beside the plain machine.
fn compare(title: &str, tree: &mut GameTree<'_>, state: &State, list: &MoveList, tries: usize) {
    let mut choices = Vec::new();
    let ending = tree.moves(&mut choices);
    let outcome = state.outcome().unwrap_or(None);
    assert_eq!(ending.is_some(), list.is_empty(), "{title}");
    if let Some(outcome) = outcome {
        assert_eq!(ending, Some(outcome.ending), "{title}");
    }
    let moves: Vec<Move> = choices.iter().map(|it| compiled(tree, it)).collect();
    assert_eq!(texts(state, moves.iter()), texts(state, list.iter()), "{title}");
    assert_eq!(state.mover(), Some(tree.mover()), "{title}");
    let (hash, before) = (tree.hash(), pieces(tree));
    if ending.is_none() && !tree.is_chance() {
        let mut loud = Vec::new();
        let tally = tree.loud_moves(&[], &mut loud).expect("there are moves");
        let n_moves = choices.iter().filter(|it| !it.is_drop && !it.is_pass()).count();
        assert_eq!(tally.n_moves as usize, n_moves, "{title}");
        let keys =
            |it: &mut dyn Iterator<Item = &TreeMove>| it.map(|it| it.key).collect::<Vec<_>>();
        let wanted = keys(&mut choices.iter().filter(|it| it.is_loud()));
        assert_eq!(keys(&mut loud.iter()), wanted, "{title}");
        // What was listed last is played below.
        tree.moves(&mut choices);
    }
    for (choice, mv) in choices.iter().zip(&moves).take(tries) {
        let mut next = state.clone();
        if next.play_unchecked(mv).is_err() {
            continue;
        }
        tree.play(choice);
        assert_eq!(tree.decided(), next.decided().map(|it| it.ending), "{title}");
        assert_eq!(tree.is_going_on(), next.going_on().is_some(), "{title}");
        let mut after = before.clone();
        tree.each_change(|site, old, new| {
            if let Some((owner, kind)) = old {
                let at = after.iter().position(|&it| it == (site.0, owner.0, kind.0));
                after.remove(at.expect("what changed stood there"));
            }
            after.extend(new.map(|(owner, kind)| (site.0, owner.0, kind.0)));
        });
        after.sort_unstable();
        assert_eq!(after, pieces(tree), "{title}: {}", state.move_text(mv));
        let plain: Vec<_> =
            next.placement().pieces().map(|(at, it)| (at.0, it.owner.0, it.kind.0)).collect();
        assert_eq!(plain, after, "{title}: {}", state.move_text(mv));
        tree.undo();
        assert_eq!((tree.hash(), pieces(tree)), (hash, before.clone()), "{title}");
    }
}

#[test]
fn a_tree_has_the_moves_of_its_state() {
    let n_games = setting("TREE_GAMES", 2);
    let only = std::env::var("TREE_ONLY").unwrap_or_default();
    for path in playable_files() {
        let name = path.display().to_string();
        if !name.contains(&only) {
            continue;
        }
        for ruleset in all_variants(&name, &mut rule_file(&path)) {
            let start = State::start(ruleset);
            let fast = Fast::new(start.rules()).ok();
            let title = format!("{name} {}", start.ruleset().title);
            for seed in 0..n_games {
                let mut rng = SplitMix64::new(seed);
                let mut state = start.clone();
                let mut list = MoveList::new();
                for ply in 0..24 {
                    if state.generate(&mut list).is_err() {
                        break;
                    }
                    // The history before the tree begins counts for repetition as well.
                    compare(&title, &mut GameTree::new(fast.as_ref(), &state), &state, &list, 8);
                    if ply % 6 == 0 {
                        compare(&title, &mut GameTree::new(None, &state), &state, &list, 4);
                    }
                    let Some(mv) = random_move(&list, &mut rng) else { break };
                    if state.play_unchecked(mv).is_err() {
                        break;
                    }
                }
            }
        }
    }
}

#[test]
fn an_exchange_is_counted_to_its_end() {
    let path = boardwright_test_kit::root().join("games/chess/chess.zrf");
    let ruleset = boardwright_test_kit::variant("chess", &mut rule_file(&path), None);
    let rules = std::sync::Arc::clone(State::start(ruleset).rules());
    let worth: Vec<i32> = (0..rules.ruleset.pieces.len() as u16)
        .map(|kind| match rules.ruleset.piece_name(boardwright_game::PieceKind(kind)) {
            "Pawn" => 100,
            "Rook" => 500,
            "Queen" => 900,
            _ => 5000,
        })
        .collect();
    let cases = [
        // Nobody takes back.
        ("(Pawn d6)", "Rook d3 x d6", 100),
        // A rook for two pawns: the queen behind it takes back.
        ("(Pawn d6 e7)", "Rook d3 x d6", -300),
        // The other side has one more, so the queen stays behind.
        ("(Pawn d6 e7 c7)", "Rook d3 x d6", -400),
        // A quiet move into a pawn's reach.
        ("(Pawn d6)", "Rook d3 - e3", 0),
        ("(Pawn d6)", "Rook d3 - d5", 0),
        ("(Pawn c6)", "Rook d3 - d5", -400),
    ];
    for (black, text, wanted) in cases {
        let setup = format!(
            "on White (King (never-moved? false) a1) (Queen d1) (Rook (never-moved? false) d3); \
             on Black (King (never-moved? false) h8) {black}; turn 0 White; move 30"
        );
        let state = State::from_text(std::sync::Arc::clone(&rules), &setup).expect("it reads");
        let fast = Fast::new(&rules).expect("chess has a fast form");
        let mut tree = GameTree::new(Some(&fast), &state);
        let mut choices = Vec::new();
        tree.moves(&mut choices);
        let mut is_it =
            |it: &&TreeMove| state.move_text(&compiled(&mut tree, it)).starts_with(text);
        let choice = *choices.iter().find(&mut is_it).unwrap_or_else(|| panic!("no {text}"));
        assert_eq!(tree.exchange(&choice, &worth), Some(wanted), "{black} {text}");
    }
}

#[test]
fn a_repetition_with_what_came_before_is_seen() {
    let path = boardwright_test_kit::root().join("games/chess/chess.zrf");
    let mut file = rule_file(&path);
    let ruleset = boardwright_test_kit::variant("chess", &mut file, None);
    let mut state = State::start(ruleset);
    let shuffle = ["Knight g1 - f3", "Knight g8 - f6", "Knight f3 - g1", "Knight f6 - g8"];
    for text in shuffle.iter().chain(&shuffle[..3]) {
        let mv = state.find_move(text).expect("no halt").expect("it is legal");
        state.play(&mv).expect("it is legal");
    }
    let fast = Fast::new(state.rules()).ok();
    for fast in [fast.as_ref(), None] {
        let mut tree = GameTree::new(fast, &state);
        assert_eq!(tree.n_repeats(), 1);
        let mut choices = Vec::new();
        tree.moves(&mut choices);
        let mut is_back = |it: &&TreeMove| state.move_text(&compiled(&mut tree, it)) == shuffle[3];
        let back = *choices.iter().find(&mut is_back).expect("the knight can go home");
        tree.play(&back);
        assert_eq!(tree.n_repeats(), 2);
        assert!(tree.decided().is_some(), "the third time is a draw");
        tree.undo();
        assert!(tree.decided().is_none());
    }
}
