#include "bench/tables/others.h"

#include <string_view>
#include <utility>

namespace tacit::launcher {

std::vector<std::pair<std::string_view, std::string_view>> embedded_others();  // files' names and texts

std::vector<Measurements> others(const std::string& bench) {
  std::vector<Measurements> all;
  for (const auto& [name, text] : embedded_others()) {
    Measurements one = Measurements::from_json(Json::parse(text), std::string(name));
    if (one.bench() == bench) all.push_back(std::move(one));
  }
  return all;
}

}  // namespace tacit::launcher
