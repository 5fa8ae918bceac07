// Npz — reads an .npz file: named arrays, as numpy.savez and savez_compressed write them.
//
// The constructor validates the archive. read() reads one array and verifies its header and
// checksum.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gnn/data/npy_array.h"
#include "gnn/data/zip_archive.h"
#include "gnn/data/zip_writer.h"

namespace tacit::gnn {

class Npz {
 public:
  explicit Npz(const std::filesystem::path& path);  // throws ConfigError
  explicit Npz(std::unique_ptr<const ByteSource> file);

  const std::vector<std::string>& keys() const { return keys_; }
  bool has(std::string_view key) const;

  NpyArray read(std::string_view key) const;  // throws ConfigError, also if the key does not exist
  // Refuses an array of more than `most_bytes`, before memory for it is allocated.
  NpyArray read(std::string_view key, std::int64_t most_bytes) const;

  bool is_text(std::string_view key) const;                        // by the array's header
  std::vector<std::string> read_text(std::string_view key) const;  // as read_npy_text()

  const Place& place() const { return file_->place(); }

 private:
  template <typename Read>
  auto read_member(std::string_view key, const Read& read) const;

  std::unique_ptr<const ByteSource> file_;
  ZipArchive archive_;
  std::vector<std::string> keys_;
};

struct NamedArray {
  std::string key;
  NpyArray array;
  std::optional<std::vector<std::string>> text = std::nullopt;  // replaces the array: UTF-8, written as type U
};

// Writes `path` as a whole or not at all (atomic_file.h). Only its owner may read the file. Throws
// ConfigError.
void write_npz(const std::filesystem::path& path, const std::vector<NamedArray>& arrays,
               Compression compression = Compression::kDeflated);

void write_npz(ZipWriter& archive, const std::vector<NamedArray>& arrays, Compression compression);

}  // namespace tacit::gnn
