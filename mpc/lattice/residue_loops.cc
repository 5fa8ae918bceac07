#include "mpc/lattice/residue_loops.h"

namespace tacit::mpc::lattice {

const ResidueLoops& residue_loops(Instructions instructions) {
#ifdef TACIT_X86_KERNELS
  if (instructions >= Instructions::kIfma) return ifma_residue_loops();
#endif
  static_cast<void>(instructions);
  return portable_residue_loops();
}

std::int64_t copy_short_polynomial(std::uint64_t* words, std::int64_t length, std::int64_t least) {
  std::int64_t half = kDegree / 2;
  while (half > least && half >= length) half /= 2;
  const std::int64_t size = 2 * half;
  for (std::int64_t begin = size; begin < kDegree; begin += size) std::copy_n(words, size, words + begin);
  return half;
}

}  // namespace tacit::mpc::lattice
