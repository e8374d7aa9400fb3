#!/usr/bin/env python3
"""Many crashes, woven into as many real modules: does `mcve batch` find the groups, and how many reductions does it take?

usage: batch.py FOLDER --crashes DIR [--files N] [--groups N] [--toolchain NAME] [--make]

DIR has files that crash a rustc, such as `tests/crashes` of its sources. Those of N different places in the compiler are woven into the
Rust files of FOLDER/in: each into a module of a crate in cargo's registry that compiles alone, another one for each file. FOLDER/truth.json
says which crash is in which file. Then `mcve batch` of the PATH, or of the variable TOOL_MCVE, runs, unless only --make is wanted; the
table says what came out beside what is true.
"""
import argparse, json, os, random, re, subprocess, tempfile, time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

TIMEOUT = 20  # seconds of a compiler


def compile(path, toolchain, options=()):
    """The exit code, and the place of a panic, of rustc for a file as a library."""
    words = ["rustc"] + ([f"+{toolchain}"] if toolchain else []) + ["--crate-type=lib", "--emit=metadata", *options, str(path)]
    with tempfile.TemporaryDirectory() as place:
        try:
            run = subprocess.run(words, cwd=place, capture_output=True, text=True, errors="replace", timeout=TIMEOUT, env={**os.environ, "RUSTC_ICE": "0"})
        except subprocess.TimeoutExpired:
            return None, None
    panic = re.search(r"panicked at (.*?):\d+:\n|error: internal compiler error: (.*)", run.stderr)
    # Numbers and names of definitions vary.
    return run.returncode, panic and re.sub(r"\d+:\d+ ~ \w+\[\w+\]", "_", panic[1] or panic[2])


def crashes(folder, toolchain, count):
    """Files that crash as they are, of different places in the compiler."""
    found = {}
    for path in sorted(folder.glob("*.rs")):
        text = path.read_text(errors="replace")
        # Those that need options, other files or a program are left out.
        if re.search(r"^//@\s*(compile-flags|aux|incremental|build|edition: *20(15|18))", text, re.M) or re.search(r"^\s*mod \w+;|macro_rules|fn main\(\) *\{[^}]", text, re.M):
            continue
        code, place = compile(path, toolchain, ["--edition=2021"])
        if code == 101 and place:
            found.setdefault(place, path)
        if len(found) == count:
            break
    return list(found.values())


def modules(count):
    """Files of the registry's crates that compile alone, of 40 to 600 lines."""
    home = Path(os.environ.get("CARGO_HOME", Path.home() / ".cargo")) / "registry" / "src"
    paths = sorted(path for path in home.glob("*/*/src/**/*.rs") if 40 <= len(path.read_bytes().splitlines()) <= 600)
    random.Random(68).shuffle(paths)
    is_whole = lambda path: (path, compile(path, None, ["--edition=2021", "--cap-lints=allow"])[0] == 0)
    found, seen = [], set()
    with ThreadPoolExecutor() as pool:
        for start in range(0, len(paths), 64):
            for path, good in pool.map(is_whole, paths[start:start + 64]):
                text = path.read_text(errors="replace")
                if good and text not in seen and not re.search(r"no_core|macro_export|^\s*(pub )?mod \w+;", text, re.M):
                    seen.add(text)
                    found.append(path)
            if len(found) >= count:
                break
    return found[:count]


def woven(crash, module):
    """The crash at the root, and the module beside it."""
    text, code = crash.read_text(errors="replace"), module.read_text(errors="replace")
    text = "".join(line for line in text.splitlines(True) if not line.startswith("//@"))
    inner = re.findall(r"^#!\[.*?\]\s*$", text, re.M | re.S)
    for attribute in inner:
        text = text.replace(attribute, "", 1)
    # What must stand at the root of a crate.
    code = re.sub(r"^#!\[(feature|no_std|crate_type|recursion_limit).*?\]\s*$", "", code, flags=re.M | re.S)
    return "//@ edition: 2021\n" + "".join(line.strip() + "\n" for line in inner) + f"\nmod {re.sub('[^a-z0-9]', '_', module.stem.lower())}_part {{\n{code}\n}}\n\n{text}"


def make(folder, args):
    place = folder / "in"
    place.mkdir(parents=True, exist_ok=True)
    bugs = crashes(args.crashes, args.toolchain, args.groups)
    truth, spare = {}, iter(modules(args.files * 2))
    with tempfile.TemporaryDirectory() as trial:
        number = 0
        while number < args.files:
            crash, module = bugs[number % len(bugs)], next(spare)
            path = Path(trial) / f"c{number:04}.rs"
            path.write_text(woven(crash, module))
            code, panic = compile(path, args.toolchain, ["--edition=2021"])
            # The two may not go together.
            if code == 101 and panic == compile(crash, args.toolchain, ["--edition=2021"])[1]:
                (place / path.name).write_text(path.read_text())
                truth[path.name] = crash.name
                number += 1
    (folder / "truth.json").write_text(json.dumps(truth, indent=1))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--crashes", type=Path, required=True)
    parser.add_argument("--files", type=int, default=500)
    parser.add_argument("--groups", type=int, default=25)
    parser.add_argument("--toolchain", default="")
    parser.add_argument("--make", action="store_true")
    args = parser.parse_args()
    if not (args.folder / "truth.json").exists():
        make(args.folder, args)
    if args.make:
        return
    out = args.folder / "out"
    words = [os.environ.get("TOOL_MCVE", "mcve")] + ([f"+{args.toolchain}"] if args.toolchain else []) + ["batch", "in", "-o", "out", "--cost"]
    start = time.time()
    code = subprocess.run(words, cwd=args.folder).returncode
    seconds = time.time() - start
    truth = json.loads((args.folder / "truth.json").read_text())
    index = json.loads((out / "index.json").read_text())
    runs = sum(line.strip() != "" for path in (out / ".mcve" / "costs").iterdir() for line in path.read_text().splitlines())
    mixed = [group["name"] for group in index["groups"] if len({truth[Path(name).name] for name in group["inputs"]}) > 1]
    split = len(index["groups"]) - len(mixed) - len({truth[Path(group["inputs"][0]).name] for group in index["groups"]})
    same = sum(bool(group["done"] and group["done"]["other"] and group["done"]["other"]["is_same"]) for group in index["groups"])
    print(f"\n| what | true | came |\n| --- | --- | --- |\n| files that fail | {len(truth)} | {index['inputs']} |\n| groups | {len(set(truth.values()))} | {len(index['groups'])} |")
    print(f"| groups of several crashes | 0 | {len(mixed)} |\n| crashes in several groups | 0 | {max(split, 0)} |\n| reductions | | {runs} |\n| groups whose second reduction ends as the first | | {same} |\n| seconds, exit code | | {seconds:.0f}, {code} |")


if __name__ == "__main__":
    main()
