#include "mpc/session/dealer_session.h"

namespace tacit::mpc {

DealerSession::DealerSession(net::Mesh& mesh, const SessionOptions& options)
    : DealerSession(mesh, std::make_unique<Workers>(options.threads), options.ahead_bytes) {}

DealerSession::DealerSession(net::Mesh& mesh, std::unique_ptr<Workers> workers, std::int64_t ahead_bytes)
    : SessionOver(*workers),
      workers_(std::move(workers)),
      dealer_(mesh, agree_on_nonce(mesh), *workers_, ahead_bytes) {}

}  // namespace tacit::mpc
