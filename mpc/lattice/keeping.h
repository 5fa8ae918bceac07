// Keeping says whether the ciphertexts of one operand of a masked product serve other products. The maker of a session decides it by
// a public rule (mpc/made/kept_products.h), so it is equal at all parties.
#pragma once

#include <memory>

namespace tacit::mpc {

namespace lattice {
class KeptCiphertexts;
}

struct Keeping {
  enum class Use : unsigned char {
    kFresh,  // all ciphertexts serve this product alone
    kFirst,  // the operand's ciphertexts travel, and their receivers keep them
    kAgain   // the receivers have them: only answers travel
  };

  Use use = Use::kFresh;
  bool left = true;  // the operand that stays: the left one, or the right one
  // The ciphertexts of this operand, for products of the same sizes and width. A plan does not read them.
  std::shared_ptr<lattice::KeptCiphertexts> ciphertexts = nullptr;
};

}  // namespace tacit::mpc
