#include "mpc/lattice/answer.h"

#include <array>

#include "mpc/ring/ring.h"
#include "net/collectives/pack.h"

namespace tacit::mpc::lattice {

namespace {

// The sums of one limb.
class LimbSums {
 public:
  SumWords a() { return {words_[0], words_[1]}; }
  SumWords b() { return {words_[2], words_[3]}; }

 private:
  SecretLimbs words_{4};
};

net::ConstWords words_of(const WordMemory& words, int bits) {
  return {std::span(words.data(), static_cast<std::size_t>(words.size())), bits};
}
net::Words words_of(WordMemory& words, int bits) {
  return {std::span(words.data(), static_cast<std::size_t>(words.size())), bits};
}

int low_part(int k) { return std::min(k + kSlack, kWordBits); }
int high_part(int k) { return k + kSlack - low_part(k); }
std::size_t part_bytes(int bits) { return static_cast<std::size_t>(kDegree * bits / 8); }

// pk_a·u and pk_b·u.
void start(const Ring& ring, std::int64_t limb, const Ciphertext& key, const Zero& zero, LimbSums& sums) {
  SecretLimbs u(1);
  ring.residues(limb, zero.u[0], kDegree, u[0]);
  ring.transform(limb).forward(u[0]);
  const SumWords a = sums.a(), b = sums.b();
  for (std::int64_t i = 0; i < kDegree; ++i) {
    ring.loops().set(a, i, product(key.a[limb][i], u[0][i]));
    ring.loops().set(b, i, product(key.b[limb][i], u[0][i]));
  }
}

void carry(const Ring& ring, std::int64_t limb, const SumWords& sums) {
  const Prime prime = ring.prime(limb);
  for (std::int64_t i = 0; i < kDegree; ++i) {
    const Wide sum = ring.loops().sum(sums, i);
    ring.loops().set(sums, i, sum);
    sums.high[i] = prime.from_word(sums.high[i]);
  }
}

void finish(const Ring& ring, std::int64_t limb, const SumWords& sums, std::uint64_t* out) {
  const Prime prime = ring.prime(limb);
  for (std::int64_t i = 0; i < kDegree; ++i) out[i] = prime.montgomery_of_any(ring.loops().sum(sums, i));
  ring.transform(limb).backward(out, ring.to_terms(limb));
}

// To terms, below p.
void add_errors(const Ring& ring, std::int64_t limb, const Zero& zero, std::uint64_t* terms) {
  const Prime prime = ring.prime(limb);
  const Factor factor = prime.factor(ring.rounding().cofactor_inverse(limb));
  for (std::int64_t i = 0; i < kDegree; ++i) {
    terms[i] = prime.reduced(terms[i] + factor.times(prime.from_signed(zero.e1[0][i]), prime.value()));
  }
}

std::vector<const std::uint64_t*> pointers(const Limbs& limbs) {
  std::vector<const std::uint64_t*> out;
  for (std::int64_t i = 0; i < limbs.count(); ++i) out.push_back(limbs[i]);
  return out;
}

}  // namespace

std::int64_t answer_bytes(int k, std::int64_t wanted) {
  return kDegree * (k + kSlack) / 8 + net::packed_bytes(wanted, kHint);
}

Zero::Zero(Stream random) : u(1), e1(1) {
  draw_ternary(random, u[0]);
  draw_errors(random, e1[0]);
}

HiddenSum hidden_sum(const Ring& ring, const Ciphertext& public_key, std::span<const Term> terms,
                     WorkRef<std::int64_t, std::uint64_t*> multiplier, const Zero& zero) {
  constexpr std::int64_t kGroup = ResidueLoops::kGroup;
  static_assert(ResidueLoops::kTermsPerCarry % kGroup == 0);
  std::vector<LimbSums> sums(static_cast<std::size_t>(ring.limbs()));
  for (std::int64_t limb = 0; limb < ring.limbs(); ++limb) {
    start(ring, limb, public_key, zero, sums[static_cast<std::size_t>(limb)]);
  }
  SecretLimbs words(kGroup), transforms(kGroup);  // the multipliers
  std::array<LimbProduct, kGroup> products;
  for (std::int64_t first = 0; first < std::ssize(terms); first += kGroup) {
    const std::int64_t count = std::min(kGroup, std::ssize(terms) - first);
    for (std::int64_t i = 0; i < count; ++i) multiplier(first + i, words[i]);
    for (std::int64_t limb = 0; limb < ring.limbs(); ++limb) {
      for (std::int64_t i = 0; i < count; ++i) {
        const Term& term = terms[static_cast<std::size_t>(first + i)];
        ring.residues(limb, words[i], term.length, transforms[i]);
        ring.transform(limb).forward(transforms[i], term.length);
        products[static_cast<std::size_t>(i)] = {term.ciphertext->a[limb], term.ciphertext->b[limb], transforms[i]};
      }
      LimbSums& sum = sums[static_cast<std::size_t>(limb)];
      ring.loops().multiply_add(std::span(products).first(static_cast<std::size_t>(count)), sum.a(), sum.b());
      if ((first + kGroup) % ResidueLoops::kTermsPerCarry == 0) {
        carry(ring, limb, sum.a());
        carry(ring, limb, sum.b());
      }
    }
  }
  HiddenSum out{SecretLimbs(ring.limbs()), SecretLimbs(ring.limbs())};
  for (std::int64_t limb = 0; limb < ring.limbs(); ++limb) {
    finish(ring, limb, sums[static_cast<std::size_t>(limb)].a(), out.a[limb]);
    add_errors(ring, limb, zero, out.a[limb]);
    finish(ring, limb, sums[static_cast<std::size_t>(limb)].b(), out.b[limb]);
  }
  return out;
}

void write_answer(const Ring& ring, const HiddenSum& sum, int k, std::span<const std::int64_t> wanted,
                  std::span<std::byte> message, std::span<std::uint64_t> shares) {
  const Rounding& rounding = ring.rounding();
  const auto a = pointers(sum.a), b = pointers(sum.b);
  WordMemory low(kDegree), high(high_part(k) > 0 ? kDegree : 0), hints(std::ssize(wanted));
  for (std::int64_t i = 0; i < kDegree; ++i) {
    const Wide rounded = rounding.rounded(a, i, k + kSlack);
    low.data()[i] = static_cast<std::uint64_t>(rounded);
    if (high.size() > 0) high.data()[i] = high_word(rounded);
  }
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const Wide fine = rounding.rounded(b, wanted[i], k + kHint);
    shares[i] = static_cast<std::uint64_t>(fine >> kHint);
    hints.data()[i] = static_cast<std::uint64_t>(fine) & low_bits(kHint);
  }
  const std::size_t at_high = part_bytes(low_part(k)), at_hints = at_high + part_bytes(high_part(k));
  net::pack(words_of(std::as_const(low), low_part(k)), message.first(at_high));
  if (high.size() > 0)
    net::pack(words_of(std::as_const(high), high_part(k)), message.subspan(at_high, at_hints - at_high));
  net::pack(words_of(std::as_const(hints), kHint), message.subspan(at_hints));
}

AnswerWords read_answer(std::span<const std::byte> message, int k, std::int64_t wanted) {
  AnswerWords out{WordMemory(kDegree), WordMemory(high_part(k) > 0 ? kDegree : 0), WordMemory(wanted)};
  const std::size_t at_high = part_bytes(low_part(k)), at_hints = at_high + part_bytes(high_part(k));
  net::unpack(message.first(at_high), words_of(out.low, low_part(k)));
  if (out.high.size() > 0) net::unpack(message.subspan(at_high, at_hints - at_high), words_of(out.high, high_part(k)));
  net::unpack(message.subspan(at_hints), words_of(out.hints, kHint));
  return out;
}

}  // namespace tacit::mpc::lattice
