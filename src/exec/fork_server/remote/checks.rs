//! Serves mcve: check after check, each of which leads a group of its own.
//!
//! - It is sent a request. It answers by the number of the process, or a negative one.
//! - It is sent anything, when that process may be reaped. It waits for it and answers by how it ended.
//!
//! Whoever sends kills the process where it has to end early. Where the socket is closed the server and its process end.

use crate::orphans;
use crate::receive::{receive, tell};
use crate::run;
use crate::system::*;

/// Serves request after request, until nobody is left to send one.
pub unsafe fn serve(socket: i32) -> ! {
    let server = getpid();
    loop {
        let request = match receive(socket) {
            Some(request) => request,
            None => _exit(0),
        };
        // Here and not in the child, so that it can be told where it fails.
        let pid = if chdir(request.folder) == 0 { fork() } else { -1 };
        if pid == 0 {
            close(socket);
            become_check(server, request.descriptors);
            for change in request.variables {
                putenv(change);
            }
            run(request.argc, request.argv);
        }
        close(request.descriptors[0]);
        close(request.descriptors[1]);
        if pid > 0 {
            // The child does the same: whoever comes first.
            setpgid(pid, pid);
        }
        if !tell(socket, &pid.to_ne_bytes()) && pid < 0 {
            _exit(1);
        }
        if pid > 0 {
            attend(socket, pid);
        }
    }
}

/// Waits until the child may be reaped, reaps it and tells how it ended.
unsafe fn attend(socket: i32, pid: i32) {
    let mut word = 0_u8;
    let wanted = recv(socket, &mut word, 1, 0) > 0;
    if !wanted {
        kill(-pid, SIGKILL);
    }
    let mut status = 0;
    let reaped = waitpid(pid, &mut status, 0) == pid;
    orphans::end();
    if !wanted || !reaped || !tell(socket, &status.to_ne_bytes()) {
        _exit(1);
    }
}

/// In the child: what a process has that was started for the check.
unsafe fn become_check(server: i32, outputs: [i32; 2]) {
    prctl(PR_SET_PDEATHSIG, SIGKILL as usize, 0_usize, 0_usize, 0_usize);
    if getppid() != server {
        _exit(127);
    }
    setpgid(0, 0);
    dup2(outputs[0], 1);
    dup2(outputs[1], 2);
    close(outputs[0]);
    close(outputs[1]);
}
