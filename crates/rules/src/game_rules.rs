//! The rules of one game, ready to be played, in either language.

use std::sync::Arc;

use boardwright_game::{Player, Ruleset, Site};
use boardwright_gamecode::{CodeStop, ForsytheCell, forsythe};
use boardwright_play::{Halt, Rules, State};
use boardwright_preset::{Game, Preset, Problem};
use boardwright_text::{Diagnostic, Encoding, FileId, Sources, Span, render};

use crate::{
    game_state::{GameState, PlacedPiece},
    labels::LabelMap,
    outline,
    refusal::PlayRefusal,
};

/// Characters of a rule that are shown.
const MAX_RULE: usize = 160;

/// The rules of one game, in either language; immutable, shared by its states.
#[derive(Debug)]
pub struct GameRules {
    pub(crate) language: Language,
    seats: Vec<Player>,
    /// Everybody who wins when another loses.
    sides: Vec<Player>,
}

/// What differs between the languages.
#[derive(Debug)]
pub(crate) enum Language {
    /// A variant of a rule file, with the text that its spans point into.
    Compiled { rules: Arc<Rules>, sources: Sources },
    /// A preset, which runs GAME Code.
    Scripted(Box<Script>),
}

#[derive(Debug)]
pub(crate) struct Script {
    pub preset: Arc<Preset>,
    pub problem: Option<Problem>,
    pub labels: LabelMap,
    pub n_named_kinds: usize,
    pub outline: Ruleset,
    /// The game at its start, with some seed.
    pub start: Game,
}

/// A preset behind [`GameRules`], for those who show what only presets have.
#[derive(Clone, Copy, Debug)]
pub struct PresetRules<'r> {
    /// The preset.
    pub preset: &'r Arc<Preset>,
    /// The problem to be solved, if it is one.
    pub problem: Option<&'r Problem>,
    /// Players and kinds of its labels.
    pub labels: &'r LabelMap,
    /// The number of kinds that the settings or the setup name; the others are letters.
    pub n_named_kinds: usize,
    /// The game at its start.
    pub start: &'r Game,
}

/// Why a game cannot begin.
#[derive(Clone, Debug)]
pub struct StartError {
    /// What the code says.
    pub message: String,
    /// The same as a message about the code, where it points into it.
    pub diagnostic: Option<Box<Diagnostic>>,
}

impl std::fmt::Display for StartError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "the game cannot begin: {}", self.message)
    }
}

impl std::error::Error for StartError {}

/// Compiled rules whose text is not at hand, so that messages name no lines.
impl From<Arc<Rules>> for GameRules {
    fn from(rules: Arc<Rules>) -> GameRules {
        GameRules::compiled(rules, Sources::new())
    }
}

impl GameRules {
    /// The rules of a variant of a rule file; `sources` is the text it was compiled from.
    pub fn compiled(rules: Arc<Rules>, sources: Sources) -> GameRules {
        let ruleset = &rules.ruleset;
        let seats = seats(ruleset);
        GameRules { sides: seats.clone(), seats, language: Language::Compiled { rules, sources } }
    }

    /// The rules of a preset, or of a problem that the preset poses. Runs its code.
    pub fn preset(preset: Arc<Preset>, problem: Option<Problem>) -> Result<GameRules, StartError> {
        let start = Game::start(Arc::clone(&preset), 1).map_err(|it| start_error(&it))?;
        let (labels, n_named_kinds) = LabelMap::for_play(&preset, &start);
        let outline = outline::of(&preset, &labels, &start);
        let sides = vec![Player(0), Player(1)];
        let seats = match problem {
            Some(_) => vec![Player(start.mover() as u8)],
            None => sides.clone(),
        };
        let script = Script { preset, problem, labels, n_named_kinds, outline, start };
        Ok(GameRules { language: Language::Scripted(Box::new(script)), seats, sides })
    }

    /// The compiled ruleset, or the outline of a preset: board, players, kinds and setup.
    pub fn ruleset(&self) -> &Ruleset {
        match &self.language {
            Language::Compiled { rules, .. } => &rules.ruleset,
            Language::Scripted(script) => &script.outline,
        }
    }

    /// The compiled rules, if they come from a rule file.
    pub fn as_compiled(&self) -> Option<&Arc<Rules>> {
        match &self.language {
            Language::Compiled { rules, .. } => Some(rules),
            Language::Scripted(_) => None,
        }
    }

    /// The preset, if they come from one.
    pub fn as_preset(&self) -> Option<PresetRules<'_>> {
        let Script { preset, problem, labels, n_named_kinds, start, .. } = self.script()?;
        let n_named_kinds = *n_named_kinds;
        Some(PresetRules { preset, problem: problem.as_ref(), labels, n_named_kinds, start })
    }

    /// The code page of the rule file, in which saves and plug-in engines have its names.
    pub fn encoding(&self) -> Encoding {
        match &self.language {
            Language::Compiled { sources, .. } => {
                sources.get(FileId(0)).map_or(Encoding::Utf8, |it| it.encoding)
            }
            Language::Scripted(_) => Encoding::Utf8,
        }
    }

    /// The script of a preset.
    pub(crate) fn script(&self) -> Option<&Script> {
        match &self.language {
            Language::Compiled { .. } => None,
            Language::Scripted(script) => Some(script),
        }
    }

    /// A number that names the rules: the same for the same rules on every machine.
    pub fn fingerprint(&self) -> u64 {
        match &self.language {
            Language::Compiled { rules, .. } => rules.ruleset.fingerprint(),
            Language::Scripted(script) => {
                let hash = script.preset.hash().get(..16);
                hash.and_then(|it| u64::from_str_radix(it, 16).ok()).unwrap_or_default()
            }
        }
    }

    /// The players that somebody has to play for, in the order of the rules.
    pub fn seats(&self) -> &[Player] {
        &self.seats
    }

    /// The players who win or lose: those with a seat, and the opponent in a problem.
    pub fn sides(&self) -> &[Player] {
        &self.sides
    }

    /// The number of a player's seat.
    pub fn seat_of(&self, player: Player) -> Option<usize> {
        self.seats.iter().position(|&it| it == player)
    }

    /// The name of a player as people see it.
    pub fn player_name(&self, player: Player) -> String {
        let ruleset = self.ruleset();
        render::printable(ruleset.translated(ruleset.player_name(player)))
    }

    /// Whether the rules list their legal moves, so that an engine can play. Presets that
    /// enforce nothing do not; problems are solved by people.
    pub fn lists_moves(&self) -> bool {
        match &self.language {
            Language::Compiled { .. } => true,
            Language::Scripted(it) => it.problem.is_none() && it.start.told_moves().is_some(),
        }
    }

    /// Whether a state is small enough to keep one for every few moves of a record.
    pub fn has_cheap_states(&self) -> bool {
        matches!(self.language, Language::Compiled { .. })
    }

    /// The hash by which a preset is kept for ever; rule files have none yet.
    pub fn content_hash(&self) -> Option<&str> {
        self.as_preset().map(|it| it.preset.hash())
    }

    /// The number of moves within which a problem is to be solved, if it is one.
    pub fn problem_moves(&self) -> Option<u32> {
        self.as_preset()?.problem.map(|it| it.moves)
    }

    /// Begins a game; `seed` decides what the code of a preset draws by chance.
    pub fn start(self: &Arc<Self>, seed: u64) -> Result<GameState, PlayRefusal> {
        match &self.language {
            Language::Compiled { rules, .. } => {
                Ok(GameState::compiled(self, State::start_of(Arc::clone(rules))))
            }
            Language::Scripted(script) => {
                let game = Game::start(Arc::clone(&script.preset), seed)
                    .map_err(|it| PlayRefusal::of_stop(&script.preset, it))?;
                Ok(GameState::scripted(self, game))
            }
        }
    }

    /// A state of compiled rules as a state of this game; the rules must be the same.
    pub fn state_of(self: &Arc<Self>, state: State) -> GameState {
        match &self.language {
            Language::Compiled { .. } => GameState::compiled(self, state),
            Language::Scripted(_) => GameState::from(state),
        }
    }

    /// The pieces that the text of a state tells of, and the sites of its last move.
    pub fn pieces_of_text(&self, text: &str) -> Option<(Vec<PlacedPiece>, Vec<Site>)> {
        match &self.language {
            Language::Compiled { rules, .. } => {
                let state = State::from_text(Arc::clone(rules), text).ok()?;
                let last = state.last_from().into_iter().chain(state.last_to()).collect();
                Some((crate::game_state::placed(&state), last))
            }
            Language::Scripted(script) => Some((script.pieces_of_forsythe(text), Vec::new())),
        }
    }

    /// The sites that players should see as goals, ascending. Presets name none.
    pub fn highlighted_goals(&self) -> Vec<Site> {
        self.as_compiled().map_or_else(Vec::new, |it| boardwright_play::highlighted_goals(it))
    }

    /// The part of the rule file at a span, on one line, with its line number.
    pub fn rule_at(&self, span: Span) -> Option<(String, u32)> {
        let Language::Compiled { sources, .. } = &self.language else { return None };
        let text: Vec<&str> = sources.snippet(span).split_whitespace().collect();
        let mut text = render::printable(&text.join(" "));
        if text.is_empty() {
            return None;
        }
        if text.chars().count() > MAX_RULE {
            text = text.chars().take(MAX_RULE - 3).collect::<String>() + "…";
        }
        let (_, at) = sources.line_col(span)?;
        Some((text, at.line))
    }

    /// Why a generation of moves was stopped: the piece, and the line of the rule file.
    pub fn halt_text(&self, halt: &Halt) -> String {
        let mut message = halt.message(|kind| self.ruleset().piece_name(kind).to_owned());
        if let Language::Compiled { sources, .. } = &self.language
            && let Some((file, at)) = halt.span().and_then(|it| sources.line_col(it))
        {
            message.push_str(&format!(" ({file}, line {})", at.line));
        }
        message
    }

    pub(crate) fn halted(&self, halt: &Halt) -> PlayRefusal {
        PlayRefusal::Halted(self.halt_text(halt))
    }
}

/// The players of a ruleset that somebody has to play for: those with turns, chance aside.
pub fn seats(ruleset: &Ruleset) -> Vec<Player> {
    let has_turns = |it: &Player| ruleset.turn_order.turns.iter().any(|turn| turn.mover == *it);
    let is_random = |it: &Player| ruleset.players.get(it.idx()).is_some_and(|it| it.is_random);
    ruleset.all_players().filter(|it| has_turns(it) && !is_random(it)).collect()
}

impl Script {
    /// Cells of a row of Forsythe code.
    pub fn n_columns(&self) -> usize {
        let board = self.preset.board();
        let (n_files, _) = board.size();
        if n_files == 0 { board.spaces().len().max(1) } else { n_files }
    }

    /// The pieces that Forsythe code tells of.
    fn pieces_of_forsythe(&self, code: &str) -> Vec<PlacedPiece> {
        let board = self.preset.board();
        let (n_files, n_ranks) = board.size();
        let cells = forsythe::read(code, self.n_columns()).unwrap_or_default();
        let placed = board.all().filter_map(|space| {
            let idx = match board.info(space)?.cell {
                Some((file, rank)) => {
                    n_ranks.checked_sub(1 + usize::from(rank))? * n_files + usize::from(file)
                }
                None => space.index(),
            };
            let ForsytheCell::Piece(label) = cells.get(idx)? else { return None };
            let (player, kind) = self.labels.piece_or_other(label)?;
            Some(PlacedPiece { site: crate::scripted::site(space), player, kind })
        });
        placed.collect()
    }
}

fn start_error(stop: &CodeStop) -> StartError {
    let message = match stop {
        CodeStop::Refused(text, _) => text.clone(),
        CodeStop::Fault(it) => it.message.clone(),
        CodeStop::Ask(_) => "the code asks a question before the game begins".to_owned(),
    };
    StartError { message, diagnostic: stop.diagnostic().map(Box::new) }
}
