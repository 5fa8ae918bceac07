#include "mpc/lattice/primes.h"

#include <array>

#include "net/error.h"

namespace tacit::mpc::lattice {

namespace {

// The largest primes of 50 and of 45 bits that are 1 mod 16384, in falling order.
constexpr std::array<std::uint64_t, 4> kLong{0x3ffffffffc001, 0x3fffffffcc001, 0x3ffffffef4001, 0x3ffffffe94001};
constexpr std::array<std::uint64_t, 4> kShort{0x1ffffff8c001, 0x1ffffff5c001, 0x1ffffff18001, 0x1ffffff0c001};

constexpr int kBitsOfFirst = 38, kBitsOfSecond = 51;

}  // namespace

const Modulus& modulus(int number) {
  static const std::array<Modulus, kModuli> moduli{
      {{150, 50, std::span(kLong).first(3)}, {180, 45, kShort}, {200, 50, kLong}}};
  TACIT_CHECK(number >= 0 && number < kModuli);
  return moduli[static_cast<std::size_t>(number)];
}

int least_modulus(int bits) { return bits <= kBitsOfFirst ? 0 : bits <= kBitsOfSecond ? 1 : 2; }

}  // namespace tacit::mpc::lattice
