// RevealLedger — the audit log of a run: a file with the count of every reveal in all sessions,
// written before each reveal. The count includes earlier runs of the same job in the folder
// (CheckpointStore).
//
// A resume repeats the epochs since its checkpoint, and their reveals. The counts in the checkpoint
// stop at the checkpoint. The ledger counts the repeated reveals as well.
//
// The file has one entry a line, each with a checksum over its place and its text. A session writes
// the whole file once at its beginning, and then only appends lines. Before a reveal, the ledger
// appends its count. The kernel keeps this line if the process ends. For a crash of the machine,
// the ledger also reserves counts: a line "reserved" states a count that is not reached yet, at
// most kMostReserved ahead, and fdatasync puts it on the disk before the count is reached. A session
// therefore waits for the disk once in kMostReserved reveals of equal size, and the ledger never lacks a
// reveal or a number of one:
// - The process ended and the machine did not (the boot is the same): the counts are exact, except
//   that the last reveal may have been counted and not have happened.
// - The machine ended: the reserved counts apply. Lines after the last reserved line may be lost or
//   torn, but they count no further than it. Each such end adds at most kMostReserved to a count.
// - A line is damaged, and a reserved line after it is whole: the disk lost data that it had
//   stored. The file is refused. A damaged line within the same boot is refused as well.
//
// A private training also records the number of its steps that revealed values contain. A line
// "steps" is on the disk before such a value is revealed.
#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

#include "mpc/session/session.h"
#include "net/descriptor.h"

namespace tacit::gnn {

// Combines two lists of reveals, reason by reason: by addition, or by the larger count.
std::vector<mpc::Reveal> sum_of(std::vector<mpc::Reveal> a, const std::vector<mpc::Reveal>& b);
std::vector<mpc::Reveal> larger_of(std::vector<mpc::Reveal> a, const std::vector<mpc::Reveal>& b);

class RevealLedger {
 public:
  static constexpr std::int64_t kMostReserved = 16;

  // The counts of all sessions in a ledger file.
  struct Account {
    std::vector<mpc::Reveal> reveals;
    std::int64_t saved = 0;  // epoch of the newest checkpoint that was kept; 0: none
    std::int64_t steps = 0;  // steps of a private training that revealed values contain
  };

  RevealLedger() = default;  // a ledger without a file
  // Continues the account `before` in a new file at `path`. `boot` names the time between a start
  // of the machine and its end. Throws ConfigError if the file cannot be written; so do write(),
  // saved() and set_steps().
  RevealLedger(std::filesystem::path path, Account before, std::string boot = this_boot());
  RevealLedger(RevealLedger&& other) noexcept = default;
  RevealLedger& operator=(RevealLedger&& other) noexcept;
  ~RevealLedger();  // the counts are on the disk, and exact

  // Records the counts of this session alone. The caller does so before the last one is revealed.
  void write(const std::vector<mpc::Reveal>& session);
  void saved(std::int64_t epoch);  // records that a checkpoint of this epoch is kept
  // Records the steps of all sessions that revealed values contain. The caller does so before a value with more steps is
  // revealed. The number never falls.
  void set_steps(std::int64_t steps);
  std::int64_t steps() const { return steps_; }
  std::vector<mpc::Reveal> total(const std::vector<mpc::Reveal>& session) const { return sum_of(before_, session); }

  // Reads a ledger; empty if the file does not exist. Throws ConfigError if it is damaged, or is no
  // regular file.
  static Account read(const std::filesystem::path& path, std::string_view boot = this_boot());

  static std::string this_boot();  // the kernel's boot identifier, or a random text if the kernel has no identifier

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
  std::int64_t steps_ = 0;
  std::vector<mpc::Reveal> before_;    // counts of earlier sessions
  std::vector<mpc::Reveal> written_;   // counts of all sessions, as written in the file
  std::vector<mpc::Reveal> reserved_;  // reserved counts, as written in the file
  std::vector<mpc::Reveal> largest_;   // the largest single reveal of this session, for each reason and recipient
};

}  // namespace tacit::gnn
