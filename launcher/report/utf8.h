// Text that should be UTF-8, character by character.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tacit::launcher {

struct Utf8Character {
  char32_t code = 0;
  std::size_t bytes = 1;  // to go on after; one of those that are none
  bool valid = false;
};

Utf8Character first_character(std::string_view text);  // `text` is not empty

// At most so many characters; what is longer is cut and ends in "…".
std::string shortened(std::string_view text, std::size_t most);

}  // namespace tacit::launcher
