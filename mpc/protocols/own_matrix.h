// own_matrix — a sparse matrix S that one party alone knows, its owner, and its product with a share: [S·x].
//
// Nobody else learns where the entries are, or how many there are in a row: only the shape and a bound E on the number of entries
// are public. The cost grows with E, and not with the size of a dense matrix.
//
//   The owner writes S as maps that it can tell in disguise. In a first list, each column c of S has a row, and behind it a row
//   for each entry of the column. In a second list, each row r of S has the entries of the row, and behind them a row. Then
//     place     the differences x_c - x_(c-1), at the rows of the columns; summed up, each entry has its x_c
//     arrange   the entries in the order of the second list, each times its number; summed up, row r has a sum of all entries so far
//     take      these rows; their differences are S·x
//   Sums and differences of rows are local. Each map is a permutation pi of N = max(rows, columns) + E rows.
//
//   For each map the owner and the dealer draw a uniform permutation rho, once. The owner tells the parties sigma = rho^-1·pi. For
//   each product, party j masks row i of its share w_j by row sigma(i) of l_j and sends it to the owner, which alone knows where row
//   i belongs: to pi(i) = rho(sigma(i)). The dealer knows rho, and deals shares of G = rho(l), for l the sum of all l_j. So
//     pi(w) = [at the owner] pi(sum of all w_j + sigma-rows of l_j) - G
//   and for numbers c of the entries, with <c> masked once: C = c + kappa is public, and
//     c·pi(w) = [at the owner] c·pi(sum …) - C·G + kappa·G, of which kappa·G is dealt.
//   A party but the owner waits for nobody between the three maps, since its new share is its share of G alone. Its three messages
//   travel in one round.
//
// Requires    S·x fits the ring of x; the fraction bits add up
// Reveals     nothing; the shape, E and the owner are public
// Rounds      own_matrix 2; a product 1
// Sends       own_matrix: the owner, 3·N numbers of log2 N bits to each other party; all parties open N words of 64 bits.
//             A product of h columns: every other party sends the owner 3·N·h words of k bits
// Consumes    a product: (3·N + rows)·h words of k bits are dealt
// Secure      against n-1 passive parties. sigma is uniform for every pi, because nobody but the owner and the dealer knows rho. Each
//             row of l_j masks one row of one message. The shares of G and kappa·G are fresh for each product, and uniform but for
//             their sum. The dealer gets no message; together with a party it learns S, as it learns all else. A party checks
//             that sigma is a permutation: with a row of l_j used twice, the owner would see a difference of two of its rows.
//             The owner's running time depends on its matrix, as the caches of its processor see the order of rows
// Papers      permutations as correlated randomness: Chase, Ghosh, Poburinnaya, ASIACRYPT 2020; graphs as lists that are permuted
//             and summed up: Nayak et al., IEEE S&P 2015 (GraphSC); here the owner knows the lists, so nothing is sorted
#pragma once

#include <memory>

#include "mpc/kernels/sparse.h"
#include "mpc/session/session.h"

namespace tacit::mpc {

class OwnMatrix {
 public:
  OwnMatrix() = default;
  Shape shape() const { return shape_; }
  int owner() const { return owner_; }
  int fraction_bits() const { return fraction_bits_; }
  std::int64_t most_entries() const { return most_entries_; }

 private:
  friend class OwnMatrixMaker;
  friend class OwnMatrixProduct;
  struct Maps;
  OwnMatrix(Shape shape, int owner, int fraction_bits, std::int64_t most_entries)
      : shape_(shape), owner_(owner), fraction_bits_(fraction_bits), most_entries_(most_entries) {}

  Shape shape_;
  int owner_ = 0;
  int fraction_bits_ = 0;
  std::int64_t most_entries_ = 0;
  std::shared_ptr<const Maps> maps_;  // as far as this rank knows them
};

// `mine` is read at the owner only, and always in the clear session. It has at most `most_entries` entries outside the diagonal, each
// place once.
OwnMatrix own_matrix(Session& session, int owner, Shape shape, std::int64_t most_entries, int fraction_bits,
                     const SparseMatrix* mine);

Share matmul(Session& session, const OwnMatrix& m, const Share& x);

}  // namespace tacit::mpc
