// RevealLedger — the account of what a run revealed, in all its sessions, in a file that is written before every
// reveal. It begins with what runs before it in its folder had revealed (CheckpointStore).
//
// A resume repeats the epochs since its checkpoint, and with them their reveals. The checkpoint's own account ends with
// the checkpoint; the ledger goes on.
//
// A file of lines, each with a checksum over its place and its text. A session begins with a file of its own, written
// as a whole; then lines are only added. Before a reveal its counts are written, which is enough for the end of this
// process: the kernel has them. For the end of the machine, counts are also reserved: a line "reserved" holds counts
// that are not reached yet, at most kMostReserved ahead, and is on the disk (fdatasync) before any of them is. So there
// is one wait for the disk in kMostReserved reveals, and the account never lacks a reveal:
// - The process ended, the machine did not (the same boot): the counts are exact, but for one reveal that was counted
//   and then did not come.
// - The machine ended: the reserved counts hold. Lines after the last reserved ones may be lost or torn: they counted
//   nothing beyond it. That is kMostReserved too many at most, for each such end.
// - A line is damaged, and a reserved line after it is whole: the disk lost what it had. Then, as within the same boot,
//   the file is refused.
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
  static constexpr std::int64_t kMostReserved = 16;

  // The counts of all sessions in a file.
  struct Account {
    std::vector<mpc::Reveal> reveals;
    std::int64_t saved = 0;  // epoch of the newest checkpoint that was kept; 0: none
  };

  RevealLedger() = default;  // of nothing
  // Continues `before`, in a new file at `path`. `boot` names the time from one start of the machine to its end.
  // Throws ConfigError, as write() and saved() do.
  RevealLedger(std::filesystem::path path, Account before, std::string boot = this_boot());
  RevealLedger(RevealLedger&& other) noexcept = default;
  RevealLedger& operator=(RevealLedger&& other) noexcept;
  ~RevealLedger();  // the counts are on the disk, and exact

  // The account of this session alone, before the last of it is revealed.
  void write(const std::vector<mpc::Reveal>& session);
  void saved(std::int64_t epoch);  // a checkpoint of this epoch is kept
  std::vector<mpc::Reveal> total(const std::vector<mpc::Reveal>& session) const { return sum_of(before_, session); }

  // An empty account if the file does not exist. Throws ConfigError where it is damaged, or no regular file.
  static Account read(const std::filesystem::path& path, std::string_view boot = this_boot());

  static std::string this_boot();  // the kernel's name for it; a new one each time where it has none

 private:
  void add(std::string_view text);
  void to_disk();
  void write_anew();
  void close() noexcept;

  std::filesystem::path path_;
  std::string boot_;
  net::Descriptor file_;
  std::int64_t size_ = 0;
  std::int64_t saved_ = 0;
  std::vector<mpc::Reveal> before_;    // by earlier sessions
  std::vector<mpc::Reveal> written_;   // by all sessions, as the file has it
  std::vector<mpc::Reveal> reserved_;  // likewise, of its reserved lines
};

}  // namespace tacit::gnn
