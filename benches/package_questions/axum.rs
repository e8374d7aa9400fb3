// A guard that is held across an await, so that the handler is none. rustc does not say so until it is asked.
//@ dependency: axum = "0.8"
//@ dependency: tokio = { version = "1", features = ["sync"] }
//@ error: the trait bound `fn\([^`]*\) -> impl Future<[^`]*> \{\w+\}: [^`]+` is not satisfied
//@ not-error: environment variable|unresolved|cannot find
//@ code: async (fn|move|\{)
//@ code: (?s)let (mut )?_?\w+ = .*lock.*\.await
use axum::Router;
use axum::http::StatusCode;
use axum::routing::{get, post};
use std::collections::HashMap;
use std::sync::Mutex;

static USERS: Mutex<Option<HashMap<String, u32>>> = Mutex::new(None);

async fn notify(name: &str) {
    let _ = name.len();
}

async fn list() -> StatusCode {
    StatusCode::OK
}

async fn create(name: String) -> StatusCode {
    let users = USERS.lock().unwrap();
    notify(&name).await;
    let _kept = users;
    StatusCode::CREATED
}

fn main() {
    let _app: Router = Router::new().route("/", get(list)).route("/create", post(create));
}
