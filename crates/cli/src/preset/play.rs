//! A preset played in the terminal, line by line.

use std::{fs, io::Write};

use anyhow::{Context, Result};
use boardwright_gamecode::CodeStop;
use boardwright_preset::{Game, Outcome, Record};
use boardwright_text::render::printable;

use super::{explain, show};
use crate::input;

const HELP: &str = "\
  TURN         make a turn: `e2-e4`, `P e2-e4`, `P e7-e8; Q-e8`, `P*5e`
  NUMBER       answer a question
  moves        list the moves that the code tells
  board        show the board again
  undo         take the last turn back
  rules        read the rules
  save FILE    write a record of the game
  quit         leave
";

pub(super) fn run(mut game: Game, out: &mut dyn Write) -> Result<()> {
    let settings = &game.preset().bundle.settings;
    writeln!(out, "{}: {}\n", printable(settings.get("game")), game.enforcement().text())?;
    writeln!(out, "Type a turn such as `e2-e4`, `moves`, `help` or `quit`.\n")?;
    let mut past: Vec<Game> = Vec::new();
    let mut choices: Vec<(String, String)> = Vec::new();
    let mut typed = std::io::stdin().lock();
    show::game(&game, out)?;
    loop {
        write!(out, "> ")?;
        out.flush()?;
        let Some(line) = input::next_line(&mut typed)? else {
            writeln!(out)?;
            return Ok(());
        };
        let line = line.trim();
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "" => {}
            "quit" => return Ok(()),
            "help" => write!(out, "{HELP}")?,
            "board" => show::game(&game, out)?,
            "rules" => {
                for line in game.preset().bundle.settings.get("rules").lines() {
                    writeln!(out, "{}", printable(line))?;
                }
            }
            "moves" => match game.told_moves() {
                Some(moves) if game.outcome() == Outcome::Undecided => {
                    let moves: Vec<_> = moves.iter().map(|it| printable(it)).collect();
                    writeln!(out, "{}", moves.join(", "))?;
                }
                _ => writeln!(out, "the code tells no moves")?,
            },
            "undo" => match past.pop() {
                Some(before) => {
                    game = before;
                    show::game(&game, out)?;
                }
                None => writeln!(out, "nothing was played yet")?,
            },
            "save" => {
                let saved = fs::write(rest, Record::of(&game).write())
                    .with_context(|| format!("cannot write {}", printable(rest)));
                match saved {
                    Ok(()) => writeln!(out, "saved")?,
                    Err(error) => writeln!(out, "{error:#}")?,
                }
            }
            _ => {
                let chosen =
                    line.parse::<usize>().ok().and_then(|it| choices.get(it.wrapping_sub(1)));
                let turn = chosen.map_or(line, |it| &it.1).to_owned();
                choices = make(&mut game, &mut past, &turn, out)?;
            }
        }
    }
}

/// Plays a turn; gives the choices if one is to be made.
fn make(
    game: &mut Game,
    past: &mut Vec<Game>,
    turn: &str,
    out: &mut dyn Write,
) -> Result<Vec<(String, String)>> {
    let before = game.clone();
    match game.play(turn) {
        Ok(()) => {
            past.push(before);
            show::game(game, out)?;
        }
        Err(CodeStop::Ask(question)) => {
            let text = match question.text.as_str() {
                "" => "Promote to what?",
                text => text,
            };
            writeln!(out, "{}", printable(text))?;
            for (number, (label, _)) in (1..).zip(&question.choices) {
                writeln!(out, "  {number}  {}", printable(label))?;
            }
            return Ok(question.choices);
        }
        Err(stop) => writeln!(out, "{}", explain(&game.preset().clone(), &stop))?,
    }
    Ok(Vec::new())
}
