#include "gnn/clean/row_fate.h"

namespace tacit::gnn {

namespace {

// The finalizer of SplitMix64 (Steele, Lea, Flood 2014).
std::uint64_t mixed(std::uint64_t word) {
  word += 0x9e3779b97f4a7c15;
  word = (word ^ word >> 30) * 0xbf58476d1ce4e5b9;
  word = (word ^ word >> 27) * 0x94d049bb133111eb;
  return word ^ word >> 31;
}

}  // namespace

RowFate::RowFate(const CleaningRules& rules) : rules_(rules) {
  const CleaningColumn* split = rules.with(CleaningColumn::Role::kSplit);
  if (split != nullptr) split_column_ = static_cast<std::size_t>(split - rules.columns.data());
  for (std::size_t i = 0; i < rules.columns.size(); ++i) {
    if (rules.columns[i].repair == CleaningColumn::Repair::kUnlabelled) may_be_unlabelled_ = i;
  }
}

bool RowFate::drops(const RecordParser& row) const {
  if (row.complete()) return false;
  for (std::size_t i = 0; i < rules_.columns.size(); ++i) {
    if (row.found()[i] < RecordParser::kNumber && rules_.columns[i].repair == CleaningColumn::Repair::kDrop)
      return true;
  }
  return false;
}

bool RowFate::is_unlabelled(const RecordParser& row) const {
  return may_be_unlabelled_ && row.found()[*may_be_unlabelled_] < RecordParser::kNumber;
}

bool RowFate::draws(const RecordParser& row) const { return rules_.split && !is_unlabelled(row); }

RowPart RowFate::stated(const RecordParser& row) const {
  if (is_unlabelled(row)) return RowPart::kNone;
  if (!split_column_) return RowPart::kTrain;
  const auto code = static_cast<std::size_t>(row.found()[*split_column_] - RecordParser::kFirstCode);
  return static_cast<RowPart>(rules_.columns[*split_column_].codes[code].number);
}

RowPart RowFate::drawn(std::int64_t number) const {
  constexpr double kTwoTo53 = 9007199254740992.0;
  const std::uint64_t word = mixed(rules_.split->seed ^ mixed(static_cast<std::uint64_t>(number)));
  const double drawn = static_cast<double>(word >> 11) / kTwoTo53;
  if (drawn < rules_.split->validation) return RowPart::kValidation;
  return drawn < rules_.split->validation + rules_.split->test ? RowPart::kTest : RowPart::kTrain;
}

}  // namespace tacit::gnn
