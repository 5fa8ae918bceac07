// CheckpointHeader — the public part of a checkpoint: job, rank and epoch, and the shapes of the
// content.
//
// The header lies in the clear before the sealed content and is bound to it as associated data. The
// parser treats the bytes as untrusted, and limits counts, sizes and names before it uses them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "gnn/train/training_state.h"
#include "mpc/random/nonce.h"
#include "mpc/session/saved_share.h"
#include "mpc/session/session.h"

namespace tacit::gnn {

// The public part of a TrainingState.
struct StateLayout {
  struct Entry {
    std::string name;
    Shape shape;
    mpc::Format format;
    double bound = 0;
  };
  struct Known {
    std::string name;
    Shape shape;
  };

  std::int64_t epochs = 0;
  std::int64_t training_passes = 0;
  std::int64_t optimiser_steps = 0;
  std::int64_t parameters = 0;  // number of tensors that are parameters; the others belong to the optimiser
  std::int64_t stale = 0;       // early stopping: evaluations in a row without improvement
  // Parameters, optimiser, best parameters, a perturbed model's columns and encoder, then the scales of features and targets
  // that are on shares.
  std::vector<Entry> tensors;
  std::vector<std::int64_t> feature_columns, target_columns;  // of each rank's part of the data
  bool scale_of_features = false, scale_of_targets = false;
  bool best = false;                               // early stopping keeps a best model
  std::int64_t best_epoch = 0;                     // epochs after which it was the model
  std::int64_t plateau_stale = 0, reductions = 0;  // of the learning rate
  std::int64_t planned_epochs = 0;                 // 0: unknown
  std::vector<Known> known = {};                   // values that every party knows
  std::int64_t perturbed = 0;                      // tensors of a perturbed model: its columns, and its encoder

  std::int64_t content_bytes() const;  // size of the saved shares of all tensors
  std::int64_t known_bytes() const;    // size of the known values
};

StateLayout layout_of(const TrainingState& state);
// All tensors, in the order of the layout.
std::vector<Tensor> tensors_of(const TrainingState& state);
std::string encode(const StateLayout& layout);
// Throws ProtocolError for malformed bytes.
StateLayout parse_layout(std::string_view bytes);

// The name of a checkpoint, which is equal at all parties.
struct CheckpointId {
  mpc::Nonce nonce{};  // nonce of the session that wrote the checkpoint
  std::int64_t epoch = 0;

  bool operator==(const CheckpointId&) const = default;
};

struct CheckpointHeader {
  mpc::Digest job{};   // hash of the settings that all sessions of a run share
  mpc::Nonce run{};    // nonce of the session in which training began
  mpc::Nonce nonce{};  // nonce of the session that wrote the checkpoint
  mpc::Digest key{};   // StorageKey::name()
  mpc::Digest data{};  // part_digest(), hashed with the storage key
  int rank = 0;
  int parties = 1;
  // Nanoseconds since 1970, by this rank's clock; later than of all checkpoints that were in the folder before.
  std::int64_t saved_at = 0;
  StateLayout layout;
  std::vector<mpc::Reveal> reveals;  // reveals so far, in all sessions of the run
  mpc::Digest model{};               // hash of the settings on which predictions depend
  std::string settings{};            // the text with the hash `job`, one setting a line
  std::int64_t own_scale_bytes = 0;  // size of the sealed OwnScale (checkpoint.proto)

  CheckpointId id() const { return {nonce, layout.epochs}; }
};

std::string encode(const CheckpointHeader& header);
// Throws ProtocolError for malformed bytes.
CheckpointHeader parse_header(std::string_view bytes);

inline constexpr std::int64_t kMostHeaderBytes = 1 << 20;
inline constexpr int kSharesOfAScale = 3;

}  // namespace tacit::gnn
