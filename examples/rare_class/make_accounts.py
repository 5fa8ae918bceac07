#!/usr/bin/python3
"""make_accounts.py FILE.npz: 2,000 accounts and their transfers; 3 % of the accounts are marked.

A marked account differs a little in each column, and sends most of its transfers to other marked ones."""

import sys

import numpy

ACCOUNTS, MARKED, COLUMNS, TRANSFERS = 2000, 60, 9, 6


def main(path):
    random = numpy.random.default_rng(7)
    y = numpy.zeros(ACCOUNTS, numpy.int64)
    y[random.permutation(ACCOUNTS)[:MARKED]] = 1
    x = random.normal(size=(ACCOUNTS, COLUMNS)) + 1.1 * y[:, None]
    marked = numpy.flatnonzero(y)
    source = numpy.repeat(numpy.arange(ACCOUNTS), TRANSFERS)
    among_marked = (y[source] == 1) & (random.random(len(source)) < 0.7)
    target = numpy.where(among_marked, random.choice(marked, len(source)), random.integers(ACCOUNTS, size=len(source)))
    other = source != target
    edges = numpy.unique(numpy.stack([source[other], target[other]]), axis=1)
    # The marked accounts are spread evenly over the parts, as a stratified split spreads them.
    order = numpy.concatenate([random.permutation(marked), random.permutation(numpy.flatnonzero(y == 0))])
    fold = numpy.empty(ACCOUNTS, numpy.int64)
    fold[order] = numpy.arange(ACCOUNTS) % 10
    numpy.savez(path, x=x, y=y, edge_index=edges, train_mask=fold < 4, val_mask=fold == 4, test_mask=fold > 4)


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) == 2 else sys.exit("usage: make_accounts.py whole.npz"))
