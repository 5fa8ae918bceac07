// Lines — cuts the output of a process into lines that are safe to print.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace tacit::launcher {

// The longest line. The rest of a line is dropped, so a process that never ends a line fills no
// memory.
inline constexpr std::int64_t kMostOfLine = 2000;

class Lines {
 public:
  using Take = std::function<void(std::string_view line)>;

  explicit Lines(Take take) : take_(std::move(take)) {}

  // Adds output in order. Each complete line goes to `take`, printable and without its line break.
  void add(std::string_view bytes);

  // Ends an incomplete last line.
  void finish();

 private:
  void keep(std::string_view bytes);
  void give();

  Take take_;
  std::string line_;  // at most one byte more than the longest line
  bool begun_ = false;
};

}  // namespace tacit::launcher
