//! States of presets as text.

use std::io::Write;

use anyhow::Result;
use boardwright_preset::{Game, PresetOutcome};
use boardwright_render::{
    scene::Scene,
    text_board::{TextForm, text_board},
};
use boardwright_text::render::printable;

/// Writes the board, the messages of the code, and who is to move.
pub(crate) fn game(game: &Game, out: &mut dyn Write) -> Result<()> {
    let scene = Scene::of(game, None);
    writeln!(out, "{}", text_board(&scene, TextForm::Play))?;
    for message in game.messages() {
        writeln!(out, "{}", printable(message))?;
    }
    for line in game.output() {
        writeln!(out, "{}", printable(line))?;
    }
    writeln!(out, "{}", outcome(game))?;
    Ok(())
}

/// Who is to move, or how the game ended.
pub(crate) fn outcome(game: &Game) -> String {
    let sides = game.preset().sides();
    let name = |player: usize| printable(sides.get(player).unwrap_or(&""));
    match game.outcome() {
        PresetOutcome::Undecided => format!("{} to move", name(game.mover())),
        PresetOutcome::Win(player) => format!("{} has won", name(player)),
        PresetOutcome::Draw => "drawn".to_owned(),
    }
}
