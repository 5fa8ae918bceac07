// What a ConfigError said, or "accepted": for tests of what is refused.
#pragma once

#include <string>

#include "net/error.h"

namespace tacit::gnn {

template <typename Call>
std::string refusal(Call call) {
  try {
    call();
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "accepted";
}

}  // namespace tacit::gnn
