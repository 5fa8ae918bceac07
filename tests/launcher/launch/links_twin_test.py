#!/usr/bin/python3
"""links_twin_test.py TACIT EXAMPLES: metrics of a job that learns links, where many nodes are in no labelled pair.

Three owners of edges train with `--plain`. numpy splits the links and draws pairs by the job's seed (gnn/data/links.h), and predicts
all of them with the revealed model. Its roc_auc, average_precision and accuracy of each part are those of the shares and of the twin
(plaintext reference), and links.csv of the ranks has the same pairs. A second job's files state the parts of the links. Exit code 77: there is no numpy."""

import csv
import pathlib
import sys
import tempfile

sys.dont_write_bytecode = True
from example_runs import check, last_readings, run

try:
    import numpy
except ImportError:
    sys.exit(77)

tacit, examples = sys.argv[1], pathlib.Path(sys.argv[2])
sys.path.insert(0, str(examples / "export"))
import load_numpy

NODES, SEED, VALIDATION, TEST = 240, 9, 0.2, 0.3
WORD, LOW = (1 << 64) - 1, (1 << 32) - 1
JOB = """
name = "apart"
parties = 3

[data]
features = "rows"
edges = "edges"
files = "rank{rank}.npz"

[data.links]
validation = 0.2
test = 0.3
drawn = 1
seed = 9

[preprocessing]
features = "none"

[model]
gcn = { hidden = 6 }

[training]
epochs = 40
optimiser = { kind = "adam", rate = 0.03 }

[reveal]
loss = "everyone"
model = 0
metric = [
  { what = "roc_auc", part = "test" }, { what = "average_precision", part = "test" }, { what = "accuracy", part = "test" },
  { what = "roc_auc", part = "validation" }, { what = "accuracy", part = "train" },
]
"""


def seed_words(values, count):
    """Returns the 32-bit words that C++'s std::seed_seq generates from these values."""
    words, s = [0x8b8b8b8b] * count, len(values)
    t = 11 if count >= 623 else 7 if count >= 68 else 5 if count >= 39 else 3 if count >= 7 else (count - 1) // 2
    p = (count - t) // 2
    q, m = p + t, max(s + 1, count)

    def mixed(x):
        return x ^ (x >> 27)

    for k in range(m):
        r = 1664525 * mixed(words[k % count] ^ words[(k + p) % count] ^ words[(k - 1) % count]) & LOW
        words[(k + p) % count] = (words[(k + p) % count] + r) & LOW
        r = (r + (s if k == 0 else k % count + values[k - 1] if k <= s else k % count)) & LOW
        words[(k + q) % count] = (words[(k + q) % count] + r) & LOW
        words[k % count] = r
    for k in range(m, m + count):
        r = 1566083941 * mixed((words[k % count] + words[(k + p) % count] + words[(k - 1) % count]) & LOW) & LOW
        words[(k + p) % count] ^= r
        r = (r - k % count) & LOW
        words[(k + q) % count] ^= r
        words[k % count] = r
    return words


def mersenne(values):
    """Yields the numbers of C++'s std::mt19937_64 after a seed_seq of these values."""
    words = seed_words(values, 624)
    state = [words[2 * i] | words[2 * i + 1] << 32 for i in range(312)]
    while True:
        for i in range(312):
            y = (state[i] & (WORD ^ 0x7fffffff)) | (state[(i + 1) % 312] & 0x7fffffff)
            state[i] = state[(i + 156) % 312] ^ (y >> 1) ^ (0xb5026f5aa96619e9 if y & 1 else 0)
        for z in state:
            z ^= (z >> 29) & 0x5555555555555555
            z ^= (z << 17) & 0x71d67fffeda60000
            z ^= (z << 37) & 0xfff7eee000000000
            yield z ^ (z >> 43)


def part_of(smaller, larger):
    """Returns the part of a link: a hash of the seed and of both nodes decides."""
    step = 0x9e3779b97f4a7c15

    def mixed(number):
        number = (number ^ (number >> 30)) * 0xbf58476d1ce4e5b9 & WORD
        number = (number ^ (number >> 27)) * 0x94d049bb133111eb & WORD
        return number ^ (number >> 31)

    hashed = mixed((SEED + step) & WORD)
    for node in (smaller, larger):
        hashed = mixed((hashed + step + node) & WORD)
    place = (hashed >> 11) * 2.0**-53
    return "validation" if place < VALIDATION else "test" if place < VALIDATION + TEST else "train"


def drawn_pairs(counts):
    """Returns the drawn pairs of each part. The graph is private, so a drawn pair may be a link."""
    numbers, known, pairs = mersenne([SEED, 0, 0x9a125]), set(), {}
    for part, count in counts.items():
        pairs[part] = []
        while len(pairs[part]) < count:
            one, other = next(numbers) % NODES, next(numbers) % NODES
            pair = (min(one, other), max(one, other))
            if one != other and pair not in known:
                known.add(pair)
                pairs[part].append(pair)
    return pairs


def measured(scores, positive):
    mine, others = scores[positive][:, None], scores[~positive][None]
    order = numpy.argsort(-scores, kind="stable")
    hits = positive[order]
    precision = (numpy.cumsum(hits) / numpy.arange(1, len(hits) + 1))[hits].mean()
    return {"roc_auc": ((mine > others) + 0.5 * (mine == others)).mean(), "average_precision": precision,
            "accuracy": ((scores > 0) == positive).mean()}


def told_links(folder):
    """Returns all links of the ranks' files, and the drawn pairs, which every rank's file has."""
    told = [list(csv.DictReader((folder / f"out/rank{rank}/links.csv").read_text().splitlines())) for rank in range(3)]
    pairs = [[(row["part"], int(row["from"]), int(row["to"]), row["link"] == "1") for row in one] for one in told]
    drawn = [[pair[:3] for pair in one if not pair[3]] for one in pairs]
    check(drawn[0] == drawn[1] == drawn[2], drawn)
    return sorted(pair[:3] for one in pairs for pair in one if pair[3]), drawn[0]


def main(by_files):
    """`by_files`: the files state the parts of the links."""
    random = numpy.random.default_rng(4)
    kind = random.integers(0, 2, NODES)
    joined = [node for node in range(NODES) if node % 3 == 1]  # the others have no edge
    links = {tuple(sorted(random.choice(joined, 2, replace=False))) for _ in range(500)}
    links = sorted((int(a), int(b)) for a, b in links if kind[a] == kind[b])[:90]
    ways = numpy.array(links + [(b, a) for a, b in links]).T
    x = numpy.stack([2.0 * kind - 1, 1 - 2.0 * kind], 1) + random.normal(0, 0.7, (NODES, 2))
    names = ("train", "validation", "test")
    stated = {link: names[random.integers(0, 3)] if by_files else part_of(*link) for link in links}
    parts = {part: [link for link in links if stated[link] == part] for part in names}
    drawn = drawn_pairs({part: len(some) for part, some in parts.items()})
    apart = set(range(NODES)) - {node for some in (*parts.values(), *drawn.values()) for pair in some for node in pair}
    check(len(apart) > NODES // 8, len(apart))
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        files = {"edge_part": [names.index(stated[tuple(sorted(map(int, way)))]) for way in ways.T]} if by_files else {}
        (folder / "job.toml").write_text(JOB.replace("validation = 0.2\ntest = 0.3", 'split = "files"') if by_files else JOB)
        numpy.savez(folder / "whole.npz", x=x, edge_index=ways, pairs=numpy.array([[0], [1]]), **files)
        run(tacit, "data", "split", "whole.npz", "--job", "job.toml", "--out", ".", folder=folder)
        run(tacit, "launch", "-n", 3, "job.toml", "--output", "out", "--plain", folder=folder)
        shares, twin = (last_readings(folder / "out" / of / "events.jsonl") for of in ("rank0", "plain"))
        told, told_drawn = told_links(folder)
        check(told == sorted((stated[link], *link) for link in links), told)
        check(told_drawn == [(part, *pair) for part in names for pair in drawn[part]], told_drawn)
        check(not (folder / "out/rank3/links.csv").exists(), "the dealer has no links")
        about, arrays = load_numpy.read(str(folder / "out/rank0/model.npz"))
    about["output"], about["targets"] = "targets", {}
    messages = numpy.array([way for way in ways.T if stated[tuple(sorted(map(int, way)))] == "train"]).T
    for reading, value in shares.items():
        part, what = reading.split(" ", 1)
        pairs = numpy.array(parts[part] + drawn[part]).T
        z = load_numpy.predict(about, arrays, x, messages, pairs=pairs)
        positive = numpy.arange(pairs.shape[1]) < len(parts[part])
        own = measured(z[:, 1] - z[:, 0], positive)[what]
        print("by files:" if by_files else "by seed:", reading, own, value, twin[reading])
        of_a_pair = 1.5 / pairs.shape[1] if what == "accuracy" else 0  # a score next to 0 may have either sign
        check(abs(value - own) < max(0.02, of_a_pair), reading, "of shares", value, own)
        check(abs(twin[reading] - own) < 0.04, reading, "of the twin", twin[reading], own)
    check(shares["test roc_auc"] > 0.7, shares)


main(False)
main(True)
