#include "mpc/kernels/elementwise.h"

#include "mpc/kernels/loops.h"

namespace tacit::mpc {

namespace {

constexpr std::int64_t kGrain = 1 << 14;  // words that are worth waking a thread for

const Loops& best_loops() { return loops(best_instructions()); }

void check_operand(const RingTensor& operand, const RingTensor& out) {
  TACIT_CHECK(operand.shape() == out.shape());
  TACIT_CHECK(operand.bits() >= out.bits());
}

using Binary = void (*)(const std::uint64_t*, const std::uint64_t*, std::uint64_t*, std::int64_t, std::uint64_t);

void run(Binary loop, const RingTensor& a, const RingTensor& b, RingTensor& out, Workers& workers) {
  check_operand(a, out);
  check_operand(b, out);
  workers.for_ranges(out.size(), kGrain, [&](std::int64_t begin, std::int64_t end) {
    loop(a.data() + begin, b.data() + begin, out.data() + begin, end - begin, low_bits(out.bits()));
  });
}

using WithConstant = void (*)(const std::uint64_t*, std::uint64_t, std::uint64_t*, std::int64_t, std::uint64_t);

void run(WithConstant loop, const RingTensor& a, std::uint64_t constant, RingTensor& out, Workers& workers) {
  check_operand(a, out);
  workers.for_ranges(out.size(), kGrain, [&](std::int64_t begin, std::int64_t end) {
    loop(a.data() + begin, constant, out.data() + begin, end - begin, low_bits(out.bits()));
  });
}

using Unary = void (*)(const std::uint64_t*, std::uint64_t*, std::int64_t, std::uint64_t);

void run(Unary loop, const RingTensor& a, RingTensor& out, Workers& workers) {
  workers.for_ranges(out.size(), kGrain, [&](std::int64_t begin, std::int64_t end) {
    loop(a.data() + begin, out.data() + begin, end - begin, low_bits(out.bits()));
  });
}

}  // namespace

void add(const RingTensor& a, const RingTensor& b, RingTensor& out, Workers& workers) {
  run(best_loops().add, a, b, out, workers);
}

void subtract(const RingTensor& a, const RingTensor& b, RingTensor& out, Workers& workers) {
  run(best_loops().subtract, a, b, out, workers);
}

void multiply(const RingTensor& a, const RingTensor& b, RingTensor& out, Workers& workers) {
  run(best_loops().multiply, a, b, out, workers);
}

void negate(const RingTensor& a, RingTensor& out, Workers& workers) {
  check_operand(a, out);
  run(best_loops().negate, a, out, workers);
}

void scale(const RingTensor& a, std::uint64_t factor, RingTensor& out, Workers& workers) {
  run(best_loops().scale, a, factor, out, workers);
}

void add_constant(const RingTensor& a, std::uint64_t constant, RingTensor& out, Workers& workers) {
  run(best_loops().add_constant, a, constant, out, workers);
}

void product(const ProductTerms& terms, RingTensor& out, Workers& workers) {
  for (const RingTensor* term : {&terms.dx, &terms.lx, &terms.dy, &terms.ly, &terms.gamma}) check_operand(*term, out);
  const auto loop = best_loops().product;
  workers.for_ranges(out.size(), kGrain, [&](std::int64_t begin, std::int64_t end) {
    const std::uint64_t* const inputs[] = {terms.dx.data() + begin, terms.lx.data() + begin, terms.dy.data() + begin,
                                           terms.ly.data() + begin, terms.gamma.data() + begin};
    loop(inputs, terms.first, out.data() + begin, end - begin, low_bits(out.bits()));
  });
}

void drop_bits(const RingTensor& a, int bits, std::uint64_t offset, RingTensor& out, Workers& workers) {
  TACIT_CHECK(a.shape() == out.shape());
  TACIT_CHECK(bits >= 1 && out.bits() == a.bits() - bits);
  const auto loop = best_loops().drop_bits;
  workers.for_ranges(out.size(), kGrain, [&](std::int64_t begin, std::int64_t end) {
    loop(a.data() + begin, bits, offset, out.data() + begin, end - begin, low_bits(a.bits()));
  });
}

void reduce(const RingTensor& a, RingTensor& out, Workers& workers) {
  TACIT_CHECK(a.shape() == out.shape());
  run(best_loops().reduce, a, out, workers);
}

}  // namespace tacit::mpc
