"""Values that some parties share, and the steps on them, made by the parties: mpc/made/shared.h and engine.h.

SharedBits add up modulo 2, SharedWords modulo 2^width. `parts` has the part of each party, or None for a party that is no
holder: its part is zero, and it sends nothing. Words are Python integers in object arrays: a row for each element.
"""
import functools
import itertools
import secrets

import numpy as np

from transfers import BitTimesWord, SoftSpoken, Wire, bit_of


def low(words, width):
    return words & ((1 << width) - 1)


def sum_of(a, b):
    return b if a is None else a if b is None else a + b


class SharedBits:
    def __init__(self, parts):
        self.parts, self.bound = parts, {}             # bound: by holder and peer

    @property
    def holders(self):
        return [i for i, part in enumerate(self.parts) if part is not None]

    @property
    def value(self):                                   # for checks alone
        return np.bitwise_xor.reduce([self.parts[i] for i in self.holders])

    def __xor__(self, other):
        return SharedBits([None if a is None and b is None else sum_of(a, b) & 1 for a, b in zip(self.parts, other.parts)])


class SharedWords:
    def __init__(self, parts, width):
        self.parts, self.width = [None if p is None else low(p, width) for p in parts], width

    @property
    def value(self):
        return low(functools.reduce(sum_of, self.parts), self.width)

    def map(self, f, width=None):
        """Each holder applies f, which is linear, to its part."""
        return SharedWords([None if p is None else f(p) for p in self.parts], width or self.width)

    def narrowed(self, width):
        return self.map(lambda p: p, width)

    def shifted(self, bits):
        return self.map(lambda p: p << bits, self.width + bits)

    def dropped(self, bits):
        """Each holder rounds its own word, a half up: off by less than n/2 + 1/2 units, as protocols.py's drop."""
        return self.map(lambda p: (p + (1 << bits >> 1)) % (1 << self.width) >> bits, self.width - bits) if bits else self

    def columns(self, begin, end):
        return self.map(lambda p: p[:, begin:end])

    def __add__(self, other):
        return SharedWords([sum_of(a, b) for a, b in zip(self.parts, other.parts)], min(self.width, other.width))

    def __sub__(self, other):
        return self + other.map(lambda p: -p)


def beside(words):
    parts = [None if p[0] is None and all(q is None for q in p) else p for p in zip(*(w.parts for w in words))]
    shape = next(p for p in words[0].parts if p is not None).shape
    fill = lambda p: np.zeros(shape, object) if p is None else p
    return SharedWords([None if p is None else np.concatenate([fill(q) for q in p], 1) for p in parts], words[0].width)


class Engine:
    """mpc/made/engine.h, for one entry of a list. Steps of several entries share rounds, which are not counted here."""

    def __init__(self, n, transfers=SoftSpoken):
        self.n, self.wire = n, Wire(n)
        self.products_of_bits = BitTimesWord(self.wire, secrets.token_bytes(32), transfers)

    def random_words(self, rows, columns=1, width=64):
        draw = lambda: np.array([[secrets.randbits(width) for _ in range(columns)] for _ in range(rows)], object)
        return SharedWords([draw().reshape(rows, columns) for _ in range(self.n)], width)

    def random_bits(self, rows):
        return SharedBits([np.frombuffer(secrets.token_bytes(rows), np.uint8) & 1 for _ in range(self.n)])

    def only(self, i, part):
        return [part if j == i else None for j in range(self.n)]

    def constant(self, value, rows, width):
        return SharedWords(self.only(0, np.full((rows, 1), value, object)), width)

    def bound(self, x, i, j):
        if (i, j) not in x.bound:
            x.bound[i, j] = self.products_of_bits.bind(i, j, x.parts[i])
        return x.bound[i, j]

    # both
    def both(self, x, y):
        """x AND y. Binds x."""
        parts = [None] * self.n
        for i, j in itertools.product(x.holders, y.holders):
            own, of_peer = x.parts[i] & y.parts[j], None
            if i != j:
                own, of_peer = self.bound(x, i, j).times_bits(y.parts[j])
                parts[j] = sum_of(parts[j], of_peer)
            parts[i] = sum_of(parts[i], own)
        return SharedBits([None if p is None else p & 1 for p in parts])

    # add
    def add(self, words, length, carries=False):
        """The low bits of the sum of all parties' words, and the n-1 carries into bit `length`.

        Each party t after the first takes in its word r: with s, the sum of the words before it, the next carry of t is
        r(s ^ carry) ^ s·carry."""
        bits, carry = [], [None] * self.n
        for j in range(length):
            own = [SharedBits(self.only(t, bit_of(words[t][:, 0], j))) for t in range(self.n)]
            s, more = own[0], j + 1 < length or carries
            for t in range(1, self.n):
                r, c = own[t], carry[t]
                with_carry = s ^ c if c else s
                if more:
                    carry[t] = self.both(r, with_carry) ^ self.both(s, c) if c else self.both(r, with_carry)
                s = with_carry ^ r
            bits.append(s)
        return bits, carry[1:] if carries else []

    # widen
    def widen(self, x, width):
        """Each bit as a word: with each further holder's bits b, y becomes y + b - 2by. by has one bit less."""
        first, *others = x.holders
        as_words = lambda i: SharedWords(self.only(i, x.parts[i][:, None].astype(object)), width)
        y = as_words(first)
        for i in others:
            product = self.times_part(x, i, y.narrowed(width - 1)).shifted(1) if width > 1 else None
            y = y + as_words(i)
            y = y - product if product else y
        return y

    # times
    def times_part(self, x, i, y):
        """Holder i's bits times the words."""
        parts = [None] * self.n
        for j in range(self.n):
            if y.parts[j] is None:
                continue
            own = x.parts[i][:, None].astype(object) * y.parts[j]
            if j != i:
                own, parts[j] = self.bound(x, i, j).times(y.parts[j], y.width)
            parts[i] = sum_of(parts[i], own)
        return SharedWords(parts, y.width)

    def times(self, x, words):
        """Each bit times its row: the parts b·y, where y becomes (1 - 2b)y from holder to holder."""
        total, y = None, words
        for i in x.holders:
            part = self.times_part(x, i, y)
            total, y = total + part if total else part, y - part.map(lambda p: 2 * p)
        return total

    # products
    def products(self, x, y):
        """Element by element (Gilboa); x has one column. Bit b of x multiplies words of b bits less."""
        k = min(x.width, y.width)
        total = SharedWords([None if p is None or q is None else p * q for p, q in zip(x.parts, y.parts)], k)
        for i in (i for i in range(self.n) if x.parts[i] is not None):
            for b in range(k):
                bits = SharedBits(self.only(i, bit_of(x.parts[i][:, 0], b)))
                others = SharedWords([None if j == i else p for j, p in enumerate(y.parts)], k - b)
                if any(p is not None for p in others.parts):
                    total = total + self.times_part(bits, i, others).shifted(b)
        return total

    # unary
    def unary(self, bits, words):
        """words · 1{v = the number that the bits make, the highest first}: all columns of v = 0, then of v = 1, …."""
        y = words
        columns = next(p for p in words.parts if p is not None).shape[1]
        for x in bits:
            one = self.times(x, y)
            zero, blocks = y - one, []
            count = next(p for p in zero.parts if p is not None).shape[1]
            for begin in range(0, count, columns):
                blocks += [zero.columns(begin, begin + columns), one.columns(begin, begin + columns)]
            y = beside(blocks)
        return y


def rows_of(words):
    return next(len(p) for p in words.parts if p is not None)
