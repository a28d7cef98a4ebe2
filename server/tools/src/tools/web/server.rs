//! A server for tests, on loopback, that says exactly what it is told to, byte for byte.

use std::{
    io::Write,
    net::SocketAddr,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
};

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    task::JoinHandle,
};

/// One thing that the server does with a connection; after the last one it closes it.
#[derive(Clone)]
pub(super) enum Step {
    /// Sends this, in pieces.
    Send(Vec<u8>),
    /// Sends this again and again, until the other side has gone.
    Forever(Vec<u8>),
    /// Waits until the other side has gone.
    Hang,
}

type Answer = dyn Fn(&str) -> Vec<Step> + Send + Sync;

pub(super) struct Server {
    pub address: SocketAddr,
    requests: Arc<Mutex<Vec<String>>>,
    /// Connections whose other side left while the server waited or sent.
    pub left: Arc<AtomicUsize>,
    task: JoinHandle<()>,
}

impl Server {
    /// A server that answers a request for a path (with its query) with these steps.
    pub async fn start(answer: impl Fn(&str) -> Vec<Step> + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (requests, left) = (Arc::<Mutex<Vec<String>>>::default(), Arc::default());
        let answer: Arc<Answer> = Arc::new(answer);
        let task = tokio::spawn({
            let (requests, left) = (requests.clone(), Arc::clone(&left));
            async move {
                while let Ok((stream, _)) = listener.accept().await {
                    let (answer, requests) = (answer.clone(), requests.clone());
                    tokio::spawn(served(stream, answer, requests, Arc::clone(&left)));
                }
            }
        });
        Self { address, requests, left, task }
    }

    /// A server with one answer for every request.
    pub async fn with(steps: Vec<Step>) -> Self {
        Self::start(move |_| steps.clone()).await
    }

    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// The heads of the requests so far.
    pub fn requests(&self) -> Vec<String> {
        self.requests.lock().unwrap().clone()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn served(
    mut stream: TcpStream,
    answer: Arc<Answer>,
    requests: Arc<Mutex<Vec<String>>>,
    left: Arc<AtomicUsize>,
) {
    let Some(head) = head(&mut stream).await else { return };
    let path = head.split(' ').nth(1).unwrap_or_default().to_owned();
    requests.lock().unwrap().push(head);
    for step in answer(&path) {
        if !step.run(&mut stream).await {
            left.fetch_add(1, Ordering::SeqCst);
            return;
        }
    }
}

/// The request, with as much of its body as its head says.
async fn head(stream: &mut TcpStream) -> Option<String> {
    let mut bytes = Vec::new();
    loop {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let length = head.lines().find_map(|line| {
                let (name, value) = line.split_once(':')?;
                name.eq_ignore_ascii_case("content-length").then(|| value.trim().parse().ok())?
            });
            if body.len() >= length.unwrap_or(0) {
                return Some(text);
            }
        }
        let mut some = [0; 1024];
        match stream.read(&mut some).await {
            Ok(0) | Err(_) => return None,
            Ok(count) => bytes.extend_from_slice(&some[..count]),
        }
    }
}

impl Step {
    /// `false`: the other side has gone.
    async fn run(&self, stream: &mut TcpStream) -> bool {
        match self {
            Step::Send(bytes) => {
                // Small pieces at the start, where they split heads, chunk sizes and characters.
                let (start, rest) = bytes.split_at(bytes.len().min(2_000));
                for piece in start.chunks(7).chain(rest.chunks(64 * 1024)) {
                    if stream.write_all(piece).await.is_err() || stream.flush().await.is_err() {
                        return false;
                    }
                    tokio::task::yield_now().await;
                }
                true
            }
            Step::Forever(bytes) => {
                while stream.write_all(bytes).await.is_ok() {}
                false
            }
            Step::Hang => {
                let _ = stream.read(&mut [0]).await;
                false
            }
        }
    }
}

/// An answer whose end is the connection's.
pub(super) fn ok(kind: &str, body: impl AsRef<[u8]>) -> Vec<Step> {
    head_and(&format!("200 OK\r\nContent-Type: {kind}"), body)
}

/// A status line without its version, headers, and a body.
pub(super) fn head_and(head: &str, body: impl AsRef<[u8]>) -> Vec<Step> {
    let mut bytes = format!("HTTP/1.1 {head}\r\nConnection: close\r\n\r\n").into_bytes();
    bytes.extend_from_slice(body.as_ref());
    vec![Step::Send(bytes)]
}

pub(super) fn redirect(status: u16, to: &str) -> Vec<Step> {
    head_and(&format!("{status} Moved\r\nLocation: {to}\r\nContent-Length: 0"), "")
}

pub(super) fn gzipped(body: &[u8]) -> Vec<u8> {
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    packed.write_all(body).unwrap();
    packed.finish().unwrap()
}
