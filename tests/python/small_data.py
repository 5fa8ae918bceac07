"""Small graphs and jobs for the tests of trainings, and the command that does the same."""

import json
import os
import socket
import subprocess

import numpy
import pytest
import tacit

NODES = 40


def ring(nodes=NODES):
    here = numpy.arange(nodes)
    return numpy.stack([numpy.r_[here, here], numpy.r_[(here + 1) % nodes, (here - 1) % nodes]])


def arrays(classes=False, seed=1, nodes=NODES):
    """A ring with labels that follow from a node and its neighbours."""
    random = numpy.random.default_rng(seed)
    x = random.normal(size=(nodes, 5))
    own = x[:, 0] - x[:, 3]
    signal = own + numpy.roll(own, 1) + numpy.roll(own, -1)
    fold = numpy.arange(nodes) % 5
    return {"x": x, "edge_index": ring(nodes), "y": (signal > 0).astype(numpy.int64) if classes else 20 + signal,
            "train_mask": fold > 1, "val_mask": fold == 1, "test_mask": fold == 0}


def job(parties=2, rows=False, classes=False, epochs=6, **tables):
    """By columns: every rank has columns, rank 0 the edges, the last rank the labels. By rows: every rank has nodes."""
    data = {"features": "rows", "edges": "edges", "labels": "rows", "masks": "public"} if rows else {
        "features": "columns", "edges": "rank 0", "labels": f"rank {parties - 1}", "masks": "public"}
    if classes:
        data["classes"] = 2
    made = tacit.Job(name="small", parties=parties, correlations="dealer", data=data, model={"gcn": {"hidden": 4}},
                     preprocessing={"features": "standardise", "targets": "none" if classes else "standardise"},
                     training={"epochs": epochs, "optimiser": {"kind": "sgd", "rate": 0.1}},
                     reveal={"model": "everyone", "predictions": "everyone",
                             "metric": [{"what": "accuracy" if classes else "rmse"}]},
                     checkpoints={"every": 2})
    return made.replace(**tables) if tables else made


def command(*arguments, code=0):
    """The command's answer in JSON."""
    done = subprocess.run([os.environ["TACIT"], *map(str, arguments), "--json"], capture_output=True, text=True)
    assert done.returncode == code, done.stderr
    return json.loads(done.stdout)


def losses(folder, rank=0):
    """The loss of each epoch in a rank's file."""
    lines = (folder / f"rank{rank}" / "events.jsonl").read_text().splitlines()
    return [event["loss"] for event in map(json.loads, lines) if event["event"] == "epoch"]


def keys(folder, parties):
    """Makes rank0.key, ... and roster in a folder, for the parties and the dealer."""
    shown = []
    for rank in range(parties + 1):
        command("keys", "new", folder / f"rank{rank}.key")
        told = subprocess.run([os.environ["TACIT"], "keys", "show", folder / f"rank{rank}.key"], check=True,
                              capture_output=True, text=True).stdout
        shown += ["--party" if rank < parties else "--dealer", told.splitlines()[0]]
    roster = subprocess.run([os.environ["TACIT"], "keys", "roster", *shown], check=True, capture_output=True, text=True).stdout
    (folder / "roster").write_text(roster)


_held = []  # sockets


def free_port():
    """A port that this process keeps from all others. A program that listens with SO_REUSEADDR, as tacit does, can have it."""
    one = socket.socket()
    one.bind(("127.0.0.1", 0))
    one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    _held.append(one)
    return one.getsockname()[1]


def near(values):
    """Two trainings with one seed differ by the rounding on shares alone, which is drawn anew."""
    return pytest.approx(values, abs=3e-3, rel=5e-3)


def children():
    """The processes of the command that this process, or a process that it started, has left."""
    own, found = os.getpgid(0), []
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/stat") as file:
                parent = int(file.read().rpartition(")")[2].split()[1])
            with open(f"/proc/{name}/cmdline") as file:
                line = file.read().split("\0")
        except (OSError, ValueError):
            continue
        if parent == os.getpid() and any(os.path.basename(word) == "tacit" for word in line[:5]):
            found.append(line)
    return found
