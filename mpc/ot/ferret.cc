#include "mpc/ot/ferret.h"

#include <sodium.h>

#include <algorithm>
#include <cstring>

#include "net/error.h"

namespace tacit::mpc {

namespace {

constexpr std::int64_t kBlockGrain = 1024;  // blocks of 128 transfers that are worth waking a thread for

struct RowsText {
  std::array<char, 16> purpose{'t', 'a', 'c', 'i', 't', ' ', 'l', 'p', 'n', ' ', 'r', 'o', 'w', 's'};
  std::int32_t sender = 0, receiver = 0;
};
static_assert(sizeof(RowsText) == 24, "no padding");

// Public: a function of the session's nonce.
std::array<char, sizeof(Block)> rows_key(const FerretName& name) {
  RowsText text;
  text.sender = name.sender;
  text.receiver = name.receiver;
  std::array<char, sizeof(Block)> key{};
  TACIT_CHECK(crypto_generichash(reinterpret_cast<unsigned char*>(key.data()), key.size(),
                                 reinterpret_cast<const unsigned char*>(&text), sizeof text,
                                 reinterpret_cast<const unsigned char*>(name.nonce.data()), name.nonce.size()) == 0);
  return key;
}

std::int64_t blocks_of(std::span<const Block> transfers, std::span<const std::byte> corrections) {
  const std::int64_t blocks = std::ssize(transfers) / kBlockBits;
  TACIT_CHECK(std::ssize(transfers) == blocks * kBlockBits &&
              std::ssize(corrections) == blocks * kFerretCorrectionBytes);
  return blocks;
}

}  // namespace

template <typename Trees>
FerretStock<Trees>::FerretStock(const FerretName& name, const FerretSet& set, SecretBlocks base)
    : set_(set), key_(rows_key(name)), next_(std::move(base)) {
  TACIT_CHECK(set.left() > 0 && next_.size() >= set.kept());
}

template <typename Trees>
std::span<const Block> FerretStock<Trees>::tree_transfers() const {
  return next_.blocks().subspan(static_cast<std::size_t>(set_.base()), static_cast<std::size_t>(set_.tree_transfers()));
}

template <typename Trees>
void FerretStock<Trees>::extend(Trees trees, Workers& workers) {
  FerretRound<Trees> round(set_, key_, rounds_++, std::move(trees), std::move(next_));
  next_ = SecretBlocks(set_.kept());
  round.take(next_.blocks(), workers);
  stock_.push_back(std::move(round));
}

template <typename Trees>
std::int64_t FerretStock<Trees>::left() const {
  std::int64_t sum = 0;
  for (const auto& round : stock_) sum += round.left();
  return sum;
}

template <typename Trees>
void FerretStock<Trees>::take(std::span<Block> out, Workers& workers) {
  TACIT_CHECK(std::ssize(out) <= left() && used_ + out.size() >= used_);
  used_ += out.size();
  while (!out.empty()) {
    FerretRound<Trees>& round = stock_.front();
    const auto some = static_cast<std::size_t>(std::min(round.left(), std::ssize(out)));
    round.take(out.first(some), workers);
    out = out.subspan(some);
    if (round.left() == 0) stock_.pop_front();
  }
}

template class FerretStock<WholeHalfTrees>;
template class FerretStock<PuncturedHalfTrees>;

void FerretReceiver::choose(net::Bytes choices) {
  TACIT_CHECK(!trees_.has_value());
  trees_.emplace(stock_.tree_transfers(), stock_.set().depth, choices);
}

void FerretReceiver::extend(net::ConstBytes sums, Workers& workers) {
  TACIT_CHECK(trees_.has_value());
  trees_->take(sums);
  stock_.extend(std::move(*trees_), workers);
  trees_.reset();
}

void FerretReceiver::take(std::span<const Block> choices, std::span<Block> t, net::Bytes corrections,
                          Workers& workers) {
  const std::int64_t blocks = blocks_of(t, corrections);
  TACIT_CHECK(blocks == std::ssize(choices));
  stock_.take(t, workers);
  workers.for_ranges(blocks, kBlockGrain, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t m = begin; m < end; ++m) {
      const Block u = first_bits(t.subspan(static_cast<std::size_t>(m * kBlockBits), kBlockBits));
      const Block correction = choices[static_cast<std::size_t>(m)] ^ u;
      std::memcpy(corrections.data() + m * kFerretCorrectionBytes, &correction, sizeof correction);
    }
  });
}

FerretSender::FerretSender(const FerretName& name, const FerretSet& set, const Block& delta, SecretBlocks base)
    : stock_(name, set, std::move(base)) {
  TACIT_CHECK((delta.low & 1) == 1);
  delta_[0] = delta;
}

void FerretSender::extend(net::ConstBytes choices, net::Bytes sums, Workers& workers) {
  const FerretSet& set = stock_.set();
  WholeHalfTrees trees(delta_[0], set.trees, set.depth);
  trees.answer(stock_.tree_transfers(), choices, sums, workers);
  stock_.extend(std::move(trees), workers);
}

void FerretSender::correct(std::span<const Block> corrections, std::span<Block> q, Workers& workers) const {
  TACIT_CHECK(q.size() <= corrections.size() * kBlockBits);
  workers.for_ranges(std::ssize(corrections), kBlockGrain, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t m = begin; m < end; ++m) {
      const Block& bits = corrections[static_cast<std::size_t>(m)];
      const std::int64_t first = m * kBlockBits, count = std::min(kBlockBits, std::ssize(q) - first);
      for (std::int64_t i = 0; i < count; ++i) {
        q[static_cast<std::size_t>(first + i)] ^= (((i < 64 ? bits.low : bits.high) >> (i % 64)) & 1) * delta_[0];
      }
    }
  });
}

}  // namespace tacit::mpc
