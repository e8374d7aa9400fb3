#!/usr/bin/env python3
"""Packages: real ones with a failure woven over several files and crates, each reduced by `cargo mcve`.

usage: packages.py FOLDER [--only NAME,..] [--budget SECONDS] [--jobs N] [--raw OUT.jsonl]

cargo downloads the packages. Each becomes a package in FOLDER with two files and two path dependencies more: a trait, a macro, a type and
a function that crash rustc 1.95 only together; or, of every third one, that make a test fail. The same pieces as one file are reduced as
well. cargo-mcve is found in PATH, or by the variable TOOL_CARGO_MCVE, mcve by TOOL_MCVE. Prints a Markdown table: files, lines and crates before,
tokens, checks, runs of cargo, seconds, and the tokens and seconds of the flat file. Lines are those of the package and the
dependencies that its lock file names, as far as they are there.
"""
import argparse, json, os, re, shutil, subprocess, sys, time
from pathlib import Path

PACKAGES = {
    "toml": "0.8.23", "csv": "1.3.1", "url": "2.5.4", "mini-redis": "0.4.1", "ignore": "0.4.23", "petgraph": "0.6.5",
    "handlebars": "5.1.2", "ron": "0.8.1", "cargo_metadata": "0.18.1", "winnow": "0.6.26",
}
TRAIT = "use std::ops::Add;\n/// Goes on by a number of cells.\npub trait Stride: Copy + Add<usize, Output = Self> {\n    fn next(self) -> Self { self + 1 }\n}\nimpl Stride for usize {}\n"
MACRO = "/// What is so many steps on.\n#[macro_export]\nmacro_rules! advance { ($from:expr, $steps:expr) => { $crate::advance!(@by $from, $steps) }; (@by $from:expr, $steps:expr) => { $from + $steps }; }\n"
TYPE = "/// Where in a row a reader is.\n#[derive(Clone, Copy, Debug)]\npub struct Cursor<T> { pub at: *const T, pub left: usize }\nimpl<T> Cursor<T> { pub fn new(cells: &[T]) -> Self { Self { at: cells.as_ptr(), left: cells.len() } } }\n"
CRASH = "use super::woven_cursor::Cursor;\nuse woven_grid::Stride;\nimpl<T> Cursor<T> {\n    pub fn skip(&mut self, cells: usize) -> bool where *const T: Stride {\n        if cells > self.left { return false; }\n        self.at = woven_steps::advance!(self.at, cells);\n        self.left -= cells;\n        true\n    }\n}\n"
SUM = "/// The sum of both ends.\npub fn ends(cells: &[u32]) -> u32 {\n    let (mut sum, mut at) = (0, 0);\n    while at < cells.len() {\n        if at == 0 || at == cells.len() - 1 { sum += cells[at]; }\n        at += 1;\n    }\n    sum\n}\n"
TEST = "use super::woven_cursor::Cursor;\n#[test]\nfn one_cell_has_two_ends() {\n    let cursor = Cursor::new(&[4u32]);\n    assert_eq!(woven_grid::sum::ends(&[4]), cursor.left as u32 * 8);\n}\n"


def run(argv, cwd, **more):
    return subprocess.run(argv, cwd=cwd, stdin=subprocess.DEVNULL, capture_output=True, text=True, **more)


def sources(folder):
    """Downloads all packages; the folder of each."""
    root = folder / "download"
    if not (root / "Cargo.lock").exists():
        shutil.rmtree(root, ignore_errors=True)
        (root / "src").mkdir(parents=True)
        (root / "src/lib.rs").write_text("")
        needs = "".join(f'"{name}" = "={version}"\n' for name, version in PACKAGES.items())
        (root / "Cargo.toml").write_text(f'[package]\nname = "download"\nversion = "0.1.0"\nedition = "2021"\n[workspace]\n[dependencies]\n{needs}')
        run(["cargo", "fetch"], root, check=True)
    said = json.loads(run(["cargo", "metadata", "--format-version=1"], root, check=True).stdout)
    return {package["name"]: Path(package["manifest_path"]).parent for package in said["packages"]}, {
        (package["name"], package["version"]): Path(package["manifest_path"]).parent for package in said["packages"]}


def weave(source, package, is_test):
    """A copy of a package with a failure in it."""
    shutil.rmtree(package, ignore_errors=True)
    shutil.copytree(source, package)
    (package / "Cargo.lock").unlink(missing_ok=True)
    manifest = package / "Cargo.toml"
    text = manifest.read_text()
    own = '[dependencies.woven_grid]\npath = "woven_grid"\n[dependencies.woven_steps]\npath = "woven_steps"\n[workspace]\n'
    manifest.write_text(re.sub(r"(?ms)^\[lints.*?(?=^\[|\Z)", "", text) + "\n" + own)
    for name, lib in [("woven_grid", TRAIT + "pub mod sum;\n"), ("woven_steps", MACRO)]:
        (package / name / "src").mkdir(parents=True)
        (package / name / "Cargo.toml").write_text(f'[package]\nname = "{name}"\nversion = "0.1.0"\nedition = "2021"\n')
        (package / name / "src/lib.rs").write_text(lib)
    (package / "woven_grid/src/sum.rs").write_text(SUM)
    lib = package / "src/lib.rs"
    text = lib.read_text()
    text = re.sub(r"(?m)^#!\[(forbid|deny|warn|cfg_attr)\b[^\n]*\)\]$", "", text)
    lib.write_text(text + "\nmod woven_cursor;\nmod woven_use;\n")
    (package / "src/woven_cursor.rs").write_text(TYPE)
    (package / "src/woven_use.rs").write_text("#![cfg(test)]\n" + TEST if is_test else CRASH)


def flat(folder, is_test, options):
    """The same pieces as one file, reduced."""
    path = folder / ("flat_test.rs" if is_test else "flat_crash.rs")
    use = (TEST if is_test else CRASH).replace("woven_grid::", "crate::woven_grid::").replace("woven_steps::advance", "crate::advance").replace("super::", "crate::")
    pieces = TRAIT + "pub mod sum {\n" + SUM + "}\n"
    path.write_text(MACRO.replace("$crate::advance", "$crate::advance") + f"pub mod woven_grid {{\n{pieces}}}\nmod woven_cursor {{\n{TYPE}}}\nmod woven_use {{\n{use}}}\n")
    own = ["--test-name", "one_cell_has_two_ends"] if is_test else []
    said = run([os.environ.get("TOOL_MCVE", "mcve"), path.name, *own, "--message-format", "json", *options, "--", "--edition=2021", *([] if is_test else ["--crate-type=lib"])], folder)
    return last(said)


def last(said):
    lines = said.stdout.splitlines()
    event = json.loads(lines[-1]) if lines else {}
    return event if event.get("event") == "finished" else dict(error=(said.stderr.strip().splitlines() or ["nothing"])[0])


def size(package, known):
    """Files, lines, and crates of a package and of what its lock file names."""
    files = lines = crates = 0
    lock = (package / "Cargo.lock").read_text()
    names = re.findall(r'name = "([^"]+)"\nversion = "([^"]+)"(\nsource)?', lock)
    folders = [package] + [known[name, version] for name, version, source in names if source and (name, version) in known]
    for folder in folders:
        crates += 1
        for path in folder.rglob("*.rs"):
            if "target" not in path.relative_to(folder).parts:
                files, lines = files + 1, lines + path.read_text(errors="replace").count("\n")
    own = sum(path.read_text(errors="replace").count("\n") for path in (package / "src").rglob("*.rs"))
    return files, lines, own, crates + 2


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only")
    parser.add_argument("--budget", type=int, default=600)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--raw", type=Path)
    args = parser.parse_args()
    args.folder.mkdir(parents=True, exist_ok=True)
    folder = args.folder.resolve()
    options = ["--jobs", str(args.jobs), "--budget", f"{args.budget}s"]
    tool = os.environ.get("TOOL_CARGO_MCVE", "cargo-mcve")
    newest, known = sources(folder)
    flats = {is_test: flat(folder, is_test, options) for is_test in (False, True)}
    print("| package | fails | files | lines (own) | crates | tokens | checks | cargo | s | of it cargo | flat: tokens | s | one file |\n" + "| --- " * 13 + "|")
    for index, name in enumerate(PACKAGES):
        if args.only and name not in args.only.split(","):
            continue
        is_test = index % 3 == 2
        package = folder / name
        weave(known[name, PACKAGES[name]], package, is_test)
        run(["cargo", "generate-lockfile"], package, check=True)
        verb = ["test", "one_cell_has_two_ends", "--lib"] if is_test else ["check"]
        start = time.monotonic()
        said = run([tool, "mcve", *verb, "--message-format", "json", *options], package)
        seconds = time.monotonic() - start
        event = last(said)
        files, lines, own, crates = size(package, known)
        row = dict(package=name, is_test=is_test, files=files, lines=lines, own=own, crates=crates, wall=round(seconds, 1), event=event, stderr=said.stderr[-2000:])
        if args.raw:
            with args.raw.open("a") as out:
                out.write(json.dumps(row) + "\n")
        what = "test" if is_test else "check"
        version = f"{name} {PACKAGES[name]}"
        if "error" in event:
            print(f"| {version} | {what} | {files} | {lines:,} ({own:,}) | {crates} | {event['error']} |", flush=True)
            continue
        place = package / f"{name.replace('-', '_')}_mcve.rs"
        reference = flats[is_test]
        cells = [version, what, files, f"{lines:,} ({own:,})", crates, event["after"]["tokens"], event["checks"], 1, f"{seconds:.1f}", f"{seconds - event['seconds']:.1f}",
                 reference["after"]["tokens"], f"{reference['seconds']:.1f}", "yes" if place.exists() else "no"]
        print("| " + " | ".join(str(cell) for cell in cells) + " |", flush=True)


if __name__ == "__main__":
    main()
