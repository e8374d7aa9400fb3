#!/usr/bin/env python3
"""Real packages: one operator is changed deep in each, so that one of its own tests fails; does `cargo mcve test` find its way back to it?

usage: real.py FOLDER [--cargo-mcve PATH] [--budget SECONDS] [--only NAME,..] [--first N] [--jobs N] [--show]

cargo downloads the packages into FOLDER. In the code of each, outside of its tests, one place is edited: another operator, a bound, a step, a
method, a negation. The edits are chosen by a fixed seed before anything is reduced. One counts where the package compiles and some, but not
all of its tests fail. The edited package stays in FOLDER, so that the next run has the same.

For each package: its lines, the tokens after 30, 60 and 120 seconds and at the end, whether the result is one file that needs no dependency,
and whether the changed operator is in it: then undoing it at one place of the result makes the test pass.
"""
import argparse, json, os, random, re, shutil, signal, subprocess, sys, tempfile, time
from pathlib import Path

from repairs import EDITS, fetch

# Editions 2015 to 2024, build scripts, procedural macros, asynchronous programs, programs with a command line.
PACKAGES = [
    ("semver", "1.0.26"), ("humantime", "2.2.0"), ("httparse", "1.10.1"), ("textwrap", "0.16.2"), ("getopts", "0.2.21"), ("heck", "0.5.0"),
    ("url", "2.5.4"), ("ron", "0.8.1"), ("csv", "1.3.1"), ("globset", "0.4.16"), ("petgraph", "0.6.5"), ("mini-redis", "0.4.1"),
    ("roxmltree", "0.20.0"), ("indexmap", "2.9.0"), ("smallvec", "1.15.0"), ("base64", "0.22.1"), ("bytes", "1.10.1"), ("slab", "0.4.9"),
    ("aho-corasick", "1.1.3"), ("regex-syntax", "0.8.5"), ("handlebars", "5.1.2"), ("minijinja", "2.9.0"), ("cargo_metadata", "0.18.1"),
    ("similar", "2.7.0"), ("num-bigint", "0.4.6"), ("fixedbitset", "0.4.2"), ("bit-vec", "0.6.3"), ("unicode-segmentation", "1.12.0"),
    ("itertools", "0.13.0"), ("winnow", "0.6.26"), ("serde_urlencoded", "0.7.1"), ("http", "1.3.1"), ("clap_lex", "0.7.4"), ("matchit", "0.8.6"),
    ("fancy-regex", "0.14.0"), ("chrono", "0.4.41"), ("pest_meta", "2.8.0"), ("toml_edit", "0.22.26"), ("tower-http", "0.6.4"), ("rust_decimal", "1.37.1"),
]
EDITS_TRIED = 12  # of a package
BUILD = 400  # seconds that cargo may take at first
TESTS = 120  # seconds that it may take after an edit, which may make a test loop
PATIENCE = 90  # seconds that mcve has to end after its budget
MARKS = (30, 60, 120)  # seconds


def cargo(words, cwd, seconds=BUILD, **more):
    """The result of cargo; none where it does not end."""
    process = subprocess.Popen(["cargo", *words], cwd=cwd, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               text=True, errors="replace", start_new_session=True, **more)
    try:
        out, err = process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        return None
    return process.returncode, out, err


def failing(package, target, seconds=BUILD):
    """The tests that fail and the number of those that pass; none where it does not compile or end."""
    done = cargo(["test", "--offline", "--no-fail-fast", "--lib", "--tests"], package, seconds, env={**os.environ, "CARGO_TARGET_DIR": str(target), "RUSTFLAGS": "--cap-lints=warn"})
    if not done or "error: could not compile" in done[2]:
        return None
    ends = re.findall(r"^test (\S+)(?: - should panic)? \.\.\. (ok|FAILED)$", done[1], re.M)
    return [name for name, end in ends if end != "ok"], sum(end == "ok" for _, end in ends)


def code_of(text):
    """The part of a file before its tests."""
    return re.split(r"#\[cfg\(test\)\]|#\[cfg\(all\(test|#\[test\]", text)[0]


def weave(folder, name, version, seed):
    """A package with one edit, and what that is; or why there is none."""
    package, about = folder / name, folder / f"{name}.json"
    if about.is_file():
        return package, json.loads(about.read_text())
    shutil.rmtree(package, ignore_errors=True)
    shutil.copytree(fetch(folder, name, version), package)
    (package / ".cargo-checksum.json").unlink(missing_ok=True)
    (package / "Cargo.lock").unlink(missing_ok=True)
    with open(package / "Cargo.toml", "a") as manifest:
        manifest.write("\n[workspace]\n")
    target = folder / "target"
    edit = {"why": "cargo cannot fetch its dependencies"}
    if cargo(["fetch", "-q"], package) and (before := failing(package, target)):
        edit = {"why": "its tests fail" if before[0] else "it has no test"}
        if not before[0] and before[1]:
            edit = chosen(package, target, before[1], random.Random(seed))
    shutil.rmtree(target, ignore_errors=True)
    about.write_text(json.dumps(edit))
    return package, edit


def chosen(package, target, passing, rng):
    """The first edit that counts, which is made."""
    files = [path for path in sorted((package / "src").rglob("*.rs")) if "test" not in path.name]
    sites = []
    for path in files:
        code = code_of(path.read_text())
        for old, new in EDITS:
            sites += [(path, match.span(), new) for match in re.finditer(old, code) if "//" not in code[code.rfind("\n", 0, match.start()) + 1:match.start()]]
    rng.shuffle(sites)
    for path, (start, end), new in sites[:EDITS_TRIED]:
        text = path.read_text()
        path.write_text(text[:start] + new + text[end:])
        failed = failing(package, target, TESTS)
        if failed and failed[0] and len(failed[0]) < passing:
            line = text.count("\n", 0, start + 1) + 1
            return {"file": str(path.relative_to(package)), "line": line, "old": text[start:end].strip(), "new": new.strip(), "tests": failed[0]}
        path.write_text(text)
    return {"why": f"no edit of {EDITS_TRIED} makes a test fail"}


def reduce(argv, package, budget):
    """What mcve says at its end, the tokens by seconds, and all that it says; or nothing."""
    began, tokens, said = time.monotonic(), [], []
    with tempfile.TemporaryFile(mode="w+") as err:
        process = subprocess.Popen(argv, cwd=package, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=err, text=True, start_new_session=True)
        signal.signal(signal.SIGALRM, lambda *_: os.killpg(process.pid, signal.SIGKILL))
        signal.alarm(budget + PATIENCE)
        for line in process.stdout:
            event = json.loads(line)
            said.append(event)
            if size := event.get("size"):
                tokens.append((time.monotonic() - began, size["tokens"]))
        process.wait()
        signal.alarm(0)
        err.seek(0)
        last = said[-1] if said and said[-1].get("event") == "finished" else {}
        return last, tokens, said, err.read(), time.monotonic() - began


def has_edit(program, edit, command):
    """Whether undoing the edit at one place of a result of one file makes its test pass."""
    text, (old, new) = program.read_text(), (edit["old"], edit["new"])
    # What was deleted stood behind an operand.
    places = [match.span() for match in re.finditer(re.escape(new) if new else r"(?<=[\w)\]])(?=\s*[),;\]}])", text)]
    with tempfile.TemporaryDirectory() as folder:
        changed = Path(folder) / program.name
        command = command.replace(str(program), str(changed))
        for start, end in places[:60]:
            changed.write_text(text[:start] + f" {old} " + text[end:] if old[0] not in "._" else text[:start] + old + text[end:])
            try:
                done = subprocess.run(["sh", "-c", command], cwd=folder, capture_output=True, text=True, errors="replace", timeout=60)
            except subprocess.TimeoutExpired:
                continue
            if done.returncode == 0 and ("--test" not in command or re.search(r"[1-9]\d* passed", done.stdout)):
                return True
    return False


def row(folder, number, name, version, args):
    package, edit = weave(folder, name, version, number)
    if "why" in edit:
        return f"| {name} | | {edit['why']} | | | | | | | | |", None
    lines = sum(path.read_text(errors="replace").count("\n") for path in (package / "src").rglob("*.rs"))
    test, out = edit["tests"][0], folder / "results" / f"{name}.rs"
    for old in (out, out.with_suffix("")):
        shutil.rmtree(old, ignore_errors=True) if old.is_dir() else old.unlink(missing_ok=True)
    out.parent.mkdir(exist_ok=True)
    argv = [args.cargo_mcve, "mcve", "test", test, "--budget", f"{args.budget}s", "--jobs", str(args.jobs), "-o", str(out), "--message-format", "json"]
    last, tokens, said, err, seconds = reduce(argv, package, args.budget)
    (folder / "results" / f"{name}.log").write_text("\n".join(json.dumps(event) for event in said) + err)
    at = lambda mark: next((str(count) for when, count in reversed(tokens) if when <= mark), "")
    alone = out.is_file()
    kept = bool(alone and last and has_edit(out, edit, last.get("command", "")))
    end = str(last["after"]["tokens"]) if last else (err.strip().splitlines() or ["nothing"])[-1][:80]
    what = f"{edit['file']}:{edit['line']} `{edit['old']}` to `{edit['new']}`".replace("|", "\\|")
    marks = " | ".join(at(mark) for mark in MARKS)
    return f"| {name} | {lines:,} | {what} | {marks} | {end} | {seconds:.0f} | {last.get('checks', '')} | {'yes' if alone else 'no'} | {'yes' if kept else 'no'} |", (bool(last), alone, kept)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="where packages are kept")
    parser.add_argument("--cargo-mcve", default="cargo-mcve", metavar="PATH", help="the program cargo-mcve (cargo-mcve)")
    parser.add_argument("--budget", type=int, default=300, metavar="SECONDS", help="the time of a reduction (300)")
    parser.add_argument("--only", metavar="NAME,..", help="these packages only")
    parser.add_argument("--first", type=int, metavar="N", help="the first packages only")
    parser.add_argument("--jobs", type=int, default=2, metavar="N", help="the checks at once (2)")
    parser.add_argument("--weave", action="store_true", help="only chooses the edits")
    args = parser.parse_args()
    if not args.weave:
        args.cargo_mcve = str(Path(shutil.which(args.cargo_mcve) or sys.exit(f"no program {args.cargo_mcve}")).resolve())
    folder, results = args.folder.resolve(), []
    folder.mkdir(parents=True, exist_ok=True)
    if not args.weave:
        print("| package | lines | edit | 30 s | 60 s | 120 s | tokens | seconds | checks | one file | has the edit |\n" + "| --- " * 11 + "|", flush=True)
    for number, (name, version) in list(enumerate(PACKAGES))[:args.first]:
        if args.only and name not in args.only.split(","):
            continue
        if args.weave:
            print(name, weave(folder, name, version, number)[1], flush=True)
            continue
        text, result = row(folder, number, name, version, args)
        results += [result] if result else []
        print(text, flush=True)
    reduced, alone, kept = (sum(result[part] for result in results) for part in range(3))
    print(f"\n{reduced} of {len(results)} are reduced, {alone} are one file, {kept} have the edit.")


if __name__ == "__main__":
    main()
