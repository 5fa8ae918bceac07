// Finds the directory of a ZIP archive from the records at the end of the file.
#pragma once

#include <cstdint>

#include "gnn/data/byte_source.h"

namespace tacit::gnn::zip {

constexpr std::int64_t kMostMembers = 4096;
constexpr std::int64_t kMostDirectoryBytes = 4 << 20;

struct Directory {
  std::int64_t at = 0;
  std::int64_t bytes = 0;
  std::int64_t members = 0;
};

// Throws ConfigError unless the directory lies inside the file, respects the limits, and is long
// enough for its members.
Directory find_directory(const ByteSource& file);

}  // namespace tacit::gnn::zip
