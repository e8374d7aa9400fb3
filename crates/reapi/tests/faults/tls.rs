//! Services with TLS, by certificates of an own authority.

use std::fs;

use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair, KeyUsagePurpose};
use tempfile::TempDir;
use tonic::transport::{Certificate, Identity, ServerTlsConfig};

use crate::client::Client;
use crate::job::Job;
use crate::service::{Service, Setup};

/// An authority.
struct Authority(CertifiedIssuer<'static, KeyPair>);

impl Authority {
    fn new() -> Self {
        let mut params = CertificateParams::new(Vec::new()).expect("there are no names");
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        params.key_usages = vec![KeyUsagePurpose::KeyCertSign];
        let key = KeyPair::generate().expect("there is randomness");
        Self(CertifiedIssuer::self_signed(params, key).expect("it is well-formed"))
    }

    /// A certificate for this name, and its key.
    fn signs(&self, name: &str) -> [String; 2] {
        let key = KeyPair::generate().expect("there is randomness");
        let params = CertificateParams::new([name.to_owned()]).expect("it is a name");
        let certificate = params.signed_by(&key, &self.0).expect("it is well-formed");
        [certificate.pem(), key.serialize_pem()]
    }

    fn pem(&self) -> String {
        self.0.pem()
    }
}

/// A service with a certificate for this name, which asks for those of clients if an authority for them is given.
fn service(authority: &Authority, name: &str, clients: Option<&Authority>) -> Service {
    let [cert, key] = authority.signs(name);
    let mut tls = ServerTlsConfig::new().identity(Identity::from_pem(cert, key));
    if let Some(clients) = clients {
        tls = tls.client_ca_root(Certificate::from_pem(clients.pem()));
    }
    Service::start(Setup { tls: Some(tls), ..Setup::default() })
}

/// Writes a file, and says where it is.
fn file(folder: &TempDir, name: &str, text: &str) -> String {
    let path = folder.path().join(name);
    fs::write(&path, text).expect("it is written");
    path.to_str().expect("it is UTF-8").to_owned()
}

fn works(service: &Service, options: &[&str]) {
    let mut client = Client::start(&[service], options);
    assert_eq!(client.ask(&Job::new(1).line(1)), Job::new(1).done(1));
    client.end();
}

fn refuses(service: &Service, options: &[&str], why: &str) {
    let before = service.seen().greetings.len();
    let (client, first) = Client::greets(&[&service.url], options);
    let refused = first["refused"].as_str().expect("it is refused");
    assert!(refused.starts_with(&service.url) && refused.contains(why), "{refused}");
    client.end();
    assert_eq!(service.seen().greetings.len(), before);
}

#[test]
fn a_certificate_of_an_own_authority_needs_that_authority() {
    let (own, other, folder) = (Authority::new(), Authority::new(), tempfile::tempdir().expect("there is a place"));
    let [ca, others] = [("ca", &own), ("others", &other)].map(|(name, ca)| file(&folder, name, &ca.pem()));
    let served = service(&own, "127.0.0.1", None);
    refuses(&served, &[], "UnknownIssuer");
    refuses(&served, &["--ca", &others], "certificate");
    works(&served, &["--ca", &ca]);
    let both = file(&folder, "both", &(other.pem() + &own.pem()));
    works(&served, &["--ca", &both]);
    refuses(&service(&own, "example.org", None), &["--ca", &ca], "not valid for name");
    refuses(&served, &["--ca", "/no/such/file"], "cannot read /no/such/file");
}

#[test]
fn a_service_that_asks_for_a_certificate_gets_that_of_the_client() {
    let (own, clients, folder) = (Authority::new(), Authority::new(), tempfile::tempdir().expect("there is a place"));
    let ca = file(&folder, "ca", &own.pem());
    let served = service(&own, "127.0.0.1", Some(&clients));
    let signed = |authority: &Authority, name: &str| {
        let [cert, key] = authority.signs(name);
        [file(&folder, &format!("{name}.cert"), &cert), file(&folder, &format!("{name}.key"), &key)]
    };
    let [cert, key] = signed(&clients, "known");
    works(&served, &["--ca", &ca, "--cert", &cert, "--key", &key]);
    refuses(&served, &["--ca", &ca], "");
    let [cert, key] = signed(&own, "unknown");
    refuses(&served, &["--ca", &ca, "--cert", &cert, "--key", &key], "");
}
