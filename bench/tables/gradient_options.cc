#include "bench/tables/gradient_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>

#include "launcher/launch/local.h"
#include "launcher/settings/nearest_name.h"
#include "net/error.h"
#include "net/printable.h"

namespace tacit::launcher {

namespace {

constexpr std::size_t kMostShown = 80;
constexpr std::int64_t kMostOfList = 1'000'000;
constexpr std::size_t kMostValues = 1000;

std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> words;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t comma = std::min(text.find(',', begin), text.size());
    words.push_back(text.substr(begin, comma - begin));
    begin = comma + 1;
  }
  return words;
}

template <typename Value>
void expect_each_once(const std::vector<Value>& values, std::string_view what) {
  for (auto one = values.begin(); one != values.end(); ++one) {
    if (std::find(values.begin(), one, *one) == one) continue;
    throw ConfigError(fmt::format("{} {} is listed twice; name each once", what, *one));
  }
}

std::string names_of_ways() {
  std::string names;
  for (const GradientWay& way : gradient_ways()) names += fmt::format("{}{}", names.empty() ? "" : ", ", way.name);
  return names;
}

}  // namespace

const std::vector<GradientWay>& gradient_ways() {
  static const std::vector<GradientWay> ways = {
      {kSingleWay, "one process with the whole batch"},
      {kGatherWay, "all gradients go to rank 0, and the mean comes back"},
      {kPerLayerWay, "an all-reduce of each parameter after the backward pass"},
      {"ring", "one all-reduce of all gradients, around a ring"},
      {"two-phase", "one all-reduce of all gradients: reduce-scatter, then all-gather"},
      {kBucketsWay, "full buckets leave during the backward pass, as in DistributedDataParallel"},
      {kSecureWay, "gradients leave a rank under masks only, which cancel in the sum"},
  };
  return ways;
}

std::string find_ddp() {
  namespace fs = std::filesystem;
  const fs::path build = fs::path(own_program()).parent_path().parent_path();
  const fs::path script = build.parent_path().parent_path() / "bench/programs/ddp_gloo.py";
  const bool both = fs::exists(script) && fs::exists("/usr/lib/python3/dist-packages/torch/distributed");
  return both ? script.string() : "";
}

std::vector<std::string> parse_gradient_ways(const std::string& text) {
  std::vector<std::string> ways = words_of(text);
  for (const std::string& way : ways) {
    const auto is_it = [&](const GradientWay& one) { return one.name == way; };
    if (std::any_of(gradient_ways().begin(), gradient_ways().end(), is_it)) continue;
    if (way == kAsyncWay) throw ConfigError("\"async\" is no synchronous way: choose it with --update sync,async");
    std::vector<std::string_view> names;
    for (const GradientWay& one : gradient_ways()) names.push_back(one.name);
    const std::string_view near = nearest_name(way, names);
    throw ConfigError(fmt::format("there is no way \"{}\" to add up gradients{}; there are {}",
                                  net::printable(way, kMostShown),
                                  near.empty() ? "" : fmt::format(", did you mean {}?", near), names_of_ways()));
  }
  expect_each_once(ways, "the way");
  return ways;
}

std::int64_t bytes_of_bucket(std::string_view text) {
  constexpr std::array<std::pair<std::string_view, std::int64_t>, 6> kUnits = {
      {{"kB", 1000}, {"KB", 1000}, {"MB", 1'000'000}, {"KiB", 1 << 10}, {"MiB", 1 << 20}, {"B", 1}}};
  constexpr std::int64_t kMostBucket = std::int64_t{1} << 30;
  std::int64_t count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  const std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
  const auto known = std::find_if(kUnits.begin(), kUnits.end(), [&](const auto& one) { return one.first == unit; });
  const std::string shown = net::printable(text, kMostShown);
  if (error != std::errc() || known == kUnits.end() || count < 0 || count > kMostBucket) {
    throw ConfigError(
        fmt::format("\"{}\" is no size of a bucket: expected bytes with a unit, as 25MB or 512KiB", shown));
  }
  const std::int64_t bytes = count * known->second;
  if (bytes == 0)
    throw ConfigError(fmt::format("a bucket of {} holds no gradient; name a size above 0, as 25MB", shown));
  if (bytes > kMostBucket)
    throw ConfigError(fmt::format("a bucket of {} is larger than 1 GiB; name a smaller one", shown));
  return bytes;
}

std::vector<std::string> parse_buckets(const std::string& text) {
  std::vector<std::string> buckets = words_of(text);
  std::vector<std::int64_t> sizes;
  for (const std::string& bucket : buckets) sizes.push_back(bytes_of_bucket(bucket));
  expect_each_once(sizes, "a bucket of bytes");
  std::sort(buckets.begin(), buckets.end(),
            [](const auto& a, const auto& b) { return bytes_of_bucket(a) < bytes_of_bucket(b); });
  return buckets;
}

std::vector<std::int64_t> parse_counts(const std::string& text, std::string_view of_what) {
  const auto refuse = [&] {
    throw ConfigError(fmt::format("\"{}\" is no list of {}: expected numbers from 1, as 1..10 or 64,128",
                                  net::printable(text, kMostShown), of_what));
  };
  const auto number = [&](std::string_view word) {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error != std::errc() || end != word.data() + word.size() || value < 1 || value > kMostOfList) refuse();
    return value;
  };
  std::vector<std::int64_t> counts;
  for (const std::string& word : words_of(text)) {
    const std::size_t dots = word.find("..");
    const std::int64_t first = number(std::string_view(word).substr(0, dots));
    const std::int64_t last = dots == std::string::npos ? first : number(std::string_view(word).substr(dots + 2));
    if (last < first || last - first >= static_cast<std::int64_t>(kMostValues)) refuse();
    for (std::int64_t one = first; one <= last; ++one) counts.push_back(one);
  }
  expect_each_once(counts, "the number");
  std::sort(counts.begin(), counts.end());
  return counts;
}

Updates parse_updates(const std::string& text) {
  Updates updates;
  const std::vector<std::string> words = words_of(text);
  for (const std::string& word : words) {
    if (word != "sync" && word != kAsyncWay) {
      throw ConfigError(fmt::format("\"{}\" is no kind of update: expected sync, async or sync,async",
                                    net::printable(word, kMostShown)));
    }
    (word == "sync" ? updates.sync : updates.async) = true;
  }
  expect_each_once(words, "the update");
  return updates;
}

}  // namespace tacit::launcher
