"""replicas: compares the result of a random training with the results of several trainings by numpy (replicas), which draw other
records and other noise."""

import numpy

COUNT = 24
FAR = 7  # deviations from the replicas' mean; by chance, Student's t of 23 degrees of freedom is farther once in 2.5 million
RELATIVE = 0.02  # allowed besides: by fixed-point numbers


def unlike_number(what, own, values, allowed):
    """Returns a sentence if a number is far from the replicas' numbers."""
    mean, deviation = numpy.mean(values), numpy.std(values, ddof=1)
    if abs(own - mean) <= FAR * deviation + allowed:
        return []
    return [f"{what}: {own:.5g}, and numpy's trainings have {mean:.5g} +- {deviation:.2g}"]


def unlike_vector(what, own, others, error):
    """Returns sentences if a vector is unlike the replicas' vectors: in its part along their mean, or in its distance from their
    mean. Each replica is compared with the mean of the others. `error`: the error of an element, by fixed-point numbers."""
    total = numpy.sum(others, 0)
    means = [(total - one) / (len(others) - 1) for one in others]
    mean, floor = total / len(others), error * numpy.sqrt(len(own))
    length = numpy.linalg.norm(mean)
    parts = [along(one, other) for one, other in zip(others, means)]
    found = unlike_number(f"{what}, along the mean of {length:.3g}", along(own, mean), parts, RELATIVE * length + floor)
    floor += RELATIVE * length
    distances = [distance(one, other, floor) for one, other in zip(others, means)]
    return found + unlike_number(f"{what}, logarithm of the distance to the mean", distance(own, mean, floor), distances, 0.05)


def along(one, mean):
    return float(one @ mean / max(numpy.linalg.norm(mean), 1e-12))


def distance(one, mean, floor):
    return float(numpy.log(numpy.hypot(numpy.linalg.norm(one - mean), floor)))
