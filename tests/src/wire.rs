//! Frames of the LSP base protocol and JSON-RPC values.

use serde_json::{Value, json};
use std::io::{self, BufRead};

/// A frame with a correct `Content-Length` (bytes) around `body`.
pub fn frame(body: &[u8]) -> Vec<u8> {
    let mut bytes = format!("Content-Length: {}\r\n\r\n", body.len()).into_bytes();
    bytes.extend_from_slice(body);
    bytes
}

/// A request.
pub fn request(id: u64, method: &str, params: &Value) -> Value {
    with_params(json!({ "jsonrpc": "2.0", "id": id, "method": method }), params)
}

/// A notification.
pub fn notification(method: &str, params: &Value) -> Value {
    with_params(json!({ "jsonrpc": "2.0", "method": method }), params)
}

/// `null` parameters are left out: JSON-RPC allows an object or an array only.
fn with_params(mut message: Value, params: &Value) -> Value {
    if !params.is_null() {
        message["params"] = params.clone();
    }
    message
}

/// The next frame's body; `None` at a clean end of input.
///
/// # Errors
/// An end inside a frame, or a header without a usable `Content-Length`.
pub fn read_frame(input: &mut impl BufRead) -> io::Result<Option<Vec<u8>>> {
    let mut length = None;
    loop {
        let mut line = String::new();
        if input.read_line(&mut line)? == 0 {
            return if length.is_none() { Ok(None) } else { Err(truncated()) };
        }
        let line = line.trim_end();
        if line.is_empty() {
            break;
        }
        if let Some((name, value)) = line.split_once(':')
            && name.eq_ignore_ascii_case("content-length")
        {
            length = value.trim().parse::<usize>().ok();
        }
    }
    let length =
        length.ok_or_else(|| io::Error::new(io::ErrorKind::InvalidData, "frame without length"))?;
    let mut body = vec![0; length];
    input.read_exact(&mut body)?;
    Ok(Some(body))
}

fn truncated() -> io::Error {
    io::Error::new(io::ErrorKind::UnexpectedEof, "input ended inside a frame header")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_is_read_back() {
        let mut bytes = frame("{\"ä\":1}".as_bytes());
        bytes.extend(frame(b"{}"));
        let mut input = bytes.as_slice();
        assert_eq!(read_frame(&mut input).unwrap().unwrap(), "{\"ä\":1}".as_bytes());
        assert_eq!(read_frame(&mut input).unwrap().unwrap(), b"{}");
        assert!(read_frame(&mut input).unwrap().is_none());
    }

    #[test]
    fn a_broken_frame_is_an_error() {
        for bytes in [&b"Content-Type: x\r\n\r\n"[..], b"Content-Length: 5\r\n\r\n{}"] {
            assert!(read_frame(&mut &*bytes).is_err());
        }
    }
}
