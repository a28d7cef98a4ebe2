//! `read_web_page` (seeds 000 and 001 name it and its limit; DESIGN, section 3).

use std::time::Duration;

use redline_permissions::Action;
use serde_json::{Value, json};

use super::{
    client::Clients,
    content::{self, Form},
    cut::shortened,
    fetch::{Cut, FetchError, Fetched, LIMITS, Say, fetch},
    html,
    target::{Target, prepared},
};
use crate::{
    Access, Dialect, ExecutionProfile, Meta, ResourceKey, ToolContext, ToolDefinition, ToolResult,
    ToolSpec,
    tools::{StopOnDrop, text},
};

/// Bytes of a result (seed 001, "Truncation Limits").
const MAX_BYTES: usize = 262_144;
/// Bytes of the page that comes with an error's status.
const MAX_ERROR: usize = 1_000;

/// The tool.
pub(super) fn definition() -> ToolDefinition {
    let spec = ToolSpec::builtin("read_web_page", Dialect::Amp, DESCRIPTION, schema())
        .limits(limits())
        .meta(Meta { own_limit: true, ..Meta::default() });
    let keys = |args: &Value| ResourceKey::url(args, "url", Access::Read);
    ToolDefinition::new(spec, run)
        .profile(ExecutionProfile::keys(keys))
        .prepare(|args, _, _| prepared(args, "url"))
}

const DESCRIPTION: &str = "Read a page of the web: its title and its main content as Markdown, with \
whole links. Plain text, Markdown, JSON and other texts come as they are; PDFs, images and other \
binary files are refused. Pages on this machine or in its private networks are refused too. To find \
pages, use web_search.";

fn schema() -> Value {
    json!({
        "type": "object",
        "properties": {
            "url": {
                "type": "string",
                "description": "The address of the page, with https:// or http://."
            }
        },
        "required": ["url"]
    })
}

fn limits() -> String {
    let seconds = |time: Duration| time.as_secs();
    format!(
        "{MAX_BYTES} bytes of result; {} MiB of page, unpacked; {} redirects; {} s in all, {} s \
         without a byte",
        LIMITS.bytes / 1024 / 1024,
        LIMITS.hops,
        seconds(LIMITS.total),
        seconds(LIMITS.silence),
    )
}

async fn run(context: ToolContext, args: Value) -> ToolResult {
    let target = match Target::parse(text(&args, "url")) {
        Ok(target) => target,
        Err(error) => return ToolResult::error(format!("url: {error}")),
    };
    let clients = context.state::<Clients>();
    let judge = |target: &Target| say(&context, target);
    match fetch(&clients, target.clone(), context.unguarded, &judge, &LIMITS).await {
        Ok(fetched) => shown(&context, target, fetched).await,
        Err(error) => failed(&context, error).await,
    }
}

/// A redirect is as much a call as the one that it came from: the rules are asked again.
fn say(context: &ToolContext, target: &Target) -> Say {
    let (verdict, named) = context.verdict_on_url("url", &target.to_string());
    let reason = verdict.reason.text;
    match verdict.action {
        Action::Allow => Say::Allowed { named },
        Action::Ask => Say::Asks(reason),
        Action::Reject | Action::Delegate => Say::Refuses(reason),
    }
}

async fn shown(context: &ToolContext, start: Target, fetched: Fetched) -> ToolResult {
    let target = fetched.target.clone();
    let Some(page) = readable(context, fetched).await else {
        return ToolResult::error(format!(
            "{target} is binary, and read_web_page reads text. Download it with Bash if you need it."
        ));
    };
    let redirected =
        if target == start { String::new() } else { format!(" (redirected from {start})") };
    let title =
        if page.title.is_empty() { String::new() } else { format!("Title: {}\n", page.title) };
    let head = format!("{title}URL: {target}{redirected}\n\n");
    let body = if page.text.is_empty() { EMPTY } else { &page.text };
    ToolResult::done(limited(format!("{head}{body}"), &page.notes))
}

const EMPTY: &str = "[The page has no text; it may need JavaScript.]";

/// A text with its notes, which are not cut off.
fn limited(text: String, notes: &[String]) -> String {
    let kilobytes = (text.len() + 512) / 1024;
    let (mut text, is_cut) = shortened(text, MAX_BYTES);
    if is_cut {
        // The words of seed 001, "Truncation Implementation".
        text.push_str(&format!(
            "\n\n[Tool result truncated: {kilobytes}KB exceeds limit. Please refine the query.]"
        ));
    }
    for note in notes {
        text.push_str(&format!("\n\n[{note}]"));
    }
    text
}

/// What a reader gets of a page.
struct Readable {
    title: String,
    text: String,
    notes: Vec<String>,
}

/// `None`: it is binary.
async fn readable(context: &ToolContext, fetched: Fetched) -> Option<Readable> {
    let mut notes: Vec<String> = fetched.cut.as_ref().map(why).into_iter().collect();
    let stop = StopOnDrop::default();
    let flag = stop.flag();
    let converted = context.blocking(move |_| {
        let (text, form) = content::text(&fetched.body, &fetched.kind)?;
        Some(match form {
            Form::Html => html::page(&text, &fetched.target, &flag),
            Form::Plain => html::Page { markdown: text, ..html::Page::default() },
        })
    });
    let page = converted.await?;
    drop(stop);
    if page.cut && page.markdown.len() < MAX_BYTES {
        notes.push(
            "The page is too large or too deep to be converted; this is a part of it.".into(),
        );
    }
    Some(Readable { title: page.title, text: page.markdown, notes })
}

fn why(cut: &Cut) -> String {
    match cut {
        Cut::Size => {
            format!("The page is longer than {} MiB; the rest was not read.", LIMITS.bytes >> 20)
        }
        Cut::Broken(reason) => {
            format!("The connection broke before the page was whole ({reason}); this is what came.")
        }
        Cut::Time => "The page took too long; this is what came.".to_owned(),
    }
}

async fn failed(context: &ToolContext, error: FetchError) -> ToolResult {
    let message = error.to_string();
    let FetchError::Status { url: target, status, kind, body } = error else {
        return ToolResult::error(message);
    };
    let advice = match status.as_u16() {
        401 | 403 => " The page needs a login, or does not let programs in.",
        404 | 410 => " There is no such page; look for its address with web_search.",
        429 => " The server wants fewer calls; wait before the next one.",
        500.. => " The server has a fault; try again later.",
        _ => "",
    };
    let page = readable(context, Fetched { target, kind, body, cut: None }).await;
    let said = page.map(|page| shortened(page.text, MAX_ERROR)).filter(|(it, _)| !it.is_empty());
    let said = said
        .map(|(text, is_cut)| format!("\nIt says:\n{text}{}", if is_cut { "\n[…]" } else { "" }));
    ToolResult::error(format!("{message}.{advice}{}", said.unwrap_or_default()))
}

#[cfg(test)]
mod tests;
