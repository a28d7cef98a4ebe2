//! What a caller may ask for, and how leniently.

/// How to look.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Options {
    /// Replace every place instead of demanding that there is one only.
    pub replace_all: bool,
    /// Of several exact places, replace the first (seed 002, edit_file: "By default, only the first
    /// occurrence is replaced"). Places that are not exact must still be unique.
    pub first_of_several: bool,
    /// How far the text may differ.
    pub leniency: Leniency,
}

impl Options {
    /// One place, which may differ in white space, escapes and look-alikes.
    pub const ONE: Self =
        Self { replace_all: false, first_of_several: false, leniency: Leniency::Lenient };
    /// Every such place.
    pub const ALL: Self = Self { replace_all: true, ..Self::ONE };
}

/// How far a place may differ from the old text. Every kind takes what those before it take.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Leniency {
    /// In line ends only, which no agent sees (seed 002, without `fuzzy_match`).
    Literal,
    /// In white space by lines, in escapes and in look-alikes (seed 000).
    #[default]
    Lenient,
    /// In some chars of some lines, if the whole is at least this similar (seed 002, `fuzzy_match`).
    Similar(Threshold),
}

/// The least similarity that is good enough: 0.0 (anything) to 1.0 (equal).
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub struct Threshold(f64);

impl Threshold {
    /// Seed 002: "default: 0.7".
    pub const DEFAULT: Self = Self(0.7);

    /// `None` if it is not between 0 and 1.
    pub fn new(least: f64) -> Option<Self> {
        (0.0..=1.0).contains(&least).then_some(Self(least))
    }

    /// The number, from 0.0 to 1.0.
    pub fn get(self) -> f64 {
        self.0
    }
}

impl Default for Threshold {
    fn default() -> Self {
        Self::DEFAULT
    }
}
