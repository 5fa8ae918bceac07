// A checkpoint as it lies on the disk:
//
//   magic, 8 bytes | format, 4 | bytes of the header, 4 | bytes in all, 8        little-endian
//   header                                                                       CheckpointHeader, in the clear
//   sealed content                                                               what was seen | saved shares, as laid
//   out checksum, 32 bytes                                                           BLAKE2b of all before
//
// Everything before the sealed content is its associated data. The checksum needs no key: it tells damage from a file
// that is whole but somebody else's, or was altered on purpose.
#pragma once

#include <filesystem>

#include "gnn/checkpoint/checkpoint_header.h"

namespace tacit::gnn {

inline constexpr std::uint32_t kCheckpointFormat = 2;

struct CheckpointContent {
  std::vector<mpc::SavedShare> tensors;  // as in the header's layout
  struct Seen {                          // what was revealed to this rank
    std::optional<double> first_loss, best;
  };
  Seen seen;
};

std::vector<std::byte> encode_checkpoint(const CheckpointHeader& header, const CheckpointContent& content,
                                         const mpc::StorageKey& key);

class CheckpointFile {
 public:
  // Throws ConfigError: it is no checkpoint, of a newer format, truncated, damaged. Reads no more than the file has,
  // and nothing of a file that is not of the length that it states.
  static CheckpointFile read(const std::filesystem::path& path);
  static CheckpointFile parse(std::vector<std::byte> bytes, const std::filesystem::path& path);  // path: for messages

  const CheckpointHeader& header() const { return header_; }
  // Throws ConfigError if it was altered, or sealed under another key.
  CheckpointContent open(const mpc::StorageKey& key) const;

 private:
  CheckpointFile() = default;

  std::filesystem::path path_;
  std::vector<std::byte> bytes_;
  CheckpointHeader header_;
  std::size_t sealed_at_ = 0;
};

}  // namespace tacit::gnn
