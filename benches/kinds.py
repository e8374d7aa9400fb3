#!/usr/bin/env python3
"""Kinds of failure: each case of `corpus/kinds` reduced twice, with mcve's options and with the script that a user had to write before.

usage: kinds.py [--only CASE,..] [--cap SECONDS] [--jobs N] [--runs N] [--raw OUT.jsonl]

The two ways go by turns, so that both meet the same machine. mcve is found in PATH, or by the variable TOOL_MCVE. At the cap a run ends
with what it has. Prints a Markdown table: tokens, checks, seconds, checks a second of wall time and of processor time, how many times as
many of these as with the script (medians of the runs), and whether the script finds the failure in the result of the options. On a machine
that others use as well, the times of a clock say little, and processor time more.
"""
import argparse, json, os, resource, shlex, statistics, subprocess, sys, tempfile
from pathlib import Path

KINDS = Path(__file__).resolve().parent.parent / "corpus" / "kinds"
WAY = ["tokens out", "checks", "s", "checks/s", "checks/CPU s"]
HEAD = ["case", "options", "tokens in", *WAY, "script: tokens out", *WAY[1:], "ratio", "CPU ratio", "script agrees"]


def options(case):
    """The options of a case, and what comes behind `--`."""
    args = json.loads((KINDS / case / "case.json").read_text())["args"]
    split = args.index("--") if "--" in args else len(args)
    return args[:split], args[split:]


def run(case, way, cap, jobs):
    """Reduces a case in one of both ways; what mcve says at the end, and whether the script accepts the result."""
    program = os.environ.get("TOOL_MCVE", "mcve")
    before, behind = options(case)
    if way == "script":
        before, behind = ["--test", "./test.sh"], []
    with tempfile.TemporaryDirectory(prefix="kinds-") as folder:
        result = Path(folder) / "result.rs"
        own = ["--message-format", "json", "--jobs", str(jobs), "--budget", f"{cap}s", "--output", result]
        argv = [program, "input.rs", *own, *before, *behind]
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run(argv, cwd=KINDS / case, stdin=subprocess.DEVNULL, capture_output=True, text=True)
        now = resource.getrusage(resource.RUSAGE_CHILDREN)
        cpu = now.ru_utime + now.ru_stime - used.ru_utime - used.ru_stime
        last = json.loads(done.stdout.splitlines()[-1]) if done.stdout else {}
        if last.get("event") != "finished":
            raise SystemExit(f"{case} by {way} ended with {done.returncode}: {done.stderr}")
        agrees = subprocess.run([KINDS / case / "test.sh", result], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True)
        return dict(case=case, way=way, jobs=jobs, cap=cap, before=last["before"]["tokens"], after=last["after"]["tokens"],
                    checks=last["checks"], seconds=last["seconds"], cpu=round(cpu, 1), is_complete=last["ending"] == "complete",
                    agrees=agrees.returncode == 0, text=result.read_text())


def is_there(case):
    """Whether the failure is there at all: it may need a program that is not installed, or another version of it."""
    found = subprocess.run(["./test.sh", "input.rs"], cwd=KINDS / case, stdin=subprocess.DEVNULL, capture_output=True).returncode == 0
    if not found:
        print(f"{case}: skipped: the script does not find the failure", file=sys.stderr)
    return found


def middle(rows):
    """The medians of several runs of a case in one way."""
    median = lambda name: statistics.median(row[name] for row in rows)
    return dict(rows[0], after=median("after"), checks=median("checks"), seconds=median("seconds"),
                rate=median("checks") / median("seconds"), cpu_rate=median("checks") / median("cpu"), is_complete=all(row["is_complete"] for row in rows),
                agrees=all(row["agrees"] for row in rows))


def line(case, own, script):
    seconds = lambda row: f"{row['seconds']:.1f}" if row["is_complete"] else f">{row['seconds']:.0f}"
    part = lambda row: [f"{row['after']:.0f}", f"{row['checks']:.0f}", seconds(row), f"{row['rate']:.1f}", f"{row['cpu_rate']:.1f}"]
    ratios = [f"{own[name] / script[name]:.1f}" for name in ("rate", "cpu_rate")]
    agrees = "yes" if own["agrees"] else "no"
    words = " ".join(shlex.quote(word) for part in options(case) for word in part).replace("|", "\\|")
    return [case, f"`{words}`", f"{own['before']:,}", *part(own), *part(script), *ratios, agrees]


def table(rows):
    print("| " + " | ".join(HEAD) + " |")
    print("| " + " | ".join(["---"] * len(HEAD)) + " |")
    for case in dict.fromkeys(row["case"] for row in rows):
        of = lambda way: [row for row in rows if (row["case"], row["way"]) == (case, way)]
        if of("options") and of("script"):
            print("| " + " | ".join(line(case, middle(of("options")), middle(of("script")))) + " |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="")
    parser.add_argument("--cap", type=int, default=300)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--runs", type=int, default=1)
    parser.add_argument("--raw", help="where each run is told as a line of JSON")
    args = parser.parse_args()
    cases = args.only.split(",") if args.only else sorted(path.parent.name for path in KINDS.glob("*/case.json"))
    rows = []
    cases = [case for case in cases if is_there(case)]
    for _ in range(args.runs):
        for case in cases:
            for way in ("options", "script"):
                row = run(case, way, args.cap, args.jobs)
                rows.append(row)
                print({key: value for key, value in row.items() if key != "text"}, file=sys.stderr, flush=True)
                if args.raw:
                    with open(args.raw, "a") as raw:
                        raw.write(json.dumps(row) + "\n")
    table(rows)


if __name__ == "__main__":
    main()
