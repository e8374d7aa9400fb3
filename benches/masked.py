#!/usr/bin/env python3
"""Masked errors: valid programs that crash rustc, reduced; is the result still valid, or does the crash hide its errors?

usage: masked.py --mcve PATH [--other PATH] [--jobs N] [--timeout SECONDS] [--show] [FILES or FOLDERS..]

rustc ends at a crash, and reports no error that it would have found later. So the errors of a candidate are not there to see, and a result may
be one that a maintainer answers with "is not valid anyway". The inputs are benches/masked/*.rs, or the files and the .rs files of the folders
that are named. What stands at the top of each is not part of what mcve gets:

    //@ toolchain: NAME     the toolchain that crashes, if it is not the default one
    //@ args: ARGS          the arguments for rustc with which it crashes
    //@ valid-by: [+NAME] ARGS
                            a toolchain and arguments, instead of these, with which rustc does not crash and accepts the program

An input is refused if it does not crash, if rustc reports an error beside the crash, or if it is not valid by its way. A result is valid if
it is accepted by the same way, in the edition and as the type of crate that mcve found for it, and code is made of it. It must crash at the
same place of the compiler with the same words, or else it is lost. The table says what the first errors are. Tokens, checks and seconds are those
that mcve tells. With --other, a second mcve reduces each input right after the first. At --timeout mcve ends with what it has, and its seconds
get a `>`. --show prints each result and what rustc says of it by the way that does not crash.
"""
import argparse, os, re, shlex, subprocess, tempfile
from dataclasses import dataclass
from pathlib import Path

from diagnostics import Outcome as Reduced, cells, finished, inputs, mean, program

HERE = Path(__file__).resolve().parent / "masked"
LINE = re.compile(r"//@ (toolchain|args|valid-by): (.*)")
DEFAULT = ["--edition=2024"]
SHOWN = 2  # how many errors of a result are in the table


@dataclass
class Case:
    """An input, how it crashes and how it does not."""
    name: str
    text: str
    toolchain: list[str]
    args: list[str]
    valid_by: list[str]

    @property
    def rustc(self):
        return ["rustc", *self.toolchain]

    @property
    def other_way(self):
        """rustc, in the way that does not crash: a toolchain in front, or that of the crash."""
        own = self.valid_by[:1] if self.valid_by[0].startswith("+") else self.toolchain
        return ["rustc", *own, *(word for word in self.valid_by if not word.startswith("+"))]


@dataclass
class Outcome(Reduced):
    """What one mcve made of an input."""
    is_lost: bool = False

    @property
    def state(self):
        if not self.text:
            return "failed"
        return "lost" if self.is_lost else "invalid" if self.why else "valid"


def read(path):
    """An input without the lines at its top, which would tell mcve too much."""
    lines = path.read_text().splitlines(keepends=True)
    size = next((index for index, line in enumerate(lines) if not line.startswith("//@")), len(lines))
    found = {}
    for line in lines[:size]:
        match = LINE.fullmatch(line.rstrip("\n"))
        if not match or match[1] in found:
            raise SystemExit(f"{path}: not understood: {line.rstrip()}")
        found[match[1]] = shlex.split(match[2])
    if not found.get("valid-by"):
        raise SystemExit(f"{path}: nothing says how it is valid")
    toolchain = [f"+{name}" for name in found.get("toolchain", [])]
    return Case(path.stem, "".join(lines[size:]), toolchain, found.get("args", []), found["valid-by"])


def rustc(argv, source, folder):
    """The exit code of rustc, and what it says."""
    done = subprocess.run([*argv, source, "--out-dir", "out"], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          errors="replace", env=os.environ | {"RUSTC_ICE": "0", "RUST_BACKTRACE": "0"})
    return done.returncode, done.stderr


def errors(said):
    """The errors that are no crash, in a line each."""
    found = re.findall(r"^error(?:\[E\d+\])?: .*", said, re.M)
    return [error for error in found if not re.match(r"error: (aborting due to|internal compiler error)", error)]


def crash(said):
    """Where in the compiler it crashed, and the words before the first name: none if it did not."""
    place = re.search(r"(?:panicked|delayed) at \S*?(compiler/\S+?:\d+:\d+)", said)
    words = re.search(r"^(?:error: internal compiler error: (?:\S+:\d+:\d+: )?|rustc-LLVM ERROR: )([\w', ]+)", said, re.M)
    if not place and not words:
        return None
    return place and place[1], words and words[1].strip()


def kind(command):
    """The edition and the type of crate in a command."""
    return re.findall(r"--(?:edition|crate-type)[= ]\S+", command)


def is_valid(case, kind, source, folder):
    """Whether a program is accepted by the way that does not crash, and what rustc says."""
    emit = [] if any(word.startswith("--emit") for word in case.valid_by) else ["--emit=obj"]
    code, said = rustc([*case.other_way, *(word for part in kind for word in part.split(" ")), *emit], source, folder)
    return code == 0, said


def check(case):
    """Refuses an input that does not crash, or is not valid."""
    with tempfile.TemporaryDirectory(prefix="masked-") as folder:
        source = f"{case.name}.rs"
        (Path(folder) / source).write_text(case.text)
        _, said = rustc([*case.rustc, *DEFAULT, *case.args], source, folder)
        found = crash(said)
        if not found:
            raise SystemExit(f"{case.name}: the input does not crash")
        if others := errors(said):
            raise SystemExit(f"{case.name}: the input has an error beside the crash: {others[0]}")
        valid, said = is_valid(case, DEFAULT, source, folder)
        if not valid:
            raise SystemExit(f"{case.name}: the input itself is not valid: {(errors(said) or [said])[0]}")
        return found


def reduce(case, wanted, mcve, jobs, seconds):
    """Reduces an input, and looks whether the result still crashes, and is valid."""
    with tempfile.TemporaryDirectory(prefix="masked-") as folder:
        source, result = f"{case.name}.rs", f"{case.name}_mcve.rs"
        (Path(folder) / source).write_text(case.text)
        own = ["--message-format", "json", "--jobs", str(jobs), "--budget", f"{seconds}s"]
        args = ["--", *case.args] if case.args else []
        last = finished([mcve, *case.toolchain, source, "-o", result, *own, *args], folder, seconds)
        if isinstance(last, str):
            return Outcome(why=[last])
        text = (Path(folder) / result).read_text()
        numbers = last["before"]["tokens"], last["after"]["tokens"], last["checks"], last["seconds"], last["ending"] == "complete"
        words = [word for word in shlex.split(last["command"]) if word != result]
        found = crash(rustc(words, result, folder)[1])
        if found != wanted:
            return Outcome(text, str(found), [f"crashes as {found}"], *numbers, is_lost=True)
        valid, said = is_valid(case, kind(last["command"]), result, folder)
        return Outcome(text, said, [] if valid else errors(said)[:SHOWN] or ["not accepted"], *numbers)


def row(case, outcomes):
    """A row of the table: the numbers of each mcve, and the first errors of its result."""
    found = [case.name, f"{max(outcome.before for outcome in outcomes):,}"]
    for outcome in outcomes:
        found += cells(outcome)
    marks = ["", "other: "]
    why = "; ".join(f"{mark}{line}" for mark, outcome in zip(marks, outcomes) for line in outcome.why)
    return [*found, why.replace("|", "\\|")]


def show(case, outcomes, programs):
    for outcome, name in zip(outcomes, programs):
        print(f"\n## {case.name}, by {name}: {outcome.state}")
        for part in (outcome.text.rstrip(), outcome.said.rstrip()):
            if part:
                print(f"\n{part}")


def summary(found, programs):
    """How many are valid, and how much is left."""
    for index, name in enumerate(programs):
        outcomes = [all_of[index] for all_of in found]
        valid = sum(outcome.state == "valid" for outcome in outcomes)
        sizes = [max(outcome.after, 1) / outcome.before for outcome in outcomes if outcome.text]
        checks = sum(outcome.checks for outcome in outcomes)
        print(f"{name}: {valid} of {len(outcomes)} valid; {mean(sizes)} of the tokens are left (geometric mean); {checks:,} checks.")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mcve", required=True, type=program, metavar="PATH")
    parser.add_argument("--other", type=program, metavar="PATH", help="a second mcve, to compare with")
    parser.add_argument("--jobs", type=int, default=2, metavar="N", help="how many checks run at once (2)")
    parser.add_argument("--timeout", type=int, default=300, metavar="SECONDS", help="the longest that a reduction may take (300)")
    parser.add_argument("--show", action="store_true", help="prints the results, too")
    parser.add_argument("paths", nargs="*", type=Path, metavar="FILE or FOLDER")
    args = parser.parse_args()
    cases = [read(path) for path in inputs(args.paths or [HERE])]
    crashes = [check(case) for case in cases]
    programs = [args.mcve, *([args.other] if args.other else [])]
    own = ["result", "tokens", "checks", "s"]
    head = ["input", "tokens before", *own, *([f"other: {name}" for name in own] if args.other else []), "first errors"]
    print("| " + " | ".join(head) + " |\n| " + " | ".join(["---"] * len(head)) + " |", flush=True)
    found = []
    for case, wanted in zip(cases, crashes):
        found.append([reduce(case, wanted, each, args.jobs, args.timeout) for each in programs])
        print("| " + " | ".join(row(case, found[-1])) + " |", flush=True)
    print()
    summary(found, programs)
    if args.show:
        for case, outcomes in zip(cases, found):
            show(case, outcomes, programs)


if __name__ == "__main__":
    main()
