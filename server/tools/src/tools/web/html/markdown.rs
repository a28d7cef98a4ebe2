//! A tree as Markdown: htmd, with tables and preformatted text in our own way.

use htmd::{
    Element, HtmlToMarkdown,
    element_handler::{HandlerResult, Handlers},
    options::{BulletListMarker, HrStyle, Options},
};
use markup5ever_rcdom::{Handle, NodeData};

use super::tree::{attribute, is, walk};

/// Writes a tree.
pub(super) fn written(content: &Handle) -> String {
    let options = Options {
        bullet_list_marker: BulletListMarker::Dash,
        ul_bullet_spacing: 1,
        ol_number_spacing: 1,
        hr_style: HrStyle::Dashes,
        ..Options::default()
    };
    let converter = HtmlToMarkdown::builder()
        .options(options)
        .add_handler(vec!["pre"], pre)
        .add_handler(vec!["table"], table)
        .build();
    tidy(&converter.tree_to_markdown(content))
}

/// No white space at the ends of lines, at most one empty line in a row; fenced text as it is.
fn tidy(markdown: &str) -> String {
    let mut tidied = String::with_capacity(markdown.len());
    let (mut fence, mut empty): (Option<&str>, usize) = (None, 0);
    for line in markdown.lines() {
        let marker = fence_of(line);
        match fence {
            Some(open) if line.trim() == open => fence = None,
            None if marker.is_some() => fence = marker,
            _ => {}
        }
        // Two spaces at the end of a line break it; nobody reads by that.
        let line = if fence.is_some() { line } else { unpadded(line) };
        empty = if line.is_empty() && fence.is_none() { empty + 1 } else { 0 };
        if empty < 2 {
            tidied.push_str(line);
            tidied.push('\n');
        }
    }
    tidied.trim_matches('\n').to_owned()
}

/// Without white space at its end, nor the one space that is left where an element began.
fn unpadded(line: &str) -> &str {
    let line = line.trim_end();
    line.strip_prefix(' ').filter(|rest| !rest.starts_with(' ')).unwrap_or(line)
}

/// The row of backticks that a line opens a fence with.
pub(in crate::tools::web) fn fence_of(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let rest = line.trim_start_matches('`');
    let fence = line.get(..line.len() - rest.len())?;
    (fence.len() >= 3 && !rest.contains('`')).then_some(fence)
}

/// Fenced whether or not there is a `code` in it, links in it as their text, with the language that
/// the class names.
fn pre(_: &dyn Handlers, element: Element<'_>) -> Option<HandlerResult> {
    let code = verbatim(element.node);
    let code = code.trim_matches('\n');
    if code.trim().is_empty() {
        return None;
    }
    let longest = code.split(|char| char != '`').map(str::len).max().unwrap_or_default();
    let fence = "`".repeat(3.max(longest + 1));
    let language = language(element.node).unwrap_or_default();
    Some(format!("\n\n{fence}{language}\n{code}\n{fence}\n\n").into())
}

fn verbatim(node: &Handle) -> String {
    let mut text = String::new();
    for node in walk(node) {
        match &node.data {
            NodeData::Text { contents } => text.push_str(&contents.borrow()),
            // Some highlighters make each line an element of its own.
            _ if is(&node, "br") => text.push('\n'),
            _ if is(&node, "div") && !text.is_empty() && !text.ends_with('\n') => text.push('\n'),
            _ => {}
        }
    }
    text
}

fn language(pre: &Handle) -> Option<String> {
    let mut marked = walk(pre).filter(|node| is(node, "pre") || is(node, "code"));
    marked.find_map(|node| {
        let class = attribute(&node, "class")?;
        let mut names = class.split_whitespace();
        let language = names.find_map(|name| {
            name.strip_prefix("language-").or_else(|| name.strip_prefix("lang-"))
        })?;
        let is_name = |char: char| char.is_ascii_alphanumeric() || "+-#.".contains(char);
        Some(language.chars().take_while(|char| is_name(*char)).take(32).collect())
    })
}

/// As rows of cells without padding. A table of one column, or one with tables in it, is layout: its
/// cells are written one after the other.
fn table(handlers: &dyn Handlers, element: Element<'_>) -> Option<HandlerResult> {
    let rows = rows(element.node);
    let columns = rows.iter().map(|row| cells(row).len()).max().unwrap_or_default();
    let is_nested = walk(element.node).skip(1).any(|node| is(&node, "table"));
    let written = if columns < 2 || is_nested {
        let written = |part: &Handle| handlers.walk_children(part).content.trim().to_owned();
        let parts: Vec<String> = parts(element.node).iter().map(written).collect();
        parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n\n")
    } else {
        grid(handlers, element.node, &rows, columns)
    };
    Some(format!("\n\n{written}\n\n").into())
}

fn grid(handlers: &dyn Handlers, table: &Handle, rows: &[Handle], columns: usize) -> String {
    let mut lines = Vec::new();
    if let Some(caption) = table.children.borrow().iter().find(|it| is(it, "caption")) {
        lines.push(format!("{}\n", one_line(handlers, caption)));
    }
    for (index, row) in rows.iter().enumerate() {
        let mut cells: Vec<String> =
            cells(row).iter().map(|cell| one_line(handlers, cell)).collect();
        cells.resize(columns.min(cells.len().max(1) + MAX_EMPTY), String::new());
        lines.push(format!("| {} |", cells.join(" | ")));
        if index == 0 {
            lines.push(format!("|{}", " --- |".repeat(columns)));
        }
    }
    lines.join("\n")
}

/// Cells that a row is filled up with: many short rows beside a long one would be mostly filling.
const MAX_EMPTY: usize = 16;

fn one_line(handlers: &dyn Handlers, cell: &Handle) -> String {
    let content = handlers.walk_children(cell).content;
    content.split_whitespace().collect::<Vec<_>>().join(" ").replace('|', "\\|")
}

/// The rows of a table, not those of tables in it.
fn rows(table: &Handle) -> Vec<Handle> {
    let mut rows = Vec::new();
    for child in table.children.borrow().iter() {
        if is(child, "tr") {
            rows.push(child.clone());
        } else if ["thead", "tbody", "tfoot"].iter().any(|name| is(child, name)) {
            rows.extend(child.children.borrow().iter().filter(|it| is(it, "tr")).cloned());
        }
    }
    rows
}

fn cells(row: &Handle) -> Vec<Handle> {
    let children = row.children.borrow();
    children.iter().filter(|it| is(it, "td") || is(it, "th")).cloned().collect()
}

/// The caption and all cells, in order.
fn parts(table: &Handle) -> Vec<Handle> {
    let caption = table.children.borrow().iter().find(|it| is(it, "caption")).cloned();
    caption.into_iter().chain(rows(table).iter().flat_map(cells)).collect()
}
