//! The store of a service: what is there is not sent again.

use std::collections::HashSet;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use bazel_remote_apis::build::bazel::remote::execution::v2::batch_update_blobs_request::Request;
use bazel_remote_apis::build::bazel::remote::execution::v2::content_addressable_storage_client::ContentAddressableStorageClient;
use bazel_remote_apis::build::bazel::remote::execution::v2::{
    BatchUpdateBlobsRequest, Digest, FindMissingBlobsRequest,
};
use bazel_remote_apis::google::bytestream::byte_stream_client::ByteStreamClient;
use bazel_remote_apis::google::bytestream::{ReadRequest, WriteRequest};
use tonic::Code;

use crate::connection::Connection;
use crate::fault::Fault;
use crate::tree::Blob;

/// The most bytes of a message: servers of gRPC take 4 MiB unless they say otherwise.
const MESSAGE: usize = 4 << 20;

/// The bytes of a message that are kept for what is not a blob.
const HEADER: usize = 1 << 16;

/// The bytes of a part of a large blob.
const PART: usize = 1 << 20;

/// Blobs of more bytes are asked for before they are sent.
const LARGE: usize = 1 << 16;

/// The store of a service.
#[derive(Debug)]
pub(crate) struct Store {
    connection: Connection,
    instance: String,
    /// The most bytes of blobs in a message, with what belongs to them.
    batch: usize,
    /// The hashes of what is known to be there.
    there: Mutex<HashSet<String>>,
    next: AtomicU64,
}

impl Store {
    /// The store behind a connection, which takes so many bytes in a message; 0 if it does not say.
    pub(crate) fn new(connection: Connection, instance: String, batch: i64) -> Self {
        let batch = usize::try_from(batch).ok().filter(|batch| *batch > 0).unwrap_or(MESSAGE).min(MESSAGE);
        let (there, next) = Default::default();
        Self { connection, instance, batch: batch - HEADER.min(batch / 2), there, next }
    }

    /// Sends what is not there.
    pub(crate) async fn send(&self, blobs: &[Blob]) -> Result<(), Fault> {
        let new: Vec<&Blob> = {
            let there = self.there.lock().unwrap_or_else(PoisonError::into_inner);
            let mut seen = HashSet::new();
            let unknown = blobs.iter().filter(|blob| !there.contains(&blob.digest.hash));
            unknown.filter(|blob| seen.insert(blob.digest.hash.clone())).collect()
        };
        let (large, mut small): (Vec<&Blob>, Vec<_>) =
            new.iter().partition(|blob| blob.bytes.len() > LARGE.min(self.batch));
        for blob in self.missing(large).await? {
            if blob.bytes.len() > self.batch { self.stream(blob).await? } else { small.push(blob) }
        }
        let (mut batch, mut size) = (Vec::new(), 0);
        for blob in small {
            let own = blob.bytes.len() + blob.digest.hash.len() + 32;
            if size + own > self.batch && !batch.is_empty() {
                self.update(std::mem::take(&mut batch)).await?;
                size = 0;
            }
            size += own;
            batch.push(blob);
        }
        self.update(batch).await?;
        let mut there = self.there.lock().unwrap_or_else(PoisonError::into_inner);
        there.extend(new.iter().map(|blob| blob.digest.hash.clone()));
        Ok(())
    }

    /// Forgets what is there: a service may delete it.
    pub(crate) fn forget(&self) {
        self.there.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    async fn missing<'b>(&self, blobs: Vec<&'b Blob>) -> Result<Vec<&'b Blob>, Fault> {
        if blobs.is_empty() {
            return Ok(blobs);
        }
        let blob_digests = blobs.iter().map(|blob| blob.digest.clone()).collect();
        let instance_name = self.instance.clone();
        let request = FindMissingBlobsRequest { instance_name, blob_digests, ..FindMissingBlobsRequest::default() };
        let reply = self.client().find_missing_blobs(request).await?.into_inner();
        let missing: HashSet<String> = reply.missing_blob_digests.into_iter().map(|digest| digest.hash).collect();
        Ok(blobs.into_iter().filter(|blob| missing.contains(&blob.digest.hash)).collect())
    }

    async fn update(&self, blobs: Vec<&Blob>) -> Result<(), Fault> {
        if blobs.is_empty() {
            return Ok(());
        }
        let request = |blob: &Blob| {
            let digest = Some(blob.digest.clone());
            Request { digest, data: blob.bytes.to_vec(), ..Request::default() }
        };
        let requests = blobs.into_iter().map(request).collect();
        let instance_name = self.instance.clone();
        let request = BatchUpdateBlobsRequest { instance_name, requests, ..BatchUpdateBlobsRequest::default() };
        let reply = self.client().batch_update_blobs(request).await?.into_inner();
        match reply.responses.into_iter().filter_map(|response| response.status).find(|status| status.code != 0) {
            Some(status) => Err(Fault::of_code(Code::from_i32(status.code), &status.message)),
            None => Ok(()),
        }
    }

    /// Sends a blob in parts.
    async fn stream(&self, blob: &Blob) -> Result<(), Fault> {
        let Digest { hash, size_bytes } = &blob.digest;
        // Each upload has a name of its own, in the form of a UUID.
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let name = format!("{:08x}-0000-4000-8000-{number:012x}", std::process::id());
        let resource = self.resource(&format!("uploads/{name}/blobs/{hash}/{size_bytes}"));
        let bytes = blob.bytes.clone();
        let count = bytes.len().div_ceil(PART).max(1);
        let parts = (0..count).map(move |index| {
            let (from, to) = (index * PART, ((index + 1) * PART).min(bytes.len()));
            WriteRequest {
                resource_name: if index == 0 { resource.clone() } else { String::new() },
                write_offset: i64::try_from(from).unwrap_or(i64::MAX),
                finish_write: index + 1 == count,
                data: bytes[from..to].to_vec(),
            }
        });
        let written = self.bytes().write(tokio_stream::iter(parts)).await?.into_inner().committed_size;
        // One that somebody else has sent meanwhile is complete as well.
        if written == *size_bytes || written == -1 {
            Ok(())
        } else {
            Err(Fault::passing("a blob was not written whole"))
        }
    }

    /// The bytes of a blob.
    pub(crate) async fn read(&self, digest: &Digest) -> Result<Vec<u8>, Fault> {
        let resource_name = self.resource(&format!("blobs/{}/{}", digest.hash, digest.size_bytes));
        let request = ReadRequest { resource_name, read_offset: 0, read_limit: 0 };
        let mut parts = self.bytes().read(request).await?.into_inner();
        let mut bytes = Vec::new();
        while let Some(part) = parts.message().await? {
            bytes.extend(part.data);
        }
        if Blob::new(bytes.clone()).digest == *digest {
            Ok(bytes)
        } else {
            Err(Fault::passing("a blob has other bytes"))
        }
    }

    fn resource(&self, rest: &str) -> String {
        if self.instance.is_empty() { rest.to_owned() } else { format!("{}/{rest}", self.instance) }
    }

    fn client(&self) -> ContentAddressableStorageClient<Connection> {
        ContentAddressableStorageClient::new(self.connection.clone())
    }

    fn bytes(&self) -> ByteStreamClient<Connection> {
        ByteStreamClient::new(self.connection.clone()).max_decoding_message_size(2 * MESSAGE)
    }
}
