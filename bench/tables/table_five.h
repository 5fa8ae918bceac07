// Table 5 of the report, its table of errors, beside ours; and the order in which models err.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "bench/tables/measurements.h"

namespace tacit::launcher {

// Adds the report's errors and times to the rows of a table with the labels "model" and "epochs". A row with
// `few_epochs` gets the report's figures for 100 epochs, and another row the figures for a full training. The report
// has no figure of a training on shares.
void add_table_five(Table& models, std::int64_t few_epochs);

// A row of the table, by its model and its epochs.
struct RankedModel {
  std::string model, epochs;
};

// The aim that the median test errors on one data set ascend in the given order of models.
Aim order_aim(const Table& models, const std::string& data, const std::vector<RankedModel>& order);

}  // namespace tacit::launcher
