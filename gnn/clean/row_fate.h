// RowFate — whether a row is kept, and in which mask, by the rules.
#pragma once

#include <cstdint>
#include <optional>

#include "gnn/clean/record_parser.h"
#include "gnn/clean/rules.h"

namespace tacit::gnn {

// The mask to which a row belongs. kNone is for a row without a label.
enum class RowPart : std::uint8_t { kTrain, kValidation, kTest, kNone };

class RowFate {
 public:
  explicit RowFate(const CleaningRules& rules);  // which must outlive the object

  bool drops(const RecordParser& row) const;
  // True if the part of this kept row is drawn. Its number then decides, and nothing in this row or another one: a record that
  // changes or is dropped moves no other row into another part.
  bool draws(const RecordParser& row) const;
  RowPart drawn(std::int64_t number) const;
  // For a kept row. `number` counts the lines before it, without empty ones.
  RowPart part_of(const RecordParser& row, std::int64_t number) const {
    return draws(row) ? drawn(number) : stated(row);
  }

 private:
  RowPart stated(const RecordParser& row) const;
  bool is_unlabelled(const RecordParser& row) const;

  const CleaningRules& rules_;
  std::optional<std::size_t> split_column_, may_be_unlabelled_;
};

}  // namespace tacit::gnn
