#!/usr/bin/python3
"""joint_statistics_test.py TACIT: parties add up the statistics of their tables with `tacit data sum-statistics`, and clean by them.

Every party imputes the values that one table of all rows would give; other sums are not revealed. Ranks are processes of their own,
with a dealer. Rules that differ, statistics of another table, a missing file and a job with [privacy] are refused."""

import csv
import json
import pathlib
import random
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
from example_runs import RULES_OF_INCOME_AND_KIND, check, free_port, run

tacit = sys.argv[1]
PARTIES = 3
RULES = """
[columns.age]
range = [0, 120]
impute = "median"
""" + RULES_OF_INCOME_AND_KIND + """[columns.member]
allowed = ["0", "1"]
constant = 1
[columns.employed]
role = "class"
allowed = ["0", "1"]
drop = true
"""
JOB = """
name = "offices"
parties = 3
[data]
features = "rows"
labels = "rows"
masks = "rows"
edges = "none"
classes = 2
[preprocessing]
features = "none"
[[model.layers]]
kind = "dense"
outputs = 2
[training]
epochs = 1
"""
PRIVACY = '[reveal]\nloss = "nobody"\n[privacy]\nepsilon = 1.0\ndelta = 1e-4\n[[reveal.metric]]\nwhat = "accuracy"\n'


def make_tables(folder):
    """One table of all rows, and a part of another size and another kind of people for each party."""
    randoms, header, all_rows = random.Random(5), "age,income,kind,member,employed\n", []
    for rank, count in enumerate((500, 300, 41)):
        rows = []
        for _ in range(count):
            row = [str(randoms.randint(20 * rank, 60)), f"{randoms.uniform(0, 1000 / (rank + 1)):.3f}", randoms.choice("abbc"),
                   randoms.choice("01"), randoms.choice(["0", "1", "x"])]
            rows.append(",".join("" if i < 4 and randoms.random() < 0.2 else value for i, value in enumerate(row)) + "\n")
        (folder / f"own{rank}.csv").write_text(header + "".join(rows))
        all_rows += rows
    (folder / "all.csv").write_text(header + "".join(all_rows))


def imputed(*words):
    told = json.loads(run(tacit, "data", "clean", *words, "--json"))
    return {name: column["number"] for name, column in told["columns"].items() if "number" in column}


def as_ranks(folder, statistics="own{}.counts", rules="rules.toml", job="job.toml"):
    """Runs all ranks, the dealer last. Returns their exit codes and their output."""
    master = f"127.0.0.1:{free_port()}"
    ranks = []
    for rank in range(PARTIES + 1):
        words = [tacit, "data", "sum-statistics", job, "--rank", str(rank), "--world-size", str(PARTIES + 1), "--master", master]
        words += ["--key", f"keys/rank{rank}.key", "--set", "roster=roster", "--deadline", "60"]
        if rank < PARTIES:
            words += ["--rules", rules if rank == 1 else "rules.toml", "--statistics", statistics.format(rank), "--out",
                      f"sum{rank}.counts", "--force"]
        ranks.append(subprocess.Popen(words, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True))
    said = [rank.communicate(timeout=120)[0] for rank in ranks]
    return [rank.returncode for rank in ranks], said


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    (folder / "rules.toml").write_text(RULES)
    (folder / "other.toml").write_text(RULES.replace('"median"', '"mean"'))
    (folder / "job.toml").write_text(JOB)
    (folder / "private.toml").write_text(JOB + PRIVACY)
    (folder / "keys").mkdir()
    make_tables(folder)
    roster = []
    for rank in range(PARTIES + 1):
        made = json.loads(run(tacit, "keys", "new", folder / f"keys/rank{rank}.key", "--json"))
        roster += ["--party" if rank < PARTIES else "--dealer", made["fingerprint"]]
    (folder / "roster").write_text(run(tacit, "keys", "roster", *roster))
    for rank in range(PARTIES):
        own = folder / f"own{rank}"
        run(tacit, "data", "clean", f"{own}.csv", "--rules", folder / "rules.toml", "--statistics", f"{own}.counts")
    run(tacit, "data", "clean", folder / "all.csv", "--rules", folder / "rules.toml", "--statistics", folder / "all.counts")

    codes, said = as_ranks(folder)
    check(codes == [0] * 4, codes, *said)
    check("4104 sums" in said[0] and "kept on shares: each party's own counts" in said[0], said[0])
    check("sent it nothing" in said[3], said[3])
    sums = [(folder / f"sum{rank}.counts").read_text() for rank in range(PARTIES)]
    check(sums[0] == sums[1] == sums[2])
    whole = [line for line in (folder / "all.counts").read_text().split("\n") if not line.startswith("ranges ")]
    joint = sums[0].split("\n")
    check(joint[2] == "parties 3" and joint[3].startswith("bytes 0 rows 0 malformed 0 kept "), joint[:4])
    check([line.partition("counts")[2] for line in joint[4:]] == [line.partition("counts")[2] for line in whole[4:]])
    check(all(line.startswith("missing 0 invalid 0 dropped 0 imputed ") for line in joint[4:-1]), joint[4:])
    expected = imputed(folder / "all.csv", "--rules", folder / "rules.toml")
    check(len(expected) == 4, expected)
    for rank in range(PARTIES):
        own = imputed(folder / f"own{rank}.csv", "--rules", folder / "rules.toml", "--statistics", folder / f"sum{rank}.counts",
                      "--out", folder / f"rank{rank}.npz")
        check(own.keys() == expected.keys(), own)
        check(all(abs(own[key] - expected[key]) <= 1e-4 for key in own), own, expected)

    run(tacit, "data", "sum-statistics", folder / "job.toml", "--all", "--rules", folder / "rules.toml", "--statistics",
        str(folder / "own{rank}.counts"), "--out", str(folder / "trial{rank}.counts"))
    check((folder / "trial2.counts").read_text() == sums[0])

    # Statistics that do not fit each other are refused at all ranks, with a sentence.
    (folder / "own1.other").write_text((folder / "own1.counts").read_text())
    run(tacit, "data", "clean", folder / "own1.csv", "--rules", folder / "other.toml", "--statistics", folder / "other1.counts")
    for refused, sentence, settings in [
        ("rules that differ", "the rules of ranks 0 and 1 differ", {"rules": "other.toml"}),
        ("no file", "cannot be read", {"statistics": "none{}.counts"}),
        ("a sum of sums", "statistics of all parties already", {"statistics": "sum{}.counts"}),
    ]:
        for rank in range(PARTIES):  # rank 1 counts by its own rules in the first case
            source = "other1.counts" if refused == "rules that differ" and rank == 1 else f"own{rank}.counts"
            (folder / f"given{rank}.counts").write_text((folder / source).read_text())
        codes, said = as_ranks(folder, **({"statistics": "given{}.counts"} | settings))
        check(codes == [2] * 4, refused, codes, *said)
        check(any(sentence in one for one in said), refused, *said)
    said = run(tacit, "data", "sum-statistics", folder / "private.toml", "--all", "--rules", folder / "rules.toml",
               "--statistics", "own{rank}.counts", "--out", "x{rank}", code=2)
    check("no noise covers" in said and "constant" in said, said)
    said = run(tacit, "data", "clean", folder / "all.csv", "--rules", folder / "rules.toml", "--statistics",
               folder / "sum0.counts", "--out", folder / "never.npz")
    (folder / "twice.csv").write_text((folder / "all.csv").read_text() + "".join((folder / "all.csv").read_text().split("\n", 1)[1]))
    said = run(tacit, "data", "clean", folder / "twice.csv", "--rules", folder / "rules.toml", "--statistics",
               folder / "sum0.counts", "--out", folder / "never2.npz", code=2)
    check("fewer rows or missing values than this table alone" in said, said)
    said = run(tacit, "data", "merge-statistics", folder / "sum0.counts", folder / "sum1.counts", "--out", folder / "m", code=2)
    check("nothing is to be added" in said, said)
