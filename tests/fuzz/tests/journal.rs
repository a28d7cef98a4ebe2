//! The journal's files after any damage: never a panic, never anything that was not written.

use std::{fs, path::Path};

use proptest::{collection::vec, prelude::*, sample::Index};
use redline_fuzz::{fuzz, text};
use redline_text::Text;
use redline_workspace::io::journal::{Log, Store};

#[derive(Debug, Clone)]
enum Damage {
    Cut(Index),
    Flip(Index, u8),
    Zero(Index, Index),
    Append(Vec<u8>),
    Replace(Vec<u8>),
}

impl Damage {
    fn apply(&self, bytes: &mut Vec<u8>) {
        match self {
            Damage::Append(more) => bytes.extend(more),
            Damage::Replace(other) => bytes.clone_from(other),
            _ if bytes.is_empty() => {}
            Damage::Cut(at) => bytes.truncate(at.index(bytes.len())),
            Damage::Flip(at, bit) => {
                let at = at.index(bytes.len());
                bytes[at] ^= 1 << (bit % 8);
            }
            Damage::Zero(from, to) => {
                let from = from.index(bytes.len());
                let len = to.index(bytes.len() - from) + 1;
                bytes[from..from + len].fill(0);
            }
        }
    }

    /// Whether whole records could be left that were not among the written ones.
    fn is_foreign(&self) -> bool {
        matches!(self, Damage::Replace(_))
    }
}

fn damage() -> impl Strategy<Value = Damage> {
    let bytes = || vec(any::<u8>(), 0..60);
    let ours = bytes().prop_map(|tail| [b"RDLLOG\x01\x00".to_vec(), tail].concat());
    prop_oneof![
        3 => any::<Index>().prop_map(Damage::Cut),
        3 => (any::<Index>(), any::<u8>()).prop_map(|(at, bit)| Damage::Flip(at, bit)),
        1 => any::<(Index, Index)>().prop_map(|(from, to)| Damage::Zero(from, to)),
        1 => bytes().prop_map(Damage::Append),
        1 => bytes().prop_map(Damage::Replace),
        1 => ours.prop_map(Damage::Replace),
    ]
}

fn harm(path: &Path, damages: &[Damage]) -> std::io::Result<()> {
    let mut bytes = fs::read(path)?;
    damages.iter().for_each(|damage| damage.apply(&mut bytes));
    fs::write(path, bytes)
}

#[test]
fn log() {
    let records = vec(vec(any::<u8>(), 0..80), 0..8);
    let input = (records, vec(damage(), 0..3), vec(any::<u8>(), 0..20));
    fuzz("journal", 128, input, |(records, damages, more)| {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("log");
        let mut log = Log::open(&path)?.log;
        for record in &records {
            log.append(record)?;
        }
        drop(log);
        harm(&path, &damages)?;
        let Ok((read, tail)) = Log::read(&path) else {
            // Not our file any more: left alone, also by who would write it.
            prop_assert!(Log::open(&path).is_err());
            return Ok(());
        };
        if !damages.iter().any(Damage::is_foreign) {
            prop_assert!(records.starts_with(&read), "{read:?} is no prefix");
        }
        if damages.is_empty() {
            prop_assert_eq!((read.len(), tail.dropped), (records.len(), 0));
        }
        let mut opened = Log::open(&path)?;
        prop_assert_eq!(&opened.records, &read);
        opened.log.append(&more)?;
        let (again, tail) = Log::read(&path)?;
        prop_assert_eq!(tail.dropped, 0, "what was torn is cut off");
        prop_assert_eq!(again, [read, vec![more]].concat());
        Ok(())
    });
}

#[test]
fn texts() {
    let input = (text::pair(), text::long(), vec(damage(), 1..3));
    fuzz("journal", 40, input, |((one, two), three, damages)| {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("texts");
        let texts = [one, two, three].map(|text| Text::from(text.as_str()));
        let mut store = Store::at(&path);
        for text in &texts {
            let id = store.put(text)?;
            prop_assert_eq!(id, Store::id_of(text));
        }
        drop(store);
        harm(&path, &damages)?;
        let mut store = Store::at(&path);
        for text in &texts {
            // Lost, perhaps; another text, never.
            if let Ok(Some(got)) = store.get(&Store::id_of(text)) {
                prop_assert_eq!(&got, text);
            }
        }
        Ok(())
    });
}
