//! Errors as HTTP answers: a status and a [`ProblemView`], with the cause in the log.

use std::{fmt::Display, io};

use axum::{
    Json,
    http::StatusCode,
    response::{IntoResponse, Response},
};
use boardwright_protocol::{DiagnosticView, ProblemView};
use boardwright_store::StoreError;

use crate::keys;

/// A request that was refused or failed, as the client is told of it.
#[derive(Debug)]
pub(crate) struct ApiError {
    pub status: StatusCode,
    pub problem: ProblemView,
}

impl ApiError {
    pub fn new(status: StatusCode, error: impl Into<String>) -> ApiError {
        let problem = ProblemView { error: error.into(), hint: None, diagnostics: Vec::new() };
        ApiError { status, problem }
    }

    pub fn not_found(what: impl Into<String>) -> ApiError {
        ApiError::new(StatusCode::NOT_FOUND, what)
    }

    pub fn bad(error: impl Into<String>) -> ApiError {
        ApiError::new(StatusCode::BAD_REQUEST, error)
    }

    pub fn hint(mut self, hint: impl Into<String>) -> ApiError {
        self.problem.hint = Some(hint.into());
        self
    }

    pub fn diagnostics(mut self, diagnostics: Vec<DiagnosticView>) -> ApiError {
        self.problem.diagnostics = diagnostics;
        self
    }

    /// A fault of the server. The client gets a reference, the log the reference and the cause.
    pub fn internal(cause: impl Display) -> ApiError {
        let status = StatusCode::INTERNAL_SERVER_ERROR;
        ApiError::logged(status, "something went wrong inside Boardwright", cause)
    }

    /// The disk failed on `what`, a whole sentence without its full stop.
    pub fn disk(what: &str, cause: io::Error) -> ApiError {
        ApiError::storing(what, &StoreError::from(cause))
    }

    /// What could not be done with the data, why, and what helps.
    fn storing(what: &str, cause: &StoreError) -> ApiError {
        let status = match cause {
            StoreError::Full(_) => StatusCode::INSUFFICIENT_STORAGE,
            StoreError::Busy(_) => StatusCode::SERVICE_UNAVAILABLE,
            _ => StatusCode::INTERNAL_SERVER_ERROR,
        };
        let error = ApiError::logged(status, &format!("{what}: {cause}"), cause.with_causes());
        match cause.hint() {
            Some(hint) => error.hint(hint),
            None => error,
        }
    }

    fn logged(status: StatusCode, what: &str, cause: impl Display) -> ApiError {
        let reference = keys::reference();
        tracing::error!(%reference, %cause, "{what}");
        ApiError::new(status, format!("{what} (reference {reference})"))
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        (self.status, Json(self.problem)).into_response()
    }
}

impl From<StoreError> for ApiError {
    fn from(cause: StoreError) -> ApiError {
        ApiError::storing("the data could not be read or written", &cause)
    }
}

/// Tells a player that `what` could not be stored: a message, and why with what helps.
pub(crate) fn not_stored(what: &str, cause: &StoreError) -> (String, Option<String>) {
    let message = match cause.stored_nothing() {
        true => format!("{what} could not be stored, so it did not happen"),
        false => format!("{what} could not be stored for certain; the match is loaded again"),
    };
    let hint = cause.hint().map_or(String::new(), |it| format!(". {it}"));
    (message, Some(format!("{cause}{hint}")))
}

/// Writes the cause of a failure to the log where the work goes on without the result.
pub(crate) trait LogError<T> {
    /// The value, or nothing and a warning that says what failed and why.
    fn or_warn(self, what: &str) -> Option<T>;
}

impl<T, E: Display> LogError<T> for Result<T, E> {
    fn or_warn(self, what: &str) -> Option<T> {
        self.inspect_err(|cause| tracing::warn!(%cause, "{what}")).ok()
    }
}
