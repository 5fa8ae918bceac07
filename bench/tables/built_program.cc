#include "bench/tables/built_program.h"

#include <fmt/format.h>

#include "launcher/launch/local.h"
#include "net/error.h"
#include "net/printable.h"

namespace tacit::launcher {

std::filesystem::path folder_of_programs(const std::string& folder) {
  if (!folder.empty()) return folder;
  return std::filesystem::path(own_program()).parent_path().parent_path() / "bench";
}

std::optional<std::filesystem::path> find_built_program(const std::string& folder, const std::string& name) {
  std::filesystem::path program = folder_of_programs(folder) / name;
  std::error_code unknown;
  return std::filesystem::exists(program, unknown) ? std::optional(std::move(program)) : std::nullopt;
}

std::filesystem::path built_program(const std::string& folder, const std::string& name) {
  if (auto program = find_built_program(folder, name)) return *program;
  throw ConfigError(fmt::format("{} is not in {}; say where the built benchmarks are, with --programs", name,
                                net::printable(folder_of_programs(folder).string())));
}

}  // namespace tacit::launcher
