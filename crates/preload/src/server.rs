//! Runs one check after the other, each as the leader of its own process group.

use crate::orphans;
use crate::protocol::LONGEST;
use crate::receive::receive;
use crate::system;
use crate::text::Texts;

/// Serves requests until the other side closes the socket. A forked child continues in `run`, with the arguments and the
/// variables of its request.
pub(crate) fn serve(socket: i32, run: fn(Texts<'_>, Texts<'_>) -> !) -> ! {
    let server = system::own_pid();
    let mut buffer = [0; LONGEST];
    while let Some(request) = receive(socket, &mut buffer) {
        // Here and not in the child, so that mcve is notified of a failure.
        let pid = if system::change_folder(request.folder) { system::fork() } else { -1 };
        if pid == 0 {
            system::close(socket);
            become_check(server, request.outputs);
            run(request.words, request.variables);
        }
        request.outputs.iter().for_each(|&output| system::close(output));
        if pid > 0 {
            // The child does the same; the order does not matter.
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

/// Waits until the child may be reaped, reaps it and sends its status.
fn attend(socket: i32, pid: i32) {
    let is_wanted = system::receive(socket);
    if !is_wanted {
        end(pid);
    }
    let status = system::wait(pid);
    orphans::end();
    let is_answered = is_wanted && status.map_or(false, |status| system::send(socket, &status.to_ne_bytes()));
    if !is_answered {
        system::exit(1);
    }
}

/// Kills a child that is not reaped yet, and its group, which the child may have left.
fn end(pid: i32) {
    system::kill(pid);
    system::kill(-pid);
}

/// Sets up the child like a newly started process for the check.
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

#[cfg(test)]
mod tests {
    use std::os::unix::process::{CommandExt, ExitStatusExt};
    use std::process::Command;

    use super::*;

    #[test]
    fn a_child_ends_in_its_group_and_outside_of_it() {
        for is_leader in [true, false] {
            let mut command = Command::new("sleep");
            command.arg("20");
            if is_leader {
                command.process_group(0);
            }
            let mut child = command.spawn().expect("there is a sleep");
            end(child.id().try_into().expect("it is a number of a process"));
            assert_eq!(child.wait().expect("it is there").signal(), Some(9), "{is_leader}");
        }
    }
}
