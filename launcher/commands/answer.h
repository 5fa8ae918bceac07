// Answer — what a verb has to say, once for people and once for programs.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "net/error.h"

namespace tacit::launcher {

using Json = nlohmann::ordered_json;

struct Answer {
  std::string text;            // lines; written to stdout
  Json json = Json::object();  // instead, with --json
  Exit exit = Exit::kOk;
};

}  // namespace tacit::launcher
