// The message of the ConfigError with which something was refused; "accepted" without an error.
#pragma once

#include <string>

#include "net/error.h"

namespace tacit::gnn {

template <class Action>
std::string refusal(const Action& action) {
  try {
    action();
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "accepted";
}

template <class Action>
std::string local_detail_of(const Action& action) {
  try {
    action();
  } catch (const ConfigError& error) {
    return error.local_detail();
  }
  return "accepted";
}

}  // namespace tacit::gnn
