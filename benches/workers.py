#!/usr/bin/env python3
"""What are many workers good for? Records the checks of runs with one worker, and replays them with many.

usage: workers.py record FOLDER FILES.. [--kind WORD] [--budget SECONDS] [-- OPTIONS]
       workers.py simulate FOLDER -o docs/design/workers.svg [--page]

`record` runs `mcve FILE --jobs 1 --message-format json` of the PATH, or of the variable TOOL_MCVE, with the OPTIONS. A folder with a
`Cargo.toml` is a package, for `cargo-mcve` of the PATH or of TOOL_CARGO_MCVE. FOLDER gets a small file for each run: the pass, the outcome
and the milliseconds of each check, the failure, and the tokens before and after. Runs that make no check are left out.

`simulate` replays these checks. A replica of the search predicts each answer that is not known yet, and begins the jobs that follow by its
predictions. When an answer differs, the jobs behind it are cancelled. With a tree of guesses both answers are followed, and the jobs run
that are most likely to be asked for. Jobs that are not asked for last as long as the mean of the run. The latency is added to each job and
holds its worker, as `--jobs` counts the jobs on the way. Every second run, by name within its kind, chooses the rule; the figures are those
of the others. Prints a summary, or with --page all tables of the page, and draws its picture.

The rest of a run, which is the search's own work and what it asks apart from checks, runs in one thread: REST is how long it takes for a
check. Other candidates than those of one worker are not modelled, nor is how long a replica needs to guess.
"""
import argparse, heapq, json, math, os, random, re, statistics, subprocess, sys, tempfile
from collections import Counter, defaultdict
from functools import lru_cache, partial
from multiprocessing import Pool
from pathlib import Path

WORKERS = [1, 8, 32, 128, 1024]
FEW = [2, 8, 32]
LATENCIES = [0, 0.005, 0.05, 0.5]
FAST = 0.02  # seconds of a check of one crash, in the mean
REST = 0.28 * FAST  # seconds of a run that are not checks, for each check
SLOW = 60  # seconds of a check of a slow package, in the mean
RECOGNITION = 0.4  # seconds of a file of a batch
LONG = 100  # checks of a pass that has a row of its own


# Recording

def events(words, place):
    run = subprocess.run(words, cwd=place, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, errors="replace")
    return [json.loads(line) for line in run.stdout.splitlines() if line.startswith("{")]


def trace(path, kind, said):
    """The small trace of a run; none if it made no check. Each line of `checks`: the number of its pass, the outcome, milliseconds."""
    passes, checks, end = ["baseline"], [], None
    for event in said:
        if event["event"] == "pass-started":
            passes.append(event["pass"])
        elif event["event"] == "checked":
            checks.append([len(passes) - 1, event["outcome"][0], round(event["seconds"] * 1000, 2)])
        elif event["event"] == "finished":
            end = event
    if not end or not checks:
        return None
    size = {side: end[side]["tokens"] for side in ("before", "after")}
    return {"name": path.stem, "kind": kind, "failure": end["failure"], "ending": end["ending"], **size, "seconds": round(end["seconds"], 3), "passes": passes, "checks": checks}


def record(args):
    args.folder.mkdir(parents=True, exist_ok=True)
    for path in args.files:
        to = args.folder / f"{args.kind}-{path.stem}.json"
        if to.exists():
            continue
        is_package = (path / "Cargo.toml").exists()
        tool = os.environ.get("TOOL_CARGO_MCVE", "cargo-mcve") if is_package else os.environ.get("TOOL_MCVE", "mcve")
        what = ["mcve"] if is_package else [path]
        with tempfile.TemporaryDirectory() as place:
            words = [tool, *what, "-o", f"{place}/{'out' if is_package else 'out.rs'}", "--jobs", "1", "--message-format", "json", "--budget", f"{args.budget}s"]
            found = trace(path, args.kind, events([*map(str, words), *args.options], path if is_package else place))
        if found:
            to.write_text(json.dumps(found, separators=(",", ":")) + "\n")
        print(f"{args.kind} {path.name}: {len(found['checks'])} checks in {found['seconds']:.0f} s, {found['before']} to {found['after']} tokens" if found else f"{path.name}: no run", flush=True)


# Runs

class Run:
    """A trace as a simulation needs it, without the checks before the first pass. `contexts` say what is known before each check: its pass, which round of
    that it is, its place there, and the outcomes of the pass so far."""

    def __init__(self, found):
        self.name, self.kind = found["name"], found["kind"]
        checks = [check for check in found["checks"] if check[0] > 0]
        self.fails = [check[1] == "f" for check in checks]
        self.seconds = [check[2] / 1000 for check in checks]
        self.contexts, number, context, rounds = [], None, None, Counter()
        for (at, _, _), fails in zip(checks, self.fails):
            if at != number:
                number, name = at, found["passes"][at]
                context = (name, min(rounds[name], 2), 0, "")
                rounds[name] += 1
            self.contexts.append(context)
            context = after(context, fails)
        self.mean = statistics.mean(self.seconds)
        self.rest = max(found["seconds"] - sum(check[2] for check in found["checks"]) / 1000, 0) / len(found["checks"])

    def scaled(self, mean):
        """The same run with checks that last so many seconds in the mean."""
        other = object.__new__(Run)
        other.__dict__ = {**self.__dict__, "seconds": [seconds * mean / self.mean for seconds in self.seconds], "mean": mean}
        return other


def after(context, fails):
    name, turn, place, past = context
    return name, turn, place + 1, (past + "01"[fails])[-32:]


def halves(folder):
    """The runs that choose, and those that judge."""
    kinds = defaultdict(list)
    for path in sorted(folder.glob("*.json")):
        run = Run(json.loads(path.read_text()))
        kinds[run.kind].append(run)
    return tuple([run for _, runs in sorted(kinds.items()) for run in runs[first::2]] for first in (0, 1))


# Rules: what is known of the next check, from general to special. Each corrects the one before, as far as it was seen.

def streak(past):
    """The last outcome, and how often it came in a row, roughly."""
    length = len(past) - len(past.rstrip(past[-1:]))
    return past[-1:], min(length, 4) + (length > 8) + (length > 16)


@lru_cache(None)
def counter(past):
    """A counter of two bits: two answers in a row turn it."""
    value = 1
    for bit in past:
        value = min(value + 1, 3) if bit == "1" else max(value - 1, 0)
    return value


def share(past, length):
    past = past[-length:]
    return past.count("1") / len(past) if past else 0


RULES = {
    "it does not fail": lambda name, turn, place, past: [()],
    "as the check before": lambda name, turn, place, past: [past[-1:]],
    "share of the last 4": lambda name, turn, place, past: [round(share(past, 4) * 4)],
    "share of the last 16": lambda name, turn, place, past: [round(share(past, 16) * 8)],
    "counter of two bits": lambda name, turn, place, past: [counter(past)],
    "by pass": lambda name, turn, place, past: [(), name],
    "by pass and place": lambda name, turn, place, past: [(), name, (name, place.bit_length())],
    "as the check before, first by pass": lambda name, turn, place, past: [past[-1:]] if past else ["", name],
    "last 3": lambda name, turn, place, past: [past[-1:], past[-3:]],
    "by pass and check before": lambda name, turn, place, past: [past[-1:], (name, past[-1:])],
    "by pass and streak": lambda name, turn, place, past: [streak(past), (name, past[-1:]), (name, streak(past))],
    "by pass and last 3": lambda name, turn, place, past: [past[-1:], past[-3:], (name, past[-1:]), (name, past[-3:])],
    "by pass, round and last 3": lambda name, turn, place, past: [past[-1:], past[-3:], (name, past[-1:]), (name, past[-3:]), (name, turn, past[-3:])],
    "by pass, last 3 and share": lambda name, turn, place, past: [past[-1:], (name, past[-1:]), (name, past[-3:]), (name, past[-3:], round(share(past, 16) * 4))],
    "all foreseen": None,
}
TODAY, FORESEEN = "as the check before", "all foreseen"
GUESSES = {  # where the answer is not that of the table
    "it does not fail": lambda past: False,
    TODAY: lambda past: past[-1:] == "1",
    "share of the last 4": lambda past: share(past, 4) > 0.5,
    "share of the last 16": lambda past: share(past, 16) > 0.5,
    "counter of two bits": lambda past: counter(past) >= 2,
}
LEARNING = {f"{name}, and of this run": name for name in ("by pass", "by pass and check before", "by pass and last 3")}
PRIOR, OWN = 6, 4  # how many checks the more general line counts as, and how much one of the run itself


def keys(rule, context):
    """One for each line of a rule, with its number."""
    return enumerate(RULES[LEARNING.get(rule, rule)](*context))


def table(runs, rule):
    """How often a check failed, and how often there was one, by each key of a rule."""
    fails, count = Counter(), Counter()
    for run in runs if rule != FORESEEN else []:
        for context, failed in zip(run.contexts, run.fails):
            for key in keys(rule, context):
                count[key] += 1
                fails[key] += failed
    return fails, count


class Rule:
    """A rule with its table, in one run, of which it may learn."""

    def __init__(self, name, learned):
        self.name, self.learns = name, name in LEARNING
        self.fails, self.count = (Counter(part) for part in learned) if self.learns else learned
        self.guesses = GUESSES.get(name)

    def chance(self, context):
        """How likely the check fails."""
        chance = 0.28
        for key in keys(self.name, context):
            chance = (self.fails[key] + PRIOR * chance) / (self.count[key] + PRIOR)
        return chance

    def guess(self, context, chance):
        return self.guesses(context[3]) if self.guesses else chance > 0.5

    def learn(self, context, fails):
        for key in keys(self.name, context) if self.learns else ():
            self.count[key] += OWN
            self.fails[key] += OWN * fails


def right(run, rule, learned):
    """Which predictions are right where all answers before are known."""
    known, found = Rule(rule, learned), []
    for context, fails in zip(run.contexts, run.fails):
        found.append(rule == FORESEEN or known.guess(context, known.chance(context)) == fails)
        known.learn(context, fails)
    return found


# The simulation

class Node:
    """A check that may be asked for: `index` in the run, none where the run does not go. `chances` are those that it passes and fails."""
    __slots__ = ("index", "context", "weight", "chances", "guess", "parts", "parent", "state")

    def __init__(self, index, context, weight, parent):
        self.index, self.context, self.weight, self.parent = index, context, weight, parent
        self.parts, self.state, self.guess, self.chances = None, "waiting", None, None


class Machine:
    """Workers that replay one run."""

    def __init__(self, run, rule, learned, workers, is_tree, latency):
        self.run, self.rule, self.is_tree, self.latency = run, Rule(rule, learned), is_tree, latency
        self.free, self.now, self.begun = workers, 0.0, 0
        self.waiting, self.running, self.number = [], [], 0
        self.random = random.Random(68)

    def offer(self, node):
        self.number += 1
        heapq.heappush(self.waiting, (-node.weight, self.number, node))

    def decide(self, node):
        if node.index is None and not self.is_tree:
            node.guess, node.chances = False, (1, 0)  # whatever it is, it is for nothing
        elif self.rule.name == FORESEEN:
            node.guess, node.chances = self.run.fails[node.index], None
        else:
            chance = self.rule.chance(node.context)
            node.guess, node.chances = self.rule.guess(node.context, chance), (1 - chance, chance)

    def child(self, node, fails):
        """The check that follows if `node` has this answer."""
        if node.index is None or fails != self.run.fails[node.index]:
            index, context = None, after(node.context, fails)
        elif node.index + 1 == len(self.run.fails):
            return None
        else:
            index, context = node.index + 1, self.run.contexts[node.index + 1]
        weight = node.weight + math.log(node.chances[fails]) if self.is_tree and node.chances else node.weight
        child = Node(index, context, weight, node)
        node.parts[fails] = child
        self.offer(child)
        return child

    def begin(self, node):
        self.free -= 1
        self.begun += 1
        node.state, node.parts = "running", [None, None]
        seconds = self.run.mean if node.index is None else self.run.seconds[node.index]
        self.number += 1
        heapq.heappush(self.running, (self.now + seconds + self.latency, self.number, node))
        self.decide(node)
        self.child(node, node.guess)
        if self.is_tree and node.chances:
            self.child(node, not node.guess)

    def cancel(self, node):
        nodes = [node]
        while nodes:
            node = nodes.pop()
            if node.state == "running":
                self.free += 1
            node.state = "gone"
            nodes += [part for part in node.parts or () if part]

    def add(self, node, weight):
        """Makes all of a part more likely."""
        nodes = [node]
        while nodes:
            node = nodes.pop()
            node.weight += weight
            if node.state == "waiting":
                self.offer(node)
            nodes += [part for part in node.parts or () if part]

    def answer(self, node):
        """What follows once the answer of a check is known."""
        fails = self.run.fails[node.index] if node.index is not None else self.random.random() < node.chances[1]
        node.state = "done"
        if node.parts[not fails]:
            self.cancel(node.parts[not fails])
            node.parts[not fails] = None
        if node.parts[fails] is None:
            self.child(node, fails)
        elif self.is_tree and node.chances and node.parent:
            self.add(node.parts[fails], -math.log(node.chances[fails]))

    def replay(self):
        """When the answer to each check is known, and all before."""
        root, known = Node(0, self.run.contexts[0], 0.0, None), []
        self.offer(root)
        while root:
            while self.free and self.waiting:
                weight, _, node = heapq.heappop(self.waiting)
                if node.state == "waiting" and -weight == node.weight:
                    self.begin(node)
            end, _, node = heapq.heappop(self.running)
            if node.state != "running":
                continue
            self.now = end
            self.free += 1
            self.answer(node)
            while root and root.state == "done":
                fails = self.run.fails[root.index]
                self.rule.learn(root.context, fails)
                known.append(self.now)
                root = root.parts[fails]
                if root:
                    root.parent = None
        return known


def replay(job):
    """When the answers are known, and how many jobs were begun."""
    machine = Machine(*job)
    return machine.replay(), machine.begun


# Which rule

def evaluate(runs, others, rule, is_own):
    """The share of right predictions, and the loss, in bits a check. With `is_own`, others are the same runs, and each learns of the rest."""
    good, bits, count = 0, 0.0, 0
    for run in runs:
        learned = table([other for other in others if other is not run] if is_own else others, rule)
        known = Rule(rule, learned)
        for context, fails in zip(run.contexts, run.fails):
            chance = known.chance(context)
            good += known.guess(context, chance) == fails
            bits -= math.log2(chance if fails else 1 - chance)
            known.learn(context, fails)
            count += 1
    return good / count, bits / count


def choose(chosen_on, judged_on):
    """Each rule with its shares and losses on both halves, and the rules that are best on the first: for a path, and for a tree."""
    rules = [rule for rule in [*RULES, *LEARNING] if rule != FORESEEN]
    found = {rule: (*evaluate(chosen_on, chosen_on, rule, True), *evaluate(judged_on, chosen_on, rule, False)) for rule in rules}
    return found, max(rules, key=lambda rule: found[rule][0]), min(rules, key=lambda rule: found[rule][1])


def by_pass(halves, rules):
    """By pass: how many checks, how many failed, and how many predictions of each rule were right, with the table of the other half."""
    found = defaultdict(lambda: [0, 0, *[0] * len(rules)])
    for runs, others in (halves, halves[::-1]):
        tables = {rule: table(others, rule) for rule in rules}
        for run in runs:
            good = [right(run, rule, tables[rule]) for rule in rules]
            for at, (context, fails) in enumerate(zip(run.contexts, run.fails)):
                row = found[context[0]]
                for column, value in enumerate([1, fails, *(part[at] for part in good)]):
                    row[column] += value
    return sorted(found.items(), key=lambda row: -row[1][0])


# Scenarios

def end(known, rest):
    """The seconds of a run in which the search takes up each answer as soon as it is known and `rest` is over since the last."""
    ready = 0.0
    for at in known:
        ready = max(ready, at) + rest
    return ready


class Bench:
    """Simulates runs side by side, each once."""

    def __init__(self, runs, learn_of, pool):
        self.runs, self.learn_of, self.pool, self.known, self.tables = runs, learn_of, pool, {}, {}

    def replays(self, mean, rule, workers, is_tree, latency):
        what = mean, rule, workers, is_tree, latency
        if rule not in self.tables:
            self.tables[rule] = table(self.learn_of, rule)
        if what not in self.known:
            jobs = [(run.scaled(mean), rule, self.tables[rule], workers, is_tree, latency) for run in self.runs]
            self.known[what] = self.pool.map(replay, jobs, 1)
        return self.known[what]

    def results(self, mean, rule, workers, is_tree, latency, rest):
        """For each run its seconds with one worker here and with many, where `rest` lies between two checks, and the jobs begun."""
        found = []
        for run, (known, begun) in zip(self.runs, self.replays(mean, rule, workers, is_tree, latency) if workers > 1 else [(None, 0)] * len(self.runs)):
            one = (mean + rest) * len(run.fails)
            found.append((one, one + latency * len(run.fails), len(run.fails)) if workers == 1 else (one, end(known, rest), begun))
        return found

    def speed(self, *what):
        return statistics.geometric_mean(one / many for one, many, _ in self.results(*what))

    def wasted(self, *what):
        """Jobs for nothing, for each check of the run."""
        return sum(begun for _, _, begun in self.results(*what)) / sum(len(run.fails) for run in self.runs) - 1

    def cost(self, *what):
        """Seconds of all workers, used or not, for one of a single worker."""
        return what[2] * sum(many for _, many, _ in self.results(*what)) / sum(one for one, _, _ in self.results(*what))


def shared(durations, workers):
    """How long independent jobs take, each begun by the next free worker."""
    free = [0.0] * min(workers, len(durations))
    for seconds in durations:
        heapq.heapreplace(free, free[0] + seconds)
    return max(free)


def batch(bench, files, groups, workers, workers_each, latency):
    """Seconds of a batch: recognition by all workers, then two reductions of each group, by processes with so many workers each, which predict as the check before."""
    times = [many for _, many, _ in bench.results(FAST, TODAY, workers_each, False, latency, REST)]
    one = [one for one, _, _ in bench.results(FAST, TODAY, 1, False, 0, REST)]
    drawn = random.Random(68).choices(range(len(times)), k=2 * groups)
    drawn.sort(key=lambda index: one[index])
    return files * RECOGNITION / workers + shared([times[index] for index in drawn], workers // workers_each)


def enough(speeds):
    """The number of workers from which on more gain less than a tenth."""
    return next(workers for workers in speeds if max(speeds.values()) < 1.1 * speeds[workers])


# The page

print = partial(print, flush=True)


def show(head, lines):
    print("| " + " | ".join(head) + " |\n| --- |" + " ---: |" * (len(head) - 1))
    for line in lines:
        print("| " + " | ".join(map(str, line)) + " |")
    print()


def times(value):
    return f"{value:.2f}" if value < 10 else f"{value:.0f}"


def spell(seconds):
    return f"{seconds:.0f} s" if seconds < 300 else f"{seconds / 60:.0f} min" if seconds < 18_000 else f"{seconds / 3600:.1f} h"


def percent(part, whole=1, digits=0):
    return f"{100 * part / whole:.{digits}f} %"


def print_runs(halves):
    print("Runs:\n")
    kinds = defaultdict(list)
    for run in [*halves[0], *halves[1]]:
        kinds[run.kind].append(run)
    lines = []
    for kind, runs in [*sorted(kinds.items()), ("all", [*halves[0], *halves[1]])]:
        counts, fails = [len(run.fails) for run in runs], sum(sum(run.fails) for run in runs)
        lines.append((kind, len(runs), f"{sum(counts):,}", f"{statistics.median(counts):.0f}", percent(fails, sum(counts)), f"{1000 * statistics.median(statistics.median(run.seconds) for run in runs):.0f}"))
    show(["kind", "runs", "checks", "median of a run", "fail", "ms of a check, median"], lines)


def print_rules(found, bench):
    print("Rules:\n")
    lines, base = [], {workers: bench.speed(FAST, TODAY, workers, False, 0, 0) for workers in FEW}
    for rule in [*found, FORESEEN]:
        shares = [percent(found[rule][0], 1, 1), percent(found[rule][2], 1, 1), f"{found[rule][3]:.2f}"] if rule in found else ["100 %", "100 %", "0"]
        lines.append((rule, *shares, *(f"{base[workers] / bench.speed(FAST, rule, workers, False, 0, 0):.3f}" for workers in FEW)))
    show(["rule", "right, choosing half", "right, other half", "bits a check", *(f"time, {workers} workers" for workers in FEW)], lines)


def print_passes(halves, rules):
    print("By pass:\n")
    rows = by_pass(halves, rules)
    total = [sum(row[column] for _, row in rows) for column in range(len(rules) + 2)]
    few = [sum(row[column] for _, row in rows if row[0] < LONG) for column in range(len(rules) + 2)]
    rows = [*((kind, row) for kind, row in rows if row[0] >= LONG), ("the others", few), ("all", total)]
    show(["pass", "checks", "fail", *rules], [(kind, f"{row[0]:,}", *(percent(part, row[0]) for part in row[1:])) for kind, row in rows])


def variants(path, tree):
    return {f"path, {TODAY}": (TODAY, False), f"path, {path}": (path, False), f"tree, {TODAY}": (TODAY, True), f"tree, {tree}": (tree, True), FORESEEN: (FORESEEN, False)}


def print_latencies(bench, choices, rest):
    print(f"One crash, checks of {FAST * 1000:.0f} ms, {rest * 1000:.0f} ms apart from each check:\n")
    lines = []
    for latency in LATENCIES:
        for workers in [1, *FEW, *WORKERS[3:]]:
            lines.append((f"{latency * 1000:.0f} ms", workers, *(times(bench.speed(FAST, rule, workers, is_tree, latency, rest)) for rule, is_tree in choices.values())))
    show(["latency", "workers", *choices], lines)


def print_costs(bench, choices, mean, latency, title):
    print(f"{title}: speed-up; jobs for nothing for each check; seconds of all workers for one of a single worker\n")
    lines = []
    for workers in [*FEW, *WORKERS[3:]]:
        cells = []
        for rule, is_tree in choices.values():
            what = (mean, rule, workers, is_tree, latency, REST)
            cells.append(f"{times(bench.speed(*what))}; {times(bench.wasted(*what))}; {times(bench.cost(*what))}")
        lines.append((workers, *cells))
    show(["workers", *choices], lines)


def ways(bench, files, groups):
    """By the number of workers: seconds of each way to use them."""
    found = {}
    for workers in WORKERS:
        spread = 2 * groups if workers > 2 * groups else workers
        each = max(size for size in [1, *FEW, *WORKERS[1:]] if size <= workers / spread) if workers > 1 else 1
        found[workers] = (
            batch(bench, files, groups, workers, 1, 0),
            batch(bench, files, groups, workers, workers, 0),
            batch(bench, files, groups, workers, workers, 0.05),
            batch(bench, files, groups, workers, each, 0) if each > 1 else batch(bench, files, groups, workers, 1, 0),
        )
    return found


BATCHES = [(500, 25), (50_000, 500)]
WAYS = ["processes of one worker", "one process, all workers", "the same, latency 50 ms", "processes that share the workers"]


def print_batches(bench):
    for files, groups in BATCHES:
        print(f"{files:,} files, {groups} groups:\n")
        found = ways(bench, files, groups)
        one = found[1][0]
        lines = [(workers, *(f"{spell(seconds)}, {times(one / seconds)}" for seconds in row), times(found[workers][0] * workers / one)) for workers, row in found.items()]
        show(["workers", *WAYS, "cost of the first"], lines)


def print_enough(bench, choices):
    print("Workers at which more gain less than a tenth:\n")
    every, lines = [1, *FEW, *WORKERS[3:]], []
    for latency in LATENCIES:
        for name, (rule, is_tree) in choices.items():
            speeds = {workers: bench.speed(FAST, rule, workers, is_tree, latency, REST) for workers in every}
            lines.append((f"one crash, latency {latency * 1000:.0f} ms", name, enough(speeds), times(max(speeds.values()))))
    for name, (rule, is_tree) in choices.items():
        speeds = {workers: bench.speed(SLOW, rule, workers, is_tree, 0.5, REST) for workers in every}
        lines.append(("one slow package", name, enough(speeds), times(max(speeds.values()))))
    for files, groups in BATCHES:
        found = ways(bench, files, groups)
        for index, way in enumerate(WAYS):
            speeds = {workers: found[1][0] / row[index] for workers, row in found.items()}
            lines.append((f"{files:,} files", way, enough(speeds), times(max(speeds.values()))))
    show(["case", "how", "enough workers", "greatest speed-up"], lines)


# The picture

COLOURS = ["#0b6e4f", "#c1440e", "#3454d1", "#8a6d00", "#777777"]
WIDE, HIGH, LEFT, RIGHT, ABOVE, GAP = 340, 230, 46, 190, 44, 56
SIDE = LEFT + WIDE + RIGHT


def apart(heights, least=14):
    """Places for labels, in the order of their lines, none on another."""
    order, places, last = sorted(range(len(heights)), key=lambda index: heights[index]), [0.0] * len(heights), -math.inf
    for index in order:
        last = places[index] = max(heights[index], last + least)
    beyond = max(last - HIGH, 0)
    return [place - beyond for place in places]


def panel(title, lines, most, x, y, ticks):
    """A diagram with both scales logarithmic: speed-up by the number of workers."""
    least = min(value for line in lines.values() for value in line.values())
    low = max(tick for tick in ticks if tick <= min(least, 1))
    across = lambda workers: x + LEFT + WIDE * math.log(workers) / math.log(1024)
    along = lambda value: y + ABOVE + HIGH * (1 - math.log(value / low) / math.log(most / low))
    parts = [f'<text x="{x + LEFT}" y="{y + 20}" font-weight="bold">{title}</text>']
    for workers in [1, *FEW, *WORKERS[3:]]:
        parts.append(f'<line x1="{across(workers):.1f}" y1="{y + ABOVE}" x2="{across(workers):.1f}" y2="{y + ABOVE + HIGH}" stroke="#eeeeee"/>')
        parts.append(f'<text x="{across(workers):.1f}" y="{y + ABOVE + HIGH + 16}" text-anchor="middle" font-size="11" fill="#666666">{workers:,}</text>')
    for tick in ticks:
        if low <= tick <= most:
            parts.append(f'<line x1="{x + LEFT}" y1="{along(tick):.1f}" x2="{x + LEFT + WIDE}" y2="{along(tick):.1f}" stroke="{"#999999" if tick == 1 else "#dddddd"}"/>')
            parts.append(f'<text x="{x + LEFT - 6}" y="{along(tick) + 4:.1f}" text-anchor="end" font-size="11" fill="#666666">{tick:,}</text>')
    places = apart([along(line[1024]) - y - ABOVE for line in lines.values()])
    for (name, line), colour, place in zip(lines.items(), COLOURS, places):
        points = " ".join(f"{across(workers):.1f},{along(value):.1f}" for workers, value in line.items())
        parts.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts += [f'<circle cx="{across(workers):.1f}" cy="{along(value):.1f}" r="3" fill="{colour}"/>' for workers, value in line.items()]
        end, at = along(line[1024]), y + ABOVE + place
        parts.append(f'<line x1="{across(1024) + 4:.1f}" y1="{end:.1f}" x2="{across(1024) + 14:.1f}" y2="{at:.1f}" stroke="{colour}"/>')
        parts.append(f'<text x="{across(1024) + 17:.1f}" y="{at + 4:.1f}" font-size="11" fill="{colour}">{name}</text>')
    return parts


def picture(bench, path, tree):
    every = [1, *FEW, *WORKERS[3:]]
    line = lambda mean, rule, is_tree, latency, rest: {workers: bench.speed(mean, rule, workers, is_tree, latency, rest) for workers in every}
    crash = {
        FORESEEN: line(FAST, FORESEEN, False, 0, REST),
        "tree, best rule": line(FAST, tree, True, 0, REST),
        "path, best rule": line(FAST, path, False, 0, REST),
        "path, before": line(FAST, TODAY, False, 0, REST),
    }
    latencies = {f"path, before, {latency * 1000:.0f} ms": line(FAST, TODAY, False, latency, REST) for latency in LATENCIES}
    slow = {
        FORESEEN: line(SLOW, FORESEEN, False, 0.5, REST),
        "tree, best rule": line(SLOW, tree, True, 0.5, REST),
        "path, best rule": line(SLOW, path, False, 0.5, REST),
        "path, before": line(SLOW, TODAY, False, 0.5, REST),
    }
    batches = {}
    for files, groups in BATCHES[::-1]:
        found = ways(bench, files, groups)
        for index in (0, 1):
            batches[f"{files:,} files, {['processes', 'one process'][index]}"] = {workers: found[1][0] / row[index] for workers, row in found.items()}
    small, large = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100], [0.5, 1, 2, 5, 10, 30, 100, 300, 1000]
    parts = [
        *panel(f"One crash, checks of {FAST * 1000:.0f} ms, no latency", crash, 10, 0, 0, small),
        *panel("The same, by latency", latencies, 10, SIDE, 0, small),
        *panel(f"One slow package, checks of {SLOW} s", slow, 1000, 0, ABOVE + HIGH + GAP, large),
        *panel("Batches", batches, 1000, SIDE, ABOVE + HIGH + GAP, large),
    ]
    width, height = 2 * SIDE, 2 * (ABOVE + HIGH) + GAP + 50
    head = f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="13">'
    foot = f'<text x="{width / 2}" y="{height - 8}" text-anchor="middle" font-size="12">workers (across) and speed-up over one worker here without latency (up)</text>'
    return "\n".join([head, '<rect width="100%" height="100%" fill="#ffffff"/>', *parts, foot, "</svg>"]) + "\n"


def simulate(args):
    both = halves(args.folder)
    found, path, tree = choose(*both)
    choices = variants(path, tree)
    print(f"Chosen on {len(both[0])} runs: `{path}` for a path, `{tree}` for a tree. Judged on {len(both[1])} runs.\n")
    with Pool(2) as pool:
        bench = Bench(both[1], both[0], pool)
        print_runs(both)
        print_rules(found, bench)
        print_passes(both, list(dict.fromkeys(["it does not fail", TODAY, "share of the last 16", "by pass", path, tree])))
        if args.page:
            few = {name: choice for name, choice in choices.items() if choice != (TODAY, True)}
            print_latencies(bench, few, REST)
            print_latencies(bench, few, 0)
            print_costs(bench, choices, FAST, 0, "One crash, no latency")
            print_costs(bench, choices, SLOW, 0.5, f"One slow package, checks of {SLOW} s, latency 0.5 s")
            print_batches(bench)
            print_enough(bench, few)
        args.output.write_text(picture(bench, path, tree), encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    recorder = commands.add_parser("record")
    recorder.add_argument("folder", type=Path)
    recorder.add_argument("files", type=lambda name: Path(name).absolute(), nargs="+")
    recorder.add_argument("--kind", default="crash")
    recorder.add_argument("--budget", type=int, default=300)
    recorder.set_defaults(run=record)
    simulator = commands.add_parser("simulate")
    simulator.add_argument("folder", type=Path)
    simulator.add_argument("-o", "--output", type=Path, required=True)
    simulator.add_argument("--page", action="store_true")
    simulator.set_defaults(run=simulate)
    words = sys.argv[1:]
    at = words.index("--") if "--" in words else len(words)
    args = parser.parse_args(words[:at])
    args.options = words[at + 1:]
    args.run(args)


if __name__ == "__main__":
    main()
