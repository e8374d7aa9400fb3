#!/usr/bin/env python3
"""What each transform gains, on programs that nobody wrote it for.

    transforms.py collect PROGRAMS [--rust RUST]              fills a folder with programs
    transforms.py run PROGRAMS OUT [--half A|B] [--without NAME,..] [--mcve PATH] [--cap SECONDS]
    transforms.py without PROGRAMS OUT NAME.. [--mcve PATH]    runs programs that accepted a transform without it
    transforms.py table OUT                                   prints the table of docs/transforms.md
    transforms.py compare OUT OTHER                           prints what OTHER lost, a line for each program that differs

The programs: the files of rustc's `tests/crashes` below RUST, sources of the rustc in PATH; the first example of each error
that `rustc --explain` refuses; the failing programs and questions of this folder; and files of crates below
`~/.cargo/registry/src` that compile alone, each with one of these errors at its end. Their names are hashed into halves: A is for
deciding what stays, B is for judging what went. A run has one worker, and writes the result, a log (`--log`) and a line of
JSON for each program; a run that was ended goes on. `--without` leaves out transforms. `without` fills OUT-without-NAME for each
NAME with programs that accepted NAME, came to their end and took less than 20 seconds: until a result is larger, at most eight.

The columns of the table: in how many programs a step by the transform was accepted, how many steps, and by how many tokens a
result is larger without it, the largest difference of those in OUT-without-NAME. Tokens are those that mcve counts.
"""
import argparse, collections, hashlib, json, os, random, re, subprocess, tempfile, time
from pathlib import Path

from causes import read

HERE = Path(__file__).resolve().parent
WOVEN = 40  # how many files of crates get an error
SIZES = range(4000, 60000)  # their sizes in bytes


def errors_of(path, edition):
    """The codes of its errors; none where it compiles."""
    with tempfile.TemporaryDirectory() as folder:
        line = ["rustc", "--edition", edition, "--crate-type=lib", "--emit=metadata", "-o", f"{folder}/x", path.resolve()]
        done = subprocess.run(line, capture_output=True, text=True, cwd=folder, env={**os.environ, "RUSTC_BOOTSTRAP": "1"})
        return re.findall(r"^error\[?(\w*)", done.stderr, re.M) if done.returncode else None


def explained(folder):
    """The first example of each code that has just this error: the code, the edition and the text."""
    for code in (f"E{number:04}" for number in range(1, 900)):
        said = subprocess.run(["rustc", "--explain", code], capture_output=True, text=True).stdout
        example = re.search(r"^```\n(.*?)^```", said, re.S | re.M)
        path = folder / f"error-{code}.rs"
        for edition in ("2015", "2021") if example else ():
            path.write_text(f"//@ edition: {edition}\n{example[1]}")
            # The last line counts the errors.
            if (errors_of(path, edition) or [])[:-1] == [code]:
                yield code, edition, example[1]
                break
        else:
            path.unlink(missing_ok=True)


def collect(args):
    """Fills the folder."""
    args.programs.mkdir(parents=True)
    for path in sorted(args.rust.glob("tests/crashes/*.rs")) if args.rust else []:
        # Only a compiler with assertions crashes on these.
        if "needs-rustc-debug-assertions" not in path.read_text():
            (args.programs / f"crash-{path.name}").write_text(path.read_text())
    errors = list(explained(args.programs))
    for kind in ("causes", "diagnostics", "masked"):
        for path in (HERE / kind).glob("*.rs"):
            (args.programs / f"{kind}-{path.name}").write_text(read(path)[0])
    chance = random.Random(7)
    files = [path for path in sorted(Path.home().glob(".cargo/registry/src/*/*/src/**/*.rs")) if path.stat().st_size in SIZES]
    chance.shuffle(files)
    chance.shuffle(errors)
    crates, left = set(), [error for error in errors if "#![" not in error[2]]
    for path in files:
        crate = path.relative_to(Path.home() / ".cargo/registry/src").parts[1]
        if not left or len(crates) == WOVEN:
            break
        code, edition, text = left[-1]
        if crate in crates or errors_of(path, edition) is not None:
            continue
        woven = args.programs / f"woven-{crate}-{code}.rs"
        woven.write_text(f"//@ edition: {edition}\n{path.read_text()}\nmod woven {{\n{text}\n}}\n")
        crates.add(crate)
        left.pop()
    print(collections.Counter(path.name.split("-")[0] for path in args.programs.iterdir()))


def digest(name):
    return hashlib.md5(name.encode()).hexdigest()


def half(name):
    return "AB"[int(digest(name), 16) % 2]


def reduce(args, path):
    with tempfile.TemporaryDirectory() as folder:
        result, log = Path(folder) / path.name, args.out / f"{path.name}.log"
        argv = [args.mcve, path.resolve(), "-o", result, "--log", log.resolve(), "-j", "1", "--message-format", "json",
                "--budget", f"{args.cap}s", *(word for name in args.without for word in ("--skip", name))]
        environment = {**os.environ, "RUSTC_BOOTSTRAP": "1", "XDG_STATE_HOME": folder + "/state"}
        begun = time.monotonic()
        done = subprocess.run(argv, cwd=folder, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace")
        events = [json.loads(line) for line in done.stdout.splitlines()]
        last = events[-1] if events and events[-1].get("event") == "finished" else None
        row = {"program": path.name, "exit": done.returncode, "seconds": round(time.monotonic() - begun, 1)}
        if last:
            row |= {"before": last["before"]["tokens"], "after": last["after"]["tokens"], "checks": last["checks"], "proved": last["one_minimal"]}
            (args.out / path.name).write_text(result.read_text(errors="replace"))
        else:
            row["why"] = done.stderr.strip()[-300:]
        return row


def rows(out):
    path = out / "rows.jsonl"
    return {row["program"]: row for row in map(json.loads, path.read_text().splitlines())} if path.is_file() else {}


def write(args, path):
    """Reduces a program and writes its row."""
    args.out.mkdir(parents=True, exist_ok=True)
    row = reduce(args, path)
    with (args.out / "rows.jsonl").open("a") as file:
        print(json.dumps(row), file=file)


def run(args):
    """Reduces the programs that are not done."""
    done = rows(args.out)
    # In the order of their hashes: a run that was ended is a sample of all.
    for path in sorted(args.programs.glob("*.rs"), key=lambda path: digest(path.name)):
        if path.name not in done and args.half in ("", half(path.name)):
            write(args, path)


def accepted(log):
    """The transforms of the steps that were taken."""
    for line in log.read_text().splitlines():
        try:
            line = json.loads(line)
        except ValueError:  # the last line of a run that was ended
            continue
        tried = line.get("tried")
        if tried and tried["rejection"] is None:
            yield tried["transform"]


def steps(out):
    """How many steps each transform made in each program, in the order of their hashes."""
    found = collections.defaultdict(collections.Counter)
    for name in sorted(rows(out), key=digest):
        for transform in accepted(out / f"{name}.log") if (out / f"{name}.log").is_file() else ():
            found[transform][name] += 1
    return found


def without(args):
    done, found = rows(args.out), steps(args.out)
    for transform in args.names:
        out = args.out.with_name(f"{args.out.name}-without-{transform}")
        there = rows(out)
        quick = [name for name in found[transform] if done[name].get("proved") and done[name]["seconds"] < 20]
        for name in quick[:8]:
            if any(row.get("after", 0) > done[row["program"]]["after"] for row in rows(out).values()):
                break
            if name not in there:
                write(argparse.Namespace(**{**vars(args), "out": out, "without": [transform], "cap": 60}), args.programs / name)


def table(args):
    found = steps(args.out)
    done = {name: row for name, row in rows(args.out).items() if "after" in row}
    proved = sum(row["proved"] for row in done.values())
    before, after, checks = (sum(row[key] for row in done.values()) for key in ("before", "after", "checks"))
    print(f"{len(done)} programs, {proved} to their end: {before:,} to {after:,} tokens, {checks:,} checks.\n")
    print("| transform | programs | steps | without it |\n| --- | ---: | ---: | ---: |")
    listed = subprocess.run([args.mcve, "list"], capture_output=True, text=True, check=True).stdout.split("\npasses: ")[0]
    for name in re.findall(r"^  ([a-z-]+) ", listed, re.M):
        without = rows(args.out.with_name(f"{args.out.name}-without-{name}"))
        pairs = [(done[program]["after"], row["after"]) for program, row in without.items() if program in done and "after" in row]
        lost = max(other - own for own, other in pairs) if pairs else "not measured"
        print(f"| `{name}` | {len(found[name])} | {sum(found[name].values())} | {lost} |")


def compare(args):
    own, other = rows(args.out), rows(args.other)
    pairs = [(own[name], row) for name, row in sorted(other.items()) if "after" in row and "after" in own.get(name, {})]
    for left, right in pairs:
        if left["after"] != right["after"]:
            ends = "" if left["proved"] and right["proved"] else " (not both to their end)"
            print(f"{left['program']}: {left['after']} to {right['after']} tokens, {left['checks']} to {right['checks']} checks{ends}")
    sums = [[sum(row[key] for row in side) for side in zip(*pairs)] for key in ("after", "checks")] if pairs else [[0, 0]] * 2
    for what, (left, right) in zip(("tokens", "checks"), sums):
        print(f"{len(pairs)} programs: {left:,} to {right:,} {what} ({right / max(left, 1):.4f})")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)

    def command(function, *names):
        one = commands.add_parser(function.__name__)
        one.set_defaults(function=function)
        for name in names:
            one.add_argument(name, type=Path)
        one.add_argument("--mcve", default="mcve")
        return one

    command(collect, "programs").add_argument("--rust", type=Path)
    runs = command(run, "programs", "out")
    runs.add_argument("--half", choices=["", "A", "B"], default="")
    runs.add_argument("--without", type=lambda names: names.split(","), default=[])
    runs.add_argument("--cap", type=int, default=60)
    command(without, "programs", "out").add_argument("names", nargs="+")
    command(table, "out")
    command(compare, "out", "other")
    args = parser.parse_args()
    args.function(args)


if __name__ == "__main__":
    main()
