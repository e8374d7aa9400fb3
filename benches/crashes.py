#!/usr/bin/env python3
"""Crashes that people have already made small: how much smaller does mcve make the files of rustc's `tests/crashes`?

usage: crashes.py RUST [--mcve PATH] [--odd] [--only NUMBER,..] [--cap SECONDS] [--results FOLDER] [--other FOLDER]

RUST is a folder with the sources of the rustc in PATH, so that its `tests/crashes` still crash. Flags and the edition are in the headers of
the files. Without --odd only even numbers of issues take part; the odd ones are for judging. The results stay in FOLDER, and --other names
the folder of another run to compare with.

Prints a Markdown table: the tokens of the file and of the result, their ratio, checks, seconds; then the median of the ratios.
"""
import argparse, json, os, re, statistics, subprocess
from pathlib import Path

from side_by_side import tokens


def finished(stdout):
    """What mcve says at its end; nothing where it does not come to it."""
    said = [json.loads(line) for line in stdout.splitlines()]
    return said[-1] if said and said[-1].get("event") == "finished" else None


def reduce(args, path, out):
    argv = [args.mcve, path, "-o", out, "--message-format", "json", "--budget", f"{args.cap}s"]
    done = subprocess.run(argv, env={**os.environ, "RUSTC_BOOTSTRAP": "1"}, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    return finished(done.stdout)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rust", type=Path)
    parser.add_argument("--mcve", default="mcve")
    parser.add_argument("--odd", action="store_true")
    parser.add_argument("--only", default="")
    parser.add_argument("--cap", type=int, default=120)
    parser.add_argument("--results", type=Path, default=Path("crashes-results"))
    parser.add_argument("--other", type=Path)
    args = parser.parse_args()
    args.results.mkdir(parents=True, exist_ok=True)
    only = set(filter(None, args.only.split(",")))
    print("| crash | file | result | ratio | checks | s | other |\n| --- | ---: | ---: | ---: | ---: | ---: | ---: |", flush=True)
    rows, checks, larger, smaller = [], 0, [], []
    for path in sorted(args.rust.glob("tests/crashes/*.rs"), key=lambda path: path.name):
        number = re.match(r"\d+", path.name)
        if not number or (number[0] not in only if only else int(number[0]) % 2 != args.odd):
            continue
        # Only a compiler with assertions crashes on these.
        if "needs-rustc-debug-assertions" in path.read_text():
            continue
        out = args.results / path.name
        out.unlink(missing_ok=True)
        last = reduce(args, path, out)
        if not last or not out.is_file():
            continue
        before, after = tokens(path.read_text()), tokens(out.read_text())
        there = args.other and (args.other / path.name).is_file() and tokens((args.other / path.name).read_text())
        larger += [path.stem] if there and after > there else []
        smaller += [path.stem] if there and after < there else []
        rows.append((before, after))
        checks += last["checks"]
        mark = "" if last["ending"] == "complete" else " (budget)"
        print(f"| {path.stem} | {before} | {after} | {after / before:.2f} | {last['checks']} | {last['seconds']:.1f}{mark} | {there or ''} |", flush=True)
    if rows:
        ratio = statistics.median(after / before for before, after in rows)
        print(f"\n{len(rows)} crashes, {sum(after for _, after in rows)} tokens, {checks} checks; the median of the ratios is {ratio:.3f}.")
        print(f"Larger than the other: {', '.join(larger) or 'none'}. Smaller: {', '.join(smaller) or 'none'}." if args.other else "")


if __name__ == "__main__":
    main()
