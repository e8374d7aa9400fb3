//! `mcve-reapi URL..`: runs checks of mcve by services of the Bazel Remote Execution API, version 2.
//!
//! It is an executor: `mcve FILE --executor 'mcve-reapi http://host:8980'` starts it, sends it jobs as lines, and reads answers. Each job
//! becomes an action, in which `mcve worker` runs the check.
//!
//! - A service answers for the infrastructure, and `mcve worker` for the check. Its answer has the token of the job and a checksum; an
//!   action whose output has no such answer is a fault, whatever its exit code, and runs again elsewhere.
//! - All inputs are addressed by their content, so the cache of the service answers what was asked before, and files are sent once.

mod action;
mod arguments;
mod blobs;
mod connection;
mod fault;
mod lines;
mod node;
mod nodes;
mod tree;

use std::collections::HashMap;
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::Context;
use clap::Parser;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, Stdout};
use tokio::sync::{Mutex, watch};

use action::Actions;
use arguments::Arguments;
use lines::{Reply, Request};
use nodes::Nodes;

#[tokio::main]
async fn main() -> ExitCode {
    match serve(Arguments::parse()).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("mcve-reapi: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Answers the lines of standard input, until they end.
async fn serve(arguments: Arguments) -> anyhow::Result<()> {
    let output = Arc::new(Mutex::new(tokio::io::stdout()));
    let mut lines = BufReader::new(tokio::io::stdin()).lines();
    let Some(hello) = lines.next_line().await? else { return Ok(()) };
    let (nodes, actions) = match begin(&arguments, &hello).await {
        Ok(begun) => begun,
        Err(error) => return say(&output, &Reply::Refused(format!("{error:#}"))).await,
    };
    say(&output, &Reply::Ready { slots: arguments.jobs.get() }).await?;
    let (nodes, actions) = (Arc::new(nodes), Arc::new(actions));
    let running = Arc::<Mutex<HashMap<u64, watch::Sender<bool>>>>::default();
    let mut tasks = tokio::task::JoinSet::new();
    while let Some(line) = lines.next_line().await? {
        match serde_json::from_str(&line) {
            Ok(Request::Run(job)) => {
                let (id, token) = (job.id, job.token.clone());
                let Some(action) = actions.action(job) else {
                    say(&output, &Reply::Missing(id)).await?;
                    continue;
                };
                let (sender, cancel) = watch::channel(false);
                running.lock().await.insert(id, sender);
                let (nodes, output, running) = (Arc::clone(&nodes), Arc::clone(&output), Arc::clone(&running));
                tasks.spawn(async move {
                    let answer = nodes.run(&action, cancel, |output| lines::answer(output, &token, id)).await;
                    running.lock().await.remove(&id);
                    let reply = match answer {
                        Ok(Some(done)) => Reply::Done(done),
                        // Nobody waits for what was cancelled.
                        Ok(None) => return,
                        Err(fault) => Reply::Failed { id, why: fault.to_string() },
                    };
                    // Who does not listen any more has ended.
                    let _ = say(&output, &reply).await;
                });
            }
            Ok(Request::Cancel(id)) => {
                running.lock().await.get(&id).inspect(|sender| _ = sender.send(true));
            }
            Ok(Request::Hello(_)) | Err(_) => {}
        }
        while tasks.try_join_next().is_some() {}
    }
    // Nobody wants what still runs, and a service would go on with it.
    running.lock().await.values().for_each(|sender| _ = sender.send(true));
    tasks.join_all().await;
    Ok(())
}

/// Connects to the services, and shows on each that a worker there is ready for the client that says `hello`.
async fn begin(arguments: &Arguments, hello: &str) -> anyhow::Result<(Nodes, Actions)> {
    let nodes = Nodes::connect(arguments).await?;
    let actions = Actions::new(arguments, hello).context("cannot read the program that runs the checks")?;
    nodes.prove(&actions.greeting(), lines::ready).await?;
    Ok((nodes, actions))
}

async fn say(output: &Mutex<Stdout>, reply: &Reply) -> anyhow::Result<()> {
    let line = serde_json::to_string(reply)? + "\n";
    let mut output = output.lock().await;
    output.write_all(line.as_bytes()).await?;
    Ok(output.flush().await?)
}
