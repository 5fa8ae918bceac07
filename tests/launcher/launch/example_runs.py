"""example_runs: runs of an example's commands in tests, and their results."""

import json
import socket
import subprocess
import sys

# Rules of `tacit data clean` for a table with these columns, among others.
RULES_OF_INCOME_AND_KIND = """
[columns.income]
range = [0.0, 1000.0]
impute = "mean"
[columns.kind]
allowed = ["a", "b", "c"]
impute = "mode"
"""


# The end of a job: a graph network for numbers.
GCN_OF_TARGETS = """
[model]
gcn = { hidden = 6 }

[training]
epochs = 12
optimiser = { kind = "sgd", rate = 0.05 }

[reveal]
loss = "everyone"
model = "everyone"
predictions = "everyone"

[[reveal.metric]]
what = "rmse"
part = "test"

[checkpoints]
every = 6
"""


def run(*words, folder=None, code=0):
    """Returns the output of a command in a folder. The test ends if the command ended with another exit code."""
    ended = subprocess.run([str(word) for word in words], cwd=folder, capture_output=True, text=True, timeout=280)
    if ended.returncode != code:
        sys.exit(f"{words} ended with {ended.returncode}, not {code}\n{ended.stdout}{ended.stderr}")
    return ended.stdout + ended.stderr


def check(condition, *what):
    if not condition:
        sys.exit(f"not as expected: {what}")


_held = []  # sockets


def free_port():
    """A port that this process keeps from all others. A program that listens with SO_REUSEADDR, as tacit does, can have it."""
    one = socket.socket()
    one.bind(("127.0.0.1", 0))
    one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    _held.append(one)
    return one.getsockname()[1]


def events(path, kind="epoch"):
    """Returns the events of this kind in events.jsonl."""
    return [event for event in map(json.loads, path.read_text().splitlines()) if event["event"] == kind]


def last_event(path, kind):
    return events(path, kind)[-1]


def last_readings(path):
    """Returns the metrics of the last epoch, by name, from events.jsonl."""
    return {one["what"]: one["value"] for one in last_event(path, "epoch")["readings"]}


def rows_job(name, parties, hidden):
    """Returns the text of a job, before its table [training]: parties with whole records of two classes, and a dense network."""
    return f"""
name = "{name}"
parties = {parties}

[data]
features = "rows"
labels = "rows"
masks = "rows"
edges = "none"
classes = 2
files = "rank{{rank}}.npz"

[preprocessing]
features = "none"

[[model.layers]]
kind = "dense"
outputs = {hidden}

[[model.layers]]
kind = "relu"

[[model.layers]]
kind = "dense"
outputs = 2
"""
