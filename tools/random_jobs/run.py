"""run_job: runs a job on shares with the real command, and its twin in double precision."""

import copy
import dataclasses
import json
import math
import os
import signal
import subprocess
import time

import numpy

from . import deciding, forward, judge, judging, perturbed, private

PATIENCE_S = 600  # for one command


@dataclasses.dataclass
class Outcome:
    exit: int = 0
    hung: bool = False
    sentence: str = ""  # the cause, if a run did not finish
    shares: dict = dataclasses.field(default_factory=dict)  # "test rmse": the value
    twin: dict = dataclasses.field(default_factory=dict)
    twin_losses: list = dataclasses.field(default_factory=list)
    moved: list = dataclasses.field(default_factory=list)  # readings of twins with slightly moved features
    moved_losses: list = dataclasses.field(default_factory=list)
    forward: float | None = None  # distance of the revealed predictions (forward.py)
    sensitivity: float = 0
    problems: list = dataclasses.field(default_factory=list)  # metrics that differ from numpy's (judging.py)
    seconds: float = 0


def run_job(job, tacit, folder):
    """Runs a job with all files in `folder`, which is created if it does not exist."""
    folder.mkdir(exist_ok=True)
    begin = time.monotonic()
    job.write(folder)
    ended = split(tacit, folder)
    if ended.exit == 0:
        ended = launch(tacit, folder)
    outcome = Outcome(exit=ended.exit, hung=ended.hung, seconds=time.monotonic() - begin)
    if ended.exit != 0:
        outcome.sentence = cause_of(ended)
    for rank in ended.json.get("ranks", []):
        for reading in (rank or {}).get("readings") or []:
            outcome.shares.setdefault(reading["what"], number(reading["value"]))
    outcome.twin, outcome.twin_losses = read_twin(folder / "run" / "plain" / "events.jsonl")
    if ended.exit == 0:
        outcome.forward, outcome.sensitivity = forward.distance(job, folder / "run" / "rank0")
        outcome.problems = judging.problems(job, folder / "run" / "rank0")
        if deciding.decides(job):
            outcome.problems += deciding.problems(job, folder / "run")
            same_end = deciding.job_of_same_end(job, folder / "run", lambda *numbers: judge.is_near(job, *numbers))
            if same_end:
                outcome.twin, _ = twin_alone(same_end, tacit, folder / "same_end")
    if not outcome.twin_losses:  # the job was refused before any rank began
        outcome.twin, outcome.twin_losses = twin_alone(job, tacit, folder / "alone")
    return outcome


def moved_twin(job, tacit, folder, moved_by, seed):
    """Runs the twin with moved features. Each feature moves by a part of its column's deviation."""
    moved = copy.deepcopy(job)
    x = moved.graph["x"]
    moved.graph["x"] = x + moved_by * numpy.nanstd(x, 0) * numpy.random.default_rng(seed).normal(size=x.shape)
    outcome = run_job(moved, tacit, folder)
    return outcome.twin, outcome.twin_losses


def twin_alone(job, tacit, folder):
    """Runs the twin of the same job with one party that holds everything, for a job that is refused on shares."""
    alone = copy.deepcopy(job)
    alone.parties = 1
    alone.ranges = {"features": 1048576}
    alone.ring = {}  # 64 bits by default, with room for that range; the twin itself has no ring
    alone.data |= {"features": "rank 0"} | ({} if job.links else {"labels": "rank 0", "masks": "public"})
    alone.data["edges"] = "none" if job.data["edges"] == "none" else "public"
    alone.data.pop("adjacency", None)
    folder.mkdir()
    alone.write(folder)
    if split(tacit, folder).exit != 0:
        return {}, []
    launch(tacit, folder)
    return read_twin(folder / "run" / "plain" / "events.jsonl")


@dataclasses.dataclass
class Ended:
    exit: int
    hung: bool
    json: dict
    said: str


def split(tacit, folder):
    return command([tacit, "data", "split", "whole.npz", "--job", "job.toml", "--out", "."], folder)


def launch(tacit, folder, plain=True):
    return command([tacit, "launch", "job.toml", *(["--plain"] if plain else []), "--json", "--output", "run"], folder)


def run_private(job, tacit, folder):
    """Runs a job with a table [privacy], and the same training several times in numpy."""
    folder.mkdir(exist_ok=True)
    begin = time.monotonic()
    job.write(folder)
    ended = split(tacit, folder)
    if ended.exit == 0:
        ended = launch(tacit, folder, plain=False)
    outcome = Outcome(exit=ended.exit, hung=ended.hung, seconds=time.monotonic() - begin)
    if ended.exit != 0:
        outcome.sentence = cause_of(ended)
        return outcome
    outcome.problems, own, expected = private.problems(job, folder)
    outcome.shares = {f"test {job.metric}": own.get("metric", math.nan), "length of movement": own.get("length", math.nan)}
    outcome.twin = {f"test {job.metric}": expected.get("metric", math.nan), "length of movement": expected.get("length", math.nan)}
    return outcome


def run_perturbed(job, tacit, folder):
    """Runs a job with model.perturbed, and the same training several times in numpy."""
    folder.mkdir(exist_ok=True)
    begin = time.monotonic()
    job.write(folder)
    ended = split(tacit, folder)
    if ended.exit == 0:
        ended = launch(tacit, folder, plain=False)
    outcome = Outcome(exit=ended.exit, hung=ended.hung, seconds=time.monotonic() - begin)
    if ended.exit != 0:
        outcome.sentence = cause_of(ended)
        if not job.refused_for:
            perturbed.trainings_of(job)  # notes the largest numbers
    elif job.refused_for:
        outcome.problems = [f"{job.refused_for} was not refused"]
    else:
        outcome.problems, own, expected = perturbed.problems(job, folder, ended.said)
        outcome.shares, outcome.twin = {"test accuracy": own}, {"test accuracy": expected}
    return outcome


def command(arguments, folder):
    """Runs a command in a process group of its own, so that all processes of a hanging command can be killed."""
    process = subprocess.Popen(
        arguments, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    try:
        answer, said = process.communicate(timeout=PATIENCE_S)
        hung = False
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        answer, said = process.communicate()
        hung = True
    try:
        answer = json.loads(answer)
    except ValueError:
        answer = {}
    return Ended(process.returncode, hung, answer if isinstance(answer, dict) else {}, said)


def cause_of(ended):
    """Returns the error of the rank that found the cause. The other ranks only report that this rank gave up."""
    said = [line.split("tacit: ", 1)[1] for line in ended.said.splitlines() if "tacit: " in line]
    own = [sentence for sentence in said if " gave up: " not in sentence and "rank " != sentence[:5]]
    return (own or said or [ended.json.get("error", "") or ended.said.strip()[-300:]])[0]


def read_twin(path):
    readings, losses = {}, []
    if not path.exists():
        return readings, losses
    for line in path.read_text().splitlines():
        event = json.loads(line)
        if event["event"] != "epoch":
            continue
        losses.append(number(event["loss"]))
        told = event["readings"] + event.get("best", {}).get("readings", [])
        readings |= {reading["what"]: number(reading["value"]) for reading in told}
    return readings, losses


def number(value):
    """Converts a JSON number. null stands for a number that is not finite."""
    return math.nan if value is None else value
