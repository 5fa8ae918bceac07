"""The protocols of mpc/protocols as executable algebra: numpy words, all parties in one process.

Each function has the name of its protocol. A reader can hold it beside the card and the code of the same name and compare
them line by line. It is the reference for the algebra, not for speed: checks.py compares it with plain arithmetic, and
views.py looks at everything that n-1 parties see. Inputs and reveals are in shares.py, with the notation.
"""
import itertools
import math
import types

import numpy as np

from shares import U, ONE, low_bits, bit_of, total, Share, Masked, Shown, Sharing


class Session(Sharing):
    # mask, product, matmul
    def mask(self, *shares):
        out = []
        for x in shares:
            lam = self.mask_words(x.shape)
            out.append(Masked(self.open([a + l for a, l in zip(x.parts, lam)], x.k), lam, x.k, x.f))
        self.rounds += 1
        return out if len(out) > 1 else out[0]

    def multiplied(self, x, y, times):
        """Party i holds Dx·([i = 0] Dy - ly_i) - lx_i·Dy + gamma_i."""
        k = min(x.k, y.k)
        gamma = self.deal(times(x.full, y.full), k)
        out = []
        for i in range(self.n):
            left = (y.delta if i == 0 else U(0) * y.delta) - y.lam[i]
            out.append(times(x.delta, left) - times(x.lam[i], y.delta) + gamma[i])
        return Share(out, k, x.f + y.f)

    def product(self, x, y):
        return self.multiplied(x, y, np.multiply)

    def matmul(self, x, y):
        return self.multiplied(x, y, np.matmul)

    # row_product
    def row_product(self, x, y):
        return self.multiplied(x, y, lambda a, b: (a * b).sum(1, keepdims=True, dtype=U))

    # own_matrix
    def own_matrix(self, S, f, most, owner=0, k=64, batch=None):
        """S, a matrix of whole numbers of units of 2^-f, is the owner's. `most`: entries outside the diagonal, at most. `batch`: as
        many masks of the numbers, for a batch of runs."""
        own = types.SimpleNamespace(shape=S.shape, owner=owner, f=f, N=max(S.shape) + most)
        own.pi, own.numbers = lists_of(S, own.N)
        own.rho = [self.random.permutation(own.N) for _ in own.pi]                      # the owner and the dealer
        own.sigma = [np.argsort(rho)[pi] for rho, pi in zip(own.rho, own.pi)]           # told to the parties
        numbers = own.numbers if batch is None else np.tile(own.numbers, (batch, 1))
        own.masked = self.mask(Share(self.split(numbers, k), k, f))
        self.rounds += 1
        return own

    def own_product(self, own, x, axis=0):
        """[S·x]. Along `axis`, x has a number for each column of S."""
        along = lambda a: a if a.ndim > 1 else a.reshape([-1] + [1] * (x.parts[0].ndim - 1 - axis))
        shape = list(x.shape)
        shape[axis] = own.N
        fill = lambda p: np.concatenate([p, np.zeros([n - (axis == d) * m for d, (n, m) in enumerate(zip(shape, p.shape))], U)], axis)
        w = [fill(np.diff(p, axis=axis, prepend=U(0))) for p in x.parts]
        for step, (pi, rho, sigma) in enumerate(zip(own.pi, own.rho, own.sigma)):
            places = own.shape[0] if step == 2 else own.N
            lam = self.mask_words(tuple(shape))
            told = self.open_to(own.owner, [p + np.take(l, sigma, axis) for p, l in zip(w, lam)], x.k)
            placed = lambda rows, order: np.take(rows, np.argsort(order)[:places], axis)
            G = placed(total(lam) & low_bits(x.k), rho)
            gamma = self.deal(G, x.k)
            new = [U(0) - g for g in gamma]
            if step == 1:                                       # each row times its number
                kappa = self.deal(G * along(own.masked.full), x.k)
                new = [kg - along(own.masked.delta) * g for g, kg in zip(gamma, kappa)]
            new[own.owner] = new[own.owner] + placed(told, pi) * (along(own.numbers) if step == 1 else U(1))
            w = [np.cumsum(p, axis, dtype=U) for p in new] if step < 2 else new
        self.rounds += 1
        return Share([np.diff(p, axis=axis, prepend=U(0)) for p in w], x.k, x.f + own.f)

    # own_matrix_sum
    def own_matrix_sum(self, owned, x, axis=0):
        """[(S_0 + S_1 + …)·x], S_i of different owners. No product reads what another one opened: all travel in one round."""
        products = [self.own_product(own, x, axis) for own in owned]
        self.rounds -= len(owned) - 1
        return Share([total(parts) for parts in zip(*(one.parts for one in products))], x.k, products[0].f)

    # noise
    @staticmethod
    def noise_parts(sigma, n, together, source):
        """The sigma that is dealt, and the sigma of each party, rounded up: sigma is left to each observer (noise.h)."""
        root = lambda square: math.isqrt(square - 1) + 1 if square > 0 else 0
        honest = n - together
        each = {"dealt": 0, "parties": root(-(-sigma**2 // honest)), "both": root(-(-sigma**2 // n))}[source]
        dealt = {"dealt": sigma, "parties": 0, "both": root(sigma**2 - honest * each**2)}[source]
        return dealt, each

    def add_noise(self, x, sigma, together=None, source="both"):
        """[x + d + z_1 + ... + z_n]: d is dealt, z_i is party i's own. Here rounded draws of the continuous Gaussian; the
        exact sampler is mpc/random/discrete_gaussian.h."""
        dealt, each = self.noise_parts(sigma, self.n, self.n - 1 if together is None else together, source)
        draw = lambda s: np.rint(self.random.normal(0, s, x.shape)).astype(np.int64).astype(U)
        parts = [p + draw(each) for p in x.parts] if each else x.parts
        if dealt:
            parts = [p + d for p, d in zip(parts, self.deal(draw(dealt), x.k))]
        return Share(parts, x.k, x.f)

    # noisy_sum
    def noisy_sum(self, own, sigma, k, f, opened, ranges=3):
        """Made and sent range by range. The result is that of contribution(), add_noise() by the parties, round_contribution()
        to (bits of the ring, fraction bits) and reveal()."""
        flat, (k_opened, f_opened) = [o.reshape(-1) for o in own], opened
        parts = [np.zeros(flat[0].size, U) for _ in own]
        cuts = np.linspace(0, flat[0].size, ranges + 1).astype(int)
        for begin, end in zip(cuts, cuts[1:]):
            noisy = self.add_noise(self.contribution([o[begin:end] for o in flat], k, f), sigma, source="parties")
            for part, made in zip(parts, self.round_contribution(noisy, k_opened, f_opened).parts):
                part[begin:end] = made
        return self.reveal(Share(parts, k_opened, f_opened)).reshape(own[0].shape)

    # drop
    def drop(self, x, d):
        """[x] in Z_2^k -> [x / 2^d] in Z_2^(k-d), rounded without bias: a wrap at 2^k is 0 in the ring of k-d bits."""
        if d == 0:
            return x
        out = []
        for rank, part in enumerate(x.parts):
            offset = U(1 << (d - 1)) - U(rank % 2)
            if self.n == 1:
                offset = self.words(x.shape) & low_bits(d)
            elif self.n % 2 == 1 and rank == self.n - 1:       # left over: either offset, by a random bit of its own
                offset = U(1 << (d - 1)) - self.bits(x.shape).astype(U)
            out.append(((part + offset) & low_bits(x.k)) >> U(d))
        return Share(out, x.k - d, x.f - d)

    # show, masked, lift
    def show(self, *shares):
        out = []
        for x in shares:
            r = self.mask_words(x.shape)
            offset = self.add_public(x, 1 << (x.k - 2)).parts
            out.append(Shown(self.open([a + b for a, b in zip(offset, r)], x.k), r, x.k, x.f))
        self.rounds += 1
        return out if len(out) > 1 else out[0]

    def masked(self, shown):
        return Masked(shown.m - shown.offset, shown.r, shown.k, shown.f)

    @staticmethod
    def shown_rows(row, rows, k):
        """A masked row, so many times, as a shown value in a ring of k bits, no wider than its own."""
        copies = lambda words: np.repeat(words, rows, 0)
        return Shown(copies((row.delta + U(1 << (k - 2))) & low_bits(k)), [copies(p) for p in row.lam], k, row.f)

    @staticmethod
    def wrap(r, k, q):
        """The terms that a lift by q bits adds back: r >> k in Z_2^q, and sigma, bit k-1 of r."""
        return (r >> U(k)) & low_bits(q), (r >> U(k - 1)) & ONE

    @staticmethod
    def add_back(over, sigma, m, k):
        """2^k (over + (1 - m) sigma): x + 2^(k-2) + (r mod 2^k) passed 2^k exactly where sigma is set and m is not."""
        keep = ONE - (m >> U(k - 1))
        return (over + keep * sigma) << U(k)

    def lift(self, shown, k_out):
        """x = M - 2^(k-2) - r + 2^k (r >> k  +  (1 - m) sigma)   in Z_2^k_out."""
        k, q = shown.k, k_out - shown.k
        out = [U(0) - r for r in shown.r]
        if q:
            over, sigma = self.wrap(shown.full, k, q)
            out = [a + self.add_back(o, s, shown.m, k) for a, o, s in zip(out, self.deal(over, q), self.deal(sigma, q))]
        out[0] = out[0] + shown.m - shown.offset
        return Share(out, k_out, shown.f)

    # lifted_product
    def lifted_product(self, x, y, k_out):
        """xy in Z_2^k_out; x may be a column that multiplies every column of y. With C = M - 2^(k-2), rho = r mod 2^k and keep = 1 - m, x is C + x', x' = -rho + 2^k keep sigma."""
        k, l = x.k, y.k
        rho, tau = x.full & low_bits(k), y.full & low_bits(l)
        (over_x, sigma_x), (over_y, sigma_y) = self.wrap(x.full, k, k_out - k), self.wrap(y.full, l, k_out - l)
        halves = []                                    # x' and y'
        for shown, over, sigma in ((x, over_x, sigma_x), (y, over_y, sigma_y)):
            dealt = zip(shown.r, self.deal(over, k_out - shown.k), self.deal(sigma, k_out - shown.k))
            halves.append([self.add_back(o, s, shown.m, shown.k) - r for r, o, s in dealt])
        keep_x, keep_y = ONE - (x.m >> U(k - 1)), ONE - (y.m >> U(l - 1))
        both = self.deal(rho * tau, k_out)
        both = [b - ((p * keep_y) << U(l)) for b, p in zip(both, self.deal(rho * sigma_y, k_out - l))]
        both = [b - ((p * keep_x) << U(k)) for b, p in zip(both, self.deal(sigma_x * tau, k_out - k))]
        if k_out > k + l:
            last = self.deal(sigma_x * sigma_y, k_out - k - l)
            both = [b + ((p * keep_x * keep_y) << U(k + l)) for b, p in zip(both, last)]
        cx, cy = x.m - x.offset, y.m - y.offset
        out = [cx * b + cy * a + p for a, b, p in zip(*halves, both)]
        out[0] = out[0] + cx * cy
        return Share(out, k_out, x.f + y.f)

    # lifted_multiple
    def lifted_multiple(self, x, mantissa, shift, k_out, f_out):
        """R(c·C) - R(c·rho) + (1 - m) a 2^(k-e) sigma in Z_2^k_out, with c = a / 2^e, C = M - 2^(k-2), rho = r mod 2^k."""
        k = x.k

        def multiple(words, offset):                   # R, a half up, exactly
            exact = [(int(w) - offset) * mantissa for w in words.ravel()]
            whole = [(v + (1 << shift >> 1)) >> shift for v in exact]
            return np.array([w & (2**64 - 1) for w in whole], U).reshape(words.shape)

        out = [U(0) - d for d in self.deal(multiple(x.full & low_bits(k), 0), k_out)]
        keep, back = ONE - (x.m >> U(k - 1)), U((mantissa << (k - shift)) & (2**64 - 1))
        sigma = (x.full >> U(k - 1)) & ONE
        out = [a + keep * s * back for a, s in zip(out, self.deal(sigma, k_out))]
        out[0] = out[0] + multiple(x.m, int(x.offset))
        return Share(out, k_out, f_out)

    # lifted_polynomials
    def lifted_polynomials(self, values, polynomials):
        """Each of (terms, k_out, f_out), terms = [(coefficient, indices of values)], in Z_2^k_out.

        Each x is C - rho + 2^k keep sigma. A part of a term is a public word times a product of masks: powers of rho, with or
        without sigma. The product is dealt in the widest ring that a part needs: k_out less the zeros at the word's end."""
        parts, widths = [], {}
        for p, (terms, k_out, _) in enumerate(polynomials):
            for coefficient, factors in terms:
                each = [(coefficient, (), ())]         # coefficient with its power of 2, public factors, factors of masks
                for v in factors:
                    k = values[v].k
                    each = [(c * more, known + ((what, v),) * (what != "rho"), masks + ((what, v),) * (what != "c"))
                            for c, known, masks in each for what, more in (("c", 1), ("rho", -1), ("sigma", 1 << k))]
                gathered = {}                          # equal parts add up; sigma and keep are bits
                for c, known, masks in each:
                    of = sorted(m for m in masks if m[0] == "rho"), sorted({m for m in masks if m[0] == "sigma"})
                    public = sorted(m for m in known if m[0] == "c"), sorted({m for m in known if m[0] == "sigma"})
                    squares = len(masks) - len(of[0]) - len(of[1])       # of sigmas: parts of other powers of 2
                    key = tuple(map(tuple, of + public)) + (squares,)
                    gathered[key] = gathered.get(key, 0) + c
                for (rhos, sigmas, cs, keeps, _), c in gathered.items():
                    width = k_out - ((c & -c).bit_length() - 1)
                    if width > 0:
                        parts.append((p, c, cs, keeps, rhos + sigmas))
                        widths[rhos + sigmas] = max(widths.get(rhos + sigmas, 0), width)
        products = {}
        for masks, width in sorted(widths.items()):
            if not masks:
                continue
            if len(masks) == 1 and masks[0][0] == "rho":                 # rho = r - 2^k (r >> k), and r is shared
                x = values[masks[0][1]]
                over = self.deal(x.full >> U(x.k), width - x.k) if width > x.k else [U(0)] * self.n
                products[masks] = [r - (o << U(x.k)) if width > x.k else r for r, o in zip(x.r, over)]
                continue
            product = values[0].m * U(0) + ONE
            for what, v in masks:
                x = values[v]
                product = product * (x.full & low_bits(x.k) if what == "rho" else (x.full >> U(x.k - 1)) & ONE)
            products[masks] = self.deal(product, width)
        sums = [[values[0].m * U(0) for _ in range(self.n)] for _ in polynomials]
        for p, c, cs, keeps, masks in parts:
            public = values[0].m * U(0) + U(c & (2**64 - 1))
            for _, v in cs:
                public = public * (values[v].m - values[v].offset)
            for _, v in keeps:
                public = public * (ONE - (values[v].m >> U(values[v].k - 1)))
            for j in range(self.n):
                if masks:
                    sums[p][j] = sums[p][j] + public * products[masks][j]
                elif j == 0:
                    sums[p][0] = sums[p][0] + public
        return [Share(parts_of, k_out, f_out) for parts_of, (_, k_out, f_out) in zip(sums, polynomials)]

    # pair_differences
    @staticmethod
    def pairs(columns):
        return [(a, b) for a in range(columns) for b in range(a + 1, columns)]

    def pair_differences(self, shown):
        first, second = (list(side) for side in zip(*self.pairs(shown.m.shape[1])))
        minus = lambda v: v[:, first] - v[:, second]
        return Shown(minus(shown.m) + shown.offset, [minus(r) for r in shown.r], shown.k, shown.f)

    # non_negative: comparison
    def non_negative(self, *comparisons):
        """<x >= at>2 for each (shown, hi, at) or (shown, hi, at, low), exact for |x - at| < 2^(hi-1), hi <= k-1.

        c = x - at + r, so bit hi-1 of x - at is bit hi-1 of c, of r, and the borrow of c - r from the hi-1 bits below.
        Those bits are cut into groups: "c < r" (generate) and "c = r" (propagate) of each are opened under mask bits.
        The lowest `low` bits are ignored: as if x were larger by up to 2^low - 1."""
        running, deals = [], {}
        for shown, hi, at, *ignored in comparisons:
            low = ignored[0] if ignored else 0
            assert low + 2 <= hi <= shown.k - 1
            key = (id(shown), hi, low)
            if key not in deals:                       # serves every threshold of this shown value
                deals[key] = self.deal_group_products(shown.full, hi, low)
            products, top = deals[key]
            c = shown.m - shown.offset - U(at & (2**64 - 1))
            opened, j0 = [], low
            for group, size in enumerate(comparison_groups(hi - 1 - low)):
                same = {j0 + j: bit_of(c, j0 + j) ^ 1 for j in range(size)}
                propagate = self.expand(products, same, same)
                generate = [p * 0 for p in propagate]
                for j in same:                         # r's bit is set, c's is not, and the bits above are equal
                    above = {i: s for i, s in same.items() if i > j}
                    term = self.expand(products, above, same, fixed=j, factor=same[j])
                    generate = [g ^ t for g, t in zip(generate, term)]
                shape = same[j0].shape
                opened.append((self.open_bits(generate, self.mask_bits(shape)),
                               self.open_bits(propagate, self.mask_bits(shape)) if group else None))
                j0 += size
            share = [t.copy() for t in top]
            share[0] = share[0] ^ bit_of(c, hi - 1) ^ 1
            running.append((opened, share))
        self.rounds += 1
        out = []
        for opened, share in running:
            sign = [s ^ b for s, b in zip(share, self.borrow(opened))]
            out.append(self.open_bits(sign, self.mask_bits(sign[0].shape)))
        self.rounds += 1
        return out if len(out) > 1 else out[0]

    def deal_group_products(self, r, hi, low=0):
        """Shares of the product of every non-empty subset of r's bits within each group, and of bit hi-1 of r."""
        products, j0 = {}, low
        for size in comparison_groups(hi - 1 - low):
            self.deal_subsets({j: bit_of(r, j) for j in range(j0, j0 + size)}, products)
            j0 += size
        return products, self.deal_bits(bit_of(r, hi - 1))

    def deal_subsets(self, mus, products, times=None):
        """Deals the product of every subset of the mask bits; `times` is the name and value of one more factor."""
        for size in range(len(mus) + 1):
            for subset in itertools.combinations(sorted(mus), size):
                factors = [mus[j] for j in subset] + ([times[1]] if times else [])
                if factors:
                    key = tuple(sorted(subset + ((times[0],) if times else ())))
                    products[key] = self.deal_bits(np.bitwise_and.reduce(np.stack(factors)))

    def expand(self, products, deltas, shape_of, fixed=None, factor=None):
        """Shares of prod_j (delta_j ^ mu_j), and of that times factor·mu_fixed if these are given: a sum over subsets."""
        shape = next(iter(shape_of.values())).shape
        out = [np.zeros(shape, np.uint8) for _ in range(self.n)]
        for size in range(len(deltas) + 1):
            for subset in itertools.combinations(sorted(deltas), size):
                weight = np.ones(shape, np.uint8) if factor is None else factor.copy()
                for j, delta in deltas.items():
                    if j not in subset:
                        weight = weight & delta
                key = tuple(sorted(subset + (() if fixed is None else (fixed,))))
                if key:
                    out = [o ^ (weight & p) for o, p in zip(out, products[key])]
                else:
                    out[0] = out[0] ^ weight
        return out

    def borrow(self, opened):
        """xor_k g_k prod_{j>k} p_j, from the opened bits: products of the propagate masks, and of each generate mask with
        those of the propagate masks above it, are dealt."""
        m, products = len(opened), {}
        deltas = {j: p.delta for j, (_, p) in enumerate(opened) if p} | {m + j: g.delta for j, (g, _) in enumerate(opened)}
        mus = {j: p.full for j, (_, p) in enumerate(opened) if p}
        self.deal_subsets(mus, products)
        out = None
        for k, (g, _) in enumerate(opened):
            above = [j for j in range(k + 1, m)]
            self.deal_subsets({j: mus[j] for j in above}, products, times=(m + k, g.full))
            term = self.expand(products, {j: deltas[j] for j in above + [m + k]}, deltas)
            out = term if out is None else [a ^ b for a, b in zip(out, term)]
        return out

    # select, indicator
    def widened(self, bits, k):
        """Shares of mu as words of k bits: dealt once, and used again in a ring no wider."""
        if bits.k < k:
            bits.words, bits.k = self.deal(bits.full.astype(U), k), k
        return [w & low_bits(k) for w in bits.words]

    def select(self, bits, shown, k_out):
        """[b·x] = delta·x + (1 - 2 delta)·mu·x, where x is as in lift, and mu·x needs shares of mu and of mu·r."""
        k, q = shown.k, k_out - shown.k
        d, mu = bits.delta.astype(U), bits.full.astype(U)
        c = shown.m - shown.offset
        mu_r = self.deal(mu * shown.full, k_out)
        x, mu_x = [U(0) - r for r in shown.r], [c * w - t for w, t in zip(self.widened(bits, k_out), mu_r)]
        if q > 0:
            over, sigma = self.wrap(shown.full, k, q)
            for sums, factor in ((x, ONE), (mu_x, mu)):
                terms = zip(self.deal(over * factor, q), self.deal(sigma * factor, q))
                sums[:] = [a + self.add_back(o, s, shown.m, k) for a, (o, s) in zip(sums, terms)]
        x[0] = x[0] + c
        return Share([d * a + (ONE - (d << ONE)) * b for a, b in zip(x, mu_x)], k_out, shown.f)

    def indicator(self, bits, k):
        """[b] = delta + (1 - 2 delta)·mu in Z_2^k."""
        d = bits.delta.astype(U)
        out = [(ONE - (d << ONE)) * w for w in self.widened(bits, k)]
        out[0] = out[0] + d
        return Share(out, k, 0)

    # winner: one-hot argmax
    def winner(self, pairs, y, k):
        """[1] for the column that wins against every other one and [0] for the rest, and that times y.

        Column a wins where its c-1 bits are one pattern: 0 against the columns before it, 1 against those after. The
        deltas are this pattern ^ the mus there: the dealer deals a table that is 1 at that place, and lambda_y there."""
        rows, columns = y.delta.shape
        places = 1 << (columns - 1)

        def pattern(words, a):                         # first column's bit highest
            out = np.zeros(rows, np.int64)
            for b in range(columns):
                if b != a:
                    out = 2 * out + words[:, self.pairs(columns).index((min(a, b), max(a, b)))]
            return out

        ky, row, column = min(k, y.k), np.arange(rows)[:, None], np.arange(columns)
        table = np.zeros((rows, columns, places), U)
        times = table.copy()
        wins = np.stack([((1 << (columns - a - 1)) - 1) ^ pattern(pairs.full, a) for a in column], 1)
        table[row, column, wins] = 1
        times[row, column, wins] = y.full
        at = np.stack([pattern(pairs.delta, a) for a in column], 1)
        which = [t[row, column, at] for t in self.deal(table, k)]
        masks = [t[row, column, at] for t in self.deal(times, ky)]
        return Share(which, k, 0), Share([y.delta * w - m for w, m in zip(which, masks)], ky, y.f)

    # look_up: lookup table
    def look_up(self, x, table, k, *factors):
        """[f(x)], and [f(x)·y] for each <y>: public weights of Delta times the entries of one row, which Delta's cell picks."""
        rows = (*x.delta.shape, -1, table.terms)
        entries = table.entries(x.full).reshape(rows)
        weights = table.weights(x.delta)
        cell = table.cell_of(x.delta)[..., None, None]

        def read(dealt):
            return [(np.take_along_axis(t, cell, -2)[..., 0, :] * weights).sum(-1, dtype=U) for t in dealt]

        value = read(self.deal(entries, k))
        out = [Share(value, k, table.f)]
        for y in factors:
            ky = min(k, y.k)
            masks = read(self.deal(entries * y.full[..., None, None], ky))
            out.append(Share([y.delta * v - m for v, m in zip(value, masks)], ky, table.f + y.f))
        return out if factors else out[0]


def lists_of(S, N):
    """The three maps of own_matrix.h, and the number of each row of the second list."""
    rows, cols = S.shape
    entries = [(r, c) for r, c in zip(*np.nonzero(S)) if r != c]
    first = sorted([(c, -1) for c in range(cols)] + [(c, r) for r, c in entries])
    second = sorted([(r, c) for r, c in entries] + [(r, cols) for r in range(rows)])
    numbers = np.zeros(N, U)
    for place, (r, c) in enumerate(second):
        numbers[place] = U(int(S[r, c] if c < cols else S[r, r] if r < cols else 0) & (2**64 - 1))
    moves = [{c: first.index((c, -1)) for c in range(cols)},
             {first.index((c, r)): second.index((r, c)) for r, c in entries}
             | {first.index((r, -1)): second.index((r, cols)) for r in range(min(S.shape))},
             {second.index((r, cols)): r for r in range(rows)}]
    maps = []
    for move in moves:                                          # all other rows: the places that are left
        left = iter(sorted(set(range(N)) - set(move.values())))
        maps.append(np.array([move[i] if i in move else next(left) for i in range(N)]))
    return maps, numbers


def comparison_groups(bits):
    """How the bits are cut into groups, low to high, so that the dealer sends the fewest."""
    best = None
    for m in range(1, min(8, bits) + 1):
        sizes = [bits // m + (i < bits % m) for i in range(m)]
        if sizes[0] <= 8:
            dealt = sum(2**s - 1 for s in sizes) + carry_products(m)
            best = (dealt, sizes) if best is None or dealt < best[0] else best
    return best[1]


def carry_products(groups):
    return 2**groups + 2 ** (groups - 1) - 2
