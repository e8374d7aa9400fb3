//@ edition: 2021
//@ compile-flags: --crate-type=lib
//! The settings of a small web server: defaults, a line format, profiles, and a summary for the log.

use std::collections::BTreeMap;
use std::net::Ipv4Addr;
use std::time::Duration;

#[derive(Debug, Clone, PartialEq)]
pub struct Limits {
    pub body: usize,
    pub header: usize,
    pub open: u32,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Level {
    Quiet,
    Normal,
    Verbose,
}

/// Everything that can be set.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    pub address: Ipv4Addr,
    pub port: u16,
    pub root: String,
    pub limits: Limits,
    pub timeout: Duration,
    pub keep_alive: bool,
    pub level: Level,
}

#[derive(Debug)]
pub enum SettingsError {
    Line { number: usize },
    Unknown(String),
    Value { key: String, value: String },
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            address: Ipv4Addr::LOCALHOST,
            port: 8080,
            root: String::from("."),
            limits: Limits { body: 1 << 20, header: 8192, open: 256 },
            timeout: Duration::from_secs(30),
            keep_alive: true,
            level: Level::Normal,
        }
    }
}

impl Settings {
    /// What is used on a developer's machine.
    pub fn development(root: &str) -> Self {
        Settings {
            address: Ipv4Addr::LOCALHOST,
            port: 3000,
            root: root.to_string(),
            limits: Limits { body: 1 << 24, header: 65536, open: 16 },
            timeout: Duration::from_secs(600),
            level: Level::Verbose,
        }
    }

    pub fn production(address: Ipv4Addr, root: &str) -> Self {
        let limits = Limits { body: 1 << 18, header: 4096, open: 4096 };
        Settings { address, port: 80, root: root.to_string(), limits, level: Level::Quiet, ..Settings::default() }
    }

    pub fn parse(text: &str) -> Result<Self, SettingsError> {
        let mut settings = Settings::default();
        for (number, line) in text.lines().enumerate() {
            let line = line.split('#').next().unwrap_or_default().trim();
            if line.is_empty() {
                continue;
            }
            let (key, value) = line.split_once('=').ok_or(SettingsError::Line { number: number + 1 })?;
            settings.set(key.trim(), value.trim())?;
        }
        Ok(settings)
    }

    fn set(&mut self, key: &str, value: &str) -> Result<(), SettingsError> {
        let wrong = || SettingsError::Value { key: key.to_string(), value: value.to_string() };
        match key {
            "address" => self.address = value.parse().map_err(|_| wrong())?,
            "port" => self.port = value.parse().map_err(|_| wrong())?,
            "root" => self.root = value.to_string(),
            "body" => self.limits.body = value.parse().map_err(|_| wrong())?,
            "timeout" => self.timeout = Duration::from_secs(value.parse().map_err(|_| wrong())?),
            "keep-alive" => self.keep_alive = value == "yes",
            "level" => self.level = if value == "verbose" { Level::Verbose } else { Level::Normal },
            _ => return Err(SettingsError::Unknown(key.to_string())),
        }
        Ok(())
    }

    pub fn summary(&self) -> String {
        let Settings { address, port, root, limits, timeout, keep_alive, level: _ } = self;
        let Limits { body, header, open } = limits;
        let alive = if *keep_alive { "kept alive" } else { "closed" };
        format!("{address}:{port} serves {root}: {body}/{header} bytes, {open} open, {timeout:?}, {alive}")
    }

    pub fn differences(&self, other: &Settings) -> BTreeMap<&'static str, (String, String)> {
        let mut found = BTreeMap::new();
        if self.port != other.port {
            found.insert("port", (self.port.to_string(), other.port.to_string()));
        }
        if self.root != other.root {
            found.insert("root", (self.root.clone(), other.root.clone()));
        }
        found
    }
}
