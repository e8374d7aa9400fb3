//! Engines that run the jobs of a batch, as `docs/campaigns.md` says: a real Slurm on this machine, GNU parallel, the matrix of GitHub.

use std::path::{Path, PathBuf};
use std::process::Command;

use mcve_testing::{Said, TestFolder};

use crate::batch::{made, place};
use crate::documents::markdown::blocks;

/// The block of a language below a heading of the page.
pub(crate) fn block(heading: &str, language: &str) -> String {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/campaigns.md");
    let text = std::fs::read_to_string(page).expect("it is there");
    let lines: Vec<&str> = text.lines().collect();
    let start = lines.iter().position(|line| *line == heading).expect("it has the heading");
    let all = blocks(&text);
    let block = all.iter().find(|block| block.lines.start > start && block.language == language);
    lines[block.expect("it has the block").lines.clone()].join("\n")
}

/// The inputs, and the output of one machine.
fn begun() -> (TestFolder, impl Fn(&TestFolder)) {
    let place = place("crashes");
    put_programs(&place);
    run(&place, "mcve batch crashes -o whole -q", &[]);
    let expected = made(&place.path("whole"));
    (place, move |place| assert_eq!(made(&place.path("merged")), expected))
}

/// Puts the programs of this project where the place finds them.
pub(crate) fn put_programs(place: &TestFolder) {
    let programs = Path::new(env!("CARGO_BIN_EXE_mcve")).with_file_name("");
    std::os::unix::fs::symlink(programs, place.path("bin")).expect("it can be made");
}

/// Runs lines of a shell.
pub(crate) fn run(place: &TestFolder, lines: &str, variables: &[(&str, String)]) -> Said {
    let mut shell = place.command("bash");
    shell.args(["-euc", lines]).env("PATH", place.path_with_bin()).envs(variables.iter().cloned());
    let said = Said::by(&mut shell);
    assert!(said.is_success(), "{lines}\n{}", said.all());
    said
}

fn is_installed(program: &str) -> bool {
    let found = Command::new("sh").args(["-c", &format!("command -v {program}")]).output();
    found.is_ok_and(|output| output.status.success())
}

/// Starts Slurm for this machine in `$T`; `slurm.sh stop` ends it.
const SLURM: &str = r#"
T=$1; H=$(hostname -s); export SLURM_CONF=$T/slurm.conf
if [ "${2-}" = stop ]; then
    for name in slurmd slurmctld munged; do kill "$(cat "$T/$name.pid")" 2> /dev/null || true; done
    exit
fi
mkdir -p "$T/state" "$T/spool"
head -c 128 /dev/urandom > "$T/munge.key"
chmod 400 "$T/munge.key"
munged --key-file="$T/munge.key" --socket="$T/munge.sock" --pid-file="$T/munged.pid" --log-file="$T/munged.log" --seed-file="$T/seed" --force
ports=$(python3 -c 'import socket
open = [socket.socket() for _ in "ab"]
for one in open: one.bind(("127.0.0.1", 0))
print(*(one.getsockname()[1] for one in open))')
cat > "$SLURM_CONF" <<C
ClusterName=loop
SlurmctldHost=$H(127.0.0.1)
SlurmctldPort=${ports% *}
SlurmdPort=${ports#* }
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket=$T/munge.sock
StateSaveLocation=$T/state
SlurmdSpoolDir=$T/spool
SlurmctldPidFile=$T/slurmctld.pid
SlurmdPidFile=$T/slurmd.pid
SlurmctldLogFile=$T/slurmctld.log
SlurmdLogFile=$T/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
ReturnToService=2
SelectType=select/cons_res
SelectTypeParameters=CR_CPU
NodeName=$H NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
PartitionName=all Nodes=$H Default=YES MaxTime=INFINITE State=UP
C
# They are daemons, and must not keep the output of the test open.
slurmctld -f "$SLURM_CONF" > "$T/out" 2>&1
slurmd -f "$SLURM_CONF" -N "$H" >> "$T/out" 2>&1
"#;

/// Ends Slurm, also if the test fails.
struct Daemons(PathBuf, PathBuf);

impl Drop for Daemons {
    fn drop(&mut self) {
        let _ = Command::new("sh").args([&self.0, &self.1]).arg("stop").status();
    }
}

#[test]
fn an_array_of_slurm_makes_the_files_of_one_machine() {
    if !["slurmctld", "slurmd", "munged", "sbatch", "python3"].into_iter().all(is_installed) {
        return println!("skipped: slurmctld, slurmd, munge or python3 is not installed");
    }
    let user = Command::new("id").arg("-u").output().expect("it runs");
    if user.stdout != b"0\n" {
        return println!("skipped: a Slurm of one machine is run by root");
    }
    let (place, check) = begun();
    place.write("slurm.sh", SLURM);
    std::fs::create_dir(place.path("slurm")).expect("it can be made");
    let slurm = place.path("slurm").display().to_string();
    let variables = [("SLURM_CONF", format!("{slurm}/slurm.conf"))];
    let daemons = Daemons(place.path("slurm.sh"), place.path("slurm"));
    run(&place, &format!("sh slurm.sh {slurm}"), &[]);
    let said = run(&place, &block("### Slurm", "bash"), &variables);
    drop(daemons);
    assert!(said.stdout.ends_with("merged: 2 of 2 groups are reduced\n  page: merged/index.html\n"), "{}", said.stdout);
    check(&place);
}

#[test]
fn jobs_of_gnu_parallel_make_the_files_of_one_machine() {
    if !is_installed("parallel") {
        return println!("skipped: GNU parallel is not installed");
    }
    let (place, check) = begun();
    run(&place, &block("### GNU parallel", "bash"), &[]);
    check(&place);
}

#[test]
fn the_matrix_of_github_makes_the_files_of_one_machine() {
    let (place, check) = begun();
    let workflow = block("### GitHub Actions", "yaml");
    let commands: Vec<&str> = workflow.lines().filter_map(|line| line.trim().strip_prefix("- run: ")).collect();
    let [job, merge] = commands[..] else { panic!("it has two commands: {commands:?}") };
    let matrix = workflow.lines().find_map(|line| line.trim().strip_prefix("shard: [")?.strip_suffix(']'));
    let shards: Vec<&str> = matrix.expect("it has a matrix").split(", ").collect();
    for shard in &shards {
        let job =
            job.replace("${{ matrix.shard }}", shard).replace("${{ strategy.job-total }}", &shards.len().to_string());
        assert!(!job.contains("${{"), "{job}");
        run(&place, &job, &[]);
    }
    run(&place, merge, &[]);
    check(&place);
}
