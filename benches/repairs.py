#!/usr/bin/env python3
"""Repairs: real functions with one edit that makes one of their tests fail; does `mcve repair` mend them?

usage: repairs.py FOLDER [--mcve PATH] [--budget SECONDS] [--bugs N] [--show]

FOLDER is where crates are kept; those that are missing are fetched by cargo into it. Of each crate one file with its own tests is taken. Its
code outside of the tests is edited at one place: another operator, a bound, a step, a method, a negation. The edits are
chosen by a fixed seed, before anything is repaired. An edit counts where the file compiles and some tests fail, but not all.

A repair is `right` if all tests pass with it. It `mends the test` if the asked test passes and no test fails that passed before. If there is
one that fails now, it `breaks others`; `said` tells whether mcve named how many. The failing test must be as it was.
"""
import argparse, random, re, shutil, subprocess, sys, tempfile, time
from pathlib import Path

CRATES = [("strsim", "0.11.1", "src/lib.rs"), ("shlex", "1.3.0", "src/lib.rs"), ("textwrap", "0.11.0", "src/indentation.rs"),
          ("unit-prefix", "0.5.2", "src/lib.rs"), ("signal-hook-registry", "1.4.8", "src/vec_map.rs"), ("vec_map", "0.8.2", "src/lib.rs"),
          ("bstr", "1.13.1", "src/ascii.rs"), ("percent-encoding", "2.3.2", "src/ascii_set.rs"), ("num-traits", "0.2.19", "src/lib.rs"),
          ("toml_edit", "0.22.27", "src/error.rs")]
EDITS = [(r" < ", " <= "), (r" <= ", " < "), (r" > ", " >= "), (r" >= ", " > "), (r" == ", " != "), (r" != ", " == "), (r" && ", " || "),
         (r" \+ 1\b", ""), (r" - 1\b", ""), (r" \+ ", " - "), (r" - ", " + "), (r" \+= ", " -= "), (r"\bmin\(", "max("), (r"\bmax\(", "min("),
         (r"if !", "if "), (r"\.\.=", ".."), (r"\btrue\b", "false"), (r"\bfalse\b", "true"), (r"\[0\]", "[1]"), (r" % ", " / "),
         (r"= 0;", "= 1;"), (r"= 1;", "= 0;"), (r"\.is_empty\(\)", ".is_empty() == false"), (r"\.starts_with\(", ".ends_with("), (r"\.trim\(\)", ""), (r"\.skip\(1\)", ""),
         (r"\.rev\(\)", ""), (r"\bis_alphanumeric\b", "is_alphabetic"), (r"\.first\(\)", ".last()"), (r"\.last\(\)", ".first()"), (r"\.any\(", ".all("),
         (r"\.all\(", ".any("), (r" \* ", " / "), (r" / ", " * "), (r" & ", " | "), (r" \| ", " & "), (r"\bbreak;", "continue;")]
SECONDS = 60  # that a test program may take


def fetch(folder, name, version):
    """The folder of a crate, which cargo fetches if it is not there."""
    found = folder / f"{name}-{version}"
    if not found.is_dir():
        with tempfile.TemporaryDirectory() as package:
            (Path(package) / "src").mkdir()
            (Path(package) / "src/lib.rs").write_text("")
            (Path(package) / "Cargo.toml").write_text(f'[package]\nname = "a"\nversion = "0.0.0"\nedition = "2021"\n[dependencies]\n{name} = "={version}"\n')
            subprocess.run(["cargo", "vendor", "--versioned-dirs", "-q", "v"], cwd=package, check=True, capture_output=True)
            shutil.copytree(Path(package) / "v" / f"{name}-{version}", found)
    return found


def tests(path, folder):
    """The ends of the tests of a file by name; none where it does not compile or end."""
    program = Path(folder) / "tests"
    program.unlink(missing_ok=True)
    argv = ["rustc", "--edition", "2021", "--test", "--cap-lints=allow", path, "-o", program]
    if subprocess.run(argv, cwd=folder, capture_output=True).returncode:
        return None
    try:
        done = subprocess.run([program, "--test-threads=1"], cwd=folder, capture_output=True, text=True, errors="replace", timeout=SECONDS)
    except subprocess.TimeoutExpired:
        return None
    return dict(re.findall(r"^test (\S+)(?: - should panic)? \.\.\. .*?(ok|FAILED)$", done.stdout, re.M | re.S)) or None


def bugs(root, count, folder, rng):
    """Edits of a file with which some of its tests fail, and the first of these."""
    text = root.read_text()
    code = re.split(r"#\[cfg\(test\)\]\s*(?:pub )?mod|#\[test\]", text)[0]
    good = tests(root, folder)
    sites = [(match.span(), new) for old, new in EDITS for match in re.finditer(old, code)
             if "//" not in code[code.rfind("\n", 0, match.start()) + 1:match.start()]]
    rng.shuffle(sites)
    found = []
    for (start, end), new in sites:
        if len(found) == count or not good:
            break
        changed = text[:start] + new + text[end:]
        copy = root.with_name("edited.rs")
        copy.write_text(changed)
        ends = tests(copy, folder)
        copy.unlink()
        failing = [name for name, end in (ends or {}).items() if end != "ok" and good.get(name) == "ok"]
        if failing and len(failing) < len(good):
            line = text.count("\n", 0, start + len(text[start:end]) - len(text[start:end].lstrip())) + 1
            found.append((changed, failing, f"line {line}: `{text[start:end].strip()}` to `{new.strip()}`"))
    return good, found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="where crates are kept")
    parser.add_argument("--mcve", default="mcve", metavar="PATH", help="the program mcve (mcve)")
    parser.add_argument("--budget", type=int, default=60, metavar="SECONDS", help="the longest that a repair may take (60)")
    parser.add_argument("--bugs", type=int, default=4, metavar="N", help="the number of edits of a crate (4)")
    parser.add_argument("--show", action="store_true", help="prints what mcve says, too")
    args = parser.parse_args()
    mcve = str(Path(shutil.which(args.mcve) or sys.exit(f"no program {args.mcve}")).resolve())
    counts, began = {}, time.monotonic()
    print("| crate | edit | repair | seconds |\n| --- | --- | --- | --- |", flush=True)
    for number, (name, version, file) in enumerate(CRATES):
        crate = fetch(args.folder.resolve(), name, version)
        with tempfile.TemporaryDirectory(prefix="repairs-") as folder:
            good, found = bugs(crate / file, args.bugs, folder, random.Random(number))
            for changed, failing, edit in found:
                work = Path(folder) / "work"
                shutil.rmtree(work, ignore_errors=True)
                shutil.copytree((crate / file).parent, work)
                root = work / Path(file).name
                root.write_text(changed)
                start = time.monotonic()
                argv = [mcve, "repair", root, "-o", work / "repaired.rs", "--test-name", failing[0], "--budget", f"{args.budget}s", "--", "--edition", "2021"]
                done = subprocess.run(argv, cwd=work, capture_output=True, text=True, errors="replace", stdin=subprocess.DEVNULL)
                seconds, result = time.monotonic() - start, work / "repaired.rs"
                result = result if result.is_file() else work / "repaired" / root.name  # of several files the result is a folder
                ends = tests(result, folder) if result.is_file() else None
                own = lambda text: re.search(rf"fn {failing[0].split('::')[-1]}\b.*?\n    }}", text, re.S)
                if ends is None:
                    what = "nothing" if not result.is_file() else "does not compile"
                elif own(result.read_text()) and own(changed) and re.sub(r"\s", "", own(result.read_text())[0]) != re.sub(r"\s", "", own(changed)[0]):
                    what = "edits the test"
                else:
                    bad = [test for test in good if ends.get(test) != "ok"]
                    broken = [test for test in bad if test not in failing]
                    said = "said" if "breaks" in done.stdout else "not said"
                    what = "right" if not bad else f"breaks others, {said}" if broken else "mends the test" if failing[0] not in bad else "nothing"
                counts[what] = counts.get(what, 0) + 1
                print(f"| {name} | {edit.replace('|', chr(92) + '|')} | {what} | {seconds:.1f} |", flush=True)
                if args.show:
                    print(done.stdout + done.stderr, flush=True)
    print(f"| all | {sum(counts.values())} | {', '.join(f'{count} {what}' for what, count in counts.items())} | {time.monotonic() - began:.1f} |")


if __name__ == "__main__":
    main()
