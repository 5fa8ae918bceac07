#include "mpc/session/party_session.h"

#include "mpc/session/dealer_correlations.h"

namespace tacit::mpc {

namespace {

Party join(net::Mesh& mesh, Workers& workers, net::AllReducePlan plan) {
  if (mesh.world().helpers < 1) {
    throw ConfigError("the roster has no dealer: a session needs one rank of that role, after the parties");
  }
  const Nonce nonce = agree_on_nonce(mesh);
  return Party(mesh, nonce, workers, std::move(plan), std::make_unique<DealerCorrelations>(mesh, nonce));
}

}  // namespace

PartySession::PartySession(net::Mesh& mesh, net::AllReducePlan plan, const SessionOptions& options)
    : PartySession(mesh, std::move(plan), std::make_unique<Workers>(options.threads)) {}

PartySession::PartySession(net::Mesh& mesh, net::AllReducePlan plan, std::unique_ptr<Workers> workers)
    : SessionOver(*workers),
      workers_(std::move(workers)),
      party_(join(mesh, *workers_, std::move(plan))),
      setting_(party_.cost_setting()) {}

}  // namespace tacit::mpc
