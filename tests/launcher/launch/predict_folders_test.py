#!/usr/bin/env python3
"""predict_folders_test.py TACIT: owners of rows predict for other data in folders of CSV files.

The predictions equal the predictions for the same data in .npz files. Without the number of nodes of each rank, or with a wrong one,
all ranks end with exit code 2 and a sentence."""
import csv
import os
import pathlib
import random
import subprocess
import sys
import tempfile

TACIT = os.path.abspath(sys.argv[1])
JOB = """
name = "folders"
parties = 2
correlations = "dealer"

[data]
features = "rows"
edges = "edges"
labels = "rows"
masks = "rows"
files = "rank{rank}.npz"

[preprocessing]
features = "standardise"
targets = "standardise"

[model]
gcn = { hidden = 4 }

[training]
epochs = 20
optimiser = { kind = "sgd", rate = 0.1 }

[checkpoints]
every = 20
"""


def run(*words, folder, code=0):
    ended = subprocess.run([TACIT, *map(str, words)], cwd=folder, capture_output=True, text=True, timeout=200)
    if ended.returncode != code:
        sys.exit(f"{words} ended with {ended.returncode}, not {code}\n{ended.stdout}{ended.stderr}")
    return ended.stdout + ended.stderr


def check(condition, what):
    if not condition:
        sys.exit(f"not as expected: {what}")


def write(path, head, rows):
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path, "w", newline="") as file:
        csv.writer(file).writerows([head, *rows])


def make_ring(count, seed):
    """Returns the features of nodes, and the edges to both neighbours in a ring."""
    draw = random.Random(seed)
    features = [[draw.gauss(0, 1) for _ in range(3)] for _ in range(count)]
    edges = [(node, (node + step) % count) for node in range(count) for step in (-1, 1)]
    return features, edges


def write_training(folder):
    features, edges = make_ring(60, 1)
    rows = []
    for node, x in enumerate(features):
        fold = node % 5
        rows.append([f"n{node}", *x, x[0] - 2 * x[1], int(fold > 1), int(fold == 1), int(fold == 0)])
    write(folder / "whole/nodes.csv", ["id", "a", "b", "c", "y", "train_mask", "val_mask", "test_mask"], rows)
    write(folder / "whole/edges.csv", ["from", "to"], [(f"n{a}", f"n{b}") for a, b in edges])


def write_other(folder, sizes):
    """Writes other nodes as one folder, and as a folder for each owner. Edges end at ids of the own nodes, and at row
    numbers of the other owner's."""
    count = sum(sizes)
    features, edges = make_ring(count, 2)
    head = ["id", "a", "b", "c"]
    nodes = [[f"new {node}", *x] for node, x in enumerate(features)]
    write(folder / "other/nodes.csv", head, nodes)
    write(folder / "other/edges.csv", ["from", "to"], [(nodes[a][0], nodes[b][0]) for a, b in edges])
    first = [0, sizes[0], count]
    owner = lambda node: int(node >= sizes[0])
    for rank in (0, 1):
        write(folder / f"other{rank}/nodes.csv", head, nodes[first[rank]:first[rank + 1]])
        ends = []
        for a, b in edges:
            if owner(a) == rank:
                ends.append((nodes[a][0], *((nodes[b][0], "") if owner(b) == rank else (b - first[owner(b)], owner(b)))))
        if ends:
            write(folder / f"other{rank}/edges.csv", ["from", "to", "to_rank"], ends)


def predicted(folder):
    with open(folder / "run/rank0/predictions.csv") as table:
        return [float(row["prediction"]) for row in csv.DictReader(table)]


def check_sizes(folder, sizes):
    write_other(folder, sizes)
    rows = f"predict.rows=[{sizes[0]},{sizes[1]}]"
    said = run("data", "split", "other", "--job", "job.toml", "--predict", "--out", "npz", "--force", "--set", rows,
               folder=folder)
    predict = ["launch", "--predict", "job.toml", "--output", "run", "--set", "reveal.predictions=0"]
    run(*predict, "--data", "npz/rank{rank}.npz", folder=folder)
    expected = predicted(folder)
    said = run(*predict, "--data", "other{rank}", "--set", rows, folder=folder)
    found = predicted(folder)
    check(len(found) == sum(sizes) and f"predicts {sum(sizes)} nodes" in said, said)
    far = max(abs(a - b) for a, b in zip(found, expected))
    check(far <= 0.02 and max(found) - min(found) > 1, (sizes, far, found, expected))
    for path in (folder / "other1").iterdir():
        path.unlink()


def main(folder):
    (folder / "job.toml").write_text(JOB)
    write_training(folder)
    run("data", "split", "whole", "--job", "job.toml", "--out", ".", folder=folder)
    run("launch", "job.toml", "--output", "run", folder=folder)
    check_sizes(folder, [18, 12])
    check_sizes(folder, [7, 0])

    write_other(folder, [9, 6])
    predict = ["launch", "--predict", "job.toml", "--output", "run", "--set", "reveal.predictions=0", "--data", "other{rank}"]
    of_training = ["--set", "data.features=rows 30,30"]
    for settings, sentence in [
        ([], "say in the job how many each rank has, as predict.rows = [100, 200], or store the part as .npz"),
        (["--set", "predict.rows=[9,7]"], "it has 6 nodes, but in predict.rows rank 1 owns 7; mend the file, or change "
                                          "predict.rows"),
        (of_training, "it has 9 nodes, but in the training rank 0 owns 30; mend the file, or state predict.rows"),
        (["--set", "predict.rows=[9,6,1]"], "predict.rows: 3 numbers for 2 parties; give one for each"),
        (["--set", "predict.rows=[0,0]"], "predict.rows: no rank has a node to predict"),
        (["--set", "predict.rows=[-1,6]"], "predict.rows: expected a list of whole numbers, one for each rank, not"),
        (["--set", "predict.rows=[9,6]", "--set", "data.features=rank 0", "--set", "data.edges=public"],
         "predict.rows: the job splits neither features nor edges by nodes; take it out")]:
        said = run(*predict, *settings, folder=folder, code=2)
        check(sentence in said, (settings, said))


with tempfile.TemporaryDirectory(prefix="folders-") as place:
    main(pathlib.Path(place))
