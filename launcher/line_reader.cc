#include "launcher/line_reader.h"

namespace tacit::launcher {

bool LineReader::next() {
  line_.clear();
  whole_ = too_long_ = false;
  bool any = false;
  std::streambuf& from = *in_.rdbuf();
  for (int c = from.sbumpc(); c != std::char_traits<char>::eof(); c = from.sbumpc()) {
    any = true;
    if (c == '\n') {
      whole_ = true;
      break;
    }
    if (line_.size() < most_) {
      line_ += static_cast<char>(c);
    } else {
      too_long_ = true;
    }
  }
  if (any) ++number_;
  return any;
}

}  // namespace tacit::launcher
