//! How a game ended, in words and by player.

use boardwright_game::{Player, Site};
use boardwright_play::{Outcome, Reason, State};
use boardwright_preset::{Game, PresetOutcome};

use crate::game_rules::GameRules;

/// How a game ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameOutcome {
    /// The players with a seat who won.
    pub winners: Vec<Player>,
    /// The players with a seat who lost.
    pub losers: Vec<Player>,
    /// The result in a few words: `White wins`.
    pub text: String,
    /// What ended the game, in a sentence.
    pub why: String,
    /// The rule that ended it as the rule file has it, with its line number.
    pub rule: Option<(String, u32)>,
    /// The sites that the rule is about.
    pub sites: Vec<Site>,
}

impl GameOutcome {
    /// Whether nobody won.
    pub fn is_draw(&self) -> bool {
        self.winners.is_empty() && self.losers.is_empty()
    }

    /// The outcome of a game that a player resigned.
    pub fn resignation(rules: &GameRules, player: Player) -> GameOutcome {
        let name = rules.player_name(player);
        let others: Vec<Player> =
            rules.sides().iter().copied().filter(|&it| it != player).collect();
        let text = match others[..] {
            [one] => format!("{} wins", rules.player_name(one)),
            _ => format!("{name} resigned"),
        };
        GameOutcome {
            winners: others,
            losers: vec![player],
            text,
            why: format!("{name} resigned"),
            rule: None,
            sites: Vec::new(),
        }
    }

    pub(crate) fn of_state(rules: &GameRules, state: &State, outcome: &Outcome) -> GameOutcome {
        let why = state.why(outcome);
        let rule = match outcome.reason {
            Reason::Condition { span, .. } => rules.rule_at(span),
            Reason::Stalemate | Reason::Repetition => None,
        };
        let of = |test: &dyn Fn(Player) -> bool| {
            rules.seats().iter().copied().filter(|&it| test(it)).collect()
        };
        GameOutcome {
            winners: of(&|it| outcome.is_won_by(it)),
            losers: of(&|it| outcome.is_lost_by(it)),
            text: outcome.words(rules.ruleset()),
            why: why.text,
            rule,
            sites: why.sites,
        }
    }

    pub(crate) fn of_preset(
        rules: &GameRules,
        game: &Game,
        messages: &[String],
        is_problem: bool,
    ) -> Option<GameOutcome> {
        let (winners, text) = match game.outcome() {
            PresetOutcome::Undecided => return None,
            PresetOutcome::Draw => (Vec::new(), "Draw".to_owned()),
            PresetOutcome::Win(it) => {
                let player = Player(it as u8);
                (vec![player], format!("{} wins", rules.player_name(player)))
            }
        };
        let is_solved = is_problem && winners.iter().any(|it| rules.seats().contains(it));
        let losers = match winners.is_empty() {
            true => Vec::new(),
            false => rules.sides().iter().copied().filter(|it| !winners.contains(it)).collect(),
        };
        let why = messages.join(" ");
        let why = if why.is_empty() { "The preset's code ended the game.".to_owned() } else { why };
        Some(GameOutcome {
            winners,
            losers,
            text: if is_solved { "Solved".to_owned() } else { text },
            why,
            rule: None,
            sites: Vec::new(),
        })
    }
}
