//! From HTML to Markdown: parse within limits, keep what the page is about, write.
//!
//! The parser is html5ever (Servo's) and the writer is htmd. What a page is about is taken from what
//! the page says of itself (`main`, `article`) and not from a measure of density: on pages of
//! reference documentation, which agents read most, such measures (dom_smoothie, legible) drop
//! signatures and tables.

mod markdown;
mod parse;
mod tree;

use std::sync::atomic::AtomicBool;

use markup5ever_rcdom::NodeData;

pub(super) use self::markdown::fence_of;
use super::target::Target;

/// A page as Markdown.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Page {
    /// One line; empty if it has none.
    pub title: String,
    pub markdown: String,
    /// There was more than what is converted.
    pub cut: bool,
}

/// Converts a page; `base` is what its relative links start from. Ends early, with what it has, when
/// `stop` becomes true. Takes time and memory that are bounded whatever the page is: see `parse`.
pub(super) fn page(html: &str, base: &Target, stop: &AtomicBool) -> Page {
    let parsed = parse::parse(html, stop);
    let found = tree::prepared(&parsed.document, base);
    let markdown = markdown::written(&found.content);
    Page { title: found.title, markdown, cut: !parsed.is_whole || found.cut }
}

/// The words of a piece of HTML, its tags left out.
pub(super) fn words(html: &str) -> String {
    let parsed = parse::parse(html, &AtomicBool::new(false));
    let texts = tree::walk(&parsed.document).filter_map(|node| match &node.data {
        NodeData::Text { contents } => Some(contents.borrow().to_string()),
        _ => None,
    });
    texts.collect()
}

#[cfg(test)]
mod tests;
