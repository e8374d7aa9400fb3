#!/usr/bin/env python3
"""Draws the picture of docs/benchmarks.md: how many tokens each reducer leaves of each program, by the tables of a page.

usage: plot.py docs/benchmarks/reducers.md docs/benchmarks.svg

The tables are those below "Side by side", which has the size of each program, and "Other reducers". A program that only the first
table has gets two points. What a tool did not make smaller, or has no result of, has no point.
"""
import math, re, sys

COLOURS = {"mcve": "#0b6e4f", "treereduce": "#c1440e", "Shrink Ray": "#3454d1", "C-Vise": "#8a6d00"}
LABELS, PANEL, TOP, ROW = 170, 560, 64, 17


def rows(page, heading):
    """The cells of the first table below a heading, and those of its first line."""
    table = page.split(f"\n## {heading}\n")[1].split("\n| ", 1)[1].split("\n\n")[0]
    head, _, *lines = [[cell.strip() for cell in line.strip("| ").split("|")] for line in table.splitlines()]
    return head, lines


def number(cell):
    found = re.match(r"[\d,]+", cell)
    return int(found[0].replace(",", "")) if found else None


def programs(page):
    """By program, smallest result of mcve first: its size, and the tokens that each tool leaves."""
    _, lines = rows(page, "Side by side")
    found = {line[0]: (number(line[1]), {"mcve": number(line[2]), "treereduce": number(line[6])}) for line in lines}
    head, lines = rows(page, "Other reducers")
    for line in lines:
        found[line[0]][1].update(zip(head[1:], map(number, line[1:])))
    return sorted(found.items(), key=lambda program: (program[1][1]["mcve"], program[0]))


def picture(found):
    width, height = LABELS + PANEL + 30, TOP + ROW * len(found) + 12
    most = math.log(10_000 / 5)
    at = lambda tokens: LABELS + PANEL * math.log(tokens / 5) / most
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="12">',
        '<rect width="100%" height="100%" fill="#ffffff"/>',
        f'<text x="{LABELS - 12}" y="22" text-anchor="end" font-weight="bold">tokens left</text>',
    ]
    legend = [*COLOURS.items(), ("the program", "#777777")]
    for index, (tool, colour) in enumerate(legend):
        x = LABELS + 112 * index
        parts += [point(x + 5, 18, colour, tool == "the program"), f'<text x="{x + 16}" y="22">{tool}</text>']
    for mark in (10, 30, 100, 300, 1_000, 3_000, 10_000):
        parts.append(f'<line x1="{at(mark):.1f}" y1="{TOP - 10}" x2="{at(mark):.1f}" y2="{height - 10}" stroke="#dddddd"/>')
        parts.append(f'<text x="{at(mark):.1f}" y="{TOP - 15}" text-anchor="middle" font-size="11" fill="#666666">{mark:,}</text>')
    for index, (name, (size, left)) in enumerate(found):
        y = TOP + ROW * index + 4
        parts.append(f'<text x="{LABELS - 12}" y="{y + 4}" text-anchor="end">{name}</text>')
        parts.append(f'<line x1="{at(left["mcve"]):.1f}" y1="{y}" x2="{at(size):.1f}" y2="{y}" stroke="#eeeeee"/>')
        parts.append(point(at(size), y, "#777777", True))
        for tool in reversed(COLOURS):
            if left.get(tool):
                parts.append(point(at(left[tool]), y, COLOURS[tool], False))
    return "\n".join([*parts, "</svg>"]) + "\n"


def point(x, y, colour, is_open):
    fill = "#ffffff" if is_open else colour
    return f'<circle cx="{x:.1f}" cy="{y}" r="4.5" fill="{fill}" fill-opacity="0.85" stroke="{colour}"/>'


def main():
    if len(sys.argv) != 3:
        raise SystemExit(__doc__)
    page = open(sys.argv[1], encoding="utf-8").read()
    open(sys.argv[2], "w", encoding="utf-8").write(picture(programs(page)))


if __name__ == "__main__":
    main()
