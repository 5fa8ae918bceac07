// PartFormat writes cleaned rows as bytes: of arrays (.npz), or as lines (.csv). PartWriter puts the bytes into the file.
//
// A PartFormat does not change, and all threads share it.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "gnn/clean/record_parser.h"
#include "gnn/clean/row_fate.h"
#include "gnn/data/atomic_file.h"
#include "gnn/data/cleaning_mark.h"
#include "gnn/data/npy_array.h"

namespace tacit::gnn {

// Rows of one piece.
struct RowBlock {
  std::int64_t rows = 0;
  std::vector<std::string> sections;          // bytes of each section of the format
  std::vector<std::uint32_t> checksums = {};  // a CRC-32 for each section
};

// An array of the file, or its only section of text.
struct PartSection {
  std::string key;
  NpyType type = NpyType::kFloat64;
  std::int64_t columns = 0;    // 0: a vector
  std::int64_t row_bytes = 0;  // 0: lines of any length
};

class PartFormat {
 public:
  enum class Kind { kNpz, kCsv };

  // `replacements`: for each rule. `name_width`: the longest name, in characters. The rules must outlive the format.
  PartFormat(const CleaningRules& rules, std::vector<double> replacements, Kind kind, std::int64_t name_width);

  Kind kind() const { return kind_; }
  const std::vector<PartSection>& sections() const { return sections_; }
  std::int64_t name_width() const { return name_width_; }
  std::string header() const;                      // the first line, of kCsv
  std::vector<std::string> feature_names() const;  // names of the columns of x

  RowBlock block() const;  // without rows
  void append(const RecordParser& row, RowPart part, RowBlock& to) const;
  void seal(RowBlock& block) const;  // computes the checksums

 private:
  // A column that is written: a value of a rule, log(1 + x) of it, or 1 if it is `code` and 0 otherwise.
  struct Column {
    std::size_t rule = 0;
    bool log = false;
    std::optional<double> code = {};
    std::string name = {};
    std::array<double, 256> numbers = {};      // indexed by Found
    std::array<std::uint8_t, 256> small = {};  // the same, of features with bytes_
    std::vector<std::string> texts = {};       // the same, of kCsv

    double written(double value) const;
  };
  Column column_of(std::size_t rule, std::optional<double> code, std::string name) const;
  static double number(const RecordParser& row, const Column& column);
  void append_features(const RecordParser& row, std::string& x) const;
  void append_arrays(const RecordParser& row, RowPart part, RowBlock& to) const;
  void append_line(const RecordParser& row, RowPart part, std::string& to) const;
  bool fits_bytes(const Column& column) const;

  const CleaningRules& rules_;
  Kind kind_;
  std::vector<double> replacements_;
  std::vector<Column> features_;
  std::optional<Column> label_;
  bool names_rows_ = false;
  bool masks_ = false, bytes_ = false;  // bytes_: all features are whole numbers in 0 … 255
  std::vector<PartSection> sections_;
  std::int64_t name_width_;
};

// The rows of this part among the rows of all parties.
struct PartPlace {
  std::int64_t first = 0, of = 0;
};

class PartWriter {
 public:
  // `rows`: of the whole part. A file of lines has no place for the mark. Throws ConfigError, as do the others. The format
  // must outlive the writer.
  PartWriter(const std::filesystem::path& path, const PartFormat& format, std::int64_t rows, bool with_header,
             const std::optional<PartPlace>& place, const CleaningMark& mark);

  void take(const RowBlock& block);  // the next rows, with checksums
  void finish();

 private:
  struct Placed {
    std::string member;
    std::int64_t bytes = 0, at = 0;  // size and place of the content
    std::int64_t next = 0;           // where the next rows go
    std::uint32_t checksum = 0;
  };
  void place(const std::string& key, const std::string& content, std::int64_t more_bytes);

  AtomicFile file_;
  const PartFormat& format_;
  std::vector<Placed> placed_;
  std::int64_t end_ = 0;
};

}  // namespace tacit::gnn
