// A share that was revealed, as it lies on the disk beside its checkpoint:
//
//   magic, 8 bytes | header, as encode_header() has it | the share, sealed: the header is its associated data
//
// Bytes to read are untrusted: the header must be the one that is expected, and the file of the length that follows
// from its shape, before anything is allocated.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "gnn/checkpoint/checkpoint_header.h"

namespace tacit::gnn {

struct KeptShareHeader {
  mpc::Digest model{};      // StoreOptions::model: what predictions depend on, beside the parameters
  mpc::Digest data{};       // CheckpointHeader::data
  CheckpointId checkpoint;  // of whose state it was revealed
  int rank = 0;
  int parties = 1;
  std::string name;      // "test rmse"
  mpc::Nonce session{};  // in which the share was made: equal at all parties where their shares belong together
  Shape shape;
  mpc::Format format;
};

void write_kept_share(const std::filesystem::path& path, const KeptShareHeader& header, const mpc::SavedShare& share,
                      const mpc::StorageKey& key);

// A share and the part of its header that the caller does not know beforehand.
struct KeptShare {
  mpc::Nonce session{};
  mpc::SavedShare share;
};

// Nothing where there is no such file, or where it is damaged, altered, or not the one that is expected but for its
// session, shape and format.
std::optional<KeptShare> read_kept_share(const std::filesystem::path& path, KeptShareHeader expected,
                                         const mpc::StorageKey& key);

}  // namespace tacit::gnn
