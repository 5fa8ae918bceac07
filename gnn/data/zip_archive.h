// ZipArchive — the members of a ZIP file: names, sizes and positions. ZipMemberReader reads their
// bytes.
//
// The constructor validates the directory. Every member lies inside the file. No member overlaps
// another, has the name of another, is encrypted, or declares more bytes than its compressed bytes
// can expand to. The only memory that depends on sizes in the file is the directory, which has a
// limited size (zip_directory.h).
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
  std::int64_t packed_bytes = 0;  // size in the file
  std::int64_t bytes = 0;         // unpacked size: at most 1032 times packed_bytes
};

class ZipArchive {
 public:
  // Throws ConfigError. The file must outlive the archive.
  explicit ZipArchive(const ByteSource& file);

  const ByteSource& file() const { return *file_; }
  const std::vector<ZipMember>& members() const { return members_; }  // in the directory's order
  const ZipMember* find(std::string_view name) const;                 // null if no member has the name

 private:
  const ByteSource* file_;
  std::vector<ZipMember> members_;
};

}  // namespace tacit::gnn
