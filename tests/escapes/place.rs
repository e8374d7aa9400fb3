//! A place in which a run is to stay, and what is outside of it.

use std::fs::{self, File};
use std::net::{TcpListener, UdpSocket};
use std::os::linux::net::SocketAddrExt;
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt, chown};
use std::os::unix::net::{SocketAddr, UnixDatagram, UnixListener};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use mcve::exec::programs;
use tempfile::TempDir;

const INPUT: &str = "fn needle() {}\n\nfn main() {\n    println!(\"other\");\n}\n";

/// What is outside, and stays as it is.
const VICTIM: &str = "victim\n";

/// Below `outside`, as a list.
const LIST: &str = "empty\nfolder\nfolder/victim\nvictim\n";

pub(crate) struct Place {
    folder: TempDir,
}

/// Who listens outside.
pub(crate) struct Listening {
    pub(crate) tcp: u16,
    pub(crate) udp: u16,
    /// Of an abstract socket.
    pub(crate) name: String,
    sockets: (TcpListener, UdpSocket, UnixListener, UnixListener, UnixDatagram),
}

impl Listening {
    /// Whether nobody has connected or sent anything.
    pub(crate) fn is_quiet(&self) -> bool {
        let (tcp, udp, unix, named, datagrams) = &self.sockets;
        let accepted = [tcp.accept().is_ok(), unix.accept().is_ok(), named.accept().is_ok()];
        let received = [udp.recv(&mut [0; 9]).is_ok(), datagrams.recv(&mut [0; 9]).is_ok()];
        !accepted.contains(&true) && !received.contains(&true)
    }
}

impl Place {
    pub(crate) fn new() -> Self {
        let place = Self { folder: tempfile::tempdir().expect("a folder can be made") };
        for folder in ["in/tmp", "outside/folder", "outside/empty"] {
            fs::create_dir_all(place.path(folder)).expect("it can be made");
        }
        place.write("a.rs", INPUT);
        for victim in ["outside/victim", "outside/folder/victim"] {
            fs::write(place.path(victim), VICTIM).expect("it can be written");
        }
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        fs::write(self.path("in").join(name), text).expect("it can be written");
    }

    /// Whether the system lets this user make namespaces.
    pub(crate) fn has_namespaces() -> bool {
        let unshare = |args: &[&str]| {
            Command::new("unshare")
                .args(args)
                .arg("true")
                .stderr(Stdio::null())
                .status()
                .is_ok_and(|status| status.success())
        };
        unshare(&["--net", "--mount"]) || unshare(&["--user", "--net", "--mount"])
    }

    /// Runs mcve with a test that fails where the attempt succeeds: it ends with its result, and all is as it was.
    #[track_caller]
    pub(crate) fn withstands(&self, attempt: &str, env: &[(&str, &str)]) {
        self.reduces(&format!("({attempt}) > said 2>&1 && exit 1; grep -q needle a.rs"), env);
        assert_eq!(
            fs::read_to_string(self.path("in/a_mcve.rs")).expect("it is there"),
            "fn needle() {}\n",
            "{attempt}"
        );
        self.is_as_it_was();
    }

    /// Runs mcve without a sandbox, where the attempt succeeds.
    #[track_caller]
    pub(crate) fn succumbs(&self, attempt: &str, env: &[(&str, &str)]) {
        let test = format!("({attempt}) > said 2>&1 || {{ cat said; exit 1; }}; grep -q needle a.rs");
        let output = self.command(&test, env).args(["--sandbox", "off"]).output().expect("the binary runs");
        assert!(output.status.success(), "{attempt}: {}", String::from_utf8_lossy(&output.stderr));
    }

    #[track_caller]
    pub(crate) fn reduces(&self, test: &str, env: &[(&str, &str)]) {
        let output = self.command(test, env).output().expect("the binary runs");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{test}: {said}");
        let left: Vec<_> = fs::read_dir(self.path("in/tmp")).expect("it is there").flatten().collect();
        assert!(left.is_empty(), "{test} leaves {left:?}");
        assert_eq!(self.processes(), [""; 0], "{test}");
    }

    fn command(&self, test: &str, env: &[(&str, &str)]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_mcve"));
        command.args(["a.rs", "--jobs", "2", "--runs", "1", "--test", test]).current_dir(self.path("in"));
        command.env("TMPDIR", self.path("in/tmp")).env("OUT", self.path("outside")).env("ATTEMPT", program());
        command.env("RUSTC_PATH", programs::rustc(None, None).expect("the tests are compiled by one"));
        command.env("XDG_CONFIG_HOME", self.path("in/config"));
        command.envs(env.iter().copied()).stdin(Stdio::null());
        command
    }

    /// The processes that have something to do with this place: those who have it in their environment.
    fn processes(&self) -> Vec<String> {
        let own = self.path("outside").display().to_string();
        let numbers = fs::read_dir("/proc").expect("there are processes").flatten();
        let numbers = numbers.filter(|entry| entry.file_name().to_string_lossy().parse::<u32>().is_ok());
        let is_own =
            |path: &Path| fs::read(path.join("environ")).is_ok_and(|env| String::from_utf8_lossy(&env).contains(&own));
        let own = numbers.map(|entry| entry.path()).filter(|path| is_own(path));
        own.map(|path| String::from_utf8_lossy(&fs::read(path.join("cmdline")).unwrap_or_default()).into_owned())
            .collect()
    }

    /// Checks that what is outside is as it was.
    #[track_caller]
    pub(crate) fn is_as_it_was(&self) {
        let mut list = Command::new("find");
        list.args([
            ".",
            "-mindepth",
            "1",
            "(",
            "-type",
            "d",
            "-o",
            "-name",
            "victim*",
            "-o",
            "-name",
            "new*",
            ")",
            "-printf",
            "%P\n",
        ]);
        let mut list = list_in(list, &self.path("outside"));
        list.retain(|name| name != "package" && !name.starts_with("package/"));
        list.sort();
        assert_eq!(list.join("\n") + "\n", LIST);
        for victim in ["outside/victim", "outside/folder/victim"] {
            assert_eq!(fs::read_to_string(self.path(victim)).expect("it is there"), VICTIM);
        }
    }

    /// Listens in all ways.
    pub(crate) fn listen(&self) -> Listening {
        let name = self.folder.path().display().to_string();
        let address = SocketAddr::from_abstract_name(&name).expect("it is short");
        let tcp = TcpListener::bind("127.0.0.1:0").expect("there is a port");
        let udp = UdpSocket::bind("127.0.0.1:0").expect("there is a port");
        let unix = UnixListener::bind(self.path("outside/socket")).expect("it can be made");
        let named = UnixListener::bind_addr(&address).expect("nobody has it");
        let datagrams = UnixDatagram::bind(self.path("outside/datagrams")).expect("it can be made");
        for done in [
            tcp.set_nonblocking(true),
            udp.set_nonblocking(true),
            unix.set_nonblocking(true),
            named.set_nonblocking(true),
            datagrams.set_nonblocking(true),
        ] {
            done.expect("it can be set");
        }
        let port = |address: std::io::Result<std::net::SocketAddr>| address.expect("it is bound").port();
        let (tcp_port, udp_port) = (port(tcp.local_addr()), port(udp.local_addr()));
        Listening { tcp: tcp_port, udp: udp_port, name, sockets: (tcp, udp, unix, named, datagrams) }
    }

    /// A pipe outside, which is read.
    pub(crate) fn pipe(&self, name: &str) -> File {
        let path = self.path("outside").join(name);
        assert!(Command::new("mkfifo").arg(&path).status().expect("there is a mkfifo").success());
        let flags = rustix::fs::OFlags::NONBLOCK.bits().try_into().expect("flags are small");
        File::options().read(true).custom_flags(flags).open(&path).expect("it can be opened")
    }

    pub(crate) fn read(&self, mut file: File) -> String {
        let mut text = String::new();
        std::io::Read::read_to_string(&mut file, &mut text).expect("nobody has it open");
        text
    }

    /// Makes a program that runs as another user, where that is possible.
    pub(crate) fn has_program_of_another_user(&self) -> bool {
        const NOBODY: u32 = 65534;
        let other = self.path("outside/other");
        fs::copy(program(), &other).expect("it can be copied");
        let made = chown(&other, Some(NOBODY), None);
        fs::set_permissions(&other, fs::Permissions::from_mode(0o4755)).expect("it is ours");
        for folder in ["", "outside"] {
            fs::set_permissions(self.path(folder), fs::Permissions::from_mode(0o755)).expect("it is ours");
        }
        // Without a sandbox it has the rights of that user.
        made.is_ok() && Command::new(&other).arg("is-other-user").status().is_ok_and(|status| status.success())
    }

    /// A package with a build script and a macro that write outside.
    pub(crate) fn package(&self) {
        let write = |name: &str, text: &str| {
            let path = self.path("outside/package").join(name);
            fs::create_dir_all(path.parent().expect("it is below")).expect("it can be made");
            fs::write(path, text).expect("it can be written");
        };
        let hook = "let _ = std::fs::write(std::env::var(\"OUT\").unwrap() + \"/new\", \"x\");";
        write(
            "Cargo.toml",
            "[package]\nname = \"a\"\nedition = \"2021\"\n[dependencies]\nm = { path = \"m\" }\n[workspace]\n",
        );
        write("build.rs", &format!("fn main() {{ {hook} }}\n"));
        write("src/lib.rs", "m::m!();\n");
        write("m/Cargo.toml", "[package]\nname = \"m\"\nedition = \"2021\"\n[lib]\nproc-macro = true\n");
        let (stream, rest) = ("proc_macro::TokenStream", "proc_macro::TokenStream::new()");
        write("m/src/lib.rs", &format!("#[proc_macro]\npub fn m(_: {stream}) -> {stream} {{ {hook} {rest} }}\n"));
    }
}

fn list_in(mut command: Command, folder: &Path) -> Vec<String> {
    let output = command.current_dir(folder).output().expect("there is a find");
    String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect()
}

/// The program that makes the attempts that a shell cannot, compiled once.
fn program() -> &'static Path {
    static PROGRAM: OnceLock<(TempDir, PathBuf)> = OnceLock::new();
    let (_, program) = PROGRAM.get_or_init(|| {
        let folder = tempfile::tempdir().expect("a folder can be made");
        let program = folder.path().join("attempt");
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/escapes/attempt.rs");
        let mut command = Command::new(programs::rustc(None, None).expect("the tests are compiled by one"));
        let made = command.args(["--edition=2024", "-o"]).arg(&program).arg(source).status();
        assert!(made.expect("it runs").success());
        // Another user runs it too.
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).expect("it is ours");
        (folder, program)
    });
    program
}
