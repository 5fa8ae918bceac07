// The matrix product on the matrix units of a warp. A block of eight warps makes 128 rows by 8·kTiles columns. A warp has
// 16 rows. Because no other warp needs these rows, their words go from memory straight to registers and become limbs there.
// All warps need the columns, so the limbs of the columns lie in shared memory, 32 deep, in two buffers in turn. The words of
// the next 32 are on their way while the block multiplies the present ones.
#include "mpc/device/fragment.h"
#include "mpc/device/limbs.h"
#include "mpc/device/ring_product.h"
#include "mpc/device/split_product.h"

namespace tacit::mpc::device {

namespace {

constexpr int kWarps = 8;
constexpr int kThreads = kWarps * kLanes;
constexpr int kBlockRows = kWarps * Fragment::kRows;
constexpr int kStep = Fragment::kDepth;
constexpr int kQuads = kStep / 4;  // of neighbours along the inner dimension

constexpr int kSet = static_cast<int>(Into::kSet), kAdd = static_cast<int>(Into::kAdd);
constexpr int kSubtract = static_cast<int>(Into::kSubtract);

struct Product {
  DeviceView a, b;
  Word* out;
  Word mask;
  int into;           // an Into, as a whole register
  std::int64_t part;  // of the inner dimension, for one block; a multiple of kStep
  bool left_paired, right_paired;
};

// Reads four neighbours along the inner dimension. The first `there` are inside of the matrix (all, if there >= 4), and the
// others count as zero.
template <bool kAlongDepth>
__device__ __forceinline__ void load_quad(const Word* at, std::int64_t depth_stride, std::int64_t there, bool paired,
                                          Word (&words)[4]) {
  if (kAlongDepth && paired && there >= 4) {
    const ulonglong2 first = __ldg(reinterpret_cast<const ulonglong2*>(at));
    const ulonglong2 second = __ldg(reinterpret_cast<const ulonglong2*>(at + 2));
    words[0] = first.x;
    words[1] = first.y;
    words[2] = second.x;
    words[3] = second.y;
    return;
  }
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    words[i] = i < there ? static_cast<Word>(__ldg(at + i * (kAlongDepth ? 1 : depth_stride))) : 0;
  }
}

// Pairs of registers from one row of shared memory to the next. Sixteen lanes, four groups by four quads, read pairs at
// once: with 4 or 12 pairs modulo 16 in a row, they meet every bank once.
constexpr int stride_of(int tiles) { return tiles * Fragment::kCols + 4; }

template <int kLimbs, int kTiles, bool kLeftAlongDepth, bool kRightAlongDepth>
__global__ void __launch_bounds__(kThreads, kLimbs* kTiles <= 4 ? 2 : 1) multiply_by_warps(Product p) {
  constexpr int kCols = kTiles * Fragment::kCols;
  constexpr int kStride = stride_of(kTiles);
  constexpr int kBuffer = kLimbs * 4 * kStride;  // pairs of registers
  constexpr int kPerRow = kRightAlongDepth ? kQuads : kCols;
  constexpr int kLoads = ((kRightAlongDepth ? kCols : kQuads) + kThreads / kPerRow - 1) / (kThreads / kPerRow);
  TACIT_SHARED(uint2, shared, 2 * kBuffer);

  const int thread = static_cast<int>(threadIdx.x), lane = thread % kLanes, warp = thread / kLanes;
  const int group = lane / 4, quad = lane % 4;
  const std::int64_t row = blockIdx.x / ceil_div(p.b.cols, kCols) * std::int64_t{kBlockRows} + warp * Fragment::kRows;
  const std::int64_t col = blockIdx.x % ceil_div(p.b.cols, kCols) * std::int64_t{kCols};
  const std::int64_t begin = blockIdx.z * p.part;
  const std::int64_t end = begin + p.part < p.a.cols ? begin + p.part : p.a.cols;
  const bool left_paired = kLeftAlongDepth && p.left_paired, right_paired = kRightAlongDepth && p.right_paired;

  // This thread loads four quads of the left operand, one for each register of a fragment, and kLoads of the right one.
  Word left_words[4][4], right_words[kLoads][4];
  const Word* left_at = p.a.words + (row + group) * p.a.row_stride + (begin + 4 * quad) * p.a.col_stride;
  const int rows_here = static_cast<int>(p.a.rows - row - group < 16 ? p.a.rows - row - group : 16);
  const int right_quad = kRightAlongDepth ? thread % kPerRow : thread / kPerRow;
  const int right_col = kRightAlongDepth ? thread / kPerRow : thread % kPerRow;
  const int cols_here = static_cast<int>(p.b.cols - col < kCols ? p.b.cols - col : kCols);
  const Word* right_at = p.b.words + (begin + 4 * right_quad) * p.b.row_stride + (col + right_col) * p.b.col_stride;
  const auto load = [&](int depth) {  // the depth that is left
#pragma unroll
    for (int r = 0; r < 4; ++r) {
      const int there = 8 * (r % 2) < rows_here ? depth - 4 * quad - 16 * (r / 2) : 0;
      load_quad<kLeftAlongDepth>(left_at + 8 * (r % 2) * p.a.row_stride + 16 * (r / 2) * p.a.col_stride, p.a.col_stride,
                                 there, left_paired, left_words[r]);
    }
#pragma unroll
    for (int i = 0; i < kLoads; ++i) {
      const int further = i * (kThreads / kPerRow);  // quads or columns
      const int at_quad = right_quad + (kRightAlongDepth ? 0 : further),
                at_col = right_col + (kRightAlongDepth ? further : 0);
      const int there = at_col < cols_here && at_quad < kQuads ? depth - 4 * at_quad : 0;
      load_quad<kRightAlongDepth>(
          right_at + (kRightAlongDepth ? further * p.b.col_stride : 4 * further * p.b.row_stride), p.b.row_stride,
          there, right_paired, right_words[i]);
    }
    left_at += kStep * p.a.col_stride;
    right_at += kStep * p.b.row_stride;
  };
  // A pair holds registers 0 and 1 of a fragment, of quads that are 16 deep apart.
  const auto store = [&](int to_buffer) {
    std::uint32_t* const to = reinterpret_cast<std::uint32_t*>(shared + to_buffer * kBuffer);
#pragma unroll
    for (int i = 0; i < kLoads; ++i) {
      const int further = i * (kThreads / kPerRow);
      const int at_quad = right_quad + (kRightAlongDepth ? 0 : further),
                at_col = right_col + (kRightAlongDepth ? further : 0);
      std::uint32_t limbs[kLimbs];
      limbs_of<kLimbs>(right_words[i], limbs);
      if (at_col >= kCols || at_quad >= kQuads) continue;
#pragma unroll
      for (int l = 0; l < kLimbs; ++l) to[((l * 4 + at_quad % 4) * kStride + at_col) * 2 + at_quad / 4] = limbs[l];
    }
  };

  std::uint32_t sums[kTiles][kLimbs][4] = {};
  const auto merge = [&](int how) {
    // Reads all old words before it writes one, so that it waits for memory once. The compiler cannot reorder them.
    Word before[kTiles][4];
    const bool reads = gridDim.z == 1 && how != kSet;
#pragma unroll
    for (int t = 0; t < kTiles; ++t) {
#pragma unroll
      for (int r = 0; r < 4; ++r) {
        const std::int64_t at_row = row + group + 8 * (r / 2), at_col = col + t * Fragment::kCols + 2 * quad + r % 2;
        before[t][r] = reads && at_row < p.a.rows && at_col < p.b.cols ? p.out[at_row * p.b.cols + at_col] : 0;
      }
    }
#pragma unroll
    for (int t = 0; t < kTiles; ++t) {
#pragma unroll
      for (int r = 0; r < 4; ++r) {
        const std::int64_t at_row = row + group + 8 * (r / 2), at_col = col + t * Fragment::kCols + 2 * quad + r % 2;
        Word sum = 0;
#pragma unroll
        for (int w = 0; w < kLimbs; ++w) {
          sum += static_cast<Word>(sums[t][w][r]) << (8 * w);
          sums[t][w][r] = 0;
        }
        if (how == kSubtract) sum = 0 - sum;
        if (at_row >= p.a.rows || at_col >= p.b.cols) continue;
        Word* const out = p.out + at_row * p.b.cols + at_col;
        if (gridDim.z > 1) {
          atomicAdd(reinterpret_cast<unsigned long long*>(out), sum);
        } else {
          *out = (before[t][r] + sum) & p.mask;
        }
      }
    }
  };

  int into = p.into;
  int left_over = static_cast<int>(end - begin), since = 0, buffer = 0;
  load(left_over);
  for (; left_over > 0; left_over -= kStep, buffer ^= 1) {
    store(buffer);
    std::uint32_t left[kLimbs][4];
#pragma unroll
    for (int r = 0; r < 4; ++r) {
      std::uint32_t limbs[kLimbs];
      limbs_of<kLimbs>(left_words[r], limbs);
#pragma unroll
      for (int l = 0; l < kLimbs; ++l) left[l][r] = limbs[l];
    }
    __syncthreads();
    if (left_over > kStep) load(left_over - kStep);
    const uint2* const from = shared + buffer * kBuffer;
#pragma unroll
    for (int t = 0; t < kTiles; ++t) {
      std::uint32_t right[kLimbs][2];
#pragma unroll
      for (int l = 0; l < kLimbs; ++l) {
        const uint2 pair = from[(l * 4 + quad) * kStride + t * Fragment::kCols + group];
        right[l][0] = pair.x;
        right[l][1] = pair.y;
      }
      multiply_limbs<kLimbs>(sums[t], left, right);
    }
    since += kStep;
    if (since == kDeepest && left_over > kStep) {
      merge(into);
      if (into == kSet) into = kAdd;
      since = 0;
    }
  }
  merge(into);
}

template <int kLimbs, int kTiles>
int start(const Product& p, dim3 grid, Stream stream) {
  const bool left = p.a.col_stride == 1, right = p.b.row_stride == 1 && p.b.col_stride != 1;
  const auto kernel =
      left ? (right ? multiply_by_warps<kLimbs, kTiles, true, true> : multiply_by_warps<kLimbs, kTiles, true, false>)
           : (right ? multiply_by_warps<kLimbs, kTiles, false, true> : multiply_by_warps<kLimbs, kTiles, false, false>);
  return launch(kernel, grid, dim3(kThreads), stream, p);
}

// Takes wide tiles for many columns, as far as the registers hold the 4·kLimbs·kTiles sums.
template <int kLimbs>
int start(Product p, std::int64_t cols, int processors, Stream stream) {
  constexpr int kWidest = kLimbs > 6 ? 4 : kLimbs > 4 ? 5 : 6;
  const int tiles = cols <= 8 ? 1 : cols <= 16 ? 2 : kWidest;
  const std::int64_t blocks = ceil_div(p.a.rows, kBlockRows) * ceil_div(cols, tiles * 8);
  // Too few blocks: cuts the inner dimension, into parts of at least eight steps.
  const std::int64_t most = ceil_div(p.a.cols, 8 * kStep);
  const std::int64_t wanted = blocks >= processors ? 1 : ceil_div(2 * processors, blocks);
  const std::int64_t parts = wanted < most ? wanted : most;
  p.part = ceil_div(ceil_div(p.a.cols, parts), kStep) * kStep;
  const dim3 grid(static_cast<unsigned>(blocks), 1, static_cast<unsigned>(ceil_div(p.a.cols, p.part)));
  const std::int64_t size = p.a.rows * cols;
  if (grid.z > 1 && p.into == kSet) {
    if (const int failed = clear_words(p.out, size, stream)) return failed;
    p.into = kAdd;
  }
  const int failed = tiles == 1   ? start<kLimbs, 1>(p, grid, stream)
                     : tiles == 2 ? start<kLimbs, 2>(p, grid, stream)
                                  : start<kLimbs, kWidest>(p, grid, stream);
  return failed == 0 && grid.z > 1 ? reduce_words(p.out, size, p.mask, stream) : failed;
}

}  // namespace

int product_by_warps(DeviceView a, DeviceView b, Into into, Word* out, int bits, int processors, Stream stream) {
  const std::int64_t size = a.rows * b.cols;
  if (a.cols == 0) return into == Into::kSet ? clear_words(out, size, stream) : 0;
  if (size == 0) return 0;
  const Product p{a,
                  b,
                  out,
                  mask_of(bits),
                  static_cast<int>(into),
                  0,
                  in_pairs(a.words, a.row_stride),
                  in_pairs(b.words, b.col_stride)};
  switch ((bits + 7) / 8) {
    case 1:
    case 2:
    case 3:
    case 4:
      return start<4>(p, b.cols, processors, stream);
    case 5:
      return start<5>(p, b.cols, processors, stream);
    case 6:
      return start<6>(p, b.cols, processors, stream);
    case 7:
      return start<7>(p, b.cols, processors, stream);
    default:
      return start<8>(p, b.cols, processors, stream);
  }
}

}  // namespace tacit::mpc::device
