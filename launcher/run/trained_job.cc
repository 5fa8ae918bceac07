#include "launcher/run/trained_job.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "launcher/job/job_agreement.h"
#include "net/printable.h"

namespace tacit::launcher {

namespace {

constexpr std::int64_t kMostOfValue = 80;

// After a hit of the range watch a run goes on from its checkpoint in wider ranges.
Job as_trained(Job job) {
  job.openings = {};
  job.ranges = {};
  job.audit = {};
  job.reveal.model = job.reveal.predictions = std::nullopt;
  return job;
}

}  // namespace

mpc::Digest training_digest(const Job& job) { return digest_of(as_trained(job)); }

std::string training_settings(const Job& job) {
  std::string text;
  const net::Agreement agreement = agreement_of(as_trained(job));
  for (const auto& [name, value] : agreement.pairs()) text += fmt::format("{} = {}\n", name, value);
  return text;
}

mpc::Digest predicting_digest(const Job& job) {
  Job kept;
  kept.parties = job.parties;
  kept.correlations = job.correlations;
  kept.data = job.data;
  kept.preparation = job.preparation;
  kept.model = job.model;
  kept.ring = job.ring;
  kept.training.loss = job.training.loss;
  return digest_of(kept);
}

std::string hex(const mpc::Digest& digest) { return fmt::format("{:02x}", fmt::join(digest, "")); }

std::string first_difference(const Job& before, const Job& now) {
  const auto then = agreement_of(as_trained(before)).pairs(), today = agreement_of(as_trained(now)).pairs();
  for (const auto& [name, value] : today) {
    const auto found = then.find(name);
    if (found == then.end())
      return fmt::format("{} was not in it, and is {}", name, net::printable(value, kMostOfValue));
    if (found->second == value) continue;
    return fmt::format("{} was {} and is {}", name, net::printable(found->second, kMostOfValue),
                       net::printable(value, kMostOfValue));
  }
  for (const auto& [name, value] : then) {
    if (!today.contains(name)) {
      return fmt::format("{} was {}, and this one has none", name, net::printable(value, kMostOfValue));
    }
  }
  return "";
}

}  // namespace tacit::launcher
