// Lines of a file that may be anybody's: one that is longer than it may be is passed over, and never kept.
#pragma once

#include <istream>
#include <string>

namespace tacit::launcher {

class LineReader {
 public:
  LineReader(std::istream& in, std::size_t most) : in_(in), most_(most) {}

  bool next();  // false: there are no more

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
