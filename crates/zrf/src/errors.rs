//! Every message of the language, one function each.
//!
//! Wording can so be read as prose, and codes listed by a tool. Messages are in
//! lower case, without a full stop, and say what is there; hints say what to do.
//! What the original let pass, or what only old files do, is a warning.

use boardwright_text::{Code, Diagnostic, Span, nearest};

use crate::{IncludeError, budget::Shortage, limits::CompileLimits};

mod code;

pub(crate) use code::*;

macro_rules! codes {
    ($($name:ident $code:literal $title:literal)*) => {
        $(const $name: Code = Code($code);)*

        /// Every code with a short title, in ascending order.
        pub const CODES: &[(Code, &str)] = &[$((Code($code), $title)),*];
    };
}

codes! {
    NOT_TEXT "Z0001" "the file is not text"
    FILE_TOO_LARGE "Z0002" "the file is too large"
    UNCLOSED_STRING "Z0003" "a string is not closed"
    MISSING_CLOSER "Z0004" "a closing parenthesis is missing"
    EXTRA_CLOSER "Z0005" "a closing parenthesis too many"
    NESTED_TOO_DEEPLY "Z0006" "lists are nested too deeply"
    TOO_MANY_NODES "Z0007" "the file has too many words"
    STRAY_TEXT "Z0008" "text outside any list"
    OUT_OF_MEMORY "Z0009" "the rules need too much memory"

    INCLUDE_FAILED "Z0010" "an included file cannot be read"
    INCLUDE_OUTSIDE "Z0011" "an include leaves the folder of the rule file"
    INCLUDE_TOO_DEEP "Z0012" "a file includes itself, or there are too many includes"
    MALFORMED_INCLUDE "Z0013" "an include without a file name"

    DEFINE_WITHOUT_NAME "Z0020" "a macro without a name"
    MACRO_TWICE "Z0021" "a macro is defined twice"
    MACRO_TOO_DEEP "Z0022" "a macro calls itself, or calls nest too deeply"
    OUT_OF_STEPS "Z0023" "the rules take too many steps to compile"
    LIST_PASTED "Z0024" "a list is pasted into a word"
    PASTED_TOO_LONG "Z0025" "pasted text is too long"
    MACRO_SHADOWS "Z0026" "a macro is named like a keyword"
    ARGUMENT_OUTSIDE "Z0027" "a macro argument outside any macro"
    NESTED_DEFINE "Z0028" "a macro is defined inside something else"
    STOPPED "Z0029" "compiling was stopped"

    NO_GAME "Z0030" "the file has no game"
    NEWER_VERSION "Z0031" "the file needs a newer version"
    TWO_VERSIONS "Z0032" "two version statements"
    UNKNOWN_TOP_LEVEL "Z0033" "an unknown section of a file"
    NO_TITLE "Z0034" "a game or variant without a title"
    SAME_TITLE "Z0035" "two variants with the same title"
    TWO_DEFAULTS "Z0036" "two default variants"
    SEVERAL_GAMES "Z0037" "several games in one file"
    TOO_MANY_VARIANTS "Z0038" "too many variants"

    UNKNOWN_SECTION "Z0040" "an unknown section"
    REPEATED_SECTION "Z0041" "a section is given twice"
    MISSING_ARGUMENT "Z0042" "an argument is missing"
    EXPECTED "Z0043" "something else is expected here"
    EXTRA_ARGUMENT "Z0044" "an argument too many"
    BAD_OPTION_VALUE "Z0045" "no such option, or no such value of it"
    NOT_A_NUMBER "Z0046" "a number is expected"
    NAME_TOO_LONG "Z0047" "a name or title is too long"
    TOO_MUCH_TEXT "Z0048" "a variant shows too much text"

    NO_PLAYERS "Z0050" "a game without players"
    REPEATED_NAME "Z0051" "a name is given twice"
    TOO_MANY "Z0052" "too many of something"
    NO_TURN_ORDER "Z0053" "a game without a turn order"
    UNKNOWN_PLAYER "Z0054" "no player has that name"
    BAD_TURN "Z0055" "a turn that makes no sense"
    UNKNOWN_MOVE_TYPE "Z0057" "no piece has moves of that type"
    BEYOND_ZILLIONS "Z0058" "more than Zillions allowed"

    NO_BOARD "Z0060" "a game without a board"
    BOARD_TOO_LARGE "Z0061" "the board is too large"
    BAD_GRID "Z0063" "a grid that does not add up"
    UNKNOWN_SITE "Z0064" "no position has that name"
    UNKNOWN_DIRECTION "Z0065" "no direction has that name"
    SITE_TWICE "Z0066" "a position is defined twice"
    BAD_ZONE "Z0067" "a zone lacks a part"
    DIRECTION_TWICE "Z0068" "a direction is given twice"
    KILLED_SITE "Z0070" "a killed position is mentioned"
    EMPTY_BOARD "Z0073" "a board without positions"

    PIECE_WITHOUT_NAME "Z0080" "a piece without a name"
    PIECE_TWICE "Z0081" "a piece is defined twice"
    UNKNOWN_PIECE "Z0082" "no piece has that name"
    NO_PIECES "Z0083" "a game without pieces"

    BAD_SETUP "Z0090" "a setup that makes no sense"
    FILLED_TWICE "Z0092" "a position is filled twice"
    NO_SETUP "Z0093" "a game without a setup"

    UNKNOWN_WORD "Z0100" "an unknown word in move code"
    NOT_A_BLOCK "Z0101" "a move block without parentheses"
    UNKNOWN_CONDITION "Z0102" "an unknown condition"
    CONDITION_AS_INSTRUCTION "Z0103" "a condition stands where something is to be done"
    MISPLACED_ELSE "Z0104" "an else without its if"
    UNKNOWN_ATTRIBUTE "Z0106" "no piece has that attribute"
    UNKNOWN_ZONE "Z0107" "no zone has that name"
    BAD_GO "Z0109" "go knows no such place"
    CODE_TOO_LARGE "Z0110" "the move code is too large"
    FLAG_NEVER_SET "Z0111" "a flag is read but never set"
    BARE_ARGUMENT "Z0112" "a condition with arguments lacks its parentheses"
    EMPTY_CONDITION "Z0113" "a condition with nothing in it"

    UNKNOWN_GOAL "Z0200" "an unknown goal"
    NESTED_GOAL "Z0202" "a goal that belongs at the top"
    GOAL_WITHOUT_PLAYERS "Z0203" "a condition without players"
    GOAL_OF_OUR_OWN "Z0204" "a goal that Zillions does not know"
    GOALS_TOO_COSTLY "Z0205" "the goals take too long to judge"
}

/// A hint with the most similar of the names. Comparing takes time, so callers bound
/// their number by [`Expander::candidates`](crate::expand::Expander::candidates).
fn did_you_mean<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<String> {
    nearest(name, known).map(|it| format!("did you mean `{it}`?"))
}

// --- The reader -------------------------------------------------------------

pub(crate) fn not_text(span: Span, name: &str) -> Diagnostic {
    Diagnostic::error(NOT_TEXT, span, format!("`{name}` is not a text file")).hint(
        "a rule file is plain text; this looks like a program, a picture or an archive".to_owned(),
    )
}

pub(crate) fn file_too_large(span: Span, name: &str, limits: &CompileLimits) -> Diagnostic {
    let most = size(limits.file_bytes);
    Diagnostic::error(FILE_TOO_LARGE, span, format!("`{name}` is larger than {most}"))
        .hint("the largest rule files known have less than 2 MB".to_owned())
}

pub(crate) fn files_too_large(span: Span, name: &str, limits: &CompileLimits) -> Diagnostic {
    let most = size(limits.total_bytes);
    let message = format!("with `{name}` the files are larger than {most} together");
    Diagnostic::error(FILE_TOO_LARGE, span, message)
}

/// `1 offset`, `2 offsets`
pub(crate) fn count(n: usize, what: &str) -> String {
    if n == 1 { format!("1 {what}") } else { format!("{n} {what}s") }
}

/// A number of bytes as people say it.
fn size(bytes: usize) -> String {
    if bytes < 1 << 20 { format!("{bytes} bytes") } else { format!("{} MB", bytes >> 20) }
}

/// `earlier` is a string that may have lost its end before.
pub(crate) fn unclosed_string(span: Span, earlier: Option<Span>) -> Diagnostic {
    let diagnostic = Diagnostic::error(UNCLOSED_STRING, span.head(), "this string is never closed")
        .under("it begins here and runs to the end of the file");
    let diagnostic = match earlier {
        Some(earlier) => diagnostic
            .label(earlier, "perhaps this one lost its end: it runs on over lines of rules"),
        None => diagnostic,
    };
    diagnostic.hint(
        "put a `\"` where it should end; inside a string write ` for a quotation mark".to_owned(),
    )
}

pub(crate) fn missing_closers(
    n: usize,
    outer: Span,
    inner: Span,
    before: Option<Span>,
) -> Diagnostic {
    let what = if n == 1 { "a `)` is missing".to_owned() } else { format!("{n} `)` are missing") };
    let (span, whence) = match before {
        Some(span) => (span, "before this"),
        None => (outer, "at the end of the file"),
    };
    let diagnostic = Diagnostic::warning(MISSING_CLOSER, span, format!("{what} {whence}"));
    let diagnostic = match before {
        Some(_) => diagnostic.label(outer, "this is still open"),
        None => diagnostic.under("this is never closed"),
    };
    if inner == outer { diagnostic } else { diagnostic.label(inner, "and this, inside it") }
}

pub(crate) fn extra_closer(span: Span) -> Diagnostic {
    Diagnostic::warning(EXTRA_CLOSER, span, "this `)` closes nothing")
        .hint("take it away, or look above for a list that was closed too early".to_owned())
}

pub(crate) fn nested_too_deeply(span: Span, limit: usize) -> Diagnostic {
    Diagnostic::error(NESTED_TOO_DEEPLY, span, format!("lists are nested more than {limit} deep"))
}

pub(crate) fn too_many_nodes(span: Span, limit: usize) -> Diagnostic {
    Diagnostic::error(TOO_MANY_NODES, span, format!("the file has more than {limit} words"))
}

pub(crate) fn stray_text(span: Span) -> Diagnostic {
    Diagnostic::warning(STRAY_TEXT, span, "this stands outside any list and is ignored")
        .hint("begin a comment with `;`".to_owned())
}

// --- Includes ---------------------------------------------------------------

pub(crate) fn include_failed(span: Span, path: &str, error: &IncludeError) -> Diagnostic {
    match error {
        IncludeError::Missing => {
            Diagnostic::error(INCLUDE_FAILED, span, format!("there is no file `{path}`"))
                .hint("it is looked for beside this file, then beside the rule file".to_owned())
        }
        IncludeError::Unreadable(why) => {
            Diagnostic::error(INCLUDE_FAILED, span, format!("`{path}` cannot be read: {why}"))
        }
        IncludeError::Outside => {
            let message = format!("`{path}` is outside the folder of the rule file");
            Diagnostic::error(INCLUDE_OUTSIDE, span, message)
                .hint("copy the file beside the rule file and include it from there".to_owned())
        }
    }
}

pub(crate) fn include_too_deep(span: Span, limits: &CompileLimits) -> Diagnostic {
    let message = format!("more than {} files inside one another", limits.include_depth);
    Diagnostic::error(INCLUDE_TOO_DEEP, span, message)
        .hint("does a file include itself?".to_owned())
}

/// `way` holds the files between, and where each is included.
pub(crate) fn include_circle<'a>(
    span: Span,
    name: &str,
    way: impl Iterator<Item = (&'a str, Span)>,
) -> Diagnostic {
    let mut diagnostic = Diagnostic::error(INCLUDE_TOO_DEEP, span, String::new());
    let mut message = format!("`{name}` includes itself");
    for (idx, (file, at)) in way.take(3).enumerate() {
        message.push_str(if idx == 0 { ", by way of " } else { " and " });
        message.push_str(&format!("`{file}`"));
        diagnostic = diagnostic.label(at, format!("`{file}` is included here"));
    }
    Diagnostic { message, ..diagnostic }
        .hint("nothing would ever end that; take out the `include` that leads back".to_owned())
}

pub(crate) fn too_many_includes(span: Span, limits: &CompileLimits) -> Diagnostic {
    let message = format!("more than {} files are included", limits.includes);
    Diagnostic::error(INCLUDE_TOO_DEEP, span, message)
}

pub(crate) fn malformed_include(span: Span) -> Diagnostic {
    Diagnostic::error(MALFORMED_INCLUDE, span, "`include` needs the name of one file")
        .hint("write `(include \"Library.txt\")`".to_owned())
}

// --- Macros -----------------------------------------------------------------

pub(crate) fn define_without_name(span: Span) -> Diagnostic {
    Diagnostic::error(DEFINE_WITHOUT_NAME, span, "`define` needs a name")
        .hint("write `(define name …)`".to_owned())
}

pub(crate) fn macro_defined_twice(span: Span, name: &str, old: Span) -> Diagnostic {
    Diagnostic::warning(MACRO_TWICE, span, format!("the macro `{name}` is defined twice"))
        .under("this one is used")
        .label(old, "this one is forgotten")
}

/// `way` holds the macros between the call and the macro itself.
pub(crate) fn macro_calls_itself(span: Span, name: &str, way: &[&str]) -> Diagnostic {
    let mut message = format!("the macro `{name}` calls itself");
    for (idx, it) in way.iter().take(3).enumerate() {
        message.push_str(if idx == 0 { ", by way of " } else { " and " });
        message.push_str(&format!("`{it}`"));
    }
    Diagnostic::error(MACRO_TOO_DEEP, span, message)
        .hint("nothing would ever end that; use `while` to do something again and again".to_owned())
}

pub(crate) fn macro_too_deep(span: Span, limit: usize) -> Diagnostic {
    let message = format!("macros call one another more than {limit} deep");
    Diagnostic::error(MACRO_TOO_DEEP, span, message)
}

/// What ran out, and at which word.
pub(crate) fn shortage(span: Span, shortage: Shortage, limits: &CompileLimits) -> Diagnostic {
    let diagnostic = match shortage {
        Shortage::Steps => {
            let message = format!("compiling the rules takes more than {} steps", limits.steps);
            Diagnostic::error(OUT_OF_STEPS, span, message)
                .hint("a step is about one word with macros expanded, in all variants".to_owned())
        }
        Shortage::Memory => {
            let most = size(limits.memory);
            let message = format!("compiling the rules takes more than {most} of memory");
            Diagnostic::error(OUT_OF_MEMORY, span, message)
        }
        Shortage::Stopped => {
            Diagnostic::error(STOPPED, span, "compiling the rules took too long and was stopped")
        }
    };
    diagnostic.under("the limit was reached here")
}

pub(crate) fn expansion_too_long(span: Span, limit: usize) -> Diagnostic {
    let message = format!("the expanded text is longer than {} MB", limit >> 20);
    Diagnostic::error(OUT_OF_STEPS, span, message).under("the limit was reached here")
}

pub(crate) fn word_too_long(span: Span, limit: usize) -> Diagnostic {
    Diagnostic::error(NAME_TOO_LONG, span.head(), format!("a word of more than {limit} bytes"))
}

pub(crate) fn name_too_long(span: Span, what: &str, limit: usize) -> Diagnostic {
    let message = format!("the name of a {what} has more than {limit} characters");
    Diagnostic::error(NAME_TOO_LONG, span.head(), message)
}

pub(crate) fn title_too_long(span: Span, limit: usize) -> Diagnostic {
    Diagnostic::error(NAME_TOO_LONG, span.head(), format!("a title of more than {limit} bytes"))
}

pub(crate) fn too_much_text(span: Span, limit: usize) -> Diagnostic {
    let message = format!("the texts of this variant are longer than {} together", size(limit));
    Diagnostic::error(TOO_MUCH_TEXT, span.head(), message)
        .hint("descriptions, help and names of pictures count as often as they occur".to_owned())
}

pub(crate) fn list_pasted(span: Span, argument: Span) -> Diagnostic {
    Diagnostic::warning(LIST_PASTED, span, "a list cannot become part of a word")
        .label(argument, "this argument is a list")
}

pub(crate) fn pasted_too_long(span: Span, limit: usize) -> Diagnostic {
    let message = format!("pasting arguments makes more than {} of text", size(limit));
    Diagnostic::error(PASTED_TOO_LONG, span, message)
}

pub(crate) fn macro_shadows_keyword(span: Span, name: &str) -> Diagnostic {
    Diagnostic::warning(MACRO_SHADOWS, span, format!("the macro `{name}` hides the keyword"))
        .hint("give the macro another name".to_owned())
}

pub(crate) fn argument_outside_macro(span: Span, text: &str) -> Diagnostic {
    Diagnostic::warning(ARGUMENT_OUTSIDE, span, format!("`{text}` stands outside any macro"))
        .under("nobody gives this argument, so it vanishes")
}

pub(crate) fn nested_define(span: Span) -> Diagnostic {
    Diagnostic::warning(NESTED_DEFINE, span, "a macro must be defined at the top level")
        .under("this is ignored")
}

// --- The file ---------------------------------------------------------------

pub(crate) fn no_game(span: Span) -> Diagnostic {
    Diagnostic::error(NO_GAME, span, "there is no game in this file")
        .hint("a rule file holds one `(game …)` and any number of `(variant …)`".to_owned())
}

/// The only section that may be meant as the game is none.
pub(crate) fn misspelt_game(unknown: Diagnostic) -> Diagnostic {
    let message = format!("{}, and there is no game", unknown.message);
    Diagnostic::error(NO_GAME, unknown.span, message).hint("did you mean `game`?".to_owned())
}

pub(crate) fn newer_version(span: Span, version: &str) -> Diagnostic {
    Diagnostic::error(NEWER_VERSION, span, format!("these rules need version {version}"))
        .hint("the language is known up to version 2.0.1".to_owned())
}

pub(crate) fn bad_version(span: Span) -> Diagnostic {
    Diagnostic::error(EXPECTED, span, "a version is digits and dots")
        .hint("write `(version \"2.0\")`".to_owned())
}

pub(crate) fn two_versions(span: Span, old: Span) -> Diagnostic {
    Diagnostic::warning(TWO_VERSIONS, span, "a second `version`").label(old, "the first one")
}

pub(crate) fn unknown_top_level<'a>(
    span: Span,
    name: &str,
    macros: impl Iterator<Item = &'a str>,
) -> Diagnostic {
    let known = ["game", "variant", "define", "include", "version", "translate"];
    Diagnostic::warning(UNKNOWN_TOP_LEVEL, span, format!("`{name}` is no section of a rule file"))
        .under("this is ignored")
        .hint(did_you_mean(name, known.into_iter().chain(macros)))
}

pub(crate) fn section_outside_game(span: Span, name: &str) -> Diagnostic {
    let message = format!("`{name}` stands outside the game");
    Diagnostic::warning(UNKNOWN_TOP_LEVEL, span, message)
        .under("this is ignored")
        .hint("it belongs in `(game …)`; perhaps a `)` too many closed that above".to_owned())
}

pub(crate) fn headless_section(span: Span) -> Diagnostic {
    Diagnostic::warning(UNKNOWN_SECTION, span, "a section is a list that begins with its name")
        .under("this is ignored")
        .hint("a section looks like `(title \"…\")`".to_owned())
}

pub(crate) fn no_title(span: Span, what: &str) -> Diagnostic {
    Diagnostic::warning(NO_TITLE, span, format!("this {what} has no title"))
        .hint("write `(title \"…\")`: menus and saved games need it".to_owned())
}

pub(crate) fn same_title(span: Span, title: &str, old: Span) -> Diagnostic {
    Diagnostic::warning(SAME_TITLE, span, format!("a second variant is called \"{title}\""))
        .label(old, "the first one")
        .hint("saved games find their variant by its title".to_owned())
}

pub(crate) fn two_defaults(span: Span, old: Span) -> Diagnostic {
    Diagnostic::warning(TWO_DEFAULTS, span, "a second `(default)`")
        .label(old, "the first one is used")
}

pub(crate) fn several_games(span: Span, first: Span) -> Diagnostic {
    Diagnostic::warning(SEVERAL_GAMES, span, "a second `game` in one file")
        .label(first, "the first one")
        .hint("the variants that follow a game belong to it".to_owned())
}

pub(crate) fn too_many_variants(span: Span, limit: usize) -> Diagnostic {
    Diagnostic::error(TOO_MANY_VARIANTS, span, format!("more than {limit} games and variants"))
}

// --- Sections in general ----------------------------------------------------

pub(crate) fn unknown_section<'a>(
    span: Span,
    name: &str,
    of: &str,
    known: impl Iterator<Item = &'a str>,
) -> Diagnostic {
    let article = if of.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
    Diagnostic::warning(UNKNOWN_SECTION, span, format!("`{name}` is no section of {article} {of}"))
        .under("this is ignored")
        .hint(did_you_mean(name, known))
}

pub(crate) fn repeated_section(span: Span, name: &str, old: Span) -> Diagnostic {
    Diagnostic::warning(REPEATED_SECTION, span, format!("a second `{name}`"))
        .under("this one is used")
        .label(old, "this one is forgotten")
}

pub(crate) fn missing_argument(span: Span, of: &str, what: &str) -> Diagnostic {
    Diagnostic::error(MISSING_ARGUMENT, span, format!("`{of}` needs {what}"))
}

pub(crate) fn expected(span: Span, what: &str) -> Diagnostic {
    Diagnostic::error(EXPECTED, span, format!("{what} is expected here"))
}

/// The same where the original would not mind.
pub(crate) fn ignored(span: Span, what: &str) -> Diagnostic {
    Diagnostic::warning(EXPECTED, span, format!("{what} is expected here")).under("this is ignored")
}

pub(crate) fn extra_argument(span: Span, of: &str) -> Diagnostic {
    Diagnostic::warning(EXTRA_ARGUMENT, span, format!("`{of}` takes no more arguments"))
        .under("this is ignored")
}

pub(crate) fn extra_argument_in_code(span: Span, of: &str) -> Diagnostic {
    Diagnostic::error(EXTRA_ARGUMENT, span, format!("`{of}` takes no more arguments"))
}

pub(crate) fn extra_condition(span: Span) -> Diagnostic {
    Diagnostic::error(EXTRA_ARGUMENT, span, "one condition is expected, and this is another")
        .hint("join conditions with `(and …)` or `(or …)`".to_owned())
}

/// `given` is what stands where the value belongs, if anything does.
pub(crate) fn bad_option_value(
    span: Span,
    option: &str,
    given: Option<&str>,
    values: &str,
) -> Diagnostic {
    let message = match given {
        Some(given) => format!("the option \"{option}\" cannot be `{given}`"),
        None => format!("the option \"{option}\" is given no value"),
    };
    Diagnostic::warning(BAD_OPTION_VALUE, span, message)
        .under("this is ignored")
        .hint(format!("its values are {values}"))
}

pub(crate) fn unknown_option(span: Span, name: &str, known: &str) -> Diagnostic {
    Diagnostic::warning(BAD_OPTION_VALUE, span, format!("there is no option \"{name}\""))
        .under("this is ignored")
        .hint(format!("did you mean \"{known}\"?"))
}

pub(crate) fn not_a_number(span: Span, what: &str) -> Diagnostic {
    Diagnostic::error(NOT_A_NUMBER, span, format!("{what} must be a whole number"))
}

pub(crate) fn number_too_large(span: Span, most: u32) -> Diagnostic {
    Diagnostic::error(NOT_A_NUMBER, span, format!("this number is too large; the most is {most}"))
}

pub(crate) fn too_many_digits(span: Span, what: &str) -> Diagnostic {
    Diagnostic::error(NOT_A_NUMBER, span, format!("{what} has too many digits"))
}

pub(crate) fn not_a_count(span: Span, of: &str) -> Diagnostic {
    not_a_number(span, "a count of pieces").hint(format!("the number comes first: `({of} 1 …)`"))
}

// --- Players and turns ------------------------------------------------------

pub(crate) fn no_players(span: Span) -> Diagnostic {
    Diagnostic::error(NO_PLAYERS, span, "no players are named")
        .hint("write `(players White Black)`".to_owned())
}

pub(crate) fn repeated_name(span: Span, what: &str, name: &str) -> Diagnostic {
    Diagnostic::warning(REPEATED_NAME, span, format!("the {what} `{name}` is named twice"))
}

pub(crate) fn too_many(span: Span, what: &str, limit: usize) -> Diagnostic {
    Diagnostic::error(TOO_MANY, span, format!("more than {limit} {what}"))
}

pub(crate) fn beyond_zillions(span: Span, what: &str, n: usize, limit: usize) -> Diagnostic {
    let message = format!("{n} {what}; Zillions of Games stopped at {limit}");
    Diagnostic::warning(BEYOND_ZILLIONS, span, message)
        .hint("it works here, but the original will not load it".to_owned())
}

pub(crate) fn no_turn_order(span: Span) -> Diagnostic {
    Diagnostic::error(NO_TURN_ORDER, span, "nobody ever has a turn")
        .hint("write `(turn-order White Black)`".to_owned())
}

pub(crate) fn unknown_player<'a>(
    span: Span,
    name: &str,
    known: impl IntoIterator<Item = &'a str>,
) -> Diagnostic {
    Diagnostic::error(UNKNOWN_PLAYER, span, format!("no player is called `{name}`"))
        .hint(did_you_mean(name, known))
}

pub(crate) fn image_for_unknown_player(span: Span, name: &str) -> Diagnostic {
    Diagnostic::warning(UNKNOWN_PLAYER, span, format!("a picture for `{name}`, who does not play"))
}

pub(crate) fn image_without_player(span: Span) -> Diagnostic {
    Diagnostic::warning(EXPECTED, span, "a player is expected before this picture")
        .under("this is ignored")
        .hint("write `(image White \"wolf.bmp\" Black \"wolf2.bmp\")`".to_owned())
}

pub(crate) fn bad_turn(span: Span, why: &str) -> Diagnostic {
    Diagnostic::error(BAD_TURN, span, why.to_owned()).hint(
        "a turn is `White`, `(White type)`, `(White Neutral)` or `(White Neutral type)`".to_owned(),
    )
}

pub(crate) fn odd_turn(span: Span, why: &str) -> Diagnostic {
    Diagnostic::warning(BAD_TURN, span, why.to_owned())
}

pub(crate) fn unknown_move_type<'a>(
    span: Span,
    name: &str,
    known: impl IntoIterator<Item = &'a str>,
) -> Diagnostic {
    Diagnostic::warning(UNKNOWN_MOVE_TYPE, span, format!("no piece has moves of type `{name}`"))
        .hint(did_you_mean(name, known))
}

// --- The board --------------------------------------------------------------

pub(crate) fn no_board(span: Span) -> Diagnostic {
    Diagnostic::error(NO_BOARD, span, "there is no board")
        .hint("write `(board …)` in the game, or in the variant".to_owned())
}

pub(crate) fn board_too_large(span: Span, n: u64, what: &str, limit: usize) -> Diagnostic {
    Diagnostic::error(BOARD_TOO_LARGE, span, format!("this makes {n} {what}; the most is {limit}"))
}

pub(crate) fn bad_grid(span: Span, why: String) -> Diagnostic {
    Diagnostic::error(BAD_GRID, span, why)
}

pub(crate) fn unknown_site<'a>(
    span: Span,
    name: &str,
    known: impl IntoIterator<Item = &'a str>,
) -> Diagnostic {
    Diagnostic::error(UNKNOWN_SITE, span, format!("no position is called `{name}`"))
        .hint(did_you_mean(name, known))
}

pub(crate) fn unknown_direction<'a>(
    span: Span,
    name: &str,
    known: impl IntoIterator<Item = &'a str>,
) -> Diagnostic {
    Diagnostic::error(UNKNOWN_DIRECTION, span, format!("no direction is called `{name}`"))
        .hint(did_you_mean(name, known))
}

pub(crate) fn unknown_place<'a>(
    span: Span,
    name: &str,
    known: impl IntoIterator<Item = &'a str>,
) -> Diagnostic {
    Diagnostic::error(UNKNOWN_SITE, span, format!("no position or direction is called `{name}`"))
        .hint(did_you_mean(name, known))
}

pub(crate) fn unknown_site_or_zone<'a>(
    span: Span,
    name: &str,
    known: impl IntoIterator<Item = &'a str>,
) -> Diagnostic {
    Diagnostic::error(UNKNOWN_SITE, span, format!("no position or zone is called `{name}`"))
        .hint(did_you_mean(name, known))
}

pub(crate) fn site_twice(span: Span, name: &str, old: Span) -> Diagnostic {
    Diagnostic::warning(SITE_TWICE, span, format!("the position `{name}` is defined twice"))
        .under("this rectangle is used")
        .label(old, "first defined here")
}

pub(crate) fn label_twice(span: Span, label: &str) -> Diagnostic {
    let message = format!("the label `{label}` stands twice in this dimension");
    Diagnostic::warning(SITE_TWICE, span, message)
        .under("positions of one name are one position, at the last place")
}

pub(crate) fn direction_twice(span: Span, name: &str, old: Span) -> Diagnostic {
    let message = format!("the direction `{name}` is given twice in one grid");
    Diagnostic::warning(DIRECTION_TWICE, span, message)
        .under("this one is used")
        .label(old, "this one is forgotten")
}

pub(crate) fn bad_zone(span: Span, what: &str) -> Diagnostic {
    Diagnostic::warning(BAD_ZONE, span, format!("a zone without {what}"))
        .under("this is ignored")
        .hint("write `(zone (name N) (players P…) (positions S…))`".to_owned())
}

pub(crate) fn killed_site(span: Span, name: &str) -> Diagnostic {
    Diagnostic::warning(KILLED_SITE, span, format!("the position `{name}` was killed"))
        .under("this is ignored")
}

pub(crate) fn empty_board(span: Span) -> Diagnostic {
    Diagnostic::error(EMPTY_BOARD, span, "this board has no positions")
        .hint("give it a `grid` or `positions`".to_owned())
}

pub(crate) fn unknown_zone<'a>(
    span: Span,
    name: &str,
    zones: impl IntoIterator<Item = &'a str>,
) -> Diagnostic {
    Diagnostic::error(UNKNOWN_ZONE, span, format!("no zone is called `{name}`"))
        .hint(did_you_mean(name, zones))
}

// --- Pieces and setup -------------------------------------------------------

pub(crate) fn piece_without_name(span: Span) -> Diagnostic {
    Diagnostic::error(PIECE_WITHOUT_NAME, span, "this piece has no name")
        .hint("write `(name Wolf)`".to_owned())
}

pub(crate) fn piece_twice(span: Span, name: &str, old: Span) -> Diagnostic {
    Diagnostic::warning(PIECE_TWICE, span, format!("the piece `{name}` is defined twice"))
        .under("this one is used")
        .label(old, "this one is forgotten")
}

pub(crate) fn unknown_piece<'a>(
    span: Span,
    name: &str,
    known: impl IntoIterator<Item = &'a str>,
) -> Diagnostic {
    Diagnostic::error(UNKNOWN_PIECE, span, format!("no piece is called `{name}`"))
        .hint(did_you_mean(name, known))
}

pub(crate) fn unknown_config_step<'a>(
    span: Span,
    name: &str,
    known: impl IntoIterator<Item = &'a str>,
) -> Diagnostic {
    Diagnostic::error(UNKNOWN_PIECE, span, format!("no piece or direction is called `{name}`"))
        .hint(did_you_mean(name, known))
}

pub(crate) fn no_pieces(span: Span) -> Diagnostic {
    Diagnostic::warning(NO_PIECES, span, "this game has no pieces")
}

pub(crate) fn bad_setup(span: Span, why: &str) -> Diagnostic {
    Diagnostic::error(BAD_SETUP, span, why.to_owned())
        .hint("write `(board-setup (White (King e1) (Pawn a2 b2 off 3)))`".to_owned())
}

pub(crate) fn filled_twice(span: Span, name: &str, old: Span) -> Diagnostic {
    Diagnostic::warning(FILLED_TWICE, span, format!("`{name}` is filled twice"))
        .under("this piece stands there")
        .label(old, "this one does not")
}

pub(crate) fn no_setup(span: Span) -> Diagnostic {
    Diagnostic::warning(NO_SETUP, span, "no piece is on the board or off it at the start")
        .hint("write `(board-setup …)`; pieces to be dropped need `off`".to_owned())
}
