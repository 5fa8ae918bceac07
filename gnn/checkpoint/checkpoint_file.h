// CheckpointFile — the file format of a checkpoint, and its parser. A file has four parts:
//
//   prefix, 24 bytes     magic, 8 | format, 4 | bytes of the header, 4 | bytes of the file, 8
//                        (little-endian)
//   header               a CheckpointHeader, in the clear
//   sealed content       values that were revealed to this rank | saved shares, in the layout's order |
//                        how the party's own data were scaled (OwnScale in checkpoint.proto) | values that every
//                        party knows, in the layout's order, 8 bytes each
//   checksum, 32 bytes   BLAKE2b of all bytes before it
//
// The prefix and the header are the associated data of the sealed content. The checksum needs no
// key, and tells a damaged file from an undamaged one that belongs to another party or was altered
// on purpose.
#pragma once

#include <filesystem>

#include "gnn/checkpoint/checkpoint_header.h"

namespace tacit::gnn {

inline constexpr std::uint32_t kCheckpointFormat = 4;

struct CheckpointContent {
  std::vector<mpc::SavedShare> tensors;  // in the order of the header's layout
  struct Seen {                          // values that were revealed to this rank
    std::optional<double> first_loss, best, plateau_best;
  };
  Seen seen;
  // The party's own columns, and the powers of two of columns that were scaled on shares.
  DataScale::Own own;
  std::vector<int> feature_powers, target_powers;
  std::vector<NamedMatrix> known;     // in the order of the header's layout
  std::vector<double> readings = {};  // of a perturbed model (TrainingState::Perturbed)
};

// Sets header.own_scale_bytes.
std::vector<std::byte> encode_checkpoint(CheckpointHeader header, const CheckpointContent& content,
                                         const mpc::StorageKey& key);

class CheckpointFile {
 public:
  // Reads and verifies a file. Throws ConfigError for a file that is no checkpoint, has another
  // format, is truncated or is damaged. Reads the prefix alone if the file has another length than
  // the prefix states.
  static CheckpointFile read(const std::filesystem::path& path);
  static CheckpointFile parse(std::vector<std::byte> bytes, const std::filesystem::path& path);  // path: for errors

  const CheckpointHeader& header() const { return header_; }
  // Unseals the content. Throws ConfigError if the file was altered, or was sealed under another
  // key.
  CheckpointContent open(const mpc::StorageKey& key) const;

 private:
  CheckpointFile() = default;

  std::filesystem::path path_;
  std::vector<std::byte> bytes_;
  CheckpointHeader header_;
  std::size_t sealed_at_ = 0;
};

}  // namespace tacit::gnn
