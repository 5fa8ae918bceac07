// The figures of one run, and those that compare several.
#pragma once

#include "launcher/report/measures.h"

namespace tacit::launcher {

struct RunFigures {
  std::vector<Figure> learning;  // loss and readings, beside plain data
  std::vector<Figure> epochs;    // what an epoch costs each rank
  std::vector<Figure> protocols, phases;
};
RunFigures figures_of(const RunAccount& run);

struct ComparedFigures {
  std::vector<Figure> learning, epochs;
};
ComparedFigures figures_of(const std::vector<RunAccount>& runs);

// "ranks 0, 1, 2" of "rank 0", "rank 1", "rank 2"; parties and the dealer are said so.
std::string name_of_rank(const RankAccount& account);

}  // namespace tacit::launcher
