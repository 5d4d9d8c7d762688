//! A log span for every request, so that whatever is logged within says which one it was.

use std::time::Instant;

use axum::{extract::Request, middleware::Next, response::Response};
use tracing::Instrument;

/// Answers a request within its span, and logs the status and the time at level `debug`.
///
/// The query is left out: it holds the keys of matches.
pub(crate) async fn trace(request: Request, next: Next) -> Response {
    let began = Instant::now();
    // At level `error`, so that the span is there for errors whatever the filter.
    let span = tracing::error_span!(
        "request",
        method = %request.method(),
        path = %request.uri().path(),
    );
    let response = next.run(request).instrument(span.clone()).await;
    let (status, ms) = (response.status().as_u16(), began.elapsed().as_millis() as u64);
    tracing::debug!(parent: &span, status, ms, "answered");
    response
}
