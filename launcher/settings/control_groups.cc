#include "launcher/settings/control_groups.h"

#include <fstream>
#include <string>

namespace tacit::launcher {

namespace fs = std::filesystem;

void for_each_group(const fs::path& root, std::string_view controller,
                    const std::function<void(const fs::path& group, Hierarchy hierarchy)>& look) {
  const auto look_from = [&](const fs::path& mount, const std::string& path, Hierarchy hierarchy) {
    // In a container the path may be the host's, which does not exist here. The mount itself is then the group.
    for (fs::path group = fs::path(path).relative_path();; group = group.parent_path()) {
      look(mount / group, hierarchy);
      if (group.empty()) return;
    }
  };
  std::ifstream in(root / "proc/self/cgroup");
  for (std::string line; std::getline(in, line);) {  // "0::/path", or "4:memory:/path"
    const std::size_t first = line.find(':'), second = line.find(':', first == std::string::npos ? first : first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1), path = line.substr(second + 1);
    const std::string one = "," + std::string(controller) + ",";
    if (controllers.empty()) {
      look_from(root / "sys/fs/cgroup", path, Hierarchy::kUnified);
    } else if (("," + controllers + ",").find(one) != std::string::npos) {
      look_from(root / "sys/fs/cgroup" / controller, path, Hierarchy::kOfController);
    }
  }
}

}  // namespace tacit::launcher
