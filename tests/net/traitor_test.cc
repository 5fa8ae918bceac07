// The worst that a rank with a valid key can do to an established mesh by breaking the rules of the
// connection: it ends the mesh, with its own name in every rank's error.
#include <gtest/gtest.h>

#include <string>

#include "tests/net/party_job.h"

namespace tacit::net {
namespace {

// Rank 2 of three parties and a dealer betrays; all others must end with `exit` and a line that
// contains `phrases`.
void expect_betrayal(const std::string& misdeed, Exit exit, std::initializer_list<std::string_view> phrases) {
  const Job job(3, 1);
  std::vector<Process> honest;
  for (int rank : {0, 1, 3}) honest.push_back(job.start(rank));
  Process traitor(job.command_of(TACIT_MESH_TRAITOR, 2, {"--misdeed", misdeed}));
  for (Process& rank : honest) expect_failure(rank, exit, phrases);
}

TEST(Traitor, GarbageOnAnEstablishedLinkIsAProtocolErrorOfItsSender) {
  expect_betrayal("garbage", Exit::kProtocol, {"rank 2 (party", "deviates from the protocol", "step \"exchange 1\""});
}

TEST(Traitor, AnOversizedFrameIsRefusedBeforeAnythingIsAllocated) {
  expect_betrayal("oversized-frame", Exit::kProtocol,
                  {"rank 2 (party", "deviates from the protocol", "too large", "step \"exchange 1\""});
}

TEST(Traitor, AFrameCutShortByTheEndOfTheConnectionIsNamed) {
  expect_betrayal("truncated-frame", Exit::kNet, {"rank 2 (party", "is gone", "step \"exchange 1\""});
}

TEST(Traitor, AFrameThatIsNeverFinishedEndsWithTheSilence) {
  expect_betrayal("stalled-frame", Exit::kNet, {"rank 2 (party", "has not been heard for", "step \"exchange 1\""});
}

TEST(Traitor, AHalfClosedConnectionIsNamed) {
  expect_betrayal("half-close", Exit::kNet, {"rank 2 (party", "is gone", "step \"exchange 1\""});
}

TEST(Traitor, AFloodOfMessagesThatNobodyAskedForIsHeldBackAndEndsWithOurPatience) {
  const Job job(2);
  Process honest = job.start(0, {"--patience", "2000"});
  const Process traitor(job.command_of(TACIT_MESH_TRAITOR, 1, {"--misdeed", "flood"}));
  expect_failure(honest, Exit::kNet, {"rank 1 (party", "has kept rank 0 waiting"});
}

}  // namespace
}  // namespace tacit::net
