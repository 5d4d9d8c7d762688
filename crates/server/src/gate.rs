//! Who may come in: requests by address, and sockets by address, match and role.
//!
//! Watchers, players and the person at the machine each have sockets of their own, so that no
//! number of watchers keeps a player out, and no number of guests the person at the machine.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use tokio::time::Instant;

use crate::{address::Household, limits::ServerLimits};

/// Addresses that are remembered.
const MAX_ADDRESSES: usize = 20_000;

/// What somebody is at a match.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Role {
    /// The person at the machine, at a match that they began.
    Owner,
    /// A guest who began the match or holds a seat.
    Player,
    Watcher,
}

/// Tokens that are taken one at a time and added over time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bucket {
    tokens: f64,
    at: Instant,
}

impl Bucket {
    pub fn full(most: f64) -> Bucket {
        Bucket { tokens: most, at: Instant::now() }
    }

    fn refill(&mut self, per_second: f64, most: f64) {
        let now = Instant::now();
        let more = now.duration_since(self.at).as_secs_f64() * per_second;
        self.at = now;
        self.tokens = (self.tokens + more).min(most);
    }

    /// Takes a token, if there is one.
    pub fn take(&mut self, per_second: f64, most: f64) -> bool {
        self.refill(per_second, most);
        let has_one = self.tokens >= 1.0;
        if has_one {
            self.tokens -= 1.0;
        }
        has_one
    }
}

/// Counts what guests use.
#[derive(Clone)]
pub(crate) struct Gate {
    limits: Arc<ServerLimits>,
    inner: Arc<Mutex<Inner>>,
}

#[derive(Default)]
struct Inner {
    buckets: HashMap<Household, Buckets>,
    /// Open sockets: of a role, of a role from an address, of a role at a match.
    sockets: HashMap<Count, usize>,
}

/// The buckets of an address.
struct Buckets {
    requests: Bucket,
    matches: Bucket,
}

#[derive(Clone, PartialEq, Eq, Hash)]
enum Count {
    All(Role),
    Address(Role, Household),
    Match(Role, Arc<str>),
}

/// The right to have a socket until it is dropped.
pub(crate) struct SocketPermit {
    gate: Gate,
    counts: Vec<Count>,
}

impl Drop for SocketPermit {
    fn drop(&mut self) {
        let mut inner = self.gate.lock();
        for it in &self.counts {
            inner.release(it);
        }
    }
}

impl Inner {
    fn release(&mut self, count: &Count) {
        if let Some(n) = self.sockets.get_mut(count) {
            *n -= 1;
            if *n == 0 {
                self.sockets.remove(count);
            }
        }
    }

    fn n(&self, count: &Count) -> usize {
        self.sockets.get(count).copied().unwrap_or(0)
    }
}

impl Gate {
    pub fn new(limits: Arc<ServerLimits>) -> Gate {
        Gate { limits, inner: Arc::default() }
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether an address may send another request now.
    pub fn allows_request(&self, household: Household) -> bool {
        let (rate, burst) = (self.limits.requests_per_second, self.limits.requests_in_a_burst);
        self.with_buckets(household, |it| it.requests.take(rate, burst))
    }

    /// Whether an address may begin another match now.
    pub fn allows_match(&self, household: Household) -> bool {
        let rate = self.limits.new_matches_per_minute / 60.0;
        let burst = self.limits.new_matches_in_a_burst;
        self.with_buckets(household, |it| it.matches.take(rate, burst))
    }

    fn with_buckets(&self, household: Household, take: impl FnOnce(&mut Buckets) -> bool) -> bool {
        let limits = &self.limits;
        let mut inner = self.lock();
        let buckets = &mut inner.buckets;
        if buckets.len() >= MAX_ADDRESSES && !buckets.contains_key(&household) {
            // Full ones say nothing that a new one would not.
            buckets.retain(|_, it| {
                it.requests.refill(limits.requests_per_second, limits.requests_in_a_burst);
                it.matches
                    .refill(limits.new_matches_per_minute / 60.0, limits.new_matches_in_a_burst);
                it.requests.tokens < limits.requests_in_a_burst
                    || it.matches.tokens < limits.new_matches_in_a_burst
            });
            if buckets.len() >= MAX_ADDRESSES {
                // This is an attack; what each address has used matters less than memory.
                buckets.clear();
            }
        }
        let fresh = || Buckets {
            requests: Bucket::full(limits.requests_in_a_burst),
            matches: Bucket::full(limits.new_matches_in_a_burst),
        };
        take(buckets.entry(household).or_insert_with(fresh))
    }

    /// A socket for somebody at a match; none if there are too many of their role.
    pub fn socket(&self, role: Role, household: Household, id: &str) -> Option<SocketPermit> {
        let limits = &self.limits;
        let (all, by_address, by_match) = match role {
            Role::Owner => (limits.owner, limits.owner, limits.owner),
            Role::Player => (limits.players, limits.players_by_address, limits.players_by_match),
            Role::Watcher => {
                (limits.watchers, limits.watchers_by_address, limits.watchers_by_match)
            }
        };
        let counts = vec![
            (Count::All(role), all),
            (Count::Address(role, household), by_address),
            (Count::Match(role, id.into()), by_match),
        ];
        let mut inner = self.lock();
        if counts.iter().any(|(it, most)| inner.n(it) >= *most) {
            return None;
        }
        let counts: Vec<Count> = counts.into_iter().map(|it| it.0).collect();
        for it in &counts {
            *inner.sockets.entry(it.clone()).or_default() += 1;
        }
        Some(SocketPermit { gate: self.clone(), counts })
    }

    /// Whether no socket is open.
    pub fn is_empty(&self) -> bool {
        self.lock().sockets.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use std::{net::Ipv4Addr, time::Duration};

    use super::*;

    fn gate(limits: ServerLimits) -> Gate {
        Gate::new(Arc::new(limits))
    }

    fn home(n: u32) -> Household {
        Household::of(Ipv4Addr::from(n).into())
    }

    #[test]
    fn watchers_cannot_lock_players_out_nor_guests_the_owner() {
        let limits = ServerLimits {
            watchers: 3,
            players: 2,
            players_by_address: 2,
            owner: 1,
            ..ServerLimits::default()
        };
        let gate = gate(limits);
        let take = |role, n| gate.socket(role, home(n), "pond");
        let watchers: Vec<_> = (1..=9).filter_map(|it| take(Role::Watcher, it)).collect();
        assert_eq!(watchers.len(), 3);
        let players: Vec<_> = (1..=9).filter_map(|it| take(Role::Player, it)).collect();
        assert_eq!(players.len(), 2);
        assert!(take(Role::Owner, 1).is_some());
        drop((watchers, players));
        assert!(gate.is_empty());
        assert!(take(Role::Watcher, 1).is_some());
    }

    #[test]
    fn one_address_and_one_match_have_their_own_limits() {
        let limits = ServerLimits {
            watchers_by_address: 2,
            watchers_by_match: 3,
            ..ServerLimits::default()
        };
        let gate = gate(limits);
        let mut held = Vec::new();
        let mut take = |n, id| {
            let permit = gate.socket(Role::Watcher, home(n), id);
            let is_in = permit.is_some();
            held.extend(permit);
            is_in
        };
        assert!(take(1, "pond") && take(1, "pond") && !take(1, "lake"));
        assert!(take(2, "pond") && !take(3, "pond") && take(3, "lake"));
    }

    #[tokio::test(start_paused = true)]
    async fn requests_are_counted_by_address_and_come_back_with_time() {
        let limits = ServerLimits {
            requests_per_second: 2.0,
            requests_in_a_burst: 5.0,
            ..ServerLimits::default()
        };
        let gate = gate(limits);
        let count = |n| (0..20).filter(|_| gate.allows_request(home(n))).count();
        assert_eq!((count(1), count(1), count(2)), (5, 0, 5));
        tokio::time::advance(Duration::from_secs(1)).await;
        assert_eq!(count(1), 2);
    }

    #[tokio::test(start_paused = true)]
    async fn the_table_of_addresses_is_bounded() {
        let gate = gate(ServerLimits::default());
        for n in 0..3 * MAX_ADDRESSES as u32 {
            assert!(gate.allows_request(home(n)));
        }
        assert!(gate.lock().buckets.len() <= MAX_ADDRESSES);
    }
}
