// KeptShareFile — the file that stores the share of a revealed value beside its checkpoint:
//
//   magic, 8 bytes | header | the sealed share, with the header as associated data
//
// The reader treats the bytes as untrusted. Before it allocates the share, it compares the header
// with the expected one and the length with the header's shape.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "gnn/checkpoint/checkpoint_header.h"

namespace tacit::gnn {

struct KeptShareHeader {
  mpc::Digest model{};      // StoreOptions::model, on which predictions depend besides the parameters
  mpc::Digest data{};       // CheckpointHeader::data
  CheckpointId checkpoint;  // the checkpoint with the state from which the value was computed
  int rank = 0;
  int parties = 1;
  std::string name;      // "test rmse"
  mpc::Nonce session{};  // session that made the share: shares belong together if all parties have the same one
  Shape shape;
  mpc::Format format;
};

void write_kept_share(const std::filesystem::path& path, const KeptShareHeader& header, const mpc::SavedShare& share,
                      const mpc::StorageKey& key);

// A kept share, and the session that made it, which the caller does not know beforehand.
struct KeptShare {
  mpc::Nonce session{};
  mpc::SavedShare share;
};

// Reads a kept share. Empty if the file does not exist, is damaged, was altered, or has another
// header than the expected one. The session, shape and format come from the file.
std::optional<KeptShare> read_kept_share(const std::filesystem::path& path, KeptShareHeader expected,
                                         const mpc::StorageKey& key);

}  // namespace tacit::gnn
