//! An opponent for presets whose code tells the legal moves.
//!
//! It knows nothing of any game. What pieces are worth is measured by how far they
//! move in games played at random; the rest is looking ahead. GAME Code runs some
//! thousand turns a second, so it looks ahead a few turns, not more.
//!
//! The same game, seed and node limit give the same turn on every machine. Time comes
//! from outside: whoever calls says when to stop.

use std::collections::{BTreeMap, HashMap};

use boardwright_gamecode::{CodeStop, Machine, Space};

use crate::game::{Game, Outcome};

/// A score in hundredths of the cheapest piece, for the player who is to move.
pub type Score = i32;

/// A win, less the turns it takes.
pub const WON: Score = 100_000;
/// Scores beyond this are proven.
pub const PROVEN: Score = WON - 1000;

/// What pieces are worth, by label in lower case.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Values(BTreeMap<String, Score>);

/// How to look ahead.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Turns to look ahead at most.
    pub depth: u32,
    /// Turns to try at most.
    pub nodes: u64,
    /// How much the turn may be worse than the best, in hundredths: for weaker play.
    pub spread: Score,
    /// What chance grows from.
    pub seed: u64,
}

/// What was found.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Found {
    /// The turns expected, the one to play first; empty if there is none.
    pub line: Vec<String>,
    /// For the player to move.
    pub score: Score,
    /// Turns looked ahead.
    pub depth: u32,
    /// Turns tried.
    pub nodes: u64,
}

impl Found {
    /// In how many turns the player to move wins, if that is proven.
    pub fn wins_in(&self) -> Option<u32> {
        (self.score > PROVEN).then(|| (WON - self.score) as u32)
    }

    /// In how many turns the player to move loses, if that is proven.
    pub fn loses_in(&self) -> Option<u32> {
        (self.score < -PROVEN).then(|| (WON + self.score) as u32)
    }
}

/// Chance for the search: xorshift, which is enough to vary play.
struct Chance(u64);

impl Chance {
    fn new(seed: u64) -> Chance {
        Chance(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % n.max(1)
    }
}

/// Games played at random to measure pieces, and how long they are.
const SAMPLES: u64 = 6;
const SAMPLE_TURNS: usize = 40;

impl Values {
    /// Measures the pieces of a preset: how many moves each has, half by what is usual
    /// and half by the most that was seen, since boards are full when games begin.
    pub fn measure(start: &Game, stop: &mut dyn FnMut() -> bool) -> Values {
        let mut counts: HashMap<String, Seen> = HashMap::new();
        for sample in 0..SAMPLES {
            let mut chance = Chance::new(sample + 1);
            let mut game = start.clone();
            for _ in 0..SAMPLE_TURNS {
                if stop() {
                    break;
                }
                count(&game, &mut counts);
                let Some(texts) = game.told_moves() else { break };
                let first = chance.below(texts.len());
                let order = texts.iter().cycle().skip(first).take(texts.len().min(8));
                let mut tries = order.map(|it| played(&game, it));
                let Some(next) = tries.find_map(|it| it.into_iter().next()) else { break };
                game = next;
                if game.outcome() != Outcome::Undecided {
                    break;
                }
            }
        }
        let worth = |it: Seen| (100 + 50 * it.sum / it.states.max(1) + 50 * it.most) as Score;
        Values(counts.into_iter().map(|(label, it)| (label, worth(it))).collect())
    }

    /// What a label is worth.
    pub fn of(&self, label: &str) -> Score {
        self.0.get(&label.to_lowercase()).copied().unwrap_or(300)
    }

    /// What stands on all sites, for the first player.
    fn material(&self, game: &Game) -> Score {
        let sites = game.machine().board().all();
        sites.filter_map(|it| game.standing(it)).map(|it| self.signed(it)).sum()
    }

    fn signed(&self, label: &str) -> Score {
        if Machine::is_lower(label) { -self.of(label) } else { self.of(label) }
    }
}

/// What was seen of the pieces of one label.
#[derive(Default)]
struct Seen {
    /// States they were seen in.
    states: u64,
    /// Moves of the one that had the most, summed over the states.
    sum: u64,
    /// The most moves that one had in any state.
    most: u64,
}

/// Counts the moves of the pieces of the player to move, by label.
fn count(game: &Game, counts: &mut HashMap<String, Seen>) {
    let machine = game.machine();
    let is_second = game.mover() == 1;
    let mut moves: HashMap<Space, u64> = HashMap::new();
    for &(from, _) in machine.legal() {
        *moves.entry(from).or_default() += 1;
    }
    let mut most: HashMap<String, u64> = HashMap::new();
    for site in machine.board().all() {
        // Drops go everywhere and say nothing of a piece.
        let is_hidden = machine.board().info(site).is_some_and(|it| it.is_hidden);
        let is_own = |it: &&str| Machine::is_lower(it) == is_second && !is_hidden;
        if let Some(label) = machine.piece(site).filter(is_own) {
            let it = most.entry(label.to_lowercase()).or_default();
            *it = (*it).max(moves.get(&site).copied().unwrap_or(0));
        }
    }
    for (label, n) in most {
        let seen = counts.entry(label).or_default();
        seen.states += 1;
        seen.sum += n;
        seen.most = seen.most.max(n);
    }
}

/// The games after a turn, one for each answer to its questions.
fn played(game: &Game, text: &str) -> Vec<Game> {
    let mut games = Vec::new();
    let mut texts = vec![(text.to_owned(), 0)];
    while let Some((text, depth)) = texts.pop() {
        let mut next = game.clone();
        match next.play(&text) {
            Ok(()) => games.push(next),
            Err(CodeStop::Ask(question)) if depth < 4 => {
                texts.extend(question.choices.into_iter().rev().map(|it| (it.1, depth + 1)));
            }
            Err(_) => {}
        }
    }
    games
}

/// A search in progress.
struct Search<'s> {
    values: &'s Values,
    limits: Limits,
    nodes: u64,
    stop: &'s mut dyn FnMut() -> bool,
    is_stopped: bool,
}

/// A turn at the root, with the game after it.
struct Root {
    game: Game,
    score: Score,
    line: Vec<String>,
}

/// Looks for the best turn; `news` hears of each finished depth. Nothing is found if
/// the code tells no moves or the game is over.
pub fn think(
    game: &Game,
    values: &Values,
    limits: Limits,
    stop: &mut dyn FnMut() -> bool,
    news: &mut dyn FnMut(&Found),
) -> Found {
    let mut found = Found::default();
    if game.outcome() != Outcome::Undecided {
        return found;
    }
    let Some(texts) = game.told_moves() else { return found };
    let mut search = Search { values, limits, nodes: 0, stop, is_stopped: false };
    let mut roots: Vec<Root> = Vec::new();
    for text in texts {
        for next in played(game, &text) {
            search.count();
            let line = vec![last_text(&next)];
            let score = search.standing(&next, game.mover(), 1);
            roots.push(Root { game: next, score, line });
        }
        // The first turns are all tried, so that one is always found.
        if search.is_stopped && !roots.is_empty() {
            break;
        }
    }
    sort(&mut roots);
    found.note(&roots, 1, search.nodes);
    news(&found);
    for depth in 2..=limits.depth {
        if roots.len() < 2 || search.is_stopped || found.score.abs() > PROVEN {
            break;
        }
        if !search.deepen(&mut roots, depth) {
            break;
        }
        found.note(&roots, depth, search.nodes);
        news(&found);
    }
    found.nodes = search.nodes;
    choose(&roots, limits, &mut found);
    found
}

/// Among turns that are nearly as good as the best, one by chance.
fn choose(roots: &[Root], limits: Limits, found: &mut Found) {
    let Some(best) = roots.first() else { return };
    let good = roots.iter().take_while(|it| best.score - it.score <= limits.spread);
    let good: Vec<&Root> = good.filter(|it| best.score < PROVEN || it.score > PROVEN).collect();
    let pick = Chance::new(limits.seed ^ 0x5EED).below(good.len().max(1));
    if let Some(root) = good.get(pick) {
        found.line = root.line.clone();
        found.score = root.score;
    }
}

impl Found {
    fn note(&mut self, roots: &[Root], depth: u32, nodes: u64) {
        if let Some(best) = roots.first() {
            self.line = best.line.clone();
            self.score = best.score;
        }
        self.depth = depth;
        self.nodes = nodes;
    }
}

fn sort(roots: &mut [Root]) {
    roots.sort_by_key(|it| -it.score);
}

fn last_text(game: &Game) -> String {
    game.turns().last().map_or(String::new(), |it| it.text.clone())
}

impl Search<'_> {
    fn count(&mut self) {
        self.nodes += 1;
        self.is_stopped |= self.nodes >= self.limits.nodes || (self.stop)();
    }

    /// Searches all roots one turn deeper; false if there was no time to.
    fn deepen(&mut self, roots: &mut [Root], depth: u32) -> bool {
        let mut best = -WON;
        let spread = self.limits.spread;
        for at in 0..roots.len() {
            let Some(root) = roots.get_mut(at) else { break };
            let mut line = Vec::new();
            // What is nearly as good must be known as well, to choose from.
            let alpha = (best - spread - 1).max(-WON);
            let score = -self.best(&root.game.clone(), depth - 1, -WON, -alpha, 1, &mut line);
            if self.is_stopped {
                // What was found before stands; the first of this depth may be better known.
                let tried = roots.get_mut(..at).unwrap_or_default();
                sort(tried);
                return false;
            }
            root.score = score;
            root.line.truncate(1);
            root.line.append(&mut line);
            best = best.max(score);
        }
        sort(roots);
        true
    }

    /// How a state stands for a player, without looking ahead.
    fn standing(&self, game: &Game, player: usize, ply: Score) -> Score {
        match game.outcome() {
            Outcome::Win(winner) if winner == player => WON - ply,
            Outcome::Win(_) => ply - WON,
            Outcome::Draw => 0,
            Outcome::Undecided => {
                let material = self.values.material(game);
                // Who can do more stands a little better.
                let freedom = game.machine().legal().len().min(200) as Score;
                let freedom = if game.mover() == player { freedom } else { -freedom };
                (if player == 0 { material } else { -material }) + freedom
            }
        }
    }

    /// The score for the player to move, within a window.
    fn best(
        &mut self,
        game: &Game,
        depth: u32,
        mut alpha: Score,
        beta: Score,
        ply: Score,
        line: &mut Vec<String>,
    ) -> Score {
        let mover = game.mover();
        let standing = self.standing(game, mover, ply);
        if game.outcome() != Outcome::Undecided || self.is_stopped {
            return standing;
        }
        let is_quiet = depth == 0;
        if is_quiet {
            if standing >= beta || ply > 12 {
                return standing;
            }
            alpha = alpha.max(standing);
        }
        let mut best = if is_quiet { standing } else { -WON };
        for (gain, text) in self.ordered(game, mover) {
            if is_quiet && (gain <= 0 || standing + gain + 150 < alpha) {
                break;
            }
            for next in played(game, &text) {
                self.count();
                let mut rest = Vec::new();
                let below = depth.saturating_sub(1);
                let score = -self.best(&next, below, -beta, -alpha, ply + 1, &mut rest);
                if self.is_stopped {
                    return best.max(alpha);
                }
                if score > best {
                    best = score;
                    line.clear();
                    line.push(last_text(&next));
                    line.append(&mut rest);
                }
                alpha = alpha.max(score);
                if alpha >= beta {
                    return best;
                }
            }
        }
        // Moves that were told and are all refused: the code must say what that means.
        if best == -WON { standing } else { best }
    }

    /// Turns with what they take, the dearest first.
    fn ordered(&self, game: &Game, mover: usize) -> Vec<(Score, String)> {
        let machine = game.machine();
        let board = machine.board();
        let texts = game.told_moves().unwrap_or_default();
        let mut takes: HashMap<&str, Space> = HashMap::new();
        for &(_, to) in machine.legal() {
            takes.insert(board.name(to), to);
        }
        let gain = |text: &str| {
            let to = text.rsplit(['-', '*']).next().and_then(|it| takes.get(it));
            let prey = to.and_then(|&it| machine.piece(it));
            let prey = prey.filter(|it| Machine::is_lower(it) == (mover == 0));
            let hunter = text.split(' ').next().unwrap_or("");
            prey.map_or(0, |it| self.values.of(it) * 10 - self.values.of(hunter)).max(0) / 10
        };
        let mut all: Vec<(Score, String)> = texts.into_iter().map(|it| (gain(&it), it)).collect();
        all.sort_by_key(|it| -it.0);
        all
    }
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "a test reads the presets of the library")]
mod tests {
    use std::sync::Arc;

    use boardwright_gamecode::CodeLimits;

    use super::*;
    use crate::{Bundle, Preset};

    fn chess(code: &str) -> Game {
        struct Files;
        impl crate::Folder for Files {
            fn file(&mut self, name: &str) -> Option<String> {
                std::fs::read_to_string(path(&format!("chess/{name}"))).ok()
            }
            fn include(&mut self, name: &str) -> Option<String> {
                std::fs::read_to_string(path(&format!("include/{name}.gc"))).ok()
            }
        }
        fn path(name: &str) -> String {
            format!("{}/../../presets/{name}", env!("CARGO_MANIFEST_DIR"))
        }
        let problem = crate::Problem {
            code: code.to_owned(),
            setup: "clearflags; gosub begin 1;".to_owned(),
            ..crate::Problem::default()
        };
        let (bundle, _) = Bundle::open(&mut Files);
        let preset = match code {
            "" => Preset::new(bundle, &CodeLimits::default()),
            _ => problem.preset(&bundle, &CodeLimits::default()),
        };
        Game::start(Arc::new(preset.expect("it is a preset")), 1).expect("it begins")
    }

    const LIMITS: Limits = Limits { depth: 3, nodes: 4000, spread: 0, seed: 1 };

    fn found(game: &Game, limits: Limits) -> Found {
        let values = Values::measure(&chess(""), &mut || false);
        think(game, &values, limits, &mut || false, &mut |_| {})
    }

    #[test]
    fn pieces_that_move_farther_are_worth_more() {
        let values = Values::measure(&chess(""), &mut || false);
        assert!(values.of("Q") > values.of("P"), "{values:?}");
        assert!(values.of("R") > values.of("P"), "{values:?}");
        assert_eq!(values.of("n"), values.of("N"));
    }

    #[test]
    fn mates_are_found_and_pieces_taken() {
        let mate = found(&chess("7k/8/8/8/8/8/R7/1R5K"), LIMITS);
        assert_eq!(mate.wins_in(), Some(3), "{mate:?}");
        let take = found(&chess("7k/8/8/3q4/8/8/3R4/K7"), LIMITS);
        assert_eq!(take.line.first().map(String::as_str), Some("R d2-d5"), "{take:?}");
    }

    #[test]
    fn the_same_limits_give_the_same_turn_and_are_kept() {
        let game = chess("");
        let limits = Limits { depth: 9, nodes: 300, spread: 60, seed: 7 };
        let (one, two) = (found(&game, limits), found(&game, limits));
        assert_eq!(one, two);
        assert!(one.nodes <= 320, "{one:?}");
        assert!(!one.line.is_empty());
        // A search that may do nothing still finds a turn.
        let least = found(&game, Limits { nodes: 0, ..limits });
        assert!(!least.line.is_empty());
    }
}
