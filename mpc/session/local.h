// Local algebra on shares: free functions without a Session, without communication and without
// cost.
//
// The result of two shares is in the narrower of their rings, since a share mod 2^k is a share in
// every narrower ring. Both must have the same fraction bits.
#pragma once

#include "mpc/kernels/sparse.h"
#include "mpc/kernels/workers.h"
#include "mpc/ring/public_matrix.h"
#include "mpc/session/values.h"

namespace tacit::mpc {

Share operator+(const Share& a, const Share& b);
Share operator-(const Share& a, const Share& b);
Share operator-(const Share& a);
// The same on the workers. A difference may be in a narrower ring than both.
Share sum(const Share& a, const Share& b, Workers& workers);
Share difference(const Share& a, const Share& b, Workers& workers);
Share difference(const Share& a, const Share& b, int ring_bits, Workers& workers);

// Multiplies by the public number factor / 2^fraction_bits. The product has `fraction_bits` more
// fraction bits.
Share scale(const Share& a, std::int64_t factor, int fraction_bits);
Share scale(const Share& a, std::int64_t factor, int fraction_bits, Workers& workers);

// narrow moves a share to a narrower ring. refine appends fraction bits, at the expense of
// magnitude.
Share narrow(const Share& a, int ring_bits);
Share narrow(const Share& a, int ring_bits, Workers& workers);
Share refine(const Share& a, int fraction_bits);

Share transposed(const Share& a);

// column_sums gives a row, row_sums a column. repeat_rows and repeat_cols repeat a row or a column.
Share column_sums(const Share& a);
Share row_sums(const Share& a);
Share repeat_rows(const Share& row, std::int64_t rows);
Share repeat_cols(const Share& column, std::int64_t cols);
Masked repeat_cols(const Masked& column, std::int64_t cols);

// columns gives the columns begin … end-1, rows these rows. beside places shares next to each other, stacked one below the
// other.
Share columns(const Share& a, std::int64_t begin, std::int64_t end);
Share rows(const Share& a, std::int64_t begin, std::int64_t end);
Share beside(const Share& left, const Share& right);
Share beside(std::span<const Share> shares);
Share stacked(std::span<const Share> shares);
// The masked form of such values, from their masked forms and without another opening.
Masked beside(std::span<const Masked> masked);
// The same elements in row-major order, in another shape of equal size.
Share reshaped(const Share& a, Shape shape);
// The masked form of such values, without another opening. `a` is not transposed.
Masked reshaped(const Masked& a, Shape shape);

// Products of a public matrix and a share: as matrices in either order, or element by element. The
// fraction bits add up. The dealer may pass any matrix of the same shape and fraction bits, so it
// need not know the matrix.
Share matmul(const PublicMatrix& m, const Share& x, Workers& workers);
Share matmul(const Share& x, const PublicMatrix& m, Workers& workers);
Share product(const PublicMatrix& m, const Share& x, Workers& workers);

// The masked form of such an element-by-element product, from the masked form of x and without
// another opening. Here the dealer must pass the same matrix, since the product multiplies the
// mask, too.
Masked product(const PublicMatrix& m, const Masked& x, Workers& workers);

// A public sparse matrix times a share. The fraction bits add up.
Share matmul(const SparseMatrix& m, const Share& x, Workers& workers);

// Adds a public number of units to every element of this rank's words. For a sum of shares, only
// one party may add it (see add_public.h).
Share with_units(const Share& a, std::uint64_t units, Workers& workers);

}  // namespace tacit::mpc
