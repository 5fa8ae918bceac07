#!/usr/bin/env python3
"""forward_pass_test.py TACIT: recomputes in numpy the values that `tacit launch` reveals.

Every job reveals its model, its predictions and its metrics to rank 0. A forward pass in numpy over
model.npz and the raw data must give predictions.npz, node by node and target by target. The rmse
and mae of these predictions must equal the revealed metrics. Exit code 77: there is no numpy.
"""
import json
import os
import subprocess
import sys
import tempfile

try:
    import numpy as np
except ImportError:
    debian = "/usr/bin/python3"
    if os.path.exists(debian) and os.path.realpath(sys.executable) != os.path.realpath(debian):
        os.execv(debian, [debian] + sys.argv)
    print("forward_pass_test: numpy is not installed (python3-numpy)")
    sys.exit(77)

TACIT = os.path.abspath(sys.argv[1])
NODES, FEATURES = 40, 6


def graph(targets=0, units=(), classes=0):
    """A directed graph with features of different scales, and targets in different units."""
    random = np.random.default_rng(7)
    x = random.normal(size=(NODES, FEATURES)) * np.array([1, 10, 0.1, 3, 1, 50]) + np.arange(FEATURES)
    edges = random.integers(0, NODES, size=(2, 3 * NODES))
    hidden = np.tanh(random.normal(size=(NODES, max(targets, classes))) + ((x - x.mean(0)) / x.std(0))[:, :max(targets, classes)])
    arrays = {"x": x, "edge_index": edges}
    arrays["y"] = hidden.argmax(1) if classes else hidden * np.array(units) + 5 * np.array(units)
    kind = random.permutation(NODES)
    for name, part in (("train_mask", kind < 24), ("val_mask", (kind >= 24) & (kind < 30)), ("test_mask", kind >= 30)):
        arrays[name] = part
    return arrays


def adjacency(edges, symmetric):
    a = np.zeros((NODES, NODES))
    a[edges[1], edges[0]] = 1  # row r gathers over edges that lead to r
    np.fill_diagonal(a, 1 if symmetric else 0)
    degree = a.sum(1)
    if symmetric:
        return a / np.sqrt(np.outer(degree, degree))
    return a / np.maximum(degree, 1)[:, None]


def is_folded(model, part):
    return json.loads(bytes(model["tacit"]))[part]["scaling"] == "folded"


def forward(layers, model, data, cut=np.inf):
    z = data["x"]
    if not is_folded(model, "features"):
        z = np.clip((data["x"] - data["x"].mean(0)) / data["x"].std(0), -cut, cut)
    convs = lins = 0

    def product(weight, shift):
        return z @ model[weight].T - (model[shift] if shift in model else 0)

    for layer in layers:
        if layer["kind"] == "relu":
            z = np.maximum(z, 0)
        elif layer["kind"] == "gcn":
            made = product(f"convs.{convs}.lin.weight", f"convs.{convs}.shift")
            z = adjacency(data["edge_index"], True) @ made + model[f"convs.{convs}.bias"]
            convs += 1
        elif layer["kind"] == "sage":
            own = product(f"convs.{convs}.lin_r.weight", f"convs.{convs}.shift")
            around = product(f"convs.{convs}.lin_l.weight", f"convs.{convs}.neighbour_shift")
            around = adjacency(data["edge_index"], False) @ around
            z = own + around + model[f"convs.{convs}.lin_l.bias"]
            convs += 1
        elif layer["kind"] == "dense":
            before = z
            z = product(f"lins.{lins}.weight", f"lins.{lins}.shift") + model[f"lins.{lins}.bias"]
            z = z + before if layer.get("residual") else z
            lins += 1
    return z


def toml(value):
    if isinstance(value, bool):
        return str(value).lower()
    return f'"{value}"' if isinstance(value, str) else repr(value)


def launched(folder, parties, owners, layers, data, classes, settings):
    """Writes job and parts, launches the job, and returns rank 0's model, predictions and
    readings."""
    job = os.path.join(folder, "job.toml")
    metrics = [{"what": "accuracy"}] if classes else [{"what": "rmse"}, {"what": "mae"}]
    with open(job, "w") as out:
        print(f'name = "forward"\nparties = {parties}\ncorrelations = "dealer"\n[data]', file=out)
        for key, owner in owners.items():
            print(f'{key} = "{owner}"', file=out)
        print(f'masks = "public"\nclasses = {classes}\nfiles = "rank{{rank}}.npz"', file=out)
        print('[preprocessing]\nfeatures = "standardise"', file=out)
        for layer in layers:
            print("[[model.layers]]", file=out)
            for key, value in layer.items():
                print(f"{key} = {toml(value)}", file=out)
        print('[training]\nepochs = 5\noptimiser = { kind = "sgd", rate = 0.1 }', file=out)
        print('[reveal]\nmodel = 0\npredictions = 0', file=out)
        for metric in metrics:
            print(f'[[reveal.metric]]\nwhat = "{metric["what"]}"\npart = "test"', file=out)
    np.savez(os.path.join(folder, "whole.npz"), **data)
    run([TACIT, "data", "split", "whole.npz", "--job", "job.toml", "--out", "."], folder)
    more = [word for setting in settings for word in ("--set", setting)]
    run([TACIT, "launch", "-n", str(parties), "job.toml", "--output", "out"] + more, folder)
    rank0 = os.path.join(folder, "out", "rank0")
    with open(os.path.join(rank0, "summary.json")) as text:
        summary = json.load(text)
    return (np.load(os.path.join(rank0, "model.npz")), np.load(os.path.join(rank0, "predictions.npz"))["predictions"],
            {reading["what"]: reading["value"] for reading in summary["readings"]})


def run(words, folder):
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=280)
    if done.returncode != 0:
        sys.exit(f"{' '.join(words)} ended with {done.returncode}\n{done.stdout}\n{done.stderr}")


def expect(name, what, holds):
    if not holds:
        sys.exit(f"forward_pass_test: {name}: {what}")


def check_regression(name, parties, owners, layers, units, cut=None):
    data = graph(targets=len(units), units=units)
    settings = []
    if cut is not None:
        data["x"][3, 0] += 300  # heavy tails: 6 deviations of these 40 nodes, above and below
        data["x"][8, 5] -= 5000
        beyond = np.abs((data["x"] - data["x"].mean(0)) / data["x"].std(0)) > cut
        expect(name, "no feature is cut", beyond.sum() > 1)
        settings = [f"preprocessing.cut={cut}"]
    with tempfile.TemporaryDirectory() as folder:
        model, predictions, readings = launched(folder, parties, owners, layers, data, 0, settings)
    told = data["y"] if owners["labels"] == "rows" else data["y"][data["train_mask"]]
    unit = told.std(0)
    expected = forward(layers, model, data, np.inf if cut is None else cut)
    expect(name, "the scaling is folded unless features are cut", is_folded(model, "features") == (cut is None))
    if not is_folded(model, "targets"):
        expected = expected * unit + told.mean(0)
    shape = expected.shape if len(units) > 1 else (NODES,)  # a single target is stored as a list
    expect(name, f"predictions have the shape {predictions.shape}", predictions.shape == shape)
    predictions = predictions.reshape(expected.shape)
    off = np.abs((predictions - expected) / unit).max()
    expect(name, f"predictions are off by {off:.4f} deviations", off < 0.02)
    error = (predictions - data["y"])[data["test_mask"]]
    for what, value in (("test rmse", np.sqrt((error**2).mean())), ("test mae", np.abs(error).mean())):
        off = abs(readings[what] / value - 1)
        expect(name, f"{what} {readings[what]:.6g} instead of {value:.6g}", off < 0.005)


def check_classes(name, parties, owners, layers, classes):
    data = graph(classes=classes)
    with tempfile.TemporaryDirectory() as folder:
        model, predictions, readings = launched(folder, parties, owners, layers, data, classes, [])
    z = forward(layers, model, data)
    best = np.sort(z, axis=1)
    clear = best[:, -1] - best[:, -2] > 0.02  # the others are too near to each other for fixed point
    expect(name, f"predictions have the shape {predictions.shape}", predictions.shape == (NODES,))
    expect(name, "classes differ", (predictions == z.argmax(1))[clear].all() and clear.sum() > NODES / 2)
    accuracy = (predictions == data["y"])[data["test_mask"]].mean()
    expect(name, f"accuracy {readings['test accuracy']} instead of {accuracy}", abs(readings["test accuracy"] - accuracy) < 1e-6)


GCN = {"kind": "gcn", "outputs": 5}
RELU = {"kind": "relu"}
WHOLE = {"features": "columns", "edges": "rank 0"}
check_regression("two parties, a private graph, gcn, three targets", 2, {**WHOLE, "labels": "rank 1"},
                 [GCN, RELU, {"kind": "gcn", "outputs": 3}], [1, 30, 4])
check_regression("three parties, rows, sage and dense, two targets", 3,
                 {"features": "rows", "edges": "public", "labels": "rows"},
                 [{"kind": "sage", "outputs": 5}, RELU, {"kind": "dense", "outputs": 5, "residual": True},
                  {"kind": "sage", "outputs": 2}], [2, 20])
for parties, owners, units in ((2, {**WHOLE, "labels": "rank 1"}, [1e-9]), (3, {**WHOLE, "labels": "rank 2"}, [1e9, 3e8]),
                               (2, {**WHOLE, "labels": "rows"}, [0.02, 0.005]), (5, {**WHOLE, "labels": "rows"}, [1e-7]),
                               (3, {**WHOLE, "labels": "rows"}, [1e8])):
    check_regression(f"{parties} parties, targets {owners['labels']} in units of {units}", parties, owners,
                     [{"kind": "gcn", "outputs": len(units)}], units)
for parties, features in ((2, "columns"), (3, "columns"), (2, "rows"), (3, "rows")):
    check_regression(f"{parties} parties, heavy-tailed features by {features}, cut at 1.5 deviations", parties,
                     {"features": features, "edges": "public", "labels": "rank 0"},
                     [GCN, RELU, {"kind": "gcn", "outputs": 1}], [1], cut=1.5)
check_classes("two parties, sage, gcn and dense, three classes", 2, {**WHOLE, "labels": "rank 0"},
              [{"kind": "sage", "outputs": 5}, RELU, GCN, {"kind": "dense", "outputs": 3}], 3)
