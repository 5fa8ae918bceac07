#include "mpc/ot/soft_spoken.h"

#include <cstring>

#include "mpc/kernels/transfer_loops.h"
#include "mpc/ot/fixed_key_aes.h"
#include "net/error.h"

namespace tacit::mpc {

namespace {

static_assert(kTreeDepth == TransferLoops::kTreeDepth && kLeaves == TransferLoops::kLeaves);

constexpr int kStep = 8;                 // blocks of transfers: a matrix of rows fits the first-level cache
constexpr std::int64_t kStepGrain = 16;  // blocks of transfers that are worth waking a thread for

// The rows of the matrices with the columns t or q: row r of the m-th 128 transfers is rows[r·size + m].
struct Scratch {
  const TransferLoops& loops = transfer_loops(best_instructions());
  SecretBlocks rows{kBlockBits * kStep};
  SecretBlocks leaves{std::int64_t{kLeaves} * kStep};  // of one tree, expanded
  SecretBlocks sums{kTrees * kStep};                   // u_i
  FixedKeyAes pi{"tacit leaves"};
};

void make_rows(const SecretBlocks& seeds, std::uint64_t first, int size, Scratch& s) {
  const auto add_leaves = size == kStep ? s.loops.add_leaves_together : s.loops.add_leaves_one;
  for (int tree = 0; tree < kTrees; ++tree) {
    s.pi.expand(seeds.blocks().subspan(static_cast<std::size_t>(tree) * kLeaves, kLeaves), first, size,
                s.leaves.data());
    add_leaves(s.leaves.words(), s.rows.words() + 2 * tree * kTreeDepth * size, s.sums.words() + 2 * tree * size);
  }
}

// Column c of the m-th matrix goes to out[128·m + c].
void write_columns(Scratch& s, int size, Block* out) {
  (size == kStep ? s.loops.transpose_together : s.loops.transpose_one)(s.rows.words());
  for (int m = 0; m < size; ++m) {
    for (int c = 0; c < kBlockBits; ++c) out[m * kBlockBits + c] = s.rows[c * size + m];
  }
}

// work(first block, size) for all blocks in steps of kStep, then of 1.
template <typename Work>
void for_steps(std::int64_t begin, std::int64_t end, const Work& work) {
  for (; end - begin >= kStep; begin += kStep) work(begin, kStep);
  for (; begin < end; ++begin) work(begin, 1);
}

std::uint64_t advance(std::uint64_t& used, std::int64_t blocks) {
  const std::uint64_t first = used;
  used += static_cast<std::uint64_t>(blocks);
  TACIT_CHECK(used < std::uint64_t{1} << 56);  // the numbers of transfers have 64 bits
  return first;
}

}  // namespace

void SoftSpokenReceiver::take(std::span<const Block> choices, std::span<Block> t, std::span<std::byte> corrections,
                              Workers& workers) {
  const std::int64_t blocks = std::ssize(choices);
  TACIT_CHECK(std::ssize(t) == blocks * kBlockBits && std::ssize(corrections) == blocks * kCorrectionBytes);
  const std::uint64_t first = advance(used_, blocks);
  workers.for_ranges(blocks, kStepGrain, [&](std::int64_t begin, std::int64_t end) {
    Scratch s;
    for_steps(begin, end, [&](std::int64_t at, int size) {
      make_rows(leaves_, first + static_cast<std::uint64_t>(at), size, s);
      for (int m = 0; m < size; ++m) {
        const Block choice = choices[static_cast<std::size_t>(at + m)];
        for (int tree = 0; tree < kTrees; ++tree) {
          const Block correction = s.sums[tree * size + m] ^ choice;
          std::memcpy(corrections.data() + ((at + m) * kTrees + tree) * std::int64_t{sizeof(Block)}, &correction,
                      sizeof correction);
        }
      }
      write_columns(s, size, t.data() + at * kBlockBits);
    });
  });
}

SoftSpokenSender::SoftSpokenSender(const Block& delta, SecretBlocks punctured_leaves)
    : delta_(1), leaves_(std::move(punctured_leaves)) {
  delta_[0] = delta;
}

void SoftSpokenSender::take(std::span<const std::byte> corrections, std::span<Block> q, Workers& workers) {
  const std::int64_t blocks = std::ssize(q) / kBlockBits;
  TACIT_CHECK(std::ssize(q) == blocks * kBlockBits && std::ssize(corrections) == blocks * kCorrectionBytes);
  const std::uint64_t first = advance(used_, blocks);
  workers.for_ranges(blocks, kStepGrain, [&](std::int64_t begin, std::int64_t end) {
    Scratch s;
    for_steps(begin, end, [&](std::int64_t at, int size) {
      make_rows(leaves_, first + static_cast<std::uint64_t>(at), size, s);
      for (int m = 0; m < size; ++m) {
        for (int tree = 0; tree < kTrees; ++tree) {
          Block correction;
          std::memcpy(&correction, corrections.data() + ((at + m) * kTrees + tree) * std::int64_t{sizeof(Block)},
                      sizeof correction);
          const std::uint64_t delta =
              (tree < kTrees / 2 ? this->delta().low : this->delta().high) >> (tree % 16 * kTreeDepth);
          for (int b = 0; b < kTreeDepth; ++b) {
            s.rows[(tree * kTreeDepth + b) * size + m] ^= ((delta >> b) & 1) * correction;
          }
        }
      }
      write_columns(s, size, q.data() + at * kBlockBits);
    });
  });
}

}  // namespace tacit::mpc
