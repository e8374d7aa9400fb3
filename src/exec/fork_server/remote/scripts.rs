//! Serves the stubs that stand for rustc in scripts (`stub.rs`), of which several may run at once.
//!
//! Each connects, sends a request and waits for how its process ended. That process has what the stub has: its folder, its
//! variables, its three standard streams, its limits and its group; where the stub has anything else that a rustc might
//! notice and the server does not (`surroundings.rs`), the request is refused, and the stub becomes a rustc itself. A stub that
//! ends early takes its process with it.
//!
//! Standard output is a pipe: a byte for each process of a script. Where nobody can read it any more, the server ends.

use core::{mem, ptr};

use crate::orphans;
use crate::pages;
use crate::receive::{receive, tell, Request};
use crate::request::REFUSED;
use crate::run;
use crate::surroundings;
use crate::system::*;

/// The variable by which mcve says that it calls the stub itself; the same in `stubs.rs`.
const OF_MCVE: &[u8] = b"MCVE_FORK_SERVER=mcve";

/// So many processes run at once; whoever comes then is refused.
const CLIENTS: usize = 64;

/// A stub and its process.
#[derive(Clone, Copy)]
struct Client {
    /// Negative when the stub has ended.
    socket: i32,
    pid: i32,
    /// Becomes readable when the process ends.
    end: i32,
}

const NOBODY: Client = Client { socket: -1, pid: 0, end: -1 };

/// Those that run.
struct Clients {
    all: [Client; CLIENTS],
    count: usize,
}

/// Serves whoever connects to `listener`, until nobody is left to tell that.
pub unsafe fn serve(listener: i32) -> ! {
    let own = surroundings::of(getpid());
    let mut clients = Clients { all: [NOBODY; CLIENTS], count: 0 };
    loop {
        let idle = Waited { descriptor: -1, events: POLLIN, happened: 0 };
        let mut waited = [idle; 2 + 2 * CLIENTS];
        waited[0].descriptor = listener;
        waited[1] = Waited { descriptor: 1, events: 0, happened: 0 };
        for index in 0..clients.count {
            waited[2 + 2 * index].descriptor = clients.all[index].socket;
            waited[3 + 2 * index].descriptor = clients.all[index].end;
        }
        if poll(waited.as_mut_ptr(), 2 + 2 * clients.count, -1) < 0 {
            continue;
        }
        if waited[1].happened != 0 {
            _exit(0);
        }
        // From the last one, as those that have ended are replaced by it.
        for index in (0..clients.count).rev() {
            if waited[3 + 2 * index].happened != 0 {
                clients.finish(index);
            } else if waited[2 + 2 * index].happened != 0 {
                clients.give_up(index);
            }
        }
        if waited[0].happened != 0 {
            clients.take(listener, own);
        }
    }
}

impl Clients {
    /// Tells a stub how its process ended.
    unsafe fn finish(&mut self, index: usize) {
        let Client { socket, pid, end } = self.all[index];
        let mut status = 0;
        if waitpid(pid, &mut status, 0) != pid {
            _exit(1);
        }
        close(end);
        if socket >= 0 {
            // It may have ended meanwhile.
            tell(socket, &status.to_ne_bytes());
            close(socket);
        }
        self.count -= 1;
        self.all[index] = self.all[self.count];
        if self.count == 0 {
            orphans::end();
        }
    }

    /// Ends the process of a stub that has ended.
    unsafe fn give_up(&mut self, index: usize) {
        let client = &mut self.all[index];
        kill(client.pid, SIGKILL);
        close(client.socket);
        client.socket = -1;
    }

    /// Takes in whoever connects.
    unsafe fn take(&mut self, listener: i32, own: Option<u64>) {
        let socket = accept4(listener, ptr::null_mut(), ptr::null_mut(), SOCK_CLOEXEC);
        if socket < 0 {
            return;
        }
        let (mut client, mut is_of_script) = (None, false);
        if let Some(request) = receive(socket, 3) {
            is_of_script = !surroundings::has(request.variables, OF_MCVE);
            client = self.serve(socket, &request, own);
            close_all(request.descriptors);
        }
        match client {
            Some(client) => {
                if is_of_script {
                    write(1, b"x".as_ptr(), 1);
                }
                self.all[self.count] = client;
                self.count += 1;
            }
            None => {
                tell(socket, &REFUSED.to_ne_bytes());
                close(socket);
            }
        }
    }

    /// Starts the process that is asked for.
    unsafe fn serve(&self, socket: i32, request: &Request, own: Option<u64>) -> Option<Client> {
        let peer = peer(socket)?;
        let is_alike =
            own.is_some() && surroundings::of(peer) == own && surroundings::is_early_alike(request.variables);
        let group = getpgid(peer);
        if !is_alike || group <= 0 || self.count == CLIENTS || chdir(request.folder) != 0 {
            return None;
        }
        pages::before_fork();
        let server = getpid();
        let pid = fork();
        if pid == 0 {
            if become_child(server, peer, group, request).is_none() {
                tell(socket, &REFUSED.to_ne_bytes());
                _exit(127);
            }
            self.all[..self.count].iter().for_each(|client| {
                close(client.socket);
                close(client.end);
            });
            close(socket);
            run(request.argc, request.argv);
        }
        if pid < 0 {
            return None;
        }
        // The child does the same: whoever comes first.
        let joins = setpgid(pid, group) == 0;
        let end = syscall(SYS_PIDFD_OPEN, pid, 0) as i32;
        if joins && end >= 0 {
            return Some(Client { socket, pid, end });
        }
        kill(pid, SIGKILL);
        waitpid(pid, ptr::null_mut(), 0);
        if end >= 0 {
            close(end);
        }
        None
    }
}

/// In the child: what the stub has. None if it cannot be had.
unsafe fn become_child(server: i32, peer: i32, group: i32, request: &Request) -> Option<()> {
    prctl(PR_SET_PDEATHSIG, SIGKILL as usize, 0_usize, 0_usize, 0_usize);
    if getppid() != server || setpgid(0, group) != 0 {
        return None;
    }
    for resource in 0..RLIMITS {
        let (mut own, mut limit) = (Limit { current: 0, maximum: 0 }, Limit { current: 0, maximum: 0 });
        let told = prlimit(peer, resource, ptr::null(), &mut limit) == 0;
        if !told || prlimit(0, resource, ptr::null(), &mut own) != 0 {
            return None;
        }
        // A stub of the first moment may be without those that its script has been given meanwhile, as the server has.
        limit.maximum = limit.maximum.min(own.maximum);
        limit.current = limit.current.min(limit.maximum);
        if prlimit(0, resource, &limit, ptr::null_mut()) != 0 {
            return None;
        }
    }
    clearenv();
    for variable in request.variables {
        putenv(variable);
    }
    let [output, errors, input] = request.descriptors;
    // The listener and the pipe of the server are closed by that.
    if dup2(input, 0) < 0 || dup2(output, 1) < 0 || dup2(errors, 2) < 0 {
        return None;
    }
    close_all(request.descriptors);
    Some(())
}

unsafe fn close_all(descriptors: [i32; 3]) {
    for descriptor in descriptors {
        close(descriptor);
    }
}

/// The process at the other end of a socket.
unsafe fn peer(socket: i32) -> Option<i32> {
    let mut peer = Peer { pid: 0, user: 0, group: 0 };
    let mut length = mem::size_of::<Peer>() as u32;
    let told = getsockopt(socket, SOL_SOCKET, SO_PEERCRED, ptr::addr_of_mut!(peer).cast(), &mut length);
    if told == 0 && peer.pid > 0 {
        Some(peer.pid)
    } else {
        None
    }
}
