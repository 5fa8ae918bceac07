// The rules on #include that keep the layers apart, checked on a source tree.
//
// Arrows go down only: launcher → gnn → mpc → net, and folders make no circle. tests/ and tools/ may include anything
// and nothing includes them. bench/, the laboratory, may include the layers, and only launcher/commands/ includes it. A
// dependency with a home of its own is included there and nowhere else in the layers.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace tacit {

struct IncludeCheck {
  int includes = 0;                 // the number of checked lines: zero means a wrong root
  std::vector<std::string> broken;  // "net/tcp/wire.h:12: …", one sentence each
  std::vector<std::string> circle;  // folders: each includes the next, and the last the first; or empty
};

IncludeCheck check_includes(const std::filesystem::path& root);

}  // namespace tacit
