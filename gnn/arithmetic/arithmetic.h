// Arithmetic — tensors in, tensors out: the operations that layers, losses and optimisers are written in. No other
// code decides rings and fraction bits.
//
//   Tensor v = a.sum(gradient, a.scaled(velocity, momentum), largest);
//
// - A product drops the fraction bits that it gains (drop: truncation). A sum is as fine as its left operand.
// - A tensor falls to a narrower ring with every product. A lift (ring extension) brings it back to the top ring only
//   where the next operation would not fit.
// - A bound says how large a result can be, and follows from the operands. A caller passes one where the job declares a
//   smaller range: rings are then as narrow as that range allows.
// - A call that takes a list shares its rounds among all tensors of the list.
//
// mpc::LevelPlanner decides from formats and bounds alone, so every rank decides alike. A range audit, if there is one,
// watches every value when it is opened, as part of the current group (or of the tensor's own group). A lift opens the
// narrowest ring that the range needs, and the audit compares the lifted value.
//
// Thread: its session's.
#pragma once

#include <functional>
#include <limits>
#include <span>
#include <string>

#include "gnn/arithmetic/precision.h"
#include "gnn/arithmetic/ranges.h"
#include "gnn/arithmetic/tensor.h"
#include "mpc/kernels/sparse.h"
#include "mpc/levels/range_audit.h"
#include "mpc/protocols/own_matrix.h"
#include "mpc/ring/public_matrix.h"
#include "mpc/session/session.h"

namespace tacit::gnn {

class Arithmetic {
 public:
  // The session must outlive it.
  Arithmetic(mpc::Session& session, mpc::Format top, const Ranges& ranges = {});

  // The audit must outlive it; null switches the watch off.
  void watch_with(mpc::RangeAudit* audit) { audit_ = audit; }
  bool watches() const { return audit_ != nullptr; }
  // The group of everything that is computed from here on.
  void begin_group(Watched group) { group_ = group; }

  mpc::Session& session() { return session_; }
  const Ranges& ranges() const { return ranges_; }
  mpc::Format top() const { return planner_.top(); }
  const mpc::LevelPlanner& planner() const { return planner_; }
  mpc::Format format_of(Precision precision) const;                     // for a new tensor
  bool is_value(const Tensor& x) const { return x.format() == top(); }  // in the top ring, as fine as values
  // True if the range watch will watch x when it is opened next.
  bool is_watched(const Tensor& x) const { return audit_ != nullptr && !x.forms_->certain; }
  static bool is_masked(const Tensor& x) { return x.forms_->masked.has_value(); }

  // Products.

  // left · right, |left · right| <= bound. One round for all operands that are not masked yet; before it, one round if
  // the ring of an operand is too narrow.
  struct Product {
    Tensor left, right;
    double bound = 0;
    std::string name;
    // `right` has this many rows, one below the other, for each column of left, and the result as many for each row of left
    // (gnn/data/snapshots.h). All are computed as one product, with the present masked form of right.
    std::int64_t rows_each = 1;
  };
  Tensors matmul(std::span<const Product> products);
  Tensor matmul(const Product& product) { return matmul(std::span(&product, 1)).front(); }
  // Row by row, |product| <= bound: a column with the dot product of each row of left with the row of right; and each row of
  // all tensors times the number of `column` in this row. Rounds as for matmul().
  Tensor row_products(const Tensor& left, const Tensor& right, double bound, std::string name);
  Tensors row_multiples(const Tensor& column, std::span<const Tensor> tensors, double bound, const std::string& name);
  // Element by element, |x²| <= bound, with all fraction bits that it gains. One round for tensors that are not masked.
  Tensors squares(std::span<const Tensor> tensors, double bound);

  // The product by a public matrix: no round, or one if x must be lifted first, for the result or for the range watch.
  Tensor matmul(const mpc::SparseMatrix& m, const Tensor& x, double bound, std::string name);
  Tensor product(const mpc::PublicMatrix& m, const Tensor& x, double bound, std::string name);
  // By a matrix that one party alone knows: one round, and one before it where x must be lifted. x has `rows_each` rows, one below
  // the other, for each column of m (see Product).
  Tensor matmul(const mpc::OwnMatrix& m, const Tensor& x, double bound, std::string name, std::int64_t rows_each = 1);
  // Element by element, with all fraction bits that it gains; masked where x is. The dealer passes the same matrix.
  Tensor exact_product(const mpc::PublicMatrix& m, const Tensor& x, double bound, std::string name);

  // Public factors in fixed point: sparse matrices, and matrices of zeros and one other number. fill() writes this
  // number as its number of units (fill is not called in a session that computes no values). A product takes the fraction
  // bits of its factor from the ring: `whole` values have none.
  mpc::SparseMatrix sparse(Shape shape, const std::vector<std::int64_t>& row_begin,
                           const std::vector<std::int32_t>& cols, const std::vector<double>& values,
                           bool whole = false) const;
  using Fill = std::function<void(std::uint64_t* words, std::int64_t size, std::uint64_t units)>;
  mpc::PublicMatrix zeros_and(double number, Shape shape, const Fill& fill) const;
  // The fraction bits of that number. A product takes as many from its ring.
  static int fraction_bits_of(double number);

  // Sums and multiples. No round, but one where an operand must be lifted first.

  // The right operand is rounded to the precision of the left one. Without a bound it follows from both operands'.
  Tensor sum(const Tensor& left, const Tensor& right, std::optional<double> bound = {}, std::string name = {});
  Tensor difference(const Tensor& left, const Tensor& right, std::optional<double> bound = {}, std::string name = {});
  Tensors sums(std::span<const Tensor> left, std::span<const Tensor> right, double bound);
  // A row.
  Tensor column_sums(const Tensor& x, double bound, std::string name);

  static constexpr int kFactorBits = 12;
  // factor · x, the factor exact to 2^-factor_bits of itself, or as far as the ring has room for. The result is as fine as x,
  // unless a precision is named.
  struct Scaling {
    double most = std::numeric_limits<double>::infinity();  // declared: |factor · x| <= most
    std::optional<Precision> precision = {};
    int factor_bits = kFactorBits;
    int least_bits = 1;  // x is lifted if its ring has no room for this number of the factor's bits
    int least_ring = 0;  // x is lifted if its ring would have fewer bits than this afterwards
  };
  Tensor scaled(const Tensor& x, double factor, const Scaling& scaling) {
    return scaled(std::span(&x, 1), factor, scaling).front();
  }
  Tensor scaled(const Tensor& x, double factor) { return scaled(x, factor, Scaling()); }
  Tensors scaled(std::span<const Tensor> tensors, double factor, const Scaling& scaling);
  // The same for tensors that were opened, as refreshed() opens them, in the top ring and at one cost for any factor: a factor
  // far below 1 takes no bits of the ring. Dealt bits, no round.
  Tensors multiples(std::span<const Tensor> opened, double factor, const Scaling& scaling);
  // The same of one shown value, |value| <= bound.
  Tensor multiple(const mpc::Shown& opened, double bound, const std::string& name, double factor,
                  const Scaling& scaling);
  // A running mean that moves to a new value: mean + part · (to - mean). The result is as fine as the mean. Both stay
  // within the bound of `to`.
  Tensor moved(const Tensor& mean, const Tensor& to, double part, int factor_bits = kFactorBits);
  Tensor zeros_like(const Tensor& x, std::optional<Precision> precision = {}) const;

  // Next to each other, in the narrowest of their rings that holds all their ranges; a tensor in a narrower ring is lifted.
  // If some tensors are masked, so is the result, and no tensor is opened twice: one round if others are not masked yet. The
  // result is as fine as the first tensor.
  Tensor beside(std::span<const Tensor> tensors, std::string name);

  // Precisions and rings.

  // Bits are dropped (truncation) or zeros added. Returns x itself if x has this precision. No rounds.
  Tensor rounded(const Tensor& x, Precision precision);
  // Masks them ahead, so that products later have nothing to open. One round.
  void mask(std::span<const Tensor> tensors);
  // Masks the tensors in the round of the next mask, for a product that can wait until then. No round of their own.
  void mask_with_next(std::span<const Tensor> tensors);
  // Shows it in the round of whatever is masked, shown or lifted next, for shown(). No round of its own.
  void show_with_next(const Tensor& x);
  // The operands of a product that can wait. One round if an operand must be lifted first and was not shown.
  void mask_with_next(const Product& product);
  // Shares that are no tensors, in one round with the tensors that wait.
  std::vector<mpc::Masked> mask_shares(std::span<const mpc::Share> shares);
  // The tensors in the top ring. Returns a tensor that is there already unchanged. One round for all others.
  Tensors lifted(std::span<const Tensor> tensors);
  Tensor lifted(const Tensor& tensor) { return lifted(std::span(&tensor, 1)).front(); }
  // The tensors in the top ring, opened on the way in the narrowest ring that their ranges need. The range watch
  // compares them. One round.
  Tensors refreshed(std::span<const Tensor> tensors);
  Tensor refreshed(const Tensor& tensor) { return refreshed(std::span(&tensor, 1)).front(); }
  // Shows the tensors in the narrowest rings that their ranges need, and shares beside them. One round. The range
  // watch sees a tensor when its lift from this opening is passed to watch_lifted.
  std::vector<mpc::Shown> shown_narrowly(std::span<const Tensor> tensors, std::span<const mpc::Share> shares);
  void watch_lifted(const Tensor& x, const mpc::Shown& opened, const mpc::Share& lifted);
  // x in a ring with a few spare bits above its range. Fewer bits are opened, and a value that leaves its range is
  // still right, so the range watch can see it.
  static Tensor trimmed(const Tensor& x);
  // That ring.
  static int spare_ring(int fraction_bits, double bound);
  // x in a ring of `ring_bits` bits, which is not wider than x's. Returns x itself if it has this ring.
  static Tensor in_ring(const Tensor& x, int ring_bits);
  // x in the ring of this precision, which is not wider than x's.
  Tensor in_ring_of(Precision precision, const Tensor& x) const;

  // Comparisons and choices.

  // The range for which a ring must have room, so that the watch sees a value somewhat above `range`.
  double room_to_watch(double range) const;
  // The ring of such a value.
  int ring_to_watch(double range) const;
  // For a product of x by numbers with `fraction_bits` fraction bits, |product| <= bound. True if the range watch would miss a
  // result somewhat above the bound in the ring of x, but not in the top ring. Then lift x.
  bool hides(const Tensor& x, int fraction_bits, double bound) const;
  // The bits x >= 0 and x > 0 (comparison). Three rounds; the show of x serves select().
  mpc::Bits non_negative(const Tensor& x) { return at_least(x, 0); }
  mpc::Bits positive(const Tensor& x) { return at_least(x, 1); }
  // x where the bit is set, else 0 (multiplexer); in a ring that has room for a product bounded by `product_bound`. One
  // round, none if x was shown.
  Tensor select(const mpc::Bits& bits, const Tensor& x, double product_bound, std::string name);
  // The same of a column times a masked row, which is not computed before (mpc/functions/selected_outer.h). One round, in which the
  // column is shown. Empty if the top ring is too narrow.
  std::optional<Tensor> select(const mpc::Bits& bits, const Product& outer, double product_bound);

  // For gnn/arithmetic itself.

  // x with `fraction_bits` fraction bits. A new tensor: the opened forms of x do not serve the result.
  Tensor rounded(const Tensor& x, int fraction_bits);
  // x in the narrowest ring that can still show it, so that fewer bits travel.
  Tensor narrowed(const Tensor& x) const;
  // Opened under a mask (show: masked opening). One round, none if it was shown.
  const mpc::Shown& shown(const Tensor& x);
  // The masked form of x, which must be masked.
  mpc::Masked masked(const Tensor& x) const;

 private:
  mpc::Bits at_least(const Tensor& x, std::int64_t units);
  mpc::Share product_of(const Product& p) const;
  // The product by a matrix with so many fraction bits and columns, whose entries are as wide as words.
  Tensor product_by(int fraction_bits, std::int64_t columns, const Tensor& x, double bound, std::string name,
                    const std::function<mpc::Share(const mpc::Share& x)>& product);
  void lift(std::span<const Tensor> tensors);           // in place
  Tensor aligned(const Tensor& x, const Tensor& with);  // as fine as the other
  void make_room(const Tensor& a, const Tensor& b, double bound);
  std::optional<Tensor> exactly_scaled(const Tensor& x, double factor, const Scaling& scaling) const;
  int fraction_of(const Tensor& x, const Scaling& scaling) const;  // of the result
  static void expect_factor(const std::string& name, double factor);
  [[noreturn]] static void refuse(const mpc::Level& x, double factor, double bound);
  // The bits of `x` that are opened to lift it. A watched tensor opens no more bits than its range needs.
  mpc::Share to_be_lifted(const Tensor& x) const;
  int group_of(const Tensor& x) const { return static_cast<int>(x.forms_->group.value_or(group_)); }
  void note_range(const Tensor& x);
  void watch_shown(const Tensor& x);
  void watch_masked(const Tensor& x);
  void add_to_open(std::span<const Tensor> tensors, Tensors& open);
  void take_rows_of_whole(const Tensor& part);
  std::vector<mpc::Masked> mask_all(Tensors open, std::span<const mpc::Share> shares);
  std::vector<mpc::Shown> show_all(std::vector<mpc::Share> shares);
  std::vector<mpc::Share> take_to_show(Tensors& taken);
  void note_shown(const Tensors& tensors, std::span<const mpc::Shown> shown);

  mpc::Session& session_;
  mpc::LevelPlanner planner_;
  Ranges ranges_;
  mpc::RangeAudit* audit_ = nullptr;
  Watched group_ = Watched::kActivations;
  Tensors waiting_;  // are masked in the round of the next mask
  Tensors parts_;    // parts of tensors that this round masks
  Tensors to_show_;  // are shown in the round of the next mask or show
};

}  // namespace tacit::gnn
