"""Runs a Python generator that knows nothing of mcve, so that mcve makes its random choices.

    python3 mcve_random.py GENERATOR.py ARGUMENTS..

What the generator takes from `random` is asked for on standard output and read from standard
input, by the protocol of docs/generators.md. Each question has the place of the call, and the calls
of the generator's functions around it are groups, from which mcve recognises loops and optional
parts. What the generator prints comes last, as the text. `mcve generate --generator GENERATOR.py`
runs this file itself.
"""

import os
import random
import sys
import zlib

VERSION = 1

# How a run ends that mcve stops.
STOPPED = 3

# Steps of a fraction: those that `random.random` can return.
FRACTION = 1 << 53

# The most options that are asked for by their names, and the longest name.
OPTIONS = 64
NAME = 80

OWN = (sys._getframe().f_code.co_filename, random.__file__)
SHOWN = (str, int, float, bool, bytes, type(None))


class Session:
    """The conversation with mcve, and the calls of functions that are open."""

    def __init__(self):
        self.questions = os.fdopen(os.dup(1), "w", encoding="utf-8", newline="\n")
        self.answers = os.fdopen(os.dup(0), "r", encoding="utf-8", newline="\n")
        self.open = []
        self.last = ()

    def say(self, line):
        """Writes a line that has no answer."""
        self.questions.write(line + "\n")

    def ask(self, kind, words):
        """The answer to a question at the place of the call."""
        place = self.enter(kind)
        self.questions.write(f"{kind[0]} {place} {words}\n")
        self.questions.flush()
        answer = self.answers.readline()
        if not answer or answer == "stop\n":
            os._exit(STOPPED)
        return answer[:-1]

    def enter(self, kind):
        """Begins and ends the groups between the last call and this one. Returns the place of this one."""
        frames = []
        frame = sys._getframe(1)
        while frame is not None and frame.f_code.co_filename in OWN:
            frame = frame.f_back
        while frame is not None and frame.f_code.co_filename not in OWN:
            frames.append(frame)
            frame = frame.f_back
        frames.reverse()
        depth = 0
        while depth < len(self.open) and depth < len(frames) and self.open[depth] is frames[depth]:
            depth += 1
        for _ in self.open[max(depth, 1):]:
            self.say("end")
        for position in range(max(depth, 1), len(frames)):
            self.say(f"group {word(frames[position].f_code.co_name)}@{where(frames[position - 1])}")
        # The frames are kept, so that another call is another object.
        self.open = frames
        return f"{kind[1]}@{where(frames[-1])}"

    def end(self, text):
        """Ends the groups, and writes the text."""
        for _ in self.open[1:]:
            self.say("end")
        self.say(f"output {len(text)}")
        self.questions.flush()
        self.questions.buffer.write(text + b"\n")
        self.questions.buffer.flush()

    def serve(self, run):
        """Runs the generator in a fork for each line `run`, so that Python starts once."""
        self.questions.flush()
        while self.answers.readline() == "run\n":
            child = os.fork()
            if child == 0:
                run()
            _, status = os.waitpid(child, 0)
            try:
                self.say(f"done {status}")
                self.questions.flush()
            except BrokenPipeError:
                # mcve has ended.
                os._exit(0)


def where(frame):
    """The place of the call that a frame is at: its line, and its instruction, as a line may have several."""
    return f"{frame.f_lineno}.{frame.f_lasti}"


def word(text):
    """The text without blanks and what is not ASCII."""
    return "".join(c if "!" <= c <= "~" and c != "%" else f"%{ord(c):x}" for c in text)


def name(value):
    """What identifies an option, whatever else there is to choose from."""
    if type(value) in (tuple, list):
        names = [name(part) for part in value[:NAME]]
        return None if None in names else f"({','.join(names)})"
    if type(value) in SHOWN:
        return word(repr(value[:NAME + 1] if type(value) in (str, bytes) else value))
    called = getattr(value, "__qualname__", None)
    return word(called) if isinstance(called, str) else None


SESSION = Session()


def number(place, low, high):
    """A number of the range."""
    if low >= high:
        return low
    if high - low < 1 << 62 and -(1 << 62) < low and high < 1 << 62:
        return int(SESSION.ask(("range", place), f"{low} {high}"))
    low_bits = number(place, 0, (1 << 62) - 1)
    return min(high, low + (number(place, 0, (high - low) >> 62) << 62) + low_bits)


def option(place, options, weights=None):
    """The position of one of the options."""
    count = len(options)
    if isinstance(options, range) and weights is None and options.step == 1:
        return number(place, options.start, options.stop - 1) - options.start
    names = None
    if count <= OPTIONS:
        names = [name(value) for value in options]
        if None in names or len(set(names)) < count or max(map(len, names)) > NAME:
            names = [f"#{position}" for position in range(count)]
    if weights is not None:
        total = float(sum(weights))
        possible = [position for position in range(count) if weights[position] > 0]
        names = names or [f"#{position}" for position in range(count)]
        pairs = " ".join(f"{max(1, round(weights[p] / total * 100000))} {names[p]}" for p in possible)
        return names.index(SESSION.ask(("weighted", place), pairs))
    if names is None:
        return number(place, 0, count - 1)
    if count == 1:
        return 0
    return names.index(SESSION.ask(("choose", place), " ".join(names)))


class Random(random.Random):
    """`random.Random` by questions. What is not here draws from `random` and `getrandbits`."""

    def __init__(self, *_):
        super().__init__(0)

    def seed(self, *_, **__):
        self.gauss_next = None

    def getstate(self):
        return ()

    def setstate(self, _):
        pass

    def random(self):
        # The simplest answer is the largest number, for which `random() < p` is false.
        return (FRACTION - 1 - number("random", 0, FRACTION - 1)) / FRACTION

    def getrandbits(self, k):
        return number("bits", 0, (1 << k) - 1)

    def randbytes(self, n):
        return bytes(number("byte", 0, 255) for _ in range(n))

    def _randbelow(self, n):
        return number("below", 0, n - 1)

    def randrange(self, start, stop=None, step=1):
        values = range(start) if stop is None else range(start, stop, step)
        if not values:
            raise ValueError("empty range for randrange()")
        return number("range", values[0], values[-1]) if step == 1 else values[number("range", 0, len(values) - 1)]

    def randint(self, a, b):
        if b < a:
            raise ValueError("empty range for randint()")
        return number("int", int(a), int(b))

    def choice(self, seq):
        if not len(seq):
            raise IndexError("Cannot choose from an empty sequence")
        return seq[option("choice", seq)]

    def choices(self, population, weights=None, *, cum_weights=None, k=1):
        if cum_weights is not None:
            weights = [now - before for now, before in zip(cum_weights, [0, *cum_weights])]
        return [population[option("choices", population, weights)] for _ in range(k)]

    def sample(self, population, k, *, counts=None):
        pool = list(population)
        if counts is not None:
            pool = [value for value, count in zip(pool, counts) for _ in range(count)]
        if not 0 <= k <= len(pool):
            raise ValueError("Sample larger than population or is negative")
        return [pool.pop(option("sample", pool)) for _ in range(k)]

    def shuffle(self, x):
        left = list(x)
        x[:] = [left.pop(number("shuffle", 0, len(left) - 1)) for _ in range(len(left))]

    def uniform(self, a, b):
        return a + (b - a) * (number("uniform", 0, FRACTION - 1) / FRACTION)


def replace():
    """Puts the questions in the place of what `random` has."""
    one = Random()
    random._inst = one
    for method in dir(one):
        if not method.startswith("_") and callable(getattr(random, method, None)) and method[0].islower():
            setattr(random, method, getattr(one, method))
    random.Random = random.SystemRandom = Random


def main():
    """Runs the generator of the command line."""
    script = sys.argv[1]
    with open(script, "rb") as file:
        source = file.read()
    base = word(os.path.splitext(os.path.basename(script))[0])
    version = f"{sys.version_info[0]}.{sys.version_info[1]}"
    arguments = "".join(" " + word(argument) for argument in sys.argv[2:])
    SESSION.say(f"generator {base} {VERSION} source={zlib.crc32(source):08x} python={version}{arguments}")
    SESSION.say("serves")
    code = compile(source, script, "exec")
    replace()
    sys.argv = sys.argv[1:]
    sys.path[0] = os.path.dirname(os.path.abspath(script))
    SESSION.serve(lambda: run(script, code))


def run(script, code):
    """Runs the generator, writes what it prints, and ends this process."""
    printed = temporary()
    os.dup2(printed, 1)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    SESSION.say("unordered")
    status = 0
    try:
        exec(code, fresh(script))
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:
        sys.excepthook(*sys.exc_info())
        os._exit(1)
    sys.stdout.flush()
    os.lseek(printed, 0, os.SEEK_SET)
    with os.fdopen(printed, "rb", closefd=False) as file:
        SESSION.end(file.read())
    # What it registered for its end must not print any more.
    os._exit(status)


def fresh(script):
    """The globals of a main module, which replaces this one, so that the generator finds itself there."""
    module = type(sys)("__main__")
    module.__file__ = script
    module.__builtins__ = __builtins__
    sys.modules["__main__"] = module
    return module.__dict__


def temporary():
    """A file without a name."""
    if hasattr(os, "memfd_create"):
        return os.memfd_create("printed")
    import tempfile

    return os.dup(tempfile.TemporaryFile().fileno())


if __name__ == "__main__":
    main()
