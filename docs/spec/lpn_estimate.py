"""The cost of the best known attacks on an extension of Ferret (ferret.py): regular learning parity with noise.

The set of sessions is not emp-ot's b12. Rows of ten ones make a sparse generator: the rows inside a random part of the columns are a
smaller system, and it stays sparse for block Lanczos. No publication applies this to Ferret; the estimate is the project's own."""
import math

SESSIONS = 2000, 18, 11                                # trees, log2 of the base, depth: kFerretSet
B12 = 1520, 18, 12
LARGER = 2200, 19, 12
FOUND = {B12: (117.8, 82.4, 73.1), SESSIONS: (206.2, 149.5, 129.5), LARGER: (209.2, 150.1, 130.3)}
NEEDED = 128


def lpn_security(trees, log_base, depth, part=None):
    """Log2 of 64-bit operations to solve one extension: guess rows of which at most p <= 4 are noisy, solve by linear algebra.

    Dense (part None): k rows, k^3/512. Sparse: of the rows with ten ones, those inside a random set of (N/k)^(-1/9) of the columns are
    as many as its columns; 64 kernel vectors by block Lanczos. part < 1: a set chosen better than at random by that factor."""
    k, N = 1 << log_base, trees << depth
    columns = k * (part * (N / k) ** (-1 / 9) if part else 1)
    noisy, work = columns / 2**depth, math.log2(2 * columns / 63 * 10 * columns if part else columns**3 / 512)
    found = lambda p: math.log2(sum(math.exp(-noisy + i * math.log(noisy) - math.lgamma(i + 1)) for i in range(p + 1)))
    search = lambda p: (0, math.log2(columns), math.log2(columns) + 1, 2 * math.log2(columns) - 1, 2 * math.log2(columns))[p]
    return min(max(work, search(p)) + (abs(work - search(p)) < 1) - found(p) for p in range(5))


def estimates(sizes):
    """Dense; sparse, random columns; sparse, columns chosen better by 15 %."""
    return tuple(round(lpn_security(*sizes, part), 1) for part in (None, 1, 0.85))


def admit(sizes):
    """Refuses a set below the needed security under any of the attacks."""
    if min(estimates(sizes)) < NEEDED:
        raise ValueError(f"Ferret {sizes} takes 2^{min(estimates(sizes))} operations, fewer than 2^{NEEDED}")


def bits_a_transfer(trees, log_base, depth):
    """Sent, both ways, for each transfer that an extension leaves over."""
    return trees * depth * 129 / ((trees << depth) - (1 << log_base) - trees * depth)
