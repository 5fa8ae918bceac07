// RowFate — whether a row is kept, and in which mask, by the rules.
#pragma once

#include <cstdint>
#include <optional>

#include "gnn/clean/record_parser.h"
#include "gnn/clean/rules.h"

namespace tacit::gnn {

// The mask to which a row belongs. kNone: it has no label.
enum class RowPart : std::uint8_t { kTrain, kValidation, kTest, kNone };

class RowFate {
 public:
  explicit RowFate(const CleaningRules& rules);  // which must outlive the object

  bool drops(const RecordParser& row) const;
  // Of a kept row. `at`: the place in the file at which the row begins.
  RowPart part_of(const RecordParser& row, std::int64_t at) const;

 private:
  const CleaningRules& rules_;
  std::optional<std::size_t> split_column_, may_be_unlabelled_;
};

}  // namespace tacit::gnn
