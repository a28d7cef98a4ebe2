//! A case: what is asked for, what is right, and what comes of it.

use redline_text::{
    BatchError, Leniency, LocateError, Options, Replacement, Text, Threshold, locate, locate_batch,
};
use serde::Deserialize;

/// One line of the corpus.
#[derive(Deserialize)]
pub struct Case {
    pub id: String,
    op: String,
    #[serde(default)]
    file: String,
    #[serde(default)]
    old: String,
    #[serde(default)]
    new: String,
    #[serde(default)]
    replace_all: bool,
    #[serde(default)]
    edits: Vec<Asked>,
    expect: Option<String>,
    seed_expect: Option<String>,
    expect_error: Option<String>,
    #[serde(default)]
    expect_alt: Vec<String>,
    #[serde(default)]
    contradicts_seed: bool,
    amp: String,
    air: String,
    located: Option<Kind>,
    pub tier: Tier,
}

/// How much depends on a case.
#[derive(Deserialize, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum Tier {
    Contract,
    Quality,
    Advisory,
}

#[derive(Deserialize)]
struct Kind {
    kind: String,
}

#[derive(Deserialize)]
struct Asked {
    old: String,
    new: String,
    #[serde(default)]
    replace_all: bool,
}

impl Asked {
    fn replacement(&self) -> Replacement<'_> {
        let options = air(self.replace_all, Leniency::Literal);
        Replacement { old: &self.old, new: &self.new, options }
    }
}

/// What a case comes to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    Pass,
    /// Refused although there is a right place, or refused for a wrong reason.
    Miss,
    /// Written what is wrong.
    Unsafe,
}

/// The text after, or the kind of error and its message.
pub type Outcome = Result<String, (&'static str, String)>;

impl Case {
    /// What it comes to, and what the locator did.
    pub fn verdict(&self) -> (Verdict, Outcome) {
        let got = self.run();
        let verdict = match &got {
            Ok(text) if self.is_right(text) => Verdict::Pass,
            Ok(_) => Verdict::Unsafe,
            Err((kind, _)) if self.right_error().is_some_and(|right| right == *kind) => {
                Verdict::Pass
            }
            Err(_) => Verdict::Miss,
        };
        (verdict, got)
    }

    fn is_right(&self, text: &str) -> bool {
        if self.contradicts_seed {
            return self.seed_expect.as_deref() == Some(text)
                || (self.contract() == "ok:exact"
                    && self.file.replacen(&self.old, &self.new, 1) == text);
        }
        self.expect.as_deref() == Some(text) || self.expect_alt.iter().any(|alt| alt == text)
    }

    /// The kind of error that is right, if one is.
    fn right_error(&self) -> Option<&str> {
        if !self.contradicts_seed {
            return self.expect_error.as_deref();
        }
        match self.contract() {
            "error:empty" => Some("empty_old"),
            contract => contract.strip_prefix("error:"),
        }
    }

    /// What the contract of the tool that is called says.
    fn contract(&self) -> &str {
        if self.is_similar() || self.op == "multi_edit" { &self.air } else { &self.amp }
    }

    fn is_similar(&self) -> bool {
        self.located.as_ref().is_some_and(|located| located.kind == "lev")
    }

    fn run(&self) -> Outcome {
        let (bom, file) = match self.file.strip_prefix('\u{feff}') {
            Some(rest) => ("\u{feff}", rest),
            None => ("", self.file.as_str()),
        };
        let mut text = Text::from(file);
        let edits = match self.op.as_str() {
            "multi_edit" => self.several(&text),
            _ => self.single(&text),
        }?;
        text.apply_all(&edits);
        Ok(format!("{bom}{text}"))
    }

    fn single(&self, text: &Text) -> Result<Vec<redline_text::Edit>, (&'static str, String)> {
        let options = match self.is_similar() {
            true => air(self.replace_all, Leniency::Similar(Threshold::default())),
            false => Options { replace_all: self.replace_all, ..Options::ONE },
        };
        let located = locate(text, &self.old, &self.new, options);
        located.map(|located| located.edits).map_err(|error| (kind(&error), error.to_string()))
    }

    fn several(&self, text: &Text) -> Result<Vec<redline_text::Edit>, (&'static str, String)> {
        let wanted: Vec<Replacement<'_>> = self.edits.iter().map(Asked::replacement).collect();
        let batch = locate_batch(text, &wanted);
        batch.map(|batch| batch.edits).map_err(|error| (batch_kind(&error), error.to_string()))
    }
}

/// Seed 002.
fn air(replace_all: bool, leniency: Leniency) -> Options {
    Options { replace_all, first_of_several: true, leniency }
}

fn kind(error: &LocateError) -> &'static str {
    match error {
        LocateError::Same => "same",
        LocateError::EmptyOld => "empty_old",
        LocateError::Omission { .. } => "omission_placeholder",
        LocateError::NotFound(_) => "not_found",
        LocateError::Multiple { .. } => "multiple",
    }
}

fn batch_kind(error: &BatchError) -> &'static str {
    match error {
        BatchError::Failed { failed, .. } => failed.first().map_or("", |(_, error)| kind(error)),
        BatchError::Overlap { .. } => "overlap",
        BatchError::TooMany(_) => "too_many_edits",
        BatchError::Empty => "empty",
    }
}
