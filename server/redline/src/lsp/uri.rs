//! `file:` URIs and paths. Windows drives and shares are not handled yet.

/// The path of a `file:` URI; `None`: it is of another scheme, names another host, or its bytes are
/// no UTF-8.
pub fn to_path(uri: &str) -> Option<String> {
    let rest = uri.get(..7).filter(|s| s.eq_ignore_ascii_case("file://")).map(|_| &uri[7..])?;
    let path = rest.strip_prefix("localhost").unwrap_or(rest);
    let end = path.find(['?', '#']).unwrap_or(path.len());
    path.starts_with('/').then(|| decoded(&path[..end])).flatten()
}

/// A path as a `file:` URI: everything but unreserved characters and `/` is percent-encoded.
pub fn from_path(path: &std::path::Path) -> String {
    let text = path.to_string_lossy();
    let mut uri = String::with_capacity(text.len() + 7);
    uri.push_str("file://");
    for byte in text.bytes() {
        match byte {
            b'/' | b'-' | b'.' | b'_' | b'~' => uri.push(char::from(byte)),
            byte if byte.is_ascii_alphanumeric() => uri.push(char::from(byte)),
            byte => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}

/// A `%` that is not followed by two hex digits stands for itself.
fn decoded(text: &str) -> Option<String> {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut i = 0;
    while i < bytes.len() {
        match (bytes[i] == b'%').then(|| escaped(bytes, i)).flatten() {
            Some(byte) => {
                out.push(byte);
                i += 3;
            }
            None => {
                out.push(bytes[i]);
                i += 1;
            }
        }
    }
    String::from_utf8(out).ok()
}

fn escaped(bytes: &[u8], at: usize) -> Option<u8> {
    let digit = |i: usize| char::from(*bytes.get(i)?).to_digit(16);
    u8::try_from(digit(at + 1)? * 16 + digit(at + 2)?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uris_name_paths() {
        for (uri, path) in [
            ("file:///a/b.rs", Some("/a/b.rs")),
            ("FILE://localhost/a", Some("/a")),
            ("file:///a%20b/%C3%A9%5B1%5d.rs", Some("/a b/é[1].rs")),
            ("file:///a b/é", Some("/a b/é")),
            ("file:///100%/x%2", Some("/100%/x%2")),
            ("file:///%ff", None),
            ("file://host/a", None),
            ("untitled:Untitled-1", None),
            ("", None),
            ("日本語日本語", None),
        ] {
            assert_eq!(to_path(uri).as_deref(), path, "{uri}");
        }
    }

    #[test]
    fn paths_round_trip() {
        for path in ["/a/b.rs", "/a b/é[1]%.rs", "/日本/𝒳", "/a#b?c:d"] {
            let uri = from_path(std::path::Path::new(path));
            assert!(uri.is_ascii());
            assert_eq!(to_path(&uri).as_deref(), Some(path));
        }
    }
}
