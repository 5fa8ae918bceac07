// The control groups of this process (cgroup, version 1 and 2), which hold the limits of a container.
#pragma once

#include <filesystem>
#include <functional>
#include <string_view>

namespace tacit::launcher {

enum class Hierarchy { kUnified, kOfController };  // version 2, with one tree for all; version 1, with a tree for each

// Calls look(folder, hierarchy) for this process' group and for every group around it. `controller`: "cpu", "memory".
// `root` is "/", except in tests.
void for_each_group(const std::filesystem::path& root, std::string_view controller,
                    const std::function<void(const std::filesystem::path& group, Hierarchy hierarchy)>& look);

}  // namespace tacit::launcher
