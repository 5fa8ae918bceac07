// Formats a forecast as text and as JSON.
#pragma once

#include "launcher/answer.h"
#include "launcher/plan/forecast.h"

namespace tacit::launcher {

Answer answer_of(const Job& job, const PlannedData& data, const Forecast& forecast);

}  // namespace tacit::launcher
