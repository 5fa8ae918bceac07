// ZipArchive — the members of a ZIP file: names, sizes, places. ZipMemberReader gives their bytes.
//
// All that the directory says is checked when the archive is opened: every member lies inside the file, none overlaps
// another, has the name of another, is encrypted, or declares more bytes than its compressed ones can become. Nothing
// is allocated on the word of the file but the directory, whose size is limited (zip_directory.h).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "gnn/data/byte_source.h"

namespace tacit::gnn {

struct ZipMember {
  std::string name;
  bool deflated = false;
  std::uint32_t crc = 0;
  std::int64_t header_at = 0;
  std::int64_t data_at = 0;
  std::int64_t packed_bytes = 0;  // in the file
  std::int64_t bytes = 0;         // unpacked: at most 1032 times as many
};

class ZipArchive {
 public:
  // Throws ConfigError. The file outlives the archive.
  explicit ZipArchive(const ByteSource& file);

  const ByteSource& file() const { return *file_; }
  const std::vector<ZipMember>& members() const { return members_; }  // in the directory's order
  const ZipMember* find(std::string_view name) const;                 // nullptr if there is none

 private:
  const ByteSource* file_;
  std::vector<ZipMember> members_;
};

}  // namespace tacit::gnn
