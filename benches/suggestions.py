#!/usr/bin/env python3
"""Wrong suggestions: programs whose lint suggests something that breaks them, reduced by `--suggestion fails`; is the suggestion still wrong?

usage: suggestions.py --mcve PATH [--jobs N] [--timeout SECONDS] [--show] [FILES or FOLDERS..]

The inputs are benches/diagnostics/suggestions/*.rs, or those that are named. At the top of each, which mcve does not get:

    //@ tool: rustc|clippy   what suggests
    //@ lint: NAME           which lint
    //@ new-error: REGEX     what rustc says once a suggestion is applied, and does not say before
    //@ run: yes             or: the program then does something else

The judge is not mcve: the tool is run on the result, its machine-applicable suggestions for the lint are put into the text, each alone and
all together, and both programs are compiled, or run. A result is kept if one of these breaks it as the input's did.
"""
import argparse, json, re, subprocess, tempfile
from pathlib import Path

from diagnostics import finished, inputs, program

HERE = Path(__file__).resolve().parent / "diagnostics" / "suggestions"
LINE = re.compile(r"//@ ([\w-]+): (.*)")
TOOLS = {"rustc": "rustc", "clippy": "clippy-driver"}
LONGEST = 20  # seconds that a program may run


def read(path):
    lines = path.read_text().splitlines(keepends=True)
    size = next((index for index, line in enumerate(lines) if not line.startswith("//")), len(lines))
    said = dict(match.groups() for line in lines[:size] if (match := LINE.fullmatch(line.rstrip("\n"))))
    return said, "".join(lines[size:])


def compiled(tool, text, folder, emit, name="a.rs"):
    """What the tool says of a text, a diagnostic each."""
    (folder / name).write_text(text)
    argv = [tool, "--edition=2024", "--error-format=json", f"--emit={emit}", "-o", f"{name}.{emit}", name]
    lines = subprocess.run(argv, cwd=folder, capture_output=True, text=True).stderr.splitlines()
    return [json.loads(line) for line in lines if line.startswith("{")]


def errors(diagnostics):
    return [one for one in diagnostics if one["level"] == "error" and not one["message"].startswith("aborting due to")]


def edits(diagnostics, lint):
    """For each machine-applicable suggestion of the lint, what it puts where."""
    for one in diagnostics:
        if (one["code"] or {}).get("code") == lint:
            for child in one["children"]:
                found = [(span["byte_start"], span["byte_end"], span["suggested_replacement"]) for span in child["spans"]
                         if span["suggestion_applicability"] == "MachineApplicable" and span["suggested_replacement"] is not None]
                if found:
                    yield found


def applied(text, suggestions):
    data, last = text.encode(), None
    for start, end, new in sorted((edit for edits in suggestions for edit in edits), reverse=True):
        if last is None or end <= last:
            data, last = data[:start] + new.encode() + data[end:], start
    return data.decode(errors="replace")


def behaviour(text, folder, name):
    """What a program prints and how it ends; none where it does not compile."""
    if errors(compiled("rustc", text, folder, "link", name)):
        return None
    done = subprocess.run([f"./{name}.link"], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, timeout=LONGEST)
    return done.stdout, done.returncode


def judge(said, text):
    """Why no suggestion breaks the program as it did; nothing where one does."""
    with tempfile.TemporaryDirectory(prefix="suggestions-") as name:
        folder = Path(name)
        diagnostics = compiled(TOOLS[said["tool"]], text, folder, "metadata")
        known = {error["message"] for error in errors(diagnostics)}
        found = list(edits(diagnostics, said["lint"]))
        if not found:
            return "no suggestion"
        seen = []
        for chosen in [[one] for one in found] + [found]:
            fixed = applied(text, chosen)
            if "run" in said:
                before, after = behaviour(text, folder, "a.rs"), behaviour(fixed, folder, "b.rs")
                if before is not None and after is not None and before != after:
                    return None
                seen.append("the same behaviour")
                continue
            new = [error for error in errors(compiled("rustc", fixed, folder, "metadata")) if error["message"] not in known]
            if any(re.search(said["new-error"], f"error: {error['message']}", re.M) for error in new):
                return None
            seen += [error["message"] for error in new] or ["no error"]
        return "; ".join(sorted(set(seen)))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mcve", required=True, type=program, metavar="PATH")
    parser.add_argument("--jobs", type=int, default=2, metavar="N")
    parser.add_argument("--timeout", type=int, default=300, metavar="SECONDS")
    parser.add_argument("--show", action="store_true", help="prints the results, too")
    parser.add_argument("paths", nargs="*", type=Path, metavar="FILE or FOLDER")
    args = parser.parse_args()
    print("| input | tokens before | result | tokens | checks | s | why |\n| --- | --- | --- | --- | --- | --- | --- |", flush=True)
    kept, shown, paths = 0, [], inputs(args.paths or [HERE])
    for path in paths:
        said, text = read(path)
        if why := judge(said, text):
            raise SystemExit(f"{path}: no suggestion breaks the input itself: {why}")
        with tempfile.TemporaryDirectory(prefix="suggestions-") as name:
            folder = Path(name)
            (folder / path.name).write_text(text)
            argv = [args.mcve, path.name, "-o", "result.rs", "--lint", said["lint"], "--suggestion", "fails", "--message-format", "json",
                    "--jobs", str(args.jobs), "--budget", f"{args.timeout}s"]
            argv += ["--tool", said["tool"]] if said["tool"] != "rustc" else []
            argv += ["--run"] if "run" in said else []
            last = finished(argv, folder, args.timeout)
            if isinstance(last, str):
                print(f"| {path.stem} | | failed | | | | {last} |", flush=True)
                continue
            result = (folder / "result.rs").read_text()
        why = judge(said, result)
        kept += not why
        shown.append((path.stem, result))
        print(f"| {path.stem} | {last['before']['tokens']} | {'lost' if why else 'kept'} | {last['after']['tokens']} | {last['checks']} "
              f"| {last['seconds']:.1f} | {(why or '').replace('|', '')} |", flush=True)
    print(f"\n{kept} of {len(paths)} kept.")
    for name, result in shown if args.show else []:
        print(f"\n## {name}\n\n{result}")


if __name__ == "__main__":
    main()
