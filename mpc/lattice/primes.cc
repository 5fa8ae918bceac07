#include "mpc/lattice/primes.h"

#include <array>

#include "net/error.h"

namespace tacit::mpc::lattice {

namespace {

// The largest primes of 50, 45 and 42 bits that are 1 mod 16384, in falling order.
constexpr std::array<std::uint64_t, 3> kPrimesOf50{0x3ffffffffc001, 0x3fffffffcc001, 0x3ffffffef4001};
constexpr std::array<std::uint64_t, 4> kPrimesOf45{0x1ffffff8c001, 0x1ffffff5c001, 0x1ffffff18001, 0x1ffffff0c001};
constexpr std::array<std::uint64_t, 5> kPrimesOf42{0x3fffffa8001, 0x3fffff3c001, 0x3fffff0c001, 0x3ffffeec001,
                                                   0x3ffffedc001};

constexpr int kBitsOfFirst = 38, kBitsOfSecond = 51;

}  // namespace

const Modulus& modulus(int number) {
  static const std::array<Modulus, kModuli> moduli{
      {{150, 50, kPrimesOf50}, {180, 45, kPrimesOf45}, {210, 42, kPrimesOf42}}};
  TACIT_CHECK(number >= 0 && number < kModuli);
  return moduli[static_cast<std::size_t>(number)];
}

int least_modulus(int bits) { return bits <= kBitsOfFirst ? 0 : bits <= kBitsOfSecond ? 1 : 2; }

}  // namespace tacit::mpc::lattice
