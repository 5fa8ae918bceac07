#include "launcher/data/new_file.h"

#include <fmt/format.h>

#include "net/error.h"

namespace tacit::launcher {

void expect_absent(const std::filesystem::path& path, bool force) {
  if (force || !std::filesystem::exists(std::filesystem::symlink_status(path))) return;
  throw ConfigError(
      fmt::format("{} is there already; choose another name, or say --force to replace it", path.string()));
}

}  // namespace tacit::launcher
