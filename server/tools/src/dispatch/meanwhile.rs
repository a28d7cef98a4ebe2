//! What may change while the user thinks about an ask (DESIGN, section 5: "if something changed
//! meanwhile it is asked again").

use std::{
    collections::BTreeMap,
    hash::{BuildHasher, RandomState},
    io::Read,
    path::{Path, PathBuf},
    time::SystemTime,
};

use redline_permissions::{Action, Verdict};

use super::case::Case;
use crate::Tools;

/// Bytes of a file that are compared; of a larger one its size and its time.
const MOST: u64 = 16 * 1024 * 1024;
/// How often a call is asked before it is given up.
pub(super) const ASKS: usize = 4;
/// What is said then.
pub(super) const RESTLESS: &str = "Not run: the rules or the files that it is about kept changing \
                                   while the user was asked. Look at them and call it again.";

/// What the user's answer is about.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Stand {
    /// Why it is asked; `None`: no rule asks.
    why: Option<String>,
    /// The files that the call would change, as they are on disk.
    contents: BTreeMap<PathBuf, Option<Content>>,
}

#[derive(Debug, PartialEq, Eq)]
enum Content {
    Bytes(u64),
    Stamp(u64, Option<SystemTime>),
}

impl Stand {
    /// Whether the answer to what was asked then is none to what would be asked now.
    pub fn is_answered_by(&self, then: &Stand) -> bool {
        let is_same = self.why.is_none() || self.why == then.why;
        is_same && self.contents == then.contents
    }
}

impl Tools {
    /// What a call stands on. `keys` of one call are those of the [`Stand`]s that are compared.
    pub(super) async fn stand(
        &self,
        case: &Case<'_>,
        verdict: &Verdict,
        keys: &RandomState,
    ) -> Stand {
        let asks = matches!(verdict.action, Action::Ask | Action::Delegate);
        let why = asks.then(|| verdict.reason.text.clone());
        // Whoever may read a file may read what is in it by then.
        let changes = if case.changes { case.paths.as_slice() } else { &[] };
        let files: Vec<PathBuf> = changes.iter().map(|path| path.real.clone()).collect();
        if files.is_empty() {
            return Stand { why, contents: BTreeMap::new() };
        }
        let keys = keys.clone();
        let look = move || {
            let looked = files.into_iter().map(|file| {
                let content = content(&file, &keys);
                (file, content)
            });
            looked.collect()
        };
        let contents = tokio::task::spawn_blocking(look).await.unwrap_or_default();
        Stand { why, contents }
    }
}

/// What a regular file holds; `None` of anything else.
fn content(file: &Path, keys: &RandomState) -> Option<Content> {
    let found = file.symlink_metadata().ok().filter(std::fs::Metadata::is_file)?;
    let stamp = Content::Stamp(found.len(), found.modified().ok());
    if found.len() > MOST {
        return Some(stamp);
    }
    let Ok(open) = crate::tools::open_plain(file) else { return Some(stamp) };
    let mut bytes = Vec::new();
    match open.take(MOST).read_to_end(&mut bytes) {
        Ok(_) => Some(Content::Bytes(keys.hash_one(&bytes))),
        Err(_) => Some(stamp),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stand(why: Option<&str>, bytes: Option<u64>) -> Stand {
        let contents = bytes.map(|hash| ("/f".into(), Some(Content::Bytes(hash))));
        Stand { why: why.map(str::to_owned), contents: contents.into_iter().collect() }
    }

    #[test]
    fn an_answer_is_to_what_was_asked() {
        let check = |then: &Stand, now: &Stand, want| {
            assert_eq!(now.is_answered_by(then), want, "{then:?} {now:?}");
        };
        let asked = stand(Some("one rule"), Some(1));
        check(&asked, &stand(Some("one rule"), Some(1)), true);
        // A grant or an edit of the rules has come: nothing is asked any more.
        check(&asked, &stand(None, Some(1)), true);
        check(&asked, &stand(Some("another rule"), Some(1)), false);
        check(&asked, &stand(Some("one rule"), Some(2)), false);
        check(&asked, &stand(None, None), false);
        check(&stand(None, None), &stand(Some("one rule"), None), false);
    }

    #[test]
    fn only_regular_files_are_looked_into() {
        let dir = tempfile::tempdir().unwrap();
        let (keys, file) = (RandomState::new(), dir.path().join("f"));
        assert_eq!(content(&file, &keys), None);
        assert_eq!(content(dir.path(), &keys), None);
        std::fs::write(&file, "a").unwrap();
        let one = content(&file, &keys);
        std::fs::write(&file, "b").unwrap();
        assert!(one.is_some() && one != content(&file, &keys));
        #[cfg(unix)]
        {
            std::fs::remove_file(&file).unwrap();
            let mode = rustix::fs::Mode::RWXU;
            rustix::fs::mknodat(rustix::fs::CWD, &file, rustix::fs::FileType::Fifo, mode, 0)
                .unwrap();
            assert_eq!(content(&file, &keys), None);
        }
    }
}
