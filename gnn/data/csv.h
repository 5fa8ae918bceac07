// CsvReader — reads a CSV file (RFC 4180), one record at a time.
//
// The file is UTF-8, with or without a byte order mark. Lines end in LF or CRLF. A field with
// commas, quotes or line ends is in quotes. The first record has the column names; every other
// record has as many fields. The reader holds one record in memory, limits its size, and
// allocates nothing from sizes that the file states.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "gnn/data/byte_source.h"

namespace tacit::gnn {

class CsvReader {
 public:
  static constexpr std::int64_t kMostBytes = std::int64_t{1} << 30;  // of a file
  static constexpr std::size_t kMostRecordBytes = 4 << 20;
  static constexpr std::size_t kMostColumns = 100'000;

  // Reads the column names. Throws ConfigError. The file must outlive the reader.
  explicit CsvReader(const ByteSource& file);

  const std::vector<std::string>& columns() const { return columns_; }
  Place header_place(std::size_t column) const;

  bool next();  // reads the next record; false after the last one
  std::string_view field(std::size_t column) const;
  std::int64_t line() const { return line_; }  // first line of the record, from 1
  Place place(std::size_t column) const;       // file, line and column of a field of this record

 private:
  static constexpr int kEndOfFile = -1;

  int peek();  // the next byte, or kEndOfFile
  void skip() { ++at_; }
  bool take_record();
  void take_quoted();
  void take_plain();
  bool take_line_end();
  void append(std::string_view part);
  void end_field();
  void skip_byte_order_mark();
  void expect_only_blank_lines();
  [[noreturn]] void wrong(std::string_view what) const;

  const ByteSource& file_;
  std::vector<char> buffer_;
  std::size_t at_ = 0;           // in buffer_
  std::int64_t read_bytes_ = 0;  // bytes read from the file
  std::int64_t line_ = 1;        // first line of the record
  std::int64_t next_line_ = 1;
  std::string record_;             // the texts of the fields without quotes, concatenated
  std::vector<std::size_t> ends_;  // ends of the fields in record_
  std::vector<std::string> columns_;
};

}  // namespace tacit::gnn
