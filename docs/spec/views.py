#!/usr/bin/env python3
"""views.py [SAMPLES]: everything that n-1 parties see together in one run of every protocol, as bits.

They see their own dealt shares, masks and bits, and every word that is opened. If the run is private, that view is uniform
whatever the secrets are: it has full rank over GF(2), and no bit, pair of bits or small parity is biased, for two different
secrets. Every row of a batch is one sample; the ring is small. SAMPLES is how many (default 3,200)."""
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
from shares import U

SAMPLES = int(sys.argv[1]) if __name__ == "__main__" and len(sys.argv) > 1 else 3200
RING = 11


class Coalition(P.Session):
    """All parties but `honest`, which takes the share that makes each sum right."""

    def __init__(self, n, honest, seed):
        super().__init__(n, seed)
        self.honest, self.others = honest, [j for j in range(n) if j != honest]
        self.columns = []

    def see(self, words, bits):
        for column in words.reshape(len(words), -1).T:
            self.columns += [S.bit_of(column.astype(U), b) for b in range(bits)]

    def split(self, x, k):
        parts = [self.words(x.shape) & S.low_bits(k) for _ in range(self.n)]
        parts[self.honest] = (x - sum((parts[j] for j in self.others), U(0) * x)) & S.low_bits(k)
        for j in self.others:
            self.see(parts[j], k)
        return parts

    def split_bits(self, b):
        parts = [self.bits(b.shape) for _ in range(self.n)]
        parts[self.honest] = np.bitwise_xor.reduce(np.stack([parts[j] for j in self.others] + [b.astype(np.uint8)]))
        for j in self.others:
            self.see(parts[j], 1)
        return parts

    def mask_words(self, shape):
        masks = super().mask_words(shape)
        for j in self.others:
            self.see(masks[j], RING)                   # of the bits above, no protocol here uses more than `lift` deals
        return masks

    def mask_bits(self, shape):
        masks = super().mask_bits(shape)
        for j in self.others:
            self.see(masks[j], 1)
        return masks

    def open(self, parts, k):
        words = super().open(parts, k)
        self.see(words, k)
        return words

    def open_to(self, party, parts, k):
        words = super().open_to(party, parts, k)
        if party in self.others:
            self.see(words, k)
        return words

    def open_bits(self, share, mu):
        bits = super().open_bits(share, mu)
        self.see(bits.delta, 1)
        return bits


def view(a, b, n, honest, seed):
    """A program that calls every protocol, and most protocols on values that other calls have used."""
    s = Coalition(n, honest, seed)
    batch = lambda v, k, f: S.Share(s.split(np.full((SAMPLES, 1), v, np.int64).astype(U), k), k, f)
    mx, my = s.mask(batch(a, RING, 1), batch(b, RING, 1))
    once, square = s.product(mx, my), s.product(mx, mx)
    w1, w2 = s.show(s.drop(once, 1), s.drop(square, 1))
    at_0, at_1 = s.non_negative((w1, 7, 0), (w1, 7, 3))            # two thresholds of one shown value
    chosen, again = s.select(at_0, w1, w1.k), s.select(at_0, w2, w2.k)
    lifted = s.select(at_1, w1, RING)
    which = s.indicator(at_0, RING)
    direct = s.product(s.masked(w1), mx)                           # what was shown as an operand of a product
    ms = s.mask(chosen, again, lifted, which, s.lift(w2, RING))
    s.show(s.drop(direct, 1), s.drop(s.product(ms[0], ms[2]), 1))
    columns = [batch(v, 6, 0).parts for v in (a, b, 3)]
    shown = s.show(S.Share([np.concatenate(part, 1) for part in zip(*columns)], 6, 0))
    won, times = s.winner(s.non_negative((s.pair_differences(shown), 5, 0)), s.masked(shown), 3)
    s.mask(won, times)
    table = CellTable.of_values(2, lambda v: 2 * v + 1)
    looked_up, product = s.look_up(s.mask(batch(b % 4, 2, 0)), table, 4, my)
    s.mask(looked_up, product, s.restore(looked_up))
    s.mask(s.row_product(mx, my), s.add_noise(batch(a, RING, 1), 16))
    part = s.select(at_1, s.shown_rows(mx, 1, 5), 5)               # of a masked value, whose mask serves other products as well
    s.mask(s.lifted_product(w1, s.show(part), RING))
    s.mask(s.lifted_multiple(w1, 5, 3, RING, 1))
    s.mask(*s.lifted_polynomials([s.show(batch(b, 5, 0)), w2], [([(3, (0, 0)), (-1, (0, 0, 1))], RING, 0), ([(1, (0,))], 8, 0)]))
    s.mask(s.indicator(s.non_negative((w2, 7, 1, 2)), 5))
    ends = S.Share([np.concatenate(part, 1) for part in zip(*(batch(v, 4, 0).parts for v in (a, b)))], 4, 0)
    owned = [s.own_matrix(np.array([[0, 3], [1, 2]]), 0, 2, 0, 4, SAMPLES), s.own_matrix(np.array([[3, 0], [0, 1]]), 0, 0, 1, 4, SAMPLES)]
    s.mask(s.own_matrix_sum(owned, ends, axis=1))
    return np.stack(s.columns, 1)


def rank(bits):
    """Over GF(2), 64 columns to the word."""
    packed = np.packbits(np.pad(bits, ((0, 0), (0, -bits.shape[1] % 64))), axis=1)
    rows, r = np.ascontiguousarray(packed).view(np.uint64), 0
    for c in range(bits.shape[1]):
        probe = np.uint64(int.from_bytes(np.packbits(np.arange(64) == c % 64).tobytes(), sys.byteorder))
        below = r + np.nonzero(rows[r:, c // 64] & probe)[0]
        if len(below) == 0:
            continue
        rows[[r, below[0]]] = rows[[below[0], r]]
        rows[below[1:]] ^= rows[r]
        r += 1
    return r


def independent(view):
    width = view.shape[1]
    assert len(view) >= width + 200, "too few samples for this view"
    return rank(np.concatenate([view[: width + 200], np.ones((width + 200, 1), np.uint8)], 1)) == width + 1


def judge(views):
    """Full rank, and how far bits, parities and pairs are from uniform, in standard deviations."""
    (samples, width), sigma = views[0].shape, 0.5 / np.sqrt(len(views[0]))
    full = all(independent(v) for v in views)
    bias = max(np.abs(v.mean(0) - 0.5).max() for v in views) / sigma
    signs = [1 - 2 * v.astype(np.float32) for v in views]
    pair = max(np.abs(v.T @ v - samples * np.eye(width, dtype=np.float32)).max() for v in signs) / np.sqrt(samples)
    g, parity = np.random.default_rng(3), 0
    for _ in range(2000):
        pick = g.choice(width, g.integers(2, 6), replace=False)
        x, y = (np.bitwise_xor.reduce(v[:, pick], 1).mean() for v in views)
        parity = max(parity, abs(x - y) / (sigma * np.sqrt(2)))
    return full, bias, pair, parity


def main():
    for n, honest in ((2, 0), (3, 1)):
        views = view(5, -6, n, honest, 11), view(-1, 1, n, honest, 12)
        full, bias, pair, parity = judge(views)
        print(f"n = {n}, honest {honest}: {views[0].shape[1]} bits seen, full rank: {full}; worst bit {bias:.1f}, "
              f"pair {pair:.1f}, parity {parity:.1f} standard deviations")
        assert full and bias < 6 and pair < 7 and parity < 6
    spoilt = views[0].copy()                           # a negative control: one bit is the sum of two others
    spoilt[:, 5] = spoilt[:, 17] ^ spoilt[:, 40]
    assert not independent(spoilt)
    print("every view is uniform")


if __name__ == "__main__":
    main()
