// wrong() throws a SettingError with a formatted problem. Not installed: programs need no fmt to read plans.
#pragma once

#include <fmt/format.h>

#include <utility>

#include "gnn/plan/plans.h"

namespace tacit::gnn {

template <typename... Arguments>
[[noreturn]] void wrong(std::string_view path, fmt::format_string<Arguments...> problem, Arguments&&... arguments) {
  throw SettingError(path, fmt::format(problem, std::forward<Arguments>(arguments)...));
}

}  // namespace tacit::gnn
