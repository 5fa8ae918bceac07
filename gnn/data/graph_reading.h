// GraphReading — the properties of the job that the reader of a graph's file needs.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "gnn/data/class_names.h"
#include "gnn/data/csv_rows.h"

namespace tacit::gnn {

struct GraphReading {
  std::vector<std::string>* ignored = nullptr;  // gets the names of unknown arrays or columns, to be shown to the user
  // Describes the folder of an owner of rows. Without it, nodes.csv has all nodes. An .npz file has this information
  // itself.
  const CsvRows* rows = nullptr;
  std::span<const std::string> class_names = {};  // of the job; a file may have classes by name
  bool missing_features = false;                  // features may be missing: NaN, or an empty field of nodes.csv
};

}  // namespace tacit::gnn
