#include "tests/mpc/lattice/exact.h"

#include <cmath>
#include <string>

#include "net/error.h"

namespace tacit::mpc::lattice {

namespace {

struct Context {
  BN_CTX* it = BN_CTX_new();
  ~Context() { BN_CTX_free(it); }
};

}  // namespace

Exact::Exact(std::uint64_t value) : value_(BN_new()) { TACIT_CHECK(BN_set_word(value_, value) == 1); }
Exact::Exact(const Exact& other) : value_(BN_dup(other.value_)) {}
Exact& Exact::operator=(const Exact& other) {
  TACIT_CHECK(BN_copy(value_, other.value_) != nullptr);
  return *this;
}

Exact Exact::operator+(const Exact& other) const {
  Exact out;
  TACIT_CHECK(BN_add(out.value_, value_, other.value_) == 1);
  return out;
}
Exact Exact::operator-(const Exact& other) const {
  Exact out;
  TACIT_CHECK(BN_sub(out.value_, value_, other.value_) == 1);
  return out;
}
Exact Exact::operator*(const Exact& other) const {
  Exact out;
  const Context context;
  TACIT_CHECK(BN_mul(out.value_, value_, other.value_, context.it) == 1);
  return out;
}
Exact Exact::operator/(const Exact& other) const {
  Exact out;
  const Context context;
  TACIT_CHECK(BN_div(out.value_, nullptr, value_, other.value_, context.it) == 1);
  return out;
}
Exact Exact::operator%(const Exact& other) const {
  Exact out;
  const Context context;
  TACIT_CHECK(BN_nnmod(out.value_, value_, other.value_, context.it) == 1);
  return out;
}
Exact Exact::shifted(int bits) const {
  Exact out;
  TACIT_CHECK(BN_lshift(out.value_, value_, bits) == 1);
  return out;
}

Wide Exact::low() const {
  std::vector<unsigned char> bytes(static_cast<std::size_t>(BN_num_bytes(value_)));
  BN_bn2bin(value_, bytes.data());
  Wide out = 0;
  for (const unsigned char byte : bytes) out = out << 8 | byte;
  return out;
}

double Exact::value() const {
  char* text = BN_bn2dec(value_);
  const double out = std::stod(text);
  OPENSSL_free(text);
  return out;
}

Exact modulus_of(const Ring& ring) {
  Exact q(1);
  for (const std::uint64_t p : ring.modulus().primes) q = q * Exact(p);
  return q;
}

Exact from_terms(const Ring& ring, const Limbs& terms, std::int64_t coefficient) {
  const Exact q = modulus_of(ring);
  Exact sum;
  for (std::int64_t limb = 0; limb < ring.limbs(); ++limb) {
    sum = sum + Exact(terms[limb][coefficient]) * (q / Exact(ring.prime(limb).value()));
  }
  return sum % q;
}

Exact centred(const Exact& x, const Exact& q) { return q < x.shifted(1) ? x - q : x; }

}  // namespace tacit::mpc::lattice
