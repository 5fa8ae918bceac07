// The figures of one run, and figures that compare several runs.
#pragma once

#include "launcher/report/measures.h"

namespace tacit::launcher {

struct RunFigures {
  std::vector<Figure> learning;  // loss and metrics, beside the training on plain data
  std::vector<Figure> epochs;    // the cost of an epoch at each rank
  std::vector<Figure> protocols, phases;
};
RunFigures figures_of(const RunAccount& run);

// Runs that differ in training.seed alone, in the order in which they were named. A run without such a relative, or
// with unknown settings, is a group of its own.
struct RunGroup {
  std::string label;  // the name of the group's line and column
  std::vector<const RunAccount*> runs;
};
std::vector<RunGroup> groups_of(const std::vector<RunAccount>& runs);

// A line for each group. For several runs, the line is their mean in a band of one standard deviation.
struct ComparedFigures {
  std::vector<Figure> learning, epochs;
};
ComparedFigures figures_of(const std::vector<RunGroup>& groups);

// The metrics of all runs, in the order of first occurrence.
std::vector<std::string> kinds_of_readings(const std::vector<RunGroup>& groups);
std::string shown_kind(const std::vector<RunGroup>& groups, const std::string& what);

// "rank 1", "dealer".
std::string name_of_rank(const RankAccount& account);

}  // namespace tacit::launcher
