// The fragments of mma.sync.m16n8k32: how the 32 lanes of a warp hold 16 × 32 bytes of the left operand (four registers
// a lane), 32 × 8 bytes of the right operand (two registers) and 16 × 8 sums (four). Lane = 4·group + quad.
//
//   left   register r, byte y: row group + 8·(r % 2), depth 4·quad + y + 16·(r / 2)
//   right  register r, byte y: depth 4·quad + y + 16·r, column group
//   sums   register r: row group + 8·(r / 2), column 2·quad + r % 2
#pragma once

#include "mpc/device/kernel_language.h"

namespace tacit::mpc::device {

struct Fragment {
  static constexpr int kRows = 16, kCols = 8, kDepth = 32;
  static constexpr int left_row(int lane, int r) { return lane / 4 + 8 * (r % 2); }
  static constexpr int left_depth(int lane, int r, int y) { return 4 * (lane % 4) + y + 16 * (r / 2); }
  static constexpr int right_depth(int lane, int r, int y) { return 4 * (lane % 4) + y + 16 * r; }
  static constexpr int right_col(int lane) { return lane / 4; }
  static constexpr int sum_row(int lane, int r) { return lane / 4 + 8 * (r / 2); }
  static constexpr int sum_col(int lane, int r) { return 2 * (lane % 4) + r % 2; }
};

#ifdef __CUDACC__

__device__ __forceinline__ void multiply_bytes(std::uint32_t* sums, const std::uint32_t (&left)[4],
                                               const std::uint32_t (&right)[2]) {
  asm("mma.sync.aligned.m16n8k32.row.col.s32.u8.u8.s32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
      : "+r"(sums[0]), "+r"(sums[1]), "+r"(sums[2]), "+r"(sums[3])
      : "r"(left[0]), "r"(left[1]), "r"(left[2]), "r"(left[3]), "r"(right[0]), "r"(right[1]));
}

// sums[w] += Σ left[i]·right[w-i]
template <int kLimbs>
__device__ __forceinline__ void multiply_limbs(std::uint32_t (&sums)[kLimbs][4], const std::uint32_t (&left)[kLimbs][4],
                                               const std::uint32_t (&right)[kLimbs][2]) {
#pragma unroll
  for (int i = 0; i < kLimbs; ++i) {
#pragma unroll
    for (int j = 0; i + j < kLimbs; ++j) multiply_bytes(sums[i + j], left[i], right[j]);
  }
}

#else

// The left operand that the registers of all lanes hold.
template <int kLimbs, typename LeftOfLane>
inline void gather_left(std::uint8_t (&a)[kLimbs][16][32], const LeftOfLane& left_of) {
  for (int lane = 0; lane < kLanes; ++lane) {
    for (int i = 0; i < kLimbs; ++i) {
      for (int r = 0; r < 4; ++r) {
        for (int y = 0; y < 4; ++y) {
          a[i][Fragment::left_row(lane, r)][Fragment::left_depth(lane, r, y)] =
              static_cast<std::uint8_t>(left_of(lane)[i][r] >> (8 * y));
        }
      }
    }
  }
}

// The same by definition: gathers the operands from the registers of all lanes, multiplies modulo 2^32, and adds to the
// registers of all lanes.
template <int kLimbs>
inline void multiply_limbs(std::uint32_t (&sums)[kLimbs][4], const std::uint32_t (&left)[kLimbs][4],
                           const std::uint32_t (&right)[kLimbs][2]) {
  struct Lane {
    std::uint32_t (*sums)[4];
    const std::uint32_t (*left)[4];
    const std::uint32_t (*right)[2];
  } mine{sums, left, right};
  emulated::machine().in_warp(&mine, kLimbs, [](void** lanes) {
    const auto at = [lanes](int lane) -> Lane& { return *static_cast<Lane*>(lanes[lane]); };
    static thread_local std::uint8_t a[kLimbs][16][32], b[kLimbs][8][32];
    gather_left<kLimbs>(a, [&](int lane) { return at(lane).left; });
    for (int lane = 0; lane < kLanes; ++lane) {
      for (int j = 0; j < kLimbs; ++j) {
        for (int r = 0; r < 2; ++r) {
          for (int y = 0; y < 4; ++y) {
            b[j][Fragment::right_col(lane)][Fragment::right_depth(lane, r, y)] =
                static_cast<std::uint8_t>(at(lane).right[j][r] >> (8 * y));
          }
        }
      }
    }
    for (int lane = 0; lane < kLanes; ++lane) {
      for (int r = 0; r < 4; ++r) {
        const int row = Fragment::sum_row(lane, r), col = Fragment::sum_col(lane, r);
        for (int i = 0; i < kLimbs; ++i) {
          for (int j = 0; i + j < kLimbs; ++j) {
            std::uint32_t sum = 0;
            for (int k = 0; k < Fragment::kDepth; ++k) sum += std::uint32_t{a[i][row][k]} * b[j][col][k];
            at(lane).sums[i + j][r] += sum;
          }
        }
      }
    }
  });
}

#endif

}  // namespace tacit::mpc::device
