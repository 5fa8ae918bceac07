"""The tables of look_up: mpc/protocols/cell_table.h."""
import numpy as np

from shares import U, low_bits


class CellTable:
    """A function of one variable, cut into 2^h cells of width L over Z_2^b with f fraction bits.

    Delta = x + lambda = (C + t)·L and lambda = (S + s)·L, so x = d·L + (t - s)·L with d = C - S: there the function is a sum
    of weights, which follow from Delta alone, times entries, which follow from lambda alone."""

    POSITION_BITS, EXP_BITS = 30, 29

    def __init__(self, b, f, h, terms, weight_bits, entry_bits, exponential=False):
        self.b, self.domain_f, self.h, self.low = b, f, h, b - h
        self.terms, self.weight_bits, self.entry_bits = terms, weight_bits, entry_bits
        self.f = weight_bits + entry_bits
        self.width = 2.0 ** (self.low - f)
        self.exponential = exponential
        self.coefficients = np.zeros((1 << h, terms))

    def number_of(self, cell):
        return cell - (1 << self.h) if cell >= 1 << (self.h - 1) else cell

    @staticmethod
    def polynomial(b, f, h, begin, end, degree, weight_bits, entry_bits, function):
        table = CellTable(b, f, h, degree + 1, weight_bits, entry_bits)
        for cell in range(1 << h):
            number = table.number_of(cell)
            first, last = max(-1.0, begin / table.width - number), min(1.0, end / table.width - number)
            if first < last:
                chebyshev = np.cos(np.pi * (np.arange(degree + 1) + 0.5) / (degree + 1))
                at = (first + last) / 2 + chebyshev * (last - first) / 2
                fitted = np.linalg.solve(np.vander(at, increasing=True), function((number + at) * table.width))
                table.coefficients[cell] = np.ldexp(fitted, entry_bits)
        return table

    @staticmethod
    def exponential_of(b, f, h, largest, shift, weight_bits, entry_bits):
        table = CellTable(b, f, h, 1, weight_bits, entry_bits, exponential=True)
        for cell in range(1 << h):
            begin = table.number_of(cell) * table.width
            if begin - table.width <= largest:
                table.coefficients[cell] = np.ldexp(np.exp(begin + shift), entry_bits)
        return table

    @staticmethod
    def of_values(b, value):
        table = CellTable(b, 0, b, 1, 0, 0)
        for cell in range(1 << b):
            table.coefficients[cell] = value(table.number_of(cell))
        return table

    def cell_of(self, words):
        return ((words & low_bits(self.b)) >> U(self.low)).astype(np.int64)

    def weights(self, delta):
        """Computed by integers: all parties must have the very same ones."""
        one = U(self.POSITION_BITS)
        t = (delta & low_bits(self.low)) << U(self.POSITION_BITS - self.low)
        rounded = lambda v, bits: v if bits == 0 else (v + U(1 << (bits - 1))) >> U(bits)
        if self.exponential:                           # e^(rate·t/16), four times squared
            z = (t * U(int(self.width))) >> U(4)
            sums = term = t * U(0) + U(1 << self.EXP_BITS)
            k = 1
            while term.any():
                term = ((term * z) >> one) // U(k)
                sums, k = sums + term, k + 1
            for _ in range(4):
                sums = (sums * sums) >> U(self.EXP_BITS)
            return rounded(sums, self.EXP_BITS - self.weight_bits)[..., None]
        power, out = t * U(0) + U(1 << self.POSITION_BITS), []
        for _ in range(self.terms):
            out.append(rounded(power, self.POSITION_BITS - self.weight_bits))
            power = (power * t) >> one
        return np.stack(out, -1)

    def entries(self, lam):
        """For every cell C of Delta: the polynomial of cell C - S, shifted by -s."""
        s = np.ldexp((lam & low_bits(self.low)).astype(np.float64), -self.low)
        cells = (np.arange(1 << self.h) - self.cell_of(lam)[..., None]) & ((1 << self.h) - 1)
        b, shift = self.coefficients[cells], s[..., None]
        for i in range(self.terms - 1):
            for k in range(self.terms - 1, i, -1):
                b[..., k - 1] -= shift * b[..., k]
        if self.exponential:
            b = b * np.exp(-self.width * s)[..., None, None]
        return np.rint(b).astype(np.int64).astype(U)
