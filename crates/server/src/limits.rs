//! How much of the server one address, one match and all guests together may use.

/// Limits of a server that others reach. The person at the machine has reserves that no guest
/// can take, and players have some that no watcher can take.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct ServerLimits {
    /// Connections that are open at once, sockets of matches not counted.
    pub connections: usize,
    /// The same from one address.
    pub connections_by_address: usize,
    /// Connections from one address that have not sent a whole request. If more come, the one
    /// that has waited longest is closed.
    pub waiting_by_address: usize,
    /// Sockets of those who only watch.
    pub watchers: usize,
    /// The same from one address.
    pub watchers_by_address: usize,
    /// The same of one match.
    pub watchers_by_match: usize,
    /// Sockets of guests who hold a seat or began the match.
    pub players: usize,
    /// The same from one address.
    pub players_by_address: usize,
    /// The same of one match.
    pub players_by_match: usize,
    /// Sockets of the person at the machine.
    pub owner: usize,
    /// Requests a second from one address, on average.
    pub requests_per_second: f64,
    /// Requests from one address in a burst.
    pub requests_in_a_burst: f64,
    /// Matches a minute that one address may begin, on average.
    pub new_matches_per_minute: f64,
    /// Matches that one address may begin in a burst.
    pub new_matches_in_a_burst: f64,
    /// Matches that the guests of one address may have.
    pub matches_by_address: usize,
    /// Matches that all guests together may have.
    pub matches_of_guests: usize,
}

impl Default for ServerLimits {
    fn default() -> ServerLimits {
        ServerLimits {
            connections: 4096,
            connections_by_address: 512,
            waiting_by_address: 64,
            watchers: 2048,
            watchers_by_address: 64,
            watchers_by_match: 512,
            players: 2048,
            players_by_address: 256,
            players_by_match: 128,
            owner: 512,
            requests_per_second: 100.0,
            requests_in_a_burst: 1000.0,
            new_matches_per_minute: 10.0,
            new_matches_in_a_burst: 30.0,
            matches_by_address: 100,
            matches_of_guests: 5000,
        }
    }
}

/// Files that are open beside connections: the database, the log, files being read.
const OTHER_FILES: u64 = 128;

impl ServerLimits {
    /// Files that may be open at once if every limit is reached.
    pub(crate) fn open_files(&self) -> u64 {
        let sockets = self.watchers + self.players + self.owner;
        (self.connections + sockets) as u64 + OTHER_FILES
    }

    /// The same limits, reduced to a system that allows this number of open files.
    pub(crate) fn within(self, n_files: u64) -> ServerLimits {
        let needed = self.open_files();
        if n_files >= needed {
            return self;
        }
        let (room, wanted) = (n_files.saturating_sub(OTHER_FILES), needed - OTHER_FILES);
        let part = |it: usize| ((it as u64 * room / wanted.max(1)) as usize).max(4);
        ServerLimits {
            connections: part(self.connections),
            watchers: part(self.watchers),
            players: part(self.players),
            owner: part(self.owner),
            ..self
        }
    }
}

/// Lets the process open as many files as the system allows; returns how many that is, if the
/// system tells.
#[cfg(unix)]
pub(crate) fn raise_open_files() -> Option<u64> {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let limit = getrlimit(Resource::Nofile);
    let raised = Rlimit { current: limit.maximum, maximum: limit.maximum };
    match setrlimit(Resource::Nofile, raised) {
        Ok(()) => Some(limit.maximum.unwrap_or(u64::MAX)),
        Err(cause) => {
            tracing::warn!(%cause, "the number of open files cannot be raised");
            Some(limit.current.unwrap_or(u64::MAX))
        }
    }
}

/// Other systems count no open files for a process.
#[cfg(not(unix))]
pub(crate) fn raise_open_files() -> Option<u64> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_shrink_with_the_number_of_open_files_and_keep_their_reserves() {
        let usual = ServerLimits::default();
        assert_eq!(usual.clone().within(1 << 20), usual);
        let small = usual.clone().within(1024);
        assert!(small.open_files() <= 1024, "{}", small.open_files());
        assert!(small.owner >= 4 && small.players >= 4 && small.watchers < usual.watchers);
        assert!(usual.within(0).owner >= 4);
    }
}
