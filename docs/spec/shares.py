"""Shares and masked values, and how they are dealt, opened and revealed: what all protocols of protocols.py are written in.

Notation   [x]    additive shares: sum_i x_i = x (mod 2^k)
           <x>    masked form: Delta = x + lambda is public, lambda is additively shared and belongs to one value
           <b>2   a bit: delta = b ^ mu is public, mu is XOR-shared, and dealt as words where a protocol needs that
A tensor has k ring bits, at most 64, and f fraction bits. Words are uint64, and every word that leaves a party is reduced
modulo 2^k first. `full` is the sum of a mask: the dealer alone knows it.
"""
import numpy as np

U = np.uint64
ONE = U(1)
WORD_BITS = 64


def low_bits(k):
    return U(0xFFFFFFFFFFFFFFFF) if k == WORD_BITS else U((1 << k) - 1)


def total(parts):
    return sum(parts[1:], parts[0])


def bit_of(words, j):
    return ((words >> U(j)) & ONE).astype(np.uint8)


def signed(words, k):
    return (words << U(WORD_BITS - k)).astype(np.int64) >> (WORD_BITS - k)


def encode(x, f):
    return np.rint(np.asarray(x, np.float64) * 2.0**f).astype(np.int64).astype(U)


def decode(words, k, f):
    return signed(words, k).astype(np.float64) / 2.0**f


class Share:
    """[x]. Sums and differences are local, in the narrower ring. A public factor is local, too."""

    def __init__(self, parts, k, f):
        self.parts, self.k, self.f = [p & low_bits(k) for p in parts], k, f

    @property
    def shape(self):
        return self.parts[0].shape

    def narrow(self, k):
        assert k <= self.k
        return Share(self.parts, k, self.f)

    def __add__(self, other):
        assert self.f == other.f
        return Share([a + b for a, b in zip(self.parts, other.parts)], min(self.k, other.k), self.f)

    def __sub__(self, other):
        assert self.f == other.f
        return Share([a - b for a, b in zip(self.parts, other.parts)], min(self.k, other.k), self.f)

    def times(self, integer, fraction_bits):
        """By a public integer that stands for integer / 2^fraction_bits."""
        return Share([p * U(integer & (2**64 - 1)) for p in self.parts], self.k, self.f + fraction_bits)


class Masked:
    """<x>."""

    def __init__(self, delta, lam, k, f):
        self.k, self.f = k, f
        self.delta, self.lam = delta & low_bits(k), [l & low_bits(k) for l in lam]
        self.full = total(self.lam) & low_bits(k)

    @property
    def T(self):
        return Masked(self.delta.T, [l.T for l in self.lam], self.k, self.f)


class Shown:
    """M = x + 2^(k-2) + r (mod 2^k) is public. The r_i are words of 64 bits, since a lift needs bits above k."""

    def __init__(self, m, r, k, f):
        self.m, self.r, self.k, self.f = m & low_bits(k), r, k, f
        self.full = total(r)

    @property
    def offset(self):
        return U(1 << (self.k - 2))


class Bits:
    """<b>2. `words` keeps mu as dealt in a ring of `k` bits: a later selection in a ring no wider uses it again."""

    def __init__(self, delta, mu):
        self.delta, self.mu = delta, mu
        self.full = np.bitwise_xor.reduce(np.stack(mu))
        self.words, self.k = None, 0


class Sharing:
    def __init__(self, n, seed=1):
        self.n, self.random = n, np.random.default_rng(seed)
        self.draws = 0
        self.clear_counts()

    def clear_counts(self):
        self.sent_bits = 0     # from one party to one peer, by a direct opening
        self.dealt_bits = 0    # from the dealer, to all parties together: n-1 of n shares are streams
        self.rounds = 0

    # randomness: streams of seeds are free, dealt shares are counted
    def words(self, shape):
        return self.random.integers(0, 1 << 64, size=shape, dtype=np.uint64)

    def bits(self, shape):
        return self.random.integers(0, 2, size=shape, dtype=np.uint8)

    def mask_words(self, shape):
        return [self.words(shape) for _ in range(self.n)]

    def mask_bits(self, shape):
        return [self.bits(shape) for _ in range(self.n)]

    def split(self, x, k):
        """n-1 shares are streams, and the last one makes the sum right: the dealer's correction, or the owner's share."""
        streams = [self.words(x.shape) for _ in range(self.n - 1)]
        return [p & low_bits(k) for p in streams + [x - sum(streams, U(0) * x)]]

    def split_bits(self, b):
        streams = [self.bits(b.shape) for _ in range(self.n - 1)]
        last = b.astype(np.uint8)
        for stream in streams:
            last = last ^ stream
        return streams + [last]

    def deal(self, x, k):
        self.dealt_bits += x.size * k
        return self.split(x, k)

    def deal_bits(self, b):
        self.dealt_bits += b.size
        return self.split_bits(b)

    def open(self, parts, k):
        self.sent_bits += parts[0].size * k
        return total([p & low_bits(k) for p in parts]) & low_bits(k)

    def open_to(self, party, parts, k):
        """The same at one party alone."""
        self.sent_bits += parts[0].size * k
        return total([p & low_bits(k) for p in parts]) & low_bits(k)

    def open_bits(self, share, mu):
        self.sent_bits += share[0].size
        delta = share[0] ^ mu[0]
        for s, m in zip(share[1:], mu[1:]):
            delta = delta ^ s ^ m
        return Bits(delta, mu)

    def value(self, x):
        """The plain value, for checks alone."""
        return decode(total(x.parts) & low_bits(x.k), x.k, x.f)

    # input, constant, add_public
    def input(self, x, k, f):
        return Share(self.split(encode(x, f), k), k, f)

    def constant(self, x, k, f):
        words = encode(x, f)
        return Share([words] + [U(0) * words] * (self.n - 1), k, f)

    # contribution
    def contribution(self, own, k, f):
        """Each party's own whole numbers of units are its share of their sum. No wrap: k bits hold the sum."""
        return Share([o.astype(np.int64).astype(U) & low_bits(k) for o in own], k, f)

    def round_contribution(self, x, k, f):
        """Each party rounds its own number, to f fraction bits of a ring of k."""
        d = x.f - f
        signed = [(p.astype(np.int64) << (64 - x.k)) >> (64 - x.k) for p in x.parts]
        half = (1 << d) >> 1
        return Share([((s + half) >> d).astype(U) & low_bits(k) for s in signed], k, f)

    def add_public(self, x, units):
        return Share([x.parts[0] + U(units & (2**64 - 1))] + x.parts[1:], x.k, x.f)

    # reveal, late_reveal, restore: shares of zero
    def refresh(self, x, tags=None):
        """Parties i < j share a stream; i adds it, and j subtracts it. Its name holds the tag that each of the two has of
        the pair's transcript: tags[i][j] is the tag at party i. If the two tags differ, the two streams differ."""
        self.draws += 1
        out = list(x.parts)
        for i in range(self.n):
            for j in range(i + 1, self.n):
                for end, peer, add in ((i, j, True), (j, i, False)):
                    tag = 0 if tags is None else tags[end][peer]
                    stream = np.random.default_rng([i, j, self.draws, tag]).integers(0, 1 << 64, size=x.shape, dtype=U)
                    out[end] = out[end] + stream if add else out[end] - stream
        return Share(out, x.k, x.f)

    def reveal(self, x, tags=None):
        self.rounds += 1
        fresh = self.refresh(x, tags)
        return decode(self.open(fresh.parts, x.k), x.k, x.f)

    def late_reveal(self, x, tags=None):
        """The shares of the first call; the caller passes them to revealed() after its next opening. No round."""
        return self.refresh(x, tags)

    def revealed(self, late):
        return decode(self.open(late.parts, late.k), late.k, late.f)

    def restore(self, saved):
        return self.refresh(saved)
