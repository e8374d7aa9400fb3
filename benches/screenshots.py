#!/usr/bin/env python3
"""Pictures of what a terminal shows while a command runs, as SVG.

usage: screenshots.py [--size 80x24] [--at NAME=WORDS]... [--record NAME] FOLDER -- COMMAND...

Runs COMMAND in a terminal of that size and writes FOLDER/NAME.svg as soon as the screen shows WORDS, for each NAME, and
FOLDER/end.svg at the end. With --record FOLDER/NAME.svg is the whole run, which plays again and again. With WORDS `+N` it is after N seconds. The pictures are the screen: the rows that are not empty, in the colours of a
terminal, with names of colours that a light and a dark page can both show. Needs `pyte` (`pip install pyte`).

The pictures of docs/images are made, in an empty folder with a copy of corpus/ice-mir-statement/input.rs, by

    screenshots.py --size 100x30 --at start=start: --at middle=changing --at proof=proving --record run docs/images -- \\
        mcve +1.95.0 input.rs -o small.rs

A program may import `frames(command, columns, rows)`, which yields the seconds and the screen whenever it changes.
"""
import argparse, fcntl, html, os, pty, select, struct, subprocess, sys, termios, time

import pyte

COLOURS = {
    "default": "#d4d4d4", "black": "#7f7f7f", "red": "#f14c4c", "green": "#23d18b", "brown": "#e5e510",
    "blue": "#6aa9f4", "magenta": "#d670d6", "cyan": "#29b8db", "white": "#ffffff",
}
WIDTH, HEIGHT, MARGIN = 8.4, 18, 12
# How many seconds a recorded run shows its end.
PAUSE = 6


def frames(command, columns, rows):
    """Runs a command in a terminal; yields the seconds since its start and the screen, at most 20 times a second, and at its end."""
    screen = pyte.Screen(columns, rows)
    stream = pyte.ByteStream(screen)
    main, end = pty.openpty()
    fcntl.ioctl(end, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
    environment = {**os.environ, "TERM": "xterm-256color"}
    environment.pop("NO_COLOR", None)
    start = time.monotonic()
    child = subprocess.Popen(command, stdin=end, stdout=end, stderr=end, env=environment, start_new_session=True)
    os.close(end)
    while True:
        ready, _, _ = select.select([main], [], [], 0.05)
        if ready:
            try:
                data = os.read(main, 1 << 16)
            except OSError:  # The end of a terminal is an error.
                data = b""
            if not data:
                break
            stream.feed(data)
        yield time.monotonic() - start, screen
    child.wait()
    os.close(main)
    yield time.monotonic() - start, screen


def cells(screen):
    """The rows of the screen up to the last that is not empty: a list of characters with their style each."""
    rows = [[screen.buffer[y][x] for x in range(screen.columns)] for y in range(screen.lines)]
    while rows and all(cell.data.isspace() for cell in rows[-1]):
        rows.pop()
    return rows


def svg(screen):
    """A picture of the screen."""
    return picture(screen.columns, len(cells(screen)), [], drawn(screen))


def recorded(screens, columns, rows):
    """A picture that plays `screens`, each with its seconds and how it is drawn, and then shows the last one for a while."""
    whole = screens[-1][0] + PAUSE
    style = [f".f {{ visibility: hidden; animation: {whole:.2f}s step-end infinite; }}"]
    frames = []
    for index, (seconds, text) in enumerate(screens):
        start, stop = 100 * seconds / whole, 100 * screens[index + 1][0] / whole if index + 1 < len(screens) else 100
        begin = "" if index == 0 else "0% { visibility: hidden; } "
        style.append(f"@keyframes k{index} {{ {begin}{start:.2f}% {{ visibility: visible; }} {stop:.2f}% {{ visibility: hidden; }} }}")
        frames.append(f'<g class="f" style="animation-name: k{index}">{text}</g>')
    # Who wants no motion sees the end.
    style.append("@media (prefers-reduced-motion: reduce) { .f { animation: none; } .f:last-child { visibility: visible; } }")
    return picture(columns, rows, [f"<style>{' '.join(style)}</style>"], frames)


def picture(columns, rows, head, lines):
    """A picture of so many cells."""
    width, height = columns * WIDTH + 2 * MARGIN, rows * HEIGHT + 2 * MARGIN
    start = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height}" width="{width:.0f}" height="{height}">',
        f'<rect width="100%" height="100%" rx="6" fill="#1e1e1e"/>',
        '<g font-family="ui-monospace, Menlo, Consolas, DejaVu Sans Mono, monospace" font-size="14" style="white-space: pre">',
    ]
    return "\n".join([start[0], *head, *start[1:], *lines, "</g>", "</svg>", ""])


def drawn(screen):
    """The texts of a screen."""
    lines = []
    for y, row in enumerate(cells(screen)):
        x = 0
        while x < len(row):
            style = lambda cell: (cell.fg, cell.bold, cell.italics)
            end = x
            while end < len(row) and style(row[end]) == style(row[x]):
                end += 1
            text = "".join(cell.data for cell in row[x:end])
            if not text.isspace():
                begin, text = x + len(text) - len(text.lstrip()), text.strip()
                look = (' font-weight="bold"' if row[x].bold else "") + (' font-style="italic"' if row[x].italics else "")
                place = f'x="{MARGIN + begin * WIDTH:.1f}" y="{MARGIN + (y + 0.75) * HEIGHT:.1f}" textLength="{len(text) * WIDTH:.1f}"'
                colour = COLOURS.get(row[x].fg.removeprefix("bright"), COLOURS["default"])
                lines.append(f'<text {place}{look} fill="{colour}">{html.escape(text.replace(" ", chr(0xA0)))}</text>')
            x = end
    return lines


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--size", default="80x24")
    parser.add_argument("--at", action="append", default=[])
    parser.add_argument("--record")
    parser.add_argument("folder")
    parser.add_argument("command", nargs="+")
    options = parser.parse_args()
    columns, rows = map(int, options.size.split("x"))
    left = dict(at.split("=", 1) for at in options.at)
    os.makedirs(options.folder, exist_ok=True)

    def write(name, screen):
        with open(os.path.join(options.folder, name + ".svg"), "w") as file:
            file.write(svg(screen))

    screens, most = [], 0
    for seconds, screen in frames(options.command, columns, rows):
        text, most = "".join(drawn(screen)), max(most, len(cells(screen)))
        if not screens or text != screens[-1][1]:
            screens.append((seconds, text))
        text = "\n".join(screen.display)
        for name, words in list(left.items()):
            if seconds >= float(words[1:]) if words.startswith("+") else words in text:
                write(name, screen)
                del left[name]
    write("end", screen)
    if options.record:
        with open(os.path.join(options.folder, options.record + ".svg"), "w") as file:
            file.write(recorded(screens, columns, most))
    if left:
        sys.exit(f"never shown: {', '.join(left)}")


if __name__ == "__main__":
    main()
