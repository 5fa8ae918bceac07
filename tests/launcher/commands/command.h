// Runs the command in this process.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "launcher/answer.h"

namespace tacit::launcher {

struct Ran {
  int exit_code = -1;
  std::string out, err;

  Json json() const { return Json::parse(out); }
};
std::ostream& operator<<(std::ostream& text, const Ran& ran);

Ran tacit(const std::vector<std::string>& words);

}  // namespace tacit::launcher
