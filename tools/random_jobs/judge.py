"""judge: a verdict on a job's figures on shares, held against its twin's."""

import enum
import math


class Verdict(enum.Enum):
    AGREES = "agrees"
    NEARLY = "nearly"
    UNSTEADY = "unsteady"  # within where the twin itself goes when its features move by a thousandth of a deviation
    WRONG = "finished wrong"
    BLAMED = "blamed untruly"  # divergence, where the twin trains
    REFUSED = "refused"  # though the twin trains
    RIGHTLY = "refused rightly"  # the twin diverges, or does when its features move by that
    CRASHED = "crashed"
    HUNG = "hung"


GOOD = {Verdict.AGREES, Verdict.NEARLY, Verdict.UNSTEADY, Verdict.RIGHTLY}
DOUBTFUL = {Verdict.NEARLY, Verdict.WRONG, Verdict.BLAMED, Verdict.REFUSED}  # how steady is the twin?
FORWARD_DISTANCE = 0.02  # of predictions from the revealed model's, beside what rounding its features makes of them


def judge(job, outcome):
    if outcome.hung:
        return Verdict.HUNG
    if outcome.exit not in (0, 2):
        return Verdict.CRASHED
    if outcome.exit == 2:
        known = [losses for losses in [outcome.twin_losses, *outcome.moved_losses] if losses]
        if not all(trains(losses) for losses in known):
            return Verdict.RIGHTLY  # without a twin nothing is known of it: then it counts as refused
        return Verdict.BLAMED if "training diverged" in outcome.sentence else Verdict.REFUSED
    if outcome.forward is not None and not outcome.forward <= FORWARD_DISTANCE + outcome.sensitivity:
        return Verdict.WRONG
    twins = [twin for twin in [outcome.twin, *outcome.moved] if twin]
    if not twins:
        return Verdict.WRONG
    distance = max(distance_of(job, what, outcome.shares, [outcome.twin]) for what in outcome.twin)
    if distance <= 1:
        return Verdict.AGREES
    if len(twins) > 1 and all(is_among(job, what, outcome.shares, twins) for what in outcome.twin):
        return Verdict.UNSTEADY
    return Verdict.NEARLY if distance <= 2 else Verdict.WRONG


def trains(losses):
    """Whether the twin came to its end without a loss that the guard against divergence would stop."""
    return bool(losses) and all(math.isfinite(loss) and loss <= 100 * max(losses[0], 0.01) for loss in losses)


def is_among(job, what, shares, twins):
    """Whether it lies among the twins, or beside them by no more than their own range: a few draws reach less far than all."""
    at = [steps(job, what, twin[what]) for twin in twins]
    return distance_of(job, what, shares, twins) <= max(1, max(at) - min(at))


def distance_of(job, what, shares, twins):
    """From the range of the twins, in steps."""
    at = [steps(job, what, twin[what]) for twin in twins]
    own = steps(job, what, shares.get(what, math.nan))
    if not all(math.isfinite(one) for one in [own, *at]):
        return math.inf
    return max(min(at) - own, own - max(at), 0)


def steps(job, what, value):
    """A figure in units of what is allowed: 5 points, or two nodes where these are more; 5 % of an error, or a hundredth of
    the targets' deviation where this is more. Constant targets count as of deviation 1, as they are standardised."""
    part, metric = what.split()
    if metric == "accuracy":
        return value / max(0.05, 2.01 / job.count(part))
    deviation = float(job.graph["y"].std(0).max())
    hundredth = 0.01 * (deviation if deviation > 1e-12 * abs(job.graph["y"]).max() else 1)
    if not value > 20 * hundredth:
        return value / hundredth
    return 20 + math.log(value / (20 * hundredth)) / math.log(1.05)
