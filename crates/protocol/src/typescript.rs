//! Writes the types of this crate as TypeScript for the page.

use std::{fmt::Write, path::Path};

use boardwright_golden::PROTOCOL;
use ts_rs::{Config, TS};

use crate::{
    CellView, ChatLine, ChoiceView, Clicks, Command, CoordView, Created, DiagnosticView, Draft,
    DraftView, EffectView, EnforcementView, Event, FieldKind, FieldView, Flip, GameCard, GameView,
    GoalView, HandCount, ImagePiece, ImageSet, ImportText, ImportView, Invitation, KindView,
    LayoutView, Length, LevelView, LibraryView, LineEnds, LineView, LookView, MatchCard, MatchView,
    MoveView, NewMatch, NodeKind, NodeView, OptionsView, OutcomeView, PictureAdded, PieceSetView,
    PieceView, PileView, PlacedView, PlayerSites, PlayerView, Preference, PresetFields, PresetView,
    ProblemView, Purpose, SavedPreset, SeatSetup, SeatView, SeverityView, SideView, Skipped,
    Solution, StateSetup, StateView, StrokeView, StyleView, ThinkingView, TokenView, TrimView,
    Uploaded, UploadedGame, UserView, VariantCard, VariantView, VisitorView, ZoneView,
};

const HEAD: &str = "\
// The wire between the Boardwright server and its page.
// Written by a test of crates/protocol from its types: change those, then run
//   BLESS_PROTOCOL=1 cargo test -p boardwright-protocol
// All ids are small numbers that index lists of GameView: sites, players, kinds.

export type Site = number;
export type Player = number;
export type Kind = number;
";

/// A list of types, each as its declaration.
macro_rules! declared {
    ($config:expr, $out:expr, $($type:ty),* $(,)?) => {
        $(declare($out, <$type as TS>::docs(), &<$type as TS>::decl($config));)*
    };
}

fn declare(out: &mut String, docs: Option<String>, decl: &str) {
    let docs = docs.map(|it| indented(&it) + "\n").unwrap_or_default();
    // Writing to a string cannot fail.
    let _ = write!(out, "\n{docs}export {}\n", spread(decl));
}

/// Puts each field of an object type on a line of its own.
fn spread(decl: &str) -> String {
    let mut out = String::new();
    let mut depth = 0_usize;
    let mut chars = decl.chars().peekable();
    let (mut in_text, mut in_comment) = (false, false);
    while let Some(ch) = chars.next() {
        match ch {
            '"' if !in_comment => in_text = !in_text,
            '/' if !in_text && chars.peek() == Some(&'*') => in_comment = true,
            '/' if in_comment && out.ends_with('*') => in_comment = false,
            '{' | '<' | '[' if !in_text && !in_comment => depth += 1,
            '}' | '>' | ']' if !in_text && !in_comment => depth = depth.saturating_sub(1),
            _ => {}
        }
        let ends_field = ch == ',' && depth == 1 && !in_text && !in_comment;
        out.push(ch);
        if ends_field {
            while chars.next_if(|it| *it == ' ').is_some() {}
            if chars.peek() != Some(&'\n') {
                out.push_str("\n  ");
            }
        }
    }
    indented(&out)
}

/// Fields two columns in, with a comment of one line on one line.
fn indented(text: &str) -> String {
    let text = text.replace("/**\n * ", "/** ");
    let mut out: Vec<String> = Vec::new();
    for line in text.lines().map(str::trim).filter(|it| !it.is_empty()) {
        let is_edge = out.is_empty() || line.starts_with('}');
        match (line, out.last_mut()) {
            ("*/", Some(last)) => last.push_str(" */"),
            (line, _) if is_edge => out.push(line.to_owned()),
            (line, _) => out.push(format!("  {line}")),
        }
    }
    out.join("\n")
}

fn all() -> String {
    let config = &Config::default();
    let mut out = HEAD.to_owned();
    declared!(
        config,
        &mut out,
        LibraryView,
        GameCard,
        VariantCard,
        Length,
        GameView,
        PresetView,
        EnforcementView,
        VariantView,
        PlayerView,
        KindView,
        PieceSetView,
        PileView,
        LookView,
        TokenView,
        TrimView,
        ImageSet,
        ImagePiece,
        LayoutView,
        StyleView,
        CellView,
        StrokeView,
        CoordView,
        SideView,
        LevelView,
        ZoneView,
        OptionsView,
        Flip,
        GoalView,
        PlayerSites,
        DiagnosticView,
        SeverityView,
        NewMatch,
        SeatSetup,
        StateSetup,
        PlacedView,
        HandCount,
        Solution,
        Created,
        Invitation,
        MatchCard,
        MatchView,
        SeatView,
        NodeView,
        NodeKind,
        StateView,
        MoveView,
        Clicks,
        EffectView,
        OutcomeView,
        Command,
        Event,
        ChoiceView,
        PieceView,
        ChatLine,
        ThinkingView,
        Purpose,
        LineView,
        LineEnds,
        Uploaded,
        UploadedGame,
        Skipped,
        UserView,
        VisitorView,
        Preference,
        ProblemView,
        PresetFields,
        FieldView,
        FieldKind,
        Draft,
        DraftView,
        ImportText,
        ImportView,
        PictureAdded,
        SavedPreset,
    );
    out
}

#[test]
fn the_page_has_the_same_types() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web/protocol/index.ts");
    PROTOCOL.compare(&path, &all()).unwrap_or_else(|it| panic!("{it}"));
}

#[test]
fn commands_and_events_look_as_the_page_writes_them() {
    let check = |text: &str| {
        let command: Command = serde_json::from_str(text).expect(text);
        let back = serde_json::to_value(&command).expect("it is data");
        assert_eq!(back, serde_json::from_str::<serde_json::Value>(text).expect("it is JSON"));
    };
    check(r#"{"type":"play","node":3,"move":"Pawn e2 - e4","id":"a1"}"#);
    check(r#"{"type":"takeBack"}"#);
    check(r#"{"type":"goOnFrom","node":0}"#);
    check(r#"{"type":"analyse","on":true,"node":2,"lines":3}"#);
    check(
        r#"{"type":"seat","seat":1,"setup":{"type":"engine","level":3,"seconds":1.5,"depth":null,"variety":0}}"#,
    );
    check(
        r#"{"type":"edit","node":0,"setup":{"pieces":[{"site":1,"player":0,"kind":2}],"hands":[],"mover":1}}"#,
    );
    let event = Event::Hint { node: 1, mv: "Pass".into(), from: None, to: Some(3), why: "".into() };
    let text = serde_json::to_string(&event).expect("it is data");
    assert_eq!(text, r#"{"type":"hint","node":1,"move":"Pass","from":null,"to":3,"why":""}"#);
    let problem = ProblemView { error: "no".into(), hint: None, diagnostics: Vec::new() };
    let text = serde_json::to_string(&problem).expect("it is data");
    assert_eq!(text, r#"{"error":"no","hint":null}"#);
}
