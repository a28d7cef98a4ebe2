//! From a tree to the part of it that is read: navigation and controls go, links become whole.

use html5ever::Attribute;
use markup5ever_rcdom::{Handle, NodeData};

use super::parse::MAX_DEPTH;
use crate::tools::web::{
    cut::floor,
    target::{MAX_URL, Target},
};

/// Bytes of text and links that are written: four times what a call returns.
const MAX_TEXT: usize = 1024 * 1024;
/// Children of one element; more would not fit into what a call returns.
const MAX_CHILDREN: usize = 20_000;
/// Bytes of text that make a part of a page its content.
const ENOUGH: usize = 200;

/// What a page is about.
pub(super) struct Found {
    /// One line.
    pub title: String,
    pub content: Handle,
    /// There was more.
    pub cut: bool,
}

/// Prepares a tree for writing.
pub(super) fn prepared(document: &Handle, base: &Target) -> Found {
    let title = first(document, |node| is(node, "title")).map(|node| text(&node, 1_000));
    let title = title.unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" ");
    let base = based(document, base);
    sweep(document, &|node| !is_noise(node));
    let content = content(document);
    let mut room = Room { left: MAX_TEXT, cut: false };
    sweep(&content, &|node| is_worth_it(node));
    trim(&content, &base, &mut room);
    Found { title, content, cut: room.cut }
}

/// Where relative links start: what the page says, if that is an address of a page.
fn based(document: &Handle, base: &Target) -> Target {
    let said = first(document, |node| is(node, "base") && attribute(node, "href").is_some());
    let href = said.and_then(|node| attribute(&node, "href"));
    href.and_then(|href| base.join(&href).ok()).unwrap_or_else(|| base.clone())
}

/// The part that says of itself that it is the content; the body without what says that it is not,
/// if there is none.
fn content(document: &Handle) -> Handle {
    let is_enough = |node: &Handle| text(node, ENOUGH).len() >= ENOUGH;
    let is_main =
        |node: &Handle| is(node, "main") || attribute(node, "role").as_deref() == Some("main");
    let is_called_so = |node: &Handle| {
        let id = attribute(node, "id");
        matches!(id.as_deref(), Some("content" | "main" | "main-content"))
    };
    let main = first(document, |node| is_main(node) && is_enough(node));
    if let Some(main) =
        main.or_else(|| first(document, |node| is_called_so(node) && is_enough(node)))
    {
        return main;
    }
    let mut articles = all(document, |node| is(node, "article") && is_enough(node));
    if let (Some(article), true) = (articles.pop(), articles.is_empty()) {
        return article;
    }
    sweep(document, &|node| !is_frame(node));
    first(document, |node| is(node, "body")).unwrap_or_else(|| document.clone())
}

/// What is never read.
fn is_noise(node: &Handle) -> bool {
    const TAGS: [&str; 22] = [
        "audio", "base", "button", "canvas", "dialog", "embed", "head", "iframe", "input", "link",
        "map", "meta", "nav", "object", "script", "select", "style", "svg", "template", "textarea",
        "title", "video",
    ];
    match &node.data {
        NodeData::Element { name, .. } => {
            TAGS.contains(&&*name.local)
                || attribute(node, "hidden").is_some_and(|value| value != "until-found")
                || attribute(node, "aria-hidden").as_deref() == Some("true")
                || matches!(
                    attribute(node, "role").as_deref(),
                    Some("navigation" | "search" | "dialog" | "menu" | "menubar" | "tablist")
                )
        }
        NodeData::Comment { .. }
        | NodeData::Doctype { .. }
        | NodeData::ProcessingInstruction { .. } => true,
        NodeData::Document | NodeData::Text { .. } => false,
    }
}

/// What is around the content of a page that does not say which part that is.
fn is_frame(node: &Handle) -> bool {
    is(node, "footer")
        || matches!(
            attribute(node, "role").as_deref(),
            Some("banner" | "contentinfo" | "complementary")
        )
}

/// Images without words for them, and links without a word or to a place on the page itself by
/// a sign alone (`#`, `§`, `¶`), say nothing to a reader.
fn is_worth_it(node: &Handle) -> bool {
    if is(node, "img") {
        return is_picture(node);
    }
    if !is(node, "a") || first(node, is_picture).is_some() {
        return true;
    }
    let words = text(node, 16);
    let is_sign = !words.chars().any(char::is_alphanumeric);
    let to_here = attribute(node, "href").is_none_or(|href| href.starts_with('#'));
    !(words.trim().is_empty() || is_sign && to_here)
}

/// An image that has words for it and is somewhere.
fn is_picture(node: &Handle) -> bool {
    is(node, "img")
        && attribute(node, "alt").is_some_and(|alt| !alt.trim().is_empty())
        && attribute(node, "src").is_some_and(|src| !src.trim_start().starts_with("data:"))
}

/// What may still be written.
struct Room {
    left: usize,
    cut: bool,
}

impl Room {
    fn take(&mut self, bytes: usize) -> bool {
        let fits = bytes <= self.left;
        self.left = self.left.saturating_sub(bytes);
        self.cut |= !fits;
        fits
    }
}

/// Makes links whole and leaves out what is too deep or too much, in the order of the page.
fn trim(content: &Handle, base: &Target, room: &mut Room) {
    let mut open = vec![Inside { node: content.clone(), depth: 0, indented: 0 }];
    while let Some(inside) = open.pop() {
        link(&inside.node, base);
        let mut children = inside.node.children.borrow_mut();
        let left = room.left;
        if !room.take(inside.size()) || inside.depth > 3 * MAX_DEPTH {
            room.cut = true;
            children.clear();
            inside.shorten(left);
        }
        if children.len() > MAX_CHILDREN {
            room.cut = true;
            children.truncate(MAX_CHILDREN);
        }
        open.extend(children.iter().rev().map(|child| inside.child(child)));
    }
}

/// A node and what it is in.
struct Inside {
    node: Handle,
    depth: usize,
    /// Lists and quotations: each puts something before every line.
    indented: usize,
}

impl Inside {
    fn child(&self, node: &Handle) -> Inside {
        let deeper = ["ul", "ol", "blockquote"].iter().any(|name| is(node, name));
        let indented = self.indented + usize::from(deeper);
        Inside { node: node.clone(), depth: self.depth + 1, indented }
    }

    /// Leaves a text what is surely not written with more than `left` bytes.
    fn shorten(&self, left: usize) {
        if let NodeData::Text { contents } = &self.node.data {
            let mut contents = contents.borrow_mut();
            let kept = floor(&contents, left / (1 + 4 * self.indented));
            let rest = contents.len() - kept;
            contents.pop_back(u32::try_from(rest).unwrap_or(u32::MAX));
        }
    }

    /// Bytes that it is written with, what is in it aside; somewhat more rather than less.
    fn size(&self) -> usize {
        let line = 4 * self.indented;
        match &self.node.data {
            NodeData::Text { contents } => {
                let contents = contents.borrow();
                let lines = memchr::memchr_iter(b'\n', contents.as_bytes()).count();
                contents.len() + if self.indented > 0 { lines * line } else { 0 }
            }
            NodeData::Element { name, attrs, .. } => {
                let values: usize = attrs.borrow().iter().map(|it| it.value.len()).sum();
                let is_inline =
                    matches!(&*name.local, "a" | "b" | "code" | "em" | "i" | "span" | "strong");
                values + if is_inline { 0 } else { line }
            }
            _ => 0,
        }
    }
}

/// Leaves an element the attributes that are written, with whole addresses.
fn link(node: &Handle, base: &Target) {
    let NodeData::Element { attrs, name, .. } = &node.data else { return };
    let keep = |attribute: &mut Attribute| match (&*name.local, &*attribute.name.local) {
        ("a", "href") | ("img", "src") => match whole(&attribute.value, base) {
            Some(url) => {
                attribute.value = url.into();
                true
            }
            None => false,
        },
        ("img", "alt") | ("ol", "start") | ("pre" | "code", "class") => true,
        _ => false,
    };
    attrs.borrow_mut().retain_mut(keep);
}

/// `None` for what leads nowhere from here: scripts, data, places on the page itself.
fn whole(written: &str, base: &Target) -> Option<String> {
    let written = written.trim();
    if written.starts_with('#') || written.len() > MAX_URL {
        return None;
    }
    let url = base.url().join(written).ok()?;
    matches!(url.scheme(), "http" | "https" | "mailto").then(|| url.to_string())
}

/// Leaves out what `keep` does not want, with all that is in it.
fn sweep(root: &Handle, keep: &dyn Fn(&Handle) -> bool) {
    let mut open = vec![root.clone()];
    while let Some(node) = open.pop() {
        node.children.borrow_mut().retain(keep);
        open.extend(node.children.borrow().iter().cloned());
    }
}

fn all(root: &Handle, wanted: impl Fn(&Handle) -> bool) -> Vec<Handle> {
    walk(root).filter(wanted).collect()
}

fn first(root: &Handle, wanted: impl Fn(&Handle) -> bool) -> Option<Handle> {
    walk(root).find(wanted)
}

/// A node and all that is in it, in the order of the page.
pub(super) fn walk(root: &Handle) -> impl Iterator<Item = Handle> + use<> {
    let mut open = vec![root.clone()];
    std::iter::from_fn(move || {
        let node = open.pop()?;
        open.extend(node.children.borrow().iter().rev().cloned());
        Some(node)
    })
}

/// The text in a node, until it has `enough` bytes; white space at the ends of pieces left out.
pub(super) fn text(node: &Handle, enough: usize) -> String {
    let mut text = String::new();
    for node in walk(node) {
        if let NodeData::Text { contents } = &node.data {
            let contents = contents.borrow();
            let words = contents.trim();
            if !words.is_empty() {
                text.push_str(words);
                text.push(' ');
            }
        }
        if text.len() >= enough {
            break;
        }
    }
    text
}

/// Whether it is an element of that name.
pub(super) fn is(node: &Handle, name: &str) -> bool {
    matches!(&node.data, NodeData::Element { name: own, .. } if &*own.local == name)
}

/// The value of an attribute.
pub(super) fn attribute(node: &Handle, name: &str) -> Option<String> {
    let NodeData::Element { attrs, .. } = &node.data else { return None };
    let attrs = attrs.borrow();
    attrs.iter().find(|it| &*it.name.local == name).map(|it| it.value.to_string())
}
