//! Game Courier presets over the wire: played, kept by what they hold, tried, refused.

mod common;

use common::{Running, engine, person, text};
use serde_json::{Value, json};

async fn played(server: &Running, game: &str, n: usize, turns: &[&str]) -> (String, String) {
    let (id, key) = server.new_match(game, n, json!([])).await;
    let mut board = server.connect(&id, &key).await;
    board.wait("match").await;
    for (n, turn) in turns.iter().enumerate() {
        board.play(turn, &format!("t{n}")).await;
        board.wait("moved").await;
    }
    (id, key)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_preset_is_played_to_its_end_and_read_back() {
    let server = Running::start().await;
    let turns = ["P f2-f3", "e7-e5 // at last", "P g2-g4", "q d8-h4"];
    let (id, key) = played(&server, "preset-chess", 0, &turns).await;
    let data = server.stop().await;
    let server = Running::start_in(data).await;
    let mut board = server.connect(&id, &key).await;
    let told = board.wait("match").await;
    let nodes = told["match"]["nodes"].as_array().expect("nodes");
    let longs: Vec<String> = nodes.iter().map(|it| text(&it["long"])).collect();
    assert_eq!(longs, ["", "P f2-f3", "p e7-e5", "P g2-g4", "q d8-h4"]);
    assert_eq!(nodes[2]["comment"], "at last");
    let state = &told["match"]["state"];
    assert_eq!(state["outcome"]["text"], "Black wins");
    assert_eq!(state["outcome"]["why"], "Checkmate!");
    assert_eq!(state["lastSites"].as_array().map(Vec::len), Some(2));
    board.play("P a2-a3", "late").await;
    assert_eq!(board.wait_refused().await["message"], "the game is over");
    let record = server.get(&format!("/api/matches/{id}/save.zsg")).await;
    assert!(record.text().starts_with("boardwright record 1\ngame: Chess\n"), "{}", record.text());
}

#[tokio::test(flavor = "multi_thread")]
async fn turns_are_offered_with_what_they_do() {
    let server = Running::start().await;
    let turns = ["P e2-e4", "p a7-a6", "P e4-e5", "p d7-d5"];
    let (id, key) = played(&server, "preset-chess", 0, &turns).await;
    let mut board = server.connect(&id, &key).await;
    board.wait("match").await;
    let moves = board.seen["moves"].as_array().expect("moves").clone();
    let passing = moves.iter().find(|it| it["long"] == "P e5-d6").expect("en passant");
    let kinds: Vec<String> = passing["effects"]
        .as_array()
        .expect("effects")
        .iter()
        .map(|it| text(&it["type"]))
        .collect();
    assert_eq!(kinds, ["walk", "capture"]);
    assert_eq!(passing["captures"].as_array().map(Vec::len), Some(1));
    board.play("P e5-e6 // no", "x").await;
    board.wait("moved").await;
    board.play("p e7-e6", "y").await;
    let refused = board.wait_refused().await;
    assert_eq!(refused["message"], "The p cannot move so.");
    assert!(text(&refused["why"]).starts_with("chess2.gc, line "), "{refused}");
}

#[tokio::test(flavor = "multi_thread")]
async fn code_that_asks_is_answered_by_a_choice() {
    let server = Running::start().await;
    let turns = ["P a2-a4", "p b7-b5", "P a4-b5", "p a7-a6", "P b5-a6", "p h7-h6", "P a6-a7"];
    let turns = [&turns[..], &["p h6-h5"]].concat();
    let (id, key) = played(&server, "preset-chess", 0, &turns).await;
    let mut board = server.connect(&id, &key).await;
    board.wait("match").await;
    board.play("P a7-b8", "ask").await;
    let asked = board.wait("asked").await;
    let choices = asked["choices"].as_array().expect("choices");
    assert_eq!(choices.len(), 4);
    board.play(&text(&choices[0]["move"]), "told").await;
    let moved = board.wait("moved").await;
    assert_eq!(moved["node"]["long"], "P a7-b8; Q-b8");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_problem_is_judged_and_answered() {
    let server = Running::start().await;
    let (id, key) = server.new_match("preset-chess", 2, json!([])).await;
    let mut board = server.connect(&id, &key).await;
    let told = board.wait("match").await;
    assert_eq!(told["match"]["seats"].as_array().map(Vec::len), Some(1));
    board.play("K h1-h2", "wrong").await;
    assert!(text(&board.wait_refused().await["message"]).contains("not the solution"));
    board.play("R a2-a7", "right").await;
    board.wait("moved").await;
    // The reply comes by itself, and play goes on.
    assert_eq!(board.wait("moved").await["node"]["long"], "k h8-g8");
    board.play("R b1-b8", "mate").await;
    board.wait("moved").await;
    assert_eq!(board.seen["outcome"]["text"], "Solved");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_engine_sits_only_where_moves_are_told() {
    let server = Running::start().await;
    let (id, key) = server.new_match("preset-horseshoe", 0, json!([person(), engine(3)])).await;
    let mut board = server.connect(&id, &key).await;
    board.wait("match").await;
    let first = board.moves().first().cloned().expect("it tells its moves");
    board.play(&first, "one").await;
    board.wait("moved").await;
    board.wait("moved").await;
    assert_eq!(board.seen["ply"], 2);
    let (id, key) = server.new_match("preset-open-board", 0, json!([engine(3), engine(3)])).await;
    let mut board = server.connect(&id, &key).await;
    let told = board.wait("match").await;
    let seats = told["match"]["seats"].as_array().expect("seats");
    assert!(seats.iter().all(|it| it["setup"]["type"] == "person"), "{seats:?}");
    assert_eq!(told["match"]["state"]["free"], true);
    board.tell(&json!({ "type": "seat", "seat": 0, "setup": engine(3) })).await;
    assert!(text(&board.wait_refused().await["message"]).contains("no engine"));
    board.play("e2-e5", "far").await;
    assert_eq!(board.wait("moved").await["node"]["long"], "P e2-e5");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_preset_that_is_changed_leaves_its_matches_alone() {
    let server = Running::start().await;
    let files: &[(&str, &[u8])] =
        &[("pond/preset.txt", b"game: Pond\ncode: k2/3/2K\ncolumns: 3\n")];
    let made = server.upload(files).await.json();
    let game = text(&made["games"][0]["id"]);
    let (id, key) = played(&server, &game, 0, &["K c1-c2"]).await;
    let fields = server.get(&format!("/api/presets/{game}")).await.json();
    let mut values: serde_json::Map<String, Value> = fields["fields"]
        .as_array()
        .expect("fields")
        .iter()
        .map(|it| (text(&it["key"]), it["value"].clone()))
        .collect();
    values.insert("code".to_owned(), json!("4k/5/5/4K"));
    values.insert("columns".to_owned(), json!("5"));
    let draft = json!({ "base": game, "values": values });
    let saved = server.post("/api/presets", &draft).await;
    assert_eq!(saved.json()["game"], json!(game));
    let view = server.get(&format!("/api/games/{game}/0")).await.json();
    assert_eq!(view["layout"]["cells"].as_array().map(Vec::len), Some(20));
    let data = server.stop().await;
    let server = Running::start_in(data).await;
    let mut board = server.connect(&id, &key).await;
    let told = board.wait("match").await;
    let kept = text(&told["match"]["game"]);
    assert!(kept.starts_with("kept-"), "{kept}");
    let view = server.get(&format!("/api/games/{kept}/0")).await.json();
    assert_eq!(view["layout"]["cells"].as_array().map(Vec::len), Some(9));
    assert_eq!(view["preset"]["isOld"], true);
    board.play("k a3-a2", "on").await;
    board.wait("moved").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn hostile_presets_are_bounded_and_stay_text() {
    let server = Running::start().await;
    let draft = |values: Value| json!({ "base": "", "values": values, "turns": ["e2-e4"] });
    // A loop without end is an error with its place.
    let endless = draft(json!({ "pre-game": "do:\nset a 1;\nloop;" }));
    let view = server.post("/api/presets/draft", &endless).await.json();
    assert_eq!(view["game"], Value::Null);
    assert_eq!(view["diagnostics"][0]["code"], "G0201", "{view}");
    assert_eq!(view["diagnostics"][0]["file"], "Pre-Game");
    let vast = draft(json!({ "code": "99999999999", "columns": "4000000000" }));
    let view = server.post("/api/presets/draft", &vast).await;
    assert_eq!(view.status, 200, "{}", view.text());
    assert_eq!(view.json()["game"], Value::Null);
    let wrong = draft(json!({ "columns": "many", "wolves": "3" }));
    let view = server.post("/api/presets/draft", &wrong).await.json();
    assert!(text(&view["wrong"]["columns"]).contains("takes a number"), "{view}");
    let long = draft(json!({ "rules": "x".repeat(3 << 20) }));
    assert_eq!(server.post("/api/presets/draft", &long).await.status, 400);
    // Names that lead elsewhere are no files.
    let escaping = json!({ "base": "", "text": "game: Pond\ninclude ../../../x:\n  set a 1;\n" });
    let saved = server.post("/api/presets", &escaping).await.json();
    let game = text(&saved["game"]);
    assert!(game.starts_with("my-"), "{saved}");
    let zip = server.get(&format!("/api/presets/{game}/preset.zip")).await;
    assert_eq!(zip.status, 200);
    assert!(!String::from_utf8_lossy(&zip.body).contains(".."), "a path leads out");
    assert_eq!(server.get("/api/presets/nothing").await.status, 404);
    assert_eq!(server.get("/api/games/kept-0000/0").await.status, 404);
    let import = json!({ "text": "<?php system('rm'); $game = 'Pond'; ?>" });
    let read = server.post("/api/presets/import", &import).await.json();
    assert_eq!(read["values"]["game"], "Pond");
}
