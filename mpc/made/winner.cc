#include "mpc/made/winner.h"

#include <algorithm>

#include "mpc/protocols/pair_differences.h"

namespace tacit::mpc {

namespace {

// The mask bits of each pair, a bit for each row.
std::vector<SharedBits> bits_of_pairs(const Engine& engine, const BitTensor* pairs, std::int64_t rows,
                                      std::int64_t columns) {
  std::vector<SharedBits> all;
  for (std::int64_t pair = 0; pair < pairs_of(columns); ++pair) {
    SharedBits& bits = all.emplace_back();
    bits.size = rows;
    bits.holders = all_of(engine.parties());
    if (engine.planned()) continue;
    BitTensor own = BitTensor::zeros({1, rows});
    for (std::int64_t row = 0; row < rows; ++row) {
      const std::uint64_t bit = pairs->at(row * pairs_of(columns) + pair) ? 1 : 0;
      own.words()[static_cast<std::size_t>(row / kWordBits)] |= bit << (row % kWordBits);
    }
    bits.own = std::make_shared<const BitTensor>(std::move(own));
  }
  return all;
}

// From tables over the mask bits, one for each column a of y: tables over the deltas, those of all columns of a row one after the
// other. Delta ^ mask is the pattern with which a wins: not set against the columns before it, set against those after it.
SharedWords by_deltas(const Engine& engine, std::span<const SharedWords> by_masks) {
  const std::int64_t columns = std::ssize(by_masks), patterns = by_masks.front().columns;
  SharedWords out{by_masks.front().rows * columns, patterns, by_masks.front().width, all_of(engine.parties()), nullptr};
  if (engine.planned()) return out;
  auto words = std::make_shared<OwnWords>(static_cast<std::size_t>(out.size()));
  std::uint64_t* to = words->data();
  for (std::int64_t row = 0; row < by_masks.front().rows; ++row) {
    for (std::int64_t a = 0; a < columns; ++a) {
      const SharedWords& from = by_masks[static_cast<std::size_t>(a)];
      const std::int64_t winning = (std::int64_t{1} << (columns - 1 - a)) - 1;
      for (std::int64_t delta = 0; delta < patterns; ++delta) {
        *to++ = from.own == nullptr ? 0 : from.own->data()[row * patterns + (delta ^ winning)];
      }
    }
  }
  out.own = std::move(words);
  return out;
}

}  // namespace

std::vector<SharedWords> made(Engine& engine, const WinnerRequest& request) {
  const std::int64_t rows = request.y.shape.rows, columns = request.y.shape.cols;
  const std::vector<SharedBits> pairs = bits_of_pairs(engine, request.pairs, rows, columns);
  const SharedWords one = engine.constant(1, rows, 1, request.bits),
                    y = engine.shared(request.y, columns, request.y_bits);
  std::vector<Engine::Choice> choices;
  for (std::int64_t a = 0; a < columns; ++a) {
    Engine::Choice& choice = choices.emplace_back();
    for (std::int64_t b = 0; b < columns; ++b) {
      if (b != a) {
        choice.bits.push_back(pairs[static_cast<std::size_t>(pair_index(std::min(a, b), std::max(a, b), columns))]);
      }
    }
    choice.words = one;
  }
  for (std::int64_t a = 0; a < columns; ++a) {
    choices.push_back({choices[static_cast<std::size_t>(a)].bits, columns_of(y, a, 1)});
  }
  const std::vector<SharedWords> tables = engine.unary(choices);
  const auto half = static_cast<std::size_t>(columns);
  return {by_deltas(engine, std::span(tables).first(half)), by_deltas(engine, std::span(tables).subspan(half))};
}

}  // namespace tacit::mpc
