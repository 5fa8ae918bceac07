// open_api — the OpenAPI 3.0 description of PredictionApi.
#pragma once

#include "launcher/json.h"

namespace tacit::launcher {

const Json& open_api();

}  // namespace tacit::launcher
