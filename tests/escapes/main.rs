//! Attempts of a check to reach out of its sandbox, through the real binary. None succeeds, and the run goes on.
//!
//! An attempt is a line for the shell that ends with 0 where it succeeds. Each check of a run makes it; one that succeeds does
//! not show the failure. So where the run ends with a result, none of its checks succeeded; and what is outside is looked at, too.
#![cfg(target_os = "linux")]

mod place;

use place::Place;

/// Checks that an attempt fails, and that a run whose checks make it ends with its result.
#[track_caller]
fn check(attempt: &str) {
    Place::new().withstands(attempt, &[]);
}

#[test]
fn files_cannot_be_written() {
    for attempt in [
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
    ] {
        check(attempt);
    }
}

#[test]
fn files_cannot_be_deleted_or_moved() {
    for attempt in [
        "rm -f $OUT/victim && [ ! -e $OUT/victim ]",
        "rm -rf $OUT/folder && [ ! -e $OUT/folder ]",
        "rmdir $OUT/empty",
        "find $OUT -delete",
        "mv $OUT/victim $OUT/new",
        "mv $OUT/victim .",
        "mv $OUT/folder .",
        "mv $1 $OUT/new",
    ] {
        check(attempt);
    }
}

#[test]
fn links_are_no_way_out() {
    for attempt in [
        "ln -s $OUT/victim l && echo x > l",
        "ln -s $OUT l && echo x > l/new",
        "ln $OUT/victim l && echo x > l",
        "ln $1 $OUT/new",
        "ln -s $1 $OUT/new",
        "ln -s / l && rm l$OUT/victim",
    ] {
        check(attempt);
    }
}

/// Needs mounts of its own, which not every system allows: Landlock does not hold these.
#[test]
fn modes_times_owners_and_the_key_are_out_of_reach() {
    if !Place::has_namespaces() {
        return eprintln!("skipped: there are no namespaces here");
    }
    for attempt in [
        "chmod 0 $OUT/victim",
        "touch -d @0 $OUT/victim",
        "chown 1 $OUT/victim",
        "$ATTEMPT chmod $OUT/victim",
        "grep -q . $XDG_CONFIG_HOME/mcve/key",
    ] {
        check(attempt);
    }
}

#[test]
fn the_system_is_not_changed() {
    for attempt in [
        "echo 1 > /proc/sys/kernel/sysrq",
        "mount -t tmpfs none $OUT/folder",
        "mount -o remount,rw /",
        "umount $OUT",
        "unshare --user --map-root-user --mount sh -c 'mount -o remount,rw / && echo x > $OUT/new'",
        "$ATTEMPT device d",
        "$ATTEMPT ring",
        "echo x > /dev/tty",
        "hostname mcve-was-here",
    ] {
        check(attempt);
    }
}

#[test]
fn other_processes_are_out_of_reach() {
    let own = std::process::id();
    for attempt in [
        // mcve, behind the two processes that start a check and watch it.
        "$ATTEMPT memory $MCVE",
        "$ATTEMPT trace $MCVE",
        "$ATTEMPT limit $MCVE",
        "kill -9 $MCVE",
        "kill -STOP $PPID",
        "grep -q . /proc/$MCVE/environ",
        "grep -q . /proc/$MCVE/maps",
        "readlink /proc/$MCVE/fd/0",
        "ls /proc/$MCVE/cwd/ | grep -q .",
    ] {
        let mcve = r#"MCVE=$(cut -d" " -f4 /proc/$(cut -d" " -f4 /proc/$PPID/stat)/stat)"#;
        check(&format!("{mcve}; [ -n \"$MCVE\" ] && {attempt}"));
    }
    check(&format!("kill -0 {own}"));
}

#[test]
fn programs_of_other_users_give_no_rights() {
    let place = Place::new();
    if !place.has_program_of_another_user() {
        return eprintln!("skipped: only root can make such a program");
    }
    place.withstands("$OUT/other is-other-user", &[]);
}

#[test]
fn nothing_is_connected_to() {
    let place = Place::new();
    let listening = place.listen();
    for attempt in [
        format!("exec 3<>/dev/tcp/127.0.0.1/{}", listening.tcp),
        format!("$ATTEMPT tcp 127.0.0.1:{}", listening.tcp),
        format!("$ATTEMPT udp 127.0.0.1:{} && false", listening.udp),
        "$ATTEMPT unix $OUT/socket".to_owned(),
        "$ATTEMPT unix-datagram $OUT/datagrams".to_owned(),
        format!("$ATTEMPT abstract {}", listening.name),
    ] {
        place.withstands(&attempt, &[]);
    }
    // Not even what is not answered has come.
    assert!(listening.is_quiet());
}

/// That attempts fail says something only where they succeed without a sandbox.
#[test]
fn without_a_sandbox_they_succeed() {
    let place = Place::new();
    let listening = place.listen();
    let secret = [("GITHUB_TOKEN", "hidden")];
    for attempt in [
        "echo x > $OUT/other".to_owned(),
        "mkdir $OUT/$$ && rmdir $OUT/$$".to_owned(),
        "touch $OUT/$$ && mv $OUT/$$ .".to_owned(),
        "ln $OUT/other l && echo x > l".to_owned(),
        "touch -d @0 $OUT/other".to_owned(),
        "$ATTEMPT chmod $OUT/other".to_owned(),
        "kill -0 $(cut -d' ' -f4 /proc/$(cut -d' ' -f4 /proc/$PPID/stat)/stat)".to_owned(),
        "grep -q . /proc/$PPID/environ".to_owned(),
        "$ATTEMPT memory $PPID".to_owned(),
        format!("$ATTEMPT tcp 127.0.0.1:{}", listening.tcp),
        format!("$ATTEMPT udp 127.0.0.1:{}", listening.udp),
        "$ATTEMPT unix $OUT/socket".to_owned(),
        format!("$ATTEMPT abstract {}", listening.name),
        "env | grep -q hidden".to_owned(),
    ] {
        place.succumbs(&attempt, &secret);
    }
    assert!(!listening.is_quiet());
}

#[test]
fn a_pipe_of_the_system_is_not_written_to() {
    let place = Place::new();
    let reader = place.pipe("pipe");
    place.withstands("timeout 5 sh -c 'echo x > $OUT/pipe'", &[]);
    assert_eq!(place.read(reader), "");
}

#[test]
fn secrets_stay_outside() {
    let secrets = [("GITHUB_TOKEN", "hidden"), ("AWS_SECRET_ACCESS_KEY", "hidden"), ("SSH_AUTH_SOCK", "/hidden")];
    for attempt in
        ["env | grep -q hidden", "[ -n \"$GITHUB_TOKEN$SSH_AUTH_SOCK\" ]", "grep -q hidden /proc/self/environ"]
    {
        Place::new().withstands(attempt, &secrets);
    }
}

#[test]
fn what_a_check_starts_ends_with_it() {
    for attempt in [
        "setsid sh -c 'exec 3>$TMPDIR/open; exec sleep 1000' & false",
        "nohup sleep 1000 > /dev/null 2>&1 & false",
        "timeout 1000 sleep 1000 & false",
        "$ATTEMPT daemons 200 && false",
        // It doubles until there are some hundreds, and its processes leave their group.
        "b() { [ $1 -gt 0 ] && { setsid sh -c 'exec sleep 1000' & b $(($1 - 1)) & b $(($1 - 1)) & }; wait; }; b 7 & false",
        "(while :; do (sleep 1000 &); [ -e stop ] && exit; done) & sleep 0.3; touch stop; false",
    ] {
        check(attempt);
    }
}

#[test]
fn what_a_check_writes_goes_with_it() {
    check("head -c 50000000 /dev/zero > f; head -c 50000000 /dev/zero > $TMPDIR/f; mkdir -p d/e; chmod 0 d/e d; false");
}

#[test]
fn code_that_runs_at_compile_time_is_held() {
    let place = Place::new();
    place.package();
    // A build script and a macro, by cargo and offline.
    place.withstands("cp -r $OUT/package p && cd p && cargo build --offline -q && [ -e $OUT/new ]", &[]);
    let hook = "fn main() { std::fs::write(std::env::var(\"OUT\").unwrap() + \"/new\", \"x\").unwrap(); }";
    place.withstands(&format!("echo '{hook}' > m.rs; $RUSTC_PATH m.rs && ./m"), &[]);
    // A linker of its own, and one that is named by an argument.
    place.withstands(
        "printf '#!/bin/sh\\necho x > $OUT/new\\n' > ld; chmod +x ld; echo 'fn main() {}' > m.rs; $RUSTC_PATH -Clinker=./ld m.rs; [ -e $OUT/new ]",
        &[],
    );
}

#[test]
fn a_reduced_program_deletes_nothing() {
    // What makes sandboxes necessary: without its last call, the path is one that the program itself never deletes.
    let place = Place::new();
    place.write(
        "a.rs",
        "fn main() {\n    let base = std::path::PathBuf::from(std::env::var(\"OUT\").unwrap());\n    \
         let scratch = base.join(\"scratch\");\n    let _ = std::fs::remove_dir_all(scratch);\n    panic!(\"needle\");\n}\n",
    );
    place.reduces("$RUSTC_PATH a.rs 2> /dev/null && ./a 2>&1 | grep -q needle", &[]);
    place.is_as_it_was();
}
