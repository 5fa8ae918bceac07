// TrainingEnd — how a training ended: after its last epoch, by a loss that diverged, or by a value that left its
// declared range.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "gnn/data/graph_data.h"
#include "gnn/plan/plans.h"
#include "launcher/report/run_account.h"

namespace tacit::launcher {

struct TrainingEnd {
  enum class Kind { kTrained, kDiverged, kLeftRange };
  Kind kind = Kind::kTrained;
  std::int64_t epoch = 0;      // the last one; or the one that ended the training early, 0: before the first
  std::optional<double> loss;  // the last one before the end

  bool trained() const { return kind == Kind::kTrained; }
  std::string word() const;  // "trains", "diverges", "leaves its range"
};

// Reads the end from a rank's error, which names no loss. Nullopt: the error has another reason.
std::optional<TrainingEnd> end_in(const std::string& error);

// Finds the end of a run on shares that reveals its losses. Nullopt: the run failed for another reason.
std::optional<TrainingEnd> end_on_shares(const RunAccount& run);

// Trains the twin (plaintext reference). The divergence guard of a run on shares judges the twin's losses too, and ends
// its training. The twin has no declared ranges.
TrainingEnd end_of_twin(const gnn::Plans& plans, const gnn::GraphData& whole);

// A training on shares beside its twin.
enum class BesideTwin { kTrains, kDivergesAlike, kDivergesAlone, kTwinDivergesAlone };
inline constexpr int kKindsBesideTwin = 4;
BesideTwin beside_twin(const TrainingEnd& ours, const TrainingEnd& twin);
std::string text_of(BesideTwin kind);  // "diverges alone"

}  // namespace tacit::launcher
