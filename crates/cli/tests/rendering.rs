//! `boardwright render` from the outside.

use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn render(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_boardwright"))
        .arg("render")
        .args(args)
        .current_dir(root())
        .output()
        .expect("the program runs")
}

fn text(args: &[&str]) -> String {
    let output = render(args);
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{args:?}: {errors}");
    String::from_utf8(output.stdout).expect("is text")
}

fn refused(args: &[&str]) -> String {
    let output = render(args);
    assert!(!output.status.success(), "{args:?} is refused");
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn both_kinds_of_game_are_drawn_in_letters() {
    let preset = text(&["presets/chess", "--play", "P e2-e4"]);
    assert!(preset.starts_with("8 :r: -n- :b:"), "{preset}");
    assert!(preset.contains("4 ::: --- ::: --- :P: --- ::: ---\n"), "{preset}");
    let rules = text(&["games/chess/chess.zrf", "--play", "e4"]);
    assert!(rules.contains("4 ... ::: ... ::: .P. ::: ... :::\n"), "{rules}");
    let flipped = text(&["games/chess/chess.zrf", "--flip"]);
    assert!(flipped.trim_end().ends_with("h   g   f   e   d   c   b   a"), "{flipped}");
}

#[test]
fn the_name_of_the_file_chooses_the_method() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (name, start) in [
        ("a.png", b"\x89PNG".as_slice()),
        ("a.gif", b"GIF8"),
        ("a.jpg", b"\xff\xd8\xff"),
        ("a.svg", b"<svg "),
        ("a.html", b"<!doctype html>"),
        ("a.txt", b"  "),
    ] {
        let path = folder.path().join(name);
        let out = path.display().to_string();
        text(&["presets/glinski-hexagonal-chess", "--scale", "20", "--out", &out]);
        let bytes = fs::read(&path).expect("was written");
        assert!(bytes.starts_with(start), "{name}");
    }
    let out = folder.path().join("a.css").display().to_string();
    assert!(refused(&["presets/chess", "--out", &out]).contains("--method"));
    text(&["presets/chess", "--out", &out, "--method", "css"]);
}

#[test]
fn states_are_given_as_text() {
    let chess = text(&["presets/chess", "--state", "k7/8/8/8/8/8/8/7K"]);
    assert_eq!(chess.matches('K').count() + chess.matches('k').count(), 2, "{chess}");
    assert!(refused(&["presets/chess", "--state", "k7/8"]).contains("another shape"));
    assert!(refused(&["presets/chess", "--state", "k7/8!"]).contains("means nothing here"));
    assert!(refused(&["games/chess/chess.zrf", "--state", "nonsense"]).contains("--state"));
}

#[test]
fn wrong_wishes_are_refused_in_words() {
    assert!(refused(&["README.md"]).contains("is no rule file"));
    assert!(refused(&["presets/chess", "--method", "png"]).contains("--out"));
    assert!(refused(&["presets/chess", "--variant", "x"]).contains("no variants"));
    assert!(refused(&["presets/chess", "--set", "wolves"]).contains("neither a set of ours"));
    assert!(refused(&["presets/chess", "--theme", "wolves"]).contains("walnut"));
    assert!(refused(&["presets/chess", "--play", "P e2-e5"]).contains("P e2-e5"));
    assert!(refused(&["presets/nowhere"]).contains("cannot read"));
}

#[test]
fn a_folder_of_pictures_is_a_set() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path();
    let king = r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"><rect width="10" height="10" fill="#123456"/></svg>"##;
    fs::write(path.join("king.svg"), king).expect("a file");
    fs::write(path.join("set.txt"), "pieces:\n  K king.svg\n  k ../king.svg\n").expect("a file");
    let set = path.display().to_string();
    let output = render(&["presets/chess", "--method", "svg", "--set", &set]);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(errors.contains("line 3: `../king.svg` is not a plain file name"), "{errors}");
    let svg = String::from_utf8_lossy(&output.stdout);
    assert_eq!(svg.matches("data:image/svg+xml;base64,").count(), 1);
    assert!(svg.contains("p-chess-black-king"), "what has no picture keeps its drawing");
}

#[test]
fn records_and_minirules_are_drawn() {
    let rules = text(&["presets/shogi", "--method", "minirules"]);
    assert!(rules.contains("<code>P*5e</code>") && rules.contains("<code>+P</code>"), "{rules}");
    assert!(rules.contains("Promoted Silver"));
    let folder = tempfile::tempdir().expect("a temporary folder");
    let record = folder.path().join("game.txt");
    let mut child = Command::new(env!("CARGO_BIN_EXE_boardwright"))
        .args(["preset", "play", "presets/chess"])
        .current_dir(root())
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .expect("the program runs");
    let input = format!("e2-e4\nsave {}\nquit\n", record.display());
    child.stdin.take().expect("is open").write_all(input.as_bytes()).expect("is read");
    assert!(child.wait().expect("ends").success());
    let shown = record.display().to_string();
    assert!(refused(&[&shown]).contains("--rules"));
    let board = text(&[&shown, "--rules", "presets/chess"]);
    assert!(board.contains("4 ::: --- ::: --- :P: --- ::: ---\n"), "{board}");
    fs::write(&record, "boardwright record 1\nnonsense\n").expect("a file");
    let message = refused(&[&record.display().to_string()]);
    assert!(message.contains("game.txt"), "{message}");
}

#[test]
fn a_name_that_says_something_else_than_the_method_is_remarked_on() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("a.svg").display().to_string();
    let said = |method: &str, path: &str| {
        let output = render(&["presets/chess", "--method", method, "--scale", "20", "--out", path]);
        assert!(output.status.success(), "{method}");
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    let png = said("png", &path);
    assert!(png.contains("will hold png, though its name says svg"), "{png}");
    assert!(fs::read(&path).is_ok_and(|it| it.starts_with(b"\x89PNG")));
    assert_eq!(said("svg", &path), "");
    let page = folder.path().join("a.html").display().to_string();
    assert_eq!(said("css", &page), "");
}
