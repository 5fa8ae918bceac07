#!/usr/bin/env python3
"""checks.py [SAMPLES]: every protocol of protocols.py against plain arithmetic, at 1, 2, 3 and 5 parties.

Values reach both edges of each declared range. Costs are compared with what the cards in mpc/protocols state. At the end a
small GCN trains on shares and in double precision. SAMPLES is how many random values a check draws (default 2,000)."""
import pathlib
import re
import sys

try:
    import numpy as np
except ImportError:
    print("skipped: python3-numpy is not installed (tools/setup --tests)")
    sys.exit(77)

sys.dont_write_bytecode = True
import protocols as P
import shares as S
from cell_table import CellTable
from range_audit import RangeAudit
from shares import U, Share

SAMPLES = int(sys.argv[1]) if __name__ == "__main__" and len(sys.argv) > 1 else 2000
RINGS = ((64, 16), (64, 13), (56, 13), (48, 12))
PARTIES = (1, 2, 3, 5)


def integers(s, x, k):
    """Shares of whole numbers, without fraction bits."""
    return Share(s.split(np.asarray(x, np.int64).astype(U), k), k, 0)


def spread(s, edge):
    """Random numbers in -edge … edge, both edges included."""
    return np.concatenate([s.random.integers(-edge, edge, size=SAMPLES, endpoint=True),
                           np.tile([edge, -edge, 0, -1, 1, edge - 1], 100)])


def costs(s, run):
    s.clear_counts()
    out = run()
    return out, (s.rounds, s.sent_bits, s.dealt_bits)


def inputs_and_reveals(s, K, f):
    x = s.random.normal(0, 100, (50, 3))
    shared, spent = costs(s, lambda: s.input(x, K, f))
    assert spent == (0, 0, 0)
    assert np.abs(s.value(shared) - x).max() <= 2.0 ** -(f + 1)
    assert np.array_equal(s.value(s.constant(x, K, f)), s.value(shared))
    assert np.array_equal(s.value(s.add_public(shared, -(3 << f))), s.value(shared) - 3)
    seen, spent = costs(s, lambda: s.reveal(shared))
    assert np.array_equal(seen, s.value(shared)) and spent == (1, x.size * K, 0)
    late, spent = costs(s, lambda: s.late_reveal(shared))
    assert spent == (0, 0, 0)
    seen, spent = costs(s, lambda: s.revealed(late))   # the bits travel with the first call, and count here
    assert np.array_equal(seen, s.value(shared)) and spent == (0, x.size * K, 0)
    back = s.restore(shared)
    assert np.array_equal(s.value(back), s.value(shared))
    if s.n > 1:                                        # no share is the saved one; unequal transcripts reveal noise
        assert all((a != b).any() for a, b in zip(back.parts, shared.parts))
        tags = np.full((s.n, s.n), 7)
        assert np.array_equal(s.reveal(shared, tags), s.value(shared))
        tags[0, 1] = 8
        assert (s.reveal(shared, tags) != s.value(shared)).all()
        assert (s.revealed(s.late_reveal(shared, tags)) != s.value(shared)).all()


def products(s, K, f):
    """Products, dropped and lifted, are off by no more than max(1, n/2) units of the last fraction bit."""
    worst = max(1.0, s.n / 2) * 1.001 * 2.0**-f
    for scale in (0.0, 1.0, 2.0 ** ((K - 2 * f - 9) / 2)):
        a, b = s.random.normal(0, 1, (40, 32)) * scale, s.random.normal(0, 1, (32, 40)) * scale
        (ma, mb), spent = costs(s, lambda: s.mask(s.input(a, K, f), s.input(b, K, f)))
        assert spent == (1, (a.size + b.size) * K, 0)
        product, spent = costs(s, lambda: s.matmul(ma, mb))
        assert spent == (0, 0, 40 * 40 * K)            # one dealt element per output
        small, spent = costs(s, lambda: s.drop(product, f))
        assert spent == (0, 0, 0) and small.k == K - f
        a, b = S.decode(S.encode(a, f), K, f), S.decode(S.encode(b, f), K, f)
        for got in (small, s.lift(s.show(small), 64), s.lift(s.show(small), small.k)):
            assert np.abs(s.value(got) - a @ b).max() <= worst
        elementwise = s.drop(s.product(ma, mb.T), f)
        assert np.abs(s.value(elementwise) - a * b.T).max() <= worst
        rows, spent = costs(s, lambda: s.row_product(ma, mb.T))
        assert spent == (0, 0, 40 * K)                 # one dealt element per row
        assert np.abs(s.value(s.drop(rows, f))[:, 0] - (a * b.T).sum(1)).max() <= worst
        lower = s.matmul(s.masked(s.show(small)), ma)  # what was shown is a masked operand, in its own ring
        assert lower.k == small.k and lower.f == 2 * f


def own_matrices(s, K, f):
    """Products by a sparse matrix that one party knows are exact, for any shape and number of entries."""
    for rows, cols, density, more in ((1, 1, 1, 0), (4, 4, 0.4, 2), (6, 3, 0.5, 0), (2, 7, 0.3, 1), (5, 5, 0, 3)):
        S = np.where(s.random.random((rows, cols)) < density, s.random.integers(-40, 40, (rows, cols)), 0)
        most = int(np.count_nonzero(S)) + more
        own = s.own_matrix(S, 2, most, s.n - 1)
        x = s.random.integers(-100, 100, (cols, 3))
        product, spent = costs(s, lambda: s.own_product(own, s.input(x, K, 0)))
        list_ = 3 * (max(rows, cols) + most)
        assert spent == (1, 3 * list_ * K, (3 * list_ + 3 * rows) * K)
        assert np.array_equal(s.value(product) * 4, S @ x)
        others = [np.where(s.random.random((rows, cols)) < density, s.random.integers(-40, 40, (rows, cols)), 0) for _ in range(s.n)]
        owned = [s.own_matrix(one, 2, np.count_nonzero(one) + more, owner) for owner, one in enumerate(others)]
        product, spent = costs(s, lambda: s.own_matrix_sum(owned, s.input(x, K, 0)))
        lists = [3 * (max(rows, cols) + np.count_nonzero(one) + more) for one in others]
        assert spent == (1, sum(3 * one * K for one in lists), sum((3 * one + 3 * rows) * K for one in lists))
        assert np.array_equal(s.value(product) * 4, sum(others) @ x)


def noises(s, K, f):
    """The variance that is left to outsiders, to the dealer and to n-1 parties; nothing is sent."""
    n, sigma, x = s.n, 1 << 12, integers(s, np.zeros(SAMPLES), K)
    for source, left in (("dealt", (1, 0, 1)), ("parties", (n, n, 1)), ("both", (2 - 1 / n, 1, 1))):
        dealt, each = s.noise_parts(sigma, n, n - 1, source)
        parts = [(dealt**2 + n * each**2) / sigma**2, n * each**2 / sigma**2, (dealt**2 + each**2) / sigma**2]
        assert np.allclose(parts, left, atol=0.002) and parts[2] >= 1 and (source == "dealt" or parts[1] >= 1)
        noisy, spent = costs(s, lambda: s.add_noise(x, sigma, source=source))
        assert spent == (0, 0, K * SAMPLES if dealt else 0)
        z = s.value(noisy) / sigma
        assert abs((z**2).mean() / left[0] - 1) < 6 * np.sqrt(2 / SAMPLES)


def rounding(s, K, f):
    """A drop has no bias, also where the low bits of all shares are zero, and no value of the ring wraps."""
    for number, zeros in ((5 << (f - 3), 0), (5 << (f - 3), f - 4), (0, 0)):
        x = np.full(8 * SAMPLES, number >> zeros, np.int64)
        parts = [p << U(zeros) for p in s.split(x.astype(U), K - zeros)]
        got = s.value(s.drop(Share(parts, K, f), f))
        assert np.abs(got - number / 2.0**f).max() < max(1.0, s.n / 2) + 1e-9
        assert abs(got.mean() - number / 2.0**f) < 6 * max(got.std(), 1e-9) / np.sqrt(got.size) + 1e-9
    x = spread(s, (1 << (K - 1)) - (s.n << f))
    got = s.value(s.drop(integers(s, x, K).times(1, f), f))
    assert np.abs(got - x / 2.0**f).max() <= max(1.0, s.n / 2) * 1.001 + 2.0 ** (K - f - 53)


def lifts(s, K, f):
    k = K - f
    x = spread(s, (1 << (k - 2)) - 1)
    for k_out in {k, K, 64}:
        shown, spent = costs(s, lambda: s.show(integers(s, x, k)))
        assert spent == (1, x.size * k, 0)
        lifted, spent = costs(s, lambda: s.lift(shown, k_out))
        assert np.array_equal(s.value(lifted), x) and spent == (0, 0, 2 * (k_out - k) * x.size)
    for k, l, k_out in ((22, 29, 53), (35, 20, 53), (4, 21, 40), (30, 18, 64)):
        x, y = spread(s, (1 << (k - 2)) - 1), spread(s, (1 << (l - 2)) - 1)
        shown = s.show(integers(s, x, k), integers(s, y, l))
        product, spent = costs(s, lambda: s.lifted_product(*shown, k_out))
        dealt = k_out + 3 * (k_out - k) + 3 * (k_out - l) + max(0, k_out - k - l)
        assert np.array_equal(s.value(product), (x * y + (1 << (k_out - 1))) % (1 << k_out) - (1 << (k_out - 1))
                              if k_out < 64 else x * y)
        assert spent == (0, 0, dealt * x.size)


def columns(s, K, f):
    """A column times every column. The dealer sends the column's wrap once for a row. Then b·x·y of a column x and a masked row y, in one round."""
    for k, l, k_out in ((22, 29, 53), (38, 23, 61), (12, 12, 48), (25, 41, 64)):
        x, row = spread(s, (1 << (k - 2)) - 1)[:, None], np.array([[(1 << (l - 2)) - 1, -1, 1 - (1 << (l - 2))]])
        y = np.tile(row, (len(x), 1))
        exact = lambda a: np.vectorize(lambda v: (int(v) + (1 << (k_out - 1))) % (1 << k_out) - (1 << (k_out - 1)))(a.astype(object))
        own = 2 * (k_out - k) * x.size
        dealt = own + (k_out + (k_out - k) + 3 * (k_out - l) + max(0, k_out - k - l)) * y.size
        shown = s.show(integers(s, x, k), integers(s, y, l))
        product, spent = costs(s, lambda: s.lifted_product(*shown, k_out))
        assert np.array_equal(s.value(product), exact(x.astype(object) * y)) and spent == (0, 0, dealt)
        signs = np.where((x + y) % 2 == 0, 7, -7)
        bits = s.non_negative((s.show(integers(s, signs, 9)), 5, 0))

        def outer(bits, column, row):
            chosen = s.select(bits, s.shown_rows(row, len(x), l), l)
            return s.lifted_product(*s.show(column, chosen), k_out)

        masked = s.mask(integers(s, row, max(l, 40)))
        product, spent = costs(s, lambda: outer(bits, integers(s, x, k), masked))
        assert np.array_equal(s.value(product), exact((signs > 0) * (x.astype(object) * y)))
        assert spent == (1, k * x.size + l * y.size, dealt + 2 * l * y.size)


def multiples(s, K, f):
    """Below one unit from the factor times x, and as often above as below, in a ring as wide as wanted."""
    for k, k_out, mantissa, shift in ((20, 64, 1365, 12), (36, 64, -4093, 25), (20, 40, 3, 20), (9, 9, 5, 0), (8, 12, 1, 8)):
        most = min((1 << (k - 2)) - 1, ((1 << (k_out - 1)) - 1 << shift) // abs(mantissa))
        x = spread(s, most)
        shown = s.show(integers(s, x, k))
        got, spent = costs(s, lambda: s.lifted_multiple(shown, mantissa, shift, k_out, 0))
        assert np.abs(s.value(got) - x * mantissa / 2.0**shift).max() < 1 + 2.0 ** (k_out - 54)
        assert spent == (0, 0, 2 * k_out * x.size)
    for number in (0, 1, -7, 300):
        x = np.full(8 * SAMPLES, number, np.int64)
        got = s.value(s.lifted_multiple(s.show(integers(s, x, 20)), 5, 6, 64, 0))
        assert abs(got.mean() - number * 5 / 64) < 6 * max(got.std(), 1e-9) / np.sqrt(got.size) + 1e-9


def polynomials(s, K, f):
    """Exact in every ring. A product of masks is dealt once, in the narrowest ring that is enough."""
    def check(rings, polynomials, dealt=None):
        xs = [spread(s, (1 << min(k - 2, 20)) - 1) for k in rings]
        shown = [s.show(integers(s, x, k)) for x, k in zip(xs, rings)]
        got, spent = costs(s, lambda: s.lifted_polynomials(shown, [(terms, k, 0) for terms, k in polynomials]))
        for share, (terms, k_out) in zip(got, polynomials):
            wanted = sum(c * np.prod([xs[v].astype(object) for v in factors], axis=0) if factors else c + 0 * xs[0].astype(object)
                         for c, factors in terms)
            total = sum(p.astype(object) for p in share.parts)
            assert all((int(a) - int(b)) % (1 << k_out) == 0 for a, b in zip(total, wanted))
        assert spent[:2] == (0, 0) and (dealt is None or spent[2] == dealt * xs[0].size)

    product = lambda k, l, wide: wide + 3 * (wide - k) + 3 * (wide - l) + max(0, wide - k - l)
    check((22, 29), [([(1, (0, 1))], 53)], product(22, 29, 53))
    check((22, 29), [([(1 << 5, (0, 1))], 53)], product(22, 29, 48))
    check((22, 29), [([(1, (0, 1))], 48), ([(3, (0, 1))], 40), ([(1, (0,))], 48)], product(22, 29, 48))
    check((13,), [([(1, (0, 0))], 31)], 31 + 3 * (31 - 13 - 1))
    check((13,), [([(5 << 18, (0,)), (-3 << 10, (0, 0)), (1, (0, 0, 0))], 33)])
    check((13, 23, 17), [([(-1, (0, 1)), (512, (1,))], 33), ([(7, (0,)), (1, ()), (-123, (0, 1, 2))], 60)])
    check((20, 6), [([(1, (0, 0, 1)), (-9, (1, 1, 1))], 64), ([(3, (0,))], 11)])


def comparisons(s, K, f):
    """Exact for |x - at| < 2^(hi-1), at any threshold. All thresholds of a call use the same dealt products of r's bits."""
    k = K - f
    hi = min(f + 13, k - 1)
    edge = (1 << (hi - 1)) - 1
    x = spread(s, edge)
    groups = P.comparison_groups(hi - 1)
    first = sum(2**g - 1 for g in groups) + 1
    carry, m = P.carry_products(len(groups)), len(groups)
    assert [P.comparison_groups(bits) for bits in (1, 3, 7)] == [[1], [3], [3, 2, 2]]
    shown = s.show(integers(s, x, k))
    bits, spent = costs(s, lambda: s.non_negative((shown, hi, 0)))
    assert np.array_equal((bits.delta ^ bits.full) == 1, x >= 0)
    assert spent == (2, 2 * m * x.size, (first + carry) * x.size)
    if hi == 26:
        assert (2 * m, first + carry, carry) == (12, 201, 94)      # mpc/README.md, Costs
    near = spread(s, edge // 4)
    shown = s.show(integers(s, near, k))
    thresholds = (0, 1, -1, edge // 4, -(edge // 4))
    all_bits, spent = costs(s, lambda: s.non_negative(*[(shown, hi, at) for at in thresholds]))
    for at, bits in zip(thresholds, all_bits):
        assert np.array_equal((bits.delta ^ bits.full) == 1, near >= at)
    assert spent == (2, 5 * 2 * m * near.size, (first + 5 * carry) * near.size)
    low = 4                                            # ignored bits: set for all x >= at, and perhaps for the 15 below
    shown = s.show(integers(s, near, k))
    bits, spent = costs(s, lambda: s.non_negative((shown, hi, 7, low)))
    bit = (bits.delta ^ bits.full) == 1
    assert bit[near >= 7].all() and not bit[near < 7 - (1 << low) + 1].any()
    groups = P.comparison_groups(hi - 1 - low)
    assert spent[1:] == (2 * len(groups) * near.size,
                         (sum(2**g - 1 for g in groups) + 1 + P.carry_products(len(groups))) * near.size)


def selections(s, K, f):
    k = K - f
    hi = min(f + 13, k - 1)
    x = spread(s, (1 << (hi - 1)) - 1)
    shown = s.show(integers(s, x, k))
    for k_out in {k, 64}:
        bits = s.non_negative((shown, hi, 0))
        chosen, spent = costs(s, lambda: s.select(bits, shown, k_out))
        assert np.array_equal(s.value(chosen), np.maximum(x, 0))
        lifting = 4 * (k_out - k)
        assert spent == (0, 0, (2 * k_out + lifting) * x.size)
        again, spent = costs(s, lambda: s.select(bits, s.show(integers(s, x, k)), k))       # the backward pass
        assert np.array_equal(s.value(again), np.maximum(x, 0)) and spent[2] == k * x.size
        which, spent = costs(s, lambda: s.indicator(bits, k))      # mu was dealt before
        assert np.array_equal(s.value(which), x >= 0) and spent == (0, 0, 0)
    bits = s.non_negative((shown, hi, 0))
    small, spent = costs(s, lambda: s.select(bits, shown, 7))      # modulo a narrower ring
    assert ((s.value(small) - np.maximum(x, 0)) % (1 << 7) == 0).all() and spent == (0, 0, 14 * x.size)
    bits = s.non_negative((shown, hi, 0))
    for ring in (k, K):                                # mu in a ring that is wider than before is dealt again
        which, spent = costs(s, lambda: s.indicator(bits, ring))
        assert np.array_equal(s.value(which), x >= 0) and spent == (0, 0, ring * x.size)
    if (K, f) == (64, 13):                             # a ReLU: show, compare, select, mask. mpc/README.md, Costs
        def relu():
            shown = s.show(integers(s, x, k))
            return s.mask(s.select(s.non_negative((shown, hi, 0)), shown, k))
        _, (rounds, sent, dealt) = costs(s, relu)
        assert (rounds, sent / x.size, dealt / x.size) == (4, 114, 303)


def winners(s, K, f):
    """One-hot argmax from the comparisons of all pairs, and the maximum; the first of equals wins."""
    k = K - f
    for columns in (2, 3, 5):
        x = s.random.integers(-(1 << 20), 1 << 20, size=(60, columns))
        x[::7, -1] = x[::7, 0]
        shown = s.show(integers(s, x, k))
        pairs, spent = costs(s, lambda: s.pair_differences(shown))
        first, second = zip(*s.pairs(columns))
        assert np.array_equal(s.value(s.lift(pairs, k)), x[:, first] - x[:, second]) and spent == (0, 0, 0)
        bits = s.non_negative((pairs, 23, 0))
        (which, times), spent = costs(s, lambda: s.winner(bits, s.masked(shown), K))
        expected = np.arange(columns) == x.argmax(1)[:, None]
        assert np.array_equal(s.value(which), expected) and np.array_equal(s.value(times), x * expected)
        assert spent == (0, 0, 2 ** (columns - 1) * (K + k) * x.size)


def tables(s, K, f):
    """Lookup tables: exact for values, within 2^-9 for a root, within 2^-12 for an exponential; and times a factor."""
    values = CellTable.of_values(6, lambda v: v * v - 3)
    x = np.arange(-32, 32)
    got, spent = costs(s, lambda: s.look_up(s.masked(s.show(integers(s, np.arange(-16, 16), 6))), values, K))
    assert np.array_equal(s.value(got), np.arange(-16, 16) ** 2 - 3) and spent == (1, 32 * 6, 32 * 64 * K)
    assert np.array_equal(s.value(s.look_up(s.mask(integers(s, x, 6)), values, K)), x * x - 3)

    root = CellTable.polynomial(24, 16, 4, 48.0, 112.0, 4, 14, 14, np.sqrt)      # 16 cells of width 16
    x, y = s.random.uniform(48, 111, (200, 1)), s.random.normal(0, 4, (200, 1))
    (mx, my) = s.mask(s.input(x, 24, 16), s.input(y, 56, 13))
    (value, times), spent = costs(s, lambda: s.look_up(mx, root, 64, my))
    assert np.abs(s.value(value) - np.sqrt(x)).max() < 2.0**-9
    assert np.abs(s.value(times) - np.sqrt(x) * y).max() < 0.1 and times.k == 56
    assert spent == (0, 0, 16 * 5 * (64 + 56) * x.size)

    power = CellTable.exponential_of(20, 15, 5, 0.0, 0.0, 15, 15)                # e^x for -15 <= x <= 0
    x = s.random.uniform(-15, 0, 300)
    got = s.value(s.look_up(s.mask(s.input(x, 20, 15)), power, 48))
    assert np.abs(got - np.exp(x)).max() < 2.0**-12


def audits(s, K, f):
    """No false alarm at the edges of a range; a value beyond three times the bound is found every time."""
    k, ring = K - f, 14
    bound = 1 << (ring - 2)
    assert RangeAudit.ring_of(0, bound) == ring and RangeAudit.ring_of(f, 2.0 ** (ring - 2 - f)) == ring
    inside = s.random.integers(-bound, bound, size=(30, 4), endpoint=True)
    inside[0] = bound, -bound, 0, 1
    shown = s.show(integers(s, inside, k))
    (_, spent), audit = costs(s, lambda: None), RangeAudit(s)
    _, spent = costs(s, lambda: audit.watch(shown, integers(s, inside, k), ring))
    assert spent == (0, 0, 2 * min(k - ring, 20) * inside.size)
    for beyond in (3 * bound, -3 * bound, 1 << 20):
        outside = inside.copy()
        outside[7, 2] = beyond
        for form in (lambda x: s.show(x), lambda x: s.mask(x)):
            audit, x = RangeAudit(s), integers(s, inside, k)
            audit.watch(form(x), x, ring)
            assert (audit.open() == 0).all()
            x = integers(s, outside, k)
            audit.watch(form(x), x, ring)
            assert (audit.open() != 0).any() and (audit.open() != 0).any()
    for value, clean in ((bound - 1, True), (4 * bound, False)):   # narrowed, shown and lifted back
        audit, x = RangeAudit(s), integers(s, np.full((1, 9), value), k)
        audit.watch_lift(s.lift(s.show(x.narrow(ring)), k), x, ring)
        got, spent = costs(s, audit.open)
        assert (got == 0).all() == clean
        assert spent == (2, 64 * 2 * (2 + 1), 64 * 2)  # the sums and the parties' numbers are masked, the products opened


def gcn(s, K, f, epochs=40):
    """A GCN of two layers with a private dense adjacency and squared error: the same steps in double precision."""
    g = np.random.default_rng(7)
    nodes, width, hidden = 60, 6, 8
    A = (g.random((nodes, nodes)) < 0.08).astype(float)
    A = np.maximum(A, A.T)
    np.fill_diagonal(A, 1)
    root = 1 / np.sqrt(A.sum(1))
    A = A * root[:, None] * root
    X = g.normal(0, 1, (nodes, width))
    Y = np.tanh(A @ A @ X @ g.normal(0, 1, (width, 1)))
    W1, W2 = g.normal(0, 0.5, (width, hidden)), g.normal(0, 0.5, (hidden, 1))
    rate, room = 0.25, 2 * f + 10                      # a product needs its fraction bits and ten more

    def settle(p):                                     # drop; lift back to K only where the next product would not fit
        p = s.drop(p, f)
        return p if p.k >= room else s.lift(s.show(p), K)

    def updated(w, gradient):
        step = s.lift(s.show(s.drop(gradient, f)), K).times(int(round(2 * rate / nodes * 2**20)), 20)
        w = w - s.drop(step, 20)
        return w if w.k == K else s.lift(s.show(w), K)

    mA, mX = s.mask(s.input(A, K, f), s.input(X, K, f))
    mAX = s.mask(s.lift(s.show(s.drop(s.matmul(mA, mX), f)), K))
    Ys, w1, w2 = s.input(Y, K, f), s.input(W1, K, f), s.input(W2, K, f)
    for _ in range(epochs):
        Z1 = A @ X @ W1
        H1 = np.maximum(Z1, 0)
        Z2 = A @ (H1 @ W2)
        D2 = A.T @ (Z2 - Y)
        D1 = (D2 @ W2.T) * (Z1 > 0)
        W1, W2 = W1 - 2 * rate / nodes * (A @ X).T @ D1, W2 - 2 * rate / nodes * H1.T @ D2

        m1, m2 = s.mask(w1, w2)                        # fresh masks: a lambda belongs to a value, not to a variable
        shown = s.show(s.drop(s.matmul(mAX, m1), f))
        bits = s.non_negative((shown, min(f + 13, shown.k - 1), 0))
        mh = s.mask(s.select(bits, shown, shown.k))
        z2 = s.lift(s.show(s.drop(s.matmul(mA, s.mask(settle(s.matmul(mh, m2)))), f)), K)
        md = s.mask(settle(s.matmul(mA.T, s.mask(z2 - Ys))))
        back = s.show(s.drop(s.matmul(md, m2.T), f))
        d1 = s.mask(s.select(bits, back, back.k if back.k >= room else K))
        w1, w2 = updated(w1, s.matmul(mAX.T, d1)), updated(w2, s.matmul(mh.T, md))
    plain, shared = ((Z2 - Y) ** 2).mean(), ((s.value(z2) - Y) ** 2).mean()
    assert abs(shared - plain) < 0.03 * plain, (K, f, s.n, plain, shared)
    return plain, shared


def contributions(s, K, f):
    """Exact sums of the parties' own numbers, and sums of their roundings; nothing is sent. The same with noise, opened."""
    own = [s.random.integers(-2**40, 2**40, (3, 5)) for _ in range(s.n)]
    x = s.contribution(own, 64, 20)
    assert (s.value(x) == sum(own) / 2**20).all()
    coarse = s.value(s.round_contribution(x, 40, 8))
    assert (coarse == sum(np.floor(o / 2**12 + 0.5) for o in own) / 2**8).all()
    assert abs(coarse - s.value(x)).max() <= s.n / 2**9
    exact, spent = costs(s, lambda: s.noisy_sum(own, 0, 64, 20, (40, 8)))
    assert (exact == coarse).all() and spent[0] == 1
    z = s.noisy_sum([np.zeros(SAMPLES, np.int64)] * s.n, 1 << 12, 64, 20, (64, 20)) * 2**20 / (1 << 12)
    assert abs((z**2).mean() / s.n - 1) < 6 * np.sqrt(2 / SAMPLES)


def every_card_is_here():
    """Every card of mpc/protocols has a function of its name, or the one that is named for it here."""
    others = {"compare": P.Session.non_negative, "noise": P.Session.add_noise, "CellTable": CellTable}
    no_algebra = {"compare_transcripts", "decide", "note_seen"}
    for header in sorted((pathlib.Path(__file__).resolve().parents[2] / "mpc/protocols").glob("*.h")):
        card = re.match(r"// (\w+) — ", header.read_text(encoding="utf-8"))
        if card and card[1] not in no_algebra:
            assert card[1] in others or hasattr(P.Session, card[1]), f"{header.name} has no function in protocols.py"


def main():
    every_card_is_here()
    for K, f in RINGS:
        for n in PARTIES:
            for check in (inputs_and_reveals, products, own_matrices, noises, contributions, rounding, lifts, columns, multiples, polynomials, comparisons,
                          selections, winners, tables, audits):
                try:
                    check(P.Session(n, seed=100 * n + K), K, f)
                except AssertionError:
                    print(f"{check.__name__} fails at K = {K}, f = {f}, n = {n}")
                    raise
    for n in (2, 3):
        plain, shared = gcn(P.Session(n, seed=3), 64, 13)
        print(f"GCN, n = {n}: loss {plain:.6f} in double precision, {shared:.6f} on shares")
    print("all checks hold")


if __name__ == "__main__":
    main()
