"""judge: compares the figures of a job on shares with its twin's, and returns a verdict."""

import enum
import math

import numpy

from . import private


class Verdict(enum.Enum):
    AGREES = "agrees"
    NEARLY = "nearly"
    UNSTEADY = "unsteady"  # within the range of twins whose features move by a thousandth of a deviation
    WRONG = "finished wrong"
    BLAMED = "blamed untruly"  # reports a divergence, but the twin trains
    REFUSED = "refused"  # but the twin trains
    RIGHTLY = "refused rightly"  # the twin diverges, or a moved twin does
    CRASHED = "crashed"
    HUNG = "hung"


GOOD = {Verdict.AGREES, Verdict.NEARLY, Verdict.UNSTEADY, Verdict.RIGHTLY}
DOUBTFUL = {Verdict.NEARLY, Verdict.WRONG, Verdict.BLAMED, Verdict.REFUSED}  # moved twins show how steady the twin is
FORWARD_DISTANCE = 0.02  # allowed between predictions and the revealed model's, besides the sensitivity


def judge(job, outcome):
    if outcome.hung:
        return Verdict.HUNG
    if outcome.exit not in (0, 2):
        return Verdict.CRASHED
    if outcome.exit == 2:
        known = [losses for losses in [outcome.twin_losses, *outcome.moved_losses] if losses]
        if not all(trains(losses) for losses in known):
            return Verdict.RIGHTLY  # without any twin, the job counts as refused
        return Verdict.BLAMED if "training diverged" in outcome.sentence else Verdict.REFUSED
    if outcome.forward is not None and not outcome.forward <= FORWARD_DISTANCE + outcome.sensitivity:
        return Verdict.WRONG
    if outcome.problems:
        return Verdict.WRONG
    twins = [twin for twin in [outcome.twin, *outcome.moved] if twin]
    if not twins:
        return Verdict.WRONG
    distance = max(distance_of(job, what, outcome.shares, [outcome.twin]) for what in compared(job, outcome.twin))
    if distance <= 1:
        return Verdict.AGREES
    if len(twins) > 1 and all(is_among(job, what, outcome.shares, twins) for what in compared(job, outcome.twin)):
        return Verdict.UNSTEADY
    return Verdict.NEARLY if distance <= 2 else Verdict.WRONG


def judge_private(job, outcome):
    """Judges a job with a table [privacy]. A job on shares is rightly refused if a gradient can be too long to be clipped."""
    if outcome.hung:
        return Verdict.HUNG
    if outcome.exit not in (0, 2):
        return Verdict.CRASHED
    if outcome.exit == 2:
        long = job.mode == "shares" and private.longest(job) > 0.95 * 4096
        return Verdict.RIGHTLY if long and "the gradient of a record can be" in outcome.sentence else Verdict.REFUSED
    return Verdict.WRONG if outcome.problems else Verdict.AGREES


def judge_perturbed(job, outcome):
    """Judges a job with model.perturbed. A job that asks for too much is rightly refused with the path of the setting, and a job
    with numbers beyond the default ranges with a sentence of the range watch."""
    if outcome.hung:
        return Verdict.HUNG
    if outcome.exit not in (0, 2):
        return Verdict.CRASHED
    if outcome.exit == 2:
        if job.refused_for:
            return Verdict.RIGHTLY if job.refused_for in outcome.sentence else Verdict.REFUSED
        watched = "left their range" in outcome.sentence or "training diverged" in outcome.sentence
        return Verdict.RIGHTLY if watched and job.beyond_ranges else Verdict.REFUSED
    if outcome.problems:
        return Verdict.UNSTEADY if job.beyond_adam else Verdict.WRONG
    return Verdict.AGREES


def compared(job, twin):
    """The figures that have a scale here. numpy judges the others (judging.py)."""
    return [what for what in twin if what.split()[1] == job.metric]


def trains(losses):
    """True if the twin finished without a loss that the divergence guard would stop."""
    return bool(losses) and all(math.isfinite(loss) and loss <= 100 * max(losses[0], 0.01) for loss in losses)


def is_among(job, what, shares, twins):
    """True if the figure lies among the twins, or beside them by at most their own range, since a few draws do not reach the
    ends of the range."""
    at = [steps(job, what, twin[what]) for twin in twins]
    return distance_of(job, what, shares, twins) <= max(1, max(at) - min(at))


def distance_of(job, what, shares, twins):
    """Returns the distance from the range of the twins, in steps."""
    at = [steps(job, what, twin[what]) for twin in twins]
    own = steps(job, what, shares.get(what, math.nan))
    if not all(math.isfinite(one) for one in [own, *at]):
        return math.inf
    return max(min(at) - own, own - max(at), 0)


def is_near(job, metric, own, twin):
    """True if two judged numbers are as near as the figures of two runs that agree."""
    if metric in ("accuracy", "rmse"):
        return abs(steps(job, f"test {metric}", own) - steps(job, f"test {metric}", twin)) <= 1
    return abs(own - twin) <= 0.01 + 0.05 * abs(twin)


def steps(job, what, value):
    """Returns a figure in units of the allowed difference. For accuracy: 5 points or two nodes, the larger one. For errors: 5 %
    or a hundredth of the targets' deviation, the larger one. Constant targets have a deviation of 1, as in standardising."""
    part, metric = what.split()
    if metric == "accuracy":
        return value / max(0.05, 2.01 / job.count(part))
    deviation = float(numpy.nanstd(job.graph["y"], 0).max())
    hundredth = 0.01 * (deviation if deviation > 1e-12 * numpy.nanmax(abs(job.graph["y"])) else 1)
    if not value > 20 * hundredth:
        return value / hundredth
    return 20 + math.log(value / (20 * hundredth)) / math.log(1.05)
