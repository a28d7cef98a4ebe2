use super::*;

fn target(written: &str) -> Target {
    Target::parse(written).unwrap_or_else(|error| panic!("{written}: {error}"))
}

#[test]
fn spellings_of_one_address() {
    for (written, want) in [
        ("HTTP://EXAMPLE.com", "http://example.com/"),
        ("https://example.com:443/a/../b?q#frag", "https://example.com/b?q"),
        ("  https://example.com/a b  ", "https://example.com/a%20b"),
        ("https://exam\tple.com/\n", "https://example.com/"),
        ("https:/example.com", "https://example.com/"),
        ("https:\\\\example.com\\a", "https://example.com/a"),
        ("https://bücher.example/", "https://xn--bcher-kva.example/"),
        ("http://127.1", "http://127.0.0.1/"),
        ("http://0x7f.1", "http://127.0.0.1/"),
        ("http://0177.0.0.1", "http://127.0.0.1/"),
        ("http://2130706433/", "http://127.0.0.1/"),
        ("http://[::ffff:127.0.0.1]", "http://[::ffff:7f00:1]/"),
    ] {
        assert_eq!(target(written).to_string(), want, "{written}");
    }
}

#[test]
fn targets_inside() {
    let check = |written: &str, want: Option<&str>| {
        assert_eq!(target(written).inner(), want, "{written}");
    };
    for written in [
        "http://127.0.0.1/",
        "http://127.1/",
        "http://127.0.1:8080/",
        "http://2130706433/",
        "http://0x7f000001/",
        "http://0X7F.0.0.1/",
        "http://0177.0.0.01/",
        "http://017700000001/",
        "http://127.0.0.1./",
        "http://%31%32%37.0.0.1/",
        "http://１２７.０.０.１/",
        "http://127。0。0。1/",
        "https://[::1]/",
        "http://[0:0:0:0:0:0:0:1]:3000/",
        "http://[::ffff:127.0.0.1]/",
        "http://[::ffff:7f00:1]/",
        "http://[64:ff9b::7f00:1]/",
    ] {
        check(written, Some("a loopback address"));
    }
    for written in [
        "http://localhost/",
        "http://LOCALHOST:3000/",
        "http://localhost./",
        "http://api.localhost/",
        "http://loc%61lhost/",
        "http://ｌｏｃａｌｈｏｓｔ/",
        "http://a.b.localhost.:1/",
    ] {
        check(written, Some("this machine"));
    }
    for (written, what) in [
        ("http://0/", "an unspecified address"),
        ("http://0.0.0.0:22/", "an unspecified address"),
        ("http://10.1/", "a private address"),
        ("http://0xa.0x0.0x0.0x1/", "a private address"),
        ("http://012.0.0.1/", "a private address"),
        ("http://192.168.257/", "a private address"),
        ("http://172.16.0.1/", "a private address"),
        ("http://169.254.169.254/latest/meta-data/", "a link-local address"),
        ("http://0xa9fea9fe/", "a link-local address"),
        ("http://2852039166/", "a link-local address"),
        ("http://[fe80::1]/", "a link-local address"),
        ("http://[fd12:3456::1]/", "a private address"),
        ("http://[::]/", "an unspecified address"),
        ("http://[::10.0.0.1]/", "an address that holds an IPv4 address"),
        ("http://[2002:a00:1::]/", "a tunnel's address"),
        ("http://[2001:0:a00::1]/", "a tunnel's or reserved address"),
        ("http://[ff02::1]/", "a multicast address"),
        ("http://100.64.0.1/", "an address of the provider's own network"),
        ("http://255.255.255.255/", "a broadcast address"),
    ] {
        check(written, Some(what));
    }
    for written in [
        "https://example.com/",
        "https://localhost.example.com/",
        "https://notlocalhost/",
        "http://8.8.8.8/",
        "http://134744072/",
        "http://[2606:4700:4700::1111]/",
        "https://127.0.0.1.example.com/",
    ] {
        check(written, None);
    }
}

#[test]
fn what_is_no_address_of_a_page() {
    let check = |written: &str, want: &str| {
        let error = Target::parse(written).unwrap_err().to_string();
        assert!(error.contains(want), "{written}: {error}");
    };
    for (written, want) in [
        ("", "is not the address of a page"),
        ("example.com/page", "is not the address of a page"),
        ("/etc/passwd", "is not the address of a page"),
        ("https://", "is not the address of a page"),
        ("https://exa mple.com/", "is not the address of a page"),
        ("http://[::1", "is not the address of a page"),
        ("http://[fe80::1%25eth0]/", "is not the address of a page"),
        ("http://1.2.3.4.5/", "is not the address of a page"),
        ("http://256.256.256.256/", "is not the address of a page"),
        ("http://example.com:99999/", "is not the address of a page"),
        ("http://a\0b/", "is not the address of a page"),
        ("localhost:3000", "write https:// before it"),
        ("file:///etc/passwd", "Read files with Read"),
        ("ftp://example.com/", "only http and https"),
        ("gopher://127.0.0.1:6379/_SET", "only http and https"),
        ("data:text/html,x", "only http and https"),
        ("javascript:alert(1)", "only http and https"),
        ("view-source:https://example.com", "only http and https"),
        ("https://user@example.com/", "name or password"),
        ("https://user:secret@example.com/", "name or password"),
        ("https://:secret@example.com/", "name or password"),
        ("http://example.com@127.0.0.1/", "name or password"),
    ] {
        check(written, want);
    }
    let long = format!("https://example.com/{}", "a".repeat(10 * 1024 * 1024));
    check(&long, "longer than 8192 bytes");
    let secret = Target::parse("https://user:hunter2@example.com/").unwrap_err().to_string();
    assert!(!secret.contains("hunter2"));
}

#[test]
fn redirects_are_targets_too() {
    let from = target("https://example.com/a/b?c");
    let to = |location: &str| from.join(location).map(|target| target.to_string());
    assert_eq!(to("../x"), Ok("https://example.com/x".to_owned()));
    assert_eq!(to("//other.org"), Ok("https://other.org/".to_owned()));
    assert_eq!(to("?d#e"), Ok("https://example.com/a/b?d".to_owned()));
    assert!(matches!(to("file:///etc/passwd"), Err(TargetError::Scheme(_))));
    assert!(matches!(to("https://a:b@c/"), Err(TargetError::Credentials)));
}

#[test]
fn patterns_and_upgrades() {
    assert_eq!(target("http://localhost:3000/a").pattern(), "http://localhost:3000/*");
    assert_eq!(target("https://[::1]/").pattern(), "https://[::1]/*");
    let upgraded = |from: &str, to: &str| target(from).is_upgraded_by(&target(to));
    assert!(upgraded("http://a.org/x?y", "https://a.org/x?y"));
    assert!(!upgraded("http://a.org/x", "https://a.org/y"));
    assert!(!upgraded("http://a.org/x", "https://b.org/x"));
    assert!(!upgraded("http://a.org/x", "https://a.org:8443/x"));
    assert!(!upgraded("https://a.org/x", "http://a.org/x"));
}
