use std::fs;

use proptest::prelude::*;
use redline_text::Edit;

use super::*;

fn fresh() -> (tempfile::TempDir, Store) {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::at(&dir.path().join("texts"));
    (dir, store)
}

fn lines(count: usize, seed: usize) -> Text {
    let line = |i| format!("{i}: {} é\n", (i * 31 + seed) * 7919 % 65_537);
    (0..count).map(line).collect::<String>().into()
}

/// The text with its middle replaced.
fn edited(text: &Text, new: &str) -> Text {
    let mut text = text.clone();
    let at = text.floor(text.len() / 2);
    text.apply(&Edit::new(at..at, new));
    text
}

#[test]
fn texts_come_back_by_name() {
    let (dir, mut store) = fresh();
    assert!(fs::read_dir(dir.path()).unwrap().next().is_none(), "opened when needed");
    let texts: Vec<Text> =
        vec![Text::new(), "é".into(), lines(3000, 0), edited(&lines(3000, 0), "x\n"), lines(9, 1)];
    let ids: Vec<TextId> = texts.iter().map(|text| store.put(text).unwrap()).collect();
    let mut again = Store::at(&dir.path().join("texts"));
    for (id, text) in ids.iter().zip(&texts) {
        assert_eq!(Store::id_of(text), *id);
        assert_eq!(store.get(id).unwrap().as_ref(), Some(text));
        assert_eq!(again.get(id).unwrap().as_ref(), Some(text));
        assert!(again.contains(id).unwrap());
    }
    assert_eq!(store.get(&Store::id_of(&"other".into())).unwrap(), None);
}

#[test]
fn what_is_known_costs_nothing() {
    let (_dir, mut store) = fresh();
    let text = lines(20_000, 0);
    store.put(&text).unwrap();
    let len = store.len_bytes().unwrap();
    store.put(&text.to_string().into()).unwrap();
    assert_eq!(store.len_bytes().unwrap(), len);
    store.put(&edited(&text, "new\n")).unwrap();
    let grown = store.len_bytes().unwrap() - len;
    assert!(grown < 9000, "{grown}");
}

#[test]
fn the_oldest_go_first() {
    let (dir, mut store) = fresh();
    let texts: Vec<Text> = (0..6).map(|seed| lines(1000, seed)).collect();
    let ids: Vec<TextId> = texts.iter().map(|text| store.put(text).unwrap()).collect();
    let one = texts[0].len() as u64;
    // The second is not wanted at all; the first and third find no room.
    let wanted = [ids[0], ids[2], ids[3], ids[4], ids[5]];
    let retained = store.retain(&wanted, one * 7 / 2).unwrap();
    assert_eq!(retained.dropped, [ids[0], ids[2]]);
    assert!(retained.after < one * 7 / 2 && retained.after < retained.before);
    assert_eq!(store.len_bytes().unwrap(), fs::metadata(dir.path().join("texts")).unwrap().len());
    let mut again = Store::at(&dir.path().join("texts"));
    for (at, (id, text)) in ids.iter().zip(&texts).enumerate() {
        let expect = (at >= 3).then_some(text);
        assert_eq!(store.get(id).unwrap().as_ref(), expect, "{at}");
        assert_eq!(again.get(id).unwrap().as_ref(), expect, "{at}");
    }
    assert_eq!(again.put(&texts[1]).unwrap(), ids[1]);
    assert_eq!(again.get(&ids[1]).unwrap().as_ref(), Some(&texts[1]));
}

#[test]
fn versions_of_a_text_share_room() {
    let (_dir, mut store) = fresh();
    let text = lines(3000, 0);
    let ids: Vec<TextId> =
        (0..50).map(|i| store.put(&edited(&text, &i.to_string())).unwrap()).collect();
    let retained = store.retain(&ids, 2 * text.len() as u64 + 100_000).unwrap();
    assert_eq!(retained.dropped, []);
    assert!(retained.after <= retained.before + 8, "{retained:?}");
    assert_eq!(store.retain(&[], 0).unwrap().dropped, []);
    assert_eq!(store.get(&ids[7]).unwrap(), None);
}

#[test]
fn damage_is_found_and_not_handed_out() {
    let (dir, mut store) = fresh();
    let id = store.put(&lines(1000, 0)).unwrap();
    let path = dir.path().join("texts");
    let mut bytes = fs::read(&path).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    fs::write(&path, bytes).unwrap();
    assert!(matches!(store.get(&id), Err(StoreError::Damaged { .. })));
    let mut again = Store::at(&path);
    assert_eq!(again.get(&id).unwrap(), None);
    assert!(again.tail().unwrap().dropped > 0);
    assert_eq!(again.put(&lines(1000, 0)).unwrap(), id);
    assert!(again.get(&id).unwrap().is_some());
}

#[test]
fn another_format_is_left_alone() {
    for record in [&b"redline texts 2"[..], b""] {
        let (dir, mut store) = fresh();
        let path = dir.path().join("texts");
        super::super::Log::open(&path).unwrap().log.append(record).unwrap();
        let before = fs::read(&path).unwrap();
        assert!(matches!(store.put(&"a".into()), Err(StoreError::NotAStore(_))));
        assert_eq!(fs::read(&path).unwrap(), before);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn any_history_is_kept(
        edits in prop::collection::vec((0usize..40_000, 0usize..3000, "[ab\u{e9}\n]{0,9}"), 1..20),
        keep in any::<u32>(),
    ) {
        let (dir, mut store) = fresh();
        let mut text = lines(1500, 0);
        let mut held = vec![(store.put(&text).unwrap(), text.clone())];
        for (at, gone, new) in edits {
            let (start, end) = (text.floor(at), text.floor(at + gone));
            text.apply(&Edit::new(start..end, new));
            held.push((store.put(&text).unwrap(), text.clone()));
        }
        let kept = |at: usize| keep >> (at % 32) & 1 == 1;
        let ids: Vec<TextId> =
            held.iter().enumerate().filter(|(at, _)| kept(*at)).map(|(_, (id, _))| *id).collect();
        prop_assert_eq!(store.retain(&ids, u64::MAX).unwrap().dropped, vec![]);
        let mut again = Store::at(&dir.path().join("texts"));
        for (id, text) in &held {
            let expect = ids.contains(id).then(|| text.clone());
            prop_assert_eq!(store.get(id).unwrap(), expect.clone());
            prop_assert_eq!(again.get(id).unwrap(), expect);
        }
    }
}
