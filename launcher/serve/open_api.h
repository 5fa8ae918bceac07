// open_api — the OpenAPI 3.0 description of PredictionApi, where `what` is predicted: "node" or "graph".
#pragma once

#include <string_view>

#include "launcher/json.h"

namespace tacit::launcher {

Json open_api(std::string_view what);

}  // namespace tacit::launcher
