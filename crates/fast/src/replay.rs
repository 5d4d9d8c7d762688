//! Replays a saved game in both forms of the rules and compares them.

use std::sync::Arc;

use boardwright_play::{
    MoveList, Rules, State,
    zsg::{CrossCheck, Replay, SaveFile, StopReason, replay_checked},
};

use crate::{Fast, Shadow};

/// Plays at most `limit` entries of a save. With a fast form, the legal moves and the states
/// of both forms must be equal all the way, or the replay stops with
/// [`StopReason::Differs`].
pub fn replay_both(
    save: &SaveFile,
    rules: Arc<Rules>,
    fast: Option<&Fast>,
    limit: Option<usize>,
) -> Replay {
    match fast {
        Some(fast) => {
            let mut check = ShadowCheck { fast, shadow: None };
            replay_checked(save, rules, Some(&mut check), limit)
        }
        None => replay_checked(save, rules, None, limit),
    }
}

/// The fast form beside a replay.
struct ShadowCheck<'a> {
    fast: &'a Fast,
    /// `None` until the replay begins.
    shadow: Option<Shadow<'a>>,
}

impl CrossCheck for ShadowCheck<'_> {
    fn begin(&mut self, state: &State) {
        self.shadow = Some(self.fast.shadow(state));
    }

    fn compare_moves(&mut self, state: &State, list: &MoveList) -> Result<(), StopReason> {
        let Some(shadow) = &mut self.shadow else { return Ok(()) };
        let mut plain: Vec<String> = list.iter().map(|it| state.move_text(it)).collect();
        let mut fast = shadow.texts(state).map_err(StopReason::Halt)?;
        plain.sort_unstable();
        fast.sort_unstable();
        let unlike = plain.iter().zip(&fast).find(|(a, b)| a != b).map(|(a, b)| a.min(b));
        let more = || plain.iter().skip(fast.len()).chain(fast.iter().skip(plain.len())).next();
        match unlike.or_else(more) {
            Some(text) => {
                Err(StopReason::Differs(format!("only one of the two forms knows `{text}`")))
            }
            None => Ok(()),
        }
    }

    fn play(&mut self, state: &State, text: &str) -> bool {
        self.shadow.as_mut().is_none_or(|it| it.play(state, text))
    }

    fn agrees_with(&mut self, state: &State) -> bool {
        self.shadow.as_mut().is_none_or(|it| it.agrees_with(state))
    }
}
