//! Locating old text: never a panic, never a place that does not hold it, and what is there exactly
//! once is found exactly there.

use proptest::{collection::vec, prelude::*};
use redline_fuzz::{fuzz, text};
use redline_text::{
    Edit, Leniency, Located, Match, Options, Replacement, Text, Threshold, locate, locate_batch,
};

#[derive(Debug, Clone)]
enum Old {
    /// Anything at all.
    Any(String),
    /// A part of the text.
    Part(text::Swap),
    /// A part of the text, a little different.
    Near(text::Swap, text::Swap),
    /// Whole lines with other white space.
    Spaced(text::Swap, String),
}

impl Old {
    fn of(&self, text: &str) -> String {
        match self {
            Old::Any(any) => any.clone(),
            Old::Part(part) => text[part.range(text)].to_owned(),
            Old::Near(part, change) => change.applied(&text[part.range(text)]),
            Old::Spaced(part, blank) => text[part.range(text)].replace([' ', '\t'], blank),
        }
    }
}

fn old() -> impl Strategy<Value = Old> {
    prop_oneof![
        1 => text::short().prop_map(Old::Any),
        3 => text::swap().prop_map(Old::Part),
        2 => (text::swap(), text::swap()).prop_map(|(part, change)| Old::Near(part, change)),
        1 => (text::swap(), "[ \t]{0,3}").prop_map(|(part, blank)| Old::Spaced(part, blank)),
    ]
}

fn options() -> impl Strategy<Value = Options> {
    let leniency = prop_oneof![
        Just(Leniency::Literal),
        Just(Leniency::Lenient),
        (0.0..=1.0f64)
            .prop_map(|least| Leniency::Similar(Threshold::new(least).unwrap_or_default())),
    ];
    (any::<bool>(), any::<bool>(), leniency).prop_map(|(replace_all, first, leniency)| Options {
        replace_all,
        first_of_several: first,
        leniency,
    })
}

#[test]
fn locator() {
    let input = (text::short(), old(), text::short(), options());
    fuzz("locate", 600, input, |(plain, old, new, options)| {
        let (old, rope) = (old.of(&plain), Text::from(plain.as_str()));
        let found = locate(&rope, &old, &new, options);
        if let Err(error) = &found {
            prop_assert!(!error.to_string().is_empty());
        }
        if let Ok(located) = &found {
            check_edits(&plain, located)?;
            check_places(&plain, &old, located)?;
        }
        if is_plain(&plain, &old, &new) {
            check_exact(&plain, &old, &new, found.ok().as_ref())?;
        }
        Ok(())
    });
}

/// Several at once: all or none, none inside another, and each as it would be alone.
#[test]
fn batch() {
    let input = (text::short(), vec((old(), text::short(), options()), 0..5));
    fuzz("locate", 200, input, |(plain, wanted)| {
        let rope = Text::from(plain.as_str());
        let olds: Vec<String> = wanted.iter().map(|(old, ..)| old.of(&plain)).collect();
        let replacements: Vec<Replacement<'_>> = wanted
            .iter()
            .zip(&olds)
            .map(|((_, new, options), old)| Replacement { old, new, options: *options })
            .collect();
        let batch = match locate_batch(&rope, &replacements) {
            Ok(batch) => batch,
            Err(error) => {
                prop_assert!(!error.to_string().is_empty());
                return Ok(());
            }
        };
        prop_assert_eq!(batch.reports.len(), replacements.len());
        prop_assert!(batch.edits.windows(2).all(|two| two[0].range.end <= two[1].range.start));
        for (one, report) in replacements.iter().zip(&batch.reports) {
            let alone = locate(&rope, one.old, one.new, one.options);
            let alone = alone.map_err(|error| TestCaseError::fail(error.to_string()))?;
            prop_assert_eq!((alone.how, alone.edits.len()), (report.how, report.replaced));
            prop_assert!(alone.edits.iter().all(|edit| batch.edits.contains(edit)));
        }
        let mut after = rope.clone();
        after.apply_all(&batch.edits);
        prop_assert_eq!(after.len(), rope.len().saturating_add_signed(batch.delta()));
        Ok(())
    });
}

fn check_edits(plain: &str, located: &Located) -> Result<(), TestCaseError> {
    let edits = &located.edits;
    prop_assert!(!edits.is_empty());
    prop_assert!(edits.windows(2).all(|two| two[0].range.end <= two[1].range.start));
    prop_assert!(edits.iter().all(|edit| plain.get(edit.range.clone()).is_some()));
    prop_assert!(located.matches >= edits.len());
    prop_assert!((0.0..=1.0).contains(&located.score), "{}", located.score);
    Ok(())
}

/// What is replaced is the old text, but for what the kind of match allows.
fn check_places(plain: &str, old: &str, located: &Located) -> Result<(), TestCaseError> {
    // A byte order mark is no part of a text, unless the text has one in it.
    let old = old.strip_prefix('\u{feff}').filter(|_| !plain.contains('\u{feff}')).unwrap_or(old);
    let lf = |text: &str| text.replace("\r\n", "\n").replace('\r', "\n");
    let solid = |text: &str| text.replace(char::is_whitespace, "");
    for Edit { range, .. } in &located.edits {
        let there = &plain[range.clone()];
        let equal = match located.how {
            Match::Exact => there == old,
            Match::LineEndings => lf(there) == lf(old),
            Match::Whitespace => solid(there) == solid(old),
            // By how much these may differ is the score's business.
            Match::Escapes | Match::LookAlikes | Match::Similar => !there.is_empty(),
        };
        prop_assert!(equal, "{:?}: {there:?} is not {old:?}", located.how);
    }
    Ok(())
}

fn check_exact(
    plain: &str,
    old: &str,
    new: &str,
    found: Option<&Located>,
) -> Result<(), TestCaseError> {
    let at = plain.find(old).unwrap_or_default();
    let Some(Located { edits, how, matches, score }) = found else {
        return Err(TestCaseError::fail("it is there once, and is not found"));
    };
    prop_assert_eq!((*how, *matches, edits.len(), *score), (Match::Exact, 1, 1, 1.0));
    prop_assert_eq!(edits[0].range.clone(), at..at + old.len());
    // The new text gets the line ends of its place, and is literal else.
    let joined = |text: &str| text.replace(['\r', '\n'], "");
    prop_assert_eq!(joined(&edits[0].new), joined(new));
    Ok(())
}

/// Whether the old text is there exactly once, as whole chars and line ends, and neither it nor the
/// new one could be read as "and so on".
fn is_plain(plain: &str, old: &str, new: &str) -> bool {
    let omits = [old, new].iter().any(|text| text.contains("..") || text.contains('…'));
    let at = plain.find(old).unwrap_or_default();
    let torn = |at: usize| plain[..at].ends_with('\r') && plain[at..].starts_with('\n');
    !omits
        && !old.trim().is_empty()
        && old != new
        && occurrences(plain, old) == 1
        && !torn(at)
        && !torn(at + old.len())
}

/// How often the text holds it, counting places that overlap.
fn occurrences(text: &str, old: &str) -> usize {
    text.char_indices().filter(|(at, _)| text[*at..].starts_with(old)).count()
}
