// PartySession — the interpreter that computes on shares, with the other parties of a mesh and a source of
// correlations: the mesh's dealer, or another one.
#pragma once

#include <memory>

#include "mpc/session/session_over.h"

namespace tacit::mpc {

struct SessionOptions {
  int threads = 1;                      // for kernels
  std::int64_t ahead_bytes = 64 << 20;  // how much a dealer keeps ready beyond what the parties have taken
};

class PartySession final : public SessionOver<Party> {
 public:
  // Agrees on a nonce with every rank of the mesh, which must outlive the session. `plan` is the same at every party.
  // Correlations come from the mesh's dealer, or from another source.
  PartySession(net::Mesh& mesh, net::AllReducePlan plan, const SessionOptions& options = {});
  PartySession(net::Mesh& mesh, net::AllReducePlan plan, const SessionOptions& options,
               const CorrelationSource& source);

  int parties() const override { return party_.parties(); }
  void set_step(std::string step) override { party_.mesh().set_step(std::move(step)); }

  // Public, and never that of another session.
  const Nonce& nonce() const { return party_.nonce(); }

  // How long it has waited for correlations so far.
  std::chrono::nanoseconds waited_for_dealer() { return party_.correlations().waited(); }

 private:
  PartySession(net::Mesh& mesh, net::AllReducePlan plan, std::unique_ptr<Workers> workers,
               const CorrelationSource& source);

  Party& context() override { return party_; }
  const CostSetting* cost_setting() const override { return &setting_; }

  std::unique_ptr<Workers> workers_;
  Party party_;
  CostSetting setting_;
};

}  // namespace tacit::mpc
