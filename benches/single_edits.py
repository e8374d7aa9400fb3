#!/usr/bin/env python3
"""Random single edits of results of mcve, checked by rustc alone: no smaller program may still fail in the same way.

    benches/single_edits.py RESULTS --count 200 --seed 1

RESULTS holds a file NAME.rs for each result, and beside it NAME.args with the arguments of rustc (one line, as mcve prints
them after `see it`, without `rustc` and the file). To make it:

    benches/single_edits.py RESULTS --make CORPUS.. --mcve PATH [--budget 60s]

reduces each input (a folder with `input.rs` and `case.json`, or a file) into RESULTS first. The same way to fail means: the
same crash (its place in the compiler and its message without what stands in quotes, and no other error), or the same codes, messages,
labels and notes of all errors, without names. A finding is an edit that makes a smaller program, by tokens and then bytes, that still fails.
"""

import argparse
import json
import random
import re
import shlex
import subprocess
import tempfile
from pathlib import Path

TOKEN = re.compile(
    r"""(?P<space>\s+|//[^\n]*|/\*.*?\*/)|r\#*"(?:.*?)"\#*|b?"(?:\\.|[^"\\])*"|b?'(?:\\.[^']*|[^'\\])'|'\w+"""
    r"""|\d[\w]*(?:\.\d\w*)?|[A-Za-z_]\w*|::|->|=>|==|!=|<=|&&|\|\||\.\.=?|.""",
    re.S,
)
PAIRS = {"(": ")", "[": "]", "{": "}"}
LITERALS = ["0", '""', "()"]


def tokens(text):
    """The ranges of the tokens, without comments."""
    return [found.span() for found in TOKEN.finditer(text) if found.lastgroup != "space"]


def size(text):
    return len(tokens(text)), len(text.encode())


def partners(words):
    """The index of the other bracket of each bracket."""
    partner, opened = {}, []
    for index, word in enumerate(words):
        if word in PAIRS:
            opened.append(index)
        elif word in PAIRS.values() and opened:
            first = opened.pop()
            partner[first], partner[index] = index, first
    return partner


def receiver(words, partner, dot):
    """The index of the first token of what stands before a dot."""
    at = dot - 1
    while at >= 0:
        if words[at] in ")]" and at in partner:
            at = partner[at]
            if at > 0 and (re.match(r"\w", words[at - 1]) or words[at - 1] in ")]"):
                at -= 1
                continue
        elif not re.match(r"[\w\"']", words[at]):
            return None
        if at > 1 and words[at - 1] in (".", "::"):
            at -= 2
            continue
        return at
    return None


def edits(text):
    """All single edits, as a range and its replacement."""
    spans = tokens(text)
    words = [text[start:end] for start, end in spans]
    partner = partners(words)
    for index, (start, end) in enumerate(spans):
        yield "token", (start, end), ""
        depth = 0
        for last in range(index, min(index + 24, len(spans))):
            depth += (words[last] in PAIRS) - (words[last] in PAIRS.values())
            if depth < 0:
                break
            if depth == 0 and last > index:
                yield "node", (start, spans[last][1]), ""
        if index in partner and partner[index] > index:
            other = spans[partner[index]]
            yield "brackets", (start, other[1]), text[end : other[0]]
        if words[index] == "." and index + 2 < len(words) and words[index + 2] in ("(", "::"):
            first = receiver(words, partner, index)
            for literal in LITERALS if first is not None else []:
                yield "receiver", (spans[first][0], start), literal


def shown(text, args):
    """How rustc fails; none if it does not."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "a.rs"
        path.write_text(text)
        command = ["rustc", *args, "--error-format=json", str(path)]
        try:
            done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=60)
        except subprocess.TimeoutExpired:
            return None
    crash = re.search(r"panicked at (\S+):\d+:\d+:\\?n?\n?([^\n]*)", done.stderr)
    errors = []
    for line in done.stderr.splitlines():
        try:
            said = json.loads(line)
        except ValueError:
            continue
        if said.get("level") == "error" and not said["message"].startswith("aborting"):
            labels = [span["label"] or "" for span in said["spans"]]
            below = [note for note in said["children"] if note["level"] == "note"]
            notes = [words or "" for note in below for words in [note["message"], *(span["label"] for span in note["spans"])]]
            words = [re.sub(r"`[^`]*`|\d+", "_", words) for words in [said["message"], *sorted(labels), *sorted(notes)]]
            errors.append(((said["code"] or {}).get("code"), *words))
    errors.sort(key=str)
    if crash:
        return crash[1], re.sub(r"\d+|`[^`]*`|\"[^\"]*\"", "_", crash[2][:60]), errors
    return errors or None


def make(inputs, results, mcve, budget):
    results.mkdir(parents=True, exist_ok=True)
    for place in inputs:
        file = place / "input.rs" if place.is_dir() else place
        case = place / "case.json"
        args = json.loads(case.read_text()).get("args", []) if place.is_dir() and case.exists() else []
        if args:
            continue
        output = results / f"{(place.name if place.is_dir() else place.stem)}.rs"
        command = [mcve, str(file), "-o", str(output), "--budget", budget, "--message-format", "json"]
        done = subprocess.run(command, capture_output=True, text=True)
        last = json.loads(done.stdout.splitlines()[-1]) if done.returncode == 0 and done.stdout.strip() else {}
        line = last.get("command", "")
        if not line.startswith("rustc ") or not last.get("one_minimal"):
            output.unlink(missing_ok=True)
            continue
        words = [word for word in shlex.split(line)[1:] if word != str(output)]
        output.with_suffix(".args").write_text(shlex.join(words) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", type=Path)
    parser.add_argument("--count", type=int, default=100, help="edits of each result, at most")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--make", nargs="*", type=Path, default=[])
    parser.add_argument("--mcve", default="mcve")
    parser.add_argument("--budget", default="60s")
    options = parser.parse_args()
    make(options.make, options.results, options.mcve, options.budget)
    chance, tried, found, results = random.Random(options.seed), 0, 0, 0
    for path in sorted(options.results.glob("*.rs")):
        text, args = path.read_text(), shlex.split(path.with_suffix(".args").read_text())
        failure = shown(text, args)
        if failure is None:
            print(f"{path.name}: does not fail")
            continue
        results += 1
        # Those that save bytes only are as many as the others together.
        smaller = {}
        for kind, (start, end), instead in edits(text):
            edited = text[:start] + (instead or " ") + text[end:]
            if edited != text and size(edited) < size(text):
                smaller.setdefault(edited, kind)
        for edited in chance.sample(sorted(smaller), min(options.count, len(smaller))):
            tried += 1
            if shown(edited, args) == failure:
                found += 1
                print(f"{path.name}: {smaller[edited]}: still fails:\n{edited}")
    print(f"{results} results, {tried} edits, {found} still fail")


if __name__ == "__main__":
    main()
