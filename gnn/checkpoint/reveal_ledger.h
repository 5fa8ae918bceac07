// RevealLedger — the account of what a run revealed, in all its sessions, in a file that is written before every
// reveal. It begins with what runs before it in its folder had revealed (CheckpointStore).
//
// A resume repeats the epochs since its checkpoint, and with them their reveals: the checkpoint's own account knows
// nothing of those that came after it. The ledger does, and errs by one too many at most, for a session that ended
// just before the reveal. It survives the end of a process; after the end of the machine it may lack the last ones.
#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

#include "mpc/session/session.h"
#include "net/descriptor.h"

namespace tacit::gnn {

// Line by line, the reasons of both.
std::vector<mpc::Reveal> sum_of(std::vector<mpc::Reveal> a, const std::vector<mpc::Reveal>& b);
std::vector<mpc::Reveal> larger_of(std::vector<mpc::Reveal> a, const std::vector<mpc::Reveal>& b);

class RevealLedger {
 public:
  RevealLedger() = default;  // of nothing
  // What is in the file already counts as `before`, or what the checkpoint says where that is more.
  RevealLedger(const std::filesystem::path& path, const std::vector<mpc::Reveal>& checkpoint);

  // The account of this session alone.
  void write(const std::vector<mpc::Reveal>& session);
  std::vector<mpc::Reveal> total(const std::vector<mpc::Reveal>& session) const { return sum_of(before_, session); }

  // Nothing, where there is no such file or it is damaged.
  static std::vector<mpc::Reveal> read(const std::filesystem::path& path);

 private:
  net::Descriptor file_;
  std::vector<mpc::Reveal> before_;
};

}  // namespace tacit::gnn
