//! HTML to a tree, within limits. The rules of HTML let a small page make a huge or deep tree (an
//! unclosed `<b>` is opened again in every later paragraph), and what walks a tree recurses. So
//! tokens are looked at between tokenizer and tree builder, and what goes too far is left out: its
//! tags, not its text.

use std::{
    cell::{Cell, RefCell},
    sync::atomic::{AtomicBool, Ordering},
    time::{Duration, Instant},
};

use html5ever::{
    LocalName, TokenizerResult,
    buffer_queue::BufferQueue,
    tendril::StrTendril,
    tokenizer::{Tag, TagKind, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts},
    tree_builder::{TreeBuilder, TreeBuilderOpts, TreeSink},
};
use markup5ever_rcdom::{Handle, RcDom};

use crate::tools::web::cut::floor;

/// Elements inside each other.
pub(super) const MAX_DEPTH: usize = 100;
/// Open elements that are opened again in later paragraphs.
const MAX_FORMATTING: usize = 24;
/// Open elements that are remembered, left out ones included.
const MAX_OPEN: usize = 1_024;
/// Elements and pieces of text, those that are opened again included.
const MAX_NODES: usize = 400_000;
/// Bytes between two looks at the clock.
const PIECE: usize = 8 * 1024;
/// For what no limit above catches, such as a tag with a million attributes.
const MAX_TIME: Duration = Duration::from_secs(8);

/// A tree.
pub(super) struct Parsed {
    pub document: Handle,
    /// Nothing was left out of it.
    pub is_whole: bool,
}

/// Parses a page. Stops with what it has when `stop` becomes true.
pub(super) fn parse(html: &str, stop: &AtomicBool) -> Parsed {
    let options = TreeBuilderOpts { scripting_enabled: false, ..TreeBuilderOpts::default() };
    let builder = TreeBuilder::new(RcDom::default(), options);
    let tokenizer = Tokenizer::new(Limited::new(builder), TokenizerOpts::default());
    let (input, end) = (BufferQueue::default(), Instant::now() + MAX_TIME);
    let mut rest = html;
    while !rest.is_empty() && !tokenizer.sink.full.get() {
        if stop.load(Ordering::Relaxed) || Instant::now() > end {
            break;
        }
        let (piece, later) = rest.split_at(floor(rest, PIECE));
        input.push_back(StrTendril::from_slice(piece));
        // The answers in between are about scripts and charsets: neither concerns us.
        while !matches!(tokenizer.feed(&input), TokenizerResult::Done) {}
        rest = later;
    }
    tokenizer.end();
    let Limited { inner, full, .. } = tokenizer.sink;
    let is_whole = rest.is_empty() && !full.get();
    Parsed { document: inner.sink.finish().document, is_whole }
}

/// Between tokenizer and tree builder.
struct Limited {
    inner: TreeBuilder<Handle, RcDom>,
    open: RefCell<Vec<Open>>,
    formatting: Cell<usize>,
    nodes: Cell<usize>,
    full: Cell<bool>,
}

struct Open {
    name: LocalName,
    /// Its tag was left out, so that its end must be too.
    left_out: bool,
}

impl Limited {
    fn new(inner: TreeBuilder<Handle, RcDom>) -> Self {
        let (open, formatting) = (RefCell::default(), Cell::new(0));
        Self { inner, open, formatting, nodes: Cell::new(0), full: Cell::new(false) }
    }

    /// Whether the token goes on to the tree builder.
    fn passes(&self, token: &Token) -> bool {
        match token {
            Token::TagToken(tag) if tag.kind == TagKind::EndTag => self.ends(tag),
            Token::TagToken(tag) => self.has_room() && self.starts(tag),
            Token::CharacterTokens(_) => self.has_room(),
            Token::CommentToken(_) => false,
            _ => true,
        }
    }

    fn has_room(&self) -> bool {
        // What a token may open again counts as if it did.
        self.nodes.set(self.nodes.get() + 1 + self.formatting.get());
        if self.nodes.get() > MAX_NODES {
            self.full.set(true);
        }
        !self.full.get()
    }

    fn starts(&self, tag: &Tag) -> bool {
        let name = &*tag.name;
        if tag.self_closing || is_void(name) || closes_itself(name) {
            return true;
        }
        let mut open = self.open.borrow_mut();
        let is_formatting = is_formatting(name);
        // What the tokenizer reads otherwise is never left out: its content would become markup.
        let left_out = !is_raw(name)
            && (open.len() >= MAX_DEPTH
                || is_formatting && self.formatting.get() >= MAX_FORMATTING);
        if is_formatting && !left_out {
            self.formatting.set(self.formatting.get() + 1);
        }
        if open.len() < MAX_OPEN {
            open.push(Open { name: tag.name.clone(), left_out });
        }
        !left_out
    }

    fn ends(&self, tag: &Tag) -> bool {
        let mut open = self.open.borrow_mut();
        let Some(index) = open.iter().rposition(|it| it.name == tag.name) else { return true };
        let passes = open.get(index).is_none_or(|it| !it.left_out);
        open.truncate(index);
        if passes && is_formatting(&tag.name) {
            self.formatting.set(self.formatting.get().saturating_sub(1));
        }
        passes
    }
}

impl TokenSink for Limited {
    type Handle = Handle;

    fn process_token(&self, token: Token, line: u64) -> TokenSinkResult<Handle> {
        if !self.passes(&token) {
            return TokenSinkResult::Continue;
        }
        self.inner.process_token(token, line)
    }

    fn end(&self) {
        self.inner.end();
    }

    fn adjusted_current_node_present_but_not_in_html_namespace(&self) -> bool {
        self.inner.adjusted_current_node_present_but_not_in_html_namespace()
    }
}

/// Elements without an end.
fn is_void(name: &str) -> bool {
    matches!(
        name,
        "area"
            | "base"
            | "br"
            | "col"
            | "embed"
            | "frame"
            | "hr"
            | "image"
            | "img"
            | "input"
            | "link"
            | "meta"
            | "source"
            | "track"
            | "wbr"
    )
}

/// Elements that another of their kind closes, so that they nest only inside others, which count.
fn closes_itself(name: &str) -> bool {
    matches!(
        name,
        "a" | "body"
            | "caption"
            | "colgroup"
            | "dd"
            | "dt"
            | "head"
            | "html"
            | "li"
            | "nobr"
            | "optgroup"
            | "option"
            | "p"
            | "rb"
            | "rp"
            | "rt"
            | "tbody"
            | "td"
            | "tfoot"
            | "th"
            | "thead"
            | "tr"
    )
}

/// Elements that are opened again in later paragraphs until they are closed.
fn is_formatting(name: &str) -> bool {
    matches!(
        name,
        "b" | "big"
            | "code"
            | "em"
            | "font"
            | "i"
            | "s"
            | "small"
            | "strike"
            | "strong"
            | "tt"
            | "u"
    )
}

/// Elements whose content is not markup.
fn is_raw(name: &str) -> bool {
    matches!(
        name,
        "iframe"
            | "noembed"
            | "noframes"
            | "plaintext"
            | "script"
            | "style"
            | "textarea"
            | "title"
            | "xmp"
    )
}
