//! Addresses of pages: which may be asked for at all, and which are inside.

use std::net::IpAddr;

use reqwest::Url;
use serde_json::Value;

use super::address;

/// Bytes of an address. What browsers and servers agree on is less.
pub(super) const MAX_URL: usize = 8_192;

/// An address of a page: http or https, with a host, without a user's name and password, without a
/// fragment. Written in the one form that all its spellings have, so that `http://0x7f.1` is
/// `http://127.0.0.1/`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Target(Box<Url>);

/// Why a text is no address of a page.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum TargetError {
    #[error(
        "{0:?} is not the address of a page ({1}). Give the whole of it, such as \
         https://example.com/page."
    )]
    Invalid(String, String),
    #[error("the address is longer than {MAX_URL} bytes; give a shorter one")]
    TooLong,
    #[error("only http and https addresses are read, and this one is {0:?}. {hint}", hint = hint(.0))]
    Scheme(String),
    #[error(
        "an address that holds a user's name or password is not read; leave out what stands \
         before the @"
    )]
    Credentials,
}

fn hint(scheme: &str) -> &'static str {
    match scheme {
        "file" => "Read files with Read.",
        _ => "If it has no scheme, write https:// before it.",
    }
}

impl Target {
    /// The target that a text names.
    pub fn parse(written: &str) -> Result<Self, TargetError> {
        Self::checked(written, || Url::parse(written))
    }

    /// The target that a redirect of this one names.
    pub fn join(&self, location: &str) -> Result<Self, TargetError> {
        Self::checked(location, || self.0.join(location))
    }

    fn checked<E: std::fmt::Display>(
        written: &str,
        parse: impl FnOnce() -> Result<Url, E>,
    ) -> Result<Self, TargetError> {
        if written.len() > MAX_URL {
            return Err(TargetError::TooLong);
        }
        let shown = || written.chars().take(200).collect::<String>();
        let mut url = parse().map_err(|error| TargetError::Invalid(shown(), error.to_string()))?;
        if !matches!(url.scheme(), "http" | "https") {
            return Err(TargetError::Scheme(url.scheme().to_owned()));
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(TargetError::Credentials);
        }
        url.set_fragment(None);
        Ok(Self(Box::new(url)))
    }

    /// As the client takes it.
    pub fn url(&self) -> &Url {
        &self.0
    }

    /// The host, an IPv6 address without its brackets.
    pub fn host(&self) -> &str {
        self.0.host_str().unwrap_or_default().trim_start_matches('[').trim_end_matches(']')
    }

    /// What it is if its host alone says that it is inside; of names only `localhost` does.
    pub fn inner(&self) -> Option<&'static str> {
        match self.host().parse::<IpAddr>() {
            Ok(address) => address::inner(address),
            Err(_) => inner_name(self.host()),
        }
    }

    /// A pattern of a permission rule that names its scheme, host and port and nothing more.
    pub fn pattern(&self) -> String {
        format!("{}/*", self.0.origin().ascii_serialization())
    }

    /// Whether the other is the same page over TLS.
    pub fn is_upgraded_by(&self, other: &Target) -> bool {
        let (old, new) = (&self.0, &other.0);
        (old.scheme(), new.scheme()) == ("http", "https")
            && (old.host_str(), old.path(), old.query())
                == (new.host_str(), new.path(), new.query())
            && (old.port(), new.port()) == (None, None)
    }
}

impl std::fmt::Display for Target {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.0.as_str())
    }
}

/// RFC 6761, 6.3: such names are this machine, whatever a server of names says.
pub(super) fn inner_name(name: &str) -> Option<&'static str> {
    let name = name.trim_end_matches('.').to_ascii_lowercase();
    (name == "localhost" || name.ends_with(".localhost")).then_some("this machine")
}

/// Rules see the address in the form in which it is asked for. What is no address stays, for the
/// tool to say so.
pub(super) fn prepared(mut args: Value, name: &str) -> Value {
    if let Some(url) = args.get_mut(name)
        && let Some(Ok(target)) = url.as_str().map(Target::parse)
    {
        *url = Value::String(target.to_string());
    }
    args
}

#[cfg(test)]
mod tests;
