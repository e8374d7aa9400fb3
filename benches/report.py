#!/usr/bin/env python3
"""What side_by_side.py measured, as a Markdown table on standard output and a picture of the sizes over time.

usage: report.py RUNS.jsonl [PICTURE.svg]

Of several runs of a case by a tool the medians count. A result that no longer fails, or that was not smaller when the time was
over, is the input.
"""
import json, math, sys
from statistics import median

COLOURS = ["#0b6e4f", "#c1440e", "#3454d1", "#7a5195", "#8a6d00"]


def medians(rows):
    found = {}
    for row in rows:
        found.setdefault((row["case"], row["tool"]), []).append(row)
    keys = ["tokens", "checks", "wall", "cpu"]
    return {key: {**runs[-1], **{k: median(run[k] for run in runs) for k in keys}, "runs": len(runs)} for key, runs in found.items()}


def cell(row):
    more = ">" if row["capped"] else ""
    tokens = row["tokens"] if row["still_fails"] and row["tokens"] < row["tokens_before"] else "nothing"
    broken = "" if row["parses"] else ", does not parse"
    return f"{tokens:.0f}{broken}" if tokens != "nothing" else tokens, f"{row['checks']:.0f}", f"{more}{row['wall']:.1f}", f"{row['cpu']:.1f}"


def geometric(ratios):
    return math.exp(sum(map(math.log, ratios)) / len(ratios)) if ratios else float("nan")


def checks_until(run, size):
    """After how many checks a candidate of this size was accepted; all, if none was."""
    return next((check for check, tokens in run.get("steps", []) if tokens <= size), run["checks"])


def table(found, cases, tools):
    print("| case | tokens before |" + "".join(f" {tool}: tokens | checks | wall s | CPU s |" for tool in tools))
    print("| --- | --- |" + " --- |" * 4 * len(tools))
    for case in cases:
        rows = [found[case, tool] for tool in tools]
        print(f"| {case} | {rows[0]['tokens_before']:,} |" + "".join(f" {part} |" for row in rows for part in cell(row)))
    first, others = tools[0], tools[1:]
    for other in others:
        means = []
        for key in ("tokens", "checks", "wall", "cpu"):
            pairs = [(found[case, first], found[case, other]) for case in cases]
            means.append(f"{key} {geometric([a[key] / b[key] for a, b in pairs]):.2f}")
        reached = [checks_until(found[case, first], found[case, first]["tokens"]) / found[case, other]["checks"] for case in cases]
        means.append(f"checks until the final size {geometric(reached):.2f}")
        sizes = [(found[case, first], found[case, other]) for case in cases if not found[case, other]["capped"]]
        means.append(f"until that of {other} {geometric([checks_until(a, b['tokens']) / b['checks'] for a, b in sizes]):.2f}")
        capped = sum(found[case, other]["capped"] for case in cases)
        print(f"\n{first} / {other}, geometric means over {len(cases)} cases ({capped} of them ended by the cap): {', '.join(means)}.")


def picture(found, cases, tools, path):
    width, height, columns = 230, 120, 5
    rows = math.ceil(len(cases) / columns)
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{columns * width}" height="{rows * height + 30}" font-family="sans-serif" font-size="11">',
             '<rect width="100%" height="100%" fill="white"/>']
    for index, tool in enumerate(tools):
        parts.append(f'<rect x="{10 + 130 * index}" y="8" width="14" height="4" fill="{COLOURS[index]}"/><text x="{30 + 130 * index}" y="14">{tool}</text>')
    parts.append('<text x="400" y="14" fill="#666">tokens (logarithmic) over seconds</text>')
    for number, case in enumerate(cases):
        left, top = number % columns * width + 10, number // columns * height + 38
        w, h = width - 30, height - 38
        runs = [found[case, tool] for tool in tools]
        most, longest = math.log(max(run["tokens_before"] for run in runs)), max(run["samples"][-1][0] for run in runs)
        parts.append(f'<text x="{left}" y="{top - 5}">{case}</text><path d="M{left} {top}V{top + h}H{left + w}" fill="none" stroke="#999"/>')
        parts.append(f'<text x="{left + w}" y="{top + h + 12}" text-anchor="end" fill="#666">{longest:.0f} s</text>')
        for run, colour in zip(runs, COLOURS):
            at = lambda second, tokens: f"{left + w * second / longest:.1f} {top + h - h * math.log(max(tokens, 1)) / most:.1f}"
            points, last = [at(0, run["tokens_before"])], run["tokens_before"]
            for second, tokens in run["samples"]:
                points += [at(second, last), at(second, tokens)]
                last = tokens
            parts.append(f'<polyline points="{" ".join(points)}" fill="none" stroke="{colour}" stroke-width="1.6"/>')
    parts.append("</svg>")
    open(path, "w").write("\n".join(parts) + "\n")


def main():
    if len(sys.argv) < 2:
        raise SystemExit(__doc__)
    found = medians(json.loads(line) for line in open(sys.argv[1]))
    tools = list(dict.fromkeys(tool for _, tool in found))
    cases = [case for case in dict.fromkeys(case for case, _ in found) if all((case, tool) in found for tool in tools)]
    table(found, cases, tools)
    if len(sys.argv) > 2:
        picture(found, cases, tools, sys.argv[2])


if __name__ == "__main__":
    main()
