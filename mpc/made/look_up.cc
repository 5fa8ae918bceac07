#include "mpc/made/look_up.h"

#include <algorithm>
#include <ranges>

#include "mpc/made/look_up_steps.h"
#include "mpc/made/powers.h"
#include "mpc/made/public_numbers.h"
#include "mpc/made/word_access.h"
#include "mpc/protocols/cell_table.h"

namespace tacit::mpc {

namespace {

constexpr std::int64_t kLookUpGrain = 16;

using Bits = std::span<const SharedBits>;  // the lowest first
using Numbers = std::span<const DoubleWord>;

std::vector<SharedBits> highest_first(Bits bits) { return {bits.rbegin(), bits.rend()}; }

// Row by row: `columns` sums of public multiples of the words. add(row's words, sums).
template <typename Word, typename Add>
std::shared_ptr<const OwnWords> sums_of_multiples(Engine& engine, const SharedWords& z, std::int64_t columns,
                                                  const Add& add) {
  auto words = std::make_shared<OwnWords>(static_cast<std::size_t>(z.rows * columns * limbs(z.width)));
  engine.workers().for_ranges(z.rows, kLookUpGrain, [&](std::int64_t begin, std::int64_t end) {
    std::vector<Word> from(static_cast<std::size_t>(z.columns)), sums(static_cast<std::size_t>(columns));
    for (std::int64_t row = begin; row < end; ++row) {
      for (std::int64_t c = 0; c < z.columns; ++c) {
        from[static_cast<std::size_t>(c)] = load<Word>(z.own->data(), row * z.columns + c);
      }
      std::ranges::fill(sums, Word{0});
      add(from.data(), sums.data());
      for (std::int64_t c = 0; c < columns; ++c) {
        store<Word>(sums[static_cast<std::size_t>(c)] & low_mask<Word>(z.width), words->data(), row * columns + c);
      }
    }
  });
  return words;
}

// The sum of number v times column v.
SharedWords weighted(Engine& engine, const SharedWords& z, Numbers numbers) {
  SharedWords out{z.rows, 1, z.width, z.holders, nullptr};
  if (z.own == nullptr) return out;
  with_word(z.width, [&](auto word) {
    using Word = decltype(word);
    out.own = sums_of_multiples<Word>(engine, z, 1, [&](const Word* from, Word* sum) {
      for (std::int64_t v = 0; v < z.columns; ++v) {
        *sum += from[v] * static_cast<Word>(numbers[static_cast<std::size_t>(v)]);
      }
    });
  });
  return out;
}

// From z_vm = 1{S = v}·s^m: for each cell C of Delta and each term i, the sum over v and m of multiples(C - v, i, m)·z_vm. For each
// cell, the multiples of term i and s^m for i + m < terms, one after the other.
SharedWords entries_from(Engine& engine, const SharedWords& z, std::int64_t terms, Numbers multiples) {
  SharedWords out{z.rows, z.columns, z.width, z.holders, nullptr};
  if (z.own == nullptr) return out;
  const std::int64_t cells = z.columns / terms, of_cell = terms * (terms + 1) / 2;
  with_word(z.width, [&](auto word) {
    using Word = decltype(word);
    std::vector<Word> all;
    for (const DoubleWord multiple : multiples) all.push_back(static_cast<Word>(multiple));
    out.own = sums_of_multiples<Word>(engine, z, z.columns, [&](const Word* from, Word* sums) {
      for (std::int64_t cell = 0; cell < cells; ++cell) {
        for (std::int64_t v = 0; v < cells; ++v) {
          const Word* multiple = all.data() + ((cell - v) & (cells - 1)) * of_cell;
          for (std::int64_t i = 0; i < terms; ++i) {
            for (std::int64_t m = 0; i + m < terms; ++m) sums[cell * terms + i] += *multiple++ * from[v * terms + m];
          }
        }
      }
    });
  });
  return out;
}

// The multiples of all cells, with `guard` fraction bits, as entries_from takes them.
std::vector<DoubleWord> multiples_of(const CellTable& table, int guard) {
  std::vector<DoubleWord> all;
  for (std::int64_t cell = 0; cell < table.cells(); ++cell) {
    for (std::int64_t i = 0; i < table.terms(); ++i) {
      for (std::int64_t k = i; k < table.terms(); ++k) {
        all.push_back(whole_number(std::ldexp(multiple_of_power(table, cell, k, i), guard)));
      }
    }
  }
  return all;
}

// This party's masks of the factors, each in its ring.
std::vector<SharedWords> factors_of(const Engine& engine, const LookUpRequest& request) {
  std::vector<SharedWords> all;
  for (std::size_t f = 0; f < request.factor_bits.size(); ++f) {
    const RingView view = engine.planned() ? RingView{nullptr, request.lambda.shape} : request.factors[f];
    all.push_back(engine.shared(view, 1, request.factor_bits[f]));
  }
  return all;
}

std::vector<SharedWords> from_values(Engine& engine, Bits bits, const LookUpRequest& request) {
  std::vector<Engine::Choice> choices;
  choices.push_back({highest_first(bits), engine.constant(1, request.lambda.shape.size(), 1, request.bits)});
  for (const SharedWords& y : factors_of(engine, request)) choices.push_back({choices.front().bits, y});
  const std::vector<DoubleWord> values = multiples_of(*request.table, 0);
  std::vector<SharedWords> all;
  for (const SharedWords& z : engine.unary(choices)) all.push_back(entries_from(engine, z, 1, values));
  return all;
}

SharedWords selected(Engine& engine, Bits bits, const SharedWords& words) {
  const Engine::Choice choice{highest_first(bits), words};
  return engine.unary(std::span(&choice, 1)).front();
}

SharedWords polynomial_entries(Engine& engine, Bits bits, const LookUpRequest& request) {
  const CellTable& table = *request.table;
  const int keep = power_bits(table), width = request.bits + keep + kGuardBits;
  const std::vector<DoubleWord> multiples = from_first_party(engine, multiples_of(table, kGuardBits));
  const auto position = static_cast<std::size_t>(table.position_bits());
  const std::vector<SharedWords> all = powers(engine, bits.first(position), request.lambda.shape.size(),
                                              static_cast<int>(table.terms()) - 1, width, keep);
  const SharedWords z = selected(engine, bits.subspan(position), beside(all));
  return dropped(entries_from(engine, z, table.terms(), multiples), keep + kGuardBits);
}

SharedWords exponential_entries(Engine& engine, Bits bits, const LookUpRequest& request) {
  constexpr int kBits = kExponentialBits;
  const CellTable& table = *request.table;
  const ExponentialSteps steps(table);
  const int last = 2 * kBits - table.entry_bits();  // bits of the last drop
  TACIT_CHECK(last >= 0);
  std::vector<DoubleWord> own;
  for (const double c : steps.fit) own.push_back(whole_number(std::ldexp(c, kBits)));
  for (const double step : steps.step) own.push_back(whole_number(std::ldexp(step, kBits)));
  for (const DoubleWord cell : multiples_of(table, kBits - table.entry_bits())) own.push_back(cell);
  const std::vector<DoubleWord> told = from_first_party(engine, std::move(own));
  const Numbers fit = Numbers(told).first(steps.fit.size()),
                step = Numbers(told).subspan(fit.size(), steps.step.size()),
                cells = Numbers(told).subspan(fit.size() + step.size());

  const auto fine = static_cast<std::size_t>(steps.fine_bits),
             position = static_cast<std::size_t>(table.position_bits());
  const int ring = request.bits + last + kBits;  // of the polynomial's value
  // Either the powers have a ring that is wide enough for all steps, or a narrow one, and the polynomial's value is lifted.
  const int dropped_before = std::max(0, steps.fine_bits * steps.degree - kBits);
  TACIT_CHECK(ring <= kWidestRing);
  const bool lifts = ring + kBits + dropped_before > kWidestRing;
  const std::vector<SharedWords> z = powers(engine, bits.first(fine), request.lambda.shape.size(), steps.degree,
                                            lifts ? 2 * kBits + 2 : ring + kBits, kBits);
  SharedWords value = dropped(weighted(engine, beside(z), fit), kBits);
  if (lifts) value = lifted(engine, value, kBits, ring);
  value = selected(engine, bits.subspan(fine, position - fine), value);
  value = dropped(weighted(engine, value, step), kBits);
  value = selected(engine, bits.subspan(position), value);
  return dropped(entries_from(engine, value, 1, cells), last);
}

}  // namespace

std::vector<SharedWords> made(Engine& engine, const LookUpRequest& request) {
  const CellTable& table = *request.table;
  TACIT_CHECK(request.entries == table.cells() * table.terms());
  const Engine::Addition addition{request.lambda, table.domain().ring_bits, false};
  const std::vector<SharedBits> bits = engine.add(std::span(&addition, 1)).front().bits;
  if (is_table_of_values(table)) return from_values(engine, bits, request);
  std::vector<SharedWords> all{table.kind() == CellTable::Kind::kExponential
                                   ? exponential_entries(engine, bits, request)
                                   : polynomial_entries(engine, bits, request)};
  std::vector<Engine::Product> products;
  for (const SharedWords& y : factors_of(engine, request)) products.push_back({y, narrowed(all.front(), y.width)});
  for (SharedWords& product : engine.products(products)) all.push_back(std::move(product));
  return all;
}

}  // namespace tacit::mpc
