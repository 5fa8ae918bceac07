// compare_settings makes parties with different models or settings end with one sentence, before they
// exchange gradients that do not fit together.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "net/collectives/group.h"

namespace tacit::net {

struct ComparedNumber {
  std::string_view what;  // "the number of fraction bits"
  std::int64_t value = 0;
  std::string (*shown)(std::int64_t value) = nullptr;  // null: as a number
};

// All parties call it at the same time with numbers of the same meaning. Throws ConfigError at every party if
// any party differs from rank 0 in a number, or in a parameter's size or name. One round, and a second one if
// sizes or names differ.
void compare_settings(Group& group, std::span<const ComparedNumber> numbers, std::span<const std::int64_t> sizes,
                      std::span<const std::string> names);

}  // namespace tacit::net
