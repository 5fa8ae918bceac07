// Corrections and shares look uniform whatever the bits and words are, and no pad serves twice.
#include <gtest/gtest.h>

#include "mpc/ot/bit_pads.h"
#include "mpc/ot/word_pads.h"
#include "net/collectives/pack.h"
#include "tests/mpc/ot/correlated_pair.h"
#include "tests/mpc/security/chi_square.h"

namespace tacit::mpc {
namespace {

using PadWords = std::vector<std::uint64_t>;

// Bits that are all equal, bound to transfers.
struct BoundPair {
  BoundPair(std::int64_t size, bool bit) : bits(SecretBlocks::zeros(blocks_for(size))) {
    CorrelatedPair pair(1);
    delta = pair.delta;
    for (std::int64_t i = 0; bit && i < size; ++i) {
      Block& block = bits[i / kBlockBits];
      (i % kBlockBits < 64 ? block.low : block.high) |= std::uint64_t{1} << (i % 64);
    }
    const auto t = std::make_shared<SecretBlocks>(bits.size() * kBlockBits);
    const auto q = std::make_shared<SecretBlocks>(bits.size() * kBlockBits);
    std::vector<std::byte> corrections(static_cast<std::size_t>(bits.size() * kCorrectionBytes));
    pair.receiver().take(bits.blocks(), t->blocks(), corrections, workers);
    pair.sender().take(corrections, q->blocks(), workers);
    receiving = {t, 0, size, 0};
    sending = {q, 0, size, 0};
  }

  Workers workers{2};
  SecretBlocks bits;
  Block delta{};
  BoundTransfers receiving, sending;
};

struct Use {
  PadWords corrections, sent, taken;  // the message, and the shares of the two ends
};

Use use_words(BoundPair& pair, const WordTable& table, std::uint64_t word) {
  const PadWords words(static_cast<std::size_t>(table.places()), word);
  Use use{PadWords(words.size()), PadWords(words.size()), PadWords(words.size())};
  std::vector<std::byte> message(static_cast<std::size_t>(table.message_bytes()));
  send_words(table, pair.sending, pair.delta, words, use.sent, message, pair.workers);
  take_words(table, pair.receiving, pair.bits.blocks(), message, use.taken, pair.workers);
  net::unpack(message, {use.corrections, table.width});
  return use;
}

Use use_bits(BoundPair& pair, BitPads& sending, BitPads& receiving, std::uint64_t word) {
  const PadWords words(static_cast<std::size_t>(pair.sending.size() / 64), word);
  Use use{PadWords(words.size()), PadWords(words.size()), PadWords(words.size())};
  sending.next(pair.sending, &pair.delta, pair.workers);
  receiving.next(pair.receiving, nullptr, pair.workers);
  const net::Bytes message(std::as_writable_bytes(std::span(use.corrections)));
  send_bits(sending, words, use.sent, message);
  take_bits(receiving, pair.bits.blocks(), message, use.taken);
  return use;
}

PadWords differences(const PadWords& a, const PadWords& b, int width) {
  PadWords out;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) out.push_back((a[i] - b[i]) & low_bits(width));
  return out;
}

PadWords sums(PadWords a, const PadWords& b) {
  for (std::size_t i = 0; i < a.size(); ++i) a[i] ^= b[i];
  return a;
}

PadWords after(const PadWords& words, std::size_t step) {
  return {words.begin() + static_cast<std::ptrdiff_t>(step), words.end()};
}

void expect_uniform(const PadWords& words, int width, const char* what) {
  EXPECT_LT(unevenness_of_words(words, width), kTooUneven) << what << ", width " << width;
}

TEST(Pads, MakeWordsUniform) {
  for (const bool bit : {false, true}) {
    for (const std::uint64_t word : {std::uint64_t{0}, ~std::uint64_t{0}}) {
      for (const auto& [columns, width] : {std::pair{1, 25}, {1, 64}, {3, 38}, {2, 1}}) {
        BoundPair pair(5000, bit);
        const WordTable table{5000, columns, width};
        const Use first = use_words(pair, table, word), second = use_words(pair, table, word);
        for (const PadWords Use::*part : {&Use::corrections, &Use::sent, &Use::taken}) {
          expect_uniform(first.*part, width, "a use");
          expect_uniform(differences(first.*part, second.*part, width), width, "two uses");
          expect_uniform(differences(after(first.*part, 1), first.*part, width), width, "neighbours");
          expect_uniform(differences(after(first.*part, static_cast<std::size_t>(columns)), first.*part, width), width,
                         "rows");
        }
      }
    }
  }
}

// Also across the end of a block of pads, after 128 uses.
TEST(Pads, MakeBitsUniform) {
  for (const bool bit : {false, true}) {
    BoundPair pair(64 * 640, bit);
    BitPads sending, receiving;
    std::vector<Use> uses;
    for (std::size_t k = 0; k < 140; ++k) {
      const Use& use = uses.emplace_back(use_bits(pair, sending, receiving, k % 2 == 0 ? 0 : ~std::uint64_t{0}));
      for (const PadWords Use::*part : {&Use::corrections, &Use::sent, &Use::taken}) {
        expect_uniform(use.*part, 64, "a use");
        for (const std::size_t before : {std::size_t{1}, std::size_t{128}}) {
          if (k < before) continue;
          expect_uniform(sums(use.*part, uses[k - before].*part), 64, "two uses");
        }
      }
    }
  }
}

// Uses as a bit and as a word have numbers of one count.
TEST(Pads, AreNotSharedByBitsAndWords) {
  BoundPair pair(64 * 640, false);
  BitPads sending, receiving;
  const Use bits = use_bits(pair, sending, receiving, 0);
  const Use words = use_words(pair, {64 * 640, 1, 1}, 0);
  PadWords packed(bits.sent.size());
  for (std::size_t i = 0; i < words.sent.size(); ++i) packed[i / 64] |= words.sent[i] << (i % 64);
  expect_uniform(sums(packed, bits.sent), 64, "a bit and a word");
}

}  // namespace
}  // namespace tacit::mpc
