// The privacy of a training as plan, closing lines, summary and report state it: epsilon against each adversary.
#pragma once

#include <string>

#include "gnn/privacy/training_privacy.h"
#include "launcher/json.h"

namespace tacit::launcher {

// {unit, clip, delta, noise, rate, steps, epochs, records_in_a_step, adversaries: [{who, noise, epsilon, epsilon_renyi}],
// not_covered: [sentence]}.
Json privacy_json(const gnn::TrainingPlan& training, const gnn::TrainingPrivacy& privacy);

// A table of the adversaries, and what is not covered.
std::string privacy_text(const Json& privacy);

}  // namespace tacit::launcher
