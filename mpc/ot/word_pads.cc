#include "mpc/ot/word_pads.h"

#include <algorithm>
#include <vector>

#include "mpc/random/uniform_words.h"
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

// Words of a table as numbers: one place each, or two.
struct Narrow {
  using Number = std::uint64_t;
  explicit Narrow(int width) : width_(width), mask_(low_bits(width)) {}
  Number pad(const std::uint64_t* string, std::int64_t word) const { return bits_at(string, word * width_, width_); }
  static Number get(const std::uint64_t* places, std::int64_t i) { return places[i]; }
  void put(Number number, std::uint64_t* places, std::int64_t i) const { places[i] = number & mask_; }

 private:
  int width_;
  std::uint64_t mask_;
};

struct Wide {
  using Number = DoubleWord;
  explicit Wide(int width) : width_(width), high_mask_(low_bits(width - 64)) {}
  Number pad(const std::uint64_t* string, std::int64_t word) const {
    const std::int64_t at = word * width_;
    return Number{bits_at(string, at + 64, width_ - 64)} << 64 | bits_at(string, at, 64);
  }
  static Number get(const std::uint64_t* places, std::int64_t i) {
    return Number{places[2 * i + 1]} << 64 | places[2 * i];
  }
  void put(Number number, std::uint64_t* places, std::int64_t i) const {
    places[2 * i] = static_cast<std::uint64_t>(number);
    places[2 * i + 1] = static_cast<std::uint64_t>(number >> 64) & high_mask_;
  }

 private:
  int width_;
  std::uint64_t high_mask_;
};

// The packed corrections of rows. Wide words are two packed tensors, the low halves first.
class Corrections {
 public:
  Corrections(const WordTable& table, std::int64_t most_rows)
      : table_(table), low_(static_cast<std::size_t>(most_rows * table.columns)) {
    if (table.wide()) high_.resize(low_.size());
  }

  void put(std::uint64_t number, std::size_t i) { low_[i] = number; }
  void put(DoubleWord number, std::size_t i) {
    low_[i] = static_cast<std::uint64_t>(number);
    high_[i] = static_cast<std::uint64_t>(number >> 64);
  }
  void get(std::size_t i, std::uint64_t& number) const { number = low_[i]; }
  void get(std::size_t i, DoubleWord& number) const { number = DoubleWord{high_[i]} << 64 | low_[i]; }

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
  std::vector<std::uint64_t> low_, high_;
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

  const std::uint64_t* string(const SecretBlocks& pads, std::int64_t row, std::int64_t row_blocks) const {
    return reinterpret_cast<const std::uint64_t*>(pads.data() + row * row_blocks);
  }

  SecretBlocks zero, one;
  Corrections corrections;
  CorrelationHash hash;
};

std::span<const Block> keys_of(const BoundTransfers& transfers, std::int64_t first, std::int64_t rows) {
  return transfers.keys().subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(rows));
}

void fill_pads(const WordTable& table, const BoundTransfers& transfers, const Block& offset, std::int64_t use,
               std::int64_t first, std::int64_t rows, CorrelationHash& hash, SecretBlocks& pads) {
  hash.hash(keys_of(transfers, first, rows), offset, transfers.first() + static_cast<std::uint64_t>(first), use,
            table.row_blocks(), pads.blocks().first(static_cast<std::size_t>(rows * table.row_blocks())));
}

template <typename Kind>
void send_rows(const Kind& kind, const WordTable& table, std::int64_t first, std::int64_t rows,
               std::span<const std::uint64_t> words, std::span<std::uint64_t> share, PadScratch& s) {
  const std::int64_t blocks = table.row_blocks();
  for (std::int64_t row = 0; row < rows; ++row) {
    const std::uint64_t* const zero = s.string(s.zero, row, blocks);
    const std::uint64_t* const one = s.string(s.one, row, blocks);
    for (std::int64_t c = 0; c < table.columns; ++c) {
      const std::int64_t at = (first + row) * table.columns + c;
      const auto pad = kind.pad(zero, c);
      s.corrections.put(pad + kind.get(words.data(), at) - kind.pad(one, c),
                        static_cast<std::size_t>(row * table.columns + c));
      kind.put(kind.get(share.data(), at) - pad, share.data(), at);
    }
  }
}

template <typename Kind>
void take_rows(const Kind& kind, const WordTable& table, std::int64_t first, std::int64_t rows,
               std::span<const Block> bits, std::span<std::uint64_t> share, PadScratch& s) {
  const auto* const bit_words = reinterpret_cast<const std::uint64_t*>(bits.data());
  for (std::int64_t row = 0; row < rows; ++row) {
    const std::uint64_t* const pads = s.string(s.zero, row, table.row_blocks());
    const std::uint64_t bit = (bit_words[(first + row) / 64] >> ((first + row) % 64)) & 1;
    for (std::int64_t c = 0; c < table.columns; ++c) {
      const std::int64_t at = (first + row) * table.columns + c;
      typename Kind::Number correction;
      s.corrections.get(static_cast<std::size_t>(row * table.columns + c), correction);
      const typename Kind::Number chosen = correction & (0 - typename Kind::Number{bit});
      kind.put(kind.get(share.data(), at) + kind.pad(pads, c) + chosen, share.data(), at);
    }
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
    if (table.wide()) {
      send_rows(Wide(table.width), table, first, rows, words, share, s);
    } else {
      send_rows(Narrow(table.width), table, first, rows, words, share, s);
    }
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
    if (table.wide()) {
      take_rows(Wide(table.width), table, first, rows, bits, share, s);
    } else {
      take_rows(Narrow(table.width), table, first, rows, bits, share, s);
    }
  });
}

}  // namespace tacit::mpc
