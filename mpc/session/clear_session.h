// ClearSession — the interpreter that computes on plain fixed-point values: one process, no peers, no masks. It is n =
// 1, and the reference for every test.
#pragma once

#include <memory>

#include "mpc/session/session_over.h"

namespace tacit::mpc {

class ClearSession final : public SessionOver<Clear> {
 public:
  // `parties`: how many owners the program may name. Equal seeds round alike.
  explicit ClearSession(int parties = 1, std::uint64_t seed = 1, int threads = 1);

  int parties() const override { return parties_; }
  void set_step(std::string step) override { clear_.set_step(std::move(step)); }

  // Values that did not fit where they were shown or compared: in a party session they would have gone wrong silently.
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
