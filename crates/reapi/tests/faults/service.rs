//! A service of the Remote Execution API in this process. It checks what it gets, and does wrong what a script says.

use std::collections::HashMap;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use bazel_remote_apis::build::bazel::remote::execution::v2::capabilities_server::CapabilitiesServer;
use bazel_remote_apis::build::bazel::remote::execution::v2::content_addressable_storage_server::ContentAddressableStorageServer;
use bazel_remote_apis::build::bazel::remote::execution::v2::execution_server::ExecutionServer;
use bazel_remote_apis::build::bazel::remote::execution::v2::{ActionResult, Digest, digest_function};
use bazel_remote_apis::google::bytestream::byte_stream_server::ByteStreamServer;
use bazel_remote_apis::google::longrunning::Operation;
use bazel_remote_apis::google::longrunning::operations_server::OperationsServer;
use tokio::runtime::Runtime;
use tokio::sync::watch;
use tonic::transport::server::TcpIncoming;
use tonic::transport::{Server, ServerTlsConfig};
use tonic::{Code, Request, Status};

use crate::input::{Blobs, Input, input};
use crate::script::{Deed, Script};

/// The time after which what does not come is a fault of a test.
pub(crate) const GUARD: Duration = Duration::from_secs(120);

/// What a service is from its start.
pub(crate) struct Setup {
    pub(crate) instance: &'static str,
    /// The most bytes of blobs in a message; 0 says nothing of it.
    pub(crate) batch: i64,
    pub(crate) executes: bool,
    pub(crate) functions: Vec<digest_function::Value>,
    /// The token that it asks for.
    pub(crate) token: Option<&'static str>,
    pub(crate) tls: Option<ServerTlsConfig>,
    /// What becomes of a worker that only says whether it is ready.
    pub(crate) greeting: Deed,
}

impl Default for Setup {
    fn default() -> Self {
        let functions = vec![digest_function::Value::Sha256];
        Self { instance: "", batch: 0, executes: true, functions, token: None, tls: None, greeting: Deed::Works }
    }
}

/// What a service has seen.
#[derive(Clone, Debug, Default)]
pub(crate) struct Seen {
    /// The actions with jobs, and whether no cached result was wanted.
    pub(crate) executes: Vec<(Digest, bool)>,
    /// How many of them a worker has run.
    pub(crate) runs: usize,
    pub(crate) greetings: Vec<(Digest, bool)>,
    /// The names of operations.
    pub(crate) names: Vec<String>,
    pub(crate) waits: Vec<String>,
    pub(crate) cancels: Vec<String>,
    /// The hashes of what was asked for.
    pub(crate) finds: Vec<Vec<String>>,
    /// The hashes and sizes of the blobs of each message with several.
    pub(crate) batches: Vec<Vec<(String, usize)>>,
    /// The names of the large blobs, and the sizes of their parts.
    pub(crate) writes: Vec<(String, Vec<usize>)>,
    pub(crate) reads: Vec<String>,
    /// What a client did against the specification.
    pub(crate) complaints: Vec<String>,
}

impl Seen {
    /// Whether jobs were to be answered without the cache.
    pub(crate) fn flags(&self) -> Vec<bool> {
        self.executes.iter().map(|(_, is_fresh)| *is_fresh).collect()
    }

    /// The hashes of all blobs that came, in order.
    pub(crate) fn uploads(&self) -> Vec<String> {
        let large = self.writes.iter().filter_map(|(name, _)| name.split('/').rev().nth(1).map(str::to_owned));
        let mut hashes: Vec<_> = self.batches.iter().flatten().map(|(hash, _)| hash.clone()).chain(large).collect();
        hashes.sort();
        hashes
    }
}

#[derive(Default)]
pub(crate) struct State {
    pub(crate) blobs: Blobs,
    pub(crate) cache: HashMap<String, ActionResult>,
    /// The last states of operations by their names.
    pub(crate) operations: HashMap<String, Operation>,
    pub(crate) script: Script,
    pub(crate) seen: Seen,
}

/// What all requests share.
pub(crate) struct Shared {
    pub(crate) setup: Setup,
    pub(crate) state: Mutex<State>,
    changed: Condvar,
    pub(crate) gate: watch::Sender<bool>,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Does something with the state, and tells who waits for it.
    pub(crate) fn change<T>(&self, change: impl FnOnce(&mut State) -> T) -> T {
        let changed = change(&mut self.lock());
        self.changed.notify_all();
        changed
    }
}

/// The implementation of all parts of the API.
#[derive(Clone)]
pub(crate) struct Fake(pub(crate) Arc<Shared>);

/// A running service.
pub(crate) struct Service {
    pub(crate) url: String,
    shared: Arc<Shared>,
    runtime: Option<Runtime>,
}

impl Service {
    pub(crate) fn start(setup: Setup) -> Self {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build();
        let runtime = runtime.expect("threads can be started");
        let scheme = if setup.tls.is_some() { "https" } else { "http" };
        let (gate, _) = watch::channel(false);
        let shared = Arc::new(Shared { setup, state: Mutex::default(), changed: Condvar::new(), gate });
        let mut server = Server::builder();
        if let Some(tls) = &shared.setup.tls {
            server = server.tls_config(tls.clone()).expect("the certificates are well-formed");
        }
        let theirs = Arc::clone(&shared);
        let guard = move |request: Request<()>| {
            let own = theirs.setup.token.map(|token| format!("Bearer {token}"));
            let came = request.metadata().get("authorization").and_then(|value| value.to_str().ok());
            if own.as_deref() == came { Ok(request) } else { Err(Status::unauthenticated("who are you")) }
        };
        let fake = || Fake(Arc::clone(&shared));
        let router = server
            .add_service(CapabilitiesServer::with_interceptor(fake(), guard.clone()))
            .add_service(ContentAddressableStorageServer::with_interceptor(fake(), guard.clone()))
            .add_service(ByteStreamServer::with_interceptor(fake(), guard.clone()))
            .add_service(ExecutionServer::with_interceptor(fake(), guard.clone()))
            .add_service(OperationsServer::with_interceptor(fake(), guard));
        let incoming = {
            let _inside = runtime.enter();
            TcpIncoming::bind(([127, 0, 0, 1], 0).into()).expect("a port is free").with_nodelay(Some(true))
        };
        let address = incoming.local_addr().expect("it is bound");
        runtime.spawn(router.serve_with_incoming(incoming));
        Self { url: format!("{scheme}://{address}"), shared, runtime: Some(runtime) }
    }

    /// Says what goes wrong from now on.
    pub(crate) fn plan(&self, script: Script) {
        self.shared.change(|state| state.script = script);
    }

    /// Deletes all blobs.
    pub(crate) fn evict(&self) {
        self.shared.change(|state| state.blobs.clear());
    }

    /// Lets go on what waits.
    pub(crate) fn open(&self) {
        self.shared.gate.send_replace(true);
    }

    /// Ends all connections at once.
    pub(crate) fn kill(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }

    pub(crate) fn seen(&self) -> Seen {
        self.shared.lock().seen.clone()
    }

    /// Waits until it has seen something.
    pub(crate) fn until(&self, what: &str, is_so: impl Fn(&Seen) -> bool) {
        let state = self.shared.lock();
        let waited = self.shared.changed.wait_timeout_while(state, GUARD, |state| !is_so(&state.seen));
        let (state, time) = waited.unwrap_or_else(PoisonError::into_inner);
        let seen = state.seen.clone();
        drop(state);
        assert!(!time.timed_out(), "waited in vain for {what}: {seen:?}");
    }

    /// The action of this digest, all of which must be there.
    pub(crate) fn input(&self, digest: &Digest) -> Input {
        input(&self.shared.lock().blobs, digest).expect("all blobs are there")
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        self.kill();
        let complaints = self.seen().complaints;
        assert!(std::thread::panicking() || complaints.is_empty(), "{complaints:?}");
    }
}

/// The status of a fault that a script asked for.
pub(crate) fn fault(code: Code) -> Status {
    Status::new(code, "so it was planned")
}
