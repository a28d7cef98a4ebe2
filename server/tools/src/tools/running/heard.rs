//! What a command prints on both streams, and the newest of it while it runs.

use super::{Head, Sink, Stream, Tail};

/// Keeps a part of an output.
pub(in crate::tools) trait Keep {
    /// More of it.
    fn push(&mut self, chunk: &[u8]);
}

impl Keep for Head {
    fn push(&mut self, chunk: &[u8]) {
        Head::push(self, chunk);
    }
}

impl Keep for Tail {
    fn push(&mut self, chunk: &[u8]) {
        Tail::push(self, chunk);
    }
}

/// The streams apart, each kept in its way, and the end of both as it came. `tell` is told of that
/// now and then.
pub(in crate::tools) struct Heard<E, T> {
    pub out: Head,
    pub err: E,
    pub newest: Tail,
    pub tell: T,
}

impl<E: Keep, T: Fn(&Tail)> Sink for Heard<E, T> {
    fn push(&mut self, stream: Stream, chunk: &[u8]) {
        match stream {
            Stream::Out => self.out.push(chunk),
            Stream::Err => self.err.push(chunk),
        }
        self.newest.push(chunk);
    }

    fn tell(&mut self) {
        (self.tell)(&self.newest);
    }
}
