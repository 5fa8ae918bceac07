// PartySession runs a program on shares, together with the other parties of a mesh. Correlated
// randomness comes from the mesh's dealer or another source.
#pragma once

#include <memory>

#include "mpc/correlations/request_notes.h"
#include "mpc/session/session_over.h"

namespace tacit::mpc {

struct SessionOptions {
  int threads = 1;                      // for kernels
  std::int64_t ahead_bytes = 64 << 20;  // limit of the dealer's messages that the parties have not yet taken
  // Multiplies large matrices. The words of results do not depend on the device, so each rank may have one or not. The
  // device must outlive the session.
  device::Device* device = nullptr;
};

class PartySession final : public SessionOver<Party> {
 public:
  // Agrees on a nonce with every rank of the mesh. The mesh must outlive the session. `plan` must
  // be equal at every party. Correlations come from the mesh's dealer, or from `source`.
  PartySession(net::Mesh& mesh, net::AllReducePlan plan, const SessionOptions& options = {});
  PartySession(net::Mesh& mesh, net::AllReducePlan plan, const SessionOptions& options,
               const CorrelationSource& source);

  int parties() const override { return party_.parties(); }
  void set_step(std::string step) override { party_.mesh().set_step(std::move(step)); }

  // Public, and different in every session.
  const Nonce& nonce() const { return party_.nonce(); }

  // Total time of waiting for correlations so far.
  std::chrono::nanoseconds waited_for_dealer() { return party_.correlations().waited(); }

 private:
  PartySession(net::Mesh& mesh, net::AllReducePlan plan, std::unique_ptr<Workers> workers, device::Device* device,
               const CorrelationSource& source);

  Party& context() override { return party_; }
  const CostSetting* cost_setting() const override { return &setting_; }

  std::unique_ptr<Workers> workers_;
  Party party_;
  std::unique_ptr<RequestNotes> notes_;  // if correlations are made ahead
  CostSetting setting_;
};

}  // namespace tacit::mpc
