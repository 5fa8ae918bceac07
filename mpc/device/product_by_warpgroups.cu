// The matrix product on the matrix units of Hopper (sm_90a), with instructions that serve a warpgroup of four warps.
//
// A block has two warpgroups that work apart: 64 rows by kCols columns each, side by side or one above the other. There are
// as many blocks as processors, and a block makes one part of the result after the other. The words of the left operand go
// from memory straight to registers and become limbs there. The limbs of the right operand lie in shared memory, 32 deep,
// limb after limb along the columns, in two buffers in turn. Therefore one instruction multiplies limb i of the left operand
// by the limbs 0 … L-1-i of the right one: their sums are neighbours.
//
// Each warpgroup meets at a barrier of its own: while one makes limbs or writes sums, the other multiplies. The words of the
// next step, or of the next part of the result, are on their way while the warpgroup multiplies.
#include "mpc/device/fragment.h"
#include "mpc/device/limbs.h"
#include "mpc/device/ring_product.h"
#include "mpc/device/split_product.h"
#ifdef __CUDACC__
#include "warpgroup_instructions.h"  // made by warpgroup_instructions.cmake
#endif

namespace tacit::mpc::device {

namespace {

constexpr int kGroups = 2, kWarpsOfGroup = 4;
constexpr int kGroupThreads = kWarpsOfGroup * kLanes, kThreads = kGroups * kGroupThreads;
constexpr int kGroupRows = kWarpsOfGroup * Fragment::kRows;
constexpr int kStep = Fragment::kDepth;
// Blocks of rows that go over the columns together, so that the L2 cache holds the columns that they share.
constexpr int kRowsTogether = 8;

constexpr int kSet = static_cast<int>(Into::kSet), kAdd = static_cast<int>(Into::kAdd);
constexpr int kSubtract = static_cast<int>(Into::kSubtract);

struct Product {
  DeviceView a, b;
  Word* out;
  Word mask;
  int into;           // an Into, as a whole register
  std::int64_t part;  // of the inner dimension, for one block; a multiple of kStep
  bool left_paired, right_paired, out_paired;
  bool side_by_side;
  unsigned row_blocks, col_blocks, parts;
};

// The limbs of the right operand in shared memory: groups of eight columns (256 bytes), in each group two halves of the
// depth (128 bytes), in each half 16 bytes of a column. The columns of limb i + 1 follow the columns of limb i.
template <int kLimbs, int kCols>
struct Planes {
  static constexpr int kBytes = kLimbs * kCols * kStep;
  __host__ __device__ static constexpr int at(int limb, int col, int depth) {
    return (limb * kCols + col) / 8 * 256 + depth / 16 * 128 + col % 8 * 16 + depth % 16;
  }
};

#ifdef __CUDACC__

__device__ __forceinline__ void meet(int group) { asm volatile("bar.sync %0, 128;" ::"r"(group + 1) : "memory"); }
__device__ __forceinline__ void show_to_matrix_units() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }
__device__ __forceinline__ void wait_for_products() { asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory"); }
__device__ __forceinline__ void begin_products() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
__device__ __forceinline__ void end_products() { asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory"); }

__device__ __forceinline__ std::uint64_t descriptor(const void* shared) {
  const auto address = static_cast<std::uint64_t>(__cvta_generic_to_shared(shared));
  return (address & 0x3FFFF) >> 4 | std::uint64_t{128 >> 4} << 16 | std::uint64_t{256 >> 4} << 32;
}

template <int kLimbs, int kCols, int kFirst = 0>
__device__ __forceinline__ void issue_from(std::uint32_t* sums, const std::uint32_t (&left)[kLimbs][4],
                                           std::uint64_t right) {
  if constexpr (kFirst < kLimbs) {
    WarpgroupProduct<(kLimbs - kFirst) * kCols>::run(sums + kFirst * (kCols / 2), left[kFirst], right);
    issue_from<kLimbs, kCols, kFirst + 1>(sums, left, right);
  }
}

// sums[w] += Σ left[i]·right[w-i]. The sums are there when wait_for_products has returned.
template <int kLimbs, int kCols>
__device__ __forceinline__ void multiply_planes(std::uint32_t (&sums)[kLimbs * kCols / 2],
                                                const std::uint32_t (&left)[kLimbs][4], const ulonglong2* planes) {
  begin_products();
  issue_from<kLimbs, kCols>(sums, left, descriptor(planes));
  end_products();
}

#else

inline void meet(int) { __syncthreads(); }
inline void show_to_matrix_units() {}
inline void wait_for_products() {}

// The same by definition, for each warp alone.
template <int kLimbs, int kCols>
inline void multiply_planes(std::uint32_t (&sums)[kLimbs * kCols / 2], const std::uint32_t (&left)[kLimbs][4],
                            const ulonglong2* planes) {
  struct Lane {
    std::uint32_t* sums;
    const std::uint32_t (*left)[4];
    const std::uint8_t* planes;
  } mine{sums, left, reinterpret_cast<const std::uint8_t*>(planes)};
  emulated::machine().in_warp(&mine, kLimbs * 1000 + kCols, [](void** lanes) {
    const auto at = [lanes](int lane) -> Lane& { return *static_cast<Lane*>(lanes[lane]); };
    static thread_local std::uint8_t a[kLimbs][16][32];
    gather_left<kLimbs>(a, [&](int lane) { return at(lane).left; });
    const std::uint8_t* const b = at(0).planes;
    for (int lane = 0; lane < kLanes; ++lane) {
      for (int t = 0; t < kCols / 8; ++t) {
        for (int r = 0; r < 4; ++r) {
          const int row = Fragment::sum_row(lane, r), col = 8 * t + Fragment::sum_col(lane, r);
          for (int i = 0; i < kLimbs; ++i) {
            for (int j = 0; i + j < kLimbs; ++j) {
              std::uint32_t sum = 0;
              for (int k = 0; k < kStep; ++k) {
                sum += std::uint32_t{a[i][row][k]} * b[Planes<kLimbs, kCols>::at(j, col, k)];
              }
              at(lane).sums[(i + j) * (kCols / 2) + 4 * t + r] += sum;
            }
          }
        }
      }
    }
  });
}

#endif

// A lane reads words 0, 1, 8 and 9 from `at` on, of the 16 words that are half of a step's depth: four lanes side by side
// read 64 bytes at once. The limbs of both operands have this order, so the sums do not depend on it. kInside: all four
// words are inside of the matrix; otherwise the words with an order below `there`, and the others count as zero.
__host__ __device__ constexpr int order(int i) { return i < 2 ? i : i + 6; }
template <bool kAlongDepth, bool kInside>
__device__ __forceinline__ void load_quad(const Word* at, std::int64_t depth_stride, int there, bool paired,
                                          Word (&words)[4]) {
  if (kAlongDepth && paired && (kInside || there > order(3))) {
    const ulonglong2 first = __ldg(reinterpret_cast<const ulonglong2*>(at));
    const ulonglong2 second = __ldg(reinterpret_cast<const ulonglong2*>(at + order(2)));
    words[0] = first.x;
    words[1] = first.y;
    words[2] = second.x;
    words[3] = second.y;
    return;
  }
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    words[i] =
        kInside || order(i) < there ? static_cast<Word>(__ldg(at + order(i) * (kAlongDepth ? 1 : depth_stride))) : 0;
  }
}

template <int kLimbs, int kCols, bool kLeftAlongDepth, bool kRightAlongDepth>
__global__ void __launch_bounds__(kThreads, 1) multiply_by_warpgroups(Product p) {
  constexpr int kBuffer = Planes<kLimbs, kCols>::kBytes / 16;
  constexpr int kLoads = kCols / 16;  // groups of eight columns, half the depth of a step, for each warp
  TACIT_SHARED(ulonglong2, shared, kGroups * 2 * kBuffer);

  const int group = static_cast<int>(threadIdx.x) / kGroupThreads,
            thread = static_cast<int>(threadIdx.x) % kGroupThreads;
  const int lane = thread % kLanes, warp = thread / kLanes;
  const bool left_paired = kLeftAlongDepth && p.left_paired, right_paired = kRightAlongDepth && p.right_paired;
  const std::int64_t left_deeper = kLeftAlongDepth ? 1 : p.a.col_stride,
                     left_down = kLeftAlongDepth ? p.a.row_stride : 1;
  const std::int64_t right_deeper = kRightAlongDepth ? 1 : p.b.row_stride,
                     right_across = kRightAlongDepth ? p.b.col_stride : 1;
  const int quad = lane % 4;
  // This lane's place in the right operand: a quad of half the depth, a column of a group of eight.
  const int right_quad = kRightAlongDepth ? lane % 4 : lane / 8, right_col = kRightAlongDepth ? lane / 4 : lane % 8;
  const int right_half = warp % 2, first_group = warp / 2;

  // The part of the result that the block loads next.
  std::int64_t row = 0, col = 0;
  int left_over = 0, rows_here = 0, cols_here = 0;
  bool inside = false;
  const Word *left_at = nullptr, *right_at = nullptr;
  const auto go_to = [&](unsigned tile) {
    const unsigned of_part = p.row_blocks * p.col_blocks, part = tile / of_part, place = tile % of_part;
    const unsigned together = kRowsTogether * p.col_blocks, first_row_block = place / together * kRowsTogether;
    const unsigned rows_together =
        p.row_blocks - first_row_block < kRowsTogether ? p.row_blocks - first_row_block : kRowsTogether;
    const unsigned row_block = first_row_block + place % together % rows_together,
                   col_block = place % together / rows_together;
    row = static_cast<std::int64_t>(p.side_by_side ? row_block : 2 * row_block + group) * kGroupRows +
          warp * Fragment::kRows;
    col = static_cast<std::int64_t>(p.side_by_side ? 2 * col_block + group : col_block) * kCols;
    const std::int64_t begin = part * p.part;
    left_over = static_cast<int>(begin + p.part < p.a.cols ? p.part : p.a.cols - begin);
    inside = row + Fragment::kRows <= p.a.rows && col + kCols <= p.b.cols;
    const std::int64_t rows_left = p.a.rows - row - lane / 4, cols_left = p.b.cols - col - right_col - 8 * first_group;
    rows_here = static_cast<int>(rows_left < 16 ? rows_left : 16);
    cols_here = static_cast<int>(cols_left < kCols ? cols_left : kCols);
    left_at = p.a.words + (row + lane / 4) * left_down + (begin + 2 * quad) * left_deeper;
    right_at = p.b.words + (begin + 16 * right_half + 2 * right_quad) * right_deeper +
               (col + right_col + 8 * first_group) * right_across;
  };

  Word left_words[4][4], right_words[kLoads][4];
  const auto load = [&](int depth) {
    if (inside && depth >= kStep) {
#pragma unroll
      for (int r = 0; r < 4; ++r)
        load_quad<kLeftAlongDepth, true>(left_at + 8 * (r % 2) * left_down + 16 * (r / 2) * left_deeper, left_deeper,
                                         16, left_paired, left_words[r]);
#pragma unroll
      for (int i = 0; i < kLoads; ++i)
        load_quad<kRightAlongDepth, true>(right_at + 16 * i * right_across, right_deeper, 16, right_paired,
                                          right_words[i]);
    } else {
#pragma unroll
      for (int r = 0; r < 4; ++r)
        load_quad<kLeftAlongDepth, false>(left_at + 8 * (r % 2) * left_down + 16 * (r / 2) * left_deeper, left_deeper,
                                          8 * (r % 2) < rows_here ? depth - 2 * quad - 16 * (r / 2) : 0, left_paired,
                                          left_words[r]);
#pragma unroll
      for (int i = 0; i < kLoads; ++i)
        load_quad<kRightAlongDepth, false>(right_at + 16 * i * right_across, right_deeper,
                                           16 * i < cols_here ? depth - 2 * right_quad - 16 * right_half : 0,
                                           right_paired, right_words[i]);
    }
    left_at += kStep * left_deeper;
    right_at += kStep * right_deeper;
  };

  std::uint32_t sums[kLimbs * kCols / 2];
  const auto merge = [&](int how, std::int64_t at_row, std::int64_t at_col) {
    const bool set = how == kSet, subtract = how == kSubtract;
    const std::int64_t first_row = at_row + lane / 4, first_col = at_col + 2 * quad;
    Word* const out = p.out + first_row * p.b.cols + first_col;
    const auto sum_of = [&](int t, int r) {
      Word sum = 0;
#pragma unroll
      for (int w = 0; w < kLimbs; ++w) sum += static_cast<Word>(sums[w * (kCols / 2) + 4 * t + r]) << (8 * w);
      return subtract ? 0 - sum : sum;
    };
    if (p.parts == 1 && p.out_paired) {
      // Reads all old words before it writes one, so that it waits for memory once. The compiler cannot reorder them.
      ulonglong2 before[kCols / 8][2];
#pragma unroll
      for (int t = 0; t < kCols / 8; ++t)
#pragma unroll
        for (int half = 0; half < 2; ++half)
          before[t][half] = !set && first_row + 8 * half < p.a.rows && first_col + 8 * t < p.b.cols
                                ? *reinterpret_cast<const ulonglong2*>(out + 8 * half * p.b.cols + 8 * t)
                                : make_ulonglong2(0, 0);
#pragma unroll
      for (int t = 0; t < kCols / 8; ++t)
#pragma unroll
        for (int half = 0; half < 2; ++half) {
          ulonglong2 both = before[t][half];
          both.x = (both.x + sum_of(t, 2 * half)) & p.mask;
          both.y = (both.y + sum_of(t, 2 * half + 1)) & p.mask;
          if (first_row + 8 * half < p.a.rows && first_col + 8 * t < p.b.cols)
            *reinterpret_cast<ulonglong2*>(out + 8 * half * p.b.cols + 8 * t) = both;
        }
      return;
    }
#pragma unroll
    for (int t = 0; t < kCols / 8; ++t)
#pragma unroll
      for (int r = 0; r < 4; ++r) {
        if (first_row + 8 * (r / 2) >= p.a.rows || first_col + 8 * t + r % 2 >= p.b.cols) continue;
        Word* const at = out + 8 * (r / 2) * p.b.cols + 8 * t + r % 2;
        if (p.parts > 1) {
          atomicAdd(reinterpret_cast<unsigned long long*>(at), sum_of(t, r));
        } else {
          *at = ((set ? 0 : *at) + sum_of(t, r)) & p.mask;
        }
      }
  };

  const unsigned tiles = p.row_blocks * p.col_blocks * p.parts;
  int buffer = 0;
  go_to(blockIdx.x);
  load(left_over);
  for (unsigned tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
    int into = p.into;
    for (bool more = true; more;) {
#pragma unroll
      for (int i = 0; i < kLimbs * kCols / 2; ++i) sums[i] = 0;
      const int here = left_over < kDeepest ? 0 : left_over - kDeepest;  // merges when this much is left
      const std::int64_t at_row = row, at_col = col;
      for (bool steps = true; steps; buffer ^= 1) {
        ulonglong2* const planes = shared + (group * 2 + buffer) * kBuffer;
        std::uint32_t* const to = reinterpret_cast<std::uint32_t*>(planes);
#pragma unroll
        for (int i = 0; i < kLoads; ++i) {
          std::uint32_t limbs[kLimbs];
          limbs_of<kLimbs>(right_words[i], limbs);
#pragma unroll
          for (int l = 0; l < kLimbs; ++l)
            to[Planes<kLimbs, kCols>::at(l, 8 * (first_group + 2 * i) + right_col, 16 * right_half + 4 * right_quad) /
               4] = limbs[l];
        }
        std::uint32_t left[kLimbs][4];
#pragma unroll
        for (int r = 0; r < 4; ++r) {
          std::uint32_t limbs[kLimbs];
          limbs_of<kLimbs>(left_words[r], limbs);
#pragma unroll
          for (int l = 0; l < kLimbs; ++l) left[l][r] = limbs[l];
        }
        left_over -= kStep;
        steps = left_over > here;
        more = left_over > 0;
        // Loads before the products, because ptxas may wait for each product at its place.
        if (more) {
          load(left_over);
        } else if (tile + gridDim.x < tiles) {
          go_to(tile + gridDim.x);
          load(left_over);
          steps = false;
        }
        show_to_matrix_units();
        meet(group);
        multiply_planes<kLimbs, kCols>(sums, left, planes);
        wait_for_products();
      }
      merge(into, at_row, at_col);
      if (into == kSet) into = kAdd;
    }
  }
}

// Cuts the inner dimension if there are few blocks: into parts of at least eight steps, and so that all processors end
// together.
std::int64_t parts_for(std::int64_t depth, std::int64_t blocks, int processors) {
  const std::int64_t most = ceil_div(depth, 8 * kStep);
  std::int64_t parts = 1;
  double best = 0;
  for (int rounds = 1; rounds <= 4 && blocks < processors; ++rounds) {
    const std::int64_t cut = rounds * processors / blocks < most ? rounds * processors / blocks : most;
    const std::int64_t turns = ceil_div(cut * blocks, processors);
    const double busy = static_cast<double>(cut * blocks) / static_cast<double>(turns * processors);
    if (busy > best + 0.02) {
      best = busy;
      parts = cut;
    }
  }
  return parts;
}

template <int kLimbs, int kCols>
int start_tiles(Product p, int processors, Stream stream) {
  p.side_by_side = p.b.cols > kCols;
  const std::int64_t row_blocks = ceil_div(p.a.rows, p.side_by_side ? kGroupRows : 2 * kGroupRows);
  const std::int64_t col_blocks = ceil_div(p.b.cols, p.side_by_side ? 2 * kCols : kCols);
  const std::int64_t parts = parts_for(p.a.cols, row_blocks * col_blocks, processors);
  p.part = ceil_div(ceil_div(p.a.cols, parts), kStep) * kStep;
  p.parts = static_cast<unsigned>(ceil_div(p.a.cols, p.part));
  p.row_blocks = static_cast<unsigned>(row_blocks);
  p.col_blocks = static_cast<unsigned>(col_blocks);
  const std::int64_t tiles = row_blocks * col_blocks * p.parts;
  const dim3 grid(static_cast<unsigned>(tiles < processors ? tiles : processors));
  const std::int64_t size = p.a.rows * p.b.cols;
  if (p.parts > 1 && p.into == kSet) {
    if (const int failed = clear_words(p.out, size, stream)) return failed;
    p.into = kAdd;
  }
  const bool left = p.a.col_stride == 1, right = p.b.row_stride == 1 && p.b.col_stride != 1;
  const auto kernel = left ? (right ? multiply_by_warpgroups<kLimbs, kCols, true, true>
                                    : multiply_by_warpgroups<kLimbs, kCols, true, false>)
                           : (right ? multiply_by_warpgroups<kLimbs, kCols, false, true>
                                    : multiply_by_warpgroups<kLimbs, kCols, false, false>);
  const int failed = launch(kernel, grid, dim3(kThreads), stream, p);
  return failed == 0 && p.parts > 1 ? reduce_words(p.out, size, p.mask, stream) : failed;
}

template <int kLimbs, int kWidest>
int start(const Product& p, int processors, Stream stream) {
  return p.b.cols <= 16 ? start_tiles<kLimbs, 16>(p, processors, stream)
                        : start_tiles<kLimbs, kWidest>(p, processors, stream);
}

}  // namespace

int product_by_warpgroups(DeviceView a, DeviceView b, Into into, Word* out, int bits, int processors, Stream stream) {
  const std::int64_t size = a.rows * b.cols;
  if (a.cols == 0) return into == Into::kSet ? clear_words(out, size, stream) : 0;
  if (size == 0) return 0;
  const bool left_paired = in_pairs(a.words, a.row_stride), right_paired = in_pairs(b.words, b.col_stride);
  const Product p{
      a, b, out, mask_of(bits), static_cast<int>(into), 0, left_paired, right_paired, in_pairs(out, b.cols), false,
      1, 1, 1};
  switch ((bits + 7) / 8) {
    case 1:
    case 2:
    case 3:
    case 4:
      return start<4, 64>(p, processors, stream);
    case 5:
      return start<5, 48>(p, processors, stream);
    case 6:
      return start<6, 32>(p, processors, stream);
    case 7:
      return start<7, 32>(p, processors, stream);
    default:
      return start<8, 32>(p, processors, stream);
  }
}

}  // namespace tacit::mpc::device
