#!/usr/bin/env python3
"""Twelve texts that are not Rust, reduced by mcve and by others: how small, after how many tests?

usage: texts.py FOLDER [--mcve PATH] [--picire PATH] [--shrinkray PATH] [--only NAME,..]
       texts.py --check NAME FILE

The texts and their tests are made here: what each test asks for is one line of CHECKS. A tool that is not named is left out. picire runs
with `--atom=both`, Shrink Ray with its defaults. The tests of mcve are those that it counts, those of the others the calls of the script.
"""
import argparse, csv, io, json, os, random, re, shutil, sqlite3, subprocess, sys, tempfile, time, tomllib, urllib.parse
from html.parser import HTMLParser
from pathlib import Path

LIMIT = 300  # seconds of a reduction; of a tool that takes more the input counts


def texts():
    """The texts by name, always the same ones."""
    r = random.Random(44)
    word = lambda: "".join(r.choice("abcdefghklmnoprstu") for _ in range(r.randint(3, 9)))
    records = [{"id": n, "name": word(), "tags": [word() for _ in range(3)], "price": round(r.uniform(1, 90), 2)} for n in range(40)]
    records[27]["price"] = -4.5
    functions = "".join(f"def {word()}_{n}(a, b):\n    total = a * {n}\n    for i in range(b):\n        if i % 2:\n            total += i\n        else:\n            total -= {n}\n    return total\n\n" for n in range(12))
    python = f'"""Rates."""\nimport math\n\n{functions}def mean(values):\n    total = 0\n    for value in values:\n        total += value\n    return total / len(values)\n\ndef report(rows):\n    for name, values in rows:\n        print(name, math.floor(mean(values)))\n\nreport([("a", [1, 2]), ("b", []), ("c", [3])])\n'
    tables = "".join(f"CREATE TABLE {word()}{n} (id INTEGER PRIMARY KEY, {word()} TEXT, total REAL DEFAULT {n});\n" for n in range(12))
    sql = f"-- Orders.\n{tables}CREATE TABLE people (id INTEGER, name TEXT, town TEXT);\nCREATE TABLE orders (id INTEGER, person INTEGER, price REAL, town TEXT);\nINSERT INTO people VALUES (1, 'Ada', 'Ulm'), (2, 'Bo', 'Graz');\nSELECT name, sum(price) FROM people JOIN orders ON people.id = orders.person WHERE price > 3 AND town = 'Ulm' GROUP BY name ORDER BY name;\n"
    toml = "".join(f"[{word()}{n}]\nname = \"{word()}\"\nsizes = [{n}, {n + 1}]\nnested = {{ a = {n}, b = \"{word()}\" }}\n\n" for n in range(15)) + "[server]\nport = 80\nlimits = 3\n\n[server.limits]\nrate = 5\n"
    make = "CC = cc\nFLAGS = -O2 -Wall\n\n" + "".join(f"{word()}{n}.o: {word()}.c {word()}.h\n\t$(CC) $(FLAGS) -c $< -o $@\n\n" for n in range(15)) + "all: app docs\n\napp: lib.a\n\t$(CC) -o app lib.a\n\nlib.a: gen.h\n\tar r lib.a\n\ngen.h: tool\n\t./tool > gen.h\n\ntool: lib.a\n\t$(CC) -o tool lib.a\n\ndocs:\n\techo docs\n"
    c = "#include <stddef.h>\n\n" + "".join(f"static int {word()}_{n}(int a, int b) {{\n    int total = 0;\n    for (int i = 0; i < a; i++) {{\n        if (i % {n + 2} == 0) {{\n            total += b;\n        }}\n    }}\n    return total;\n}}\n\n" for n in range(10)) + "struct point { int x; int y; };\n\nstatic int area(struct point *p, int scale) {\n    return p->x * p->y * scale;\n}\n\nint main(void) {\n    struct point p = { 1, 2 };\n    if (p.x) {\n        return area(&p);\n    }\n    return 0;\n}\n"
    log = "".join(f"2026-11-{n % 28 + 1:02} 10:{n % 60:02}:00 {r.choice(['INFO', 'DEBUG', 'WARN'])} {word()}: request {r.randint(100, 999)} took {r.randint(1, 90)} ms\n" for n in range(220))
    lines = log.splitlines(keepends=True)
    lines[90] = "2026-11-07 10:31:00 ERROR store: request 512 failed, retry 1\n"
    lines[160] = "2026-11-21 10:41:00 ERROR store: request 512 failed, retry 2\n"
    rows = io.StringIO()
    table = csv.writer(rows)
    table.writerow(["id", "name", "note", "price"])
    for n in range(60):
        table.writerow([n, word(), f"{word()}, {word()}" + ("\n" + word() if n == 41 else ""), n / 4])
    regex = "|".join(f"(?P<{word()}{n}>[a-{r.choice('bcdef')}]{{1,{n + 2}}}\\d+)" for n in range(14)) + "|(?:(?P<year>\\d{4})-(?P<day>\\d\\d))|(?:(?P<year>\\d\\d)/x)"
    url = "https://user:secret@example.org:80" + "".join(r.choice("0123456789") for _ in range(4)) + "/" + "/".join(word() for _ in range(8)) + "?" + "&".join(f"{word()}={word()}" for _ in range(12)) + "#" + word()
    html = "<!doctype html>\n<html>\n<body>\n" + "".join(f"<div class=\"{word()}\">\n  <p>{word()} <b>{word()}</b> &amp; {word()}</p>\n  <ul><li>{word()}</li><li>{word()}</li></ul>\n</div>\n" for _ in range(12)) + "<table><tr><td><select name=\"a\"><option>x</option></td></tr></table>\n</body>\n</html>\n"
    binary = bytes(r.randrange(256) for _ in range(900)) + b"\x89RIF\x00\x10" + bytes(r.randrange(256) for _ in range(300)) + b"\xff\xd8END" + bytes(r.randrange(256) for _ in range(200))
    made = {"json.json": json.dumps(records, indent=2) + "\n", "python.py": python, "sql.sql": sql, "toml.toml": toml, "makefile.mk": make, "c.c": c, "log.log": "".join(lines), "csv.csv": rows.getvalue(), "regex.txt": regex, "url.url": url, "html.html": html}
    return {name: text.encode() for name, text in made.items()} | {"binary.bin": binary}


def run(words, **more):
    return subprocess.run(words, capture_output=True, text=True, errors="replace", timeout=10, **more)


def negative_price(value):
    if isinstance(value, dict):
        price = value.get("price")
        return isinstance(price, float) and price < 0 or any(map(negative_price, value.values()))
    return isinstance(value, list) and any(map(negative_price, value))


def says(error, words, act):
    """Whether `act` raises this error with these words."""
    try:
        act()
    except error as raised:
        return words in str(raised)
    return False


class Unclosed(HTMLParser):
    """Whether a select is open where its cell ends."""
    def __init__(self):
        super().__init__()
        self.open, self.found = [], False

    def handle_starttag(self, tag, attrs):
        self.open.append(tag)

    def handle_endtag(self, tag):
        if tag in self.open:
            while (last := self.open.pop()) != tag:
                self.found |= last == "select" and tag == "td"


def unclosed(text):
    parser = Unclosed()
    parser.feed(text)
    return parser.found


def ragged(text):
    rows = list(csv.reader(io.StringIO(text)))
    return bool(rows) and len(rows[0]) >= 3 and any(len(row) == len(rows[0]) and any("\n" in field for field in row) for row in rows[1:])


CHECKS = {
    "json": lambda path, data: negative_price(json.loads(data)),
    "python": lambda path, data: "ZeroDivisionError" in run([sys.executable, path]).stderr,
    "sql": lambda path, data: says(sqlite3.Error, "ambiguous column name", lambda: sqlite3.connect(":memory:").executescript(data.decode())),
    "toml": lambda path, data: says(tomllib.TOMLDecodeError, "Cannot", lambda: tomllib.loads(data.decode())),
    "makefile": lambda path, data: "Circular" in run(["make", "-n", "-f", path, "all"], cwd=Path(path).parent).stderr,
    "c": lambda path, data: "too few arguments" in run(["cc", "-fsyntax-only", "-x", "c", path]).stderr,
    "log": lambda path, data: bool(re.search(rb"ERROR.*request (\d+) failed, retry 1\n(?:.*\n)*.*ERROR.*request \1 failed, retry 2", data)),
    "csv": lambda path, data: ragged(data.decode()),
    "regex": lambda path, data: says(re.error, "redefinition of group name", lambda: re.compile(data.decode())),
    "url": lambda path, data: says(ValueError, "Port", lambda: urllib.parse.urlsplit(data.decode()).port),
    "html": lambda path, data: unclosed(data.decode()),
    "binary": lambda path, data: bool(re.search(rb"\x89.*?\x00.*\xff\xd8", data, re.S)),
}


def check(name, path):
    try:
        return CHECKS[name](path, Path(path).read_bytes())
    except Exception:
        return False


def reduce(tool, program, place, file, name, script):
    """The bytes of what `tool` leaves of a file, its tests and its seconds."""
    count, began = place / f"{name}.{tool}.count", time.monotonic()
    count.write_bytes(b"")
    # mcve counts its own tests.
    env = os.environ if tool == "mcve" else {**os.environ, "COUNT": str(count)}
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / file.name
        shutil.copy(file, copy)
        out = Path(folder) / f"out{file.suffix}"
        if tool == "mcve":
            argv = [program, str(copy), "--test", str(script), "-o", str(out), "--message-format", "json", "--jobs", "1", "--budget", f"{LIMIT}s"]
        elif tool == "picire":
            argv = [program, f"--input={copy}", f"--test={script}", f"--out={folder}/picire", "--atom=both"]
        else:
            argv = [program, "--volume=quiet", "--parallelism=1", "--backup=", str(script), str(copy)]
        try:
            done = subprocess.run(argv, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace", env=env, timeout=LIMIT + 60)
        except subprocess.TimeoutExpired:
            return file.stat().st_size, len(count.read_bytes()), time.monotonic() - began
        seconds = time.monotonic() - began
        if tool == "mcve":
            last = [json.loads(line) for line in done.stdout.splitlines()][-1]
            if "checks" not in last:
                raise SystemExit(f"{name}: {done.stderr}")
            tests, left = last["checks"], out.read_bytes()
        else:
            tests = len(count.read_bytes())
            left = (Path(folder) / "picire" / file.name if tool == "picire" else copy).read_bytes()
        (place / f"{name}.{tool}{file.suffix}").write_bytes(left)
        assert check(name, str(place / f"{name}.{tool}{file.suffix}")), (tool, name, left)
        return len(left), tests, seconds


def main():
    if sys.argv[1:2] == ["--check"]:
        sys.exit(0 if check(*sys.argv[2:4]) else 1)
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="where texts and results are kept")
    tools = ["mcve", "picire", "shrinkray"]
    for tool in tools:
        parser.add_argument(f"--{tool}", metavar="PATH", help=f"the program {tool}")
    parser.add_argument("--only", metavar="NAME,..", help="these texts only")
    args = parser.parse_args()
    folder = args.folder.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    used = [tool for tool in tools if getattr(args, tool)]
    print("| text | bytes |" + "".join(f" {tool}: bytes, tests, s |" for tool in used) + "\n| --- | ---: |" + " ---: |" * len(used), flush=True)
    sums = {tool: [0, 0, 0.0] for tool in used}
    for file_name, data in texts().items():
        name = file_name.split(".")[0]
        if args.only and name not in args.only.split(","):
            continue
        file, script = folder / file_name, folder / f"{name}.sh"
        file.write_bytes(data)
        assert check(name, str(file)), name
        script.write_text(f'#!/bin/sh\n[ -z "$COUNT" ] || printf x >> "$COUNT"\nexec "{sys.executable}" "{Path(__file__).resolve()}" --check {name} "$(realpath "$1")"\n')
        script.chmod(0o755)
        cells = []
        for tool in used:
            numbers = reduce(tool, getattr(args, tool), folder, file, name, script)
            sums[tool] = [one + other for one, other in zip(sums[tool], numbers)]
            cells.append(f" {numbers[0]}, {numbers[1]}, {numbers[2]:.1f} |")
        print(f"| {name} | {len(data):,} |" + "".join(cells), flush=True)
    print("| sum | |" + "".join(f" {total[0]}, {total[1]:,}, {total[2]:.0f} |" for total in sums.values()))


if __name__ == "__main__":
    main()
