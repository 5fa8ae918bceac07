"""Numbers to share, and how exactly they come back."""

import numpy

PARTIES = [2, 3, 5]
UNIT = 2.0**-13  # of a number with 13 fraction bits


def numbers(shape, seed=1, most=4.0):
    """Multiples of a unit, so that sharing them rounds nothing."""
    drawn = numpy.random.default_rng([seed, *shape]).uniform(-most, most, shape)
    return numpy.round(drawn / UNIT) * UNIT


def seen(share):
    return share.reveal("the result of a test")


def roundings(s, count=1):
    """The largest error of so many roundings: n/2 units each, and at least one."""
    return count * max(1, s.parties / 2) * UNIT
