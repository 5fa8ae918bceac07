#include "mpc/session/dealer_session.h"

namespace tacit::mpc {

DealerSession::DealerSession(net::Mesh& mesh, const SessionOptions& options)
    : DealerSession(mesh, std::make_unique<Workers>(options.threads), options) {}

DealerSession::DealerSession(net::Mesh& mesh, std::unique_ptr<Workers> workers, const SessionOptions& options)
    : SessionOver(*workers),
      workers_(std::move(workers)),
      dealer_(mesh, agree_on_nonce(mesh), *workers_, options.ahead_bytes, options.device) {}

}  // namespace tacit::mpc
