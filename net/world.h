// World lists the participants: parties have ranks 0 … parties-1, and helpers (the dealer) the
// ranks after them.
//
// WORLD_SIZE counts all processes, helpers included, so that torchrun, srun and mpirun can start a
// job with one command.
#pragma once

#include <string_view>

namespace tacit::net {

enum class Role : unsigned char { kParty = 0, kDealer = 1 };

std::string_view name(Role role);

struct World {
  int rank = 0;
  int parties = 1;
  int helpers = 0;

  int size() const { return parties + helpers; }
  Role role_of(int r) const { return r < parties ? Role::kParty : Role::kDealer; }
  Role role() const { return role_of(rank); }
  bool is_party() const { return rank < parties; }
};

inline constexpr int kMaxWorldSize = 1024;

}  // namespace tacit::net
