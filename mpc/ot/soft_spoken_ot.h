// SoftSpokenOt is this party's end of all correlated transfers: for each peer, one direction in which this party sends and one in
// which it receives, with a Delta, base transfers and trees of their own. Bit 0 of a Delta is 1, as Ferret needs it (ferret.h); the other
// 127 are secret.
//
// Sets up in 3 rounds. To each peer: A (32 bytes), 128 points B (4096 bytes), the sums of the trees' levels (4096 bytes).
// Secure against passive parties: see base_ot.h, punctured_trees.h and soft_spoken.h.
#pragma once

#include <optional>
#include <vector>

#include "mpc/ot/pair_network.h"
#include "mpc/ot/soft_spoken.h"
#include "mpc/random/nonce.h"

namespace tacit::mpc {

class SoftSpokenOt {
 public:
  // Every party constructs it at the same time. A network that is a plan gives no transfers.
  SoftSpokenOt(PairNetwork& network, const Nonce& nonce, Workers& workers);

  SoftSpokenSender& sender(int peer) { return *senders_.at(static_cast<std::size_t>(peer)); }
  SoftSpokenReceiver& receiver(int peer) { return *receivers_.at(static_cast<std::size_t>(peer)); }

 private:
  std::vector<std::optional<SoftSpokenSender>> senders_;
  std::vector<std::optional<SoftSpokenReceiver>> receivers_;
};

}  // namespace tacit::mpc
