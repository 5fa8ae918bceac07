// Roster lists the ranks that may take part: role, fingerprint of the key, and optionally the address.
//
// A text file, equal at every rank, with one line per rank:
//
//     # rank  role    fingerprint                                                       address
//     0       party   6f1c0a…(64 hexadecimal digits, in groups or not)
//     1       party   93b07e…                                                           node1:4711
//     2       dealer  0d44c2…
//
// Other ranks connect to the address in the roster. A rank without one announces its own address.
// (The address of rank 0 is always MASTER_ADDR, MASTER_PORT.)
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

// Parses "FINGERPRINT" or "FINGERPRINT@HOST:PORT". Throws ConfigError.
RosterEntry parse_roster_entry(Role role, std::string_view text);

class Roster {
 public:
  // Takes the entries by rank: parties first, at least one, all keys different. Throws ConfigError.
  explicit Roster(std::vector<RosterEntry> entries);

  // Throws ConfigError with the number of the line. `name` stands for the file in messages.
  static Roster parse(std::string_view text, const std::string& name);
  static Roster load(const std::string& path);

  std::string text() const;  // the format of parse()

  int size() const { return static_cast<int>(entries_.size()); }
  int parties() const { return parties_; }
  const RosterEntry& at(int rank) const { return entries_.at(static_cast<std::size_t>(rank)); }
  int rank_of(const Fingerprint& fingerprint) const;  // -1 if the roster lacks this key
  std::vector<Fingerprint> fingerprints() const;      // indexed by rank

  // The world from the point of view of `rank`. Throws ConfigError if WORLD_SIZE differs from the
  // number of ranks in the roster, helpers included.
  World world(int rank, int world_size) const;

 private:
  std::vector<RosterEntry> entries_;
  std::map<Fingerprint, int> ranks_;
  int parties_ = 0;
};

}  // namespace tacit::net
