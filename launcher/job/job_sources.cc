#include "launcher/job/job_sources.h"

#include <fmt/format.h>

#include "net/error.h"

namespace tacit::launcher {

Source JobSources::of(std::string_view path) const {
  if (const auto found = sources_.find(path); found != sources_.end()) return found->second;
  for (const auto& [outer, source] : covers_) {
    if (path.starts_with(outer) &&
        (path.size() == outer.size() || path[outer.size()] == '.' || path[outer.size()] == '['))
      return source;
  }
  return Source::by_default();
}

void JobSources::wrong(std::string_view path, std::string_view what) const {
  const Source source = of(path);
  throw ConfigError(source.kind == Source::Kind::kDefault ? fmt::format("{}: {}", path, what)
                                                          : fmt::format("{}: {}: {}", source.place(), path, what));
}

}  // namespace tacit::launcher
