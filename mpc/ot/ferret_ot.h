// FerretOt is this party's end of Ferret's transfers with every peer, in both directions (ferret.h), under SoftSpokenOt's Deltas.
//
// A party binds each of its bits to a transfer with every peer. So the stock of a party counts the transfers for which it is the
// receiver, with each peer; every party keeps count of all stocks.
//
// Rounds      1 to start; 2 for each extension, of all parties that need one together
// Sends       to start, to each peer: 32 bits for each of kept() transfers, once. To each peer, for an extension of its own: 1
//             bit a level and tree; for one of the peer's: 16 bytes a level and tree
// Memory      2(n-1) times that of ferret.h
// Secure      see soft_spoken_ot.h and ferret.h
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "mpc/ot/ferret.h"
#include "mpc/ot/soft_spoken_ot.h"

namespace tacit::mpc {

class FerretOt {
 public:
  // Every party constructs it at the same time. The network and the workers must outlive it. A network that is a plan gives no transfers.
  FerretOt(PairNetwork& network, const Nonce& nonce, Workers& workers, SoftSpokenOt& first,
           const FerretSet& set = kFerretSet);

  // Extends until the stock of every party has so many transfers. The same number at all parties.
  void reserve(std::int64_t transfers);
  // Counts transfers that a party takes as the receiver, with each peer. More than the party's stock is an error of the program
  // (BrokenInvariant), but a plan goes on.
  void count(int party, std::int64_t transfers);

  FerretSender& sender(int peer) { return *senders_.at(static_cast<std::size_t>(peer)); }
  FerretReceiver& receiver(int peer) { return *receivers_.at(static_cast<std::size_t>(peer)); }

 private:
  void start(const Nonce& nonce, SoftSpokenOt& first);
  void extend(const std::vector<bool>& receivers);
  template <typename Visit>
  void for_peers(const Visit& visit) const;

  PairNetwork& network_;
  Workers& workers_;
  FerretSet set_;
  std::vector<std::int64_t> stocks_;  // by party
  std::vector<std::optional<FerretSender>> senders_;
  std::vector<std::optional<FerretReceiver>> receivers_;
};

}  // namespace tacit::mpc
