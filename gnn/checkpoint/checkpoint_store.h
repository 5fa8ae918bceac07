// CheckpointStore — a party's checkpoints of one job, in a folder of its own.
//
// Which of them may be resumed from is for all parties to say: agree_on_checkpoint (resume.h). Parties run in lock
// step: none completes an epoch before all have begun it, and so have kept what was to be kept before. So they are
// never further apart than one checkpoint, and who keeps the newest two, and what it resumed from until there are two
// newer ones, always has one that all others have.
// Thread: the session's.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "gnn/checkpoint/checkpoint_file.h"
#include "gnn/checkpoint/kept_share_file.h"
#include "gnn/checkpoint/reveal_ledger.h"

namespace tacit::gnn {

struct StoreOptions {
  std::filesystem::path folder;  // made with mode 0700, or this user's alone already
  std::string key;               // file of this party's storage key
  mpc::Digest job{};             // hash of the settings that all sessions of a run share; run_training() sets it
  mpc::Digest data{};            // part_digest() of this party's part
  int rank = 0;
  int parties = 1;
  int keep = 2;             // checkpoints, at least 2
  mpc::Digest model{};      // hash of the settings that predicting depends on; run_training() sets it
  std::string settings{};   // what `job` is a hash of, a setting to the line, for messages; likewise
  bool predicting = false;  // then a checkpoint of any job with the same `model` is used
  std::int64_t saved = 0;   // epoch of the newest checkpoint that this rank knows to have kept, by another account
};

// What can be resumed from.
struct ResumePoint {
  CheckpointId id;  // at the dealer: no nonce
  StateLayout layout;
};

class CheckpointStore {
 public:
  // Throws ConfigError: the key, an input file, the folder.
  explicit CheckpointStore(StoreOptions options);

  // Every file is read and verified. A file that is refused is told, in a sentence, and passed over; of many, the first
  // few. Throws ConfigError where the account of what was revealed is damaged.
  struct Found {
    std::vector<ResumePoint> usable;   // newest first
    std::vector<std::string> refused;  // names nobody's data, but this rank's paths
    std::int64_t saved = 0;            // epoch of the newest checkpoint that was kept here; 0: none
  };
  Found find() const;

  // Once in each session, before anything is revealed. The store must outlive the session's reveals. What was revealed
  // in this folder for this job before counts on, in a new run too.
  void begin(mpc::Session& session, const mpc::Nonce& nonce);  // a new run
  TrainingState resume(mpc::Session& session, const mpc::Nonce& nonce, const CheckpointId& id);

  // On disk when it returns; older ones of the run are gone.
  void save(const mpc::Session& session, const TrainingState& state);

  // The share that was revealed as `name` of that checkpoint's state, where this party holds it.
  std::optional<KeptShare> kept(const CheckpointId& id, const std::string& name) const;
  // Once a session has begun. The state is that of `id`, or that of this session after `epoch`. On disk when it
  // returns; it goes with the checkpoint.
  void keep(const CheckpointId& id, const std::string& name, const mpc::SavedShare& share) const;
  void keep(std::int64_t epoch, const std::string& name, const mpc::SavedShare& share) const {
    keep(CheckpointId{nonce_, epoch}, name, share);
  }

  // In all sessions of the job in this folder.
  std::vector<mpc::Reveal> reveals(const mpc::Session& session) const { return ledger_.total(session.reveals()); }

  // One file. Throws ConfigError: as CheckpointFile, or it is not this party's, or of another job.
  CheckpointFile read(const std::filesystem::path& file) const;

 private:
  struct Usable {
    std::filesystem::path path;
    CheckpointHeader header;
  };
  std::vector<Usable> usable(std::vector<std::string>& refused) const;
  std::vector<std::filesystem::path> ledgers() const;
  void start(mpc::Session& session, const mpc::Nonce& nonce, const mpc::Nonce& run, RevealLedger::Account account);
  std::string prefix() const;
  std::string stem_of(const CheckpointId& id) const;  // of its files' names
  std::filesystem::path kept_path(const CheckpointId& id, const std::string& name) const;
  KeptShareHeader kept_header(const CheckpointId& id, const std::string& name) const;
  std::string ledger_prefix() const;

  StoreOptions options_;
  mpc::StorageKey key_;
  mpc::Digest data_;          // hashed with the key
  mpc::Digest ledger_job_{};  // the job of the ledger: this one, or that of the checkpoint that predicts
  mpc::Nonce run_{}, nonce_{};
  RevealLedger ledger_;
  std::vector<std::filesystem::path> kept_;        // of this session and what it resumed from, oldest first
  std::vector<std::filesystem::path> superseded_;  // others of the run: they go when the next is kept
};

// The dealer's part of resume(), and what resume() does with what it has read: all ranks make the same calls.
TrainingState restored(mpc::Session& session, const StateLayout& layout, const CheckpointContent& content);
TrainingState restored_by_dealer(mpc::Session& session, const StateLayout& layout);

}  // namespace tacit::gnn
