#include "bench/tables/training_end.h"

#include <array>
#include <charconv>
#include <string_view>

#include "gnn/metric/divergence.h"
#include "launcher/launch/twin.h"

namespace tacit::launcher {

namespace {

using Kind = TrainingEnd::Kind;

// The first number of an epoch in the sentence; 0: the sentence names no epoch.
std::int64_t epoch_in(std::string_view sentence) {
  constexpr std::string_view kBefore = "epoch ";
  for (std::size_t at = 0; (at = sentence.find(kBefore, at)) != std::string_view::npos;) {
    at += kBefore.size();
    std::int64_t epoch = 0;
    const auto [end, error] = std::from_chars(sentence.data() + at, sentence.data() + sentence.size(), epoch);
    if (error == std::errc()) return epoch;
  }
  return 0;
}

}  // namespace

std::string TrainingEnd::word() const {
  switch (kind) {
    case Kind::kTrained:
      return "trains";
    case Kind::kDiverged:
      return "diverges";
    case Kind::kLeftRange:
      break;
  }
  return "leaves its range";
}

std::optional<TrainingEnd> end_in(const std::string& error) {
  const auto tells = [&](const char* words) { return error.find(words) != std::string::npos; };
  // A range that was left before the first epoch names later epochs only in its advice.
  if (tells("before the first epoch: ") && tells(" left their range of ")) return TrainingEnd{Kind::kLeftRange, 0, {}};
  if (tells("training diverged: ")) return TrainingEnd{Kind::kDiverged, epoch_in(error), {}};
  if (tells(" left their range of ") || tells("a value left its declared range")) {
    return TrainingEnd{Kind::kLeftRange, epoch_in(error), {}};
  }
  return std::nullopt;
}

std::optional<TrainingEnd> end_on_shares(const RunAccount& run) {
  std::optional<TrainingEnd> end;
  if (run.result() == "finished") {
    end.emplace();
  } else {
    for (const RankAccount& rank : run.ranks) {
      if (!end) end = end_in(rank.error);
    }
  }
  if (!end) return std::nullopt;
  for (const auto& [number, epoch] : run.teller().epochs) {
    if (epoch.loss) end->loss = epoch.loss;
    if (end->trained()) end->epoch = number;
  }
  return end;
}

TrainingEnd end_of_twin(const gnn::Plans& plans, const gnn::GraphData& whole) {
  TrainingEnd end;
  std::optional<double> first;
  try {
    trained_twin(plans, whole, [&](const gnn::EpochEvent& event) {
      end.epoch = event.epoch;
      if (!event.loss) return;
      if (!first) first = event.loss;
      gnn::expect_converging(*event.loss, *first, event.epoch);
      end.loss = event.loss;
    });
  } catch (const gnn::TrainingDiverged&) {
    end.kind = Kind::kDiverged;
  }
  return end;
}

BesideTwin beside_twin(const TrainingEnd& ours, const TrainingEnd& twin) {
  if (ours.trained()) return twin.trained() ? BesideTwin::kTrains : BesideTwin::kTwinDivergesAlone;
  return twin.trained() ? BesideTwin::kDivergesAlone : BesideTwin::kDivergesAlike;
}

std::string text_of(BesideTwin kind) {
  constexpr std::array<const char*, kKindsBesideTwin> kTexts = {"trains", "diverges like the twin", "diverges alone",
                                                                "the twin diverges alone"};
  return kTexts[static_cast<std::size_t>(kind)];
}

}  // namespace tacit::launcher
