// Npz — an .npz file: arrays by name, as numpy.savez and savez_compressed write them.
//
// Opening one checks the archive; an array is read, and its header and checksum checked, when it is asked for.
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

  NpyArray read(std::string_view key) const;  // throws ConfigError, also when there is no such key

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
  std::optional<std::vector<std::string>> text = std::nullopt;  // instead of the array: UTF-8, written as type U
};

// Replaces `path` as a whole or not at all (atomic_file.h); its owner alone may read it. Throws ConfigError.
void write_npz(const std::filesystem::path& path, const std::vector<NamedArray>& arrays,
               Compression compression = Compression::kDeflated);

void write_npz(ZipWriter& archive, const std::vector<NamedArray>& arrays, Compression compression);

}  // namespace tacit::gnn
