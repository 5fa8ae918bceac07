// side_by_side — compares the last losses and metrics of a run on shares with the same training on
// plain data.
#pragma once

#include <filesystem>
#include <string>

#include "launcher/json.h"

namespace tacit::launcher {

// True if a party has begun to train, according to its events. A run that failed later still has figures to compare.
bool has_trained(const std::filesystem::path& output, int parties);

// Figures from output/rank<r>/events.jsonl, of the first party that saw each number, and from
// output/plain/events.jsonl.
struct SideBySide {
  std::string text;  // a table; "": nothing to compare
  // A list of {what, value, epoch, plain, plain_epoch}; null for a number that no party saw. Of a confusion matrix, the values are
  // accuracies, and there are {counts, plain_counts} as well.
  Json json;
};
SideBySide side_by_side(const std::filesystem::path& output, int parties);

}  // namespace tacit::launcher
