//! The part of a service that executes actions.

use bazel_remote_apis::build::bazel::remote::execution::v2::execution_server::Execution;
use bazel_remote_apis::build::bazel::remote::execution::v2::{
    ActionResult, Digest, ExecuteRequest, ExecuteResponse, WaitExecutionRequest,
};
use bazel_remote_apis::google::longrunning::operation::Result as Ended;
use bazel_remote_apis::google::longrunning::operations_server::Operations;
use bazel_remote_apis::google::longrunning::{
    CancelOperationRequest, DeleteOperationRequest, GetOperationRequest, ListOperationsRequest, ListOperationsResponse,
    Operation, WaitOperationRequest,
};
use bazel_remote_apis::google::{protobuf, rpc};
use prost::Message;
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;
use tonic::{Code, Request, Response, Status};

use crate::input::input;
use crate::job::hash;
use crate::script::{Deed, Wait};
use crate::service::{Fake, State, fault};
use crate::store::Parts;

/// An operation that has begun.
struct Begun {
    name: String,
    deed: Deed,
    /// How it ends.
    end: Operation,
}

fn operation(name: &str, result: Option<Ended>) -> Operation {
    Operation { name: name.to_owned(), metadata: None, done: result.is_some(), result }
}

fn ended(bytes: Vec<u8>) -> Ended {
    let type_url = "type.googleapis.com/build.bazel.remote.execution.v2.ExecuteResponse".to_owned();
    Ended::Response(protobuf::Any { type_url, value: bytes })
}

fn status(code: Code) -> rpc::Status {
    rpc::Status { code: code.into(), message: "so it was planned".to_owned(), details: Vec::new() }
}

impl State {
    /// The result of an action that printed this.
    fn result(&mut self, exit_code: i32, output: &str, is_inline: bool) -> ActionResult {
        let (bytes, hash) = (output.as_bytes(), hash(output.as_bytes()));
        let stdout_digest = Some(Digest { hash: hash.clone(), size_bytes: i64::try_from(bytes.len()).unwrap_or(0) });
        self.blobs.insert(hash, bytes.to_vec());
        let stdout_raw = if is_inline { bytes.to_vec() } else { Vec::new() };
        ActionResult { exit_code, stdout_digest, stdout_raw, ..ActionResult::default() }
    }

    /// What becomes of a request to execute an action.
    fn begin(&mut self, request: &ExecuteRequest, greeting: &Deed) -> Result<Begun, Status> {
        let digest = request.action_digest.clone().unwrap_or_default();
        let is_fresh = request.skip_cache_lookup;
        if !request.inline_stdout {
            self.seen.complaints.push("the output is not wanted inline".to_owned());
        }
        let mut found = input(&self.blobs, &digest);
        let is_job = !found.as_ref().is_ok_and(|input| input.lines().len() == 1);
        let seen = if is_job { &mut self.seen.executes } else { &mut self.seen.greetings };
        seen.push((digest.clone(), is_fresh));
        let mut planned = || self.script.executes.pop_front().or_else(|| self.script.always.clone());
        let mut deed = if is_job { planned().unwrap_or(Deed::Works) } else { greeting.clone() };
        if matches!(deed, Deed::Evicts) {
            self.blobs.clear();
            found = input(&self.blobs, &digest);
        }
        let input = found.map_err(|hash| Status::failed_precondition(format!("{hash} is not there")))?;
        self.seen.complaints.extend(input.complaints.iter().cloned());
        if let Deed::Rejects(code) = deed {
            return Err(fault(code));
        }
        let name = format!("operations/{}", self.seen.names.len());
        self.seen.names.push(name.clone());
        if let Deed::Cached(code, output) = &deed {
            let result = self.result(*code, &output.clone(), true);
            self.cache.insert(digest.hash.clone(), result);
            deed = Deed::Works;
        }
        let cached = self.cache.get(&digest.hash).filter(|_| !is_fresh).cloned();
        let output = input.output();
        let result = match (&cached, &deed) {
            (Some(cached), _) => cached.clone(),
            (None, Deed::Prints(code, output)) => self.result(*code, &output.clone(), true),
            (None, Deed::Misleads) => {
                let token = |token: &str| format!("\"token\":\"{token}\"");
                let line = input.lines().get(1).and_then(|line| serde_json::from_str(line).ok());
                let own: serde_json::Value = line.unwrap_or_default();
                let own = own["run"]["token"].as_str().unwrap_or_default();
                self.result(0, &output.replace(&token(own), &token(&hash(own.as_bytes()))), true)
            }
            (None, Deed::Cuts(hundredths)) => self.result(0, &output[..output.len() * hundredths / 100], true),
            (None, deed) => self.result(0, &output, !matches!(deed, Deed::Stores)),
        };
        if is_job && cached.is_none() {
            self.seen.runs += 1;
        }
        if result.exit_code == 0 && !matches!(deed, Deed::Lacks | Deed::Ends(_) | Deed::Errs(_) | Deed::NamesLate) {
            self.cache.insert(digest.hash.clone(), result.clone());
        }
        let mut response =
            ExecuteResponse { result: Some(result), cached_result: cached.is_some(), ..ExecuteResponse::default() };
        let end = match deed {
            Deed::Ends(code) => {
                (response.result, response.status) = (None, Some(status(code)));
                ended(response.encode_to_vec())
            }
            Deed::Errs(code) => Ended::Error(status(code)),
            Deed::Lacks => {
                response.result = None;
                ended(response.encode_to_vec())
            }
            Deed::Garbles => ended(vec![0xff; 9]),
            _ => ended(response.encode_to_vec()),
        };
        let end = operation(&name, Some(end));
        self.operations.insert(name.clone(), end.clone());
        Ok(Begun { name, deed, end })
    }
}

#[tonic::async_trait]
impl Execution for Fake {
    type ExecuteStream = Parts<Operation>;

    async fn execute(&self, request: Request<ExecuteRequest>) -> Result<Response<Self::ExecuteStream>, Status> {
        let request = request.into_inner();
        let Begun { name, deed, end } = self.0.change(|state| {
            state.check(&request, self.0.setup.instance, &request.instance_name);
            state.begin(&request, &self.0.setup.greeting)
        })?;
        let (sender, stream) = mpsc::channel(4);
        let mut gate = self.0.gate.subscribe();
        tokio::spawn(async move {
            if matches!(deed, Deed::NamesLate) {
                gate.wait_for(|is_open| *is_open).await.map_err(drop)?;
            }
            let named = Ok(operation(&name, None));
            match deed {
                Deed::BreaksUnnamed => return Ok(()),
                Deed::Breaks => return sender.send(named).await.map_err(drop),
                Deed::BreaksBy(code) => {
                    sender.send(named).await.map_err(drop)?;
                    return sender.send(Err(fault(code))).await.map_err(drop);
                }
                Deed::NamesLate => {
                    sender.send(named).await.map_err(drop)?;
                    sender.closed().await;
                }
                Deed::Waits => {
                    sender.send(named).await.map_err(drop)?;
                    gate.wait_for(|is_open| *is_open).await.map_err(drop)?;
                }
                _ => sender.send(named).await.map_err(drop)?,
            }
            // Who does not listen any more wants no answer.
            sender.send(Ok(end)).await.map_err(drop)
        });
        Ok(Response::new(Box::pin(ReceiverStream::new(stream))))
    }

    type WaitExecutionStream = Parts<Operation>;

    async fn wait_execution(
        &self,
        request: Request<WaitExecutionRequest>,
    ) -> Result<Response<Self::WaitExecutionStream>, Status> {
        let name = request.into_inner().name;
        let end = self.0.change(|state| {
            state.seen.waits.push(name.clone());
            match state.script.waits.pop_front() {
                Some(Wait::Rejects(code)) => Err(fault(code)),
                Some(Wait::Breaks) => Ok(None),
                None => state.operations.get(&name).cloned().map(Some).ok_or_else(|| Status::not_found(name.clone())),
            }
        })?;
        let states: Vec<_> = std::iter::once(operation(&name, None)).chain(end).map(Ok).collect();
        Ok(Response::new(Box::pin(tokio_stream::iter(states))))
    }
}

#[tonic::async_trait]
impl Operations for Fake {
    async fn list_operations(
        &self,
        _: Request<ListOperationsRequest>,
    ) -> Result<Response<ListOperationsResponse>, Status> {
        Err(Status::unimplemented("nobody needs it"))
    }

    async fn get_operation(&self, _: Request<GetOperationRequest>) -> Result<Response<Operation>, Status> {
        Err(Status::unimplemented("nobody needs it"))
    }

    async fn delete_operation(&self, _: Request<DeleteOperationRequest>) -> Result<Response<protobuf::Empty>, Status> {
        Err(Status::unimplemented("nobody needs it"))
    }

    async fn cancel_operation(
        &self,
        request: Request<CancelOperationRequest>,
    ) -> Result<Response<protobuf::Empty>, Status> {
        self.0.change(|state| state.seen.cancels.push(request.into_inner().name));
        Ok(Response::new(protobuf::Empty::default()))
    }

    async fn wait_operation(&self, _: Request<WaitOperationRequest>) -> Result<Response<Operation>, Status> {
        Err(Status::unimplemented("nobody needs it"))
    }
}
