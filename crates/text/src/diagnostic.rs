//! Messages about source text, as plain data.

use crate::Span;

/// The stable name of a kind of message, such as `Z0107`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Code(pub &'static str);

impl std::fmt::Display for Code {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.0)
    }
}

/// How bad it is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Severity {
    /// The text works; its author may still want to know.
    Warning,
    /// The text cannot be used as it stands.
    Error,
}

/// A second place that a message points at.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Label {
    /// The text that it is about.
    pub span: Span,
    /// What is to be said about it.
    pub text: String,
}

/// One step of the way from the text as written to the text as expanded.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Expansion {
    /// The macro's name.
    pub name: String,
    /// The call: "used here".
    pub call: Span,
    /// The name in its `define`: "defined there".
    pub definition: Span,
}

/// A message about source text.
///
/// The message is in lower case without a full stop and says what is there;
/// hints say what to do about it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Diagnostic {
    /// The kind of message.
    pub code: Code,
    /// How bad it is.
    pub severity: Severity,
    /// What is wrong, in one sentence.
    pub message: String,
    /// Where; the token itself, inside a macro's body if it stands there.
    pub span: Span,
    /// What to write under the span; may be empty.
    pub label: String,
    /// Other places that matter.
    pub labels: Vec<Label>,
    /// What to do.
    pub hints: Vec<String>,
    /// The macro calls that led here, innermost first.
    pub trace: Vec<Expansion>,
}

impl Diagnostic {
    /// An error at `span`.
    pub fn error(code: Code, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            code,
            severity: Severity::Error,
            message: message.into(),
            span,
            label: String::new(),
            labels: Vec::new(),
            hints: Vec::new(),
            trace: Vec::new(),
        }
    }

    /// A warning at `span`.
    pub fn warning(code: Code, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic { severity: Severity::Warning, ..Diagnostic::error(code, span, message) }
    }

    /// Writes `text` under the span.
    pub fn under(mut self, text: impl Into<String>) -> Diagnostic {
        self.label = text.into();
        self
    }

    /// Points at another place as well.
    pub fn label(mut self, span: Span, text: impl Into<String>) -> Diagnostic {
        self.labels.push(Label { span, text: text.into() });
        self
    }

    /// Adds a hint, if there is one.
    pub fn hint(mut self, text: impl Into<Option<String>>) -> Diagnostic {
        self.hints.extend(text.into());
        self
    }

    /// Says through which macro calls the text came about, innermost first.
    pub fn trace(mut self, trace: Vec<Expansion>) -> Diagnostic {
        self.trace = trace;
        self
    }

    /// Whether it is an error.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}
