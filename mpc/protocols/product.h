// product — Beaver multiplication: [xy] from <x> and <y>, element by element or as matrices.
//
//   xy = Dx·Dy - Dx·ly - lx·Dy + lx·ly,   so party i holds   Dx·([i = 0] Dy - ly_i) - lx_i·Dy + gamma_i
//
// Requires    nothing of the values; the result is in the narrower of the two rings, and its fraction bits
//             are the sum of both
// Reveals     nothing, since no value is opened
// Rounds      0
// Sends       nothing
// Consumes    gamma, shares of lx·ly: k bits per element of the RESULT are dealt
// Secure      against n-1 passive parties: gamma is uniform except for its sum; the dealer must not collude
// Papers      Beaver, CRYPTO 1991 (products from dealt products of masks; here a mask outlives the product)
#pragma once

#include "mpc/session/operation.h"
#include "mpc/session/session.h"

namespace tacit::mpc {

// Element by element.
Share product(Session& session, const Masked& x, const Masked& y);
// The matrix product.
Share matmul(Session& session, const Masked& x, const Masked& y);

// The operation of matmul, declared here so that another interpreter can replace it.
class MatrixProduct final : public OperationOf<Share> {
 public:
  MatrixProduct(const Masked& x, const Masked& y) : x_(x), y_(y) {}
  std::string_view name() const override { return "matmul"; }
  Cost cost(const CostSetting& setting) const override;
  Share at(Party& party) override;
  Share at(Dealer& dealer) override;
  Share at(Clear& clear) override;
  Share at(Planner& planner) override;

  const Masked& x() const { return x_; }
  const Masked& y() const { return y_; }

 private:
  MatrixProductRequest request() const;  // with this rank's masks

  const Masked& x_;
  const Masked& y_;
};

}  // namespace tacit::mpc
