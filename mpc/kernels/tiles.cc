#include "mpc/kernels/tiles.h"

namespace tacit::mpc {

const Tiles& tiles(Instructions instructions, int ring_bits) {
#ifdef TACIT_X86_KERNELS
  if (instructions == Instructions::kIfma && ring_bits <= tiles_ifma().widest_ring) return tiles_ifma();
  if (instructions == Instructions::kIfma && multiplies_words_slowly()) return tiles_ifma_thrice();
  if (instructions >= Instructions::kAvx512) return tiles_avx512();
  if (instructions == Instructions::kAvx2) return tiles_avx2();
#endif
  static_cast<void>(instructions);
  static_cast<void>(ring_bits);
  return tiles_portable();
}

std::vector<const Tiles*> available_tiles() {
  std::vector<const Tiles*> all = {&tiles_portable()};
#ifdef TACIT_X86_KERNELS
  const Instructions widest = available_instructions().back();
  if (widest >= Instructions::kAvx2) all.push_back(&tiles_avx2());
  if (widest >= Instructions::kAvx512) all.push_back(&tiles_avx512());
  if (widest >= Instructions::kIfma) all.insert(all.end(), {&tiles_ifma(), &tiles_ifma_thrice()});
#endif
  return all;
}

}  // namespace tacit::mpc
