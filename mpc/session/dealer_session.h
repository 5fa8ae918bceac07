// DealerSession runs the parties' program on masks only, and deals the correlated randomness that
// the parties will need.
//
// The dealer learns the calls with their shapes and formats, and the outcomes of decide(). It
// receives nothing else.
#pragma once

#include <memory>

#include "mpc/session/mesh_dealer.h"
#include "mpc/session/party_session.h"

namespace tacit::mpc {

class DealerSession final : public SessionOver<Dealer> {
 public:
  // This rank must be the mesh's first helper.
  explicit DealerSession(net::Mesh& mesh, const SessionOptions& options = {});

  int parties() const override { return dealer_.parties(); }
  void set_step(std::string step) override { dealer_.mesh().set_step(std::move(step)); }

  void output(const std::function<void(const PublicReader&)>&) override {}

  // Returns when all dealt messages have left. Call this before the mesh is closed.
  void flush() { dealer_.flush(); }

 private:
  DealerSession(net::Mesh& mesh, std::unique_ptr<Workers> workers, const SessionOptions& options);

  MeshDealer& context() override { return dealer_; }
  const CostSetting* cost_setting() const override { return nullptr; }

  std::unique_ptr<Workers> workers_;
  MeshDealer dealer_;
};

}  // namespace tacit::mpc
