// Json — as verbs write it: keys stay in the order in which they were put.
#pragma once

#include <nlohmann/json.hpp>

namespace tacit::launcher {

using Json = nlohmann::ordered_json;

}  // namespace tacit::launcher
