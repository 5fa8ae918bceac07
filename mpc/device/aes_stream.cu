// AES by a table in shared memory, with a copy of the table for each bank: a lane reads its own bank alone, so a warp's
// look-up takes one step for any bytes. A plain table would leak the key by bank conflicts.
//
// A thread makes a block of 16 bytes, two words, at a time. The 32 lanes of a warp make 512 bytes side by side.
#include "mpc/device/aes_stream.h"

namespace tacit::mpc::device {

namespace {

constexpr int kThreads = 256;
constexpr int kRounds = 10;

struct Tables {
  std::uint8_t sbox[256] = {};
  std::uint32_t mixed[256] = {};  // of S(x): 2S, S, S, 3S from the highest byte down

  constexpr Tables() {
    std::uint8_t p = 1, q = 1;
    do {  // p runs through all bytes but 0, and q is its inverse
      p = static_cast<std::uint8_t>(p ^ (p << 1) ^ (p & 0x80 ? 0x1B : 0));
      q = static_cast<std::uint8_t>(q ^ (q << 1));
      q = static_cast<std::uint8_t>(q ^ (q << 2));
      q = static_cast<std::uint8_t>(q ^ (q << 4));
      if (q & 0x80) q ^= 0x09;
      const auto rotated = [](std::uint8_t x, int n) { return static_cast<std::uint8_t>(x << n | x >> (8 - n)); };
      sbox[p] = static_cast<std::uint8_t>(q ^ rotated(q, 1) ^ rotated(q, 2) ^ rotated(q, 3) ^ rotated(q, 4) ^ 0x63);
    } while (p != 1);
    sbox[0] = 0x63;
    for (int x = 0; x < 256; ++x) {
      const std::uint32_t s = sbox[x], twice = (s << 1 ^ (s & 0x80 ? 0x1B : 0)) & 0xFF;
      mixed[x] = twice << 24 | s << 16 | s << 8 | (twice ^ s);
    }
  }
};

constexpr Tables kTables;
#ifdef __CUDACC__
__device__ const Tables kDeviceTables;
#else
constexpr const Tables& kDeviceTables = kTables;
#endif

// x rotated right by kBytes bytes.
template <int kBytes>
__device__ __forceinline__ std::uint32_t rotated(std::uint32_t x) {
  constexpr std::uint32_t kSelect = kBytes == 1 ? 0x0321 : kBytes == 2 ? 0x1032 : 0x2103;
  return __byte_perm(x, x, kSelect);
}

__device__ __forceinline__ int byte_of(std::uint32_t x, int i) { return static_cast<int>(x >> (8 * i) & 0xFF); }

struct Job {
  StreamKey key;
  Word* words;
  std::int64_t count, first_block;
  Word mask;
};

template <Draw kHow>
__device__ __forceinline__ Word merged(Word before, Word drawn, Word mask) {
  if (kHow == Draw::kFill) return drawn & mask;
  if (kHow == Draw::kAdd) return (before + drawn) & mask;
  if (kHow == Draw::kSubtract) return (before - drawn) & mask;
  return before ^ drawn;
}

template <Draw kHow>
__global__ void __launch_bounds__(kThreads) make_stream(Job job) {
  TACIT_SHARED(std::uint32_t, table, 256 * kLanes);
  const int thread = static_cast<int>(threadIdx.x), lane = thread % kLanes;
  for (int x = thread / kLanes; x < 256; x += kThreads / kLanes) table[x * kLanes + lane] = kDeviceTables.mixed[x];
  __syncthreads();
  const auto look_up = [&](int x) { return table[x * kLanes + lane]; };

  const std::int64_t blocks = ceil_div(job.count, 2), step = std::int64_t{gridDim.x} * kThreads;
  for (std::int64_t block = std::int64_t{blockIdx.x} * kThreads + thread; block < blocks; block += step) {
    // The counter plus the number of the block, in 128 bits.
    const auto number = static_cast<Word>(job.first_block + block);
    const Word low = (static_cast<Word>(job.key.counter[2]) << 32 | job.key.counter[3]) + number;
    const Word high = (static_cast<Word>(job.key.counter[0]) << 32 | job.key.counter[1]) + (low < number ? 1 : 0);
    std::uint32_t s[4] = {static_cast<std::uint32_t>(high >> 32), static_cast<std::uint32_t>(high),
                          static_cast<std::uint32_t>(low >> 32), static_cast<std::uint32_t>(low)};
#pragma unroll
    for (int i = 0; i < 4; ++i) s[i] ^= job.key.round_keys[i];
#pragma unroll
    for (int round = 1; round < kRounds; ++round) {
      std::uint32_t next[4];
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        next[i] = look_up(byte_of(s[i], 3)) ^ rotated<1>(look_up(byte_of(s[(i + 1) % 4], 2))) ^
                  rotated<2>(look_up(byte_of(s[(i + 2) % 4], 1))) ^ rotated<3>(look_up(byte_of(s[(i + 3) % 4], 0))) ^
                  job.key.round_keys[4 * round + i];
      }
#pragma unroll
      for (int i = 0; i < 4; ++i) s[i] = next[i];
    }
    Word made[2];
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      std::uint32_t bytes[2];
#pragma unroll
      for (int j = 0; j < 2; ++j) {
        const int i = 2 * half + j;
        // The middle bytes of the table hold the S-box.
        const std::uint32_t upper = __byte_perm(look_up(byte_of(s[i], 3)), look_up(byte_of(s[(i + 1) % 4], 2)), 0x0062);
        const std::uint32_t lower =
            __byte_perm(look_up(byte_of(s[(i + 2) % 4], 1)), look_up(byte_of(s[(i + 3) % 4], 0)), 0x0062);
        // In memory the highest byte comes first.
        bytes[j] = (upper & 0xFFFF) | lower << 16;
        const std::uint32_t k = job.key.round_keys[4 * kRounds + i];
        bytes[j] ^= __byte_perm(k, k, 0x0123);
      }
      made[half] = static_cast<Word>(bytes[1]) << 32 | bytes[0];
    }
    Word* const at = job.words + 2 * block;
    if (2 * block + 1 < job.count) {
      ulonglong2 both = kHow == Draw::kFill ? make_ulonglong2(0, 0) : *reinterpret_cast<const ulonglong2*>(at);
      both.x = merged<kHow>(both.x, made[0], job.mask);
      both.y = merged<kHow>(both.y, made[1], job.mask);
      *reinterpret_cast<ulonglong2*>(at) = both;
    } else {
      *at = merged<kHow>(*at, made[0], job.mask);
    }
  }
}

std::uint32_t big_endian(const unsigned char* bytes) {
  return static_cast<std::uint32_t>(bytes[0]) << 24 | static_cast<std::uint32_t>(bytes[1]) << 16 |
         static_cast<std::uint32_t>(bytes[2]) << 8 | bytes[3];
}

}  // namespace

StreamKey expand(const unsigned char* key, const unsigned char* counter) {
  StreamKey made;
  for (int i = 0; i < 4; ++i) {
    made.round_keys[i] = big_endian(key + 4 * i);
    made.counter[i] = big_endian(counter + 4 * i);
  }
  std::uint32_t constant = 1;
  for (int i = 4; i < 4 * (kRounds + 1); ++i) {
    std::uint32_t word = made.round_keys[i - 1];
    if (i % 4 == 0) {
      word = word << 8 | word >> 24;
      std::uint32_t swapped = 0;
      for (int b = 0; b < 4; ++b)
        swapped |= static_cast<std::uint32_t>(kTables.sbox[word >> (8 * b) & 0xFF]) << (8 * b);
      word = swapped ^ constant << 24;
      constant = constant << 1 ^ (constant & 0x80 ? 0x11B : 0);
    }
    made.round_keys[i] = made.round_keys[i - 4] ^ word;
  }
  return made;
}

int draw(const StreamKey& key, Draw how, Word* words, std::int64_t count, Word mask, std::int64_t first, int processors,
         Stream stream) {
  if (count == 0) return 0;
  const Job job{key, words, count, first / 2, mask};
  const std::int64_t blocks = ceil_div(ceil_div(count, 2), kThreads), most = 7LL * processors;
  const dim3 grid(static_cast<unsigned>(blocks < most ? blocks : most));
  switch (how) {
    case Draw::kFill:
      return launch(make_stream<Draw::kFill>, grid, dim3(kThreads), stream, job);
    case Draw::kAdd:
      return launch(make_stream<Draw::kAdd>, grid, dim3(kThreads), stream, job);
    case Draw::kSubtract:
      return launch(make_stream<Draw::kSubtract>, grid, dim3(kThreads), stream, job);
    default:
      return launch(make_stream<Draw::kFlip>, grid, dim3(kThreads), stream, job);
  }
}

}  // namespace tacit::mpc::device
