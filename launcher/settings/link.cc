#include "launcher/settings/link.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <chrono>
#include <cmath>
#include <limits>
#include <optional>
#include <string_view>

#include "net/collectives/all_reduce_model.h"
#include "net/error.h"
#include "net/printable.h"

namespace tacit::launcher {

namespace {

struct NamedUnit {
  std::string_view name;
  double size;
};
constexpr std::array<NamedUnit, 3> kTimes = {{{"us", 1e-6}, {"ms", 1e-3}, {"s", 1}}};
constexpr std::array<NamedUnit, 3> kRates = {{{"kbit", 1e3 / 8}, {"Mbit", 1e6 / 8}, {"Gbit", 1e9 / 8}}};
constexpr double kMostSeconds = 60;
constexpr double kLeastBytesPerSecond = 125;  // 1 kbit/s

// A number, directly followed by one of the units.
std::optional<double> quantity(std::string_view text, const std::array<NamedUnit, 3>& units) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || !std::isfinite(value) || value < 0) return std::nullopt;
  const std::string_view unit = text.substr(static_cast<std::size_t>(end - text.data()));
  for (const NamedUnit& one : units) {
    if (unit == one.name) return value * one.size;
  }
  return std::nullopt;
}

}  // namespace

std::string Link::text() const {
  const std::string time = fmt::format("{:g} ms", round_trip * 1e3);
  return std::isfinite(bytes_per_second) ? fmt::format("{}, {:g} Mbit/s", time, bytes_per_second * 8e-6) : time;
}

Link parse_link(const std::string& text) {
  const std::size_t comma = std::min(text.find(','), text.size());
  const bool rated = comma < text.size();
  const auto time = quantity(std::string_view(text).substr(0, comma), kTimes);
  const auto rate = rated ? quantity(std::string_view(text).substr(comma + 1), kRates)
                          : std::optional(std::numeric_limits<double>::infinity());
  if (time && rate && *time <= kMostSeconds && *rate >= kLeastBytesPerSecond) return {"emulated", *time, *rate};
  throw ConfigError(fmt::format(
      "\"{}\" is not a link: expected a round trip of at most {} s in us, ms or s, then, after a comma, a rate of at "
      "least 1 kbit in kbit, Mbit or Gbit a second, as in 7.9ms,100Mbit; or the round trip alone",
      net::printable(text, 80), kMostSeconds));
}

net::Link emulated(const Link& link) {
  return {.round_trip = std::chrono::microseconds(std::llround(link.round_trip * 1e6)),
          .bits_per_second = link.bytes_per_second * 8};
}

double seconds(const Link& link, std::int64_t rounds, std::int64_t bytes) {
  return static_cast<double>(rounds) * link.round_trip / 2 + static_cast<double>(bytes) / link.bytes_per_second;
}

net::AllReducePlan openings_for(const Link& link, int parties) {
  net::AllReduceModel model;
  for (const net::AllReduce algorithm : net::kAllReduceAlgorithms) {
    for (std::int64_t bytes = 1 << 10; bytes <= 16 << 20; bytes *= 4) {
      const std::array<net::WordShape, 1> words{net::WordShape{bytes / 8, net::kWordBits}};
      std::int64_t most = 0, rounds = 0;
      for (int rank = 0; rank < std::min(parties, 2); ++rank) {  // in a star, the first rank sends most
        const net::Cost cost = net::all_reduce_cost(algorithm, words, parties, rank);
        most = std::max(most, cost.bytes);
        rounds = std::max(rounds, cost.rounds);
      }
      const std::chrono::duration<double> time(seconds(link, rounds, most));
      model.add(algorithm, bytes, std::chrono::duration_cast<std::chrono::nanoseconds>(time));
    }
  }
  return model.plan();
}

}  // namespace tacit::launcher
