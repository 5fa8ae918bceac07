// The entries of tables that the parties make are within the stated error of the real ones, for every cell; products with them are
// exact.
#include <gtest/gtest.h>

#include <cmath>

#include "mpc/made/look_up.h"
#include "mpc/protocols/cell_table.h"
#include "tests/mpc/made/made_requests.h"

namespace tacit::mpc {
namespace {

struct Table {
  std::string name;
  CellTable table;
  int bits;
  std::vector<int> factor_bits;
};

CellTable reciprocal(Format domain, int cell_bits, int degree, CellTable::Precision precision) {
  const double half = std::ldexp(1.0, domain.ring_bits - domain.fraction_bits - 1);
  return CellTable::polynomial({domain, cell_bits}, {-half, half}, degree, precision,
                               [=](double v) { return 1 / (v + half + 1); });
}

// As softmax, clip_factor and reciprocal use them, and at the borders of what a table may be.
std::vector<Table> tables() {
  const auto square = [](std::int64_t v) { return static_cast<double>(v * v); };
  const auto cubic = [](double v) { return ((0.3 * v - 0.5) * v + 2) * v - 1; };
  std::vector<Table> all;
  all.push_back({"squares", CellTable::of_values(5, square), 20, {20, 13, 1}});
  all.push_back({"one bit", CellTable::of_values(1, square), 64, {64}});
  all.push_back({"zero", CellTable::of_values(7, [](std::int64_t v) { return v == 0 ? 1.0 : 0.0; }), 20, {}});
  all.push_back({"cubic", CellTable::polynomial({{14, 12}, 3}, {-2, 1.5}, 3, {18, 20}, cubic), 50, {50, 7}});
  all.push_back({"1/s", reciprocal({19, 16}, 4, 5, {17, 17}), 64, {}});
  all.push_back({"1/s in a narrow ring", reciprocal({19, 16}, 4, 5, {17, 17}), 30, {}});
  all.push_back({"1/u", reciprocal({16, 16}, 2, 4, {14, 14}), 60, {60}});
  all.push_back({"short cells", reciprocal({5, 4}, 4, 2, {10, 10}), 24, {}});
  all.push_back({"a constant", reciprocal({6, 4}, 2, 0, {0, 10}), 24, {}});
  all.push_back({"long cells", reciprocal({30, 30}, 2, 3, {14, 14}), 64, {}});
  all.push_back({"exponential", CellTable::exponential({{19, 13}, 4}, 28, -28, {12, 22}), 53, {}});
  all.push_back({"exponential in a wide ring", CellTable::exponential({{18, 13}, 3}, 12, -12, {12, 20}), 64, {51}});
  all.push_back({"exponential of few bits", CellTable::exponential({{17, 10}, 6}, 28, -28, {12, 15}), 60, {}});
  all.push_back({"exponential of short cells", CellTable::exponential({{8, 2}, 5}, 20, 0, {20, 10}), 50, {}});
  return all;
}

// For every cell, s at both ends, next to them and in the middle; and random ones.
Plain masks_of_every_cell(const CellTable& table) {
  std::mt19937_64 random(7);
  Plain all;
  const int rest = table.position_bits();
  for (std::uint64_t cell = 0; cell < static_cast<std::uint64_t>(table.cells()); ++cell) {
    std::vector<std::uint64_t> places{0, 1, low_bits(rest), low_bits(rest) - 1, low_bits(rest) / 2};
    const std::int64_t more = std::max<std::int64_t>(1, 160 / table.cells());
    for (std::int64_t i = 0; i < more; ++i) places.push_back(random());
    for (const std::uint64_t place : places) {
      all.push_back(cell << rest | (place & low_bits(rest)) | random() << table.domain().ring_bits);
    }
  }
  return all;
}

// The largest error that the entries of a row make of a value, as a real number, for random openings.
double largest_error_of_values(const CellTable& table, const MadeTensors& made) {
  std::mt19937_64 random(11);
  double most = 0;
  std::vector<std::uint64_t> weights(static_cast<std::size_t>(table.terms()));
  const auto row = static_cast<std::size_t>(table.cells() * table.terms());
  for (std::size_t at = 0; at < made.sums[0].size(); at += row) {
    const std::uint64_t delta = random() & low_bits(table.domain().ring_bits);
    table.weights(delta, weights);
    const std::size_t first = at + static_cast<std::size_t>(table.cell_of(delta) * table.terms());
    double error = 0;
    for (std::size_t i = 0; i < weights.size(); ++i) {
      const std::int64_t off = signed_value(made.sums[0][first + i] - made.expected[0][first + i], made.widths[0]);
      error += static_cast<double>(weights[i]) * static_cast<double>(off);
    }
    most = std::max(most, std::abs(std::ldexp(error, -table.fraction_bits())));
  }
  return most;
}

TEST(LookUpMade, EntriesAreWithinTheStatedError) {
  const std::vector<Table> all = tables();
  for (const int parties : kNumbersOfParties) {
    std::vector<Ask<LookUpRequest>> asks;
    for (const Table& one : all) {
      const Plain lambda = masks_of_every_cell(one.table);
      asks.push_back([&one, lambda](TestMasks& masks) {
        const Shape shape{std::ssize(lambda), 1};
        LookUpRequest request{
            masks.sharing(shape, lambda), &one.table, one.table.cells() * one.table.terms(), one.bits, {}, {}};
        for (const int bits : one.factor_bits) {
          request.factors.push_back(masks.sharing(shape, Plain(lambda.rbegin(), lambda.rend())));
          request.factor_bits.push_back(bits);
        }
        return request;
      });
    }
    const std::vector<MadeTensors> made = made_by_parties(parties, asks);
    for (std::size_t i = 0; i < all.size(); ++i) {
      SCOPED_TRACE(testing::Message() << all[i].name << ", " << parties << " parties");
      const double bound = largest_entry_error(all[i].table, parties);
      const auto off = static_cast<double>(made[i].farthest(0));
      EXPECT_LE(off, bound == 0 ? 0 : bound + 0.5);  // the reference is rounded, too
      // The reference rounds each entry by half a unit, where the bound has half a unit for each party.
      EXPECT_LE(largest_error_of_values(all[i].table, made[i]),
                largest_value_error(all[i].table, parties) * (1 + 1.0 / parties));
      const std::size_t entries = made[i].sums[0].size() / masks_of_every_cell(all[i].table).size();
      const Plain lambda = masks_of_every_cell(all[i].table);
      for (std::size_t f = 0; f < all[i].factor_bits.size(); ++f) {
        for (std::size_t e = 0; e < made[i].sums[0].size(); ++e) {
          const std::uint64_t y = lambda[lambda.size() - 1 - e / entries];
          ASSERT_EQ(made[i].sums[f + 1][e], (y * made[i].sums[0][e]) & low_bits(all[i].factor_bits[f]))
              << f << ", " << e;
        }
      }
    }
  }
}

}  // namespace
}  // namespace tacit::mpc
