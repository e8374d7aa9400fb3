#!/usr/bin/env python3
"""One failure inside ever more real code that has nothing to do with it.

usage: scaling.py [--cases CASE,..] [--lines N,..] [--jobs N,..] [--mcve PATH]

The code is that of files in cargo's registry (what a build of mcve has downloaded) which compile as modules of their own, one
after the other, and again from the first. Prints a Markdown table: lines and tokens before, what the first pass that knows
what the failure names left of them after how many checks, tokens and checks at the end, wall seconds.
"""
import argparse, json, os, re, subprocess, tempfile, time
from pathlib import Path

CORPUS = Path(__file__).resolve().parent.parent / "corpus"
REGISTRY = Path(os.environ.get("CARGO_HOME", Path.home() / ".cargo")) / "registry" / "src"


def rustc():
    return subprocess.check_output(["rustc", "--print", "sysroot"], text=True).strip() + "/bin/rustc"


def module(path):
    """A file's text as it can stand in a module."""
    text = path.read_text(errors="replace")
    return re.sub(r"^\s*(//!.*|#!\[[^\]]*\]\s*)\n", "", text, flags=re.M)


def modules():
    """The files that compile alone: no `crate::`, no `mod` of another file, no macro that would be there twice."""
    found = []
    with tempfile.TemporaryDirectory() as folder:
        for path in sorted(REGISTRY.glob("*/*/src/**/*.rs")):
            text = module(path)
            if not 25 <= text.count("\n") <= 3000 or re.search(r"crate::|macro_export|^\s*(pub )?mod \w+;|include", text, re.M):
                continue
            file = Path(folder) / "a.rs"
            file.write_text(f"pub mod m {{\n{text}\n}}\n")
            check = [rustc(), "--edition=2021", "--crate-type=lib", "--emit=metadata", "--out-dir", folder, file]
            if subprocess.run(check, capture_output=True).returncode == 0:
                found.append(text)
    return found


def inflated(case, texts, lines):
    parts, size, index = [(CORPUS / case / "input.rs").read_text()], 0, 0
    while size < lines:
        text = texts[index % len(texts)]
        parts.append(f"pub mod unrelated_{index} {{\n{text}\n}}\n")
        size += text.count("\n") + 3
        index += 1
    return "\n".join(parts)


def reduce(mcve, text, jobs):
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "a.rs").write_text(text)
        argv = [mcve, "a.rs", "--jobs", str(jobs), "--message-format", "json"]
        start = time.time()
        output = subprocess.run(argv, cwd=folder, capture_output=True, text=True, check=True).stdout
        wall = time.time() - start
    events = [json.loads(line) for line in output.splitlines()]
    focus = next(event for event in events if event["event"] == "pass-ended" and event["pass"] == "focus")
    return focus, next(event for event in events if event["event"] == "finished"), wall


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", default="ice-mir-statement,ice-multiple-drop,error-overflow,ice-resolve-instance")
    parser.add_argument("--lines", default="0,1000,10000,100000")
    parser.add_argument("--jobs", default="1,2")
    parser.add_argument("--mcve", default=CORPUS.parent / "target" / "release" / "mcve")
    args = parser.parse_args()
    texts = modules()
    print("| case | jobs | lines | tokens | focused: tokens, checks | tokens | checks | wall s |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    for case in args.cases.split(","):
        for lines in map(int, args.lines.split(",")):
            text = inflated(case, texts, lines)
            for jobs in map(int, args.jobs.split(",")):
                focus, end, wall = reduce(args.mcve, text, jobs)
                before, after = end["before"], end["after"]
                print(f"| {case} | {jobs} | {before['lines']:,} | {before['tokens']:,} | {focus['size']['tokens']:,}, {focus['checks']} "
                      f"| {after['tokens']} | {end['checks']} | {wall:.1f} |", flush=True)


if __name__ == "__main__":
    main()
