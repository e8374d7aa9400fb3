//! Attempts of a check to reach out of its sandbox, through the real binary. None succeeds, and the run goes on.
//!
//! An attempt is a line for the shell that ends with 0 where it succeeds. Each check of a run makes all attempts of a test, each in
//! a folder of its own; one that succeeds does not show the failure. So where the run ends with a result, none of its checks
//! succeeded; and what is outside is looked at, too.
#![cfg(target_os = "linux")]

mod outside;

use outside::Outside;

/// Checks that these attempts fail, and that a run whose checks make them ends with its result.
#[track_caller]
fn check(attempts: &[&str]) {
    Outside::new().withstands(attempts, &[]);
}

#[test]
fn files_cannot_be_written() {
    check(&[
        "echo x > $OUT/new",
        "echo x >> $OUT/victim",
        ": > $OUT/victim",
        "truncate -s 0 $OUT/victim",
        "cp $1 $OUT/victim",
        "echo x > /proc/self/root$OUT/new",
        "echo x > $(pwd | sed 's,[^/]*/,../,g')/$OUT/new",
        "cd $OUT && echo x > new",
        "mkdir $OUT/new",
        "mkfifo $OUT/new",
        "exec 3<>$OUT/victim && echo x >&3",
    ]);
}

#[test]
fn files_cannot_be_deleted_or_moved() {
    check(&[
        "rm -f $OUT/victim && [ ! -e $OUT/victim ]",
        "rm -rf $OUT/folder && [ ! -e $OUT/folder ]",
        "rmdir $OUT/empty",
        "find $OUT -delete",
        "mv $OUT/victim $OUT/new",
        "mv $OUT/victim .",
        "mv $OUT/folder .",
        "mv $1 $OUT/new",
    ]);
}

#[test]
fn links_are_no_way_out() {
    check(&[
        "ln -s $OUT/victim l && echo x > l",
        "ln -s $OUT l && echo x > l/new",
        "ln $OUT/victim l && echo x > l",
        "ln $1 $OUT/new",
        "ln -s $1 $OUT/new",
        "ln -s / l && rm l$OUT/victim",
    ]);
}

/// Needs mounts of its own, which not every system allows: Landlock does not hold these.
#[test]
fn modes_times_and_owners_are_out_of_reach() {
    if !Outside::has_namespaces() {
        return eprintln!("skipped: there are no namespaces here");
    }
    check(&["chmod 0 $OUT/victim", "touch -d @0 $OUT/victim", "chown 1 $OUT/victim", "$ATTEMPT chmod $OUT/victim"]);
}

#[test]
fn the_system_is_not_changed() {
    check(&[
        "echo 1 > /proc/sys/kernel/sysrq",
        "mount -t tmpfs none $OUT/folder",
        "mount -o remount,rw /",
        "umount $OUT",
        "unshare --user --map-root-user --mount sh -c 'mount -o remount,rw / && echo x > $OUT/new'",
        "$ATTEMPT device d",
        "$ATTEMPT ring",
        "echo x > /dev/tty",
        "hostname mcve-was-here",
    ]);
}

#[test]
fn other_processes_are_out_of_reach() {
    let kill = format!("kill -0 {}", std::process::id());
    check(&[
        // It is known who to reach for.
        "[ -z \"$MCVE\" ]",
        "$ATTEMPT memory $MCVE",
        "$ATTEMPT trace $MCVE",
        "$ATTEMPT limit $MCVE",
        "kill -9 $MCVE",
        "kill -STOP $PPID",
        "grep -q . /proc/$MCVE/environ",
        "grep -q . /proc/$MCVE/maps",
        "readlink /proc/$MCVE/fd/0",
        "ls /proc/$MCVE/cwd/ | grep -q .",
        &kill,
    ]);
}

#[test]
fn programs_of_other_users_give_no_rights() {
    let place = Outside::new();
    if !place.has_program_of_another_user() {
        return eprintln!("skipped: only root can make such a program");
    }
    place.withstands(&["$OUT/other is-other-user"], &[]);
}

#[test]
fn nothing_is_connected_to() {
    let place = Outside::new();
    let listening = place.listen();
    let attempts = [
        format!("exec 3<>/dev/tcp/127.0.0.1/{}", listening.tcp),
        format!("$ATTEMPT tcp 127.0.0.1:{}", listening.tcp),
        format!("$ATTEMPT udp 127.0.0.1:{} && false", listening.udp),
        "$ATTEMPT unix $OUT/socket".to_owned(),
        "$ATTEMPT unix-datagram $OUT/datagrams".to_owned(),
        format!("$ATTEMPT abstract {}", listening.name),
    ];
    place.withstands(&attempts, &[]);
    // Not even what is not answered has come.
    assert!(listening.is_quiet());
}

/// That attempts fail says something only where they succeed without a sandbox.
#[test]
fn without_a_sandbox_they_succeed() {
    let place = Outside::new();
    let listening = place.listen();
    let attempts = [
        "echo x > $OUT/other".to_owned(),
        "mkdir $OUT/$$ && rmdir $OUT/$$".to_owned(),
        "touch $OUT/$$ && mv $OUT/$$ .".to_owned(),
        "ln $OUT/other l && echo x > l".to_owned(),
        "touch -d @0 $OUT/other".to_owned(),
        "$ATTEMPT chmod $OUT/other".to_owned(),
        "kill -0 $MCVE".to_owned(),
        "grep -q . /proc/$PPID/environ".to_owned(),
        "$ATTEMPT memory $PPID".to_owned(),
        format!("$ATTEMPT tcp 127.0.0.1:{}", listening.tcp),
        format!("$ATTEMPT udp 127.0.0.1:{}", listening.udp),
        "$ATTEMPT unix $OUT/socket".to_owned(),
        format!("$ATTEMPT abstract {}", listening.name),
        "env | grep -q hidden".to_owned(),
    ];
    place.succumbs(&attempts, &[("GITHUB_TOKEN", "hidden")]);
    assert!(!listening.is_quiet());
}

#[test]
fn a_pipe_of_the_system_is_not_written_to() {
    let place = Outside::new();
    let reader = place.pipe("pipe");
    place.withstands(&["timeout 5 sh -c 'echo x > $OUT/pipe'"], &[]);
    assert_eq!(place.read(reader), "");
}

#[test]
fn secrets_stay_outside() {
    let secrets = [("GITHUB_TOKEN", "hidden"), ("AWS_SECRET_ACCESS_KEY", "hidden"), ("SSH_AUTH_SOCK", "/hidden")];
    let attempts =
        ["env | grep -q hidden", "[ -n \"$GITHUB_TOKEN$SSH_AUTH_SOCK\" ]", "grep -q hidden /proc/self/environ"];
    Outside::new().withstands(&attempts, &secrets);
}

#[test]
fn values_and_other_names_that_are_secrets_stay_outside() {
    let names = ["MYSQL_PWD", "APIKEY", "ACCESSKEY", "PRIVATEKEY", "JWT", "DEPLOY_CREDS"];
    let named = names.map(|name| (name, "hidden"));
    let secrets = [&named[..], &[("DB", "postgres://ada:hidden@db.example.org/main")]].concat();
    Outside::new().withstands(&["env | grep -q hidden"], &secrets);
}

#[test]
fn files_with_secrets_are_not_read() {
    let home = tempfile::tempdir().expect("a folder can be made");
    let names =
        [".npmrc", ".pypirc", ".kube/config", ".config/gcloud/x", ".config/git/credentials", "set/git/credentials"];
    for name in names.iter().chain(&["named"]) {
        let path = home.path().join(name);
        std::fs::create_dir_all(path.parent().expect("it is below")).expect("it can be made");
        std::fs::write(path, "hidden").expect("it can be written");
    }
    let path = |name: &str| home.path().join(name).display().to_string();
    let attempts = names.iter().chain(&["named"]).map(|name| format!("grep -q hidden {}", path(name)));
    let env = [("HOME", path("")), ("XDG_CONFIG_HOME", path("set")), ("KUBECONFIG", path("named"))];
    let env: Vec<(&str, &str)> = env.iter().map(|(name, value)| (*name, &**value)).collect();
    Outside::new().withstands(&attempts.collect::<Vec<_>>(), &env);
}

#[test]
fn what_a_check_starts_ends_with_it() {
    check(&[
        "setsid sh -c 'exec 3>$TMPDIR/open; exec sleep 1000' & false",
        "nohup sleep 1000 > /dev/null 2>&1 & false",
        "timeout 1000 sleep 1000 & false",
        "$ATTEMPT daemons 100 && false",
        // It doubles until there are more than a hundred, and its processes leave their group.
        "b() { [ $1 -gt 0 ] && { setsid sh -c 'exec sleep 1000' & b $(($1 - 1)) & b $(($1 - 1)) & }; wait; }; b 6 & false",
        "(while :; do (sleep 1000 &); [ -e stop ] && exit; done) & sleep 0.3; touch stop; false",
    ]);
}

#[test]
fn what_a_check_writes_goes_with_it() {
    check(&[
        "head -c 50000000 /dev/zero > f; head -c 50000000 /dev/zero > $TMPDIR/f; mkdir -p d/e; chmod 0 d/e d; false",
    ]);
}

#[test]
fn code_that_runs_at_compile_time_is_held() {
    let place = Outside::new();
    place.package();
    let hook = "fn main() { std::fs::write(std::env::var(\"OUT\").unwrap() + \"/new\", \"x\").unwrap(); }";
    place.withstands_slow(&[
        // A build script and a macro, by cargo and offline.
        "cp -r $OUT/package p && cd p && cargo build --offline -q && [ -e $OUT/new ]",
        &format!("echo '{hook}' > m.rs; $RUSTC_PATH m.rs && ./m"),
        // A linker of its own, and one that is named by an argument.
        "printf '#!/bin/sh\\necho x > $OUT/new\\n' > ld; chmod +x ld; echo 'fn main() {}' > m.rs; $RUSTC_PATH -Clinker=./ld m.rs; [ -e $OUT/new ]",
    ]);
}

#[test]
fn a_reduced_program_deletes_nothing() {
    // What makes sandboxes necessary: without its last call, the path is one that the program itself never deletes.
    let place = Outside::new();
    place.write(
        "fn main() {\n    let base = std::path::PathBuf::from(std::env::var(\"OUT\").unwrap());\n    \
         let scratch = base.join(\"scratch\");\n    let _ = std::fs::remove_dir_all(scratch);\n    panic!(\"needle\");\n}\n",
    );
    place.reduces("$RUSTC_PATH a.rs 2> /dev/null && ./a 2>&1 | grep -q needle");
    place.is_as_it_was();
}
