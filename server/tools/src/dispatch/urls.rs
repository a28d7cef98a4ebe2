//! Rules about addresses of the web: what an address that was not in the call may have, and whether
//! a rule names an address literally.

use redline_permissions::{Call, Condition, Origin, Rule, Verdict, parse_text};
use serde_json::json;

use crate::{ToolContext, dialect};

impl ToolContext {
    /// What the rules say of a call of this tool whose argument `name` is `url`, and whether it is a
    /// rule of the user's that names it literally (see `names`). For what a call leads to: the call
    /// itself has been judged.
    pub(crate) fn verdict_on_url(&self, name: &str, url: &str) -> (Verdict, bool) {
        let args = json!({name: url});
        let names = dialect::ruled_names(&self.tool);
        let roots = self.workspace.roots();
        let call = Call {
            names: &names,
            args: &args,
            context: self.scope.context,
            cwd: &self.scope.cwd,
            workspace: &roots,
            paths: &[],
            writes: &[],
        };
        let verdict = self.workspace.query(|session| session.evaluate(&call));
        let named = user_rule(&verdict).is_some_and(|rule| named(&rule, name, url));
        (verdict, named)
    }
}

/// The rule of the user's that a verdict rests on.
pub(super) fn user_rule(verdict: &Verdict) -> Option<Rule> {
    let rule = verdict.reason.rule.as_deref().filter(|_| verdict.origin == Origin::User)?;
    let (_, rule) = parse_text(rule).ok()?.into_iter().next()?;
    Some(rule)
}

/// Whether the rule, which matched, says the address literally, or its scheme and host at least:
/// `http://localhost:3000/*`, but neither `*localhost*` nor `http://local*`.
pub(super) fn named(rule: &Rule, argument: &str, url: &str) -> bool {
    rule.matches.get(argument).is_some_and(|condition| says(condition, url))
}

/// Every alternative must name it: the one that matched may be another.
fn says(condition: &Condition, url: &str) -> bool {
    match condition {
        Condition::Any(all) => all.iter().all(|one| says(one, url)),
        Condition::Pattern(pattern) => names(pattern.text(), url),
        Condition::Literal(_) | Condition::Nested(_) => false,
    }
}

fn names(pattern: &str, url: &str) -> bool {
    // Only `*` is special in a pattern; what stands before it is literal.
    let literal = pattern.split('*').next().unwrap_or_default();
    let Some(rest) = host(url).and_then(|host| literal.strip_prefix(host)) else { return false };
    rest.starts_with(['/', ':'])
}

/// Scheme and host of an address in its normal form.
fn host(url: &str) -> Option<&str> {
    let start = url.find("://")? + 3;
    let rest = url.get(start..)?;
    let authority = rest.split(['/', '?', '#']).next()?;
    // The colons of an IPv6 address are in brackets.
    let bracket = authority.rfind(']').unwrap_or_default();
    let port = authority.rfind(':').filter(|colon| *colon > bracket);
    url.get(..start + port.unwrap_or(authority.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_that_name_an_address() {
        let check = |pattern: &str, url: &str, want: bool| {
            let rule = format!("allow read_web_page --url '{pattern}'");
            let (_, rule) = parse_text(&rule).unwrap().remove(0);
            assert_eq!(named(&rule, "url", url), want, "{pattern} {url}");
        };
        let local = "http://localhost:3000/docs/a";
        for pattern in [
            "http://localhost:3000/docs/a",
            "http://localhost:3000/docs/*",
            "http://localhost:3000/*",
            "http://localhost:3*",
            "http://localhost:*",
            "http://localhost:*/docs/*",
        ] {
            check(pattern, local, true);
        }
        for pattern in [
            "*",
            "http://*",
            "*localhost*",
            "*://localhost:3000/*",
            "http://localhost*",
            "http://local*",
            "https://localhost:3000/*",
            "http://localhostess:3000/*",
            "localhost",
            "/localhost/",
            "/^http:..localhost:3000/",
        ] {
            check(pattern, local, false);
        }
        check("http://[::1]:80*", "http://[::1]:8080/", true);
        check("http://[::1]/*", "http://[::1]/x", true);
        check("http://[::*", "http://[::1]/x", false);
        check("http://10.0.0.1/*", "http://10.0.0.1/?q=http://a:b", true);
        check("http://10.0.0.1/*", "http://10.0.0.11/", false);
        check("http://a*/*", "http://a*/", false);
    }

    #[test]
    fn every_alternative_must_name_it() {
        let rule = "allow read_web_page --url 'http://localhost/*' --url '*'";
        let (_, rule) = parse_text(rule).unwrap().remove(0);
        assert!(!named(&rule, "url", "http://localhost/"));
        assert!(!named(&rule, "path", "http://localhost/"));
    }
}
