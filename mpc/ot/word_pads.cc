#include "mpc/ot/word_pads.h"

#include <algorithm>

#include "mpc/ot/correlation_hash.h"
#include "mpc/random/uniform_words.h"
#include "mpc/ring/uninitialised.h"
#include "net/collectives/pack.h"
#include "net/error.h"

namespace tacit::mpc {

namespace {

constexpr std::int64_t kChunkBlocks = 256;   // of pads: a chunk stays in the cache
constexpr std::int64_t kPadGrain = 1 << 12;  // blocks of pads that are worth waking a thread for

// The bits [at, at + width) of a bit string, width <= 64.
std::uint64_t bits_at(const std::uint64_t* string, std::int64_t at, int width) {
  const std::int64_t word = at / 64;
  const int shift = static_cast<int>(at % 64);
  std::uint64_t bits = string[word] >> shift;
  if (shift + width > 64) bits |= string[word + 1] << (64 - shift);
  return bits & low_bits(width);
}

// The packed corrections of rows. Wide words are two packed tensors, the low halves first.
class Corrections {
 public:
  Corrections(const WordTable& table, std::int64_t most_rows)
      : table_(table), low_(static_cast<std::size_t>(most_rows * table.columns)) {
    if (table.wide()) high_.resize(low_.size());
  }

  std::uint64_t* low() { return low_.data(); }
  std::uint64_t* high() { return high_.data(); }

  // The rows from `first`, a multiple of 8, on.
  void pack(net::Bytes message, std::int64_t first, std::int64_t rows) const {
    net::pack({std::span(low_).first(count(rows)), low_width()},
              message.subspan(begin(first, low_width()), bytes(rows, low_width())));
    if (!table_.wide()) return;
    net::pack({std::span(high_).first(count(rows)), high_width()},
              message.subspan(high_begin() + begin(first, high_width()), bytes(rows, high_width())));
  }
  void unpack(net::ConstBytes message, std::int64_t first, std::int64_t rows) {
    net::unpack(message.subspan(begin(first, low_width()), bytes(rows, low_width())),
                {std::span(low_).first(count(rows)), low_width()});
    if (!table_.wide()) return;
    net::unpack(message.subspan(high_begin() + begin(first, high_width()), bytes(rows, high_width())),
                {std::span(high_).first(count(rows)), high_width()});
  }

 private:
  int low_width() const { return std::min(table_.width, 64); }
  int high_width() const { return table_.width - 64; }
  std::size_t count(std::int64_t rows) const { return static_cast<std::size_t>(rows * table_.columns); }
  std::size_t high_begin() const { return bytes(table_.rows, 64); }
  std::size_t bytes(std::int64_t rows, int width) const {
    return static_cast<std::size_t>(net::packed_bytes(rows * table_.columns, width));
  }
  std::size_t begin(std::int64_t row, int width) const {
    return static_cast<std::size_t>(row / net::kPackBlock * table_.columns * width);
  }

  const WordTable& table_;
  UninitialisedVector<std::uint64_t> low_, high_;
};

// Words of a table as numbers, in one place each: pads(string, word) is the pad of a word of a row.
// kSingle: rows of one word.
template <bool kSingle>
struct Narrow {
  explicit Narrow(const WordTable& table) : width(table.width), mask(low_bits(table.width)) {}
  std::uint64_t pad(const std::uint64_t* string, std::int64_t word) const {
    return kSingle ? string[0] : bits_at(string, word * width, width);
  }
  std::uint64_t get(const std::uint64_t* places, std::int64_t i) const { return places[i]; }
  void put(std::uint64_t number, std::uint64_t* places, std::int64_t i) const { places[i] = number & mask; }
  std::uint64_t correction(const std::uint64_t* low, const std::uint64_t* /*high*/, std::int64_t i) const {
    return low[i];
  }
  void put_correction(std::uint64_t number, std::uint64_t* low, std::uint64_t* /*high*/, std::int64_t i) const {
    low[i] = number;
  }

  int width;
  std::uint64_t mask;
};

// In two places each.
struct Wide {
  explicit Wide(const WordTable& table) : width(table.width), high_mask(low_bits(table.width - 64)) {}
  DoubleWord pad(const std::uint64_t* string, std::int64_t word) const {
    const std::int64_t at = word * width;
    return DoubleWord{bits_at(string, at + 64, width - 64)} << 64 | bits_at(string, at, 64);
  }
  DoubleWord get(const std::uint64_t* places, std::int64_t i) const {
    return DoubleWord{places[2 * i + 1]} << 64 | places[2 * i];
  }
  void put(DoubleWord number, std::uint64_t* places, std::int64_t i) const {
    places[2 * i] = static_cast<std::uint64_t>(number);
    places[2 * i + 1] = static_cast<std::uint64_t>(number >> 64) & high_mask;
  }
  DoubleWord correction(const std::uint64_t* low, const std::uint64_t* high, std::int64_t i) const {
    return DoubleWord{high[i]} << 64 | low[i];
  }
  void put_correction(DoubleWord number, std::uint64_t* low, std::uint64_t* high, std::int64_t i) const {
    low[i] = static_cast<std::uint64_t>(number);
    high[i] = static_cast<std::uint64_t>(number >> 64);
  }

  int width;
  std::uint64_t high_mask;
};

// work(first, rows) for all rows in chunks; a chunk begins at a multiple of 8.
template <typename Scratch, typename Work>
void for_chunks(const WordTable& table, Workers& workers, const Work& work) {
  const std::int64_t chunk =
      std::max<std::int64_t>(1, kChunkBlocks / table.row_blocks() / net::kPackBlock) * net::kPackBlock;
  const std::int64_t chunks = (table.rows + chunk - 1) / chunk;
  const std::int64_t grain = std::max<std::int64_t>(1, kPadGrain / (chunk * table.row_blocks()));
  workers.for_ranges(chunks, grain, [&](std::int64_t begin, std::int64_t end) {
    Scratch scratch(table, std::min(chunk, table.rows));
    for (std::int64_t i = begin; i < end; ++i) work(i * chunk, std::min(chunk, table.rows - i * chunk), scratch);
  });
}

struct PadScratch {
  PadScratch(const WordTable& table, std::int64_t rows)
      : zero(rows * table.row_blocks()), one(rows * table.row_blocks()), corrections(table, rows) {}

  SecretBlocks zero, one;  // pads under q and q ^ Delta; zero alone: under t
  Corrections corrections;
  CorrelationHash hash;
};

void fill_pads(const WordTable& table, const BoundTransfers& transfers, const Block& offset, std::int64_t use,
               std::int64_t first, std::int64_t rows, CorrelationHash& hash, SecretBlocks& pads) {
  const auto keys = transfers.keys().subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(rows));
  hash.hash(keys, offset, transfers.first() + static_cast<std::uint64_t>(first), use, table.row_blocks(),
            pads.blocks().first(static_cast<std::size_t>(rows * table.row_blocks())));
}

// The words of the rows begin at `words`, their shares at `share`.
template <typename Kind>
void send_rows(const Kind kind, std::int64_t columns, std::int64_t row_words, std::int64_t rows,
               const std::uint64_t* words, std::uint64_t* share, PadScratch& s) {
  const std::uint64_t *zero = s.zero.words(), *one = s.one.words();
  std::uint64_t *const low = s.corrections.low(), *const high = s.corrections.high();
  std::int64_t at = 0;
  for (std::int64_t row = 0; row < rows; ++row, zero += row_words, one += row_words) {
    for (std::int64_t c = 0; c < columns; ++c, ++at) {
      const auto pad = kind.pad(zero, c);
      kind.put_correction(pad + kind.get(words, at) - kind.pad(one, c), low, high, at);
      kind.put(kind.get(share, at) - pad, share, at);
    }
  }
}

// Row r's bit is bit `first_bit` + r of `bits`.
template <typename Kind>
void take_rows(const Kind kind, std::int64_t columns, std::int64_t row_words, std::int64_t rows,
               const std::uint64_t* bits, std::int64_t first_bit, std::uint64_t* share, PadScratch& s) {
  const std::uint64_t* pads = s.zero.words();
  const std::uint64_t *const low = s.corrections.low(), *const high = s.corrections.high();
  std::int64_t at = 0;
  for (std::int64_t row = 0; row < rows; ++row, pads += row_words) {
    const std::uint64_t bit = (bits[(first_bit + row) / 64] >> ((first_bit + row) % 64)) & 1;
    for (std::int64_t c = 0; c < columns; ++c, ++at) {
      const auto correction = kind.correction(low, high, at);
      const auto chosen = correction & (0 - decltype(correction){bit});
      kind.put(kind.get(share, at) + kind.pad(pads, c) + chosen, share, at);
    }
  }
}

// work(kind) with the kind of the table's words.
template <typename Work>
void with_kind(const WordTable& table, const Work& work) {
  if (table.wide()) {
    work(Wide(table));
  } else if (table.columns == 1) {
    work(Narrow<true>(table));
  } else {
    work(Narrow<false>(table));
  }
}

}  // namespace

std::int64_t WordTable::message_bytes() const {
  if (!wide()) return net::packed_bytes(rows * columns, width);
  return net::packed_bytes(rows * columns, 64) + net::packed_bytes(rows * columns, width - 64);
}

void send_words(const WordTable& table, BoundTransfers& transfers, const Block& delta,
                std::span<const std::uint64_t> words, std::span<std::uint64_t> share, net::Bytes message,
                Workers& workers) {
  TACIT_CHECK(std::ssize(words) == table.places() && std::ssize(share) == table.places());
  TACIT_CHECK(transfers.size() == table.rows && std::ssize(message) == table.message_bytes());
  if (words.empty()) return;
  const std::int64_t use = transfers.next_use();
  for_chunks<PadScratch>(table, workers, [&](std::int64_t first, std::int64_t rows, PadScratch& s) {
    fill_pads(table, transfers, Block{}, use, first, rows, s.hash, s.zero);
    fill_pads(table, transfers, delta, use, first, rows, s.hash, s.one);
    const std::int64_t place = first * (table.places() / table.rows);
    with_kind(table, [&](const auto kind) {
      send_rows(kind, table.columns, 2 * table.row_blocks(), rows, words.data() + place, share.data() + place, s);
    });
    s.corrections.pack(message, first, rows);
  });
}

void take_words(const WordTable& table, BoundTransfers& transfers, std::span<const Block> bits, net::ConstBytes message,
                std::span<std::uint64_t> share, Workers& workers) {
  TACIT_CHECK(std::ssize(share) == table.places() && std::ssize(bits) == blocks_for(table.rows));
  TACIT_CHECK(transfers.size() == table.rows && std::ssize(message) == table.message_bytes());
  if (share.empty()) return;
  const std::int64_t use = transfers.next_use();
  for_chunks<PadScratch>(table, workers, [&](std::int64_t first, std::int64_t rows, PadScratch& s) {
    fill_pads(table, transfers, Block{}, use, first, rows, s.hash, s.zero);
    s.corrections.unpack(message, first, rows);
    const std::int64_t place = first * (table.places() / table.rows);
    const auto* const bit_words = reinterpret_cast<const std::uint64_t*>(bits.data());
    with_kind(table, [&](const auto kind) {
      take_rows(kind, table.columns, 2 * table.row_blocks(), rows, bit_words, first, share.data() + place, s);
    });
  });
}

void add_corrected(const WordTable& table, std::span<const Block> flips, std::span<const std::uint64_t> words,
                   std::span<const std::uint64_t> part, std::span<std::uint64_t> share) {
  TACIT_CHECK(std::ssize(part) == table.places() && share.size() == part.size());
  TACIT_CHECK((words.empty() || words.size() == part.size()) && std::ssize(flips) == blocks_for(table.rows));
  const auto* const flip_words = reinterpret_cast<const std::uint64_t*>(flips.data());
  with_kind(table, [&](const auto kind) {
    std::int64_t at = 0;
    for (std::int64_t row = 0; row < table.rows; ++row) {
      const std::uint64_t flip = (flip_words[row / 64] >> (row % 64)) & 1;
      for (std::int64_t c = 0; c < table.columns; ++c, ++at) {
        const auto own = kind.get(part.data(), at);
        const auto all = 0 - decltype(own){flip};
        const auto word = words.empty() ? decltype(own){0} : kind.get(words.data(), at);
        kind.put(kind.get(share.data(), at) + ((own ^ all) - all) + (word & all), share.data(), at);
      }
    }
  });
}

}  // namespace tacit::mpc
