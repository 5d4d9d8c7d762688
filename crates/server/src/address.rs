//! Addresses of clients: which of them count as one, and whose word about others is believed.
//!
//! An address gives no power. It only decides whose limits a request counts against.

use std::{
    error::Error,
    fmt,
    net::{IpAddr, Ipv6Addr},
    str::FromStr,
};

use axum::http::{HeaderMap, HeaderName, header};

const FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");

/// A range of addresses: `10.0.0.0/8`, or one address alone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Network {
    address: IpAddr,
    /// Bits that all addresses of the range have in common.
    prefix: u8,
}

/// A text that is no range of addresses.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NotANetwork;

impl fmt::Display for NotANetwork {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an address such as 10.0.0.7, or a range such as 10.0.0.0/8, is needed")
    }
}

impl Error for NotANetwork {}

impl FromStr for Network {
    type Err = NotANetwork;

    fn from_str(text: &str) -> Result<Network, NotANetwork> {
        let (address, prefix) = text.split_once('/').map_or((text, None), |it| (it.0, Some(it.1)));
        let address: IpAddr = address.trim().parse().map_err(|_| NotANetwork)?;
        let most = if address.is_ipv4() { 32 } else { 128 };
        let prefix = match prefix {
            Some(it) => it.trim().parse().ok().filter(|it| *it <= most).ok_or(NotANetwork)?,
            None => most,
        };
        Ok(Network { address, prefix })
    }
}

impl Network {
    /// Whether an address is in the range.
    pub fn contains(&self, address: IpAddr) -> bool {
        let (n_bits, own, other) = match (self.address, address.to_canonical()) {
            (IpAddr::V4(own), IpAddr::V4(it)) => {
                (32, u128::from(own.to_bits()), u128::from(it.to_bits()))
            }
            (IpAddr::V6(own), IpAddr::V6(it)) => (128, own.to_bits(), it.to_bits()),
            _ => return false,
        };
        // A shift by all bits gives nothing on both sides.
        let n_free = n_bits - u32::from(self.prefix);
        own.checked_shr(n_free) == other.checked_shr(n_free)
    }
}

/// The addresses that limits count as one: an IPv4 address, or the first 64 bits of an IPv6
/// address, since one household has all addresses that begin with them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct Household(IpAddr);

impl Household {
    pub fn of(address: IpAddr) -> Household {
        match address.to_canonical() {
            IpAddr::V6(it) => {
                let network = it.to_bits() & !u128::from(u64::MAX);
                Household(IpAddr::V6(Ipv6Addr::from_bits(network)))
            }
            v4 @ IpAddr::V4(_) => Household(v4),
        }
    }
}

impl fmt::Display for Household {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The address of whoever sent a request: that of the connection, unless it is a trusted proxy;
/// then the last one in its headers that is no trusted proxy.
pub(crate) fn client(peer: IpAddr, headers: &HeaderMap, trusted: &[Network]) -> IpAddr {
    let peer = peer.to_canonical();
    let is_trusted = |it: IpAddr| trusted.iter().any(|network| network.contains(it));
    if !is_trusted(peer) {
        return peer;
    }
    let mut last = peer;
    for hop in hops(headers).into_iter().rev() {
        // Whatever stands left of a hop that cannot be read was said by nobody we know.
        let Some(address) = hop else { break };
        last = address;
        if !is_trusted(address) {
            break;
        }
    }
    last
}

/// The addresses that proxies have written down, first one first; `None` for unreadable ones.
fn hops(headers: &HeaderMap) -> Vec<Option<IpAddr>> {
    let values = |name: HeaderName| {
        let texts = headers.get_all(name).iter().filter_map(|it| it.to_str().ok());
        texts.flat_map(|it| it.split(',')).map(str::trim).map(str::to_owned).collect::<Vec<_>>()
    };
    let plain = values(FORWARDED_FOR);
    if !plain.is_empty() {
        return plain.iter().map(|it| hop(it)).collect();
    }
    let named = |it: &String| {
        let pairs = it.split(';').filter_map(|it| it.split_once('='));
        let mut found = pairs.filter(|it| it.0.trim().eq_ignore_ascii_case("for"));
        hop(found.next()?.1.trim().trim_matches('"'))
    };
    values(header::FORWARDED).iter().map(named).collect()
}

/// `192.0.2.7`, `192.0.2.7:4711`, `2001:db8::7`, `[2001:db8::7]:4711`.
fn hop(text: &str) -> Option<IpAddr> {
    if let Ok(it) = text.parse::<IpAddr>() {
        return Some(it.to_canonical());
    }
    if let Ok(it) = text.parse::<std::net::SocketAddr>() {
        return Some(it.ip().to_canonical());
    }
    let bare = text.strip_prefix('[')?.strip_suffix(']')?;
    bare.parse::<IpAddr>().ok().map(|it| it.to_canonical())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ip(text: &str) -> IpAddr {
        text.parse().expect("an address")
    }

    fn networks(texts: &[&str]) -> Vec<Network> {
        texts.iter().map(|it| it.parse().expect("a network")).collect()
    }

    fn headers(name: HeaderName, lines: &[&str]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for line in lines {
            headers.append(name.clone(), line.parse().expect("a value"));
        }
        headers
    }

    #[test]
    fn ranges_hold_what_they_say() {
        let ten: Network = "10.0.0.0/8".parse().expect("a network");
        assert!(ten.contains(ip("10.1.2.3")) && ten.contains(ip("::ffff:10.1.2.3")));
        assert!(!ten.contains(ip("11.0.0.1")) && !ten.contains(ip("::1")));
        let all: Network = "::/0".parse().expect("a network");
        assert!(all.contains(ip("2001:db8::1")) && !all.contains(ip("10.0.0.1")));
        let one: Network = "127.0.0.1".parse().expect("a network");
        assert!(one.contains(ip("127.0.0.1")) && !one.contains(ip("127.0.0.2")));
        for wrong in ["", "pond", "10.0.0.0/33", "10.0.0.0/-1", "::/129", "10.0.0/8"] {
            assert_eq!(wrong.parse::<Network>(), Err(NotANetwork), "{wrong}");
        }
    }

    #[test]
    fn a_household_is_one_v4_address_or_64_bits_of_v6() {
        let of = |it: &str| Household::of(ip(it));
        assert_eq!(of("2001:db8:1:2::1"), of("2001:db8:1:2:ffff::9"));
        assert_ne!(of("2001:db8:1:2::1"), of("2001:db8:1:3::1"));
        assert_eq!(of("::ffff:10.0.0.1"), of("10.0.0.1"));
        assert_ne!(of("10.0.0.1"), of("10.0.0.2"));
    }

    #[test]
    fn headers_of_strangers_say_nothing() {
        let forged = headers(FORWARDED_FOR, &["192.0.2.1"]);
        assert_eq!(client(ip("198.51.100.7"), &forged, &[]), ip("198.51.100.7"));
        let trusted = networks(&["10.0.0.0/8"]);
        assert_eq!(client(ip("127.0.0.1"), &forged, &trusted), ip("127.0.0.1"));
    }

    #[test]
    fn the_last_hop_that_is_no_proxy_is_the_client() {
        let trusted = networks(&["127.0.0.1", "10.0.0.0/8"]);
        let ask =
            |lines: &[&str]| client(ip("127.0.0.1"), &headers(FORWARDED_FOR, lines), &trusted);
        assert_eq!(ask(&["192.0.2.1"]), ip("192.0.2.1"));
        assert_eq!(ask(&["203.0.113.9, 192.0.2.1, 10.0.0.3"]), ip("192.0.2.1"), "forged first hop");
        assert_eq!(ask(&["203.0.113.9", "192.0.2.1:4711"]), ip("192.0.2.1"), "two lines");
        assert_eq!(ask(&["192.0.2.1, nonsense"]), ip("127.0.0.1"));
        assert_eq!(ask(&["10.0.0.1, 10.0.0.2"]), ip("10.0.0.1"), "only proxies");
        assert_eq!(ask(&[]), ip("127.0.0.1"));
        let named =
            headers(header::FORWARDED, &["for=192.0.2.1;proto=https, for=\"[2001:db8::7]:1\""]);
        assert_eq!(client(ip("127.0.0.1"), &named, &trusted), ip("2001:db8::7"));
    }
}
