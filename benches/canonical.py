#!/usr/bin/env python3
"""The same crash of rustc in five different crates: do the results have the same text?

usage: canonical.py OUT_FOLDER --mcve PATH [--crashes NAME,..]

Each crash is a few items of the corpus (`corpus/ice-*/reduced.rs`, or else what mcve makes of `input.rs`). It is woven into sources of
five crates, which cargo downloads: its names become others, its items stand in another order at places between those of the
crate. Prints for each crash how many of the five results are the same text.
"""
import argparse, collections, json, random, re, subprocess, tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CRATES = {"strsim": ("0.11.1", "src/lib.rs"), "fastrand": ("2.3.0", "src/lib.rs"), "humantime": ("2.2.0", "src/duration.rs"), "glob": ("0.3.2", "src/lib.rs"), "smallvec": ("1.13.2", "src/lib.rs")}
WORDS = "amber birch cedar delta ember fjord grove heath islet jetty knoll larch marsh north ocean prism quill ridge slate tidal umber vista willow zephyr".split()
ITEM = re.compile(r"^(?:pub |unsafe |const |async |impl|fn |struct |enum |trait |type |static |use |mod |extern )", re.M)


def crates(folder):
    """The sources by crate."""
    (folder / "src").mkdir(parents=True, exist_ok=True)
    (folder / "src/lib.rs").write_text("")
    rows = "".join(f'{name} = "={version}"\n' for name, (version, _) in CRATES.items())
    (folder / "Cargo.toml").write_text(f'[package]\nname = "crates"\nversion = "0.1.0"\nedition = "2021"\n[dependencies]\n{rows}')
    told = subprocess.run(["cargo", "metadata", "--format-version", "1"], cwd=folder, capture_output=True, text=True, check=True)
    places = {package["name"]: Path(package["manifest_path"]).parent for package in json.loads(told.stdout)["packages"]}
    return {name: (places[name] / file).read_text() for name, (_, file) in CRATES.items()}


def items(text):
    """The top-level items of a formatted program, each with its attributes."""
    found, now = [], []
    for line in text.splitlines(keepends=True):
        now.append(line)
        if line.rstrip() in ("}", "};") or line.rstrip().endswith((";", "{}")) and not line.startswith((" ", "#", "/")):
            found.append("".join(now))
            now = []
    return found + (["".join(now)] if now else [])


def names(text):
    """What the items define and name by one letter."""
    return sorted(set(re.findall(r"(?<!['\w])([A-Za-z])(?!\w)", text)))


def woven(source, kernel, seed):
    """A crate's source with the kernel's items among its own, or none if that cannot be."""
    r = random.Random(seed)
    words = r.sample(WORDS, len(names(kernel)))
    for letter, word in zip(names(kernel), words):
        kernel = re.sub(rf"(?<!['\w]){letter}(?!\w)", word.capitalize() if letter.isupper() else word, kernel)
    parts = items(kernel)
    r.shuffle(parts)
    lines = source.splitlines(keepends=True)
    ends = [at for at, line in enumerate(lines) if line.rstrip() == "}"]
    places = sorted(r.sample(ends, min(len(parts), len(ends))))
    for place, part in reversed(list(zip(places, parts))):
        lines.insert(place + 1, "\n" + part + "\n")
    return "".join(lines)


def run(words, **more):
    return subprocess.run(words, capture_output=True, text=True, errors="replace", **more)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, metavar="OUT_FOLDER")
    parser.add_argument("--mcve", required=True, metavar="PATH")
    parser.add_argument("--crashes", metavar="NAME,..", help="folders of the corpus; by default all ice-*")
    args = parser.parse_args()
    args.folder.mkdir(parents=True, exist_ok=True)
    sources = crates(args.folder / "crates")
    chosen = args.crashes.split(",") if args.crashes else sorted(path.name for path in (ROOT / "corpus").glob("ice-*"))
    print("| crash | results | equal | tokens |\n| --- | ---: | ---: | --- |", flush=True)
    for crash in chosen:
        kernel_file = args.folder / f"{crash}.kernel.rs"
        if not kernel_file.exists():
            run([args.mcve, str(ROOT / "corpus" / crash / "input.rs"), "-o", str(kernel_file), "-q"])
        text = kernel_file.read_text()
        headers = "".join(line for line in text.splitlines(keepends=True) if line.startswith(("//@", "#!")))
        kernel = "".join(line for line in text.splitlines(keepends=True) if not line.startswith(("//@", "#!")))
        texts, tokens = [], []
        for at, (name, source) in enumerate(sources.items()):
            file, out = args.folder / f"{crash}.{name}.rs", args.folder / f"{crash}.{name}.out.rs"
            if "compile-flags" not in headers and "fn main" not in kernel:
                headers += "//@ compile-flags: --crate-type=lib\n"
            source = re.sub(r"^#!\[.*\]\n", "", source, flags=re.M)
            file.write_text(headers + woven(source, kernel, f"{crash} {name}"))
            done = run([args.mcve, str(file), "-o", str(out), "--message-format", "json", "--budget", "90s"])
            last = json.loads(done.stdout.splitlines()[-1]) if done.stdout else {}
            if last.get("event") == "finished":
                texts.append(out.read_text())
                tokens.append(last["after"]["tokens"])
            else:
                print(f"<!-- {crash} in {name}: {done.stderr.strip().splitlines()[-1:]} -->", flush=True)
        most = collections.Counter(texts).most_common(1)[0][1] if texts else 0
        print(f"| {crash} | {len(texts)} | {most} | {', '.join(map(str, tokens))} |", flush=True)


if __name__ == "__main__":
    main()
