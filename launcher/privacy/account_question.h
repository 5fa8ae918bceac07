// AccountQuestion — a question to the privacy accountant without a job, for `tacit privacy account`.
#pragma once

#include <optional>
#include <string>

#include "gnn/privacy/adversary.h"
#include "launcher/answer.h"

namespace tacit::launcher {

// Two of noise, steps and epsilon; the answer has the third.
struct AccountQuestion {
  std::optional<double> noise, epsilon;
  std::optional<std::int64_t> steps;
  double rate = 1, delta = 1e-6;
  // With `parties`, the answer has the epsilon of each adversary.
  std::optional<int> parties, colluding;  // colluding: by default all parties but one
  gnn::NoiseFrom noise_from = gnn::NoiseFrom::kBoth;
  bool dealer = true;  // false: all noise is from the parties
};

// Throws ConfigError for a question that has not exactly one answer.
Answer answer_of(const AccountQuestion& question);

// "0.01" or "256/980000". Throws ConfigError for another text.
double rate_of(const std::string& text);

}  // namespace tacit::launcher
