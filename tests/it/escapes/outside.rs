//! A place in which a run is to stay, and what is outside of it.

use std::fs::{self, File};
use std::net::{TcpListener, UdpSocket};
use std::os::linux::net::SocketAddrExt;
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt, chown};
use std::os::unix::net::{SocketAddr, UnixDatagram, UnixListener};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use mcve::cli::exit::Exit;
use mcve_testing::shell::{self, MCVE_PID};
use mcve_testing::{Said, TestFolder};
use tempfile::TempDir;

const BINARY: &str = env!("CARGO_BIN_EXE_mcve");

const INPUT: &str = "fn needle() {}\n\nfn main() {\n    println!(\"other\");\n}\n";

/// What attempts need of a reduction: several checks, some of which pass.
const ITEMS: [&str; 2] = ["--only", "delete-item"];

const RESULT: &str = "fn needle() {}\n";

/// What is outside, and stays as it is.
const VICTIM: &str = "victim\n";

/// Outside, as a list.
const LIST: &str = "empty\nfolder\nfolder/victim\nvictim\n";

/// A folder outside of the place in which a run is to stay.
pub(crate) struct Outside {
    folder: TempDir,
    place: TestFolder,
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

impl Outside {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder can be made");
        let outside = Self { folder, place: TestFolder::new(BINARY) };
        for folder in ["folder", "empty"] {
            fs::create_dir_all(outside.path(folder)).expect("it can be made");
        }
        outside.place.write("a.rs", INPUT);
        for victim in ["victim", "folder/victim"] {
            fs::write(outside.path(victim), VICTIM).expect("it can be written");
        }
        outside
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Has the run reduce this program.
    pub(crate) fn write(&self, input: &str) {
        self.place.write("a.rs", input);
    }

    /// Whether the system lets this user make namespaces.
    pub(crate) fn has_namespaces() -> bool {
        let unshare = |args: &[&str]| {
            let status = Command::new("unshare").args(args).arg("true").stderr(Stdio::null()).status();
            status.is_ok_and(|status| status.success())
        };
        unshare(&["--net", "--mount"]) || unshare(&["--user", "--net", "--mount"])
    }

    /// Runs mcve with a test whose every check makes all attempts, each in a folder of its own, and fails where one
    /// succeeds: it ends with its result, and all is as it was.
    #[track_caller]
    pub(crate) fn withstands(&self, attempts: &[impl AsRef<str>], env: &[(&str, &str)]) {
        let attempts = attempts.iter().enumerate().map(|(number, attempt)| {
            let (folder, attempt) = (format!("at-{number}"), attempt.as_ref());
            let hint = format!("cat >&2 <<'END'\nthis succeeds: {attempt}\nEND");
            format!("mkdir {folder} || exit 1\nif (cd {folder} && {attempt}) > said 2>&1; then\n{hint}\nexit 1\nfi\n")
        });
        let test = format!("MCVE={MCVE_PID}\n{}grep -q needle a.rs", attempts.collect::<String>());
        self.ends_cleanly(self.command(&test, env).args(ITEMS));
        assert_eq!(self.place.read("a_mcve.rs"), RESULT);
        self.is_as_it_was();
    }

    /// The same for attempts that take long, in few checks: of a program from which nothing can go.
    #[track_caller]
    pub(crate) fn withstands_slow(&self, attempts: &[impl AsRef<str>]) {
        self.write(RESULT);
        self.withstands(attempts, &[]);
    }

    /// Runs mcve without a sandbox, where the attempts succeed.
    #[track_caller]
    pub(crate) fn succumbs(&self, attempts: &[impl AsRef<str>], env: &[(&str, &str)]) {
        let attempts = attempts.iter().map(AsRef::as_ref);
        let attempts = attempts.map(|attempt| format!("({attempt}) > said 2>&1 || {{ cat said; exit 1; }}\n"));
        let test = format!("MCVE={MCVE_PID}\n{}grep -q needle a.rs", attempts.collect::<String>());
        Said::by(self.command(&test, env).args(ITEMS).args(["--sandbox", "off"])).exits(Exit::Done);
    }

    #[track_caller]
    pub(crate) fn reduces(&self, test: &str) {
        self.ends_cleanly(&mut self.command(test, &[]));
    }

    /// Runs a command, which ends with its result and leaves nothing.
    #[track_caller]
    fn ends_cleanly(&self, command: &mut Command) {
        Said::by(command).exits(Exit::Done);
        self.place.assert_clean();
        assert_eq!(self.processes(), [""; 0], "{command:?}");
    }

    fn command(&self, test: &str, env: &[(&str, &str)]) -> Command {
        let mut command = self.place.mcve(&["a.rs", "--jobs", "2", "--runs", "1", "--test", test]);
        command.env("OUT", self.folder.path()).env("ATTEMPT", program()).env("RUSTC_PATH", shell::rustc());
        command.envs(env.iter().copied());
        command
    }

    /// The processes that have something to do with this place: those who have it in their environment.
    fn processes(&self) -> Vec<String> {
        let own = self.folder.path().display().to_string();
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
        let find = "find . -mindepth 1 '(' -type d -o -name 'victim*' -o -name 'new*' ')' -printf '%P\\n'";
        let said = Said::by(Command::new("sh").args(["-c", find]).current_dir(self.folder.path()));
        let mut list: Vec<&str> = said.stdout.lines().collect();
        list.retain(|name| *name != "package" && !name.starts_with("package/"));
        list.sort();
        assert_eq!(list.join("\n") + "\n", LIST);
        for victim in ["victim", "folder/victim"] {
            assert_eq!(fs::read_to_string(self.path(victim)).expect("it is there"), VICTIM);
        }
    }

    /// Listens in all ways.
    pub(crate) fn listen(&self) -> Listening {
        let name = self.folder.path().display().to_string();
        let address = SocketAddr::from_abstract_name(&name).expect("it is short");
        let tcp = TcpListener::bind("127.0.0.1:0").expect("there is a port");
        let udp = UdpSocket::bind("127.0.0.1:0").expect("there is a port");
        let unix = UnixListener::bind(self.path("socket")).expect("it can be made");
        let named = UnixListener::bind_addr(&address).expect("nobody has it");
        let datagrams = UnixDatagram::bind(self.path("datagrams")).expect("it can be made");
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
        let path = self.path(name);
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
        let other = self.path("other");
        fs::copy(program(), &other).expect("it can be copied");
        let made = chown(&other, Some(NOBODY), None);
        fs::set_permissions(&other, fs::Permissions::from_mode(0o4755)).expect("it is ours");
        fs::set_permissions(self.folder.path(), fs::Permissions::from_mode(0o755)).expect("it is ours");
        // Without a sandbox it has the rights of that user.
        made.is_ok() && Command::new(&other).arg("is-other-user").status().is_ok_and(|status| status.success())
    }

    /// A package with a build script and a macro that write outside.
    pub(crate) fn package(&self) {
        let write = |name: &str, text: &str| {
            let path = self.path("package").join(name);
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

/// The program that makes the attempts that a shell cannot, compiled once.
fn program() -> &'static Path {
    static PROGRAM: OnceLock<(TempDir, PathBuf)> = OnceLock::new();
    let (_, program) = PROGRAM.get_or_init(|| {
        let folder = tempfile::tempdir().expect("a folder can be made");
        let program = folder.path().join("attempt");
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/escapes/attempt.rs");
        let mut command = Command::new(shell::rustc());
        let made = command.args(["--edition=2024", "-o"]).arg(&program).arg(source).status();
        assert!(made.expect("it runs").success());
        // Another user runs it too.
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).expect("it is ours");
        (folder, program)
    });
    program
}
