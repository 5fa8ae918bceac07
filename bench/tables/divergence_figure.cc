#include "bench/tables/divergence_figure.h"

#include <fmt/format.h>

#include <algorithm>

#include "bench/tables/training_end.h"

namespace tacit::launcher {

namespace {

// The place of a name in the list. A new name is added at the end.
std::size_t place_in(std::vector<std::string>& names, const std::string& name) {
  const auto at = std::find(names.begin(), names.end(), name);
  if (at == names.end()) names.push_back(name);
  return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
}

}  // namespace

CellFigure divergence_figure(const Measurements& measured) {
  constexpr int kColours[kKindsBesideTwin] = {2, 4, 1, 3};
  CellFigure figure{"divergence-map", "Which trainings diverge", "rate", "parties", {}, {}, {}, {}};
  for (int kind = 0; kind < kKindsBesideTwin; ++kind) {
    figure.kinds.push_back({text_of(static_cast<BesideTwin>(kind)), kColours[kind]});
  }
  const Table* trainings = measured.find("trainings");
  if (trainings == nullptr) return figure;
  for (const Row& row : trainings->rows) {
    place_in(figure.rows, row.label("rate"));
    place_in(figure.columns, row.label("parties"));
  }
  figure.cells.assign(figure.rows.size(), std::vector<CellFigure::Cell>(figure.columns.size()));
  for (const Row& row : trainings->rows) {
    const auto kind = std::find_if(figure.kinds.begin(), figure.kinds.end(),
                                   [&](const auto& one) { return one.name == row.label("beside the twin"); });
    if (kind == figure.kinds.end()) continue;
    const auto which = static_cast<std::size_t>(kind - figure.kinds.begin());
    CellFigure::Cell& cell =
        figure.cells[place_in(figure.rows, row.label("rate"))][place_in(figure.columns, row.label("parties"))];
    if (cell.kind != CellFigure::Cell::kNoKind && cell.kind >= which) continue;
    const Samples* epoch = row.find("last epoch on shares");
    const bool early = epoch != nullptr && row.label("on shares") != text_of(BesideTwin::kTrains);
    cell = {which, early ? fmt::format("epoch {:g}", epoch->median()) : ""};
  }
  return figure;
}

}  // namespace tacit::launcher
