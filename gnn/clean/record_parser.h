// RecordParser — reads one record of a raw table by the rules of its columns.
//
// Lines end in LF or CRLF. A field with commas, quotes or line ends is in quotes (RFC 4180). Spaces and tabs around a value
// are ignored. A byte that no rule allows, such as a zero byte, makes a value invalid. In a table of one column an empty line is
// a row without its value; in other tables it is no row.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "gnn/clean/rules.h"

namespace tacit::gnn {

// Aligned, since each thread writes to its own parser beside the parsers of other threads.
class alignas(128) RecordParser {
 public:
  enum class Verdict { kRow, kMalformed, kEmptyLine, kUnfinished };

  // The result for a column: a constant below, or kFirstCode plus the index of an allowed code.
  using Found = std::uint8_t;
  static constexpr Found kMissing = 0, kInvalid = 1, kNumber = 2, kFirstCode = 3;

  // `rule_of`: for each column of the file (TableHeader). The rules must outlive the parser.
  RecordParser(const CleaningRules& rules, const std::vector<int>& rule_of);

  // Reads the record at `at`, and moves `at` behind it. `end` is behind a line end. A quoted field without an end gives
  // kUnfinished, and leaves `at`; with `quoted_lines` false, a field that the line end cuts does so as well.
  Verdict read(const char*& at, const char* end, bool quoted_lines);

  // Of the last row, by the index of a rule:
  const std::vector<Found>& found() const { return found_; }
  double number(std::size_t rule) const { return numbers_[rule]; }  // if kNumber was found
  const std::string& name() const { return name_; }                 // if the name is kNumber
  bool is_utf8(std::size_t rule) const { return utf8_[rule]; }      // if kInvalid was found
  bool complete() const { return complete_; }                       // nothing is missing or invalid

 private:
  struct Column {
    int rule = -1;
    std::array<Found, 256> single = {};  // of a field of one byte; kAsk: resolve() tells
  };
  static constexpr Found kAsk = 255;

  bool read_plain(const char*& at);
  Verdict read_any(const char*& at, const char* end, bool quoted_lines);
  Found resolve(int rule, std::string_view text);
  void take(int rule, std::string_view text);

  const CleaningRules& rules_;
  std::vector<Column> columns_;
  std::vector<Found> found_;
  std::vector<double> numbers_;
  std::vector<std::vector<double>> missing_numbers_;  // by rule
  std::vector<bool> utf8_;
  std::string name_, unquoted_;
  bool complete_ = true;
};

}  // namespace tacit::gnn
