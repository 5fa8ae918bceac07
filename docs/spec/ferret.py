"""Many correlated transfers from few, by learning parity with noise: mpc/ot/half_tree.h, lpn_rows.h and ferret.h.

Bit 0 of Delta is 1 and bit 0 of every q is 0, so bit 0 of t is u: t = q ^ u·Delta."""
import collections
import hashlib
import secrets
import struct

import numpy as np

from fixed_key_aes import FixedKeyAes
from transfers import Pads, SoftSpoken, numbers, random_blocks

HALF_TREE = FixedKeyAes(b"tacit half tree")
TOGETHER = 4                                           # trees whose leaves lie side by side
Set = collections.namedtuple("Set", "trees log_base depth")
SMALL = Set(16, 7, 5)                                  # C++ has kFerretSet


def with_bit_0(blocks, bits):
    out = blocks.copy()
    out[..., 0] = (out[..., 0] & 0xFE) | bits
    return out


# half_tree
def children(nodes):
    """(trees, nodes, 16): node x has the children h(x) and h(x) ^ x. Child c of node k of n nodes is node k + c·n."""
    low, high = nodes[..., :8], nodes[..., 8:]
    y = np.concatenate([low ^ high, low], -1)
    left = HALF_TREE(y) ^ y
    return np.concatenate([left, left ^ nodes], 1)


def half_trees(q, t, delta, holes, depth):
    """The sender's leaves, and the receiver's: at its hole, the leaf ^ Delta. q, t: a transfer for each level of each tree."""
    trees = len(holes)
    rows, path = np.arange(trees), (holes[:, None] >> np.arange(depth)) & 1
    q, t = q.reshape(trees, depth, 16), t.reshape(trees, depth, 16)
    choices = ((t[..., 0] & 1) ^ 1 ^ path).astype(np.uint8)                        # receiver -> sender
    seeds = random_blocks(trees, 1)
    whole, known = np.concatenate([seeds, seeds ^ delta], 1), np.zeros((trees, 2, 16), np.uint8)
    for level in range(depth):
        if level:
            whole, known = children(whole), children(known)
        n = 1 << level
        sent = np.bitwise_xor.reduce(whole[:, :n], 1) ^ q[:, level] ^ choices[:, level, None] * delta      # sender -> receiver
        place, side = holes & (n - 1), 1 - path[:, level]
        known[rows, place] = known[rows, place + n] = 0
        beside = np.bitwise_xor.reduce(known.reshape(trees, 2, n, 16), 2)[rows, side]
        known[rows, place + side * n] = sent ^ t[:, level] ^ beside
    known[rows, holes] = np.bitwise_xor.reduce(known, 1)
    noise = np.arange(1 << depth) == holes[:, None]
    return with_bit_0(whole, 0), with_bit_0(known, noise), choices


# lpn_rows
class LpnRows:
    """The public matrix: ten columns a row, from the session's nonce, the direction and the number of the extension."""

    def __init__(self, nonce, sender, receiver, log_base):
        text = b"tacit lpn rows".ljust(16, b"\0") + struct.pack("<ii", sender, receiver)
        self.pi, self.log_base = FixedKeyAes(hashlib.blake2b(text, digest_size=16, key=nonce).digest()), log_base

    def columns(self, extension, rows):
        words, j = self.pi(numbers(extension, np.arange(2 * rows))).view(np.uint64).reshape(rows, 4), np.arange(10)
        return (words[:, j // 3] >> (21 * (j % 3)).astype(np.uint64)).astype(np.int64) & ((1 << self.log_base) - 1)


# ferret
class Ferret:
    """Correlated transfers of one direction of one pair, with chosen bits. A transfer costs 1 bit, and its part of an extension."""

    def pads(self, keys, first):
        pads = Pads(keys, 0)
        pads.numbers = np.uint64(1 << 63) + np.uint64(first) + pads.numbers.astype(np.uint64)      # SoftSpoken's are smaller
        return pads

    def __init__(self, nonce, sender, receiver, sizes=SMALL):
        self.set, self.extensions = Set(*sizes), 0
        self.kept = (1 << self.set.log_base) + self.set.trees * self.set.depth
        self.rows, first = LpnRows(nonce, sender, receiver, self.set.log_base), SoftSpoken(nonce, sender, receiver)
        self.delta, u = first.delta, np.frombuffer(secrets.token_bytes(self.kept), np.uint8) & 1
        q, t, _ = first.take(u)
        self.next = with_bit_0(q, 0), with_bit_0(t, u)                             # serve the next extension, nothing else
        self.stock = q[:0], t[:0]

    def holes(self):
        return np.frombuffer(secrets.token_bytes(8 * self.set.trees), np.uint64).astype(np.int64) & ((1 << self.set.depth) - 1)

    def extend(self):
        k, sides = 1 << self.set.log_base, range(2)
        *leaves, self.choices = half_trees(self.next[0][k:], self.next[1][k:], self.delta, self.holes(), self.set.depth)
        by_groups = [v.reshape(-1, TOGETHER, *v.shape[1:]).swapaxes(1, 2).reshape(-1, 16) for v in leaves]
        columns = self.rows.columns(self.extensions, self.set.trees << self.set.depth)
        new = [by_groups[s] ^ np.bitwise_xor.reduce(self.next[s][:k][columns], 1) for s in sides]
        self.next = tuple(v[:self.kept] for v in new)
        self.stock = tuple(np.concatenate([self.stock[s], new[s][self.kept:]]) for s in sides)
        self.extensions += 1

    def take(self, bits):
        """q and t, and the message from the receiver: a bit a transfer. C++ refuses more than its stock; reserve() extends."""
        size = -(-len(bits) // 128) * 128
        while len(self.stock[0]) < size:
            self.extend()
        q, t = (v[:len(bits)] for v in self.stock)
        self.stock = tuple(v[size:] for v in self.stock)
        sent = bits ^ (t[:, 0] & 1)
        return q ^ sent[:, None] * self.delta, t, sent[:, None]
