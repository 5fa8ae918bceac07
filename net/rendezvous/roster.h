// Roster — who may take part: for each rank its role, the fingerprint of its key, and, where wanted, its address.
//
// A text file, the same at every rank, a line per rank:
//
//     # rank  role    fingerprint                                                       address
//     0       party   6f1c0a…(64 hexadecimal digits, in groups or not)
//     1       party   93b07e…                                                           node1:4711
//     2       dealer  0d44c2…
//
// An address is where the others reach that rank; without one a rank announces its own. (Rank 0 is reached at
// MASTER_ADDR, MASTER_PORT in any case.)
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "net/rendezvous/endpoint.h"
#include "net/tcp/identity.h"
#include "net/world.h"

namespace tacit::net {

inline constexpr std::int64_t kMaxRosterBytes = 1 << 20;

struct RosterEntry {
  Role role = Role::kParty;
  Fingerprint fingerprint;
  std::optional<Endpoint> address;
};

// "FINGERPRINT" or "FINGERPRINT@HOST:PORT". Throws ConfigError.
RosterEntry parse_roster_entry(Role role, std::string_view text);

class Roster {
 public:
  // By rank: parties first, at least one; no key twice. Throws ConfigError.
  explicit Roster(std::vector<RosterEntry> entries);

  // Throws ConfigError that names the line. `name` stands for the file in messages.
  static Roster parse(std::string_view text, const std::string& name);
  static Roster load(const std::string& path);

  std::string text() const;  // parse() reads it back

  int size() const { return static_cast<int>(entries_.size()); }
  int parties() const { return parties_; }
  const RosterEntry& at(int rank) const { return entries_.at(static_cast<std::size_t>(rank)); }
  int rank_of(const Fingerprint& fingerprint) const;  // -1 if nobody has it
  std::vector<Fingerprint> fingerprints() const;      // by rank

  // The world as `rank` sees it. Throws ConfigError if WORLD_SIZE does not count the roster's ranks, helpers included.
  World world(int rank, int world_size) const;

 private:
  std::vector<RosterEntry> entries_;
  std::map<Fingerprint, int> ranks_;
  int parties_ = 0;
};

}  // namespace tacit::net
