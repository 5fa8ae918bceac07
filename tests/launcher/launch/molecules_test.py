#!/usr/bin/python3
"""molecules_test.py TACIT EXAMPLES: the example with several graphs, for 2 parties, and for 3 or 5.

The metrics equal the twin's and fit the predictions, a loader of the revealed model predicts the same graphs, and
`tacit predict` answers for graphs: for other molecules, and for a list of molecules. Exit code 77: there is no numpy."""

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
    """Returns the class of each graph, by its number."""
    table = list(csv.DictReader((folder / "predictions.csv").read_text().splitlines()))
    return {int(row["graph"]): int(row["prediction"]) for row in table}


def some_graphs(whole, chosen):
    """Returns only the data of the chosen graphs, numbered anew."""
    graph = whole["graph"]
    keep = numpy.isin(graph, chosen)
    place = numpy.cumsum(keep) - 1
    edges = whole["edge_index"]
    edges = place[edges[:, keep[edges[0]] & keep[edges[1]]]]
    return {"x": whole["x"][keep], "edge_index": edges, "graph": numpy.searchsorted(chosen, graph[keep])}


def main(parties):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        job, output = folder / "job.toml", folder / "run"
        text = (examples / "molecules/molecules.toml").read_text()
        job.write_text(text.replace("parties = 3", f"parties = {parties}").replace("[reveal]", '[reveal]\nmodel = 0'))
        run("/usr/bin/python3", examples / "molecules/make_molecules.py", folder / "whole.npz")
        said = run(tacit, "data", "split", folder / "whole.npz", "--job", job, "--out", folder)
        check("120 graphs" in said, said)
        said = run(tacit, "launch", "-n", parties, job, "--output", output, "--plain", "--set", "checkpoints.every=60")
        whole = dict(numpy.load(folder / "whole.npz"))
        shares, twin = (last_readings(output / of / "events.jsonl") for of in ("rank0", "plain"))
        for what, value in twin.items():
            check(abs(shares[what] - value) <= 0.03, parties, what, shares, twin)
        check(twin["test accuracy"] > 0.85, twin)
        found = predicted(output / "rank0")
        check(list(found) == list(range(120)), found)
        right = numpy.array([found[graph] == whole["y"][graph] for graph in found])
        check(abs(right[whole["test_mask"]].mean() - shares["test accuracy"]) < 1e-3, right.mean(), shares)
        run("/usr/bin/python3", examples / "export/load_numpy.py", output / "rank0/model.npz", folder / "whole.npz",
            folder / "own.npz")
        own = numpy.load(folder / "own.npz")["predictions"]
        check((own == numpy.array(list(found.values()))).mean() > 0.98, own, found)
        check(not (output / "rank1" / "predictions.csv").exists(), "rank 1 learns nothing")

        plan = json.loads(run(tacit, "plan", job, "--json"))
        check(plan["sizes"]["graphs"] == 120 and plan["exact"], plan)
        stated = sum(rank["total"]["bytes"] for rank in plan["ranks"]) if "total" in plan["ranks"][0] else None
        sizes = ["--nodes", len(whole["x"]), "--features", 5, "--train", int(whole["train_mask"].sum())]
        by_sizes = json.loads(run(tacit, "plan", job, *sizes, "--graphs", 120, "--test", 36, "--json"))
        check(by_sizes["sizes"]["graphs"] == 120, by_sizes, stated)
        check("say how many graphs there are" in run(tacit, "plan", job, *sizes, code=2), "plan without --graphs")

        # Other molecules: every third of the molecules above.
        chosen = numpy.arange(0, 120, 3)
        numpy.savez(folder / "new.npz", **some_graphs(whole, chosen))
        run(tacit, "data", "split", folder / "new.npz", "--job", job, "--out", folder / "new", "--predict")
        data = folder / "new" / "rank{rank}.npz"
        words = [tacit, "launch", "--predict", "-n", parties, job, "--output", output, "--data", data]
        said = run(*words)
        check(f"predicts {len(chosen)} graphs" in said, said)
        again = predicted(output / "rank0")
        check(sum(again[i] != found[graph] for i, graph in enumerate(chosen)) <= 1, again, found)
        (folder / "who.txt").write_text("7\n2\n")
        run(*words, "--who", folder / "who.txt")
        few = predicted(output / "rank0")
        check(sorted(few) == [2, 7] and all(few[graph] == again[graph] for graph in few), few)
        (folder / "who.txt").write_text("40\n")
        said = run(*words, "--who", folder / "who.txt", code=2)
        check("there is no graph 40: the data have graphs 0 ... 39" in said, said)
        print(parties, shares, twin)


def refuse():
    """Jobs and files that do not fit each other end with a sentence and exit code 2."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        job = folder / "job.toml"
        text = (examples / "molecules/molecules.toml").read_text()
        run("/usr/bin/python3", examples / "molecules/make_molecules.py", folder / "whole.npz")
        whole = dict(numpy.load(folder / "whole.npz"))
        pool = '[[model.layers]]\nkind = "pool"                 # the mean over the atoms of each molecule\n\n'
        late = text.replace('kind = "dense"', 'kind = "gcn"')
        for job_text, changed, says in (
            (text.replace(pool, ""), {}, 'the model has no layer of kind "pool"'),
            (text, {"graph": None}, "y: it is for 120 nodes, but x is for"),
            (text, {"graph": whole["graph"][::-1].copy()}, "the first graph must have number 0"),
            (text, {"y": whole["y"][1:]}, "y: it has 119 rows; expected one for each of the 120 graphs"),
            (text, {"edge_index": numpy.array([[0], [len(whole["x"]) - 1]])}, "edge 0 leads from one graph to another"),
            (late, {}, "it gathers over edges after the pool"),
            (text.replace(pool, pool + pool), {}, "it pools a second time"),
            (text.replace('edges = "edges"', 'edges = "none"'), {}, "data.edges"),
        ):
            arrays = {key: value for key, value in {**whole, **changed}.items() if value is not None}
            numpy.savez(folder / "changed.npz", **arrays)
            job.write_text(job_text)
            said = run(tacit, "data", "split", folder / "changed.npz", "--job", job, "--out", folder, code=2)
            check(says in said, says, said)


refuse()
for number in (2, *of_today((3, 5), 2)):
    main(number)
