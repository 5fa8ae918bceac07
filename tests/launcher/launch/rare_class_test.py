#!/usr/bin/python3
"""rare_class_test.py TACIT EXAMPLES: the example with 3 % marked accounts, for 2, 3 and 5 parties.

F1, the ranking and the other metrics are within one point of the twin's, a metric is evaluated as often as its `every` says,
and the counts of the confusion matrix go to rank 0 alone. Exit code 77: there is no numpy."""

import json
import pathlib
import subprocess
import sys
import tempfile

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
        ("training.class_weights=[1,-1]", "not the number -1"),
    ):
        output = folder / "refused"
        words = [tacit, "launch", "-n", "2", job, "--output", output, "--afresh", "--set", setting]
        ended = subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=60)
        check(ended.returncode == 2 and says in ended.stderr, setting, ended.returncode, ended.stderr)
        told = [json.loads(line) for path in output.glob("rank*/events.jsonl") for line in path.read_text().splitlines()]
        check(not any(event.get("reveals") or event["event"] == "epoch" for event in told), setting, told)


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
        said = run(tacit, "launch", "-n", parties, job, "--output", output, "--plain")
        check("predicted 1" in said, "a table of the confusion matrix", said)
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
        check(told[9] == ["validation f1"] and not told[10] and len(told) == 60, told)
        others = {one["what"] for one in events(output / "rank1" / "events.jsonl")[-1]["readings"]}
        check(others == set(last) - {"test confusion"}, others)
        stated = [event["stated"] for event in shares]
        measured = [event["measured"] for event in shares]
        check(all(a["rounds"] == b["rounds"] for a, b in zip(stated, measured)), "rounds")
        page = run(tacit, "report", output, "--json")
        check(all(one["equal"] for one in json.loads(page)["runs"][0]["predictions"]), page)
        check("test confusion: how many nodes" in (output / "report.html").read_text(), "the page's matrix")
        print(parties, {what: (round(last[what]["value"], 4), round(one["value"], 4)) for what, one in twin.items()})


for number in (2, 3, 5):
    main(number)
