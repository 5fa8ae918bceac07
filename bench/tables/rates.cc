#include "bench/tables/rates.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "net/error.h"
#include "net/printable.h"

namespace tacit::launcher {

namespace {

double parse_rate(std::string_view text) {
  double rate = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), rate);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  if (whole && rate > 0 && rate <= kMostRate) return rate;
  throw ConfigError(fmt::format("\"{}\" is no learning rate: expected numbers above 0 and up to {:g}, as 1e-3,0.1",
                                net::printable(text, 80), kMostRate));
}

}  // namespace

std::vector<double> parse_rates(std::string_view text) {
  std::vector<double> rates;
  while (true) {
    const std::size_t comma = text.find(',');
    const double rate = parse_rate(text.substr(0, comma));
    if (std::find(rates.begin(), rates.end(), rate) != rates.end()) {
      throw ConfigError(fmt::format("the rate {} is listed twice; name each rate once", text_of_rate(rate)));
    }
    rates.push_back(rate);
    if (comma == std::string_view::npos) return rates;
    text.remove_prefix(comma + 1);
  }
}

std::string text_of_rate(double rate) { return fmt::format("{}", rate); }

std::string text_of(const std::vector<double>& rates) {
  std::string all;
  for (const double rate : rates) all += (all.empty() ? "" : ",") + text_of_rate(rate);
  return all;
}

}  // namespace tacit::launcher
