//! The search of one text.

use std::{
    borrow::Cow,
    fs::File,
    io::{self, Read},
    path::Path,
    sync::atomic::{AtomicBool, Ordering},
};

use grep_matcher::Matcher;
use grep_regex::RegexMatcher;
use grep_searcher::{BinaryDetection, Searcher, SearcherBuilder, Sink, SinkContext, SinkMatch};
use redline_text::Text;

use super::{
    found::{Hit, Hits, Line},
    lines, returns,
};
use crate::tools::files::open;

/// Bytes of a file that are read before it is searched; most files are smaller.
const FIRST_READ: usize = 64 * 1024;
/// Bytes of a file that are searched in one piece; larger ones go through a window.
const MAX_WHOLE: usize = 256 * 1024;
/// Bytes that the window may grow to for one line; over several lines, of the whole file.
const MAX_WINDOW: usize = 64 * 1024 * 1024;

/// What is wanted of a text.
#[derive(Debug, Clone, Copy)]
pub(in crate::tools) struct Wanted {
    /// Matching lines after which the search of it ends.
    pub matches: u64,
    /// Their text too, and not only their number.
    pub text: bool,
    /// Lines before each match.
    pub before: usize,
    /// Lines after each match.
    pub after: usize,
    /// A match may span lines.
    pub multiline: bool,
    /// Characters of a line that are shown.
    pub max_chars: usize,
}

/// What came of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Scan {
    /// Its matches, perhaps none.
    Text(Hits),
    /// It has a NUL byte: its matches, if any, are of no use.
    Binary,
}

/// Searches one text after the other with the same memory. One per thread.
pub(super) struct Scanner<'a> {
    matcher: &'a RegexMatcher,
    wanted: Wanted,
    searcher: Searcher,
    buffer: Vec<u8>,
    stop: &'a AtomicBool,
}

impl<'a> Scanner<'a> {
    /// `stop` ends a search between two reads.
    pub fn new(matcher: &'a RegexMatcher, wanted: Wanted, stop: &'a AtomicBool) -> Self {
        let searcher = SearcherBuilder::new()
            .line_number(true)
            .line_terminator(matcher.line_terminator().unwrap_or_default())
            .multi_line(wanted.multiline)
            .before_context(wanted.before)
            .after_context(wanted.after)
            .heap_limit(Some(MAX_WINDOW))
            .binary_detection(BinaryDetection::none())
            .build();
        Self { matcher, wanted, searcher, buffer: Vec::new(), stop }
    }

    /// A file as the disk has it; UTF-16 with a BOM is understood.
    ///
    /// # Errors
    /// If it can't be read, or has a line that does not fit into memory.
    pub fn disk(&mut self, file: &Path) -> io::Result<Scan> {
        let mut file = open(file)?;
        let mut buffer = std::mem::take(&mut self.buffer);
        let scan = self.read_and_scan(&mut file, &mut buffer);
        self.buffer = buffer;
        scan
    }

    /// A text that is not on the disk.
    ///
    /// # Errors
    /// None in practice: nothing is read.
    pub fn text(&mut self, text: &Text) -> io::Result<Scan> {
        self.whole(text.to_string().as_bytes())
    }

    fn read_and_scan(&mut self, file: &mut File, buffer: &mut Vec<u8>) -> io::Result<Scan> {
        let len = fill(file, buffer)?;
        let head = buffer.get(..len).unwrap_or_default();
        if len < buffer.len() { self.whole(head) } else { self.pieces(head, file) }
    }

    fn whole(&mut self, bytes: &[u8]) -> io::Result<Scan> {
        let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
        let ended = returns::ended(bytes);
        let scan = self.slice(&ended)?;
        // Lines are counted as Read counts them, but to look for that in each file takes time.
        match (&scan, &ended) {
            (Scan::Text(hits), Cow::Borrowed(bytes)) if hits.count > 0 => {
                match returns::mixed(bytes) {
                    Some(bytes) => self.slice(&bytes),
                    None => Ok(scan),
                }
            }
            _ => Ok(scan),
        }
    }

    fn slice(&mut self, bytes: &[u8]) -> io::Result<Scan> {
        let mut sink = Collector::new(self.matcher, self.wanted);
        self.searcher.search_slice(self.matcher, bytes, &mut sink)?;
        // Only where it matters: most files have no match.
        let is_binary = || !is_utf_16(bytes) && memchr::memchr(0, bytes).is_some();
        Ok(if sink.found.count > 0 && is_binary() { Scan::Binary } else { sink.scan() })
    }

    fn pieces(&mut self, head: &[u8], rest: &mut File) -> io::Result<Scan> {
        if !is_utf_16(head) && memchr::memchr(0, head).is_some() {
            return Ok(Scan::Binary);
        }
        let mut sink = Collector::new(self.matcher, self.wanted);
        let reader = head.chain(Stoppable { file: rest, stop: self.stop });
        self.searcher.set_binary_detection(BinaryDetection::quit(0));
        let end = if returns::only(head) {
            self.searcher.search_reader(self.matcher, returns::Ended::new(reader), &mut sink)
        } else {
            self.searcher.search_reader(self.matcher, reader, &mut sink)
        };
        self.searcher.set_binary_detection(BinaryDetection::none());
        end?;
        Ok(sink.scan())
    }
}

fn is_utf_16(bytes: &[u8]) -> bool {
    bytes.starts_with(b"\xFF\xFE") || bytes.starts_with(b"\xFE\xFF")
}

/// Reads until the end or until `MAX_WHOLE` bytes; the buffer is longer than what was read if and
/// only if that is all.
fn fill(file: &mut File, buffer: &mut Vec<u8>) -> io::Result<usize> {
    if buffer.is_empty() {
        buffer.resize(FIRST_READ, 0);
    }
    let mut len = 0;
    loop {
        match file.read(&mut buffer[len..]) {
            Ok(0) => return Ok(len),
            Ok(count) => len += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
        if len == buffer.len() {
            if len >= MAX_WHOLE {
                return Ok(len);
            }
            buffer.resize(2 * len, 0);
        }
    }
}

/// A file that is read no further once nobody wants it.
struct Stoppable<'a> {
    file: &'a mut File,
    stop: &'a AtomicBool,
}

impl Read for Stoppable<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if self.stop.load(Ordering::Relaxed) { Ok(0) } else { self.file.read(into) }
    }
}

struct Collector<'a> {
    matcher: &'a RegexMatcher,
    wanted: Wanted,
    found: Hits,
    binary: bool,
}

impl<'a> Collector<'a> {
    fn new(matcher: &'a RegexMatcher, wanted: Wanted) -> Self {
        Self { matcher, wanted, found: Hits::default(), binary: false }
    }

    fn scan(self) -> Scan {
        if self.binary { Scan::Binary } else { Scan::Text(self.found) }
    }

    /// A matching line; false when no more are wanted.
    fn line(&mut self, number: u64, line: &[u8]) -> bool {
        if self.found.count == self.wanted.matches {
            self.found.more = true;
            return false;
        }
        self.found.count += 1;
        if self.wanted.text {
            let at = self.matcher.find(line).ok().flatten().map_or(0, |it| it.start());
            let text = lines::shown(line, at, self.wanted.max_chars);
            self.found.hits.push(Hit::Match(Line { number, text }));
        }
        true
    }
}

impl Sink for &mut Collector<'_> {
    type Error = io::Error;

    fn matched(&mut self, _: &Searcher, found: &SinkMatch<'_>) -> io::Result<bool> {
        let first = found.line_number().unwrap_or_default();
        Ok((first..).zip(found.lines()).all(|(number, line)| self.line(number, line)))
    }

    fn context(&mut self, _: &Searcher, context: &SinkContext<'_>) -> io::Result<bool> {
        let number = context.line_number().unwrap_or_default();
        let text = lines::shown(context.bytes(), 0, self.wanted.max_chars);
        if self.wanted.text {
            self.found.hits.push(Hit::Context(Line { number, text }));
        }
        Ok(true)
    }

    fn context_break(&mut self, _: &Searcher) -> io::Result<bool> {
        self.found.hits.push(Hit::Break);
        Ok(true)
    }

    fn binary_data(&mut self, _: &Searcher, _: u64) -> io::Result<bool> {
        self.binary = true;
        Ok(false)
    }
}

#[cfg(test)]
mod tests {
    use super::super::pattern::{Options, compiled};
    use super::*;

    const WANTED: Wanted =
        Wanted { matches: 10, text: true, before: 0, after: 0, multiline: false, max_chars: 200 };

    fn options(multiline: bool) -> Options {
        Options { case_sensitive: true, literal: false, multiline }
    }

    fn scan(bytes: &[u8], pattern: &str) -> Scan {
        scan_for(WANTED, bytes, pattern)
    }

    fn scan_for(wanted: Wanted, bytes: &[u8], pattern: &str) -> Scan {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("f");
        std::fs::write(&file, bytes).unwrap();
        let matcher = compiled(pattern, options(wanted.multiline)).unwrap();
        let stop = AtomicBool::new(false);
        let mut scanner = Scanner::new(&matcher, wanted, &stop);
        let first = scanner.disk(&file).unwrap();
        assert_eq!(scanner.disk(&file).unwrap(), first, "the memory is clean");
        first
    }

    fn check(bytes: &[u8], pattern: &str, want: &[(u64, &str)]) {
        let Scan::Text(found) = scan(bytes, pattern) else { panic!("binary") };
        let got: Vec<_> = found
            .hits
            .iter()
            .map(|hit| match hit {
                Hit::Match(line) => (line.number, line.text.as_str()),
                hit => panic!("{hit:?}"),
            })
            .collect();
        assert_eq!(got, want, "{pattern}");
    }

    fn utf_16(text: &str, bom: bool) -> Vec<u8> {
        let bom = bom.then_some(0xFEFF);
        bom.into_iter().chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect()
    }

    /// `=` before a match, `-` before its neighbours.
    fn with_context(wanted: Wanted, text: &str, pattern: &str) -> Vec<String> {
        let Scan::Text(found) = scan_for(wanted, text.as_bytes(), pattern) else {
            panic!("binary")
        };
        let shown = |hit: &Hit| match hit {
            Hit::Match(line) => format!("={}{}", line.number, line.text),
            Hit::Context(line) => format!("-{}{}", line.number, line.text),
            Hit::Break => "--".to_owned(),
        };
        found.hits.iter().map(shown).collect()
    }

    #[test]
    fn neighbours_come_once_and_gaps_are_told() {
        let text = "a\nx\nb\nx\nc\nd\ne\nf\nx\n";
        let around = |before, after| Wanted { before, after, ..WANTED };
        let check = |wanted, want: &[&str]| assert_eq!(with_context(wanted, text, "x"), want);
        check(around(1, 1), &["-1a", "=2x", "-3b", "=4x", "-5c", "--", "-8f", "=9x"]);
        check(around(0, 2), &["=2x", "-3b", "=4x", "-5c", "-6d", "--", "=9x"]);
        check(around(1, 0), &["-1a", "=2x", "-3b", "=4x", "--", "-8f", "=9x"]);
        let all = ["-1a", "=2x", "-3b", "=4x", "-5c", "-6d", "-7e", "-8f", "=9x"];
        check(around(usize::MAX, usize::MAX), &all);
    }

    #[test]
    fn matches_over_several_lines() {
        let multiline = Wanted { multiline: true, ..WANTED };
        let text = "fn a(\n  x,\n) {}\nfn b() {}\n";
        assert_eq!(with_context(multiline, text, r"fn a\(.*x"), ["=1fn a(", "=2  x,"]);
        assert_eq!(with_context(multiline, text, r"\{\}$"), ["=3) {}", "=4fn b() {}"]);
    }

    #[test]
    fn lines_are_counted_as_read_counts_them() {
        check(b"one\rtwo needle\rthree", "needle", &[(2, "two needle")]);
        check(b"one\rtwo\rneedle", "^needle$", &[(3, "needle")]);
        check(b"one\r\ntwo\rneedle\r\nneedle", "needle", &[(3, "needle"), (4, "needle")]);
        let long = [b"line\r".repeat(MAX_WHOLE), b"needle\r".to_vec()].concat();
        check(&long, "needle", &[(MAX_WHOLE as u64 + 1, "needle")]);
    }

    #[test]
    fn texts_of_all_kinds() {
        check(b"", "x", &[]);
        check(b"a\nxa\r\nb", "a$", &[(1, "a"), (2, "xa")]);
        check(b"a\nb\r\n", "\\r", &[(2, "b")]);
        check(b"\xEF\xBB\xBFfirst\n", "^first", &[(1, "first")]);
        check(b"caf\xE9 needle\n", "needle", &[(1, "caf\u{FFFD} needle")]);
        check(&utf_16("eins\nzwei é\n", true), "zwei", &[(2, "zwei é")]);
        assert_eq!(scan(b"foo\0bar\nfoo\0baz\n", "foo"), Scan::Binary);
        assert_eq!(scan(&utf_16("eins", false), "e"), Scan::Binary);
    }

    #[test]
    fn ten_of_a_file() {
        let found = |count: usize| match scan("x\n".repeat(count).as_bytes(), "x") {
            Scan::Text(found) => (found.hits.len(), found.more),
            Scan::Binary => panic!("binary"),
        };
        assert_eq!(found(10), (10, false));
        assert_eq!(found(11), (10, true));
    }

    #[test]
    fn large_files() {
        for size in [FIRST_READ - 7, FIRST_READ, MAX_WHOLE - 7, MAX_WHOLE, 3 * MAX_WHOLE] {
            let mut bytes = b"filler\n".repeat(size / 7 + 1);
            bytes.truncate(size);
            let line = 1 + bytes.iter().filter(|byte| **byte == b'\n').count() as u64;
            bytes.extend(b"\nneedle here\n");
            check(&bytes, "needle", &[(line + 1, "needle here")]);
            bytes.push(0);
            if size > MAX_WHOLE {
                assert_eq!(scan(&bytes, "needle"), Scan::Binary);
            }
        }
        let long = [b"x".repeat(3 * MAX_WHOLE), b"needle".to_vec()].concat();
        check(&long, "needle", &[(1, &format!("...{}needle", "x".repeat(40)))]);
    }

    #[test]
    fn a_stop_ends_the_reading() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("f");
        std::fs::write(&file, "a\n".repeat(MAX_WHOLE) + "needle").unwrap();
        let matcher = compiled("needle", options(false)).unwrap();
        let stop = AtomicBool::new(true);
        let scan = Scanner::new(&matcher, WANTED, &stop).disk(&file).unwrap();
        assert_eq!(scan, Scan::Text(Hits::default()));
    }
}
