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

 private:
  ClearSession(int parties, std::uint64_t seed, std::unique_ptr<Workers> workers);

  Clear& context() override { return clear_; }
  const CostSetting* cost_setting() const override { return nullptr; }

  int parties_;
  std::unique_ptr<Workers> workers_;
  Clear clear_;
};

}  // namespace tacit::mpc
