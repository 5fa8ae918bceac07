#include "mpc/kernels/tiles.h"

#include <algorithm>

namespace tacit::mpc {

namespace {

#ifdef TACIT_X86_KERNELS

// Matrix units multiply a full tile in a few instructions, but cutting words into bytes costs time. Matrix units are slower if
// tiles stay mostly empty, or if each word takes part in too few products. Measured on Sapphire Rapids.
bool suits_matrix_units(const TileTask& task) {
  constexpr std::int64_t kFewest = 12, kShallowest = 48;
  constexpr std::int64_t kFewestNextToIfma = 64, kShallowestNextToIfma = 64;
  const bool ifma = task.ring_bits <= tiles_ifma().widest_ring;
  return std::min(task.rows, task.cols) >= (ifma ? kFewestNextToIfma : kFewest) &&
         task.depth >= (ifma ? kShallowestNextToIfma : kShallowest);
}

#endif

}  // namespace

const Tiles& tiles(const TileTask& task) {
#ifdef TACIT_X86_KERNELS
  const Instructions have = task.instructions;
  if (have >= Instructions::kAmx && suits_matrix_units(task)) return tiles_amx(task.ring_bits);
  if (have >= Instructions::kIfma && task.ring_bits <= tiles_ifma().widest_ring) return tiles_ifma();
  if (have >= Instructions::kAvx512) return tiles_avx512();
  if (have == Instructions::kAvx2) return tiles_avx2();
#endif
  static_cast<void>(task);
  return tiles_portable();
}

std::vector<const Tiles*> available_tiles() {
  std::vector<const Tiles*> all = {&tiles_portable()};
#ifdef TACIT_X86_KERNELS
  const Instructions widest = available_instructions().back();
  if (widest >= Instructions::kAvx2) all.push_back(&tiles_avx2());
  if (widest >= Instructions::kAvx512) all.push_back(&tiles_avx512());
  if (widest >= Instructions::kIfma) all.push_back(&tiles_ifma());
  if (widest >= Instructions::kAmx) {
    for (int bits = 8; bits <= 64; bits += 8) all.push_back(&tiles_amx(bits));
  }
#endif
  return all;
}

}  // namespace tacit::mpc
