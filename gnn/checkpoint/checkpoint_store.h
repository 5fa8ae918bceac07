// CheckpointStore — a party's checkpoints of one job, in a folder of its own.
//
// agree_on_checkpoint (resume.h) chooses the checkpoint from which all parties resume. The parties
// run in lock step: no party completes an epoch before all parties have begun it, and therefore
// have written every earlier checkpoint. Therefore two parties are at most one checkpoint apart. Each
// party keeps its newest two checkpoints, and the one from which it resumed until there are two
// newer ones, so that at least one checkpoint is at all parties.
//
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
  std::filesystem::path folder;  // is created with mode 0700; an existing folder must belong to this user alone
  std::string key;               // file of this party's storage key
  mpc::Digest job{};             // hash of the settings that all sessions of a run share; run_training() sets it
  mpc::Digest data{};            // part_digest() of this party's part
  int rank = 0;
  int parties = 1;
  int keep = 2;             // number of checkpoints, at least 2
  mpc::Digest model{};      // hash of the settings on which predictions depend; run_training() sets it
  std::string settings{};   // the text with the hash `job`, one setting a line, for errors; set in the same way
  bool predicting = false;  // accepts a checkpoint of any job with the same `model`
  bool other_data = false;  // and of other data than `data`
  std::int64_t saved = 0;   // epoch of the newest checkpoint that this rank kept, as the caller knows; 0: none
};

// A checkpoint from which a training can resume.
struct ResumePoint {
  CheckpointId id;  // at the dealer: without a nonce
  StateLayout layout;
  bool same_data = true;  // this party's data are the data of the training
};

class CheckpointStore {
 public:
  // Loads the key and prepares the folder. Throws ConfigError if the key or the folder cannot be
  // used.
  explicit CheckpointStore(StoreOptions options);

  // Reads and verifies every checkpoint in the folder. A refused file is skipped, and a sentence
  // explains why; if many files are refused, the first few are explained. Throws ConfigError if the
  // reveal ledger is damaged.
  struct Found {
    std::vector<ResumePoint> usable;   // newest first
    std::vector<std::string> refused;  // names paths of this rank, but no data
    std::int64_t saved = 0;            // epoch of the newest checkpoint that this rank kept; 0: none
  };
  Found find();

  // Every session calls begin() or resume() once, before its first reveal. The store must outlive
  // the session's reveals. The count of reveals continues from earlier sessions of this job in this
  // folder, even in a new run.
  void begin(mpc::Session& session, const mpc::Nonce& nonce);  // a new run
  TrainingState resume(mpc::Session& session, const mpc::Nonce& nonce, const CheckpointId& id);

  // Writes a checkpoint. On return it is on the disk, and superseded checkpoints of the run are
  // deleted.
  void save(const mpc::Session& session, const TrainingState& state);

  // The share of a revealed value `name` that this party keeps for checkpoint `id`; empty if there
  // is no such file.
  std::optional<KeptShare> kept(const CheckpointId& id, const std::string& name) const;
  // Keeps the share of a revealed value, for checkpoint `id` or for this session's state after
  // `epoch`. The session must have begun. On return the share is on the disk. The file is deleted
  // together with the checkpoint.
  void keep(const CheckpointId& id, const std::string& name, const mpc::SavedShare& share) const;
  void keep(std::int64_t epoch, const std::string& name, const mpc::SavedShare& share) const {
    keep(CheckpointId{nonce_, epoch}, name, share);
  }

  // The digest, hashed with this party's storage key.
  mpc::Digest keyed(const mpc::Digest& digest) const { return key_.hash(digest); }

  // The reveals of all sessions of the job in this folder.
  std::vector<mpc::Reveal> reveals(const mpc::Session& session) const { return ledger_.total(session.reveals()); }

  // Steps of a private training in all sessions of the job in this folder, as far as revealed values contain them. The
  // session must have begun. set_steps() is called before a value with more steps is revealed.
  std::int64_t steps() const { return ledger_.steps(); }
  void set_steps(std::int64_t steps) { ledger_.set_steps(steps); }

  // Reads one checkpoint. Throws ConfigError as CheckpointFile does, or if the file belongs to
  // another party or job.
  CheckpointFile read(const std::filesystem::path& file) const;

 private:
  struct Usable {
    std::filesystem::path path;
    CheckpointHeader header;
  };
  std::vector<Usable> usable(std::vector<std::string>& refused) const;
  const Usable* found(const CheckpointId& id) const;  // among the results of the last find()
  std::vector<std::filesystem::path> ledgers() const;
  void start(mpc::Session& session, const mpc::Nonce& nonce, const mpc::Nonce& run, RevealLedger::Account account);
  std::string prefix() const;
  std::string stem_of(const CheckpointId& id) const;  // stem of the names of a checkpoint's files
  std::filesystem::path kept_path(const CheckpointId& id, const std::string& name) const;
  KeptShareHeader kept_header(const CheckpointId& id, const std::string& name) const;
  std::string ledger_prefix() const;

  StoreOptions options_;
  mpc::StorageKey key_;
  mpc::Digest data_;          // hashed with the key
  mpc::Digest ledger_job_{};  // job of the ledger: this job, or the job of the checkpoint that predicts
  mpc::Nonce run_{}, nonce_{};
  std::int64_t saved_at_ = 0;  // time of the newest checkpoint in the folder
  RevealLedger ledger_;
  std::vector<Usable> found_;
  std::vector<std::filesystem::path> kept_;        // the one it resumed from and this session's, oldest first
  std::vector<std::filesystem::path> superseded_;  // other checkpoints of the run, deleted at the next save()
};

// Makes a TrainingState from a checkpoint's content. resume() calls it at a party; the dealer calls
// the second form, which makes the same session calls without a content.
TrainingState restored(mpc::Session& session, const StateLayout& layout, const CheckpointContent& content, int rank);
TrainingState restored_by_dealer(mpc::Session& session, const StateLayout& layout);

}  // namespace tacit::gnn
