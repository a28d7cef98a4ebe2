//! Where everything lies in a store's file. Kept in memory: some 60 bytes a chunk and a text.

use std::collections::HashMap;

use super::{
    frame::LARGEST,
    manifest::{self, Manifest, Run},
    split::{Cut, Hash},
    text_id::TextId,
};

/// Chunks by number and by content, texts by name.
#[derive(Debug, Default)]
pub(super) struct Index {
    chunks: Vec<Chunk>,
    by_hash: HashMap<Hash, u32>,
    texts: HashMap<TextId, Place>,
}

/// A chunk: its offset in the file, in bytes.
#[derive(Debug, Clone, Copy)]
struct Chunk {
    at: u64,
    cut: Cut,
}

/// A manifest: offset and length in the file, in bytes. It is read again when it is needed.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place {
    pub at: u64,
    pub len: usize,
}

/// Chunks that lie side by side in the file, to be read at once.
#[derive(Debug)]
pub(super) struct Span {
    pub at: u64,
    pub len: usize,
    pub cuts: Vec<Cut>,
}

impl Index {
    /// Takes in a record that lies at `at`; `None`: it is not a text that fits what came before.
    pub fn with(mut self, at: u64, record: &[u8]) -> Option<Self> {
        let (manifest, head) = Manifest::from_bytes(record)?;
        let data: u64 = manifest.fresh.iter().map(|cut| u64::from(cut.len)).sum();
        let chunks = (self.chunks.len() + manifest.fresh.len()) as u64;
        let known = |run: &Run| u64::from(run.first) + u64::from(run.count) <= chunks;
        if (record.len() - head) as u64 != data || !manifest.runs.iter().all(known) {
            return None;
        }
        self.add(at, &manifest, head);
        Some(self)
    }

    /// Takes in a text whose record lies at `at` and has its manifest in the first `head` bytes.
    pub fn add(&mut self, at: u64, manifest: &Manifest, head: usize) {
        let mut chunk_at = at + head as u64;
        for cut in &manifest.fresh {
            self.by_hash.insert(cut.hash, self.chunks.len() as u32);
            self.chunks.push(Chunk { at: chunk_at, cut: *cut });
            chunk_at += u64::from(cut.len);
        }
        self.texts.insert(manifest.id, Place { at, len: head });
    }

    /// The manifest of a text that consists of `cuts`, and which of them (ascending) are new.
    pub fn plan(&self, id: TextId, cuts: &[Cut]) -> (Manifest, Vec<usize>) {
        let (mut new, mut fresh) = (HashMap::new(), Vec::new());
        let numbers: Vec<u32> = cuts
            .iter()
            .enumerate()
            .map(|(position, cut)| {
                let next = (self.chunks.len() + new.len()) as u32;
                self.by_hash.get(&cut.hash).copied().unwrap_or_else(|| {
                    *new.entry(cut.hash).or_insert_with(|| {
                        fresh.push(position);
                        next
                    })
                })
            })
            .collect();
        let chosen = fresh.iter().filter_map(|position| cuts.get(*position).copied()).collect();
        (Manifest { id, fresh: chosen, runs: manifest::runs(numbers) }, fresh)
    }

    /// Where a text's manifest lies.
    pub fn place(&self, id: TextId) -> Option<Place> {
        self.texts.get(&id).copied()
    }

    /// Where a chunk's bytes lie.
    pub fn chunk_at(&self, cut: &Cut) -> Option<u64> {
        let number = *self.by_hash.get(&cut.hash)?;
        self.chunks.get(number as usize).map(|chunk| chunk.at)
    }

    /// Where the chunks of runs lie; `None`: some are not there, or they are more than any text has.
    pub fn spans(&self, runs: &[Run]) -> Option<Vec<Span>> {
        let mut spans: Vec<Span> = Vec::new();
        let mut total = 0;
        for run in runs {
            let first = run.first as usize;
            for chunk in self.chunks.get(first..first + run.count as usize)? {
                let len = chunk.cut.len as usize;
                total += len;
                if total > LARGEST {
                    return None;
                }
                match spans.last_mut().filter(|span| span.at + span.len as u64 == chunk.at) {
                    Some(span) => {
                        span.len += len;
                        span.cuts.push(chunk.cut);
                    }
                    None => spans.push(Span { at: chunk.at, len, cuts: vec![chunk.cut] }),
                }
            }
        }
        Some(spans)
    }
}
