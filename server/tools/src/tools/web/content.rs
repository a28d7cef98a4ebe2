//! What bytes are: their type, their charset, their text.

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};

/// What a server says that its answer is.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Kind {
    /// `text/html`, in lower case; empty if it did not say.
    essence: String,
    charset: Option<String>,
}

/// How a text is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// As Markdown.
    Html,
    /// As it is.
    Plain,
}

impl std::fmt::Display for Kind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.essence.as_str() {
            "" => f.write_str("of no type that the server names, and binary"),
            "application/pdf" => f.write_str("a PDF (application/pdf)"),
            image if image.starts_with("image/") => write!(f, "an image ({image})"),
            other => write!(f, "of type {other}"),
        }
    }
}

impl Kind {
    /// From the header `Content-Type`.
    pub fn of(header: Option<&str>) -> Self {
        let mut parts = header.unwrap_or_default().split(';').map(str::trim);
        let essence: String = parts.next().unwrap_or_default().chars().take(100).collect();
        let charset = parts.find_map(|part| {
            let (name, value) = part.split_once('=')?;
            let is_charset = name.trim().eq_ignore_ascii_case("charset");
            is_charset.then(|| value.trim().trim_matches(['"', '\'']).to_owned())
        });
        Self { essence: essence.to_ascii_lowercase(), charset }
    }

    pub fn is_image(&self) -> bool {
        self.essence.starts_with("image/") && self.essence != "image/svg+xml"
    }

    /// Whether the type alone says that there is no text in it. What is not known is looked at.
    pub fn is_binary(&self) -> bool {
        const BINARY: [&str; 4] = ["audio/", "font/", "model/", "video/"];
        const PACKED: [&str; 9] = [
            "application/epub+zip",
            "application/gzip",
            "application/java-archive",
            "application/pdf",
            "application/vnd.ms-excel",
            "application/wasm",
            "application/x-gzip",
            "application/x-tar",
            "application/zip",
        ];
        let essence = self.essence.as_str();
        self.is_image()
            || BINARY.iter().any(|start| essence.starts_with(start))
            || PACKED.contains(&essence)
            || essence.starts_with("application/vnd.openxmlformats")
    }

    fn is_html(&self) -> bool {
        matches!(self.essence.as_str(), "text/html" | "application/xhtml+xml")
    }

    /// A type that says next to nothing: servers send it for what they do not know.
    fn is_vague(&self) -> bool {
        matches!(self.essence.as_str(), "" | "application/octet-stream" | "binary/octet-stream")
    }
}

/// The text of a body and how it is shown; `None`: it is binary. Bytes that are wrong in their
/// charset become U+FFFD.
pub(super) fn text(body: &[u8], kind: &Kind) -> Option<(String, Form)> {
    let (encoding, _) = Encoding::for_bom(body).unzip();
    let encoding = encoding.or_else(|| Encoding::for_label(kind.charset.as_deref()?.as_bytes()));
    let encoding = encoding.or_else(|| declared(body)).unwrap_or_else(|| guessed(body));
    let (text, _, _) = encoding.decode(body);
    // UTF-16 has zeros in its bytes, but no text has them in its characters.
    if text.chars().take(4_096).any(|char| char == '\0') {
        return None;
    }
    let is_guess = encoding == WINDOWS_1252 && kind.charset.is_none();
    if is_guess && kind.is_vague() && declared(body).is_none() {
        return None;
    }
    let is_html = kind.is_html() || kind.is_vague() && looks_like_html(&text);
    Some((text.into_owned(), if is_html { Form::Html } else { Form::Plain }))
}

/// What a page says of itself in its first bytes: `<meta charset=…>`, `<meta … content="…;
/// charset=…">` or `<?xml … encoding="…"?>`.
fn declared(body: &[u8]) -> Option<&'static Encoding> {
    const HEAD: usize = 2_048;
    let head = body.get(..HEAD).unwrap_or(body).to_ascii_lowercase();
    let head = String::from_utf8_lossy(&head);
    let label = match head.trim_start().strip_prefix("<?xml") {
        Some(rest) => value_of(rest.split("?>").next()?, "encoding"),
        None => None,
    };
    let meta =
        || head.split("<meta").skip(1).find_map(|tag| value_of(tag.split('>').next()?, "charset"));
    let encoding = Encoding::for_label(label.or_else(meta)?.as_bytes())?;
    // What could be read as ASCII so far can't be UTF-16 (HTML standard, "prescan").
    Some(if [UTF_16BE, UTF_16LE].contains(&encoding) { UTF_8 } else { encoding })
}

/// The value of `name = value`, with or without quotes.
fn value_of<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let rest = text.get(text.find(name)? + name.len()..)?.trim_start().strip_prefix('=')?;
    let rest = rest.trim_start().trim_start_matches(['"', '\'']);
    let ends = |char: char| !char.is_ascii_alphanumeric() && !"-_:.".contains(char);
    rest.split(ends).next().filter(|value| !value.is_empty())
}

/// UTF-8 if it can be that, else what such pages mostly were written in. A char that is cut off at
/// the end counts if there are whole ones before it.
fn guessed(body: &[u8]) -> &'static Encoding {
    match std::str::from_utf8(body) {
        Ok(_) => UTF_8,
        Err(error) => {
            let whole = body.get(..error.valid_up_to()).unwrap_or_default();
            let is_cut = error.error_len().is_none() && !whole.is_ascii();
            if is_cut { UTF_8 } else { WINDOWS_1252 }
        }
    }
}

fn looks_like_html(text: &str) -> bool {
    let start: String = text.trim_start().chars().take(64).collect();
    let start = start.to_ascii_lowercase();
    ["<!doctype html", "<html", "<head", "<body"].iter().any(|tag| start.starts_with(tag))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(header: &str) -> Kind {
        Kind::of(Some(header).filter(|header| !header.is_empty()))
    }

    #[test]
    fn charsets() {
        let check = |body: &[u8], header: &str, want: &str| {
            let (text, _) = text(body, &kind(header)).unwrap();
            assert_eq!(text, want, "{header}");
        };
        check("é".as_bytes(), "text/plain", "é");
        check(b"\xe9", "text/plain; charset=iso-8859-1", "é");
        check(b"\xe9", "text/plain; Charset = \"ISO-8859-1\"", "é");
        check(b"\xe9", "text/plain", "é");
        check(b"\x93a\x94", "text/plain", "“a”");
        check(b"\xef\xbb\xbf\xc3\xa9", "text/plain; charset=iso-8859-1", "é");
        check(b"\xff\xfea\0b\0", "text/plain", "ab");
        check(b"\xfe\xff\0a\0b", "text/html", "ab");
        check(b"a\0b\0", "text/plain; charset=utf-16le", "ab");
        check(b"\x83e\x83X\x83g", "text/plain; charset=Shift_JIS", "テスト");
        check(b"\xc4\xe3\xba\xc3", "text/html; charset=gb2312", "你好");
        check(b"<meta charset=koi8-r>\xd0", "text/html", "<meta charset=koi8-r>п");
        let old = b"<META http-equiv=Content-Type content='text/html; CHARSET=windows-1251'>\xcf";
        check(
            old,
            "text/html",
            &format!("{}П", std::str::from_utf8(&old[..old.len() - 1]).unwrap()),
        );
        let xml = b"<?xml version='1.0' encoding='iso-8859-15'?>\xa4";
        check(xml, "text/xml", "<?xml version='1.0' encoding='iso-8859-15'?>€");
        check("<meta charset=utf-16>é".as_bytes(), "text/html", "<meta charset=utf-16>é");
        check("é".as_bytes(), "text/html; charset=nonsense", "é");
        check(b"<meta charset>\xe9", "text/html", "<meta charset>é");
        check(&"éé".as_bytes()[..3], "text/plain", "é\u{fffd}");
        check(b"", "", "");
    }

    #[test]
    fn forms() {
        let check = |body: &[u8], header: &str, want: Option<Form>| {
            let form = text(body, &kind(header)).map(|(_, form)| form);
            assert_eq!(form, want, "{header} {body:?}");
        };
        check(b"x", "text/html", Some(Form::Html));
        check(b"x", "TEXT/HTML;charset=utf-8", Some(Form::Html));
        check(b"x", "application/xhtml+xml", Some(Form::Html));
        check(b"<html>", "text/plain", Some(Form::Plain));
        check(b"{}", "application/json", Some(Form::Plain));
        check(b"# a", "text/markdown; charset=UTF-8", Some(Form::Plain));
        check(b"<rss/>", "application/rss+xml", Some(Form::Plain));
        check(b" <!DOCTYPE HTML><p>", "", Some(Form::Html));
        check(b"hello", "", Some(Form::Plain));
        check(b"hello", "application/octet-stream", Some(Form::Plain));
        check(b"\x7fELF\0\0", "", None);
        check(b"\x89PNG\r\n", "application/octet-stream", None);
        check(b"a\0b", "text/plain", None);
    }

    #[test]
    fn kinds() {
        for (header, binary, shown) in [
            ("application/pdf", true, "a PDF (application/pdf)"),
            ("image/png", true, "an image (image/png)"),
            ("image/svg+xml", false, "an image (image/svg+xml)"),
            ("application/zip; x=y", true, "of type application/zip"),
            ("video/mp4", true, "of type video/mp4"),
            ("text/css", false, "of type text/css"),
            ("application/octet-stream", false, "of type application/octet-stream"),
            ("", false, "of no type that the server names, and binary"),
        ] {
            let kind = kind(header);
            assert_eq!((kind.is_binary(), kind.to_string().as_str()), (binary, shown), "{header}");
        }
        assert_eq!(kind(&"x".repeat(10_000)).to_string().len(), 108);
    }
}
