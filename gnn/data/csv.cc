#include "gnn/data/csv.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "net/error.h"
#include "net/printable.h"

namespace tacit::gnn {

namespace {

constexpr std::int64_t kBufferBytes = 256 * 1024;
constexpr std::string_view kZeroByte = "a zero byte; expected text in UTF-8";

// Without the spaces around it: a table written by hand has them behind commas, and a column " y" would else be a feature.
std::string_view trimmed_name(std::string_view name) {
  constexpr std::string_view kSpaces = " \t";
  const std::size_t begin = std::min(name.find_first_not_of(kSpaces), name.size());
  return name.substr(begin, name.find_last_not_of(kSpaces) + 1 - begin);
}

}  // namespace

CsvReader::CsvReader(const ByteSource& file) : file_(file) {
  if (file.size() > kMostBytes) {
    file.place().wrong(fmt::format("{} bytes; at most {} are read: use an .npz file", file.size(), kMostBytes));
  }
  skip_byte_order_mark();
  if (!take_record() || record_.empty()) wrong("it is empty; expected the names of its columns");
  std::map<std::string_view, std::size_t> seen;
  for (std::size_t i = 0; i < ends_.size(); ++i) columns_.emplace_back(trimmed_name(field(i)));
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    if (columns_[i].empty()) {
      wrong(fmt::format("column {} has no name; name or remove it (pandas: to_csv(index=False))", i + 1));
    }
    const auto [first, is_new] = seen.emplace(columns_[i], i);
    if (!is_new)
      header_place(i).wrong(fmt::format("it is there twice, as columns {} and {}", first->second + 1, i + 1));
  }
  if (columns_.size() == 1 && columns_[0].find_first_of(";\t") != std::string::npos) {
    wrong("one column, with ; or tabs in its name; expected columns separated by commas");
  }
}

Place CsvReader::header_place(std::size_t column) const {
  return Place(fmt::format("{}: line 1, column \"{}\"", file_.place().text(), net::printable(columns_[column], 80)));
}

Place CsvReader::place(std::size_t column) const {
  return Place(
      fmt::format("{}: line {}, column \"{}\"", file_.place().text(), line_, net::printable(columns_[column], 80)));
}

std::string_view CsvReader::field(std::size_t column) const {
  const std::size_t begin = column == 0 ? 0 : ends_[column - 1];
  return std::string_view(record_).substr(begin, ends_[column] - begin);
}

bool CsvReader::next() {
  if (!take_record()) return false;
  if (ends_.size() == 1 && record_.empty()) {
    expect_only_blank_lines();
    return false;
  }
  if (ends_.size() != columns_.size()) {
    wrong(fmt::format("{} fields; expected {}, as many as columns", ends_.size(), columns_.size()));
  }
  return true;
}

int CsvReader::peek() {
  if (at_ == buffer_.size()) {
    const std::int64_t bytes = std::min(kBufferBytes, file_.size() - read_bytes_);
    buffer_.resize(static_cast<std::size_t>(bytes));
    at_ = 0;
    if (bytes == 0) return kEndOfFile;
    file_.read(read_bytes_, std::as_writable_bytes(std::span(buffer_)));
    read_bytes_ += bytes;
  }
  return static_cast<unsigned char>(buffer_[at_]);
}

bool CsvReader::take_record() {
  record_.clear();
  ends_.clear();
  line_ = next_line_;
  if (peek() == kEndOfFile) return false;
  while (true) {
    if (peek() == '"') {
      take_quoted();
    } else {
      take_plain();
    }
    end_field();
    if (take_line_end()) return true;
    if (peek() != ',') wrong("text follows a quoted field; expected a comma, and quotes within a field doubled");
    skip();
  }
}

void CsvReader::take_quoted() {
  skip();
  while (true) {
    const int c = peek();
    if (c == kEndOfFile) wrong("a quoted field has no end; expected a closing quote");
    skip();
    if (c == '"') {
      if (peek() != '"') return;
      skip();
    }
    if (c == '\0') wrong(kZeroByte);
    if (c == '\n') ++next_line_;
    const char byte = static_cast<char>(c);
    append(std::string_view(&byte, 1));
  }
}

void CsvReader::take_plain() {
  constexpr std::string_view kSpecial(",\n\r\"\0", 5);
  while (peek() != kEndOfFile) {
    const std::string_view rest = std::string_view(buffer_.data(), buffer_.size()).substr(at_);
    const std::size_t length = std::min(rest.find_first_of(kSpecial), rest.size());
    append(rest.substr(0, length));
    at_ += length;
    if (length == rest.size()) continue;  // the field extends beyond the buffer
    if (rest[length] == '"') wrong("a quote within a field; expected such a field in quotes, and quotes in it doubled");
    if (rest[length] == '\0') wrong(kZeroByte);
    return;
  }
}

bool CsvReader::take_line_end() {
  const int c = peek();
  if (c == kEndOfFile) return true;
  if (c != '\n' && c != '\r') return false;
  skip();
  if (c == '\r') {
    if (peek() != '\n') wrong("a carriage return alone; expected lines that end in LF or CRLF");
    skip();
  }
  ++next_line_;
  return true;
}

void CsvReader::append(std::string_view part) {
  if (part.size() > kMostRecordBytes - record_.size()) {
    wrong(fmt::format("more than {} bytes in one record", kMostRecordBytes));
  }
  record_ += part;
}

void CsvReader::end_field() {
  if (ends_.size() == kMostColumns) wrong(fmt::format("more than {} columns; use an .npz file", kMostColumns));
  ends_.push_back(record_.size());
}

void CsvReader::skip_byte_order_mark() {
  if (peek() == 0xff || peek() == 0xfe) wrong("it is not UTF-8 but probably UTF-16; save it as UTF-8");
  if (peek() != 0xef) return;
  for (const int byte : {0xef, 0xbb, 0xbf}) {
    if (peek() != byte) wrong("it does not begin with UTF-8 text");
    skip();
  }
}

void CsvReader::expect_only_blank_lines() {
  const std::int64_t blank = line_;
  while (take_record()) {
    if (ends_.size() == 1 && record_.empty()) continue;
    line_ = blank;
    wrong("it is empty; every line before the last is a record");
  }
}

void CsvReader::wrong(std::string_view what) const {
  throw ConfigError(fmt::format("{}: line {}: {}", file_.place().text(), line_, what));
}

}  // namespace tacit::gnn
