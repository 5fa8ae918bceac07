// Place — a position in a file (file, key, line, column), with which every error about the file
// begins.
#pragma once

#include <string>
#include <string_view>

namespace tacit::gnn {

class Place {
 public:
  explicit Place(std::string text) : text_(std::move(text)) {}

  // A place inside this one. `part` comes from the file and is made printable.
  Place within(std::string_view part) const;

  // Throws ConfigError. `local_detail` may name values of the data, `what` may not (net/error.h).
  [[noreturn]] void wrong(std::string_view what, std::string local_detail = "") const;

  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

}  // namespace tacit::gnn
