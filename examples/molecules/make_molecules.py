#!/usr/bin/python3
"""make_molecules.py FILE.npz: 120 small molecules, made up: each is a graph of 4 to 10 atoms.

A molecule is active if an atom of kind 3 is bound to one of kind 4. Whether it has both says little: only along the bonds
can a model tell."""

import sys

import numpy

MOLECULES, KINDS = 120, 5


def molecule(random, active):
    """Returns the kinds of the atoms, and the bonds of a random tree with at most one ring."""
    atoms = int(random.integers(4, 11))
    kinds = random.integers(0, 3, atoms)
    parent = [int(random.integers(atom)) for atom in range(1, atoms)]
    bonds = [(atom + 1, other) for atom, other in enumerate(parent)]
    if random.random() < 0.4:
        bonds.append((0, atoms - 1))
    one, other = bonds[int(random.integers(len(bonds)))]
    kinds[one] = 3
    if active:
        kinds[other] = 4
    else:  # the same kinds, apart from each other
        bound = {a for bond in bonds for a in bond if one in bond}
        apart = [atom for atom in range(atoms) if atom not in bound]
        if apart:
            kinds[int(random.choice(apart))] = 4
    return kinds, bonds


def main(path):
    random = numpy.random.default_rng(11)
    y = random.permutation(numpy.arange(MOLECULES) % 2)
    kinds, graph, bonds = [], [], []
    for number, active in enumerate(y):
        own, its_bonds = molecule(random, active)
        bonds += [(len(graph) + one, len(graph) + other) for one, other in its_bonds]
        kinds += list(own)
        graph += [number] * len(own)
    both = numpy.array(bonds + [(other, one) for one, other in bonds]).T
    fold = random.permutation(numpy.arange(MOLECULES) % 10)
    numpy.savez(path, x=numpy.eye(KINDS)[kinds], edge_index=numpy.unique(both, axis=1), graph=numpy.array(graph), y=y,
                train_mask=fold < 6, val_mask=fold == 6, test_mask=fold > 6)


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) == 2 else sys.exit("usage: make_molecules.py whole.npz"))
