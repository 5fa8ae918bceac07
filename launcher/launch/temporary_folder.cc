#include "launcher/launch/temporary_folder.h"

#include <fmt/format.h>
#include <stdlib.h>

#include <cerrno>
#include <cstdlib>
#include <system_error>

#include "net/error.h"
#include "net/printable.h"

namespace tacit::launcher {

namespace fs = std::filesystem;

fs::path new_temporary_folder(const std::string& name) {
  std::error_code none;
  fs::path folder = fs::temp_directory_path(none);
  if (none) {
    const char* named = std::getenv("TMPDIR");
    folder = named == nullptr ? "/tmp" : named;
  }
  std::string pattern = (folder / (name + "-XXXXXX")).string();
  if (!none && ::mkdtemp(pattern.data()) != nullptr) return pattern;
  const std::error_code why = none ? none : std::error_code(errno, std::generic_category());
  throw ConfigError(fmt::format("no folder can be made in {}: {}; set TMPDIR to one where you may write",
                                net::printable(folder.string()), why.message()));
}

}  // namespace tacit::launcher
