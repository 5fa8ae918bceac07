#include "mpc/lattice/product_plan.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <tuple>

#include "mpc/lattice/answer.h"
#include "mpc/lattice/leakage.h"

namespace tacit::mpc::lattice {

namespace {

// The distinct widths that cut `size` into 1, 2, … parts.
std::vector<std::int64_t> widths_of(std::int64_t size) {
  std::vector<std::int64_t> out;
  for (std::int64_t parts = 1; parts <= size;) {
    const std::int64_t width = (size + parts - 1) / parts;
    out.push_back(width);
    if (width == 1) break;
    parts = (size + width - 2) / (width - 1);  // the fewest parts that are narrower
  }
  return out;
}

// Coefficients of one answer's multipliers.
std::int64_t terms_of(const Blocks& blocks, Encrypted encrypted) {
  const std::int64_t of_right = blocks.size.c * blocks.width.p, of_left = blocks.size.c * blocks.width.m;
  return (encrypted != Encrypted::kRight ? of_right : 0) + (encrypted != Encrypted::kLeft ? of_left : 0);
}

// Least bytes of a pair; then the fewest products of polynomials. `kept`: the operand that is encrypted for kProductsOfKept products.
ProductPlan best(const ProductSize& size, int bits, int number, std::optional<Encrypted> kept) {
  const std::int64_t of_ciphertext = modulus(number).message_bytes(), of_answer = kDegree * (bits + kSlack) / 8;
  const std::int64_t hints = size.m * size.p * kHint / 8;
  ProductPlan found;
  auto least = std::tuple(std::numeric_limits<std::int64_t>::max(), std::int64_t{0});
  const std::vector<std::int64_t> of_m = widths_of(size.m), of_c = widths_of(size.c);
  for (const std::int64_t m : of_m) {
    if (m > kDegree) continue;
    for (const std::int64_t c : of_c) {
      if (m * c > kDegree) continue;
      const Blocks blocks{size, {m, c, std::min(size.p, kDegree / (m * c))}};
      const ProductSize count = blocks.count();
      const std::int64_t lefts = count.m * count.c, rights = count.c * count.p, answers = count.m * count.p;
      const auto consider = [&](Encrypted encrypted, std::int64_t ciphertexts, std::int64_t sides) {
        if (kept && encrypted != *kept) return;
        const std::int64_t of_side = answers * of_answer + hints, products = kept ? kProductsOfKept : 1;
        const auto costs = std::tuple(ciphertexts * of_ciphertext + products * sides * of_side, count.volume());
        if (costs >= least) return;
        least = costs;
        found = {.modulus = number, .bits = bits, .blocks = blocks, .encrypted = encrypted};
      };
      consider(Encrypted::kLeft, 2 * lefts, 2);
      consider(Encrypted::kRight, 2 * rights, 2);
      consider(Encrypted::kBoth, lefts + rights, 1);
    }
  }
  return found;
}

ProductPlan plan_of(const ProductSize& size, int bits, int parties, std::optional<Encrypted> kept) {
  for (int number = least_modulus(bits);; ++number) {
    ProductPlan plan = best(size, bits, number, kept);
    const double hints = static_cast<double>(size.m * size.p) * (parties - 1);
    plan.leakage = hints * hint_leakage(bits, terms_of(plan.blocks, plan.encrypted), modulus(number).bits);
    if (plan.leakage <= kMostLeakageOfProduct || number + 1 == kModuli) return plan;
  }
}

struct Cut {
  int bits, parties;
  std::optional<Encrypted> kept;
  std::int64_t most_bytes;
  std::vector<PlannedPart>& parts;

  // A product of one element has messages of a few ciphertexts, however small the limit.
  void add(const ProductSize& first, const ProductSize& size) const {
    const ProductPlan plan = plan_of(size, bits, parties, kept);
    if (size.volume() == 1 || std::max(plan.ciphertexts_bytes(), plan.answers_bytes()) <= most_bytes) {
      parts.push_back({first, plan});
      return;
    }
    const std::int64_t longest = std::max({size.m, size.c, size.p});
    const auto side = size.m == longest ? &ProductSize::m : size.p == longest ? &ProductSize::p : &ProductSize::c;
    ProductSize one = size, other = size, start = first;
    one.*side = longest / 2;
    other.*side -= one.*side;
    start.*side += one.*side;
    add(first, one);
    add(start, other);
  }
};

}  // namespace

std::int64_t ProductPlan::left_ciphertexts() const { return left() ? blocks.count().m * blocks.count().c : 0; }

std::int64_t ProductPlan::ciphertexts() const {
  return left_ciphertexts() + (right() ? blocks.count().c * blocks.count().p : 0);
}

std::int64_t ProductPlan::answer_bytes(std::int64_t x, std::int64_t y) const {
  const ProductSize results = blocks.part(x, y);
  return lattice::answer_bytes(bits, results.m * results.p);
}

std::int64_t ProductPlan::answers_bytes() const {
  std::int64_t bytes = 0;
  for (std::int64_t x = 0; x < blocks.count().m; ++x) {
    for (std::int64_t y = 0; y < blocks.count().p; ++y) bytes += answer_bytes(x, y);
  }
  return bytes;
}

bool ProductPlan::encrypts_for(int holder, int peer) const {
  if (holder == peer) return false;
  // Each party is first in about half of its pairs.
  const bool is_odd = (holder + peer) % 2 != 0;
  return encrypted != Encrypted::kBoth || is_odd == (holder < peer);
}

std::int64_t ProductPlan::pair_bytes() const {
  return (encrypted == Encrypted::kBoth ? 1 : 2) * ciphertexts_bytes() + pair_answer_bytes();
}

std::int64_t ProductPlan::pair_answer_bytes() const {
  return (encrypted == Encrypted::kBoth ? 1 : 2) * answers_bytes();
}

std::vector<PlannedPart> planned_parts(const ProductSize& size, int bits, int parties, std::int64_t most_bytes) {
  std::vector<PlannedPart> parts;
  if (size.volume() > 0 && parties > 1) Cut{bits, parties, std::nullopt, most_bytes, parts}.add({}, size);
  return parts;
}

std::vector<PlannedPart> kept_parts(const ProductSize& size, int bits, int parties, bool left,
                                    std::int64_t most_bytes) {
  std::vector<PlannedPart> parts;
  const Encrypted kept = left ? Encrypted::kLeft : Encrypted::kRight;
  if (size.volume() > 0 && parties > 1) Cut{bits, parties, kept, most_bytes, parts}.add({}, size);
  return parts;
}

}  // namespace tacit::mpc::lattice
