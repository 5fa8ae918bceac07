// Arithmetic — what a model computes with: products that drop the fraction bits they gained, masks and lifts just where
// they are needed, and everything that is opened in the same step in the same round.
//
// Where a range audit is given, every value that is opened is watched by it: at the moment of the opening, in the group
// that is computed then (or the tensor's own). Lifts go through the narrowest ring, and what comes of them is compared.
//
// Rings are decided here and now by mpc::LevelPlanner, from formats and declared ranges alone, so every rank decides
// alike. Thread: its session's.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "gnn/arithmetic/ranges.h"
#include "gnn/arithmetic/tensor.h"
#include "mpc/kernels/sparse.h"
#include "mpc/levels/range_audit.h"
#include "mpc/ring/public_matrix.h"
#include "mpc/session/session.h"

namespace tacit::gnn {

class Arithmetic {
 public:
  // The session must outlive it.
  Arithmetic(mpc::Session& session, mpc::Format top, const Ranges& ranges = {});

  // The audit must outlive it; null: nothing is watched.
  void watch_with(mpc::RangeAudit* audit) { audit_ = audit; }
  bool watches() const { return audit_ != nullptr; }
  // What is computed from here on.
  void begin_group(Watched group) { group_ = group; }

  mpc::Session& session() { return session_; }
  const Ranges& ranges() const { return ranges_; }
  mpc::Format top() const { return planner_.top(); }
  const mpc::LevelPlanner& planner() const { return planner_; }

  // left · right, |left · right| <= bound. One round for all operands that are not masked yet; one before it for those
  // whose ring is too narrow. Without the drop where all gained fraction bits shall stay.
  struct Product {
    Tensor left, right;
    double bound = 0;
    std::string name;
  };
  std::vector<Tensor> matmul(std::span<const Product> products);
  Tensor matmul(const Product& product) { return matmul(std::span(&product, 1)).front(); }

  // Element by element, |x²| <= bound, with all fraction bits that it gains. One round for what is not masked.
  std::vector<Tensor> squares(std::span<const Tensor> tensors, double bound);

  // By a public matrix: no round, but one where x must be lifted first.
  Tensor matmul(const mpc::SparseMatrix& m, const Tensor& x, double bound, std::string name);
  Tensor product(const mpc::PublicMatrix& m, const Tensor& x, double bound, std::string name);
  // Element by element, with all fraction bits that it gains; masked where x is. The dealer passes the same matrix.
  Tensor exact_product(const mpc::PublicMatrix& m, const Tensor& x, double bound, std::string name);

  // No rounds.
  Tensor sum(const Tensor& a, const Tensor& b, double bound, std::string name);
  Tensor difference(const Tensor& a, const Tensor& b, double bound, std::string name);

  // A row; no round, but one where x must be lifted first.
  Tensor column_sums(const Tensor& x, double bound, std::string name);

  // Masks them ahead, so that products later have nothing to open. One round.
  void mask(std::span<const Tensor> tensors);
  // In the top ring, they themselves. One round for all that are not in it.
  std::vector<Tensor> lifted(std::span<const Tensor> tensors);
  Tensor lifted(const Tensor& tensor) { return lifted(std::span(&tensor, 1)).front(); }

  // One round, none if it was shown.
  const mpc::Shown& shown(const Tensor& x);
  // Where x >= 0. Three rounds; the show of them serves what is selected.
  mpc::Bits non_negative(const Tensor& x);
  // x where the bit is set, else 0; in a ring that has room for a product bounded by `product_bound`. One round, none
  // if x was shown.
  Tensor select(const mpc::Bits& bits, const Tensor& x, double product_bound, std::string name);

  // factor · x, |factor · x| <= bound, in x's ring: it gains as many fraction bits as the factor needs to be exact to
  // 2^-kFactorBits of itself, or as there is room for. No rounds.
  static constexpr int kFactorBits = 12;
  Tensor times(const Tensor& x, double factor, double bound, std::string name);
  // x / 2^times, with as many fraction bits as x. No round, but one where x must be lifted first.
  Tensor halved(const Tensor& x, int times);
  // With so many fraction bits: dropped, or zeros added. No rounds.
  Tensor rounded(const Tensor& x, int fraction_bits);
  // In the narrowest ring that still shows it: fewer bits travel.
  Tensor narrowed(const Tensor& x) const;

 private:
  void lift(std::span<const Tensor> tensors);  // in place
  mpc::Masked masked(const Tensor& x) const;
  // The part of `x` that is opened to lift it: where it is watched, no more bits than its range needs.
  mpc::Share to_be_lifted(const Tensor& x) const;
  bool is_watched(const Tensor& x) const { return audit_ != nullptr && !x.forms_->certain; }
  int group_of(const Tensor& x) const { return static_cast<int>(x.forms_->group.value_or(group_)); }
  void note_range(const Tensor& x);
  void watch_shown(const Tensor& x);
  void watch_masked(const Tensor& x);

  mpc::Session& session_;
  mpc::LevelPlanner planner_;
  Ranges ranges_;
  mpc::RangeAudit* audit_ = nullptr;
  Watched group_ = Watched::kActivations;
};

}  // namespace tacit::gnn
