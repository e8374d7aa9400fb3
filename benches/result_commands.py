#!/usr/bin/env python3
"""Runs `mcve why`, `mcve verify` and `mcve page` on a result of every kind of failure, and prints a table.

    benches/result_commands.py MCVE [FOLDER] [KIND..]

MCVE is the program; `cargo-mcve` stands beside it. Inputs are those of `corpus/` and a few small programs below. FOLDER keeps the
results. A cell has the exit code, and what came: the labels of `why`, what does not hold for `verify`, the size of the page.
"""

import json
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
LONGEST = 1200

# Small inputs by kind: the files, and the words behind `mcve`.
SMALL = {
    "script, Rust": (
        {"a.rs": "fn main() { let x = 1; println!(\"{}\", x + 6); }\nfn other() {}\n", "t.sh": "#!/bin/sh\ngrep -q println $1\n"},
        ["a.rs", "--test", "./t.sh"],
    ),
    "command with a condition": (
        {"a.rs": "fn main() { let x: u8 = \"a\"; }\nfn other() {}\n"},
        ["a.rs", "--stderr", "E0308", "--", "rustc", "--edition=2024", "--emit=metadata", "{}"],
    ),
    "text": (
        {"a.json": '{"a": [1, 2, 3], "b": {"c": "needle", "d": null}}\n', "t.sh": "#!/bin/sh\ngrep -q needle $1\n"},
        ["a.json", "--test", "./t.sh"],
    ),
    "text with a grammar": (
        {"a.json": '{"a": [1, 2, 3], "b": {"c": "needle", "d": null}}\n', "t.sh": "#!/bin/sh\ngrep -q needle $1\n"},
        ["a.json", "--test", "./t.sh", "--grammar", "json"],
    ),
    "several files": (
        {
            "src/lib.rs": "mod a;\nmod b;\npub fn f() -> u8 { a::g() }\n",
            "src/a.rs": "pub fn g() -> u8 { \"x\" }\npub fn h() {}\n",
            "src/b.rs": "pub fn k() {}\n",
        },
        ["src/lib.rs", "--code", "E0308"],
    ),
    "flaky": (
        {
            "a.rs": "use std::time::{SystemTime, UNIX_EPOCH};\nfn main() {\n    let now = SystemTime::now().duration_since(UNIX_EPOCH)"
            ".expect(\"a time\").subsec_nanos();\n    let unused = 3;\n    assert!(now % 10 < 3, \"late\");\n}\n"
        },
        ["a.rs", "--run"],
    ),
}

# Small packages by kind: the files, and the words behind `cargo mcve`.
MANIFEST = '[package]\nname = "p"\nversion = "0.1.0"\nedition = "2021"\n'
LIBRARY = (
    "pub fn half(x: u32) -> u32 { x / 3 }\npub fn twice(x: u32) -> u32 { x * 2 }\n"
    "#[cfg(test)]\nmod tests {\n    #[test]\n    fn halves() { assert_eq!(super::half(super::twice(4)), 4); }\n}\n"
)
PACKAGES = {
    "package, error": ({"Cargo.toml": MANIFEST, "src/lib.rs": "pub fn f() -> u8 { \"a\" }\npub fn g() {}\n"}, ["check"]),
    "package, test": ({"Cargo.toml": MANIFEST, "src/lib.rs": LIBRARY}, ["test"]),
    "package, run": (
        {"Cargo.toml": MANIFEST, "src/main.rs": "fn main() { let v = vec![1, 2]; println!(\"{}\", v[v.len()]); }\n"},
        ["run"],
    ),
}


def write(folder, files):
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        path.chmod(0o755 if name.endswith(".sh") else 0o644)


def run(words, folder):
    try:
        done = subprocess.run(words, cwd=folder, capture_output=True, text=True, errors="replace", timeout=LONGEST)
    except subprocess.TimeoutExpired:
        return 124, "", "no end"
    return done.returncode, done.stdout, done.stderr


def cells(mcve, result, folder):
    code, out, err = run([mcve, "why", result], folder)
    labels = sum(out.count(word) for word in ("without it", " instead: ", "` for `"))
    why = f"{code}: {labels} labels" if code == 0 else f"{code}: {last(err)}"
    code, out, err = run([mcve, "verify", result], folder)
    no = [line[2:26].strip() for line in out.splitlines() if line[26:31].strip() == "no"]
    verify = f"{code}: " + (", ".join(f"not *{row}*" for row in no) or ("all hold" if out else last(err)))
    code, out, err = run([mcve, "page", result, "-o", "page.html"], folder)
    page = folder / "page.html"
    page = f"{code}: {page.stat().st_size // 1024} KiB" if code == 0 else f"{code}: {last(err)}"
    return why, verify, page


def last(text):
    return (text.strip().splitlines() or ["nothing"])[-1][:70].replace("|", "/")


def corpus():
    for case in sorted((ROOT / "corpus/kinds").iterdir()):
        yield case.name, {"input.rs": (case / "input.rs").read_text()}, ["input.rs"], json.loads((case / "case.json").read_text()), case
    yield "compiler crash", {"input.rs": (ROOT / "corpus/ice-mir-statement/input.rs").read_text()}, ["+1.95.0", "input.rs"], None, None


def main():
    mcve = str(pathlib.Path(sys.argv[1]).resolve())
    root = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else tempfile.mkdtemp()).resolve()
    wanted = sys.argv[3:]
    print("| kind | reduced | why | verify | page |\n| --- | --- | --- | --- | --- |")
    jobs = []
    for name, files, words, about, case in corpus():
        if about:
            args = [word.replace("CASE", str(case)) for word in about["args"]]
            cut = args.index("--") if "--" in args else len(args)
            words = [*words, *args[:cut], "-o", "small.rs", *args[cut:]]
        else:
            words = [*words, "-o", "small.rs"]
        jobs.append((name, files, [mcve, *words], "small.rs", case))
    for name, (files, words) in SMALL.items():
        cut = words.index("--") if "--" in words else len(words)
        result = "small" if name == "several files" else "small" + pathlib.Path(words[0]).suffix
        jobs.append((name, files, [mcve, *words[:cut], "-o", result, *words[cut:]], result, None))
    for name, (files, words) in PACKAGES.items():
        jobs.append((name, files, [str(pathlib.Path(mcve).parent / "cargo-mcve"), "mcve", *words], "p_mcve.rs", None))
    for name, files, words, result, case in jobs:
        if wanted and name not in wanted:
            continue
        folder = root / name.replace(", ", "-").replace(" ", "-")
        folder.mkdir(parents=True, exist_ok=True)
        write(folder, files)
        if case:
            for other in case.iterdir():
                if other.is_file() and other.name not in ("input.rs", "case.json"):
                    (folder / other.name).write_bytes(other.read_bytes())
        code, _, err = run(words, folder)
        found = sorted(folder.glob("small*")) if not (folder / result).exists() else [folder / result]
        if not found:
            print(f"| {name} | {code}: {last(err)} | | | |", flush=True)
            continue
        place = found[0].name
        if (folder / place).is_dir() and not (folder / place / "Cargo.toml").exists():
            place = str(next((folder / place).rglob("lib.rs")).relative_to(folder))
        print("| " + " | ".join([name, str(code), *cells(mcve, place, folder)]) + " |", flush=True)


if __name__ == "__main__":
    main()
