#!/usr/bin/python3
"""census_test.py TACIT EXAMPLES: the example with raw records of people: made, cleaned, split, and trained with [privacy].

The rules of the example equal the rules that the command writes. A party that cleans its own records gets the part that a split of
all cleaned records would give. Both jobs learn, and no better than the best possible accuracy."""

import json
import pathlib
import sys
import tempfile

sys.dont_write_bytecode = True
from example_runs import check, last_readings, run

tacit, examples = sys.argv[1], pathlib.Path(sys.argv[2]) / "census"
RECORDS = 6000


def try_own_records(folder, rules):
    """Each party cleans its own half. A training of these parts begins with the same data as a training of the split parts."""
    lines = (folder / "raw.csv").read_text().splitlines(keepends=True)
    halves = [lines[: len(lines) // 2], lines[:1] + lines[len(lines) // 2 :]]
    counts = []
    for rank, half in enumerate(halves):
        (folder / f"own{rank}.csv").write_text("".join(half))
        counts.append(json.loads(run(tacit, "data", "clean", folder / f"own{rank}.csv", "--rules", rules, "--json"))["kept"])
    parts = folder / "own"
    parts.mkdir()
    for rank in (0, 1):
        run(tacit, "data", "clean", folder / f"own{rank}.csv", "--rules", rules, "--out", parts / f"rank{rank}.npz",
            "--rows", f"{sum(counts[:rank])}:{sum(counts)}")
    job = parts / "job.toml"
    job.write_text((examples / "census_aggregate.toml").read_text())
    run(tacit, "launch", "-n", 2, job, "--output", parts / "run", "--set", "training.epochs=1")
    check(json.loads((parts / "run/rank1/summary.json").read_text())["result"] == "finished")
    return sum(counts)


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    made = json.loads(run(tacit, "data", "make", "census", "--records", RECORDS, "--out", folder / "raw.csv", "--rules",
                          folder / "rules.toml", "--json"))
    check((folder / "rules.toml").read_text() == (examples / "rules.toml").read_text(), "the example's rules")
    check(abs(made["employed"] - 0.59) < 0.001 and abs(made["best_accuracy_cleaned"] - 0.666) < 0.001, made)
    cleaned = json.loads(run(tacit, "data", "clean", folder / "raw.csv", "--rules", examples / "rules.toml", "--out",
                             folder / "whole.npz", "--json"))
    check(not cleaned["statistic_used"] and cleaned["rows"] == RECORDS, cleaned)
    check(cleaned["dropped_by"].keys() == {"employed"} and 100 < cleaned["dropped"] < 200, cleaned)
    check(try_own_records(folder, examples / "rules.toml") == cleaned["kept"])
    for which in ("census_aggregate", "census"):
        job, output = folder / f"{which}.toml", folder / which
        job.write_text((examples / f"{which}.toml").read_text())
        run(tacit, "data", "split", folder / "whole.npz", "--job", job, "--out", folder, "--force")
        planned = json.loads(run(tacit, "plan", job, "--json"))
        run(tacit, "launch", "-n", 2, job, "--output", output)
        summary = json.loads((output / "rank1/summary.json").read_text())
        check(summary["privacy"] == planned["privacy"], which, summary["privacy"], planned["privacy"])
        accuracy = last_readings(output / "rank0/events.jsonl")["test accuracy"]
        # About 585 test records: the standard deviation of an accuracy is 0.02.
        check(made["employed"] - 0.06 < accuracy < made["best_accuracy_cleaned"] + 0.08, which, accuracy)
        print(which, accuracy, made["best_accuracy_cleaned"])
