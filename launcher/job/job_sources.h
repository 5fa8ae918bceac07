// JobSources — the place that each setting of a job came from, by the setting's path:
// "training.optimiser.rate", "model.layers[1].outputs".
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "launcher/settings/source.h"

namespace tacit::launcher {

class JobSources {
 public:
  void set(const std::string& path, Source source) { sources_[path] = std::move(source); }
  // Gives the source to all settings within `path` that have no source of their own.
  void cover(const std::string& path, Source source) { covers_[path] = std::move(source); }

  Source of(std::string_view path) const;  // a default if the path is unknown
  bool is_default(std::string_view path) const { return of(path).kind == Source::Kind::kDefault; }

  // Throws ConfigError. The message begins with the setting's place and name.
  [[noreturn]] void wrong(std::string_view path, std::string_view what) const;

 private:
  std::map<std::string, Source, std::less<>> sources_, covers_;
};

}  // namespace tacit::launcher
