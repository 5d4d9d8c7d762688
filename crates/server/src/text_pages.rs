//! Every game as plain pages, for browsers without scripts, screen readers and slow lines.
//!
//! There is no script to keep a key, so the key of a match is part of the address of its
//! page and a hidden field of its forms. Like every key it opens that match and nothing
//! else; the key of the person at the machine is never asked for here, so that matches
//! begun on these pages count as those of a guest.

use axum::{
    Form, Router,
    extract::{Path, Query, State},
    http::{HeaderValue, StatusCode, header},
    response::{Html, IntoResponse, Redirect, Response},
    routing::{get, post},
};
use boardwright_protocol::{GameCard, NewMatch, SeatSetup};
use boardwright_referee::MatchCommand;
use serde::Deserialize;
use tokio::sync::oneshot;

use crate::{
    app::App,
    error::ApiError,
    language,
    matches::{self, ask},
    table::{Message, TextRefusal, TextView},
    visitor::Visitor,
};

/// These pages send forms to this server and load nothing.
const POLICY: &str = "default-src 'none'; base-uri 'none'; form-action 'self'; \
                      frame-ancestors 'none'; style-src 'unsafe-inline'";
/// Seconds until a page that waits for a move asks again.
const REFRESH: u32 = 2;
/// Seconds that an engine thinks.
const THINKING: f64 = 1.0;

pub(crate) fn router() -> Router<App> {
    Router::new()
        .route("/text", get(index))
        .route("/text/", get(index))
        .route("/text/game/{game}/{n}", get(game))
        .route("/text/begin", post(begin))
        .route("/text/m/{id}", get(show).post(act))
}

/// A text as part of a page.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for it in text.chars() {
        match it {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            it if it.is_control() && it != '\n' => out.push(' '),
            it => out.push(it),
        }
    }
    out
}

/// A page around some content; `refresh` has the browser ask again.
fn page(status: StatusCode, title: &str, refresh: bool, body: &str) -> Response {
    let title = escaped(title);
    let again = match refresh {
        true => format!("<meta http-equiv=\"refresh\" content=\"{REFRESH}\">\n"),
        false => String::new(),
    };
    let html = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n{again}\
         <title>{title} - Boardwright</title>\n\
         <style>body{{max-width:60em;margin:1em auto;padding:0 1em;font:1em/1.5 sans-serif}}\
         pre{{font-size:1.1em;line-height:1.25;overflow-x:auto}}\
         form.moves button{{margin:0 .3em .4em 0}}</style>\n</head>\n<body>\n\
         <nav><a href=\"/text\">All games</a></nav>\n<main>\n<h1>{title}</h1>\n{body}</main>\n</body>\n</html>\n"
    );
    let mut response = (status, Html(html)).into_response();
    let headers = response.headers_mut();
    // Without a referrer browsers do not say that a form comes from our own page. The address
    // with its key is told to this server only.
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("same-origin"));
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    response
}

/// An error as a page.
fn failure(error: &ApiError) -> Response {
    let hint = error.problem.hint.as_deref().unwrap_or("");
    let body = format!("<p>{}</p>\n<p>{}</p>\n", escaped(&error.problem.error), escaped(hint));
    page(error.status, "This did not work", false, &body)
}

/// `GET /text`: all games.
async fn index(State(app): State<App>) -> Response {
    app.library.ready().await;
    let games = app.library.view().games;
    let mut body = "<p>Board games as plain text. Choose a game; every move is a button or can \
                    be typed.</p>\n<ul>\n"
        .to_owned();
    let item = |game: &GameCard, n: u32, title: &str| {
        let kind = if game.is_preset { " (preset)" } else { "" };
        let address = format!("/text/game/{}/{n}", language::escaped(&game.id));
        format!("<li><a href=\"{address}\">{}</a>{kind}", escaped(title))
    };
    for game in games.iter().filter(|it| !it.broken) {
        let mut variants = game.variants.iter().filter(|it| !it.is_menu);
        let Some(first) = variants.next() else { continue };
        body.push_str(&item(game, first.n, &game.title));
        let others: Vec<String> = variants.map(|it| item(game, it.n, &it.title)).collect();
        if !others.is_empty() {
            body.push_str(&format!("\n<ul>\n{}</li>\n</ul>", others.join("</li>\n")));
        }
        body.push_str("</li>\n");
    }
    body.push_str("</ul>\n");
    page(StatusCode::OK, "Games", false, &body)
}

/// `GET /text/game/{game}/{n}`: the rules in short, and a form to begin.
async fn game(State(app): State<App>, Path((id, n)): Path<(String, usize)>) -> Response {
    let made = async {
        let playable = app.playable(&id, n).await?;
        let library = app.library.clone();
        app.work(move || language::game_view(&library, &playable)).await?
    };
    let view = match made.await {
        Ok(it) => it,
        Err(error) => return failure(&error),
    };
    let mut body = String::new();
    let text = view.description.as_deref().unwrap_or("").replace('\\', "\n");
    for paragraph in text.split('\n').map(str::trim).filter(|it| !it.is_empty()) {
        body.push_str(&format!("<p>{}</p>\n", escaped(paragraph)));
    }
    let seats: Vec<&str> =
        view.players.iter().filter(|it| it.is_seat).map(|it| it.name.as_str()).collect();
    body.push_str("<form method=\"post\" action=\"/text/begin\">\n");
    for (name, value) in [("game", id.as_str()), ("n", &n.to_string())] {
        body.push_str(&format!(
            "<input type=\"hidden\" name=\"{name}\" value=\"{}\">\n",
            escaped(value)
        ));
    }
    let has_engine = view.preset.as_ref().is_none_or(|it| it.has_engine);
    if seats.len() > 1 && has_engine {
        body.push_str("<p><label>You play <select name=\"side\">\n");
        for (at, name) in seats.iter().enumerate() {
            body.push_str(&format!("<option value=\"{at}\">{}</option>\n", escaped(name)));
        }
        body.push_str("<option value=\"all\">all sides</option>\n</select></label>\n");
        body.push_str("<label>Level of the engine <select name=\"level\">\n");
        for level in 1..=10 {
            let chosen = if level == 3 { " selected" } else { "" };
            body.push_str(&format!("<option{chosen}>{level}</option>\n"));
        }
        body.push_str("</select></label></p>\n");
    }
    body.push_str("<p><button type=\"submit\">Begin</button></p>\n</form>\n");
    page(StatusCode::OK, &view.title, false, &body)
}

/// What the form to begin has.
#[derive(Deserialize)]
struct Beginning {
    game: String,
    n: u32,
    #[serde(default)]
    side: String,
    #[serde(default)]
    level: Option<u8>,
}

/// `POST /text/begin`: begins a match and leads to its page.
async fn begin(
    State(app): State<App>,
    visitor: Visitor,
    Form(wanted): Form<Beginning>,
) -> Response {
    let made = async {
        let playable = app.playable(&wanted.game, wanted.n as usize).await?;
        let level = wanted.level.unwrap_or(3).clamp(1, 10);
        let engine = || SeatSetup::Engine { level, seconds: THINKING, depth: None, variety: 2 };
        let person = || SeatSetup::Person { name: String::new() };
        let own: Option<usize> = wanted.side.parse().ok();
        let can_think = playable.rules.lists_moves();
        let seat = |at: usize| match own {
            Some(own) if own != at && can_think => engine(),
            _ => person(),
        };
        let seats = (0..playable.seats().len()).map(seat).collect();
        let new = NewMatch { game: wanted.game.clone(), n: wanted.n, seats, setup: None };
        matches::create(State(app.clone()), visitor, axum::Json(new)).await
    };
    match made.await {
        Ok((_, axum::Json(it))) => Redirect::to(&address(&it.id, &it.key)).into_response(),
        Err(error) => failure(&error),
    }
}

fn address(id: &str, key: &str) -> String {
    format!("/text/m/{}?key={}", language::escaped(id), language::escaped(key))
}

#[derive(Deserialize)]
struct KeyQuery {
    #[serde(default)]
    key: String,
}

/// `GET /text/m/{id}?key=…`: how a match stands.
async fn show(
    State(app): State<App>,
    Path(id): Path<String>,
    Query(query): Query<KeyQuery>,
) -> Response {
    shown(&app, &id, &query.key, None).await
}

async fn shown(app: &App, id: &str, key: &str, refused: Option<&TextRefusal>) -> Response {
    let asked = ask(app, id, |reply| Message::Text { key: key.to_owned(), reply }).await;
    match asked {
        Ok(view) => {
            let body = match_body(&view, id, key, refused);
            let refresh = view.is_waiting && refused.is_none();
            page(StatusCode::OK, &view.title, refresh, &body)
        }
        Err(error) => failure(&error),
    }
}

/// What a form on the page of a match has.
#[derive(Deserialize)]
struct Action {
    #[serde(default)]
    key: String,
    #[serde(default)]
    node: u32,
    /// A move that was chosen, or typed.
    #[serde(default, rename = "move")]
    mv: String,
    /// `resign` or `back`.
    #[serde(default)]
    act: String,
}

/// `POST /text/m/{id}`: a move, a resignation, a move taken back.
async fn act(
    State(app): State<App>,
    Path(id): Path<String>,
    Form(action): Form<Action>,
) -> Response {
    let key = action.key.as_str();
    let view = ask(&app, &id, |reply| Message::Text { key: key.to_owned(), reply }).await;
    let view = match view {
        Ok(it) => it,
        Err(error) => return failure(&error),
    };
    let command = match action.act.as_str() {
        "resign" => view.own_seat.map(|seat| MatchCommand::Resign { seat }),
        "back" => Some(MatchCommand::TakeBack),
        _ => {
            let typed = action.mv.trim();
            let listed =
                view.moves.iter().find(|it| it.0.eq_ignore_ascii_case(typed) || it.1 == typed);
            let text = listed.map_or_else(|| typed.to_owned(), |it| it.1.clone());
            Some(MatchCommand::Play { node: action.node, text })
        }
    };
    let Some(command) = command else { return shown(&app, &id, key, None).await };
    let (reply, answer) = oneshot::channel();
    let message = Message::Act { key: key.to_owned(), command, reply };
    let sent = async {
        app.tables.open(&id).await?.send(message).await.map_err(ApiError::internal)?;
        answer.await.map_err(ApiError::internal)
    };
    match sent.await {
        Ok(Ok(())) => Redirect::to(&address(&id, key)).into_response(),
        Ok(Err(refusal)) => shown(&app, &id, key, Some(&refusal)).await,
        Err(error) => failure(&error),
    }
}

/// The content of the page of a match.
fn match_body(view: &TextView, id: &str, key: &str, refused: Option<&TextRefusal>) -> String {
    let mut body = String::new();
    let form = |class: &str, inside: &str| {
        format!(
            "<form method=\"post\" action=\"/text/m/{}\"{class}>\n\
             <input type=\"hidden\" name=\"key\" value=\"{}\">\n\
             <input type=\"hidden\" name=\"node\" value=\"{}\">\n{inside}</form>\n",
            language::escaped(id),
            escaped(key),
            view.node
        )
    };
    let button = |shown: &str, value: &str| {
        let (shown, value) = (escaped(shown), escaped(value));
        format!("<button name=\"move\" value=\"{value}\">{shown}</button>\n")
    };
    if let Some(it) = refused {
        body.push_str(&format!("<p role=\"alert\"><b>{}</b></p>\n", escaped(&it.message)));
        let choices: String = it.choices.iter().map(|it| button(&it.0, &it.1)).collect();
        if !choices.is_empty() {
            body.push_str(&form(" class=\"moves\"", &choices));
        }
    }
    match (&view.outcome, &view.mover) {
        (Some(outcome), _) => body.push_str(&format!("<p><b>{}</b></p>\n", escaped(outcome))),
        (None, Some(mover)) => {
            let who = match view.seat {
                Some(_) => "It is your turn.",
                None if view.is_waiting => "Please wait; this page asks again by itself.",
                None => "",
            };
            body.push_str(&format!("<p>{} to move. {who}</p>\n", escaped(mover)));
        }
        (None, None) => {}
    }
    body.push_str(&format!("<pre>{}</pre>\n", escaped(&view.board)));
    for message in &view.messages {
        body.push_str(&format!("<p>{}</p>\n", escaped(message)));
    }
    if let Some(last) = view.record.last() {
        body.push_str(&format!("<p>Last move: {}</p>\n", escaped(last)));
    }
    if view.seat.is_some() {
        let typed = "<p><label>Your move <input name=\"move\" autocomplete=\"off\" \
                     autocapitalize=\"off\" spellcheck=\"false\"></label>\n\
                     <button type=\"submit\">Play</button></p>\n";
        body.push_str(&form("", typed));
        let moves: String = view.moves.iter().map(|it| button(&it.0, &it.1)).collect();
        if !moves.is_empty() {
            body.push_str("<h2>Legal moves</h2>\n");
            body.push_str(&form(" class=\"moves\"", &moves));
        }
        if view.n_moves > view.moves.len() {
            body.push_str(&format!(
                "<p>{} more can be typed.</p>\n",
                view.n_moves - view.moves.len()
            ));
        }
    }
    if view.own_seat.is_some() {
        let mut others = String::new();
        if !view.record.is_empty() {
            others.push_str("<button name=\"act\" value=\"back\">Take back</button>\n");
        }
        if view.outcome.is_none() {
            others.push_str("<button name=\"act\" value=\"resign\">Resign</button>\n");
        }
        body.push_str(&form("", &others));
    }
    if !view.record.is_empty() {
        let all: Vec<String> = view.record.iter().map(|it| escaped(it)).collect();
        body.push_str(&format!("<h2>Moves so far</h2>\n<p>{}</p>\n", all.join(", ")));
    }
    let whole = format!("/m/{}?key={}", language::escaped(id), language::escaped(key));
    body.push_str(&format!("<p><a href=\"{whole}\">The page with the drawn board</a></p>\n"));
    body
}
