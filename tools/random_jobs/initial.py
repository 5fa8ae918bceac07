"""initial: the initial weights of dense layers, as gnn/settings/model_spec.cc draws them from the job's seed."""

import numpy

WORD = 2**64 - 1
STEP_BITS = 12


def dense(widths, seed):
    """Returns a pair of weights and biases for each dense layer; `widths` are the columns before, between and behind them."""
    words = mt19937_64(seed)
    layers = []
    for inputs, outputs in zip(widths, widths[1:]):
        limit = numpy.sqrt(6 / (inputs + outputs))
        unit = numpy.array([(next(words) >> 11) * 2.0**-53 for _ in range(inputs * outputs)]).reshape(inputs, outputs)
        layers.append((numpy.rint(limit * (2 * unit - 1) * 2**STEP_BITS) * 2.0**-STEP_BITS, numpy.zeros(outputs)))
    return layers


def mt19937_64(seed):
    """The words of std::mt19937_64 (Nishimura and Matsumoto's 64-bit Mersenne Twister)."""
    state = [seed & WORD]
    for i in range(1, 312):
        state.append((6364136223846793005 * (state[-1] ^ (state[-1] >> 62)) + i) & WORD)
    while True:
        for i in range(312):
            x = (state[i] & 0xFFFFFFFF80000000) | (state[(i + 1) % 312] & 0x7FFFFFFF)
            state[i] = state[(i + 156) % 312] ^ (x >> 1) ^ (0xB5026F5AA96619E9 if x & 1 else 0)
        for x in state:
            x ^= (x >> 29) & 0x5555555555555555
            x ^= (x << 17) & 0x71D67FFFEDA60000
            x ^= (x << 37) & 0xFFF7EEE000000000
            yield x ^ (x >> 43)
