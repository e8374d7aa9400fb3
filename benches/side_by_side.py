#!/usr/bin/env python3
"""Reducers side by side: every case of the corpus, each tool with the same check, as many cores and as much time.

usage: side_by_side.py OUT.jsonl [--tools mcve,treereduce,shrinkray,cvise,creduce] [--only CASE,..] [--cap SECONDS] [--jobs N] [--runs N]

A tool is found in PATH, or by the variable TOOL_MCVE, TOOL_TREEREDUCE and so on. Each line of OUT.jsonl is one run: tokens,
bytes, checks (counted by a wrapper around the case's test.sh), wall and CPU seconds of all processes, whether the result
still fails and whether rustc parses it, the size as it was once a second, and after how many checks which size was reached. `report.py` makes tables and pictures of it.
At the cap a tool is interrupted, and what it wrote until then counts; some write only at their end.
"""
import argparse, json, os, re, resource, shutil, signal, subprocess, tempfile, time
from pathlib import Path

CORPUS = Path(__file__).resolve().parent.parent / "corpus"

TOKEN = re.compile(r'''
  //[^\n]*|/\*(?:[^*]|\*(?!/))*\*/ |
  (?P<token>
   b?r(?P<hashes>\#*)"(?:.|\n)*?"(?P=hashes) | [bc]?"(?:\\.|[^"\\])*" | b?'(?:\\(?:u\{[^}]*\}|x..|.)|[^'\\])' |
   '[A-Za-z_]\w* | r\#\w+ | [A-Za-z_]\w* | \d[\w]*(?:\.\d\w*)? |
   \.\.\.|\.\.=|<<=|>>=|->|=>|::|\.\.|&&|\|\||[-+*/%^&|<>=!]=|<<|>> | [^\s\w] )''', re.X)


def tokens(text):
    return sum(1 for match in TOKEN.finditer(text) if match.group("token") is not None)


def read(path):
    try:
        return Path(path).read_text(errors="replace")
    except OSError:
        return None


def command(tool, work, test, jobs):
    """The command line of a tool, and where its result is."""
    program = os.environ.get(f"TOOL_{tool.upper()}", "treereduce-rust" if tool == "treereduce" else tool)
    source, out = work / "input.rs", work / "out.rs"
    jobs = str(jobs)
    match tool:
        case "mcve":
            return [program, "--quiet", "--jobs", jobs, "--output", out, "--test", test, source], out
        case "treereduce":
            options = ["--quiet", "--stable", "--min-reduction", "1", "-j", jobs]
            return [program, *options, "-s", source, "-o", out, "--", test, "@@.rs"], out
        case "shrinkray":
            options = ["--ui", "basic", "--volume", "quiet", "--no-llm", "--formatter", "none", "--input-type", "arg"]
            return [program, *options, "--parallelism", jobs, "--timeout", "20", test, source], source
        case "cvise" | "creduce":
            return [program, "--not-c", "--n", jobs, "--timeout", "20", test, "input.rs"], source
    raise SystemExit(f"unknown tool {tool}")


def stop(process):
    for sent in (signal.SIGINT, signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(process.pid, sent)
            process.wait(timeout=5)
            return
        except ProcessLookupError:
            return
        except subprocess.TimeoutExpired:
            continue


def parses(path):
    rustc = subprocess.check_output(["rustc", "--print", "sysroot"], text=True).strip() + "/bin/rustc"
    check = [rustc, "--edition", "2021", "-Zparse-crate-root-only", path]
    environment = {**os.environ, "RUSTC_BOOTSTRAP": "1"}
    return subprocess.run(check, env=environment, stdin=subprocess.DEVNULL, capture_output=True).returncode == 0


def run(case, tool, cap, jobs):
    with tempfile.TemporaryDirectory(prefix=f"{tool}-", ignore_cleanup_errors=True) as base:
        base = Path(base)
        work, count, test, final = base / "work", base / "count", base / "test.sh", base / "final.rs"
        accepted = base / "accepted"
        work.mkdir()
        accepted.mkdir()
        count.touch()
        shutil.copy(CORPUS / case / "input.rs", work)
        candidate = "./input.rs" if tool in ("cvise", "creduce") else ""
        test.write_text(f'''#!/bin/bash
printf x >> {count}
candidate="${{1:-{candidate}}}" number=$(<{count})
{CORPUS}/{case}/test.sh "$candidate" || exit
cp "$candidate" {accepted}/${{#number}}.$$
''')
        test.chmod(0o755)
        argv, out = command(tool, work, test, jobs)
        used, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.time()
        log = open(base / "log", "w")
        process = subprocess.Popen(argv, cwd=work, stdout=log, stderr=log, stdin=subprocess.DEVNULL, start_new_session=True)
        capped, samples = False, []
        while True:
            try:
                process.wait(timeout=1)
                break
            except subprocess.TimeoutExpired:
                now = time.time() - start
                text = read(out)
                if text:
                    samples.append((round(now, 1), tokens(text)))
                if now > cap:
                    capped = True
                    stop(process)
                    break
        wall, after = time.time() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
        before = read(CORPUS / case / "input.rs")
        text = read(out) or before
        samples.append((round(wall, 1), tokens(text)))
        final.write_text(text)
        still = subprocess.run([CORPUS / case / "test.sh", final], stdin=subprocess.DEVNULL, capture_output=True)
        steps = sorted((int(path.name.split(".")[0]), tokens(read(path))) for path in accepted.iterdir())
        cpu = after.ru_utime + after.ru_stime - used.ru_utime - used.ru_stime
        return dict(case=case, tool=tool, jobs=jobs, tokens_before=tokens(before), tokens=tokens(text), bytes=len(text),
                    checks=count.stat().st_size, wall=round(wall, 1), cpu=round(cpu, 1), capped=capped,
                    still_fails=still.returncode == 0, parses=parses(final), samples=samples, steps=steps)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out")
    parser.add_argument("--tools", default="mcve,treereduce")
    parser.add_argument("--only", default="")
    parser.add_argument("--cap", type=float, default=300)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--runs", type=int, default=1)
    args = parser.parse_args()
    cases = args.only.split(",") if args.only else sorted(path.parent.name for path in CORPUS.glob("*/case.json"))
    for _ in range(args.runs):
        for case in cases:
            # One after the other, so that all meet the same machine.
            for tool in args.tools.split(","):
                row = run(case, tool, args.cap, args.jobs)
                print({key: value for key, value in row.items() if key not in ("samples", "steps")}, flush=True)
                with open(args.out, "a") as out:
                    out.write(json.dumps(row) + "\n")


if __name__ == "__main__":
    main()
