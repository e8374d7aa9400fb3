"""The table of the paper of GReduce (Ren et al., 2024) over generators in Python that know nothing of mcve.

    python3 benches/generators.py [MCVE] [SEEDS]

For each domain it reduces the texts of SEEDS seeds that show a planted failure, by each order and
alignment, and prints the means: what the generator leaves (characters, of Rust tokens), of how much,
checks of the generator, seconds of the whole reduction. Then the time of a run of the
generator with and without the adapter, and for both orders and each two alignments the p of
Wilcoxon's signed-rank test over all texts (by the normal approximation).
"""

import math
import pathlib
import re
import subprocess
import sys
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
WAYS = [(order, alignment) for order in ("sequence", "tree") for alignment in ("halt", "bypass", "re-align")]
LEAST = 400


def call(*words, folder):
    """What a command writes."""
    return subprocess.run(words, cwd=folder, capture_output=True, text=True, check=True)


def cases(mcve, domain, count, folder):
    """The files of choices of the first seeds whose text fails."""
    found, seed = [], 0
    while len(found) < count and seed < 400:
        seed += 1
        file = f"{domain}{seed}.txt.choices"
        text = call(mcve, "generate", "--generator", str(HERE / f"{domain}.py"), "--seed", str(seed), "--choices", file,
                    folder=folder).stdout
        (folder / "text").write_text(text)
        fails = subprocess.run(["sh", "-c", DOMAINS[domain], "sh", "text"], cwd=folder, check=False).returncode == 0
        if fails and len(text) >= LEAST:
            found.append(file)
    return found


def reduce(mcve, domain, file, way, folder):
    """What the generator leaves, checks, seconds, and the size at first."""
    begun = time.time()
    said = call(mcve, "reduce", "-j", "1", "--choices", file, "--generator", str(HERE / f"{domain}.py"), "--order", way[0],
                "--alignment", way[1], "--test", DOMAINS[domain], "-o", "-", "--budget", "60s", folder=folder).stderr
    line = re.search(r"^generator: (\d+) .* (\d+) checks$", said, re.MULTILINE)
    before = re.search(r"^start: (\d+) ", said, re.MULTILINE)
    return int(line[1]), int(line[2]), time.time() - begun, int(before[1])


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


def main():
    mcve = str(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "target/release/mcve").resolve())
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 6
    rows = {way: [] for way in WAYS}
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        print("| domain | reduced by | left | of | checks | seconds |\n| --- | --- | ---: | ---: | ---: | ---: |")
        for domain in DOMAINS:
            found = cases(mcve, domain, count, folder)
            for way in WAYS:
                results = [reduce(mcve, domain, file, way, folder) for file in found]
                rows[way] += results
                means = [sum(column) / len(results) for column in zip(*results)]
                print(f"| {domain} | {', '.join(way)} | {means[0]:.0f} | {means[3]:.0f} | {means[1]:.0f} | {means[2]:.1f} |",
                      flush=True)
        for domain in DOMAINS:
            script = str(HERE / f"{domain}.py")
            bare = seconds(["python3", script], folder)
            wrapped = seconds([mcve, "generate", "--generator", script], folder)
            print(f"{domain}: {bare * 1000:.0f} ms without the adapter, {wrapped * 1000:.0f} ms by mcve generate")
    for first, second in [(WAYS[5], way) for way in WAYS[:5]]:
        for number, what in enumerate(["size", "checks", "seconds"]):
            p = wilcoxon([row[number] for row in rows[first]], [row[number] for row in rows[second]])
            print(f"{', '.join(first)} against {', '.join(second)}: {what} p = {p:.2g}")


if __name__ == "__main__":
    main()
