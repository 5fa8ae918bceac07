#include "mpc/session/clear_session.h"

namespace tacit::mpc {

ClearSession::ClearSession(int parties, std::uint64_t seed, int threads)
    : ClearSession(parties, seed, std::make_unique<Workers>(threads)) {}

ClearSession::ClearSession(int parties, std::uint64_t seed, std::unique_ptr<Workers> workers)
    : SessionOver(*workers), parties_(parties), workers_(std::move(workers)), clear_(*workers_, seed) {}

}  // namespace tacit::mpc
