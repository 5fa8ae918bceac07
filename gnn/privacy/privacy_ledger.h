// PrivacyLedger — the account of the privacy that was spent on a party's data: an append-only file of the data's owner.
//
//   PrivacyLedger ledger(path, "rank 1");          // locked: no other job can use it at the same time
//   ledger.reserve({nonce, job, data, {}}, plan);  // before the first step; refuses a job beyond the budget
//   ledger.revealed("model", "everyone", step);    // before each reveal of a value that contains steps 1 ... `step`
//   ledger.ended();                                // the job is over
//
// Each call returns when its line is on the disk. A session that does not end, because it failed or was killed, leaves
// its reservation open. This job can resume, or start afresh; another job is refused until `tacit privacy end`. A job
// that revealed nothing is charged nothing (ledger_content.h). ledger_lines.h describes the file.
//
// Jobs on the raw table, and on parts that were made from it, have one ledger: a session states the digest of its data, and of
// the table from which they were made.
//
// A value that is revealed after every step need not wait for the disk every time: revealed() may name a later step than
// the value contains. The ledger then charges up to this step if the session is cut off.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "gnn/data/cleaning_mark.h"
#include "gnn/privacy/budget.h"
#include "gnn/privacy/ledger_content.h"
#include "mpc/random/nonce.h"
#include "mpc/sealed/storage_key.h"
#include "net/descriptor.h"

namespace tacit::gnn {

struct SessionStart {
  mpc::Nonce session{};  // fresh for every session
  mpc::Digest job{};     // digest of the job's settings
  // Identifies the data. The file contains a hash of this digest; if a reader must not be able to check guesses of the data,
  // pass a keyed digest (StorageKey::hash).
  mpc::Digest data{};
  struct From {
    mpc::Nonce session{};   // the session that wrote the checkpoint
    std::int64_t step = 0;  // the last step in the checkpoint
  };
  std::optional<From> from;  // none: the session starts afresh
  // The mark of a part that `tacit data clean` made. If numbers were imputed by statistics with noise, the ledger must list the session
  // that revealed these.
  std::optional<CleaningMark> cleaning = std::nullopt;
};

// The digest of a raw table, from its print (clean/table_print.h).
mpc::Digest digest_of_table(std::string_view print);

class PrivacyLedger {
 public:
  // Makes the file if it does not exist. Throws ConfigError if it is damaged, of a later version, locked by another
  // process, or not writable. All functions below throw it as well. `owner` is for messages to all ranks.
  explicit PrivacyLedger(std::filesystem::path path, std::string owner = "this rank");

  // The account in a file, without a lock: a job may be appending to the file. Throws ConfigError if the file does not exist.
  static LedgerContent read(const std::filesystem::path& path);

  const LedgerContent& content() const { return content_; }
  bool is_new() const { return is_new_; }                // the constructor made the file
  std::int64_t recovered() const { return recovered_; }  // bytes of an incomplete line that a crash left; usually 0

  void allow(const Budget& budget);
  Charge reserve(const SessionStart& start, const PrivacyPlan& plan);
  void revealed(std::string_view what, std::string_view to, std::int64_t step);
  void ended();

 private:
  void append(const std::string& text);
  void recover(std::int64_t bytes, std::optional<std::int64_t> step);
  bool continues_open(const LedgerSession& next) const;
  void expect_no_other_job(const LedgerSession& next) const;
  std::string table_of(const CleaningMark& cleaning) const;
  LedgerSession session_of(const SessionStart& start, const PrivacyPlan& plan) const;

  std::filesystem::path path_;
  std::string owner_;
  net::Descriptor file_;
  std::int64_t size_ = 0, recovered_ = 0;
  bool is_new_ = false;
  std::string hash_;
  LedgerContent content_;
};

}  // namespace tacit::gnn
