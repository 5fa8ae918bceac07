#!/usr/bin/python3
"""make_trade.py FILE.npz: 180 firms and who trades with whom, made up.

A firm belongs to one of six trades, and mostly deals with firms of its own trade and of the next one. Its features say little
about its trade: only with its partners can a model tell. Six pairs of firms are to be predicted."""

import sys

import numpy

FIRMS, TRADES, FEATURES = 180, 6, 8


def main(path):
    random = numpy.random.default_rng(7)
    trade = random.integers(0, TRADES, FIRMS)
    x = random.normal(0, 1, (TRADES, FEATURES))[trade] + random.normal(0, 1.2, (FIRMS, FEATURES))
    apart = (trade[:, None] - trade[None, :]) % TRADES
    chance = numpy.where(apart == 0, 0.3, numpy.where((apart == 1) | (apart == TRADES - 1), 0.05, 0.005))
    one, other = numpy.nonzero(numpy.triu(random.random((FIRMS, FIRMS)) < chance, 1))
    linked = set(zip(one, other))
    likely = [(a, b) for a in range(FIRMS) for b in range(a + 1, FIRMS) if trade[a] == trade[b] and (a, b) not in linked]
    unlikely = [(a, b) for a in range(FIRMS) for b in range(a + 1, FIRMS) if (trade[a] - trade[b]) % TRADES == 3]
    pairs = [likely[i] for i in random.choice(len(likely), 3, False)] + [
        unlikely[i] for i in random.choice(len(unlikely), 3, False)]
    numpy.savez(path, x=x, edge_index=numpy.stack([numpy.append(one, other), numpy.append(other, one)]),
                pairs=numpy.array(pairs).T, ids=numpy.array([f"firm {number}" for number in range(FIRMS)]))


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) == 2 else sys.exit("usage: make_trade.py whole.npz"))
