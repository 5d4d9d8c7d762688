//! Whoever sent a request: the person at the machine, or a guest from some address.

use std::{net::IpAddr, sync::Arc};

use axum::{
    extract::FromRequestParts,
    http::{StatusCode, request::Parts},
};
use sha2::{Digest, Sha256};

use crate::{address::Household, error::ApiError};

/// Whoever sent a request.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Visitor {
    /// Whether they hold the key of the person at the machine.
    pub is_owner: bool,
    /// Whose limits the request counts against.
    pub household: Household,
    /// A word that stands for the household, from which it cannot be told.
    pub guest: Arc<str>,
}

impl Visitor {
    /// `secret` makes the words of two servers differ.
    pub fn new(address: IpAddr, is_owner: bool, secret: &str) -> Visitor {
        let household = Household::of(address);
        let digest = Sha256::digest(format!("{secret} {household}"));
        let guest: String = digest.iter().take(10).map(|it| format!("{it:02x}")).collect();
        Visitor { is_owner, household, guest: guest.into() }
    }

    /// Whom a match that they begin belongs to: empty for the person at the machine.
    pub fn creator(&self) -> &str {
        if self.is_owner { "" } else { &self.guest }
    }
}

/// Refuses what only the person at the machine may do.
pub(crate) fn owner_only() -> ApiError {
    ApiError::new(StatusCode::FORBIDDEN, "only the person who runs this server can do that").hint(
        "If that is you, open the link that Boardwright printed when it started; \
         `boardwright key` prints it again.",
    )
}

impl<S: Sync> FromRequestParts<S> for Visitor {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Visitor, ApiError> {
        let found = parts.extensions.get::<Visitor>().cloned();
        found.ok_or_else(|| ApiError::internal("a request came past the guard"))
    }
}
