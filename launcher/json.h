// Json — the JSON type of the launcher. Keys keep the order of insertion.
#pragma once

#include <nlohmann/json.hpp>

namespace tacit::launcher {

using Json = nlohmann::ordered_json;

}  // namespace tacit::launcher
