// LineReader — reads the lines of a file that may come from another machine. Skips the rest of a line beyond `most`
// bytes, and never stores it.
#pragma once

#include <istream>
#include <string>

namespace tacit::launcher {

class LineReader {
 public:
  LineReader(std::istream& in, std::size_t most) : in_(in), most_(most) {}

  bool next();  // false: no more lines

  const std::string& line() const { return line_; }
  std::int64_t number() const { return number_; }  // from 1
  bool whole() const { return whole_; }            // the line ended in a newline; the last one may be half written
  bool too_long() const { return too_long_; }      // then line() is its beginning

 private:
  std::istream& in_;
  std::size_t most_;
  std::string line_;
  std::int64_t number_ = 0;
  bool whole_ = false, too_long_ = false;
};

}  // namespace tacit::launcher
