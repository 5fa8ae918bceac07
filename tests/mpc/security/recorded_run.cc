#include "tests/mpc/security/recorded_run.h"

#include <numeric>
#include <random>

#include "mpc/functions/selected_outer.h"
#include "mpc/protocols/compare.h"
#include "mpc/protocols/compare_transcripts.h"
#include "mpc/protocols/decide.h"
#include "mpc/protocols/drop.h"
#include "mpc/protocols/indicator.h"
#include "mpc/protocols/input.h"
#include "mpc/protocols/late_reveal.h"
#include "mpc/protocols/lift.h"
#include "mpc/protocols/lifted_multiple.h"
#include "mpc/protocols/lifted_polynomial.h"
#include "mpc/protocols/lifted_product.h"
#include "mpc/protocols/look_up.h"
#include "mpc/protocols/mask.h"
#include "mpc/protocols/noise.h"
#include "mpc/protocols/pair_differences.h"
#include "mpc/protocols/product.h"
#include "mpc/protocols/reveal.h"
#include "mpc/protocols/row_product.h"
#include "mpc/protocols/select.h"
#include "mpc/protocols/show.h"
#include "mpc/protocols/winner.h"
#include "mpc/session/local.h"
#include "net/collectives/pack.h"

namespace tacit::mpc {

namespace {

constexpr Shape kRivalShape{1024, 4};

Secrets all_equal(double x, double y) {
  return {Matrix::Constant(kSecretShape.rows, kSecretShape.cols, x),
          Matrix::Constant(kSecretShape.rows, kSecretShape.cols, y)};
}

// Leaves room for showing (masked opening) the value after it was rounded.
double most() { return largest(kSecretFormat) - 1; }

// Half of the numbers of a secret, a few to the row.
Matrix rivals_in(const Matrix& secret) {
  return Eigen::Map<const Matrix>(secret.data(), kRivalShape.rows, kRivalShape.cols);
}

}  // namespace

std::vector<std::int64_t> run_recorded(int parties, net::Record& record, const SteppedProgram& program,
                                       net::AllReduce openings) {
  std::vector<std::int64_t> rounds(static_cast<std::size_t>(parties));
  net::run_ranks(net::recorded(net::mesh_kind("Memory").make(parties, 1), record), [&](net::Mesh& mesh) {
    run_rank(mesh, program, openings);
    if (mesh.world().is_party()) rounds[static_cast<std::size_t>(mesh.rank())] = mesh.traffic().rounds;
  });
  return rounds;
}

void run_rank(net::Mesh& mesh, const SteppedProgram& program, net::AllReduce openings) {
  mesh.set_step(kHandshake);
  if (mesh.world().is_party()) {
    PartySession session(mesh, net::AllReducePlan({{0, openings}}));
    program(session, mesh);
  } else {
    DealerSession session(mesh);
    program(session, mesh);
    session.flush();
  }
}

bool is_tag(const net::SentMessage& message, int parties) {
  return std::ssize(message.bytes) == TagExchange::message_bytes(parties);
}

std::vector<std::uint64_t> unpacked(const std::vector<std::byte>& bytes, int bits) {
  std::vector<std::uint64_t> words(bytes.size() * 8 / static_cast<std::size_t>(bits));
  TACIT_CHECK(net::packed_bytes(std::ssize(words), bits) == std::ssize(bytes));
  net::unpack(bytes, {words, bits});
  return words;
}

namespace {

// Without the transcript tags that travel beside a reveal.
std::vector<std::byte> shares_sent(const net::Record& record, int from, int to, const std::string& step, int parties) {
  std::vector<std::byte> all;
  for (const net::SentMessage& message : record.messages()) {
    const bool here = message.from == from && message.to == to && message.step == step;
    if (!here || is_tag(message, parties)) continue;
    all.insert(all.end(), message.bytes.begin(), message.bytes.end());
  }
  return all;
}

}  // namespace

std::vector<std::uint64_t> opened(const net::Record& record, const std::string& step, int parties, int bits,
                                  net::Sum sum) {
  std::vector<std::uint64_t> all;
  for (int from = 0; from < parties; ++from) {
    const std::vector<std::uint64_t> sent =
        unpacked(shares_sent(record, from, (from + 1) % parties, step, parties), bits);
    all.resize(sent.size());
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = sum == net::Sum::kXor ? all[i] ^ sent[i] : all[i] + sent[i];
  }
  for (std::uint64_t& word : all) word &= low_bits(bits);
  return all;
}

Secrets all_zero() { return all_equal(0, 0); }

Secrets all_largest() { return all_equal(most(), most()); }

Secrets all_opposite() { return all_equal(most(), -most()); }

Secrets random_secrets(unsigned seed) {
  Secrets secrets = all_zero();
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> draw(-1000, 1000);
  for (Matrix* m : {&secrets.x, &secrets.y}) *m = m->unaryExpr([&](double) { return draw(random); });
  return secrets;
}

void run_every_protocol(Session& s, net::Mesh& mesh, const Secrets& secrets) {
  const int last = s.parties() - 1, f = kSecretFormat.fraction_bits;
  const auto mine = [&](int owner, const Matrix& m) { return mesh.rank() == owner ? &m : nullptr; };
  mesh.set_step("input");
  const Share x = input(s, 0, kSecretShape, kSecretFormat, mine(0, secrets.x), "x");
  const Share y = input(s, last, kSecretShape, kSecretFormat, mine(last, secrets.y), "y");
  const Share wide = input(s, last, kSecretShape, {64, f}, mine(last, secrets.y), "y");
  const Matrix in_x = rivals_in(secrets.x), in_y = rivals_in(secrets.y);
  const Share rivals = beside(columns(input(s, 0, kRivalShape, {64, f}, mine(0, in_x), "x"), 0, 2),
                              columns(input(s, last, kRivalShape, {64, f}, mine(last, in_y), "y"), 0, 2));
  mesh.set_step("mask");
  const Masked mx = mask(s, x);
  mesh.set_step("mask in a wide ring");
  const Masked my = mask(s, wide);
  mesh.set_step("product");
  const Share multiplied = product(s, mx, my);
  mesh.set_step("mask the product");
  mask(s, narrow(multiplied, 48));
  mesh.set_step("matmul");
  const Share square = matmul(s, mx.transposed(), my);
  mesh.set_step("mask the matrix product");
  mask(s, square);
  mesh.set_step("show");
  const Shown shown = show(s, drop(s, x, f));
  mesh.set_step("compare");
  const std::vector<Comparison> thresholds{{shown, 37, 0}, {shown, 37, 5}};
  const std::vector<Bits> bits = non_negative(s, thresholds);
  mesh.set_step("select");
  const Share selected = select(s, bits[0], shown, shown.ring_bits());
  mesh.set_step("mask the selected");
  mask(s, selected);
  mesh.set_step("lift");
  const Share lifted = lift(s, shown, 64);
  mesh.set_step("mask the lifted");
  mask(s, lifted);
  mesh.set_step("select and lift");
  const Share lifted_selection = select(s, bits[1], shown, 64);
  mesh.set_step("mask the lifted selection");
  mask(s, lifted_selection);
  mesh.set_step("indicator");
  const Share ones = indicator(s, bits[1], 20);
  mesh.set_step("mask the indicator");
  mask(s, ones);
  mesh.set_step("mask for a table");
  const Masked small = mask(s, narrow(columns(lifted, 0, 40), 8));
  mesh.set_step("look up");
  const Share found =
      look_up(s, small, CellTable::of_values(8, [](std::int64_t v) { return v == 0 ? 1 : 0; }), 20, {}).front();
  mesh.set_step("mask what was found");
  mask(s, found);
  mesh.set_step("show the rivals");
  const Shown shown_rivals = show(s, drop(s, rivals, f));
  mesh.set_step("compare the pairs");
  const Bits pairs = non_negative(s, pair_differences(shown_rivals), 39);
  mesh.set_step("winner");
  const Winner won = winner(s, pairs, masked(s, shown_rivals), 51);
  mesh.set_step("indicator of the pairs");
  indicator(s, pairs, 20);
  mesh.set_step("mask the winner");
  mask(s, won.which);
  mesh.set_step("mask what won");
  mask(s, won.times);
  mesh.set_step("reveal");
  reveal(s, x + y, To::everyone(), "a sum");
  mesh.set_step("reveal to one");
  reveal(s, multiplied, To::rank(last), "a product");
  const Share known = constant(s, secrets.x, kSecretFormat, "x");  // shares that nothing random touched
  mesh.set_step("reveal a constant");
  reveal(s, known, To::everyone(), "a constant");
  mesh.set_step("reveal a constant to one");
  reveal(s, known, To::rank(last), "a constant");
  mesh.set_step("decide");
  decide(
      s, [] { return true; }, "go on");
  mesh.set_step("row product");
  const Share squares = row_product(s, masked(s, shown_rivals), masked(s, shown_rivals));
  mesh.set_step("mask the row product");
  mask(s, squares);
  mesh.set_step("lifted product");
  const Share squared = lifted_product(s, shown, shown, 64);
  mesh.set_step("mask the lifted product");
  mask(s, squared);
  mesh.set_step("lifted multiple");
  const Share third = lifted_multiple(s, shown, {1365, 12}, {64, shown.fraction_bits()});
  mesh.set_step("mask the lifted multiple");
  mask(s, third);
  mesh.set_step("noise");
  const Share noisy = add_noise(s, add_noise(s, x, {1 << 20, NoiseFrom::kDealt}), {1 << 20, NoiseFrom::kParties});
  mesh.set_step("mask what is noisy");
  mask(s, noisy);
  mesh.set_step("late reveal");
  const LateReveal late = late_reveal(s, known, To::everyone(), "a constant");
  mesh.set_step("late reveal to one");
  const LateReveal late_to_one = late_reveal(s, known, To::rank(last), "a constant");
  mesh.set_step("mask beside late reveals");
  mask(s, x);
  mesh.set_step("what was revealed late");
  revealed(s, late);
  revealed(s, late_to_one);
  mesh.set_step("lifted polynomials");
  const Format cubed{64, 0};
  const Polynomial polynomial{{{3, {0, 0, 0}}, {-5, {0}}, {1, {}}}, cubed};
  const Share cubes = lifted_polynomials(s, std::span(&shown, 1), std::span(&polynomial, 1)).front();
  mesh.set_step("mask the lifted polynomials");
  mask(s, cubes);
  mesh.set_step("compare coarsely");
  const Comparison coarse{shown, 37, 5, 12};
  const Bits high = non_negative(s, std::span(&coarse, 1)).front();
  mesh.set_step("select in a narrow ring");
  const Share low = select(s, high, shown, 20);
  mesh.set_step("mask what is selected in a narrow ring");
  mask(s, low);
  mesh.set_step("compare the rivals");
  const Bits leading = non_negative(s, shown_rivals, 39);
  mesh.set_step("selected outer product");
  const Share column = drop(s, columns(rivals, 0, 1), f);
  const Masked row = reshaped(my, {kSecretShape.size() / kRivalShape.cols, kRivalShape.cols}).rows(0, 1);
  const SelectedOuter outer = selected_outer(s, leading, column, row, kSecretFormat.ring_bits, 64);
  mesh.set_step("mask the selected outer product");
  mask(s, outer.product);
}

SteppedProgram every_protocol(Secrets secrets) {
  return
      [secrets = std::move(secrets)](Session& session, net::Mesh& mesh) { run_every_protocol(session, mesh, secrets); };
}

}  // namespace tacit::mpc
