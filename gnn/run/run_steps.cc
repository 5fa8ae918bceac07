#include "gnn/run/run_steps.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "gnn/run/openings.h"
#include "gnn/settings/setting_list.h"
#include "gnn/train/generators.h"
#include "mpc/correlations/dealer_correlations.h"
#include "mpc/correlations/no_correlations.h"
#include "mpc/sealed/storage_key.h"
#include "mpc/session/protocol_number.h"
#include "net/collectives/calibrate.h"
#include "net/collectives/tell_all.h"
#include "net/printable.h"

namespace tacit::gnn {

namespace {

// A small cost beside a training: an opening has tens of kilobytes, and many trainings send a few
// megabytes in all.
constexpr net::CalibrationOptions kCalibration{.budget = std::chrono::milliseconds(100), .most_bytes = 64 << 10};

// Identifies the build, for programs that use this library. The launcher compares builds earlier
// (launcher/job/build_agreement.h).
std::string build_text() {
  return fmt::format("protocol number of Tacit = {}\ngenerators of Tacit = {}\n", mpc::kProtocolNumber,
                     digest_of_generators());
}

}  // namespace

void expect_same_plans(net::Mesh& mesh, const Plans& plans, const std::string& more) {
  constexpr std::size_t kMostText = 8000;  // bytes of text that are sent; the hash covers the rest
  using Told = std::array<char, sizeof(mpc::Digest) + kMostText>;
  const std::string own = build_text() + to_text(settings_of(plans, Scope::kSession)) + more;
  Told mine{};
  const mpc::Digest digest = mpc::digest_of(std::as_bytes(std::span(own)));
  std::memcpy(mine.data(), digest.data(), digest.size());
  std::memcpy(mine.data() + digest.size(), own.data(), std::min(own.size(), kMostText));
  std::vector<Told> all(static_cast<std::size_t>(mesh.size()), mine);
  std::vector<net::Bytes> bytes;
  for (Told& one : all) bytes.push_back(std::as_writable_bytes(std::span(one)));
  net::tell_all(mesh, bytes);
  const auto text_of = [](const Told& one) {
    const std::string text(one.data() + sizeof(mpc::Digest), kMostText);
    return text.substr(0, text.find('\0'));
  };
  for (int rank = 1; rank < mesh.size(); ++rank) {
    const Told& other = all[static_cast<std::size_t>(rank)];
    if (other == all[0]) continue;
    const auto difference = first_difference(text_of(all[0]), text_of(other));
    throw ConfigError(fmt::format(
        "ranks 0 and {} differ in {}: give every rank the same job, and the same build of Tacit", rank,
        difference ? net::printable(fmt::format("{} ({} and {})", difference->name, difference->before.value_or("none"),
                                                difference->now.value_or("none")))
                   : "their plans"));
  }
}

mpc::CorrelationSource source_of(const TrainingPlan& training, const net::World& world) {
  if (training.aggregates()) {
    if (world.helpers > 0) {
      throw ConfigError("in the mode \"aggregate\" a dealer has no part: take it out of the world");
    }
    return mpc::no_correlations;
  }
  switch (training.correlations) {
    case Correlations::kPairwise:
    case Correlations::kPairwiseSoftSpoken:
      if (world.helpers == 0) return nullptr;
      throw ConfigError(
          "correlations = \"pairwise\": the parties make the correlations, and a dealer has no part: take it out of "
          "the "
          "world");
    case Correlations::kDealer:
      if (world.helpers > 0) return mpc::from_the_dealer;
      throw ConfigError(
          "correlations = \"dealer\": the world has no dealer; add a rank of that role after the parties, or take "
          "\"pairwise\"");
    case Correlations::kNone:
      break;
  }
  throw ConfigError("a training on shares needs a source of correlations; take \"dealer\" or \"pairwise\"");
}

std::unique_ptr<mpc::MakingAhead> maker_of(const TrainingPlan& training, net::Mesh& mesh,
                                           const mpc::SessionOptions& options) {
  return training.is_pairwise() ? std::make_unique<mpc::MakingAhead>(mesh, options, training.correlations_from())
                                : nullptr;
}

void add_making(const mpc::MakingAhead& maker, RunResult& result) {
  const mpc::Cost cost = maker.beside_stated(result.cost);
  result.cost += cost;
  result.costs.push_back({"rounds of correlations", maker.batches(), cost});
}

std::string source_line(const TrainingPlan& training) {
  return fmt::format("correlations = {}\n",
                     word_of(training.aggregates() ? Correlations::kNone : training.correlations));
}

net::AllReducePlan openings_of_session(net::Mesh& mesh, Openings openings, const std::function<void()>& measuring) {
  if (const auto known = plan_of(openings, mesh.parties())) return *known;
  measuring();
  net::Group group(mesh);
  return net::calibrate_all_reduce(group, kCalibration).plan;
}

}  // namespace tacit::gnn
