#include "launcher/report/cell_figure.h"

#include <algorithm>

#include "launcher/untrusted_text.h"

namespace tacit::launcher {

namespace {

std::string kind_of(const CellFigure& figure, const CellFigure::Cell& cell) {
  return cell.kind < figure.kinds.size() ? figure.kinds[cell.kind].name : "";
}

// A header with the columns, then a line for each row.
template <typename TextOf>
std::vector<std::vector<std::string>> lines_of(const CellFigure& figure, const TextOf& text_of) {
  std::vector<std::vector<std::string>> lines = {{figure.down}};
  lines.front().insert(lines.front().end(), figure.columns.begin(), figure.columns.end());
  for (std::size_t row = 0; row < figure.rows.size(); ++row) {
    std::vector<std::string>& line = lines.emplace_back();
    line.push_back(figure.rows[row]);
    for (const CellFigure::Cell& cell : figure.cells[row]) line.push_back(text_of(cell));
  }
  return lines;
}

}  // namespace

bool has_no_cell(const CellFigure& figure) {
  const auto is_blank = [&](const CellFigure::Cell& cell) { return cell.kind >= figure.kinds.size(); };
  return std::all_of(figure.cells.begin(), figure.cells.end(),
                     [&](const auto& row) { return std::all_of(row.begin(), row.end(), is_blank); });
}

Json page_json_of(const CellFigure& figure) {
  Json json = {{"title", displayable(figure.title)},
               {"down", displayable(figure.down)},
               {"across", displayable(figure.across)},
               {"rows", Json::array()},
               {"columns", Json::array()},
               {"kinds", Json::array()},
               {"cells", Json::array()}};
  for (const std::string& row : figure.rows) json["rows"].push_back(displayable(row));
  for (const std::string& column : figure.columns) json["columns"].push_back(displayable(column));
  for (const CellFigure::Kind& kind : figure.kinds) {
    json["kinds"].push_back({{"name", displayable(kind.name)}, {"colour", kind.colour}});
  }
  for (const std::vector<CellFigure::Cell>& row : figure.cells) {
    Json cells = Json::array();
    for (const CellFigure::Cell& cell : row) {
      if (cell.kind >= figure.kinds.size()) {
        cells.push_back(nullptr);
      } else {
        cells.push_back({{"kind", cell.kind}, {"text", displayable(cell.text)}});
      }
    }
    json["cells"].push_back(std::move(cells));
  }
  return json;
}

Json json_of_cells(const CellFigure& figure) {
  Json json = {{"name", figure.name}, {"title", figure.title},     {"down", figure.down},   {"across", figure.across},
               {"rows", figure.rows}, {"columns", figure.columns}, {"cells", Json::array()}};
  for (const std::vector<CellFigure::Cell>& row : figure.cells) {
    Json cells = Json::array();
    for (const CellFigure::Cell& cell : row) cells.push_back(kind_of(figure, cell));
    json["cells"].push_back(std::move(cells));
  }
  return json;
}

std::vector<std::vector<std::string>> kinds_of_cells(const CellFigure& figure) {
  return lines_of(figure, [&](const CellFigure::Cell& cell) { return kind_of(figure, cell); });
}

std::vector<std::vector<std::string>> table_of_cells(const CellFigure& figure) {
  return lines_of(figure, [&](const CellFigure::Cell& cell) {
    const std::string kind = kind_of(figure, cell);
    return cell.text.empty() || kind.empty() ? kind : kind + ", " + cell.text;
  });
}

}  // namespace tacit::launcher
