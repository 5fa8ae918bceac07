#!/usr/bin/python3
"""divergence_bench_test.py TACIT: `tacit bench divergence` with a rate that trains and a rate that diverges. numpy trains the same
network on the kept data, which gives the expected last losses and the epoch of the divergence."""

import json
import pathlib
import sys
import tempfile

sys.dont_write_bytecode = True
try:
    import numpy
except ImportError:
    sys.exit(77)
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "tools"))
from example_runs import check, run
from random_jobs import forward, initial

EPOCHS, HIDDEN, SEED = 12, 16, 1


def losses_of(graph, rate):
    """Returns the losses of a GCN before each step of SGD, in the targets' deviation. A loss that grows does not end the training."""
    x, y = graph["x"].astype(float), graph["y"].astype(float).reshape(len(graph["x"]), -1)
    train = graph["train_mask"].astype(bool)
    x = (x - x.mean(0)) / x.std(0)
    y = (y - y[train].mean(0)) / y[train].std(0)
    near = forward.adjacencies(graph, len(x))[0]
    (first, one), (second, other) = initial.dense([x.shape[1], HIDDEN, y.shape[1]], SEED)
    losses = []
    for _ in range(EPOCHS):
        hidden = near @ (x @ first) + one
        active = numpy.maximum(hidden, 0)
        error = (near @ (active @ second) + other - y) * train[:, None]
        count = train.sum() * y.shape[1]
        losses.append((error**2).sum() / count)
        back = 2 / count * error
        deeper = (near.T @ back @ second.T) * (hidden > 0)
        second, other = second - rate * active.T @ (near.T @ back), other - rate * back.sum(0)
        first, one = first - rate * x.T @ (near.T @ deeper), one - rate * deeper.sum(0)
    return losses


def close(one, other, part):
    return abs(one - other) <= part * abs(other)


tacit = sys.argv[1]
with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    run(tacit, "bench", "divergence", "--rates", "0.1,1", "--parties", "1,2", "--epochs", EPOCHS, "--keep", folder / "runs",
        "--output", folder / "measured")
    measured = json.loads((folder / "measured" / "divergence.json").read_text())
    table = {one["name"]: one["rows"] for one in measured["tables"]}
    graph = dict(numpy.load(folder / "runs" / "divergence-rate1-n1-1" / "rank0.npz"))

    steady, growing = losses_of(graph, 0.1), losses_of(graph, 1)
    check(max(steady) <= 100 * steady[0], steady)
    diverged = next(epoch for epoch, loss in enumerate(growing, 1) if not loss <= 100 * growing[0])

    small, large = [row["labels"] for row in table["map"]]
    check(small == {"rate": "0.1", "twin": "trains", "1 party": "trains", "2 parties": "trains"}, small)
    check(large["rate"] == "1" and large["twin"] == f"diverges, epoch {diverged}", large, diverged)
    for parties in ("1 party", "2 parties"):
        check(large[parties].startswith(("diverges, epoch", "leaves its range, epoch")), large)

    check(len(table["trainings"]) == 4, table["trainings"])
    for row in table["trainings"]:
        labels, figures = row["labels"], {what: one["median"] for what, one in row["figures"].items()}
        if labels["rate"] == "0.1":
            check(labels["beside the twin"] == "trains" and figures["last epoch on shares"] == EPOCHS, row)
            check(close(figures["last loss of the twin"], steady[-1], 1e-9), row, steady)
            check(close(figures["last loss on shares"], steady[-1], 0.01), row, steady)
            check(close(figures["difference"], 100 * abs(figures["last loss on shares"] / figures["last loss of the twin"] - 1),
                        1e-9), row)
        else:
            check(labels["beside the twin"] == "diverges like the twin" and labels["twin"] == "diverges", row)
            check(figures["last epoch of the twin"] == diverged, row, diverged)
            check(1 < figures["last epoch on shares"] <= diverged, row, diverged)
            check(close(figures["last loss of the twin"], growing[diverged - 2], 1e-6), row, growing)
            check("difference" not in figures, row)
    met = [aim["met"] for aim in measured["aims"]]
    check(met == [True, True], measured["aims"])
    check("0 of 4 trainings differ" == measured["aims"][0]["measured"], measured["aims"])
    check("the same rule judges the twin" in " ".join(measured["notes"]), measured["notes"])
    page = (folder / "measured" / "report.html").read_text()
    check("Which trainings diverge" in page and "couldn&#39;t resolve exploding loss values" in page
          or "couldn't resolve exploding loss values" in page, "the page has the map and the report's words")
    check((folder / "measured" / "divergence-map.csv").exists(), "the map as CSV")
