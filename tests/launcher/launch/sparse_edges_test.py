#!/usr/bin/python3
"""sparse_edges_test.py TACIT: several ranks keep their edges as sparse matrices of their own, through the commands of a user.

Files are split, checked, planned, trained, resumed and predicted, with two and three parties, with weights and without. The measured
rounds and bytes equal the plan, the losses equal the twin's and those of the dense form, and numpy computes the revealed predictions from
the revealed model. Edges that several ranks may hold are refused without weights."""

import csv
import json
import os
import pathlib
import sys
import tempfile

sys.dont_write_bytecode = True
from example_runs import GCN_OF_TARGETS, check, events
from example_runs import run as command

try:
    import numpy
except ImportError:
    sys.exit(77)

TACIT = os.path.abspath(sys.argv[1])
NODES, FEATURES = 90, 6
JOB = """
name = "firms"
parties = {parties}
correlations = "dealer"

[data]
features = "rows"
edges = "{edges}"
edge_weights = {weights}
adjacency = "{adjacency}"
labels = "rows"
masks = "public"
files = "rank{{rank}}.npz"
""" + GCN_OF_TARGETS.replace("{", "{{").replace("}", "}}")


def run(*words, folder, code=0):
    return command(TACIT, *words, folder=folder, code=code)


def graph(weighted):
    """A hub, a few nodes without an edge, and random edges."""
    random = numpy.random.default_rng(3)
    ends = {(0, node) for node in range(1, NODES - 5)} | {(node, 0) for node in range(1, NODES // 2)}
    ends |= {(a, b) for a, b in random.integers(0, NODES - 5, (250, 2)) if a != b}
    edge_index = numpy.array(sorted(ends)).T
    x = random.normal(size=(NODES, FEATURES))
    made = {"x": x, "edge_index": edge_index}
    if weighted:
        made["edge_weight"] = random.integers(1, 200, edge_index.shape[1]) / 64
    y = normalised(made) @ x[:, :1] + 0.1 * random.normal(size=(NODES, 1))
    part = random.permutation(NODES)
    masks = {name: numpy.isin(numpy.arange(NODES), rows) for name, rows in
             (("train_mask", part[:50]), ("val_mask", part[50:60]), ("test_mask", part[60:]))}
    return made | {"y": y} | masks


def normalised(data):
    adjacency = numpy.eye(NODES)
    adjacency[data["edge_index"][1], data["edge_index"][0]] = data.get("edge_weight", 1)
    roots = 1 / numpy.sqrt(adjacency.sum(1))
    return adjacency * roots[:, None] * roots


def predicted_by_numpy(model, data):
    x, adjacency = data["x"], normalised(data)
    for layer in (0, 1):
        x = x @ model[f"convs.{layer}.lin.weight"].T - model.get(f"convs.{layer}.shift", 0)
        x = adjacency @ x + model[f"convs.{layer}.bias"]
        x = numpy.maximum(x, 0) if layer == 0 else x
    return x[:, 0]


def told_predictions(path):
    with open(path, newline="") as file:
        return {int(row["node"]): float(row["prediction"]) for row in csv.DictReader(file)}


def expect_predictions(folder, output, data):
    model, told = dict(numpy.load(folder / output / "rank0/model.npz")), told_predictions(folder / output / "rank0/predictions.csv")
    expected = predicted_by_numpy(model, data)
    far = max(abs(value - expected[node]) for node, value in told.items())
    check(far < 0.05 * data["y"].std(), output, "predictions by numpy are", far, "away")
    return told


def train(folder, parties, edges, weights):
    data = graph(weights)
    numpy.savez(folder / "whole.npz", **data)
    text = {form: JOB.format(parties=parties, edges=edges, weights=str(weights).lower(), adjacency=form) for form in ("sparse", "dense")}
    (folder / "job.toml").write_text(text["sparse"])
    (folder / "dense.toml").write_text(text["dense"])
    run("data", "split", "whole.npz", "--job", "job.toml", "--out", ".", "--force", folder=folder)
    for rank in range(parties):
        run("data", "check", "job.toml", "--rank", rank, folder=folder)
    output = f"run-{parties}-{edges}"
    plan = json.loads(run("plan", "job.toml", "--json", folder=folder))
    check(plan["exact"], "a plan by files is exact")
    run("launch", "job.toml", "--plain", "--output", output, folder=folder)
    run("launch", "dense.toml", "--output", output + "-dense", folder=folder)
    rows = zip(*(events(folder / output / of / "events.jsonl") for of in ("rank0", "plain")),
               events(folder / (output + "-dense") / "rank0/events.jsonl"), strict=True)
    for epoch, (one, twin, dense) in enumerate(rows):
        for other in (twin, dense):
            check(abs(one["loss"] - other["loss"]) < 0.01 * other["loss"], output, one["epoch"], one["loss"], other["loss"])
        for rank in range(parties):
            own = events(folder / output / f"rank{rank}/events.jsonl")[epoch]
            sent = sum(peer["payload_sent"] for peer_rank, peer in own["measured"]["peers"].items() if int(peer_rank) < parties)
            check(sent == plan["ranks"][rank]["bytes_of_epochs"][epoch], output, one["epoch"], rank, sent)
            check(own["measured"]["rounds"] == plan["ranks"][rank]["rounds_of_epochs"][epoch], output, one["epoch"], rank)
    check(len(expect_predictions(folder, output, data)) == NODES, output)
    return output, data


def main():
    with tempfile.TemporaryDirectory() as made:
        folder = pathlib.Path(made)
        train(folder, 3, "any", True)
        train(folder, 2, "edges", True)
        output, data = train(folder, 3, "edges", False)

        # More epochs from the checkpoint; then predictions of some nodes, and of other data.
        more = ["--output", output, "--set", "training.epochs=18"]
        run("launch", "job.toml", "--resume", *more, folder=folder)
        check(events(folder / output / "rank0/events.jsonl")[-1]["epoch"] == 18, "resumed")
        (folder / "who").write_text("0\n7\n")
        run("launch", "job.toml", "--predict", *more, "--set", "predict.nodes=who", folder=folder)
        check(set(expect_predictions(folder, output, data)) == {0, 7}, "predictions of some nodes")
        keep = numpy.random.default_rng(1).random(data["edge_index"].shape[1]) < 0.5
        other = data | {"edge_index": data["edge_index"][:, keep], "x": data["x"][::-1]}
        numpy.savez(folder / "other.npz", x=other["x"], edge_index=other["edge_index"])
        (folder / "other").mkdir()
        files = ["--set", "predict.files=other/rank{rank}.npz"]
        run("data", "split", "other.npz", "--job", "job.toml", "--predict", *files, folder=folder)
        run("launch", "job.toml", "--predict", *more, *files, folder=folder)
        check(len(expect_predictions(folder, output, other)) == NODES, "predictions of other data")

        # The edges are in no matrix on shares, and a job without weights whose edges two ranks may hold is refused.
        said = run("plan", "job.toml", "--set", "data.edges=any", folder=folder, code=2)
        check("data.adjacency: an edge that several ranks hold counts once" in said, said)
        said = run("plan", "job.toml", "--set", "data.edges=public", folder=folder, code=2)
        check("data.adjacency" in said, said)


main()
