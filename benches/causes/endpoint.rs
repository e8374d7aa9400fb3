// bug: host and port are split at the first colon, so of an IPv6 address the port is not a number.
// run: main
// fails: Error: Port
// fixed: rest.split_once(':') => rest.rsplit_once(':')
// keeps: "[^"]*:(?!//)[^"]*:\d
// keeps: split|find
use std::str::FromStr;

#[derive(Debug)]
enum Wrong {
    Scheme,
    Host,
    Port,
}

struct Endpoint {
    host: String,
    port: u16,
}

impl FromStr for Endpoint {
    type Err = Wrong;

    fn from_str(text: &str) -> Result<Endpoint, Wrong> {
        let rest = text.strip_prefix("tcp://").ok_or(Wrong::Scheme)?;
        let (host, port) = rest.split_once(':').ok_or(Wrong::Port)?;
        if host.is_empty() {
            return Err(Wrong::Host);
        }
        if port.len() > 20 {
            return Err(Wrong::Port);
        }
        let port = port.parse().map_err(|_| Wrong::Port)?;
        Ok(Endpoint { host: host.to_string(), port })
    }
}

fn main() -> Result<(), Wrong> {
    for line in ["tcp://db.local:5432", "tcp://10.0.0.7:80", "tcp://[::1]:443"] {
        let endpoint: Endpoint = line.parse()?;
        println!("{} {}", endpoint.host, endpoint.port);
    }
    Ok(())
}
