// CellFigure — a map: a cell for each row and column, in the colour of the cell's kind.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "launcher/json.h"

namespace tacit::launcher {

struct CellFigure {
  struct Kind {
    std::string name;  // "trains"
    int colour = 0;    // an index into the page's palette
  };
  struct Cell {
    static constexpr std::size_t kNoKind = static_cast<std::size_t>(-1);
    std::size_t kind = kNoKind;  // an index into the figure's kinds; kNoKind: the cell is blank
    std::string text;            // in the cell; often ""
  };
  std::string name, title;
  std::string down, across;                // the settings that rows and columns vary: "rate", "parties"
  std::vector<std::string> rows, columns;  // the values of both
  std::vector<Kind> kinds;
  std::vector<std::vector<Cell>> cells;  // by row, a cell for each column
};

bool has_no_cell(const CellFigure& figure);  // no cell has a kind

// figure.h has the same four for any figure: data for the page's script, data for programs, CSV, and a table for readers.
Json page_json_of(const CellFigure& figure);
Json json_of_cells(const CellFigure& figure);
std::vector<std::vector<std::string>> kinds_of_cells(const CellFigure& figure);
std::vector<std::vector<std::string>> table_of_cells(const CellFigure& figure);

}  // namespace tacit::launcher
