//! Checks every request: who asks, how often, and what browsers must not do with the answer.
//!
//! There are no cookies, so another site's page cannot act in the user's name; it could
//! still reach a server on the user's machine. Hence requests must name a host that is
//! ours, and those that browsers mark with an origin must come from our own page.
//! Only whoever holds the key of the person at the machine may change games and settings;
//! where a request comes from gives no power.

use std::net::{IpAddr, SocketAddr};

use axum::{
    extract::{ConnectInfo, Request, State},
    http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header},
    middleware::Next,
    response::{IntoResponse, Response},
};

use crate::{
    app::App,
    error::ApiError,
    owner,
    visitor::{self, Visitor},
};

const HEADERS: [(HeaderName, &str); 7] = [
    (
        header::CONTENT_SECURITY_POLICY,
        "default-src 'self'; base-uri 'none'; connect-src 'self'; font-src 'self'; \
         form-action 'none'; frame-ancestors 'none'; img-src 'self' data: blob:; \
         media-src 'self' blob:; object-src 'none'; script-src 'self'; style-src 'self'; \
         worker-src 'self'",
    ),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (header::REFERRER_POLICY, "no-referrer"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    (
        HeaderName::from_static("permissions-policy"),
        "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    ),
];

/// Refuses requests of other sites, and sets the security headers of every answer.
pub(crate) async fn guard(State(app): State<App>, mut request: Request, next: Next) -> Response {
    let visitor = visitor(&app, &request);
    let refused = refusal(&app, request.headers())
        .or_else(|| too_often(&app, &visitor))
        .or_else(|| refused_to_guests(&request, &visitor));
    request.extensions_mut().insert(visitor);
    let mut response = match refused {
        Some(error) => error.into_response(),
        None => next.run(request).await,
    };
    let headers = response.headers_mut();
    for (name, value) in HEADERS {
        // Pages without scripts have a stricter policy of their own.
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    }
    if !headers.contains_key(header::CACHE_CONTROL) {
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    }
    response
}

fn refusal(app: &App, headers: &HeaderMap) -> Option<ApiError> {
    let host = headers.get(header::HOST).and_then(|it| it.to_str().ok());
    let Some(host) = host.filter(|it| is_ours(it, app.host, &app.names)) else {
        let error =
            ApiError::new(StatusCode::FORBIDDEN, "this server does not answer to this host name");
        return Some(error.hint(
            "Open the address that Boardwright printed when it started. A server behind a \
             proxy must be started with --name and the name of the proxy.",
        ));
    };
    let origin = headers.get(header::ORIGIN)?;
    let from_us = origin.to_str().is_ok_and(|it| {
        let bare = it.strip_prefix("http://").or_else(|| it.strip_prefix("https://"));
        bare == Some(host)
    });
    (!from_us).then(|| {
        ApiError::new(StatusCode::FORBIDDEN, "requests from pages of other sites are refused")
    })
}

/// Whoever sent a request.
fn visitor(app: &App, request: &Request) -> Visitor {
    let peer = request.extensions().get::<ConnectInfo<SocketAddr>>();
    // Without an address, as one address that no guest has.
    let address = peer.map_or(IpAddr::from([0, 0, 0, 0]), |it| it.0.ip());
    Visitor::new(address, owner::has_key(request.headers(), &app.key), &app.key)
}

fn too_often(app: &App, visitor: &Visitor) -> Option<ApiError> {
    let is_fine = visitor.is_owner || app.gate.allows_request(visitor.household);
    (!is_fine).then(|| {
        let status = StatusCode::TOO_MANY_REQUESTS;
        ApiError::new(status, "too many requests from your address").hint("Wait a few seconds.")
    })
}

/// Refuses guests who would see or change what belongs to the person at the machine.
fn refused_to_guests(request: &Request, visitor: &Visitor) -> Option<ApiError> {
    let path = request.uri().path();
    let is_own = path == "/api/games"
        || path.starts_with("/api/games/")
        || path == "/api/presets"
        || path.starts_with("/api/presets/");
    let changes = request.method() != Method::GET && request.method() != Method::HEAD;
    let is_refused = !visitor.is_owner && (path == "/api/user" || (is_own && changes));
    is_refused.then(visitor::owner_only)
}

/// Whether a `Host` header is an address at which this server can be reached.
fn is_ours(host: &str, listens_at: IpAddr, names: &[String]) -> bool {
    if let Ok(at) = host.parse::<SocketAddr>() {
        return is_ours_ip(at.ip(), listens_at);
    }
    let name = host.rsplit_once(':').map_or(host, |(name, port)| {
        if port.bytes().all(|it| it.is_ascii_digit()) { name } else { host }
    });
    let bare = name.strip_prefix('[').and_then(|it| it.strip_suffix(']')).unwrap_or(name);
    match bare.parse::<IpAddr>() {
        Ok(ip) => is_ours_ip(ip, listens_at),
        // A stranger's name server can make any other name point to this machine.
        Err(_) => {
            let is_named = names.iter().any(|it| it.eq_ignore_ascii_case(name));
            is_named || name.eq_ignore_ascii_case("localhost")
        }
    }
}

/// No name server can forge an address, so any is accepted if we listen to other machines.
fn is_ours_ip(ip: IpAddr, listens_at: IpAddr) -> bool {
    ip.is_loopback() || ip == listens_at || listens_at.is_unspecified()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_our_own_names_are_served() {
        let home: IpAddr = [127, 0, 0, 1].into();
        let open: IpAddr = [0, 0, 0, 0].into();
        let names = ["games.example.org".to_owned()];
        for host in ["127.0.0.1:8080", "localhost:8080", "LOCALHOST", "[::1]:80", "127.0.0.1"] {
            assert!(is_ours(host, home, &[]), "{host}");
        }
        for host in ["evil.example:8080", "192.168.0.4:8080", "localhost.evil.example", ""] {
            assert!(!is_ours(host, home, &names), "{host}");
        }
        assert!(is_ours("192.168.0.4:8080", open, &[]));
        assert!(!is_ours("evil.example", open, &[]));
        assert!(is_ours("Games.example.org", home, &names));
        assert!(is_ours("games.example.org:8443", home, &names));
    }
}
