// CheckpointHeader — what of a checkpoint is not secret: whose it is, of which moment, and the shape of its content.
//
// It lies in the clear before the sealed content and is bound to it. Bytes to parse are untrusted: counts, sizes and
// names are limited before anything follows from them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "gnn/train/training_state.h"
#include "mpc/random/nonce.h"
#include "mpc/session/saved_share.h"
#include "mpc/session/session.h"

namespace tacit::gnn {

// Of a TrainingState what is public.
struct StateLayout {
  struct Entry {
    std::string name;
    Shape shape;
    mpc::Format format;
    double bound = 0;
  };

  std::int64_t epochs = 0;
  std::int64_t training_passes = 0;
  std::int64_t optimiser_steps = 0;
  std::int64_t parameters = 0;  // so many of the tensors; the rest is the optimiser's
  std::int64_t stale = 0;       // of early stopping
  std::vector<Entry> tensors;

  std::int64_t content_bytes() const;  // of all tensors' saved shares
};

StateLayout layout_of(const TrainingState& state);
std::string encode(const StateLayout& layout);
// Throws ProtocolError.
StateLayout parse_layout(std::string_view bytes);

// A moment of a training that all parties have in common.
struct CheckpointId {
  mpc::Nonce nonce{};  // of the session that wrote it
  std::int64_t epoch = 0;

  bool operator==(const CheckpointId&) const = default;
};

struct CheckpointHeader {
  mpc::Digest job{};
  mpc::Nonce run{};    // the nonce of the session in which training began
  mpc::Nonce nonce{};  // of the session that wrote it
  mpc::Digest key{};   // StorageKey::name()
  mpc::Digest data{};  // part_digest(), hashed with the storage key
  int rank = 0;
  int parties = 1;
  std::int64_t saved_at = 0;  // nanoseconds since 1970, by this rank's clock
  StateLayout layout;
  std::vector<mpc::Reveal> reveals;  // so far, in all sessions of the run
  mpc::Digest model{};               // hash of the settings that predicting depends on
  std::string settings{};            // the text that `job` is a hash of, a setting to the line

  CheckpointId id() const { return {nonce, layout.epochs}; }
};

std::string encode(const CheckpointHeader& header);
// Throws ProtocolError.
CheckpointHeader parse_header(std::string_view bytes);

inline constexpr std::int64_t kMostHeaderBytes = 1 << 20;

}  // namespace tacit::gnn
