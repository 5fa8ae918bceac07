#include "launcher/launch/run_keys.h"

#include <fmt/format.h>

#include "gnn/data/atomic_file.h"
#include "net/error.h"
#include "net/private_folder.h"
#include "net/rendezvous/roster.h"

namespace tacit::launcher {

namespace {

namespace fs = std::filesystem;

std::string key_of(int rank, const fs::path& folder) {
  const std::string file = folder / "keys" / fmt::format("rank{}.key", rank);
  if (!fs::exists(fs::symlink_status(file))) net::Identity::generate().save(file);
  return file;
}

void write_roster(const std::string& file, const net::Roster& roster) {
  gnn::AtomicFile out(file);
  const std::string text = roster.text();
  out.write(std::as_bytes(std::span(text)));
  out.commit();
}

}  // namespace

RunKeys run_keys(const Job& job, const fs::path& folder) {
  RunKeys made{job.roster, {}};
  const bool named = !job.keys.identity.empty();
  if (!job.roster.empty() && !named) {
    throw ConfigError(
        fmt::format("the job names the roster {}, but not the private keys of its ranks: say keys.identity, "
                    "or take the roster out, and keys are made for this run",
                    job.roster));
  }
  if (!job.roster.empty()) return made;
  if (!named) expect_no_rank_in(folder);
  if (!named) net::make_private_folder(folder / "keys", "folder for keys", "name another with --output");
  std::vector<net::RosterEntry> entries;
  for (int rank = 0; rank < job.ranks(); ++rank) {
    const std::string key = named ? job.keys.identity.of(rank) : key_of(rank, folder);
    const net::Role role = rank < job.parties ? net::Role::kParty : net::Role::kDealer;
    entries.push_back({role, net::Identity::load(key).fingerprint(), {}});
    if (!named) made.keys.push_back(key);
  }
  if (const std::error_code failed = net::make_folder(folder)) {
    throw ConfigError(
        fmt::format("the folder {} cannot be made: {}; name another with --output", folder.string(), failed.message()));
  }
  made.roster = folder / "roster";
  write_roster(made.roster, net::Roster(std::move(entries)));
  return made;
}

}  // namespace tacit::launcher
