#include "tests/mpc/security/recorded_run.h"

#include <numeric>
#include <random>

#include "mpc/session/local.h"
#include "net/collectives/pack.h"

namespace tacit::mpc {

namespace {

Secrets constant(double value, bool turned) {
  const Matrix all = Matrix::Constant(kSecretShape.rows, kSecretShape.cols, value);
  Order order(static_cast<std::size_t>(kSecretShape.rows));
  std::iota(order.begin(), order.end(), 0);
  if (turned) std::reverse(order.begin(), order.end());
  return {all, all, std::move(order)};
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

std::vector<std::uint64_t> unpacked(const std::vector<std::byte>& bytes, int bits) {
  std::vector<std::uint64_t> words(bytes.size() * 8 / static_cast<std::size_t>(bits));
  TACIT_CHECK(net::packed_bytes(std::ssize(words), bits) == std::ssize(bytes));
  net::unpack(bytes, {words, bits});
  return words;
}

std::vector<std::uint64_t> opened(const net::Record& record, const std::string& step, int parties, int bits,
                                  net::Sum sum) {
  std::vector<std::uint64_t> all;
  for (int from = 0; from < parties; ++from) {
    const std::vector<std::uint64_t> sent = unpacked(record.bytes(from, (from + 1) % parties, step), bits);
    all.resize(sent.size());
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = sum == net::Sum::kXor ? all[i] ^ sent[i] : all[i] + sent[i];
  }
  for (std::uint64_t& word : all) word &= low_bits(bits);
  return all;
}

Secrets all_zero() { return constant(0, false); }

Secrets all_largest() { return constant(largest(kSecretFormat) - std::ldexp(1.0, -kSecretFormat.fraction_bits), true); }

Secrets random_secrets(unsigned seed) {
  Secrets secrets = all_zero();
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> draw(-1000, 1000);
  for (Matrix* m : {&secrets.x, &secrets.y}) *m = m->unaryExpr([&](double) { return draw(random); });
  std::shuffle(secrets.order.begin(), secrets.order.end(), random);
  return secrets;
}

void run_every_protocol(Session& s, net::Mesh& mesh, const Secrets& secrets) {
  const int last = s.parties() - 1, f = kSecretFormat.fraction_bits;
  const auto mine = [&](int owner, const Matrix& m) { return mesh.rank() == owner ? &m : nullptr; };
  mesh.set_step("input");
  const Share x = s.input(0, kSecretShape, kSecretFormat, mine(0, secrets.x), "x");
  const Share y = s.input(last, kSecretShape, kSecretFormat, mine(last, secrets.y), "y");
  const Share wide = s.input(last, kSecretShape, {64, f}, mine(last, secrets.y), "y");
  mesh.set_step("mask");
  const Masked mx = s.mask(x);
  mesh.set_step("mask in a wide ring");
  const Masked my = s.mask(wide);
  mesh.set_step("product");
  const Share product = s.product(mx, my);
  mesh.set_step("mask the product");
  s.mask(narrow(product, 48));
  mesh.set_step("matmul");
  const Share square = s.matmul(mx.transposed(), my);
  mesh.set_step("mask the matrix product");
  s.mask(square);
  mesh.set_step("show");
  const Shown shown = s.show(s.drop(x + y, f));
  mesh.set_step("compare");
  const std::vector<Session::Comparison> thresholds{{shown, 26, 0}, {shown, 26, 5}};
  const std::vector<Bits> bits = s.non_negative(thresholds);
  mesh.set_step("select");
  const Share selected = s.select(bits[0], shown, shown.ring_bits());
  mesh.set_step("mask the selected");
  s.mask(selected);
  mesh.set_step("lift");
  const Share lifted = s.lift(shown, 64);
  mesh.set_step("mask the lifted");
  s.mask(lifted);
  mesh.set_step("select and lift");
  const Share lifted_selection = s.select(bits[1], shown, 64);
  mesh.set_step("mask the lifted selection");
  s.mask(lifted_selection);
  mesh.set_step("indicator");
  const Share ones = s.indicator(bits[1], 20);
  mesh.set_step("mask the indicator");
  s.mask(ones);
  mesh.set_step("mask for a table");
  const Masked small = s.mask(narrow(columns(lifted, 0, 40), 8));
  mesh.set_step("look up");
  const Share found =
      s.look_up(small, CellTable::of_values(8, [](std::int64_t v) { return v == 0 ? 1 : 0; }), 20, {}).front();
  mesh.set_step("mask what was found");
  s.mask(found);
  mesh.set_step("permutation");
  const Permutation permutation =
      s.permutation(last, kSecretShape.rows, mesh.rank() == last ? &secrets.order : nullptr);
  mesh.set_step("permute");
  const Share there = s.permute(mx, permutation);
  mesh.set_step("mask the permuted");
  s.mask(there);
  mesh.set_step("unpermute");
  const Share back = s.unpermute(there, permutation);
  mesh.set_step("reveal");
  s.reveal(back + y, To::everyone(), "a sum");
  mesh.set_step("reveal to one");
  s.reveal(product, To::rank(last), "a product");
  mesh.set_step("decide");
  s.decide([] { return true; }, "go on");
}

}  // namespace tacit::mpc
