//! Serves check after check, each of which leads a group of its own.

use crate::orphans;
use crate::protocol::LONGEST;
use crate::receive::receive;
use crate::start;
use crate::system;

/// Serves request after request, until nobody is left to send one.
pub(crate) fn serve(socket: i32) -> ! {
    let server = system::own_pid();
    let mut buffer = [0; LONGEST];
    while let Some(request) = receive(socket, &mut buffer) {
        // Here and not in the child, so that mcve hears where it fails.
        let pid = if system::change_folder(request.folder) { system::fork() } else { -1 };
        if pid == 0 {
            system::close(socket);
            become_check(server, request.outputs);
            start::run(request.words, request.variables);
        }
        request.outputs.iter().for_each(|&output| system::close(output));
        if pid > 0 {
            // The child does the same; it does not matter which of the two is first.
            system::lead_group(pid);
        }
        if !system::send(socket, &pid.to_ne_bytes()) && pid < 0 {
            system::exit(1);
        }
        if pid > 0 {
            attend(socket, pid);
        }
    }
    system::exit(0)
}

/// Waits until the child may be reaped, reaps it and answers by how it ended.
fn attend(socket: i32, pid: i32) {
    let is_wanted = system::receive(socket);
    if !is_wanted {
        system::kill(-pid);
    }
    let status = system::wait(pid);
    orphans::end();
    let is_answered = is_wanted && status.map_or(false, |status| system::send(socket, &status.to_ne_bytes()));
    if !is_answered {
        system::exit(1);
    }
}

/// In the child: what a process has that was started for the check.
fn become_check(server: i32, outputs: [i32; 2]) {
    if !system::end_with_parent(server) {
        system::exit(127);
    }
    system::lead_group(0);
    for (&output, stream) in outputs.iter().zip(1..) {
        system::replace(stream, output);
        system::close(output);
    }
}
