//! Games on pages without scripts: begun, played, resigned, with nothing but links and forms.

mod common;

use common::{Answer, Client, Running};

const FORM: &str = "Content-Type: application/x-www-form-urlencoded\r\n";

async fn post(client: &Client, path: &str, body: &str) -> Answer {
    client.send("POST", path, FORM, body.as_bytes()).await
}

/// The value of a hidden field of the first form that has it.
fn field(page: &str, name: &str) -> String {
    let start = format!("name=\"{name}\" value=\"");
    let (_, after) = page.split_once(&start).unwrap_or_else(|| panic!("no {name}: {page}"));
    after.split('"').next().unwrap_or("").to_owned()
}

/// Begins a game: the address of its page.
async fn begun(client: &Client, game: &str, side: &str) -> String {
    let form = client.get(&format!("/text/game/{game}/0")).await;
    assert_eq!(form.status, 200, "{}", form.text());
    let body = format!("game={game}&n=0&side={side}&level=1");
    let made = post(client, "/text/begin", &body).await;
    assert_eq!(made.status, 303, "{}", made.text());
    made.header("location").expect("it leads to a page")
}

#[tokio::test(flavor = "multi_thread")]
async fn every_game_is_listed_without_scripts() {
    let server = Running::start().await;
    let page = server.guest().get("/text").await;
    for wanted in ["/text/game/chess/0", "/text/game/preset-xiangqi/0", "(preset)"] {
        assert!(page.text().contains(wanted), "{wanted}");
    }
    assert!(!page.text().contains("<script"));
    let policy = page.header("content-security-policy").expect("a policy");
    assert!(policy.contains("default-src 'none'") && policy.contains("form-action 'self'"));
    let whole = server.get("/").await.header("content-security-policy").expect("a policy");
    assert!(whole.contains("form-action 'none'"), "{whole}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_is_played_against_the_engine_and_resigned_without_scripts() {
    let server = Running::start().await;
    for game in ["chess", "preset-chess"] {
        let guest = server.guest();
        let place = begun(&guest, game, "0").await;
        let page = guest.get(&place).await.text();
        assert!(page.contains("White to move. It is your turn."), "{page}");
        let (key, node) = (field(&page, "key"), field(&page, "node"));
        let path = place.split('?').next().expect("a path");
        let typed = if game == "chess" { "e2-e4" } else { "P e2-e4" };
        let typed = match page.contains("value=\"Pawn e2 - e4\"") {
            true => "Pawn+e2+-+e4".to_owned(),
            false => typed.replace(' ', "+"),
        };
        let played = post(&guest, path, &format!("key={key}&node={node}&move={typed}")).await;
        assert_eq!(played.status, 303, "{}", played.text());
        // The page asks again by itself until the engine has moved. Asking without a pause is
        // for the owner, who has no limits.
        let mut page = server.get(&place).await.text();
        while page.contains("http-equiv=\"refresh\"") {
            page = server.get(&place).await.text();
        }
        assert!(page.contains("It is your turn."), "{page}");
        // A move that is not legal is refused with the reason, and the game goes on.
        let node = field(&page, "node");
        let refused = post(&guest, path, &format!("key={key}&node={node}&move=a1-a8")).await;
        assert_eq!(refused.status, 200);
        assert!(refused.text().contains("role=\"alert\""), "{}", refused.text());
        let ended = post(&guest, path, &format!("key={key}&node={node}&act=resign")).await;
        assert_eq!(ended.status, 303, "{}", ended.text());
        let page = guest.get(&place).await.text();
        assert!(page.contains("Black wins"), "{page}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn without_the_key_a_match_can_only_be_watched() {
    let server = Running::start().await;
    let guest = server.guest();
    let place = begun(&guest, "tic-tac-toe", "all").await;
    let path = place.split('?').next().expect("a path");
    let key = place.split("key=").nth(1).expect("a key");
    let watched = guest.get(path).await.text();
    assert!(!watched.contains(key), "{watched}");
    assert!(!watched.contains("name=\"move\"") && !watched.contains("Resign"), "{watched}");
    let page = guest.get(&place).await.text();
    let (_, after) = page.split_once("<button name=\"move\" value=\"").expect("a move");
    let mv = after.split('"').next().unwrap_or("").replace(' ', "+");
    let refused = post(&guest, path, &format!("key=wrong&node=0&move={mv}")).await;
    assert!(refused.text().contains("role=\"alert\""), "{}", refused.text());
    // A page of another site cannot send the form.
    let headers = format!("{FORM}Origin: http://wolf.example\r\n");
    let body = format!("key={key}&node=0&move={mv}");
    let foreign = guest.send("POST", path, &headers, body.as_bytes()).await;
    assert_eq!(foreign.status, 403);
    let played = post(&guest, path, &body).await;
    assert_eq!(played.status, 303, "{}", played.text());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_choice_is_asked_with_buttons() {
    let server = Running::start().await;
    let guest = server.guest();
    let place = begun(&guest, "preset-chess", "all").await;
    let path = place.split('?').next().expect("a path");
    let key = place.split("key=").nth(1).expect("a key");
    let line = ["e2-e4", "d7-d5", "e4-d5", "c7-c6", "d5-c6", "a7-a6", "c6-b7", "a6-a5"];
    for turn in line {
        let node = field(&guest.get(&place).await.text(), "node");
        let played = post(&guest, path, &format!("key={key}&node={node}&move={turn}")).await;
        assert_eq!(played.status, 303, "{turn} {}", played.text());
    }
    let node = field(&guest.get(&place).await.text(), "node");
    let asked = post(&guest, path, &format!("key={key}&node={node}&move=b7-a8")).await.text();
    assert!(asked.contains("Q-a8") && asked.contains("N-a8"), "{asked}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_not_there_is_said_on_a_page() {
    let server = Running::start().await;
    for path in ["/text/game/wolf/0", "/text/m/wolf?key=x", "/text/game/chess/999"] {
        let page = server.guest().get(path).await;
        assert_eq!(page.status, 404, "{path}");
        assert!(page.text().contains("<h1>This did not work</h1>"), "{}", page.text());
    }
}
