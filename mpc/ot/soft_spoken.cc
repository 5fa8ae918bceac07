#include "mpc/ot/soft_spoken.h"

#include <cstring>

#include "mpc/ot/fixed_key_aes.h"
#include "mpc/ot/transpose.h"
#include "net/error.h"

namespace tacit::mpc {

namespace {

constexpr int kStep = 8;                 // blocks of transfers: a matrix of rows fits the first-level cache
constexpr std::int64_t kStepGrain = 16;  // blocks of transfers that are worth waking a thread for

// The rows of the matrices whose columns are t or q: row r of the m-th 128 transfers is rows[r·size + m].
struct Scratch {
  SecretBlocks rows{kBlockBits * kStep};
  SecretBlocks inputs{std::int64_t{kLeaves} * kStep};
  SecretBlocks leaves{std::int64_t{kLeaves} * kStep};  // those of one tree, expanded
  SecretBlocks sums{kTrees * kStep};                   // u_i
  FixedKeyAes pi{"tacit leaves"};
};

void expand_leaves(const Block* seeds, std::uint64_t first, int size, Scratch& s) {
  for (int leaf = 0; leaf < kLeaves; ++leaf) {
    for (int m = 0; m < size; ++m) {
      s.inputs[leaf * size + m] = seeds[leaf] ^ Block { 0, first + static_cast<std::uint64_t>(m) };
    }
  }
  const std::int64_t count = std::int64_t{kLeaves} * size;
  std::memcpy(s.leaves.data(), s.inputs.data(), static_cast<std::size_t>(count) * sizeof(Block));
  s.pi.permute(s.leaves.blocks().first(static_cast<std::size_t>(count)));
  for (std::int64_t i = 0; i < count; ++i) s.leaves[i] ^= s.inputs[i];
}

// Row b is the sum of the leaves whose number has bit b; `sum` is the sum of all leaves. Overwrites the leaves.
void add_leaves(Block* leaves, int size, Block* rows, Block* sum) {
  for (int b = 0; b < kTreeDepth; ++b) {
    const int pairs = kLeaves >> (b + 1);
    Block* const row = rows + b * size;
    for (int m = 0; m < size; ++m) row[m] = leaves[size + m];
    for (int p = 1; p < pairs; ++p) {
      for (int m = 0; m < size; ++m) row[m] ^= leaves[(2 * p + 1) * size + m];
    }
    for (int p = 0; p < pairs; ++p) {
      for (int m = 0; m < size; ++m) leaves[p * size + m] = leaves[2 * p * size + m] ^ leaves[(2 * p + 1) * size + m];
    }
  }
  std::memcpy(sum, leaves, static_cast<std::size_t>(size) * sizeof(Block));
}

void make_rows(const SecretBlocks& seeds, std::uint64_t first, int size, Scratch& s) {
  for (int tree = 0; tree < kTrees; ++tree) {
    expand_leaves(seeds.data() + std::int64_t{tree} * kLeaves, first, size, s);
    add_leaves(s.leaves.data(), size, s.rows.data() + tree * kTreeDepth * size, s.sums.data() + tree * size);
  }
}

// Column c of the m-th matrix goes to out[128·m + c].
void write_columns(Block* rows, int size, Block* out) {
  if (size == kStep) {
    transpose<kStep>(rows);
  } else {
    transpose<1>(rows);
  }
  for (int c = 0; c < kBlockBits; ++c) {
    for (int m = 0; m < size; ++m) out[m * kBlockBits + c] = rows[c * size + m];
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
      write_columns(s.rows.data(), size, t.data() + at * kBlockBits);
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
      write_columns(s.rows.data(), size, q.data() + at * kBlockBits);
    });
  });
}

}  // namespace tacit::mpc
