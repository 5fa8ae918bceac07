// Answer — the output of a verb, as text for people and as JSON for programs.
#pragma once

#include <string>

#include "launcher/json.h"
#include "net/error.h"

namespace tacit::launcher {

struct Answer {
  std::string text;            // lines; written to stdout
  Json json = Json::object();  // written instead, with --json
  Exit exit = Exit::kOk;
};

}  // namespace tacit::launcher
