//! Messages about move code and goals.

use super::*;

// --- Move code --------------------------------------------------------------

pub(crate) fn unknown_word<'a>(
    span: Span,
    name: &str,
    known: impl IntoIterator<Item = &'a str>,
) -> Diagnostic {
    let message = format!("`{name}` is no instruction, direction or position");
    Diagnostic::error(UNKNOWN_WORD, span, message).hint(did_you_mean(name, known))
}

pub(crate) fn needs_parentheses(span: Span, name: &str) -> Diagnostic {
    Diagnostic::error(UNKNOWN_WORD, span, format!("`{name}` needs parentheses"))
        .hint(format!("write `({name} …)`"))
}

pub(crate) fn macro_without_parentheses(span: Span, name: &str) -> Diagnostic {
    Diagnostic::error(UNKNOWN_WORD, span, format!("the macro `{name}` lacks its parentheses"))
        .hint(format!("write `({name})`"))
}

pub(crate) fn text_in_code(span: Span) -> Diagnostic {
    Diagnostic::error(UNKNOWN_WORD, span, "a string has no meaning in move code")
}

pub(crate) fn group_in_code(span: Span) -> Diagnostic {
    Diagnostic::error(UNKNOWN_WORD, span, "a list in move code begins with an instruction")
        .hint("to run several instructions just write them one after the other".to_owned())
}

pub(crate) fn step_in_parentheses(span: Span, name: &str) -> Diagnostic {
    Diagnostic::error(UNKNOWN_WORD, span, "a list in move code begins with an instruction")
        .hint(format!("write `{name}` without parentheses to go there"))
}

pub(crate) fn not_a_block(span: Span, of: &str) -> Diagnostic {
    Diagnostic::error(NOT_A_BLOCK, span, format!("`{of}` holds blocks in parentheses"))
        .hint(format!("put the whole block in parentheses: `({of} (n add))`"))
}

/// `span` is the name in the `define`.
pub(crate) fn body_is_no_block(span: Span, of: &str, name: &str) -> Diagnostic {
    let message = format!("the body of the macro `{name}` is no block that `{of}` could hold");
    Diagnostic::error(NOT_A_BLOCK, span, message)
        .hint(format!("put the whole body in parentheses: `(define {name} (…))`"))
}

pub(crate) fn unknown_condition<'a>(
    span: Span,
    name: &str,
    known: impl IntoIterator<Item = &'a str>,
) -> Diagnostic {
    let message = format!("`{name}` is no condition and no attribute of a piece");
    Diagnostic::error(UNKNOWN_CONDITION, span, message).hint(did_you_mean(name, known))
}

pub(crate) fn negated_attribute(span: Span, name: &str, attribute: &str) -> Diagnostic {
    let message = format!("`{name}` is no condition and no attribute of a piece");
    Diagnostic::error(UNKNOWN_CONDITION, span, message)
        .hint(format!("an attribute has no `not-` form; write `(not {attribute})`"))
}

pub(crate) fn expected_condition(span: Span) -> Diagnostic {
    Diagnostic::error(UNKNOWN_CONDITION, span, "a condition is expected here")
}

pub(crate) fn condition_as_instruction(span: Span, name: &str) -> Diagnostic {
    let message = format!("the condition `{name}` does nothing by itself");
    Diagnostic::error(CONDITION_AS_INSTRUCTION, span, message)
        .hint("write `(verify …)` to go on only if it holds".to_owned())
}

pub(crate) fn misplaced_else(span: Span) -> Diagnostic {
    Diagnostic::error(MISPLACED_ELSE, span, "this `else` belongs to no `if`")
        .hint("write `(if condition … else …)`".to_owned())
}

pub(crate) fn second_else(span: Span) -> Diagnostic {
    Diagnostic::error(MISPLACED_ELSE, span, "this `if` has an `else` already")
        .hint("one `if` parts into two; put another `(if …)` inside the `else`".to_owned())
}

pub(crate) fn else_in_parentheses(span: Span) -> Diagnostic {
    Diagnostic::error(MISPLACED_ELSE, span, "`else` has no parentheses of its own")
        .hint("write `(if condition … else …)`".to_owned())
}

pub(crate) fn unknown_attribute<'a>(
    span: Span,
    name: &str,
    known: impl IntoIterator<Item = &'a str>,
) -> Diagnostic {
    Diagnostic::error(UNKNOWN_ATTRIBUTE, span, format!("no piece has an attribute `{name}`"))
        .hint(did_you_mean(name, known))
}

pub(crate) fn bad_go(span: Span) -> Diagnostic {
    Diagnostic::error(BAD_GO, span, "`go` knows no such place")
        .hint("it goes to `from`, `to`, `mark`, `last-from` or `last-to`".to_owned())
}

pub(crate) fn code_too_large(span: Span, limit: usize) -> Diagnostic {
    let message = format!("the move code of this file has more than {limit} instructions");
    Diagnostic::error(CODE_TOO_LARGE, span, message)
}

pub(crate) fn flag_never_set(span: Span, what: &str, name: &str) -> Diagnostic {
    Diagnostic::warning(FLAG_NEVER_SET, span, format!("the {what} `{name}` is never set"))
        .under("it is always false")
}

pub(crate) fn bare_argument(span: Span, of: &str, name: &str) -> Diagnostic {
    let message = format!("`{name}` and what it is about need parentheses of their own");
    Diagnostic::warning(BARE_ARGUMENT, span, message).hint(format!("write `({of} ({name} …))`"))
}

pub(crate) fn instruction_in_condition(span: Span, of: &str) -> Diagnostic {
    Diagnostic::error(
        EXTRA_ARGUMENT,
        span,
        format!("`{of}` takes one condition, and nothing to do"),
    )
    .hint("is a `)` missing before this?".to_owned())
}

pub(crate) fn empty_condition(span: Span, name: &str) -> Diagnostic {
    Diagnostic::warning(EMPTY_CONDITION, span, format!("`{name}` has nothing to test"))
}

// --- Goals ------------------------------------------------------------------

pub(crate) fn goals_too_costly(span: Span, limit: u64) -> Diagnostic {
    let message = format!("judging the goals takes more than {limit} tests after each turn");
    Diagnostic::error(GOALS_TOO_COSTLY, span.head(), message)
        .under("the limit was reached with this condition")
        .hint("a config is tested on every position, for every player of its condition".to_owned())
}

pub(crate) fn unknown_goal<'a>(
    span: Span,
    name: &str,
    known: impl IntoIterator<Item = &'a str>,
) -> Diagnostic {
    Diagnostic::error(UNKNOWN_GOAL, span, format!("`{name}` is no goal"))
        .hint(did_you_mean(name, known))
}

pub(crate) fn nested_goal(span: Span, name: &str) -> Diagnostic {
    let message = format!("the manual allows `{name}` only by itself, not inside another goal");
    Diagnostic::warning(NESTED_GOAL, span, message)
}

pub(crate) fn goal_without_players(span: Span, of: &str) -> Diagnostic {
    Diagnostic::warning(GOAL_WITHOUT_PLAYERS, span, format!("`{of}` names no players"))
        .under("it is tested for whoever has just moved")
        .hint("only `total-piece-count` may go without a list of players".to_owned())
}

/// `of` is the goal, and `span` covers the positions.
pub(crate) fn places_without_parentheses(span: Span, of: &str) -> Diagnostic {
    Diagnostic::error(EXPECTED, span, format!("the positions of `{of}` stand in parentheses"))
        .hint(format!("write `({of} Wolf (a1 a2))`"))
}

pub(crate) fn goal_of_our_own(span: Span, name: &str) -> Diagnostic {
    let message = format!("Zillions of Games does not know the goal `{name}`");
    Diagnostic::warning(GOAL_OF_OUR_OWN, span, message)
        .hint("it works here, but the original will not load it".to_owned())
}

pub(crate) fn not_two_places(span: Span, of: &str, n_given: usize) -> Diagnostic {
    let given = count(n_given, "place");
    Diagnostic::error(EXPECTED, span, format!("`{of}` joins two places; here {given}"))
        .hint(format!("write `({of} Stone (a1 pond))`"))
}
