//! Positions under all three encodings, against a plain string; and ropes after any edits.

use proptest::{collection::vec, prelude::*};
use redline_fuzz::{fuzz, naive, text};
use redline_text::{Edit, Position, PositionRange, Text};

#[test]
fn positions() {
    let input = (text::long(), vec(text::swap(), 0..8), vec(text::position(), 1..12), any::<u16>());
    fuzz("positions", 400, input, |(mut plain, swaps, positions, at)| {
        let mut rope = Text::from(plain.as_str());
        for swap in &swaps {
            rope.apply(&Edit::new(swap.range(&plain), swap.new.as_str()));
            plain = swap.applied(&plain);
        }
        prop_assert_eq!(rope.to_string(), plain.as_str());
        check_lines(&rope, &plain)?;
        for position in &positions {
            check_position(&rope, &plain, *position)?;
        }
        check_offset(&rope, &plain, usize::from(at) % (plain.len() + 3))?;
        check_ranges(&rope, &plain, &positions)
    });
}

fn check_lines(rope: &Text, plain: &str) -> Result<(), TestCaseError> {
    let starts = naive::line_starts(plain);
    prop_assert_eq!(rope.len(), plain.len());
    prop_assert_eq!(rope.line_count(), starts.len());
    for (line, start) in starts.iter().enumerate() {
        prop_assert_eq!(rope.line_start(line), *start);
    }
    prop_assert_eq!(rope.line_start(starts.len()), plain.len());
    Ok(())
}

fn check_position(rope: &Text, plain: &str, at: Position) -> Result<(), TestCaseError> {
    for encoding in ENCODINGS {
        let want = naive::offset(plain, at, encoding);
        prop_assert_eq!(rope.offset(at, encoding), want, "{:?} {:?}", at, encoding);
        let exists = naive::position(plain, want, encoding) == at;
        prop_assert_eq!(rope.holds(at, encoding), exists);
    }
    Ok(())
}

fn check_offset(rope: &Text, plain: &str, at: usize) -> Result<(), TestCaseError> {
    let floor = naive::floor(plain, at);
    prop_assert_eq!(rope.floor(at), floor);
    for encoding in ENCODINGS {
        let position = rope.position(at, encoding);
        prop_assert_eq!(position, naive::position(plain, at, encoding), "{} {:?}", at, encoding);
        // Only the place between CR and LF has no position that leads back to it.
        let torn = plain[..floor].ends_with('\r') && plain[floor..].starts_with('\n');
        let back = rope.offset(position, encoding);
        prop_assert_eq!(back, if torn { floor - 1 } else { floor });
    }
    Ok(())
}

fn check_ranges(rope: &Text, plain: &str, positions: &[Position]) -> Result<(), TestCaseError> {
    for pair in positions.windows(2) {
        let range = PositionRange { start: pair[0], end: pair[1] };
        for encoding in ENCODINGS {
            let want = naive::range(plain, range, encoding);
            prop_assert_eq!(rope.offset_range(range, encoding), want.clone());
            prop_assert_eq!(&rope.slice(want.clone()), &plain[want.clone()]);
            let back = rope.position_range(want.clone(), encoding);
            prop_assert_eq!(back.start, naive::position(plain, want.start, encoding));
            prop_assert_eq!(back.end, naive::position(plain, want.end, encoding));
        }
    }
    Ok(())
}

const ENCODINGS: [redline_text::Encoding; 3] =
    [redline_text::Encoding::Utf8, redline_text::Encoding::Utf16, redline_text::Encoding::Utf32];
