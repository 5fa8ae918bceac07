// Finding — one line of `tacit doctor`: the subject, its state, and a remedy for a problem.
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
