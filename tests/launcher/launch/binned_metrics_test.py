#!/usr/bin/python3
"""binned_metrics_test.py TACIT: roc_auc and average_precision in bins, from the job to events.jsonl, against numpy.

numpy takes the revealed probabilities of the test nodes, puts their log-odds into bins, and adds the definition of
gnn/metric/binned_ranking.h up. A node near the edge of a bin may fall on either side, so the value lies between the least and the
largest of several shifts of all scores. With many positive nodes, average_precision is near the mean precision over random orders of
the nodes in each bin, which numpy draws. Exit code 77: there is no numpy."""

import csv
import pathlib
import sys
import tempfile

sys.dont_write_bytecode = True
from example_runs import check, last_event, rows_job, run

try:
    import numpy
except ImportError:
    sys.exit(77)

TACIT = sys.argv[1]
REST = """
[training]
epochs = 4
batch = 64
optimiser = {{ kind = "sgd", rate = 0.4 }}

[reveal]
loss = "everyone"
probabilities = 0
metric = [{metrics}]
"""


def places(scores, bins):
    """Returns the bin of each score: bins of equal width between -8 and 8, the outer ones open."""
    return numpy.searchsorted(8 * (2 * numpy.arange(1, bins) / bins - 1), scores, side="right")


def average_precision(scores, positive, bins, at_end=False):
    """`at_end`: the precision behind all nodes of a bin, which is another definition."""
    bin_of = places(scores, bins)
    total = above = positive_above = 0.0
    for one in sorted(set(bin_of), reverse=True):
        p, all_here = positive[bin_of == one].sum(), (bin_of == one).sum()
        middle = (positive_above + (p + 1) / 2) / (above + (all_here + 1) / 2)
        total += p * ((positive_above + p) / (above + all_here) if at_end else middle)
        positive_above, above = positive_above + p, above + all_here
    return total / positive.sum()


def roc_auc(scores, positive, bins):
    """Returns the part of all pairs of a positive and another node that are in order; a tie counts one half."""
    bin_of = places(scores, bins)
    mine, others = bin_of[positive][:, None], bin_of[~positive][None]
    return ((mine > others) + 0.5 * (mine == others)).mean()


def drawn_precision(scores, positive, bins, random):
    """Returns the mean precision at a positive node over 200 random orders of the nodes in each bin."""
    bin_of, means = places(scores, bins), []
    for _ in range(200):
        order = numpy.lexsort((random.random(len(scores)), -bin_of))
        hits = positive[order]
        means.append((numpy.cumsum(hits) / numpy.arange(1, len(hits) + 1))[hits].mean())
    return numpy.mean(means)


def data_of(random, nodes, classes, rare):
    """Returns a graph without edges. A third of the nodes have the features of another node: ties."""
    x = random.integers(-6, 7, (nodes, 3)) / 4
    x[nodes // 3 * 2:] = x[:nodes - nodes // 3 * 2]
    order = numpy.argsort(x @ [1.0, 0.5, -0.25] + random.normal(0, 1, nodes))
    y = numpy.zeros(nodes, dtype=int)
    y[order[-max(int(rare * nodes), 2):]] = 1
    if classes == 3:
        y[order[:nodes // 4]] = 2
    test = numpy.zeros(nodes, dtype=bool)
    test[random.permutation(nodes)[:nodes * 5 // 6]] = True
    return {"x": x, "y": y, "train_mask": ~test, "test_mask": test}


def main(seed, nodes, classes, rare, wanted):
    """`wanted`: pairs of a class and a number of bins."""
    random = numpy.random.default_rng(seed)
    whole = data_of(random, nodes, classes, rare)
    metrics = [(what, *one) for one in wanted for what in ("average_precision", "roc_auc")]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        listed = ", ".join(f'{{ what = "{what}", class = {of}, bins = {bins} }}' for what, of, bins in metrics)
        text = rows_job("ranked", 2, 3).replace("outputs = 2", f"outputs = {classes}")
        (folder / "job.toml").write_text(text.replace("classes = 2", f"classes = {classes}") + REST.format(metrics=listed))
        numpy.savez(folder / "whole.npz", **whole)
        run(TACIT, "data", "split", "whole.npz", "--job", "job.toml", "--out", ".", folder=folder)
        run(TACIT, "launch", "-n", 2, "job.toml", "--output", "out", "--plain", folder=folder)
        table = list(csv.DictReader((folder / "out/rank0/predictions.csv").read_text().splitlines()))
        found = [one["value"] for one in last_event(folder / "out/rank0/events.jsonl", "epoch")["readings"]]
        twin = [one["value"] for one in last_event(folder / "out/plain/events.jsonl", "epoch")["readings"]]
        told = folder / "out/rank0/predictions.csv"
        check(len(table) == nodes and len(found) == len(metrics), told, len(table), found)
    apart = 0.0
    for (what, of, bins), value, plain in zip(metrics, found, twin):
        p = numpy.clip([float(row[f"probability_{of}"]) for row in table], 1e-4, 1 - 1e-4)[whole["test_mask"]]
        positive = (whole["y"] == of)[whole["test_mask"]]
        scores = numpy.log(p / (1 - p))
        measure = average_precision if what == "average_precision" else roc_auc
        shifted = [measure(scores + shift, positive, bins) for shift in numpy.linspace(-0.02, 0.02, 9)]
        check(min(shifted) - 0.003 <= value <= max(shifted) + 0.003, what, of, bins, value, shifted)
        check(min(shifted) - 0.03 <= plain <= max(shifted) + 0.03, "the twin", what, of, bins, plain, shifted)
        if what != "average_precision":
            continue
        if positive.sum() >= 30:  # with few positive nodes in a bin, a mean of ratios is not the ratio of means
            drawn = drawn_precision(scores, positive, bins, random)
            check(abs(measure(scores, positive, bins) - drawn) < 0.04, bins, measure(scores, positive, bins), drawn)
        ends = [measure(scores + shift, positive, bins, at_end=True) for shift in (-0.02, 0, 0.02)]
        apart = max(apart, min(abs(value - end) for end in ends))
    print(nodes, classes, dict(zip(metrics, found)))
    return apart


# The test tells the middle of a bin from its end.
check(max(main(1, 60, 2, 0.1, [(1, 2), (1, 8), (0, 16)]),
          main(2, 5400, 2, 0.03, [(1, 8), (1, 64)]),
          main(3, 400, 3, 0.08, [(0, 4), (1, 8), (2, 32)])) > 0.02, "definitions are too near each other")
