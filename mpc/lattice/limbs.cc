#include "mpc/lattice/limbs.h"

#include <sodium.h>

namespace tacit::mpc::lattice {

SecretLimbs::~SecretLimbs() {
  for (std::int64_t i = 0; i < count(); ++i) sodium_memzero((*this)[i], kDegree * sizeof(std::uint64_t));
}

}  // namespace tacit::mpc::lattice
