#include "launcher/launch/temporary_folder.h"

#include <stdlib.h>

#include "net/error.h"

namespace tacit::launcher {

namespace fs = std::filesystem;

fs::path new_temporary_folder(const std::string& name) {
  std::string pattern = (fs::temp_directory_path() / (name + "-XXXXXX")).string();
  if (::mkdtemp(pattern.data()) != nullptr) return pattern;
  throw ConfigError("no folder can be made in " + fs::temp_directory_path().string() + "; set TMPDIR to another");
}

}  // namespace tacit::launcher
