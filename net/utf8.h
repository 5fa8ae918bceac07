// UTF-8, read one character at a time.
#pragma once

#include <cstddef>
#include <string_view>

namespace tacit::net {

struct Utf8Character {
  char32_t code = 0;
  std::size_t bytes = 0;  // 0: the text does not begin with UTF-8
};

// The character at the beginning of `text`, which is not empty. Overlong forms and surrogates are not UTF-8.
Utf8Character first_character(std::string_view text);

bool is_utf8(std::string_view text);

}  // namespace tacit::net
