#include "mpc/ot/bit_times_word.h"

#include <algorithm>

#include "mpc/ot/bit_pads.h"
#include "mpc/ot/ferret_ot.h"
#include "mpc/ot/party_memory.h"
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

// The bits [begin, begin + size) of a string.
SecretBlocks bits_of(const SecretBlocks& string, std::int64_t begin, std::int64_t size) {
  SecretBlocks out = SecretBlocks::zeros(blocks_for(size));
  const auto shift = static_cast<int>(begin % 64);
  for (std::int64_t i = 0; i < size; i += 64) {
    const std::uint64_t* const from = string.words() + (begin + i) / 64;
    const auto count = static_cast<int>(std::min<std::int64_t>(64, size - i));
    std::uint64_t bits = from[0] >> shift;
    if (shift + count > 64) bits |= from[1] << (64 - shift);
    out.words()[i / 64] = bits & low_bits(count);
  }
  return out;
}

SecretBlocks blocks_of(net::ConstBytes bytes) {
  SecretBlocks blocks(std::ssize(bytes) / std::int64_t{sizeof(Block)});
  std::ranges::copy(bytes, reinterpret_cast<std::byte*>(blocks.data()));
  return blocks;
}

SecretBlocks exclusive_or(std::span<const Block> a, std::span<const Block> b) {
  SecretBlocks out(std::ssize(a));
  for (std::size_t i = 0; i < a.size(); ++i) out.data()[i] = a[i] ^ b[i];
  return out;
}

bool holds(const Holders& holders, int party) { return holders[static_cast<std::size_t>(party)]; }

// The memory of a transfer's pads of all uses, at the end with the bits and at the other (bit_pads.h).
constexpr std::int64_t kPadsOfBits = sizeof(Block), kPadsOfWords = 2 * sizeof(Block);

}  // namespace

class BitTimesWord::Bound {
 public:
  // Transfers of one direction, with their pads of one bit.
  struct Direction {
    // Copies the bits' part of the keys of a call, whose first transfer has the number `first`.
    void take_keys(const SecretBlocks& of_call, std::int64_t begin, std::int64_t count, std::uint64_t first) {
      keys = std::make_shared<SecretBlocks>(count);
      std::copy_n(of_call.data() + begin, count, keys->data());
      transfers = {keys, 0, count, first + static_cast<std::uint64_t>(begin)};
    }

    std::shared_ptr<SecretBlocks> keys;
    BoundTransfers transfers;
    BitPads pads;
    SecretBlocks corrections;  // while the bits are bound: of the transfers' random bits to the bits. Public
  };
  enum class State : unsigned char { kNew, kInThisRound, kBound };

  explicit Bound(const Bits& bits)
      : size(bits.size), holders(bits.holders), receiving(holders.size()), sending(holders.size()) {}

  // Counts a use of the bits of `holder` for one-bit words of party `from`. From the second use on, pads of all uses are kept.
  void count_bits(const std::shared_ptr<PartyMemory>& memory, int holder, int from) {
    const std::size_t parties = holders.size(), h = static_cast<std::size_t>(holder),
                      f = static_cast<std::size_t>(from);
    uses.resize(parties * parties);
    if (++uses[h * parties + f] != 2) return;
    PartyMemory::Bytes bytes(parties);
    bytes[h] = kPadsOfBits * size;
    bytes[f] = kPadsOfWords * size;
    held.push_back(PartyMemory::hold(memory, std::move(bytes)));
  }

  const std::int64_t size;
  const Holders holders;
  State state = State::kNew;
  SecretBlocks own;                  // this party's bits, if it is a holder
  std::vector<Direction> receiving;  // this party's bits, by peer
  std::vector<Direction> sending;    // the peer's bits, by peer

  // On a plan.
  std::vector<std::shared_ptr<const void>> held;  // memory
  std::vector<int> uses;                          // by holder and party with words
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
  std::vector<std::shared_ptr<Bound>> unbound(std::span<const Bits> bits) const;
  Products multiply(std::span<const WordFactor> words, std::span<const BitFactor> bits, Unbound unbound);

 private:
  Products multiply_in_one_round(std::span<const WordFactor> words, std::span<const BitFactor> bits, Unbound unbound);

  // A part of a message: the corrections of one factor in one direction.
  struct Part {
    const WordFactor* words = nullptr;  // or bits
    const BitFactor* bits = nullptr;
    std::size_t factor = 0;
    std::int64_t begin = 0, bytes = 0;
    std::vector<std::uint64_t> product = {};  // of words and bits that are bound in this round

    WordTable table() const { return {words->bits->size, words->columns, words->width}; }
    const Bound& bound() const { return words != nullptr ? *words->bits : *bits->bits; }
    bool in_this_round() const { return bound().state == Bound::State::kInThisRound; }
  };
  // By peer.
  using Parts = std::vector<std::vector<Part>>;

  int parties() const { return network_.parties(); }
  int rank() const { return network_.rank(); }
  bool planned() const { return network_.planned(); }
  std::int64_t correction_bytes() const { return ferret_ ? kFerretCorrectionBytes : kCorrectionBytes; }

  static std::int64_t bits_of_holder(Unbound unbound, int holder);
  void count_transfers(Unbound unbound);

  // The steps of binding. Corrections are the first part of each message.
  std::int64_t bytes_to_bind(Unbound unbound, int holder) const {
    return blocks_for(bits_of_holder(unbound, holder)) * correction_bytes();
  }
  void receive_choices(Unbound unbound, PairNetwork::Messages& out);
  void draw_keys(Unbound unbound);
  void send_choices(Unbound unbound, const PairNetwork::Messages& in);
  // take(keys): of the bits of a peer, one after the other; returns the first number.
  void take_sending(Unbound unbound, int peer, auto&& take);

  // Adds the bytes of the parts, in the whole network, to the bytes that each party sends and receives.
  template <typename Factor>
  void add_parts(const Factor& factor, std::size_t number, std::int64_t bytes, Parts& out, Parts& in,
                 std::vector<std::int64_t>& traffic) const;
  void send(Part& part, int peer, net::Bytes message, Products& products);
  void take(Part& part, int peer, net::ConstBytes message, Products& products);
  // After the exchange: a part that was sent before the corrections of its transfers were known.
  void correct(Part& part, int peer, net::ConstBytes message, Products& products);

  PairNetwork& network_;
  Workers& workers_;
  SoftSpokenOt soft_spoken_;
  std::optional<FerretOt> ferret_;
  const std::shared_ptr<PartyMemory> memory_ = std::make_shared<PartyMemory>(network_);
};

std::vector<std::shared_ptr<BitTimesWord::Bound>> BitTimesWord::Impl::unbound(std::span<const Bits> bits) const {
  std::vector<std::shared_ptr<Bound>> all;
  for (const Bits& some : bits) {
    TACIT_CHECK(some.size >= 0 && std::ssize(some.holders) == parties());
    Bound& bound = *all.emplace_back(std::make_shared<Bound>(some));
    if (planned() || !holds(some.holders, rank())) continue;
    TACIT_CHECK(some.own != nullptr && some.own->size() == some.size);
    BitString own(some.size);
    own.append(some.own->words(), some.size);
    bound.own = own.take();
  }
  return all;
}

std::int64_t BitTimesWord::Impl::bits_of_holder(Unbound unbound, int holder) {
  std::int64_t sum = 0;
  for (const auto& bound : unbound) sum += holds(bound->holders, holder) ? bound->size : 0;
  return sum;
}

void BitTimesWord::Impl::count_transfers(Unbound unbound) {
  if (parties() == 1) return;
  std::vector<std::int64_t> by_party;
  for (int party = 0; party < parties(); ++party) {
    by_party.push_back(blocks_for(bits_of_holder(unbound, party)) * kBlockBits);
    if (ferret_) ferret_->count(party, by_party.back());
  }
  network_.count_transfers(by_party);
}

void BitTimesWord::Impl::receive_choices(Unbound unbound, PairNetwork::Messages& out) {
  BitString choices(bits_of_holder(unbound, rank()));
  for (const auto& bound : unbound) {
    if (holds(bound->holders, rank())) {
      choices.append({bound->own.words(), static_cast<std::size_t>(2 * bound->own.size())}, bound->size);
    }
  }
  if (choices.blocks().empty()) return;
  for (int peer = 0; peer < parties(); ++peer) {
    if (peer == rank()) continue;
    const auto p = static_cast<std::size_t>(peer);
    SecretBlocks t(std::ssize(choices.blocks()) * kBlockBits);
    const auto corrections = std::span(out[p]).first(static_cast<std::size_t>(bytes_to_bind(unbound, rank())));
    const auto take = [&](auto& receiver) {
      const std::uint64_t first = receiver.used();
      receiver.take(choices.blocks(), t.blocks(), corrections, workers_);
      return first;
    };
    const std::uint64_t first = ferret_ ? take(ferret_->receiver(peer)) : take(soft_spoken_.receiver(peer));
    const SecretBlocks flips = ferret_ ? blocks_of(corrections) : SecretBlocks();
    std::int64_t begin = 0;
    for (const auto& bound : unbound) {
      if (!holds(bound->holders, rank())) continue;
      Bound::Direction& direction = bound->receiving[p];
      direction.take_keys(t, begin, bound->size, first);
      if (ferret_) direction.corrections = bits_of(flips, begin, bound->size);
      begin += bound->size;
    }
  }
}

void BitTimesWord::Impl::take_sending(Unbound unbound, int peer, auto&& take) {
  const std::int64_t blocks = blocks_for(bits_of_holder(unbound, peer));
  if (peer == rank() || blocks == 0) return;
  SecretBlocks q(blocks * kBlockBits);
  const std::uint64_t first = take(q.blocks());
  std::int64_t begin = 0;
  for (const auto& bound : unbound) {
    if (!holds(bound->holders, peer)) continue;
    bound->sending[static_cast<std::size_t>(peer)].take_keys(q, begin, bound->size, first);
    begin += bound->size;
  }
}

// Before the exchange. Ferret's keys are those of random bits, and SoftSpoken has none yet.
void BitTimesWord::Impl::draw_keys(Unbound unbound) {
  for (int peer = 0; ferret_ && peer < parties(); ++peer) {
    take_sending(unbound, peer, [&](std::span<Block> q) {
      FerretSender& sender = ferret_->sender(peer);
      const std::uint64_t first = sender.used();
      sender.take(q, workers_);
      return first;
    });
  }
}

// After the exchange.
void BitTimesWord::Impl::send_choices(Unbound unbound, const PairNetwork::Messages& in) {
  for (int peer = 0; peer < parties(); ++peer) {
    if (peer == rank()) continue;
    const auto p = static_cast<std::size_t>(peer);
    const auto corrections = std::span(in[p]).first(static_cast<std::size_t>(bytes_to_bind(unbound, peer)));
    if (!ferret_) {
      take_sending(unbound, peer, [&](std::span<Block> q) {
        SoftSpokenSender& sender = soft_spoken_.sender(peer);
        const std::uint64_t first = sender.used();
        sender.take(corrections, q, workers_);
        return first;
      });
      continue;
    }
    const SecretBlocks flips = blocks_of(corrections);
    std::int64_t begin = 0;
    for (const auto& bound : unbound) {
      if (!holds(bound->holders, peer)) continue;
      Bound::Direction& direction = bound->sending[p];
      direction.corrections = bits_of(flips, begin, bound->size);
      begin += bound->size;
      if (bound->size == 0) continue;
      ferret_->sender(peer).correct(direction.corrections.blocks(), direction.keys->blocks(), workers_);
      direction.pads.correct(direction.corrections.blocks());
    }
  }
}

template <typename Factor>
void BitTimesWord::Impl::add_parts(const Factor& factor, std::size_t number, std::int64_t bytes, Parts& out, Parts& in,
                                   std::vector<std::int64_t>& traffic) const {
  TACIT_CHECK(std::ssize(factor.from) == parties());
  TACIT_CHECK(factor.holder == -1 || holds(factor.bits->holders, factor.holder));
  const auto part_of = [&](std::vector<Part>& parts) {
    Part part;
    if constexpr (std::is_same_v<Factor, WordFactor>) {
      part.words = &factor;
    } else {
      part.bits = &factor;
    }
    part.factor = number;
    part.begin = parts.empty() ? 0 : parts.back().begin + parts.back().bytes;
    part.bytes = bytes;
    parts.push_back(std::move(part));
  };
  for (int holder = 0; holder < parties(); ++holder) {
    if (!holds(factor.bits->holders, holder) || (factor.holder != -1 && factor.holder != holder)) continue;
    for (int from = 0; from < parties(); ++from) {
      if (from == holder || !holds(factor.from, from)) continue;
      traffic[static_cast<std::size_t>(holder)] += bytes;
      traffic[static_cast<std::size_t>(from)] += bytes;
      if (std::is_same_v<Factor, BitFactor> && planned()) factor.bits->count_bits(memory_, holder, from);
      if (from == rank()) part_of(out[static_cast<std::size_t>(holder)]);
      if (holder == rank()) part_of(in[static_cast<std::size_t>(from)]);
    }
  }
}

BitTimesWord::Products BitTimesWord::Impl::multiply(std::span<const WordFactor> words, std::span<const BitFactor> bits,
                                                    Unbound unbound) {
  for (const auto& bound : unbound) {
    TACIT_CHECK(bound->state == Bound::State::kNew);
    bound->state = Bound::State::kInThisRound;
  }
  const auto waits = [](const auto& factor) { return factor.bits->state == Bound::State::kInThisRound; };
  if (!ferret_ && (std::ranges::any_of(words, waits) || std::ranges::any_of(bits, waits))) {
    for (const auto& bound : unbound) bound->state = Bound::State::kNew;
    multiply({}, {}, unbound);
    unbound = {};
  }
  return multiply_in_one_round(words, bits, unbound);
}

BitTimesWord::Products BitTimesWord::Impl::multiply_in_one_round(std::span<const WordFactor> words,
                                                                 std::span<const BitFactor> bits, Unbound unbound) {
  count_transfers(unbound);
  Parts outgoing(static_cast<std::size_t>(parties())), incoming(static_cast<std::size_t>(parties()));
  std::vector<std::int64_t> traffic(static_cast<std::size_t>(parties()));  // bytes sent and received, by party
  Products products;
  for (std::size_t k = 0; k < words.size(); ++k) {
    const WordTable table{words[k].bits->size, words[k].columns, words[k].width};
    TACIT_CHECK(table.columns >= 0 && table.width >= 1 && table.width <= 128);
    add_parts(words[k], k, table.message_bytes(), outgoing, incoming, traffic);
    products.words.emplace_back(planned() ? 0 : static_cast<std::size_t>(table.places()));
    if (planned()) network_.hold(table.places() * std::int64_t{sizeof(std::uint64_t)});
  }
  for (std::size_t k = 0; k < bits.size(); ++k) {
    add_parts(bits[k], k, net::packed_bytes(bits[k].bits->size, 1), outgoing, incoming, traffic);
    products.bits.push_back(planned() ? BitTensor() : BitTensor::zeros({1, bits[k].bits->size}));
  }
  auto out = network_.messages(), in = network_.messages();
  const auto size_message = [](auto& message, std::int64_t begin, const std::vector<Part>& parts) {
    message.resize(static_cast<std::size_t>(begin + (parts.empty() ? 0 : parts.back().begin + parts.back().bytes)));
  };
  const std::int64_t own_bytes = bytes_to_bind(unbound, rank());
  for (int party = 0; party < parties(); ++party) {
    const std::int64_t bytes = bytes_to_bind(unbound, party);
    for (int peer = 0; peer < parties(); ++peer) {
      if (peer == party) continue;
      traffic[static_cast<std::size_t>(party)] += bytes;
      traffic[static_cast<std::size_t>(peer)] += bytes;
    }
    const auto p = static_cast<std::size_t>(party);
    if (party == rank()) continue;
    size_message(out[p], own_bytes, outgoing[p]);
    size_message(in[p], bytes, incoming[p]);
  }
  const auto part_of = [](auto& message, std::int64_t begin, const Part& part) {
    return std::span(message).subspan(static_cast<std::size_t>(begin + part.begin),
                                      static_cast<std::size_t>(part.bytes));
  };
  const std::int64_t most = std::ranges::max(traffic);
  std::shared_ptr<const void> messages_memory;
  if (planned()) {
    for (const auto& bound : unbound) {
      bound->held.push_back(PartyMemory::hold(memory_, PartyMemory::of_keys(bound->size, bound->holders)));
    }
    messages_memory = PartyMemory::hold(memory_, traffic);
  } else {
    receive_choices(unbound, out);
    draw_keys(unbound);
    for (std::size_t p = 0; p < out.size(); ++p) {
      for (Part& part : outgoing[p]) send(part, static_cast<int>(p), part_of(out[p], own_bytes, part), products);
    }
  }
  // Messages that are empty in the whole network take no round.
  if (most > 0) network_.exchange(out, in);
  if (!planned()) {
    send_choices(unbound, in);
    for (std::size_t p = 0; p < in.size(); ++p) {
      const std::int64_t begin = bytes_to_bind(unbound, static_cast<int>(p));
      for (Part& part : outgoing[p]) {
        if (part.in_this_round()) correct(part, static_cast<int>(p), part_of(out[p], own_bytes, part), products);
      }
      for (Part& part : incoming[p]) take(part, static_cast<int>(p), part_of(in[p], begin, part), products);
    }
  }
  for (const auto& bound : unbound) {
    bound->state = Bound::State::kBound;
    for (auto* directions : {&bound->receiving, &bound->sending}) {
      for (Bound::Direction& direction : *directions) direction.corrections = SecretBlocks();
    }
  }
  return products;
}

void BitTimesWord::Impl::send(Part& part, int peer, net::Bytes message, Products& products) {
  const Block& delta = soft_spoken_.sender(peer).delta();  // also Ferret's
  if (part.words != nullptr) {
    const WordFactor& factor = *part.words;
    std::vector<std::uint64_t>& share = products.words[part.factor];
    if (part.in_this_round()) part.product.resize(share.size());
    send_words(part.table(), factor.bits->sending[static_cast<std::size_t>(peer)].transfers, delta, factor.words,
               part.in_this_round() ? part.product : share, message, workers_);
    return;
  }
  const BitFactor& factor = *part.bits;
  TACIT_CHECK(factor.own != nullptr && factor.own->size() == factor.bits->size);
  if (message.empty()) return;
  Bound::Direction& direction = factor.bits->sending[static_cast<std::size_t>(peer)];
  direction.pads.next(direction.transfers, &delta, workers_);
  send_bits(direction.pads, factor.own->words(), products.bits[part.factor].words(), message);
}

void BitTimesWord::Impl::correct(Part& part, int peer, net::ConstBytes message, Products& products) {
  if (message.empty()) return;
  const std::span<const Block> flips = part.bound().sending[static_cast<std::size_t>(peer)].corrections.blocks();
  if (part.words != nullptr) {
    add_corrected(part.table(), flips, part.words->words, part.product, products.words[part.factor]);
  } else {
    correct_bits(flips, part.bits->own->words(), message, products.bits[part.factor].words());
  }
}

void BitTimesWord::Impl::take(Part& part, int peer, net::ConstBytes message, Products& products) {
  if (message.empty()) return;
  if (part.words != nullptr) {
    const WordFactor& factor = *part.words;
    Bound::Direction& direction = factor.bits->receiving[static_cast<std::size_t>(peer)];
    std::vector<std::uint64_t>& share = products.words[part.factor];
    const std::span<const Block> own = factor.bits->own.blocks();
    if (!part.in_this_round()) return take_words(part.table(), direction.transfers, own, message, share, workers_);
    const std::span<const Block> flips = direction.corrections.blocks();
    const SecretBlocks random = exclusive_or(own, flips);
    part.product.resize(share.size());
    take_words(part.table(), direction.transfers, random.blocks(), message, part.product, workers_);
    add_corrected(part.table(), flips, {}, part.product, share);
    return;
  }
  const BitFactor& factor = *part.bits;
  Bound::Direction& direction = factor.bits->receiving[static_cast<std::size_t>(peer)];
  direction.pads.next(direction.transfers, nullptr, workers_);
  take_bits(direction.pads, factor.bits->own.blocks(), message, products.bits[part.factor].words());
}

BitTimesWord::BitTimesWord(PairNetwork& network, const Nonce& nonce, Workers& workers, TransferSource source,
                           const FerretSet& set)
    : impl_(std::make_unique<Impl>(network, nonce, workers, source, set)) {}

BitTimesWord::~BitTimesWord() = default;

void BitTimesWord::reserve(std::int64_t transfers) { impl_->reserve(transfers); }

std::vector<std::shared_ptr<BitTimesWord::Bound>> BitTimesWord::unbound(std::span<const Bits> bits) {
  return impl_->unbound(bits);
}

std::vector<std::shared_ptr<BitTimesWord::Bound>> BitTimesWord::bind(std::span<const Bits> bits) {
  std::vector<std::shared_ptr<Bound>> bound = impl_->unbound(bits);
  impl_->multiply({}, {}, bound);
  return bound;
}

BitTimesWord::Products BitTimesWord::multiply(std::span<const WordFactor> words, std::span<const BitFactor> bits,
                                              Unbound unbound) {
  return impl_->multiply(words, bits, unbound);
}

std::vector<std::vector<std::uint64_t>> BitTimesWord::times(std::span<const WordFactor> factors) {
  return impl_->multiply(factors, {}, {}).words;
}

std::vector<BitTensor> BitTimesWord::times_bits(std::span<const BitFactor> factors) {
  return impl_->multiply({}, factors, {}).bits;
}

}  // namespace tacit::mpc
