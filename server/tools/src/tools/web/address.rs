//! Which addresses are on the public net. Everything else is inside this machine or the networks that
//! it is part of, where a page's author must not be able to send it (server-side request forgery).

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Networks that are not the public one, with what they are (IANA's special-purpose registries).
const V4: [(Ipv4Addr, u32, &str); 17] = [
    (Ipv4Addr::new(0, 0, 0, 0), 8, "an unspecified address"),
    (Ipv4Addr::new(10, 0, 0, 0), 8, "a private address"),
    (Ipv4Addr::new(100, 64, 0, 0), 10, "an address of the provider's own network"),
    (Ipv4Addr::new(127, 0, 0, 0), 8, "a loopback address"),
    // Reachable only from inside Azure, where it answers like 169.254.169.254.
    (Ipv4Addr::new(168, 63, 129, 16), 32, "a cloud's metadata address"),
    (Ipv4Addr::new(169, 254, 0, 0), 16, "a link-local address"),
    (Ipv4Addr::new(172, 16, 0, 0), 12, "a private address"),
    (Ipv4Addr::new(192, 0, 0, 0), 24, "a reserved address"),
    (Ipv4Addr::new(192, 0, 2, 0), 24, "an address for documentation"),
    (Ipv4Addr::new(192, 88, 99, 0), 24, "a tunnel's address"),
    (Ipv4Addr::new(192, 168, 0, 0), 16, "a private address"),
    (Ipv4Addr::new(198, 18, 0, 0), 15, "an address for benchmarks"),
    (Ipv4Addr::new(198, 51, 100, 0), 24, "an address for documentation"),
    (Ipv4Addr::new(203, 0, 113, 0), 24, "an address for documentation"),
    (Ipv4Addr::new(224, 0, 0, 0), 4, "a multicast address"),
    (Ipv4Addr::new(255, 255, 255, 255), 32, "a broadcast address"),
    (Ipv4Addr::new(240, 0, 0, 0), 4, "a reserved address"),
];

/// The same for IPv6; what is in none of them and not in 2000::/3 is reserved.
const V6: [(Ipv6Addr, u32, &str); 13] = [
    (Ipv6Addr::UNSPECIFIED, 128, "an unspecified address"),
    (Ipv6Addr::LOCALHOST, 128, "a loopback address"),
    // IPv4-compatible: out of use, and some systems still connect to the IPv4 address in it.
    (Ipv6Addr::UNSPECIFIED, 96, "an address that holds an IPv4 address"),
    (Ipv6Addr::new(0x64, 0xff9b, 1, 0, 0, 0, 0, 0), 48, "a tunnel's address"),
    (Ipv6Addr::new(0x100, 0, 0, 0, 0, 0, 0, 0), 64, "an address that leads nowhere"),
    (Ipv6Addr::new(0x2001, 0, 0, 0, 0, 0, 0, 0), 23, "a tunnel's or reserved address"),
    (Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 0), 32, "an address for documentation"),
    (Ipv6Addr::new(0x2002, 0, 0, 0, 0, 0, 0, 0), 16, "a tunnel's address"),
    (Ipv6Addr::new(0x3fff, 0, 0, 0, 0, 0, 0, 0), 20, "an address for documentation"),
    (Ipv6Addr::new(0xfc00, 0, 0, 0, 0, 0, 0, 0), 7, "a private address"),
    (Ipv6Addr::new(0xfe80, 0, 0, 0, 0, 0, 0, 0), 10, "a link-local address"),
    (Ipv6Addr::new(0xfec0, 0, 0, 0, 0, 0, 0, 0), 10, "a private address"),
    (Ipv6Addr::new(0xff00, 0, 0, 0, 0, 0, 0, 0), 8, "a multicast address"),
];

/// What an address is that is not on the public net, with its article; `None`: it is on it.
pub(super) fn inner(address: IpAddr) -> Option<&'static str> {
    match address {
        IpAddr::V4(address) => inner_v4(address),
        IpAddr::V6(address) => inner_v6(address),
    }
}

fn inner_v4(address: Ipv4Addr) -> Option<&'static str> {
    let bits = u32::from(address);
    let within = |net: Ipv4Addr, prefix: u32| (bits ^ u32::from(net)).leading_zeros() >= prefix;
    V4.iter().find(|(net, prefix, _)| within(*net, *prefix)).map(|(_, _, what)| *what)
}

fn inner_v6(address: Ipv6Addr) -> Option<&'static str> {
    if let Some(held) = held(address) {
        return inner_v4(held);
    }
    let bits = u128::from(address);
    let within = |net: Ipv6Addr, prefix: u32| (bits ^ u128::from(net)).leading_zeros() >= prefix;
    let listed = V6.iter().find(|(net, prefix, _)| within(*net, *prefix));
    let is_isatap = matches!(address.segments(), [_, _, _, _, 0 | 0x200, 0x5efe, _, _]);
    match listed {
        Some((_, _, what)) => Some(what),
        None if is_isatap => Some("a tunnel's address"),
        None if bits >> 125 == 0b001 => None,
        None => Some("a reserved address"),
    }
}

/// The IPv4 address that is meant: IPv4-mapped, and what NAT64 makes of an address on a network
/// without IPv4, where every page has such a one.
fn held(address: Ipv6Addr) -> Option<Ipv4Addr> {
    let [.., high, low] = address.segments();
    match address.segments() {
        [0, 0, 0, 0, 0, 0xffff, ..] | [0x64, 0xff9b, 0, 0, 0, 0, ..] => {
            Some(Ipv4Addr::from((u32::from(high) << 16) | u32::from(low)))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check(address: &str, want: Option<&str>) {
        assert_eq!(inner(address.parse().unwrap()), want, "{address}");
    }

    #[test]
    fn addresses_of_the_public_net() {
        for address in [
            "1.1.1.1",
            "8.8.8.8",
            "9.255.255.255",
            "11.0.0.0",
            "100.63.255.255",
            "100.128.0.0",
            "126.255.255.255",
            "128.0.0.1",
            "168.63.129.15",
            "169.253.255.255",
            "169.255.0.0",
            "172.15.255.255",
            "172.32.0.0",
            "192.0.1.0",
            "192.167.255.255",
            "192.169.0.0",
            "198.17.255.255",
            "198.20.0.0",
            "223.255.255.255",
            "2001:4860:4860::8888",
            "2606:4700:4700::1111",
            "2a00:1450:4001:801::200e",
            "::ffff:8.8.8.8",
            "64:ff9b::8.8.8.8",
        ] {
            check(address, None);
        }
    }

    #[test]
    fn addresses_inside() {
        for (address, what) in [
            ("0.0.0.0", "an unspecified address"),
            ("0.1.2.3", "an unspecified address"),
            ("10.0.0.1", "a private address"),
            ("10.255.255.255", "a private address"),
            ("100.64.0.1", "an address of the provider's own network"),
            ("100.100.100.200", "an address of the provider's own network"),
            ("127.0.0.1", "a loopback address"),
            ("127.255.255.254", "a loopback address"),
            ("168.63.129.16", "a cloud's metadata address"),
            ("169.254.169.254", "a link-local address"),
            ("172.16.0.1", "a private address"),
            ("172.31.255.255", "a private address"),
            ("192.0.0.192", "a reserved address"),
            ("192.0.2.1", "an address for documentation"),
            ("192.88.99.1", "a tunnel's address"),
            ("192.168.1.1", "a private address"),
            ("198.18.0.1", "an address for benchmarks"),
            ("198.19.255.255", "an address for benchmarks"),
            ("198.51.100.7", "an address for documentation"),
            ("203.0.113.7", "an address for documentation"),
            ("224.0.0.251", "a multicast address"),
            ("239.255.255.250", "a multicast address"),
            ("240.0.0.1", "a reserved address"),
            ("255.255.255.255", "a broadcast address"),
            ("::", "an unspecified address"),
            ("::1", "a loopback address"),
            ("::7f00:1", "an address that holds an IPv4 address"),
            ("::10.0.0.1", "an address that holds an IPv4 address"),
            ("::ffff:127.0.0.1", "a loopback address"),
            ("::ffff:169.254.169.254", "a link-local address"),
            ("::ffff:0:127.0.0.1", "a reserved address"),
            ("64:ff9b::127.0.0.1", "a loopback address"),
            ("64:ff9b::10.1.2.3", "a private address"),
            ("64:ff9b:1::8.8.8.8", "a tunnel's address"),
            ("100::1", "an address that leads nowhere"),
            ("2001::7f00:1", "a tunnel's or reserved address"),
            ("2001:0:4136:e378:8000:63bf:3fff:fdd2", "a tunnel's or reserved address"),
            ("2001:2::1", "a tunnel's or reserved address"),
            ("2001:20::1", "a tunnel's or reserved address"),
            ("2001:db8::1", "an address for documentation"),
            ("2002:7f00:1::1", "a tunnel's address"),
            ("2002:808:808::1", "a tunnel's address"),
            ("2606:4700::5efe:10.0.0.1", "a tunnel's address"),
            ("2606:4700::200:5efe:10.0.0.1", "a tunnel's address"),
            ("3fff::1", "an address for documentation"),
            ("4000::1", "a reserved address"),
            ("5f00::1", "a reserved address"),
            ("fc00::1", "a private address"),
            ("fd00:ec2::254", "a private address"),
            ("fe80::1", "a link-local address"),
            ("febf::1", "a link-local address"),
            ("fec0::1", "a private address"),
            ("ff02::1", "a multicast address"),
        ] {
            check(address, Some(what));
        }
    }

    proptest! {
        #[test]
        fn wrapping_an_address_hides_nothing(bits: u32) {
            let v4 = Ipv4Addr::from(bits);
            prop_assert_eq!(inner(IpAddr::V6(v4.to_ipv6_mapped())), inner(IpAddr::V4(v4)));
            let translated = Ipv6Addr::from((0x64_ff9b_u128 << 96) | u128::from(bits));
            prop_assert_eq!(inner(IpAddr::V6(translated)), inner(IpAddr::V4(v4)));
            let compatible = Ipv6Addr::from(u128::from(bits));
            prop_assert!(inner(IpAddr::V6(compatible)).is_some());
        }
    }
}
