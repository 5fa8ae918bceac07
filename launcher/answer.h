// Answer — what a verb has to say, once for people and once for programs.
#pragma once

#include <string>

#include "launcher/json.h"
#include "net/error.h"

namespace tacit::launcher {

struct Answer {
  std::string text;            // lines; written to stdout
  Json json = Json::object();  // instead, with --json
  Exit exit = Exit::kOk;
};

}  // namespace tacit::launcher
