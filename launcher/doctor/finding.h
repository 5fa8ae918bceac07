// A line of the doctor's: what was looked at, whether it is well, and what to do if it is not.
#pragma once

#include <string>
#include <vector>

namespace tacit::launcher {

struct Finding {
  enum class Kind { kOk, kNote, kWrong };
  Kind kind = Kind::kOk;
  std::string what;  // "key", "rank 2"
  std::string text;
};

std::string text_of(const std::vector<Finding>& findings);

}  // namespace tacit::launcher
