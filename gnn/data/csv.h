// CsvReader — a table in a CSV file (RFC 4180), record after record.
//
// UTF-8 with or without a byte order mark, lines that end in LF or CRLF, fields in quotes where they hold commas,
// quotes or line ends. The first record names the columns; every other has as many fields. Memory for one record, whose
// size is limited, and nothing of the file's word.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "gnn/data/byte_source.h"

namespace tacit::gnn {

class CsvReader {
 public:
  static constexpr std::int64_t kMostBytes = std::int64_t{1} << 30;  // of the file
  static constexpr std::size_t kMostRecordBytes = 4 << 20;
  static constexpr std::size_t kMostColumns = 100'000;

  // Reads the column names. Throws ConfigError. The file outlives the reader.
  explicit CsvReader(const ByteSource& file);

  const std::vector<std::string>& columns() const { return columns_; }
  Place header_place(std::size_t column) const;

  bool next();  // the next record, or false after the last
  std::string_view field(std::size_t column) const;
  std::int64_t line() const { return line_; }  // where the record begins, from 1
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
  std::int64_t read_bytes_ = 0;  // of the file
  std::int64_t line_ = 1;        // where the record begins
  std::int64_t next_line_ = 1;
  std::string record_;             // the fields' text without quotes, one after the other
  std::vector<std::size_t> ends_;  // of the fields in record_
  std::vector<std::string> columns_;
};

}  // namespace tacit::gnn
