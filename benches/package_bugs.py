#!/usr/bin/env python3
"""Packages with one bug each: a token of a real library is another one, and a test of its own fails. Each is reduced by `cargo mcve test`.

usage: package_bugs.py FOLDER [--only NAME,..] [--budget SECONDS]

cargo downloads the packages. cargo-mcve is found in PATH, or by the variable TOOL_CARGO_MCVE. Prints a Markdown table: tokens of the
crate, of the result, whether that is one file and 1-minimal, checks, seconds without what cargo built, and the cause that was kept or
the call that was carved. Whether the reason is kept is for a person to read: the results stay in FOLDER.
"""
import argparse, json, os, re, shutil, subprocess
from pathlib import Path

# The version, the file, the line, and the tokens that are replaced there.
BUGS = {
    "bit-set": ("0.5.3", "src/lib.rs", 795, "== w1", "== w2"),
    "csv-core": ("0.1.13", "src/reader.rs", 1031, "self.double_quote && ", ""),
    "getopts": ("0.2.24", "src/lib.rs", 568, "> 1", "> 2"),
    "hex": ("0.4.3", "src/lib.rs", 178, "b'f'", "b'e'"),
    "httpdate": ("1.0.3", "src/date.rs", 73, "qc_cycles -= 1;", ""),
    "humantime": ("2.4.0", "src/duration.rs", 281, ".div(d)?", ""),
    "percent-encoding": ("2.3.2", "src/lib.rs", 257, "0x10", "10"),
    "rust-ini": ("0.20.0", "src/lib.rs", 1380, ", Some(':')", ""),
    "semver": ("1.0.28", "src/impls.rs", 58, "Greater", "Less"),
    "slab": ("0.4.12", "src/lib.rs", 1099, "Vacant(next)) => next", "Vacant(_)) => key + 1"),
    "wildmatch": ("2.7.0", "src/lib.rs", 195, "while", "if"),
}


def run(argv, folder):
    return subprocess.run(argv, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True)


def sources(folder):
    """Downloads the packages; the folder of each by its name and version."""
    root = folder / "download"
    (root / "src").mkdir(parents=True, exist_ok=True)
    (root / "src/lib.rs").write_text("")
    needs = "".join(f'"{name}" = "={bug[0]}"\n' for name, bug in BUGS.items())
    (root / "Cargo.toml").write_text(f'[package]\nname = "download"\nversion = "0.1.0"\nedition = "2021"\n[workspace]\n[dependencies]\n{needs}')
    said = run(["cargo", "metadata", "--format-version=1"], root)
    said.check_returncode()
    packages = json.loads(said.stdout)["packages"]
    return {(package["name"], package["version"]): Path(package["manifest_path"]).parent for package in packages}


def weave(source, package, file, line, old, new):
    """A copy of a package in which one token is another one."""
    shutil.rmtree(package, ignore_errors=True)
    shutil.copytree(source, package)
    (package / "Cargo.lock").unlink(missing_ok=True)
    lines = (package / file).read_text().split("\n")
    assert lines[line - 1].count(old) == 1, (package.name, lines[line - 1])
    lines[line - 1] = lines[line - 1].replace(old, new)
    (package / file).write_text("\n".join(lines))
    manifest = package / "Cargo.toml"
    manifest.write_text(re.sub(r"(?ms)^\[lints.*?(?=^\[|\Z)", "", manifest.read_text()) + "\n[workspace]\n")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", default=",".join(BUGS))
    parser.add_argument("--budget", type=int, default=150)
    args = parser.parse_args()
    args.folder.mkdir(parents=True, exist_ok=True)
    folder = args.folder.resolve()
    known = sources(folder)
    tool = os.environ.get("TOOL_CARGO_MCVE", "cargo-mcve")
    print("| package | tokens | left | one file | 1-minimal | checks | s | cause |\n" + "| --- " * 8 + "|")
    for name in args.only.split(","):
        version, *bug = BUGS[name]
        package = folder / name
        weave(known[name, version], package, *bug)
        said = run([tool, "mcve", "test", "--budget", f"{args.budget}s", "--message-format", "json"], package)
        events = [json.loads(line) for line in said.stdout.splitlines()]
        end = events[-1] if events else {}
        if end.get("event") != "finished":
            print(f"| {name} {version} | {(said.stderr.strip().splitlines() or ['nothing'])[0]} |", flush=True)
            continue
        notes = [event["message"] for event in events if event["event"] == "note"]
        causes = [note for note in notes if note.startswith(("kept as the cause", "carved"))]
        is_file = (package / f"{name.replace('-', '_')}_mcve.rs").exists()
        cells = [f"{name} {version}", end["before"]["tokens"], end["after"]["tokens"], "yes" if is_file else "no",
                 "yes" if end["one_minimal"] else "no", end["checks"], f"{end['seconds']:.0f}", "; ".join(causes) or "not known"]
        print("| " + " | ".join(str(cell).replace("|", "\\|") for cell in cells) + " |", flush=True)


if __name__ == "__main__":
    main()
