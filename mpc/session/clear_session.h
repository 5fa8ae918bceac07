// ClearSession runs a program on plain fixed-point values in one process: no peers, no masks, n =
// 1. Every test takes this session as its reference (ideal functionality).
#pragma once

#include <memory>

#include "mpc/session/session_over.h"

namespace tacit::mpc {

class ClearSession final : public SessionOver<Clear> {
 public:
  // `parties` is the number of owners that the program may name. Equal seeds give equal roundings.
  explicit ClearSession(int parties = 1, std::uint64_t seed = 1, int threads = 1);

  int parties() const override { return parties_; }
  void set_step(std::string step) override { clear_.set_step(std::move(step)); }

  // Records values outside a declared range. In a party session such values give wrong results
  // without an error.
  void expect_between(const Share& x, double begin, double end, std::string_view what) override;
  const std::vector<RangeViolation>& range_violations() const { return clear_.range_violations(); }

 private:
  ClearSession(int parties, std::uint64_t seed, std::unique_ptr<Workers> workers);

  Clear& context() override { return clear_; }
  const CostSetting* cost_setting() const override { return nullptr; }

  int parties_;
  std::unique_ptr<Workers> workers_;
  Clear clear_;
};

}  // namespace tacit::mpc
