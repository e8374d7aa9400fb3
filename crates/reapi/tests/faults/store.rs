//! What a service can do, and its store.

use std::pin::Pin;

use bazel_remote_apis::build::bazel::remote::execution::v2::capabilities_server::Capabilities;
use bazel_remote_apis::build::bazel::remote::execution::v2::content_addressable_storage_server::ContentAddressableStorage;
use bazel_remote_apis::build::bazel::remote::execution::v2::{
    BatchReadBlobsRequest, BatchReadBlobsResponse, BatchUpdateBlobsRequest, BatchUpdateBlobsResponse,
    CacheCapabilities, ExecutionCapabilities, FindMissingBlobsRequest, FindMissingBlobsResponse,
    GetCapabilitiesRequest, GetChunkMappingRequest, GetChunkMappingResponse, GetTreeRequest, GetTreeResponse,
    RegisterChunkMappingRequest, RegisterChunkMappingResponse, ServerCapabilities, SpliceBlobRequest,
    SpliceBlobResponse, SplitBlobRequest, SplitBlobResponse, batch_update_blobs_response, digest_function,
};
use bazel_remote_apis::google::bytestream::byte_stream_server::ByteStream;
use bazel_remote_apis::google::bytestream::{
    QueryWriteStatusRequest, QueryWriteStatusResponse, ReadRequest, ReadResponse, WriteRequest, WriteResponse,
};
use bazel_remote_apis::google::rpc;
use prost::Message;
use tokio_stream::Stream;
use tonic::{Code, Request, Response, Status, Streaming};

use crate::job::hash;
use crate::script::{Batch, Read, Write};
use crate::service::{Fake, State, fault};

/// The most bytes of a message.
const MESSAGE: usize = 4 << 20;

/// The bytes of a part of an output.
const PART: usize = 100;

pub(crate) type Parts<T> = Pin<Box<dyn Stream<Item = Result<T, Status>> + Send>>;

impl State {
    /// Looks at the size of a message and the instance that it is for.
    pub(crate) fn check(&mut self, message: &impl Message, own: &str, instance: &str) {
        let size = message.encoded_len();
        if size > MESSAGE {
            self.seen.complaints.push(format!("a message has {size} bytes"));
        }
        if own != instance {
            self.seen.complaints.push(format!("a message is for `{instance}`"));
        }
    }
}

#[tonic::async_trait]
impl Capabilities for Fake {
    async fn get_capabilities(
        &self,
        request: Request<GetCapabilitiesRequest>,
    ) -> Result<Response<ServerCapabilities>, Status> {
        let request = request.into_inner();
        let setup = &self.0.setup;
        self.0.change(|state| state.check(&request, setup.instance, &request.instance_name));
        let digest_functions: Vec<i32> = setup.functions.iter().map(|function| i32::from(*function)).collect();
        let cache = CacheCapabilities {
            digest_functions: digest_functions.clone(),
            max_batch_total_size_bytes: setup.batch,
            ..CacheCapabilities::default()
        };
        let execution = ExecutionCapabilities {
            digest_function: digest_function::Value::Sha256.into(),
            exec_enabled: setup.executes,
            digest_functions,
            ..ExecutionCapabilities::default()
        };
        Ok(Response::new(ServerCapabilities {
            cache_capabilities: Some(cache),
            execution_capabilities: Some(execution),
            ..ServerCapabilities::default()
        }))
    }
}

#[tonic::async_trait]
impl ContentAddressableStorage for Fake {
    async fn find_missing_blobs(
        &self,
        request: Request<FindMissingBlobsRequest>,
    ) -> Result<Response<FindMissingBlobsResponse>, Status> {
        let request = request.into_inner();
        let missing = self.0.change(|state| {
            state.check(&request, self.0.setup.instance, &request.instance_name);
            state.seen.finds.push(request.blob_digests.iter().map(|digest| digest.hash.clone()).collect());
            match state.script.finds.pop_front() {
                Some(code) => Err(fault(code)),
                None => Ok(request.blob_digests.into_iter().filter(|digest| !state.blobs.contains_key(&digest.hash))),
            }
            .map(Iterator::collect)
        });
        Ok(Response::new(FindMissingBlobsResponse { missing_blob_digests: missing? }))
    }

    async fn batch_update_blobs(
        &self,
        request: Request<BatchUpdateBlobsRequest>,
    ) -> Result<Response<BatchUpdateBlobsResponse>, Status> {
        let request = request.into_inner();
        let responses = self.0.change(|state| {
            state.check(&request, self.0.setup.instance, &request.instance_name);
            let spoils = match state.script.batches.pop_front() {
                Some(Batch::Rejects(code)) => return Err(fault(code)),
                Some(Batch::Spoils(code)) => Some(code),
                None => None,
            };
            let blobs = request.requests.iter();
            let blobs: Vec<_> = blobs.map(|blob| (hash(&blob.data), blob.data.len())).collect();
            let (count, size) = (blobs.len(), blobs.iter().map(|(_, size)| size).sum::<usize>());
            if self.0.setup.batch > 0 && i64::try_from(size).is_ok_and(|size| size > self.0.setup.batch) {
                state.seen.complaints.push(format!("{count} blobs have {size} bytes together"));
            }
            state.seen.batches.push(blobs.clone());
            let mut responses = Vec::new();
            for (index, ((hash, size), blob)) in blobs.into_iter().zip(request.requests).enumerate() {
                let digest = blob.digest.unwrap_or_default();
                if digest.hash != hash || i64::try_from(size) != Ok(digest.size_bytes) {
                    state.seen.complaints.push(format!("{hash} with {size} bytes came as {digest:?}"));
                }
                let code = spoils.filter(|_| index + 1 == count).unwrap_or(Code::Ok);
                if code == Code::Ok {
                    state.blobs.insert(hash, blob.data);
                }
                let message = if code == Code::Ok { "" } else { "so it was planned" };
                let status = rpc::Status { code: code.into(), message: message.to_owned(), details: Vec::new() };
                responses.push(batch_update_blobs_response::Response { digest: Some(digest), status: Some(status) });
            }
            Ok(responses)
        });
        Ok(Response::new(BatchUpdateBlobsResponse { responses: responses? }))
    }

    async fn batch_read_blobs(
        &self,
        _: Request<BatchReadBlobsRequest>,
    ) -> Result<Response<BatchReadBlobsResponse>, Status> {
        Err(Status::unimplemented("nobody needs it"))
    }

    type GetTreeStream = Parts<GetTreeResponse>;

    async fn get_tree(&self, _: Request<GetTreeRequest>) -> Result<Response<Self::GetTreeStream>, Status> {
        Err(Status::unimplemented("nobody needs it"))
    }

    async fn split_blob(&self, _: Request<SplitBlobRequest>) -> Result<Response<SplitBlobResponse>, Status> {
        Err(Status::unimplemented("nobody needs it"))
    }

    type GetChunkMappingStream = Parts<GetChunkMappingResponse>;

    async fn get_chunk_mapping(
        &self,
        _: Request<GetChunkMappingRequest>,
    ) -> Result<Response<Self::GetChunkMappingStream>, Status> {
        Err(Status::unimplemented("nobody needs it"))
    }

    async fn register_chunk_mapping(
        &self,
        _: Request<Streaming<RegisterChunkMappingRequest>>,
    ) -> Result<Response<RegisterChunkMappingResponse>, Status> {
        Err(Status::unimplemented("nobody needs it"))
    }

    async fn splice_blob(&self, _: Request<SpliceBlobRequest>) -> Result<Response<SpliceBlobResponse>, Status> {
        Err(Status::unimplemented("nobody needs it"))
    }
}

#[tonic::async_trait]
impl ByteStream for Fake {
    type ReadStream = Parts<ReadResponse>;

    async fn read(&self, request: Request<ReadRequest>) -> Result<Response<Self::ReadStream>, Status> {
        let name = request.into_inner().resource_name;
        let bytes = self.0.change(|state| {
            state.seen.reads.push(name.clone());
            let own = if self.0.setup.instance.is_empty() { "" } else { "/" };
            let rest = name.strip_prefix(&format!("{}{own}blobs/", self.0.setup.instance));
            let (hash, size) = rest.and_then(|rest| rest.split_once('/')).unwrap_or_default();
            let bytes = state.blobs.get(hash).filter(|bytes| bytes.len().to_string() == size).cloned();
            let mut bytes = bytes.ok_or_else(|| Status::not_found(name.clone()))?;
            match state.script.reads.pop_front() {
                Some(Read::Rejects(code)) => return Err(fault(code)),
                Some(Read::Corrupts) => bytes[0] ^= 1,
                Some(Read::Shortens) => _ = bytes.pop(),
                None => {}
            }
            Ok(bytes)
        });
        let parts: Vec<_> = bytes?.chunks(PART).map(|part| Ok(ReadResponse { data: part.to_vec() })).collect();
        Ok(Response::new(Box::pin(tokio_stream::iter(parts))))
    }

    async fn write(&self, request: Request<Streaming<WriteRequest>>) -> Result<Response<WriteResponse>, Status> {
        let mut parts = request.into_inner();
        let planned = self.0.change(|state| state.script.writes.pop_front());
        let (mut name, mut sizes, mut bytes, mut is_whole) = (String::new(), Vec::new(), Vec::new(), false);
        while let Some(part) = parts.message().await? {
            self.0.change(|state| {
                state.check(&part, "", "");
                let is_named = part.resource_name == name || part.resource_name.is_empty() != sizes.is_empty();
                if !is_named || i64::try_from(bytes.len()) != Ok(part.write_offset) || is_whole {
                    state.seen.complaints.push(format!("the part {} of {name} is not the next one", sizes.len()));
                }
            });
            if sizes.is_empty() {
                name = part.resource_name;
            }
            sizes.push(part.data.len());
            bytes.extend(part.data);
            is_whole = part.finish_write;
            match &planned {
                Some(Write::Rejects(code)) => return Err(fault(*code)),
                Some(Write::Has(_)) => break,
                _ => {}
            }
        }
        let committed_size = self.0.change(|state| {
            if let Some(Write::Has(all)) = &planned {
                (bytes, is_whole) = (all.clone(), true);
            }
            let (hash, size) = (hash(&bytes), bytes.len());
            let own = if self.0.setup.instance.is_empty() { "" } else { "/" };
            let start = format!("{}{own}uploads/", self.0.setup.instance);
            if !is_whole || !name.starts_with(&start) || !name.ends_with(&format!("/blobs/{hash}/{size}")) {
                state.seen.complaints.push(format!("{name} came with {size} bytes of the hash {hash}"));
            }
            state.seen.writes.push((name.clone(), sizes.clone()));
            let is_short = matches!(planned, Some(Write::Shortens));
            if !is_short {
                state.blobs.insert(hash, bytes);
            }
            i64::try_from(size).unwrap_or(i64::MAX) - i64::from(is_short)
        });
        Ok(Response::new(WriteResponse { committed_size }))
    }

    async fn query_write_status(
        &self,
        _: Request<QueryWriteStatusRequest>,
    ) -> Result<Response<QueryWriteStatusResponse>, Status> {
        Err(Status::unimplemented("nobody needs it"))
    }
}
