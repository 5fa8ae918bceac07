// OwnersPropagator — propagation along a private graph whose edges several ranks hold. Each rank alone knows its own edges, as a
// sparse matrix A_p of their weights, and no matrix of nodes by nodes exists (mpc/protocols/own_matrix_sum.h).
//
// No rank can normalise its edges, since nobody knows the degree of a node. So a normalisation multiplies the nodes' rows, before and
// after the sum over edges, by numbers that are on shares:
//
//   A·x = after ∘ ((A_0 + A_1 + … + loop·I)·(before ∘ x)),   ∘: row by row
//
//   symmetric    before 1/sqrt(degree), after factor/sqrt(degree), with the loop in the degree
//   mean         after 1/degree
//   sum          neither
//
// The transpose exchanges both numbers.
//
// Rounds      1 for the sum over all owners' edges, and 1 for each multiplication; 1 more where x must be lifted. Weights may need
//             a ring for the sum that is wider than the job's
// Sends       own_matrix_sum.h; a multiplication shows a row of each node in as many bits as its range needs, and the row's number was
//             shown once a session
// Error       of a number: 2^-16 of itself, and a unit, which is 2^-9 of the number at the largest degree that the public numbers of nodes and
//             edges allow. A multiplication before the sum keeps kMoreBits fraction bits more than values have: a sum over d
//             edges is off by up to d / 2^kMoreBits units, and divided by the root of d afterwards. The dense form rounds each entry to a
//             unit, and its numbers are off by 2^-9
#pragma once

#include <memory>

#include "gnn/graph/adjacency.h"
#include "gnn/graph/propagator.h"
#include "mpc/protocols/own_matrix.h"
#include "mpc/session/values.h"

namespace tacit::gnn {

// The edges of all ranks that hold some, and their transposes.
struct OwnersEdges {
  std::vector<mpc::OwnMatrix> forward, backward;
};

// A number for each node, shown once, and its limits.
struct NodeNumbers {
  mpc::Shown shown;
  double least = 1, most = 1;
};

// A degree is a node's sum of weights, at most `largest`, which is at most kMostDegree.
struct Degrees {
  Tensor column;  // Precision::kRawWhole, or kWeight if edges have weights
  double largest = 0;
};
// Rounds: 8. The last round shows the numbers.
NodeNumbers inverse_degrees(Arithmetic& arithmetic, const Degrees& degrees);
struct InverseRoots {
  NodeNumbers plain, scaled;
};
// `factor` multiplies the second. Rounds: 9, and 1 more with a factor.
InverseRoots inverse_roots(Arithmetic& arithmetic, const Degrees& degrees, double factor);

class OwnersPropagator final : public Propagator {
 public:
  struct Numbers {
    std::optional<NodeNumbers> before, after;
    double largest_degree = 1;
  };
  // `loop`: the entry of the node itself. With snapshots, x has as many rows for each node, one after the other.
  OwnersPropagator(std::shared_ptr<const OwnersEdges> edges, Numbers numbers, double loop, std::int64_t snapshots)
      : edges_(std::move(edges)), numbers_(std::move(numbers)), loop_(loop), snapshots_(snapshots) {}

  Tensor forward(Arithmetic& arithmetic, const Tensor& x, double bound, std::string name) override;
  Tensor backward(Arithmetic& arithmetic, const Tensor& x, double bound, std::string name) override;
  Tensor own(Arithmetic&, const Tensor& x) override { return x; }
  Tensor own_backward(Arithmetic&, const Tensor& x) override { return x; }

  static constexpr int kMoreBits = 2;

 private:
  using Of = const std::optional<NodeNumbers>&;
  Tensor gathered(Arithmetic& arithmetic, std::span<const mpc::OwnMatrix> edges, Of before, Of after, const Tensor& x,
                  double bound, const std::string& name) const;
  // The product is in a ring of `most_ring` bits at most.
  Tensor multiplied(Arithmetic& arithmetic, const NodeNumbers& numbers, const Tensor& x, int fraction_bits,
                    int most_ring, double bound, const std::string& name) const;
  // The sum has the fraction bits of values. If the edges have weights, it has `more_bits` more.
  Tensor summed(Arithmetic& arithmetic, std::span<const mpc::OwnMatrix> edges, const Tensor& x, int more_bits,
                double bound, const std::string& name) const;

  std::shared_ptr<const OwnersEdges> edges_;
  Numbers numbers_;
  double loop_;
  std::int64_t snapshots_;
};

}  // namespace tacit::gnn
