#!/usr/bin/env python3
"""Does a reduced program still ask the same question? Single-error files of rustc's `tests/ui`, each with some 200 lines of other code woven
around it, reduced by mcve; and the sentences of the diagnostic before and after.

usage: diagnostic_sweep.py --mcve PATH [--count 400] [--start K] [--workers N] [--jobs 1] [--budget 60] [--cache DIR] [--out results.jsonl]
       diagnostic_sweep.py --out results.jsonl [--show N | --look [N]]

The files come from Debian's source package of rustc, of the release that is installed if there is one. apt-get downloads it to the cache,
by a configuration of its own: the system's lists stay as they are. Taken is a file of less than 120 lines that the installed rustc refuses
with exactly one error, in the edition that its header names or else 2021, and that needs nothing else: no other file, revision, flag or
unstable feature. They are shuffled, always in the same way, and there are at most 12 of an error code (or of a message without one); at most
a quarter has no code. A file stays out if the woven one does not get the same diagnostic.

Compared are the message, the labels of all spans, and the notes and helps below it with their labels. Left out is what is not the question:
- advice: what comes with a suggestion, and helps that begin like one (`consider`, `try`, `use`, ..);
- what lists other impls or items: `the following other types implement trait`, its short form `the trait _ is implemented for _`, the half
  `but trait _ is implemented for it`, similar names, and traits that one might import;
- where to read on, how a lint is turned on, which macro an error originates in, and the bytes of a constant.

There are two ways to compare. `names aside`: what is between backticks counts as one name, a list of names too; digits are alike, and so are
singular and plural. `own names aside`: what is between backticks counts as the names in it that the program does not define, which are those
of std and of the primitive types.

Each line of the results is one file, with its raw sentences: a later reading may compare them otherwise. A file that is in it is not run
again. Without --mcve nothing is run: the results are read, and --look prints diagnostics and reduced programs for a person.
"""
import argparse, hashlib, json, random, re, shlex, subprocess, tempfile, time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import asdict, dataclass
from pathlib import Path
from string import Template

from side_by_side import tokens

SEED = "diagnostic sweep"
LINES, PER_CODE = 120, 12
WOVEN_LINES = 200

# Sources

APT = """Dir::Etc::SourceList "{apt}/sources.list";
Dir::Etc::SourceParts "/dev/null";
Dir::State::Lists "{apt}/lists";
Dir::Cache "{apt}/cache";
APT::Sandbox::User "root";
"""
KEYS = "/usr/share/keyrings/debian-archive-keyring.gpg"


def apt(program, *args, config=None, cwd=None):
    """What a program of apt prints, by the system's configuration or this one."""
    env = ["env", f"APT_CONFIG={config}"] if config else []
    done = subprocess.run([*env, program, *args], cwd=cwd, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    return done.stdout


def sources(cache):
    """The folder `tests/ui` in the cache, which apt-get downloads if it is not there yet."""
    found = sorted(cache.glob("rustc-*-src/tests/ui"))
    if found:
        return found[0]
    own = cache / "apt"
    for folder in ("lists/partial", "cache/archives/partial"):
        (own / folder).mkdir(parents=True, exist_ok=True)
    mirrors = apt("apt-get", "indextargets", "--format", "$(REPO_URI)", "Created-By: Packages", "Label: Debian").split()
    if not mirrors:
        raise SystemExit("apt knows no mirror of Debian: run apt-get update")
    config = own / "apt.conf"
    config.write_text(APT.format(apt=own))
    (own / "sources.list").write_text(f"deb-src [signed-by={KEYS}] {mirrors[0]} sid main\n")
    apt("apt-get", "update", config=config)
    versions = re.findall(r"^Version: (\S+)", apt("apt-cache", "showsrc", "rustc", config=config), re.M)
    release = installed().split()[1]
    version = [version for version in versions if version.startswith(release)] or versions
    if not version:
        raise SystemExit("apt knows no sources of rustc")
    # What counts is the archive: of an older release the description may be gone already.
    apt("apt-get", "source", "--download-only", f"rustc={version[-1]}", config=config, cwd=cache)
    archives = sorted(cache.glob("rustc_*.orig.tar.xz"))
    if not archives:
        raise SystemExit(f"apt-get could not download the sources of rustc {version[-1]}")
    subprocess.run(["tar", "--extract", "--xz", "--file", archives[-1], "--directory", cache, "--wildcards", "*/tests/ui/*"], check=True)
    return sorted(cache.glob("rustc-*-src/tests/ui"))[0]


def installed():
    return subprocess.run(["rustc", "--version"], capture_output=True, text=True, check=True).stdout.strip()


# Diagnostics

@dataclass
class Diagnostic:
    """What rustc says of a program: its first error in parts, and how many there are."""
    errors: int
    codes: list      # of all errors; the message where there is no code
    code: str | None
    message: str
    parts: list      # of (kind, text, whether it comes with a suggestion)
    rendered: str


def run_rustc(words, text):
    """Runs a command on a program; its messages, or nothing if the compiler crashes or does not end."""
    with tempfile.TemporaryDirectory(prefix="sweep-rustc-") as folder:
        Path(folder, "case.rs").write_text(text)
        try:
            done = subprocess.run(["env", *words, "--error-format=json", "--out-dir", "out"], cwd=folder, stdin=subprocess.DEVNULL,
                                  capture_output=True, text=True, errors="replace", timeout=60)
        except subprocess.TimeoutExpired:
            return None
    if done.returncode not in (0, 1):
        return None
    said = [json.loads(line) for line in done.stderr.splitlines() if line.startswith("{")]
    return [message for message in said if message.get("$message_type", "diagnostic") == "diagnostic"]


def diagnose(words, text, code=None):
    """The error of a program: of several the first one with this code, or else the first one; none if it has none."""
    said = run_rustc(words, text)
    errors = [one for one in said or [] if one["level"] == "error" and not one["message"].startswith("aborting due to")]
    if not errors:
        return None
    code_of = lambda error: (error["code"] or {}).get("code")
    error = next((error for error in errors if code_of(error) == code), errors[0])
    parts = [("message", error["message"], False), *labels(error)]
    for child in error["children"]:
        if child["level"] in ("note", "help"):
            is_suggestion = any(span["suggested_replacement"] is not None for span in child["spans"])
            parts.append((child["level"], child["message"], is_suggestion))
            parts += [] if is_suggestion else labels(child)
    codes = [code_of(one) or one["message"] for one in errors]
    return Diagnostic(len(errors), codes, code_of(error), error["message"], parts, error["rendered"])


def labels(said):
    return [("label", span["label"], False) for span in said["spans"] if span["label"]]


# Sentences

# How a help begins that is advice.
ADVICE = re.compile(r"""(?x)(?:or\ |and\ |alternatively,?\ |instead,?\ |please\ )* (?: (?:
    consider|try|use|using|add|remove|change|replace|rename|specify|bind|wrap|ensure|provide|move|make|insert|write|import|copy|pass|
    define|mark|escape|convert|create|declare|implement|introduce|restrict|borrow|clone|dereference|call|surround|enclose|give|put|store|
    initialize|separate|swap|prefix|qualify|return|cast|unwrap|assign|annotate|bring|ignore|choose|turn|set|box|delete|name|place|
    you|perhaps|maybe|there|similar|if|to|did|have|do|see|valid)\b | for\ more\ | a\ .*\bsimilar)""")
# Where advice, lists of what else there is, and words on rustc itself are known by, in any note or help.
ASIDE = re.compile(r"""(?x)
    ^consider | ^to\ (?:coerce|learn|ignore|declare|fix|use|create|call)\b | ^define\ and\ implement | ^if\ you | ^if\ .*\ you\ could | perhaps |
    similarly\ named | similar\ name\ exists | following\ (?:other\ )?types\ implement | ^only\ type\ .*\ implements\  |
    ^the\ (?:nightly-only,\ unstable\ )?trait\ `[^`]*`\ is\ implemented\ for | ^this\ trait\ has\ no\ implementations |
    ^items\ from\ traits\ can\ only | following\ traits?\ (?:is|are|defines?)\b |
    full\ (?:name\ for\ the\ )?type|full\ name\ | --verbose | --explain | originates\ in\ the | on\ by\ default | lint\ level\ is\ defined |
    requested\ on\ the\ command\ line | implied\ by | redundant\ requirement | duplicate\ diagnostic | compiler\ was\ built |
    ^for\ (?:more|information|a\ full\ list)\b | ^see\  | ^visit\  | ^[^;\n]*https?:// | feature\(|crate\ attributes\ to\ enable |
    raw\ bytes\ of\ the\ constant""")
ASIDE_LABEL = re.compile("consider |you (?:can|could|might|may) |try |perhaps |similarly named")
# What comes behind a sentence: other impls that there are, and where to read on.
TAIL = re.compile(r"(?s)\n\s*- impl.*|\n\s*but trait .*|,? but trait .*is implemented for it.*|[;\n(]\s*(?:for more|see|visit)\b[^\n]*")
# Words that belong together as singular and plural do. An `s` at the end of longer words goes.
SAME = {"are": "is", "were": "was", "these": "this", "those": "that", "an": "a"}
PLURAL = re.compile(r"\b(?!does\b|always\b)([A-Za-z]{2,}[^\Wsui\d_])s\b")
LIST = re.compile(r"(?:\(\?\))?_(?:(?:, | and | or |, and |, or )_)+")
KEYWORDS = set("""_ as async await box break const continue crate dyn else enum extern false fn for gen if impl in let loop match mod move mut pub
    ref return self Self static struct super trait true type union unsafe use where while""".split())
PRIMITIVES = set("bool char str u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize f16 f32 f64 f128".split())


def is_aside(kind, text, is_suggestion):
    """Whether a part does not belong to the question."""
    if kind == "message":
        return False
    if kind == "label":
        return ASIDE_LABEL.match(text) is not None
    return is_suggestion or ASIDE.search(text) is not None or kind == "help" and ADVICE.match(text) is not None


def own_names(text):
    """What a program defines, by its words alone: items, generics, variants, and small names that stand free. Keywords are no names."""
    names = set(re.findall(r"\b(?:fn|struct|enum|union|trait|type|mod|const|static|macro_rules!|as)\s+(?:mut\s+)?([A-Za-z_]\w*)", text))
    for generics in re.findall(r"\b(?:(?:fn|struct|enum|union|trait|type)\s+\w+|impl)\s*<((?:[^<>]|<[^<>]*>)*)>", text):
        names.update(re.findall(r"(?:^|,|\bconst)\s*([A-Za-z_]\w*)", generics))
    for body in re.findall(r"\benum\s+\w+[^{;]*\{((?:[^{}]|\{[^{}]*\})*)\}", text):
        flat = re.sub(r"\{[^{}]*\}|\([^()]*\)|#\[[^\]]*\]", "", body)
        names.update(re.findall(r"(?:^|,)\s*([A-Za-z_]\w*)", flat))
    names.update(re.findall(r"(?<![.:'\w])([a-z_]\w*)\b(?!\s*!|::)", text))
    return names - PRIMITIVES | KEYWORDS


def quoted(text, own):
    """What is between backticks without the own names, keywords and all that is no name: what is left comes from std or the language."""
    text = re.sub(r"<eof>|\{\w+[@#][^{}]*\}|'(?!static\b)\w+|\b\w+::(?=\w)", "", text)
    names = [name for name in re.findall(r"\b[A-Za-z_]\w*", text) if name not in own]
    return f"`{' '.join(names)}`" if names else "_"


def sentence(text, own):
    """A part in the form that is compared; `own` is none where all names are put aside."""
    pieces = TAIL.sub("", text).split("`")
    for at in range(0, len(pieces), 2):
        words = re.sub(r"\d+", "#", pieces[at])
        words = re.sub(r"\b[a-z]+\b", lambda word: SAME.get(word[0], word[0]), words)
        pieces[at] = PLURAL.sub(r"\1", words)
    for at in range(1, len(pieces), 2):
        pieces[at] = "_" if own is None else quoted(pieces[at], own)
    text = re.sub(r"\s+", " ", "".join(pieces)).strip()
    return LIST.sub("_", re.sub(r"\b_s\b", "_", text))


def sentences(diagnostic, own=None):
    """The sentences of a diagnostic that are compared."""
    if diagnostic is None:
        return set()
    code = diagnostic["code"]
    said = {f"{kind}: {sentence(text, own)}" for kind, text, is_suggestion in diagnostic["parts"] if not is_aside(kind, text, is_suggestion)}
    return said | ({f"code: {code}"} if code else set())


# Weaving

TEMPLATES = [Template(text.strip("\n")) for text in ["""
#[derive(Clone, Debug, PartialEq)]
struct $A {
    label: String,
    weight: u32,
    marks: Vec<u8>,
}

impl $A {
    fn $f(label: &str, weight: u32) -> Self {
        $A { label: label.to_string(), weight: weight + $n, marks: vec![$m, $k] }
    }

    fn $g(&self) -> u32 {
        let mut total = self.weight;
        for mark in &self.marks {
            if *mark > $k {
                total += u32::from(*mark);
            } else {
                total = total.saturating_sub($n);
            }
        }
        total
    }
}
""", """
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum $A {
    $B,
    $C(u16),
    $D { wide: i32, high: i32 },
}

fn $f(shape: $A) -> i32 {
    match shape {
        $A::$B => $n,
        $A::$C(size) if size > $m => i32::from(size) * $k,
        $A::$C(size) => i32::from(size),
        $A::$D { wide, high } => wide * high - $k,
    }
}
""", """
trait $A {
    fn $f(&self) -> usize;

    fn $g(&self) -> usize {
        self.$f() * $n + $k
    }
}

struct $B(usize);

struct $C {
    rows: Vec<Vec<char>>,
}

impl $A for $B {
    fn $f(&self) -> usize {
        self.0 % $m
    }
}

impl $A for $C {
    fn $f(&self) -> usize {
        self.rows.iter().map(|row| row.len()).sum()
    }
}
""", """
fn $f(numbers: &[i64]) -> Vec<i64> {
    let limit = $n;
    let scaled = |number: i64| number * $k + limit;
    numbers
        .iter()
        .copied()
        .filter(|number| *number % $m != 0)
        .map(scaled)
        .take_while(|number| *number < 10_000)
        .collect()
}
""", """
fn $f(text: &str) -> usize {
    let mut longest = 0;
    let mut current = 0;
    for character in text.chars() {
        if character.is_alphabetic() {
            current += 1;
            if current > longest {
                longest = current;
            }
        } else {
            current = 0;
        }
    }
    while longest > $n {
        longest -= $k;
    }
    longest
}
""", """
fn $f(words: &[&str]) -> Option<(String, usize)> {
    let mut counts = std::collections::BTreeMap::new();
    for word in words {
        *counts.entry(word.to_lowercase()).or_insert(0usize) += 1;
    }
    counts.into_iter().filter(|(_, count)| *count >= $k).max_by_key(|(_, count)| *count)
}
""", """
fn $f(line: &str) -> Result<u64, String> {
    let (name, value) = match line.find('=') {
        Some(at) => (&line[..at], &line[at + 1..]),
        None => return Err(format!("no value in {:?}", line)),
    };
    let value = value.trim().parse::<u64>().map_err(|error| format!("{}: {}", name, error))?;
    if value > $n {
        return Err(format!("{} is more than {}", value, $n));
    }
    Ok(value * $k)
}

#[test]
fn $g() {
    assert_eq!($f("depth=3"), Ok(3 * $k));
    assert!($f("depth").is_err());
}
""", """
struct $A {
    entries: std::collections::HashMap<u32, String>,
    next: u32,
}

impl $A {
    fn $f(&mut self, entry: String) -> u32 {
        let key = self.next;
        self.next = key.wrapping_mul($k).wrapping_add($n);
        self.entries.insert(key, entry);
        key
    }

    fn $g(&self, key: u32) -> &str {
        match self.entries.get(&key) {
            Some(entry) => entry,
            None => "nothing",
        }
    }
}
""", """
struct $A<'a, T> {
    items: &'a [T],
    at: usize,
}

impl<'a, T: PartialOrd> $A<'a, T> {
    fn $f(&mut self, bound: &T) -> Option<&'a T> {
        while self.at < self.items.len() {
            let item = &self.items[self.at];
            self.at += $k;
            if item > bound {
                return Some(item);
            }
        }
        None
    }
}
""", """
fn $f(size: usize) -> Vec<Vec<u32>> {
    let mut grid = vec![vec![0u32; size]; size];
    for row in 0..size {
        for column in 0..size {
            grid[row][column] = ((row * $n + column * $k) % $m) as u32;
        }
    }
    grid
}

fn $g(grid: &[Vec<u32>]) -> u32 {
    grid.iter().enumerate().map(|(at, row)| row[at % row.len()]).fold(0, |sum, cell| sum ^ cell)
}

#[test]
fn $h() {
    let grid = $f(4);
    assert_eq!(grid.len(), 4);
    assert!($g(&grid) <= $m);
}
""", """
mod $f {
    pub const LIMIT: u32 = $n;

    pub fn $g(step: u32, apply: impl Fn(u32) -> u32) -> u32 {
        let mut value = step;
        loop {
            value = apply(value).min(LIMIT);
            if value == LIMIT || value % $m == 0 {
                break value;
            }
            value += $k;
        }
    }
}

fn $h() -> Box<dyn Fn(u32) -> u32> {
    let offset = $f::$g($k, |value| value + $m);
    Box::new(move |value| value + offset)
}
"""]]
NOUNS = """Ledger Shelf Kettle Harbour Lantern Orchard Pebble Satchel Turbine Wicket Anvil Barrel Cobbler Drawer Easel Furrow Gasket Hamper
    Inkwell Jigsaw Kiosk Locker Magnet Nozzle Oven Parcel Quarry Rudder Spindle Trellis""".split()
KINDS = "Amber Brisk Calm Dusty Early Faint Grand Hollow Ivory Keen Lofty Misty Narrow Olive Plain Quiet Rusty Silent Tidy Upper Vivid".split()
VERBS = "gather settle measure unfold weigh sketch polish arrange borrowed_from trim collate steer ripen stack mend ladle".split()


class Names:
    """Names that the file does not have and that no piece has had."""

    def __init__(self, chance, text):
        self.chance, self.taken = chance, set(re.findall(r"\w+", text))

    def new(self, is_type):
        while True:
            kind, noun, verb = map(self.chance.choice, (KINDS, NOUNS, VERBS))
            name = kind + noun if is_type else f"{verb}_{kind}_{noun}".lower()
            if name not in self.taken:
                self.taken.add(name)
                return name


def piece(chance, names):
    """A few items that belong together and to nothing else."""
    words = {letter: names.new(is_type=True) for letter in "ABCD"} | {letter: names.new(is_type=False) for letter in "fgh"}
    return chance.choice(TEMPLATES).substitute(words, n=chance.randint(20, 90), m=chance.randint(5, 19), k=chance.randint(2, 4))


def pieces(chance, names, lines):
    """Pieces of so many lines."""
    text = ""
    while text.count("\n") < lines:
        text += piece(chance, names) + "\n\n"
    return text


def first_item(text):
    """The offset behind what may only stand at the top: comments, inner attributes, imports."""
    skipped = re.compile(r"(?s)\s+|//(?!/[^/])[^\n]*|/\*(?!\*).*?\*/|#!\[[^\n]*?\]\s*?\n|(?:pub )?use\s[^;]*;|extern crate [^;]*;")
    at = 0
    while (found := skipped.match(text, at)) and found.end() > at:
        at = found.end()
    return at


def weave(name, text, lines=WOVEN_LINES):
    """The forms of a file with other code around it, the one to be preferred first."""
    chance = random.Random(f"{SEED} {name}")
    names = Names(chance, text)
    front, back = pieces(chance, names, lines * 3 // 10), pieces(chance, names, lines * 7 // 10)
    at = first_item(text)
    head, body = text[:at], text[at:]
    join = lambda *parts: "\n\n".join(part.strip("\n") for part in parts if part.strip()) + "\n"
    # An error in syntax may let nothing stand behind it, and one at the top nothing in front.
    return [join(head, front, body, back), join(text, front, back), join(head, front, back, body)]


# The sample

NEEDS = re.compile(r"^\s*//\s?@\s*(?:aux-|proc-macro|revisions|rustc-env|incremental|known-bug|compile-flags:(?!\s*--edition[= ]\d+\s*$))|"
                   r"#!\[feature|#!\[(?:deny|forbid)\(|#!\[no_core|\binclude(?:_str|_bytes)?!|^\s*(?:pub )?mod \w+;|^#!(?!\[)", re.M)
HEADER = re.compile(r"^[ \t]*//\s?@[^\n]*\n?|[ \t]*//\[?[\w,]*\]?~[^\n]*", re.M)


@dataclass
class Case:
    """A file of the sample, as it is and woven."""
    file: str
    group: str     # its code, or its message
    edition: str
    text: str
    woven: str
    before: dict   # the diagnostic of both


def expected(path):
    """The group of a file by what the suite expects: nothing if this is not one error."""
    try:
        lines = re.findall(r"^error(?:\[(\w+)\])?: (.*)", path.with_suffix(".stderr").read_text(), re.M)
    except (OSError, UnicodeDecodeError):
        return None
    errors = [(code, message) for code, message in lines if not message.startswith("aborting due to")]
    return group(*errors[0]) if len(errors) == 1 else None


def group(code, message):
    return code or sentence(message, None)


def headers(text, edition):
    """The headers that mcve and rustc run a program by."""
    is_library = not re.search(r"\bfn\s+main\b|#!\[(?:crate_type|no_main)", text)
    return f"//@ edition: {edition}\n" + ("//@ compile-flags: --crate-type=lib\n" if is_library else "")


def call(text, edition):
    """The command that does what the headers say."""
    kind = ["--crate-type=lib"] if "compile-flags: --crate-type=lib" in text else []
    return ["rustc", f"--edition={edition}", *kind, "--emit=obj", "case.rs"]


def probe(path, name):
    """The case of a file, or why there is none."""
    try:
        text = path.read_text()
    except UnicodeDecodeError:
        return "is not UTF-8"
    if NEEDS.search(text) or len(text.splitlines()) >= LINES:
        return "needs something else, or is long"
    edition = re.search(r"^//\s?@?\s*(?:edition:|compile-flags:\s*--edition)[= ]*(\d{4})", text, re.M)
    edition = edition[1] if edition else "2021"
    text = HEADER.sub("", text)
    head = headers(text, edition)
    before = diagnose(call(head, edition), head + text)
    if before is None or before.errors != 1:
        return "is not one error"
    if len(before.parts) < 2:
        return "has neither labels nor notes"
    said = asdict(before)
    for woven in weave(name, text):
        again = diagnose(call(head, edition), head + woven)
        if again and again.errors == 1 and sentences(asdict(again)) == sentences(said):
            return Case(name, group(before.code, before.message), edition, head + text, head + woven, said)
    return "has another diagnostic once it is woven"


class Sample:
    """The files in the order in which they are taken, with what is known of them from earlier runs."""

    def __init__(self, cache):
        self.root = sources(cache)
        version = "\n".join([installed(), SEED, str(WOVEN_LINES), *(template.template for template in TEMPLATES), NEEDS.pattern])
        self.path = cache / f"probes-{hashlib.sha256(version.encode()).hexdigest()[:12]}.jsonl"
        self.known = {row["file"]: row for row in read(self.path)}

    def look(self, path):
        name = str(path.relative_to(self.root))
        if name not in self.known:
            found = probe(path, name)
            self.known[name] = asdict(found) if isinstance(found, Case) else {"file": name, "refused": found}
            append(self.path, self.known[name])
        row = self.known[name]
        return row["refused"] if "refused" in row else Case(**row)

    def take(self, count):
        """The first so many cases; and why files between them are none."""
        files = sorted(path for path in self.root.rglob("*.rs") if expected(path) is not None)
        random.Random(SEED).shuffle(files)
        cases, groups, refused = [], Counter(), Counter()
        for path in files:
            if len(cases) == count:
                break
            if groups[expected(path)] >= PER_CODE:
                continue
            case = self.look(path)
            if isinstance(case, str):
                refused[case] += 1
                continue
            has_code = case.before["code"] is not None
            if groups[case.group] < PER_CODE and (has_code or groups["without"] * 4 <= len(cases)):
                groups[case.group] += 1
                groups["without"] += not has_code
                cases.append(case)
        return cases, refused


def read(path):
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def append(path, row):
    with open(path, "a") as out:
        out.write(json.dumps(row) + "\n")


# Reducing

def reduce(case, args):
    """Reduces a woven file, and asks rustc about the result by the command that mcve names."""
    row = dict(file=case.file, group=case.group, edition=case.edition, original=case.text, before=case.before, after=None, text=None)
    with tempfile.TemporaryDirectory(prefix="sweep-", ignore_cleanup_errors=True) as folder:
        Path(folder, "case.rs").write_text(case.woven)
        limits = ["--jobs", str(args.jobs), "--budget", f"{args.budget}s"]
        argv = [args.mcve, "case.rs", "--output", "result.rs", *limits, "--message-format", "json"]
        start = time.time()
        try:
            done = subprocess.run(argv, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=args.budget + 120)
        except subprocess.TimeoutExpired:
            return dict(row, failed="mcve does not end")
        row["seconds"] = round(time.time() - start, 1)
        events = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
        end = next((event for event in events if event["event"] == "finished"), None)
        if end is None or not Path(folder, "result.rs").exists():
            return dict(row, failed=done.stderr[-600:])
        row["text"] = Path(folder, "result.rs").read_text()
    row.update(failure=end["failure"], ending=end["ending"], checks=end["checks"], command=end["command"])
    row.update(tokens_original=tokens(case.text), tokens_before=tokens(case.woven), tokens_after=tokens(row["text"]))
    words = ["case.rs" if word.endswith("result.rs") else word for word in shlex.split(end["command"])]
    after = diagnose(words, row["text"], case.before["code"])
    return dict(row, after=after and asdict(after))


def sweep(cases, args):
    """Reduces what is not in the results yet."""
    done = {row["file"] for row in read(args.out)}
    left = [case for case in cases if case.file not in done]
    with ThreadPoolExecutor(args.workers) as pool:
        runs = [pool.submit(reduce, case, args) for case in left]
        for at, run in enumerate(as_completed(runs), 1):
            row = run.result()
            append(args.out, row)
            print(f"{at}/{len(left)} {row['file']} ({row['group']}): {judged(row)}", flush=True)


# What came of it

@dataclass
class Change:
    """What a reduction did to the sentences."""
    lost: set
    new: set
    other_errors: list

    def __str__(self):
        kinds = [name for name, has in (("lost", self.lost), ("new", self.new), ("new error", self.other_errors)) if has]
        return " and ".join(kinds) or "kept"


def change(row, own_aside=False):
    """The change of a result, by one of the two ways to compare."""
    # Names of the original may be left where their definition is gone.
    own = own_names(row["original"]) | own_names(row["text"]) if own_aside else None
    before, after = sentences(row["before"], own), sentences(row["after"], own)
    others = list(row["after"]["codes"]) if row["after"] else []
    if row["before"]["code"] in others or others:
        others.remove(row["before"]["code"] if row["before"]["code"] in others else others[0])
    return Change(before - after, after - before, others)


def judged(row):
    """A result in one line."""
    if row.get("failed") is not None:
        return f"failed: {row['failed'].strip()}"
    size = f"{row['tokens_before']} -> {row['tokens_after']} tokens, {row['checks']} checks, {row['seconds']} s, {row['ending']}"
    return f"{change(row)} / {change(row, own_aside=True)}; {size}"


def totals(rows, show):
    """Prints how many kept their sentences, by both ways, and which sentences come and go."""
    ran = [row for row in rows if row.get("failed") is None]
    print(f"\n{len(rows)} files, {len({row['group'] for row in rows})} codes or messages; {len(rows) - len(ran)} failed")
    if not ran:
        return
    print("\n| compared with | files | kept | lost only | new only | lost and new | of them with a new error |\n" + "| --- " * 7 + "|")
    for name, own_aside in (("names aside", False), ("own names aside", True)):
        changes = [change(row, own_aside) for row in ran]
        count = lambda lost, new: sum((bool(one.lost), bool(one.new)) == (lost, new) for one in changes)
        counts = [count(False, False), count(True, False), count(False, True), count(True, True), sum(bool(one.other_errors) for one in changes)]
        print(f"| {name} | {len(ran)} | " + " | ".join(map(str, counts)) + " |")
    total = lambda name: sum(row[name] for row in ran)
    print(f"\ntokens {total('tokens_before'):,} (original {total('tokens_original'):,}) -> {total('tokens_after'):,}; {total('checks'):,} checks; "
          f"{total('seconds'):,.0f} s; {sum(row['ending'] != 'complete' for row in ran)} out of time")
    for kind in ("lost", "new"):
        said = Counter(said for row in ran for said in getattr(change(row), kind))
        print(f"\n{kind}: {sum(said.values())} sentences" + (", most often:" if show else ""))
        for text, count in said.most_common(show):
            where = next(row["file"] for row in ran if text in getattr(change(row), kind))
            print(f"{count:4} {text}   ({where})")


def look(rows, count):
    """Prints results for a person to read: those of which something changed first."""
    ran = [row for row in rows if row.get("failed") is None]
    for row in sorted(ran, key=lambda row: str(change(row)) == "kept")[:count]:
        now, strict = change(row), change(row, own_aside=True)
        print(f"{'=' * 100}\n{row['file']}: {now} / {strict}\n\n{row['before']['rendered']}{'-' * 60} {row['command']}\n{row['text']}{'-' * 60}")
        print(row["after"]["rendered"] if row["after"] else "no error")
        seen = [("lost", now.lost), ("new", now.new), ("lost name", strict.lost - now.lost), ("new name", strict.new - now.new)]
        for name, said in seen + [("new error", now.other_errors)]:
            print("".join(f"{name}: {text}\n" for text in sorted(said)), end="")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mcve", help="the mcve to run; without it the results are only read")
    parser.add_argument("--count", type=int, default=400, help="how many files")
    parser.add_argument("--start", type=int, default=0, help="how many files of the sample are left out before")
    parser.add_argument("--workers", type=int, default=1, help="how many files at once")
    parser.add_argument("--jobs", type=int, default=1, help="--jobs of each mcve")
    parser.add_argument("--budget", type=lambda text: int(text.removesuffix("s")), default=60, help="seconds for a file")
    parser.add_argument("--cache", type=Path, default=Path(tempfile.gettempdir(), "mcve-diagnostic-sweep"), help="where the sources are")
    parser.add_argument("--out", type=Path, default=Path("results.jsonl"))
    parser.add_argument("--show", type=int, default=20, help="how many sentences are named that come or go")
    parser.add_argument("--look", type=int, nargs="?", const=50, help="prints so many results for a person")
    args = parser.parse_args()
    if args.mcve:
        args.mcve = str(Path(args.mcve).resolve())
        args.cache.mkdir(parents=True, exist_ok=True)
        cases, refused = Sample(args.cache.resolve()).take(args.start + args.count)
        print(f"{len(cases)} cases; " + ", ".join(f"{count} files: {why}" for why, count in refused.most_common()), flush=True)
        sweep(cases[args.start:], args)
    rows = read(args.out)
    if args.look:
        look(rows, args.look)
    else:
        totals(rows, args.show)


if __name__ == "__main__":
    main()
