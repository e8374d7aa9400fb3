#!/usr/bin/env python3
"""The programs of the reducers' papers: Perses's Rust benchmarks and Kitten's reported bugs, each with its own script as the check.

usage: papers.py PERSES [--mcve PATH] [--toolchain NAME] [--odd] [--only NUMBER,..] [--native] [--cap SECONDS] [--results FOLDER]

PERSES is a checkout of https://github.com/uw-pluverse/perses, which holds the programs of both papers. A subject takes part if its `r.sh`
accepts the program with TOOLCHAIN (by default nightly-2020-10-25, which rustup must have). Versions that a script names itself are installed
once; where a day has no nightly, that of the day before takes its place. Without --odd only even numbers of bugs take part; the odd ones are for judging.
With --native mcve gets the flags of rustc out of the script in place of the script, and recognises the crash by itself.

Prints a Markdown table: the tokens of the program, of the best published result or the one that Perses left in the folder, and of mcve's; its
checks and seconds, and whether the script accepts the result. Published sizes count the tokens of a grammar; here a lexer counts.
"""
import argparse, os, re, shlex, shutil, subprocess, tempfile
from datetime import date, timedelta
from pathlib import Path

from crashes import finished
from side_by_side import tokens

# Tokens: of the program, and as left by Perses, by Vulcan, and by LPR with Vulcan (the papers on Vulcan, OOPSLA 2023, and LPR, ISSTA 2024).
PUBLISHED = {
    "77910": (63, 34, 21, 21), "78652": (263, 56, 49, 49), "78720": (121, 72, 56, 56.6), "77002": (347, 263, 247, 96),
    "44800": (801, 467, 284, 118.6), "112061": (556, 458, 442, 380.4), "112526": (644, 382, 338, 283.2), "112213": (866, 736, 635, 618.8),
}
ACCEPTS_ANYTHING = {"rust-0", "rust-1", "rust-111"}
PATIENCE = 60  # seconds that mcve has to end after its cap


def subjects(perses):
    """The folders with a program and a script, by name."""
    benchmark = {folder.name: folder for folder in (perses / "benchmark").glob("rust-*")}
    kitten = {folder.parent.name: folder for folder in (perses / "kitten/reported_bugs/rust").glob("*/delta")}
    found = {**benchmark, **kitten}
    return {name: found[name] for name in sorted(found)
            if name not in ACCEPTS_ANYTHING and (found[name] / "mutant.rs").is_file() and (found[name] / "r.sh").is_file()}


def number(name):
    """The number of a bug: of `rust-83253-2` it is 83253."""
    return re.search(r"rust-(\d+)|_(\d+)$", name).group(1) or name.rsplit("_", 1)[1]


def install(version):
    """Has rustup install a version, or else that of the day before: some days have none. The one that is there now."""
    for version in (version, day_before(version)):
        if version and subprocess.run(["rustup", "run", version, "rustc", "-V"], capture_output=True).returncode:
            subprocess.run(["rustup", "toolchain", "install", version, "--profile", "minimal"], capture_output=True)
        if version and not subprocess.run(["rustup", "run", version, "rustc", "-V"], capture_output=True).returncode:
            return version


def day_before(version):
    if dated := re.fullmatch(r"nightly-(\d{4}-\d\d-\d\d)", version):
        return f"nightly-{date.fromisoformat(dated[1]) - timedelta(days=1)}"


def with_versions(script, out):
    """The script with the versions that are there, as a file."""
    text = script.read_text()
    for version in set(re.findall(r'VERSION(?:_\d)?="([^"]+)"', text)):
        text = text.replace(f'"{version}"', f'"{install(version) or version}"')
    out.write_text(text)
    return out


def environment(shims, toolchain):
    """The variables with which a script runs: `rustc` is that of the toolchain, and `rustup` installs nothing."""
    rustup = shutil.which("rustup")
    shims.mkdir(exist_ok=True)
    (shims / "rustup").write_text(f'#!/bin/sh\n[ "$1" = toolchain ] || exec {shlex.quote(rustup)} "$@"\n')
    (shims / "rustup").chmod(0o755)
    rustc = subprocess.run([rustup, "which", "rustc", "--toolchain", toolchain], capture_output=True, text=True, check=True).stdout.strip()
    return {**os.environ, "PATH": f"{shims}:{Path(rustc).parent}:{os.environ['PATH']}"}


def holds(script, program, env):
    """Whether a script accepts a program."""
    with tempfile.TemporaryDirectory(prefix="papers-") as folder:
        shutil.copy(program, Path(folder) / "mutant.rs")
        try:
            return subprocess.run(["bash", script], cwd=folder, env=env, capture_output=True, timeout=300).returncode == 0
        except subprocess.TimeoutExpired:
            return False


def flags(script):
    """What a script gives to rustc when it looks for the crash; nothing where it compiles more than once."""
    found = re.findall(r"rustc((?: +[^&|;\n]*?)?) +(?:mutant\.rs|\"\$\{FILE\}\")", script)
    found = [words for words in found if "parse-only" not in words]
    return shlex.split(found[0]) if len(found) == 1 else None


def reduce(args, folder, env, out, words):
    """What mcve says at its end."""
    argv = [args.mcve, *([f"+{args.toolchain}"] if args.native else []), "mutant.rs", "-o", out, "--message-format", "json", "--budget", f"{args.cap}s", *words]
    with tempfile.TemporaryDirectory(prefix="papers-") as work:
        shutil.copy(folder / "mutant.rs", work)
        done = subprocess.run(argv, cwd=work, env=None if args.native else env, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=args.cap + PATIENCE)
    return finished(done.stdout) or {"why": done.stderr.strip().splitlines()[-1:]}


def best(name, folder):
    """The smallest size that is published or stored, and whose that is; nothing where there is none."""
    stored = [tokens(path.read_text(errors="replace")) for path in folder.glob("reduced*mutant*.rs")]
    sizes = [(size, "Perses") for size in stored] + list(zip(PUBLISHED.get(number(name), ())[1:], ("Perses", "Vulcan", "LPR with Vulcan")))
    return min(sizes, default=None)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("perses", type=Path)
    parser.add_argument("--mcve", default="mcve")
    parser.add_argument("--toolchain", default="nightly-2020-10-25")
    parser.add_argument("--odd", action="store_true")
    parser.add_argument("--only", default="")
    parser.add_argument("--native", action="store_true")
    parser.add_argument("--cap", type=int, default=300)
    parser.add_argument("--results", type=Path, default=Path("papers-results"))
    args = parser.parse_args()
    args.results.mkdir(parents=True, exist_ok=True)
    args.results = args.results.resolve()
    only = set(filter(None, args.only.split(",")))
    print("| subject | program | best known | mcve | checks | s | script agrees |\n| --- | ---: | --- | ---: | ---: | ---: | --- |", flush=True)
    sums = [0, 0, 0]
    for name, folder in subjects(args.perses.resolve()).items():
        if only and number(name) not in only or not only and int(number(name)) % 2 != args.odd:
            continue
        program, out = folder / "mutant.rs", args.results / f"{name}.rs"
        script, env = with_versions(folder / "r.sh", args.results / f"{name}.sh"), environment(args.results / "shims", args.toolchain)
        if not holds(script, program, env):
            continue
        words = ["--test", f"bash {shlex.quote(str(script))}"]
        if args.native:
            if (found := flags(script.read_text())) is None:
                continue
            words = ["--", *found]
        out.unlink(missing_ok=True)
        last = reduce(args, folder, env, out, words)
        known, before = best(name, folder), tokens(program.read_text())
        text = f"{known[0]:g} {known[1]}" if known else ""
        if "why" in last or not out.is_file():
            print(f"| {name} | {before} | {text} | {last.get('why')} | | | |", flush=True)
            continue
        after = tokens(out.read_text())
        agrees = "yes" if holds(script, out, env) else "**no**"
        mark = "" if last["ending"] == "complete" else " (budget)"
        print(f"| {name} | {before} | {text} | {after} | {last['checks']:,} | {last['seconds']:.1f}{mark} | {agrees} |", flush=True)
        sums = [sums[0] + before, sums[1] + after, sums[2] + last["checks"]]
    print(f"\n{sums[0]:,} tokens became {sums[1]:,} after {sums[2]:,} checks.")


if __name__ == "__main__":
    main()
