#include "launcher/processes/lines.h"

#include <algorithm>

#include "net/printable.h"

namespace tacit::launcher {

void Lines::add(std::string_view bytes) {
  while (!bytes.empty()) {
    const std::size_t end = bytes.find('\n');
    if (end == std::string_view::npos) {
      keep(bytes);
      return;
    }
    keep(bytes.substr(0, end));
    give();
    bytes.remove_prefix(end + 1);
  }
}

void Lines::finish() {
  if (begun_) give();
}

void Lines::keep(std::string_view bytes) {
  begun_ = true;
  const std::size_t room = static_cast<std::size_t>(kMostOfLine) + 1 - line_.size();
  line_.append(bytes.substr(0, std::min(bytes.size(), room)));
}

void Lines::give() {
  if (line_.ends_with('\r')) line_.pop_back();
  take_(net::printable(line_, kMostOfLine));
  line_.clear();
  begun_ = false;
}

}  // namespace tacit::launcher
