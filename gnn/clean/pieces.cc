#include "gnn/clean/pieces.h"

#include <fmt/format.h>

#include <algorithm>

#include "gnn/clean/header.h"

namespace tacit::gnn {

namespace {

constexpr std::int64_t kStep = 64 * 1024;

void append(const ByteSource& file, std::int64_t& at, std::int64_t bytes, std::string& to) {
  const std::size_t before = to.size();
  to.resize(before + static_cast<std::size_t>(bytes));
  file.read(at, std::as_writable_bytes(std::span(to).subspan(before)));
  at += bytes;
}

}  // namespace

Lines lines_from(const ByteSource& file, std::int64_t data_begin, std::int64_t begin, std::int64_t end) {
  begin = std::max(begin, data_begin);
  end = std::min(end, file.size());
  if (begin >= end) return {begin, ""};
  Lines lines{begin, ""};
  std::int64_t read_to = begin > data_begin ? begin - 1 : begin;
  append(file, read_to, end - read_to, lines.bytes);
  if (begin > data_begin) {  // the rest of a line that began before
    const std::size_t line_end = lines.bytes.find('\n');
    if (line_end == std::string::npos) return {end, ""};
    lines.at = begin + static_cast<std::int64_t>(line_end);
    lines.bytes.erase(0, line_end + 1);
  }
  if (lines.bytes.empty()) return lines;
  const std::size_t last_end = lines.bytes.rfind('\n');
  const std::size_t last_line = last_end == std::string::npos ? 0 : last_end + 1;
  if (last_line == lines.bytes.size()) return lines;
  while (true) {
    const std::size_t before = lines.bytes.size();
    if (read_to == file.size()) {
      lines.bytes.push_back('\n');
    } else {
      append(file, read_to, std::min(kStep, file.size() - read_to), lines.bytes);
    }
    const std::size_t line_end = lines.bytes.find('\n', before);
    const std::size_t line_bytes = std::min(line_end, lines.bytes.size()) - last_line;
    if (std::cmp_greater(line_bytes, kMostLineBytes - 1)) {
      file.place().wrong(
          fmt::format("byte {}: a line of more than {} bytes; expected a table with a record in each line",
                      lines.at + static_cast<std::int64_t>(last_line), kMostLineBytes));
    }
    if (line_end == std::string::npos) continue;
    lines.bytes.resize(line_end + 1);
    return lines;
  }
}

}  // namespace tacit::gnn
