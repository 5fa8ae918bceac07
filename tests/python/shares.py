"""Numbers to share, and how exactly they come back; a tensor that is no array of this machine's memory."""

import numpy

PARTIES = [2, 3, 5]
UNIT = 2.0**-13  # of a number with 13 fraction bits


def numbers(shape, seed=1, most=4.0):
    """Multiples of a unit, so that sharing them rounds nothing."""
    drawn = numpy.random.default_rng([seed, *shape]).uniform(-most, most, shape)
    return numpy.round(drawn / UNIT) * UNIT


class OnACard:
    """Looks like a torch tensor on a GPU."""
    device = type("device", (), {"type": "cuda", "__str__": lambda self: "cuda:0"})()
    shape, dtype, layout = (2, 2), "torch.float32", "torch.strided"

    def detach(self):
        return self


def seen(share):
    return share.reveal("the result of a test")


def roundings(s, count=1):
    """The largest error of so many roundings: n/2 units each, and at least one."""
    return count * max(1, s.parties / 2) * UNIT
