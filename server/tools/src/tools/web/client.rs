//! Connections: what was checked is what is connected to.

use std::{
    error::Error,
    io,
    net::{IpAddr, SocketAddr},
    sync::Arc,
    time::Duration,
};

use futures::future::BoxFuture;
use hyper_util::client::proxy::matcher::{Intercept, Matcher};
use reqwest::{
    Client, ClientBuilder, Proxy,
    dns::{Addrs, Name, Resolve, Resolving},
    redirect::Policy,
};
use tokio::sync::OnceCell;

use super::{address, target::Target};

/// How long a connection may take to come about.
const CONNECT: Duration = Duration::from_secs(10);

/// Looks a name up; the addresses' ports mean nothing.
type Lookup = Arc<dyn Fn(String) -> BoxFuture<'static, io::Result<Vec<SocketAddr>>> + Send + Sync>;

/// The clients of a workspace, made when they are first needed. None of them follows redirects,
/// keeps cookies or tells where a link was found.
pub(super) struct Clients {
    lookup: Lookup,
    proxies: Matcher,
    /// Connects to public addresses alone.
    guarded: OnceCell<Client>,
    /// Connects to any address: for what the user named.
    open: OnceCell<Client>,
}

/// A name, or an address, that is inside.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", self.sentence())]
pub(super) struct Inner {
    pub host: String,
    /// What the name stands for, if it is a name.
    pub address: Option<IpAddr>,
    /// What it is, with its article.
    pub what: &'static str,
}

impl Inner {
    fn sentence(&self) -> String {
        match self.address {
            Some(address) => format!("{} is {address}, {}", self.host, self.what),
            None => format!("{} is {}", self.host, self.what),
        }
    }
}

/// Why there is no client for a target.
#[derive(Debug, thiserror::Error)]
pub(super) enum NoClient {
    #[error(transparent)]
    Inner(#[from] Inner),
    #[error("no client can be made: {0}")]
    Failed(String),
}

impl Default for Clients {
    fn default() -> Self {
        let lookup = |name: String| -> BoxFuture<'static, _> {
            Box::pin(async move { Ok(tokio::net::lookup_host((name, 0)).await?.collect()) })
        };
        Self::with(Arc::new(lookup), Matcher::from_env())
    }
}

impl Clients {
    pub(super) fn with(lookup: Lookup, proxies: Matcher) -> Self {
        Self { lookup, proxies, guarded: OnceCell::new(), open: OnceCell::new() }
    }

    /// The client for a target that a model chose. `named`: a rule of the user's names it.
    pub async fn of_model(&self, target: &Target, named: bool) -> Result<Client, NoClient> {
        if named {
            return self.of_user(target).await;
        }
        if let Some(what) = target.inner() {
            return Err(Inner { host: target.host().to_owned(), address: None, what }.into());
        }
        if let Some(proxy) = self.proxies.intercept_of(target) {
            // The proxy looks the name up, and may know it otherwise; what it lets through is its
            // owner's choice. A name that is inside as seen from here is refused all the same.
            match outside(target.host(), (self.lookup)(target.host().to_owned()).await) {
                Err(Refused::Inner(inner)) => return Err(inner.into()),
                Ok(_) | Err(Refused::Unknown(_)) => return through(&proxy).await,
            }
        }
        self.direct(&self.guarded, true).await
    }

    /// The client for a target that the user chose.
    pub async fn of_user(&self, target: &Target) -> Result<Client, NoClient> {
        let is_inside = target.inner().is_some();
        if let Some(proxy) = self.proxies.intercept_of(target).filter(|_| !is_inside) {
            return through(&proxy).await;
        }
        self.direct(&self.open, false).await
    }

    async fn direct(&self, place: &OnceCell<Client>, guarded: bool) -> Result<Client, NoClient> {
        let guard = Guard { lookup: self.lookup.clone(), guarded };
        let made = || built(builder().no_proxy().dns_resolver(Arc::new(guard)));
        place.get_or_try_init(made).await.cloned()
    }
}

/// The proxy that the environment (`HTTPS_PROXY`, `NO_PROXY`, …) has for a target.
trait ProxyOf {
    fn intercept_of(&self, target: &Target) -> Option<Intercept>;
}

impl ProxyOf for Matcher {
    fn intercept_of(&self, target: &Target) -> Option<Intercept> {
        self.intercept(&target.url().as_str().parse().ok()?)
    }
}

async fn through(proxy: &Intercept) -> Result<Client, NoClient> {
    let to = Proxy::all(proxy.uri().to_string());
    let mut to = to.map_err(|error| NoClient::Failed(causes(&error)))?;
    if let Some((user, password)) = proxy.raw_auth() {
        to = to.basic_auth(user, password);
    }
    built(builder().proxy(to)).await
}

/// Building reads the system's certificates.
async fn built(builder: ClientBuilder) -> Result<Client, NoClient> {
    match tokio::task::spawn_blocking(move || builder.build()).await {
        Ok(client) => client.map_err(|error| NoClient::Failed(causes(&error))),
        Err(error) => Err(NoClient::Failed(error.to_string())),
    }
}

fn builder() -> ClientBuilder {
    Client::builder()
        .user_agent(concat!("redline/", env!("CARGO_PKG_VERSION")))
        .redirect(Policy::none())
        .referer(false)
        .connect_timeout(CONNECT)
        .pool_max_idle_per_host(2)
        .pool_idle_timeout(Duration::from_secs(20))
}

/// Looks names up for a client: the addresses that it gives are the ones that are connected to, so
/// that no second look-up can give others.
struct Guard {
    lookup: Lookup,
    guarded: bool,
}

impl Resolve for Guard {
    fn resolve(&self, name: Name) -> Resolving {
        let host = name.as_str().to_owned();
        let (found, guarded) = ((self.lookup)(host.clone()), self.guarded);
        Box::pin(async move {
            let found = found.await;
            let addresses = if guarded { outside(&host, found)? } else { found? };
            Ok(Box::new(addresses.into_iter()) as Addrs)
        })
    }
}

/// Why a name's addresses are of no use.
#[derive(Debug, thiserror::Error)]
enum Refused {
    #[error(transparent)]
    Inner(#[from] Inner),
    #[error("{0}")]
    Unknown(#[from] io::Error),
}

/// The addresses of a name if all of them are public: one that is not shows that the name is about
/// something inside.
fn outside(host: &str, found: io::Result<Vec<SocketAddr>>) -> Result<Vec<SocketAddr>, Refused> {
    let found = found?;
    if found.is_empty() {
        return Err(io::Error::new(io::ErrorKind::NotFound, "the name has no address").into());
    }
    for address in found.iter().map(SocketAddr::ip) {
        if let Some(what) = address::inner(address) {
            return Err(Inner { host: host.to_owned(), address: Some(address), what }.into());
        }
    }
    Ok(found)
}

/// The refusal that an error of a client rests on, if one does.
pub(super) fn refusal(error: &(dyn Error + 'static)) -> Option<Inner> {
    let mut next = Some(error);
    while let Some(error) = next {
        if let Some(Refused::Inner(inner)) = error.downcast_ref() {
            return Some(inner.clone());
        }
        next = error.source();
    }
    None
}

/// An error and what it rests on, without the address that it is about: that may hold a key.
pub(super) fn causes(error: &(dyn Error + 'static)) -> String {
    let mut words = Vec::new();
    let mut next = error.source();
    while let Some(error) = next {
        let text = error.to_string();
        if words.last() != Some(&text) {
            words.push(text);
        }
        next = error.source();
    }
    if words.is_empty() { "it failed without a reason".to_owned() } else { words.join(": ") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    fn lookup(answers: Vec<&'static str>) -> (Lookup, Arc<AtomicUsize>) {
        let count = Arc::new(AtomicUsize::new(0));
        let counted = count.clone();
        let lookup = move |_| -> BoxFuture<'static, _> {
            counted.fetch_add(1, Ordering::SeqCst);
            let found = answers.iter().map(|it| SocketAddr::new(it.parse().unwrap(), 0)).collect();
            Box::pin(async move { Ok(found) })
        };
        (Arc::new(lookup), count)
    }

    async fn resolve(guarded: bool, answers: Vec<&'static str>) -> Result<usize, String> {
        let guard = Guard { lookup: lookup(answers).0, guarded };
        let found = guard.resolve("page.test".parse().unwrap()).await;
        found.map(Iterator::count).map_err(|error| error.to_string())
    }

    #[tokio::test]
    async fn names_that_stand_for_something_inside() {
        for (answers, want) in [
            (vec!["1.1.1.1"], Ok(1)),
            (vec!["1.1.1.1", "2606:4700::1"], Ok(2)),
            (vec!["127.0.0.1"], Err("page.test is 127.0.0.1, a loopback address")),
            (vec!["1.1.1.1", "10.0.0.1"], Err("page.test is 10.0.0.1, a private address")),
            (vec!["::ffff:10.0.0.1"], Err("page.test is ::ffff:10.0.0.1, a private address")),
            (vec!["fe80::1"], Err("page.test is fe80::1, a link-local address")),
            (vec![], Err("the name has no address")),
        ] {
            let want = want.map_err(str::to_owned);
            assert_eq!(resolve(true, answers.clone()).await, want, "{answers:?}");
            assert_eq!(resolve(false, answers.clone()).await, Ok(answers.len()), "{answers:?}");
        }
    }

    #[tokio::test]
    async fn a_proxy_gets_no_name_that_is_inside_from_here() {
        let proxies = || Matcher::builder().all("http://proxy.test:3128").build();
        let target = Target::parse("http://page.test/").unwrap();
        let clients = Clients::with(lookup(vec!["10.0.0.1"]).0, proxies());
        let refused = clients.of_model(&target, false).await.unwrap_err().to_string();
        assert_eq!(refused, "page.test is 10.0.0.1, a private address");
        let unknown: Lookup = Arc::new(|_| Box::pin(async { Err(io::Error::other("no")) }));
        let clients = Clients::with(unknown, proxies());
        assert!(clients.of_model(&target, false).await.is_ok());
        let inside = Target::parse("http://127.0.0.1/").unwrap();
        assert!(matches!(clients.of_model(&inside, false).await, Err(NoClient::Inner(_))));
    }
}
