// Prices — the price of an hour of a training's machines, by the number of workers or by the layout:
//
//     currency = "USD"   # optional; shown beside the prices
//
//     [hour]
//     1 = 1.14           # a layout with one worker
//     4 = 4.56           # with four workers in all
//     2x2 = 5.0          # this layout, instead of the price for four workers
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "bench/tables/layout.h"

namespace tacit::launcher {

inline constexpr std::size_t kMostPrices = 1000;
inline constexpr double kMostOfAnHour = 1e9;

class Prices {
 public:
  // 1.14 an hour for each worker, the price that the data-parallel programs in bench/others/ were run at. No currency.
  Prices() = default;
  // Throws ConfigError with the place of the wrong entry.
  explicit Prices(const std::filesystem::path& file);

  // Throws ConfigError that names the missing entry.
  double of_an_hour(const Layout& layout) const;
  const std::string& currency() const { return currency_; }
  // One sentence about the origin of the prices.
  std::string origin() const;

 private:
  std::string file_;                                     // for people; "": the default prices
  std::vector<std::pair<std::string, double>> by_name_;  // "4", "2x2"
  std::string currency_;
};

}  // namespace tacit::launcher
