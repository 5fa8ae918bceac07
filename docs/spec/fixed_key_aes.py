"""AES-128 under a public key, as a permutation of 16-byte blocks (FIPS 197): mpc/ot/fixed_key_aes.h."""
import numpy as np


def times(a, b):
    """In the field of 256 elements."""
    out = 0
    while b:
        out ^= a * (b & 1)
        a, b = (a << 1) ^ (0x11B if a & 0x80 else 0), b >> 1
    return out


def s_box():
    power = [1]
    for _ in range(254):
        power.append(times(power[-1], 3))
    inverse = {power[i]: power[-i % 255] for i in range(255)} | {0: 0}
    turned = lambda v, by: (v << by | v >> (8 - by)) & 0xFF
    mixed = lambda v: 0x63 ^ v ^ turned(v, 1) ^ turned(v, 2) ^ turned(v, 3) ^ turned(v, 4)
    return np.array([mixed(inverse[v]) for v in range(256)], np.uint8)


S_BOX = s_box()
ROWS = np.array([[4 * ((c + r) % 4) + r for c in range(4)] for r in range(4)])     # where row r of each column comes from
OF_ROW = 256 * np.arange(4)[:, None]
COLUMNS = [[np.roll([times(v, m) for m in (2, 1, 1, 3)], r) for v in S_BOX] for r in range(4)]
MIXED = np.array(COLUMNS, np.uint8).view(np.uint32).ravel()


class FixedKeyAes:
    """Each purpose has a key of its own, its name, because blocks of several purposes depend on the same Delta."""

    def __init__(self, purpose):
        words, constant = list(np.frombuffer(purpose.ljust(16, b"\0"), np.uint8).reshape(4, 4)), 1
        for i in range(4, 44):
            word = words[i - 1]
            if i % 4 == 0:
                word = S_BOX[np.roll(word, -1)] ^ np.array([constant, 0, 0, 0], np.uint8)
                constant = times(constant, 2)
            words.append(words[i - 4] ^ word)
        self.keys = np.array(words).reshape(11, 16)

    def __call__(self, blocks):
        state = blocks.reshape(-1, 16) ^ self.keys[0]
        for key in self.keys[1:-1]:
            a, b, c, d = MIXED[np.take(state, ROWS, 1) + OF_ROW].transpose(1, 0, 2)
            state = (a ^ b ^ c ^ d).view(np.uint8) ^ key
        return (S_BOX[np.take(state, ROWS.T.ravel(), 1)] ^ self.keys[-1]).reshape(blocks.shape)
