"""The table of the paper of GReduce (Ren et al., 2024) over generators in Python that know nothing of mcve.

    python3 benches/generators.py [MCVE] [SEEDS] [--hypothesis]

For each domain it reduces the texts of SEEDS seeds that show a planted failure, by each order and
alignment, up to the end of the generator's pass, and prints the means: what is left (characters), of
how much, checks, seconds. Then for both orders and each two alignments the p of Wilcoxon's
signed-rank test over all texts (by the normal approximation), and the time of a run of the generator
with and without the adapter. The ways take turns, so that a busy machine slows all of them.

With `--hypothesis`, Hypothesis (where Python can import it) reduces texts of the same generators for
the same failures: it hands the generator its own `random`, and starts from the first failing text of
at least as many characters. Its checks are the different texts that it asked for.
"""

import argparse
import builtins
import contextlib
import io
import math
import pathlib
import random
import re
import subprocess
import tempfile
import time

HERE = pathlib.Path(__file__).parent / "generators"
DOMAINS = {
    "graph": "grep -q '^node .* blue' $1 && grep -q '^edge .* 7$' $1",
    "model": "grep -q 'concat(.*norm(' $1",
    "script": "grep -q '\\[.*,.*\\]' $1 && grep -q while $1",
    "sql": "grep -q 'SELECT .*COALESCE(.*FROM' $1",
    "rust": "grep -q 'f[0-9](.*wrapping_add.*)' $1 && grep -q 'f1(' $1",
}
WAYS = [f"{order}, {alignment}" for order in ("sequence", "tree") for alignment in ("halt", "bypass", "re-align")]
BEST = WAYS[-1]
LEAST = 400
PASS = re.compile(r"^generator: (\d+) .* (\d+) checks$")
BEFORE = re.compile(r"^start: (\d+) ")


def call(*words, folder):
    """What a command writes."""
    return subprocess.run(words, cwd=folder, capture_output=True, text=True, check=True).stdout


def fails(domain, text, folder):
    """Whether a text shows the failure of its domain."""
    (folder / "text").write_text(text)
    return subprocess.run(["sh", "-c", DOMAINS[domain], "sh", "text"], cwd=folder, check=False).returncode == 0


def cases(mcve, domain, count, folder):
    """The files of choices of the first seeds whose text fails."""
    found, seed = [], 0
    while len(found) < count and seed < 400:
        seed += 1
        file = f"{domain}{seed}.txt.choices"
        text = call(mcve, "generate", "--generator", str(HERE / f"{domain}.py"), "--seed", str(seed), "--choices", file,
                    folder=folder)
        if len(text) >= LEAST and fails(domain, text, folder):
            found.append(file)
    return found


def reduce(mcve, domain, file, way, folder):
    """What the generator leaves, checks, seconds, and the size at first. The passes behind it do not run."""
    order, alignment = way.split(", ")
    words = [mcve, "reduce", "-j", "1", "--choices", file, "--generator", str(HERE / f"{domain}.py"), "--order", order,
             "--alignment", alignment, "--test", DOMAINS[domain], "-o", "-", "--budget", "60s"]
    begun, before, passed, said = time.time(), None, None, []
    with subprocess.Popen(words, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as process:
        for line in process.stderr:
            said.append(line)
            before = before or BEFORE.match(line)
            passed = passed or PASS.match(line)
            if passed:
                process.terminate()
                break
    if not passed:
        raise SystemExit(f"{words}: no pass of the generator:\n{''.join(said)}")
    return int(passed[1]), int(passed[2]), time.time() - begun, int(before[1])


def peer(domain, seed, folder):
    """The same of Hypothesis."""
    from hypothesis import HealthCheck, Phase, find, settings, strategies

    code = compile((HERE / f"{domain}.py").read_text(), domain, "exec")
    first, verdicts, begun = [], {}, [0.0]

    def text(source):
        def imported(name, *rest):
            return source if name == "random" else builtins.__import__(name, *rest)

        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(code, {"__name__": "__main__", "__builtins__": {**vars(builtins), "__import__": imported}})
        return printed.getvalue()

    def is_failing(text):
        if not first:
            if len(text) < LEAST or not fails(domain, text, folder):
                return False
            first.append(text)
            begun[0] = time.time()
        if text not in verdicts:
            verdicts[text] = fails(domain, text, folder)
        return verdicts[text]

    found = find(
        strategies.randoms(use_true_random=False).map(text), is_failing, random=random.Random(seed),
        settings=settings(max_examples=20000, database=None, deadline=None, suppress_health_check=list(HealthCheck),
                          phases=[Phase.generate, Phase.shrink]))
    return len(found), len(verdicts) - 1, time.time() - begun[0], len(first[0])


def wilcoxon(first, second):
    """The two-sided p of the signed-rank test, by the normal approximation with ties."""
    gaps = [a - b for a, b in zip(first, second) if a != b]
    if not gaps:
        return 1.0
    sizes = sorted(map(abs, gaps))
    rank = {size: sum(i + 1 for i, other in enumerate(sizes) if other == size) / sizes.count(size) for size in sizes}
    plus = sum(rank[abs(gap)] for gap in gaps if gap > 0)
    count = len(gaps)
    ties = sum(sizes.count(size) ** 3 - sizes.count(size) for size in set(sizes)) / 48
    spread = math.sqrt(count * (count + 1) * (2 * count + 1) / 24 - ties)
    return math.erfc(abs(plus - count * (count + 1) / 4) / spread / math.sqrt(2)) if spread else 1.0


def seconds(words, folder):
    """The mean time of five runs of a command."""
    begun = time.time()
    for _ in range(5):
        call(*words, folder=folder)
    return (time.time() - begun) / 5


def table(head, rows):
    """Prints a table, whose columns are numbers from the third one on."""
    print(f"\n| {' | '.join(head)} |\n| --- | --- |{' ---: |' * (len(head) - 2)}")
    for row in rows:
        print(f"| {' | '.join(row)} |")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("mcve", nargs="?", default="target/release/mcve")
    parser.add_argument("seeds", nargs="?", type=int, default=6)
    parser.add_argument("--hypothesis", action="store_true")
    args = parser.parse_args()
    mcve = str(pathlib.Path(args.mcve).resolve())
    results = {}
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for domain in DOMAINS:
            for number, file in enumerate(cases(mcve, domain, args.seeds, folder)):
                for way in WAYS:
                    results.setdefault((domain, way), []).append(reduce(mcve, domain, file, way, folder))
                if args.hypothesis:
                    results.setdefault((domain, "Hypothesis"), []).append(peer(domain, number, folder))
        table(["domain", "reduced by", "left", "of", "checks", "seconds"],
              [[domain, way, *(f"{sum(column) / len(rows):.{digits}f}" for column, digits in zip(
                  [[row[i] for row in rows] for i in (0, 3, 1, 2)], (1, 0, 1, 1)))]
               for (domain, way), rows in results.items()])
        every = {way: [row for domain in DOMAINS for row in results[domain, way]] for way in WAYS}
        table([BEST, "against", "p of size", "p of checks", "p of seconds"],
              [["", way, *(f"{wilcoxon([row[i] for row in every[BEST]], [row[i] for row in every[way]]):.2g}"
                           for i in range(3))] for way in WAYS[:-1]])
        scripts = [(domain, str(HERE / f"{domain}.py")) for domain in DOMAINS]
        table(["a run of", "", "alone, ms", "by mcve generate, ms"],
              [[domain, "", f"{seconds(['python3', script], folder) * 1000:.0f}",
                f"{seconds([mcve, 'generate', '--generator', script], folder) * 1000:.0f}"]
               for domain, script in scripts])


if __name__ == "__main__":
    main()
