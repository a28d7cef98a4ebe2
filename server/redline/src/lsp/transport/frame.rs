//! Frames of the LSP base protocol: headers, an empty line, a body.
//!
//! A stream that lost its frame is not given up: the reader looks for the next line that ends in a
//! `Content-Length` header (a body has no line ends, so the next header often stands at its end).

use std::io;

use tokio::io::{AsyncBufRead, AsyncBufReadExt, AsyncReadExt};

/// The longest body that is read, in bytes.
pub const MAX_FRAME: usize = 64 << 20;

/// The longest header line that is kept, in bytes; of a longer one only the end.
const MAX_LINE: usize = 4096;

/// What the stream held.
#[derive(Debug, PartialEq, Eq)]
pub enum Frame {
    /// The body of a whole frame.
    Body(Vec<u8>),
    /// Something that is no frame, in words; the next frame is looked for from here.
    Broken(String),
    /// The stream ended.
    End,
}

/// Reads frames from a stream.
pub struct Reader<R> {
    input: R,
    place: Place,
}

/// Where in the stream the reader is.
#[derive(Clone, Copy)]
enum Place {
    /// Where a frame begins.
    Start,
    /// Anywhere: lines are skipped until one ends in a `Content-Length` header.
    Lost,
    /// Behind such a header.
    Found(usize),
}

/// A header block, or why there is none.
enum Head {
    Length(usize),
    Broken(String),
    End,
}

impl<R: AsyncBufRead + Unpin> Reader<R> {
    /// At the start of the stream, where a frame begins.
    pub fn new(input: R) -> Self {
        Self { input, place: Place::Start }
    }

    /// The next frame. Not cancel-safe.
    pub async fn next(&mut self) -> Frame {
        match self.head().await {
            Ok(Head::Length(length)) => {
                let mut body = vec![0; length];
                match self.input.read_exact(&mut body).await {
                    Ok(_) => Frame::Body(body),
                    Err(_) => Frame::End,
                }
            }
            Ok(Head::Broken(why)) => Frame::Broken(why),
            Ok(Head::End) | Err(_) => Frame::End,
        }
    }

    async fn head(&mut self) -> io::Result<Head> {
        let mut length = match self.place {
            Place::Start => None,
            Place::Found(length) => Some(length),
            Place::Lost => match self.seek().await? {
                Some(length) => Some(length),
                None => return Ok(Head::End),
            },
        };
        self.place = Place::Start;
        let mut any = length.is_some();
        loop {
            let Some(line) = self.line().await? else { return Ok(Head::End) };
            match (line.is_empty(), length) {
                (true, Some(length)) => return Ok(Head::Length(length)),
                (true, None) if any => {
                    return Ok(self.lose("a frame without Content-Length", &line));
                }
                (true, None) => continue,
                (false, _) => any = true,
            }
            match header(&line) {
                Ok(None) => {}
                Ok(Some(n)) if length.is_none_or(|known| known == n) => length = Some(n),
                Ok(Some(_)) => return Ok(self.lose("a frame with two lengths", b"")),
                Err(why) => return Ok(self.lose(&why, &line)),
            }
        }
    }

    /// Skips to the next `Content-Length` header.
    async fn seek(&mut self) -> io::Result<Option<usize>> {
        while let Some(line) = self.line().await? {
            if let Some(length) = tail_length(&line) {
                return Ok(Some(length));
            }
        }
        Ok(None)
    }

    fn lose(&mut self, why: &str, line: &[u8]) -> Head {
        self.place = tail_length(line).map_or(Place::Lost, Place::Found);
        Head::Broken(format!("{why}; skipped to the next Content-Length header"))
    }

    /// A line without its end; of a long one the last `MAX_LINE` bytes. `None`: the stream ended.
    async fn line(&mut self) -> io::Result<Option<Vec<u8>>> {
        let mut line = Vec::new();
        loop {
            let chunk = self.input.fill_buf().await?;
            if chunk.is_empty() {
                return Ok(None);
            }
            let end = chunk.iter().position(|b| *b == b'\n');
            let used = end.map_or(chunk.len(), |end| end + 1);
            line.extend_from_slice(&chunk[..used]);
            self.input.consume(used);
            if line.len() > MAX_LINE {
                line.drain(..line.len() - MAX_LINE);
            }
            if end.is_some() {
                return Ok(Some(line.trim_ascii().to_vec()));
            }
        }
    }
}

/// The length in a `Content-Length` header, `None` for any other header.
fn header(line: &[u8]) -> Result<Option<usize>, String> {
    let shown = || String::from_utf8_lossy(&line[..line.len().min(60)]).into_owned();
    let Some(colon) = line.iter().position(|b| *b == b':') else {
        return Err(format!("no header: {:?}", shown()));
    };
    if !line[..colon].trim_ascii().eq_ignore_ascii_case(NAME) {
        let name = line[..colon].iter().all(|b| b.is_ascii_alphanumeric() || *b == b'-');
        return if name { Ok(None) } else { Err(format!("no header: {:?}", shown())) };
    }
    let value = std::str::from_utf8(&line[colon + 1..]).unwrap_or_default().trim();
    match value.parse::<usize>() {
        Ok(length) if length <= MAX_FRAME => Ok(Some(length)),
        Ok(_) => Err(format!("Content-Length {value} is more than {MAX_FRAME} bytes")),
        Err(_) => Err(format!("Content-Length {value:?} is not a number of bytes")),
    }
}

const NAME: &[u8] = b"content-length";

/// The length in a `Content-Length` header at the end of a line.
fn tail_length(line: &[u8]) -> Option<usize> {
    let start = line.windows(NAME.len()).rposition(|w| w.eq_ignore_ascii_case(NAME))?;
    header(&line[start..]).ok().flatten()
}

/// A body as a frame.
pub fn framed(body: &[u8]) -> Vec<u8> {
    let mut frame = format!("Content-Length: {}\r\n\r\n", body.len()).into_bytes();
    frame.extend_from_slice(body);
    frame
}
