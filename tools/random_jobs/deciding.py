"""deciding: early stopping and a plateau for a random job; the decisions that follow from the revealed numbers; and a twin that
stops at the epoch at which the shares stopped.

The rules are written here once more, and applied to the numbers in the events: the run on shares, and its twin, must have
stopped, gone back to a model and lowered the rate exactly as these rules say. The two may decide differently if a number
is as close to the best one as rounding. Their models are then from different epochs, and the model on shares is compared with
a twin that trains up to its epoch."""

import copy
import json

import numpy


def add(job, seed, number):
    """Draws from a stream of its own, so that the rest of the job does not change."""
    random = numpy.random.default_rng([seed, number, 2])
    kinds = ["loss", job.metric] + (["log_loss"] if job.classes else ["mae"])
    rules = ["stopping", "plateau"] if random.random() < 0.3 else [str(random.choice(["stopping", "stopping", "plateau"]))]
    for rule in rules:
        made = {"metric": str(random.choice(kinds)), "patience": int(random.choice([1, 2, 3, 5]))}
        if made["metric"] == "loss":
            job.reveal["loss"] = "everyone"
        else:
            made["part"] = "test"  # job.py reveals the test nodes' metric; a random job may have no nodes for validation
            job.training["evaluate_every"] = int(random.choice([1, 2, 5]))
            if made["metric"] != job.metric and {"what": made["metric"], "part": "test"} not in job.metrics:
                job.metrics.append({"what": made["metric"], "part": "test"})
        if random.random() < 0.4:
            made["least_improvement"] = float(random.choice([0.001, 0.01]))
        if rule == "plateau":
            made["factor"] = float(random.choice([0.5, 0.25]))
        elif random.random() < 0.25:
            made["keep_best"] = False
        job.training[rule] = made
        job.traits.append(f"{rule} by {made['metric']}, patience {made['patience']}")


def decides(job):
    return "stopping" in job.training or "plateau" in job.training


class Rule:
    """The course of one judged number so far."""

    def __init__(self, told):
        self.told, self.stale, self.best = told, 0, None
        self.larger = told["metric"] == "accuracy"

    def number(self, event):
        if self.told["metric"] == "loss":
            return event["loss"]
        name = f"{self.told['part']} {self.told['metric']}"
        return next((one["value"] for one in event["readings"] if one["what"] == name), None)

    def takes(self, value):
        """Counts a number. Returns whether it is better than the best one, and whether the patience is at its end."""
        gain = None if self.best is None else value - self.best if self.larger else self.best - value
        better = gain is None or gain > self.told.get("least_improvement", 0)
        self.best = value if better else self.best
        self.stale = 0 if better else self.stale + 1
        return better, self.stale >= self.told["patience"]


class Course:
    """The decisions that follow from the numbers in some events."""

    def __init__(self, job, events):
        self.numbers, self.decided, self.problems = [], [], []  # numbers and decisions of the rule for stopping, by epoch
        training = job.training
        stopping, plateau = (Rule(training[rule]) if rule in training else None for rule in ("stopping", "plateau"))
        keeps = stopping is not None and training["stopping"].get("keep_best", True)
        every, reductions, best, stop = training.get("evaluate_every", 0), 0, None, None
        self.reductions = []
        for event in events:
            epoch = event["epoch"]
            rate = training["optimiser"]["rate"] * max(1e-6, training["plateau"]["factor"] ** reductions if plateau else 1)
            if abs(event["rate"] - rate) > 1e-9 * rate:
                self.problems.append(f"epoch {epoch} has the rate {event['rate']:.6g} and not {rate:.6g}")
            if stop is not None:
                self.problems.append(f"epoch {epoch} was trained, though the rule stops after epoch {stop}")
                break
            for rule in (stopping, plateau):
                if rule is None:
                    continue
                of_loss = rule.told["metric"] == "loss"
                due = of_loss or (every > 0 and epoch % every == 0) or (rule is stopping and keeps and epoch == training["epochs"])
                value = rule.number(event) if due else None
                if value is None:
                    continue
                better, at_end = rule.takes(value)
                if rule is plateau:
                    if at_end:
                        reductions, rule.stale = reductions + 1, 0
                        self.reductions.append(epoch)
                    continue
                self.numbers.append((epoch, value))
                self.decided.append(better)
                if better and keeps:
                    best = epoch - 1 if of_loss else epoch
                if at_end:
                    stop = epoch
        self.last = events[-1]["epoch"]
        if stop is None and self.last < training["epochs"]:
            self.problems.append(f"the training ended after epoch {self.last}, though the rule does not stop")
        self.of = best if keeps and stopping.stale > 0 else None  # the epoch of the result, if it is not the last one
        told = events[-1].get("best", {}).get("epoch")
        if told != self.of:
            self.problems.append(f"the result is the model after epoch {told}, and not {self.of}")

    def result(self):
        return self.last if self.of is None else self.of


def courses(job, folder):
    """Returns the course on shares and the twin's; None for a run without events."""
    made = []
    for rank in ("rank0", "plain"):
        path = folder / rank / "events.jsonl"
        lines = path.read_text().splitlines() if path.exists() else []
        events = [event for event in map(json.loads, lines) if event["event"] == "epoch"]
        made.append(Course(job, events) if events else None)
    return made


def problems(job, folder):
    """Returns a sentence for each decision that does not follow from the revealed numbers."""
    shares, twin = courses(job, folder)
    named = [("on shares", shares), ("the twin", twin)]
    return [f"{name}: {problem}" for name, course in named if course for problem in course.problems[:3]]


def job_of_same_end(job, folder, near):
    """Returns the job of a twin that trains up to the epoch of the result on shares, if the two decided differently and all
    numbers before were near; None if they decided the same, or the numbers had parted before."""
    shares, twin = courses(job, folder)
    if shares is None or twin is None or "stopping" not in job.training:
        return None
    if (shares.decided, shares.result()) == (twin.decided, twin.result()) or shares.result() < 1:
        return None
    for (epoch, own), (_, its), one, other in zip(shares.numbers, twin.numbers, shares.decided, twin.decided):
        if not near(job.training["stopping"]["metric"], own, its):
            return None
        if one != other:
            break
    forced = copy.deepcopy(job)
    forced.training["epochs"] = shares.result()
    del forced.training["stopping"]
    return forced
