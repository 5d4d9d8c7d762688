//! Every message of the language: one function each, so that they can be read as prose.

use boardwright_text::{Code, Diagnostic, Span, nearest};

use crate::{budget::Shortage, limits::CodeLimits};

macro_rules! codes {
    ($($name:ident $code:literal $title:literal),* $(,)?) => {
        $(pub(crate) const $name: Code = Code($code);)*
        /// Every code, with a title.
        pub const CODES: &[(Code, &str)] = &[$(($name, $title)),*];
    };
}

codes! {
    TOO_LARGE "G0001" "the program is too large",
    UNCLOSED_QUOTE "G0002" "a quotation has no end",
    UNCLOSED_ARRAY "G0003" "a parenthesis is not closed",
    STRAY_CLOSE "G0004" "a closing parenthesis too many",
    TOO_DEEP "G0005" "too deeply nested",
    UNKNOWN_WORD "G0101" "no command or subroutine of that name",
    OPEN_BLOCK "G0102" "a block has no end",
    STRAY_END "G0103" "an end without a beginning",
    MISPLACED "G0104" "a statement in the wrong place",
    MISSING "G0105" "something is missing",
    BAD_NAME "G0106" "not a good name",
    NO_INCLUDE "G0107" "a file that cannot be included",
    LIKE_OPERATOR "G0108" "text that looks like a misspelled operator",
    DEFINED_TWICE "G0109" "a subroutine is defined twice",
    UNDEFINED "G0110" "a subroutine, function or system variable that is not there",
    OUT_OF_STEPS "G0201" "the program runs too long",
    CALLS_TOO_DEEP "G0202" "calls are nested too deep",
    OUT_OF_MEMORY "G0203" "the program needs too much memory",
    TOO_MUCH_OUTPUT "G0204" "too many messages",
    STOPPED "G0205" "the program was stopped",
    NO_SPACE "G0301" "no such space",
    NO_FUNCTION "G0302" "no such function or subroutine",
    TOO_FEW "G0303" "too few operands",
    BY_ZERO "G0304" "division by zero",
    WRONG_KIND "G0305" "a value of the wrong kind",
    NO_ROOM "G0306" "no empty space left",
    NOTHING_STORED "G0307" "nothing was stored",
    UNKNOWN_NAME "G0308" "an unknown name",
    ILLEGAL "G0401" "the move is not accepted",
    DIED "G0402" "the rules refuse the move",
}

fn did_you_mean<'a>(word: &str, words: impl IntoIterator<Item = &'a str>) -> Option<String> {
    nearest(word, words).map(|it| format!("did you mean `{it}`?"))
}

pub(crate) fn too_large(span: Span, limit: usize) -> Diagnostic {
    let message = format!("the program has more than {} KB of text", limit / 1024);
    Diagnostic::error(TOO_LARGE, span, message)
}

pub(crate) fn unclosed_quote(span: Span) -> Diagnostic {
    Diagnostic::error(UNCLOSED_QUOTE, span, "this quotation has no end")
        .hint("close it with `\"`; a quote inside a text cannot be written".to_owned())
}

pub(crate) fn unclosed_array(span: Span) -> Diagnostic {
    Diagnostic::error(UNCLOSED_ARRAY, span, "this parenthesis is not closed before `;`")
}

pub(crate) fn stray_close(span: Span) -> Diagnostic {
    Diagnostic::error(STRAY_CLOSE, span, "this parenthesis closes nothing")
}

pub(crate) fn too_deep(span: Span) -> Diagnostic {
    Diagnostic::error(TOO_DEEP, span, "this is nested too deep")
}

pub(crate) fn unknown_word<'a>(
    word: &str,
    span: Span,
    words: impl IntoIterator<Item = &'a str>,
) -> Diagnostic {
    let message = format!("`{word}` is not a command, and no subroutine has that name");
    Diagnostic::error(UNKNOWN_WORD, span, message).hint(did_you_mean(word, words))
}

pub(crate) fn no_head(span: Span) -> Diagnostic {
    Diagnostic::error(UNKNOWN_WORD, span, "a statement begins with a command")
}

pub(crate) fn open_block(word: &str, span: Span, closer: &str) -> Diagnostic {
    Diagnostic::error(OPEN_BLOCK, span, format!("this `{word}` has no `{closer}`"))
}

pub(crate) fn stray_end(word: &str, span: Span, opener: &str) -> Diagnostic {
    Diagnostic::error(STRAY_END, span, format!("this `{word}` has no `{opener}`"))
}

pub(crate) fn crossed(word: &str, span: Span, open: &str, open_span: Span) -> Diagnostic {
    let message = format!("this `{word}` stands inside a `{open}` that is still open");
    Diagnostic::error(STRAY_END, span, message).label(open_span, "opened here")
}

pub(crate) fn misplaced(word: &str, span: Span, place: &str) -> Diagnostic {
    Diagnostic::error(MISPLACED, span, format!("`{word}` may stand only {place}"))
}

pub(crate) fn missing(word: &str, span: Span, what: &str) -> Diagnostic {
    Diagnostic::error(MISSING, span, format!("`{word}` needs {what}"))
}

pub(crate) fn bad_name(name: &str, span: Span) -> Diagnostic {
    Diagnostic::error(BAD_NAME, span, format!("`{name}` cannot name a variable"))
        .hint("names do not begin with a digit".to_owned())
}

pub(crate) fn no_include(name: &str, span: Span, why: &str) -> Diagnostic {
    let looked = "files are looked for in the folder of the program, in a folder `include` \
                  beside or within it, and among the includes of the library";
    Diagnostic::error(NO_INCLUDE, span, format!("`{name}` cannot be included: {why}"))
        .hint(looked.to_owned())
}

pub(crate) fn like_operator(word: &str, span: Span, operator: &str) -> Diagnostic {
    let message = format!("`{word}` is not an operator, so it is taken as text");
    Diagnostic::warning(LIKE_OPERATOR, span, message)
        .hint(format!("did you mean `{operator}`? write \"{word}\" if the text is meant"))
}

pub(crate) fn defined_twice(name: &str, span: Span, other: Span) -> Diagnostic {
    let message = format!("the subroutine `{name}` is defined twice; the last one counts");
    Diagnostic::warning(DEFINED_TWICE, span, message).label(other, "this one does not")
}

/// The steps of a turn or a game are used up, or the caller's deadline is over.
pub(crate) fn out_of_steps(span: Span, shortage: Shortage, limits: &CodeLimits) -> Diagnostic {
    let message = match shortage {
        Shortage::Turn => format!("the program stopped after {} steps in one turn", limits.steps),
        Shortage::Game => {
            format!("the program stopped after {} steps in one game", limits.game_steps)
        }
        Shortage::Stopped => {
            let message = "the program took too long and was stopped";
            return Diagnostic::error(STOPPED, span, message);
        }
    };
    Diagnostic::error(OUT_OF_STEPS, span, message).hint("is there a loop without end?".to_owned())
}

pub(crate) fn calls_too_deep(span: Span, limit: u32) -> Diagnostic {
    Diagnostic::error(CALLS_TOO_DEEP, span, format!("calls are nested more than {limit} deep"))
        .hint("does a function call itself without end?".to_owned())
}

pub(crate) fn out_of_memory(span: Span, what: &str) -> Diagnostic {
    Diagnostic::error(OUT_OF_MEMORY, span, what)
}

pub(crate) fn too_much_output(span: Span) -> Diagnostic {
    Diagnostic::error(TOO_MUCH_OUTPUT, span, "the program writes too many messages")
}

pub(crate) fn no_space(text: &str, span: Span) -> Diagnostic {
    let message = if text.is_empty() {
        "a space is missing here".to_owned()
    } else {
        format!("the board has no space `{text}`")
    };
    Diagnostic::error(NO_SPACE, span, message)
}

pub(crate) fn no_function<'a>(
    kind: &str,
    name: &str,
    span: Span,
    names: impl IntoIterator<Item = &'a str>,
) -> Diagnostic {
    Diagnostic::error(NO_FUNCTION, span, format!("no {kind} is called `{name}`"))
        .hint(did_you_mean(name, names))
}

/// A name that is used somewhere and defined nowhere.
pub(crate) fn undefined<'a>(
    kind: &str,
    name: &str,
    span: Span,
    names: impl IntoIterator<Item = &'a str>,
) -> Diagnostic {
    Diagnostic::warning(UNDEFINED, span, format!("no {kind} is called `{name}`"))
        .hint(did_you_mean(name, names))
}

pub(crate) fn too_few(name: &str, span: Span, wanted: u16, found: usize) -> Diagnostic {
    let message = format!("the function `{name}` takes {wanted} operands, and finds {found}");
    Diagnostic::error(TOO_FEW, span, message)
}

pub(crate) fn by_zero(span: Span) -> Diagnostic {
    Diagnostic::error(BY_ZERO, span, "division by zero")
}

pub(crate) fn wrong_kind(span: Span, message: impl Into<String>) -> Diagnostic {
    Diagnostic::error(WRONG_KIND, span, message)
}

pub(crate) fn no_room(label: &str, span: Span) -> Diagnostic {
    Diagnostic::error(NO_ROOM, span, format!("no space is left to drop `{label}` on"))
}

pub(crate) fn nothing_stored(span: Span) -> Diagnostic {
    Diagnostic::error(NOTHING_STORED, span, "there is nothing to restore")
        .hint("use `store` first".to_owned())
}

pub(crate) fn unknown_name<'a>(
    kind: &str,
    name: &str,
    span: Span,
    names: impl IntoIterator<Item = &'a str>,
) -> Diagnostic {
    Diagnostic::error(UNKNOWN_NAME, span, format!("no {kind} is called `{name}`"))
        .hint(did_you_mean(name, names))
}

pub(crate) fn illegal(message: impl Into<String>) -> Diagnostic {
    Diagnostic::error(ILLEGAL, Span::default(), message)
}

pub(crate) fn not_a_move<'a>(
    text: &str,
    word: &str,
    words: impl IntoIterator<Item = &'a str>,
) -> Diagnostic {
    let message =
        format!("`{text}` is not a move: `{word}` is no piece, space, command or subroutine");
    illegal(message).hint(did_you_mean(word, words))
}

pub(crate) fn died(message: String, span: Span) -> Diagnostic {
    Diagnostic::error(DIED, span, message)
}
