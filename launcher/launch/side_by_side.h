// What a run on shares and the same training on plain data came to, beside each other: their last losses and metrics.
#pragma once

#include <filesystem>
#include <string>

#include "launcher/json.h"

namespace tacit::launcher {

// Whether the parties got as far as training, as their events say: a run that failed later has figures to compare.
bool has_trained(const std::filesystem::path& output, int parties);

// From output/rank<r>/events.jsonl of the first party that saw each number, and from output/plain/events.jsonl.
struct SideBySide {
  std::string text;  // a table; "" where there is nothing to compare
  Json json;         // a list of {what, value, epoch, plain, plain_epoch}; null for a number that nobody saw
};
SideBySide side_by_side(const std::filesystem::path& output, int parties);

}  // namespace tacit::launcher
