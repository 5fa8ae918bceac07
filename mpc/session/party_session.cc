#include "mpc/session/party_session.h"

#include "mpc/correlations/dealer_correlations.h"

namespace tacit::mpc {

namespace {

Party join(net::Mesh& mesh, Workers& workers, net::AllReducePlan plan, device::Device* device,
           const CorrelationSource& source) {
  const Nonce nonce = agree_on_nonce(mesh);
  return Party(mesh, nonce, workers, std::move(plan), source(mesh, nonce, workers), device);
}

}  // namespace

PartySession::PartySession(net::Mesh& mesh, net::AllReducePlan plan, const SessionOptions& options)
    : PartySession(mesh, std::move(plan), options, from_the_dealer) {}

PartySession::PartySession(net::Mesh& mesh, net::AllReducePlan plan, const SessionOptions& options,
                           const CorrelationSource& source)
    : PartySession(mesh, std::move(plan), std::make_unique<Workers>(options.threads), options.device, source) {}

PartySession::PartySession(net::Mesh& mesh, net::AllReducePlan plan, std::unique_ptr<Workers> workers,
                           device::Device* device, const CorrelationSource& source)
    : SessionOver(*workers),
      workers_(std::move(workers)),
      party_(join(mesh, *workers_, std::move(plan), device, source)),
      setting_(party_.cost_setting()) {
  if (!is_ahead(setting_.from)) return;
  notes_ = request_costs(setting_.parties, setting_.rank, setting_.from);
  setting_.notes = notes_.get();
}

}  // namespace tacit::mpc
