#include "mpc/made/wrap.h"

#include "mpc/made/word_access.h"

namespace tacit::mpc {

namespace {

// Each party's word >> k, in Z_2^bits.
SharedWords upper_bits(const Engine& engine, RingView r, int k, int bits) {
  SharedWords words = engine.shared(r, 1, kWordBits);
  SharedWords out{words.rows, 1, bits, words.holders, nullptr};
  if (words.own == nullptr || k == kWordBits) return out;
  out.own = words_of<std::uint64_t>(out.size(), bits,
                                    [&](std::int64_t i) { return load<std::uint64_t>(words.own->data(), i) >> k; });
  return out;
}

}  // namespace

std::vector<Engine::Widening> wrap_bits(const Engine::Sum& sum, int bits) {
  std::vector<Engine::Widening> all;
  for (const SharedBits& carry : sum.carries) all.push_back({carry, bits});
  all.push_back({sum.bits.back(), bits});
  return all;
}

std::vector<SharedWords> wrap_terms(const Engine& engine, RingView r, int k, std::span<const SharedWords> widened) {
  const int bits = widened.back().width;
  TACIT_CHECK(k >= 1 && bits <= kWordBits - k);
  SharedWords over = upper_bits(engine, r, k, bits);
  for (const SharedWords& carry : widened.first(widened.size() - 1)) over = sum(over, carry);
  return {over, widened.back()};
}

std::vector<SharedWords> made(Engine& engine, const WrapRequest& request) {
  const Engine::Addition addition{request.r, request.k, true};
  const std::vector<Engine::Sum> sums = engine.add(std::span(&addition, 1));
  return wrap_terms(engine, request.r, request.k, engine.widen(wrap_bits(sums.front(), request.bits)));
}

}  // namespace tacit::mpc
