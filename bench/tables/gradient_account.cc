#include "bench/tables/gradient_account.h"

#include <fmt/format.h>

#include <algorithm>

#include "launcher/json_value.h"
#include "launcher/text_file.h"
#include "net/error.h"
#include "net/printable.h"

namespace tacit::launcher {

namespace {

constexpr std::int64_t kMostOfAccount = 256 << 20;  // bytes

GradientIteration iteration_in(const Json& json) {
  const auto seconds = [&](const char* key) { return number_in(json, key).value_or(0); };
  return {seconds("seconds"), seconds("computing"), seconds("waiting"), seconds("hidden"), seconds("communicating")};
}

GradientEpoch tested_epoch(const Json& json) {
  GradientEpoch epoch{count_in(json, "epoch"), number_in(json, "train_loss").value_or(0), number_in(json, "test_loss"),
                      std::nullopt};
  const std::int64_t tested = count_in(json, "tested");
  if (tested > 0) {
    epoch.accuracy = 100 * static_cast<double>(count_in(json, "correct")) / static_cast<double>(tested);
  } else {
    epoch.test_loss.reset();
  }
  return epoch;
}

GradientIteration mean_of_rank(const GradientRankAccount& rank, std::int64_t most) {
  GradientIteration sum;
  const std::int64_t measured = std::min(most, std::ssize(rank.iterations) - 1);
  for (std::int64_t i = 1; i <= measured; ++i) {
    const GradientIteration& one = rank.iterations[static_cast<std::size_t>(i)];
    sum.seconds += one.seconds;
    sum.computing += one.computing;
    sum.waiting += one.waiting;
    sum.hidden += one.hidden;
    sum.communicating += one.communicating;
  }
  for (double* part : {&sum.seconds, &sum.computing, &sum.waiting, &sum.hidden, &sum.communicating}) {
    *part /= static_cast<double>(measured);
  }
  return sum;
}

}  // namespace

GradientRankAccount read_gradient_rank(const std::filesystem::path& file, const std::string& way, int rank) {
  const Json json = Json::parse(read_text_file(file, kMostOfAccount, "a rank's measurements"), nullptr, false);
  const auto wrong = [&](const std::string& what) {
    throw ProtocolError(fmt::format("gradient_trainer left {}: {}; build it and this command from the same sources",
                                    net::printable(file.string()), what),
                        rank);
  };
  if (!json.is_object()) wrong("a file that is no JSON");
  if (text_in(json, "way") != way) wrong(fmt::format("measurements of the way \"{}\"", text_in(json, "way")));
  if (count_in(json, "rank") != rank) wrong(fmt::format("measurements of rank {}", count_in(json, "rank")));
  GradientRankAccount made;
  made.digest = text_in(json, "digest");
  if (made.digest.empty()) wrong("measurements without a digest of the weights");
  made.parameters = count_in(json, "parameters");
  for (const Json& one : list_in(json, "iterations")) made.iterations.push_back(iteration_in(one));
  made.diverged = count_in(json, "diverged");
  if (made.iterations.empty() && made.diverged == 0) wrong("measurements of no iteration");
  for (const Json& one : list_in(json, "losses")) {
    if (const auto loss = number_in(one, "loss")) made.losses[count_in(one, "iteration")] = *loss;
  }
  for (const Json& one : list_in(json, "epochs")) made.epochs.push_back(tested_epoch(one));
  made.wall_seconds = number_in(json, "wall_seconds").value_or(0);
  made.cpu_seconds = number_in(json, "cpu_seconds").value_or(0);
  made.resident_bytes = count_in(json, "resident_bytes");
  made.bytes_sent = count_in(json, "bytes_sent");
  made.bytes_received = count_in(json, "bytes_received");
  made.packets_sent = count_in(json, "packets_sent");
  made.packets_received = count_in(json, "packets_received");
  made.oldest_step = count_in(json, "oldest_step");
  return made;
}

std::optional<GradientIteration> GradientAccount::mean_iteration(std::int64_t most) const {
  std::optional<GradientIteration> longest;
  for (const GradientRankAccount& rank : ranks) {
    if (rank.iterations.size() < 2) return std::nullopt;
    const GradientIteration mean = mean_of_rank(rank, most);
    if (!longest || mean.seconds > longest->seconds) longest = mean;
  }
  return longest;
}

std::int64_t GradientAccount::diverged() const {
  std::int64_t first = 0;
  for (const GradientRankAccount& rank : ranks) {
    if (rank.diverged > 0 && (first == 0 || rank.diverged < first)) first = rank.diverged;
  }
  return first;
}

bool GradientAccount::ends_alike() const {
  return std::all_of(ranks.begin(), ranks.end(),
                     [&](const GradientRankAccount& rank) { return rank.digest == ranks.front().digest; });
}

const GradientEpoch* GradientAccount::epoch(std::int64_t number) const {
  if (ranks.empty()) return nullptr;
  const auto& epochs = ranks.front().epochs;
  const auto at = std::find_if(epochs.begin(), epochs.end(), [&](const auto& one) { return one.epoch == number; });
  return at == epochs.end() ? nullptr : &*at;
}

}  // namespace tacit::launcher
