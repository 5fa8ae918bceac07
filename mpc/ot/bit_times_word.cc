#include "mpc/ot/bit_times_word.h"

#include <algorithm>
#include <cstring>

#include "mpc/ot/bit_pads.h"
#include "mpc/ot/ferret_ot.h"
#include "mpc/ot/soft_spoken_ot.h"
#include "mpc/ot/word_pads.h"
#include "net/collectives/pack.h"
#include "net/error.h"

namespace tacit::mpc {

namespace {

// Bits one after the other, without gaps.
class BitString {
 public:
  explicit BitString(std::int64_t bits) : blocks_(SecretBlocks::zeros(blocks_for(bits))) {}

  void append(std::span<const std::uint64_t> words, std::int64_t bits) {
    std::uint64_t* const to = blocks_.words();
    for (std::int64_t i = 0; i < bits; i += 64) {
      const auto count = static_cast<int>(std::min<std::int64_t>(64, bits - i));
      const std::uint64_t word = words[static_cast<std::size_t>(i / 64)] & low_bits(count);
      const auto shift = static_cast<int>(size_ % 64);
      to[size_ / 64] |= word << shift;
      if (shift + count > 64) to[size_ / 64 + 1] |= word >> (64 - shift);
      size_ += count;
    }
  }
  std::span<const Block> blocks() const { return blocks_.blocks(); }
  SecretBlocks take() { return std::move(blocks_); }

 private:
  SecretBlocks blocks_;
  std::int64_t size_ = 0;
};

bool holds(const Holders& holders, int party) { return holders[static_cast<std::size_t>(party)]; }

// The memory of a bound bit at one of its ends: its key and its correction.
constexpr std::int64_t kBoundBytes = sizeof(Block) + kCorrectionBytes / kBlockBits;

}  // namespace

class BitTimesWord::Bound {
 public:
  // Transfers of one direction, with their pads of one bit.
  struct Direction {
    BoundTransfers transfers;
    BitPads pads;
  };

  explicit Bound(const Bits& bits)
      : size(bits.size), holders(bits.holders), receiving(holders.size()), sending(holders.size()) {}

  const std::int64_t size;
  const Holders holders;
  SecretBlocks own;                  // this party's bits, if it is a holder
  std::vector<Direction> receiving;  // this party's bits, by peer
  std::vector<Direction> sending;    // the peer's bits, by peer
};

class BitTimesWord::Impl {
 public:
  Impl(PairNetwork& network, const Nonce& nonce, Workers& workers, TransferSource source, const FerretSet& set)
      : network_(network), workers_(workers), soft_spoken_(network, nonce, workers) {
    if (source == TransferSource::kFerret) ferret_.emplace(network, nonce, workers, soft_spoken_, set);
  }

  void reserve(std::int64_t transfers) {
    if (ferret_) ferret_->reserve(transfers);
  }
  std::vector<std::shared_ptr<Bound>> bind(std::span<const Bits> bits);
  Products multiply(std::span<const WordFactor> words, std::span<const BitFactor> bits);

 private:
  // A part of a message: the corrections of one factor in one direction.
  struct Part {
    const WordFactor* words = nullptr;  // or bits
    const BitFactor* bits = nullptr;
    std::size_t factor = 0;
    std::int64_t begin = 0, bytes = 0;
  };
  // By peer.
  using Parts = std::vector<std::vector<Part>>;

  int parties() const { return network_.parties(); }
  int rank() const { return network_.rank(); }
  bool planned() const { return network_.planned(); }

  // use(the sender or the receiver of the source)
  template <typename Use>
  void with_sender(int peer, const Use& use) {
    ferret_ ? use(ferret_->sender(peer)) : use(soft_spoken_.sender(peer));
  }
  template <typename Use>
  void with_receiver(int peer, const Use& use) {
    ferret_ ? use(ferret_->receiver(peer)) : use(soft_spoken_.receiver(peer));
  }
  std::int64_t correction_bytes() const { return ferret_ ? kFerretCorrectionBytes : kCorrectionBytes; }

  static std::int64_t bits_of(std::span<const Bits> bits, int holder);
  void count_transfers(std::span<const Bits> bits);
  void exchange(const PairNetwork::Messages& out, PairNetwork::Messages& in, std::int64_t bytes_of_all);
  void receive_choices(std::span<const Bits> bits, std::vector<std::shared_ptr<Bound>>& bound,
                       PairNetwork::Messages& out);
  void send_choices(std::span<const Bits> bits, std::vector<std::shared_ptr<Bound>>& bound,
                    const PairNetwork::Messages& in);

  // Returns the bytes of the parts in the whole network.
  template <typename Factor>
  std::int64_t add_parts(const Factor& factor, std::size_t number, std::int64_t bytes, Parts& out, Parts& in) const;
  void send(const Part& part, int peer, net::Bytes message, Products& products);
  void take(const Part& part, int peer, net::ConstBytes message, Products& products);

  PairNetwork& network_;
  Workers& workers_;
  SoftSpokenOt soft_spoken_;
  std::optional<FerretOt> ferret_;
};

std::int64_t BitTimesWord::Impl::bits_of(std::span<const Bits> bits, int holder) {
  std::int64_t sum = 0;
  for (const Bits& some : bits) sum += holds(some.holders, holder) ? some.size : 0;
  return sum;
}

void BitTimesWord::Impl::count_transfers(std::span<const Bits> bits) {
  if (parties() == 1) return;
  std::vector<std::int64_t> by_party;
  for (int party = 0; party < parties(); ++party) {
    by_party.push_back(blocks_for(bits_of(bits, party)) * kBlockBits);
    if (ferret_) ferret_->count(party, by_party.back());
  }
  network_.count_transfers(by_party);
}

// Messages that are empty in the whole network take no round.
void BitTimesWord::Impl::exchange(const PairNetwork::Messages& out, PairNetwork::Messages& in,
                                  std::int64_t bytes_of_all) {
  if (bytes_of_all > 0) network_.exchange(out, in);
}

std::vector<std::shared_ptr<BitTimesWord::Bound>> BitTimesWord::Impl::bind(std::span<const Bits> bits) {
  std::vector<std::shared_ptr<Bound>> bound;
  for (const Bits& some : bits) {
    TACIT_CHECK(some.size >= 0 && std::ssize(some.holders) == parties());
    bound.push_back(std::make_shared<Bound>(some));
  }
  count_transfers(bits);
  auto out = network_.messages(), in = network_.messages();
  std::int64_t of_all = 0, sum = 0, most = 0;  // bits: of all parties, of the party with the most
  for (int party = 0; party < parties(); ++party) {
    const std::int64_t count = bits_of(bits, party), bytes = blocks_for(count) * correction_bytes();
    of_all += bytes * (parties() - 1);
    sum += count;
    most = std::max(most, count);
    if (party != rank()) in[static_cast<std::size_t>(party)].resize(static_cast<std::size_t>(bytes));
    for (int peer = 0; party == rank() && peer < parties(); ++peer) {
      if (peer != rank()) out[static_cast<std::size_t>(peer)].resize(static_cast<std::size_t>(bytes));
    }
  }
  if (planned()) {
    network_.hold(kBoundBytes * (most * (parties() - 1) + sum - most));
  } else {
    receive_choices(bits, bound, out);
  }
  exchange(out, in, of_all);
  if (!planned()) send_choices(bits, bound, in);
  return bound;
}

void BitTimesWord::Impl::receive_choices(std::span<const Bits> bits, std::vector<std::shared_ptr<Bound>>& bound,
                                         PairNetwork::Messages& out) {
  BitString choices(bits_of(bits, rank()));
  for (std::size_t k = 0; k < bits.size(); ++k) {
    if (!holds(bits[k].holders, rank())) continue;
    TACIT_CHECK(bits[k].own != nullptr && bits[k].own->size() == bits[k].size);
    choices.append(bits[k].own->words(), bits[k].size);
    BitString own(bits[k].size);
    own.append(bits[k].own->words(), bits[k].size);
    bound[k]->own = own.take();
  }
  if (choices.blocks().empty()) return;
  for (int peer = 0; peer < parties(); ++peer) {
    if (peer == rank()) continue;
    const auto p = static_cast<std::size_t>(peer);
    const auto t = std::make_shared<SecretBlocks>(std::ssize(choices.blocks()) * kBlockBits);
    std::uint64_t first = 0;
    with_receiver(peer, [&](auto& receiver) {
      first = receiver.used();
      receiver.take(choices.blocks(), t->blocks(), out[p], workers_);
    });
    std::int64_t begin = 0;
    for (std::size_t k = 0; k < bits.size(); ++k) {
      if (!holds(bits[k].holders, rank())) continue;
      bound[k]->receiving[p].transfers = {t, begin, bits[k].size, first + static_cast<std::uint64_t>(begin)};
      begin += bits[k].size;
    }
  }
}

void BitTimesWord::Impl::send_choices(std::span<const Bits> bits, std::vector<std::shared_ptr<Bound>>& bound,
                                      const PairNetwork::Messages& in) {
  for (int peer = 0; peer < parties(); ++peer) {
    const auto p = static_cast<std::size_t>(peer);
    if (in[p].empty()) continue;
    const auto q = std::make_shared<SecretBlocks>(std::ssize(in[p]) / correction_bytes() * kBlockBits);
    std::uint64_t first = 0;
    with_sender(peer, [&](auto& sender) {
      first = sender.used();
      sender.take(in[p], q->blocks(), workers_);
    });
    std::int64_t begin = 0;
    for (std::size_t k = 0; k < bits.size(); ++k) {
      if (!holds(bits[k].holders, peer)) continue;
      bound[k]->sending[p].transfers = {q, begin, bits[k].size, first + static_cast<std::uint64_t>(begin)};
      begin += bits[k].size;
    }
  }
}

template <typename Factor>
std::int64_t BitTimesWord::Impl::add_parts(const Factor& factor, std::size_t number, std::int64_t bytes, Parts& out,
                                           Parts& in) const {
  TACIT_CHECK(std::ssize(factor.from) == parties());
  TACIT_CHECK(factor.holder == -1 || holds(factor.bits->holders, factor.holder));
  const auto part_of = [&](std::vector<Part>& parts) {
    Part& part = parts.emplace_back();
    if constexpr (std::is_same_v<Factor, WordFactor>) {
      part.words = &factor;
    } else {
      part.bits = &factor;
    }
    part.factor = number;
    part.begin = parts.size() < 2 ? 0 : parts[parts.size() - 2].begin + parts[parts.size() - 2].bytes;
    part.bytes = bytes;
  };
  std::int64_t of_all = 0;
  for (int holder = 0; holder < parties(); ++holder) {
    if (!holds(factor.bits->holders, holder) || (factor.holder != -1 && factor.holder != holder)) continue;
    for (int from = 0; from < parties(); ++from) {
      if (from == holder || !holds(factor.from, from)) continue;
      of_all += bytes;
      if (from == rank()) part_of(out[static_cast<std::size_t>(holder)]);
      if (holder == rank()) part_of(in[static_cast<std::size_t>(from)]);
    }
  }
  return of_all;
}

BitTimesWord::Products BitTimesWord::Impl::multiply(std::span<const WordFactor> words,
                                                    std::span<const BitFactor> bits) {
  Parts outgoing(static_cast<std::size_t>(parties())), incoming(static_cast<std::size_t>(parties()));
  Products products;
  std::int64_t of_all = 0;
  for (std::size_t k = 0; k < words.size(); ++k) {
    const WordTable table{words[k].bits->size, words[k].columns, words[k].width};
    TACIT_CHECK(table.columns >= 0 && table.width >= 1 && table.width <= 128);
    of_all += add_parts(words[k], k, table.message_bytes(), outgoing, incoming);
    products.words.emplace_back(planned() ? 0 : static_cast<std::size_t>(table.places()));
    if (planned()) network_.hold(table.places() * std::int64_t{sizeof(std::uint64_t)});
  }
  for (std::size_t k = 0; k < bits.size(); ++k) {
    of_all += add_parts(bits[k], k, net::packed_bytes(bits[k].bits->size, 1), outgoing, incoming);
    products.bits.push_back(planned() ? BitTensor() : BitTensor::zeros({1, bits[k].bits->size}));
  }
  auto out = network_.messages(), in = network_.messages();
  const auto size_message = [](auto& message, const std::vector<Part>& parts) {
    if (!parts.empty()) message.resize(static_cast<std::size_t>(parts.back().begin + parts.back().bytes));
  };
  for (std::size_t p = 0; p < out.size(); ++p) {
    size_message(out[p], outgoing[p]);
    size_message(in[p], incoming[p]);
  }
  const auto part_of = [](auto& message, const Part& part) {
    return std::span(message).subspan(static_cast<std::size_t>(part.begin), static_cast<std::size_t>(part.bytes));
  };
  for (std::size_t p = 0; p < out.size() && !planned(); ++p) {
    for (const Part& part : outgoing[p]) send(part, static_cast<int>(p), part_of(out[p], part), products);
  }
  exchange(out, in, of_all);
  for (std::size_t p = 0; p < in.size() && !planned(); ++p) {
    for (const Part& part : incoming[p]) take(part, static_cast<int>(p), part_of(in[p], part), products);
  }
  return products;
}

void BitTimesWord::Impl::send(const Part& part, int peer, net::Bytes message, Products& products) {
  const Block& delta = soft_spoken_.sender(peer).delta();  // also Ferret's
  if (part.words != nullptr) {
    const WordFactor& factor = *part.words;
    send_words({factor.bits->size, factor.columns, factor.width},
               factor.bits->sending[static_cast<std::size_t>(peer)].transfers, delta, factor.words,
               products.words[part.factor], message, workers_);
    return;
  }
  const BitFactor& factor = *part.bits;
  TACIT_CHECK(factor.own != nullptr && factor.own->size() == factor.bits->size);
  if (message.empty()) return;
  Bound::Direction& direction = factor.bits->sending[static_cast<std::size_t>(peer)];
  direction.pads.next(direction.transfers, &delta, workers_);
  send_bits(direction.pads, factor.own->words(), products.bits[part.factor].words(), message);
}

void BitTimesWord::Impl::take(const Part& part, int peer, net::ConstBytes message, Products& products) {
  if (part.words != nullptr) {
    const WordFactor& factor = *part.words;
    take_words({factor.bits->size, factor.columns, factor.width},
               factor.bits->receiving[static_cast<std::size_t>(peer)].transfers, factor.bits->own.blocks(), message,
               products.words[part.factor], workers_);
    return;
  }
  const BitFactor& factor = *part.bits;
  if (message.empty()) return;
  Bound::Direction& direction = factor.bits->receiving[static_cast<std::size_t>(peer)];
  direction.pads.next(direction.transfers, nullptr, workers_);
  take_bits(direction.pads, factor.bits->own.blocks(), message, products.bits[part.factor].words());
}

BitTimesWord::BitTimesWord(PairNetwork& network, const Nonce& nonce, Workers& workers, TransferSource source,
                           const FerretSet& set)
    : impl_(std::make_unique<Impl>(network, nonce, workers, source, set)) {}

BitTimesWord::~BitTimesWord() = default;

void BitTimesWord::reserve(std::int64_t transfers) { impl_->reserve(transfers); }

std::vector<std::shared_ptr<BitTimesWord::Bound>> BitTimesWord::bind(std::span<const Bits> bits) {
  return impl_->bind(bits);
}

BitTimesWord::Products BitTimesWord::multiply(std::span<const WordFactor> words, std::span<const BitFactor> bits) {
  return impl_->multiply(words, bits);
}

std::vector<std::vector<std::uint64_t>> BitTimesWord::times(std::span<const WordFactor> factors) {
  return impl_->multiply(factors, {}).words;
}

std::vector<BitTensor> BitTimesWord::times_bits(std::span<const BitFactor> factors) {
  return impl_->multiply({}, factors).bits;
}

}  // namespace tacit::mpc
