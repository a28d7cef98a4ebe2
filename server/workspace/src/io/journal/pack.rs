//! The store's file: a log of texts, each with the chunks that were new with it.

use std::{collections::HashSet, path::Path};

use redline_text::Text;

use super::{
    index::Index,
    log::{Log, Tail},
    manifest::{Manifest, VERSION},
    split::{self, Cut, Split},
    store::StoreError,
    text_id::TextId,
};

/// The open file and what is known about it.
#[derive(Debug)]
pub(super) struct Pack {
    pub log: Log,
    pub tail: Tail,
    index: Index,
}

impl Pack {
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        let mut index = Some(Index::default());
        let mut empty = true;
        let (mut log, tail) = Log::open_with(path, |at, record| {
            index = match index.take() {
                index if empty => index.filter(|_| record == VERSION),
                index => index.and_then(|index| index.with(at, &record)),
            };
            empty = false;
        })?;
        if empty {
            log.append(VERSION)?;
        }
        let index = index.ok_or_else(|| StoreError::NotAStore(path.to_owned()))?;
        Ok(Self { log, tail, index })
    }

    pub fn holds(&self, id: TextId) -> bool {
        self.index.place(id).is_some()
    }

    /// Adds a text in one append.
    pub fn put(&mut self, split: &Split) -> Result<(), StoreError> {
        let (manifest, fresh) = self.index.plan(split.id, &split.cuts);
        let mut record = manifest.to_bytes();
        let head = record.len();
        let bytes = split.bytes();
        let (mut fresh, mut at) = (fresh.into_iter().peekable(), 0);
        for (number, cut) in split.cuts.iter().enumerate() {
            if fresh.next_if_eq(&number).is_some() {
                record.extend(bytes.copy(at, cut.len as usize));
            }
            at += cut.len as usize;
        }
        let at = self.log.append(&record)?;
        self.index.add(at, &manifest, head);
        Ok(())
    }

    /// The text, checked against its name.
    pub fn get(&self, id: TextId) -> Result<Option<Text>, StoreError> {
        let Some(manifest) = self.manifest(id)? else { return Ok(None) };
        let (mut bytes, mut cuts) = (Vec::new(), Vec::new());
        for span in self.index.spans(&manifest.runs).ok_or_else(|| self.damaged(id))? {
            bytes.extend(self.log.read_at(span.at, span.len)?);
            cuts.extend(span.cuts);
        }
        let mut rest = bytes.as_slice();
        for cut in &mut cuts {
            let part = rest.split_at_checked(cut.len as usize).ok_or_else(|| self.damaged(id))?;
            cut.hash = split::hash(part.0);
            rest = part.1;
        }
        let text = String::from_utf8(bytes).map_err(|_| self.damaged(id))?;
        match split::name(&cuts) == id {
            true => Ok(Some(text.into())),
            false => Err(self.damaged(id)),
        }
    }

    /// Rewrites the file for these texts (oldest first); returns those that `limit` bytes had no room
    /// for.
    pub fn retain(&mut self, ids: &[TextId], limit: u64) -> Result<Vec<TextId>, StoreError> {
        let (keep, dropped) = self.choose(ids, limit)?;
        let mut index = Index::default();
        let mut rewrite = self.log.rewrite()?;
        rewrite.push(VERSION)?;
        for (id, cuts) in keep {
            let (manifest, fresh) = index.plan(id, &cuts);
            let mut record = manifest.to_bytes();
            let head = record.len();
            for cut in fresh.into_iter().filter_map(|number| cuts.get(number)) {
                let at = self.index.chunk_at(cut).unwrap_or(u64::MAX);
                record.extend(rewrite.old().read_at(at, cut.len as usize)?);
            }
            let at = rewrite.push(&record)?;
            index.add(at, &manifest, head);
        }
        rewrite.commit()?;
        self.index = index;
        Ok(dropped)
    }

    /// The newest texts that fit, oldest first, with their chunks; and those that do not fit.
    fn choose(&self, ids: &[TextId], limit: u64) -> Result<Choice, StoreError> {
        let (mut keep, mut dropped) = (Vec::new(), Vec::new());
        let (mut seen, mut chunks) = (HashSet::new(), HashSet::new());
        let mut size = 0;
        for id in ids.iter().rev().copied().filter(|id| seen.insert(*id)) {
            let Some(manifest) = self.manifest(id)? else { continue };
            let spans = self.index.spans(&manifest.runs).ok_or_else(|| self.damaged(id))?;
            let cuts: Vec<Cut> = spans.into_iter().flat_map(|span| span.cuts).collect();
            let fresh = cuts.iter().filter(|cut| chunks.insert(cut.hash));
            size += fresh.map(|cut| u64::from(cut.len) + CHUNK_COST).sum::<u64>();
            size += TEXT_COST + RUN_COST * manifest.runs.len() as u64;
            match size <= limit && dropped.is_empty() {
                true => keep.push((id, cuts)),
                false => dropped.push(id),
            }
        }
        keep.reverse();
        dropped.reverse();
        Ok((keep, dropped))
    }

    fn manifest(&self, id: TextId) -> Result<Option<Manifest>, StoreError> {
        let Some(place) = self.index.place(id) else { return Ok(None) };
        let bytes = self.log.read_at(place.at, place.len)?;
        match Manifest::from_bytes(&bytes) {
            Some((manifest, _)) if manifest.id == id => Ok(Some(manifest)),
            _ => Err(self.damaged(id)),
        }
    }

    fn damaged(&self, id: TextId) -> StoreError {
        StoreError::Damaged { id, path: self.log.path().to_owned() }
    }
}

type Choice = (Vec<(TextId, Vec<Cut>)>, Vec<TextId>);

/// What a chunk, a text and a run cost beside their bytes, rounded up.
const CHUNK_COST: u64 = 19;
const TEXT_COST: u64 = 32;
const RUN_COST: u64 = 8;
