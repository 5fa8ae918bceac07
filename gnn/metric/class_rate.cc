#include "gnn/metric/class_rate.h"

#include <cmath>

#include <fmt/format.h>

#include "gnn/arithmetic/quotients.h"
#include "mpc/protocols/mask.h"
#include "mpc/protocols/product.h"
#include "mpc/session/local.h"

namespace tacit::gnn {

ClassRate::ClassRate(Arithmetic& arithmetic, Metric metric, const Tensor& y, std::optional<std::int64_t> of_class)
    : metric_(metric),
      class_(of_class),
      nodes_(y.shape().rows),
      classes_(y.shape().cols),
      error_(std::ldexp(1.0, -15) + rounding_of(arithmetic.session().parties(), classes_)) {
  const mpc::Share whole = whole_numbers(arithmetic, y);
  y_ = mpc::mask(arithmetic.session(), whole);
  own_ = mpc::column_sums(whole);
}

Tensor ClassRate::of(Arithmetic& arithmetic, Outputs& outputs) const {
  mpc::Session& session = arithmetic.session();
  const mpc::Share predicted = outputs.likeliest(arithmetic).share();
  const mpc::Share pairs = mpc::matmul(session, y_.transposed(), mpc::mask(session, predicted));
  const mpc::PublicMatrix diagonal(Matrix::Identity(classes_, classes_), 0, "the diagonal");
  const int room = mpc::room_for(0, static_cast<double>(nodes_));
  const std::vector<mpc::Share> counts =
      in_words(session, {mpc::narrow(mpc::column_sums(mpc::product(diagonal, pairs, session.workers())), room),
                         mpc::narrow(mpc::column_sums(predicted), room)});
  const bool f1 = metric_ == Metric::kF1;
  mpc::Share right = f1 ? counts[0] + counts[0] : counts[0];
  mpc::Share all = f1 ? counts[1] + own_ : metric_ == Metric::kPrecision ? counts[1] : own_;
  if (class_) {
    right = mpc::columns(right, *class_, *class_ + 1);
    all = mpc::columns(all, *class_, *class_ + 1);
  }
  const mpc::Share rates = quotients(session, right, all, static_cast<double>(f1 ? 2 * nodes_ : nodes_));
  return to_reveal(session, mpc::row_sums(rates), static_cast<double>(classes_), std::string(name_of(metric_)));
}

Measured ClassRate::read(const Matrix& revealed) const {
  const auto quotients = static_cast<double>(class_ ? 1 : classes_);
  return {told_quotient(revealed(0, 0) / quotients, error_, 1 / (quotients * static_cast<double>(nodes_))), {}};
}

}  // namespace tacit::gnn
