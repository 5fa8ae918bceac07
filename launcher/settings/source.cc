#include "launcher/settings/source.h"

#include <fmt/format.h>

#include "net/printable.h"

namespace tacit::launcher {

std::string Source::text() const {
  const std::string safe = net::printable(name);
  switch (kind) {
    case Kind::kDefault:
      return safe.empty() ? "default" : fmt::format("default: {}", safe);
    case Kind::kFile:
      return line > 0 ? fmt::format("{}:{}", safe, line) : safe;
    case Kind::kEnvironment:
      return fmt::format("{} in the environment", safe);
    case Kind::kFlag:
      return safe;
  }
  return "";
}

std::string Source::place() const {
  return kind == Kind::kFile && line > 0 ? fmt::format("{}:{}", text(), column) : text();
}

}  // namespace tacit::launcher
