#include "tests/mpc/security/composed_run.h"

#include <array>

#include "mpc/protocols/compare.h"
#include "mpc/protocols/drop.h"
#include "mpc/protocols/indicator.h"
#include "mpc/protocols/input.h"
#include "mpc/protocols/lift.h"
#include "mpc/protocols/lifted_multiple.h"
#include "mpc/protocols/lifted_polynomial.h"
#include "mpc/protocols/lifted_product.h"
#include "mpc/protocols/look_up.h"
#include "mpc/protocols/mask.h"
#include "mpc/protocols/noise.h"
#include "mpc/protocols/pair_differences.h"
#include "mpc/protocols/product.h"
#include "mpc/protocols/row_product.h"
#include "mpc/protocols/select.h"
#include "mpc/protocols/show.h"
#include "mpc/protocols/winner.h"
#include "mpc/session/local.h"

namespace tacit::mpc {

namespace {

constexpr Format kFormat{16, 3};
constexpr int kTableRing = 8;
constexpr std::int64_t kRivals = 3, kPairs = pairs_of(kRivals);

// The openings of each step for one sample, in order: how many words of how many bits. Words of one
// bit travel in planes, one plane after the other, up to the step's end.
struct Opened {
  int bits;
  std::int64_t words = 1;
};
const std::vector<std::vector<Opened>> kOpened{
    {{16}, {16}},                                                                           // the inputs
    {{13}, {13}, {13}, {13, kRivals}},                                                      // their products
    {{1}},                                                                                  // comparisons
    {{1, kPairs}},                                                                          // for all pairs
    {{13}, {13}, {16}, {13}, {16}, {16}, {16}, {kTableRing, kRivals}, {13, kRivals}, {2}},  // derived values
    {{10}, {10}, {13}},                                                                     // the second layer
    {{16}, {kTableRing}, {kTableRing}, {16}, {16}, {16, kRivals}, {16}, {16}, {9}},         // derived values
};

std::string step_name(std::size_t step) { return "opening " + std::to_string(step); }

// The tensors that a party sent in a step.
std::vector<SeenWords> sent_in(const net::Record& record, int from, int to, std::size_t step) {
  const std::vector<std::byte> sent = record.bytes(from, to, step_name(step));
  std::vector<SeenWords> tensors;
  auto at = sent.begin();
  for (const Opened& opened : kOpened[step]) {
    const std::ptrdiff_t bytes = kSamples * opened.words * opened.bits / 8;
    do {
      TACIT_CHECK(sent.end() - at >= bytes);
      tensors.push_back({unpacked({at, at + bytes}, opened.bits), opened.bits});
      at += bytes;
    } while (opened.bits == 1 && at != sent.end());
  }
  TACIT_CHECK(at == sent.end());
  return tensors;
}

void add(const std::vector<SeenWords>& more, std::vector<SeenWords>& sums) {
  for (std::size_t t = 0; t < sums.size(); ++t) {
    for (std::size_t i = 0; i < sums[t].words.size(); ++i) {
      sums[t].words[i] = (sums[t].words[i] + more[t].words[i]) & low_bits(sums[t].bits);
    }
  }
}

}  // namespace

void run_composed(Session& s, double a, double b) {
  std::size_t opening = 0;
  const auto step = [&] { s.set_step(step_name(opening++)); };
  const int f = kFormat.fraction_bits;
  const Matrix first = Matrix::Constant(kSamples, 1, a), second = Matrix::Constant(kSamples, 1, b);
  const std::vector<Share> inputs{input(s, 0, {kSamples, 1}, kFormat, &first, "a"),
                                  input(s, s.parties() - 1, {kSamples, 1}, kFormat, &second, "b")};
  step();
  const std::vector<Masked> m = mask(s, inputs);
  std::vector<Share> dropped{drop(s, product(s, m[0], m[1]), f), drop(s, product(s, m[0], m[1]), f),
                             drop(s, product(s, m[0], m[0]), f)};
  dropped.push_back(beside(beside(dropped[0], dropped[1]), dropped[2]));
  step();
  const std::vector<Shown> w = show(s, dropped);
  step();
  const std::vector<Comparison> thresholds{{w[0], 12, 0}, {w[0], 12, 3}, {w[1], 12, 1, 4}};
  const std::vector<Bits> bits = non_negative(s, thresholds);
  step();
  const Bits pairs = non_negative(s, pair_differences(w[3]), 12);
  const Winner winner = mpc::winner(s, pairs, masked(s, w[3]), 13);
  const Share direct = drop(s, product(s, masked(s, w[0]), m[0]), f);
  const Share passed = indicator(s, bits[1], 16);
  std::vector<Share> selected{select(s, bits[0], w[0], 13),
                              select(s, bits[0], w[1], 13),
                              select(s, bits[0], w[0], 16),
                              select(s, bits[1], w[0], 13),
                              passed,
                              lift(s, w[0], 16),
                              lift(s, w[2], 16),
                              narrow(winner.which, kTableRing),
                              winner.times,
                              narrow(passed + indicator(s, bits[0], 16), 2)};
  step();
  const std::vector<Masked> again = mask(s, selected);
  const CellTable both = CellTable::of_values(2, [](std::int64_t passed_too) { return passed_too == 2 ? 1 : 0; });
  const std::vector<Share> found = look_up(s, again[9], both, kTableRing, std::span(&again[4], 1));
  const std::vector<Share> last{direct, drop(s, product(s, again[0], again[5]), f),
                                drop(s, row_product(s, m[0], m[1]), f)};
  step();
  const std::vector<Shown> shown = show(s, last);
  const std::vector<Polynomial> polynomials{{{{3, {0, 0}}, {-1, {0, 0, 1}}}, {16, f}}, {{{5, {1}}}, {9, f}}};
  const std::vector<Share> made = lifted_polynomials(s, std::array{shown[1], w[1]}, polynomials);
  const std::vector<Share> end{lift(s, shown[0], 16),
                               found[0],
                               found[1],
                               add_noise(s, inputs[0], {64}),
                               lifted_product(s, w[0], shown[1], 16),
                               lifted_product(s, w[0], w[3], 16),
                               lifted_multiple(s, shown[0], {5, 3}, {16, f}),
                               made[0],
                               made[1]};
  step();
  mask(s, end);
}

std::vector<Column> columns_of(const Views& views, const std::vector<int>& coalition, int honest, Seen seen) {
  std::vector<Column> columns;
  for (const int party : coalition) {
    const View& view = views.by_party[static_cast<std::size_t>(party)];
    for (const SeenWords& words : view.inputs) append_columns(words, kSamples, columns);
    for (const SeenWords& words : view.drawn) append_columns(words, kSamples, columns);
  }
  const int parties = static_cast<int>(views.by_party.size());
  for (std::size_t step = 0; step < kOpened.size(); ++step) {
    std::vector<SeenWords> tensors = sent_in(views.record, honest, (honest + 1) % parties, step);
    for (int party = 0; party < parties && seen == Seen::kOpened; ++party) {
      if (party != honest) add(sent_in(views.record, party, honest, step), tensors);
    }
    for (const SeenWords& words : tensors) append_columns(words, kSamples, columns);
  }
  return columns;
}

}  // namespace tacit::mpc
