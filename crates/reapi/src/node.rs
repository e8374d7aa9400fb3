//! A service that executes actions.

use std::sync::Mutex;
use std::sync::atomic::AtomicUsize;
use std::time::{Duration, Instant};

use bazel_remote_apis::build::bazel::remote::execution::v2::capabilities_client::CapabilitiesClient;
use bazel_remote_apis::build::bazel::remote::execution::v2::execution_client::ExecutionClient;
use bazel_remote_apis::build::bazel::remote::execution::v2::{
    ActionResult, ExecuteRequest, ExecuteResponse, GetCapabilitiesRequest, WaitExecutionRequest, digest_function,
};
use bazel_remote_apis::google::longrunning::operation::Result as Ended;
use bazel_remote_apis::google::longrunning::operations_client::OperationsClient;
use bazel_remote_apis::google::longrunning::{CancelOperationRequest, Operation};
use prost::Message;
use tokio::sync::watch;
use tonic::{Code, Streaming};

use crate::action::Action;
use crate::arguments::Arguments;
use crate::blobs::Store;
use crate::connection::{Connection, connect};
use crate::fault::Fault;

/// The most bytes of an answer with an output in it.
const ANSWER: usize = 64 << 20;

/// How long a service may take to name an operation that nobody wants any more.
const NAMING: Duration = Duration::from_secs(20);

/// What is known of the operation of an action.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Known {
    Nothing,
    /// The service was asked for it.
    Asked,
    /// It has this name.
    Named(String),
}

/// A service.
#[derive(Debug)]
pub(crate) struct Node {
    pub(crate) url: String,
    connection: Connection,
    instance: String,
    pub(crate) store: Store,
    pub(crate) outstanding: AtomicUsize,
    /// How many faults came one after the other, and until when it gets no jobs if there are other services.
    pub(crate) faults: Mutex<(u32, Option<Instant>)>,
}

impl Node {
    /// Connects to a service that executes actions.
    pub(crate) async fn connect(url: &str, arguments: &Arguments) -> anyhow::Result<Self> {
        let connection = connect(url, arguments)?;
        let instance = arguments.instance.clone();
        let request = GetCapabilitiesRequest { instance_name: instance.clone() };
        let reply = CapabilitiesClient::new(connection.clone()).get_capabilities(request).await.map_err(Fault::from)?;
        let able = reply.into_inner();
        anyhow::ensure!(
            able.execution_capabilities.is_some_and(|execution| execution.exec_enabled),
            "it executes no actions"
        );
        let cache = able.cache_capabilities.unwrap_or_default();
        let functions = &cache.digest_functions;
        let sha256 = i32::from(digest_function::Value::Sha256);
        anyhow::ensure!(functions.is_empty() || functions.contains(&sha256), "it does not address blobs by SHA-256");
        let store = Store::new(connection.clone(), instance.clone(), cache.max_batch_total_size_bytes);
        let (outstanding, faults) = Default::default();
        Ok(Self { url: url.to_owned(), connection, instance, store, outstanding, faults })
    }

    /// The standard output of an action; none if it was cancelled. `is_fresh` says that no cached result counts.
    pub(crate) async fn execute(
        &self,
        action: &Action,
        is_fresh: bool,
        cancel: &watch::Receiver<bool>,
    ) -> Result<Option<Vec<u8>>, Fault> {
        let known = watch::Sender::new(Known::Nothing);
        let mut cancel = cancel.clone();
        // What is waited for holds a lock, which must be gone before the next request.
        let cancelled = async { _ = cancel.wait_for(|is_cancelled| *is_cancelled).await };
        let run = async {
            self.store.send(&action.blobs).await?;
            let result = tokio::time::timeout(action.timeout * 2, self.result(action, is_fresh, &known)).await;
            let result = result.map_err(|_| Fault::passing("it did not answer in time"))??;
            self.output(result).await
        };
        tokio::pin!(run);
        tokio::select! {
            output = &mut run => return output.map(Some),
            () = cancelled => {}
        }
        if *known.borrow() == Known::Asked {
            // It may have begun, and would go on.
            let mut named = known.subscribe();
            let named = async { _ = named.wait_for(|known| *known != Known::Asked).await };
            tokio::select! {
                _ = &mut run => {}
                () = named => {}
                () = tokio::time::sleep(NAMING) => {}
            }
        }
        let last = known.borrow().clone();
        if let Known::Named(name) = last {
            // One that has ended cannot be cancelled.
            let _ =
                OperationsClient::new(self.connection.clone()).cancel_operation(CancelOperationRequest { name }).await;
        }
        Ok(None)
    }

    async fn result(
        &self,
        action: &Action,
        is_fresh: bool,
        known: &watch::Sender<Known>,
    ) -> Result<ActionResult, Fault> {
        let mut client = ExecutionClient::new(self.connection.clone()).max_decoding_message_size(ANSWER);
        let request = ExecuteRequest {
            instance_name: self.instance.clone(),
            skip_cache_lookup: is_fresh,
            action_digest: Some(action.digest.clone()),
            inline_stdout: true,
            ..ExecuteRequest::default()
        };
        known.send_replace(Known::Asked);
        let lost = match end(client.execute(request).await?.into_inner(), known).await {
            Ok(result) => return Ok(result),
            Err(lost) => lost,
        };
        let last = known.borrow().clone();
        match last {
            // The stream broke. The action may still run.
            Known::Named(name) if lost.is_of_stream => {
                let waited = client.wait_execution(WaitExecutionRequest { name }).await;
                // That it cannot be waited for says nothing of the action.
                let Ok(stream) = waited else { return Err(lost.fault) };
                end(stream.into_inner(), known).await.map_err(|lost| lost.fault)
            }
            _ => Err(lost.fault),
        }
    }

    async fn output(&self, result: ActionResult) -> Result<Vec<u8>, Fault> {
        match &result.stdout_digest {
            Some(digest) if result.stdout_raw.is_empty() && digest.size_bytes > 0 => self.store.read(digest).await,
            _ => Ok(result.stdout_raw),
        }
    }
}

/// Why a stream gave no result.
struct Lost {
    fault: Fault,
    /// Whether it broke before its end.
    is_of_stream: bool,
}

/// Reads the stream of an operation to its end. Its name goes to `known` as soon as it comes.
async fn end(mut stream: Streaming<Operation>, known: &watch::Sender<Known>) -> Result<ActionResult, Lost> {
    let broken = |fault| Lost { fault, is_of_stream: true };
    let ended = |fault| Lost { fault, is_of_stream: false };
    while let Some(operation) = stream.message().await.map_err(|status| broken(status.into()))? {
        if !operation.name.is_empty() {
            known.send_replace(Known::Named(operation.name));
        }
        match operation.result {
            Some(Ended::Response(any)) => {
                let response = ExecuteResponse::decode(&*any.value);
                let response = response.map_err(|error| ended(Fault::passing(error.to_string())))?;
                let status = response.status.unwrap_or_default();
                if status.code != 0 {
                    return Err(ended(Fault::of_code(Code::from_i32(status.code), &status.message)));
                }
                return response.result.ok_or_else(|| ended(Fault::passing("the answer has no result")));
            }
            Some(Ended::Error(status)) => {
                return Err(ended(Fault::of_code(Code::from_i32(status.code), &status.message)));
            }
            None => {}
        }
    }
    Err(broken(Fault::passing("the stream ended before the action")))
}
