#!/usr/bin/env python3
"""Questions about the crates of others: packages with an error of rustc about a dependency, reduced; does the result still ask the same?

usage: package_questions.py --mcve PATH [--jobs N] [--timeout SECONDS] [--show] [FILES..]

PATH is that of `cargo-mcve`. The inputs are benches/package_questions/*.rs, or the files that are named. Each becomes src/main.rs of a
package of its own; cargo downloads what it depends on. What the result must still say was written before any of them was reduced: the
same lines as for diagnostics.py, at the top of each input, and

    //@ dependency: NAME = VERSION    a line of its manifest

A result that meets all lines is kept, and any other is lost; the table says by which line.
"""
import argparse, re, subprocess, tempfile
from pathlib import Path

from diagnostics import Case, Outcome, cells, finished, program, show

HERE = Path(__file__).resolve().parent / "package_questions"
LINE = re.compile(r"//@ (error|not-error|code|args|dependency): (.*)")
KINDS = ("error", "not-error", "code", "args")


def read(path):
    """An input without the comment at its top, and its dependencies."""
    lines = path.read_text().splitlines(keepends=True)
    size = next((index for index, line in enumerate(lines) if not line.startswith("//")), len(lines))
    top = [line.rstrip("\n") for line in lines[:size]]
    own = [match.groups() for line in top if (match := LINE.fullmatch(line))]
    if unknown := [line for line in top if line.startswith("//@") and not LINE.fullmatch(line)]:
        raise SystemExit(f"{path}: not understood: {unknown[0]}")
    case = Case(path.stem, "".join(lines[size:]), [(kind, value) for kind, value in own if kind in KINDS])
    return case, [value for kind, value in own if kind == "dependency"]


def said(command, folder):
    """What a command for the shell prints on standard error."""
    return subprocess.run(command, shell=True, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True).stderr


def text_of(folder, name):
    """The result: a file, or the sources of a package."""
    file, package = folder / f"{name}_mcve.rs", folder / f"{name}_mcve"
    files = [file] if file.is_file() else sorted(package.rglob("*.rs"))
    return "\n".join(file.read_text() for file in files)


def reduce(case, dependencies, mcve, jobs, seconds):
    """Reduces the package of an input, and looks whether the result still asks the same question."""
    with tempfile.TemporaryDirectory(prefix="package-questions-") as place:
        folder = Path(place)
        (folder / "src").mkdir()
        (folder / "src/main.rs").write_text(case.text)
        package = f'[package]\nname = "{case.name}-question"\nversion = "1.2.3"\nedition = "2024"\n[workspace]\n[dependencies]\n'
        (folder / "Cargo.toml").write_text(package + "\n".join(dependencies) + "\n")
        if broken := case.broken(said("cargo check", folder), case.text):
            raise SystemExit(f"{case.name}: the input itself does not meet `{broken[0]}`")
        own = ["--message-format", "json", "--jobs", str(jobs), "--budget", f"{seconds}s"]
        last = finished([mcve, "mcve", "check", *own, *case.args], place, seconds)
        if isinstance(last, str):
            return Outcome(why=[last])
        text, shown = text_of(folder, f"{case.name}_question"), said(last["command"], folder)
        return Outcome(text, shown, case.broken(shown, text), last["before"]["tokens"], last["after"]["tokens"], last["checks"],
                       last["seconds"], last["ending"] == "complete")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mcve", required=True, type=program, metavar="PATH", help="the program cargo-mcve")
    parser.add_argument("--jobs", type=int, default=2, metavar="N", help="how many checks run at once (2)")
    parser.add_argument("--timeout", type=int, default=300, metavar="SECONDS", help="the longest that a reduction may take (300)")
    parser.add_argument("--show", action="store_true", help="prints the results, too")
    parser.add_argument("paths", nargs="*", type=Path, metavar="FILE")
    args = parser.parse_args()
    head = ["input", "tokens before", "result", "tokens", "checks", "s", "not met"]
    print("| " + " | ".join(head) + " |\n| " + " | ".join(["---"] * len(head)) + " |", flush=True)
    found = []
    for case, dependencies in map(read, args.paths or sorted(HERE.glob("*.rs"))):
        outcome = reduce(case, dependencies, args.mcve, args.jobs, args.timeout)
        found.append((case, outcome))
        why = "; ".join(f"`{line}`" for line in outcome.why).replace("|", "\\|")
        print("| " + " | ".join([case.name, f"{outcome.before:,}", *cells(outcome), why]) + " |", flush=True)
    if args.show:
        for case, outcome in found:
            show(case, [outcome], [args.mcve])


if __name__ == "__main__":
    main()
