"""The range watch: mpc/levels/range_audit.h."""
import numpy as np

from shares import U, WORD_BITS, Share, Shown, low_bits, total


class RangeAudit:
    """Has any opened value left its declared range?"""

    SUMS, OVER_BITS = 2, 20

    def __init__(self, session):
        self.session = session
        self.sums = session.constant(np.zeros((1, self.SUMS)), WORD_BITS, 0)
        self.public = np.random.default_rng(99)        # coefficients: independent of the data, not secret
        self.numbers = None

    @staticmethod
    def ring_of(f, bound):
        return max(f + (-f if bound <= 0 else int(np.ceil(np.log2(bound)))), 0) + 2

    def add(self, difference):
        """2^(64-k) · sum of c_i x_i for two public random vectors c, the first one odd: zero if the difference is."""
        rows = []
        c = self.public.integers(0, 1 << 64, size=(self.SUMS, *difference.shape), dtype=np.uint64)
        c[0] |= U(1)
        for part in difference.parts:
            sums = (c * part).reshape(self.SUMS, -1).sum(1, dtype=U)
            rows.append((sums << U(WORD_BITS - difference.k)).reshape(1, self.SUMS))
        self.sums = self.sums + Share(rows, WORD_BITS, 0)

    def watch_lift(self, after, before, through):
        """`after` was lifted from a ring of `through` bits, to which `before` had been narrowed."""
        ring = min(before.k, after.k, through + self.OVER_BITS)
        if ring > through:
            self.add(Share(after.parts, ring, 0) - Share(before.parts, ring, 0))

    def watch(self, opened, x, ring):
        """`opened` is x, shown or masked. Lifts the same words from a narrower ring, to see whether x fits it."""
        if ring < x.k:
            words, mask = (opened.m, opened.r) if isinstance(opened, Shown) else (opened.delta, opened.lam)
            offset = opened.offset if isinstance(opened, Shown) else U(0)
            narrow = Shown(words + U(1 << (ring - 2)) - offset, mask, ring, x.f)
            out = min(x.k, ring + self.OVER_BITS)
            self.add(self.session.lift(narrow, out) - x.narrow(out))

    def open(self):
        """The sums times secret odd random numbers of the parties: zeros where no value has left its range."""
        s = self.session
        if self.numbers is None:
            own = [s.split(s.words((1, self.SUMS)) & low_bits(32), WORD_BITS) for _ in range(s.n)]
            drawn = Share([total(list(parts)) for parts in zip(*own)], WORD_BITS, 0)
            masked, self.numbers = s.mask(self.sums, s.add_public(drawn.times(2, 0), 1))
        else:
            masked = s.mask(self.sums)
        return s.reveal(s.product(masked, self.numbers))
