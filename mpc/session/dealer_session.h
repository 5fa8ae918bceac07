// DealerSession — the interpreter that knows only masks: it runs the parties' program and deals what they will need.
//
// It learns the calls with their shapes and formats, and what decide() decided. Nothing else ever reaches it.
#pragma once

#include <memory>

#include "mpc/session/party_session.h"

namespace tacit::mpc {

class DealerSession final : public SessionOver<Dealer> {
 public:
  // This rank is the mesh's first helper.
  explicit DealerSession(net::Mesh& mesh, const SessionOptions& options = {});

  int parties() const override { return dealer_.parties(); }
  void set_step(std::string step) override { dealer_.mesh().set_step(std::move(step)); }

  void output(const std::function<void(const PublicReader&)>&) override {}

  // Returns when everything dealt has left. Before the mesh is closed.
  void flush() { dealer_.flush(); }

 private:
  DealerSession(net::Mesh& mesh, std::unique_ptr<Workers> workers, std::int64_t ahead_bytes);

  Dealer& context() override { return dealer_; }
  const CostSetting* cost_setting() const override { return nullptr; }

  std::unique_ptr<Workers> workers_;
  Dealer dealer_;
};

}  // namespace tacit::mpc
