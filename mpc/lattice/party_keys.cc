#include "mpc/lattice/party_keys.h"

#include <fmt/format.h>

namespace tacit::mpc::lattice {

PartyKeys::PartyKeys(const Modulus& modulus, const Nonce& nonce, int rank, int parties)
    : ring_(modulus), nonce_(nonce), rank_(rank), key_(ring_, own_stream(nonce)) {
  for (int holder = 0; holder < parties; ++holder) {
    halves_.emplace_back(nonce, holder, modulus);
    public_keys_.push_back({half(seeds(holder, 0, 1).front()), Limbs(ring_.limbs())});
  }
}

void PartyKeys::write_public_key(std::span<std::byte> message) {
  const std::vector<std::uint64_t> zero(kDegree);
  key_.encrypt(zero.data(), 1, public_key(rank_).a, own_stream(nonce_), message);
}

void PartyKeys::read_public_key(int holder, std::span<const std::byte> message) {
  if (!read_residues(ring_, message, public_keys_[static_cast<std::size_t>(holder)].b)) report_residue(holder);
}

std::int64_t PartyKeys::reserve(std::int64_t count) { return std::exchange(encryptions_, encryptions_ + count); }

std::vector<net::Secret> PartyKeys::seeds(int holder, std::int64_t first, std::int64_t count) {
  std::vector<net::Secret> out;
  for (std::int64_t i = 0; i < count; ++i) out.push_back(halves_[static_cast<std::size_t>(holder)].seed(first + i));
  return out;
}

void report_residue(int peer) {
  throw ProtocolError(fmt::format("rank {} sent a ciphertext with a number that is not below its prime: the ranks run "
                                  "different programs, or the message was damaged",
                                  peer),
                      peer);
}

}  // namespace tacit::mpc::lattice
