// KeptCiphertexts — what a party keeps of its peers' encryptions of one operand that takes part in many products: the messages as
// they came, and the seeds of their halves `a`. Each product unpacks them anew.
//
// The ciphertexts tell a party nothing new, however often it uses them. Each answer hides the multiplier by a zero of its own
// (masked_product.h). This class holds no secrets: all parties know the seeds of `a`.
//
// Thread: one.
#pragma once

#include <vector>

#include "mpc/ring/uninitialised.h"
#include "net/error.h"
#include "net/secret.h"

namespace tacit::mpc::lattice {

// One holder's ciphertexts of a part of a product, in their order.
struct PeerCiphertexts {
  std::vector<net::Secret> seeds;
  UninitialisedVector<std::byte> residues;
};

class KeptCiphertexts {
 public:
  // Takes a holder's ciphertexts of a part of the product, once. `part` is the part's number.
  void put(std::size_t part, int holder, PeerCiphertexts ciphertexts) {
    PeerCiphertexts& place = at(part, holder);
    TACIT_CHECK(place.seeds.empty() && !ciphertexts.seeds.empty());
    place = std::move(ciphertexts);
  }
  const PeerCiphertexts& of(std::size_t part, int holder) {
    const PeerCiphertexts& kept = at(part, holder);
    TACIT_CHECK(!kept.seeds.empty());
    return kept;
  }

 private:
  PeerCiphertexts& at(std::size_t part, int holder) {
    if (parts_.size() <= part) parts_.resize(part + 1);
    std::vector<PeerCiphertexts>& by_holder = parts_[part];
    if (by_holder.size() <= static_cast<std::size_t>(holder)) by_holder.resize(static_cast<std::size_t>(holder) + 1);
    return by_holder[static_cast<std::size_t>(holder)];
  }

  std::vector<std::vector<PeerCiphertexts>> parts_;  // by part and holder
};

}  // namespace tacit::mpc::lattice
