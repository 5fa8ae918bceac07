"""Products of one party's bits with words of another party, from oblivious transfers: mpc/ot/.

A block is 16 bytes. Each direction of a pair has its own transfers: party i has bits, and party j sends, which means that j
has Delta. For a bound bit b, i has t and j has q, where t = q ^ b·Delta. Both ends count transfers and uses alike.
"""
import collections
import hashlib
import secrets

import numpy as np

from fixed_key_aes import FixedKeyAes

PADS, TREES, LEAVES = FixedKeyAes(b"tacit pads"), FixedKeyAes(b"tacit trees"), FixedKeyAes(b"tacit leaves")
DEPTH = 4                                              # K of SoftSpoken
TREES_OF, LEAVES_OF = 128 // DEPTH, 1 << DEPTH


def random_blocks(*shape):
    return np.frombuffer(secrets.token_bytes(16 * int(np.prod(shape))), np.uint8).reshape(*shape, 16)


def numbers(low, high):
    """Blocks of two numbers of 64 bits, the low one first."""
    low, high = np.broadcast_arrays(np.asarray(low, np.uint64), np.asarray(high, np.uint64))
    return np.stack([low, high], -1).view(np.uint8)


def bit_of(words, j):
    return ((words >> j) & 1).astype(np.uint8)


class Wire:
    """Counts what the parties send each other. `seen`, if it is a list, gets what a party has from another one: (from, to, bits
    a row), which are its messages, and the pads of its own bits."""

    def __init__(self, n):
        self.n, self.seen = n, None
        self.clear()

    def clear(self):
        self.bits = collections.Counter()              # of words and bits, by (from, to)
        self.bound = collections.Counter()             # bits that are bound, by (holder, peer): 32 bits are sent for each, or 1

    def send(self, i, j, words, width):
        """A row of words of this width for each element."""
        self.bits[i, j] += words.size * width
        self.see(i, j, words, width)

    def see(self, i, j, words, width=1):
        if self.seen is not None and words.size:
            self.seen.append((i, j, np.stack([bit_of(column, b) for column in words.T for b in range(width)], 1)))


# base_ot
PRIME, GENERATOR = 2**255 - 19, 2                      # numbers modulo a prime show the formulas. C++ computes in ristretto255


def base_transfers(nonce, sender, receiver, choices):
    """Random transfers (Chou, Orlandi). The sender's two keys of each, and the receiver's chosen one.

    sender: A = g^a;  receiver: B = g^b·A^c;  keys H(B^a), H((B/A)^a) and H(A^b)."""
    def key(index, B, secret):
        text = nonce + repr((sender, receiver, index, A, B, secret)).encode()
        return np.frombuffer(hashlib.blake2b(text, digest_size=16).digest(), np.uint8)

    a = secrets.randbelow(PRIME)
    A = pow(GENERATOR, a, PRIME)
    both, chosen = [], []
    for index, choice in enumerate(choices):
        b = secrets.randbelow(PRIME)
        B = pow(GENERATOR, b, PRIME) * (A if choice else 1) % PRIME
        chosen.append(key(index, B, pow(A, b, PRIME)))
        both.append([key(index, B, pow(X, a, PRIME)) for X in (B, B * pow(A, -1, PRIME) % PRIME)])
    return np.array(both), np.array(chosen)


# punctured_trees
def children(nodes):
    """(trees, nodes, 16): pi(x ^ c) ^ x ^ c for c = 0, 1."""
    inputs = np.stack([nodes, nodes ^ numbers(1, 0)], 2).reshape(len(nodes), -1, 16)
    return TREES(inputs) ^ inputs


def sums_of_sides(nodes):
    return np.bitwise_xor.reduce(nodes.reshape(len(nodes), -1, 2, 16), 1)


def punctured_trees(nonce, sender, receiver, delta):
    """The receiver's leaves, and the sender's: all but one in each tree, its hole, which four bits of Delta name."""
    holes = np.packbits(np.unpackbits(delta, bitorder="little").reshape(-1, DEPTH), axis=1, bitorder="little")[:, 0].astype(int)
    path = (holes[:, None] >> np.arange(DEPTH - 1, -1, -1)) & 1
    keys, chosen = base_transfers(nonce, receiver, sender, 1 - path.ravel())       # the other side than the path's
    keys, chosen = keys.reshape(TREES_OF, DEPTH, 2, 16), chosen.reshape(TREES_OF, DEPTH, 16)
    whole, known, trees, at = random_blocks(TREES_OF, 1), np.zeros((TREES_OF, 1, 16), np.uint8), np.arange(TREES_OF), 0
    for level in range(DEPTH):
        whole, known, side = children(whole), children(known), 1 - path[:, level]
        sent = sums_of_sides(whole) ^ keys[:, level]
        known[trees, 2 * at] = known[trees, 2 * at + 1] = 0                        # children of a node that is not known
        known[trees, 2 * at + side] = sent[trees, side] ^ chosen[:, level] ^ sums_of_sides(known)[trees, side]
        at = 2 * at + path[:, level]
    return whole, known, holes


# soft_spoken
class SoftSpoken:
    """Correlated transfers with chosen bits (Roy; passive, K = 4), of one direction of one pair."""

    def pads(self, keys, first):
        return Pads(keys, first)

    def __init__(self, nonce, sender, receiver):
        self.delta, self.used = random_blocks() | numbers(1, 0), 0                 # `used`: in units of 128 transfers
        self.whole, self.known, self.holes = punctured_trees(nonce, sender, receiver, self.delta)

    def take(self, bits):
        """q and t, and the message from the receiver: 32 bits a transfer."""
        blocks = -(-len(bits) // 128)
        choices = np.packbits(np.pad(bits, (0, 128 * blocks - len(bits))), bitorder="little").reshape(blocks, 16)
        counter = self.used + np.arange(blocks)
        self.used += blocks

        def rows_of(leaves, holes):                    # for each bit of a leaf's number, the sum of the leaves that have it
            inputs = leaves[:, :, None] ^ numbers(0, counter)
            grown = LEAVES(inputs) ^ inputs
            grown[leaves.any(2) == 0] = 0              # the hole
            have = [((np.arange(LEAVES_OF) ^ holes[:, None]) >> b) & 1 for b in range(DEPTH)]
            rows = np.stack([np.bitwise_xor.reduce(grown * h[:, :, None, None].astype(np.uint8), 1) for h in have], 1)
            return rows, np.bitwise_xor.reduce(grown, 1)

        t, sums = rows_of(self.whole, np.zeros(TREES_OF, int))
        sent = sums ^ choices                          # (trees, blocks, 16)
        q, _ = rows_of(self.known, self.holes)
        own = (self.holes[:, None] >> np.arange(DEPTH)) & 1
        q = q ^ own[:, :, None, None].astype(np.uint8) * sent[:, None]
        by_transfer = lambda rows: np.unpackbits(rows.reshape(len(rows), -1), axis=1, bitorder="little").T[:len(bits)]
        blocks_of = lambda rows: np.packbits(by_transfer(rows.reshape(128, -1)), axis=1, bitorder="little")
        return blocks_of(q), blocks_of(t), by_transfer(sent)


# correlation_hash
class Pads:
    """H(x, i) = pi(pi(x) ^ i) ^ pi(x) for keys x, i = (number of the transfer; use: 40 bits, block: 24 bits)."""

    def __init__(self, keys, first):
        self.inner, self.numbers = PADS(keys), first + np.arange(keys.shape[-2])

    def blocks(self, use, count):
        i = numbers(self.numbers[:, None], (use << 24) + np.arange(count))
        return PADS(self.inner[..., None, :] ^ i) ^ self.inner[..., None, :]

    def words(self, use, columns, width):
        """A row of words for each key, cut from one string of bits."""
        blocks = self.blocks(use, -(-columns * width // 128))
        strings = [int.from_bytes(row.tobytes(), "little") for row in blocks.reshape(-1, 16 * blocks.shape[-2])]
        cut = [[(string >> (c * width)) & ((1 << width) - 1) for c in range(columns)] for string in strings]
        return np.array(cut, object).reshape(*blocks.shape[:-2], columns)

    def bits(self, use):
        return np.unpackbits(self.blocks(use, 1)[..., 0, :], axis=-1, bitorder="little")


class IdealPads(Pads):
    """The same from a random function instead of AES."""

    def __init__(self, keys, first):
        self.keys, self.first = keys, first

    def blocks(self, use, count):
        out = []
        for key in self.keys.reshape(-1, self.keys.shape[-2], 16):
            names = [row.tobytes() + repr((self.first + i, use, b)).encode() for i, row in enumerate(key) for b in range(count)]
            out += [hashlib.blake2b(name, digest_size=16).digest() for name in names]
        return np.frombuffer(b"".join(out), np.uint8).reshape(*self.keys.shape[:-1], count, 16)


class IdealTransfers:
    """The same correlation from nowhere, for checks of the steps above. The message: the bit under a random one."""

    def pads(self, keys, first):
        return IdealPads(keys, first)

    def __init__(self, *_):
        self.delta = random_blocks()

    def take(self, bits):
        q, hidden = random_blocks(len(bits)), random_blocks(len(bits))[:, :1] & 1
        return q, q ^ bits[:, None] * self.delta, bits[:, None] ^ hidden


# bit_times_word
class BitTimesWord:
    def __init__(self, wire, nonce, transfers=SoftSpoken):
        self.wire, self.next, self.of = wire, collections.Counter(), {}
        for j in range(wire.n):
            for i in range(wire.n):
                if i != j:
                    self.of[j, i] = transfers(nonce, j, i)

    def bind(self, i, j, bits):
        return Bound(self, i, j, bits)


class Bound:
    """Bits of party i, bound to transfers that j sends. These bits multiply any number of words of j; each use has a number of its own."""

    def __init__(self, products, i, j, bits):
        transfers = products.of[j, i]
        self.wire, self.i, self.j, self.bits = products.wire, i, j, bits
        q, t, message = transfers.take(bits)
        self.pads = transfers.pads(np.stack([q, q ^ transfers.delta, t]), products.next[i, j])
        products.next[i, j] += -(-len(bits) // 128) * 128                          # transfers begin at multiples of 128
        self.uses, self.row = 0, 128
        self.wire.bound[i, j] += len(bits)
        self.wire.see(i, j, message)

    def next_use(self):
        self.uses += 1
        return self.uses - 1

    def times(self, words, width):
        """Shares at i and at j of bit·word mod 2^width: j sends c = H(q) + w - H(q ^ Delta) and keeps -H(q); i has H(t) + b·c."""
        (zero, one, own), low = self.pads.words(self.next_use(), words.shape[1], width), (1 << width) - 1
        sent = (zero + words - one) & low
        self.wire.send(self.j, self.i, sent, width)
        self.wire.see(self.j, self.i, own, width)
        return (own + self.bits[:, None] * sent) & low, -zero & low

    def times_bits(self, bits):
        """The same modulo 2. 128 uses share a block of the hash: each use takes the next bit of the block."""
        if self.row == 128:
            self.blocks, self.row = self.pads.bits(self.next_use()), 0
        zero, one, own = self.blocks[:, :, self.row]
        self.row += 1
        sent = zero ^ bits ^ one
        self.wire.send(self.j, self.i, sent[:, None], 1)
        self.wire.see(self.j, self.i, own[:, None])
        return own ^ (self.bits & sent), zero
