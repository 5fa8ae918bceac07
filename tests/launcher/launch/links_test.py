#!/usr/bin/python3
"""links_test.py TACIT EXAMPLES: the example that learns links, for 2 parties, and for 3 or 5, with private and with public edges.

The metrics equal the twin's, the loader of the revealed model gives the same probabilities, and `tacit predict` answers
for pairs: in other data, and in a list of pairs. Exit code 77: there is no numpy."""

import csv
import json
import pathlib
import sys
import tempfile

sys.dont_write_bytecode = True
from example_runs import check, last_readings, run

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))
from by_day import of_today

try:
    import numpy
except ImportError:
    sys.exit(77)

tacit, examples = sys.argv[1], pathlib.Path(sys.argv[2])


def predicted(folder):
    """Returns the probability of a link of each pair, by its number."""
    table = list(csv.DictReader((folder / "predictions.csv").read_text().splitlines()))
    return {int(row["pair"]): (int(row["from"]), int(row["to"]), float(row["probability_1"])) for row in table}


def probabilities(folder, model, data):
    """Returns the probabilities of the example's loader for numpy."""
    code = ("import sys, numpy; sys.path.insert(0, sys.argv[1]); import load_numpy as l; about, arrays = l.read(sys.argv[2]); "
            "g = numpy.load(sys.argv[3]); about['output'] = 'targets'; about['targets'] = {}; "
            "z = l.predict(about, arrays, g['x'], g['edge_index'], pairs=g['pairs']); "
            "numpy.save(sys.argv[4], 1 / (1 + numpy.exp(z[:, 0] - z[:, 1])))")
    run("/usr/bin/python3", "-c", code, examples / "export", model, data, folder / "own.npy")
    return numpy.load(folder / "own.npy")


def main(parties, edges):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        job, output = folder / "job.toml", folder / "run"
        text = (examples / "links/trade.toml").read_text()
        job.write_text(text.replace("parties = 3", f"parties = {parties}").replace('edges = "edges"', f'edges = "{edges}"')
                       .replace("[reveal]", '[reveal]\nmodel = 0\npredictions = 0'))
        run("/usr/bin/python3", examples / "links/make_trade.py", folder / "whole.npz")
        said = run(tacit, "data", "split", folder / "whole.npz", "--job", job, "--out", folder)
        check("6 pairs to predict" in said, said)
        said = run(tacit, "data", "check", job, "--rank", 1)
        check("links to train on" in said, said)
        run(tacit, "launch", "-n", parties, job, "--output", output, "--plain", "--set", "checkpoints.every=80")
        whole = dict(numpy.load(folder / "whole.npz"))
        shares, twin = (last_readings(output / of / "events.jsonl") for of in ("rank0", "plain"))
        check(set(twin) == {"test roc_auc", "test average_precision"}, twin)
        for what, value in twin.items():
            check(abs(shares[what] - value) <= 0.02, parties, what, shares, twin)
        check(twin["test roc_auc"] > 0.75, twin)
        found = predicted(output / "rank0")
        check(list(found) == list(range(6)), found)
        check([one[:2] for one in found.values()] == [tuple(pair) for pair in whole["pairs"].T], found)
        likely, unlikely = ([found[i][2] for i in some] for some in (range(3), range(3, 6)))
        check(numpy.mean(likely) > numpy.mean(unlikely) + 0.2, likely, unlikely)
        check(not (output / "rank1" / "predictions.csv").exists(), "rank 1 learns nothing")
        arrays = numpy.load(output / "rank0/predictions.npz")
        check((arrays["from"] == whole["pairs"][0]).all() and (arrays["pairs"] == numpy.arange(6)).all(), dict(arrays))

        plan = json.loads(run(tacit, "plan", job, "--json"))
        check(plan["sizes"]["pairs"] == 6 and plan["exact"], plan["sizes"])
        summary = json.loads((output / "rank0/summary.json").read_text())
        check(plan["ranks"][0]["total"]["bytes"] == summary["stated"]["bytes"], plan["ranks"][0], summary["stated"])
        sizes = ["--nodes", 180, "--features", 8, "--train", 700, "--test", 200, "--pairs", 6]
        check(json.loads(run(tacit, "plan", job, *sizes, "--json"))["sizes"]["train"] == 1400, "700 links and drawn pairs")
        check("the sizes lack --pairs" in run(tacit, "plan", job, *sizes[:-2], code=2), "plan without --pairs")

        # On the training's own data, predictions equal the revealed ones.
        run(tacit, "launch", "--predict", "-n", parties, job, "--output", output)
        check(predicted(output / "rank0") == found, found)
        # A list is predicted anew: over the edges of training links alone, as in the training.
        (folder / "who.txt").write_text("2\n4\n")
        run(tacit, "launch", "--predict", "-n", parties, job, "--output", output, "--who", folder / "who.txt")
        anew = predicted(output / "rank0")
        check(sorted(anew) == [2, 4] and all(abs(anew[i][2] - found[i][2]) < 0.01 for i in anew), anew, found)
        said = run(tacit, "launch", "--predict", "-n", parties, job, "--output", output, "--set", "data.links.seed=9",
                   "--set", "checkpoints.every=80", code=2)
        check("data.links.seed" in said, said)
        # On other data, all edges pass messages.
        whole["pairs"] = numpy.array([[0, 7, 100, 3], [5, 6, 20, 90]])
        numpy.savez(folder / "new.npz", **whole)
        run(tacit, "data", "split", folder / "new.npz", "--job", job, "--out", folder / "new", "--predict")
        words = [tacit, "launch", "--predict", "-n", parties, job, "--output", output, "--data",
                 folder / "new" / "rank{rank}.npz"]
        said = run(*words)
        check("predicts 4 pairs" in said, said)
        other = predicted(output / "rank0")
        own = probabilities(folder, output / "rank0/model.npz", folder / "new.npz")
        check(max(abs(other[i][2] - own[i]) for i in range(4)) < 0.02, other, own)
        (folder / "who.txt").write_text("3\n1\n")
        run(*words, "--who", folder / "who.txt")
        few = predicted(output / "rank0")
        check(sorted(few) == [1, 3] and all(abs(few[i][2] - other[i][2]) < 0.01 for i in few), few, other)
        (folder / "who.txt").write_text("4\n")
        said = run(*words, "--who", folder / "who.txt", code=2)
        check("there is no pair 4: the data have pairs 0 ... 3" in said, said)
        print(parties, edges, shares, twin)


def refuse():
    """Jobs and files that do not fit each other end with a sentence and exit code 2."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        job = folder / "job.toml"
        text = (examples / "links/trade.toml").read_text()
        run("/usr/bin/python3", examples / "links/make_trade.py", folder / "whole.npz")
        whole = dict(numpy.load(folder / "whole.npz"))
        no_links = "".join(line + "\n" for line in text.splitlines() if not line.startswith(
            ("[data.links]", "validation", "test ", "drawn"))).replace("[preprocessing]",
                                                                      'labels = "rows"\nmasks = "public"\n[preprocessing]')
        one_way = whole["edge_index"][:, whole["edge_index"][0] > whole["edge_index"][1]]
        for job_text, changed, says in (
            (text.replace('edges = "edges"', 'edges = "none"'), {}, "say who holds them"),
            (text.replace('edges = "edges"', 'edges = "any"'), {}, "nobody knows how many there are"),
            (text.replace('files =', 'labels = "rows"\nfiles ='), {}, "the edges are its labels; take it out"),
            (text.replace("test = 0.2", "test = 0.9"), {}, "none is left to train on"),
            (text.replace("gcn = { hidden = 12 }         #", 'layers = [{ kind = "dense", outputs = 2 }] #'), {},
             'does not end with a layer of kind "dot"'),
            (no_links.replace("gcn = { hidden = 12 }         #",
                              'layers = [{ kind = "gcn", outputs = 4 }, { kind = "dot" }] #'), {}, "add a table [data.links]"),
            (text, {"pairs": numpy.array([[0], [180]])}, "pairs: pair 0 names a node outside 0 ... 179"),
            (text, {"pairs": numpy.array([[4], [4]])}, "pairs: pair 0 is of node 4 and itself"),
            (text, {"pairs": numpy.array([0, 1])}, "pairs: its shape is (2,)"),
        ):
            arrays = {**whole, **changed}
            numpy.savez(folder / "changed.npz", **arrays)
            job.write_text(job_text)
            said = run(tacit, "data", "split", folder / "changed.npz", "--job", job, "--out", folder, "--force", code=2)
            check(says in said, says, said)
        job.write_text(text.replace('edges = "edges"', 'edges = "public"'))
        numpy.savez(folder / "changed.npz", **{**whole, "edge_index": one_way})
        run(tacit, "data", "split", folder / "changed.npz", "--job", job, "--out", folder, "--force")
        said = run(tacit, "data", "check", job, "--rank", 0, code=2)
        check("store each edge in both directions" in said, said)


refuse()
for number, held in ((2, "edges"), *of_today(((3, "public"), (5, "edges")), 2)):
    main(number, held)
