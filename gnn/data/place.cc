#include "gnn/data/place.h"

#include <fmt/format.h>

#include "net/error.h"
#include "net/printable.h"

namespace tacit::gnn {

Place Place::within(std::string_view part) const {
  return Place(fmt::format("{}: {}", text_, net::printable(part, 80)));
}

void Place::wrong(std::string_view what, std::string local_detail) const {
  throw ConfigError(fmt::format("{}: {}", text_, what), std::move(local_detail));
}

}  // namespace tacit::gnn
