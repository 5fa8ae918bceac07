"""Correlations without a dealer: mpc/made/ and mpc/correlations/pairwise_correlations.cc.

Every mask is drawn by each party alone; a correlation is a function of the sum of the parties' masks. Each function here makes
one kind of request by the steps of engine.py. Look-ups are in pairwise_look_up.py, large matrix products in masked_product.py.
"""
import itertools

import numpy as np

from engine import SharedBits, SharedWords, low, rows_of
from switching_network import layers_of, settings_of


# wrap
def over_of(engine, r, k, carries, width):
    """r >> k for r = the sum of all parties' words: the parties' own upper bits, and the carries."""
    return sum((engine.widen(c, width) for c in carries), r.map(lambda p: p >> k, width))


def rho_of(engine, r, k, carries, width):
    """The k low bits of r as a word: the sum of the parties' low bits, less 2^k for each carry."""
    own = r.map(lambda p: low(p, k), width)
    if width <= k or not carries:
        return own
    widened = [engine.widen(c, width - k) for c in carries]
    return own - sum(widened[1:], widened[0]).shifted(k)


def wrap(engine, r, k, width):
    bits, carries = engine.add(r.parts, k, carries=True)
    return over_of(engine, r, k, carries, width), engine.widen(bits[-1], width)


# bit_products
def subset_products(engine, bits, times=None):
    """The product of every non-empty subset, in the order of its bit mask; with `times`, its product with every subset."""
    made = {0: times} if times else {1 << j: b for j, b in enumerate(bits)}
    for mask in range(1, 1 << len(bits)):
        if mask not in made:
            lowest = (mask & -mask).bit_length() - 1
            made[mask] = engine.both(bits[lowest], made[mask & (mask - 1)])
    return [made[mask] for mask in sorted(made)]


def group_products(engine, r, hi, groups, ignored=0):
    """kBitProducts: all subsets of r's bits within each group, then bit hi-1 of r."""
    bits, _ = engine.add(r.parts, hi)
    ends = list(itertools.accumulate(groups, initial=ignored))
    return [p for begin, end in zip(ends, ends[1:]) for p in subset_products(engine, bits[begin:end])] + [bits[-1]]


def carry_products(engine, generate, propagate):
    """kBitProducts: all subsets of the propagate masks, then each generate mask with those of the propagate masks above it."""
    made = subset_products(engine, propagate)
    for k, g in enumerate(generate):
        made += subset_products(engine, propagate[k:], times=g)
    return made


# selection
def selection(engine, mu, r, k, width, with_mu):
    """kSelection: mu·r; mu, if wanted; for a lift by q bits the two terms of the wrap, and mu times both."""
    q, out = width - k, [engine.times(mu, r.narrowed(width))]
    if with_mu:
        out.append(engine.widen(mu, width))
    if q > 0:
        terms = wrap(engine, r, k, q)
        out += [*terms, *(engine.times(mu, term) for term in terms)]
    return out


# share_products
def row_product(engine, x, y, width):
    """kRowProduct, of tables of the same shape: an element's row is a row of the products."""
    columns = x.parts[0].shape[1]
    products = [engine.products(x.columns(c, c + 1).narrowed(width), y.columns(c, c + 1).narrowed(width)) for c in range(columns)]
    return sum(products[1:], products[0])


def small_matrix_product(engine, x, y, width):
    """kMatrixProduct where that takes fewer bytes than masked_product.py: each word of x times a row of y."""
    m, c, p = x.parts[0].shape[0], *y.parts[0].shape
    left = x.map(lambda a: a.reshape(m * c, 1), width)
    return engine.products(left, y.map(lambda a: np.tile(a, (m, 1)), width)).map(lambda a: a.reshape(m, c, p).sum(1))


# lifted_multiple
def lifted_multiple(engine, r, k, mantissa, shift, width):
    """kLiftedMultiple: rho·mantissa / 2^shift, which each party rounds, so it is off by up to n/2 units; then bit k-1 of r."""
    wide = width + shift
    bits, carries = engine.add(r.parts, k, carries=wide > k)
    rho = rho_of(engine, r, k, carries, wide)
    return rho.map(lambda p: p * mantissa).dropped(shift), engine.widen(bits[-1], width)


# mask_products
def mask_products(engine, r, k, wanted):
    """kMaskProducts, for r and k by mask. wanted: (factors, width) with factors (mask, power of rho, sigma or not), sorted.

    A product is made of the product without its last factor: words times sigma, or times rho bit by bit."""
    def last_step(factors):
        with_sigma = [f for f in factors if f[2]]
        v, power, sigma = with_sigma[0] if with_sigma else min(factors, key=lambda f: k[f[0]])
        left = (v, power, False) if sigma else (v, power - 1, False)
        rest = tuple(left if f == (v, power, sigma) else f for f in factors)
        return v, sigma, tuple(f for f in rest if f[1] or f[2])

    degree = lambda factors: sum(power + sigma for _, power, sigma in factors)
    widths = {}                                        # of every product, in the widest ring that is needed
    need = lambda factors, width: widths.update({factors: max(width, widths.get(factors, 0))})
    for factors, width in wanted:
        need(factors, width)
    for d in range(max(map(degree, widths)), 1, -1):
        for factors in [f for f in widths if degree(f) == d]:
            need(last_step(factors)[2], widths[factors])
    sums = [engine.add(of.parts, bits, carries=True) for of, bits in zip(r, k)]
    made = {}
    for factors in sorted(widths, key=degree):
        (v, sigma, rest), width = last_step(factors), widths[factors]
        bits, carries = sums[v]
        if not rest:
            made[factors] = engine.widen(bits[-1], width) if sigma else rho_of(engine, r[v], k[v], carries, width)
        elif sigma:
            made[factors] = engine.times(bits[-1], made[rest].narrowed(width))
        else:
            terms = [engine.times(b, made[rest].narrowed(width - j)).shifted(j) for j, b in enumerate(bits[:width])]
            made[factors] = sum(terms[1:], terms[0])
    return [made[factors].narrowed(width) for factors, width in wanted]


def lifted_product(engine, x, y, k, l, width):
    """kLiftedProduct: the terms of both wraps, and the products of masks and terms that protocols.py's lifted_product uses."""
    rho, sigma = (lambda v: (v, 1, False)), (lambda v: (v, 0, True))
    wanted = [((rho(0), rho(1)), width), ((rho(0), sigma(1)), width - l), ((sigma(0), rho(1)), width - k)]
    wanted += [((sigma(0), sigma(1)), width - k - l)] if width > k + l else []
    return [*wrap(engine, x, k, width - k), *wrap(engine, y, l, width - l), *mask_products(engine, [x, y], [k, l], wanted)]


# winner
def winner(engine, pairs, y, width, y_width):
    """kWinner: for each column of y a table over the patterns of its pairs' mask bits, with 1, and with y, at the place where
    it wins. pairs: mask bits by (a, b), a < b. The tables are in the order of the deltas."""
    columns = y.parts[0].shape[1]
    one = engine.constant(1, rows_of(y), width)
    tables = []
    for words in [one] * columns, [y.columns(a, a + 1).narrowed(y_width) for a in range(columns)]:
        for a in range(columns):
            bits = [pairs[min(a, b), max(a, b)] for b in range(columns) if b != a]
            table, winning = engine.unary(bits, words[a]), (1 << (columns - 1 - a)) - 1
            order = np.arange(1 << (columns - 1)) ^ winning
            tables.append(table.map(lambda p: p[:, order]))
    return tables[:columns], tables[columns:]


# route
def route(engine, lam, owner, order, outputs, width, kappa=None):
    """kRoute: row order[i] is row i of lambda. The owner alone has the bits of the switches. Rows u and v become u + b(v - u)
    and v - b(v - u)."""
    rows = lam.narrowed(width)
    for pairs, exchanged in zip(layers_of(len(order)), settings_of(order)):
        if not pairs:
            continue
        bits = SharedBits(engine.only(owner, np.array(exchanged, np.uint8)))
        first, second = (list(side) for side in zip(*pairs))
        change = engine.times(bits, rows.map(lambda p: p[second] - p[first]))
        moved = []
        for part, by in zip(rows.parts, change.parts):
            part = part.copy()
            part[first], part[second] = part[first] + by, part[second] - by
            moved.append(part)
        rows = SharedWords(moved, width)
    rows = rows.map(lambda p: p[:outputs])
    return [rows] if kappa is None else [rows, engine.products(kappa.map(lambda p: p[:outputs], width), rows)]
