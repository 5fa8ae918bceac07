// A valid job, and small changes to it.
#pragma once

#include <string>
#include <string_view>

#include "launcher/job/read_job.h"
#include "tests/gnn/data/refusal.h"

namespace tacit::launcher {

inline constexpr std::string_view kSmallJob = R"(name = "small"
parties = 3
[data]
features = "columns"
edges = "rank 1"
labels = "rank 2"
masks = "public"
[model]
gcn = { hidden = 16 }
[training]
epochs = 20
)";

// A private training of two owners of rows. The job states no epsilon and no noise: add one of them.
inline constexpr std::string_view kPrivateJob = R"(name = "private"
correlations = "dealer"
parties = 2
[data]
features = "rows"
labels = "rows"
masks = "rows"
edges = "none"
classes = 2
[preprocessing]
features = "none"
[[model.layers]]
kind = "dense"
outputs = 1
[training]
epochs = 20
batch = 16
loss = "logistic"
[reveal]
loss = "nobody"
model = "everyone"
[privacy]
delta = 1e-5
clip = 1.0
)";

inline std::string replaced(std::string text, std::string_view what, std::string_view with) {
  const std::size_t at = text.find(what);
  if (at == std::string::npos) throw std::logic_error("the job has no " + std::string(what));
  return text.replace(at, what.size(), with);
}

inline std::string small_job_with(std::string_view what, std::string_view with) {
  return replaced(std::string(kSmallJob), what, with);
}
inline std::string small_job_and(std::string_view more) { return std::string(kSmallJob) + std::string(more); }

inline ReadJob read(std::string_view text) { return read_job(parse_document(text, "small.toml")); }

using gnn::refusal;

}  // namespace tacit::launcher
