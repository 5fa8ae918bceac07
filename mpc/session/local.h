// Local algebra on shares: what costs nothing and needs nobody. Free functions without a Session.
//
// Two shares meet in the narrower ring of the two (a share mod 2^k is a share in every narrower ring) and must have the
// same fraction bits.
#pragma once

#include "mpc/kernels/sparse.h"
#include "mpc/kernels/workers.h"
#include "mpc/ring/public_matrix.h"
#include "mpc/session/values.h"

namespace tacit::mpc {

Share operator+(const Share& a, const Share& b);
Share operator-(const Share& a, const Share& b);
Share operator-(const Share& a);

// Times a public integer that stands for factor / 2^fraction_bits: the product has so many fraction bits more.
Share scale(const Share& a, std::int64_t factor, int fraction_bits);

// In a narrower ring; with fraction bits added below, which costs magnitude.
Share narrow(const Share& a, int ring_bits);
Share refine(const Share& a, int fraction_bits);

Share transposed(const Share& a);

// Of each column (a row), of each row (a column); a row or a column repeated to a shape.
Share column_sums(const Share& a);
Share row_sums(const Share& a);
Share repeat_rows(const Share& row, std::int64_t rows);
Share repeat_cols(const Share& column, std::int64_t cols);
Masked repeat_cols(const Masked& column, std::int64_t cols);

// The columns begin … end-1; shares next to each other.
Share columns(const Share& a, std::int64_t begin, std::int64_t end);
Share beside(const Share& left, const Share& right);
Share beside(std::span<const Share> shares);
// The same elements, row after row, in another shape of as many.
Share reshaped(const Share& a, Shape shape);

// A public matrix times a share, in either order, or element by element: the fraction bits of both. The dealer may pass
// any matrix of the same shape and fraction bits: it need not know it.
Share matmul(const PublicMatrix& m, const Share& x, Workers& workers);
Share matmul(const Share& x, const PublicMatrix& m, Workers& workers);
Share product(const PublicMatrix& m, const Share& x, Workers& workers);

// The masked form of such a product, element by element, from that of x: nothing is opened anew. Here the dealer must
// pass the same matrix: the mask is multiplied too.
Masked product(const PublicMatrix& m, const Masked& x, Workers& workers);

// A public sparse matrix times a share: the fraction bits of both.
Share matmul(const SparseMatrix& m, const Share& x, Workers& workers);

// Every element plus a public number of units, at this rank: of a sum, one party alone adds it (see add_public.h).
Share with_units(const Share& a, std::uint64_t units, Workers& workers);

}  // namespace tacit::mpc
