//! Refusals over HTTP: a status and a [`Problem`].

use axum::{
    Json,
    http::StatusCode,
    response::{IntoResponse, Response},
};
use boardwright_protocol::{DiagnosticView, Problem};

/// A request that was not obeyed.
#[derive(Debug)]
pub(crate) struct ApiError {
    pub status: StatusCode,
    pub problem: Problem,
}

impl ApiError {
    pub fn new(status: StatusCode, error: impl Into<String>) -> ApiError {
        let problem = Problem { error: error.into(), hint: None, diagnostics: Vec::new() };
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

    /// Our own fault: the page learns no more than that.
    pub fn internal() -> ApiError {
        ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, "something went wrong inside Boardwright")
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        (self.status, Json(self.problem)).into_response()
    }
}

impl From<boardwright_store::Error> for ApiError {
    fn from(_: boardwright_store::Error) -> ApiError {
        ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, "the data folder cannot be used")
            .hint("Is the disk full, or the folder read-only?")
    }
}
