// word_pads — the two ends of bit·word for a table of words: a row of words for each bound bit.
//
//   end with the words:  c = H(q) + w - H(q ^ Delta) for each word; keeps -H(q)        sends c, packed at its width
//   end with the bits:   takes H(t) + b·c
//
// A row's words take their pads from one bit string: the blocks of the row's transfer, of one use. Time: depends on the table's shape
// alone. Thread: one, which may use the workers.
#pragma once

#include <cstdint>
#include <span>

#include "mpc/kernels/workers.h"
#include "mpc/ot/bound_transfers.h"
#include "net/channel.h"

namespace tacit::mpc {

struct WordTable {
  std::int64_t rows = 0;
  std::int64_t columns = 1;
  int width = 64;  // 1 … 128

  bool wide() const { return width > 64; }  // a word takes two places, the low one first
  std::int64_t places() const { return rows * columns * (wide() ? 2 : 1); }
  std::int64_t message_bytes() const;
  std::int64_t row_blocks() const { return blocks_for(columns * width); }
};

// share -= H(q), and the message.
void send_words(const WordTable& table, BoundTransfers& transfers, const Block& delta,
                std::span<const std::uint64_t> words, std::span<std::uint64_t> share, net::Bytes message,
                Workers& workers);

// share += H(t) + b·c. Any bytes are a message. `bits`: bit i of a block is that of its i-th transfer.
void take_words(const WordTable& table, BoundTransfers& transfers, std::span<const Block> bits, net::ConstBytes message,
                std::span<std::uint64_t> share, Workers& workers);

// After send_words() or take_words() with a bit u of the transfer, whose parts of the product are in `part`: share += the part of
// (u ^ flip)·w. Where the flip is set, the end with the words adds w - part. The other end, whose `words` are empty, adds -part.
void add_corrected(const WordTable& table, std::span<const Block> flips, std::span<const std::uint64_t> words,
                   std::span<const std::uint64_t> part, std::span<std::uint64_t> share);

}  // namespace tacit::mpc
