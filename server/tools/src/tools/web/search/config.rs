//! Who searches: what the user configured (`redline.webSearch`).

use crate::tools::web::target::Target;

/// What answers `web_search`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WebSearch {
    /// The model's own search (seed 002, `web_search`): its provider runs it and puts what it finds
    /// into the model's answer, so that the tool itself has nothing to do.
    Native,
    /// A service that is asked over HTTP.
    Service(SearchService),
}

/// A service that is asked over HTTP. It holds no key: only the name of the environment variable
/// that does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SearchService {
    pub(super) kind: ServiceKind,
    pub(super) url: Target,
    pub(super) key_env: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ServiceKind {
    Searxng,
    Brave,
    Tavily,
}

impl ServiceKind {
    /// For people.
    pub fn name(self) -> &'static str {
        match self {
            Self::Searxng => "SearXNG",
            Self::Brave => "Brave",
            Self::Tavily => "Tavily",
        }
    }

    /// Where it is, unless the user says otherwise.
    fn home(self) -> Option<&'static str> {
        match self {
            Self::Searxng => None,
            Self::Brave => Some("https://api.search.brave.com/"),
            Self::Tavily => Some("https://api.tavily.com/"),
        }
    }

    /// Where its key is, unless the user says otherwise. SearXNG has none.
    fn key_env(self) -> Option<&'static str> {
        match self {
            Self::Searxng => None,
            Self::Brave => Some("BRAVE_API_KEY"),
            Self::Tavily => Some("TAVILY_API_KEY"),
        }
    }
}

/// What is wrong with a configuration. No message repeats a value that may be a key.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum WebSearchError {
    /// It is none of those that are known.
    #[error("expected \"searxng\", \"brave\", \"tavily\" or \"native\"")]
    Provider,
    /// SearXNG is wherever the user runs it.
    #[error("searxng needs \"url\", the address of your server, such as \"http://localhost:8888\"")]
    UrlMissing,
    /// It is no address that can be asked.
    #[error("expected an http or https address without a name or password: {0}")]
    Url(String),
    /// The key would be readable on its way.
    #[error("a key is only sent over https, or to this machine; use an https address")]
    Insecure,
    /// It can't be the name of an environment variable.
    #[error(
        "expected the name of an environment variable, such as \"BRAVE_API_KEY\"; the key itself \
         is read from there and never from a file"
    )]
    KeyEnv,
}

impl WebSearchError {
    /// The setting inside `webSearch` that it is about.
    pub fn key(&self) -> &'static str {
        match self {
            Self::Provider => "provider",
            Self::UrlMissing | Self::Url(_) | Self::Insecure => "url",
            Self::KeyEnv => "keyEnv",
        }
    }
}

impl WebSearch {
    /// From the settings `provider`, `url` and `keyEnv`.
    ///
    /// # Errors
    /// See `WebSearchError`.
    pub fn new(
        provider: &str,
        url: Option<&str>,
        key_env: Option<&str>,
    ) -> Result<Self, WebSearchError> {
        let kind = match provider {
            "native" => return Ok(Self::Native),
            "searxng" => ServiceKind::Searxng,
            "brave" => ServiceKind::Brave,
            "tavily" => ServiceKind::Tavily,
            _ => return Err(WebSearchError::Provider),
        };
        let url = url.or(kind.home()).ok_or(WebSearchError::UrlMissing)?;
        let url = Target::parse(url).map_err(|error| WebSearchError::Url(error.to_string()))?;
        let key_env = kind.key_env().map(|usual| key_env.unwrap_or(usual).to_owned());
        if key_env.as_deref().is_some_and(|name| !is_name(name)) {
            return Err(WebSearchError::KeyEnv);
        }
        if key_env.is_some() && url.url().scheme() != "https" && url.inner().is_none() {
            return Err(WebSearchError::Insecure);
        }
        Ok(Self::Service(SearchService { kind, url, key_env }))
    }
}

/// POSIX's names of environment variables, in capitals as everybody writes them: so that a key that
/// was put in the wrong place is not taken for a name.
fn is_name(text: &str) -> bool {
    let is_part = |byte: u8| byte.is_ascii_uppercase() || byte == b'_';
    text.len() <= 100
        && text.bytes().next().is_some_and(is_part)
        && text.bytes().all(|byte| is_part(byte) || byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn service(provider: &str, url: Option<&str>, key: Option<&str>) -> String {
        match WebSearch::new(provider, url, key) {
            Ok(WebSearch::Service(it)) => format!("{} {} {:?}", it.kind.name(), it.url, it.key_env),
            Ok(WebSearch::Native) => "native".to_owned(),
            Err(error) => format!("{}: {error}", error.key()),
        }
    }

    #[test]
    fn configurations() {
        for (provider, url, key, want) in [
            ("native", None, None, "native"),
            ("searxng", Some("http://localhost:8888"), None, "SearXNG http://localhost:8888/ None"),
            ("searxng", Some("http://searx.lan/s"), Some("X"), "SearXNG http://searx.lan/s None"),
            ("brave", None, None, "Brave https://api.search.brave.com/ Some(\"BRAVE_API_KEY\")"),
            ("tavily", None, Some("MY_KEY_2"), "Tavily https://api.tavily.com/ Some(\"MY_KEY_2\")"),
            (
                "brave",
                Some("http://127.0.0.1:1"),
                None,
                "Brave http://127.0.0.1:1/ Some(\"BRAVE_API_KEY\")",
            ),
        ] {
            assert_eq!(service(provider, url, key), want);
        }
        for (provider, url, key, want) in [
            ("google", None, None, "provider: expected \"searxng\""),
            ("", None, None, "provider: expected"),
            ("searxng", None, None, "url: searxng needs \"url\""),
            ("searxng", Some("localhost:8888"), None, "url: expected an http or https address"),
            ("searxng", Some("http://u:p@x/"), None, "url: expected an http or https address"),
            ("brave", Some("http://example.com/"), None, "url: a key is only sent over https"),
            ("brave", None, Some("BSAabc-secret"), "keyEnv: expected the name"),
            ("brave", None, Some("bsa123"), "keyEnv: expected the name"),
            ("brave", None, Some(""), "keyEnv: expected the name"),
            ("tavily", None, Some("1A"), "keyEnv: expected the name"),
        ] {
            let got = service(provider, url, key);
            assert!(got.starts_with(want) && !got.contains("secret"), "{got}");
        }
    }
}
