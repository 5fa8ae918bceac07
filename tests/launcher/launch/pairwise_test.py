#!/usr/bin/python3
"""pairwise_test.py TACIT: jobs without a dealer (correlations = "pairwise"), through the commands of a user.

Trainings of two and three parties have no rank besides the parties. Their losses and metrics are those of the twin and of the same job
with a dealer, and their measured rounds and bytes equal the plan. A training whose rank was killed goes on. Checkpoints of both sources
are read with the other source. A roster with a dealer is refused. The demonstration and the report say who is trusted."""

import contextlib
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
from example_runs import GCN_OF_TARGETS, check, events, last_readings
from example_runs import run as command

try:
    import numpy
except ImportError:
    sys.exit(77)

TACIT = os.path.abspath(sys.argv[1])
PAIRWISE = ["--set", 'correlations="pairwise"']
PATIENCE = 240  # seconds
JOB = """
name = "stations"
parties = {parties}
correlations = "dealer"

[data]
features = "columns"
edges = "rank 0"
labels = "rank 1"
masks = "public"
files = "rank{{rank}}.npz"
""" + GCN_OF_TARGETS.replace("{", "{{").replace("}", "}}")


def run(*words, folder, code=0):
    return command(TACIT, *words, folder=folder, code=code)


def graph(nodes=60, features=6):
    random = numpy.random.default_rng(5)
    ends = {(a, b) for a, b in random.integers(0, nodes, (150, 2)) if a != b}
    edge_index = numpy.array(sorted(ends | {(b, a) for a, b in ends})).T
    x = random.normal(size=(nodes, features))
    adjacency = numpy.eye(nodes)
    adjacency[edge_index[1], edge_index[0]] = 1
    roots = 1 / numpy.sqrt(adjacency.sum(1))
    y = (adjacency * roots[:, None] * roots) @ x[:, :2].sum(1, keepdims=True) + 0.1 * random.normal(size=(nodes, 1))
    part = random.permutation(nodes)
    masks = {name: numpy.isin(numpy.arange(nodes), rows) for name, rows in
             (("train_mask", part[:35]), ("val_mask", part[35:40]), ("test_mask", part[40:]))}
    return {"x": x, "edge_index": edge_index, "y": y} | masks


def make(folder, parties):
    numpy.savez(folder / "whole.npz", **graph())
    (folder / "job.toml").write_text(JOB.format(parties=parties))
    run("data", "split", "whole.npz", "--job", "job.toml", "--out", ".", "--force", folder=folder)


def losses(folder, output, of="rank0"):
    return [event["loss"] for event in events(folder / output / of / "events.jsonl")]


def expect_like(what, one, other, part=0.02):
    check(len(one) == len(other), what, len(one), len(other))
    for epoch, (a, b) in enumerate(zip(one, other)):
        check(abs(a - b) <= part * b, what, "epoch", epoch + 1, a, b)


def trains_like_a_job_with_a_dealer(folder, parties):
    make(folder, parties)
    plan = json.loads(run("plan", "job.toml", "--json", "--parties", parties, *PAIRWISE, folder=folder))
    run("launch", "job.toml", "--output", "dealt", folder=folder)
    told = run("launch", "job.toml", "--plain", "--output", "made", *PAIRWISE, folder=folder)
    check("dealer" not in told, told)
    check("lattice answers tell at most 2^-" in told, told)
    check(not (folder / f"made/rank{parties}").exists(), "a further rank")
    roster = (folder / "made/roster").read_text()
    check("dealer" not in roster and roster.count("party") == parties, roster)
    expect_like("the twin", losses(folder, "made"), losses(folder, "made", "plain"))
    expect_like("the dealer's job", losses(folder, "made"), losses(folder, "dealt"))
    metrics = [last_readings(folder / output / "rank0/events.jsonl") for output in ("made", "dealt")]
    check(abs(metrics[0]["test rmse"] - metrics[1]["test rmse"]) < 0.02 * metrics[1]["test rmse"], metrics)
    for rank in range(parties):
        for epoch, own in enumerate(events(folder / f"made/rank{rank}/events.jsonl")):
            # The plan adds to each epoch a part of the rounds, and of the extensions of transfers, of the maker's batches.
            stated, planned = own["stated"], plan["ranks"][rank]
            check(0 < stated["made_bytes"] < stated["bytes"] <= planned["bytes_of_epochs"][epoch], rank, epoch, stated)
            check(0 < stated["rounds"] < planned["rounds_of_epochs"][epoch] and stated["made_rounds"] == 0, rank, epoch, stated)
        summary = json.loads((folder / f"made/rank{rank}/summary.json").read_text())
        check(summary["stated"] == plan["ranks"][rank]["total"], rank, summary["stated"])
        # All that was sent: the plan, the start of making, and the agreements before the session.
        sent = sum(peer["payload_sent"] for peer in summary["measured"]["peers"].values())
        before = sent - summary["stated"]["bytes"] - plan["ranks"][rank]["start"]["bytes"]
        check(0 < before < 100_000, rank, before)
    page = (folder / "made/report.html").read_text()
    for words in (f"{parties} parties, no dealer", "Trust: there is no dealer", "RLWE", "CDH on ristretto255", "Not compared: the parties make correlations ahead", "Lattice answers tell at most 2^-"):
        check(words in page, words)
    check("and a dealer" not in page and "the dealer" not in page.split("<script")[0].replace("no dealer", ""), "the page names a dealer")


def checkpoints_are_read_with_the_other_source(folder):
    """The model of each source is predicted with, and trained on, with the other one."""
    for output, other in (("dealt", PAIRWISE), ("made", ["--set", 'correlations="dealer"'])):
        before = dict(numpy.load(folder / output / "rank0/model.npz"))
        run("launch", "job.toml", "--predict", "--output", output, *other, folder=folder)
        predicted = numpy.load(folder / output / "rank0/predictions.npz")
        check(len(predicted.files) > 0, output)
        run("launch", "job.toml", "--resume", "--output", output, "--set", "training.epochs=15", *other, folder=folder)
        check(events(folder / output / "rank0/events.jsonl")[-1]["epoch"] == 15, output, "resumed")
        check(set(before) == set(dict(numpy.load(folder / output / "rank0/model.npz"))), output)
    expect_like("both after a change of the source", losses(folder, "made"), losses(folder, "dealt"))
    said = run("report", "dealt", folder=folder)
    check("another" not in said, said)
    page = (folder / "dealt/report.html").read_text()
    check("2 parties, no dealer" in page or "3 parties, no dealer" in page, "the last session had no dealer")


def children_of(process):
    return [int(pid) for pid in pathlib.Path(f"/proc/{process}/task/{process}/children").read_text().split()]


def a_killed_training_goes_on(folder):
    """Kills rank 1 after a checkpoint; the next launch ends with the losses of a run that was not killed."""
    words = ["job.toml", "--output", "killed", *PAIRWISE, "--set", "training.epochs=100", "--set", "checkpoints.every=5"]
    path = folder / "killed/rank1/events.jsonl"
    begun = subprocess.Popen([TACIT, "launch", *words], cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    end = time.monotonic() + PATIENCE
    with contextlib.suppress(FileNotFoundError):
        path.unlink()
    while time.monotonic() < end:
        with contextlib.suppress(FileNotFoundError, json.JSONDecodeError):
            if len(events(path, "checkpoint")) >= 2:
                break
        time.sleep(0.02)
    killed = [pid for pid in children_of(begun.pid)
              if "--rank\0001\000" in pathlib.Path(f"/proc/{pid}/cmdline").read_text()]
    check(len(killed) == 1, "rank 1 has a process", killed)
    os.kill(killed[0], signal.SIGKILL)
    said = begun.communicate(timeout=PATIENCE)[1]
    check(begun.returncode == 3, begun.returncode, said)
    check(events(path)[-1]["epoch"] < 100, "it ended before it was killed")
    run("launch", *words, "--resume", folder=folder)
    seen = {event["epoch"]: event["loss"] for event in events(folder / "killed/rank0/events.jsonl")}
    check(sorted(seen) == list(range(1, 101)), len(seen))
    expect_like("the same epochs of a run that was not killed", [seen[epoch] for epoch in range(1, 13)],
                losses(folder, "made")[:12], 0.03)
    check(seen[100] <= seen[12], "it has learned")


def a_roster_with_a_dealer_is_refused(folder):
    for name in ("a", "b", "c"):
        run("keys", "new", f"{name}.key", folder=folder)
    mark = [json.loads(run("keys", "show", f"{name}.key", "--json", folder=folder))["fingerprint"] for name in ("a", "b", "c")]
    with_dealer = run("keys", "roster", "--party", mark[0], "--party", mark[1], "--dealer", mark[2], folder=folder)
    without = run("keys", "roster", "--party", mark[0], "--party", mark[1], folder=folder)
    check("dealer" not in without, without)
    (folder / "roster").write_text(with_dealer)
    said = run("plan", "job.toml", *PAIRWISE, "--set", "roster=roster", folder=folder, code=2)
    check('correlations = "pairwise" has no use for it: take it out of the roster' in said, said)
    (folder / "roster").write_text(without)
    said = run("plan", "job.toml", "--set", "roster=roster", folder=folder, code=2)
    check('add it to the roster, or take correlations = "pairwise"' in said, said)
    said = run("doctor", "job.toml", "--alone", "--rank", 1, "--key", "b.key", "--master", "127.0.0.1:4711", *PAIRWISE,
               "--set", "roster=roster", folder=folder)
    check("2 parties and no dealer" in said and "trust" in said and "there is no dealer and no other helper" in said, said)
    said = run("data", "check", "job.toml", "--rank", 0, *PAIRWISE, folder=folder)
    check("trust: there is no dealer" in said, said)


def too_many_epochs_are_refused(folder):
    """Before anything is shared, every rank refuses epochs that may tell too much of masks; doctor says so, too."""
    many = [*PAIRWISE, "--set", "training.epochs=1000000000"]
    said = run("launch", "job.toml", "--output", "refused", *many, folder=folder, code=2)
    check("Set training.epochs = " in said and "2^-40" in said, said)
    for rank in (0, 1):
        phases = [json.loads(line) for line in open(folder / f"refused/rank{rank}/events.jsonl")]
        check(not any(event.get("phase") in ("sharing the data", "training") for event in phases), phases)
    alone = ["doctor", "job.toml", "--alone", "--rank", 1, "--key", "b.key", "--master", "127.0.0.1:4711", "--set", "roster=roster"]
    check("lattice answers tell at most 2^-" in run(*alone, *PAIRWISE, folder=folder), "doctor")
    check("Set training.epochs = " in run(*alone, *many, folder=folder, code=2), "doctor of many epochs")


def the_demonstration_runs_without_a_dealer(folder):
    said = run("demo", "--parties", 2, "--epochs", 5, "--correlations", "pairwise", "--keep", "demo", folder=folder)
    check("Training on shares: 2 parties and no dealer" in said, said)
    check(not (folder / "demo/rank2").exists() and "pairwise" in (folder / "demo/demo.toml").read_text(), said)


def main():
    for parties in (2, 3):
        with tempfile.TemporaryDirectory() as made:
            folder = pathlib.Path(made)
            trains_like_a_job_with_a_dealer(folder, parties)
            if parties == 3:
                continue
            a_killed_training_goes_on(folder)
            checkpoints_are_read_with_the_other_source(folder)
            a_roster_with_a_dealer_is_refused(folder)
            too_many_epochs_are_refused(folder)
            the_demonstration_runs_without_a_dealer(folder)


main()
