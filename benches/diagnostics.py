#!/usr/bin/env python3
"""Diagnostics: programs with an error of rustc that a person would ask about, reduced; does the result still ask the same question?

usage: diagnostics.py --mcve PATH [--other PATH] [--jobs N] [--timeout SECONDS] [--expect FILE] [--show] [FILES or FOLDERS..]

The inputs are benches/diagnostics/*.rs, or the files and the .rs files of the folders that are named. What the result must still say was
written before any of them was reduced. It stands at the top of each input, one regex a line, and is not part of what mcve gets:

    //@ error: REGEX        what rustc says of the result matches
    //@ not-error: REGEX    what rustc says of the result does not match
    //@ code: REGEX         the text of the result matches
    //@ args: ARGS          more arguments for mcve

Each of them may be there several times, and all count. `^` and `$` are the ends of a line. With --expect FILE they come from a table:
the same lines below `[NAME]`, where NAME is that of the input without `.rs`.

A result that meets all lines is kept, and any other is lost; the table says by which line. Tokens, checks and seconds are those that mcve
tells. With --other, a second mcve reduces each input right after the first, and the ratios are those of the first to the second. At
--timeout mcve ends with what it has, and its seconds get a `>`. --show prints each result and what rustc says of it.
"""
import argparse, json, math, os, re, shlex, shutil, signal, subprocess, sys, tempfile
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).resolve().parent / "diagnostics"
LINE = re.compile(r"//@ (error|not-error|code|args): (.*)")
PATIENCE = 60  # seconds that mcve has to end after its budget, before it is killed


@dataclass
class Case:
    """An input, and what a result of it must show."""
    name: str
    text: str
    lines: list[tuple[str, str]]

    @property
    def args(self):
        return [word for kind, words in self.lines if kind == "args" for word in shlex.split(words)]

    def broken(self, said, text):
        """The lines that a program does not meet of which rustc said this."""
        def is_met(kind, pattern):
            found = re.search(pattern, text if kind == "code" else said, re.M)
            return not found if kind == "not-error" else bool(found)
        return [f"{kind}: {pattern}" for kind, pattern in self.lines if kind != "args" and not is_met(kind, pattern)]


@dataclass
class Outcome:
    """What one mcve made of an input. Without a text it failed, and `why` is what it said."""
    text: str = ""
    said: str = ""
    why: list[str] = field(default_factory=list)
    before: int = 0
    after: int = 0
    checks: int = 0
    seconds: float = 0.0
    is_complete: bool = True

    @property
    def state(self):
        return "failed" if not self.text else "lost" if self.why else "kept"


def expectations(path):
    """The lines below each heading of a table."""
    found, name = {}, None
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if heading := re.fullmatch(r"\[(\S+)\]", line):
            name = heading[1]
        elif match := LINE.fullmatch(line):
            if name is None:
                raise SystemExit(f"{path}:{number}: a line before the first heading")
            found.setdefault(name, []).append(match.groups())
        elif line.startswith("//@"):
            raise SystemExit(f"{path}:{number}: not understood: {line}")
    return found


def read(path, table):
    """An input without the comment at its top, which would tell mcve nothing."""
    lines = path.read_text().splitlines(keepends=True)
    size = next((index for index, line in enumerate(lines) if not line.startswith("//")), len(lines))
    top = [line.rstrip("\n") for line in lines[:size]]
    own = [match.groups() for line in top if (match := LINE.fullmatch(line))]
    unknown = [line for line in top if line.startswith("//@") and not LINE.fullmatch(line)]
    if table is None and unknown:
        raise SystemExit(f"{path}: not understood: {unknown[0]}")
    wanted = own if table is None else table.get(path.stem, [])
    if not any(kind != "args" for kind, _ in wanted):
        raise SystemExit(f"{path}: nothing says what its result must show")
    return Case(path.stem, "".join(lines[size:]), wanted)


def inputs(paths):
    """The files that are named, and those in folders that are named."""
    found = []
    for path in paths or [HERE]:
        if not path.exists():
            raise SystemExit(f"{path} is not there")
        found += sorted(path.glob("*.rs")) if path.is_dir() else [path]
    return found


def diagnostic(argv, folder):
    """What rustc says, as a person sees it."""
    done = subprocess.run([*argv, "--out-dir", folder], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    return done.stderr


def finished(argv, folder, seconds):
    """What mcve tells at its end; or, as a text, why there is nothing of the kind."""
    process = subprocess.Popen(argv, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                               start_new_session=True)
    try:
        out, err = process.communicate(timeout=seconds + PATIENCE)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        return f"did not end {PATIENCE} s after its budget"
    last = json.loads(out.splitlines()[-1]) if out.strip() else {}
    if last.get("event") != "finished":
        return (err.strip().splitlines() or [f"ended with {process.returncode}"])[-1]
    return last


def reduce(case, mcve, jobs, seconds):
    """Reduces an input, and looks whether the result still asks the same question."""
    with tempfile.TemporaryDirectory(prefix="diagnostics-") as folder:
        source, result = f"{case.name}.rs", f"{case.name}_mcve.rs"
        (Path(folder) / source).write_text(case.text)
        own = ["--message-format", "json", "--jobs", str(jobs), "--budget", f"{seconds}s"]
        last = finished([mcve, source, "-o", result, *own, *case.args], folder, seconds)
        if isinstance(last, str):
            return Outcome(why=[last])
        text = (Path(folder) / result).read_text()
        said = diagnostic(shlex.split(last["command"]), folder)
        return Outcome(text, said, case.broken(said, text), last["before"]["tokens"], last["after"]["tokens"], last["checks"],
                       last["seconds"], last["ending"] == "complete")


def check(case):
    """Refuses an input that does not show itself what its result must show."""
    with tempfile.TemporaryDirectory(prefix="diagnostics-") as folder:
        (Path(folder) / f"{case.name}.rs").write_text(case.text)
        said = diagnostic(["rustc", "--edition=2024", "--emit=metadata", f"{case.name}.rs"], folder)
    if broken := case.broken(said, case.text):
        raise SystemExit(f"{case.name}: the input itself does not meet `{broken[0]}`")


def mean(ratios):
    """The geometric mean; an empty result counts as one token, no check as one check."""
    return f"{math.exp(sum(map(math.log, ratios)) / len(ratios)):.2f}" if ratios else "-"


def ratio(outcomes, name):
    """How many times as much the first needs as the second; none where one of them failed."""
    first, second = (max(getattr(outcome, name), 1) for outcome in outcomes)
    return first / second if all(outcome.text for outcome in outcomes) else None


def cells(outcome):
    if not outcome.text:
        return [outcome.state, "-", "-", "-"]
    return [outcome.state, f"{outcome.after:,}", f"{outcome.checks:,}", f"{'' if outcome.is_complete else '>'}{outcome.seconds:.1f}"]


def row(case, outcomes):
    """A row of the table: the numbers of each mcve, the ratios, and what was lost."""
    found = [case.name, f"{max(outcome.before for outcome in outcomes):,}"]
    for outcome in outcomes:
        found += cells(outcome)
    if len(outcomes) == 2:
        found += [f"{value:.2f}" if (value := ratio(outcomes, name)) else "-" for name in ("after", "checks")]
    marks = ["", "other: "]
    why = "; ".join(f"{mark}`{line}`" for mark, outcome in zip(marks, outcomes) for line in outcome.why)
    return [*found, why.replace("|", "\\|")]


def show(case, outcomes, programs):
    for outcome, program in zip(outcomes, programs):
        print(f"\n## {case.name}, by {program}: {outcome.state}")
        for part in (outcome.text.rstrip(), outcome.said.rstrip(), "\n".join(f"not met: {line}" for line in outcome.why)):
            if part:
                print(f"\n{part}")


def summary(found, programs):
    """How many were kept, and the means."""
    for index, program in enumerate(programs):
        outcomes = [all_of[index] for all_of in found]
        kept = sum(outcome.state == "kept" for outcome in outcomes)
        sizes = [max(outcome.after, 1) / outcome.before for outcome in outcomes if outcome.text]
        print(f"{program}: {kept} of {len(outcomes)} kept; {mean(sizes)} of the tokens are left (geometric mean).")
    if len(programs) == 2:
        both = [pair for pair in found if all(outcome.state == "kept" for outcome in pair)]
        for pairs, which in ((found, "all"), (both, f"the {len(both)} that both keep")):
            means = [mean([value for pair in pairs if (value := ratio(pair, name))]) for name in ("after", "checks")]
            print(f"The first to the second, geometric means over {which}: tokens {means[0]}, checks {means[1]}.")


def program(name):
    """The program of this name, wherever the runs are."""
    found = shutil.which(name)
    if not found:
        raise argparse.ArgumentTypeError(f"no program {name}")
    return str(Path(found).resolve())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mcve", required=True, type=program, metavar="PATH")
    parser.add_argument("--other", type=program, metavar="PATH", help="a second mcve, to compare with")
    parser.add_argument("--jobs", type=int, default=2, metavar="N", help="how many checks run at once (2)")
    parser.add_argument("--timeout", type=int, default=300, metavar="SECONDS", help="the longest that a reduction may take (300)")
    parser.add_argument("--expect", type=Path, metavar="FILE", help="a table of what the results must show")
    parser.add_argument("--show", action="store_true", help="prints the results, too")
    parser.add_argument("paths", nargs="*", type=Path, metavar="FILE or FOLDER")
    args = parser.parse_args()
    table = expectations(args.expect) if args.expect else None
    cases = [read(path, table) for path in inputs(args.paths)]
    for case in cases:
        check(case)
    programs = [args.mcve, *([args.other] if args.other else [])]
    own = ["result", "tokens", "checks", "s"]
    head = ["input", "tokens before", *own]
    if args.other:
        head += [*(f"other: {name}" for name in own), "tokens ratio", "checks ratio"]
    head.append("not met")
    print("| " + " | ".join(head) + " |\n| " + " | ".join(["---"] * len(head)) + " |", flush=True)
    found = []
    for case in cases:
        found.append([reduce(case, each, args.jobs, args.timeout) for each in programs])
        print("| " + " | ".join(row(case, found[-1])) + " |", flush=True)
    print()
    summary(found, programs)
    if args.show:
        for case, outcomes in zip(cases, found):
            show(case, outcomes, programs)


if __name__ == "__main__":
    main()
