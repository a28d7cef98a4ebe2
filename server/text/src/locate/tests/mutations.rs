//! A region of a file, changed as models change what they copy: it is found, or refused, and never
//! is anything else replaced.

use super::*;

const NEW: &str = "entirely_new_text()";

/// Source text in which regions are rarely, but sometimes, there twice.
fn source() -> impl Strategy<Value = Vec<String>> {
    let line = prop_oneof![
        8 => ("[ \t]{0,6}", "[a-d]{2,5}", "[ ]{1,3}", "(=|\\(|—|\"|“|')", "[ ]{0,2}", "[a-d0-9]{1,4}")
            .prop_map(|(a, b, c, d, e, f)| format!("{a}{b}{c}{d}{e}{f}")),
        1 => Just(String::new()),
        1 => Just("}".to_owned()),
        1 => Just("\treturn \\n it's".to_owned()),
    ];
    proptest::collection::vec(line, 3..14)
}

#[derive(Debug, Clone, Copy)]
enum Mutation {
    Indent,
    Tabs,
    Runs,
    Trailing,
    Straight,
    Escaped,
    Numbered,
    Typo,
}

fn mutation() -> impl Strategy<Value = Mutation> {
    use Mutation::*;
    prop::sample::select(vec![Indent, Tabs, Runs, Trailing, Straight, Escaped, Numbered, Typo])
}

fn mutated(lines: &[String], how: Mutation, first: usize) -> String {
    let each = |(i, line): (usize, &String)| match how {
        Mutation::Indent => line.trim_start().to_owned(),
        Mutation::Tabs => line.replace('\t', "    "),
        Mutation::Runs => line.split_whitespace().collect::<Vec<_>>().join(" "),
        Mutation::Trailing => format!("{line}  "),
        Mutation::Straight => line.replace('“', "\"").replace('—', "-"),
        Mutation::Escaped => line.replace('"', "\\\"").replace('\t', "\\t"),
        Mutation::Typo if i == 1 => line.replacen('a', "ax", 1),
        Mutation::Typo => line.clone(),
        Mutation::Numbered => format!("{}: {line}", first + i + 1),
    };
    lines.iter().enumerate().map(each).collect::<Vec<_>>().join("\n")
}

proptest! {
    #[test]
    fn a_changed_copy_is_found_or_refused(
        lines in source(), from in 0usize..12, count in 1usize..5, how in mutation(),
        crlf: bool, similar: bool,
    ) {
        let end = if crlf { "\r\n" } else { "\n" };
        let from = from % lines.len();
        let to = (from + count).min(lines.len());
        let old = mutated(&lines[from..to], how, from);
        let file = lines.join(end);
        let leniency = match similar {
            true => Leniency::Similar(Threshold::default()),
            false => Leniency::Lenient,
        };
        let text = Text::from(file.as_str());
        // A copy of what is elsewhere too.
        if matches!(how, Mutation::Typo) && place_of(&text, &old).is_some() {
            return Ok(());
        }
        let Ok(located) = locate(&text, &old, NEW, Options { leniency, ..ONE }) else { return Ok(()) };
        prop_assert_eq!(located.edits.len(), 1);
        let start: usize = lines[..from].iter().map(|line| line.len() + end.len()).sum();
        let region = start..start + lines[from..to].join(end).len();
        let range = located.edits[0].range.clone();
        // Outside of the region, white space at most.
        prop_assert!(file[range.start.min(region.start)..region.start].trim().is_empty());
        prop_assert!(file[region.end..range.end.max(region.end)].trim().is_empty());
        let left_out = [&file[region.start..range.start.max(region.start).min(region.end)],
            &file[range.end.min(region.end).max(region.start)..region.end]];
        prop_assert!(left_out.iter().all(|part| part.trim().is_empty()), "{:?} {:?}", range, region);
    }

    #[test]
    fn a_changed_copy_that_is_there_once_is_found(
        words in proptest::collection::vec("[a-z]{3,8}", 6..20), from in 0usize..12,
        count in 1usize..5, how in mutation(), depth in 0usize..3,
    ) {
        let how = if matches!(how, Mutation::Numbered | Mutation::Typo) { Mutation::Runs } else { how };
        // Where all indentation is gone, so are the steps in it.
        let step = usize::from(!matches!(how, Mutation::Runs | Mutation::Indent));
        let lines: Vec<String> = words.iter().enumerate()
            .map(|(i, word)| (i, word, "\t".repeat(depth + i % 2 * step)))
            .map(|(i, word, indent)| format!("{indent}{word}_{i} = “{word}” — {i}"))
            .collect();
        let from = from % lines.len();
        let to = (from + count).min(lines.len());
        let old = mutated(&lines[from..to], how, from);
        let new = mutated(&lines[from..to], how, from).replace(" = ", " := ");
        let mut text = Text::from(lines.join("\n"));
        let located = locate(&text, &old, &new, ONE).unwrap();
        text.apply_all(&located.edits);
        let mut want = lines.clone();
        want[from..to].iter_mut().for_each(|line| *line = line.replace(" = ", " := "));
        let got = text.to_string();
        if matches!(how, Mutation::Trailing) {
            let got: Vec<&str> = got.lines().map(str::trim_end).collect();
            prop_assert_eq!(got, want);
        } else {
            prop_assert_eq!(got, want.join("\n"));
        }
    }
}
