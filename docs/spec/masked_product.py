"""Matrix products of masks from ciphertexts of RLWE: mpc/lattice/.

Polynomials modulo X^N + 1 and modulo Q are lists of whole numbers in an object array. Here Q is a prime of as many bits as
the product of primes in C++, and N may be small: the formulas are the same, the security is not.

Rounding hides the noise under four conditions (the argument is in mpc/lattice/masked_product.h):
  (a) Of b', no more than the hints leaves.       (b) Every answer has a (u, e1) of its own.
  (c) The key's holder chooses no `a`.            (d) The leakage of a session, summed by hint_leakage, is below 2^-40.
pairwise_checks.py breaks each of them, and finds the peer's multiplier.
"""
import hashlib
import itertools
import math
import secrets

import numpy as np

HINT, SLACK = 3, 9                                     # bits of b' that are sent; bits of a'' below the message
ERROR_DEVIATION = 3.2404
MODULI = (150, 180, 210)                               # log2 Q. With N = 8192, up to 214 has 128 bits of security
MOST_LEAKAGE, MOST_LEAKAGE_OF_PRODUCT = 2.0**-40, 2.0**-54


def least_modulus(k):
    return MODULI[0 if k <= 38 else 1 if k <= 51 else 2]


def low(words, k):
    return words & ((1 << k) - 1)


def signed(words, k):
    return low(words + (1 << (k - 1)), k) - (1 << (k - 1))


class Ring:
    def __init__(self, N, bits):
        self.N, self.bits = N, bits
        self.Q = next(q for q in itertools.count((1 << bits) - 1, -2) if all(pow(a, q - 1, q) == 1 for a in (2, 3, 5, 7)))

    def times(self, x, y):
        """Whole numbers with all coefficients in places of their own are multiplied, and X^N = -1."""
        place = (2 * self.bits + self.N.bit_length() + 8) // 8
        packed = [int.from_bytes(b"".join(int(c % self.Q).to_bytes(place, "little") for c in v), "little") for v in (x, y)]
        both = (packed[0] * packed[1]).to_bytes(2 * len(x) * place, "little")
        terms = np.array([int.from_bytes(both[i:i + place], "little") for i in range(0, len(both), place)], object)
        return (terms[:len(x)] - terms[len(x):]) % self.Q

    def uniform(self, seed):
        wide = self.bits // 8 + 16                     # the bias is below 2^-128. C++ draws again instead
        stream = hashlib.shake_128(seed).digest(wide * self.N)
        return np.array([int.from_bytes(stream[i:i + wide], "little") % self.Q for i in range(0, len(stream), wide)], object)

    def ternary(self):
        return np.array([secrets.randbelow(3) - 1 for _ in range(self.N)], object)

    def error(self):
        """Centred binomial: the difference of the sums of 21 and of 21 bits."""
        bits = [secrets.randbits(42) for _ in range(self.N)]
        return np.array([(b >> 21).bit_count() - low(b, 21).bit_count() for b in bits], object)

    def rounded(self, x, w):
        """round(2^w·x / Q) mod 2^w."""
        return low((x * (1 << (w + 1)) + self.Q) // (2 * self.Q), w)


class Key:
    """One party's, for one modulus and one session."""

    def __init__(self, ring, nonce, holder):
        self.ring, self.nonce, self.holder, self.s, self.used = ring, nonce, holder, ring.ternary(), set()
        self.public = self.encrypt(np.zeros(ring.N, object), 1, 0)

    def a(self, number):
        """Both ends make it. The name: the holder, the modulus, and the number of the encryption, which only grows."""
        return self.ring.uniform(self.nonce + repr((self.holder, self.ring.bits, number)).encode())

    def encrypt(self, m, k, number):
        """b + a·s = round(Q·m / 2^k) + e. Only b travels."""
        assert number not in self.used, "two messages under one a"
        self.used.add(number)
        a, scaled = self.a(number), (low(m, k) * self.ring.Q + (1 << (k - 1))) >> k
        return a, (scaled + self.ring.error() - self.ring.times(a, self.s)) % self.ring.Q

    def open(self, answer):
        """The holder's share of each wanted coefficient."""
        product = self.ring.times(answer.a, self.s)
        product = np.where(product > self.ring.Q // 2, product - self.ring.Q, product)[answer.wanted]
        return low((product + (answer.hints << (SLACK - HINT)) + (1 << (SLACK - 1))) >> SLACK, answer.k)


class Answer:
    """The peer's message for the sum of its polynomials m_t times ciphertexts c_t: a'' and the hints. `share` stays with it.

    (a', b') is that sum and a fresh encryption of zero. `zero` is (u, e1); only the checks give it."""

    def __init__(self, key, terms, k, wanted, zero=None):
        ring = key.ring
        u, e1 = zero or (ring.ternary(), ring.error())
        a, b = ring.times(key.public[0], u) + e1, ring.times(key.public[1], u)
        for (ca, cb), m in terms:
            a, b = a + ring.times(ca, signed(m, k)), b + ring.times(cb, signed(m, k))
        self.exact = a % ring.Q, b % ring.Q            # for checks alone
        fine = ring.rounded(self.exact[1][wanted], k + HINT)
        self.k, self.wanted, self.a = k, wanted, ring.rounded(self.exact[0], k + SLACK)
        self.hints, self.share = low(fine, HINT), fine >> HINT
        self.bits = ring.N * (k + SLACK) + HINT * len(wanted)


class Blocks:
    """L (m×c) times R (c×p) in blocks of mw×cw and cw×pw, mw·cw·pw <= N:

    L = sum of L_vj X^(v + mw·j),  R = sum of R_jh X^(mw(cw·h + cw-1 - j)); the sum over j is at X^(v + mw(cw·h + cw-1))."""

    def __init__(self, N, size, width):
        assert math.prod(width) <= N
        self.N, self.size, self.width = N, size, width
        self.count = [-(-s // w) for s, w in zip(size, width)]

    def left(self, L, x, t):
        (mw, cw, _), out = self.width, np.zeros(self.N, object)
        part = L[x * mw:(x + 1) * mw, t * cw:(t + 1) * cw]
        for v, j in np.ndindex(part.shape):
            out[v + mw * j] = part[v, j]
        return out

    def right(self, R, t, y):
        (mw, cw, pw), out = self.width, np.zeros(self.N, object)
        part = R[t * cw:(t + 1) * cw, y * pw:(y + 1) * pw]
        for j, h in np.ndindex(part.shape):
            out[mw * (cw * h + cw - 1 - j)] = part[j, h]
        return out

    def wanted(self, x, y):
        """Rows and columns of the result, and their coefficients."""
        (mw, cw, pw), (m, _, p) = self.width, self.size
        rows, columns = range(x * mw, min(m, (x + 1) * mw)), range(y * pw, min(p, (y + 1) * pw))
        places = [(r, h, r - x * mw + mw * (cw * (h - y * pw) + cw - 1)) for r in rows for h in columns]
        return [np.array(v) for v in zip(*places)]

    def terms(self, encrypted):
        """The number of coefficients of one answer's multipliers, which are the operand that is not encrypted."""
        mw, _, pw = self.width
        return self.size[1] * ((pw if "left" in encrypted else 0) + (mw if "right" in encrypted else 0))


def encrypts_for(holder, peer, encrypted):
    """If both operands are encrypted, one end of each pair does it, and the other answers with both cross terms in one sum."""
    return holder != peer and (encrypted != ("left", "right") or ((holder + peer) % 2 == 1) == (holder < peer))


def masked_product(keys, L, R, k, blocks, encrypted, wire):
    """Each party's share of L·R mod 2^k, L and R the sums of the parties' L[i] and R[i]."""
    n, ring, (bm, bc, bp) = len(keys), keys[0].ring, blocks.count
    out = [low(l @ r, k) for l, r in zip(L, R)]
    for i in range(n):
        peers = [j for j in range(n) if encrypts_for(i, j, encrypted)]
        number, made = itertools.count(len(keys[i].used)), {}
        if "left" in encrypted and peers:
            made |= {("left", x, t): keys[i].encrypt(blocks.left(L[i], x, t), k, next(number))
                     for x in range(bm) for t in range(bc)}
        if "right" in encrypted and peers:
            made |= {("right", t, y): keys[i].encrypt(blocks.right(R[i], t, y), k, next(number))
                     for t in range(bc) for y in range(bp)}
        for j, x, y in itertools.product(peers, range(bm), range(bp)):
            terms = [(made["left", x, t], blocks.right(R[j], t, y)) for t in range(bc) if "left" in encrypted]
            terms += [(made["right", t, y], blocks.left(L[j], x, t)) for t in range(bc) if "right" in encrypted]
            rows, columns, at = blocks.wanted(x, y)
            answer = Answer(keys[i], terms, k, at)
            wire.bits[j, i] += answer.bits
            out[j][rows, columns] += answer.share
            out[i][rows, columns] += keys[i].open(answer)
        for j in peers:                                # the same ciphertexts to each
            wire.bits[i, j] += len(made) * ring.N * ring.bits
    return [low(part, k) for part in out]


# leakage
def noise_deviation(k, terms):
    """The standard deviation of a coefficient's noise: `terms` errors times words of k bits."""
    return 2.0**k * ERROR_DEVIATION * math.sqrt(terms / 12)


def hint_leakage(k, terms, modulus_bits):
    """Bound of the chance that the noise, which depends on the peer's secret, moves a hint: E|noise|·2^(k+3) / Q."""
    return noise_deviation(k, terms) * math.sqrt(2 / math.pi) * 2.0 ** (k + HINT - modulus_bits)


def product_leakage(blocks, k, encrypted, n):
    """The bound for one party's answers to all others, and the modulus that this product takes."""
    hints = blocks.size[0] * blocks.size[2] * (n - 1)
    for bits in (b for b in MODULI if b >= least_modulus(k)):
        leakage = hints * hint_leakage(k, blocks.terms(encrypted), bits)
        if leakage <= MOST_LEAKAGE_OF_PRODUCT:
            break
    return leakage, bits


def wrong_result(N):
    """Bound of the chance that a result is wrong: rounding errors of a'' times s beyond the room that the hint leaves."""
    room, variance = 2 ** (SLACK - 1) - 2 ** (SLACK - HINT - 1), N * 2 / 3 / 12
    return 2 * math.exp(-room**2 / (2 * variance))
