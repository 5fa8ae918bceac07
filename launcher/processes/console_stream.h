// ConsoleStream — a console as an ostream, for code that writes to streams. Each flush prints the
// text line by line, and waits for a reader at most `patience`.
#pragma once

#include <chrono>
#include <ostream>
#include <sstream>

#include "launcher/processes/console.h"

namespace tacit::launcher {

class ConsoleStream final : public std::ostream {
 public:
  ConsoleStream(Console& console, std::chrono::milliseconds patience)
      : std::ostream(nullptr), lines_(console, patience) {
    rdbuf(&lines_);
  }

 private:
  class LineBuffer final : public std::stringbuf {
   public:
    LineBuffer(Console& console, std::chrono::milliseconds patience) : console_(console), patience_(patience) {}

   private:
    int sync() override {
      std::istringstream lines(str());
      str("");
      for (std::string line; std::getline(lines, line);) console_.say(line);
      console_.flush(patience_);
      return 0;
    }

    Console& console_;
    const std::chrono::milliseconds patience_;
  };

  LineBuffer lines_;
};

}  // namespace tacit::launcher
