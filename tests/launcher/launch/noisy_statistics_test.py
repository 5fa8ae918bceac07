#!/usr/bin/python3
"""noisy_statistics_test.py TACIT: parties add up the statistics of their tables with noise, clean by them, and train privately.

Two and three parties with tables of different size and content. The ledger of each party takes the epsilon of the sums, and the training
on the cleaned parts continues the same ledger. Trainings that no account covers are refused: exact statistics, a job without the ledger, another
ledger. A damaged ledger, a ledger in use, a ledger of other data, a spent budget, different epsilons and a party that is
killed end all parties, and nothing is revealed or spent."""

import csv
import fcntl
import io
import json
import pathlib
import random
import statistics
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
from example_runs import RULES_OF_INCOME_AND_KIND, check, free_port, rows_job, run

tacit = sys.argv[1]
RULES = """
split = { test = 0.1 }
[columns.age]
range = [0, 120]
whole = true
impute = "median"
""" + RULES_OF_INCOME_AND_KIND + """[columns.employed]
role = "class"
allowed = ["0", "1"]
drop = true
"""
TRAINING = """
[training]
mode = "aggregate"
epochs = 2
batch = 256
[privacy]
noise = 4.0
delta = 1e-6
clip = 1.0
ledger = "ledger{rank}"
[ranges]
features = 1024
[reveal]
model = "everyone"
[[reveal.metric]]
what = "accuracy"
"""
SIZES = {2: (30000, 900), 3: (25000, 41, 700)}


def make_tables(folder, sizes):
    randoms = random.Random(11)
    for rank, count in enumerate(sizes):
        rows = ["age,income,kind,employed\n"]
        for _ in range(count):
            row = [str(randoms.randint(20 + rank, 60)), f"{randoms.uniform(0, 100 * (rank + 2)):.3f}", randoms.choice("abbc"),
                   randoms.choice(["0", "1", "1", "x"])]
            rows.append(",".join("" if i < 3 and randoms.random() < 0.2 else value for i, value in enumerate(row)) + "\n")
        (folder / f"own{rank}.csv").write_text("".join(rows))


def start_ranks(folder, parties, dealer, *words, of_rank=lambda rank: [], deadline=60):
    """Starts the ranks of sum-statistics. `of_rank`: more words, or None for a rank that does not start."""
    master, size = f"127.0.0.1:{free_port()}", parties + dealer
    ranks = []
    for rank in range(size):
        more = of_rank(rank)
        if more is None:
            continue
        all_words = [tacit, "data", "sum-statistics", "job.toml", "--rank", rank, "--world-size", size, "--master", master, "--key",
                     f"keys/rank{rank}.key", "--set", "roster=roster", "--deadline", deadline, "--quiet"]
        if rank < parties:
            all_words += ["--rules", "rules.toml", "--statistics", f"own{rank}.counts", "--out", f"sum{rank}.counts", "--force", *words]
            all_words += more
        ranks.append(subprocess.Popen(list(map(str, all_words)), cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True))
    return ranks


def ended(ranks):
    said = [rank.communicate(timeout=200)[0] for rank in ranks]
    return [rank.returncode for rank in ranks], said


def ledger_of(folder, rank):
    return json.loads(run(tacit, "privacy", "show", folder / f"ledger{rank}", "--json"))


def spent(folder, parties):
    return [ledger_of(folder, rank)["epsilon"] if (folder / f"ledger{rank}").exists() else 0 for rank in range(parties)]


def charged(ledger):
    """The number of jobs that revealed anything."""
    return sum(one["charged_steps"] > 0 for one in ledger["jobs"])


def keys(folder, parties, dealer):
    (folder / "keys").mkdir()
    roster = []
    for rank in range(parties + dealer):
        made = json.loads(run(tacit, "keys", "new", folder / f"keys/rank{rank}.key", "--json"))
        roster += ["--party" if rank < parties else "--dealer", made["fingerprint"]]
    (folder / "roster").write_text(run(tacit, "keys", "roster", *roster))


def clean(folder, rank, *words, out="rank{}.npz", code=0):
    return run(tacit, "data", "clean", folder / f"own{rank}.csv", "--rules", folder / "rules.toml", "--out",
               folder / out.format(rank), "--force", *words, code=code)


def place(folder, rank, parties):
    """The number of rows before this rank's, and of all rows, in the form of --rows."""
    kept = [json.loads(run(tacit, "data", "clean", folder / f"own{one}.csv", "--rules", folder / "rules.toml", "--json"))["kept"]
            for one in range(parties)]
    return f"{sum(kept[:rank])}:{sum(kept)}"


def check_sums(folder, parties, dealer):
    (folder / "rules.toml").write_text(RULES)
    job = rows_job("offices", parties, 4) + TRAINING
    (folder / "job.toml").write_text(job.replace('mode = "aggregate"\n', "") if dealer else 'correlations = "none"\n' + job)
    make_tables(folder, SIZES[parties])
    keys(folder, parties, dealer)
    for rank in range(parties):
        run(tacit, "data", "clean", folder / f"own{rank}.csv", "--rules", folder / "rules.toml", "--statistics",
            folder / f"own{rank}.counts")
    codes, said = ended(start_ranks(folder, parties, dealer, "--epsilon", 0.5))
    check(codes == [0] * (parties + dealer), codes, *said)
    check("every count has noise of standard deviation" in said[0] and "at delta 1e-06" in said[0], said[0])
    sums = [(folder / f"sum{rank}.counts").read_text() for rank in range(parties)]
    check(len(set(sums)) == 1 and sums[0].split("\n")[3].startswith("noise "), sums[0][:300])
    session = sums[0].split("\n")[3].split()[-1]
    for rank in range(parties):
        ledger = ledger_of(folder, rank)
        check(0.49 < ledger["epsilon"] <= 0.5 and len(ledger["jobs"]) == 1, ledger)
        one = ledger["jobs"][0]
        check(not one["open"] and one["charged_steps"] == 1 and one["reveals"][0]["to"] == "all parties", one)
        lines = (folder / f"ledger{rank}").read_text().split("\n")
        kinds = [line.split(";")[0] for line in lines[1:-1]]
        check(kinds == ["reserved", "revealed", "ended"] and f"session={session}" in lines[1], lines)
    # The imputed numbers are near the statistics of all rows.
    rows = [row for rank in range(parties) for row in csv.DictReader(io.StringIO((folder / f"own{rank}.csv").read_text()))
            if row["employed"] in ("0", "1")]
    expected = {"age": statistics.median(int(row["age"]) for row in rows if row["age"]),
                "income": statistics.mean(float(row["income"]) for row in rows if row["income"])}
    for rank in range(parties):
        words = ["--statistics", folder / "sum0.counts"] + ["--rows", place(folder, rank, parties)]
        said = clean(folder, rank, *words)
        check("statistics with noise were imputed" in said and session[:8] in said, said)
        told = json.loads(clean(folder, rank, *words, "--json"))
        numbers = {name: column["number"] for name, column in told["columns"].items() if "number" in column}
        check(numbers["kind"] == 1 and abs(numbers["age"] - expected["age"]) <= 3, numbers, expected)
        check(abs(numbers["income"] - expected["income"]) < 15, numbers, expected)
        check(told["noise"]["session"] == session, told)
    check("no place to say" in clean(folder, 0, "--statistics", folder / "sum0.counts", out="nodes.csv", code=2))
    return session


def check_training(folder, parties):
    """The cleaned parts' training goes on with the same ledger."""
    job = folder / "job.toml"
    run(tacit, "launch", "-n", parties, job, "--output", folder / "run")
    summary = json.loads((folder / "run/rank0/summary.json").read_text())["privacy"]
    check(0.49 < summary["ledger_before"] <= 0.5 < summary["ledger_after"], summary)
    ledger = ledger_of(folder, 0)
    check(charged(ledger) == 2 and ledger["epsilon"] == summary["ledger_after"], ledger, summary)
    # Without the ledger, with the ledger of another party, and with statistics that no ledger knows.
    text = job.read_text()
    for name, change, sentence in [
        ("none", ('ledger = "ledger{rank}"\n', ""), "say ledger in [privacy]"),
        ("new", ('ledger = "ledger{rank}"', 'ledger = "new{rank}"'), "does not list the epsilon that these spent"),
        ("swapped", ('ledger = "ledger{rank}"', 'ledger = ["ledger1", "ledger0"]'), "belongs to other data"),
    ]:
        (folder / "other.toml").write_text(text.replace(*change))
        before = spent(folder, parties)
        said = run(tacit, "launch", "-n", parties, folder / "other.toml", "--output", folder / name, code=2)
        check(sentence in said, name, said)
        check(spent(folder, parties) == before, name)
    clean(folder, 0, "--rows", place(folder, 0, parties))
    said = run(tacit, "launch", "-n", parties, job, "--output", folder / "exact", code=2)
    check("each record moved numbers of others" in said, said)
    # Constants need no statistics, and the ledger is of the table.
    constants = RULES.replace('impute = "median"', "constant = 40").replace('impute = "mean"', "constant = 100")
    (folder / "rules.toml").write_text(constants.replace('impute = "mode"', "constant = 1"))
    for rank in range(parties):
        clean(folder, rank, "--rows", place(folder, rank, parties))
    run(tacit, "launch", "-n", parties, job, "--output", folder / "constants")
    check(charged(ledger_of(folder, 0)) == 3)
    (folder / "rules.toml").write_text(RULES)


def check_refused(folder, parties, dealer):
    before = spent(folder, parties)

    def refused(name, sentence, *words, of_rank=lambda rank: []):
        codes, said = ended(start_ranks(folder, parties, dealer, *words, of_rank=of_rank))
        check(codes == [2] * (parties + dealer), name, codes, *said)
        check(any(sentence in one for one in said), name, *said)
        check(all("rank" in one for one in said if sentence not in one), name, *said)

    (folder / "sum1.counts").unlink()
    at_one = lambda *words: lambda rank: list(words) if rank == 1 else []
    refused("an epsilon that differs", "ask for different noise", of_rank=lambda rank: ["--epsilon", 1 if rank == 1 else 0.5])
    refused("no epsilon", "say --epsilon", of_rank=lambda rank: [] if rank == 1 else ["--epsilon", 0.5])
    ledger = folder / "ledger1"
    whole = ledger.read_bytes()
    ledger.write_bytes(whole.replace(b"noise=", b"noise=9", 1))
    refused("a damaged ledger", "is damaged: line 2", "--epsilon", 0.5)
    ledger.write_bytes(whole)
    refused("a ledger of other data", "belongs to other data", "--epsilon", 0.5, of_rank=at_one("--ledger", "ledger_of_others"))
    with ledger.open("r+b") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        refused("a ledger in use", "another process uses the privacy ledger", "--epsilon", 0.5)
    refused("delta", "no less than one divided by", "--epsilon", 0.5, "--delta", 0.5)
    run(tacit, "privacy", "allow", ledger, "--epsilon", before[1] + 0.1, "--delta", "1e-6")
    refused("a budget", "that rank 1 allows its data", "--epsilon", 0.5)
    check(spent(folder, parties) == before, spent(folder, parties), before)
    check(not any(one["open"] for rank in range(parties) for one in ledger_of(folder, rank)["jobs"]))
    check(not (folder / "sum1.counts").exists())
    run(tacit, "privacy", "allow", ledger, "--epsilon", 100, "--delta", "1e-6")


def check_killed(folder, parties, dealer):
    """A party is killed at any moment: the others end, nothing hangs, and a ledger has the epsilon if it was revealed."""
    before = spent(folder, parties)
    waiting = start_ranks(folder, parties, dealer, "--epsilon", 0.5, of_rank=lambda rank: None if rank == 0 else [], deadline=10)
    time.sleep(0.5)
    waiting[0].kill()
    for rank in waiting[1:]:
        rank.terminate()
    ended(waiting)
    check(spent(folder, parties) == before, spent(folder, parties), before)
    for delay in (0.1, 0.25, 0.4):
        ranks = start_ranks(folder, parties, dealer, "--epsilon", 0.5, deadline=10)
        time.sleep(delay)
        ranks[1].kill()
        codes, said = ended(ranks)
        check(codes[0] in (0, 3), codes, *said)
        now = spent(folder, parties)
        check(all(old <= new for old, new in zip(before, now)), before, now)
        if codes[0] == 0:
            check(now[0] > before[0], "revealed, and not counted", codes, now)
        before = now
    codes, said = ended(start_ranks(folder, parties, dealer, "--epsilon", 0.5))
    check(codes == [0] * (parties + dealer), "the same command starts again", codes, *said)


with tempfile.TemporaryDirectory() as name:
    two, three = pathlib.Path(name) / "two", pathlib.Path(name) / "three"
    two.mkdir()
    three.mkdir()
    check_sums(two, 2, dealer=0)
    check_sums(three, 3, dealer=1)
    for folder, parties, dealer in ((two, 2, 0), (three, 3, 1)):
        (folder / "ledger_of_others").write_bytes((folder / "ledger0").read_bytes())
        check_refused(folder, parties, dealer)
    check_training(two, 2)
    check_killed(three, 3, dealer=1)

    # Without [privacy] in the job, the options say everything.
    (two / "open.toml").write_text(rows_job("offices", 2, 4) + "[training]\nepochs = 1\n")
    words = [tacit, "data", "sum-statistics", two / "open.toml", "--all", "--rules", two / "rules.toml", "--statistics",
             str(two / "own{rank}.counts"), "--out", str(two / "trial{rank}.counts")]
    said = run(*words, "--epsilon", 1, code=2)
    check("--epsilon needs --delta" in said, said)
    said = run(*words, "--epsilon", 1, "--delta", "1e-6", code=2)
    check("say --ledger FILE" in said, said)
    said = run(*words, "--delta", "1e-6", code=2)
    check("say --epsilon, too" in said, said)
    words += ["--epsilon", 1, "--delta", "1e-6", "--ledger"]
    said = run(*words, "one", code=2)
    check("a ledger of its own" in said, said)
    said = run(*words, str(two / "trial_ledger{rank}"))
    check("0.00, and 1.00 with these sums" in said, said)
    check((two / "trial0.counts").read_text() == (two / "trial1.counts").read_text(), "the sums of both parties")
