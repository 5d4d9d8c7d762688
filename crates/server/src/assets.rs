//! The files of the web page, which are inside the program.

use axum::{
    http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header},
    response::{IntoResponse, Response},
};

use crate::error::ApiError;

/// The output of the build in `web/app`.
#[derive(rust_embed::RustEmbed)]
#[folder = "$CARGO_MANIFEST_DIR/../../web/app/dist"]
struct Page;

/// A file of the page; the page itself for paths that it routes on its own.
pub(crate) async fn serve(method: Method, uri: Uri, headers: HeaderMap) -> Response {
    if method != Method::GET && method != Method::HEAD {
        return ApiError::new(StatusCode::METHOD_NOT_ALLOWED, "only GET and HEAD are allowed here")
            .into_response();
    }
    let path = uri.path().trim_start_matches('/');
    let (name, file) = match Page::get(path).filter(|_| !path.is_empty()) {
        Some(file) => (path, file),
        // A missing picture or script must not be answered with a page.
        None if path.rsplit('/').next().is_some_and(|it| it.contains('.')) => {
            return ApiError::not_found("there is no such file").into_response();
        }
        None => match Page::get("index.html") {
            Some(file) => ("index.html", file),
            None => {
                return ApiError::not_found("the web page was not built into this program")
                    .into_response();
            }
        },
    };
    let tag: String =
        file.metadata.sha256_hash().iter().take(12).map(|it| format!("{it:02x}")).collect();
    let tag = format!("\"{tag}\"");
    // These names contain a hash, so their content never changes.
    let cache = match name.starts_with("assets/") {
        true => "public, max-age=31536000, immutable",
        false => "no-cache",
    };
    let known = headers.get(header::IF_NONE_MATCH).and_then(|it| it.to_str().ok());
    let mut response = if known.is_some_and(|it| it.contains(&tag)) {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        let body = axum::body::Body::from(file.data.into_owned());
        ([(header::CONTENT_TYPE, content_type(name))], body).into_response()
    };
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(cache));
    if let Ok(tag) = HeaderValue::from_str(&tag) {
        headers.insert(header::ETAG, tag);
    }
    response
}

/// The content type of a file, by the ending of its name.
pub(crate) fn content_type(name: &str) -> &'static str {
    match name.rsplit_once('.').map(|it| it.1.to_ascii_lowercase()).as_deref() {
        Some("html") => "text/html; charset=utf-8",
        Some("js" | "mjs") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("json" | "map") => "application/json",
        Some("webmanifest") => "application/manifest+json",
        Some("png") => "image/png",
        Some("ico") => "image/x-icon",
        Some("woff2") => "font/woff2",
        Some("wav") => "audio/wav",
        Some("mid" | "midi") => "audio/midi",
        Some("wasm") => "application/wasm",
        Some("txt") => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}
