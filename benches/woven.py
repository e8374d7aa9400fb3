#!/usr/bin/env python3
"""Bugs woven into real crates: what mcve makes of a test that fails, or a `main` that panics, because of one wrong line.

usage: woven.py OUT.jsonl [--modes reduce,repair,before] [--only CRATE,..] [--cap SECONDS] [--jobs N] [--table]

cargo downloads the crates (pinned versions) where it does not have them. A copy of the sources gets the bug and a few lines that
fail because of it. `reduce` and `repair` are `mcve FILE` and `mcve repair FILE` without a script, by the mcve in PATH or in the
variable TOOL_MCVE. `before` is an older mcve (TOOL_BEFORE) with the script that a user would write; it runs the five crates of the
table of speed. All runs of a crate follow each other, so that they meet the same machine. Each line of OUT.jsonl is one run.
`--table` runs nothing and prints OUT.jsonl as Markdown.

A repair names the bug if its patch changes its line, or what is in the block whose head that line is. A result shows the bug if the wrong text is in it and the test
passes once that text is corrected in it.
"""
import argparse, json, os, re, shutil, subprocess, tempfile, threading, time
from dataclasses import dataclass
from difflib import SequenceMatcher, unified_diff
from pathlib import Path

from side_by_side import tokens

HERE = Path(__file__).resolve().parent


@dataclass
class Bug:
    """One wrong line in a crate, and what fails because of it."""
    crate: str
    version: str
    edition: str
    file: str      # the file with the wrong line, below `src`
    good: str      # what is there, once
    bad: str       # what takes its place
    function: str  # the function that the bug is in
    call: str      # what the test calls
    entry: str     # appended to `lib.rs`: a `#[test]`, or `main`
    is_timed: bool = False  # whether it is in the table of speed
    features: tuple = ()  # those that are on

    @property
    def options(self):
        """What rustc needs besides the edition."""
        return [word for feature in self.features for word in ("--cfg", f'feature="{feature}"')]

    @property
    def test(self):
        """The name of the test; none where `main` panics."""
        found = re.search(r"#\[test\]\s*fn (\w+)", self.entry)
        return found and found[1]


BUGS = [
    # A factor is forgotten.
    Bug("json", "0.12.4", "2018", "parser.rs", "big_e.saturating_add(e * sign)", "big_e.saturating_add(e)", "expect_exponent", "parse", """
fn main() {
    let order = parse(r#"{ "item": "rope", "metres": [2.5, 4], "price": 25e-1, "paid": true }"#).unwrap();
    println!("{}", order.pretty(4));
    assert_eq!(order["item"], "rope");
    assert_eq!(order["price"].as_f64(), Some(2.5));
}
""", is_timed=True),
    # Another operator.
    Bug("bit-vec", "0.6.3", "2015", "lib.rs", "changed_bits = changed_bits | (*a ^ w);", "changed_bits = changed_bits & (*a ^ w);", "process", "union", """
#[test]
fn union_tells_that_it_changed_something() {
    let mut a = BitVec::from_bytes(&[0b10000000]);
    let b = BitVec::from_bytes(&[0b01000000]);
    assert_eq!(a.union(&b), true);
    assert_eq!(a, BitVec::from_bytes(&[0b11000000]));
}
""", is_timed=True, features=("std",)),
    # Another variable.
    Bug("smallvec", "1.13.2", "2018", "lib.rs", "self.swap(i - del, i);", "self.swap(i - del, del);", "retain", "retain", """
#[test]
fn retain_keeps_the_order() {
    let mut numbers: SmallVec<[u32; 4]> = (1..=6).collect();
    numbers.retain(|number| *number % 2 == 0);
    assert_eq!(numbers.as_slice(), &[2, 4, 6]);
}
""", is_timed=True),
    # Off by one.
    Bug("lexopt", "0.3.0", "2018", "lib.rs",
        "State::PendingValue(OsString::from_vec(arg[ind + 1..].into()))", "State::PendingValue(OsString::from_vec(arg[ind..].into()))", "next", "value", """
fn main() {
    let mut parser = Parser::from_args(["--verbose", "--width=12", "in.txt"]);
    let mut width = 80;
    while let Some(arg) = parser.next().unwrap() {
        match arg {
            Arg::Long("verbose") => println!("verbose"),
            Arg::Long("width") => width = parser.value().unwrap().parse().unwrap(),
            Arg::Value(name) => println!("{:?}", name),
            other => panic!("{}", other.unexpected()),
        }
    }
    assert_eq!(width, 12);
}
""", is_timed=True),
    # Another assignment.
    Bug("vec_map", "0.8.2", "2015", "lib.rs", "self.n -= taken;", "self.n = taken;", "split_off", "split_off", """
#[test]
fn split_off_leaves_the_rest() {
    let mut months = VecMap::new();
    months.insert(1, "Jan");
    months.insert(2, "Feb");
    months.insert(3, "Mar");
    let rest = months.split_off(3);
    assert_eq!(rest.len(), 1);
    assert_eq!(months.len(), 2);
}
""", is_timed=True),
    # Another method.
    Bug("pico-args", "0.5.0", "2018", "lib.rs", "if s.starts_with('-') {", "if s.contains('-') {", "subcommand", "subcommand", """
#[test]
fn a_subcommand_may_have_a_dash() {
    let mut args = Arguments::from_vec(vec!["dry-run".into(), "--color".into(), "never".into()]);
    assert_eq!(args.subcommand().unwrap(), Some("dry-run".to_string()));
    assert_eq!(args.value_from_str::<_, String>("--color").unwrap(), "never");
}
"""),
    # A case is missing.
    Bug("shlex", "1.3.0", "2015", "bytes.rs", """'$' | '`' | '"' | '\\\\' => { result.push(ch3); },""",
        """'$' | '"' | '\\\\' => { result.push(ch3); },""", "parse_double", "split", r"""
#[test]
fn a_backquote_is_escaped_in_double_quotes() {
    assert_eq!(split("echo \"a \\`b\\`\""), Some(vec!["echo".to_owned(), "a `b`".to_owned()]));
}
"""),
    # Another comparison.
    Bug("humantime", "2.4.0", "2021", "date.rs", "if leap && month > 2 {", "if leap && month >= 2 {", "parse_rfc3339_weak", "parse_rfc3339", """
fn main() {
    let time = parse_rfc3339("2024-02-10T12:30:00Z").unwrap();
    assert_eq!(format_rfc3339(time).to_string(), "2024-02-10T12:30:00Z");
}
"""),
    # `||` for `&&`.
    Bug("heck", "0.5.0", "2021", "lib.rs", "if next_mode == WordMode::Lowercase && next.is_uppercase() {",
        "if next_mode == WordMode::Lowercase || next.is_uppercase() {", "transform", "to_snake_case", """
#[test]
fn an_acronym_is_a_word() {
    assert_eq!("XMLHttpRequest".to_snake_case(), "xml_http_request");
}
"""),
    # A term is forgotten.
    Bug("hex", "0.4.3", "2018", "lib.rs", "b'a'..=b'f' => Ok(c - b'a' + 10),", "b'a'..=b'f' => Ok(c - b'a'),", "val", "decode", """
fn main() {
    assert_eq!(encode("kiwi"), "6b697769");
    assert_eq!(decode("6b697769"), Ok(b"kiwi".to_vec()));
}
""", features=("alloc", "std")),
]

SECONDS = [10, 30, 60, 120, 300]


def sources(bug):
    """The folder `src` of the crate, which cargo downloads if it is not there yet."""
    home = Path(os.environ.get("CARGO_HOME", Path.home() / ".cargo"))
    name = f"registry/src/*/{bug.crate}-{bug.version}/src"
    if not any(home.glob(name)):
        with tempfile.TemporaryDirectory() as base:
            Path(base, "lib.rs").touch()
            Path(base, "Cargo.toml").write_text(
                f'[package]\nname = "woven"\nversion = "0.0.0"\n[lib]\npath = "lib.rs"\n[dependencies]\n{bug.crate} = "={bug.version}"\n')
            subprocess.run(["cargo", "fetch", "--quiet"], cwd=base, check=True)
    return next(home.glob(name))


def weave(bug, work):
    """Writes the crate with the bug below `work`. Returns its root."""
    shutil.copytree(sources(bug), work / "src")
    root, broken = work / "src" / "lib.rs", work / "src" / bug.file
    text = broken.read_text()
    # Where a crate has a line twice, the first one is meant: the others are for other systems.
    at = text.index(bug.good)
    broken.write_text(text[:at] + bug.bad + text[at + len(bug.good):])
    headers = f"//@ edition: {bug.edition}\n" + (f"//@ compile-flags: {' '.join(bug.options)}\n" if bug.features else "")
    root.write_text(headers + root.read_text() + bug.entry)
    return root


def compiler(bug):
    return ["rustc", "--edition", bug.edition, *bug.options, *(["--test"] if bug.test else [])]


def fails(bug, root):
    """What the program says when it fails; nothing if it does not, or does not compile."""
    with tempfile.TemporaryDirectory() as base:
        run = Path(base, "run")
        if subprocess.run([*compiler(bug), root, "-o", run], capture_output=True).returncode:
            return None
        done = subprocess.run([run, *([bug.test] if bug.test else [])], capture_output=True, text=True, timeout=60,
                              env={**os.environ, "RUST_BACKTRACE": "0"})
        return None if done.returncode == 0 else done.stdout + done.stderr


def script(bug, said, path):
    """The script that a user would write: it compiles, runs, and looks for the message."""
    message = re.search(r"panicked at [^\n]*:\n((?:[^\n]+\n)+?)(?:note:|stack|\n|$)", said)[1].splitlines()
    looks = " && ".join(f"grep -qF -- {quoted(line.strip())} out" for line in message)
    compile = " ".join(map(quoted, compiler(bug)))
    path.write_text(f'#!/bin/sh\n{compile} "$1" -o run 2>&- || exit 1\ntimeout 10 ./run {bug.test or ""} >out 2>&1\n{looks}\n')
    path.chmod(0o755)


def quoted(word):
    return "'" + word.replace("'", "'\\''") + "'"


def listen(process, start, run):
    """Notes what the events of a run say."""
    for line in process.stdout:
        event = json.loads(line)
        now = round(time.time() - start, 1)
        match event["event"]:
            case "baseline":
                run["failure"] = event["failure"]
                run["checks_before"] = run["checks"]
            case "checked":
                run["checks"] += 1
            case "covered":
                run["reached"] = event["reached"]
            case "gained":
                # What is told late has the number of checks that it was found after.
                run["over_time"].append((now, event["size"]["tokens"], event.get("checks", run["checks"])))
            case "finished" | "contrasted":
                run["end"] = event


def mcve(bug, mode, root, cap, jobs, said):
    """Runs mcve on a woven crate, until it ends or the time is over."""
    tool = os.environ.get("TOOL_BEFORE" if mode == "before" else "TOOL_MCVE", "mcve")
    argv = [tool, *(["repair"] if mode == "repair" else []), root, "--jobs", str(jobs), "--budget", f"{cap:.0f}s", "--message-format", "json"]
    if mode == "before":
        script(bug, said, root.parent.parent / "test.sh")
        argv += ["--test", root.parent.parent / "test.sh"]
    else:
        argv += ["--test-name", bug.test] if bug.test else ["--run"]
    run = dict(crate=bug.crate, mode=mode, checks=0, over_time=[], end=None, failure=None)
    start = time.time()
    with open(root.parent.parent / "log", "w") as log:
        process = subprocess.Popen(argv, stdout=subprocess.PIPE, stderr=log, stdin=subprocess.DEVNULL, text=True)
    listener = threading.Thread(target=listen, args=(process, start, run))
    listener.start()
    try:
        process.wait(timeout=cap + 60)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    listener.join()
    run["seconds"] = round(time.time() - start, 1)
    run["code"] = process.returncode
    run["log"] = (root.parent.parent / "log").read_text()[-2000:]
    return run


def text_of(path):
    files = [path] if path.is_file() else sorted(path.rglob("*.rs"))
    return "\n".join(file.read_text() for file in files)


def reduced(bug, root, run):
    """Judges the result of a reduction."""
    result = root.with_name("lib_mcve.rs")
    if not result.exists():
        result = root.with_name("lib_mcve")
    run["tokens_in"] = sum(tokens(file.read_text()) for file in root.parent.rglob("*.rs") if not file.name.startswith("lib_mcve"))
    if not result.exists():
        return
    text = text_of(result)
    main = result if result.is_file() else next(result.rglob("lib.rs"))
    run.update(tokens=tokens(text), text=text, has_function=f"fn {bug.function}" in text, has_call=re.search(rf"\b{bug.call}\(", text) is not None)
    run["still_fails"] = fails(bug, main) is not None
    # The wrong text, however it is laid out now, also as the last expression of its block.
    bad, good = (text.rstrip(";") for text in (bug.bad, bug.good))
    words = [re.escape(word) for word in re.findall(r"\w+|[^\w\s]", bad)]
    wrong = re.compile(r"\s*".join(words))
    run["shows_bug"] = False
    for file in [main] if result.is_file() else result.rglob("*.rs"):
        before = file.read_text()
        if wrong.search(before):
            file.write_text(wrong.sub(lambda _: good, before, count=1))
            run["shows_bug"] = fails(bug, main) is None
            file.write_text(before)


def repaired(bug, run):
    """Judges a repair by the lines that it changes: that of the bug has to be one of them."""
    if not run["end"]:
        return
    failing, passing = (run["end"][key].splitlines() for key in ("fail", "pass"))
    blocks = SequenceMatcher(None, failing, passing, autojunk=False).get_opcodes()
    changed = [line for kind, first, end, *_ in blocks if kind != "equal" for line in range(first, end)]
    text = "\n".join(failing)
    at = text.index(bug.bad)
    first, last = text[:at].count("\n"), text[:at + len(bug.bad)].count("\n")
    if bug.bad.endswith("{"):
        last = block_end(failing, first)
    run.update(causes=run["end"]["causes"], changed=len(changed), patch="\n".join(unified_diff(failing, passing, n=0, lineterm="")))
    run["names_line"] = first in changed
    run["names_bug"] = any(first <= line <= last for line in changed)


def block_end(lines, head):
    """The last line of the block that begins in the line `head`, by how far it is indented."""
    indent = len(lines[head]) - len(lines[head].lstrip())
    return next((at for at in range(head + 1, len(lines)) if lines[at].startswith(" " * indent + "}")), head)


def tokens_at(run, second):
    """The size of the best program after so many seconds."""
    return [run["tokens_in"], *(size for at, size, _ in run["over_time"] if at <= second)][-1]


def tokens_after(run, checks):
    """The size of the best program after so many checks behind those of the unreduced program."""
    return [run["tokens_in"], *(size for _, size, made in run["over_time"] if made <= run["checks_before"] + checks)][-1]


def seconds_of(run):
    """How long it took; with a sign where the time was over before it ended."""
    is_complete = run["end"] is not None and run["end"]["ending"] == "complete"
    return f"{'' if is_complete else '>'}{run['seconds']:.0f}"


def yes(value):
    return "yes" if value else "no"


def table(rows):
    """Prints what was measured; of several runs of the same the last counts."""
    runs = {(row["crate"], row["mode"]): row for row in rows}
    of = lambda mode: [(bug, runs[bug.crate, mode]) for bug in BUGS if (bug.crate, mode) in runs]
    print("| crate | tokens | version |" + "".join(f" {second} s |" for second in SECONDS) + " end | checks | a second | seconds |")
    print("| --- " * (len(SECONDS) + 7) + "|")
    for bug, before in of("before"):
        both = [("before", before), ("now", runs.get((bug.crate, "reduce")))]
        for name, run in both:
            if run:
                sizes = "".join(f" {tokens_at(run, second):,} |" for second in SECONDS)
                rate = run["checks"] / run["seconds"]
                print(f"| {bug.crate} | {run['tokens_in']:,} | {name} |{sizes} {run['tokens']:,} | {run['checks']:,} | {rate:.1f} | {seconds_of(run)} |")
    print("\n| crate | tokens | the run reaches | after ten checks | ratio |\n" + "| --- " * 5 + "|")
    for bug, run in of("reduce"):
        if "reached" in run:
            size = tokens_after(run, 10)
            print(f"| {bug.crate} | {run['tokens_in']:,} | {run['reached']:,} | {size:,} | {size / run['reached']:.1f} |")
    print("\n| crate | function | tokens | tokens after | seconds | function is there | call is there | shows the bug |\n" + "| --- " * 8 + "|")
    for bug, run in of("reduce"):
        if "tokens" in run:
            judged = " | ".join(yes(run[key]) for key in ("has_function", "has_call", "shows_bug"))
            print(f"| {bug.crate} | `{bug.function}` | {run['tokens_in']:,} | {run['tokens']:,} | {seconds_of(run)} | {judged} |")
    print("\n| crate | the wrong line | repair | checks | seconds | names it |\n" + "| --- " * 6 + "|")
    for bug, run in of("repair"):
        found = "; ".join(run.get("causes", ["none"])).replace("|", "\\|")
        wrong = bug.bad.replace("|", "\\|")
        print(f"| {bug.crate} | `{wrong}` | {found} | {run['checks']} | {seconds_of(run)} | {yes(run.get('names_bug'))} |")
    print(f"\n{sum(run.get('names_bug', False) for _, run in of('repair'))} of {len(of('repair'))} repairs name the bug.")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out")
    parser.add_argument("--modes", default="reduce,repair,before")
    parser.add_argument("--only", default="")
    parser.add_argument("--cap", type=float, default=600)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--table", action="store_true")
    args = parser.parse_args()
    if args.table:
        return table([json.loads(line) for line in open(args.out)])
    for bug in BUGS:
        if args.only and bug.crate not in args.only.split(","):
            continue
        for mode in args.modes.split(","):
            if mode == "before" and not bug.is_timed:
                continue
            with tempfile.TemporaryDirectory(prefix="woven-", ignore_cleanup_errors=True) as base:
                root = weave(bug, Path(base))
                said = fails(bug, root)
                if not said:
                    raise SystemExit(f"{bug.crate}: the woven bug does not show")
                if mode == "check":
                    print(bug.crate, said)
                    continue
                run = mcve(bug, mode, root, args.cap, args.jobs, said)
                if mode == "repair":
                    repaired(bug, run)
                else:
                    reduced(bug, root, run)
            print({key: value for key, value in run.items() if key not in ("over_time", "end", "text")}, flush=True)
            with open(args.out, "a") as out:
                out.write(json.dumps(run) + "\n")


if __name__ == "__main__":
    main()
