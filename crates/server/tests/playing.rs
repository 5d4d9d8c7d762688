//! Whole games over the socket, as the page plays them.

mod common;

use std::time::Duration;

use common::{Running, engine, person, text};
use serde_json::{Value, json};

#[tokio::test(flavor = "multi_thread")]
async fn a_game_ends_with_the_reason_in_words() {
    let server = Running::start().await;
    let (id, key) = server.new_match("chess", 0, json!([person(), person()])).await;
    let mut board = server.connect(&id, &key).await;
    let told = board.wait("match").await;
    assert_eq!(told["match"]["you"], json!([0, 1]));
    assert_eq!(board.moves().len(), 20);
    for (n, mv) in
        ["Pawn f2 - f3", "Pawn e7 - e5", "Pawn g2 - g4", "Queen d8 - h4"].iter().enumerate()
    {
        board.play(mv, &format!("m{n}")).await;
        board.wait("moved").await;
    }
    let outcome = &board.seen["outcome"];
    assert_eq!(outcome["text"], "Black wins");
    assert_eq!(outcome["why"], "White’s King is checkmated");
    assert_eq!(outcome["winners"], json!([1]));
    assert!(text(&outcome["rule"]).contains("checkmated"), "{outcome}");
    let king = board.seen["inCheck"].clone();
    assert_eq!(outcome["sites"], king);
    board.play("Pawn a2 - a3", "late").await;
    assert_eq!(board.wait_refused().await["message"], "the game is over");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_move_that_is_sent_again_is_made_once() {
    let server = Running::start().await;
    let (id, key) = server.new_match("chess", 0, json!([])).await;
    let mut board = server.connect(&id, &key).await;
    board.wait("match").await;
    let command = json!({ "type": "play", "node": 0, "move": "Pawn e2 - e4", "id": "one" });
    board.tell(&command).await;
    board.tell(&command).await;
    board.wait("moved").await;
    let told = board.wait("match").await;
    assert_eq!(told["match"]["nodes"].as_array().map(Vec::len), Some(2));
    drop(board);
    // The connection was lost before the answer came: the page sends it once more.
    let mut board = server.connect(&id, &key).await;
    board.wait("match").await;
    board.tell(&command).await;
    let told = board.wait("match").await;
    assert_eq!(told["match"]["nodes"].as_array().map(Vec::len), Some(2));
    assert_eq!(told["match"]["current"], 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_engine_answers_and_a_take_back_gives_the_choice_again() {
    let server = Running::start().await;
    let (id, key) = server.new_match("chess", 0, json!([person(), engine(2)])).await;
    let mut board = server.connect(&id, &key).await;
    board.wait("match").await;
    board.play("Pawn e2 - e4", "a").await;
    board.wait("moved").await;
    let answer = board.wait("moved").await;
    assert_eq!(answer["node"]["player"], 1);
    board.tell(&json!({ "type": "takeBack" })).await;
    let told = board.wait("match").await;
    assert_eq!(told["match"]["current"], 0);
    // The branch is kept, and a new one beside it.
    board.play("Pawn d2 - d4", "b").await;
    board.wait("moved").await;
    let other = board.wait("moved").await;
    assert_eq!(other["node"]["ply"], 2);
    let seen = server.get(&format!("/api/matches/{id}?key={key}")).await.json();
    assert_eq!(seen["nodes"].as_array().map(Vec::len), Some(5));
    board.tell(&json!({ "type": "hint" })).await;
    let hint = board.wait("hint").await;
    assert!(board.moves().contains(&text(&hint["move"])), "{hint}");
}

#[tokio::test(flavor = "multi_thread")]
async fn engines_play_one_another_and_chance_throws_the_dice() {
    let server = Running::start().await;
    for game in ["tic-tac-toe", "royal-ur"] {
        let (id, key) = server.new_match(game, 0, json!([engine(1), engine(1)])).await;
        let mut board = server.connect(&id, &key).await;
        board.wait("match").await;
        let mut kinds = Vec::new();
        for _ in 0..5 {
            kinds.push(text(&board.wait("moved").await["node"]["kind"]));
        }
        assert!(kinds.contains(&"move".to_owned()), "{game}: {kinds:?}");
        assert_eq!(kinds.contains(&"chance".to_owned()), game == "royal-ur", "{kinds:?}");
        board.tell(&json!({ "type": "pause", "paused": true })).await;
        while board.wait("match").await["match"]["paused"] != json!(true) {}
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn guests_move_for_their_seat_and_strangers_look_on() {
    let server = Running::start().await;
    let body = json!({ "game": "tic-tac-toe", "n": 0, "setup": null,
        "seats": [person(), { "type": "guest" }] });
    let made = server.post("/api/matches", &body).await.json();
    let (id, key) = (text(&made["id"]), text(&made["key"]));
    let link = text(&made["invitations"][0]["link"]);
    let guest_key = link.split_once("key=").expect("a key").1.to_owned();
    assert!(guest_key.len() >= 26, "{guest_key}");
    let mut owner = server.connect(&id, &key).await;
    let mut guest = server.connect(&id, &guest_key).await;
    let mut stranger = server.connect(&id, "wrong").await;
    assert_eq!(owner.wait("match").await["match"]["you"], json!([0]));
    assert_eq!(guest.wait("match").await["match"]["you"], json!([1]));
    assert_eq!(stranger.wait("match").await["match"]["you"], json!([]));
    let first = owner.moves()[0].clone();
    stranger.play(&first, "s").await;
    assert_eq!(stranger.wait_refused().await["message"], "it is not your turn");
    owner.play(&first, "o").await;
    for board in [&mut owner, &mut guest, &mut stranger] {
        board.wait("moved").await;
    }
    let answer = guest.moves()[0].clone();
    guest.play(&answer, "g").await;
    owner.wait("moved").await;
    guest.tell(&json!({ "type": "takeBack" })).await;
    assert!(text(&guest.wait_refused().await["message"]).contains("only the owner"));
    guest.tell(&json!({ "type": "chat", "text": "<b>well</b> played" })).await;
    assert_eq!(owner.wait("chat").await["text"], "<b>well</b> played");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_saved_game_is_written_and_read_again() {
    let server = Running::start().await;
    let (id, key) = server.new_match("chess", 0, json!([])).await;
    let mut board = server.connect(&id, &key).await;
    board.wait("match").await;
    for mv in ["Pawn e2 - e4", "Pawn e7 - e5", "Knight g1 - f3"] {
        board.play(mv, mv).await;
        board.wait("moved").await;
    }
    let save = server.get(&format!("/api/matches/{id}/save.zsg")).await;
    assert!(save.text().contains("VariantName=Chess\r\n1. Pawn e2 - e4\r\n"), "{}", save.text());
    let loaded =
        server.send("POST", "/api/matches/load", "X-File-Name: a.zsg\r\n", &save.body).await;
    assert_eq!(loaded.status, 201, "{}", loaded.text());
    let again = text(&loaded.json()["id"]);
    let saved_again = server.get(&format!("/api/matches/{again}/save.zsg")).await;
    assert_eq!(saved_again.body, save.body);
    let wrong = server.send("POST", "/api/matches/load", "", b"no save at all").await;
    assert_eq!(wrong.status, 400);
}

#[tokio::test(flavor = "multi_thread")]
async fn boards_are_edited_commented_probed_and_restored() {
    let server = Running::start().await;
    let (id, key) = server.new_match("chess", 0, json!([])).await;
    let mut board = server.connect(&id, &key).await;
    let told = board.wait("match").await;
    let site = |name: &str, view: &Value| {
        let cells = view["layout"]["cells"].as_array().expect("cells");
        cells.iter().position(|it| it["name"] == name).expect("the site")
    };
    let view = server.get("/api/games/chess/0").await.json();
    let e2 = site("e2", &view);
    board.tell(&json!({ "type": "probe", "site": e2, "node": 0 })).await;
    let probed = board.wait("probed").await;
    assert_eq!(probed["moves"].as_array().map(Vec::len), Some(2), "{probed}");
    assert_eq!(probed["title"], "White Pawn on e2");
    let mut pieces = told["match"]["state"]["pieces"].as_array().expect("pieces").clone();
    pieces.retain(|it| it["site"] != json!(e2));
    let setup = json!({ "pieces": pieces, "hands": [], "mover": 1 });
    board.tell(&json!({ "type": "edit", "node": 0, "setup": setup })).await;
    let told = board.wait("match").await;
    assert_eq!(told["match"]["state"]["mover"], 1);
    assert_eq!(told["match"]["nodes"][1]["kind"], "edit");
    board.tell(&json!({ "type": "comment", "node": 1, "text": "no pawn" })).await;
    board.wait("comment").await;
    board.tell(&json!({ "type": "look", "node": 0 })).await;
    assert_eq!(board.wait("state").await["state"]["pieces"].as_array().map(Vec::len), Some(32));
    drop(board);
    let gone = server.send("DELETE", &format!("/api/matches/{id}?key={key}"), "", b"").await;
    assert_eq!(gone.status, 204);
    assert_eq!(server.get(&format!("/api/matches/{id}")).await.status, 404);
    let back = server.send("POST", &format!("/api/matches/{id}/restore?key={key}"), "", b"").await;
    assert_eq!(back.status, 204);
    let data = server.stop().await;
    let server = Running::start_in(data).await;
    let seen = server.get(&format!("/api/matches/{id}?key={key}")).await.json();
    assert_eq!(seen["nodes"][1]["comment"], "no pawn");
    assert_eq!(seen["state"]["pieces"].as_array().map(Vec::len), Some(31));
    assert_eq!(seen["state"]["mover"], 1);
}

/// How long it takes is measured by `bench/`: a limit on wall-clock time fails on a busy machine.
#[tokio::test(flavor = "multi_thread")]
async fn a_move_is_answered_in_every_kind_of_game() {
    let server = Running::start().await;
    for game in ["chess", "go", "shogi", "international-draughts", "raumschach", "amazons"] {
        let (id, key) = server.new_match(game, 0, json!([])).await;
        let mut board = server.connect(&id, &key).await;
        board.wait("match").await;
        for n in 0..4 {
            let mv = board.moves()[0].clone();
            board.play(&mv, &n.to_string()).await;
            let moved = board.wait("moved").await;
            assert_eq!(moved["node"]["ply"], n + 1, "{game}");
            assert_eq!(moved["node"]["long"], mv, "{game}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_analysis_tells_lines_and_scores() {
    let server = Running::start().await;
    let (id, key) = server.new_match("chess", 0, json!([])).await;
    let mut board = server.connect(&id, &key).await;
    board.wait("match").await;
    board.tell(&json!({ "type": "analyse", "on": true, "node": 0, "lines": 3 })).await;
    let mut most = 0;
    for _ in 0..40 {
        let told = board.wait("analysis").await;
        most = most.max(told["lines"].as_array().map_or(0, Vec::len));
        if most == 3 {
            break;
        }
    }
    assert_eq!(most, 3);
    board.wait("score").await;
    board.tell(&json!({ "type": "analyse", "on": false, "node": 0, "lines": 3 })).await;
    while !board.wait("thinking").await["thinking"].is_null() {}
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unknown_game_is_tried_out_beside_the_table() {
    let server = Running::start().await;
    let (id, key) = server.new_match("dodgem", 0, json!([])).await;
    let mut board = server.connect(&id, &key).await;
    board.wait("match").await;
    board.tell(&json!({ "type": "hint" })).await;
    board.wait("hint").await;
    let folder = server.data.path().join("tuned");
    let kept = || {
        let found = std::fs::read_dir(&folder).ok()?.flatten().map(|it| it.path());
        let mut texts = found.filter(|it| it.extension().is_some_and(|it| it == "txt"));
        std::fs::read_to_string(texts.next()?).ok()
    };
    let mut text = kept();
    for _ in 0..600 {
        if text.is_none() {
            tokio::time::sleep(Duration::from_millis(100)).await;
            text = kept();
        }
    }
    assert!(text.as_ref().is_some_and(|it| it.contains("\ntried ")), "{text:?}");
    // It plays on with what was found.
    board.tell(&json!({ "type": "hint" })).await;
    let hint = board.wait("hint").await;
    assert!(hint["move"].is_string(), "{hint}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_puzzle_shows_its_solution() {
    let server = Running::start().await;
    let made =
        server.post("/api/matches/solution", &json!({ "game": "river-crossing", "n": 0 })).await;
    assert_eq!(made.status, 201, "{}", made.text());
    let id = text(&made.json()["id"]);
    let seen = server.get(&format!("/api/matches/{id}")).await.json();
    assert!(seen["nodes"].as_array().is_some_and(|it| it.len() > 5));
    assert_eq!(seen["current"], 0);
    let none = server.post("/api/matches/solution", &json!({ "game": "chess", "n": 0 })).await;
    assert_eq!(none.status, 404);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_board_without_kings_is_told_of_before_it_is_played() {
    let server = Running::start().await;
    let (id, key) = server.new_match("chess", 0, json!([person(), person()])).await;
    let mut board = server.connect(&id, &key).await;
    board.wait("match").await;
    let pieces = board.seen["pieces"].as_array().cloned().unwrap_or_default();
    let game = server.get("/api/games/chess/0").await.json();
    let is_king = |it: &Value| {
        let kind = it["kind"].as_u64().unwrap_or(0) as usize;
        game["kinds"][kind]["name"] == "King"
    };
    let mut ask = async |id: u32, pieces: Vec<Value>| {
        let setup = json!({ "pieces": pieces, "hands": [], "mover": 0 });
        board.tell(&json!({ "type": "tryEdit", "node": 0, "setup": setup, "id": id })).await;
        board.wait("tried").await
    };
    let whole = ask(1, pieces.clone()).await;
    assert_eq!((whole["nMoves"].as_u64(), whole["oddities"].as_array()), (Some(20), Some(&vec![])));
    assert_eq!(whole["outcome"], Value::Null);
    let kingless = pieces.iter().filter(|it| !is_king(it)).cloned().collect();
    let odd = ask(2, kingless).await;
    assert_eq!(odd["oddities"], json!(["White has no King.", "Black has no King."]));
    let empty = ask(3, Vec::new()).await;
    assert_eq!(empty["oddities"], json!(["White has no pieces.", "Black has no pieces."]));
    assert!(text(&empty["outcome"]["text"]).len() > 2, "{empty}");
    // Nothing was changed by asking.
    let seen = server.get(&format!("/api/matches/{id}?key={key}")).await.json();
    assert_eq!(seen["nodes"].as_array().map(Vec::len), Some(1));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_solution_joins_the_list_only_when_somebody_plays_in_it() {
    let server = Running::start().await;
    let made = server
        .post("/api/matches/solution", &json!({ "game": "peg-solitaire", "n": 0 }))
        .await
        .json();
    let (id, key) = (text(&made["id"]), text(&made["key"]));
    let listed = server.get("/api/matches").await.json();
    assert_eq!(listed.as_array().map(Vec::len), Some(0), "{listed}");
    let mut board = server.connect(&id, &key).await;
    assert_eq!(board.wait("match").await["match"]["isSolution"], true);
    // A move of the solution is looking; another one is playing.
    let known = server.get(&format!("/api/matches/{id}?key={key}")).await.json();
    let first = text(&known["nodes"][1]["long"]);
    let own = board.moves().into_iter().find(|it| *it != first).expect("there are several");
    board.play(&own, "mine").await;
    board.wait("moved").await;
    let listed = server.get("/api/matches").await.json();
    assert_eq!((listed.as_array().map(Vec::len), listed[0]["round"].as_u64()), (Some(1), Some(1)));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reopened_save_lets_the_engine_play_as_the_user_set_it() {
    let server = Running::start().await;
    let user = json!({ "favourites": [], "recent": [], "preferences": { "level": 8, "seconds": 7, "variety": 2 } });
    let json = "content-type: application/json\r\n";
    server.send("PUT", "/api/user", json, user.to_string().as_bytes()).await;
    let (id, _) = server.new_match("chess", 0, json!([person(), engine(8)])).await;
    let save = server.get(&format!("/api/matches/{id}/save.zsg")).await.text();
    let made = server.send("POST", "/api/matches/load", "", save.as_bytes()).await.json();
    let seen = server.get(&format!("/api/matches/{}", text(&made["id"]))).await.json();
    let setup = &seen["seats"][1]["setup"];
    assert_eq!((&setup["level"], setup["seconds"].as_f64()), (&json!(8), Some(7.0)), "{setup}");
}
