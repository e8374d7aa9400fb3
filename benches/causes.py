#!/usr/bin/env python3
"""Causes: programs that fail at run time, reduced; is what made the program fail still what makes the result fail?

usage: causes.py FOLDER.. [--mcve PATH] [--budget SECONDS] [--keeps FILE] [--show] [-- MORE ARGUMENTS FOR MCVE]
       causes.py FOLDER.. --verify

The words of a failure do not tell its cause, so each program has a second place that can fail with the same words in the same function. The
lines at the top of a program say what is wrong. They are not part of what mcve gets:

    // bug: SENTENCE         what is wrong, and why the failure follows; with `of the runs` where it fails only sometimes
    // run: main | TEST      what fails: `main`, or the test of this name
    // fails: TEXT           a piece of what the failing run prints, or `exit status: N`, or `signal: N`
    // fixed: OLD => NEW     a replacement at one place with which the program passes
    // keeps: REGEX          what a result matches that still has the cause, once comments and white space are gone; all of them count

A program without these lines gets its patterns from --keeps FILE, which maps names of files to lists of patterns; mcve finds its failure itself.
The patterns were written before any program was reduced. They are a sign of the cause and no proof. Tokens are counted by a simple regex, and
seconds are wall time. Checks are those that mcve tells; a `>` before the seconds says that the budget was over first.

--verify runs no mcve. It compiles each program that has the lines, with rustc, and looks whether they are true: it fails in each of five runs
(where it fails only sometimes, both ways in 40), the other tests pass, it passes with the replacement, and the input matches its own patterns.
"""
import argparse, json, os, re, shutil, signal, subprocess, sys, tempfile, time
from pathlib import Path

PATIENCE = 60  # seconds that mcve has to end after its budget, before it is killed
LINE = re.compile(r"// (bug|run|fails|fixed|keeps): (.*)")
TOKEN = re.compile(r'(?P<comment>//[^\n]*|/\*.*?\*/)|b?r(#*)".*?"\2|b?"(?:\\.|[^"\\])*"|b?\'(?:\\[^\']*\'|\\\'\'|[^\'\\]\')'
                   r"|'?\w+|::|->|=>|\.\.=|\.\.\.?|<<=|>>=|[-+*/%^&|=!<>]=|&&|\|\||<<|>>|\S", re.S)


def read(path):
    """A program without the lines at its top, and what they say."""
    lines = path.read_text().splitlines(keepends=True)
    found, at = {"keeps": []}, 0
    while at < len(lines) and (match := LINE.fullmatch(lines[at].rstrip("\n"))):
        found["keeps"].append(match[2]) if match[1] == "keeps" else found.setdefault(match[1], match[2])
        at += 1
    if "run" not in found and not found["keeps"]:  # a program of others, all of it
        return path.read_text(), {}
    missing = [name for name in ("bug", "run", "fails", "fixed") if name not in found]
    if missing or not found["keeps"]:
        raise SystemExit(f"{path}: no line `// {(missing or ['keeps'])[0]}:`")
    return "".join(lines[at:]), found


def tokens(text):
    return [match[0] for match in TOKEN.finditer(text) if not match["comment"]]


def missing(text, patterns):
    """The patterns that a program does not match, without its comments and white space."""
    bare = re.sub(r"\s", "", "".join(tokens(text)))
    return [pattern for pattern in patterns if not re.search(pattern, bare)]


def finished(argv, folder, budget):
    """What mcve tells at its end; or, as a text, why there is nothing of the kind."""
    (Path(folder) / "state").mkdir()
    process = subprocess.Popen(argv, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                               env={**os.environ, "XDG_STATE_HOME": str(Path(folder) / "state")}, start_new_session=True)
    try:
        out, err = process.communicate(timeout=budget + PATIENCE)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        return f"did not end {PATIENCE} s after its budget"
    last = json.loads(out.splitlines()[-1]) if out.strip() else {}
    if last.get("event") != "finished":
        return (err.strip().splitlines() or [f"ended with {process.returncode}"])[-1]
    return last


def reduce(path, args, others):
    """The row of a program: whether the cause was kept, tokens, checks, seconds and whether mcve came to its end; and the result."""
    text, said = read(path)
    patterns = said.get("keeps") or others.get(path.name)
    if not patterns:
        raise SystemExit(f"{path}: nothing says what its result must keep")
    test = ["--test-name", said["run"]] if said.get("run", "main") != "main" else []
    with tempfile.TemporaryDirectory(prefix="causes-") as folder:
        (Path(folder) / path.name).write_text(text)
        start = time.monotonic()
        last = finished([args.mcve, path.name, *test, "--budget", f"{args.budget}s", "--message-format", "json", *args.more], folder, args.budget)
        seconds, result = time.monotonic() - start, Path(folder) / f"{path.stem}_mcve.rs"
        if isinstance(last, str) or not result.is_file():
            return [f"failed: {last if isinstance(last, str) else 'no result'}"], 0, 0, seconds, True, ""
        small = result.read_text()
    return missing(small, patterns), len(tokens(small)), last["checks"], seconds, last["ending"] == "complete", small


def run(program, args=()):
    """What a program prints and how it ends."""
    done = subprocess.run([program, *args], cwd=Path(program).parent, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          errors="replace", timeout=60)
    end = f"exit status: {done.returncode}" if done.returncode >= 0 else f"signal: {-done.returncode}"
    return done.returncode, f"{done.stdout}{done.stderr}\n{end}\n"


def verify(path):
    """What is not true of the lines of a program."""
    text, said = read(path)
    old, new = said["fixed"].split(" => ", 1)
    is_test, runs = said["run"] != "main", 40 if "of the runs" in said["bug"] else 5
    wrong = [f"`{pattern}` does not match the input" for pattern in missing(text, said["keeps"])]
    if text.count(old) != 1:
        return [*wrong, f"`{old}` is there {text.count(old)} times"]
    with tempfile.TemporaryDirectory(prefix="causes-") as folder:
        programs = [str(Path(folder) / name) for name in ("bad", "good")]
        for program, source in zip(programs, (text, text.replace(old, new))):
            Path(f"{program}.rs").write_text(source)
            argv = ["rustc", "--edition", "2021", *(["--test"] if is_test else []), f"{program}.rs", "-o", program]
            done = subprocess.run(argv, cwd=folder, capture_output=True, text=True)
            if done.returncode:
                return [*wrong, f"{Path(program).name} does not compile: {done.stderr}"]
        only = [said["run"], "--exact"] if is_test else []
        ends = [run(programs[0], only) for _ in range(runs)]
        failed = [said["fails"] in shown for code, shown in ends if code]
        if not all(failed) or not failed or (len(failed) < runs) != (runs == 40):
            wrong.append(f"{sum(failed)} of {runs} runs fail as it says, {len(failed)} in any way: {ends[0][1]}")
        if is_test:
            tests = re.findall(r"^test (\S+)(?: - should panic)? \.\.\. (\w+)", run(programs[0], ["--test-threads=1"])[1], re.M)
            if len(tests) < 2 or [name for name, end in tests if end != "ok"] != [said["run"]]:
                wrong.append(f"not the one test that fails: {tests}")
        ends = [run(programs[1]) for _ in range(runs)]
        wrong += [f"fails when it is fixed: {shown}" for code, shown in ends if code][:1]
    return wrong


def program(name):
    """The program of this name, wherever the runs are."""
    found = shutil.which(name)
    if not found:
        raise SystemExit(f"no program {name}")
    return str(Path(found).resolve())


def row(*cells):
    print("| " + " | ".join(cells) + " |", flush=True)


def table(paths, args, others):
    """Reduces the programs and prints a row of each, and the totals."""
    row("program", "cause kept", "tokens", "checks", "seconds")
    row(*["---"] * 5)
    found = []
    for path in paths:
        kept, size, checks, seconds, is_complete, small = reduce(path, args, others)
        said = "yes" if not kept else "; ".join(text if text.startswith("failed: ") else f"no: `{text}`" for text in kept).replace("|", "\\|")
        row(path.stem, said, f"{size:,}", f"{checks:,}", f"{'' if is_complete else '>'}{seconds:.1f}")
        found.append((path, not kept, size, checks, seconds, small))
    sums = [sum(each[place] for each in found) for place in (1, 2, 3, 4)]
    row("all", f"{sums[0]} of {len(found)}", f"{sums[1]:,}", f"{sums[2]:,}", f"{sums[3]:.1f}")
    if args.show:
        for path, is_kept, *_, small in found:
            print(f"\n## {path.stem}: {'kept' if is_kept else 'not kept'}\n\n{small}", end="")


def main():
    own, more = sys.argv[1:], []
    if "--" in own:
        at = own.index("--")
        own, more = own[:at], own[at + 1:]
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER", help="a folder of programs, or a program")
    parser.add_argument("--mcve", default="mcve", metavar="PATH", help="the program mcve (mcve)")
    parser.add_argument("--budget", type=int, default=120, metavar="SECONDS", help="the longest that a reduction may take (120)")
    parser.add_argument("--keeps", type=Path, metavar="FILE", help="patterns of programs that have none, as JSON")
    parser.add_argument("--show", action="store_true", help="prints the results, too")
    parser.add_argument("--verify", action="store_true", help="looks whether the lines at the top of the programs are true")
    args = parser.parse_args(own)
    args.more = more
    others = json.loads(args.keeps.read_text()) if args.keeps else {}
    paths = [path for folder in args.folders for path in (sorted(folder.glob("*.rs")) if folder.is_dir() else [folder])]
    if not args.verify:
        args.mcve = program(args.mcve)
        return table(paths, args, others)
    broken = 0
    for path in paths:
        if read(path)[1]:
            wrong = verify(path)
        else:
            wrong = [f"`{pattern}` does not match the input" for pattern in missing(read(path)[0], others.get(path.name, []))]
        broken += bool(wrong)
        print(f"{path.stem}: {'; '.join(wrong) or 'true'}", flush=True)
    print(f"{len(paths) - broken} of {len(paths)} are true")
    return int(broken > 0)


if __name__ == "__main__":
    sys.exit(main())
