//! Any text is a program and a turn, runs within its bounds, and can be listed.
#![no_main]

use std::sync::Arc;

use boardwright_gamecode::{SpaceMap, Compiler, AxisLabel, CodeLimits, Machine, NoCodeFiles, forsythe};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    // The first line is the board, if it can be one; the last is a turn.
    let (first, rest) = text.split_once('\n').unwrap_or(("", &text));
    let limits = CodeLimits { steps: 100_000, elements: 200_000, array: 20_000, ..CodeLimits::default() };
    let mut files = NoCodeFiles;
    let mut compiler = Compiler::new(limits, &mut files);
    let part = compiler.part("fuzz", rest);
    compiler.sub("post", "post", rest);
    let program = Arc::new(compiler.finish());
    program.listing(program.diagnostics().first().map(|it| it.span));
    for diagnostic in program.diagnostics().iter().take(10) {
        boardwright_text::render::render(diagnostic, program.sources(), false);
    }
    let cells = forsythe::read(first, 8).ok().filter(|it| !it.is_empty());
    let cells = cells.unwrap_or_else(|| forsythe::read("rn6/8/P7", 8).expect("reads"));
    let Ok(board) = SpaceMap::grid(8, &cells, &AxisLabel::list("a b c d e f g h a b"), &[]) else { return };
    let mut machine = Machine::new(program, Arc::new(board), &cells, 1);
    let _ = machine.run(part);
    let turn = rest.lines().last().unwrap_or("");
    machine.begin_turn(0, turn);
    let _ = machine.play(turn);
    let _ = machine.call("post");
    for (name, value) in machine.constants() {
        machine.set_constant(&name, &value);
    }
    let again = forsythe::write(&machine.cells(), 8);
    assert_eq!(forsythe::read(&again, 8).as_deref(), Ok(&machine.cells()[..]), "{again}");
});
