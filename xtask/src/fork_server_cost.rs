//! What a check of FILE costs by a fork server and as a plain process: `cargo run --release -p xtask -- fork-server-cost FILE`.
//!
//! Both take turns, so that whatever else the machine does hits both alike. Linux only.

use std::path::PathBuf;

/// What is checked.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// A Rust file.
    file: PathBuf,
}

#[cfg(target_os = "linux")]
pub(crate) fn run(options: &Options) -> anyhow::Result<()> {
    linux::run(&options.file)
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn run(options: &Options) -> anyhow::Result<()> {
    anyhow::bail!("{}: there is a fork server on Linux only", options.file.display())
}

#[cfg(target_os = "linux")]
mod linux {
    use std::collections::HashMap;
    use std::path::Path;
    use std::sync::Arc;
    use std::time::Duration;

    use anyhow::{Context, ensure};
    use mcve_reduce::exec::cancel::Cancel;
    use mcve_reduce::exec::fork_server::{ForkServers, cache_folder};
    use mcve_reduce::exec::job::{ExecError, Executor, Job, JobResult};
    use mcve_reduce::exec::limits::Memory;
    use mcve_reduce::exec::process::Processes;
    use mcve_reduce::exec::programs;
    use mcve_reduce::oracle::headers::Headers;
    use mcve_reduce::oracle::rustc::Rustc;
    use mcve_reduce::program::Program;

    /// How often each has its turn.
    const TURNS: usize = 10;

    /// Checks a turn: the system counts processor time in hundredths of a second.
    const CHECKS: usize = 20;

    pub(super) fn run(file: &Path) -> anyhow::Result<()> {
        let text = std::fs::read_to_string(file)?;
        let program = Program::new(file.file_name().context("which file?")?, text.as_str());
        let compiler = programs::rustc(None, None)?;
        let rustc = Rustc::new(compiler.clone(), &Headers::parse(&text), &["--emit=metadata".into()], Path::new("/"));
        let job = rustc.job(&program);
        let processes = Arc::new(Processes::new(Memory::default(), None)?);
        let servers = ForkServers::new(processes, compiler, cache_folder().context("there is no cache")?);
        let (never, nobody) = (Duration::MAX, Cancel::default());
        let served = |job: &Job| servers.run_quickly(job, never, &nobody);
        let plain = |job: &Job| servers.run(job, never, &nobody);
        let (one, other) = (served(&job)?, plain(&job)?);
        ensure!(one.end == other.end, "served it ends with {}, and plain with {}", one.end, other.end);
        let (mut quick, mut slow) = (Vec::new(), Vec::new());
        for _ in 0..TURNS {
            quick.push(cost(&served, &job)?);
            slow.push(cost(&plain, &job)?);
        }
        if let Some(why) = servers.shortcut().and_then(|shortcut| shortcut.closed()) {
            anyhow::bail!("there is no fork server: {why}");
        }
        let (quick, slow) = (median(quick), median(slow));
        println!("{}: served {quick:.1} ms, plain {slow:.1} ms: {:.2}", file.display(), quick / slow);
        Ok(())
    }

    /// The processor time of a check, in milliseconds.
    fn cost(run: &dyn Fn(&Job) -> Result<JobResult, ExecError>, job: &Job) -> anyhow::Result<f64> {
        let before = used()?;
        for _ in 0..CHECKS {
            run(job)?;
        }
        Ok((used()? - before) * 10.0 / CHECKS as f64)
    }

    fn median(mut costs: Vec<f64>) -> f64 {
        costs.sort_by(f64::total_cmp);
        costs[costs.len() / 2]
    }

    /// The processor time that all that this process started has used, with what they reaped, in hundredths of a second.
    fn used() -> anyhow::Result<f64> {
        let own: u32 = std::process::id();
        let (mut used, mut parents, mut times) = (0.0, HashMap::new(), Vec::new());
        for entry in std::fs::read_dir("/proc")? {
            let path = entry?.path();
            let Some(pid) = path.file_name().and_then(|name| name.to_str()?.parse::<u32>().ok()) else { continue };
            // It may have gone meanwhile.
            let Ok(stat) = std::fs::read_to_string(path.join("stat")) else { continue };
            let Some((_, fields)) = stat.rsplit_once(") ") else { continue };
            let fields: Vec<&str> = fields.split(' ').collect();
            let time = |range: std::ops::Range<usize>| fields[range].iter().flat_map(|f| f.parse::<f64>()).sum::<f64>();
            // As `man 5 proc_pid_stat` numbers them, less the three that come before.
            if pid == own {
                used += time(13..15);
            } else {
                parents.insert(pid, fields[1].parse::<u32>()?);
                times.push((pid, time(11..15)));
            }
        }
        let is_ours =
            |pid: &u32| std::iter::successors(Some(*pid), |pid| parents.get(pid).copied()).any(|pid| pid == own);
        used += times.iter().filter(|(pid, _)| is_ours(pid)).map(|(_, time)| time).sum::<f64>();
        Ok(used)
    }
}
