#!/usr/bin/python3
"""snapshots_test.py TACIT: jobs with `data.snapshots` through the commands of a user.

Hours of sensors are made, split, checked, planned, trained, resumed and predicted. The measured rounds and bytes equal the plan,
the losses equal the twin's, and numpy computes the revealed predictions from the revealed model, hour by hour. An
exported model predicts all hours at once, the report states the hours, and parts with other stations are aligned. A party with an
hour less, a service and an attack are refused with a sentence."""

import csv
import json
import os
import pathlib
import subprocess
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
LOAD_NUMPY = pathlib.Path(__file__).resolve().parents[3] / "examples/export/load_numpy.py"
STATIONS, HOURS, WINDOW = 40, 8, 3
SNAPSHOTS = HOURS - WINDOW + 1
JOB = """
name = "hours"
parties = {parties}
correlations = "dealer"

[data]
snapshots = {snapshots}
features = "columns"
edges = "{edges}"
labels = "rank 0"
masks = "public"
files = "rank{{rank}}.npz"

[preprocessing]
features = "standardise"
targets = "standardise"
""" + GCN_OF_TARGETS.replace("{", "{{").replace("}", "}}")


def run(*words, folder, code=0):
    return command(TACIT, *words, folder=folder, code=code)


def predicted_by_numpy(model, whole):
    """Returns the predictions for each hour and station: the model reads and gives numbers in their own units."""
    adjacency = numpy.eye(STATIONS)
    adjacency[whole["edge_index"][1], whole["edge_index"][0]] = 1
    roots = 1 / numpy.sqrt(adjacency.sum(1))
    adjacency *= roots[:, None] * roots
    made = []
    for x in whole["x"]:
        for layer in (0, 1):
            x = x @ model[f"convs.{layer}.lin.weight"].T - model.get(f"convs.{layer}.shift", 0)
            x = adjacency @ x + model[f"convs.{layer}.bias"]
            x = numpy.maximum(x, 0) if layer == 0 else x
        made.append(x[:, 0])
    return numpy.array(made)


def told_predictions(path):
    with open(path, newline="") as file:
        return {(int(row["snapshot"]), int(row["node"])): float(row["prediction"]) for row in csv.DictReader(file)}


def check_export(folder, output, told):
    for form in ("npz", "safetensors"):
        run("export", output, "--out", f"model.{form}", "--force", folder=folder)
        subprocess.run([sys.executable, LOAD_NUMPY, f"model.{form}", "whole.npz", "made.npz"], cwd=folder, check=True, timeout=100)
        made = numpy.load(folder / "made.npz")["predictions"]
        check(made.shape == (SNAPSHOTS, STATIONS), form, made.shape)
        check(max(abs(made[place] - value) for place, value in told.items()) < 0.05 * made.std(), form)
    run("export", output, "--out", "model.onnx", folder=folder)


def check_report(folder, output):
    run("report", output, "--output", "page.html", folder=folder)
    page = (folder / "page.html").read_text()
    check("states of the graph" in page, "the report states the snapshots")


def check_aligned(folder, parties):
    """Each party lacks a station and has its own order."""
    random, whole, everyone = numpy.random.default_rng(parties), dict(numpy.load(folder / "whole.npz")), set(range(STATIONS))
    for rank in range(parties):
        part = dict(numpy.load(folder / f"rank{rank}.npz"))
        kept = numpy.array([node for node in random.permutation(STATIONS) if node != 5 + rank])
        everyone &= set(kept)
        place = numpy.full(STATIONS, -1)
        place[kept] = numpy.arange(len(kept))
        for key, values in part.items():
            if key == "edge_index":
                part[key] = place[values][:, (place[values] >= 0).all(0)]
            elif values.shape[1:2] == (STATIONS,):
                part[key] = values[:, kept]
        part["num_nodes"] = len(kept)
        (folder / "own").mkdir(exist_ok=True)
        numpy.savez(folder / "own" / f"rank{rank}.npz", **part, ids=numpy.array([f"station {node}" for node in kept]))
    joined = JOB.format(parties=parties, edges="rank 1", snapshots=SNAPSHOTS).replace("[data]", '[data]\njoin = "intersection"')
    (folder / "joined.toml").write_text(joined.replace("rank{rank}.npz", "own/rank{rank}.npz"))
    run("data", "align", "joined.toml", "--all", "--force", folder=folder)
    begin = 0
    for rank in range(parties):
        part = dict(numpy.load(folder / f"own/rank{rank}.aligned.npz"))
        nodes = [int(str(one).rpartition(" ")[2]) for one in part["ids"]]
        check(set(nodes) == everyone, rank, nodes)
        columns = part["x"].shape[2]
        check((part["x"] == whole["x"][:, nodes, begin:begin + columns]).all(), rank, "x of the same stations, in each hour")
        check((part["test_mask"] == whole["test_mask"][:, nodes]).all(), rank, "test_mask")
        begin += columns
    run("launch", "joined.toml", "--output", f"joined-{parties}", folder=folder)
    check(len(told_predictions(folder / f"joined-{parties}/rank0/predictions.csv")) == SNAPSHOTS * len(everyone), "all that is joined")


def train(folder, parties, edges):
    (folder / "job.toml").write_text(JOB.format(parties=parties, edges=edges, snapshots=SNAPSHOTS))
    run("data", "split", "whole.npz", "--job", "job.toml", "--out", ".", "--force", folder=folder)
    for rank in range(parties):
        run("data", "check", "job.toml", "--rank", rank, folder=folder)
    output = f"run-{parties}-{edges.replace(' ', '')}"
    plan = json.loads(run("plan", "job.toml", "--json", folder=folder))
    check(plan["sizes"]["nodes"] == STATIONS and plan["sizes"]["snapshots"] == SNAPSHOTS, plan["sizes"])
    check(plan["exact"], "a plan by files is exact")
    run("launch", "job.toml", "--plain", "--output", output, folder=folder)
    shares, twin = events(folder / output / "rank0/events.jsonl"), events(folder / output / "plain/events.jsonl")
    for one, other in zip(shares, twin, strict=True):
        check(abs(one["loss"] - other["loss"]) < 0.01 * other["loss"], output, one["epoch"], one["loss"], other["loss"])
        check(one["measured"]["rounds"] == one["stated"]["rounds"], output, one["epoch"])
        sent = sum(peer["payload_sent"] for rank, peer in one["measured"]["peers"].items() if int(rank) < parties)
        check(sent == one["stated"]["bytes"], output, one["epoch"], sent, one["stated"]["bytes"])
    whole, model = dict(numpy.load(folder / "whole.npz")), dict(numpy.load(folder / output / "rank0/model.npz"))
    expected = predicted_by_numpy(model, whole)
    told = told_predictions(folder / output / "rank0/predictions.csv")
    check(len(told) == SNAPSHOTS * STATIONS, len(told))
    far = max(abs(value - expected[place]) for place, value in told.items())
    check(far < 0.05 * whole["y"].std(), output, "predictions by numpy are", far, "away")
    return output, plan, told


def main():
    with tempfile.TemporaryDirectory() as made:
        folder = pathlib.Path(made)
        said = run("data", "make", "sensors", "--stations", STATIONS, "--hours", HOURS, "--window", WINDOW, "--out", "whole.npz",
                   folder=folder)
        check(f"{STATIONS} nodes in {SNAPSHOTS} snapshots, 22 features" in said, said)
        whole = dict(numpy.load(folder / "whole.npz"))
        check(whole["x"].shape == (SNAPSHOTS, STATIONS, 22), whole["x"].shape)
        check((whole["x"][1:, :, :7] == whole["x"][:-1, :, 7:14]).all(), "the window moves by an hour")
        check((whole["y"][:-1, :, 0] == whole["x"][1:, :, 14]).all(), "the target is the next hour's reading")
        train(folder, 2, "public")
        output, plan, told = train(folder, 3, "rank 1")
        check_export(folder, output, told)
        check_report(folder, output)
        check_aligned(folder, 3)
        output, plan, told = train(folder, 2, "rank 1")
        check_aligned(folder, 2)

        # Stated sizes, for a user without data.
        trained = (SNAPSHOTS - 1) * STATIONS
        stated = json.loads(run("plan", "job.toml", "--json", "--nodes", STATIONS, "--features", 22, "--train", trained, "--test",
                                STATIONS, folder=folder))
        check(stated["sizes"]["nodes"] == STATIONS, stated["sizes"])

        # More epochs from the checkpoint, and predictions of some stations, and of the last hour alone as other data.
        run("launch", "job.toml", "--resume", "--output", output, "--set", "training.epochs=18", folder=folder)
        check(events(folder / output / "rank0/events.jsonl")[-1]["epoch"] == 18, "resumed")
        model = dict(numpy.load(folder / output / "rank0/model.npz"))
        expected = predicted_by_numpy(model, whole)
        (folder / "who").write_text("3\n7\n")
        more = ["--output", output, "--set", "training.epochs=18"]
        run("launch", "job.toml", "--predict", *more, "--set", "predict.nodes=who", folder=folder)
        some = told_predictions(folder / output / "rank0/predictions.csv")
        check(set(some) == {(t, node) for t in range(SNAPSHOTS) for node in (3, 7)}, some)
        check(max(abs(some[place] - expected[place]) for place in some) < 0.05 * whole["y"].std(), "predictions of some")
        numpy.savez(folder / "last.npz", x=whole["x"][-1], edge_index=whole["edge_index"])
        (folder / "other").mkdir()
        alone = ["--set", "data.snapshots=1", "--set", "predict.files=other/rank{rank}.npz"]
        run("data", "split", "last.npz", "--job", "job.toml", "--predict", *alone, folder=folder)
        run("launch", "job.toml", "--predict", *more, *alone, folder=folder)
        with open(folder / output / "rank0/predictions.csv", newline="") as file:
            last = [float(row["prediction"]) for row in csv.DictReader(file)]
        check(numpy.abs(numpy.array(last) - expected[-1]).max() < 0.05 * whole["y"].std(), "predictions of the last hour alone")

        # Refusals, each with a sentence.
        said = run("launch", "job.toml", "--serve", "--output", "served", folder=folder, code=2)
        check("a service answers for nodes" in said, said)
        for attack in ("membership", "inversion", "links"):
            said = run("attack", attack, "job.toml", folder=folder, code=2)
            check("attacks are on records that stand alone" in said, said)
        private = (folder / "job.toml").read_text() + '[privacy]\nunit = "record"\nnoise = 1.0\nclip = 1.0\n'
        (folder / "private.toml").write_text(private)
        said = run("plan", "private.toml", folder=folder, code=2)
        check("data.snapshots: a node has a row in each snapshot, and no noise for one row covers them all" in said, said)
        part = dict(numpy.load(folder / "rank1.npz"))
        part = {key: values[:-1] if key == "x" or "mask" in key else values for key, values in part.items()}
        numpy.savez(folder / "rank1.npz", **part | {"snapshots": SNAPSHOTS - 1})
        said = run("data", "check", "job.toml", "--rank", 1, folder=folder, code=2)
        check(f"the data have {SNAPSHOTS - 1} snapshots, and the job has {SNAPSHOTS} (data.snapshots)" in said, said)
        said = run("launch", "job.toml", "--output", "short", folder=folder, code=2)
        check("do not fit the job" in said, said)
        for words in (["--hours", 25], ["--hours", 4, "--window", 4], ["--hours", 4, "--own-air"]):
            said = run("data", "make", "sensors", *words, "--out", "no.npz", folder=folder, code=2)
            check("sensors: " in said, said)
        pool = '[[model.layers]]\nkind = "gcn"\noutputs = 4\n[[model.layers]]\nkind = "pool"\n[[model.layers]]\nkind = "dense"\noutputs = 1\n'
        text = JOB.format(parties=2, edges="public", snapshots=SNAPSHOTS)
        (folder / "pool.toml").write_text(text.replace("[model]\ngcn = { hidden = 6 }\n", pool))
        said = run("plan", "pool.toml", "--graph", "whole.npz", folder=folder, code=2)
        check("snapshots are of one graph; take snapshots out, or the pool" in said, said)


main()
