#!/usr/bin/python3
"""rare_class_test.py TACIT EXAMPLES: the example with 3 % marked accounts, for 2 parties, and for 3 or 5.

Its classes have names, which its files, results and services show. F1, the ranking and the other metrics are within one point of the twin's, a metric is evaluated as often as its `every` says,
and the counts of the confusion matrix go to rank 0 alone. Exit code 77: there is no numpy."""

import csv
import http.client
import json
import pathlib
import signal
import socket
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))
from by_day import of_today

try:
    import numpy  # noqa: F401 (make_accounts.py needs it)
except ImportError:
    sys.exit(77)

tacit, examples = sys.argv[1], pathlib.Path(sys.argv[2])


def run(*words):
    ended = subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=280)
    if ended.returncode != 0:
        sys.exit(f"{words} ended with {ended.returncode}\n{ended.stdout}{ended.stderr}")
    return ended.stdout


def events(path):
    return [event for event in map(json.loads, path.read_text().splitlines()) if event["event"] == "epoch"]


def check(condition, *what):
    if not condition:
        sys.exit(f"not as expected: {what}")


def refuse(folder, job):
    """A job that asks for more than the data have ends with a sentence and exit code 2, and nothing is revealed."""
    for setting, says in (
        ('reveal.metric=[{what="roc_auc",bins=1024}]', "more bins than nodes: the part has 1000"),
        ('reveal.metric=[{what="r2"}]', "r2 is for targets, and labels are classes"),
        ('reveal.metric=[{what="f1",class=2}]', "there is no class 2; classes are 0 ... 1"),
        ('reveal.metric=[{what="f1",class="marekd"}]', "expected a class (ordinary, marked)"),
        ("data.classes=3", "data.class_names: 2 names for 3 classes"),
        ("training.class_weights=[1,-1]", "not the number -1"),
    ):
        output = folder / "refused"
        words = [tacit, "launch", "-n", "2", job, "--output", output, "--afresh", "--set", setting]
        ended = subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=60)
        check(ended.returncode == 2 and says in ended.stderr, setting, ended.returncode, ended.stderr)
        told = [json.loads(line) for path in output.glob("rank*/events.jsonl") for line in path.read_text().splitlines()]
        check(not any(event.get("reveals") or event["event"] == "epoch" for event in told), setting, told)


def check_names_in_files(folder, job, whole):
    """Files may have the names of classes in place of numbers. A name that the job does not list is refused with its row."""
    arrays = numpy.load(whole)
    names = ["ordinary", "marked"]
    table = folder / "table"
    table.mkdir()
    heads = [f"x{column}" for column in range(arrays["x"].shape[1])] + ["class", "train_mask", "val_mask", "test_mask"]
    lines = [",".join(heads)]
    for node, row in enumerate(arrays["x"]):
        masks = [str(int(arrays[mask][node])) for mask in heads[-3:]]
        lines.append(",".join([*map(repr, map(float, row)), names[arrays["y"][node]], *masks]))
    (table / "nodes.csv").write_text("\n".join(lines) + "\n")
    (table / "edges.csv").write_text("from,to\n" + "".join(f"{a},{b}\n" for a, b in arrays["edge_index"].T))
    text = folder / "text.npz"
    numpy.savez(text, **({name: arrays[name] for name in arrays} | {"y": numpy.array(names)[arrays["y"]]}))
    for source, name in ((table, "a"), (text, "b")):
        run(tacit, "data", "split", source, "--job", job, "--out", folder / name)
        for rank in range(2):
            one, other = (numpy.load(at / f"rank{rank}.npz") for at in (folder, folder / name))
            same = all(numpy.array_equal(one[array], other[array]) for array in one.files)
            named = [] if source == text or "x" not in one.files else ["feature_names"]  # a table names its columns
            check(sorted(one.files + named) == sorted(other.files) and same, source, rank)
    check("2000 nodes" in run(tacit, "data", "show", table, "--job", job), "data show")
    (table / "nodes.csv").write_text("\n".join(lines).replace(",ordinary,", ",ordinray,", 1) + "\n")
    ended = subprocess.run([tacit, "data", "split", table, "--job", job, "--out", folder / "c"], capture_output=True, text=True)
    says = "expected one of the job's classes (ordinary, marked)"
    check(ended.returncode == 2 and says in ended.stderr and 'column "class"' in ended.stderr, ended)


def check_names_in_predictions(folder, job, output):
    """The table of predictions, and the answers of a service."""
    told = ["--set", "reveal.predictions=0", "--set", "reveal.probabilities=0"]
    run(tacit, "launch", "--predict", job, "--output", output, *told)
    with open(output / "rank0" / "predictions.csv") as file:
        rows = list(csv.DictReader(file))
    check(list(rows[0]) == ["node", "prediction", "class_name", "probability_ordinary", "probability_marked"], rows[0])
    check({(row["prediction"], row["class_name"]) for row in rows} == {("0", "ordinary"), ("1", "marked")}, "names")
    socket_path = output / "rank0" / "ask.sock"
    with open(folder / "serve.log", "w") as log:
        service = subprocess.Popen([tacit, "launch", "--serve", job, "--output", output, *told], stdout=log, stderr=log)
    try:
        until = time.monotonic() + 60
        while not takes_requests(socket_path):
            check(service.poll() is None and time.monotonic() < until, (folder / "serve.log").read_text())
            time.sleep(0.05)
        answer = asked(socket_path, "POST", "/v1/predictions", json.dumps({"nodes": [0, 1, 2, 3]}))
        for row, one in zip(rows, answer["predictions"]):
            check((str(one["class"]), one["class_name"]) == (row["prediction"], row["class_name"]), row, one)
        check(asked(socket_path, "GET", "/v1/status")["class_names"] == ["ordinary", "marked"], "status")
        described = asked(socket_path, "GET", "/v1/openapi.json")["components"]["schemas"]["Prediction"]["properties"]
        check(set(answer["predictions"][0]) <= set(described), described)
    finally:
        service.send_signal(signal.SIGTERM)
        service.wait(60)


def check_early_stopping(folder, job):
    """A training that stopped early goes on with more patience, or with more epochs, and its report says when it stopped."""
    output = folder / "stopping"

    def trained(epochs, patience, *more):
        stopping = f'training.stopping={{metric="loss",patience={patience},least_improvement=1000}}'
        run(tacit, "launch", "-n", 2, job, "--output", output, "--set", f"training.epochs={epochs}", "--set", stopping,
            "--set", "checkpoints.every=20", *more)
        return [event["epoch"] for event in events(output / "rank0" / "events.jsonl")]

    check(trained(30, 2) == [1, 2, 3], "stops")
    check(trained(30, 2, "--resume") == [1, 2, 3], "stays stopped")
    check(trained(30, 4, "--resume") == [1, 2, 3, 4, 5], "more patience")
    check(trained(40, 4, "--resume") == [1, 2, 3, 4, 5, 6, 7, 8], "more epochs")
    page = (output / "report.html").read_text()
    check("Training stopped early, after epoch 8 of 40 at most" in page and '"stopped"' in page, "the report")


def takes_requests(path):
    """A service makes the socket's file a moment before it listens there."""
    with socket.socket(socket.AF_UNIX) as probe:
        return probe.connect_ex(str(path)) == 0


def asked(path, method, target, body=None):
    connection = http.client.HTTPConnection("localhost", timeout=60)
    connection.sock = socket.socket(socket.AF_UNIX)
    connection.sock.connect(str(path))
    connection.request(method, target, body)
    return json.loads(connection.getresponse().read())


def main(parties):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        job, whole, output = folder / "job.toml", folder / "whole.npz", folder / "run"
        text = (examples / "rare_class/accounts.toml").read_text()
        job.write_text(text.replace("parties = 3", f"parties = {parties}"))
        run("/usr/bin/python3", examples / "rare_class/make_accounts.py", whole)
        run(tacit, "data", "split", whole, "--job", job, "--out", folder)
        if parties == 2:
            refuse(folder, job)
            check_names_in_files(folder, job, whole)
        said = run(tacit, "launch", "-n", parties, job, "--output", output, "--plain", "--set", "checkpoints.every=60")
        check(said.count("predicted marked") == 1, "one table of the confusion matrix", said)
        check("validation f1 of marked" in said and "f1_class_1" not in said, "the metric's name", said)
        shares, plain = (events(output / of / "events.jsonl") for of in ("rank0", "plain"))
        last, twin = ({one["what"]: one for one in run_events[-1]["readings"]} for run_events in (shares, plain))
        check(set(last) == set(twin) and len(last) == 7, last, twin)
        for what, one in twin.items():
            check(abs(last[what]["value"] - one["value"]) <= 0.01, parties, what, last[what], one)
        check(twin["test f1"]["value"] > 0.8 and twin["test roc_auc"]["value"] > 0.95, twin)
        counts = numpy.array(last["test confusion"]["counts"])
        check(counts.sum() == 1000 and counts[1].sum() == 30, counts)
        check(abs(counts[1, 1] / counts[1].sum() - last["test recall"]["value"]) < 1e-3, counts, last)
        told = [[one["what"] for one in event["readings"]] for event in shares]
        check(told[9] == ["validation f1_class_1"] and not told[10] and len(told) == 60, told)
        others = {one["what"] for one in events(output / "rank1" / "events.jsonl")[-1]["readings"]}
        check(others == set(last) - {"test confusion"}, others)
        stated = [event["stated"] for event in shares]
        measured = [event["measured"] for event in shares]
        check(all(a["rounds"] == b["rounds"] for a, b in zip(stated, measured)), "rounds")
        page = run(tacit, "report", output, "--json")
        check(all(one["equal"] for one in json.loads(page)["runs"][0]["predictions"]), page)
        page = (output / "report.html").read_text()
        check("test confusion: how many nodes" in page and "predicted marked" in page, "the page's matrix")
        check("validation f1 of marked" in page, "the page's name of the metric")
        named = next(one for one in shares[9]["readings"])
        check(named["class_name"] == "marked" and last["test confusion"]["class_names"] == ["ordinary", "marked"], named)
        if parties == 2:
            check_names_in_predictions(folder, job, output)
            check_early_stopping(folder, job)
        print(parties, {what: (round(last[what]["value"], 4), round(one["value"], 4)) for what, one in twin.items()})


for number in (2, *of_today((3, 5), 2)):
    main(number)
