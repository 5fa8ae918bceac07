// The privacy of a training as plan, closing lines, summary and report state it: epsilon against each adversary.
#pragma once

#include <string>

#include "gnn/privacy/training_privacy.h"
#include "launcher/json.h"

namespace tacit::launcher {

// {unit, clip, delta, noise, rate, steps, epochs, records_in_a_step, adversaries: [{who, noise, epsilon, epsilon_renyi}],
// not_covered: [sentence]}. If edges are private, the object also has noise_of_a_sum and mean_degree.
Json privacy_json(const gnn::TrainingPlan& training, const gnn::TrainingPrivacy& privacy);

// The same for a training whose revealed values contain `steps` steps, and that ended after `epochs`. Also has
// repeated_steps, if interruptions made some steps run twice.
Json spent_json(const gnn::TrainingPlan& training, const gnn::TrainingPrivacy& privacy, std::int64_t steps,
                std::int64_t epochs);

// How the noise in a row of sums compares to the rows that it adds up.
std::string text_of_noisy_sums(double noise, double mean_degree);

// A table of the adversaries, and the list of cases that the bound does not cover.
std::string privacy_text(const Json& privacy);

}  // namespace tacit::launcher
