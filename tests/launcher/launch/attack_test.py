#!/usr/bin/python3
"""attack_test.py TACIT: models of whole trainings are attacked by the command: one that memorises, a private one, and one of a graph.

The first one discloses its members; the private one does not, and the bound of its epsilon is shown; wrong input is refused with a
sentence. Exit code 77: there is no numpy."""

import json
import pathlib
import sys
import tempfile

sys.dont_write_bytecode = True
from example_runs import check, rows_job, run

try:
    import numpy
except ImportError:
    sys.exit(77)

tacit = sys.argv[1]

JOB = rows_job("memory", 2, 40) + """
[training]
epochs = 150
batch = 50
optimiser = { kind = "adam", rate = 0.03 }

[reveal]
model = "everyone"
loss = "nobody"
"""

PRIVATE = """
[privacy]
epsilon = 1.0
delta = 1e-4
clip = 1.0
"""

GRAPH = """
name = "communities"
parties = 2

[data]
features = "columns"
edges = "public"
labels = "rank 0"
masks = "public"
classes = 3
files = "graph/rank{rank}.npz"

[model]
gcn = { hidden = 16 }

[training]
epochs = 40
optimiser = { kind = "adam", rate = 0.03 }

[reveal]
model = "everyone"
"""


def make_rows(path):
    """Labels that hardly depend on the features: a model that is right about them remembers."""
    random = numpy.random.default_rng(3)
    x = (random.random((600, 16)) < 0.5).astype(float)
    y = (random.random(600) < 0.4 + 0.2 * x[:, 0]).astype(numpy.int64)
    part = random.permutation(600)
    numpy.savez(path, x=x, y=y, train_mask=part < 200, val_mask=(part >= 200) & (part < 300), test_mask=part >= 300)


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        job, private, graph = folder / "job.toml", folder / "private.toml", folder / "graph.toml"
        job.write_text(JOB)
        private.write_text(JOB.replace("epochs = 150", "epochs = 20").replace('"adam", rate = 0.03', '"sgd", rate = 0.3') + PRIVATE)
        graph.write_text(GRAPH)
        make_rows(folder / "whole.npz")
        run(tacit, "data", "split", folder / "whole.npz", "--job", job, "--out", folder)
        run(tacit, "launch", "-n", 2, job, "--output", folder / "runs/job")
        run(tacit, "launch", "-n", 2, private, "--output", folder / "runs/private")

        found = json.loads(run(tacit, "attack", "membership", job, "--model", folder / "runs/job", "--shadows", 6, "--json"))
        check(found["members"] == 200 and found["others"] == 400, found)
        check(found["by_fit"]["auc"] > 0.7 and found["by_shadows"]["auc"] > 0.7, found)
        check(abs(found["untrained"]["auc"] - 0.5) < 5 * found["untrained"]["auc_error"], found)
        check(found["accuracy"]["members"] > found["accuracy"]["others"] + 0.2 and found["bound"] is None, found)
        same = json.loads(run(tacit, "attack", "membership", job, "--model", folder / "runs/job/rank1/model.npz", "--data",
                              folder / "whole.npz", "--shadows", 0, "--json"))
        check(abs(same["by_fit"]["auc"] - found["by_fit"]["auc"]) < 1e-9 and same["by_shadows"] is None, same)
        bits = json.loads(run(tacit, "attack", "inversion", job, "--model", folder / "runs/job", "--json"))["columns"]
        check(len(bits) == 16 and sum(one["gained"] for one in bits) / 16 > 0.05, bits)

        told = json.loads(run(tacit, "attack", "membership", private, "--model", folder / "runs/private", "--shadows", 6, "--json"))
        check(abs(told["by_fit"]["auc"] - 0.5) < 0.12 and told["by_fit"]["auc"] < told["bound"]["auc"] < 0.75, told)
        check(told["bound"]["epsilon"] <= 1, told)
        check("at most, with epsilon" in run(tacit, "attack", "membership", private, "--model", folder / "runs/private",
                                             "--shadows", 0), "the bound")

        run(tacit, "data", "make", "communities", "--nodes", 400, "--classes", 3, "--validation", 50, "--test", 100, "--out",
            folder / "communities.npz")
        run(tacit, "data", "split", folder / "communities.npz", "--job", graph, "--out", folder / "graph")
        run(tacit, "launch", "-n", 2, graph, "--output", folder / "runs/graph")
        links = json.loads(run(tacit, "attack", "links", graph, "--model", folder / "runs/graph", "--json"))
        check(links["by_model"]["auc"] > links["by_dense"]["auc"] + 0.1 and links["pairs"] > 300, links)

        for words, sentence in [(("membership", job, "--model", folder / "runs/graph"), "attack the model of this job"),
                                (("links", job, "--model", folder / "runs/job"), "graph with edges"),
                                (("inversion", graph, "--model", folder / "runs/graph"), "gathers over edges"),
                                (("membership", job, "--model", folder / "nothing"), "nothing"),
                                (("membership", folder / "none.toml"), "none.toml"),
                                (("membership", job, "--data", job), "job.toml")]:
            check(sentence in run(tacit, "attack", *words, code=2), words, sentence)


main()
