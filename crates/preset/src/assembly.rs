//! The whole program of a game as the original would build it, in one text.
//!
//! Games do not run this text, they run its parts as they come; it is for reading,
//! and a test holds that running it gives the same board.

use crate::game::{Game, split_comment};

impl Game {
    /// The program of everything that was played: the code before the game, the code
    /// around turns as subroutines, each turn, the code behind the last one, and the
    /// included files behind `end`.
    pub fn assembled(&self) -> String {
        let settings = &self.preset().bundle.settings;
        let mut out = String::new();
        let mut add = |title: &str, text: &str| {
            out.push_str(&format!("// --- {title}\n"));
            if !text.trim().is_empty() {
                out.push_str(text.trim_end());
                out.push('\n');
            }
        };
        add("Pre-Game", settings.get("pre-game"));
        for (name, key, title) in [
            ("preauto1", "pre-move-1", "Pre-Move 1"),
            ("preauto2", "pre-move-2", "Pre-Move 2"),
            ("postauto1", "post-move-1", "Post-Move 1"),
            ("postauto2", "post-move-2", "Post-Move 2"),
        ] {
            add(title, &format!("sub {name}:\n{}\nendsub;", settings.get(key).trim_end()));
        }
        for (idx, turn) in self.turns().iter().enumerate() {
            let player = self.player_of(idx) + 1;
            let mut text = format!("moveindex {idx};\ngosub preauto{player};\n");
            for part in split_comment(&turn.text).0.split(';').filter(|it| !it.trim().is_empty()) {
                text.push_str(&format!("{};\n", statement(part.trim())));
            }
            text.push_str(&format!("gosub postauto{player};"));
            add(&format!("turn {}", idx + 1), &text);
        }
        if let Some(last) = self.turns().len().checked_sub(1) {
            let number = self.player_of(last) + 1;
            add(&format!("Post-Game {number}"), settings.get(&format!("post-game-{number}")));
        }
        add("the end", "end;");
        for (name, text) in &self.preset().bundle.includes {
            add(&format!("included: {name}"), text);
        }
        out
    }
}

/// A part of a turn as a statement: moves are marked, commands stand as they are.
fn statement(part: &str) -> String {
    let word = part.split_whitespace().next().unwrap_or("");
    let is_command = boardwright_gamecode::commands().any(|it| it == word);
    if is_command { part.to_owned() } else { format!("MOVE: {part}") }
}
