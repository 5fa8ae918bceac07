// open_api — the OpenAPI 3.0 description of PredictionApi. `what` is the thing to predict: "node" or "graph".
#pragma once

#include <string_view>

#include "launcher/json.h"

namespace tacit::launcher {

Json open_api(std::string_view what);

}  // namespace tacit::launcher
