//! Connections with TLS and tokens, which come out of files.

use std::fs;
use std::path::Path;
use std::time::Duration;

use anyhow::Context;
use tonic::metadata::{Ascii, MetadataValue};
use tonic::service::Interceptor;
use tonic::service::interceptor::InterceptedService;
use tonic::transport::{Certificate, Channel, ClientTlsConfig, Endpoint, Identity};
use tonic::{Request, Status};

use crate::arguments::Arguments;

/// How long a service may take to accept a connection, and to show that one is still open.
const PATIENCE: Duration = Duration::from_secs(20);

/// A connection whose requests have the token of the user.
pub(crate) type Connection = InterceptedService<Channel, Bearer>;

/// Adds a token to requests, if there is one.
#[derive(Clone, Debug)]
pub(crate) struct Bearer(Option<MetadataValue<Ascii>>);

impl Interceptor for Bearer {
    fn call(&mut self, mut request: Request<()>) -> Result<Request<()>, Status> {
        if let Some(token) = &self.0 {
            request.metadata_mut().insert("authorization", token.clone());
        }
        Ok(request)
    }
}

/// A connection to a service. It is opened with the first request, and again when it was lost.
pub(crate) fn connect(url: &str, arguments: &Arguments) -> anyhow::Result<Connection> {
    let mut endpoint = Endpoint::from_shared(url.to_owned())?
        .connect_timeout(PATIENCE)
        .http2_keep_alive_interval(PATIENCE)
        .keep_alive_timeout(PATIENCE);
    if url.starts_with("https:") {
        let mut tls = ClientTlsConfig::new();
        tls = match &arguments.ca {
            Some(path) => tls.ca_certificate(Certificate::from_pem(read(path)?)),
            None => tls.with_native_roots(),
        };
        if let (Some(cert), Some(key)) = (&arguments.cert, &arguments.key) {
            tls = tls.identity(Identity::from_pem(read(cert)?, read(key)?));
        }
        endpoint = endpoint.tls_config(tls)?;
    }
    let token = arguments.token.as_deref().map(|path| {
        let token = String::from_utf8(read(path)?)?;
        let mut value: MetadataValue<Ascii> = format!("Bearer {}", token.trim()).parse()?;
        value.set_sensitive(true);
        anyhow::Ok(value)
    });
    let bearer = Bearer(token.transpose().context("cannot use the token")?);
    Ok(InterceptedService::new(endpoint.connect_lazy(), bearer))
}

fn read(path: &Path) -> anyhow::Result<Vec<u8>> {
    fs::read(path).with_context(|| format!("cannot read {}", path.display()))
}
