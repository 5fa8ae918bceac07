"""The entries of a table of cells for a mask, made by the parties: mpc/made/look_up.h and powers.h. The table is in cell_table.py."""
import itertools
import math

import numpy as np

from engine import SharedWords, beside, rows_of
from pairwise import rho_of


# powers
WIDEST = 128                                           # bits of a ring: two words


def lifted(engine, x, f, width):
    """x in a wider ring, for -2^(f-1) <= x < 3·2^(f-1): the f+1 low bits of x determine it."""
    offset = 1 << (f - 1)
    positive = (x + engine.constant(offset, rows_of(x), x.width)).narrowed(f + 1)
    full = [np.zeros((rows_of(x), 1), object) if p is None else p for p in positive.parts]
    _, carries = engine.add(full, f + 1, carries=True)
    return rho_of(engine, SharedWords(full, f + 1), f + 1, carries, width) - engine.constant(offset, rows_of(x), width)


class Rings:
    """Fraction bits of the powers of s, of which a product with s adds `gain`; `keep` are kept. And the rings of the powers."""

    def __init__(self, gain, degree, width, keep):
        self.width, self.keep = width, keep
        self.fraction = [min(keep, gain * m) for m in range(degree + 1)]
        self.drops = [0] + [f + gain - g for f, g in zip(self.fraction, self.fraction[1:])]

    def needed(self, m):
        return self.width - (self.keep - self.fraction[m])

    def before(self, m):
        """The ring from which no later power must be lifted, if there is one."""
        drops = list(itertools.accumulate(self.drops[m + 1:]))
        return min(WIDEST, max([self.needed(m)] + [self.needed(later) + d for later, d in enumerate(drops, m + 1)]))

    def errors(self, n):
        """Bounds of the errors, in units of 2^-keep: n/2 for each drop so far."""
        return list(itertools.accumulate(n / 2 * (d > 0) for d in self.drops))


def powers(engine, bits, degree, width, keep):
    """1, s, … s^degree, of s = the number that `bits` make, the lowest first, over 2^len(bits)."""
    rings, rows = Rings(len(bits), degree, width, keep), len(bits[0].value)
    out, power = [engine.constant(1 << keep, rows, width)], None
    for m in range(1, degree + 1):
        if m == 1:
            ring = rings.before(0)
            terms = [engine.widen(b, ring - j).shifted(j) for j, b in enumerate(bits[:ring])]
        else:
            terms = [engine.times(b, power.narrowed(power.width - j)).shifted(j) for j, b in enumerate(bits[:power.width])]
        power = sum(terms[1:], terms[0]).dropped(rings.drops[m])
        if power.width < rings.needed(m):
            power = lifted(engine, power, rings.fraction[m], rings.before(m))
        out.append(power.narrowed(rings.needed(m)).shifted(keep - rings.fraction[m]))
    return out


# look_up
MORE_BITS, GUARD_BITS, EXPONENTIAL_BITS, STEP_BITS, DEGREE = 3, 3, 24, 5, 3


def multiple_of_power(table, k, i):
    """The factor of s^(k-i) in entry i, for all cells, in units of an entry."""
    return table.coefficients[:, k] * math.comb(k, i) * (-1) ** (k - i)


def whole(numbers, bits=0):
    return np.array([[round(float(v) * 2.0**bits) for v in row] for row in np.atleast_2d(numbers)], object)


def look_up(engine, lam, table, width, *factors):
    """kLookUp: the entries of every cell C of Delta, from the bits of lambda = (S + s)·L; then each factor times them."""
    bits, _ = engine.add(lam.parts, table.b)
    position, cell = bits[:table.low], bits[table.low:][::-1]
    if table.low == 0:                                 # a table of values: 1{S = v}, or a factor there
        multiples = entries_from(table, lambda i, k: whole(multiple_of_power(table, k, i))[0])
        words = [engine.constant(1, rows_of(lam), width), *factors]
        return [engine.unary(cell, w).map(lambda p: p @ multiples) for w in words]
    make = exponential_entries if table.exponential else polynomial_entries
    entries = make(engine, position, cell, table, width)
    return [entries, *(engine.products(y, entries) for y in factors)]


def polynomial_entries(engine, position, cell, table, width):
    """From z = 1{S = v}·s^m."""
    keep = table.entry_bits + MORE_BITS
    z = engine.unary(cell, beside(powers(engine, position, table.terms - 1, width + keep + GUARD_BITS, keep)))
    multiples = entries_from(table, lambda i, k: whole(multiple_of_power(table, k, i), GUARD_BITS)[0])
    return z.map(lambda p: p @ multiples).dropped(keep + GUARD_BITS)


def entries_from(table, multiple):
    """The matrix from all 1{S = v}·s^m to the entries i of all cells C: multiple(i, i + m) of cell C - S."""
    cells, terms = 1 << table.h, table.terms
    out = np.zeros((cells * terms, cells * terms), object)
    for i in range(terms):
        for m in range(terms - i):
            of_cells = multiple(i, i + m)
            for v, C in itertools.product(range(cells), repeat=2):
                out[v * terms + m, C * terms + i] = of_cells[(C - v) % cells]
    return out


class ExponentialSteps:
    """e^(-rate·s) = e^(-rate·f)·e^(-rate·u): u the highest STEP_BITS bits of s, f the others. A polynomial, and a table."""

    def __init__(self, table):
        self.step_bits = min(STEP_BITS, table.low)
        self.degree = DEGREE if table.low > self.step_bits else 0
        self.rate = table.width / 2**self.step_bits
        at = 0.5 + 0.5 * np.cos(np.pi * (np.arange(self.degree + 1) + 0.5) / (self.degree + 1))
        fit = np.linalg.solve(np.vander(at, increasing=True), np.exp(-self.rate * at))
        self.fit, self.steps = fit if self.degree else np.ones(1), np.exp(-self.rate * np.arange(1 << self.step_bits))


def exponential_entries(engine, position, cell, table, width):
    G, steps, last = EXPONENTIAL_BITS, ExponentialSteps(table), 2 * EXPONENTIAL_BITS - table.entry_bits
    fine, ring = position[:table.low - steps.step_bits], width + last + EXPONENTIAL_BITS
    # either the powers' ring is wide enough for all steps, or a narrow one, and the polynomial's value is lifted
    lifts = ring + G + max(0, len(fine) * steps.degree - G) > WIDEST
    powers_ring, rows = 2 * G + 2 if lifts else ring + G, len(position[0].value)
    z = powers(engine, fine, steps.degree, powers_ring, G) if fine else [engine.constant(1 << G, rows, powers_ring)]
    value = beside(z).map(lambda p: p @ whole(steps.fit, G).T).dropped(G)
    if lifts:
        value = lifted(engine, value, G, ring)
    value = engine.unary(position[len(fine):][::-1], value)
    value = value.map(lambda p: p @ whole(steps.steps, G).T).dropped(G)
    multiples = entries_from(table, lambda i, k: whole(multiple_of_power(table, k, i), G - table.entry_bits)[0])
    return engine.unary(cell, value).map(lambda p: p @ multiples).dropped(last)


def largest_entry_error(table, n):
    """The bound of |entry - its real number|, in units of an entry: look_up_error.cc."""
    if table.low == 0:
        return 0
    if not table.exponential:
        off = Rings(table.low, table.terms - 1, 128, table.entry_bits + MORE_BITS).errors(n)
        worst = 0
        for i in range(table.terms):
            weighted = sum(np.abs(multiple_of_power(table, k, i)) * off[k - i] for k in range(i, table.terms))
            of_multiples = (table.terms - i) / 2.0 ** (GUARD_BITS + 1)
            worst = max(worst, np.max(weighted) / 2.0 ** (table.entry_bits + MORE_BITS) + of_multiples)
        return worst + n / 2
    G, steps, z = EXPONENTIAL_BITS, ExponentialSteps(table), np.linspace(0, 1, 1001)
    off = Rings(table.low - steps.step_bits, steps.degree, 128, G).errors(n)
    of_fit = np.abs(np.polyval(steps.fit[::-1], z) - np.exp(-steps.rate * z)).max() if steps.degree else 0
    fine = of_fit * 2.0**G + (steps.degree + 1) / 2 + n / 2 + sum(abs(c) * x for c, x in zip(steps.fit, off))
    return (table.coefficients.max() * (fine + 1 / 2 + n / 2)) / 2.0**G + 2.0 ** (table.entry_bits - G) / 2 + n / 2
