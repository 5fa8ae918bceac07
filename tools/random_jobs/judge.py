"""judge: a verdict on a job's figures on shares, held against its twin's."""

import enum
import math


class Verdict(enum.Enum):
    AGREES = "agrees"
    NEARLY = "nearly"
    UNSTEADY = "unsteady"  # as far off as the twin itself moves when its features move by a thousandth of a deviation
    WRONG = "finished wrong"
    BLAMED = "blamed untruly"  # divergence, where the twin trains
    REFUSED = "refused"  # though the twin trains
    RIGHTLY = "refused rightly"  # the twin diverges
    CRASHED = "crashed"
    HUNG = "hung"


GOOD = {Verdict.AGREES, Verdict.NEARLY, Verdict.UNSTEADY, Verdict.RIGHTLY}
FORWARD_DISTANCE = 0.02  # of predictions from the revealed model's: rounding of a few units


def judge(job, outcome):
    if outcome.hung:
        return Verdict.HUNG
    if outcome.exit not in (0, 2):
        return Verdict.CRASHED
    if outcome.exit == 2:
        if outcome.twin_losses and not trains(outcome.twin_losses):
            return Verdict.RIGHTLY  # without a twin nothing is known of it: then it counts as refused
        return Verdict.BLAMED if "training diverged" in outcome.sentence else Verdict.REFUSED
    if outcome.forward is not None and not outcome.forward <= FORWARD_DISTANCE:
        return Verdict.WRONG
    twins = [twin for twin in [outcome.twin, *outcome.moved] if twin]
    if not twins:
        return Verdict.WRONG
    distance = max(distance_of(job, what, outcome.shares, [outcome.twin]) for what in outcome.twin)
    if distance <= 1:
        return Verdict.AGREES
    if len(twins) > 1 and max(distance_of(job, what, outcome.shares, twins) for what in outcome.twin) <= 1:
        return Verdict.UNSTEADY
    return Verdict.NEARLY if distance <= 2 else Verdict.WRONG


def trains(losses):
    """Whether the twin came to its end without a loss that the guard against divergence would stop."""
    return bool(losses) and all(math.isfinite(loss) and loss <= 100 * max(losses[0], 0.01) for loss in losses)


def distance_of(job, what, shares, twins):
    """From the range of the twins, in units of what is allowed: 5 points, or two nodes where these are more; 5 % of an
    error, or a hundredth of the targets' deviation."""
    part, metric = what.split()
    values = [twin[what] for twin in twins]
    value = shares.get(what, math.nan)
    if not all(math.isfinite(one) for one in [value, *values]):
        return math.inf
    if metric == "accuracy":
        allowed = max(0.05, 2.01 / job.count(part))
    else:
        allowed = max(0.05 * min(values), 0.01 * float(job.graph["y"].std(0).max()), 1e-12)
    return max(min(values) - value, value - max(values), 0) / allowed
