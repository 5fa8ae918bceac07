// Lines — what a process writes, cut into lines that are safe to show.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace tacit::launcher {

// Of a line, what is beyond is left out: a process that never ends a line fills no memory.
inline constexpr std::int64_t kMostOfLine = 2000;

class Lines {
 public:
  using Take = std::function<void(std::string_view line)>;

  explicit Lines(Take take) : take_(std::move(take)) {}

  // Bytes as they come. Each line is taken once it has ended, printable and without its end.
  void add(std::string_view bytes);

  // No more comes: a line that has begun ends here.
  void finish();

 private:
  void keep(std::string_view bytes);
  void give();

  Take take_;
  std::string line_;  // at most one byte more than is shown
  bool begun_ = false;
};

}  // namespace tacit::launcher
