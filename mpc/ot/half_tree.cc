#include "mpc/ot/half_tree.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "mpc/random/fresh_secret.h"
#include "net/error.h"

namespace tacit::mpc {

namespace {

constexpr int kMostDepth = 16;          // a hole has 2 bytes
constexpr std::int64_t kGrowGrain = 1;  // groups of trees that are worth waking a thread for

constexpr Block kBit0{1, 0}, kAllBits{~std::uint64_t{0}, ~std::uint64_t{0}};

Block with_bit_0(const Block& block, std::uint64_t bit) { return {(block.low & ~std::uint64_t{1}) | bit, block.high}; }

}  // namespace

// Places in scratch_ of four blocks, one a tree.
struct HalfTreeGrower::Scratch {
  explicit Scratch(SecretBlocks& blocks)
      : kept(blocks.data()),
        places(kept + kTreesTogether),
        left(places + kTreesTogether),
        right(left + kTreesTogether),
        sums(right + kTreesTogether),
        all(sums + kTreesTogether) {}
  static constexpr std::int64_t kBlocks = std::int64_t{6} * kTreesTogether;

  Block *kept, *places;  // arguments of change_nodes
  Block *left, *right;   // changes of the children of the node on the path
  Block* sums;           // the sums of the left nodes
  Block* all;            // the sums of all nodes but the one on the path
};

HalfTreeGrower::HalfTreeGrower(int depth, Instructions instructions)
    : depth_(depth),
      loops_(transfer_loops(instructions)),
      pi_("tacit half tree", instructions),
      scratch_(SecretBlocks::zeros(Scratch::kBlocks)) {
  TACIT_CHECK(depth >= 1 && depth <= kMostDepth);
}

void HalfTreeGrower::change(Block* nodes, std::int64_t size, const Scratch& s, const Block* changes) {
  const auto words = [](const Block* blocks) { return reinterpret_cast<const std::uint64_t*>(blocks); };
  loops_.change_nodes(reinterpret_cast<std::uint64_t*>(nodes), size, words(s.kept), words(s.places), words(changes));
}

void HalfTreeGrower::grow(std::span<const Block, kTreesTogether> seeds, const Block& delta, Block* nodes,
                          std::span<Block> left_sums) {
  TACIT_CHECK(std::ssize(left_sums) == std::int64_t{kTreesTogether} * depth_ && (delta.low & 1) == 1);
  for (std::size_t i = 0; i < kTreesTogether; ++i) {
    nodes[i] = left_sums[i] = seeds[i];
    nodes[kTreesTogether + i] = seeds[i] ^ delta;
  }
  for (int level = 1; level < depth_; ++level) {
    const auto sums = left_sums.subspan(static_cast<std::size_t>(level) * kTreesTogether).first<kTreesTogether>();
    std::ranges::fill(sums, Block{});
    pi_.grow(nodes, std::int64_t{kTreesTogether} << level, sums);
  }
  Scratch s(scratch_);
  std::fill_n(s.kept, kTreesTogether, kAllBits ^ kBit0);
  std::fill_n(s.left, kTreesTogether, Block{});
  change(nodes, std::int64_t{1} << depth_, s, s.left);
}

void HalfTreeGrower::grow(std::span<const std::uint64_t, kTreesTogether> holes, std::span<const Block> known_sums,
                          Block* nodes) {
  TACIT_CHECK(std::ssize(known_sums) == std::int64_t{kTreesTogether} * depth_);
  Scratch s(scratch_);
  const std::span<Block, kTreesTogether> sums(s.sums, kTreesTogether);
  std::array<Block, 2 * kTreesTogether> of_zero{};  // h(0). The node on the path is zero, so both its children are h(0)
  std::ranges::fill(sums, Block{});
  pi_.grow(of_zero.data(), kTreesTogether, sums);
  std::fill_n(s.kept, kTreesTogether, kAllBits);
  std::fill_n(s.all, kTreesTogether, Block{});
  std::fill_n(nodes, 2 * kTreesTogether, Block{});
  for (int level = 0; level < depth_; ++level) {
    const std::int64_t size = std::int64_t{1} << level;
    std::ranges::fill(sums, Block{});
    if (level > 0) pi_.grow(nodes, size * kTreesTogether, sums);
    for (std::size_t i = 0; i < kTreesTogether; ++i) {
      const std::uint64_t path = (holes[i] >> level) & 1, place = holes[i] & (static_cast<std::uint64_t>(size) - 1);
      const Block known = known_sums[static_cast<std::size_t>(level) * kTreesTogether + i];
      Block on = level > 0 ? of_zero[i] : Block{};  // changes the child on the path to zero
      Block beside = known ^ sums[i] ^ (1 ^ path) * s.all[i];
      s.all[i] ^= on ^ beside;
      if (level + 1 == depth_) {  // the leaf at the hole becomes the sum of the others
        on = with_bit_0(on ^ s.all[i], 1);
        beside = with_bit_0(beside, 0);
        s.kept[i] = kAllBits ^ kBit0;
      }
      s.places[i] = {place, place};
      s.left[i] = beside ^ (1 ^ path) * (on ^ beside);
      s.right[i] = on ^ beside ^ s.left[i];
    }
    change(nodes, size, s, s.left);
    change(nodes + size * kTreesTogether, size, s, s.right);
  }
}

WholeHalfTrees::WholeHalfTrees(const Block& delta, std::int64_t trees, int depth) : depth_(depth), seeds_(trees) {
  delta_[0] = delta;
  const net::Secret seeds = fresh_secret(trees * std::int64_t{sizeof(Block)});
  std::memcpy(seeds_.data(), seeds.bytes().data(), seeds.bytes().size());
}

void WholeHalfTrees::answer(std::span<const Block> q, net::ConstBytes choices, net::Bytes sums,
                            Workers& workers) const {
  const std::int64_t trees = seeds_.size();
  TACIT_CHECK(std::ssize(q) == trees * depth_ && std::ssize(choices) == choice_bytes(trees, depth_) &&
              std::ssize(sums) == sum_bytes(trees, depth_));
  workers.for_ranges(trees / kTreesTogether, kGrowGrain, [&](std::int64_t begin, std::int64_t end) {
    HalfTreeGrower grower(depth_);
    SecretBlocks leaves(grower.leaves()), left(std::int64_t{kTreesTogether} * depth_);
    for (std::int64_t group = begin; group < end; ++group) {
      grow(group, grower, leaves.data(), left.blocks());
      for (std::int64_t k = 0; k < left.size(); ++k) {
        const std::int64_t tree = group * kTreesTogether + k % kTreesTogether;
        const std::int64_t at = tree * depth_ + k / kTreesTogether;
        const auto choice = std::to_integer<std::uint64_t>(choices[static_cast<std::size_t>(at / 8)] >> (at % 8)) & 1;
        const Block sum = left[k] ^ q[static_cast<std::size_t>(at)] ^ choice * delta_[0];
        std::memcpy(sums.data() + at * std::int64_t{sizeof(Block)}, &sum, sizeof sum);
      }
    }
  });
}

void WholeHalfTrees::grow(std::int64_t group, HalfTreeGrower& grower, Block* leaves, std::span<Block> left_sums) const {
  const auto first = static_cast<std::size_t>(group * kTreesTogether);
  grower.grow(seeds_.blocks().subspan(first).first<kTreesTogether>(), delta_[0], leaves, left_sums);
}

void WholeHalfTrees::grow(std::int64_t group, HalfTreeGrower& grower, Block* leaves) const {
  SecretBlocks left(std::int64_t{kTreesTogether} * depth_);
  grow(group, grower, leaves, left.blocks());
}

PuncturedHalfTrees::PuncturedHalfTrees(std::span<const Block> t, int depth, net::Bytes choices)
    : depth_(depth), sums_(std::ssize(t)) {
  const std::int64_t trees = std::ssize(t) / depth;
  TACIT_CHECK(std::ssize(t) == trees * depth && std::ssize(choices) == choice_bytes(trees, depth));
  holes_ = fresh_secret(trees * std::int64_t{sizeof(std::uint16_t)});
  std::ranges::copy(t, sums_.data());
  std::ranges::fill(choices, std::byte{0});
  for (std::int64_t at = 0; at < sums_.size(); ++at) {
    const std::uint64_t path = (hole(at / depth) >> (at % depth)) & 1, choice = (sums_[at].low & 1) ^ 1 ^ path;
    choices[static_cast<std::size_t>(at / 8)] |= static_cast<std::byte>(choice << (at % 8));
  }
}

std::uint64_t PuncturedHalfTrees::hole(std::int64_t tree) const {
  std::uint16_t bits = 0;
  std::memcpy(&bits, holes_.bytes().data() + static_cast<std::size_t>(tree) * sizeof bits, sizeof bits);
  return bits & ((std::uint64_t{1} << depth_) - 1);
}

void PuncturedHalfTrees::take(net::ConstBytes sums) {
  TACIT_CHECK(std::ssize(sums) == sums_.size() * std::int64_t{sizeof(Block)});
  for (std::int64_t at = 0; at < sums_.size(); ++at) {
    Block sum;
    std::memcpy(&sum, sums.data() + at * std::int64_t{sizeof(Block)}, sizeof sum);
    sums_[at] ^= sum;
  }
}

void PuncturedHalfTrees::grow(std::int64_t group, HalfTreeGrower& grower, Block* leaves) const {
  SecretBlocks known(std::int64_t{kTreesTogether} * depth_), holes(kTreesTogether / 2);
  for (std::int64_t k = 0; k < known.size(); ++k) {
    known[k] = sums_[(group * kTreesTogether + k % kTreesTogether) * depth_ + k / kTreesTogether];
  }
  for (int i = 0; i < kTreesTogether; ++i) holes.words()[i] = hole(group * kTreesTogether + i);
  grower.grow(std::span<const std::uint64_t, kTreesTogether>(holes.words(), kTreesTogether), known.blocks(), leaves);
}

}  // namespace tacit::mpc
